//! What results of games say about strength.
//!
//! Games one by one are counted by a [`Tally`], pairs of games from one opening, with the sides
//! exchanged, by [`Pairs`]. Either gives a [`Sample`], of which an [`Estimate`] tells the Elo and its
//! error, and an [`Sprt`] whether a match is decided. A [`Crosstable`] gives [`Ratings`].
//!
//! The formulas are those of fastchess, cutechess and fishtest; the tests hold the figures they print.

mod crosstable;
mod distribution;
mod elo;
mod estimate;
mod expected_games;
mod game_score;
mod hypotheses;
mod matrix;
mod normal;
mod pairs;
mod ratings;
mod risks;
mod sample;
mod sentence;
mod sprt;
mod strengths;
mod tally;
mod verdict;

#[cfg(test)]
mod properties;
#[cfg(test)]
mod published;

pub use self::crosstable::{Crosstable, Entrant};
pub use self::estimate::{Estimate, Measured};
pub use self::expected_games::ExpectedGames;
pub use self::game_score::{GameScore, Unfinished};
pub use self::hypotheses::{Hypotheses, HypothesesError, Scale};
pub use self::pairs::Pairs;
pub use self::ratings::{Anchor, Prior, Rating, Ratings, RatingsError};
pub use self::risks::{Risks, RisksError};
pub use self::sample::Sample;
pub use self::sprt::Sprt;
pub use self::tally::Tally;
pub use self::verdict::Verdict;
