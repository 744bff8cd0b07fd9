use arimaa::Turn;

use super::Attack;

/// What has worked elsewhere in the same search.
#[derive(Default)]
pub(super) struct Lore {
    /// Turns that have won after other defences.
    pub(super) answers: Tried,
    /// Defences that have held for so many more turns of the attacker.
    pub(super) defences: [Tried; Attack::MOST_TURNS as usize],
}

/// Turns that have worked elsewhere, the most useful first.
#[derive(Default)]
pub(super) struct Tried {
    pub(super) turns: Vec<Turn>,
}

impl Tried {
    const MOST: usize = 64;

    pub(super) fn add(&mut self, turn: Turn) {
        if !self.turns.contains(&turn) {
            self.turns.truncate(Tried::MOST - 1);
            self.turns.insert(0, turn);
        }
    }

    /// The turn at that place has worked again.
    pub(super) fn promote(&mut self, index: usize) {
        self.turns[..=index].rotate_right(1);
    }
}
