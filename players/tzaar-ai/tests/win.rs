//! Wins within a turn, beside trying every turn.

use game::Position as _;
use rand::SeedableRng;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;
use tzaar::{Position, Step};
use tzaar_ai::{win, wins};

/// Whether the side to move can capture the last stack of a type before its turn is over, by trying everything.
fn can_win(position: &Position) -> bool {
    let (mover, steps) = (position.side(), position.steps());
    steps.into_iter().any(|step| {
        let mut after = *position;
        after.play(step);
        let gone = !after.board().is_complete(!mover);
        gone || after.side() == mover && can_win(&after)
    })
}

#[test]
fn a_win_is_seen_if_and_only_if_there_is_one() {
    let mut rng = ChaCha8Rng::seed_from_u64(9);
    let (mut seen, mut asked) = (0, 0);
    for game in 0..300 {
        let mut position = match game % 2 {
            0 => Position::random_start(&mut rng),
            _ => Position::fixed_start(),
        };
        while position.winner().is_none() {
            // To try everything takes long where there is much to try, and types are not rare there.
            if position.board().stacks() <= 30 {
                let steps = win(&position);
                assert_eq!(steps.is_some(), can_win(&position), "{position}");
                assert_eq!(steps.is_some(), wins(&position));
                asked += 1;
                if let Some(steps) = steps {
                    seen += 1;
                    let after = played(&position, &steps);
                    assert_eq!(after.winner(), Some(position.side()), "{position}");
                }
            }
            let step = *position.steps().choose(&mut rng).expect("the game goes on");
            position.play(step);
        }
    }
    assert!(seen > 200 && asked > 2 * seen, "{seen} of {asked}");
}

fn played(position: &Position, steps: &[Step]) -> Position {
    let mut after = *position;
    for &step in steps {
        assert!(after.steps().contains(&step), "{step:?} in {position}");
        after.play(step);
    }
    after
}
