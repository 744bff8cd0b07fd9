//! The two players of Tzaar, as names for [`game::Side`].

pub use game::Side;

/// The side that begins, with a turn of one move.
pub const WHITE: Side = Side::First;

/// The other side.
pub const BLACK: Side = Side::Second;

/// The letter of notation: `w` or `b`.
pub const fn letter(side: Side) -> char {
    match side {
        WHITE => 'w',
        BLACK => 'b',
    }
}

/// The side that a letter of notation names.
pub const fn from_letter(letter: char) -> Option<Side> {
    match letter {
        'w' => Some(WHITE),
        'b' => Some(BLACK),
        _ => None,
    }
}

/// `White` or `Black`.
pub const fn name(side: Side) -> &'static str {
    match side {
        WHITE => "White",
        BLACK => "Black",
    }
}
