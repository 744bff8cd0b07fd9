use std::fmt;
use std::ops::Neg;

/// An estimate for the side to move, in hundredths of the game's smallest piece.
///
/// It is negated when the side to move changes, and only then; a forced win is a [`crate::Proof`],
/// never a large score.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Score(pub i32);

impl Neg for Score {
    type Output = Score;

    fn neg(self) -> Score {
        Score(-self.0)
    }
}

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{:+}", self.0)
    }
}
