//! The rules of Tzaar: fields, stacks, boards, moves, turns, games and every notation.
//!
//! From the lowest to the highest: a [`Board`] has stacks on fields and knows who can capture whom; a
//! [`Position`] adds the side to move and how far its turn has come; a [`Game`] adds the past and the record. A [`Step`] is
//! the atom of a [`Turn`]; [`distinct_turns`] lists those of a position.
//!
//! Nothing here knows of search or evaluation.

mod board;
mod field;
mod fields;
mod game;
mod keys;
mod kind;
mod lines;
mod notation;
mod outcome;
mod picture;
mod played;
mod position;
mod record;
pub mod side;
mod step;
mod symmetry;
mod text;
mod turn;
mod turn_text;
mod waltz;

pub use crate::board::{Board, BoardError};
pub use crate::field::{Field, FieldError};
pub use crate::fields::Fields;
pub use crate::game::{Game, GameError};
pub use crate::kind::{Kind, Stack};
pub use crate::lines::seen_on_empty_board;
pub use crate::outcome::{Outcome, Reason};
pub use crate::picture::Picture;
pub use crate::position::{Phase, Position, PositionError, WHOLE_TURN};
pub use crate::record::{RecordError, RecordFault};
pub use crate::side::{BLACK, Side, WHITE};
pub use crate::step::Step;
pub use crate::symmetry::Symmetry;
pub use crate::text::TextError;
pub use crate::turn::{Turn, TurnError, TurnFault, branching_factor, distinct_turns};
pub use crate::waltz::BestMove;
