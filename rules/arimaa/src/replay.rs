use crate::{Board, Turn};

/// The boards that turns leave behind, for many turns from one board.
///
/// Turns in the order of [`crate::TurnGenerator`] begin mostly as the one before did: what they share
/// is not played again.
///
/// ```
/// # use arimaa::{Direction, Position, Replay, Square, Step, Turn};
/// let start: Position =
///     "g [rrrrrrrrhdcemcdh                                HDCMECDHRRRRRRRR]".parse().unwrap();
/// let turn = Turn::EMPTY.then(Step::single(Square::E2, Direction::North));
/// let mut replay = Replay::new(start.board());
/// assert!(replay.after(turn).occupied().has(Square::E3));
/// ```
#[derive(Clone, Debug)]
pub struct Replay {
    /// The board before each step of the turn, and after the last.
    boards: [Board; 5],
    turn: Turn,
}

impl Replay {
    /// Starts from a board.
    pub fn new(board: &Board) -> Replay {
        Replay { boards: [*board; 5], turn: Turn::EMPTY }
    }

    /// The board after a legal turn.
    #[inline]
    pub fn after(&mut self, turn: Turn) -> &Board {
        let shared = self.turn.shared_with(turn);
        let mut last = shared;
        for step in turn.steps().skip(shared) {
            let mut board = self.boards[last];
            board.play(step, &mut ());
            last += 1;
            self.boards[last] = board;
        }
        self.turn = turn;
        &self.boards[last]
    }
}
