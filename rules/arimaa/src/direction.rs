/// One of the four ways a piece can go, as Gold sees the board: north is towards row 8.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum Direction {
    /// Towards row 8, where Gold's rabbits want to go.
    North,
    /// Towards column h.
    East,
    /// Towards row 1, where Silver's rabbits want to go.
    South,
    /// Towards column a.
    West,
}

use Direction::{East, North, South, West};

impl Direction {
    /// All four, clockwise.
    pub const ALL: [Direction; 4] = [North, East, South, West];

    /// The way back.
    #[inline]
    pub const fn opposite(self) -> Direction {
        Direction::from_bits(self as u8 ^ 2)
    }

    /// The direction as the other side sees the board: north becomes south.
    #[inline]
    pub const fn mirrored(self) -> Direction {
        match self {
            North => South,
            South => North,
            East | West => self,
        }
    }

    /// The letter of notation: `n`, `e`, `s` or `w`.
    #[inline]
    pub const fn letter(self) -> char {
        match self {
            North => 'n',
            East => 'e',
            South => 's',
            West => 'w',
        }
    }

    /// The direction that a letter of notation names.
    pub const fn from_letter(letter: char) -> Option<Direction> {
        match letter {
            'n' => Some(North),
            'e' => Some(East),
            's' => Some(South),
            'w' => Some(West),
            _ => None,
        }
    }

    /// The direction whose discriminant the two lowest bits hold.
    #[inline]
    pub(crate) const fn from_bits(bits: u8) -> Direction {
        match bits & 3 {
            0 => North,
            1 => East,
            2 => South,
            _ => West,
        }
    }
}
