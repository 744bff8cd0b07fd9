use std::fmt;

use crate::side::{GOLD, SILVER, Side};

/// What a piece is, from the weakest to the strongest.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Kind {
    /// The eight that decide the game.
    Rabbit = 1,
    /// Stronger than a rabbit.
    Cat,
    /// Stronger than a cat.
    Dog,
    /// Stronger than a dog.
    Horse,
    /// Stronger than a horse.
    Camel,
    /// The strongest: nothing freezes, pushes or pulls it.
    Elephant,
}

use Kind::{Camel, Cat, Dog, Elephant, Horse, Rabbit};

impl Kind {
    /// All kinds, from the weakest to the strongest.
    pub const ALL: [Kind; 6] = [Rabbit, Cat, Dog, Horse, Camel, Elephant];

    /// How many of the kind a side has at the start of a game.
    #[inline]
    pub const fn army(self) -> usize {
        match self {
            Rabbit => 8,
            Cat | Dog | Horse => 2,
            Camel | Elephant => 1,
        }
    }

    /// `rabbit`, `cat` …
    pub const fn name(self) -> &'static str {
        match self {
            Rabbit => "rabbit",
            Cat => "cat",
            Dog => "dog",
            Horse => "horse",
            Camel => "camel",
            Elephant => "elephant",
        }
    }

    /// The kind with that discriminant.
    #[inline]
    pub(crate) const fn from_bits(bits: u8) -> Option<Kind> {
        match bits {
            1 => Some(Rabbit),
            2 => Some(Cat),
            3 => Some(Dog),
            4 => Some(Horse),
            5 => Some(Camel),
            6 => Some(Elephant),
            _ => None,
        }
    }
}

/// A kind in a side's colour.
///
/// ```
/// # use arimaa::{Kind, Piece, GOLD};
/// let camel = Piece::from_letter('M').unwrap();
/// assert_eq!(camel, Piece { side: GOLD, kind: Kind::Camel });
/// assert_eq!(camel.to_string(), "gold camel");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Piece {
    /// Whose it is.
    pub side: Side,
    /// What it is.
    pub kind: Kind,
}

impl Piece {
    /// The letter of notation: `E M H D C R` for Gold, the same in lower case for Silver.
    #[inline]
    pub const fn letter(self) -> char {
        let letter = match self.kind {
            Rabbit => 'r',
            Cat => 'c',
            Dog => 'd',
            Horse => 'h',
            Camel => 'm',
            Elephant => 'e',
        };
        match self.side {
            GOLD => letter.to_ascii_uppercase(),
            SILVER => letter,
        }
    }

    /// The piece that a letter of notation names.
    pub const fn from_letter(letter: char) -> Option<Piece> {
        let kind = match letter.to_ascii_lowercase() {
            'r' => Rabbit,
            'c' => Cat,
            'd' => Dog,
            'h' => Horse,
            'm' => Camel,
            'e' => Elephant,
            _ => return None,
        };
        let side = if letter.is_ascii_uppercase() { GOLD } else { SILVER };
        Some(Piece { side, kind })
    }
}

impl fmt::Display for Piece {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let side = match self.side {
            GOLD => "gold",
            SILVER => "silver",
        };
        write!(f, "{side} {}", self.kind.name())
    }
}
