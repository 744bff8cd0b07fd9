//! The lock-free hash table that all searches share: see [`HashTable`].

use std::alloc::{Layout, alloc_zeroed, dealloc, handle_alloc_error};
use std::fmt;
use std::io::{self, Read, Write};
use std::marker::PhantomData;
use std::ops::Deref;
use std::ptr::NonNull;
use std::sync::atomic::{AtomicU64, Ordering};

use game::Key;

/// What a table keeps about a position, and which entries give way to it.
pub trait TableEntry: Sized {
    /// What the choice of a victim depends on: the age of the table, a replacement scheme.
    type Replacement;

    /// The entry in one word, never zero.
    fn pack(&self) -> u64;

    /// The entry with these bits, if there is one.
    fn unpack(content: u64) -> Option<Self>;

    /// Writes the content of a key into its bucket, or drops it.
    fn replace(bucket: &[Slot; WAYS], key: Key, content: u64, replacement: &Self::Replacement);
}

/// Positions and what is known about each, shared by the threads of a search.
///
/// A bucket is a cache line with four slots of two words: the content, and the key mixed with it by
/// exclusive or. A reader that meets the halves of two writers sees a key that does not fit, and finds
/// no entry. So no lock is needed (Hyatt and Mann 2002, lockless hashing).
///
/// The key chooses the bucket by multiply and shift: the high bits of the product spread over all
/// buckets, whatever their number.
pub struct HashTable<E, R> {
    buckets: Buckets,
    /// What the choice of a victim depends on: [`TableEntry::Replacement`].
    pub replacement: R,
    entries: PhantomData<fn() -> E>,
}

/// How many entries a bucket has.
pub const WAYS: usize = 4;

#[repr(align(64))]
struct Bucket([Slot; WAYS]);

const _: () = assert!(size_of::<Bucket>() == 64);

/// Room for one entry. Its content is 0 as long as it is empty.
#[derive(Debug)]
pub struct Slot {
    mixed: AtomicU64,
    content: AtomicU64,
}

impl Slot {
    /// What it holds; 0 for nothing.
    #[inline]
    pub fn content(&self) -> u64 {
        self.content.load(Ordering::Relaxed)
    }

    /// The key of what it holds.
    #[inline]
    pub fn key(&self) -> Key {
        Key(self.mixed.load(Ordering::Relaxed) ^ self.content())
    }

    /// What it holds, if that is about this key.
    #[inline]
    pub fn content_of(&self, key: Key) -> Option<u64> {
        let content = self.content();
        (self.mixed.load(Ordering::Relaxed) == key.0 ^ content && content != 0).then_some(content)
    }

    /// Replaces what it holds.
    #[inline]
    pub fn write(&self, key: Key, content: u64) {
        self.content.store(content, Ordering::Relaxed);
        self.mixed.store(key.0 ^ content, Ordering::Relaxed);
    }
}

impl<R, E: TableEntry<Replacement = R>> HashTable<E, R> {
    /// A table of that many MiB. A table of 0 MiB keeps nothing.
    pub fn new(mebibytes: usize, replacement: R) -> HashTable<E, R> {
        HashTable::with_buckets((mebibytes << 20) / size_of::<Bucket>(), replacement)
    }

    /// A table of that many MiB, or of one bucket where that is nothing.
    pub fn at_least_one_bucket(mebibytes: usize, replacement: R) -> HashTable<E, R> {
        let buckets = (mebibytes << 20) / size_of::<Bucket>();
        HashTable::with_buckets(buckets.max(1), replacement)
    }

    pub(crate) fn with_buckets(count: usize, replacement: R) -> HashTable<E, R> {
        HashTable { buckets: Buckets::new(count), replacement, entries: PhantomData }
    }

    /// How many buckets there are.
    pub fn buckets(&self) -> usize {
        self.buckets.len()
    }

    /// How much memory it takes.
    pub fn bytes(&self) -> usize {
        size_of_val::<[Bucket]>(&self.buckets)
    }

    /// Empties all slots: new pages are cheaper than old ones with zeros written all over, most of all where
    /// few were used. The old ones are given back first.
    pub fn clear(&mut self) {
        let count = self.buckets.len();
        self.buckets = Buckets::NONE;
        self.buckets = Buckets::new(count);
    }

    #[inline]
    fn bucket(&self, key: Key) -> Option<&[Slot; WAYS]> {
        let index = (u128::from(key.0) * self.buckets.len() as u128) >> 64;
        self.buckets.get(index as usize).map(|Bucket(slots)| slots)
    }

    /// Loads the bucket of a key into the processor's cache.
    #[inline]
    pub fn prefetch(&self, key: Key) {
        if let Some(bucket) = self.bucket(key) {
            prefetch(bucket);
        }
    }

    /// What is known about the position with that key.
    #[inline]
    pub fn probe(&self, key: Key) -> Option<E> {
        self.bucket(key)?.iter().find_map(|slot| slot.content_of(key)).and_then(E::unpack)
    }

    /// Keeps an entry, if the replacement finds room for it.
    #[inline]
    pub fn store(&self, key: Key, entry: &E) {
        if let Some(bucket) = self.bucket(key) {
            E::replace(bucket, key, entry.pack(), &self.replacement);
        }
    }

    /// How many slots in a thousand are in use, by a look at the first thousand of them.
    pub fn fill(&self) -> u16 {
        const SAMPLE: usize = 1000 / WAYS;
        let sample = &self.buckets[..self.buckets.len().min(SAMPLE)];
        let slots = || sample.iter().flat_map(|Bucket(slots)| slots);
        let used = slots().filter(|slot| slot.content() != 0).count();
        (1000 * used).checked_div(slots().count()).unwrap_or(0) as u16
    }

    /// Writes out all entries: their number, then the key and the content of each. `salt` is what the
    /// user of the table has mixed with the keys; it is taken off.
    pub fn save(&self, out: &mut impl Write, salt: Key) -> io::Result<()> {
        let slots = || self.buckets.iter().flat_map(|Bucket(slots)| slots);
        let used = || slots().filter(|slot| slot.content() != 0);
        out.write_all(&(used().count() as u64).to_le_bytes())?;
        for slot in used() {
            out.write_all(&(slot.key() ^ salt).0.to_le_bytes())?;
            out.write_all(&slot.content().to_le_bytes())?;
        }
        Ok(())
    }

    /// Reads what [`HashTable::save`] has written, perhaps from a table of another size. A content that is
    /// no entry is an error.
    pub fn load(&self, input: &mut impl Read, salt: Key) -> io::Result<()> {
        for _ in 0..read_u64(input)? {
            let (key, content) = (Key(read_u64(input)?), read_u64(input)?);
            if E::unpack(content).is_none() {
                let message = format!("an entry of a table is damaged: {content:016x}");
                return Err(io::Error::new(io::ErrorKind::InvalidData, message));
            }
            let key = key ^ salt;
            if let Some(bucket) = self.bucket(key) {
                E::replace(bucket, key, content, &self.replacement);
            }
        }
        Ok(())
    }
}

impl<E, R> fmt::Debug for HashTable<E, R> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.debug_struct("HashTable").field("buckets", &self.buckets.len()).finish_non_exhaustive()
    }
}

/// A number of nodes in eight bits: four times its binary logarithm, roughly.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct SubtreeSize(pub(crate) u8);

impl SubtreeSize {
    #[inline]
    pub(crate) fn of(nodes: u64) -> SubtreeSize {
        let nodes = nodes.clamp(4, 1 << 60);
        let log = nodes.ilog2();
        SubtreeSize((4 * log + (nodes >> (log - 2) & 3) as u32) as u8)
    }
}

/// Eight bytes, the lowest first.
pub(crate) fn read_u64(input: &mut impl Read) -> io::Result<u64> {
    let mut bytes = [0; 8];
    input.read_exact(&mut bytes)?;
    Ok(u64::from_le_bytes(bytes))
}

/// Empty buckets, in large pages where the system has them. With small pages, a table that is read all over takes
/// as long to find the page as to read it.
///
/// The system hands out pages of zeros one by one as they are first written to, so that a great table is
/// there at once. It does so only for memory of the usual alignment: a bucket's is made here.
struct Buckets {
    first: NonNull<Bucket>,
    count: usize,
    /// What was allocated; nothing, if there are no buckets.
    memory: Option<(NonNull<u8>, Layout)>,
}

// SAFETY: the memory belongs to the buckets alone, and these are made of atomic numbers.
unsafe impl Send for Buckets {}
// SAFETY: the same.
unsafe impl Sync for Buckets {}

impl Buckets {
    /// No buckets at all.
    const NONE: Buckets = Buckets { first: NonNull::dangling(), count: 0, memory: None };

    fn new(count: usize) -> Buckets {
        /// More than that, and Rust writes the zeros itself.
        const USUAL: usize = 16;
        if count == 0 {
            return Buckets::NONE;
        }
        let room =
            Layout::array::<Bucket>(count).expect("memory that was asked for and can be had");
        let layout = Layout::from_size_align(room.size() + room.align(), USUAL)
            .expect("memory that was asked for and can be had");
        // SAFETY: the layout has a size, since there is a bucket.
        let memory = unsafe { alloc_zeroed(layout) };
        let Some(memory) = NonNull::new(memory) else { handle_alloc_error(layout) };
        #[cfg(target_os = "linux")]
        ask_for_large_pages(memory.as_ptr() as usize, layout.size());
        let skipped = memory.as_ptr().align_offset(room.align());
        assert!(skipped <= room.align());
        // SAFETY: there is room for the alignment before the buckets.
        let first = unsafe { memory.add(skipped) }.cast();
        Buckets { first, count, memory: Some((memory, layout)) }
    }
}

impl Deref for Buckets {
    type Target = [Bucket];

    #[inline]
    fn deref(&self) -> &[Bucket] {
        // SAFETY: so many buckets have room there, aligned, and live as long as this. A bucket is made of whole
        // numbers, and zeros are an empty one.
        unsafe { std::slice::from_raw_parts(self.first.as_ptr(), self.count) }
    }
}

impl Drop for Buckets {
    fn drop(&mut self) {
        if let Some((memory, layout)) = self.memory {
            // SAFETY: it was allocated with this layout, and nobody else has it.
            unsafe { dealloc(memory.as_ptr(), layout) };
        }
    }
}

/// Loads a place into the processor's cache, to be read soon.
#[inline]
pub fn prefetch<T>(place: &T) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        let place: *const T = place;
        // SAFETY: a prefetch reads nothing, and any address will do.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(place.cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = place;
}

/// Asks for large pages for the memory of a list that was just made. What is read all over takes as long to find a
/// small page as to read it.
pub(crate) fn use_large_pages<T>(list: &Vec<T>) {
    debug_assert!(list.is_empty(), "it was written to");
    #[cfg(target_os = "linux")]
    ask_for_large_pages(list.as_ptr() as usize, list.capacity() * size_of::<T>());
    #[cfg(not(target_os = "linux"))]
    let _ = list;
}

/// Asks for large pages for memory that was not written to yet. If the system has none, nothing is lost.
#[cfg(target_os = "linux")]
fn ask_for_large_pages(start: usize, length: usize) {
    use std::ffi::c_void;

    use rustix::mm::{Advice, madvise};

    const PAGE: usize = 4096;
    let (first, end) = (start.next_multiple_of(PAGE), start + length);
    if first < end {
        let (memory, advice) = (first as *mut c_void, Advice::LinuxHugepage);
        // SAFETY: the advice does not change what the memory holds, and the range is inside the
        // allocation.
        let _ = unsafe { madvise(memory, end - first, advice) };
    }
}

#[cfg(test)]
mod tests {
    use game::KeyGenerator;

    use super::*;

    /// An entry that replaces whatever is in the first slot that is empty or the last one.
    #[derive(PartialEq, Debug)]
    struct Number(u64);

    impl TableEntry for Number {
        type Replacement = ();

        fn pack(&self) -> u64 {
            self.0
        }

        fn unpack(content: u64) -> Option<Number> {
            (content < 1 << 40).then_some(Number(content))
        }

        fn replace(bucket: &[Slot; WAYS], key: Key, content: u64, (): &()) {
            let free = bucket.iter().find(|slot| slot.content() == 0);
            free.unwrap_or(&bucket[WAYS - 1]).write(key, content);
        }
    }

    #[test]
    fn a_table_without_memory_keeps_nothing() {
        let table = HashTable::<Number, ()>::new(0, ());
        table.store(Key(5), &Number(7));
        assert_eq!((table.probe(Key(5)), table.fill(), table.bytes()), (None, 0, 0));
    }

    #[test]
    fn a_cleared_table_is_empty_and_as_large_as_before() {
        let mut table = HashTable::<Number, ()>::new(1, ());
        let bytes = table.bytes();
        table.store(Key(5), &Number(7));
        table.clear();
        assert_eq!((table.probe(Key(5)), table.fill(), table.bytes()), (None, 0, bytes));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn memory_is_taken_as_it_is_used() {
        // In pages of at least 4 KiB.
        let resident = || {
            let text = std::fs::read_to_string("/proc/self/statm").expect("Linux tells");
            text.split(' ').nth(1).and_then(|pages| pages.parse::<usize>().ok()).expect("pages")
        };
        let before = resident();
        let mut table = HashTable::<Number, ()>::new(1024, ());
        table.store(Key(5), &Number(7));
        table.clear();
        assert_eq!(table.probe(Key(5)), None);
        assert!(resident() < before + (64 << 20) / 4096);
    }

    #[test]
    fn fill_tells_how_many_slots_in_a_thousand_are_used() {
        let table = HashTable::<Number, ()>::new(1, ());
        let slots = table.buckets() * WAYS;
        let mut keys = KeyGenerator::new(1);
        (0..slots / 4).for_each(|_| table.store(keys.next_key(), &Number(1)));
        assert!((200..300).contains(&table.fill()), "{}", table.fill());
        (0..slots * 4).for_each(|_| table.store(keys.next_key(), &Number(1)));
        assert_eq!(table.fill(), 1000);
    }

    #[test]
    fn what_was_saved_is_found_under_another_salt() {
        let table = HashTable::<Number, ()>::new(1, ());
        (1..100).for_each(|number| table.store(Key(number << 50 ^ 3), &Number(number)));
        let mut bytes = Vec::new();
        table.save(&mut bytes, Key(3)).expect("memory");
        let other = HashTable::<Number, ()>::new(2, ());
        other.load(&mut bytes.as_slice(), Key(8)).expect("what was saved");
        assert!((1..100).all(|number| other.probe(Key(number << 50 ^ 8)) == Some(Number(number))));
        bytes[16..24].fill(255);
        assert!(other.load(&mut bytes.as_slice(), Key(8)).is_err());
    }

    #[test]
    fn subtree_sizes_are_in_order() {
        let nodes = [0, 5, 7, 8, 100, 1000, 1 << 40, u64::MAX];
        let sizes = nodes.map(|nodes| SubtreeSize::of(nodes).0);
        assert_eq!(sizes, [8, 9, 11, 12, 26, 39, 160, 240]);
    }
}
