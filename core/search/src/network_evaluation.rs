use std::marker::PhantomData;
use std::sync::Arc;

use engine::{EvaluationTrace, Traced};
use game::{BySide, Position, Score, Side};
use network::{IncrementalInputs, Network, NetworkState};

use crate::{Evaluator, InitialProofNumbers, PlayedMove};

/// An evaluation by a net with the inputs `I`. The evaluation `E` says what the net does not know: initial proof numbers,
/// the unit of scores, and goals.
#[derive(Clone, Debug)]
pub struct NetworkEvaluation<E, I, const H: usize> {
    evaluation: E,
    network: Arc<Network<H>>,
    inputs: PhantomData<fn() -> I>,
}

/// No estimate is further from 0: proofs are told apart in files of samples, and evaluation caches keep 16 bits.
const MOST_SCORE: i32 = 30_000;

fn clamped(score: i32) -> Score {
    Score(score.clamp(-MOST_SCORE, MOST_SCORE))
}

impl<E, I: IncrementalInputs, const H: usize> NetworkEvaluation<E, I, H> {
    /// An evaluation by a net, beside a hand-written one.
    pub fn new(evaluation: E, network: Arc<Network<H>>) -> NetworkEvaluation<E, I, H> {
        NetworkEvaluation { evaluation, network, inputs: PhantomData }
    }

    /// What the net says, for the mover, however great it is.
    #[inline]
    pub fn output(&self, position: &I::Position, state: &NetworkState<I::View, H>) -> i32 {
        self.network.output::<I>(position, state)
    }
}

impl<E: Sync, I: IncrementalInputs, const H: usize> Evaluator<I::Position>
    for NetworkEvaluation<E, I, H>
{
    type State = NetworkState<I::View, H>;
    type Cache = ();

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
    fn evaluate(&self, position: &I::Position, state: &Self::State, (): &mut ()) -> Score {
        clamped(self.output(position, state))
    }
}

/// Proof numbers are those of the hand-written evaluation.
impl<P: Position, E, I, const H: usize> InitialProofNumbers<P> for NetworkEvaluation<E, I, H>
where
    E: InitialProofNumbers<P>,
{
    fn initial_numbers(&self, position: &P) -> (u32, u32) {
        self.evaluation.initial_numbers(position)
    }
}

/// The net's output as a term of the mover, and what the net makes of each piece.
impl<E, I, const H: usize> Traced<I::Position> for NetworkEvaluation<E, I, H>
where
    E: Traced<I::Position>,
    I: IncrementalInputs,
{
    fn trace(&self, position: &I::Position) -> EvaluationTrace {
        let (mover, by_hand) = (position.side(), self.evaluation.trace(position));
        let mut output = BySide::default();
        output[mover] = self.output(position, &self.network.state::<I>(position));
        let terms = vec![("network", output)];
        let trace = EvaluationTrace::of_terms("network", by_hand.unit, terms, mover);
        let for_first = |score: i32| if mover == Side::First { score } else { -score };
        let mut pieces = self.network.pieces::<I>(position);
        pieces.iter_mut().for_each(|(_, share)| *share = for_first(*share));
        let (score, goals) = (clamped(trace.score.0), by_hand.goals);
        EvaluationTrace { goals, pieces, balance: for_first(score.0), score, ..trace }
    }
}
