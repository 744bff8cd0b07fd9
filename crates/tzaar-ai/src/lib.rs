//! What Tusk knows about playing Tzaar.
//!
//! A [`win`] within the turn is seen without a search; an [`Evaluation`] says how good a position looks. [`Sense`]
//! tells both to the searches of `crates/search`, with the [`waltz`] preset in its place if that is asked for.

mod evaluation;
mod manner;
mod placement;
mod player;
mod sense;
pub mod waltz;
mod win;

pub use crate::evaluation::{Evaluation, Term};
pub use crate::manner::Manner;
pub use crate::placement::place;
pub use crate::player::{Choice, Player, proof_parameters};
pub use crate::sense::{Estimate, Sense};
pub use crate::win::{win, wins};
