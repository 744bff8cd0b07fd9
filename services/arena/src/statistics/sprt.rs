//! The sequential probability ratio test: its question, its mathematics, its answer in words, its
//! length.

use std::fmt;

use super::elo;
use super::elo::Sample;

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

/// How often a test may be wrong, and so how much evidence it takes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Risks {
    alpha: f64,
    beta: f64,
}

/// Risks that no test can have.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum RisksError {
    /// A risk is no probability.
    #[error("{name} is {value}: it must be above 0 and below 1, such as 0.05")]
    Range {
        /// `alpha` or `beta`.
        name: &'static str,
        /// What was given for it.
        value: f64,
    },
    /// A coin is as good a test.
    #[error("alpha and beta add up to {0}: their sum must be below 1")]
    Sum(f64),
}

impl Risks {
    /// `alpha`: how often H1 may be accepted where H0 holds; `beta`: how often H0 where H1 holds.
    pub fn new(alpha: f64, beta: f64) -> Result<Risks, RisksError> {
        for (name, value) in [("alpha", alpha), ("beta", beta)] {
            // Normal numbers have a finite inverse, so that the bounds are finite.
            if !(value.is_normal() && value > 0.0 && value < 1.0) {
                return Err(RisksError::Range { name, value });
            }
        }
        let sum = alpha + beta;
        if sum < 1.0 { Ok(Risks { alpha, beta }) } else { Err(RisksError::Sum(sum)) }
    }

    /// How often H1 may be accepted where H0 holds.
    pub fn alpha(&self) -> f64 {
        self.alpha
    }

    /// How often H0 may be accepted where H1 holds.
    pub fn beta(&self) -> f64 {
        self.beta
    }

    /// The log-likelihood ratio at which H0 is accepted (Wald 1945).
    pub fn lower(&self) -> f64 {
        (self.beta / (1.0 - self.alpha)).ln()
    }

    /// The log-likelihood ratio at which H1 is accepted (Wald 1945).
    pub fn upper(&self) -> f64 {
        ((1.0 - self.beta) / self.alpha).ln()
    }
}

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
    pub fn decision(&self, llr: f64) -> Decision {
        if llr >= self.risks.upper() {
            Decision::AcceptsH1
        } else if llr <= self.risks.lower() {
            Decision::AcceptsH0
        } else {
            Decision::GoesOn
        }
    }

    /// How many games the test takes, if they scatter like those of the sample.
    pub fn expected_games(&self, sample: &Sample) -> ExpectedGames {
        ExpectedGames::of(self, sample)
    }
}

/// What a test says of the games so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    /// The difference is at most `elo0`, as far as the test tells; it is over.
    AcceptsH0,
    /// The difference is at least `elo1`, as far as the test tells; it is over.
    AcceptsH1,
    /// More games are needed.
    GoesOn,
}

impl fmt::Display for Decision {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            Decision::AcceptsH0 => "accepts H0",
            Decision::AcceptsH1 => "accepts H1",
            Decision::GoesOn => "goes on",
        })
    }
}

impl Sprt {
    /// What the test says at this log-likelihood ratio, as a sentence.
    pub fn sentence(&self, llr: f64) -> String {
        let (h0, h1) = (self.h0(), self.h1());
        match self.decision(llr) {
            Decision::AcceptsH1 => {
                let claim = self.above(self.hypotheses.elo0());
                let risk = percent(self.risks.alpha());
                format!(
                    "{claim}: H1 ({h1}) accepted; if {h0}, at most {risk} of tests would say so"
                )
            }
            Decision::AcceptsH0 => {
                let claim = self.below(self.hypotheses.elo1());
                let risk = percent(self.risks.beta());
                format!(
                    "{claim}: H0 ({h0}) accepted; if {h1}, at most {risk} of tests would say so"
                )
            }
            Decision::GoesOn => self.progress(llr),
        }
    }

    /// H0 in signs, such as `elo ≤ 0`.
    pub fn h0(&self) -> String {
        format!("{} ≤ {}", self.unit(), self.hypotheses.elo0())
    }

    /// H1 in signs, such as `elo ≥ 5`.
    pub fn h1(&self) -> String {
        format!("{} ≥ {}", self.unit(), self.hypotheses.elo1())
    }

    fn progress(&self, llr: f64) -> String {
        let (bound, name, hypothesis) = if llr < 0.0 {
            (self.risks.lower(), "H0", self.h0())
        } else {
            (self.risks.upper(), "H1", self.h1())
        };
        let way = percent((100.0 * llr / bound).round() / 100.0);
        format!("Not decided, play on: {way} of the way to {name} ({hypothesis})")
    }

    /// What it means that the difference is above this.
    fn above(&self, elo: f64) -> String {
        let unit = self.unit();
        if elo == 0.0 {
            "A is stronger than B".to_owned()
        } else if elo > 0.0 {
            format!("A is stronger than B by more than {elo} {unit}")
        } else {
            format!("A is not weaker than B by {} {unit} or more", -elo)
        }
    }

    /// What it means that the difference is below this.
    fn below(&self, elo: f64) -> String {
        let unit = self.unit();
        if elo == 0.0 {
            "A is weaker than B".to_owned()
        } else if elo > 0.0 {
            format!("A is not stronger than B by {elo} {unit} or more")
        } else {
            format!("A is weaker than B by more than {} {unit}", -elo)
        }
    }

    fn unit(&self) -> &'static str {
        match self.hypotheses.scale() {
            Scale::Logistic => "elo",
            Scale::Normalized => "nelo",
        }
    }
}

/// A share in percent, without digits that say nothing.
fn percent(share: f64) -> String {
    format!("{} %", (share * 1e6).round() / 1e4)
}

/// Scores from 0 to 1 at equal distances, and how likely each is.
#[derive(Clone, Debug)]
pub struct Distribution {
    probabilities: Vec<f64>,
}

impl Distribution {
    pub fn new(probabilities: impl Iterator<Item = f64>) -> Distribution {
        Distribution { probabilities: probabilities.collect() }
    }

    /// The least and the greatest score alone, with a mean so many standard deviations above ½.
    fn of_extremes(size: usize, deviations: f64) -> Distribution {
        let above_half = deviations / (2.0 * (1.0 + deviations * deviations).sqrt());
        let mut probabilities = vec![0.0; size];
        probabilities[0] = 0.5 - above_half;
        probabilities[size - 1] = 0.5 + above_half;
        Distribution { probabilities }
    }

    pub fn mean(&self) -> f64 {
        self.expect(|score| score)
    }

    pub fn variance(&self) -> f64 {
        self.square_about(self.mean())
    }

    /// The mean square of the distance to a score.
    pub fn square_about(&self, middle: f64) -> f64 {
        self.expect(|score| (score - middle).powi(2))
    }

    /// The mean of a function of the score.
    fn expect(&self, f: impl Fn(f64) -> f64) -> f64 {
        self.weighted_scores().map(|(score, probability)| probability * f(score)).sum()
    }

    fn weighted_scores(&self) -> impl Iterator<Item = (f64, f64)> {
        let most = (self.probabilities.len() - 1) as f64;
        let scores = (0..).map(move |index| f64::from(index) / most);
        scores.zip(self.probabilities.iter().copied())
    }

    /// The mean logarithm of how much likelier `b` holds a score than `a` does.
    pub fn log_ratio(&self, b: &Distribution, a: &Distribution) -> f64 {
        let ratios = b.probabilities.iter().zip(&a.probabilities).map(|(b, a)| (b / a).ln());
        self.probabilities.iter().zip(ratios).map(|(probability, ratio)| probability * ratio).sum()
    }

    /// Among the distributions with this mean, the one under which what was observed is likeliest
    /// (Van den Bergh, cantate.be/Fishtest/support_MLE_multinomial.pdf, proposition 1.1).
    pub fn likeliest_with_mean(&self, mean: f64) -> Option<Distribution> {
        self.likeliest_balancing(&self.map_scores(|score| score - mean))
    }

    /// Among the distributions whose mean is `deviations` standard deviations above ½, the one under
    /// which what was observed is likeliest (Van den Bergh, "Comments on normalized Elo", section
    /// 4.1: the condition is not linear; it is made so about the last distribution, again and again).
    /// The first one meets the condition: from a uniform one, as others take, nothing is found if
    /// that is far off.
    pub fn likeliest_with_deviations(&self, deviations: f64) -> Option<Distribution> {
        let mut likeliest = Distribution::of_extremes(self.probabilities.len(), deviations);
        for _ in 0..ROUNDS {
            let mean = likeliest.mean();
            let variance = likeliest.variance();
            let about = |score: f64| (1.0 + (score - mean).powi(2) / variance) / 2.0;
            let excess = |score| score - 0.5 - deviations * variance.sqrt() * about(score);
            let next = self.likeliest_balancing(&self.map_scores(excess))?;
            let change = next.distance(&likeliest);
            likeliest = next;
            if change < CLOSE {
                return Some(likeliest);
            }
        }
        None
    }

    /// Among the distributions under which these values are 0 in the mean, the likeliest: it divides
    /// the observed probabilities by `1 + multiplier · value`. None if all values have one sign.
    fn likeliest_balancing(&self, values: &[f64]) -> Option<Distribution> {
        let multiplier = self.multiplier(values)?;
        let divided = self.probabilities.iter().zip(values);
        Some(Distribution::new(
            divided.map(|(probability, value)| probability / (1.0 + multiplier * value)),
        ))
    }

    /// Solves Σ probability · value / (1 + multiplier · value) = 0, whose left side falls from
    /// infinity to minus infinity between two poles.
    fn multiplier(&self, values: &[f64]) -> Option<f64> {
        let least = values.iter().copied().fold(f64::INFINITY, f64::min);
        let most = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        if least >= 0.0 || most <= 0.0 {
            return None;
        }
        let mut low = -INSIDE / most;
        let mut high = -INSIDE / least;
        for _ in 0..HALVINGS {
            let middle = (low + high) / 2.0;
            let terms = self.probabilities.iter().zip(values);
            let sum: f64 = terms.map(|(p, value)| p * value / (1.0 + middle * value)).sum();
            *(if sum > 0.0 { &mut low } else { &mut high }) = middle;
        }
        Some((low + high) / 2.0)
    }

    fn map_scores(&self, f: impl Fn(f64) -> f64) -> Vec<f64> {
        self.weighted_scores().map(|(score, _)| f(score)).collect()
    }

    fn distance(&self, other: &Distribution) -> f64 {
        let pairs = self.probabilities.iter().zip(&other.probabilities);
        pairs.map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
    }
}

/// Where the hypothesis is far from what was observed, it takes a hundred and more (fishtest stops after 10).
const ROUNDS: usize = 2000;

/// When two distributions count as the same: fishtest's value.
const CLOSE: f64 = 1e-9;

/// How near a pole the multiplier may come, so that no divisor is rounded to nothing.
const INSIDE: f64 = 1.0 - 1e-12;

/// As many as the digits of a number allow.
const HALVINGS: usize = 64;

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

#[cfg(test)]
mod tests {
    use super::*;

    fn sprt(elo0: f64, elo1: f64) -> Sprt {
        Sprt {
            hypotheses: Hypotheses::new(elo0, elo1, Scale::Logistic).expect("in order"),
            risks: Risks::new(0.05, 0.1).expect("risks"),
        }
    }

    #[test]
    fn a_decision_says_who_is_stronger_and_how_sure_it_is() {
        assert_eq!(
            sprt(0.0, 5.0).sentence(2.9),
            "A is stronger than B: H1 (elo ≥ 5) accepted; if elo ≤ 0, at most 5 % of tests would say so"
        );
        assert_eq!(
            sprt(-5.0, 0.0).sentence(-2.3),
            "A is weaker than B: H0 (elo ≤ -5) accepted; if elo ≥ 0, at most 10 % of tests would say so"
        );
        let begins =
            |sentence: String, claim: &str| assert!(sentence.starts_with(claim), "{sentence}");
        begins(
            sprt(2.5, 5.0).sentence(9.0),
            "A is stronger than B by more than 2.5 elo: H1 (elo ≥ 5)",
        );
        begins(
            sprt(-3.0, 1.0).sentence(9.0),
            "A is not weaker than B by 3 elo or more: H1 (elo ≥ 1)",
        );
        begins(
            sprt(0.0, 5.0).sentence(-9.0),
            "A is not stronger than B by 5 elo or more: H0 (elo ≤ 0)",
        );
        begins(
            sprt(-9.0, -3.0).sentence(-9.0),
            "A is weaker than B by more than 3 elo: H0 (elo ≤ -9)",
        );
    }

    #[test]
    fn an_open_test_says_how_far_it_is() {
        let open = sprt(0.0, 5.0);
        let text = open.sentence(open.risks.upper() / 4.0);
        assert_eq!(text, "Not decided, play on: 25 % of the way to H1 (elo ≥ 5)");
        let text = open.sentence(open.risks.lower() / 2.0);
        assert_eq!(text, "Not decided, play on: 50 % of the way to H0 (elo ≤ 0)");
    }
}
