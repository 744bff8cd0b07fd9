use rustc_hash::FxHashMap;

use crate::Key;

/// How often each position has come about at the end of a turn.
///
/// ```
/// # use game::{History, Key};
/// let mut history = History::new();
/// history.push(Key(7));
/// history.push(Key(7));
/// assert_eq!(history.count(Key(7)), 2);
/// history.pop(Key(7));
/// assert_eq!(history.count(Key(7)), 1);
/// ```
#[derive(Clone, Debug, Default)]
pub struct History {
    counts: FxHashMap<Key, u32>,
}

impl History {
    /// A history in which nothing has happened.
    pub fn new() -> History {
        History::default()
    }

    /// Counts a position.
    pub fn push(&mut self, key: Key) {
        *self.counts.entry(key).or_default() += 1;
    }

    /// Takes back a [`History::push`] of the same key.
    ///
    /// # Panics
    ///
    /// If the key was not counted.
    pub fn pop(&mut self, key: Key) {
        let count = self.counts.get_mut(&key).expect("only what was pushed is popped");
        *count -= 1;
        if *count == 0 {
            self.counts.remove(&key);
        }
    }

    /// How often the position has been counted.
    pub fn count(&self, key: Key) -> u32 {
        self.counts.get(&key).copied().unwrap_or(0)
    }

    /// Every position that has been counted, with how often, in no order.
    pub fn iter(&self) -> impl Iterator<Item = (Key, u32)> {
        self.counts.iter().map(|(&key, &count)| (key, count))
    }
}
