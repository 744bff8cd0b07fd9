//! Puzzles of Arimaa: exactly one turn wins by force.

use std::sync::LazyLock;

use serde::Deserialize;
use serde_json::{Value, json};
use workbench::Arimaa;

use crate::api::{Answer, Refusal};
use crate::board::trail;
use crate::games::GameText;

/// Our own collection; docs/experiments/solver.md tells how it was made.
const TABLES: [&str; 2] = [
    include_str!("../../../positions/puzzles/win-in-2.tsv"),
    include_str!("../../../positions/puzzles/win-in-3.tsv"),
];

/// A row of the collection.
struct Puzzle {
    position: &'static str,
    turns: u16,
    best: &'static str,
    grade: u16,
}

/// The easiest ones first.
static PUZZLES: LazyLock<Vec<Puzzle>> = LazyLock::new(|| {
    let mut puzzles: Vec<Puzzle> = TABLES.into_iter().flat_map(rows).collect();
    puzzles.sort_by_key(|puzzle| puzzle.grade);
    puzzles
});

fn rows(table: &'static str) -> Vec<Puzzle> {
    let mut lines = table.lines().filter(|line| !line.starts_with('#'));
    let header: Vec<&str> = lines.next().unwrap_or_default().split('\t').collect();
    let column = |name: &str| header.iter().position(|column| *column == name);
    let puzzle = |line: &'static str| {
        let cell = |name: &str| line.split('\t').nth(column(name)?);
        Some(Puzzle {
            position: cell("position")?,
            turns: cell("turns")?.parse().ok()?,
            best: cell("best")?,
            grade: cell("grade")?.parse().ok()?,
        })
    };
    lines.filter_map(puzzle).collect()
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PuzzleParameters {
    /// Which one, from 1.
    number: usize,
    /// A turn that is tried.
    turn: Option<String>,
    /// Whether the answer is wanted.
    #[serde(default)]
    answer: bool,
    /// Whether a hint is wanted.
    #[serde(default)]
    hint: bool,
}

/// A puzzle, whether a turn solves it, and what helps.
pub fn puzzle(parameters: PuzzleParameters) -> Answer {
    let PuzzleParameters { number, turn, answer, hint } = parameters;
    let of = PUZZLES.len();
    let puzzle = number.checked_sub(1).and_then(|index| PUZZLES.get(index));
    let puzzle =
        puzzle.ok_or_else(|| Refusal::new(format!("number: expected one from 1 to {of}")))?;
    let game = GameText {
        name: "arimaa".to_string(),
        start: puzzle.position.to_string(),
        turns: Vec::new(),
    };
    let steps = trail::<Arimaa>(game.open::<Arimaa>()?.game.position(), puzzle.best);
    let is_right = turn.map(|turn| is_right(&game, &turn, puzzle.best)).transpose()?;
    Ok(json!({
        "number": number,
        "of": of,
        "game": game,
        "turns": puzzle.turns,
        "grade": puzzle.grade,
        "right": is_right,
        "hint": hint.then(|| first_place(&steps)),
        "answer": answer.then_some(puzzle.best),
        "trail": answer.then_some(steps),
    }))
}

/// Whether a turn leads to the same board as the one that wins.
fn is_right(game: &GameText, turn: &str, best: &str) -> Result<bool, Refusal> {
    let after = |turn: &str| -> Result<String, Refusal> {
        let played = GameText { turns: vec![turn.to_string()], ..game.clone() };
        Ok(played.open::<Arimaa>()?.game.position().to_string())
    };
    Ok(after(turn)? == after(best)?)
}

/// Where the first step of a turn begins.
fn first_place(steps: &[Value]) -> Value {
    steps.first().map_or(Value::Null, |step| step["moves"][0][0].clone())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_puzzle_has_an_answer_that_solves_it() {
        assert_eq!(PUZZLES.len(), 140);
        for number in 1..=PUZZLES.len() {
            let ask = |turn| PuzzleParameters { number, turn, answer: true, hint: true };
            let told = puzzle(ask(None)).expect("a puzzle");
            assert!(told["hint"].is_string() && told["right"].is_null(), "{told}");
            let answer = told["answer"].as_str().map(str::to_string);
            assert_eq!(puzzle(ask(answer)).expect("the same")["right"], true);
        }
    }
}
