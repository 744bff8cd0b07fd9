//! Searches for games whose turn takes several steps, for any [`game::Position`].

mod limits;
mod report;

pub use crate::limits::{Limits, Stop};
pub use crate::report::{Report, Verdict};
