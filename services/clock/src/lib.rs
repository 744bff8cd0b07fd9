//! The time that players have. A [`TimeControl`] says how much a game allows, and a [`Clock`] how long a turn should take.
//! Nothing here knows a game or a protocol.

mod clock;
mod time_control;

pub use crate::clock::Clock;
pub use crate::time_control::{TimeControl, TimeControlError, TimeFault, seconds};
