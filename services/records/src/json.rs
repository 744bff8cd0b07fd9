//! Games as JSON, one object a line: all that is known.

use std::io::{self, Write};

use arena::{Ply, TimeSettings};
use game::{BySide, Game as _, Side};
use serde::{Deserialize, Serialize};

use crate::ending::{Claim, UNKNOWN};
use crate::record::{Found, Record};
use crate::source::Cells;
use workbench::reading;
use workbench::{Army, GameName, GameRecord, Reading, in_game};

/// A game as an object.
#[derive(Serialize, Deserialize)]
struct Object {
    #[serde(default)]
    game: Option<i64>,
    /// The name of the game; without it, it is Arimaa.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    rules: Option<String>,
    #[serde(default)]
    event: String,
    first: String,
    second: String,
    /// The name of the winner.
    #[serde(default)]
    winner: Option<String>,
    #[serde(default)]
    reason: String,
    #[serde(default)]
    detail: String,
    #[serde(default)]
    opening: String,
    #[serde(default)]
    pair: Option<i64>,
    #[serde(default)]
    seed: u64,
    #[serde(default)]
    versions: Both<String>,
    /// For whoever reads it: it is counted again.
    #[serde(default)]
    turns: usize,
    #[serde(default)]
    seconds: f64,
    #[serde(default)]
    thinking: Both<f64>,
    #[serde(default)]
    finished: f64,
    #[serde(default)]
    #[serde(rename = "pace")]
    time: TimeSettings,
    plies: Vec<Ply>,
    /// What a line of arimaa.com tells besides, by its columns.
    #[serde(default, skip_serializing_if = "Cells::is_empty")]
    archive: Cells,
}

/// What each side has.
#[derive(Serialize, Deserialize, Default)]
struct Both<T> {
    first: T,
    second: T,
}

impl<T> From<BySide<T>> for Both<T> {
    fn from(BySide { first, second }: BySide<T>) -> Both<T> {
        Both { first, second }
    }
}

impl<T> From<Both<T>> for BySide<T> {
    fn from(Both { first, second }: Both<T>) -> BySide<T> {
        BySide { first, second }
    }
}

/// Writes a game.
pub fn write(record: &Record, out: &mut impl Write) -> io::Result<()> {
    let Record { players, winner, .. } = record.clone();
    let object = Object {
        game: record.number,
        rules: (record.game != GameName::Arimaa).then(|| record.game.word().to_string()),
        event: record.event.clone(),
        winner: winner.map(|side| players[side].clone()),
        first: players.first,
        second: players.second,
        reason: record.reason.clone(),
        detail: record.detail.clone(),
        opening: record.opening.clone(),
        pair: record.pair,
        seed: record.seed,
        versions: record.versions.clone().into(),
        turns: record.turns,
        seconds: record.seconds,
        thinking: record.thinking.into(),
        finished: record.finished,
        time: record.time,
        plies: record.plies.clone(),
        archive: record.archive.clone(),
    };
    writeln!(out, "{}", serde_json::to_string(&object)?)
}

/// Reads games.
pub fn read(text: &str, army: Army) -> Found {
    let lines = text.lines().enumerate().filter(|(_, line)| reading::is_kept(line));
    lines.map(|(index, line)| (index + 1, read_line(line, army))).collect()
}

fn read_line(line: &str, army: Army) -> Result<Record, String> {
    let object: Object = serde_json::from_str(line).map_err(|error| {
        let text = error.to_string();
        let fault = text.rsplit_once(" at line ").map_or(text.as_str(), |(fault, _)| fault);
        format!("column {}: {fault}", error.column())
    })?;
    let game = object.rules.as_deref().map_or(Ok(GameName::Arimaa), GameName::named);
    in_game!(game.map_err(|fault| format!("rules: {fault}"))?, S => object.record::<S>(army))
}

impl Object {
    fn record<S: Reading>(mut self, army: Army) -> Result<Record, String> {
        let (mut game, _) =
            S::Game::begin(&self.opening).map_err(|fault| format!("opening: {fault}"))?;
        let opening = game.turns().len();
        for ply in &self.plies {
            replay::<S>(&mut game, &ply.turn, army)?;
        }
        let turns = game.turns();
        let usual = turns[opening..].iter().cloned();
        self.plies.iter_mut().zip(usual).for_each(|(ply, turn)| ply.turn = turn);
        let claim = self.claim()?;
        let mut record = Record {
            game: S::NAME,
            number: self.game,
            pair: self.pair,
            event: self.event,
            players: BySide { first: self.first, second: self.second },
            versions: self.versions.into(),
            opening: self.opening,
            seed: self.seed,
            time: self.time,
            detail: self.detail,
            turns: turns.len(),
            seconds: self.seconds,
            thinking: self.thinking.into(),
            finished: self.finished,
            plies: self.plies,
            archive: self.archive,
            ..Record::default()
        };
        record.settle::<S>(&game, claim)?;
        Ok(record)
    }

    /// What it says of the end, if anything.
    fn claim(&self) -> Result<Option<Claim>, String> {
        let winner = match &self.winner {
            None => None,
            Some(name) if *name == self.first => Some(Side::First),
            Some(name) if *name == self.second => Some(Side::Second),
            Some(name) => {
                let (first, second) = (&self.first, &self.second);
                return Err(format!("winner: expected {first:?} or {second:?}, found {name:?}"));
            }
        };
        let is_silent = winner.is_none() && self.reason.is_empty();
        let reason = if self.reason.is_empty() { UNKNOWN } else { &self.reason };
        Ok((!is_silent).then(|| Claim { winner, reason: reason.to_string() }))
    }
}

/// Plays a turn.
fn replay<S: Reading>(game: &mut S::Game, turn: &str, army: Army) -> Result<(), String> {
    let label = game.label();
    let refuse = |fault: String| format!("turn {label}, {fault}");
    game.play_text(turn, army).map_err(refuse)?;
    if game.label() == label {
        return Err(refuse("a resignation is a reason, not a turn".to_string()));
    }
    Ok(())
}
