//! The rules of Tzaar: fields, stacks, boards, moves, and positions as text.
//!
//! From the lowest to the highest: a [`Board`] has stacks on fields and knows who can capture whom; a
//! [`Position`] adds the side to move and how far its turn has come. A [`Step`] is the atom of play.
//!
//! Nothing here knows of search or evaluation.

mod board;
mod field;
mod fields;
mod keys;
mod kind;
mod lines;
mod outcome;
mod position;
pub mod side;
mod step;
mod text;
mod waltz;

pub use crate::board::{Board, BoardError};
pub use crate::field::{Field, FieldError};
pub use crate::fields::Fields;
pub use crate::kind::{Kind, Stack};
pub use crate::lines::seen_on_empty_board;
pub use crate::outcome::{Outcome, Reason};
pub use crate::position::{Phase, Position, PositionError, WHOLE_TURN};
pub use crate::side::{BLACK, Side, WHITE};
pub use crate::step::Step;
pub use crate::text::TextError;
