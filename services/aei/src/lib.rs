//! The Arimaa Engine Interface: text lines by which a controller and an engine play.
//!
//! At the engine's end, a [`Session`] reads each [`Message`] of the controller and sends
//! each [`Answer`]; an [`engine::Engine`] finds the turns, on a thread of its own, so that the session
//! hears `stop` while it searches. [`Options`] keep what `setoption` said, and from these a
//! [`clock::Clock`] tells how long a turn may take.
//!
//! At the other end, a [`Controller`] runs an engine as a [`process::Process`], and tells each
//! [`process::Failure`] of it from the others.

mod answer;
mod checks;
mod controller;
mod engine_thread;
mod message;
mod options;
mod refusal;
mod session;

pub use crate::answer::{Answer, InfoLine, Log};
pub use crate::controller::{Controller, Found};
pub use crate::message::{Message, MessageError, Mode};
pub use crate::options::{Audience, OptionError, Options};
pub use crate::refusal::Refusal;
pub use crate::session::{Ending, Identity, Session, SessionError};
