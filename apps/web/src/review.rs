//! The review of a whole game: each turn, with what it lost.

use std::time::Instant;

use engine::{Configured, Engine as _, Info, Stop, Verdict};
use game::{Game as _, Position as _, Proof, Score, Turns};
use serde_json::{Value, json};
use workbench::review::{Judged, Summary, TurnReport};
use workbench::verdicts::chance;
use workbench::{Catalogues, GameRecord as _};

use crate::analysis::{SearchParameters, for_first, report};
use crate::api::{Answer, Refusal};
use crate::board::trail;
use crate::games::Served;
use crate::results::Results;

/// Searches every position of a game once, unless it was searched before. A row for each turn goes to `tell`, the summary
/// is returned.
pub fn review<S: Served>(
    catalogues: &Catalogues,
    parameters: &SearchParameters,
    results: &Results,
    stop: &Stop,
    tell: &mut dyn FnMut(Value),
) -> Answer {
    let begin = Instant::now();
    let game = parameters.game.open::<S>()?.game;
    let played = game.turns();
    let mut replay = game.replay();
    let mut setups = 0;
    while replay.game().setting_up().is_some() && replay.advance() {
        setups += 1;
    }
    let turns = setups..played.len();
    if turns.is_empty() {
        return Err(Refusal::new("there is no turn to look at"));
    }
    parameters.limits()?;
    let (name, mut engine) = parameters.engine::<S>(catalogues)?;
    engine.new_game();
    let mut reports: Vec<TurnReport<S>> = Vec::new();
    let mut judge = |game: &S::Game| {
        judge::<S>(catalogues, game, parameters, &name, &mut engine, results, stop)
    };
    let mut now = judge(replay.game())?;
    for index in turns.clone() {
        if stop.is_requested() {
            break;
        }
        let before = replay.game().clone();
        replay.advance();
        let after = judge(replay.game())?;
        let next = replay.game().position();
        let report = TurnReport::new(&before, next, &played[index], &now, &after);
        tell(row::<S>(index, turns.len(), &report));
        reports.push(report);
        now = after;
    }
    let mut summary = Summary::of(&reports, begin.elapsed()).json(&reports);
    summary["engine"] = json!(name);
    Ok(summary)
}

/// What was found of a position before, or what an engine finds now.
fn judge<S: Served>(
    catalogues: &Catalogues,
    game: &S::Game,
    parameters: &SearchParameters,
    name: &str,
    engine: &mut Configured<S::Game>,
    results: &Results,
    stop: &Stop,
) -> Result<Judged<S>, Refusal> {
    let wanted = parameters.wanted()?;
    let known =
        parameters.known::<S>(catalogues, game, results).filter(|known| known.is_enough(wanted));
    if let Some(judged) = known.and_then(|known| judged_before::<S>(game, &known.result)) {
        return Ok(judged);
    }
    let judged = Judged::<S>::of(game, engine, parameters.limits()?, stop);
    if let Some(info) = judged.info.as_ref().filter(|_| !stop.is_requested()) {
        let found = report::<S>(game, name, info, 0, info.time);
        results.put(
            &parameters.key::<S>(catalogues, game, parameters.line_count()),
            wanted,
            &found,
        );
    }
    Ok(judged)
}

/// What a report says of a position, read back.
fn judged_before<S: Served>(game: &S::Game, report: &Value) -> Option<Judged<S>> {
    let line = report["lines"].get(0)?;
    let turns = || u16::try_from(line["proof"]["turns"].as_u64()?).ok().map(Turns);
    let verdict = match line["proof"]["result"].as_str() {
        Some("win") => Verdict::Proof(Proof::Win(turns()?)),
        Some(_) => Verdict::Proof(Proof::Loss(turns()?)),
        None => Verdict::Score(Score(i32::try_from(line["score"].as_i64()?).ok()?)),
    };
    let mut after = game.clone();
    let mut pv = Vec::new();
    for turn in line["pv"].as_array()? {
        let action = action_of::<S>(&after, turn.as_str()?)?;
        after.play(action).ok()?;
        pv.push(action);
    }
    let verdict = Some(verdict);
    Some(Judged { verdict, info: Some(Info::without_search(verdict, pv)) })
}

/// A turn that was written down.
fn action_of<S: Served>(game: &S::Game, text: &str) -> Option<<S::Game as game::Game>::Action> {
    let mut steps = S::parse_steps(game.position(), text).ok()?;
    let mut after = *game.position();
    steps.iter().for_each(|&step| after.play(step));
    let goes_on = after.side() == game.position().side() && after.winner().is_none();
    if goes_on && S::steps(&after).contains(&S::PASS) {
        steps.push(S::PASS);
    }
    S::Game::turn(&steps)
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
    row["trail"] = trail::<S>(&report.before, best).into();
    row
}
