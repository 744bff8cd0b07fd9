use std::marker::PhantomData;
use std::sync::Arc;

use engine::{EvaluationTrace, Traced};
use game::{BySide, Position, Score, Side};
use network::{IncrementalInputs, NO_BASELINE, Network, NetworkState};

use crate::{Evaluator, InitialProofNumbers, PlayedMove};

/// An evaluation, the baseline, and what a net adds to it. The net has the inputs `I`.
#[derive(Clone, Debug)]
pub struct NetworkEvaluation<E, I, const H: usize> {
    baseline: E,
    /// Whether the net was trained to be added to the baseline. If not, it counts alone.
    adds_baseline: bool,
    network: Arc<Network<H>>,
    inputs: PhantomData<fn() -> I>,
}

/// No estimate is further from 0: proofs are told apart in files of samples, and evaluation caches keep 16 bits.
const MOST_SCORE: i32 = 30_000;

fn clamped(score: i32) -> Score {
    Score(score.clamp(-MOST_SCORE, MOST_SCORE))
}

impl<E, I: IncrementalInputs, const H: usize> NetworkEvaluation<E, I, H> {
    /// An evaluation that the net corrects.
    pub fn new(baseline: E, network: Arc<Network<H>>) -> NetworkEvaluation<E, I, H> {
        let adds_baseline = network.head().baseline != NO_BASELINE;
        NetworkEvaluation { baseline, adds_baseline, network, inputs: PhantomData }
    }

    /// What the net alone says, for the mover.
    #[inline]
    pub fn correction(&self, position: &I::Position, state: &NetworkState<I::View, H>) -> i32 {
        self.network.output::<I>(position, state)
    }
}

/// The baseline has no state of its own.
impl<E, I, const H: usize> Evaluator<I::Position> for NetworkEvaluation<E, I, H>
where
    E: Evaluator<I::Position, State = ()>,
    I: IncrementalInputs,
{
    type State = NetworkState<I::View, H>;
    type Cache = E::Cache;

    fn state(&self, position: &I::Position) -> Self::State {
        self.network.state::<I>(position)
    }

    #[inline]
    fn advance(
        &self,
        played: PlayedMove<I::Position>,
        state: &Self::State,
        next: &mut Self::State,
    ) {
        let PlayedMove { before, steps, after } = played;
        self.network.advance::<I>([before, after], steps, state, next);
    }

    #[inline]
    fn evaluate(&self, position: &I::Position, state: &Self::State, cache: &mut E::Cache) -> Score {
        let baseline = match self.adds_baseline {
            true => self.baseline.evaluate(position, &(), cache).0,
            false => 0,
        };
        clamped(baseline.saturating_add(self.correction(position, state)))
    }
}

/// Proof numbers are those of the baseline.
impl<P: Position, E, I, const H: usize> InitialProofNumbers<P> for NetworkEvaluation<E, I, H>
where
    E: InitialProofNumbers<P>,
{
    fn initial_numbers(&self, position: &P) -> (u32, u32) {
        self.baseline.initial_numbers(position)
    }
}

/// The terms of the baseline, the net's output as a term of the mover, and what the net makes of each piece.
impl<E, I, const H: usize> Traced<I::Position> for NetworkEvaluation<E, I, H>
where
    E: Traced<I::Position>,
    I: IncrementalInputs,
{
    fn trace(&self, position: &I::Position) -> EvaluationTrace {
        let (mover, baseline) = (position.side(), self.baseline.trace(position));
        let mut terms = if self.adds_baseline { baseline.terms } else { Vec::new() };
        let mut output = BySide::default();
        output[mover] = self.correction(position, &self.network.state::<I>(position));
        terms.push(("network", output));
        let trace = EvaluationTrace::of_terms("network", baseline.unit, terms, mover);
        let for_first = |score: i32| if mover == Side::First { score } else { -score };
        let mut pieces = self.network.pieces::<I>(position);
        pieces.iter_mut().for_each(|(_, share)| *share = for_first(*share));
        let (score, goals) = (clamped(trace.score.0), baseline.goals);
        EvaluationTrace { goals, pieces, balance: for_first(score.0), score, ..trace }
    }
}
