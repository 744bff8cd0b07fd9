use game::Position as _;
use tzaar::{Field, Fields, Kind, Phase, Position, Step};

/// The moves with which the side to move captures the last stacks of a type before its turn is over, if it
/// can; the fewest for the type that goes first.
///
/// Wins by leaving the enemy without a capture are not looked for.
pub fn win(position: &Position) -> Option<Vec<Step>> {
    let mut win = None;
    find(position, |first, second| win = Some(first.into_iter().chain(second).collect()));
    win
}

/// Whether there are such moves.
pub fn wins(position: &Position) -> bool {
    find(position, |_, _| ())
}

/// Finds such moves and tells them; returns whether there are any.
fn find(position: &Position, mut tell: impl FnMut(Option<Step>, Option<Step>)) -> bool {
    if position.phase() == Phase::Placing {
        return false;
    }
    let (board, enemy) = (position.board(), !position.side());
    let moves = if position.phase() == Phase::First { 2 } else { 1 };
    let threatened = Kind::ALL.map(|kind| board.of_kind(enemy, kind));
    for last in threatened.into_iter().filter(|stacks| stacks.len() == 1) {
        if let Some(step) = capture(position, last) {
            tell(Some(step), None);
            return true;
        }
    }
    if moves < 2 {
        return false;
    }
    for stacks in threatened.into_iter().filter(|stacks| stacks.len() <= 2) {
        // Of two, one must go first; for the only one, any capture may open the way.
        let first = if stacks.len() == 2 { stacks } else { Fields::ALL };
        if let Some((first, second)) = two_captures(position, first, stacks) {
            tell(Some(first), Some(second));
            return true;
        }
    }
    false
}

/// A capture of one of these stacks.
fn capture(position: &Position, stacks: Fields) -> Option<Step> {
    let to = (stacks & position.targets()).first()?;
    Some(Step::Capture { from: captor(position, to)?, to })
}

/// A stack that can capture the one on a field.
fn captor(position: &Position, to: Field) -> Option<Field> {
    let (board, own) = (position.board(), position.board().of(position.side()));
    let mut captor = None;
    board.for_each_nearest(to, |from| {
        if own.has(from) && board.height(from) >= board.height(to) {
            captor = Some(from);
        }
    });
    captor
}

/// A capture of one of the `first` stacks, after which one of the `second` can be captured.
fn two_captures(position: &Position, first: Fields, second: Fields) -> Option<(Step, Step)> {
    let (board, own) = (position.board(), position.board().of(position.side()));
    for to in position.targets() & first {
        let mut found = None;
        board.for_each_nearest(to, |from| {
            if found.is_some() || !own.has(from) || board.height(from) < board.height(to) {
                return;
            }
            let step = Step::Capture { from, to };
            let mut after = *position;
            after.play(step);
            // A stack that has captured stands where one of the second stood.
            let left = second & !to.set();
            found = capture(&after, left).map(|next| (step, next));
        });
        if found.is_some() {
            return found;
        }
    }
    None
}
