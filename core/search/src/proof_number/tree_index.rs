//! The index of a tree: which vertex a key belongs to.

use game::Key;

use super::tree::VertexId;
use crate::hash_table::{prefetch, use_large_pages};

/// A hash table with open addressing: the vertices of a tree by the turn that led to them and their key.
///
/// A place holds a vertex and 32 bits of its hash. Whoever looks for a key that is not there reads no vertex, as a rule.
/// The highest bits of these 32 say where the search for it begins, so that an entry can be moved without a look at its
/// vertex.
#[derive(Debug)]
pub(crate) struct TreeIndex {
    places: Vec<Place>,
    /// How many of the 32 bits do not count for the beginning.
    shift: u32,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Place {
    hash: u32,
    id: VertexId,
}

const FREE: Place = Place { hash: 0, id: VertexId::MAX };

impl TreeIndex {
    /// An index for so many vertices at most: a quarter of the places stays free at least.
    pub(crate) fn new(most: usize) -> TreeIndex {
        let count = TreeIndex::count_for(most);
        let mut places = Vec::with_capacity(count);
        use_large_pages(&places);
        places.resize(count, FREE);
        TreeIndex { places, shift: u32::BITS - count.ilog2() }
    }

    /// The number of places of an index for `most` vertices.
    fn count_for(most: usize) -> usize {
        (most / 3 * 4).next_power_of_two().clamp(16, 1 << 31)
    }

    /// The memory of an index for `most` vertices, in bytes.
    pub(crate) fn bytes_for(most: usize) -> usize {
        TreeIndex::count_for(most) * size_of::<Place>()
    }

    pub(crate) fn bytes(&self) -> usize {
        self.places.capacity() * size_of::<Place>()
    }

    pub(crate) fn clear(&mut self) {
        self.places.fill(FREE);
    }

    fn hash(turn: VertexId, key: Key) -> u32 {
        let mixed = key.0 ^ u64::from(turn).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        (mixed ^ mixed >> 32) as u32
    }

    /// Where a search for that hash begins.
    fn home(&self, hash: u32) -> usize {
        (hash >> self.shift) as usize
    }

    fn after(&self, place: usize) -> usize {
        (place + 1) & (self.places.len() - 1)
    }

    /// Loads the place of a key into the processor's cache.
    pub(crate) fn prefetch(&self, turn: VertexId, key: Key) {
        prefetch(&self.places[self.home(TreeIndex::hash(turn, key))]);
    }

    /// The vertex of a key, among those with its hash the one that `is_it`.
    pub(crate) fn find(
        &self,
        turn: VertexId,
        key: Key,
        is_it: impl Fn(VertexId) -> bool,
    ) -> Option<VertexId> {
        let hash = TreeIndex::hash(turn, key);
        let mut at = self.home(hash);
        while self.places[at] != FREE {
            let place = self.places[at];
            if place.hash == hash && is_it(place.id) {
                return Some(place.id);
            }
            at = self.after(at);
        }
        None
    }

    /// Adds a vertex.
    pub(crate) fn add(&mut self, turn: VertexId, key: Key, id: VertexId) {
        let hash = TreeIndex::hash(turn, key);
        let mut at = self.home(hash);
        while self.places[at] != FREE {
            at = self.after(at);
        }
        self.places[at] = Place { hash, id };
    }

    /// Removes a vertex that is there. What was put behind it, because its place was taken, moves up.
    pub(crate) fn remove(&mut self, turn: VertexId, key: Key, id: VertexId) {
        let mut gap = self.home(TreeIndex::hash(turn, key));
        while self.places[gap].id != id {
            gap = self.after(gap);
        }
        let mut at = self.after(gap);
        while self.places[at] != FREE {
            let home = self.home(self.places[at].hash);
            let distance = |from: usize| at.wrapping_sub(from) & (self.places.len() - 1);
            if distance(home) >= distance(gap) {
                self.places[gap] = self.places[at];
                gap = at;
            }
            at = self.after(at);
        }
        self.places[gap] = FREE;
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    #[test]
    fn an_index_finds_what_was_added_and_not_removed() {
        let (mut index, mut twin) = (TreeIndex::new(100), BTreeMap::new());
        let mut random = fastrand::Rng::with_seed(1);
        for id in 0..5000 {
            let key = random.u64(..150);
            // A few hashes for many keys.
            let spread = Key((key % 40) << 60 | (key % 40) << 28 | key << 40);
            match twin.remove(&key) {
                Some((spread, id)) => index.remove(7, spread, id),
                None if twin.len() < 96 => {
                    index.add(7, spread, id);
                    twin.insert(key, (spread, id));
                }
                None => {}
            }
            for key in 0..150 {
                let known = twin.get(&key).copied();
                let (spread, id) = known.unwrap_or((Key(key << 40), VertexId::MAX - 1));
                let found = index.find(7, spread, |found| found == id);
                assert_eq!(found, known.map(|(_, id)| id), "{key}");
            }
        }
        index.clear();
        assert!(index.places.iter().all(|&place| place == FREE));
    }
}
