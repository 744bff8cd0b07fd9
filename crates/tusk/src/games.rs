//! `tusk games`: the events of a store and their games, which leave it and come to it as files.

use std::io::{Read, Write};
use std::path::PathBuf;

use anyhow::{Context, bail};
use arena::{BlockingStore, Event, EventId, GameRow, GameState, Progress, Rows, StoreError};
use comfy_table::CellAlignment;
use serde_json::json;

use crate::contest::StoreArgument;
use crate::output::Output;
use crate::records::{self, Collection, Format, Record, Writer, Written};
use crate::show::refuse_at;
use crate::{Exit, matches, signals, standings};
use workbench::{Army, GameName, units};

/// Lists the events of a store, tells how one stands, writes its games to a file, and reads games.
///
/// Without EVENT it lists what there is. With it, it tells how things stand or, with --as, writes the
/// finished games: as arimaa.com's lines (archive), as plain records, or as JSON, which has all that
/// is known. --import reads games of any of these formats, gzipped or not, as a new event. Games of Tzaar have
/// no place in arimaa.com's lines.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  tusk games\n  tusk games 3 --as records --output games.txt\n  tusk games --import allgames202602.txt --store archive.sqlite"
)]
pub struct Arguments {
    /// The number of an event
    event: Option<EventId>,

    #[command(flatten)]
    place: StoreArgument,

    /// Write the finished games of the event
    #[arg(long = "as", value_name = "FORMAT", value_enum, requires = "event")]
    format: Option<Format>,

    /// Only the game of this number
    #[arg(long, value_name = "N", requires = "format")]
    number: Option<i64>,

    /// To this file, which is replaced once all is written [default: standard output]
    #[arg(long, value_name = "FILE", requires = "format")]
    output: Option<PathBuf>,

    /// Read games from these files (- for standard input) as a new event
    #[arg(
        long, value_name = "FILE", num_args = 1..,
        conflicts_with_all = ["event", "format", "number", "output"]
    )]
    import: Vec<String>,

    /// What the new event is called [default: as the games say, if they agree; else by the files]
    #[arg(long, value_name = "NAME", requires = "import")]
    name: Option<String>,

    /// Accept setups with fewer than sixteen pieces in what is read
    #[arg(long, requires = "import")]
    handicap: bool,

    /// Print one JSON object a line
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &Arguments) -> anyhow::Result<Exit> {
    if !arguments.import.is_empty() {
        return arguments.import();
    }
    let store = BlockingStore::open_existing(&arguments.place.store)?;
    match (arguments.event, arguments.format) {
        (None, _) => arguments.list(&store),
        (Some(id), None) => arguments.tell(&store, &store.event(id)?),
        (Some(id), Some(format)) => arguments.export(&store, &store.event(id)?, format),
    }
}

impl Arguments {
    /// What there is.
    fn list(&self, store: &BlockingStore) -> anyhow::Result<Exit> {
        let (Rows { sound: events, refused }, progress) = (store.events()?, store.progress()?);
        let progress = |event: &Event| progress.get(&event.id).copied().unwrap_or_default();
        let rows = events.iter().map(|event| (event, progress(event)));
        let mut out = std::io::stdout().lock();
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
            signals::say(&format!("error: {error}: the event is left out"));
        }
        Ok(if refused.is_empty() { Exit::Done } else { Exit::Refused })
    }

    /// How an event stands.
    fn tell(&self, store: &BlockingStore, event: &Event) -> anyhow::Result<Exit> {
        if !self.json {
            let Progress { finished, scheduled } =
                store.progress()?.get(&event.id).copied().unwrap_or_default();
            let (id, name, created, state) = (event.id, &event.name, created(event), state(event));
            let mut out = std::io::stdout().lock();
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
        let Exported { count, left_out, refused } = self.write(store, event, format)?;
        if let Some(file) = &self.output {
            let (file, left_out) = (file.display().to_string(), left_out.len());
            if self.json {
                let summary = json!({
                    "summary": true, "games": count, "left_out": left_out, "file": file,
                });
                writeln!(std::io::stdout(), "{summary}")?;
            } else {
                writeln!(std::io::stdout(), "{} written to {file}", games(count))?;
            }
        }
        if left_out.is_empty() {
            return Ok(if refused == 0 { Exit::Done } else { Exit::Refused });
        }
        let reason = match GameName::named(&event.plan.game) {
            Ok(game) if game != GameName::Arimaa => format!(
                "arimaa.com's lines are not for {game}; --as records and --as json have room for it"
            ),
            _ => {
                "what begins at a position has no record from the start; --as json has room for it"
                    .to_string()
            }
        };
        eprintln!("error: {} left out ({}): {reason}", games(left_out.len()), left_out.join(", "),);
        Ok(Exit::Refused)
    }

    fn write(
        &self,
        store: &BlockingStore,
        event: &Event,
        format: Format,
    ) -> anyhow::Result<Exported> {
        let mut out = Output::open(self.output.as_deref())?;
        let mut writer = Writer::new(format);
        let mut exported = Exported::default();
        let mut refused = 0;
        writer.begin(&mut out)?;
        let mut write = |row: GameRow| {
            let number = row.pairing.number;
            let written = writer.write(&Record::of(event, row), &mut out);
            match written.with_context(|| format!("game {number}"))? {
                Written::Whole => exported.count += 1,
                Written::LeftOut => exported.left_out.push(number.to_string()),
            }
            anyhow::Ok(())
        };
        match self.number {
            Some(number) => write(finished(store, event, number)?)?,
            None => {
                for row in store.finished_games(event) {
                    match row {
                        Err(error @ StoreError::Content { .. }) => {
                            signals::say(&format!("error: {error}: the row is left out"));
                            refused += 1;
                        }
                        row => write(row?)?,
                    }
                }
            }
        }
        exported.refused = refused;
        out.finish()?;
        Ok(exported)
    }

    /// Reads games into a new event.
    fn import(&self) -> anyhow::Result<Exit> {
        let (accepted, refused) = self.read()?;
        let count = accepted.len();
        // A store is not made for nothing.
        let kept = if count == 0 { None } else { Some(self.keep(accepted)?) };
        if self.json {
            let (event, name) = kept.as_ref().map(|kept| (kept.event, &kept.name)).unzip();
            let summary = json!({
                "summary": true, "event": event, "name": name, "games": count, "refused": refused,
            });
            writeln!(std::io::stdout(), "{summary}")?;
        } else {
            let refused = if refused == 0 { String::new() } else { format!(", {refused} refused") };
            let place = kept.map_or("nothing is kept".to_string(), |kept| {
                format!("event {} of {}, {}", kept.event, kept.store, kept.name)
            });
            writeln!(std::io::stdout(), "{} read{refused}: {place}", games(count))?;
        }
        Ok(if refused == 0 { Exit::Done } else { Exit::Refused })
    }

    /// The games of all files, and how many were refused, of which each is told.
    fn read(&self) -> anyhow::Result<(Vec<Record>, usize)> {
        let army = if self.handicap { Army::Handicap } else { Army::Full };
        let mut accepted = Vec::new();
        let mut refused = 0;
        let mut out = std::io::stdout().lock();
        for file in &self.import {
            let (bytes, name) = bytes_of(file)?;
            for entry in records::read(&bytes, &name, army) {
                match entry.record {
                    Ok(record) if is_other(&accepted, &record) => {
                        refused += 1;
                        let fault = format!(
                            "this is a game of {}, and the first one is of another: import them apart",
                            record.game
                        );
                        refuse_at(&entry.place, &fault, self.json, &mut out)?;
                    }
                    Ok(record) => accepted.push(record),
                    Err(fault) => {
                        refused += 1;
                        refuse_at(&entry.place, &fault, self.json, &mut out)?;
                    }
                }
            }
        }
        Ok((accepted, refused))
    }

    fn keep(&self, records: Vec<Record>) -> anyhow::Result<Kept> {
        let Collection { name, plan, games } = Collection::new(records, &self.import.join(", "));
        let name = self.name.clone().unwrap_or(name);
        let store = BlockingStore::open(&self.place.store)?;
        let event = store.import(&name, &plan, &games)?;
        Ok(Kept { event, name, store: store.name().to_string() })
    }
}

/// Whether a record is of another game than those before it: an event is of one.
fn is_other(accepted: &[Record], record: &Record) -> bool {
    accepted.first().is_some_and(|first| first.game != record.game)
}

/// What was written.
#[derive(Default)]
struct Exported {
    count: usize,
    /// The numbers of the games for which the format has no room.
    left_out: Vec<String>,
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
fn bytes_of(file: &str) -> anyhow::Result<(Vec<u8>, String)> {
    if file == "-" {
        let mut bytes = Vec::new();
        std::io::stdin().read_to_end(&mut bytes).context("standard input")?;
        return Ok((bytes, "standard input".to_string()));
    }
    let bytes = std::fs::read(file).with_context(|| file.to_string())?;
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
