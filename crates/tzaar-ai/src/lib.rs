//! What Tusk knows about playing Tzaar.
//!
//! A [`win`] within the turn is seen without a search; an [`Evaluation`] says how good a position looks. [`Sense`]
//! tells both to the searches of `crates/search`, with the [`waltz`] preset in its place if that is asked for.

mod evaluation;
mod sense;
pub mod waltz;
mod win;

pub use crate::evaluation::Evaluation;
pub use crate::sense::{Estimate, Sense};
pub use crate::win::{win, wins};
