//! Showing: what a position says at a glance, and an evaluation for people to read.

use engine::EvaluationTrace;
use game::Side;
use serde_json::{Value, json};

use crate::GameSpec;
use crate::reading::Content;

/// What is shown of a game's positions.
pub trait Showing: GameSpec {
    /// Who lists turns.
    type Lister: Lister<Self::Position>;
    /// What is needed to say what a position is about.
    type Tools: Default;

    /// What a position says at a glance, with its evaluation if there is one.
    fn facts<'a>(
        content: &'a Content<Self>,
        tools: &mut Self::Tools,
        evaluation: Option<EvaluationTrace>,
    ) -> Box<dyn Facts + 'a>;
}

/// What a position says at a glance.
pub trait Facts {
    /// As fields of an object.
    fn json(&self) -> Value;

    /// As lines for people.
    fn text(&self) -> String;

    /// Of these, what the sides could win or capture.
    fn tactics(&self) -> Vec<String>;
}

/// Whoever lists the distinct turns of positions.
pub trait Lister<P>: Default {
    /// How many there are.
    fn count(&mut self, position: &P) -> usize;

    /// Where they lead, as far as the game goes on there.
    fn after(&mut self, position: &P) -> Vec<P>;
}

/// An evaluation as an object.
pub fn trace_json<S: GameSpec>(trace: &EvaluationTrace) -> Value {
    let totals = trace.totals();
    let of = |side: Side| {
        let terms = trace.terms.iter().map(|(name, values)| (*name, json!(values[side])));
        let goal = trace.goals.map(|goals| ("goal", json!(goals[side])));
        let total = (!trace.terms.is_empty()).then(|| ("total", json!(totals[side])));
        let row = terms.chain(goal).chain(total);
        Value::Object(row.map(|(name, value)| (name.to_string(), value)).collect())
    };
    let [first, second] = S::SIDES.map(str::to_lowercase);
    let mut row = json!({ "preset": trace.name });
    if !trace.terms.is_empty() {
        row[&first] = of(Side::First);
        row[&second] = of(Side::Second);
    }
    if !trace.pieces.is_empty() {
        let pieces = trace.pieces.iter().map(|(piece, share)| (piece.clone(), json!(share)));
        row["pieces"] = Value::Object(pieces.collect());
    }
    row[format!("for_{first}")] = json!(trace.balance);
    row["score"] = json!(trace.score.0);
    row
}
