//! The arena: matches and tournaments of engines, and what they tell.
//!
//! Nothing here knows which game is played: turns and positions are text. A game's [`Rules`] start
//! a [`Referee`] for each game, who says which turns are legal and when it is over; a [`Player`]
//! finds the turns, in this process or in another: an [`AeiPlayer`] behind the Arimaa Engine
//! Interface, a [`GetmovePlayer`] behind the older one.

mod aei_player;
mod getmove_player;
mod player;
mod referee;

pub use aei::{Failure, Fault};

pub use crate::aei_player::{AeiEngine, AeiPlayer, Feed};
pub use crate::getmove_player::GetmovePlayer;
pub use crate::player::{Answer, Budget, Clocks, Pace, Player, Start, Thought};
pub use crate::referee::{Ending, Referee, Rules};
