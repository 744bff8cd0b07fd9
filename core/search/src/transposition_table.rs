//! The transposition table of alpha-beta: see [`TranspositionTable`].

use game::{Key, PackedStep};

use crate::hash_table::{HashTable, Slot, SubtreeSize, TableEntry, WAYS};
use crate::value::{VALUE_BITS, Value};

/// What a stored value says about the true one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Bound {
    /// The true value is not above it.
    Upper,
    /// The true value is not below it.
    Lower,
    /// It is the true value.
    Exact,
}

/// What alpha-beta knows about a position.
///
/// The bits of its content:
///
/// | bits | |
/// | --- | --- |
/// | 0–23 | the value |
/// | 24–39 | the hash step, 0 for none |
/// | 40–47 | the depth |
/// | 48–49 | the bound: 1 upper, 2 lower, 3 exact |
/// | 50–55 | the age of the table when it was stored |
/// | 56–63 | the size of the subtree |
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct TranspositionEntry<Step> {
    pub(crate) value: Value,
    pub(crate) bound: Bound,
    pub(crate) depth: u8,
    /// The hash step: the best one, as far as the search knows.
    pub(crate) step: Option<Step>,
    /// How many nodes the search of the position took.
    pub(crate) size: SubtreeSize,
}

impl<Step> TranspositionEntry<Step> {
    /// The depth of an entry whose result was proved by other means than the search.
    pub(crate) const VERIFIED: u8 = u8::MAX;

    /// Whether its result was proved by other means.
    #[inline]
    pub(crate) fn is_verified(&self) -> bool {
        self.depth == Self::VERIFIED && self.value.is_result()
    }
}

const STEP: u32 = VALUE_BITS;
const DEPTH: u32 = STEP + 16;
const BOUND: u32 = DEPTH + 8;
const AGE: u32 = BOUND + 2;
const AGES: u8 = 1 << 6;
const SIZE: u32 = AGE + 6;

const STEP_MASK: u64 = (u16::MAX as u64) << STEP;

const _: () = assert!(SIZE + 8 <= u64::BITS);

/// Which entries are kept longest.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Preference {
    /// Those that were searched deepest.
    #[default]
    Depth,
    /// Those that took the most nodes: the replacement scheme "two big" (Veselý 2013, 2.1.5), with a
    /// bucket of four entries.
    Nodes,
}

/// What the choice of a victim depends on.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Ageing {
    /// The number of the search, modulo [`AGES`].
    age: u8,
    preference: Preference,
}

impl Ageing {
    /// How much a content is worth: less for each search since it was stored.
    fn worth(&self, content: u64) -> i32 {
        if content == 0 {
            return i32::MIN;
        }
        let searches_since = (self.age + AGES - (content >> AGE) as u8 % AGES) % AGES;
        let (worth, a_search) = match self.preference {
            Preference::Depth => ((content >> DEPTH) as u8, 8),
            Preference::Nodes => ((content >> SIZE) as u8, 64),
        };
        i32::from(worth) - a_search * i32::from(searches_since)
    }
}

impl<Step: PackedStep> TableEntry for TranspositionEntry<Step> {
    type Replacement = Ageing;

    #[inline]
    fn pack(&self) -> u64 {
        let bound = match self.bound {
            Bound::Upper => 1,
            Bound::Lower => 2,
            Bound::Exact => 3,
        };
        self.value.bits()
            | u64::from(self.step.map_or(0, Step::pack)) << STEP
            | u64::from(self.depth) << DEPTH
            | bound << BOUND
            | u64::from(self.size.0) << SIZE
    }

    #[inline]
    fn unpack(content: u64) -> Option<TranspositionEntry<Step>> {
        Some(TranspositionEntry {
            value: Value::from_bits(content),
            bound: match content >> BOUND & 3 {
                1 => Bound::Upper,
                2 => Bound::Lower,
                _ => Bound::Exact,
            },
            depth: (content >> DEPTH) as u8,
            step: Step::unpack((content >> STEP) as u16),
            size: SubtreeSize((content >> SIZE) as u8),
        })
    }

    /// The entry of the same position gives way, else the one that is worth least. A position without a
    /// hash step keeps the one it had.
    #[inline]
    fn replace(bucket: &[Slot; WAYS], key: Key, mut content: u64, ageing: &Ageing) {
        let mut victim = &bucket[0];
        let mut least = i32::MAX;
        for slot in bucket {
            if let Some(old) = slot.content_of(key) {
                if content & STEP_MASK == 0 {
                    content |= old & STEP_MASK;
                }
                victim = slot;
                break;
            }
            let worth = ageing.worth(slot.content());
            if worth < least {
                (victim, least) = (slot, worth);
            }
        }
        victim.write(key, content | u64::from(ageing.age) << AGE);
    }
}

/// Values, bounds and best steps of positions, shared by the threads of a search.
#[derive(Debug)]
pub struct TranspositionTable<Step>(HashTable<TranspositionEntry<Step>, Ageing>);

impl<Step: PackedStep> TranspositionTable<Step> {
    /// A table of that many MiB, or of one bucket where that is nothing.
    pub fn new(mebibytes: usize) -> TranspositionTable<Step> {
        TranspositionTable(HashTable::at_least_one_bucket(mebibytes, Ageing::default()))
    }

    /// A table of so many entries.
    pub fn with_entries(entries: usize) -> TranspositionTable<Step> {
        TranspositionTable(HashTable::with_buckets((entries / WAYS).max(1), Ageing::default()))
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.0.clear();
        self.0.replacement.age = 0;
    }

    /// Begins a new search: what older ones have stored gives way first.
    pub fn new_search(&mut self) {
        self.0.replacement.age = (self.0.replacement.age + 1) % AGES;
    }

    /// Says which entries are kept longest.
    pub(crate) fn set_preference(&mut self, preference: Preference) {
        self.0.replacement.preference = preference;
    }

    /// Loads the bucket of a key into the cache.
    #[inline]
    pub(crate) fn prefetch(&self, key: Key) {
        self.0.prefetch(key);
    }

    /// What is known about the position with that key.
    #[inline]
    pub(crate) fn probe(&self, key: Key) -> Option<TranspositionEntry<Step>> {
        self.0.probe(key)
    }

    /// Keeps what is known about a position.
    #[inline]
    pub(crate) fn store(&self, key: Key, entry: TranspositionEntry<Step>) {
        self.0.store(key, &entry);
    }

    /// How full it is, in thousandths: `hash_full` of [`engine::Info`].
    pub fn fill(&self) -> u16 {
        self.0.fill()
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

    fn entry(depth: u8, score: i32) -> TranspositionEntry<Number> {
        let step = Some(Number(depth));
        let size = SubtreeSize::of(u64::from(100 - depth));
        let value = Value::from(Score(score));
        TranspositionEntry { value, bound: Bound::Exact, depth, step, size }
    }

    #[test]
    fn what_was_stored_is_found() {
        let table = TranspositionTable::<Number>::new(1);
        let mut keys = KeyGenerator::new(1);
        let keys: Vec<Key> = (0..1000).map(|_| keys.next_key()).collect();
        for (index, &key) in keys.iter().enumerate() {
            table.store(key, entry((index % 50) as u8, index as i32 - 500));
        }
        for (index, &key) in keys.iter().enumerate() {
            assert_eq!(table.probe(key), Some(entry((index % 50) as u8, index as i32 - 500)));
        }
        assert_eq!(table.probe(Key(12345)), None);
    }

    #[test]
    fn deep_entries_outlive_shallow_ones_until_they_are_old() {
        let mut table = TranspositionTable::<Number>::new(0);
        table.store(Key(1), entry(20, 0));
        for key in 2..100 {
            table.store(Key(key), entry(3, 0));
        }
        assert!(table.probe(Key(1)).is_some());
        for _ in 0..3 {
            table.new_search();
        }
        for key in 200..204 {
            table.store(Key(key), entry(3, 0));
        }
        assert!(table.probe(Key(1)).is_none());
    }

    #[test]
    fn what_took_the_most_nodes_is_kept_if_asked_for() {
        let mut table = TranspositionTable::<Number>::new(0);
        table.set_preference(Preference::Nodes);
        // In this test, what is less deep took more nodes.
        table.store(Key(1), entry(3, 0));
        for key in 2..100 {
            table.store(Key(key), entry(90, 0));
        }
        assert!(table.probe(Key(1)).is_some());
    }

    #[test]
    fn a_position_without_a_hash_step_keeps_the_one_it_had() {
        let table = TranspositionTable::<Number>::new(0);
        table.store(Key(5), entry(4, 1));
        table.store(Key(5), TranspositionEntry { step: None, ..entry(5, 2) });
        let merged = TranspositionEntry { step: Some(Number(4)), ..entry(5, 2) };
        assert_eq!(table.probe(Key(5)), Some(merged));
    }
}
