//! What a match says about the strength of a player.

use super::normal::{WITHIN_95, below};
use super::{Sample, elo};

/// An estimate of A's strength compared with B's.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// A's points as a fraction of all points.
    pub score: f64,
    /// The Elo difference whose expected score this is; none where one side has all points.
    pub elo: Option<Measured>,
    /// The normalized Elo difference: by how many standard deviations of a game's score the mean is
    /// above ½, times 800 / ln 10. None where all observations are alike.
    pub nelo: Option<Measured>,
    /// The likelihood of superiority: how likely A is stronger, given the games and no other opinion.
    pub los: f64,
}

/// A number and how far off it may be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Measured {
    /// The estimate.
    pub value: f64,
    /// The truth is within this distance in 95 % of cases; none where the interval has no bounds, or
    /// all observations are alike.
    pub error: Option<f64>,
}

impl Estimate {
    /// The estimate from a sample; none without games.
    ///
    /// The formulas are fastchess's (`elo_wdl.cpp`, `elo_pentanomial.cpp`), and cutechess's for games
    /// one by one: the error is half the width of the interval in Elo that
    /// corresponds to the normal 95 % interval of the mean score.
    pub fn of(sample: &Sample) -> Option<Estimate> {
        let observed = sample.distribution()?;
        let score = observed.mean();
        let of_mean = (observed.variance() / sample.observations()).sqrt();
        let of_game = (observed.variance() * sample.games_each()).sqrt();
        Some(Estimate {
            score,
            elo: elo(score, of_mean),
            nelo: normalized(score, of_game, sample.games()),
            los: superiority(score, of_mean, observed.square_about(0.5) / sample.observations()),
        })
    }
}

fn elo(score: f64, deviation: f64) -> Option<Measured> {
    let value = elo::of_score(score)?;
    let most = elo::of_score(score + WITHIN_95 * deviation);
    let least = elo::of_score(score - WITHIN_95 * deviation);
    let error = most.zip(least).map(|(most, least)| (most - least) / 2.0);
    Some(Measured { value, error: error.filter(|_| deviation > 0.0) })
}

fn normalized(score: f64, deviation: f64, games: f64) -> Option<Measured> {
    let value = (score - 0.5) / deviation * elo::NORMALIZED_PER_DEVIATION;
    let error = WITHIN_95 * elo::NORMALIZED_PER_DEVIATION / games.sqrt();
    (deviation > 0.0).then_some(Measured { value, error: Some(error) })
}

/// Where all observations are alike, their scatter about ½ serves, which is what cutechess takes
/// always: a single win then makes 84 %, not certainty.
fn superiority(score: f64, deviation: f64, square_about_half: f64) -> f64 {
    if score == 0.5 {
        return 0.5;
    }
    let deviation = if deviation > 0.0 { deviation } else { square_about_half.sqrt() };
    below((score - 0.5) / deviation)
}
