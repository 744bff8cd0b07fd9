use std::ops::{Index, IndexMut, Not};

/// One of the two players, named by who begins.
///
/// ```
/// # use game::Side;
/// assert_eq!(!Side::First, Side::Second);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum Side {
    /// The player who begins: Gold in Arimaa, White in Tzaar.
    First,
    /// The other one: Silver in Arimaa, Black in Tzaar.
    Second,
}

impl Side {
    /// Both sides, in the order of play.
    pub const ALL: [Side; 2] = [Side::First, Side::Second];
}

impl Not for Side {
    type Output = Side;

    fn not(self) -> Side {
        match self {
            Side::First => Side::Second,
            Side::Second => Side::First,
        }
    }
}

/// A value for each side.
///
/// ```
/// # use game::{BySide, Side};
/// let mut wins = BySide { first: 0, second: 0 };
/// wins[Side::Second] += 1;
/// assert_eq!(wins, BySide { first: 0, second: 1 });
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct BySide<T> {
    /// The first side's.
    pub first: T,
    /// The second side's.
    pub second: T,
}

impl<T> Index<Side> for BySide<T> {
    type Output = T;

    fn index(&self, side: Side) -> &T {
        match side {
            Side::First => &self.first,
            Side::Second => &self.second,
        }
    }
}

impl<T> IndexMut<Side> for BySide<T> {
    fn index_mut(&mut self, side: Side) -> &mut T {
        match side {
            Side::First => &mut self.first,
            Side::Second => &mut self.second,
        }
    }
}
