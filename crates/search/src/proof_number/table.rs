use std::io::{self, Read, Write};
use std::sync::atomic::{AtomicU64, Ordering};

use game::Key;

use crate::pages::in_large_pages;
use crate::table::Effort;

/// What makes room for a new entry where a bucket is full (Majerech 2012, 4.2.1).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Replacement {
    /// The oldest, once it is no longer safe.
    Newer {
        /// How long an entry is safe, in quarters of what the table holds.
        ageing: u8,
    },
    /// Nothing: what is there stays.
    Older,
    /// What was searched less deep.
    Deeper,
    /// What took fewer nodes.
    Greater,
    /// On a first level what took fewer nodes, which then replaces something on the second.
    TwoLevel,
}

/// What took an entry to find out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Cost {
    pub(crate) nodes: u64,
    /// The most vertices on a way through the subtree.
    pub(crate) height: u8,
}

/// Positions and 48 bits about each, shared by the threads of a search.
///
/// An entry is two words, the content and the key mixed with it: a reader that meets the halves of two
/// writers sees a key that does not fit, and takes it for no entry. No lock is needed.
pub(crate) struct Table {
    buckets: Box<[Bucket]>,
    pub(crate) replacement: Replacement,
    /// How many entries were put, for their age.
    clock: AtomicU64,
}

const WAYS: usize = 4;

#[derive(Default)]
#[repr(align(64))]
struct Bucket([[AtomicU64; 2]; WAYS]);

const _: () = assert!(size_of::<Bucket>() == 64);

// The bits of a content: what it says 0–47, how much it is worth 48–55.
const WORTH: u32 = 48;
const SAID: u64 = (1 << WORTH) - 1;

impl Table {
    /// A table of that many MiB; with none, it forgets everything.
    pub(crate) fn new(mebibytes: usize) -> Table {
        Table {
            buckets: in_large_pages((mebibytes << 20) / size_of::<Bucket>()),
            replacement: Replacement::Greater,
            clock: AtomicU64::new(0),
        }
    }

    /// How much memory it takes.
    pub(crate) fn bytes(&self) -> usize {
        size_of_val::<[Bucket]>(&self.buckets)
    }

    /// Forgets everything.
    pub(crate) fn clear(&mut self) {
        self.buckets.iter_mut().for_each(|bucket| *bucket = Bucket::default());
    }

    #[inline]
    fn bucket(&self, key: Key) -> Option<&Bucket> {
        // The high bits of the product spread over all buckets, whatever their number.
        let index = (key.0 as u128 * self.buckets.len() as u128) >> 64;
        self.buckets.get(index as usize)
    }

    /// Brings the bucket of a key near.
    #[inline]
    pub(crate) fn prefetch(&self, key: Key) {
        #[cfg(target_arch = "x86_64")]
        if let Some(bucket) = self.bucket(key) {
            use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            let bucket: *const Bucket = bucket;
            // SAFETY: a prefetch reads nothing, and any address will do.
            unsafe { _mm_prefetch::<_MM_HINT_T0>(bucket.cast()) };
        }
        #[cfg(not(target_arch = "x86_64"))]
        let _ = key;
    }

    /// What is said of a position.
    #[inline]
    pub(crate) fn get(&self, key: Key) -> Option<u64> {
        self.bucket(key)?.0.iter().find_map(|way| content_of(way, key)).map(|found| found & SAID)
    }

    /// Says something of a position, never zero: in the place of what was said before, else where there
    /// is room or can be made.
    #[inline]
    pub(crate) fn put(&self, key: Key, said: u64, cost: Cost) {
        let Some(Bucket(ways)) = self.bucket(key) else { return };
        let worth = self.worth(cost);
        let content = said & SAID | u64::from(worth) << WORTH;
        let same = ways.iter().find(|way| content_of(way, key).is_some());
        let free = || ways.iter().find(|way| way[1].load(Ordering::Relaxed) == 0);
        if let Some(way) = same.or_else(free) {
            return write(way, key, content);
        }
        if let Some(way) = self.victim(ways, worth) {
            write(way, key, content);
        }
    }

    /// How much an entry is worth that took so much.
    fn worth(&self, cost: Cost) -> u8 {
        match self.replacement {
            Replacement::Newer { .. } => {
                let now = self.clock.fetch_add(1, Ordering::Relaxed);
                (now / self.buckets.len().max(1) as u64) as u8
            }
            Replacement::Older => 0,
            Replacement::Deeper => cost.height,
            Replacement::Greater | Replacement::TwoLevel => Effort::of(cost.nodes).0,
        }
    }

    /// The entry of a full bucket that makes room for one of that worth, if any does.
    fn victim<'a>(&self, ways: &'a [[AtomicU64; 2]; WAYS], new: u8) -> Option<&'a [AtomicU64; 2]> {
        let worth = |way: &[AtomicU64; 2]| (way[1].load(Ordering::Relaxed) >> WORTH) as u8;
        match self.replacement {
            Replacement::Older => None,
            Replacement::Newer { ageing } => {
                let age = |way: &[AtomicU64; 2]| new.wrapping_sub(worth(way));
                ways.iter().max_by_key(|way| age(way)).filter(|way| age(way) >= ageing)
            }
            Replacement::Deeper | Replacement::Greater => {
                ways.iter().min_by_key(|way| worth(way)).filter(|way| worth(way) <= new)
            }
            Replacement::TwoLevel => {
                let (first, second) = ways.split_at(WAYS / 2);
                let lower = second.iter().min_by_key(|way| worth(way))?;
                let Some(upper) = first.iter().min_by_key(|way| worth(way)) else {
                    return Some(lower);
                };
                if worth(upper) > new {
                    return Some(lower);
                }
                let content = upper[1].load(Ordering::Relaxed);
                let key = Key(upper[0].load(Ordering::Relaxed) ^ content);
                write(lower, key, content);
                Some(upper)
            }
        }
    }

    /// Writes all entries out.
    pub(crate) fn save(&self, out: &mut impl Write) -> io::Result<()> {
        let entries = || {
            let ways = self.buckets.iter().flat_map(|Bucket(ways)| ways);
            ways.map(|[mixed, content]| {
                let content = content.load(Ordering::Relaxed);
                (mixed.load(Ordering::Relaxed) ^ content, content)
            })
        };
        let entries = || entries().filter(|&(_, content)| content != 0);
        out.write_all(&(entries().count() as u64).to_le_bytes())?;
        for (key, content) in entries() {
            out.write_all(&key.to_le_bytes())?;
            out.write_all(&content.to_le_bytes())?;
        }
        Ok(())
    }

    /// Reads what [`Table::save`] has written, perhaps of a table of another size; `is_said` tells
    /// whether something could have been said.
    pub(crate) fn load(
        &mut self,
        input: &mut impl Read,
        is_said: impl Fn(u64) -> bool,
    ) -> io::Result<()> {
        let count = read_u64(input)?;
        for _ in 0..count {
            let (key, content) = (Key(read_u64(input)?), read_u64(input)?);
            if content >> (WORTH + 8) != 0 || !is_said(content & SAID) {
                let message = format!("an entry of a table is damaged: {content:016x}");
                return Err(io::Error::new(io::ErrorKind::InvalidData, message));
            }
            let Some(Bucket(ways)) = self.bucket(key) else { continue };
            let free = ways.iter().find(|way| way[1].load(Ordering::Relaxed) == 0);
            if let Some(way) = free.or_else(|| self.victim(ways, (content >> WORTH) as u8)) {
                write(way, key, content);
            }
        }
        Ok(())
    }
}

#[inline]
fn content_of([mixed, content]: &[AtomicU64; 2], key: Key) -> Option<u64> {
    let content = content.load(Ordering::Relaxed);
    (mixed.load(Ordering::Relaxed) == key.0 ^ content && content != 0).then_some(content)
}

#[inline]
fn write([mixed, place]: &[AtomicU64; 2], key: Key, content: u64) {
    place.store(content, Ordering::Relaxed);
    mixed.store(key.0 ^ content, Ordering::Relaxed);
}

/// Eight bytes, the lowest first.
pub(crate) fn read_u64(input: &mut impl Read) -> io::Result<u64> {
    let mut bytes = [0; 8];
    input.read_exact(&mut bytes)?;
    Ok(u64::from_le_bytes(bytes))
}

impl std::fmt::Debug for Table {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        f.debug_struct("Table").field("buckets", &self.buckets.len()).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A table with one bucket.
    fn table(replacement: Replacement) -> Table {
        let buckets = in_large_pages(1);
        Table { buckets, replacement, clock: AtomicU64::new(0) }
    }

    fn put(table: &Table, key: u64, nodes: u64, height: u8) {
        table.put(Key(key), key, Cost { nodes, height });
    }

    fn kept(table: &Table) -> Vec<u64> {
        (1..100).filter(|&key| table.get(Key(key)) == Some(key)).collect()
    }

    #[test]
    fn what_makes_room_is_what_the_scheme_says() {
        let full = |replacement| {
            let table = table(replacement);
            for key in 1..=4 {
                put(&table, key, 100 * key, 10 - key as u8);
            }
            put(&table, 5, 250, 7);
            kept(&table)
        };
        assert_eq!(full(Replacement::Older), [1, 2, 3, 4]);
        assert_eq!(full(Replacement::Deeper), [1, 2, 3, 5]);
        assert_eq!(full(Replacement::Greater), [2, 3, 4, 5]);
        // One quarter of this table is one entry.
        assert_eq!(full(Replacement::Newer { ageing: 4 }), [2, 3, 4, 5]);
        assert_eq!(full(Replacement::Newer { ageing: 5 }), [1, 2, 3, 4]);
        // 1 gives way on the first level, and takes the place of the lesser one on the second.
        assert_eq!(full(Replacement::TwoLevel), [1, 2, 4, 5]);
    }

    #[test]
    fn what_is_new_of_a_position_replaces_what_was_said() {
        let table = table(Replacement::Older);
        put(&table, 3, 1000, 1);
        table.put(Key(3), 77, Cost { nodes: 1, height: 1 });
        assert_eq!(table.get(Key(3)), Some(77));
    }

    #[test]
    fn a_table_of_another_size_can_be_loaded() {
        let small = table(Replacement::Greater);
        (1..=4).for_each(|key| put(&small, key, 10 * key, 1));
        let mut bytes = Vec::new();
        small.save(&mut bytes).expect("memory");
        let mut large = Table::new(1);
        large.load(&mut bytes.as_slice(), |_| true).expect("what was saved");
        assert_eq!(kept(&large), [1, 2, 3, 4]);
        assert!(Table::new(1).load(&mut &bytes[..bytes.len() - 1], |_| true).is_err());
        assert!(Table::new(1).load(&mut bytes.as_slice(), |said| said < 4).is_err());
    }
}
