//! The evaluation of WALTZ: its values are those that they were, and the sum of their terms.

use game::Position as _;
use rand::SeedableRng;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;
use tzaar::Position;
use vesely_2013::Waltz;

/// Every position of some games by chance.
fn positions() -> Vec<Position> {
    let mut rng = ChaCha8Rng::seed_from_u64(7);
    let mut positions = Vec::new();
    for _ in 0..200 {
        let mut position = Position::random_start(&mut rng);
        while position.winner().is_none() {
            positions.push(position);
            let steps = position.steps();
            position.play(*steps.choose(&mut rng).expect("the game goes on"));
        }
    }
    positions
}

/// A hash of numbers (FNV-1a), the same on every machine.
fn hash(numbers: impl Iterator<Item = i32>) -> u64 {
    let bytes = numbers.flat_map(i32::to_le_bytes);
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

#[test]
fn scores_and_terms_are_those_of_the_shipped_weights() {
    let positions = positions();
    let values = hash(positions.iter().map(|position| Waltz::default().value(position)));
    assert_eq!(format!("{values:016x}"), "03105db10fb667c7");
    for waltz in [Waltz::default(), Waltz::beginner()] {
        for position in &positions {
            assert_eq!(waltz.trace(position).score.0, waltz.value(position), "{position}");
        }
    }
}
