use game::{BySide, Score, Side};

/// An evaluation, term by term, for people to read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EvaluationTrace {
    /// Whose evaluation it is.
    pub name: &'static str,
    /// What it counts in.
    pub unit: &'static str,
    /// Each term with its name; none, if it does not say what it consists of.
    pub terms: Vec<(&'static str, BySide<i32>)>,
    /// The steps to the goal of each side within its turn, in a game that has goals: only the side to
    /// move has one.
    pub goals: Option<BySide<Option<u8>>>,
    /// What it comes to for the first side.
    pub balance: i32,
    /// The same for the side to move.
    pub score: Score,
}

impl EvaluationTrace {
    /// The sum of each side's terms.
    pub fn totals(&self) -> BySide<i32> {
        let total = |side| self.terms.iter().map(|(_, values)| values[side]).sum();
        BySide { first: total(Side::First), second: total(Side::Second) }
    }
}
