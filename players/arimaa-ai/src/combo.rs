//! Step combos (Zhong 2005, 4.3.1): steps of a turn that belong together.

use arimaa::{Bitboard, Board, Form, Position, Side, Step, Turn};

/// Whether a step takes back the one before it, both legal one after the other from the position
/// `before`: the board is the same as if neither had been played.
#[inline]
pub fn undoes(before: &Position, first: Step, second: Step) -> bool {
    let is_back = (first.from(), first.to()) == (second.to(), second.from());
    is_back
        && [first, second].iter().all(|step| step.form() == Form::Single)
        && before.board().after(first).after(second) == *before.board()
}

/// Whether a step needs the one before it, both legal one after the other from the position `before`, or
/// would do something else without. A pass belongs to whatever was played.
///
/// ```
/// # use arimaa::{Direction::*, Position, Square, Step};
/// # use arimaa_ai::combo::{follows, undoes};
/// let before: Position = "
///      +-----------------+
///     8| r . . . . . . . |
///     7| . . . . . . . . |
///     6| . . x . . x . . |
///     5| . . . . . . . . |
///     4| . . . . . . . . |
///     3| m C x . . x . . |
///     2| . . H . . . . . |
///     1| R . . . . . . R |
///      +-----------------+
///        a b c d e f g h
/// ".parse().unwrap();
/// let horse = Step::single(Square::C2, West);
/// // The cat beside the camel is frozen until the horse stands beside it.
/// assert!(follows(&before, horse, Step::single(Square::B3, North)));
/// // The rabbit far away is not concerned.
/// assert!(!follows(&before, horse, Step::single(Square::H1, North)));
/// assert!(undoes(&before, horse, Step::single(Square::B2, East)));
/// ```
pub fn follows(before: &Position, first: Step, second: Step) -> bool {
    if second == Step::PASS {
        return true;
    }
    // A step changes what happens two squares away at most: it takes the support of a piece on a trap,
    // and so the friend of another one beside that trap.
    let reach = squares(first).neighbours() | squares(first);
    if !(reach.neighbours() | reach).meets(squares(second)) {
        return false;
    }
    let (board, side) = (before.board(), before.side());
    if !board.allows(side, second) {
        return true;
    }
    let without = board.after(second);
    !without.allows(side, first) || without.after(first) != board.after(first).after(second)
}

fn squares(step: Step) -> Bitboard {
    Turn::EMPTY.then(step).squares()
}

/// A turn by its step combos, the longest first (Zhong 2005, Figure 4.5). Turns of fewer than four steps count as in
/// Table 4.2.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum ComboType {
    /// One combo: 4, or fewer steps that belong together.
    A,
    /// 3 + 1, or 1 + 1.
    B,
    /// 2 + 2, or 2 + 1.
    C,
    /// 2 + 1 + 1, or 1 + 1 + 1.
    D,
    /// 1 + 1 + 1 + 1: no step has to do with another.
    E,
}

impl ComboType {
    /// All of them.
    pub const ALL: [ComboType; 5] =
        [ComboType::A, ComboType::B, ComboType::C, ComboType::D, ComboType::E];

    /// The type of a turn that is legal in the position. A push or a pull is a combo of two steps.
    ///
    /// ```
    /// # use arimaa::{Direction::*, Position, Square, Step, Turn};
    /// # use arimaa_ai::combo::ComboType;
    /// let position: Position =
    ///     "g [rrrrrrrrhdcemcdh                                HDCMECDHRRRRRRRR]".parse().unwrap();
    /// let north = |square| Step::single(square, North);
    /// let of = |steps: &[Step]| {
    ///     let turn = steps.iter().fold(Turn::EMPTY, |turn, &step| turn.then(step));
    ///     ComboType::of(&position, turn)
    /// };
    /// let elephant = [Square::E2, Square::E3, Square::E4].map(north);
    /// assert_eq!(of(&elephant), ComboType::A);
    /// // The order of combos does not matter.
    /// assert_eq!(of(&[elephant[0], north(Square::A2), elephant[1], elephant[2]]), ComboType::B);
    /// assert_eq!(of(&[Square::A2, Square::B2, Square::G2, Square::H2].map(north)), ComboType::E);
    /// // A rabbit goes where a horse has stood.
    /// assert_eq!(of(&[Square::A2, Square::A1, Square::H2].map(north)), ComboType::C);
    /// ```
    pub fn of(position: &Position, turn: Turn) -> ComboType {
        let mut lengths: Vec<u8> = combos(position, turn)
            .iter()
            .map(|combo| combo.iter().map(|(_, step)| step.cost().0).sum())
            .collect();
        lengths.sort_unstable_by(|one, other| other.cmp(one));
        match lengths.as_slice() {
            [] | [_] => ComboType::A,
            [3, 1] | [1, 1] => ComboType::B,
            [_, _] => ComboType::C,
            [_, _, _] => ComboType::D,
            _ => ComboType::E,
        }
    }
}

/// Steps that belong together, each with its number in the turn.
type Combo = Vec<(usize, Step)>;

/// The step combos of a turn: each step joins those combos before it that it cannot be played without.
fn combos(position: &Position, turn: Turn) -> Vec<Combo> {
    let (start, side) = (position.board(), position.side());
    let mut combos: Vec<Combo> = Vec::new();
    let mut board = *start;
    for (number, step) in turn.steps().enumerate() {
        board = board.after(step);
        // A combo that can as well be played after the step has nothing to do with it.
        let can_wait = |combo: &Combo| {
            let others = combos.iter().filter(|&other| other != combo).flatten();
            let mut before: Combo = others.copied().collect();
            before.sort_unstable_by_key(|&(number, _)| number);
            before.push((number, step));
            let steps = before.iter().chain(combo).map(|&(_, step)| step);
            played(*start, side, steps) == Some(board)
        };
        let waits: Vec<bool> = combos.iter().map(can_wait).collect();
        let mut joined: Combo = vec![(number, step)];
        for (index, _) in waits.iter().enumerate().rev().filter(|(_, waits)| !**waits) {
            joined.extend(combos.remove(index));
        }
        joined.sort_unstable_by_key(|&(number, _)| number);
        combos.push(joined);
    }
    combos
}

/// The board after some steps, if they are legal.
fn played(mut board: Board, side: Side, steps: impl Iterator<Item = Step>) -> Option<Board> {
    for step in steps {
        if !board.allows(side, step) {
            return None;
        }
        board = board.after(step);
    }
    Some(board)
}
