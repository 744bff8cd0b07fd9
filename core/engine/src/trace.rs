use std::ops::Index;

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
    /// What a net makes of each piece, if there is one: by how much its output, for the first side, is
    /// higher than without the piece.
    pub pieces: Vec<(String, i32)>,
    /// What it comes to for the first side.
    pub balance: i32,
    /// The same for the side to move.
    pub score: Score,
}

/// An evaluation that can say what it consists of.
pub trait Traced<P> {
    /// The evaluation of a position, term by term.
    fn trace(&self, position: &P) -> EvaluationTrace;
}

/// How many pieces are told in a line.
const PIECES_IN_A_LINE: usize = 8;

impl EvaluationTrace {
    /// The trace of an evaluation that is the sum of its terms, in a game without goals.
    pub fn of_terms(
        name: &'static str,
        unit: &'static str,
        terms: Vec<(&'static str, BySide<i32>)>,
        mover: Side,
    ) -> EvaluationTrace {
        let balance = terms.iter().map(|(_, values)| values.first - values.second).sum();
        let score = Score(if mover == Side::First { balance } else { -balance });
        EvaluationTrace { name, unit, terms, goals: None, pieces: Vec::new(), balance, score }
    }

    /// The sum of each side's terms.
    pub fn totals(&self) -> BySide<i32> {
        let total = |side| self.terms.iter().map(|(_, values)| values[side]).sum();
        BySide { first: total(Side::First), second: total(Side::Second) }
    }

    /// A table, and what it comes to; the sides are called so.
    pub fn lines(&self, [first, second]: [&str; 2]) -> Vec<String> {
        let line = |name: &str, first: String, second: String| {
            format!("  {name:<10}{first:>8}{second:>8}")
        };
        let numbers = |name: &str, values: BySide<i32>| {
            line(name, values.first.to_string(), values.second.to_string())
        };
        let mut lines = vec![format!("Evaluation ({}), in {}:", self.name, self.unit)];
        if !self.terms.is_empty() {
            lines.push(line("", first.to_string(), second.to_string()));
            lines.extend(self.terms.iter().map(|&(name, values)| numbers(name, values)));
            if let Some(goals) = self.goals {
                let goal =
                    |steps: Option<u8>| steps.map_or("-".into(), |steps| format!("in {steps}"));
                lines.push(line("goal", goal(goals.first), goal(goals.second)));
            }
            lines.push(numbers("total", self.totals()));
        }
        for (index, pieces) in self.pieces.chunks(PIECES_IN_A_LINE).enumerate() {
            let shares = pieces.iter().map(|(piece, share)| format!("{piece} {share:+}"));
            let shares: Vec<String> = shares.map(|share| format!("{share:<9}")).collect();
            let name = if index == 0 { "pieces" } else { "" };
            lines.push(format!("  {name:<10}{}", shares.join(" ").trim_end()));
        }
        let is_won =
            self.goals.is_some_and(|goals| goals.first.is_some() || goals.second.is_some());
        let decides = if is_won { ", but the goal decides" } else { "" };
        lines.push(format!(
            "  balance   {:+} in {first}'s eyes, {} in the mover's{decides}",
            self.balance, self.score,
        ));
        lines
    }
}

/// A term by its name.
///
/// # Panics
///
/// If there is none of that name.
impl Index<&str> for EvaluationTrace {
    type Output = BySide<i32>;

    fn index(&self, name: &str) -> &BySide<i32> {
        let found = self.terms.iter().find(|(term, _)| *term == name);
        found.map(|(_, values)| values).unwrap_or_else(|| panic!("no term {name}"))
    }
}
