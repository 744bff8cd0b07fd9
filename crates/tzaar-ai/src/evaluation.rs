use game::{Score, Side};
use tzaar::{Board, Kind, Position};

/// Tusk's own evaluation.
#[derive(Clone, Copy, Debug, Default)]
pub struct Evaluation;

impl Evaluation {
    /// An estimate of how the side to move stands.
    pub fn evaluate(&self, position: &Position) -> Score {
        let (board, side) = (position.board(), position.side());
        Score(standing(board, side) - standing(board, !side))
    }
}

fn standing(board: &Board, side: Side) -> i32 {
    let kinds = Kind::ALL.into_iter();
    kinds.map(|kind| board.count(side, kind) as i32 * 10).sum()
}
