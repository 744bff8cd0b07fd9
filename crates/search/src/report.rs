use std::time::Duration;

use game::{Proof, Score, Steps};

/// What a search knows so far, or in the end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Report<Step> {
    /// The depth that was completed, in steps.
    pub depth: Steps,
    /// How the side to move stands.
    pub verdict: Verdict,
    /// The steps that both sides are expected to play.
    pub line: Vec<Step>,
    /// How many positions were entered.
    pub nodes: u64,
    /// Since the search began.
    pub time: Duration,
}

/// How the side to move stands: by estimate, or for certain.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// An estimate.
    Score(Score),
    /// A certain result.
    Proof(Proof),
}
