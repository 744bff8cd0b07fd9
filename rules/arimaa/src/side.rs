//! The two players of Arimaa, as names for [`game::Side`].

use crate::{Bitboard, Direction};
pub use game::Side;

/// The side that begins, with the pieces in upper case; its rabbits go north.
pub const GOLD: Side = Side::First;

/// The other side, with the pieces in lower case; its rabbits go south.
pub const SILVER: Side = Side::Second;

/// The letter of notation: `g` or `s`.
pub const fn letter(side: Side) -> char {
    match side {
        GOLD => 'g',
        SILVER => 's',
    }
}

/// The side that a letter of notation names: `g` or the older `w`, `s` or the older `b`.
pub const fn from_letter(letter: char) -> Option<Side> {
    match letter {
        'g' | 'w' => Some(GOLD),
        's' | 'b' => Some(SILVER),
        _ => None,
    }
}

/// `Gold` or `Silver`.
pub const fn name(side: Side) -> &'static str {
    match side {
        GOLD => "Gold",
        SILVER => "Silver",
    }
}

/// The row that the side's rabbits want to reach.
pub const fn goal(side: Side) -> Bitboard {
    match side {
        GOLD => Bitboard::row(7),
        SILVER => Bitboard::row(0),
    }
}

/// The two rows on which the side sets up its pieces.
pub const fn home(side: Side) -> Bitboard {
    match side {
        GOLD => Bitboard(Bitboard::row(0).0 | Bitboard::row(1).0),
        SILVER => Bitboard(Bitboard::row(6).0 | Bitboard::row(7).0),
    }
}

/// The direction that the side's rabbits never take.
#[inline]
pub const fn backward(side: Side) -> Direction {
    match side {
        GOLD => Direction::South,
        SILVER => Direction::North,
    }
}
