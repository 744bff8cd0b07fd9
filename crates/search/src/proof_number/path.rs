use game::{History, Key};

/// The turns that led to a position: the game's past, which no search can change, and the way from the
/// root.
///
/// A turn may not bring about a position for the third time. A proof in which every turn of the loser is
/// answered holds on every path: who follows it never comes to a position twice, and where a path has
/// come to one of its positions before, the winner could have begun to follow it there. Only what the
/// past has seen twice is closed to the winner, and that is the same for the whole search. A proof that
/// leaves out a turn of the loser because of the path holds for the positions of that path alone
/// (Kishimoto and Müller, *A general solution to the graph history interaction problem*, 2004).
pub(crate) struct Path<'a> {
    past: &'a History,
    /// The root, where the past does not count it although it is on the board.
    root: Option<Key>,
    /// The positions at the starts of turns since the root: their keys, and what repetition counts them
    /// by.
    positions: Vec<(Key, Key)>,
    /// A sum over them, in whatever order they came.
    sum: u64,
    /// What tells different roots and pasts apart.
    before: u64,
    /// What tells different sets of closed positions apart; 0 if there are none.
    closed: u64,
}

/// Whether a turn may bring about a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Repetition {
    /// It may.
    Free,
    /// The game's past forbids it, on every path.
    ByPast,
    /// Together with the way from the root.
    ByPath,
}

impl<'a> Path<'a> {
    /// The beginning of a way from a root; `start` is what repetition counts the root by, if a turn starts
    /// there.
    pub(crate) fn new(past: &'a History, start: Option<Key>) -> Path<'a> {
        let root = start.filter(|&key| past.count(key) == 0);
        let once = root.map_or(0, |key| spread(key.0));
        let before = past.iter().fold(once, |sum, (key, count)| {
            sum.wrapping_add(spread(key.0).wrapping_mul(u64::from(count)))
        });
        let closed = past.iter().filter(|&(_, count)| count >= 2);
        let closed = closed.fold(0, |sum: u64, (key, _)| sum.wrapping_add(spread(!key.0)));
        Path { past, root, positions: Vec::new(), sum: 0, before: spread(!before), closed }
    }

    /// Whether a turn may end with the position that repetition counts by this key.
    #[inline]
    pub(crate) fn repetition(&self, key: Key) -> Repetition {
        let before = self.past.count(key) + u32::from(self.root == Some(key));
        if before >= 2 {
            return Repetition::ByPast;
        }
        let since = self.positions.iter().filter(|(_, other)| *other == key).count() as u32;
        if before + since >= 2 { Repetition::ByPath } else { Repetition::Free }
    }

    /// A turn has ended with the position of this key, which repetition counts by the other.
    #[inline]
    pub(crate) fn push(&mut self, key: Key, repetition: Key) {
        self.positions.push((key, repetition));
        self.sum = self.sum.wrapping_add(spread(key.0));
    }

    /// Takes back the last turn.
    #[inline]
    pub(crate) fn pop(&mut self) {
        if let Some((key, _)) = self.positions.pop() {
            self.sum = self.sum.wrapping_sub(spread(key.0));
        }
    }

    /// Back to the root.
    pub(crate) fn clear(&mut self) {
        self.positions.clear();
        self.sum = 0;
    }

    /// What tells this task from others: the past, and the root.
    pub(crate) fn before(&self) -> u64 {
        self.before
    }

    /// The positions since the root as one number, to be handed to [`Path::on_this_path`].
    #[inline]
    pub(crate) fn sum(&self) -> u64 {
        self.sum
    }

    /// [`Path::sum`] after a turn that ends with this position.
    #[inline]
    pub(crate) fn sum_with(&self, key: Key) -> u64 {
        self.sum.wrapping_add(spread(key.0))
    }

    /// [`Path::sum`] of any positions.
    pub(crate) fn sum_of(keys: impl Iterator<Item = Key>) -> u64 {
        keys.fold(0, |sum, key| sum.wrapping_add(spread(key.0)))
    }

    /// The key under which to know of a position what holds on every path.
    #[inline]
    pub(crate) fn on_every_path(&self, key: Key) -> Key {
        Key(key.0 ^ self.closed)
    }

    /// The key under which to know of a position what holds on a path with these positions.
    #[inline]
    pub(crate) fn on_this_path(&self, key: Key, sum: u64) -> Key {
        Key(key.0 ^ spread(sum ^ self.before))
    }
}

/// Another number for each number, far from it: keys that are added must not cancel.
#[inline]
fn spread(key: u64) -> u64 {
    let mut z = key.wrapping_add(0x9E37_79B9_7F4A_7C15);
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_third_time_is_forbidden_and_who_forbids_it_is_told() {
        let mut past = History::new();
        for key in [1, 2, 2] {
            past.push(Key(key));
        }
        let mut path = Path::new(&past, Some(Key(9)));
        assert_eq!(path.repetition(Key(2)), Repetition::ByPast);
        assert_eq!(path.repetition(Key(1)), Repetition::Free);
        path.push(Key(1), Key(1));
        assert_eq!(path.repetition(Key(1)), Repetition::ByPath);
        // The root is on the board, even if nobody has counted it.
        path.push(Key(9), Key(9));
        assert_eq!(path.repetition(Key(9)), Repetition::ByPath);
        path.pop();
        assert_eq!(path.repetition(Key(9)), Repetition::Free);
    }

    #[test]
    fn what_holds_on_a_path_is_known_in_whatever_order_it_came() {
        let past = History::new();
        let mut path = Path::new(&past, None);
        path.push(Key(1), Key(1));
        path.push(Key(2), Key(2));
        let one = path.on_this_path(Key(3), path.sum());
        path.clear();
        path.push(Key(2), Key(2));
        assert_ne!(one, path.on_this_path(Key(3), path.sum()));
        path.push(Key(1), Key(1));
        assert_eq!(one, path.on_this_path(Key(3), path.sum()));
    }
}
