//! An allocator that counts, for tests of what must not allocate.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};

/// Counts how often memory is asked for, where a test program makes it its `#[global_allocator]`.
pub struct CountingAllocator(AtomicUsize);

impl CountingAllocator {
    /// An allocator that has counted nothing yet.
    #[allow(clippy::new_without_default, reason = "a static needs a constant")]
    pub const fn new() -> CountingAllocator {
        CountingAllocator(AtomicUsize::new(0))
    }

    /// How often memory was asked for.
    pub fn count(&self) -> usize {
        self.0.load(Ordering::Relaxed)
    }
}

// SAFETY: everything is handed on to the system's allocator unchanged.
unsafe impl GlobalAlloc for CountingAllocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        self.0.fetch_add(1, Ordering::Relaxed);
        // SAFETY: the caller keeps the promises that the system's allocator asks for.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: likewise.
        unsafe { System.dealloc(pointer, layout) }
    }
}
