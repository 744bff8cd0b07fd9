//! Games as other programs read them: arimaa.com's lines, plain records, JSON.

mod archive;
mod collection;
mod ending;
mod json;
mod plain;
mod source;
mod stream;

use std::io::Write;

use arena::{Event, GameRow, Ply, TimeSettings};
use game::{BySide, Game as _, Position as _, Side};

use workbench::reading::{self, Location};
use workbench::{Arimaa, Army, GameName, Reading, Tzaar, in_game, is_tzaar};

pub use collection::Collection;
use source::{Cells, Source};
pub use stream::Stream;

/// How games are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub enum Format {
    /// arimaa.com's tab-separated lines, with a header
    Archive,
    /// Records such as `1g Ra1 …`, a blank line between games
    Records,
    /// One JSON object a line, with all that is known
    Json,
}

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
    pub players: BySide<String>,
    /// What the players called themselves.
    pub versions: BySide<String>,
    /// A record or a position; empty if the players set up.
    pub opening: String,
    pub seed: u64,
    pub time: TimeSettings,
    /// Who won, if somebody has.
    pub winner: Option<Side>,
    /// By what, in a word.
    pub reason: String,
    /// What there is to say besides.
    pub detail: String,
    /// How many turns the record has, with those of the opening.
    pub turns: usize,
    /// How long it took, and what of it each side was thinking.
    pub seconds: f64,
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
    pub place: Location,
    pub record: Result<Record, String>,
}

/// What a reader of a format finds: the line of each game, and the game or what is wrong there.
type Found = Vec<(usize, Result<Record, String>)>;

impl Record {
    /// A game of a store.
    pub fn of(event: &Event, row: GameRow) -> Record {
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
    fn whole<S: Reading>(&self) -> Result<Option<Whole>, String> {
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
    origin: Option<String>,
    /// How many turns of its first pair were left out: one, if the second side began.
    before: usize,
    turns: Vec<String>,
    /// How many of the turns belong to the opening.
    opening: usize,
}

/// The label of a turn by how many came before: `12g`, with such letters for the sides.
fn label(index: usize, letters: [char; 2]) -> String {
    format!("{}{}", index / 2 + 1, letters[index % 2])
}

/// Which turn a label stands for, by how many came before; the inverse of [`label`], in both vintages.
fn index_of(label: &str) -> Option<usize> {
    let letter = label.chars().next_back()?;
    let side = arimaa::side::from_letter(letter)?;
    let number: usize = label[..label.len() - letter.len_utf8()].parse().ok()?;
    number.checked_sub(1)?.checked_mul(2)?.checked_add(side as usize)
}

/// A text in one line.
fn one_line(text: &str) -> String {
    text.replace(char::is_control, " ").trim().to_string()
}

/// Whether a game could be written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Written {
    Whole,
    /// It began at a position, for which the format has no room.
    LeftOut,
}

/// Writes games in a format, one after the other.
pub enum Writer {
    Archive(archive::Writer),
    Records(plain::Writer),
    Json,
}

impl Writer {
    pub fn new(format: Format) -> Writer {
        match format {
            Format::Archive => Writer::Archive(archive::Writer::default()),
            Format::Records => Writer::Records(plain::Writer::default()),
            Format::Json => Writer::Json,
        }
    }

    /// What stands before the games.
    pub fn begin(&self, out: &mut impl Write) -> anyhow::Result<()> {
        match self {
            Writer::Archive(_) => archive::Writer::begin(out),
            Writer::Records(_) | Writer::Json => Ok(()),
        }
    }

    /// A game.
    pub fn write(&mut self, record: &Record, out: &mut impl Write) -> anyhow::Result<Written> {
        if let Writer::Json = self {
            json::write(record, out)?;
            return Ok(Written::Whole);
        }
        in_game!(record.game, S => self.write_turns::<S>(record, out))
    }

    fn write_turns<S: Reading>(
        &mut self,
        record: &Record,
        out: &mut impl Write,
    ) -> anyhow::Result<Written> {
        let whole = record.whole::<S>().map_err(|fault| anyhow::anyhow!("the opening: {fault}"))?;
        let Some(whole) = whole else { return Ok(Written::LeftOut) };
        match self {
            Writer::Archive(_) if S::NAME != GameName::Arimaa => return Ok(Written::LeftOut),
            Writer::Archive(writer) => writer.write(record, &whole.turns, whole.opening, out)?,
            Writer::Records(writer) => writer.write::<S>(record, &whole, out)?,
            Writer::Json => (),
        }
        Ok(Written::Whole)
    }
}

const EXPECTED: &str = "games as lines of arimaa.com (a header with a column `movelist`), as \
                        records (1g Ra1 …) or as JSON (one object a line)";

/// The games of a file, whatever their format.
pub fn read(bytes: &[u8], file: &str, army: Army) -> Vec<Entry> {
    let found = match reading::text_of(bytes, EXPECTED) {
        Ok(text) => read_text(&text, army),
        Err((line, fault)) => vec![(line, Err(fault))],
    };
    let place = |line| Location { file: Some(file.to_string()), line };
    found.into_iter().map(|(line, record)| Entry { place: place(line), record }).collect()
}

/// Recognises the format by the first line that is no comment.
fn read_text(text: &str, army: Army) -> Found {
    let text = &reading::headers_as_comments(text);
    let first = text.lines().find(|line| reading::is_kept(line));
    match first {
        None => vec![(1, Err(format!("there is nothing here: expected {EXPECTED}")))],
        Some(line) if line.trim_start().starts_with('{') => json::read(text, army),
        Some(line) if archive::is_header(line) => archive::read(text, army),
        Some(_) if is_tzaar(text) => plain::read::<Tzaar>(text, army),
        Some(line) if reading::is_record_line(line) => plain::read::<Arimaa>(text, army),
        Some(line) => {
            let index = text.lines().position(|other| other == line).unwrap_or(0);
            vec![(index + 1, Err(format!("this is no game: expected {EXPECTED}")))]
        }
    }
}

#[cfg(test)]
mod tests;
