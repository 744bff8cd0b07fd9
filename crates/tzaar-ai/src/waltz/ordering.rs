use tzaar::{Position, Step};

/// What it is worth to capture a stack, by its height (Veselý 2013, Figure 3.4).
pub(super) const CAPTURED: [i32; 17] =
    [0, 0, 15, 50, 160, 200, 210, 220, 230, 240, 250, 260, 270, 280, 290, 300, 310];

/// How much less for each stack of the captured type.
const EACH_CAPTURED: i32 = 20;

/// How much less a stacking is worth than nothing, and for each stack of the type that moves.
const STACKING: i32 = 6;
const EACH_MOVING: i32 = 3;

/// The second move given up comes last.
const PASS: i32 = -10_000;

/// How good a move looks before it is searched (3.6), the best the highest. The thesis sorts by the opposite; its formula has the
/// signs of captures the other way round than its text and the program.
pub(super) fn ordering_score(position: &Position, step: Step) -> i32 {
    let (board, side) = (position.board(), position.side());
    let count = |side, field| board.count(side, board.kind_at(side, field)) as i32;
    match step {
        Step::Capture { to, .. } => {
            let height = usize::from(board.height(to)).min(CAPTURED.len() - 1);
            CAPTURED[height] - EACH_CAPTURED * count(!side, to)
        }
        Step::Stacking { from, .. } => -(STACKING + EACH_MOVING * count(side, from)),
        Step::Pass => PASS,
        Step::Place { .. } => 0,
    }
}
