//! The transposition tables of proof-number search, and the path to a position: graph history
//! interaction.

use std::io::{self, Read, Write};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use game::{History, Key, KeyGenerator};

use super::numbers::{Decided, ProofNumbers};
use super::{ProofParameters, ReplacementScheme};
use crate::hash_table::{HashTable, Slot, SubtreeSize, TableEntry, WAYS};

/// The two transposition tables. One keeps the proof numbers of positions that are not decided. The other
/// keeps who wins the decided ones: on every path, or on the one path that the proof was found on.
#[derive(Debug)]
pub(crate) struct Tables {
    numbers: HashTable<CostedEntry<ProofNumbers>, Replacement>,
    proofs: HashTable<CostedEntry<Decided>, Replacement>,
    /// Whether any stored proof is path-dependent. As a rule there is none, and none need be looked for.
    any_path_dependent: AtomicBool,
}

impl Tables {
    pub(crate) fn new(parameters: &ProofParameters) -> Tables {
        let replacement = || Replacement::new(Scheme::new(parameters));
        let (numbers, proofs) = match parameters.table_bits {
            0 => (
                HashTable::new(parameters.number_table as usize, replacement()),
                HashTable::new(parameters.proof_table as usize, replacement()),
            ),
            bits => {
                let quarter = ((1 << bits) / WAYS / 4).max(1);
                (
                    HashTable::with_buckets(3 * quarter, replacement()),
                    HashTable::with_buckets(quarter, replacement()),
                )
            }
        };
        Tables { numbers, proofs, any_path_dependent: AtomicBool::new(false) }
    }

    /// How much memory they take with `table_bits`.
    pub(crate) fn bytes_of_bits(bits: i32) -> usize {
        size_of::<Slot>() << bits.clamp(0, 30)
    }

    /// Goes on with the replacement scheme of other parameters.
    pub(crate) fn set_scheme(&mut self, parameters: &ProofParameters) {
        let scheme = Scheme::new(parameters);
        self.numbers.replacement.scheme = scheme;
        self.proofs.replacement.scheme = scheme;
    }

    /// How much memory they take.
    pub(crate) fn bytes(&self) -> usize {
        self.numbers.bytes() + self.proofs.bytes()
    }

    /// Forgets everything.
    pub(crate) fn clear(&mut self) {
        self.numbers.clear();
        self.proofs.clear();
        *self.any_path_dependent.get_mut() = false;
    }

    /// Loads what is known about a position into the cache.
    #[inline]
    pub(crate) fn prefetch(&self, path: &Path, key: Key) {
        self.proofs.prefetch(path.on_every_path(key));
        self.numbers.prefetch(key);
    }

    /// Who wins a position on a path with that sum, if it was proved.
    #[inline]
    pub(crate) fn decided(&self, path: &Path, key: Key, sum: u64) -> Option<Decided> {
        if let Some(entry) = self.proofs.probe(path.on_every_path(key)) {
            return Some(entry.known);
        }
        if !self.any_path_dependent.load(Ordering::Relaxed) {
            return None;
        }
        let entry = self.proofs.probe(path.on_this_path(key, sum))?;
        Some(Decided { path_dependent: true, ..entry.known })
    }

    /// Keeps who wins a position, and returns the best proof that is known: one that holds on every path
    /// is better than a path-dependent one, and a short one better than a long one.
    pub(crate) fn decide(
        &self,
        path: &Path,
        key: Key,
        sum: u64,
        decided: Decided,
        cost: SubtreeCost,
    ) -> Decided {
        if let Some(known) = self.decided(path, key, sum)
            && !decided.beats(&known)
        {
            return known;
        }
        let under = if decided.path_dependent {
            self.any_path_dependent.store(true, Ordering::Relaxed);
            path.on_this_path(key, sum)
        } else {
            path.on_every_path(key)
        };
        self.proofs.store_costed(under, decided, cost);
        decided
    }

    /// The proof numbers of a position that was searched before.
    #[inline]
    pub(crate) fn numbers(&self, key: Key) -> Option<ProofNumbers> {
        self.numbers.probe(key).map(|entry| entry.known)
    }

    /// Keeps the proof numbers of a position.
    #[inline]
    pub(crate) fn store_numbers(&self, key: Key, numbers: ProofNumbers, cost: SubtreeCost) {
        self.numbers.store_costed(key, numbers, cost);
    }

    /// Writes everything out.
    pub(crate) fn save(&self, out: &mut impl Write) -> io::Result<()> {
        out.write_all(&[u8::from(self.any_path_dependent.load(Ordering::Relaxed))])?;
        self.numbers.save(out, Key::ZERO)?;
        self.proofs.save(out, Key::ZERO)
    }

    /// Reads what [`Tables::save`] has written, in the place of what was known.
    pub(crate) fn load(&mut self, input: &mut impl Read) -> io::Result<()> {
        self.clear();
        let mut any_path_dependent = [0];
        input.read_exact(&mut any_path_dependent)?;
        *self.any_path_dependent.get_mut() = any_path_dependent[0] != 0;
        self.numbers.load(input, Key::ZERO)?;
        self.proofs.load(input, Key::ZERO)
    }
}

/// What fits 48 bits of an entry.
pub(crate) trait Packed48: Sized {
    /// Its bits, never zero.
    fn bits(&self) -> u64;
    /// What has these bits, if they are valid.
    fn from_bits(bits: u64) -> Option<Self>;
}

/// What is known about a position, and how much that is worth to a replacement scheme.
///
/// The bits of its content: what is known 0–47, the worth 48–55.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct CostedEntry<T> {
    known: T,
    worth: u8,
}

const WORTH: u32 = 48;
const KNOWN: u64 = (1 << WORTH) - 1;

/// What it took to find an entry out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct SubtreeCost {
    pub(crate) nodes: u64,
    /// The most vertices on a way through the subtree.
    pub(crate) height: u8,
}

/// Which entry of a full bucket gives way to a new one (Majerech 2012, 4.2.1).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Scheme {
    /// The oldest, once it is no longer protected.
    Newer {
        /// How long an entry is protected, in quarters of what the table holds.
        ageing: u8,
    },
    /// None: the old entries stay.
    Older,
    /// The one that was searched less deep.
    Deeper,
    /// The one that took fewer nodes.
    Greater,
    /// On a first level the one that took fewer nodes; it then replaces an entry of the second level.
    TwoLevel,
}

impl Scheme {
    fn new(parameters: &ProofParameters) -> Scheme {
        match parameters.replacement {
            ReplacementScheme::Oldest => Scheme::Newer { ageing: parameters.ageing as u8 },
            ReplacementScheme::None => Scheme::Older,
            ReplacementScheme::Depth => Scheme::Deeper,
            ReplacementScheme::Subtree => Scheme::Greater,
            ReplacementScheme::TwoLevels => Scheme::TwoLevel,
        }
    }
}

/// A replacement scheme and the age of a table.
#[derive(Debug)]
pub(crate) struct Replacement {
    scheme: Scheme,
    /// How many entries were stored, for their age.
    clock: AtomicU64,
}

impl Replacement {
    fn new(scheme: Scheme) -> Replacement {
        Replacement { scheme, clock: AtomicU64::new(0) }
    }

    /// How much an entry of that cost is worth, in a table with so many buckets.
    #[inline]
    fn worth(&self, cost: SubtreeCost, buckets: usize) -> u8 {
        match self.scheme {
            Scheme::Newer { .. } => {
                let now = self.clock.fetch_add(1, Ordering::Relaxed);
                (now / buckets.max(1) as u64) as u8
            }
            Scheme::Older => 0,
            Scheme::Deeper => cost.height,
            Scheme::Greater | Scheme::TwoLevel => SubtreeSize::of(cost.nodes).0,
        }
    }

    /// The entry of a full bucket that gives way to one of that worth, if any does.
    fn victim<'a>(&self, bucket: &'a [Slot; WAYS], new: u8) -> Option<&'a Slot> {
        let worth = |slot: &Slot| (slot.content() >> WORTH) as u8;
        match self.scheme {
            Scheme::Older => None,
            Scheme::Newer { ageing } => {
                let age = |slot: &Slot| new.wrapping_sub(worth(slot));
                bucket.iter().max_by_key(|slot| age(slot)).filter(|slot| age(slot) >= ageing)
            }
            Scheme::Deeper | Scheme::Greater => {
                bucket.iter().min_by_key(|slot| worth(slot)).filter(|slot| worth(slot) <= new)
            }
            Scheme::TwoLevel => {
                let (first, second) = bucket.split_at(WAYS / 2);
                let lower = second.iter().min_by_key(|slot| worth(slot))?;
                let Some(upper) = first.iter().min_by_key(|slot| worth(slot)) else {
                    return Some(lower);
                };
                if worth(upper) > new {
                    return Some(lower);
                }
                lower.write(upper.key(), upper.content());
                Some(upper)
            }
        }
    }
}

impl<T: Packed48> TableEntry for CostedEntry<T> {
    type Replacement = Replacement;

    #[inline]
    fn pack(&self) -> u64 {
        self.known.bits() & KNOWN | u64::from(self.worth) << WORTH
    }

    #[inline]
    fn unpack(content: u64) -> Option<CostedEntry<T>> {
        if content >> (WORTH + 8) != 0 {
            return None;
        }
        let known = T::from_bits(content & KNOWN)?;
        Some(CostedEntry { known, worth: (content >> WORTH) as u8 })
    }

    /// The entry of the same position gives way, else an empty slot is used, else the scheme decides.
    #[inline]
    fn replace(bucket: &[Slot; WAYS], key: Key, content: u64, replacement: &Replacement) {
        let same = bucket.iter().find(|slot| slot.content_of(key).is_some());
        let free = || bucket.iter().find(|slot| slot.content() == 0);
        let victim = || replacement.victim(bucket, (content >> WORTH) as u8);
        if let Some(slot) = same.or_else(free).or_else(victim) {
            slot.write(key, content);
        }
    }
}

impl<T: Packed48> HashTable<CostedEntry<T>, Replacement> {
    #[inline]
    fn store_costed(&self, key: Key, known: T, cost: SubtreeCost) {
        let worth = self.replacement.worth(cost, self.buckets());
        self.store(key, &CostedEntry { known, worth });
    }
}

/// The turns that led to a position: the game's past, which no search can change, and the way from the
/// root.
///
/// A turn may not bring about a position for the third time, so a position may be won on one path and
/// not on another: graph history interaction (Kishimoto and Müller 2004). Two kinds of proofs are told
/// apart:
///
/// - A proof that answers every turn of the loser holds on every path. The winner who follows it never
///   comes to a position twice. Where the path has been at one of its positions before, the winner could
///   have begun to follow it there. Only what the past has seen twice is closed to the winner, and that
///   is the same for the whole search.
/// - A proof that leaves out a turn of the loser because of the path is path-dependent. It holds for the
///   positions of that path alone.
pub(crate) struct Path<'a> {
    past: &'a History,
    /// The root, where the past does not count it although it is on the board.
    root: Option<Key>,
    /// The positions at the starts of turns since the root: their keys and their repetition keys.
    positions: Vec<(Key, Key)>,
    /// A sum over them, the same in any order.
    sum: u64,
    /// What tells different roots and pasts apart.
    before: u64,
    /// What tells different sets of closed positions apart; 0 if there are none.
    closed: u64,
}

/// Whether a turn may bring about a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum RepetitionCheck {
    /// It may.
    Allowed,
    /// The game's past forbids it, on every path.
    ForbiddenByPast,
    /// The past together with the way from the root forbids it.
    ForbiddenByPath,
}

impl<'a> Path<'a> {
    /// The beginning of a way from a root. `start` is the repetition key of the root, if a turn starts
    /// there.
    pub(crate) fn new(past: &'a History, start: Option<Key>) -> Path<'a> {
        let root = start.filter(|&key| past.count(key) == 0);
        let once = root.map_or(0, |key| mix(key.0));
        let before = past.iter().fold(once, |sum, (key, count)| {
            sum.wrapping_add(mix(key.0).wrapping_mul(u64::from(count)))
        });
        let closed = past.iter().filter(|&(_, count)| count >= 2);
        let closed = closed.fold(0, |sum: u64, (key, _)| sum.wrapping_add(mix(!key.0)));
        Path { past, root, positions: Vec::new(), sum: 0, before: mix(!before), closed }
    }

    /// Whether a turn may end with the position of this repetition key.
    #[inline]
    pub(crate) fn repetition(&self, key: Key) -> RepetitionCheck {
        let before = self.past.count(key) + u32::from(self.root == Some(key));
        if before >= 2 {
            return RepetitionCheck::ForbiddenByPast;
        }
        let since = self.positions.iter().filter(|(_, other)| *other == key).count() as u32;
        match before + since >= 2 {
            true => RepetitionCheck::ForbiddenByPath,
            false => RepetitionCheck::Allowed,
        }
    }

    /// Adds the end of a turn: the key of the position, and its repetition key.
    #[inline]
    pub(crate) fn push(&mut self, key: Key, repetition: Key) {
        self.positions.push((key, repetition));
        self.sum = self.sum.wrapping_add(mix(key.0));
    }

    /// Takes back the last turn.
    #[inline]
    pub(crate) fn pop(&mut self) {
        if let Some((key, _)) = self.positions.pop() {
            self.sum = self.sum.wrapping_sub(mix(key.0));
        }
    }

    /// What tells this task from others: the past, and the root.
    pub(crate) fn before(&self) -> u64 {
        self.before
    }

    /// The positions since the root as one number, for [`Path::on_this_path`].
    #[inline]
    pub(crate) fn sum(&self) -> u64 {
        self.sum
    }

    /// [`Path::sum`] after a turn that ends with this position.
    #[inline]
    pub(crate) fn sum_with(&self, key: Key) -> u64 {
        self.sum.wrapping_add(mix(key.0))
    }

    /// [`Path::sum`] of any positions.
    pub(crate) fn sum_of(keys: impl Iterator<Item = Key>) -> u64 {
        keys.fold(0, |sum, key| sum.wrapping_add(mix(key.0)))
    }

    /// The key for what holds of a position on every path.
    #[inline]
    pub(crate) fn on_every_path(&self, key: Key) -> Key {
        Key(key.0 ^ self.closed)
    }

    /// The key for what holds of a position on a path with that sum.
    #[inline]
    pub(crate) fn on_this_path(&self, key: Key, sum: u64) -> Key {
        Key(key.0 ^ mix(sum ^ self.before))
    }
}

/// A key in disguise: keys that are added must not cancel.
#[inline]
fn mix(key: u64) -> u64 {
    KeyGenerator::new(key).next_key().0
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A small number, as something that is known about a position.
    #[derive(Clone, Copy, PartialEq, Debug)]
    struct Number(u64);

    impl Packed48 for Number {
        fn bits(&self) -> u64 {
            self.0
        }

        fn from_bits(bits: u64) -> Option<Number> {
            (1..100).contains(&bits).then_some(Number(bits))
        }
    }

    type Table = HashTable<CostedEntry<Number>, Replacement>;

    /// A table with one bucket.
    fn table(scheme: Scheme) -> Table {
        HashTable::with_buckets(1, Replacement::new(scheme))
    }

    fn store(table: &Table, key: u64, nodes: u64, height: u8) {
        table.store_costed(Key(key), Number(key), SubtreeCost { nodes, height });
    }

    fn kept(table: &Table) -> Vec<u64> {
        let known = |key| table.probe(Key(key)).map(|entry| entry.known);
        (1..100).filter(|&key| known(key) == Some(Number(key))).collect()
    }

    #[test]
    fn the_entry_that_gives_way_is_the_one_of_the_scheme() {
        let full = |scheme| {
            let table = table(scheme);
            for key in 1..=4 {
                store(&table, key, 100 * key, 10 - key as u8);
            }
            store(&table, 5, 250, 7);
            kept(&table)
        };
        assert_eq!(full(Scheme::Older), [1, 2, 3, 4]);
        assert_eq!(full(Scheme::Deeper), [1, 2, 3, 5]);
        assert_eq!(full(Scheme::Greater), [2, 3, 4, 5]);
        // One quarter of this table is one entry.
        assert_eq!(full(Scheme::Newer { ageing: 4 }), [2, 3, 4, 5]);
        assert_eq!(full(Scheme::Newer { ageing: 5 }), [1, 2, 3, 4]);
        // 1 gives way on the first level, and takes the place of the lesser one on the second.
        assert_eq!(full(Scheme::TwoLevel), [1, 2, 4, 5]);
    }

    #[test]
    fn a_new_entry_replaces_the_old_one_of_the_same_position() {
        let table = table(Scheme::Older);
        store(&table, 3, 1000, 1);
        table.store_costed(Key(3), Number(77), SubtreeCost { nodes: 1, height: 1 });
        assert_eq!(table.probe(Key(3)).map(|entry| entry.known), Some(Number(77)));
    }

    #[test]
    fn a_table_of_another_size_can_be_loaded() {
        let small = table(Scheme::Greater);
        (1..=4).for_each(|key| store(&small, key, 10 * key, 1));
        let mut bytes = Vec::new();
        small.save(&mut bytes, Key::ZERO).expect("memory");
        let large = || Table::new(1, Replacement::new(Scheme::Greater));
        let loaded = large();
        loaded.load(&mut bytes.as_slice(), Key::ZERO).expect("what was saved");
        assert_eq!(kept(&loaded), [1, 2, 3, 4]);
        assert!(large().load(&mut &bytes[..bytes.len() - 1], Key::ZERO).is_err());
        // No number is as large as that.
        bytes[16..18].fill(255);
        assert!(large().load(&mut bytes.as_slice(), Key::ZERO).is_err());
    }

    #[test]
    fn the_third_time_is_forbidden_and_who_forbids_it_is_told() {
        let mut past = History::new();
        for key in [1, 2, 2] {
            past.push(Key(key));
        }
        let mut path = Path::new(&past, Some(Key(9)));
        assert_eq!(path.repetition(Key(2)), RepetitionCheck::ForbiddenByPast);
        assert_eq!(path.repetition(Key(1)), RepetitionCheck::Allowed);
        path.push(Key(1), Key(1));
        assert_eq!(path.repetition(Key(1)), RepetitionCheck::ForbiddenByPath);
        // The root is on the board, even if nobody has counted it.
        path.push(Key(9), Key(9));
        assert_eq!(path.repetition(Key(9)), RepetitionCheck::ForbiddenByPath);
        path.pop();
        assert_eq!(path.repetition(Key(9)), RepetitionCheck::Allowed);
    }

    #[test]
    fn a_path_dependent_key_is_the_same_in_any_order_of_turns() {
        let past = History::new();
        let mut path = Path::new(&past, None);
        path.push(Key(1), Key(1));
        path.push(Key(2), Key(2));
        let one = path.on_this_path(Key(3), path.sum());
        path.pop();
        path.pop();
        path.push(Key(2), Key(2));
        assert_ne!(one, path.on_this_path(Key(3), path.sum()));
        path.push(Key(1), Key(1));
        assert_eq!(one, path.on_this_path(Key(3), path.sum()));
    }
}
