//! The games that a store has already, so that nothing is imported twice.

use std::collections::HashMap;

use arena::{BlockingStore, Event, GameState, StoreError};
use game::{BySide, Side};

use crate::record::Record;

/// The games of a store and those of the files so far.
pub struct Known<'a> {
    store: Option<&'a BlockingStore>,
    events: Vec<Event>,
    /// By what two equal games have in common, and is read without their turns.
    kept: HashMap<Likeness, Vec<(usize, i64)>>,
    read: HashMap<Likeness, Vec<Same>>,
}

/// What is compared first.
#[derive(PartialEq, Eq, Hash)]
struct Likeness {
    players: BySide<String>,
    winner: Option<Side>,
    turns: usize,
}

impl Likeness {
    fn of(record: &Record) -> Likeness {
        let Record { players, winner, turns, .. } = record;
        let BySide { first, second } = players.clone();
        // Who plays both sides is told apart in a store.
        let second = if first == second { format!("{second} (2)") } else { second };
        Likeness { players: BySide { first, second }, winner: *winner, turns: *turns }
    }
}

/// What makes two games the same: the turns, and number and date where both are told. Two engines without chance
/// play the same game more than once: then the numbers differ.
struct Same {
    moves: (String, Vec<String>),
    number: Option<i64>,
    finished: f64,
}

impl Same {
    fn of(record: &Record) -> Same {
        let told = record.archive.get("id").and_then(|id| id.parse().ok());
        Same { moves: record.moves(), number: told.or(record.number), finished: record.finished }
    }

    fn is(&self, other: &Same) -> bool {
        let is_same_number = match (self.number, other.number) {
            (Some(one), Some(other)) => one == other,
            _ => true,
        };
        let is_dated = self.finished != 0.0 && other.finished != 0.0;
        // Some formats have whole seconds.
        let is_same_date = !is_dated || (self.finished - other.finished).abs() < 1.0;
        is_same_number && is_same_date && self.moves == other.moves
    }
}

impl<'a> Known<'a> {
    /// What there is, if there is a store.
    pub fn new(store: Option<&'a BlockingStore>) -> Result<Known<'a>, StoreError> {
        let mut known =
            Known { store, events: Vec::new(), kept: HashMap::new(), read: HashMap::new() };
        let Some(store) = store else { return Ok(known) };
        known.events = store.events()?.sound;
        for (index, event) in known.events.iter().enumerate() {
            for row in store.games(event)?.sound {
                if row.state != GameState::Finished {
                    continue;
                }
                let number = row.pairing.number;
                let likeness = Likeness::of(&Record::from_store(event, row));
                known.kept.entry(likeness).or_default().push((index, number));
            }
        }
        Ok(known)
    }

    /// Where the game is already; one that is nowhere is remembered.
    pub fn find(&mut self, record: &Record) -> Result<Option<String>, StoreError> {
        let (likeness, game) = (Likeness::of(record), Same::of(record));
        for &(index, number) in self.kept.get(&likeness).into_iter().flatten() {
            let Some(store) = self.store else { break };
            let event = &self.events[index];
            if Same::of(&Record::from_store(event, store.game(event, number)?)).is(&game) {
                return Ok(Some(format!("as game {number} of event {}", event.id)));
            }
        }
        let read = self.read.entry(likeness).or_default();
        if read.iter().any(|other| other.is(&game)) {
            return Ok(Some("in what was read before".to_string()));
        }
        read.push(game);
        Ok(None)
    }
}
