//! Programs that play. Nothing here knows a game or a protocol.
//!
//! A [`Program`] runs as a [`Process`] that can do no harm. Whatever goes wrong is a [`Failure`] of
//! one kind of [`Fault`]. [`Timeouts`] say how long a program is waited for.

mod failure;
mod process;
mod temporary;
mod timeouts;

pub use crate::failure::{Failure, Fault};
pub use crate::process::{
    End, Line, Process, Program, Silence, end_all, end_leftovers, is_running,
};
pub use crate::temporary::{
    Listed, TemporaryFolder, prefix as temporary_prefix, remove_all as remove_temporary,
    remove_leftovers,
};
pub use crate::timeouts::Timeouts;
