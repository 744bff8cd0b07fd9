//! Matches, tournaments, test suites, ratings, the store of results.

mod statistics;

pub use crate::statistics::{
    Anchor, Contestant, Crosstable, Estimate, ExpectedGames, GameScore, Hypotheses,
    HypothesesError, Measured, Pairs, Prior, Rating, Ratings, RatingsError, Risks, RisksError,
    Sample, Scale, Sprt, Tally, Unfinished, Verdict,
};
