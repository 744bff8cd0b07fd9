use arimaa::Board;

/// How far a game has come, by how many of the 32 pieces are still on the board (Kozelek 2009, 4.6). Where a stage
/// ends is ours: with a quarter of the pieces lost, and with half of them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stage {
    /// At least 25 pieces.
    Beginning,
    /// At least 17.
    Middle,
    /// Fewer.
    End,
}

impl Stage {
    /// The stage of a board.
    #[inline]
    pub fn of(board: &Board) -> Stage {
        match board.occupied().len() {
            25.. => Stage::Beginning,
            17.. => Stage::Middle,
            _ => Stage::End,
        }
    }
}
