//! Searches for games whose turn takes several steps, for any [`game::Position`].
//!
//! [`AlphaBeta`] says how good a position is, [`Prover`] who wins it for certain. They know nothing of a
//! game but what its position and a [`Knowledge`] tell.

mod alphabeta;
mod defences;
mod deliberation;
mod knowledge;
mod node;
mod order;
mod pages;
mod parameters;
mod patience;
mod progress;
mod proof_number;
mod pruning;
mod quiescence;
mod recall;
mod report;
mod shared;
mod table;
mod turns;
mod under_way;
mod value;
mod worker;

pub use crate::alphabeta::{AlphaBeta, Task};
pub use crate::deliberation::{Deliberation, turn_of};
pub use crate::knowledge::Knowledge;
pub use crate::pages::in_large_pages;
pub use crate::parameters::Parameters;
pub use crate::proof_number::{DfPn, Findings, Pns, ProofParameters, Prover};
pub use crate::report::{Report, Verdict};
pub use crate::table::Table;
pub use crate::turns::Turns;
pub use engine::{Limits, Stop};
