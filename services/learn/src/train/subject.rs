use std::path::Path;

use arimaa_ai::win;
use game::Steps;
use network::Inputs;

use super::{Factors, Label, SampleSet};
use crate::{Learnable, Samples, Selection, ShardError};

/// A game that nets are trained for.
pub trait Subject {
    /// The game.
    type Game: Learnable;

    /// The inputs of its nets.
    type Inputs: Inputs<Position = <Self::Game as game::Game>::Position>;

    /// Reads a position in one line.
    fn parse(&self, text: &str) -> Result<<Self::Inputs as Inputs>::Position, String>;

    /// The position with so many steps left in the turn, if there can be as many.
    fn inside(
        &self,
        position: &<Self::Inputs as Inputs>::Position,
        steps: u8,
    ) -> Option<<Self::Inputs as Inputs>::Position>;

    /// What the features of its inputs have in common.
    fn factors() -> Factors {
        Factors::new(Self::Inputs::SHAPE.count, 0, |_| Vec::new())
    }

    /// No samples yet, for a net with `buckets` buckets.
    fn no_samples(buckets: usize) -> SampleSet {
        SampleSet::with_buckets::<Self::Inputs>(buckets).with_factors(Self::factors())
    }

    /// Whether a search may ask for the evaluation of a position: not where exact tactics know the result.
    fn is_evaluated(&self, _: &<Self::Inputs as Inputs>::Position) -> bool {
        true
    }

    /// Adds a position to a set, with the score and the result for its mover.
    fn add(
        &self,
        samples: &mut SampleSet,
        position: &<Self::Inputs as Inputs>::Position,
        (score, result): (Option<i16>, Option<i8>),
        game: u64,
    ) {
        let bucket = Self::Inputs::bucket(position, samples.buckets()) as u8;
        let label = Label { game, weight: 1.0, score, bucket, result };
        samples.push_with(label, |features| {
            Self::Inputs::for_each_feature(position, |feature| features.push(feature));
        });
    }
}

/// Adds the positions of a shard, or of all shards in a folder, to a set, but for those that no search evaluates. A game
/// without a winner has no result.
pub fn read_shards<S: Subject>(
    subject: &S,
    path: &Path,
    selection: Selection,
    samples: &mut SampleSet,
) -> Result<(), ShardError> {
    for sample in Samples::<S::Game>::open(path, selection)? {
        let sample = sample?;
        if !subject.is_evaluated(&sample.position) {
            continue;
        }
        let score = sample.score.map(|score| score.0);
        let result = (sample.result != 0).then_some(sample.result);
        subject.add(samples, &sample.position, (score, result), sample.game.0);
    }
    Ok(())
}

/// Arimaa.
#[derive(Clone, Copy, Debug, Default)]
pub struct ArimaaSubject;

impl Subject for ArimaaSubject {
    type Game = arimaa::Game;
    type Inputs = arimaa_ai::NetworkInputs;

    fn parse(&self, text: &str) -> Result<arimaa::Position, String> {
        text.parse().map_err(|error: arimaa::TextError| error.to_string())
    }

    fn inside(&self, position: &arimaa::Position, steps: u8) -> Option<arimaa::Position> {
        position.with_steps_left(Steps(steps))
    }

    /// A piece on its square; a piece in its row and how it is pressed; a piece.
    fn factors() -> Factors {
        const SQUARES: u16 = 64;
        const PRESSURES: u16 = 3;
        const ROWS: u16 = 8;
        let pieces = Self::Inputs::SHAPE.count as u16 / SQUARES / PRESSURES;
        let (pressed, alone) = (pieces * SQUARES, pieces * (SQUARES + PRESSURES * ROWS));
        Factors::new(Self::Inputs::SHAPE.count, usize::from(alone + pieces), |feature| {
            let (square, pressure) = (feature % SQUARES, feature / SQUARES % PRESSURES);
            let piece = feature / SQUARES / PRESSURES;
            vec![
                piece * SQUARES + square,
                pressed + (piece * PRESSURES + pressure) * ROWS + square / ROWS,
                alone + piece,
            ]
        })
    }

    /// A win within the turn is seen without a search.
    fn is_evaluated(&self, position: &arimaa::Position) -> bool {
        win(position.board(), position.side(), position.steps_left()).is_none()
    }
}

/// Tzaar.
#[derive(Clone, Copy, Debug, Default)]
pub struct TzaarSubject;

impl Subject for TzaarSubject {
    type Game = tzaar::Game;
    type Inputs = tzaar_ai::NetworkInputs;

    fn parse(&self, text: &str) -> Result<tzaar::Position, String> {
        text.parse().map_err(|error: tzaar::TextError| error.to_string())
    }

    fn inside(&self, position: &tzaar::Position, steps: u8) -> Option<tzaar::Position> {
        position.with_steps_left(Steps(steps))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_tactics_decide_is_not_evaluated() {
        let subject = ArimaaSubject;
        let is_evaluated =
            |text: &str| subject.is_evaluated(&subject.parse(text).expect("a position"));
        // A rabbit three rows before its goal, with nothing in its way; and the same with the enemy to move.
        let rabbits = "[        r               R                               rR      ]";
        assert!(!is_evaluated(&format!("g {rabbits}")));
        assert!(is_evaluated(
            "g [rrrrrrrrhdcemcdh                                HDCMECDHRRRRRRRR]"
        ));
    }
}
