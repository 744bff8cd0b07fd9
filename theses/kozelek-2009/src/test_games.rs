use arimaa::{Game, Position};
use arimaa_ai::choose_setup;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

/// Positions at every stage of games by chance, in which much is captured.
pub(crate) fn test_positions() -> Vec<Position> {
    let mut positions = Vec::new();
    for seed in 0..40 {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut game = Game::new();
        while let Some(side) = game.setting_up() {
            let setup = choose_setup(side, game.position().board(), &mut rng);
            game.set_up(setup).expect("a legal setup");
        }
        while let Some(turn) = game.random_turn(&mut rng)
            && game.outcome().is_none()
        {
            game.try_play(turn).expect("a legal turn");
            positions.push(*game.position());
        }
    }
    positions
}
