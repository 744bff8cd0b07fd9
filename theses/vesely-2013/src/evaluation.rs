use game::Side;
use tzaar::{Board, Field, Fields, Kind, Position};

/// Higher stacks are worth as much as the last one listed.
const HEIGHTS: usize = 15;

/// What a stack is worth by its height (Figure 3.2), to be multiplied by [`COUNT`].
pub(crate) const HEIGHT: [i32; HEIGHTS] =
    [0, 10, 100, 150, 155, 160, 160, 160, 160, 150, 140, 130, 100, 90, 60];

/// The same for the beginner.
const HEIGHT_FOR_BEGINNER: [i32; HEIGHTS] =
    [0, 10, 50, 110, 180, 250, 300, 350, 400, 450, 500, 550, 600, 650, 700];

/// What a stack is worth by how many of its side show its type (Figure 3.3).
pub(crate) const COUNT: [i32; 16] = [0, 100, 90, 60, 30, 20, 15, 10, 8, 6, 5, 4, 3, 2, 1, 1];

/// What it is worth to a stack of two to stand on a field, or to a higher one; for a single piece it is nothing.
static PLACE: [[i32; Field::COUNT]; 2] = [places(-10), places(-30)];

const fn places(outer_corner: i32) -> [i32; Field::COUNT] {
    /// So often the field counts beside the height.
    const WEIGHT: i32 = 3;
    let mut values = [0; Field::COUNT];
    let mut index = 0;
    while index < Field::COUNT {
        if let Some(field) = Field::new(index) {
            let value = match (field.ring(), field.is_corner()) {
                (0, true) => outer_corner,
                (0, false) => 0,
                (1, true) => 10,
                (1, false) => 15,
                (2, true) => 18,
                (2, false) => 25,
                _ => 16,
            };
            values[index] = WEIGHT * value;
        }
        index += 1;
    }
    values
}

/// A type of which a stack is higher than all of the enemy's.
const SECURE: i32 = 25_000;

/// All three types are secure, besides what each of them is worth.
const ALL_SECURE: i32 = 500_000;

/// Every type has a stack of two or more.
const ALL_HIGH: i32 = 100_000;

/// The enemy can capture no more than [`FEW`] stacks.
const FEW_CAPTURES: i32 = 100_000;
const FEW: usize = 4;

/// All stacks of an enemy's type can be captured, and there are no more than two: by how many fewer than three.
const THREAT: i32 = 1_000;

/// So many times that, if the one who threatens is to move.
const AT_ONCE: i32 = 20_000;

/// The value for the side to move.
///
/// The program's table says "all three" beside "each": here the one is added to the other, as the text of 3.5
/// reads.
pub(crate) fn of_expert(position: &Position) -> i32 {
    let mover = position.side();
    let standing =
        |side| -> i32 { terms_of_expert(position, side).iter().map(|term| term.1).sum() };
    standing(mover) - standing(!mover)
}

/// What each term is worth to a side.
#[inline(always)]
pub(crate) fn terms_of_expert(position: &Position, side: Side) -> [(&'static str, i32); 4] {
    let board = position.board();
    let urgency = if side == position.side() { AT_ONCE } else { 1 };
    [
        ("stacks", stacks(board, side, &HEIGHT)),
        ("heights", heights(board, side)),
        ("captures", captures(board, side)),
        ("threats", threats(board, side) * urgency),
    ]
}

/// What the stacks are worth, and nothing else (3.7).
pub(crate) fn of_beginner(position: &Position) -> i32 {
    let mover = position.side();
    let worth = |side| terms_of_beginner(position, side)[0].1;
    worth(mover) - worth(!mover)
}

/// The one term of the beginner.
pub(crate) fn terms_of_beginner(position: &Position, side: Side) -> [(&'static str, i32); 1] {
    [("stacks", stacks(position.board(), side, &HEIGHT_FOR_BEGINNER))]
}

fn stacks(board: &Board, side: Side, by_height: &[i32; HEIGHTS]) -> i32 {
    let of_kind = |kind: Kind| {
        let stacks = board.of_kind(side, kind);
        let high = stacks & board.high();
        let singles = (stacks.len() - high.len()) as i32;
        let (mut worth, mut places) = (by_height[1] * singles, 0);
        for field in high {
            let height = usize::from(board.height(field));
            worth += by_height[height.min(HEIGHTS - 1)];
            places += PLACE[usize::from(height > 2)][field.index()];
        }
        worth * COUNT[stacks.len()] + places
    };
    Kind::ALL.into_iter().map(of_kind).sum()
}

/// What it is worth that stacks are high, wherever they stand.
fn heights(board: &Board, side: Side) -> i32 {
    let [own, enemy] = [side, !side].map(|side| Kind::ALL.map(|kind| board.tallest(side, kind)));
    let highest = enemy.into_iter().max().unwrap_or(0);
    let secure = own.iter().filter(|&&height| height > highest).count();
    let all_high = own.iter().all(|&height| height >= 2);
    SECURE * secure as i32
        + if secure == own.len() { ALL_SECURE } else { 0 }
        + if all_high { ALL_HIGH } else { 0 }
}

/// What it is worth that the enemy can capture little, and oneself much: the zone of control.
fn captures(board: &Board, side: Side) -> i32 {
    let at_risk = board.capturable() & board.of(side);
    let zone = |kind: Kind| {
        let (initial, enemy) = (i32::from(kind.initial()), !side);
        let lost = initial - board.count(enemy, kind) as i32;
        board.zone(enemy, kind) as i32 * lost / initial
    };
    let zones: i32 = Kind::ALL.into_iter().map(zone).sum();
    zones + if at_risk.len() <= FEW { FEW_CAPTURES } else { 0 }
}

/// Types of the enemy of which all stacks can be captured with one move each.
fn threats(board: &Board, side: Side) -> i32 {
    let of_kind = |kind: Kind| {
        let stacks = board.of_kind(!side, kind);
        let is_safe = stacks & !board.capturable() != Fields::EMPTY;
        match stacks.len() {
            count @ 1..=2 if !is_safe => THREAT * (3 - count as i32),
            _ => 0,
        }
    };
    Kind::ALL.into_iter().map(of_kind).sum()
}
