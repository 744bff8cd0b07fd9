//! The arena: matches and tournaments of engines, and what they tell.
//!
//! Nothing here knows which game is played: turns and positions are text. A game's [`Rules`] start
//! a [`Referee`] for each game, who says which turns are legal and when it is over; a [`Player`]
//! finds the turns, in this process or in another. An [`Exercise`] is a position with something that a turn must
//! achieve; [`ask`] lets a player answer it, and an [`Attempt`] is what the answer is worth.

mod player;
mod referee;
mod suite;

pub use aei::{Failure, Fault};

pub use crate::player::{Answer, Budget, Clocks, Pace, Player, Start, Thought};
pub use crate::referee::{Ending, Referee, Rules};
pub use crate::suite::{Attempt, Exercise, Tally, ask};
