use arimaa::Turn;

use super::Attack;

/// What has worked elsewhere in the same search.
#[derive(Clone, Default)]
pub(super) struct Lore {
    /// Turns that have won after other defences.
    pub(super) answers: Tried,
    /// Defences that have held for so many more turns of the attacker.
    pub(super) defences: [Tried; Attack::MOST_TURNS as usize],
}

impl Lore {
    /// Adds what somebody else knows.
    pub(super) fn learn(&mut self, other: &Lore) {
        self.answers.learn(&other.answers);
        for (own, others) in self.defences.iter_mut().zip(&other.defences) {
            own.learn(others);
        }
    }
}

/// Turns that have worked elsewhere, the most useful first.
#[derive(Clone, Default)]
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

    /// Adds what others have found most useful.
    fn learn(&mut self, other: &Tried) {
        const BEST: usize = 16;
        other.turns.iter().take(BEST).rev().for_each(|&turn| self.add(turn));
    }
}
