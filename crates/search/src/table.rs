use std::marker::PhantomData;
use std::sync::atomic::{AtomicU64, Ordering};

use game::{Key, PackedStep};

use crate::pages::in_large_pages;
use crate::value::{VALUE_BITS, Value};

/// What a value in the table says of the true one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Bound {
    /// The true value is not above.
    Upper,
    /// The true value is not below.
    Lower,
    /// It is the true value.
    Exact,
}

/// What is known of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Entry<Step> {
    pub(crate) value: Value,
    pub(crate) bound: Bound,
    pub(crate) depth: u8,
    pub(crate) step: Option<Step>,
    /// How many nodes it took, as [`Effort`].
    pub(crate) effort: Effort,
}

/// A number of nodes, roughly: four times its binary logarithm.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Effort(pub(crate) u8);

impl Effort {
    pub(crate) fn of(nodes: u64) -> Effort {
        let nodes = nodes.clamp(4, 1 << 60);
        let log = nodes.ilog2();
        Effort((4 * log + (nodes >> (log - 2) & 3) as u32) as u8)
    }
}

/// What is worth keeping.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Worth {
    /// What was searched deepest.
    #[default]
    Deepest,
    /// What took the most nodes: the replacement scheme "two big" (Veselý 2013, 2.1.5), with as many
    /// positions in a bucket as there are.
    Biggest,
}

/// Positions and what is known of them, shared by the threads of a search.
///
/// An entry is two words: the packed content, and the key mixed with it. A reader that meets the halves
/// of two writers sees a key that does not fit, and takes it for no entry: no lock is needed.
pub struct Table<Step> {
    buckets: Box<[Bucket]>,
    age: u8,
    pub(crate) worth: Worth,
    steps: PhantomData<Step>,
}

const WAYS: usize = 4;

#[derive(Default)]
#[repr(align(64))]
struct Bucket([[AtomicU64; 2]; WAYS]);

const _: () = assert!(size_of::<Bucket>() == 64);

// The bits of the content: value 0–23, step 24–39, depth 40–47, bound 48–49, age 50–55, effort
// 56–63.
const STEP: u32 = VALUE_BITS;
const DEPTH: u32 = STEP + 16;
const BOUND: u32 = DEPTH + 8;
const AGE: u32 = BOUND + 2;
const AGES: u8 = 1 << 6;
const EFFORT: u32 = AGE + 6;

const _: () = assert!(EFFORT + 8 <= u64::BITS);

impl<Step: PackedStep> Table<Step> {
    /// A table of that many MiB, or of one bucket if that is nothing.
    pub fn new(mebibytes: usize) -> Table<Step> {
        let buckets = ((mebibytes << 20) / size_of::<Bucket>()).max(1);
        Table {
            buckets: in_large_pages(buckets),
            age: 0,
            worth: Worth::default(),
            steps: PhantomData,
        }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        for bucket in &mut self.buckets {
            *bucket = Bucket::default();
        }
        self.age = 0;
    }

    /// Tells that a new search begins: what older ones have left may go first.
    pub fn grow_older(&mut self) {
        self.age = (self.age + 1) % AGES;
    }

    #[inline]
    fn bucket(&self, key: Key) -> &Bucket {
        // The high bits of the product spread over all buckets, whatever their number.
        let index = (key.0 as u128 * self.buckets.len() as u128) >> 64;
        &self.buckets[index as usize]
    }

    /// Brings the bucket of a key near.
    #[inline]
    pub(crate) fn prefetch(&self, key: Key) {
        #[cfg(target_arch = "x86_64")]
        {
            use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            let bucket: *const Bucket = self.bucket(key);
            // SAFETY: a prefetch reads nothing, and any address will do.
            unsafe { _mm_prefetch::<_MM_HINT_T0>(bucket.cast()) };
        }
        #[cfg(not(target_arch = "x86_64"))]
        let _ = key;
    }

    /// What is known of the position with that key.
    #[inline]
    pub(crate) fn get(&self, key: Key) -> Option<Entry<Step>> {
        let content = self.bucket(key).0.iter().find_map(|[mixed, content]| {
            let content = content.load(Ordering::Relaxed);
            (mixed.load(Ordering::Relaxed) == key.0 ^ content && content != 0).then_some(content)
        })?;
        Some(Entry {
            value: Value::from_bits(content),
            bound: match content >> BOUND & 3 {
                1 => Bound::Upper,
                2 => Bound::Lower,
                _ => Bound::Exact,
            },
            depth: (content >> DEPTH) as u8,
            step: Step::unpack((content >> STEP) as u16),
            effort: Effort((content >> EFFORT) as u8),
        })
    }

    /// Keeps what is known of a position: in the place of what was known of it, else of what is worth
    /// least, being old or quickly found again.
    #[inline]
    pub(crate) fn put(&self, key: Key, entry: Entry<Step>) {
        let bucket = &self.bucket(key).0;
        let mut victim = &bucket[0];
        let mut least = i32::MAX;
        let mut step = entry.step.map_or(0, Step::pack);
        for way in bucket {
            let content = way[1].load(Ordering::Relaxed);
            if way[0].load(Ordering::Relaxed) == key.0 ^ content && content != 0 {
                if step == 0 {
                    step = (content >> STEP) as u16;
                }
                victim = way;
                break;
            }
            let worth = self.worth(content);
            if worth < least {
                (victim, least) = (way, worth);
            }
        }
        let bound = match entry.bound {
            Bound::Upper => 1,
            Bound::Lower => 2,
            Bound::Exact => 3,
        };
        let content = entry.value.bits()
            | u64::from(step) << STEP
            | u64::from(entry.depth) << DEPTH
            | bound << BOUND
            | u64::from(self.age) << AGE
            | u64::from(entry.effort.0) << EFFORT;
        victim[1].store(content, Ordering::Relaxed);
        victim[0].store(key.0 ^ content, Ordering::Relaxed);
    }

    /// How much a content is worth keeping: less for each search since.
    fn worth(&self, content: u64) -> i32 {
        if content == 0 {
            return i32::MIN;
        }
        let searches_since = (self.age + AGES - (content >> AGE) as u8 % AGES) % AGES;
        let (worth, wear) = match self.worth {
            Worth::Deepest => ((content >> DEPTH) as u8, 8),
            Worth::Biggest => ((content >> EFFORT) as u8, 64),
        };
        i32::from(worth) - wear * i32::from(searches_since)
    }
}

impl<Step> std::fmt::Debug for Table<Step> {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        f.debug_struct("Table").field("buckets", &self.buckets.len()).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use game::{KeyGenerator, Score};

    use super::*;

    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    struct Number(u8);

    impl PackedStep for Number {
        fn pack(self) -> u16 {
            u16::from(self.0) + 1
        }

        fn unpack(bits: u16) -> Option<Number> {
            bits.checked_sub(1).map(|bits| Number(bits as u8))
        }
    }

    fn entry(depth: u8, score: i32) -> Entry<Number> {
        let step = Some(Number(depth));
        let effort = Effort::of(u64::from(100 - depth));
        Entry { value: Value::from(Score(score)), bound: Bound::Exact, depth, step, effort }
    }

    #[test]
    fn what_was_put_is_found() {
        let table = Table::<Number>::new(1);
        let mut keys = KeyGenerator::new(1);
        let keys: Vec<Key> = (0..1000).map(|_| keys.next_key()).collect();
        for (index, &key) in keys.iter().enumerate() {
            table.put(key, entry((index % 50) as u8, index as i32 - 500));
        }
        for (index, &key) in keys.iter().enumerate() {
            assert_eq!(table.get(key), Some(entry((index % 50) as u8, index as i32 - 500)));
        }
        assert_eq!(table.get(Key(12345)), None);
    }

    #[test]
    fn deep_entries_outlive_shallow_ones_until_they_are_old() {
        let mut table = Table::<Number>::new(0);
        table.put(Key(1), entry(20, 0));
        for key in 2..100 {
            table.put(Key(key), entry(3, 0));
        }
        assert!(table.get(Key(1)).is_some());
        for _ in 0..3 {
            table.grow_older();
        }
        for key in 200..204 {
            table.put(Key(key), entry(3, 0));
        }
        assert!(table.get(Key(1)).is_none());
    }

    #[test]
    fn what_took_the_most_nodes_is_kept_if_asked_for() {
        let mut table = Table::<Number>::new(0);
        table.worth = Worth::Biggest;
        // In this test, what is less deep took more nodes.
        table.put(Key(1), entry(3, 0));
        for key in 2..100 {
            table.put(Key(key), entry(90, 0));
        }
        assert!(table.get(Key(1)).is_some());
    }

    #[test]
    fn efforts_are_in_order() {
        let efforts = [0, 5, 7, 8, 100, 1000, 1 << 40, u64::MAX].map(|nodes| Effort::of(nodes).0);
        assert_eq!(efforts, [8, 9, 11, 12, 26, 39, 160, 240]);
    }

    #[test]
    fn a_position_without_a_step_keeps_the_one_it_had() {
        let table = Table::<Number>::new(0);
        table.put(Key(5), entry(4, 1));
        table.put(Key(5), Entry { step: None, ..entry(5, 2) });
        assert_eq!(table.get(Key(5)), Some(Entry { step: Some(Number(4)), ..entry(5, 2) }));
    }
}
