//! The evaluation of bot_drake, from Hřebejk's thesis "Arimaa challenge – static evaluation function" (2013).
//!
//! It has three layers. The first, [`mobility`], says exactly what each piece can do and suffer within a
//! turn.

mod last_steps;
pub mod mobility;
mod words;

pub use mobility::TurnMobility;
