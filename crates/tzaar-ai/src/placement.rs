use rand::Rng;
use rand::seq::IndexedRandom;
use tzaar::{Position, Step};

/// The piece that the side to move places next, and where, while the board is being filled.
///
/// # Panics
///
/// If nothing is to be placed.
pub fn place(position: &Position, rng: &mut impl Rng) -> Step {
    *position.steps().choose(rng).expect("the board is not full yet")
}
