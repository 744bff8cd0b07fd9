use tzaar::{Position, Step};

/// In which order moves are tried: high stacks and rare types are captured first. The method and its constants, here by
/// their names, are those of Veselý 2013 (3.6 and Tables 4.2 to 4.4).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MoveOrdering {
    /// How much less a stacking is worth than nothing.
    pub stack_bonus: i32,
    /// And how much less for each stack of the type that moves.
    pub stack_count_mult: i32,
    /// How much less a capture is worth for each stack of the captured type.
    pub capture_count_mult: i32,
}

impl Default for MoveOrdering {
    fn default() -> MoveOrdering {
        MoveOrdering { stack_bonus: 6, stack_count_mult: 3, capture_count_mult: 20 }
    }
}

/// The second move given up comes last.
const PASS: i32 = -10_000;

impl MoveOrdering {
    /// What it is worth to capture a stack, by its height (Veselý 2013, Figure 3.4).
    pub const CAPTURED: [i32; 17] =
        [0, 0, 15, 50, 160, 200, 210, 220, 230, 240, 250, 260, 270, 280, 290, 300, 310];

    /// How good a move looks before it is searched (3.6), the best the highest. The thesis sorts by the opposite; its
    /// formula has the signs of captures the other way round than its text and the program.
    #[inline]
    pub fn score(&self, position: &Position, step: Step) -> i32 {
        let (board, side) = (position.board(), position.side());
        let count = |side, field| board.count(side, board.kind_at(side, field)) as i32;
        match step {
            Step::Capture { to, .. } => {
                let height = usize::from(board.height(to)).min(MoveOrdering::CAPTURED.len() - 1);
                MoveOrdering::CAPTURED[height] - self.capture_count_mult * count(!side, to)
            }
            Step::Stacking { from, .. } => {
                -(self.stack_bonus + self.stack_count_mult * count(side, from))
            }
            Step::Pass => PASS,
            Step::Place { .. } => 0,
        }
    }
}
