//! An evaluation for people to read.

use arimaa::{GOLD, Position, SILVER, Side, side};
use arimaa_ai::{Estimate, Named, Terms};
use game::{BySide, Score};
use serde_json::{Value, json};

/// An evaluation, term by term, whoever's it is.
pub struct Sheet {
    /// Whose it is.
    preset: &'static str,
    /// Each term with its name.
    rows: Vec<(&'static str, BySide<i32>)>,
    totals: BySide<i32>,
    /// The goal of each side within its turn: only the side to move has one.
    goals: BySide<Option<u8>>,
    for_gold: i32,
    score: Score,
}

impl Sheet {
    /// The evaluation of a position of a game that goes on.
    pub fn new(estimate: &Estimate, position: &Position) -> Sheet {
        let (board, side, steps) = (position.board(), position.side(), position.steps_left());
        match estimate {
            Estimate::Tusk(tusk) => Sheet::of("tusk", &tusk.terms(position)),
            Estimate::Zhong(zhong) => Sheet::of("zhong", &zhong.terms(board, side, steps)),
        }
    }

    fn of<Term: Named>(preset: &'static str, terms: &Terms<Term>) -> Sheet {
        let mut goals = BySide::default();
        goals[terms.side()] = terms.goal().map(|goal| goal.steps.0);
        Sheet {
            preset,
            rows: terms.rows().collect(),
            totals: BySide { first: terms.total(GOLD), second: terms.total(SILVER) },
            goals,
            for_gold: terms.seen_by(GOLD),
            score: terms.score(),
        }
    }

    /// A table, and what it comes to.
    pub fn lines(&self) -> Vec<String> {
        let line =
            |name: &str, gold: String, silver: String| format!("  {name:<10}{gold:>8}{silver:>8}");
        let numbers = |name: &str, values: BySide<i32>| {
            line(name, values.first.to_string(), values.second.to_string())
        };
        let goal = |side| self.goals[side].map_or("-".to_string(), |steps| format!("in {steps}"));
        let mut lines = vec![
            format!("Evaluation ({}), in hundredths of a rabbit:", self.preset),
            line("", side::name(GOLD).to_string(), side::name(SILVER).to_string()),
        ];
        lines.extend(self.rows.iter().map(|&(name, values)| numbers(name, values)));
        lines.push(line("goal", goal(GOLD), goal(SILVER)));
        lines.push(numbers("total", self.totals));
        let is_won = Side::ALL.iter().any(|&side| self.goals[side].is_some());
        let decides = if is_won { ", but the goal decides" } else { "" };
        lines.push(format!(
            "  balance   {:+} in Gold's eyes, {} in the mover's{decides}",
            self.for_gold, self.score,
        ));
        lines
    }

    pub fn json(&self) -> Value {
        let of = |side| {
            let terms = self.rows.iter().map(|(name, values)| (*name, json!(values[side])));
            let rest = [("goal", json!(self.goals[side])), ("total", json!(self.totals[side]))];
            let row = terms.chain(rest).map(|(name, value)| (name.to_string(), value));
            Value::Object(row.collect())
        };
        json!({
            "preset": self.preset,
            "gold": of(GOLD),
            "silver": of(SILVER),
            "for_gold": self.for_gold,
            "score": self.score.0,
        })
    }
}
