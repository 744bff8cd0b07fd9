//! The sequential probability ratio test.

use super::{ExpectedGames, Hypotheses, Risks, Sample, Scale, Verdict};

/// A test that says, after each game or pair of games, whether the match is decided.
///
/// How likely the results are is compared under H0 and under H1; once the logarithm of the ratio (the
/// llr) leaves the bounds of the [`Risks`], the likelier hypothesis is accepted. The hypotheses leave
/// open how the points come about (wins, unfinished games, pairs): each takes what suits the results
/// best, which makes the test a generalized one (GSPRT), as fishtest, fastchess and OpenBench run it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sprt {
    /// What it decides between.
    pub hypotheses: Hypotheses,
    /// How often it may be wrong.
    pub risks: Risks,
}

impl Sprt {
    /// The log-likelihood ratio of H1 to H0; 0 without games.
    ///
    /// Should the exact one not be found, it is [`Sprt::approximate_llr`].
    pub fn llr(&self, sample: &Sample) -> f64 {
        self.exact_llr(sample).unwrap_or_else(|| self.approximate_llr(sample))
    }

    /// `LLR_logistic` and `LLR_normalized` of fishtest's `LLRcalc.py`.
    pub(super) fn exact_llr(&self, sample: &Sample) -> Option<f64> {
        let sample = sample.regular()?;
        let observed = sample.distribution()?;
        let [h0, h1] = match self.hypotheses.scale() {
            Scale::Logistic => {
                self.hypotheses.scores().map(|mean| observed.likeliest_with_mean(mean))
            }
            Scale::Normalized => self.hypotheses.deviations().map(|deviations| {
                observed.likeliest_with_deviations(deviations * sample.games_each().sqrt())
            }),
        };
        let llr = sample.observations() * observed.log_ratio(&h1?, &h0?);
        llr.is_finite().then_some(llr)
    }

    /// A log-likelihood ratio from the mean and the variance alone, for small differences nearly the
    /// same; 0 without games.
    ///
    /// In Elo it is `LLR_alt2` of fishtest's `LLRcalc.py` (Van den Bergh, "A practical introduction to
    /// the GSPRT"), in normalized Elo `LLR_normalized_alt` ("Comments on normalized Elo", section 4.2).
    pub fn approximate_llr(&self, sample: &Sample) -> f64 {
        sample.regular().and_then(|sample| self.llr_of_moments(&sample)).unwrap_or(0.0)
    }

    fn llr_of_moments(&self, sample: &Sample) -> Option<f64> {
        let observed = sample.distribution()?;
        let variance = observed.variance() * sample.games_each();
        let llr = match self.hypotheses.scale() {
            Scale::Logistic => {
                let [h0, h1] = self.hypotheses.scores();
                let beyond = observed.mean() - (h0 + h1) / 2.0;
                sample.games() * (h1 - h0) * beyond / variance
            }
            Scale::Normalized => {
                let above = (observed.mean() - 0.5) / variance.sqrt();
                let [off0, off1] = self.hypotheses.deviations().map(|h| 1.0 + (above - h).powi(2));
                sample.games() / 2.0 * (off0 / off1).ln()
            }
        };
        llr.is_finite().then_some(llr)
    }

    /// Whether a log-likelihood ratio decides.
    pub fn verdict(&self, llr: f64) -> Verdict {
        if llr >= self.risks.upper() {
            Verdict::AcceptsH1
        } else if llr <= self.risks.lower() {
            Verdict::AcceptsH0
        } else {
            Verdict::GoesOn
        }
    }

    /// How many games the test takes, if they scatter like those of the sample.
    pub fn expected_games(&self, sample: &Sample) -> ExpectedGames {
        ExpectedGames::of(self, sample)
    }
}
