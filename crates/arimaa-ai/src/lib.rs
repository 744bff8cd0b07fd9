//! What Tusk knows about playing Arimaa.
//!
//! What can be won within a turn: [`goal`], [`elimination`] and [`captures`] look at a board as if the
//! given side were to move with some steps left, are exact, and allocate nothing. With them,
//! [`Tactician`] lists the turns that answer a threat and those that make one, and [`Attack`] looks for
//! wins by one threat after the other. How it works is told in `docs/tactics.md`.
//!
//! How good a position is: [`zhong`], the evaluation of a thesis, and [`Evaluation`], Tusk's own.
//!
//! What a player is tested by: [`suite`], positions with what a turn must achieve in them. Where exactly
//! one turn wins by force, a [`Puzzle`] is found by the [`Composer`].
//!
//! Who plays: [`Player`], by alpha-beta with all of this ([`Sense`]), after [`choose_setup`].

mod attack;
mod capture;
mod chase;
pub mod combo;
pub mod evaluation;
mod goal;
mod manner;
mod memo;
mod one_by_one;
mod played;
mod player;
mod puzzle;
mod reliance;
pub mod reversal;
mod scene;
mod sense;
mod setups;
mod solver;
pub mod suite;
mod tactician;
mod terms;
mod win;
pub mod zhong;

pub use crate::attack::{Attack, Conditions, Effort, ForcedWin, Memory};
pub use crate::capture::{Capture, Captures, captures};
pub use crate::chase::Chase;
pub use crate::evaluation::Evaluation;
pub use crate::goal::goal;
pub use crate::manner::Manner;
pub use crate::one_by_one::OneByOne;
pub use crate::player::{Choice, Player, first_turn};
pub use crate::puzzle::{Composer, Outlook, Puzzle};
pub use crate::sense::{Estimate, Notes, Sense};
pub use crate::setups::choose_setup;
pub use crate::solver::{Finding, Progress, Question, Solver};
pub use crate::tactician::{Tactician, Threat};
pub use crate::terms::{Named, Terms};
pub use crate::win::{Win, elimination, win};
