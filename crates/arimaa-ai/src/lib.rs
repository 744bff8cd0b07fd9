//! What Tusk knows about playing Arimaa: so far, what can be won within a turn.

mod capture;
mod goal;
mod scene;
mod win;

pub use crate::capture::{Capture, Captures, captures};
pub use crate::goal::goal;
pub use crate::win::{Win, elimination, win};
