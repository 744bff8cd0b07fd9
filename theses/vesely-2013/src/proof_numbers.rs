use tzaar::{Field, Position};

/// How many turns there are about, by the number of free fields.
const BRANCHING: [u32; Field::COUNT + 1] = [
    9508, 9204, 9000, 8256, 8000, 7428, 7000, 6839, 6400, 5980, 5700, 5430, 5000, 4779, 4400, 4262,
    4000, 3641, 3400, 3272, 3000, 2745, 2500, 2381, 2100, 1963, 1774, 1652, 1400, 1355, 1154, 1080,
    950, 854, 762, 669, 640, 478, 438, 353, 300, 233, 150, 144, 100, 86, 60, 44, 34, 21, 15, 9, 3,
    1, 1, 1, 1, 1, 1, 1, 1,
];

/// The constants of evaluation-based first numbers (Veselý 2013, 2.2.2).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FirstNumbers {
    /// How much more is to be done by the one who answers with a single turn, where it stands badly (A).
    pub loss: u32,
    /// How much more by the one who must answer all turns (B).
    pub win: u32,
    /// The value from which a side is likely to win (T).
    pub advantage: i32,
}

impl Default for FirstNumbers {
    fn default() -> FirstNumbers {
        FirstNumbers { loss: 10, win: 10, advantage: 50_000_000 }
    }
}

impl FirstNumbers {
    /// The first proof number and disproof number for the side to move, in a position of that value for it.
    ///
    /// WALTZ looks at whole turns: the one who has ended a turn must answer whatever the other plays, who needs a
    /// single reply. Inside a turn, which WALTZ never looks at like this, the numbers are those of its end; its
    /// mover may yet end it in any way, and the best of them counts.
    pub(crate) fn of(&self, position: &Position, value: i32) -> (u32, u32) {
        let is_inside = !game::Position::turn_starts(position);
        // For the one who answers: 0 if it stands badly, 2 if it stands well.
        let step = |value: i32| match value {
            _ if value >= self.advantage => 2,
            _ if value <= -self.advantage => 0,
            _ => 1,
        };
        let free = Field::COUNT - position.board().stacks();
        let all = |step: u32| (self.win * (2 - step) + 1) * BRANCHING[free];
        let one = |step: u32| 1 + self.loss * step;
        match is_inside {
            true => (all(step(value)), one(step(value))),
            false => (one(step(-value)), all(step(-value))),
        }
    }
}
