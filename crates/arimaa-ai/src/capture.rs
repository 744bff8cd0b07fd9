use arimaa::{Board, Piece, Side, Square, Turn};
use arrayvec::ArrayVec;
use game::Steps;

/// An enemy piece that can be captured within a turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Capture {
    /// The piece that is captured.
    pub piece: Piece,
    /// Where it stands before the turn.
    pub square: Square,
    /// The trap that takes it.
    pub trap: Square,
    /// The least steps that do it.
    pub steps: Steps,
    /// Those steps.
    pub turn: Turn,
    /// How many own pieces the turn loses: the fewest, among the turns of that many steps.
    pub lost: usize,
}

/// The captures of a turn, one for each piece and trap.
pub type Captures = ArrayVec<Capture, 64>;

/// What the side can capture if it is to move with that many steps left.
pub fn captures(_board: &Board, _side: Side, _steps: Steps) -> Captures {
    Captures::new()
}
