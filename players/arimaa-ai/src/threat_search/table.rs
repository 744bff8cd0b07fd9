use std::io::{self, Read, Write};

use arimaa::Turn;
use game::Key;
use search::hash_table::{HashTable, Slot, TableEntry, WAYS};

/// What threat-space searches know about boards: a winning turn, or that there is none. Threads share it.
#[derive(Debug)]
pub struct ThreatTable {
    table: HashTable<KnownWin, ()>,
    /// Mixed with all keys: another one for each position that is searched.
    salt: Key,
}

impl ThreatTable {
    /// A table of that many MiB.
    pub fn new(mebibytes: usize) -> ThreatTable {
        ThreatTable { table: HashTable::at_least_one_bucket(mebibytes, ()), salt: Key::ZERO }
    }

    /// Forgets everything, and is as new.
    pub fn reset(&mut self) {
        self.table.clear();
        self.salt = Key::ZERO;
    }

    /// Forgets everything, at no cost: with another salt, old entries are not found.
    pub fn clear(&mut self) {
        self.salt = Key(self.salt.0.wrapping_add(0x9E37_79B9_7F4A_7C15));
    }

    /// Writes out what is known.
    pub fn save(&self, out: &mut impl Write) -> io::Result<()> {
        self.table.save(out, self.salt)
    }

    /// Reads what [`ThreatTable::save`] has written.
    pub fn load(&self, input: &mut impl Read) -> io::Result<()> {
        self.table.load(input, self.salt)
    }

    /// The turn that wins, or that there is none, if that is known.
    #[inline]
    pub(super) fn probe(&self, key: Key) -> Option<Option<Turn>> {
        self.table.probe(key ^ self.salt).map(|KnownWin(turn)| turn)
    }

    /// Keeps a turn that wins, or that there is none.
    #[inline]
    pub(super) fn store(&self, key: Key, turn: Option<Turn>) {
        self.table.store(key ^ self.salt, &KnownWin(turn));
    }
}

/// A turn that wins, or that there is none. The content is the bits of the turn.
#[derive(Clone, Copy)]
struct KnownWin(Option<Turn>);

/// No step has these bits.
const NO_WIN: u64 = u64::MAX;

impl TableEntry for KnownWin {
    type Replacement = ();

    #[inline]
    fn pack(&self) -> u64 {
        self.0.map_or(NO_WIN, Turn::bits)
    }

    #[inline]
    fn unpack(content: u64) -> Option<KnownWin> {
        Some(KnownWin((content != NO_WIN).then(|| Turn::from_bits(content))))
    }

    /// The newest entry comes first in its bucket, and the oldest gives way.
    #[inline]
    fn replace(bucket: &[Slot; WAYS], key: Key, content: u64, (): &()) {
        let mut new = (key, content);
        for slot in bucket {
            let old = (slot.key(), slot.content());
            slot.write(new.0, new.1);
            if old.1 == 0 || old.0 == key {
                break;
            }
            new = old;
        }
    }
}

#[cfg(test)]
mod tests {
    use arimaa::{Direction, Square, Step};

    use super::*;

    fn turn() -> Turn {
        Turn::EMPTY.then(Step::single(Square::A1, Direction::North))
    }

    #[test]
    fn the_oldest_entry_of_a_bucket_gives_way() {
        let table = ThreatTable { table: HashTable::at_least_one_bucket(0, ()), salt: Key::ZERO };
        for key in 1..=5 {
            table.store(Key(key), (key == 3).then(turn));
        }
        let known: Vec<_> = (1..=5).map(|key| table.probe(Key(key))).collect();
        assert_eq!(known, [None, Some(None), Some(Some(turn())), Some(None), Some(None)]);
    }

    #[test]
    fn a_cleared_table_knows_nothing_and_what_was_saved_is_loaded() {
        let mut table = ThreatTable::new(1);
        table.clear();
        table.store(Key(7), Some(turn()));
        let mut bytes = Vec::new();
        table.save(&mut bytes).expect("memory");
        table.clear();
        assert_eq!(table.probe(Key(7)), None);
        table.load(&mut bytes.as_slice()).expect("what was saved");
        assert_eq!(table.probe(Key(7)), Some(Some(turn())));
    }
}
