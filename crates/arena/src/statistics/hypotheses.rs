//! What an SPRT decides between.

use super::elo;

/// The scale of hypotheses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Scale {
    /// Elo: what the expected score tells.
    #[default]
    Logistic,
    /// Normalized Elo: how soon games tell it; so that a test takes as many games whatever the share
    /// of unfinished games is.
    Normalized,
}

/// Two differences in strength between which a test decides: H0, at most `elo0`, and H1, at least
/// `elo1`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hypotheses {
    elo0: f64,
    elo1: f64,
    scale: Scale,
}

/// Hypotheses that are none.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum HypothesesError {
    /// H0 is not below H1.
    #[error("elo0 is {0} and elo1 is {1}: elo0 must be below elo1")]
    Order(f64, f64),
    /// A difference is too large.
    #[error("{0} is no difference to test: write a number from -{most} to {most}", most = Hypotheses::MOST)]
    Range(f64),
}

impl Hypotheses {
    /// The largest difference: a score of 99.7 %, or 2.9 standard deviations. More, and nothing but
    /// a lost game would count.
    pub const MOST: f64 = 1000.0;

    /// Hypotheses on a scale.
    pub fn new(elo0: f64, elo1: f64, scale: Scale) -> Result<Hypotheses, HypothesesError> {
        let range = -Hypotheses::MOST..=Hypotheses::MOST;
        match [elo0, elo1].into_iter().find(|elo| !range.contains(elo)) {
            Some(elo) => Err(HypothesesError::Range(elo)),
            None if elo0 >= elo1 => Err(HypothesesError::Order(elo0, elo1)),
            None => Ok(Hypotheses { elo0, elo1, scale }),
        }
    }

    /// The most that H0 allows.
    pub fn elo0(&self) -> f64 {
        self.elo0
    }

    /// The least that H1 demands.
    pub fn elo1(&self) -> f64 {
        self.elo1
    }

    /// The scale of both.
    pub fn scale(&self) -> Scale {
        self.scale
    }

    /// Hypotheses in Elo, as mean scores.
    pub(super) fn scores(&self) -> [f64; 2] {
        [self.elo0, self.elo1].map(elo::score_of)
    }

    /// Hypotheses in normalized Elo, as standard deviations of a game's score above ½.
    pub(super) fn deviations(&self) -> [f64; 2] {
        [self.elo0, self.elo1].map(|elo| elo / elo::NORMALIZED_PER_DEVIATION)
    }
}
