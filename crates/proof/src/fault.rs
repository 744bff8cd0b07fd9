use game::{Position, Turns};
use thiserror::Error;

use crate::notation::followed;
use crate::{NodeId, Notation};

/// Why a proof is none, and where.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fault<S> {
    /// The turns that lead there.
    pub path: Vec<Vec<S>>,
    /// The node that is at fault, where it is one.
    pub node: Option<NodeId>,
    /// What is wrong.
    pub kind: FaultKind<S>,
}

/// What can be wrong with a proof.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum FaultKind<S> {
    /// The game is not over, and nothing is said about it.
    #[error("the game is not won yet, and nothing follows")]
    NothingFollows,
    /// Something is said although the game is over.
    #[error("the game is over already")]
    Over,
    /// The other side is to move there, or there is no such node.
    #[error("what follows is not about the side to move")]
    OtherSide,
    /// The strategy has no end.
    #[error("the strategy leads back to itself: each of its nodes must be nearer to the end")]
    Circle,
    /// A turn that the rules do not allow.
    #[error("this turn is not legal")]
    Illegal(Vec<S>),
    /// A turn that should win.
    #[error("this turn should win at once, and does not")]
    DoesNotWin(Vec<S>),
    /// A turn of the winner that repeats too often.
    #[error("this turn would bring about the same position for the third time")]
    ThirdTime(Vec<S>),
    /// A turn of the loser with no answer.
    #[error("there is no answer to this turn")]
    Unanswered(Vec<S>),
    /// A turn that wins for the loser.
    #[error("this turn wins for the other side")]
    Refuted(Vec<S>),
    /// The loser has no turn, and has not lost by the rules.
    #[error("there is no turn to be played, and the rules do not say who wins")]
    NoTurn,
    /// There are too many ways through the proof.
    #[error("given up after {0} positions: there are too many ways through the proof")]
    TooManyVisits(u64),
    /// The length is not the one claimed.
    #[error("the strategy takes {found} turns, not {claimed} as it says", found = found.0, claimed = claimed.0)]
    Length {
        /// What is claimed.
        claimed: Turns,
        /// What the strategy comes to.
        found: Turns,
    },
}

impl<S: Copy> Fault<S> {
    /// A sentence that names the turns.
    pub fn text<P: Position<Step = S> + Notation>(&self, root: &P) -> String {
        let (position, place) = followed(root, &self.path);
        match self.kind.turn() {
            Some(turn) => format!("{place}{}: {}", position.turn_text(turn), self.kind),
            None => format!("{place}{}", self.kind),
        }
    }
}

impl<S> FaultKind<S> {
    /// The turn that is meant by "this turn".
    pub fn turn(&self) -> Option<&[S]> {
        match self {
            FaultKind::Illegal(turn)
            | FaultKind::DoesNotWin(turn)
            | FaultKind::ThirdTime(turn)
            | FaultKind::Unanswered(turn)
            | FaultKind::Refuted(turn) => Some(turn),
            _ => None,
        }
    }
}
