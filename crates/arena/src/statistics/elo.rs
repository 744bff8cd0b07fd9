//! Elo differences and expected scores.

use std::f64::consts::LN_10;

/// An Elo difference of 400 is odds of ten to one: so many Elo are odds of e to one.
pub const PER_NAT: f64 = 400.0 / LN_10;

/// Normalized Elo for each standard deviation that the mean score of a game is above ½; for small
/// differences and no unfinished games it then equals Elo (Van den Bergh, "Comments on normalized Elo").
pub const NORMALIZED_PER_DEVIATION: f64 = 800.0 / LN_10;

/// The Elo difference whose expected score is this; none for 0 and 1.
pub fn of_score(score: f64) -> Option<f64> {
    (score > 0.0 && score < 1.0).then(|| PER_NAT * (score / (1.0 - score)).ln())
}

/// The expected score of who is stronger by this Elo difference.
pub fn score_of(elo: f64) -> f64 {
    1.0 / (1.0 + (-elo / PER_NAT).exp())
}
