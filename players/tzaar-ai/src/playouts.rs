use fastrand::Rng;
use search::{PlayoutRequest, Playouts, StepKnowledge, StepPlayout, play_steps};
use tzaar::{Position, Step};

use crate::{Evaluation, MoveOrdering, wins};

engine::parameters! {
    /// How playouts go in Tzaar.
    pub struct PlayoutParameters {
        playout_least_turns: 1, 1..=1000, "a playout has at least so many turns, the one that it begins in included";
        playout_most_turns: 4, 1..=1000, "and at most so many, each number as likely";
        playout_best_of: 3, 1..=64, "of so many random moves the best known one is played";
        playout_scale: 252, 1..=1000000, "the evaluation at which one side wins 73 percent, in points";
    }
}

/// Some turns of moves that look good, then who can win within the turn, then the evaluation.
#[derive(Clone, Debug, Default)]
pub struct TzaarPlayouts {
    /// How playouts go.
    pub parameters: PlayoutParameters,
    /// What a position is worth in the end.
    pub evaluation: Evaluation,
}

/// What the ordering score of a move is divided by: the best captures count about as much as one good step.
const ORDERING_SCALE: f32 = 1000.0;

impl StepKnowledge<Position> for TzaarPlayouts {
    /// High stacks and rare types are captured first (Veselý 2013, 3.6).
    #[inline]
    fn step_knowledge(&self, position: &Position, step: Step, _: Option<Step>) -> f32 {
        MoveOrdering::default().score(position, step) as f32 / ORDERING_SCALE
    }
}

impl Playouts<Position> for TzaarPlayouts {
    /// The moves of a position.
    type Scratch = Vec<Step>;

    fn playout(
        &self,
        request: PlayoutRequest<Position>,
        random: &mut Rng,
        steps: &mut Vec<Step>,
        played: impl FnMut(&Position, Step),
    ) -> f32 {
        let PlayoutParameters {
            playout_least_turns,
            playout_most_turns,
            playout_best_of,
            playout_scale,
        } = self.parameters;
        let playout = StepPlayout {
            least_turns: playout_least_turns as u32,
            most_turns: playout_most_turns.max(playout_least_turns) as u32,
            best_of: playout_best_of as usize,
        };
        play_steps(playout, request, random, steps, self, played, |end| match wins(end) {
            true => 1.0,
            false => {
                let score = self.evaluation.evaluate(end).0 as f32;
                (score / (2 * playout_scale) as f32).tanh()
            }
        })
    }
}
