//! APNS, the program of Majerech's thesis (2012): proof-number search of Arimaa by the rules and an order of steps, with
//! the tree in memory under garbage collection.
//!
//! The search itself is [`search::Pns`] with the parameters of the [presets](SOLVER_PRESETS). Here is what those ask for
//! in Arimaa: [positions](LambdaPosition) in which steps are given up one by one, and the order of steps of Table 4.1.

mod heuristics;
mod lambda_position;
mod method;
mod ordering;
mod presets;

pub use crate::heuristics::{ApnsHeuristics, Vertex};
pub use crate::lambda_position::LambdaPosition;
pub use crate::presets::{SOLVER_PRESETS, apns, apns_df};
