use engine::Verdict;
use game::Proof;
use network::{Inputs, MOST_ACTIVE};

use super::Factors;
use crate::{GameId, PackedScore, is_validation};

/// Positions in memory, as a trainer needs them: the active features as the mover sees them, and a label.
///
/// The features of all positions stand one after the other: some 55 bytes a position, and 32 for the rest.
/// Those of the other perspective, and those of the mirrored position, are looked up in a table.
#[derive(Clone, Debug)]
pub struct SampleSet {
    features: Vec<u16>,
    /// Where the features of each sample end.
    ends: Vec<u64>,
    labels: Vec<Label>,
    views: Views,
    buckets: usize,
    factors: Factors,
}

/// What is known of a position besides its features.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Label {
    /// Which game it is of: those that the trainer never sees are chosen by game.
    pub game: u64,
    /// How much it counts.
    pub weight: f32,
    /// What a search has found, for the mover.
    pub score: Option<i16>,
    /// Which set of output weights is used.
    pub bucket: u8,
    /// How the game ended for the mover: 1 for a win, -1 for a loss, 0 for neither. None, if it did not.
    pub result: Option<i8>,
}

impl Label {
    /// What a net is to predict, from 0 for a certain loss to 1: the score at that scale counts `lambda`, the
    /// result the rest. A proof counts alone: what came after it was chance. None, if there is neither.
    pub fn target(&self, lambda: f32, scale: f32) -> Option<f32> {
        if let Some(Verdict::Proof(proof)) = self.score.map(|score| PackedScore(score).verdict()) {
            return Some(if matches!(proof, Proof::Win(_)) { 1.0 } else { 0.0 });
        }
        let score = self.score.map(|score| super::sigmoid(f32::from(score) / scale));
        match (score, self.expected_result()) {
            (Some(score), Some(result)) => Some(lambda * score + (1.0 - lambda) * result),
            (score, result) => score.or(result),
        }
    }

    /// The result from 0 to 1.
    pub fn expected_result(&self) -> Option<f32> {
        self.result.map(|result| f32::from(result) / 2.0 + 0.5)
    }
}

/// What a feature is called from where the position is looked at.
#[derive(Clone, Debug)]
struct Views {
    /// By the mover, by the other side; each plain and mirrored.
    tables: [[Vec<u16>; 2]; 2],
}

/// The active features of a position in both perspectives.
#[derive(Clone, Copy)]
pub(super) struct Seen {
    features: [[u16; MOST_ACTIVE]; 2],
    count: usize,
}

impl Seen {
    pub(super) fn nothing() -> Seen {
        Seen { features: [[0; MOST_ACTIVE]; 2], count: 0 }
    }

    /// The mover's features, then those of the other side.
    #[inline(always)]
    pub(super) fn perspectives(&self) -> [&[u16]; 2] {
        [&self.features[0][..self.count], &self.features[1][..self.count]]
    }
}

impl SampleSet {
    /// No samples yet, of a game with these inputs, for a net with the usual number of buckets.
    pub fn new<I: Inputs>() -> SampleSet {
        SampleSet::with_buckets::<I>(I::SHAPE.buckets)
    }

    /// No samples yet, for a net with one of the numbers of buckets of [`Inputs::BUCKETS`].
    pub fn with_buckets<I: Inputs>(buckets: usize) -> SampleSet {
        let all = || 0..I::SHAPE.count as u16;
        let other: Vec<u16> = all().map(I::seen_by_other).collect();
        let mirrored = |table: &[u16]| table.iter().map(|&feature| I::mirrored(feature)).collect();
        let plain: Vec<u16> = all().collect();
        let tables = [[plain.clone(), mirrored(&plain)], [other.clone(), mirrored(&other)]];
        SampleSet {
            features: Vec::new(),
            ends: Vec::new(),
            labels: Vec::new(),
            views: Views { tables },
            buckets,
            factors: Factors::new(I::SHAPE.count, 0, |_| Vec::new()),
        }
    }

    /// The same set for features that have factors.
    pub fn with_factors(self, factors: Factors) -> SampleSet {
        SampleSet { factors, ..self }
    }

    /// The factors of the features.
    pub fn factors(&self) -> &Factors {
        &self.factors
    }

    /// Takes the labels of samples whose score is further from 0 than that, so that nothing is learnt from them.
    pub fn forget_beyond(&mut self, most: i16) {
        let most = most.unsigned_abs();
        let is_beyond =
            |label: &&mut Label| label.score.is_some_and(|score| score.unsigned_abs() > most);
        for label in self.labels.iter_mut().filter(is_beyond) {
            (label.score, label.result) = (None, None);
        }
    }

    /// Adds a sample whose features `emit` pushes, as the mover sees them.
    ///
    /// # Panics
    ///
    /// If it has too many features, or one that is not of the inputs, or a bucket that is not.
    pub fn push_with(&mut self, label: Label, emit: impl FnOnce(&mut Vec<u16>)) {
        let begin = self.features.len();
        emit(&mut self.features);
        let active = &self.features[begin..];
        assert!(active.len() <= MOST_ACTIVE, "at most {MOST_ACTIVE} features");
        assert!(active.iter().all(|&feature| usize::from(feature) < self.inputs()), "an input");
        assert!(usize::from(label.bucket) < self.buckets, "a bucket of the net");
        self.ends.push(self.features.len() as u64);
        self.labels.push(label);
    }

    /// How many samples there are.
    pub fn len(&self) -> usize {
        self.labels.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.labels.is_empty()
    }

    /// How many inputs the net has.
    pub fn inputs(&self) -> usize {
        self.views.tables[0][0].len()
    }

    /// How many sets of output weights the net has.
    pub fn buckets(&self) -> usize {
        self.buckets
    }

    /// The labels, in the order of the samples.
    pub fn labels(&self) -> &[Label] {
        &self.labels
    }

    /// The features of a sample, as the mover sees them.
    pub fn features(&self, sample: usize) -> &[u16] {
        let begin = sample.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.features[begin as usize..self.ends[sample] as usize]
    }

    /// The features of a sample in both perspectives, as they are or mirrored.
    #[inline]
    pub(super) fn see(&self, sample: usize, is_mirrored: bool, seen: &mut Seen) {
        let features = self.features(sample);
        seen.count = features.len();
        for (perspective, tables) in seen.features.iter_mut().zip(&self.views.tables) {
            let table = &tables[usize::from(is_mirrored)];
            for (place, &feature) in perspective.iter_mut().zip(features) {
                *place = table[usize::from(feature)];
            }
        }
    }

    /// How often each feature occurs in these samples, whoever looks, mirrored or not.
    pub(super) fn occurrences(&self, samples: &[u32]) -> Vec<u64> {
        let mut counts = vec![0; self.inputs()];
        for &sample in samples {
            for &feature in self.features(sample as usize) {
                for table in self.views.tables.iter().flatten() {
                    counts[usize::from(table[usize::from(feature)])] += 1;
                }
            }
        }
        counts
    }

    /// The samples that train, and those that validate; those with nothing to learn from are in neither.
    pub fn split(&self) -> (Vec<u32>, Vec<u32>) {
        let label = |sample: u32| &self.labels[sample as usize];
        let is_told = |label: &Label| label.score.is_some() || label.result.is_some();
        let told = (0..self.len() as u32).filter(|&sample| is_told(label(sample)));
        told.partition(|&sample| !is_validation(GameId(label(sample).game)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_proof_is_certain_whatever_the_game_came_to() {
        let label =
            |score, result| Label { game: 0, weight: 1.0, score: Some(score), bucket: 0, result };
        let target = |score, result| label(score, result).target(0.5, 400.0).expect("a target");
        assert_eq!(target(31_998, Some(-1)), 1.0);
        assert_eq!(target(-31_999, Some(1)), 0.0);
        assert_eq!(target(0, Some(1)), 0.75);
        assert_eq!(target(0, None), 0.5);
    }
}
