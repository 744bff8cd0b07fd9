use std::sync::atomic::{AtomicU8, Ordering};

use game::Key;

/// How many threads are below a position: where some are, others look less promising to the rest, so
/// that threads spread over the tree.
#[derive(Debug)]
pub(crate) struct Crowd {
    places: Box<[AtomicU8]>,
}

/// They stay near the processor; positions that share a place are a bit less promising than they should.
const PLACES: usize = 1 << 16;

impl Crowd {
    pub(crate) fn new() -> Crowd {
        Crowd { places: std::iter::repeat_with(AtomicU8::default).take(PLACES).collect() }
    }

    fn place(&self, key: Key) -> &AtomicU8 {
        &self.places[key.0 as usize % PLACES]
    }

    /// A thread has come.
    pub(crate) fn join(&self, key: Key) {
        self.place(key).fetch_add(1, Ordering::Relaxed);
    }

    /// It has left.
    pub(crate) fn leave(&self, key: Key) {
        self.place(key).fetch_sub(1, Ordering::Relaxed);
    }

    /// A number of a position, raised for each thread that is there.
    #[inline]
    pub(crate) fn weighed(&self, key: Key, number: u32) -> u32 {
        let threads = u32::from(self.place(key).load(Ordering::Relaxed));
        number + (number / 2 + 1) * threads
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn where_threads_are_there_is_more_to_do() {
        let crowd = Crowd::new();
        assert_eq!(crowd.weighed(Key(5), 10), 10);
        crowd.join(Key(5));
        crowd.join(Key(5));
        assert_eq!((crowd.weighed(Key(5), 10), crowd.weighed(Key(6), 10)), (22, 10));
        crowd.leave(Key(5));
        crowd.leave(Key(5));
        assert_eq!(crowd.weighed(Key(5), 10), 10);
    }
}
