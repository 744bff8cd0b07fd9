use tzaar::{Field, Position};

/// How many turns there are about, by the number of free fields.
const BRANCHING: [u32; Field::COUNT + 1] = [
    9508, 9204, 9000, 8256, 8000, 7428, 7000, 6839, 6400, 5980, 5700, 5430, 5000, 4779, 4400, 4262,
    4000, 3641, 3400, 3272, 3000, 2745, 2500, 2381, 2100, 1963, 1774, 1652, 1400, 1355, 1154, 1080,
    950, 854, 762, 669, 640, 478, 438, 353, 300, 233, 150, 144, 100, 86, 60, 44, 34, 21, 15, 9, 3,
    1, 1, 1, 1, 1, 1, 1, 1,
];

/// The value from which a side is likely to win (T of Veselý 2013, 2.2.2).
const ADVANTAGE: i32 = 50_000_000;

/// How much more is to be done by a side that stands badly (A and B there).
const MORE: u32 = 10;

/// The first proof number and disproof number for the side to move, in a position of that
/// value for the side to move.
///
/// WALTZ looks at whole turns: the one who has ended a turn must answer whatever the other plays, who needs a
/// single reply. Inside a turn, which WALTZ never looks at like this, the numbers are those of its end; its
/// mover may yet end it in any way, and the best of them counts.
pub(super) fn initial_numbers(position: &Position, value: i32) -> (u32, u32) {
    let is_inside = !game::Position::turn_starts(position);
    // For the one who answers: 0 if it stands badly, 2 if it stands well.
    let step = |value: i32| match value {
        ADVANTAGE.. => 2,
        _ if value <= -ADVANTAGE => 0,
        _ => 1,
    };
    let free = Field::COUNT - position.board().stacks();
    let all = |step: u32| (MORE * (2 - step) + 1) * BRANCHING[free];
    let one = |step: u32| 1 + MORE * step;
    match is_inside {
        true => (all(step(value)), one(step(value))),
        false => (one(step(-value)), all(step(-value))),
    }
}
