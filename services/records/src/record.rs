//! A finished game, with what is known of it.

use arena::{Event, GameRow, Ply, TimeSettings};
use game::{BySide, Game as _, Position as _, Side};
use workbench::reading::Location;
use workbench::{GameName, Reading, in_game};

use crate::source::{Cells, Source};

/// A finished game, with what is known of it.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Record {
    /// Which game it is.
    pub game: GameName,
    /// Its number in its event.
    pub number: Option<i64>,
    /// The pair of games from one opening that it belongs to.
    pub pair: Option<i64>,
    /// What its event is called.
    pub event: String,
    /// What the players are called here.
    pub players: BySide<String>,
    /// What the players called themselves.
    pub versions: BySide<String>,
    /// A record or a position; empty if the players set up.
    pub opening: String,
    /// The seed of what was played by chance.
    pub seed: u64,
    /// How long the players could think.
    pub time: TimeSettings,
    /// Who won, if somebody has.
    pub winner: Option<Side>,
    /// By what, in a word.
    pub reason: String,
    /// What there is to say besides.
    pub detail: String,
    /// How many turns the record has, with those of the opening.
    pub turns: usize,
    /// How long it took, in seconds.
    pub seconds: f64,
    /// How long each side was thinking, in seconds.
    pub thinking: BySide<f64>,
    /// When it was finished, in seconds since 1970.
    pub finished: f64,
    /// The turns after the opening.
    pub plies: Vec<Ply>,
    /// What a line of arimaa.com tells besides: ratings, countries, the site, ….
    pub archive: Cells,
    /// Whether engines played it for this store, so that nothing about it comes from elsewhere.
    pub is_ours: bool,
}

/// One game of a file, or why it is none.
pub struct Entry {
    /// Where it stands.
    pub place: Location,
    /// The game, or what is wrong there.
    pub record: Result<Record, String>,
}

/// What a reader of a format finds: the line of each game, and the game or what is wrong there.
pub type Found = Vec<(usize, Result<Record, String>)>;

impl Record {
    /// A game of a store.
    pub fn from_store(event: &Event, row: GameRow) -> Record {
        let plan = &event.plan;
        let source = Source::parse(&row.source);
        let name = |side| plan.contestants[row.pairing.players[side]].name.clone();
        Record {
            // A store keeps what was played here.
            game: GameName::named(&plan.game).unwrap_or_default(),
            number: Some(row.pairing.number),
            pair: Some(row.pairing.pair),
            event: source.event.unwrap_or_else(|| event.name.clone()),
            players: BySide { first: name(Side::First), second: name(Side::Second) },
            versions: row.versions,
            opening: plan.openings.get(row.pairing.opening).cloned().unwrap_or_default(),
            seed: row.pairing.seed,
            time: source.pace.unwrap_or(plan.time),
            winner: row.winner,
            reason: row.reason,
            detail: row.detail,
            turns: row.turns as usize,
            seconds: row.seconds,
            thinking: row.thinking,
            finished: row.finished,
            plies: row.plies,
            archive: source.archive,
            is_ours: plan.games > 0,
        }
    }

    /// Where it began, unless at the very start, and all turns from there.
    pub fn moves(&self) -> (String, Vec<String>) {
        match in_game!(self.game, S => self.whole::<S>()) {
            Ok(Some(whole)) => (whole.origin.unwrap_or_default(), whole.turns),
            _ => (self.opening.clone(), self.plies.iter().map(|ply| ply.turn.clone()).collect()),
        }
    }

    /// The game with the turns of its opening; none if it began at a position, and records of the game
    /// have no room for one.
    pub(crate) fn whole<S: Reading>(&self) -> Result<Option<Whole>, String> {
        let (game, origin) = S::Game::begin(&self.opening)?;
        if origin.is_some() && !S::TELLS_ORIGIN {
            return Ok(None);
        }
        let mut turns = game.turns();
        let opening = turns.len();
        turns.extend(self.plies.iter().map(|ply| ply.turn.clone()));
        let before = origin.map_or(0, |origin| origin.side() as usize);
        Ok(Some(Whole { origin: origin.map(|origin| origin.to_string()), before, turns, opening }))
    }
}

/// All that was played.
pub struct Whole {
    /// Where it began, unless at the very start.
    pub origin: Option<String>,
    /// How many turns of its first pair were left out: one, if the second side began.
    pub before: usize,
    /// The turns, those of the opening first.
    pub turns: Vec<String>,
    /// How many of the turns belong to the opening.
    pub opening: usize,
}

/// The label of a turn by how many came before: `12g`, with such letters for the sides.
pub fn label(index: usize, letters: [char; 2]) -> String {
    format!("{}{}", index / 2 + 1, letters[index % 2])
}

/// Which turn a label stands for, by how many came before; the inverse of [`label`], in both vintages.
pub fn index_of(label: &str) -> Option<usize> {
    let letter = label.chars().next_back()?;
    let side = arimaa::side::from_letter(letter)?;
    let number: usize = label[..label.len() - letter.len_utf8()].parse().ok()?;
    number.checked_sub(1)?.checked_mul(2)?.checked_add(side as usize)
}

/// A text in one line.
pub fn one_line(text: &str) -> String {
    text.replace(char::is_control, " ").trim().to_string()
}
