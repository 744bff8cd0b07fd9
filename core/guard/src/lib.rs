//! Guards against the outside, for all who meet it.
//!
//! - Files and lines of others are read no further than anything sensible reaches: [`read_file`], [`read_bounded_line`].
//! - Their text is made fit for a terminal: [`harmless`].
//! - Memory is asked for before it is taken: [`check_memory`].
//! - Threads may be refused by the system: [`spawn_helpers`], [`share_work`], [`in_order`].
//!
//! Nothing here knows a game, an engine or a protocol.

mod files;
mod harmless;
mod memory;
mod threads;

pub use crate::files::{
    LONGEST_FILE, LONGEST_LINE, read_all, read_bounded_line, read_file, read_file_within,
    read_text_within,
};
pub use crate::harmless::harmless;
pub use crate::memory::{MemoryError, check_memory, total_mebibytes};
pub use crate::threads::{
    NoThread, SEARCH_STACK, in_order, in_parallel, search_thread, share_work, spawn_helpers,
    thread_warning,
};
