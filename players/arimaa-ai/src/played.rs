use arimaa::{Step, Turn};

/// What was played since the position of a search.
#[derive(Clone, Copy)]
pub(crate) struct Played {
    pub(crate) turn: Turn,
    pub(crate) steps: u8,
}

impl Played {
    pub(crate) const NOTHING: Played = Played { turn: Turn::EMPTY, steps: 0 };

    #[inline(always)]
    pub(crate) fn then(self, step: Step) -> Played {
        Played { turn: self.turn.then(step), steps: self.steps + step.cost().0 }
    }
}
