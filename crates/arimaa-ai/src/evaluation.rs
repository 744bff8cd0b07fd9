//! Tusk's own first evaluation: [`Evaluation`].
//!
//! Each term is a function of what one side has: a pattern on the board, and a weight in centi-rabbits
//! beside it. The patterns of which a drawing tells more than a sentence are public, with their
//! drawings: [`dominated`], [`hostages`], [`framed`], [`shut_in`], [`goal_distance`] …
//!
//! Most weights are fitted to the scores of a strong engine in games with itself (2026-11); how, and what
//! they brought in games, is told in `docs/evaluation.md`.

mod advance;
mod blockade;
mod capture;
mod domination;
mod frame;
mod hostage;
mod material;
mod placement;
mod prospects;
mod rabbits;
mod sight;
mod term;
mod trap;

use arimaa::{GOLD, Position, SILVER};
use game::Score;

pub use self::advance::{advanced, exposed};
pub use self::blockade::shut_in;
pub use self::domination::dominated;
pub use self::frame::framed;
pub use self::hostage::{Hostage, hostages};
pub use self::prospects::goal_distance;
pub use self::rabbits::{guards_ahead, open_columns};
pub use self::sight::Sight;
pub use self::term::Term;
use crate::{Terms, goal};

/// Tusk's own first estimate of a position, in centi-rabbits: what the list of [`Term`] says, for both
/// sides.
///
/// ```
/// # use arimaa_ai::Evaluation;
/// # use arimaa::Position;
/// # use game::Score;
/// let position: Position =
///     "g [rrrrrrrrhdcemcdh                                HDCMECDHRRRRRRRR]".parse().unwrap();
/// assert_eq!(Evaluation.evaluate(&position), Score(0));
/// assert_eq!(Evaluation.terms(&position).score(), Score(0));
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Evaluation;

impl Evaluation {
    /// How the side to move stands.
    pub fn evaluate(&self, position: &Position) -> Score {
        let sight = Sight::of(position);
        // Each side by its name, for a routine of its own.
        let gold = term::total(&sight, GOLD) - term::total(&sight, SILVER);
        Score(if position.side() == GOLD { gold } else { -gold })
    }

    /// Every term for both sides.
    pub fn terms(&self, position: &Position) -> Terms<Term> {
        let sight = Sight::of(position);
        let (board, side, steps) = (position.board(), position.side(), position.steps_left());
        Terms::new(side, goal(board, side, steps), |term, who| term::value(term, &sight, who))
    }
}

#[cfg(test)]
mod tests {
    use arimaa::{Game, Position};
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    use crate::choose_setup;

    /// Positions at every stage of games by chance, in which much is captured.
    pub(super) fn positions() -> Vec<Position> {
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
        assert!(positions.iter().any(|position| position.board().occupied().len() < 20));
        positions
    }
}
