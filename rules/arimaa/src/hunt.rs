use std::fmt;
use std::ops::ControlFlow;

use game::{Key, KeyGenerator, Steps};
use thiserror::Error;

use crate::side::{self, Side};
use crate::{Piece, Position, Square, SquareError, Step};

/// A position in which one piece, the *quarry*, is hunted: the other side wants to capture it.
///
/// It is a game of its own, with the same steps:
///
/// - The hunter has won once the quarry is captured, by whosever turn, unless the hunter has lost the game of
///   Arimaa at that moment.
/// - The hunted side has won as soon as that game is over in any other way, even if the hunter has
///   won it: the quarry was not captured.
///
/// The quarry is followed wherever it goes. Two equal pieces that change places make another position
/// of the hunt, though repetition, which is a rule of Arimaa, takes it for the same.
///
/// ```
/// # use arimaa::{Direction, Hunt, Position, Square, Step};
/// let position: Position =
///     "g [r                                   H      d            R       ]".parse().unwrap();
/// let hunt = Hunt::new(position, "dd3".parse().unwrap()).unwrap();
/// assert_eq!(hunt.quarry(), Some(Square::D3));
/// assert_eq!(hunt.target().to_string(), "dd3");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Hunt {
    position: Position,
    piece: Piece,
    /// Where the quarry stands; nowhere once it is captured.
    quarry: Option<Square>,
}

/// A piece on a square: what is hunted. As text, a letter and a square such as `mh5`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Target {
    /// Which piece.
    pub piece: Piece,
    /// Where it stands.
    pub square: Square,
}

/// Why a text names no target, or there is none on the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum TargetError {
    /// The text is no letter and square.
    #[error("expected the letter of a piece and its square, such as mh5")]
    NotATarget,
    /// Something else stands there.
    #[error(
        "there is no {piece} on {square}, but {found}: name a piece and the square it stands on",
        piece = target.piece, square = target.square,
        found = found.map_or("nothing".to_string(), |found| format!("a {found}"))
    )]
    NotThere {
        /// What was named.
        target: Target,
        /// What stands there.
        found: Option<Piece>,
    },
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}{}", self.piece.letter(), self.square)
    }
}

impl std::str::FromStr for Target {
    type Err = TargetError;

    fn from_str(text: &str) -> Result<Target, TargetError> {
        let mut letters = text.chars();
        let piece = letters.next().and_then(Piece::from_letter).ok_or(TargetError::NotATarget)?;
        let square = letters.as_str().parse().map_err(|_: SquareError| TargetError::NotATarget)?;
        Ok(Target { piece, square })
    }
}

/// For each square of the quarry, and last for none.
static QUARRIES: [Key; 65] = {
    let mut generator = KeyGenerator::new(0x6875_6E74);
    let mut keys = [Key::ZERO; 65];
    let mut index = 0;
    while index < keys.len() {
        keys[index] = generator.next_key();
        index += 1;
    }
    keys
};

impl Hunt {
    /// The hunt for a piece that stands on the board.
    pub fn new(position: Position, target: Target) -> Result<Hunt, TargetError> {
        let found = position.board().piece_at(target.square);
        if found != Some(target.piece) {
            return Err(TargetError::NotThere { target, found });
        }
        Ok(Hunt { position, piece: target.piece, quarry: Some(target.square) })
    }

    /// The position of the game of Arimaa.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// Where the quarry stands, if it is still there.
    pub fn quarry(&self) -> Option<Square> {
        self.quarry
    }

    /// Who wants to capture it.
    pub fn hunter(&self) -> Side {
        !self.piece.side
    }

    /// What is hunted, as long as it is there: else the square is of no meaning.
    pub fn target(&self) -> Target {
        Target { piece: self.piece, square: self.quarry.unwrap_or(Square::A1) }
    }

    /// Plays a legal step.
    #[inline]
    pub fn play_unchecked(&mut self, step: Step) {
        self.position.play_unchecked(step);
        let Some(mut square) = self.quarry else { return };
        for (from, to) in step.moves() {
            if from == square {
                square = to;
                break;
            }
        }
        // What is captured leaves its square empty; nothing else comes there within the step.
        self.quarry = self.position.board().occupied().has(square).then_some(square);
    }
}

impl game::Position for Hunt {
    type Step = Step;

    #[inline]
    fn side(&self) -> Side {
        self.position.side()
    }

    #[inline]
    fn turn_starts(&self) -> bool {
        self.position.turn_starts()
    }

    fn for_each_step(&self, visit: impl FnMut(Step) -> ControlFlow<()>) -> ControlFlow<()> {
        self.position.for_each_step(visit)
    }

    fn cost(&self, step: Step) -> Steps {
        self.position.cost(step)
    }

    fn is_idle(&self) -> bool {
        game::Position::is_idle(&self.position)
    }

    #[inline]
    fn play(&mut self, step: Step) {
        self.play_unchecked(step);
    }

    #[inline]
    fn key(&self) -> Key {
        self.position.key() ^ QUARRIES[self.quarry.map_or(64, Square::index)]
    }

    fn repetition_key(&self) -> Key {
        self.position.repetition_key()
    }

    #[inline]
    fn winner(&self) -> Option<Side> {
        if !self.position.turn_starts() {
            return None;
        }
        let outcome = self.position.outcome().map(|outcome| outcome.winner);
        match (self.quarry, outcome) {
            (None, winner) => Some(winner.unwrap_or(self.hunter())),
            (Some(_), Some(_)) => Some(self.piece.side),
            (Some(_), None) => None,
        }
    }
}

impl fmt::Display for Hunt {
    /// The position, and what is hunted.
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let hunter = side::name(self.hunter());
        match self.quarry {
            Some(square) => {
                write!(f, "{}, {hunter} hunts {}{square}", self.position, self.piece.letter())
            }
            None => write!(f, "{}, {hunter} has captured the {}", self.position, self.piece),
        }
    }
}
