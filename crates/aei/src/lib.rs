//! The Arimaa Engine Interface: text lines by which a controller and an engine play.
//!
//! At the engine's end, a [`Session`] reads each [`Message`] of the controller and sends
//! each [`Answer`]; a [`Thinker`] finds the turns, on a thread of its own, so that the session
//! hears `stop` while it thinks. [`Options`] keep what `setoption` said, and from these a
//! [`Clock`] tells how long a turn may take.
//!
//! At the other end, a [`Controller`] runs an engine as a [`Process`], and tells each [`Failure`] of
//! it from the others.

mod answer;
mod checks;
mod clock;
mod controller;
mod failure;
mod message;
mod options;
mod process;
mod refusal;
mod seat;
mod session;
mod thinker;
mod time_control;

pub use crate::answer::{Answer, Info, Log, told_score};
pub use crate::clock::Clock;
pub use crate::controller::{Controller, Found, Patience};
pub use crate::failure::{Failure, Fault};
pub use crate::message::{Message, MessageError, Mode};
pub use crate::options::{Audience, OptionError, Options};
pub use crate::process::{End, Line, Process, Program, Silence};
pub use crate::refusal::Refusal;
pub use crate::session::{Ending, Identity, Session, SessionError};
pub use crate::thinker::{Choice, Thinker};
pub use crate::time_control::{TimeControl, TimeControlError, TimeFault};
