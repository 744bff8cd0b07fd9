//! Random games and boards of Arimaa.

use arimaa::{Board, GOLD, Game, Kind, Piece, SILVER, Setup, Side, Square};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// The random numbers of a seed, the same on every machine.
pub fn rng(seed: u64) -> ChaCha8Rng {
    ChaCha8Rng::seed_from_u64(seed)
}

/// A game from random setups.
pub fn random_start(rng: &mut ChaCha8Rng) -> Game {
    let mut game = Game::new();
    for side in [GOLD, SILVER] {
        game.set_up(Setup::random(side, rng)).unwrap();
    }
    game
}

/// All positions of a random game, with the game that led there.
pub fn random_game(seed: u64, visit: &mut impl FnMut(&Game)) {
    let mut rng = rng(seed);
    let mut game = random_start(&mut rng);
    visit(&game);
    while let Some(turn) = game.random_turn(&mut rng) {
        game.try_play(turn).unwrap();
        visit(&game);
    }
}

/// Pieces thrown onto the board, dense or sparse, without those that a trap would take.
pub fn scattered(rng: &mut ChaCha8Rng) -> Board {
    let mut board = Board::EMPTY;
    let chance = rng.random_range(1..=16);
    for side in Side::ALL {
        for kind in Kind::ALL {
            for _ in 0..kind.army() {
                let square = Square::new(rng.random_range(0..64)).unwrap();
                if rng.random_range(0..16) < chance && !board.occupied().has(square) {
                    board.put(Piece { side, kind }, square);
                }
            }
        }
    }
    for square in board.unsupported() {
        board.take(square);
    }
    board
}
