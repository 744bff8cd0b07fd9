//! Games as plain records: `1g Ra1 …`, one turn a line, with what else is known in comments.

use std::io::{self, Write};

use arena::{Ply, TimeSettings};
use game::{BySide, Game as _, Side};

use crate::archive;
use crate::ending::{Claim, UNKNOWN};
use crate::record::{Found, Record, Whole, label, one_line};
use crate::source::Cells;
use workbench::{Army, GameRecord, Reading};

/// What writes records.
#[derive(Default)]
pub struct Writer {
    /// Whether a game has been written, so that a blank line is due.
    is_begun: bool,
}

impl Writer {
    /// A game with all its turns.
    pub fn write<S: Reading>(
        &mut self,
        record: &Record,
        whole: &Whole,
        out: &mut impl Write,
    ) -> io::Result<()> {
        if self.is_begun {
            writeln!(out)?;
        }
        self.is_begun = true;
        writeln!(out, "# {}", title(record))?;
        for (key, value) in comments::<S>(record) {
            writeln!(out, "# {key}: {value}")?;
        }
        if let Some(origin) = &whole.origin {
            writeln!(out, "{origin}")?;
        }
        for (index, turn) in (whole.before..).zip(&whole.turns) {
            writeln!(out, "{} {turn}", label(index, S::LETTERS))?;
        }
        if whole.turns.is_empty() {
            writeln!(out, "{}", label(whole.before, S::LETTERS))?;
        }
        Ok(())
    }
}

/// The game in a line, for people; only its number is read again.
fn title(record: &Record) -> String {
    let BySide { first, second } = &record.players;
    let number = record.number.map_or(String::new(), |number| format!(" {number}"));
    let won = match record.winner {
        Some(side) => format!("{} wins by {}", record.players[side], record.reason),
        None => format!("nobody has won ({})", record.reason),
    };
    one_line(&format!("game{number}, {first} - {second}: {won}"))
}

/// What is known besides the turns.
fn comments<S: Reading>(record: &Record) -> Vec<(String, String)> {
    let [first, second] = S::SIDES.map(str::to_lowercase);
    let winner = match record.winner {
        Some(Side::First) => first.as_str(),
        Some(Side::Second) => &second,
        None => "nobody",
    };
    let control = record.time.control.map_or(String::new(), |control| control.to_string());
    let versions =
        BySide { first: format!("{first} version"), second: format!("{second} version") };
    let result = format!("{winner}, {}", one_line(&record.reason));
    let mut comments = vec![
        ("event".to_string(), one_line(&record.event)),
        (first, one_line(&record.players.first)),
        (second, one_line(&record.players.second)),
        (versions.first, one_line(&record.versions.first)),
        (versions.second, one_line(&record.versions.second)),
        ("time control".to_string(), control),
        ("result".to_string(), result),
    ];
    let told = archive::TOLD.iter().filter_map(|&column| record.archive.get_key_value(column));
    comments.extend(told.map(|(column, cell)| (column.clone(), one_line(cell))));
    comments.extend(record.detail.lines().map(|line| ("detail".to_string(), one_line(line))));
    comments.retain(|(_, value)| !value.is_empty());
    comments
}

/// Reads games.
pub fn read<S: Reading>(text: &str, army: Army) -> Found {
    games::<S>(text).iter().map(|game| game.read::<S>(army)).collect()
}

/// The lines of one game.
#[derive(Default)]
struct Lines<'a> {
    /// The comments before it.
    comments: Vec<&'a str>,
    /// The line of its first turn, from 1.
    first: usize,
    /// From there to the next game.
    turns: Vec<&'a str>,
}

/// A game begins with the position where it does, if that is told, else with turn 1 of the first side, unless
/// that takes a setup back or replaces it.
fn games<S: Reading>(text: &str) -> Vec<Lines<'_>> {
    let mut games: Vec<Lines> = Vec::new();
    let mut comments = Vec::new();
    let (mut is_taken_back, mut is_told) = (false, false);
    for (index, line) in text.lines().enumerate() {
        let (turn, comment) = line.split_once('#').map_or((line, None), |(a, b)| (a, Some(b)));
        let mut words = turn.split_whitespace();
        let first = words.next();
        if first.is_none() {
            comments.extend(comment.map(str::trim));
        } else {
            let takes_back = words.next().is_some_and(|word| word.eq_ignore_ascii_case("takeback"));
            let is_first_label = first.is_some_and(|label| {
                ["1g", "1w"].iter().any(|known| label.eq_ignore_ascii_case(known))
            });
            let is_first_turn = is_first_label && !takes_back && !is_taken_back;
            let is_first = S::is_origin(turn) || is_first_turn && !is_told;
            if is_first || games.is_empty() {
                let first = index + 1;
                games.push(Lines { comments: std::mem::take(&mut comments), first, turns: vec![] });
            }
            comments.clear();
            (is_taken_back, is_told) = (takes_back, S::is_origin(turn));
        }
        if let Some(game) = games.last_mut() {
            game.turns.push(line);
        }
    }
    games
}

impl<'a> Lines<'a> {
    fn read<S: Reading>(&self, army: Army) -> (usize, Result<Record, String>) {
        match S::Game::parse(&self.turns.join("\n"), army) {
            Ok(game) => (self.first, self.record::<S>(&game)),
            Err((line, fault)) => (self.first + line - 1, Err(fault)),
        }
    }

    fn record<S: Reading>(&self, game: &S::Game) -> Result<Record, String> {
        let plies = game.turns().into_iter().map(|turn| Ply { turn, ..Ply::default() });
        let plies: Vec<Ply> = plies.collect();
        let text = |key: &str| self.values(key).next().unwrap_or_default().to_string();
        // Headers of other programs call the sides as chess does.
        let name = |side: &str, others: [&str; 2]| {
            let own = side.to_lowercase();
            let keys = [own.as_str()].into_iter().chain(others);
            let told = keys.flat_map(|key| self.values(key)).find(|name| !name.is_empty());
            told.unwrap_or(side).to_string()
        };
        let version = |side: &str| text(&format!("{} version", side.to_lowercase()));
        let [first, second] = S::SIDES;
        let mut controls = self.values("time control").chain(self.values("timecontrol"));
        let control = controls.find_map(|text| text.parse().ok());
        let mut record = Record {
            game: S::NAME,
            number: self.number(),
            event: text("event"),
            players: BySide {
                first: name(first, ["white", "first"]),
                second: name(second, ["black", "second"]),
            },
            opening: game.origin().map_or(String::new(), |origin| origin.to_string()),
            versions: BySide { first: version(first), second: version(second) },
            time: TimeSettings { control, ..TimeSettings::default() },
            detail: self.values("detail").collect::<Vec<&str>>().join("\n"),
            turns: plies.len(),
            plies,
            archive: self.archive(),
            ..Record::default()
        };
        record.settle::<S>(game, self.claim::<S>()?)?;
        Ok(record)
    }

    /// What comments of ours say under that key.
    fn values(&self, key: &str) -> impl Iterator<Item = &str> {
        let value = move |comment: &&'a str| comment.strip_prefix(key)?.strip_prefix(": ");
        self.comments.iter().filter_map(value).map(str::trim)
    }

    /// What they say by arimaa.com's columns.
    fn archive(&self) -> Cells {
        let cell = |&column: &&str| {
            let elo = match column {
                "wrating" => "whiteelo",
                "brating" => "blackelo",
                _ => column,
            };
            let cell = self.values(column).chain(self.values(elo)).next()?;
            Some((column.to_string(), cell.to_string()))
        };
        archive::TOLD.iter().filter_map(cell).collect()
    }

    fn number(&self) -> Option<i64> {
        let title = self.comments.iter().find_map(|comment| comment.strip_prefix("game "))?;
        title.split_once(',')?.0.parse().ok()
    }

    fn claim<S: Reading>(&self) -> Result<Option<Claim>, String> {
        let Some(result) = self.values("result").next() else { return Ok(None) };
        let (winner, reason) = result.split_once(", ").unwrap_or((result, UNKNOWN));
        let sides = S::SIDES.map(str::to_lowercase);
        let others = ["1-0", "0-1"];
        let is_it = |side: Side| winner == sides[side as usize] || winner == others[side as usize];
        let side = Side::ALL.into_iter().find(|&side| is_it(side));
        if winner == "*" {
            return Ok(None);
        }
        if side.is_none() && !["nobody", "1/2-1/2"].contains(&winner) {
            let [first, second] = sides;
            return Err(format!(
                "the comment on the result: expected {first}, {second} or nobody, found {winner:?}"
            ));
        }
        Ok(Some(Claim { winner: side, reason: reason.to_string() }))
    }
}
