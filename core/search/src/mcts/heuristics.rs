//! What Monte-Carlo tree search is told, from two parts: what alpha-beta is told as well, and how playouts go.

use game::{Position, Score, Steps};

use super::{PlayoutRequest, Playouts, StepKnowledge};
use crate::{
    Evaluator, ForcedWinLimits, ForcedWinLook, PlayedMove, Tactics, TurnList, TurnStructure,
};

/// Heuristics and playouts of a game as one.
#[derive(Clone, Debug)]
pub struct TreeHeuristics<H, L> {
    /// Tactics, the structure of a turn and an evaluation.
    pub heuristics: H,
    /// Playouts and step knowledge.
    pub playouts: L,
}

impl<P: Position, H: Evaluator<P>, L: Sync> Evaluator<P> for TreeHeuristics<H, L> {
    type State = H::State;
    type Cache = H::Cache;

    fn state(&self, position: &P) -> H::State {
        self.heuristics.state(position)
    }

    #[inline]
    fn advance(&self, played: PlayedMove<P>, state: &H::State, next: &mut H::State) {
        self.heuristics.advance(played, state, next);
    }

    #[inline]
    fn evaluate(&self, position: &P, state: &H::State, cache: &mut H::Cache) -> Score {
        self.heuristics.evaluate(position, state, cache)
    }
}

impl<P: Position, H: Tactics<P>, L: Sync> Tactics<P> for TreeHeuristics<H, L> {
    type Scratch = H::Scratch;

    fn winning_steps(&self, position: &P) -> Option<Vec<P::Step>> {
        self.heuristics.winning_steps(position)
    }

    #[inline]
    fn wins(&self, position: &P) -> bool {
        self.heuristics.wins(position)
    }

    #[inline]
    fn is_threatened(&self, position: &P) -> bool {
        self.heuristics.is_threatened(position)
    }

    fn has_defence(&self, position: &P, scratch: &mut H::Scratch) -> bool {
        self.heuristics.has_defence(position, scratch)
    }

    fn few_defences(&self, position: &P, scratch: &mut H::Scratch) -> Option<TurnList<P::Step>> {
        self.heuristics.few_defences(position, scratch)
    }

    fn forced_win(
        &self,
        position: &P,
        limits: ForcedWinLimits,
        scratch: &mut H::Scratch,
    ) -> ForcedWinLook<P::Step> {
        self.heuristics.forced_win(position, limits, scratch)
    }

    fn capture_moves(&self, position: &P, scratch: &mut H::Scratch) -> TurnList<P::Step> {
        self.heuristics.capture_moves(position, scratch)
    }
}

impl<P: Position, H: TurnStructure<P>, L: Sync> TurnStructure<P> for TreeHeuristics<H, L> {
    const WHOLE_TURN: Steps = H::WHOLE_TURN;

    fn has_twin(&self, position: &P, step: P::Step) -> bool {
        self.heuristics.has_twin(position, step)
    }

    fn undoes(&self, before: &P, first: P::Step, second: P::Step) -> bool {
        self.heuristics.undoes(before, first, second)
    }
}

impl<P: Position, H: Sync, L: StepKnowledge<P>> StepKnowledge<P> for TreeHeuristics<H, L> {
    #[inline]
    fn step_knowledge(&self, position: &P, step: P::Step, previous: Option<P::Step>) -> f32 {
        self.playouts.step_knowledge(position, step, previous)
    }
}

impl<P: Position, H: Sync, L: Playouts<P>> Playouts<P> for TreeHeuristics<H, L> {
    type Scratch = L::Scratch;

    #[inline]
    fn evaluation_share(&self) -> f32 {
        self.playouts.evaluation_share()
    }

    #[inline]
    fn playout(
        &self,
        request: PlayoutRequest<P>,
        random: &mut fastrand::Rng,
        scratch: &mut L::Scratch,
        played: impl FnMut(&P, P::Step),
    ) -> f32 {
        self.playouts.playout(request, random, scratch, played)
    }

    fn expanded(&self, position: &P, scratch: &mut L::Scratch) {
        self.playouts.expanded(position, scratch);
    }
}
