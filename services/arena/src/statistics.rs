//! What results of games say about strength.
//!
//! Games one by one are counted by a [`Tally`], pairs of games from one opening, with the sides
//! exchanged, by [`Pairs`]. Either gives a [`Sample`], of which an [`EloEstimate`] tells the Elo and its
//! error, and an [`Sprt`] whether a match is decided. A [`Crosstable`] gives [`Ratings`].
//!
//! The formulas are those of fastchess, cutechess and fishtest; the tests hold the figures they print.

mod elo;
mod ratings;
mod sprt;

#[cfg(test)]
mod properties;
#[cfg(test)]
mod published;

pub use self::elo::{EloEstimate, GameScore, Measured, Pairs, Sample, Tally, Unfinished};
pub use self::ratings::{Anchor, Crosstable, Entrant, Prior, Rating, Ratings, RatingsError};
pub use self::sprt::{
    Decision, ExpectedGames, Hypotheses, HypothesesError, Risks, RisksError, Scale, Sprt,
};
