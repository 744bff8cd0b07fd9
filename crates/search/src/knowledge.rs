use game::{Position, Score};

/// What a search is told about a game, besides its rules. Everything but the estimate can be left out:
/// the search works without, only less well.
pub trait Knowledge<P: Position>: Sync {
    /// Buffers that are kept from one position to the next, one set for each thread.
    type Scratch: Default;

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
    fn few_defences(
        &self,
        _position: &P,
        _scratch: &mut Self::Scratch,
    ) -> Option<Vec<Vec<P::Step>>> {
        None
    }

    /// How promising a step looks before it is searched; higher is better.
    fn promise(&self, _position: &P, _step: P::Step) -> i32 {
        0
    }

    /// The position after the side to move has given up its whole turn, at its start. That need not
    /// be legal: a search asks whether even that would be good enough.
    fn without_turn(&self, _position: &P) -> Option<P> {
        None
    }
}
