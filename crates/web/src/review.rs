//! The review of a whole game: each turn, with what it lost.

use std::time::Instant;

use engine::{Engine as _, Stop};
use game::Game as _;
use serde_json::{Value, json};
use workbench::GameRecord as _;
use workbench::review::{Judged, Summary, TurnReport};
use workbench::verdicts::chance;

use crate::analysis::{SearchParameters, for_first};
use crate::api::{Answer, Refusal};
use crate::board::trail;
use crate::games::Served;
use crate::results::Results;

/// The same as [`review`], unless it was done before: then its rows are told again.
pub fn review_once<S: Served>(
    parameters: &SearchParameters,
    results: &Results,
    stop: &Stop,
    tell: &mut dyn FnMut(Value),
) -> Answer {
    let key = parameters.key("review");
    let wanted = parameters.time.unwrap_or(0.0);
    if let Some((_, mut found)) = results.get(&key).filter(|(seconds, _)| *seconds >= wanted) {
        found["rows"].as_array().into_iter().flatten().cloned().for_each(tell);
        return Ok(found["summary"].take());
    }
    let mut rows = Vec::new();
    let summary = review::<S>(parameters, stop, &mut |row| {
        rows.push(row.clone());
        tell(row);
    })?;
    if !stop.is_requested() {
        results.put(&key, wanted, &json!({ "rows": rows, "summary": summary }));
    }
    Ok(summary)
}

/// Searches every position of a game once. A row for each turn goes to `tell`, the summary is returned.
fn review<S: Served>(
    parameters: &SearchParameters,
    stop: &Stop,
    tell: &mut dyn FnMut(Value),
) -> Answer {
    let begin = Instant::now();
    let game = parameters.game.open::<S>()?.game;
    let (stages, played) = (game.stages(), game.turns());
    let turns: Vec<usize> =
        (0..played.len()).filter(|&index| stages[index].setting_up().is_none()).collect();
    if turns.is_empty() {
        return Err(Refusal::new("there is no turn to look at"));
    }
    let limits = parameters.limits()?;
    let (name, mut engine) = parameters.engine::<S>()?;
    engine.new_game();
    let mut reports: Vec<TurnReport<S>> = Vec::new();
    let mut now = Judged::<S>::of(&stages[turns[0]], &mut engine, limits, stop);
    for &index in &turns {
        if stop.is_requested() {
            break;
        }
        let after = Judged::<S>::of(&stages[index + 1], &mut engine, limits, stop);
        let (before, next) = (&stages[index], &stages[index + 1]);
        let report = TurnReport::new(before, next, &played[index], &now, &after);
        tell(row::<S>(index, turns.len(), &report));
        reports.push(report);
        now = after;
    }
    let mut summary = Summary::of(&reports, begin.elapsed()).json(&reports);
    summary["engine"] = json!(name);
    Ok(summary)
}

/// A turn for the page: besides what `tusk analyse` tells, the chances of the side that has begun.
fn row<S: Served>(index: usize, of: usize, report: &TurnReport<S>) -> Value {
    let mut row = report.row(false);
    let told = |verdict| for_first(report.side, chance::<S>(verdict));
    row["index"] = json!(index);
    row["of"] = json!(of);
    row["chance"] = json!(report.verdict.map(told));
    row["best_chance"] = json!(report.best_verdict.map(told));
    row["chance_lost"] = json!(report.chance_lost);
    let best = report.best().map_or("", String::as_str);
    row["trail"] = trail::<S>(report.before.position(), best).into();
    row
}
