//! `tusk games`: the events of a store and their games, which leave it and come to it as files.

mod filter;
mod known;
mod listing;

use std::io::Write;
use std::path::PathBuf;

use anyhow::{Context, bail};
use arena::{BlockingStore, Event, EventId, GameRow, GameState, Progress, Rows, StoreError};
use comfy_table::CellAlignment;
use guard::{LONGEST_FILE, read_all, read_file};
use serde_json::json;

use crate::contest::StoreArgument;
use crate::output::{Output, is_standard, standard, tell_error};
use crate::records::{self, Collection, Format, Record, Writer, Written};
use crate::show::refuse_at;
use crate::{Exit, matches, standings};
use filter::{Facts, Filter};
use known::Known;
use workbench::{Army, GameName, WrongUse, units};

/// Lists the events of a store and their games, tells how an event stands, writes games to a file, reads, renames and
/// deletes them.
///
/// Without EVENT it lists the events. With it, it tells how things stand or, with --as, writes the
/// finished games: as arimaa.com's lines (archive), as plain records, or as JSON, which has all that
/// is known. --list lists games with their numbers. --import reads games of any of these formats, gzipped or not, as a
/// new event; a game that the store has already is refused. --convert writes them in another format, without a store.
/// Games of Tzaar have no place in arimaa.com's lines.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  tusk games\n  tusk games 3 --as records --output games.txt\n  tusk games --import allgames202602.txt --store archive.sqlite\n  tusk games --list --player bot_Sharp2015CC --min-turns 80 --store archive.sqlite\n  tusk games 3 --delete --reason crash\n  tusk games 3 --rename \"Club, 2026\" --rename-player bob Bob\n  tusk games --convert allgames202602.txt --as json --result first"
)]
#[command(group = clap::ArgGroup::new("origin").args(["event", "convert"]))]
#[command(group = clap::ArgGroup::new("work").args(["list", "format", "import", "delete"]))]
pub struct Arguments {
    /// The number of an event
    event: Option<EventId>,

    #[command(flatten)]
    place: StoreArgument,

    /// List the games of the event, or of all events
    #[arg(long)]
    list: bool,

    /// Write the finished games of the event
    #[arg(long = "as", value_name = "FORMAT", value_enum, requires = "origin")]
    format: Option<Format>,

    /// To this file, which is replaced once all is written [default: standard output]
    #[arg(long, value_name = "FILE", requires = "format")]
    output: Option<PathBuf>,

    /// Read games from these files (- for standard input) and write them in another format, without a store
    #[arg(long, value_name = "FILE", num_args = 1.., requires = "format", conflicts_with = "event")]
    convert: Vec<String>,

    /// Read games from these files (- for standard input) as a new event
    #[arg(
        long, value_name = "FILE", num_args = 1..,
        conflicts_with_all = ["event", "convert", "rename", "rename_player"]
    )]
    import: Vec<String>,

    /// What the new event is called [default: as the games say, if they agree; else by the files]
    #[arg(long, value_name = "NAME", requires = "import")]
    name: Option<String>,

    /// Add them to this event, which was imported before
    #[arg(long, value_name = "EVENT", requires = "import", conflicts_with = "name")]
    into: Option<EventId>,

    /// What becomes of games that the store has already, or that are read twice
    #[arg(long, value_enum, default_value = "refuse", requires = "import")]
    duplicates: Duplicates,

    /// Accept setups with fewer than sixteen pieces in what is read
    #[arg(long)]
    handicap: bool,

    /// Delete the games of the event that are chosen; without a choice, the whole event
    #[arg(long, requires = "event")]
    delete: bool,

    /// Give the event another name
    #[arg(long, value_name = "NAME", requires = "event")]
    rename: Option<String>,

    /// Give a player another name, in the event or in all events
    #[arg(long, value_names = ["OLD", "NEW"], num_args = 2, conflicts_with = "work")]
    rename_player: Vec<String>,

    /// Print one JSON object a line
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    filter: Filter,
}

/// What becomes of a game that is there already.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Duplicates {
    /// It is told as an error, and the rest is read
    Refuse,
    /// It is left out, and counted
    Skip,
    /// It is kept once more
    Keep,
}

pub fn run(arguments: &Arguments) -> anyhow::Result<Exit> {
    arguments.check()?;
    if !arguments.import.is_empty() {
        return arguments.import();
    }
    if let (false, Some(format)) = (arguments.convert.is_empty(), arguments.format) {
        return arguments.convert(format);
    }
    let store = BlockingStore::open_existing(&arguments.place.store())?;
    if arguments.rename.is_some() || !arguments.rename_player.is_empty() {
        return arguments.rename(&store);
    }
    match (arguments.event, arguments.format) {
        (None, _) if arguments.list => arguments.list_games(&store, &store.events()?.sound),
        (Some(id), _) if arguments.list => arguments.list_games(&store, &[store.event(id)?]),
        (Some(id), _) if arguments.delete => arguments.delete(&store, &store.event(id)?),
        (None, _) => arguments.list(&store),
        (Some(id), None) => arguments.tell(&store, &store.event(id)?),
        (Some(id), Some(format)) => arguments.export(&store, &store.event(id)?, format),
    }
}

impl Arguments {
    /// Refuses options that would do nothing.
    fn check(&self) -> Result<(), WrongUse> {
        let has_choice = self.list || self.format.is_some() || self.delete;
        if !self.filter.is_empty() && !has_choice {
            let fault = "games are chosen for --list, --as or --delete: add one of them";
            return Err(WrongUse(fault.to_string()));
        }
        if self.handicap && self.import.is_empty() && self.convert.is_empty() {
            let fault = "--handicap is about games that are read: add --import or --convert";
            return Err(WrongUse(fault.to_string()));
        }
        if self.rename.is_some() && (self.list || self.format.is_some() || self.delete) {
            let fault = "--rename does nothing else: leave out --list, --as and --delete";
            return Err(WrongUse(fault.to_string()));
        }
        Ok(())
    }

    /// The games of events, one a line.
    fn list_games(&self, store: &BlockingStore, events: &[Event]) -> anyhow::Result<Exit> {
        listing::list(store, events, &self.filter, self.json)?;
        Ok(Exit::Done)
    }

    /// Deletes an event or some of its games.
    fn delete(&self, store: &BlockingStore, event: &Event) -> anyhow::Result<Exit> {
        let is_whole = self.filter.is_empty();
        let count = if is_whole {
            store.delete_event(event.id)?
        } else {
            let numbers = self.chosen(store, event)?;
            store.delete_games(event.id, &numbers)?;
            numbers.len()
        };
        let mut out = standard();
        if self.json {
            let summary = json!({
                "summary": true, "event": event.id, "deleted": count, "whole": is_whole,
            });
            writeln!(out, "{summary}")?;
        } else if is_whole {
            writeln!(out, "event {}, {}: deleted, with {}", event.id, event.name, games(count))?;
        } else {
            writeln!(out, "{} deleted of event {}, {}", games(count), event.id, event.name)?;
        }
        Ok(if is_whole || count > 0 { Exit::Done } else { Exit::Refused })
    }

    /// The numbers of the games that the filter chooses; a single one must be there.
    fn chosen(&self, store: &BlockingStore, event: &Event) -> anyhow::Result<Vec<i64>> {
        if let Some(number) = self.filter.number.as_ref().and_then(|numbers| numbers.single()) {
            store.game(event, number)?;
        }
        let rows = store.games(event)?.sound;
        let chosen = rows.iter().filter(|row| self.filter.accepts(&Facts::of_row(event, row)));
        Ok(chosen.map(|row| row.pairing.number).collect())
    }

    /// Gives an event and players other names.
    fn rename(&self, store: &BlockingStore) -> anyhow::Result<Exit> {
        let events = match self.event {
            Some(id) => vec![store.event(id)?],
            None => store.events()?.sound,
        };
        let mut renamed = Vec::new();
        if let [old, new] = self.rename_player.as_slice() {
            if new.trim().is_empty() {
                return Err(WrongUse("--rename-player: a player has a name".to_string()).into());
            }
            for event in &events {
                if store.rename_contestant(event.id, old, new)? {
                    renamed.push(event.id);
                }
            }
            if renamed.is_empty() {
                bail!("there is no player {old:?}: `tusk games --list` tells who there is");
            }
        }
        if let (Some(id), Some(name)) = (self.event, &self.rename) {
            store.rename_event(id, name)?;
        }
        let mut out = standard();
        if self.json {
            let summary = json!({
                "summary": true, "event": self.event, "name": self.rename, "players": renamed,
            });
            writeln!(out, "{summary}")?;
            return Ok(Exit::Done);
        }
        if let [old, new] = self.rename_player.as_slice() {
            let ids: Vec<String> = renamed.iter().map(EventId::to_string).collect();
            writeln!(out, "{old} is called {new} now, in event {}", ids.join(", "))?;
        }
        if let (Some(id), Some(name)) = (self.event, &self.rename) {
            writeln!(out, "event {id} is called {name} now")?;
        }
        Ok(Exit::Done)
    }

    /// Writes the games of files in another format.
    fn convert(&self, format: Format) -> anyhow::Result<Exit> {
        // Standard output is for the games.
        let json = self.json && self.output.is_some();
        let mut refused = 0;
        let mut records = Vec::new();
        for entry in self.entries(&self.convert)? {
            match entry.record {
                Ok(record) if self.filter.accepts(&Facts::of_record(&record)) => {
                    records.push(record);
                }
                Ok(_) => (),
                Err(fault) => {
                    refused += 1;
                    refuse_at(&entry.place, &fault, json, &mut standard())?;
                }
            }
        }
        let exit = self.write_all(format, records.into_iter().map(Ok))?;
        Ok(if refused == 0 { exit } else { Exit::Refused })
    }

    /// The games of files.
    fn entries(&self, files: &[String]) -> anyhow::Result<Vec<records::Entry>> {
        let army = if self.handicap { Army::Handicap } else { Army::Full };
        let mut entries = Vec::new();
        for file in files {
            let (bytes, name) = bytes_of(file)?;
            entries.extend(records::read(&bytes, &name, army));
        }
        Ok(entries)
    }

    /// What there is.
    fn list(&self, store: &BlockingStore) -> anyhow::Result<Exit> {
        let (Rows { sound: events, refused }, progress) = (store.events()?, store.progress()?);
        let progress = |event: &Event| progress.get(&event.id).copied().unwrap_or_default();
        let rows = events.iter().map(|event| (event, progress(event)));
        let mut out = standard();
        if self.json {
            for (event, Progress { finished, scheduled }) in rows {
                let row = json!({
                    "event": event.id,
                    "name": event.name,
                    "games": finished,
                    "scheduled": scheduled,
                    "created": event.created,
                    "open": event.is_open,
                });
                writeln!(out, "{row}")?;
            }
        } else if events.is_empty() {
            writeln!(out, "the store {} has no events yet", store.name())?;
        } else {
            writeln!(out, "{}", table(rows))?;
        }
        for error in &refused {
            tell_error(&format!("{error}: the event is left out"));
        }
        Ok(if refused.is_empty() { Exit::Done } else { Exit::Refused })
    }

    /// How an event stands.
    fn tell(&self, store: &BlockingStore, event: &Event) -> anyhow::Result<Exit> {
        if !self.json {
            let Progress { finished, scheduled } =
                store.progress()?.get(&event.id).copied().unwrap_or_default();
            let (id, name, created, state) = (event.id, &event.name, created(event), state(event));
            let mut out = standard();
            writeln!(
                out,
                "event {id}, {name}: {finished} of {scheduled} games, created {created}, {state}"
            )?;
        }
        if event.plan.format != arena::Format::SelfPlay {
            let told = matches::tell(store, event, self.json)?;
            return Ok(if told.refused == 0 { Exit::Done } else { Exit::Refused });
        }
        Ok(Exit::Done)
    }

    /// Writes the games of an event.
    fn export(&self, store: &BlockingStore, event: &Event, format: Format) -> anyhow::Result<Exit> {
        let number = self.filter.number.as_ref().and_then(|numbers| numbers.single());
        let one = number.map(|number| finished(store, event, number)).transpose()?;
        let all = one.is_none().then(|| store.finished_games(event)).into_iter().flatten();
        let rows = one.into_iter().map(Ok).chain(all);
        let is_chosen = |row: &GameRow| self.filter.accepts(&Facts::of_row(event, row));
        let records = rows.filter_map(|row| match row {
            Ok(row) if is_chosen(&row) => Some(Ok(Record::of(event, row))),
            Ok(_) => None,
            Err(error) => Some(Err(error.into())),
        });
        self.write_all(format, records)
    }

    /// Writes games, and tells what was left out.
    fn write_all(
        &self,
        format: Format,
        records: impl Iterator<Item = anyhow::Result<Record>>,
    ) -> anyhow::Result<Exit> {
        let Exported { count, left_out, game, refused } = self.write(format, records)?;
        if let Some(file) = self.output.as_deref().filter(|file| !is_standard(file)) {
            let (file, left_out) = (file.display().to_string(), left_out.len());
            if self.json {
                let summary = json!({
                    "summary": true, "games": count, "left_out": left_out, "file": file,
                });
                writeln!(standard(), "{summary}")?;
            } else {
                writeln!(standard(), "{} written to {file}", games(count))?;
            }
        }
        if left_out.is_empty() {
            return Ok(if refused == 0 { Exit::Done } else { Exit::Refused });
        }
        let reason = if game == GameName::Arimaa {
            "what begins at a position has no record from the start; --as json has room for it"
                .to_string()
        } else {
            format!(
                "arimaa.com's lines are not for {game}; --as records and --as json have room for it"
            )
        };
        let (count, numbers) = (games(left_out.len()), left_out.join(", "));
        tell_error(&format!("{count} left out ({numbers}): {reason}"));
        Ok(Exit::Refused)
    }

    fn write(
        &self,
        format: Format,
        records: impl Iterator<Item = anyhow::Result<Record>>,
    ) -> anyhow::Result<Exported> {
        let mut out = Output::open(self.output.as_deref())?;
        let mut writer = Writer::new(format);
        let mut exported = Exported::default();
        writer.begin(&mut out)?;
        for (index, record) in (1..).zip(records) {
            let record = match record.map_err(|error| error.downcast::<StoreError>()) {
                Err(Ok(error @ StoreError::Content { .. })) => {
                    tell_error(&format!("{error}: the row is left out"));
                    exported.refused += 1;
                    continue;
                }
                Err(Ok(error)) => return Err(error.into()),
                Err(Err(error)) => return Err(error),
                Ok(record) => record,
            };
            let number = record.number.unwrap_or(index);
            let written = writer.write(&record, &mut out);
            match written.with_context(|| format!("game {number}"))? {
                Written::Whole => exported.count += 1,
                Written::LeftOut => {
                    exported.left_out.push(number.to_string());
                    exported.game = record.game;
                }
            }
        }
        out.finish()?;
        Ok(exported)
    }

    /// Reads games into a new event.
    fn import(&self) -> anyhow::Result<Exit> {
        let Accepted { records, refused, known } = self.read()?;
        let count = records.len();
        // A store is not made for nothing.
        let kept = if count == 0 { None } else { Some(self.keep(records)?) };
        if self.json {
            let (event, name) = kept.as_ref().map(|kept| (kept.event, &kept.name)).unzip();
            let summary = json!({
                "summary": true, "event": event, "name": name, "games": count, "refused": refused,
                "known": known,
            });
            writeln!(standard(), "{summary}")?;
        } else {
            let known = if known == 0 { String::new() } else { format!(", {known} known already") };
            let refused = if refused == 0 { String::new() } else { format!(", {refused} refused") };
            let place = kept.map_or("nothing is kept".to_string(), |kept| {
                format!("event {} of {}, {}", kept.event, kept.store, kept.name)
            });
            writeln!(standard(), "{} read{known}{refused}: {place}", games(count))?;
        }
        Ok(if refused == 0 { Exit::Done } else { Exit::Refused })
    }

    /// The games of all files, and how many were refused, of which each is told.
    fn read(&self) -> anyhow::Result<Accepted> {
        // A store that cannot be opened is told when it is written to.
        let store = BlockingStore::open_existing(&self.place.store()).ok();
        let mut there = Known::new(store.as_ref())?;
        let mut accepted = Accepted::default();
        let mut out = standard();
        for entry in self.entries(&self.import)? {
            let record = entry.record.and_then(|record| accepted.of_one_game(record));
            let fault = match record {
                Err(fault) => fault,
                Ok(record) => match there.find(&record)? {
                    Some(_) if self.duplicates == Duplicates::Skip => {
                        accepted.known += 1;
                        continue;
                    }
                    Some(place) if self.duplicates == Duplicates::Refuse => format!(
                        "this game is there already, {place}: --duplicates skip leaves such games \
                         out, --duplicates keep keeps them"
                    ),
                    _ => {
                        accepted.records.push(record);
                        continue;
                    }
                },
            };
            accepted.refused += 1;
            refuse_at(&entry.place, &fault, self.json, &mut out)?;
        }
        Ok(accepted)
    }

    fn keep(&self, records: Vec<Record>) -> anyhow::Result<Kept> {
        let store = BlockingStore::open(&self.place.store())?;
        let (event, name) = match self.into {
            Some(event) => (event, add(&store, &store.event(event)?, records)?),
            None => {
                let files = self.import.join(", ");
                let Collection { name, plan, games } =
                    Collection::new(records, self.name.as_deref(), &files);
                (store.import(&name, &plan, &games)?, name)
            }
        };
        Ok(Kept { event, name, store: store.name().to_string() })
    }
}

/// Adds games to an event; returns its name.
fn add(store: &BlockingStore, event: &Event, records: Vec<Record>) -> anyhow::Result<String> {
    let id = event.id;
    if event.plan.games > 0 || event.is_open {
        bail!("event {id} was played here: games from elsewhere go into an event of their own");
    }
    if let Some(record) = records.iter().find(|record| record.game.word() != event.plan.game) {
        bail!("event {id} is of another game than these, which are of {}", record.game);
    }
    let added = Collection::added_to(event, &store.games(event)?.sound, records);
    store.append(event, &added.plan, &added.games)?;
    Ok(added.name)
}

/// What was read.
#[derive(Default)]
struct Accepted {
    records: Vec<Record>,
    refused: usize,
    /// How many games were there already, and were left out.
    known: usize,
}

impl Accepted {
    /// The record, unless it is of another game than those before it: an event is of one.
    fn of_one_game(&self, record: Record) -> Result<Record, String> {
        match self.records.first() {
            Some(first) if first.game != record.game => Err(format!(
                "this is a game of {}, and the first one is of another: import them apart",
                record.game
            )),
            _ => Ok(record),
        }
    }
}

/// What was written.
#[derive(Default)]
struct Exported {
    count: usize,
    /// The numbers of the games for which the format has no room.
    left_out: Vec<String>,
    /// The game of those.
    game: GameName,
    /// How many rows make no sense.
    refused: usize,
}

/// Where games were read to.
struct Kept {
    event: EventId,
    name: String,
    store: String,
}

/// Events for people, one a line.
fn table<'a>(rows: impl Iterator<Item = (&'a Event, Progress)>) -> String {
    let header = ["event", "games", "created", "state", "name"].map(str::to_string);
    let mut table = standings::bare_table(header.to_vec());
    for column in table.column_iter_mut() {
        column.set_cell_alignment(CellAlignment::Left);
    }
    for (event, Progress { finished, scheduled }) in rows {
        let (id, games) = (event.id.to_string(), format!("{finished} of {scheduled}"));
        table.add_row([id, games, created(event), state(event).to_string(), event.name.clone()]);
    }
    table.trim_fmt()
}

/// A file and what it is called.
pub fn bytes_of(file: &str) -> anyhow::Result<(Vec<u8>, String)> {
    if file == "-" {
        let bytes = read_all(std::io::stdin(), LONGEST_FILE).context("standard input")?;
        return Ok((bytes, "standard input".to_string()));
    }
    let bytes = read_file(file).with_context(|| file.to_string())?;
    Ok((bytes, file.to_string()))
}

/// A game that can be written.
fn finished(store: &BlockingStore, event: &Event, number: i64) -> anyhow::Result<GameRow> {
    let row = store.game(event, number)?;
    if row.state != GameState::Finished {
        bail!("game {number} of event {} is not finished yet", event.id);
    }
    Ok(row)
}

fn created(event: &Event) -> String {
    units::timestamp(event.created as i64).strftime("%Y-%m-%d %H:%M:%S").to_string()
}

fn state(event: &Event) -> &'static str {
    if event.is_open { "open" } else { "closed" }
}

fn games(count: usize) -> String {
    if count == 1 { "1 game".to_string() } else { format!("{count} games") }
}
