use game::{Position, Score, Steps};

use crate::Turns;

/// What a search is told about a game, besides its rules. Everything but the estimate and the length
/// of a turn can be left out: the search works without, only less well.
pub trait Knowledge<P: Position>: Sync {
    /// Buffers that are kept from one position to the next, one set for each thread.
    type Scratch: Default;

    /// What the steps of a whole turn cost.
    const WHOLE_TURN: Steps;

    /// An estimate of how the side to move stands.
    fn evaluate(&self, position: &P, scratch: &mut Self::Scratch) -> Score;

    /// The steps with which the side to move wins before its turn is over, if that can be seen
    /// without a search.
    fn winning_steps(&self, _position: &P) -> Option<Vec<P::Step>> {
        None
    }

    /// Whether there are such steps.
    fn wins(&self, position: &P) -> bool {
        self.winning_steps(position).is_some()
    }

    /// Whether the other side would win with its next turn if the board stayed as it is.
    fn is_threatened(&self, _position: &P) -> bool {
        false
    }

    /// Of a threatened position at the start of a turn: whether there is a turn after which the other
    /// side does not win with its next one.
    fn has_defence(&self, _position: &P, _scratch: &mut Self::Scratch) -> bool {
        true
    }

    /// All such turns, if they are few; each ends the turn.
    fn few_defences(&self, _position: &P, _scratch: &mut Self::Scratch) -> Option<Turns<P::Step>> {
        None
    }

    /// The ways to end the turn that change much at once, such as captures: what a search still
    /// looks at where its depth is used up.
    fn loud_turns(&self, _position: &P, _scratch: &mut Self::Scratch) -> Turns<P::Step> {
        Turns::new()
    }

    /// How much there is to be done before the side to move has won, and before the other has, in
    /// a position that is not searched yet: roughly how many positions are to be proved.
    fn outlook(&self, _position: &P, _scratch: &mut Self::Scratch) -> (u32, u32) {
        (1, 1)
    }

    /// How promising a step looks before it is searched; higher is better.
    fn promise(&self, _position: &P, _step: P::Step) -> i32 {
        0
    }

    /// Whether a step changes little: where it is late in the order, it may be searched less deep, and where
    /// much is missing, not at all.
    fn is_quiet(&self, position: &P, step: P::Step) -> bool {
        self.promise(position, step) <= 0
    }

    /// Whether another step, for which this is not said, leads to the same position but for a symmetry of the
    /// board: one of them is enough.
    fn has_twin(&self, _position: &P, _step: P::Step) -> bool {
        false
    }

    /// Whether `second` takes back `first`, when they are played one after the other in the same turn,
    /// from the position `before` both.
    fn undoes(&self, _before: &P, _first: P::Step, _second: P::Step) -> bool {
        false
    }

    /// Whether `second` needs `first` before it, or would do something else without: both are parts
    /// of a step combo (Zhong 2005, 4.3.1). If not, the board is the same in whichever order they are
    /// played.
    fn follows(&self, _before: &P, _first: P::Step, _second: P::Step) -> bool {
        true
    }

    /// Whether the other side can bring back the board at the `start` of a turn with no more steps
    /// than the turn has used, if it ends with the step `last` from the position `before` it.
    fn is_reversible(&self, _start: &P, _before: &P, _last: P::Step) -> bool {
        false
    }

    /// The position after the side to move has given up its whole turn, at its start. That need not
    /// be legal: a search asks whether even that would be good enough.
    fn without_turn(&self, _position: &P) -> Option<P> {
        None
    }
}
