//! Matches and tournaments from the store that the server was started with. They are only read.

use arena::{
    Anchor, BlockingStore, Crosstable, Event, EventId, Format, GameRow, GameState, HeadToHead,
    Prior, Progress, Ratings, ScoredGame, StoreError, crosstable,
};
use game::{BySide, Game as _, Side};
use serde::Deserialize;
use serde_json::{Value, json};
use workbench::{Army, GameName, GameRecord as _, GameSpec as _, in_game};

use crate::api::{Answer, Refusal};
use crate::games::{GameText, Served};

/// The most games that are listed, the newest ones.
const MOST_GAMES: usize = 300;

/// The most points of the curve of a match.
const MOST_POINTS: usize = 120;

/// Opens the store. What it says about itself is not told: an address may hold a password.
fn open(store: Option<&str>) -> Result<BlockingStore, Refusal> {
    let store = store.ok_or_else(|| Refusal::new("the server has no store of games"))?;
    let fault = "the store of games is not there yet: `tusk match` makes one";
    BlockingStore::open_existing(store)
        .map_err(|_| Refusal { status: 404, message: fault.to_string() })
}

/// What clients hear of an error: what they have asked for is missing or damaged. What a database says of itself is not for
/// them.
fn refused(error: StoreError) -> Refusal {
    match error {
        StoreError::NoSuchEvent(_) | StoreError::NoSuchGame(_) | StoreError::Content { .. } => {
            Refusal::new(error.to_string())
        }
        _ => Refusal { status: 500, message: "the store of games cannot be read".to_string() },
    }
}

/// All matches and tournaments, the newest first.
pub fn events(store: Option<&str>) -> Answer {
    let store = match open(store) {
        Ok(store) => store,
        Err(_) => return Ok(json!({ "events": [] })),
    };
    let progress = store.progress().map_err(refused)?;
    let mut events = store.events().map_err(refused)?.sound;
    events.retain(|event| event.plan.format != Format::SelfPlay);
    events.reverse();
    let row = |event: &Event| {
        let progress = progress.get(&event.id).copied().unwrap_or_default();
        head_json(event, progress)
    };
    Ok(json!({ "events": events.iter().map(row).collect::<Vec<Value>>() }))
}

fn head_json(event: &Event, Progress { scheduled, finished }: Progress) -> Value {
    let names: Vec<&String> = event.plan.contestants.iter().map(|each| &each.name).collect();
    json!({
        "id": event.id,
        "name": event.name,
        "game": event.plan.game,
        "contestants": names,
        "scheduled": scheduled,
        "finished": finished,
        "open": event.is_open,
        "created": event.created,
    })
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EventParameters {
    id: EventId,
}

/// How an event stands.
pub fn event(store: Option<&str>, EventParameters { id }: EventParameters) -> Answer {
    let store = open(store)?;
    let event = store.event(id).map_err(refused)?;
    let progress = store.progress().map_err(refused)?.get(&id).copied().unwrap_or_default();
    let scores = store.scores(&event).map_err(refused)?.sound;
    let games = store.games(&event).map_err(refused)?.sound;
    let mut row = head_json(&event, progress);
    let table = crosstable(&event.plan, scores.iter().copied());
    row["ratings"] = ratings_json(&table);
    row["table"] = table_json(&event, &table);
    if event.plan.contestants.len() == 2 {
        row["match"] = match_json(&event, &scores);
    }
    let mut played: Vec<&GameRow> =
        games.iter().filter(|game| game.state == GameState::Finished).collect();
    played.sort_by(|one, other| other.finished.total_cmp(&one.finished));
    let rows = played.iter().take(MOST_GAMES).map(|game| game_json(&event, game));
    row["games"] = rows.collect::<Vec<Value>>().into();
    Ok(row)
}

/// Everybody's rating, the strongest first.
fn ratings_json(table: &Crosstable) -> Value {
    let Ok(ratings) = Ratings::of(table, Anchor::Mean, Prior::HalfGame) else {
        return json!([]);
    };
    let rows = ratings.rows().iter().map(|row| {
        json!({
            "name": row.name,
            "rating": row.elo,
            "error": row.error,
            "games": row.games,
            "points": row.points,
        })
    });
    rows.collect()
}

/// Who has made how many points against whom.
fn table_json(event: &Event, table: &Crosstable) -> Value {
    let rows = table.contestants().map(|one| {
        let cells = table.contestants().map(|other| {
            let tally = table.between(one, other);
            let games = tally.games();
            json!({ "points": tally.points_under(event.plan.unfinished), "games": games })
        });
        json!({ "name": table.name(one), "cells": cells.collect::<Vec<Value>>() })
    });
    rows.collect()
}

/// A match of two in the eyes of the first: its result, its test, and how the estimate of its strength went.
fn match_json(event: &Event, scores: &[ScoredGame]) -> Value {
    let head = HeadToHead::of(scores, (0, 1));
    let test = event.plan.test(scores);
    let every = scores.len().div_ceil(MOST_POINTS).max(1);
    let points = (1..=scores.len()).filter(|count| count % every == 0 || *count == scores.len());
    let curve = points.filter_map(|count| {
        let elo = HeadToHead::of(&scores[..count], (0, 1)).estimate()?.elo?;
        Some(json!({ "games": count, "elo": elo.value, "error": elo.error? }))
    });
    let estimate = head.estimate();
    let elo = estimate.and_then(|estimate| estimate.elo);
    json!({
        "wins": head.tally.wins,
        "losses": head.tally.losses,
        "unfinished": head.tally.unfinished,
        "elo": elo.map(|elo| elo.value),
        "elo_error": elo.and_then(|elo| elo.error),
        "los": estimate.map(|estimate| estimate.los),
        "curve": curve.collect::<Vec<Value>>(),
        "sprt": test.map(|(test, llr)| json!({
            "llr": llr,
            "lower": test.risks.lower(),
            "upper": test.risks.upper(),
            "elo0": test.hypotheses.elo0(),
            "elo1": test.hypotheses.elo1(),
            "sentence": test.sentence(llr),
        })),
    })
}

fn game_json(event: &Event, game: &GameRow) -> Value {
    let BySide { first, second } = game.pairing.players;
    let name = |index: usize| event.plan.contestants.get(index).map(|each| &each.name);
    json!({
        "number": game.pairing.number,
        "first": name(first),
        "second": name(second),
        "winner": game.winner.map(|winner| if winner == Side::First { 0 } else { 1 }),
        "reason": game.reason,
        "turns": game.turns,
    })
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EventGameParameters {
    id: EventId,
    number: i64,
}

/// A game of an event, to be looked at.
pub fn event_game(store: Option<&str>, parameters: EventGameParameters) -> Answer {
    let store = open(store)?;
    let event = store.event(parameters.id).map_err(refused)?;
    let row = store.game(&event, parameters.number).map_err(refused)?;
    let name = GameName::named(&event.plan.game).map_err(Refusal::new)?;
    in_game!(name, S => {
        let mut told = game_json(&event, &row);
        told["sides"] = json!(S::SIDES);
        told["game"] = json!(game_of::<S>(&event, &row)?);
        Ok(told)
    })
}

fn game_of<S: Served>(event: &Event, row: &GameRow) -> Result<GameText, Refusal> {
    let opening = event.plan.openings.get(row.pairing.opening).map_or("", String::as_str);
    let (mut game, _) = S::Game::begin(opening).map_err(Refusal::new)?;
    for ply in &row.plies {
        game.play_text(&ply.turn, Army::Handicap).map_err(Refusal::new)?;
    }
    GameText::from_game::<S>(&game)
}
