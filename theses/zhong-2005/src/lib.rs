//! The system of Haizhi Zhong's thesis "Building a Strong Arimaa-playing Program" (2005).
//!
//! The evaluation is [`Zhong`]: chapter 3, with the figures of its appendix, nine terms, all set by hand. Its material and
//! squares are kept in a [`Tally`]. The player, chapters 4 and 5, is the preset `thesis` of the engine `zhong`, which
//! [`ENGINES`] has: Tusk's search by alpha-beta with all that the thesis does not have switched off.
//!
//! The thesis says what each term is for and what it is worth, but not always when it applies. What is ours is
//! said where it is done: at [`Zhong::guards`], [`blockade`](arimaa_ai::blockade::blockade), [`forked`], [`pinned`] and
//! [`hostages`].

mod evaluation;
mod patterns;
mod player;
mod tables;
mod tally;

pub use crate::evaluation::Zhong;
pub use crate::patterns::{forked, hostages, pinned};
pub use crate::player::ENGINES;
pub use crate::tables::Ranked;
pub use crate::tally::{Mood, Tally};
