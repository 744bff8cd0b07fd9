//! The rules of Arimaa: squares, pieces, boards, steps, turns, setups, games and every notation.
//!
//! From the lowest to the highest: a [`Board`] has pieces on squares and no past; a [`Position`]
//! adds the side to move and the steps left of its turn; a [`Game`] adds the past, and with it
//! repetition and the record. A [`Step`] is the atom of a [`Turn`]. [`TurnGenerator`] lists the
//! distinct turns of a position.
//!
//! Nothing here knows of search or evaluation.

mod bitboard;
mod board;
mod direction;
mod game;
mod generator;
mod hunt;
mod keys;
mod keyset;
mod lanes;
mod mobility;
mod notation;
mod outcome;
mod picture;
mod piece;
mod played;
mod position;
mod record;
mod replay;
mod setup;
pub mod side;
mod square;
mod step;
mod turn;
mod turn_text;
#[cfg(target_arch = "x86_64")]
mod wide;

pub use crate::bitboard::{Bitboard, Squares};
pub use crate::board::{Board, BoardError, Observer};
pub use crate::direction::Direction;
pub use crate::game::{Action, Game, GameError};
pub use crate::generator::{Reached, TurnGenerator};
pub use crate::hunt::{Hunt, Target, TargetError};
pub use crate::mobility::Mobility;
pub use crate::notation::{TurnError, TurnFault};
pub use crate::outcome::{Outcome, Reason};
pub use crate::picture::{Picture, TextError, TextFault};
pub use crate::piece::{Kind, Piece};
pub use crate::position::{Position, StepError, WHOLE_TURN};
pub use crate::record::{RecordError, RecordFault};
pub use crate::replay::Replay;
pub use crate::setup::{Army, Setup, SetupError, SetupFault};
pub use crate::side::{GOLD, SILVER, Side};
pub use crate::square::{Square, SquareError};
pub use crate::step::{Form, Step};
pub use crate::turn::Turn;
