//! Which games are meant, by what is known of them.

use std::ops::RangeInclusive;
use std::str::FromStr;

use arena::{Event, GameRow};
use game::{BySide, Side};

use crate::record::Record;

/// Chooses among games; what is not set does not matter. Names are compared without regard to capitals.
#[derive(Default)]
pub struct Filter {
    /// Only games of these numbers
    pub number: Option<Numbers>,

    /// Only games in which this player takes part; of several, all do
    pub player: Vec<String>,

    /// Only games in which this player begins
    pub first: Option<String>,

    /// Only games in which this player is second
    pub second: Option<String>,

    /// Only games that this player has won
    pub winner: Option<String>,

    /// Only games that ended like this
    pub result: Option<Outcome>,

    /// Only games that ended by this reason: goal, resignation, late, …
    pub reason: Option<String>,

    /// Only games with at least this number of turns
    pub min_turns: Option<usize>,

    /// Only games with at most this number of turns
    pub max_turns: Option<usize>,

    /// Only games of events whose name has this in it
    pub event_name: Option<String>,
}

/// Who has won.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// Gold or White
    First,
    /// Silver or Black
    Second,
    /// The game has no winner
    Nobody,
}

/// Numbers of games, as a person writes them.
#[derive(Clone, Debug, PartialEq)]
pub struct Numbers(Vec<RangeInclusive<i64>>);

impl FromStr for Numbers {
    type Err = String;

    fn from_str(text: &str) -> Result<Numbers, String> {
        let number = |text: &str| text.trim().parse::<i64>().ok();
        let range = |part: &str| match part.split_once('-').filter(|(first, _)| !first.is_empty()) {
            Some((first, last)) => Some(number(first)?..=number(last)?),
            None => number(part).map(|number| number..=number),
        };
        let ranges: Option<Vec<_>> = text.split(',').map(range).collect();
        ranges.map(Numbers).ok_or("write numbers such as 3 or 1,4-9".to_string())
    }
}

impl Numbers {
    fn contain(&self, number: i64) -> bool {
        self.0.iter().any(|range| range.contains(&number))
    }

    /// The number, if there is but one.
    pub fn single(&self) -> Option<i64> {
        match self.0.as_slice() {
            [range] if range.start() == range.end() => Some(*range.start()),
            _ => None,
        }
    }
}

/// What a filter looks at.
pub struct Summary<'a> {
    /// The number of the game in its event.
    pub number: Option<i64>,
    /// What its event is called.
    pub event: &'a str,
    /// The names of the players.
    pub players: BySide<&'a str>,
    /// Who won, if one of them has.
    pub winner: Option<Side>,
    /// By what, in a word.
    pub reason: &'a str,
    /// How many turns the record has.
    pub turns: usize,
}

impl<'a> Summary<'a> {
    /// A game of a store.
    pub fn from_row(event: &'a Event, row: &'a GameRow) -> Summary<'a> {
        let name = |side| event.plan.contestants[row.pairing.players[side]].name.as_str();
        Summary {
            number: Some(row.pairing.number),
            event: &event.name,
            players: BySide { first: name(Side::First), second: name(Side::Second) },
            winner: row.winner,
            reason: &row.reason,
            turns: row.turns as usize,
        }
    }

    /// A game of a file.
    pub fn from_record(record: &'a Record) -> Summary<'a> {
        let BySide { first, second } = &record.players;
        Summary {
            number: record.number,
            event: &record.event,
            players: BySide { first, second },
            winner: record.winner,
            reason: &record.reason,
            turns: record.turns,
        }
    }
}

fn same(one: &str, other: &str) -> bool {
    one.to_lowercase() == other.to_lowercase()
}

impl Filter {
    /// Whether it chooses every game.
    pub fn is_empty(&self) -> bool {
        self.number.is_none()
            && self.player.is_empty()
            && [&self.first, &self.second, &self.winner, &self.reason, &self.event_name]
                .iter()
                .all(|text| text.is_none())
            && self.result.is_none()
            && self.min_turns.is_none()
            && self.max_turns.is_none()
    }

    /// Whether this game is meant.
    pub fn accepts(&self, game: &Summary) -> bool {
        let players = game.players;
        let numbers = self.number.as_ref();
        numbers.is_none_or(|numbers| game.number.is_some_and(|number| numbers.contain(number)))
            && self.player.iter().all(|name| Side::ALL.iter().any(|&s| same(name, players[s])))
            && self.first.as_ref().is_none_or(|name| same(name, players.first))
            && self.second.as_ref().is_none_or(|name| same(name, players.second))
            && self.accepts_end(game)
            && self.min_turns.is_none_or(|least| game.turns >= least)
            && self.max_turns.is_none_or(|most| game.turns <= most)
            && self
                .event_name
                .as_ref()
                .is_none_or(|part| game.event.to_lowercase().contains(&part.to_lowercase()))
    }

    fn accepts_end(&self, game: &Summary) -> bool {
        let winner = game.winner.map(|side| game.players[side]);
        let outcome = match game.winner {
            Some(Side::First) => Outcome::First,
            Some(Side::Second) => Outcome::Second,
            None => Outcome::Nobody,
        };
        self.winner.as_ref().is_none_or(|name| winner.is_some_and(|winner| same(name, winner)))
            && self.result.is_none_or(|wanted| wanted == outcome)
            && self.reason.as_ref().is_none_or(|reason| same(reason, game.reason))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_single_ones_and_ranges() {
        let numbers: Numbers = "1,4-6".parse().unwrap();
        let found: Vec<i64> = (0..9).filter(|&number| numbers.contain(number)).collect();
        assert_eq!((found, numbers.single()), (vec![1, 4, 5, 6], None));
        assert_eq!("7".parse::<Numbers>().unwrap().single(), Some(7));
        for wrong in ["", "x", "1-", "1,,2"] {
            assert!(wrong.parse::<Numbers>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn each_part_of_a_filter_counts() {
        let summary = || Summary {
            number: Some(3),
            event: "Casual game",
            players: BySide { first: "Ann", second: "bob" },
            winner: Some(Side::Second),
            reason: "goal",
            turns: 40,
        };
        let name = |name: &str| Some(name.to_string());
        let none = Filter::default;
        let accepting = [
            Filter { number: "1-3".parse().ok(), ..none() },
            Filter { player: vec!["ANN".into(), "bob".into()], ..none() },
            Filter { first: name("ann"), second: name("Bob"), winner: name("bob"), ..none() },
            Filter { result: Some(Outcome::Second), reason: name("goal"), ..none() },
            Filter { min_turns: Some(40), max_turns: Some(40), ..none() },
            Filter { event_name: name("casual"), ..none() },
        ];
        assert!(none().is_empty() && none().accepts(&summary()));
        for filter in &accepting {
            assert!(!filter.is_empty() && filter.accepts(&summary()));
        }
        let refusing = [
            Filter { number: "4".parse().ok(), ..none() },
            Filter { player: vec!["ann".into(), "cid".into()], ..none() },
            Filter { first: name("bob"), ..none() },
            Filter { second: name("ann"), ..none() },
            Filter { winner: name("ann"), ..none() },
            Filter { result: Some(Outcome::Nobody), ..none() },
            Filter { reason: name("late"), ..none() },
            Filter { min_turns: Some(41), ..none() },
            Filter { max_turns: Some(39), ..none() },
            Filter { event_name: name("match"), ..none() },
        ];
        assert!(refusing.iter().all(|filter| !filter.is_empty() && !filter.accepts(&summary())));
    }
}
