//! An evaluation for people to read.

use game::{BySide, Score, Side};
use serde_json::{Value, json};

use crate::sport::Sport;

/// An evaluation, term by term, whoever's it is.
pub struct Sheet {
    /// Whose it is.
    pub preset: &'static str,
    /// What it counts in.
    pub unit: &'static str,
    /// Each term with its name; none, if it does not say what it consists of.
    pub rows: Vec<(&'static str, BySide<i32>)>,
    /// The steps to the goal of each side within its turn, in a game that has goals: only the side to move has
    /// one.
    pub goals: Option<BySide<Option<u8>>>,
    /// What it comes to for the first side.
    pub balance: i32,
    /// The same for the side to move.
    pub score: Score,
}

impl Sheet {
    fn totals(&self) -> BySide<i32> {
        let total = |side| self.rows.iter().map(|(_, values)| values[side]).sum();
        BySide { first: total(Side::First), second: total(Side::Second) }
    }

    /// A table, and what it comes to.
    pub fn lines<S: Sport>(&self) -> Vec<String> {
        let line = |name: &str, first: String, second: String| {
            format!("  {name:<10}{first:>8}{second:>8}")
        };
        let numbers = |name: &str, values: BySide<i32>| {
            line(name, values.first.to_string(), values.second.to_string())
        };
        let [first, second] = S::SIDES;
        let mut lines = vec![format!("Evaluation ({}), in {}:", self.preset, self.unit)];
        if !self.rows.is_empty() {
            lines.push(line("", first.to_string(), second.to_string()));
            lines.extend(self.rows.iter().map(|&(name, values)| numbers(name, values)));
            if let Some(goals) = self.goals {
                let goal =
                    |steps: Option<u8>| steps.map_or("-".into(), |steps| format!("in {steps}"));
                lines.push(line("goal", goal(goals.first), goal(goals.second)));
            }
            lines.push(numbers("total", self.totals()));
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

    pub fn json<S: Sport>(&self) -> Value {
        let totals = self.totals();
        let of = |side: Side| {
            let terms = self.rows.iter().map(|(name, values)| (*name, json!(values[side])));
            let goal = self.goals.map(|goals| ("goal", json!(goals[side])));
            let total = (!self.rows.is_empty()).then(|| ("total", json!(totals[side])));
            let row = terms.chain(goal).chain(total);
            Value::Object(row.map(|(name, value)| (name.to_string(), value)).collect())
        };
        let [first, second] = S::SIDES.map(str::to_lowercase);
        let mut row = json!({ "preset": self.preset });
        if !self.rows.is_empty() {
            row[&first] = of(Side::First);
            row[&second] = of(Side::Second);
        }
        row[format!("for_{first}")] = json!(self.balance);
        row["score"] = json!(self.score.0);
        row
    }
}
