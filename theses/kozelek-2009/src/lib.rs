//! Akimot, the program of Kozelek's thesis (2009, chapter 4), with the numbers of the program itself: how good a step looks
//! ([`StepWeights`]), how good a position is ([`EvaluationWeights`]), and how play goes on by chance from a leaf of
//! a tree ([`AkimotPlayouts`]). [`ENGINES`] has the engine `akimot`, whose tree is that of `core/search`.
//!
//! The thesis says what is counted, the program what it is worth. Where both leave open when a number applies, the
//! rule is ours, and a comment says so.

mod advisor;
mod engines;
mod evaluation;
mod generation;
mod playouts;
mod stage;
mod step_knowledge;
mod tables;
#[cfg(test)]
mod test_games;

use arimaa::Position;
use engine::{EvaluationTrace, Traced};
use game::Score;
use search::{Evaluator, StepKnowledge};

pub use crate::advisor::MoveAdvisor;
pub use crate::engines::ENGINES;
pub use crate::evaluation::{EvaluationWeights, win_ratio};
pub use crate::playouts::{AkimotPlayouts, PlayoutParameters};
pub use crate::stage::Stage;
pub use crate::step_knowledge::StepWeights;

/// What Akimot knows of steps and of positions.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct AkimotKnowledge {
    /// What a step is worth by what it does.
    pub steps: StepWeights,
    /// What a position is worth by what stands where.
    pub evaluation: EvaluationWeights,
}

impl StepKnowledge<Position> for AkimotKnowledge {
    fn step_knowledge(
        &self,
        position: &Position,
        step: arimaa::Step,
        previous: Option<arimaa::Step>,
    ) -> f32 {
        self.steps.view(position, previous).score(step) as f32 / 100.0
    }
}

impl Evaluator<Position> for AkimotKnowledge {
    type State = ();
    type Cache = ();

    fn state(&self, _: &Position) {}

    fn evaluate(&self, position: &Position, _: &(), _: &mut ()) -> Score {
        self.evaluation.score(position)
    }
}

impl Traced<Position> for AkimotKnowledge {
    fn trace(&self, position: &Position) -> EvaluationTrace {
        self.evaluation.trace(position)
    }
}
