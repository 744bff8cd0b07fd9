//! What an SPRT says of the games so far.

use std::fmt;

/// What a test says of the games so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The difference is at most `elo0`, as far as the test tells; it is over.
    AcceptsH0,
    /// The difference is at least `elo1`, as far as the test tells; it is over.
    AcceptsH1,
    /// More games are needed.
    GoesOn,
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            Verdict::AcceptsH0 => "accepts H0",
            Verdict::AcceptsH1 => "accepts H1",
            Verdict::GoesOn => "goes on",
        })
    }
}
