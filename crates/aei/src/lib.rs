//! The Arimaa Engine Interface: text lines by which a controller and an engine play.
//!
//! So far the engine's end. A [`Session`] reads each [`Message`] of the controller and sends
//! each [`Answer`]; a [`Thinker`] finds the turns, on a thread of its own, so that the session
//! hears `stop` while it thinks. [`Options`] keep what `setoption` said, and from these a
//! [`Clock`] tells how long a turn may take.

mod answer;
mod checks;
mod clock;
mod failure;
mod message;
mod options;
mod refusal;
mod seat;
mod session;
mod thinker;
mod time_control;

pub use crate::answer::{Answer, Info, Log};
pub use crate::clock::Clock;
pub use crate::failure::{Failure, Fault};
pub use crate::message::{Message, MessageError, Mode};
pub use crate::options::{Audience, OptionError, Options};
pub use crate::refusal::Refusal;
pub use crate::session::{Ending, Identity, Session, SessionError, game_at};
pub use crate::thinker::{Choice, Thinker};
pub use crate::time_control::{TimeControl, TimeControlError, TimeFault};
