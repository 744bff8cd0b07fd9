/// So many default values, in large pages where the system has them.
///
/// A table that is read all over else spends as much time on finding its pages as on reading them.
pub fn in_large_pages<T: Default>(count: usize) -> Box<[T]> {
    let mut values = Vec::with_capacity(count);
    #[cfg(target_os = "linux")]
    ask_for_large_pages(values.spare_capacity_mut());
    values.resize_with(count, T::default);
    values.into_boxed_slice()
}

/// Asks that memory which was not written to yet be given in large pages. If the system has none, nothing
/// is lost.
#[cfg(target_os = "linux")]
fn ask_for_large_pages<T>(memory: &mut [std::mem::MaybeUninit<T>]) {
    const PAGE: usize = 4096;
    let start = memory.as_mut_ptr() as usize;
    let (first, end) = (start.next_multiple_of(PAGE), start + size_of_val(memory));
    if first < end {
        // SAFETY: the advice changes nothing of what the memory holds, and the range lies inside of what
        // was allocated.
        unsafe { libc::madvise(first as *mut libc::c_void, end - first, libc::MADV_HUGEPAGE) };
    }
}
