//! Games from anywhere, as an event of a store.

use std::collections::{HashMap, HashSet};

use arena::{
    Adjudication, Contestant, Event, Format, GameRow, GameState, Pairing, Plan, TimeSettings,
    Unfinished,
};
use game::BySide;

use crate::record::Record;
use crate::source::{Cells, Source};
use workbench::GameName;

/// Games from anywhere, as an event of a store.
pub struct Collection {
    /// What the event is called.
    pub name: String,
    /// Its players, openings and time; nothing is left to be played.
    pub plan: Plan,
    /// The games, in order of their numbers.
    pub games: Vec<GameRow>,
}

impl Collection {
    /// What the games, which are of one kind, have in common is the event's. They keep their numbers and pairs if no two
    /// games have the same one; else they are numbered.
    ///
    /// The event gets that name; without one, it is called as all games say, else by their files.
    pub fn new(records: Vec<Record>, name: Option<&str>, files: &str) -> Collection {
        let events = common(records.iter().map(|record| record.event.as_str()));
        let time = common(records.iter().map(|record| &record.time));
        let told = events.filter(|name| !name.is_empty());
        let name = name.or(told).unwrap_or(files).to_string();
        let time = time.copied().unwrap_or_default();
        let game = records.first().map_or(GameName::default(), |record| record.game);
        Collection::filled(name, plan(game, time), &Taken::default(), records)
    }

    /// Games that are added to an event, which has these already.
    pub fn added_to(event: &Event, games: &[GameRow], records: Vec<Record>) -> Collection {
        let pairings = || games.iter().map(|game| &game.pairing);
        let taken = Taken {
            numbers: pairings().map(|pairing| pairing.number).collect(),
            pairs: pairings().map(|pairing| pairing.pair.saturating_add(1)).max().unwrap_or(0),
        };
        Collection::filled(event.name.clone(), event.plan.clone(), &taken, records)
    }

    /// A plan with whoever plays these games, and the games.
    fn filled(name: String, mut plan: Plan, taken: &Taken, mut records: Vec<Record>) -> Collection {
        number(&mut records, taken);
        let known = plan.contestants.len();
        let mut players = Register::of(plan.contestants.iter().map(|one| one.name.clone()));
        let mut openings = Register::of(plan.openings.drain(..));
        let row = |record: Record| {
            let is_other = !record.event.is_empty() && record.event != name;
            let source = Source {
                event: is_other.then(|| record.event.clone()),
                pace: (record.time != plan.time).then_some(record.time),
                archive: Cells::new(),
            };
            row(record, source, &mut players, &mut openings)
        };
        let games = records.into_iter().map(row).collect();
        plan.contestants.extend(players.names[known..].iter().map(|name| Contestant::new(name)));
        plan.openings = openings.names;
        Collection { name, plan, games }
    }
}

/// What an event has already.
#[derive(Default)]
struct Taken {
    numbers: HashSet<i64>,
    /// How many pairs.
    pairs: i64,
}

/// What all have, if it is the same.
fn common<T: PartialEq>(mut all: impl Iterator<Item = T>) -> Option<T> {
    let first = all.next()?;
    all.all(|other| other == first).then_some(first)
}

/// A plan by which nothing is left to be played.
fn plan(game: GameName, time: TimeSettings) -> Plan {
    Plan {
        game: game.word().to_string(),
        contestants: Vec::new(),
        format: Format::RoundRobin,
        games: 0,
        openings: Vec::new(),
        time,
        adjudication: Adjudication::default(),
        sprt: None,
        unfinished: Unfinished::Half,
        seed: 0,
    }
}

/// Sees to it that each game has a number of its own and a pair, and puts them in order.
fn number(records: &mut [Record], taken: &Taken) {
    let mut numbers = taken.numbers.clone();
    let is_new = |record: &Record| record.number.is_some_and(|number| numbers.insert(number));
    if !records.iter().all(is_new) {
        let first = taken.numbers.iter().max().map_or(1, |last| last.saturating_add(1));
        for (number, record) in (first..).zip(records.iter_mut()) {
            if let Some(number) = record.number {
                // What it was called first stays.
                record.archive.entry("id".to_string()).or_insert(number.to_string());
            }
            (record.number, record.pair) = (Some(number), None);
        }
    }
    records.sort_by_key(|record| record.number);
    let are_paired = records.iter().all(|record| record.pair.is_some());
    for (index, record) in (0..).zip(records.iter_mut()) {
        let pair = if are_paired { record.pair.unwrap_or_default() } else { index };
        record.pair = Some(taken.pairs.saturating_add(pair));
    }
}

/// Texts in the order in which they came, each once.
struct Register {
    names: Vec<String>,
    indices: HashMap<String, usize>,
}

impl Register {
    /// Those that are there; of equal ones, the first counts.
    fn of(names: impl Iterator<Item = String>) -> Register {
        let mut register = Register { names: names.collect(), indices: HashMap::new() };
        for (index, name) in register.names.iter().enumerate() {
            register.indices.entry(name.clone()).or_insert(index);
        }
        register
    }

    fn index(&mut self, name: &str) -> usize {
        if let Some(&index) = self.indices.get(name) {
            return index;
        }
        let index = self.names.len();
        self.names.push(name.to_string());
        self.indices.insert(name.to_string(), index);
        index
    }
}

fn row(record: Record, source: Source, players: &mut Register, openings: &mut Register) -> GameRow {
    let BySide { first, mut second } = record.players;
    let mut archive = record.archive;
    if first == second {
        // Who plays both sides is told apart, as two equal engines of a match are.
        archive.insert("busername".to_string(), second.clone());
        second += " (2)";
    }
    let pairing = Pairing {
        number: record.number.unwrap_or_default(),
        pair: record.pair.unwrap_or_default(),
        players: BySide { first: players.index(&first), second: players.index(&second) },
        opening: openings.index(&record.opening),
        seed: record.seed,
    };
    GameRow {
        pairing,
        state: GameState::Finished,
        winner: record.winner,
        reason: record.reason,
        detail: record.detail,
        versions: record.versions,
        turns: record.turns as i64,
        seconds: record.seconds,
        thinking: record.thinking,
        finished: record.finished,
        plies: record.plies,
        source: Source { archive, ..source }.text(),
    }
}
