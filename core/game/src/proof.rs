use std::fmt;
use std::ops::Neg;

use crate::{Side, Turns};

/// A result that is certain, for the side to move.
///
/// The number counts the winner's own turns: a win in 2 is a turn, any reply, and a winning turn.
/// It is the length of the proof that was found, hence an upper bound.
///
/// ```
/// # use game::{Proof, Turns};
/// let win = Proof::Win(Turns(2));
/// assert_eq!(win.to_string(), "win in 2");
/// assert_eq!(-win, Proof::Loss(Turns(2)));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Proof {
    /// The side to move wins.
    Win(Turns),
    /// The other side wins.
    Loss(Turns),
}

impl Proof {
    /// Who wins, if this is what is certain for the side to move.
    pub fn winner(self, mover: Side) -> Side {
        match self {
            Proof::Win(_) => mover,
            Proof::Loss(_) => !mover,
        }
    }
}

impl Neg for Proof {
    type Output = Proof;

    /// The same result in the eyes of the other side.
    fn neg(self) -> Proof {
        match self {
            Proof::Win(turns) => Proof::Loss(turns),
            Proof::Loss(turns) => Proof::Win(turns),
        }
    }
}

impl fmt::Display for Proof {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Proof::Win(turns) => write!(f, "win in {turns}"),
            Proof::Loss(turns) => write!(f, "loss in {turns}"),
        }
    }
}
