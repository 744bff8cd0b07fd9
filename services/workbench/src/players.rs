//! Players that are programs: each is told the game by its own interface, and answers with text.
//!
//! An [`AeiPlayer`] speaks the Arimaa Engine Interface and runs as long as it is needed. A
//! [`GetmovePlayer`] and a [`WaltzPlayer`] are run anew for each turn.

mod aei;
mod getmove;
mod one_turn;
mod waltz;

/// Removes the files that the players of a Tusk have left behind that was killed.
pub fn remove_leftovers() {
    let place = std::env::temp_dir();
    [getmove::FOLDER, waltz::FOLDER]
        .iter()
        .for_each(|kind| process::remove_leftovers(&place, kind));
}

pub use self::aei::{AeiEngine, AeiPlayer, Feed};
pub use self::getmove::GetmovePlayer;
pub use self::waltz::WaltzPlayer;
