use std::fmt;

use rand::{Rng, RngExt};
use thiserror::Error;

use crate::side::{self, Side};
use crate::{Board, Kind, Piece, Square};

/// How a side sets up its pieces on its two home rows.
///
/// ```
/// # use arimaa::{Army, GOLD, Setup};
/// let text = "Ra1 Rb1 Rc1 Rd1 Re1 Rf1 Rg1 Rh1 Ha2 Db2 Cc2 Md2 Ee2 Cf2 Dg2 Hh2";
/// let setup = Setup::parse(text, GOLD, Army::Full).unwrap();
/// assert_eq!(setup.to_string(), text);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Setup {
    side: Side,
    board: Board,
}

/// Which pieces a setup must have.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Army {
    /// All sixteen.
    #[default]
    Full,
    /// Any of them, a rabbit at least: the side gives a handicap.
    Handicap,
}

impl Setup {
    /// Reads `Ra1 Rb1 …`, in any order.
    pub fn parse(text: &str, side: Side, army: Army) -> Result<Setup, SetupError> {
        let mut board = Board::EMPTY;
        for (index, word) in text.split_whitespace().enumerate() {
            let refuse = |fault| SetupError { number: index + 1, word: word.to_string(), fault };
            let (piece, square) = read_word(word).ok_or(refuse(SetupFault::NotAPlacement))?;
            place(&mut board, piece, square, side).map_err(refuse)?;
        }
        let count = text.split_whitespace().count();
        let refuse = |fault| SetupError { number: count, word: "the end".to_string(), fault };
        if army == Army::Full
            && let Some((kind, missing)) = missing(&board, side)
        {
            let piece = Piece { side, kind };
            return Err(refuse(SetupFault::Missing { piece, missing }));
        }
        if board.rabbits(side).is_empty() {
            return Err(refuse(SetupFault::NoRabbit));
        }
        Ok(Setup { side, board })
    }

    /// All sixteen pieces on the home rows in any order, each as likely.
    pub fn random(side: Side, rng: &mut impl Rng) -> Setup {
        let army = Kind::ALL.into_iter().flat_map(|kind| std::iter::repeat_n(kind, kind.army()));
        let mut kinds: Vec<Kind> = army.collect();
        let mut board = Board::EMPTY;
        for square in side::home(side) {
            let kind = kinds.swap_remove(rng.random_range(0..kinds.len()));
            board.put(Piece { side, kind }, square);
        }
        Setup { side, board }
    }

    /// Whose setup it is.
    pub fn side(&self) -> Side {
        self.side
    }

    /// The pieces where they are set up.
    pub fn board(&self) -> &Board {
        &self.board
    }
}

fn read_word(word: &str) -> Option<(Piece, Square)> {
    let letter = word.chars().next()?;
    Some((Piece::from_letter(letter)?, word[letter.len_utf8()..].parse().ok()?))
}

fn place(board: &mut Board, piece: Piece, square: Square, side: Side) -> Result<(), SetupFault> {
    if piece.side != side {
        return Err(SetupFault::NotYours { piece, side });
    }
    if !side::home(side).has(square) {
        return Err(SetupFault::NotAtHome { side });
    }
    if let Some(other) = board.piece_at(square) {
        return Err(SetupFault::Occupied { other, square });
    }
    board.put(piece, square);
    if board.piece(piece).len() > piece.kind.army() {
        return Err(SetupFault::TooMany { piece });
    }
    Ok(())
}

fn missing(board: &Board, side: Side) -> Option<(Kind, usize)> {
    let missing = |kind: Kind| kind.army() - board.piece(Piece { side, kind }).len();
    Kind::ALL.into_iter().map(|kind| (kind, missing(kind))).find(|&(_, missing)| missing > 0)
}

impl fmt::Display for Setup {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        for (index, (square, piece)) in self.board.pieces().enumerate() {
            let gap = if index == 0 { "" } else { " " };
            write!(f, "{gap}{}{square}", piece.letter())?;
        }
        Ok(())
    }
}

/// Why a text is not a setup, and at which word.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("piece {number} ({word}): {fault}")]
pub struct SetupError {
    /// Which word of the setup, from 1.
    pub number: usize,
    /// The word.
    pub word: String,
    /// What is wrong with it.
    pub fault: SetupFault,
}

/// What can be wrong with a setup.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum SetupFault {
    /// The word is no piece on a square.
    #[error("expected a piece and a square such as Ra1")]
    NotAPlacement,
    /// A piece of the other side.
    #[error("the {piece} is not one of {side}'s pieces", side = side::name(*side))]
    NotYours {
        /// Which piece.
        piece: Piece,
        /// Who sets up.
        side: Side,
    },
    /// A square outside the home rows.
    #[error(
        "{name} sets up on rows {rows}",
        name = side::name(*side), rows = if *side == side::GOLD { "1 and 2" } else { "7 and 8" }
    )]
    NotAtHome {
        /// Who sets up.
        side: Side,
    },
    /// Two pieces on a square.
    #[error("a {other} was put on {square} before")]
    Occupied {
        /// What stands there.
        other: Piece,
        /// Where.
        square: Square,
    },
    /// More of a kind than there are.
    #[error("a side has at most {count} {name}s", count = piece.kind.army(), name = piece.kind.name())]
    TooMany {
        /// Which piece.
        piece: Piece,
    },
    /// Not all pieces are placed.
    #[error(
        "{missing} more {piece}{s} expected: place all sixteen, or allow for a handicap (--handicap)",
        s = if *missing == 1 { "" } else { "s" }
    )]
    Missing {
        /// Which piece.
        piece: Piece,
        /// How many of it.
        missing: usize,
    },
    /// A side without rabbits has lost.
    #[error("at least one rabbit is needed: a side without one has lost")]
    NoRabbit,
}
