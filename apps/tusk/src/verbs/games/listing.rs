//! The games of events, one a line.

use std::io::Write;

use arena::{BlockingStore, Event, GameRow, GameState};
use comfy_table::CellAlignment;
use records::{Filter, Summary};
use serde_json::{Value, json};
use workbench::units;

use crate::shared::standings;

/// Lists the games of these events that the filter chooses; returns how many there are.
pub fn list(
    store: &BlockingStore,
    events: &[Event],
    filter: &Filter,
    json: bool,
) -> anyhow::Result<usize> {
    let header = ["event", "game", "first", "second", "winner", "reason", "turns", "finished"];
    let mut table = standings::bare_table(header.map(str::to_string).to_vec());
    for (index, column) in table.column_iter_mut().enumerate() {
        let is_number = [0, 1, 6].contains(&index);
        let alignment = if is_number { CellAlignment::Right } else { CellAlignment::Left };
        column.set_cell_alignment(alignment);
    }
    let mut out = crate::shared::output::standard();
    let mut count = 0;
    for event in events {
        for row in store.games(event)?.sound {
            if !filter.accepts(&Summary::from_row(event, &row)) {
                continue;
            }
            count += 1;
            if json {
                writeln!(out, "{}", object(event, &row))?;
            } else {
                table.add_row(cells(event, &row));
            }
        }
    }
    match (json, count) {
        (true, _) => writeln!(out, "{}", json!({ "summary": true, "games": count }))?,
        (false, 0) => writeln!(out, "there is no such game")?,
        (false, _) => writeln!(out, "{}", table.trim_fmt())?,
    }
    Ok(count)
}

fn object(event: &Event, row: &GameRow) -> Value {
    let Summary { players, winner, .. } = Summary::from_row(event, row);
    json!({
        "event": event.id,
        "game": row.pairing.number,
        "first": players.first,
        "second": players.second,
        "winner": winner.map(|side| players[side]),
        "reason": row.reason,
        "turns": row.turns,
        "seconds": row.seconds,
        "finished": row.finished,
        "state": state(row),
    })
}

fn cells(event: &Event, row: &GameRow) -> [String; 8] {
    let Summary { players, winner, .. } = Summary::from_row(event, row);
    let is_finished = row.state == GameState::Finished;
    let winner = winner.map_or("nobody", |side| players[side]);
    // Records do not tell when a game was played.
    let is_dated = is_finished && row.finished != 0.0;
    let date = units::timestamp(row.finished as i64).strftime("%Y-%m-%d %H:%M");
    [
        event.id.to_string(),
        row.pairing.number.to_string(),
        players.first.to_string(),
        players.second.to_string(),
        if is_finished { winner } else { "" }.to_string(),
        if is_finished { &row.reason } else { state(row) }.to_string(),
        row.turns.to_string(),
        if is_dated { date.to_string() } else { String::new() },
    ]
}

fn state(row: &GameRow) -> &'static str {
    match row.state {
        GameState::Waiting => "waiting",
        GameState::Leased => "being played",
        GameState::Finished => "finished",
    }
}
