use std::fmt;

use crate::Side;

/// A type of pieces. A stack has that of the piece on its top.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Kind {
    /// Fifteen of each colour.
    Tott,
    /// Nine of each colour.
    Tzarra,
    /// Six of each colour.
    Tzaar,
}

impl Kind {
    /// All types, the most frequent first.
    pub const ALL: [Kind; 3] = [Kind::Tott, Kind::Tzarra, Kind::Tzaar];

    /// How many pieces of this type a side has at the start.
    pub const fn initial(self) -> u8 {
        match self {
            Kind::Tott => 15,
            Kind::Tzarra => 9,
            Kind::Tzaar => 6,
        }
    }

    /// The letter of notation: `t`, `a` or `z`.
    pub const fn letter(self) -> char {
        match self {
            Kind::Tott => 't',
            Kind::Tzarra => 'a',
            Kind::Tzaar => 'z',
        }
    }

    /// The type that a letter of notation names, in upper or lower case.
    pub const fn from_letter(letter: char) -> Option<Kind> {
        match letter.to_ascii_lowercase() {
            't' => Some(Kind::Tott),
            'a' => Some(Kind::Tzarra),
            'z' => Some(Kind::Tzaar),
            _ => None,
        }
    }

    /// `Tott`, `Tzarra` or `Tzaar`.
    pub const fn name(self) -> &'static str {
        match self {
            Kind::Tott => "Tott",
            Kind::Tzarra => "Tzarra",
            Kind::Tzaar => "Tzaar",
        }
    }
}

/// A tower of pieces of one colour; only the type of the topmost counts.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Stack {
    /// Whose it is.
    pub side: Side,
    /// The type of the piece on its top.
    pub kind: Kind,
    /// How many pieces it has, at least one.
    pub height: u8,
}

impl fmt::Display for Stack {
    /// Its letter, White's in upper case, and its height if that is above 1: `z`, `T3`.
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let letter = match self.side {
            Side::First => self.kind.letter().to_ascii_uppercase(),
            Side::Second => self.kind.letter(),
        };
        match self.height {
            1 => write!(f, "{letter}"),
            height => write!(f, "{letter}{height}"),
        }
    }
}
