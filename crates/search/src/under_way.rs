use std::sync::atomic::{AtomicU64, Ordering};

use game::Key;

/// What the threads of a search are at: a thread that comes to a position which another one is searching
/// turns to the next, and comes back later, when it finds the answer in the table.
///
/// Only a hint: two positions may share a place, and then one of them is searched twice.
#[derive(Debug)]
pub(crate) struct UnderWay {
    places: Box<[AtomicU64]>,
}

/// More than threads have positions with much depth under way.
const PLACES: usize = 1 << 12;

/// Positions with less depth are not worth the bookkeeping.
pub(crate) const LEAST_DEPTH: i32 = 3;

impl UnderWay {
    pub(crate) fn new() -> UnderWay {
        UnderWay { places: std::iter::repeat_with(AtomicU64::default).take(PLACES).collect() }
    }

    /// Whether some thread searches the position to that depth.
    pub(crate) fn has(&self, key: Key, depth: i32) -> bool {
        let mark = mark(key, depth);
        self.place(mark).load(Ordering::Relaxed) == mark
    }

    pub(crate) fn begin(&self, key: Key, depth: i32) {
        let mark = mark(key, depth);
        self.place(mark).store(mark, Ordering::Relaxed);
    }

    pub(crate) fn end(&self, key: Key, depth: i32) {
        let mark = mark(key, depth);
        let place = self.place(mark);
        // It may be another's by now.
        let _ = place.compare_exchange(mark, 0, Ordering::Relaxed, Ordering::Relaxed);
    }

    fn place(&self, mark: u64) -> &AtomicU64 {
        &self.places[mark as usize % PLACES]
    }
}

/// A position searched to different depths is different work.
fn mark(key: Key, depth: i32) -> u64 {
    key.0.wrapping_add((depth as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_position_is_under_way_to_its_depth_until_it_ends() {
        let under_way = UnderWay::new();
        under_way.begin(Key(7), 5);
        assert!(under_way.has(Key(7), 5));
        assert!(!under_way.has(Key(7), 6) && !under_way.has(Key(8), 5));
        // Another in the same place; the end of the first is not its own.
        under_way.begin(Key(7 + PLACES as u64), 5);
        under_way.end(Key(7), 5);
        assert!(under_way.has(Key(7 + PLACES as u64), 5));
        under_way.end(Key(7 + PLACES as u64), 5);
        assert!(!under_way.has(Key(7 + PLACES as u64), 5));
    }
}
