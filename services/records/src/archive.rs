//! Games as arimaa.com's archive has them: tab-separated lines under a header.

use std::collections::HashMap;
use std::io::{self, Write};

use arena::{Ply, TimeSettings};
use game::{BySide, Game as _, Side};

use crate::ending::{self, Claim};
use crate::record::{Found, Record, index_of, label, one_line};
use crate::source::Cells;
use workbench::{Arimaa, Army, GameRecord, GameSpec};
use workbench::{reading, units};

/// The columns, of both vintages that we know (2011 and 2026).
const COLUMNS: &str = "id wplayerid bplayerid wusername busername wtitle btitle wcountry bcountry \
                       wrating brating wratingk bratingk wtype btype event site timecontrol postal \
                       startts endts result termination plycount mode rated corrupt movelist events";

/// Those of which plain records tell in comments: short, and not said in other words already.
pub const TOLD: [&str; 17] = [
    "wplayerid",
    "bplayerid",
    "wtitle",
    "btitle",
    "wcountry",
    "bcountry",
    "wrating",
    "brating",
    "wratingk",
    "bratingk",
    "wtype",
    "btype",
    "site",
    "timecontrol",
    "postal",
    "mode",
    "rated",
];

fn columns() -> impl Iterator<Item = &'static str> {
    COLUMNS.split_whitespace()
}

/// The sides were white and black once.
const LETTERS: [char; 2] = ['w', 'b'];

/// Stands for the end of a line within a cell.
const LINE_END: &str = "\\n";

/// What writes lines.
#[derive(Default)]
pub struct Writer {
    /// Players by their names: each has a number.
    players: HashMap<String, usize>,
}

impl Writer {
    /// The header.
    pub fn begin(out: &mut impl Write) -> io::Result<()> {
        writeln!(out, "{}", columns().collect::<Vec<_>>().join("\t"))
    }

    /// A game with all its turns, the first ones of which are the opening.
    pub fn write(
        &mut self,
        record: &Record,
        turns: &[String],
        opening: usize,
        out: &mut impl Write,
    ) -> io::Result<()> {
        let cells: Vec<String> = columns()
            .map(|column| match (record.archive.get(column), column) {
                // A tab or the end of a line would tear the table; both come only from JSON.
                (Some(told), _) => told.replace(char::is_control, " "),
                (None, "wplayerid") => self.number(&record.players.first).to_string(),
                (None, "bplayerid") => self.number(&record.players.second).to_string(),
                (None, _) => cell(record, column, turns, opening),
            })
            .collect();
        writeln!(out, "{}", cells.join("\t"))
    }

    fn number(&mut self, player: &str) -> usize {
        let next = self.players.len() + 1;
        *self.players.entry(player.to_string()).or_insert(next)
    }
}

/// What a record says in a column, if its source says nothing else there.
fn cell(record: &Record, column: &str, turns: &[String], opening: usize) -> String {
    let ended = record.finished.round() as i64;
    let started = ended.saturating_sub(record.seconds.round() as i64);
    match column {
        "id" => record.number.unwrap_or_default().to_string(),
        "wusername" => one_line(&record.players.first),
        "busername" => one_line(&record.players.second),
        "wtype" => kind(record, Side::First).to_string(),
        "btype" => kind(record, Side::Second).to_string(),
        "event" => one_line(&record.event),
        "site" => if record.is_ours { "Tusk" } else { "" }.to_string(),
        "timecontrol" => record.time.control.map_or(String::new(), |control| control.to_string()),
        "startts" => started.to_string(),
        "endts" => ended.to_string(),
        "result" => record.winner.map_or('u', |side| LETTERS[side as usize]).to_string(),
        "termination" => ending::letter(&record.reason).to_string(),
        "plycount" => last_number(record, turns).to_string(),
        "wrating" | "brating" | "wratingk" | "bratingk" | "postal" | "rated" | "corrupt" => {
            "0".to_string()
        }
        "movelist" => movelist(turns),
        "events" => events(record, opening, started),
        _ => String::new(),
    }
}

/// Whether a player is a bot (`b`) or a human (`h`). Of games from elsewhere only names and versions can tell that it
/// is a bot; nothing tells that it is none.
fn kind(record: &Record, side: Side) -> &'static str {
    let is_bot = record.is_ours
        || record.players[side].starts_with("bot_")
        || !record.versions[side].is_empty();
    if is_bot { "b" } else { "" }
}

/// The number of the last turn; a resignation counts as one.
fn last_number(record: &Record, turns: &[String]) -> usize {
    if record.reason == "resignation" { turns.len() / 2 + 1 } else { turns.len().div_ceil(2) }
}

/// The turns, and the number of the one that was not played.
fn movelist(turns: &[String]) -> String {
    let lines = turns.iter().enumerate();
    let lines = lines.map(|(index, turn)| format!("{} {turn}", label(index, LETTERS)));
    let next = label(turns.len(), LETTERS);
    lines.chain([next]).collect::<Vec<String>>().join(LINE_END)
}

/// A time in thousandths of a second: sums of them are the same wherever they are made.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
struct Millis(i64);

impl Millis {
    fn of(seconds: f64) -> Millis {
        Millis((1000.0 * seconds).round() as i64)
    }

    /// In seconds, as arimaa.com has them if they are whole.
    fn text(self) -> String {
        let (seconds, rest) = (self.0 / 1000, self.0 % 1000);
        if rest == 0 { seconds.to_string() } else { format!("{seconds}.{rest:03}") }
    }
}

/// A moment as C's `ctime` writes it: `Tue Nov  1 03:46:17 2011`.
fn ctime(seconds: i64) -> String {
    units::timestamp(seconds).strftime("%a %b %e %H:%M:%S %Y").to_string()
}

/// What the clocks said after each turn that a player has thought about.
fn events(record: &Record, opening: usize, started: i64) -> String {
    let reserve = record.time.control.map(|control| Millis::of(control.reserve.as_secs_f64()));
    let mut reserves = BySide { first: reserve, second: reserve };
    let mut game = Millis::default();
    let mut lines = String::new();
    for (index, ply) in (opening..).zip(&record.plies) {
        let used = Millis::of(ply.seconds);
        let side = Side::ALL[index % 2];
        game.0 = game.0.saturating_add(used.0);
        reserves[side] = ply.reserve.map(Millis::of).or(reserves[side]);
        if used == Millis::default() && ply.reserve.is_none() {
            continue;
        }
        let time = started.saturating_add(game.0 / 1000);
        let (date, label) = (ctime(time), label(index, LETTERS));
        lines += &format!("{time} [{date}] after {label}, move used:{}", used.text());
        for side in Side::ALL.into_iter().filter(|_| ply.reserve.is_some()) {
            if let Some(reserve) = reserves[side] {
                lines += &format!(" {}resv:{}", LETTERS[side as usize], reserve.text());
            }
        }
        lines += &format!(" game:{}{LINE_END}", game.text());
    }
    lines
}

/// Whether a table begins here.
pub fn is_header(line: &str) -> bool {
    line.split('\t').any(|column| column.trim() == "movelist")
}

/// Reads games.
pub fn read(text: &str, army: Army) -> Found {
    let mut lines = text.lines().enumerate().filter(|(_, line)| reading::is_kept(line));
    let Some((header_index, header)) = lines.next() else { return Vec::new() };
    // Several files in one repeat their header.
    let rows = lines.filter(|(_, line)| *line != header);
    let read = |(index, line)| (index + 1, Row::new(header, line).record(army));
    let games: Found = rows.map(read).collect();
    if games.is_empty() {
        let fault = "the table has a header and no rows: is it cut off?";
        return vec![(header_index + 1, Err(fault.to_string()))];
    }
    games
}

/// A line, cell by cell.
struct Row<'a> {
    cells: HashMap<&'a str, &'a str>,
    /// With the blanks around them, in their order.
    raw: Vec<(&'a str, &'a str)>,
}

impl<'a> Row<'a> {
    fn new(header: &'a str, line: &'a str) -> Row<'a> {
        let raw: Vec<_> = header.split('\t').map(str::trim).zip(line.split('\t')).collect();
        Row { cells: raw.iter().map(|&(column, cell)| (column, cell.trim())).collect(), raw }
    }

    /// What a cell says; none if it is empty.
    fn cell(&self, column: &str) -> Option<&'a str> {
        self.cells.get(column).copied().filter(|cell| !cell.is_empty())
    }

    fn number(&self, column: &str) -> Option<i64> {
        self.cell(column)?.parse().ok()
    }

    fn record(&self, army: Army) -> Result<Record, String> {
        let moves = self.cell("movelist").ok_or("the row has no movelist: is it cut off?")?;
        let game: arimaa::Game = GameRecord::parse(&reading::record_of(moves), army)
            .map_err(|(_, fault)| format!("movelist: {fault}"))?;
        let clocks = clocks(self.cell("events").unwrap_or_default());
        let turns = game.turns();
        let ply = |(index, turn): (usize, String)| {
            let (seconds, reserve) = clocks.get(&index).copied().unwrap_or_default();
            Ply { turn, seconds, reserve, ..Ply::default() }
        };
        let plies: Vec<Ply> = turns.into_iter().enumerate().map(ply).collect();
        let name =
            |column, side| self.cell(column).unwrap_or(Arimaa::SIDES[side as usize]).to_string();
        let ended = self.number("endts").unwrap_or_default();
        let started = self.number("startts").unwrap_or(ended);
        let mut record = Record {
            number: self.number("id"),
            event: self.cell("event").unwrap_or_default().to_string(),
            players: BySide {
                first: name("wusername", Side::First),
                second: name("busername", Side::Second),
            },
            time: TimeSettings {
                control: self.cell("timecontrol").and_then(|text| text.parse().ok()),
                ..TimeSettings::default()
            },
            turns: plies.len(),
            seconds: ended.saturating_sub(started).max(0) as f64,
            thinking: thinking(&plies),
            finished: ended as f64,
            plies,
            ..Record::default()
        };
        record.settle::<Arimaa>(&game, self.claim()?)?;
        record.archive = self.told_besides(&record);
        Ok(record)
    }

    /// The cells that the record does not say by itself. A name that is changed later then shows in what is
    /// written, and the rest is as it was.
    fn told_besides(&self, record: &Record) -> Cells {
        let turns: Vec<String> = record.plies.iter().map(|ply| ply.turn.clone()).collect();
        let is_told = |column: &str, told: &str| match column {
            // The record has no numbers of players, and a game without an event gets that of the store.
            "wplayerid" | "bplayerid" => false,
            "event" if told.is_empty() => false,
            _ => cell(record, column, &turns, 0) == told,
        };
        let cells = self.raw.iter().filter(|(column, told)| !is_told(column, told));
        cells.map(|(column, told)| (column.to_string(), told.to_string())).collect()
    }

    /// What it says of the end: arimaa.com's columns, or a `winner` by a side's letter.
    fn claim(&self) -> Result<Option<Claim>, String> {
        let Some(result) = self.cell("result").or(self.cell("winner")) else { return Ok(None) };
        let winner = match result {
            "w" | "g" => Some(Side::First),
            "b" | "s" => Some(Side::Second),
            "u" | "d" | "-" => None,
            _ => return Err(format!("column result: expected w, b, d or u, found {result:?}")),
        };
        let reason = ending::reason(self.cell("termination").unwrap_or_default()).to_string();
        Ok(Some(Claim { winner, reason }))
    }
}

/// What each side was thinking, from the very start of a game.
fn thinking(plies: &[Ply]) -> BySide<f64> {
    let of = |side: Side| plies.iter().skip(side as usize).step_by(2).map(|ply| ply.seconds).sum();
    BySide { first: of(Side::First), second: of(Side::Second) }
}

/// How long each turn took and what its player had left, from lines such as
/// `1320119182 [Tue Nov  1 03:46:22 2011] after 12w, move used:13 wresv:150 bresv:600 game:13`.
fn clocks(events: &str) -> HashMap<usize, (f64, Option<f64>)> {
    let read = |line: &str| {
        let (_, rest) = line.split_once("] after ")?;
        let (label, rest) = rest.split_once(',')?;
        let index = index_of(label)?;
        let value = |name: &str| -> Option<f64> {
            let word = rest.split_whitespace().find_map(|word| word.strip_prefix(name))?;
            word.parse().ok().filter(|seconds: &f64| seconds.is_finite())
        };
        let reserve = value(["wresv:", "bresv:"][index % 2]);
        Some((index, (value("used:")?, reserve)))
    };
    events.split(LINE_END).filter_map(read).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_those_of_arimaa_com_and_of_the_calendar() {
        let table = [
            (1_320_119_177, "Tue Nov  1 03:46:17 2011"),
            (1_769_941_026, "Sun Feb  1 10:17:06 2026"),
            (0, "Thu Jan  1 00:00:00 1970"),
            (951_782_400, "Tue Feb 29 00:00:00 2000"),
            (-1, "Wed Dec 31 23:59:59 1969"),
            (i64::MAX, "Thu Dec 30 22:00:00 9999"),
        ];
        for (seconds, text) in table {
            assert_eq!(ctime(seconds), text);
        }
    }
}
