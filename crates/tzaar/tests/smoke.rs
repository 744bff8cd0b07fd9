//! What is kept up move by move is what the board says at once.

use game::Position as _;
use rand::SeedableRng;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;
use tzaar::{Board, Field, Kind, Position, Side};

fn meets_itself(board: &Board) {
    let stacks = Field::all().filter_map(|field| Some((field, board.stack_at(field)?)));
    let anew = Board::new(stacks).unwrap();
    assert_eq!(*board, anew);
    assert_eq!(board.key(), anew.key());
    assert_eq!(board.capturable(), anew.capturable());
    for field in Field::all() {
        assert_eq!(board.attackers(field), anew.attackers(field));
        assert_eq!(board.high().has(field), board.height(field) > 1);
    }
    for side in Side::ALL {
        for kind in Kind::ALL {
            assert_eq!(board.tallest(side, kind), anew.tallest(side, kind));
        }
    }
}

#[test]
fn random_games_keep_up() {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    for game in 0..200 {
        let mut position = match game % 3 {
            0 => Position::fixed_start(),
            1 => Position::random_start(&mut rng),
            _ => Position::tournament_start(),
        };
        while position.winner().is_none() {
            let step = *position.steps().choose(&mut rng).unwrap();
            position.play(step);
            meets_itself(position.board());
            if position.turn_starts() && position.winner().is_none() {
                assert_eq!(position.to_string().parse(), Ok(position));
            }
        }
        assert_eq!(position.steps().len(), 0);
    }
}
