//! How things stand in an event, for people and for programs.

use arena::{
    Anchor, Crosstable, EloEstimate, HeadToHead, Measured, Plan, Prior, Ratings, ScoredGame,
    Standing, Tally, Unfinished,
};
use comfy_table::{CellAlignment, Table, presets};
use serde_json::{Value, json};

/// How things stand while games are played, in a few lines.
pub fn live(plan: &Plan, scores: &[ScoredGame]) -> String {
    if plan.contestants.len() == 2 {
        return match_line(plan, scores);
    }
    ratings(&arena::crosstable(plan, scores.iter().copied()))
}

/// A match of two in one line, and what a test says of it.
pub fn match_line(plan: &Plan, scores: &[ScoredGame]) -> String {
    let games = HeadToHead::of(scores, (0, 1));
    let Tally { wins, losses, unfinished } = games.tally;
    let names = [0, 1].map(|index| plan.contestants[index].name.as_str());
    let mut line = format!("{} - {}: +{wins} -{losses} ={unfinished}", names[0], names[1]);
    if let Some(estimate) = games.estimate() {
        let EloEstimate { elo, los, .. } = estimate;
        let points = games.tally.points_under(plan.unfinished);
        let score = 100.0 * points / games.tally.games() as f64;
        line += &format!(", {score:.1} %, Elo {}, LOS {:.1} %", measured(elo), 100.0 * los);
    }
    if let Some((test, llr)) = plan.test(scores) {
        line += &format!("\nSPRT: {}", test.sentence(llr));
    }
    line
}

/// A number with its error; nothing where one side has all points.
fn measured(measured: Option<Measured>) -> String {
    match measured {
        None => "out of reach".to_string(),
        Some(Measured { value, error: None }) => format!("{value:+.0}"),
        Some(Measured { value, error: Some(error) }) => format!("{value:+.0} ± {error:.0}"),
    }
}

/// The summary of a match of two, in the eyes of the first.
pub fn match_json(plan: &Plan, scores: &[ScoredGame], standing: &Standing) -> Value {
    let results = HeadToHead::of(scores, (0, 1));
    let estimate = results.estimate();
    let games = results.tally.games();
    let elo = estimate.and_then(|estimate| estimate.elo);
    let nelo = estimate.and_then(|estimate| estimate.nelo);
    let test = plan.test(scores);
    json!({
        "summary": true,
        "games": games,
        "wins": results.tally.wins,
        "losses": results.tally.losses,
        "unfinished": results.tally.unfinished,
        "failures": standing.time_use[0].failures,
        "opponent_failures": standing.time_use[1].failures,
        "score": (games > 0).then(|| results.tally.points_under(plan.unfinished) / games as f64),
        "elo": elo.map(|elo| elo.value),
        "elo_error": elo.and_then(|elo| elo.error),
        "nelo": nelo.map(|nelo| nelo.value),
        "nelo_error": nelo.and_then(|nelo| nelo.error),
        "los": estimate.map(|estimate| estimate.los),
        "pairs": results.pairs.0,
        "llr": test.map(|(_, llr)| llr),
        "verdict": test.map(|(test, llr)| test.decision(llr).to_string()),
    })
}

/// All there is to say about an event, for people.
pub fn report(plan: &Plan, scores: &[ScoredGame], standing: &Standing) -> String {
    let mut parts = Vec::new();
    if plan.contestants.len() == 2 {
        parts.push(match_line(plan, scores));
    } else {
        parts.push(ratings(&standing.table));
        parts.push(crosstable(&standing.table, plan.unfinished));
    }
    if standing.games > 0 {
        parts.push(ways(standing));
        parts.push(time_use(plan, standing));
    }
    let failures: usize = standing.time_use.iter().map(|one| one.failures).sum();
    if failures > 0 && plan.sprt.is_some_and(|terms| !terms.count_failures) {
        let games = if failures == 1 { "1 game".to_string() } else { format!("{failures} games") };
        parts.push(format!(
            "{games} ended by a failure, which is no evidence in the test (--count-failures counts them)"
        ));
    }
    parts.join("\n\n")
}

/// The same for programs: who took part, each with its rating.
pub fn report_json(standing: &Standing) -> Value {
    let ratings = Ratings::of(&standing.table, Anchor::Mean, Prior::HalfGame);
    let rows: Vec<Value> = ratings
        .iter()
        .flat_map(Ratings::rows)
        .map(|row| {
            json!({
                "name": row.name,
                "rating": row.elo,
                "error": row.error,
                "games": row.games,
                "points": row.points,
                "los": row.los,
            })
        })
        .collect();
    json!({
        "summary": true,
        "games": standing.games,
        "scheduled": standing.scheduled,
        "ratings": rows,
        "ways": standing.ways,
    })
}

/// A table without lines, its first column to the left and the others to the right.
pub fn bare_table(header: Vec<String>) -> Table {
    let mut table = Table::new();
    table.load_preset(presets::NOTHING).set_header(header);
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table
}

fn words(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| word.to_string()).collect()
}

/// Everybody's rating, the strongest first.
fn ratings(table: &Crosstable) -> String {
    let Ok(ratings) = Ratings::of(table, Anchor::Mean, Prior::HalfGame) else {
        return String::new();
    };
    let mut text = bare_table(words(&["engine", "rating", "±", "games", "score", "LOS"]));
    for row in ratings.rows() {
        let percent = |share: f64| format!("{:.1} %", 100.0 * share);
        text.add_row([
            row.name.clone(),
            format!("{:+.0}", row.elo),
            row.error.map_or("-".to_string(), |error| format!("{error:.0}")),
            row.games.to_string(),
            if row.games == 0 { "-".to_string() } else { percent(row.points / row.games as f64) },
            row.los.map_or("-".to_string(), percent),
        ]);
    }
    let apart = match ratings.groups() {
        0 | 1 => "",
        _ => "\nSome have not met, directly or through others: their ratings cannot be compared.",
    };
    format!("{text}{apart}")
}

/// Who scored how much against whom.
fn crosstable(table: &Crosstable, rule: Unfinished) -> String {
    let numbers = 1..=table.contestants().count();
    let header = ["".to_string()].into_iter().chain(numbers.map(|number| number.to_string()));
    let mut text = bare_table(header.collect());
    for (index, a) in table.contestants().enumerate() {
        let cell = |b| match table.between(a, b) {
            tally if tally.games() == 0 => "-".to_string(),
            tally => format!("{}/{}", tally.points_under(rule), tally.games()),
        };
        let name = format!("{} {}", index + 1, table.name(a));
        text.add_row([name].into_iter().chain(table.contestants().map(cell)));
    }
    text.to_string()
}

/// How games ended, and how long they were.
fn ways(standing: &Standing) -> String {
    let ways = standing.ways.iter().map(|(way, count)| format!("{way} {count}"));
    let lengths = &standing.lengths;
    format!(
        "Ended by: {}\nTurns a game: {} in the median, {} to {}",
        ways.collect::<Vec<_>>().join(", "),
        lengths[lengths.len() / 2],
        lengths[0],
        lengths[lengths.len() - 1],
    )
}

/// What each did with its time, and which failed.
fn time_use(plan: &Plan, standing: &Standing) -> String {
    let mut text = bare_table(words(&["engine", "thinking", "of its games", "failures"]));
    for (contestant, used) in plan.contestants.iter().zip(&standing.time_use) {
        let share = 100.0 * used.thinking / used.playing.max(1e-9);
        text.add_row([
            contestant.name.clone(),
            format!("{:.1} s", used.thinking),
            format!("{share:.1} %"),
            used.failures.to_string(),
        ]);
    }
    text.to_string()
}
