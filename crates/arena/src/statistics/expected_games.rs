//! How long an SPRT takes.

use super::{Sample, Scale, Sprt};

/// How many games a test takes in the mean.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ExpectedGames {
    /// If the difference is `elo0`.
    pub under_h0: f64,
    /// If it is halfway between, where a test takes longest.
    pub halfway: f64,
    /// If it is `elo1`.
    pub under_h1: f64,
}

/// The variance of a game's score between equals if no game is unfinished: what is taken before
/// there are results that differ.
const VARIANCE: f64 = 0.25;

impl ExpectedGames {
    /// Wald's approximation (1945), with the llr as a Brownian motion: a game adds `± drift` in the mean
    /// and twice that in variance, where the drift is half the squared distance of the hypotheses
    /// in standard deviations of a game's score (Van den Bergh, "A practical introduction to the
    /// GSPRT").
    pub(super) fn of(sprt: &Sprt, sample: &Sample) -> ExpectedGames {
        let drift = distance(sprt, sample).powi(2) / 2.0;
        let (lower, upper) = (sprt.risks.lower(), sprt.risks.upper());
        let (alpha, beta) = (sprt.risks.alpha(), sprt.risks.beta());
        ExpectedGames {
            under_h0: -((1.0 - alpha) * lower + alpha * upper) / drift,
            halfway: -lower * upper / (2.0 * drift),
            under_h1: (beta * lower + (1.0 - beta) * upper) / drift,
        }
    }
}

/// How far apart the hypotheses are, in standard deviations of a game's score.
fn distance(sprt: &Sprt, sample: &Sample) -> f64 {
    match sprt.hypotheses.scale() {
        Scale::Normalized => {
            let [h0, h1] = sprt.hypotheses.deviations();
            h1 - h0
        }
        Scale::Logistic => {
            let [h0, h1] = sprt.hypotheses.scores();
            (h1 - h0) / variance(sample, (h0 + h1) / 2.0).sqrt()
        }
    }
}

/// The variance of a game's score if its mean were this: what was observed, about that mean
/// (`LLR_drift_variance_alt2` of fishtest's `LLRcalc.py`).
fn variance(sample: &Sample, mean: f64) -> f64 {
    let observed = sample.distribution().filter(|observed| observed.variance() > 0.0);
    observed.map_or(VARIANCE, |observed| observed.square_about(mean) * sample.games_each())
}
