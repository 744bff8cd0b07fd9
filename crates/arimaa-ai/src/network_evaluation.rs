//! Tusk's evaluation, corrected by a net: [`NetworkEvaluation`].

use std::sync::{Arc, LazyLock};

use arimaa::{Board, GOLD, Position, Side, Step};
use engine::{EvaluationTrace, Traced};
use game::{BySide, Score};
use network::{Accumulator, Inputs, Network, NetworkError};
use search::Evaluator;

use crate::Evaluation;
use crate::network_inputs::{Features, NetworkInputs, Pressure};

/// The hidden units of a net for each perspective.
pub const HIDDEN: usize = 256;

/// A net for Arimaa.
pub type ArimaaNetwork = Network<HIDDEN>;

/// What a net that corrects [`Evaluation`] calls it.
pub const BASELINE: &str = "arimaa-evaluation";

/// What a net without a baseline has in its place.
const NO_BASELINE: &str = "none";

/// The net that is part of the program, if there is one.
const EMBEDDED: Option<&[u8]> = Some(include_bytes!("../../../models/arimaa.network"));

/// No estimate is further from 0: proofs are told apart in files of samples, and the evaluation cache keeps
/// 16 bits.
const MOST_SCORE: i32 = 30_000;

/// The net that is part of the program.
pub fn embedded() -> Option<Arc<ArimaaNetwork>> {
    static NETWORK: LazyLock<Option<Arc<ArimaaNetwork>>> = LazyLock::new(|| {
        EMBEDDED.map(|file| Arc::new(parse(file).expect("models/arimaa.network")))
    });
    NETWORK.clone()
}

/// Reads the file of a net for Arimaa.
pub fn parse(bytes: &[u8]) -> Result<ArimaaNetwork, NetworkError> {
    let network = Network::parse(NetworkInputs::SHAPE, bytes)?;
    let baseline = &network.head().baseline;
    if baseline != BASELINE && baseline != NO_BASELINE {
        return Err(NetworkError::Mismatch {
            what: "baseline",
            found: baseline.clone(),
            expected: BASELINE.into(),
        });
    }
    Ok(network)
}

/// The hand-written evaluation and what a net adds to it.
#[derive(Clone, Debug)]
pub struct NetworkEvaluation {
    /// None, if the net was trained without it.
    baseline: Option<Evaluation>,
    network: Arc<ArimaaNetwork>,
}

/// What is kept up as steps are played: the accumulators of both sides' perspectives, and what the features
/// depend on besides the board.
///
/// It is kept up at once. A state that is shared by reference and computes its accumulators only when it is asked
/// or cloned was measured, and searched a twentieth fewer nodes a second (2026-11).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NetworkState {
    pressure: Pressure,
    accumulators: BySide<Accumulator<HIDDEN>>,
}

impl NetworkEvaluation {
    /// An evaluation that the net corrects.
    pub fn new(evaluation: Evaluation, network: Arc<ArimaaNetwork>) -> NetworkEvaluation {
        let has_baseline = network.head().baseline == BASELINE;
        NetworkEvaluation { baseline: has_baseline.then_some(evaluation), network }
    }

    /// What the net alone says, for the mover.
    #[inline]
    pub fn correction(&self, position: &Position, state: &NetworkState) -> i32 {
        let (mover, bucket) = (position.side(), NetworkInputs::bucket(position));
        let accumulators = &state.accumulators;
        self.network.evaluate(&accumulators[mover], &accumulators[!mover], bucket)
    }

    /// The state of the board after a change, given that of the board before.
    #[inline]
    fn follow(&self, state: &mut NetworkState, before: &Board, after: &Board) {
        let pressure = Pressure::of(after);
        let changed = before.differences(after) | state.pressure.differences(&pressure);
        let (mut removed, mut added) = (Features::new(), Features::new());
        for square in changed {
            removed.extend(state.pressure.feature(before, square, GOLD));
            added.extend(pressure.feature(after, square, GOLD));
        }
        let BySide { first, second } = &mut state.accumulators;
        self.network.update(first, &removed, &added);
        for feature in removed.iter_mut().chain(&mut added) {
            *feature = NetworkInputs::seen_by_other(*feature);
        }
        self.network.update(second, &removed, &added);
        state.pressure = pressure;
    }
}

impl Evaluator<Position> for NetworkEvaluation {
    type State = NetworkState;
    type Cache = ();

    fn state(&self, position: &Position) -> NetworkState {
        let (board, pressure) = (position.board(), Pressure::of(position.board()));
        let accumulator = |side: Side| {
            let squares = board.occupied().into_iter();
            let features: Features =
                squares.filter_map(|square| pressure.feature(board, square, side)).collect();
            self.network.accumulator(&features)
        };
        let accumulators =
            BySide { first: accumulator(Side::First), second: accumulator(Side::Second) };
        NetworkState { pressure, accumulators }
    }

    #[inline]
    fn play(&self, position: &mut Position, state: &mut NetworkState, step: Step) {
        let before = *position.board();
        position.play_unchecked(step);
        self.follow(state, &before, position.board());
    }

    #[inline]
    fn evaluate(&self, position: &Position, state: &NetworkState, (): &mut ()) -> Score {
        let baseline = self.baseline.as_ref().map_or(0, |baseline| baseline.evaluate(position).0);
        let score = baseline.saturating_add(self.correction(position, state));
        Score(score.clamp(-MOST_SCORE, MOST_SCORE))
    }
}

/// The terms of the baseline, the net's output as a term of the mover, and what the net makes of each piece:
/// how much higher its output is, for Gold, than without the piece's feature.
impl Traced<Position> for NetworkEvaluation {
    fn trace(&self, position: &Position) -> EvaluationTrace {
        let (board, mover) = (position.board(), position.side());
        let state = self.state(position);
        let for_gold = |score: i32| if mover == GOLD { score } else { -score };
        let correction = self.correction(position, &state);
        let mut terms = match &self.baseline {
            Some(baseline) => baseline.trace(position).terms,
            None => Vec::new(),
        };
        let mut term = BySide::default();
        term[mover] = correction;
        terms.push(("network", term));
        let without = |square| {
            let mut without = state.clone();
            for side in Side::ALL {
                let feature = state.pressure.feature(board, square, side);
                let accumulator = &mut without.accumulators[side];
                self.network.update(accumulator, feature.as_slice(), &[]);
            }
            self.correction(position, &without)
        };
        let pieces = board.pieces().map(|(square, piece)| {
            (format!("{}{square}", piece.letter()), for_gold(correction - without(square)))
        });
        let to_move = (board, mover, position.steps_left());
        let trace = crate::evaluation::trace("network", terms, to_move);
        let score = Score(trace.score.0.clamp(-MOST_SCORE, MOST_SCORE));
        EvaluationTrace { pieces: pieces.collect(), balance: for_gold(score.0), score, ..trace }
    }
}
