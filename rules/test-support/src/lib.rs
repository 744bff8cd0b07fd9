//! What the tests of several crates share. Only tests depend on it.
//!
//! - files: [`own_file`], [`shared_file`], [`Rows`]; what the environment asks for: [`long`], [`number`];
//! - the slow twin of Arimaa's rules: [`Twin`]; of the tactics within a turn: [`Combos`], [`slowest`];
//! - games and boards: [`random_game`], [`random_board`], [`GAMES`], [`long_game`];
//! - [`for_each_number`], many cases on all processors;
//! - [`CountingAllocator`], for what must not allocate;
//! - [`mock_engine`], an engine that misbehaves on request.
//!
//! The types of rules in here are those of the crate `arimaa` as others see it. Unit tests inside `arimaa` see another one:
//! they cannot use them, its integration tests can.

use std::path::{Path, PathBuf};

mod allocations;
mod boards;
mod campaign;
mod combos;
mod files;
mod long_game;
mod random;
mod twin;

pub use crate::allocations::CountingAllocator;
pub use crate::boards::{GAMES, random_board, shared_boards, trap_fight};
pub use crate::campaign::{for_each_number, number};
pub use crate::combos::{Combos, Origins, Tactics, slowest};
pub use crate::files::{Rows, engine_record, long, own_file, shared_file};
pub use crate::long_game::long_game;
pub use crate::random::{random_game, random_start, rng, scattered};
pub use crate::twin::{Twin, TwinStep};

/// The script of the mock engine: it speaks AEI and getMove by Python, and misbehaves as its first argument says.
pub fn mock_engine() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("mock_engine.py")
}
