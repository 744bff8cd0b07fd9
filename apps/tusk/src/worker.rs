//! `tusk worker`: plays what waits in a store, on this machine.

use std::collections::HashSet;
use std::time::Duration;

use arena::{BlockingStore, Contestant, Event, EventId, RunnerError, StoreError};
use workbench::Catalogues;

use crate::contest::EventArguments;
use crate::output::{say, tell_error};
use crate::{Exit, allowed, matches, signals};

/// Plays the games that wait in a store: any number of workers, on any number of machines.
///
/// The games of a worker that dies are played by others when its lease has run out. Engines are
/// started by the same command lines on every machine. Programs, such as aei:COMMAND, engine files and files of weights
/// are run and read only if --allow names them: anybody who can write to the store could run any command and read any
/// file here otherwise. Games of others are left to other workers.
#[derive(clap::Args)]
#[command(
    after_help = "Example:\n  tusk tournament levels.toml --schedule-only --store postgres://team@server/games\n  tusk worker --store postgres://team@server/games"
)]
pub struct Arguments {
    /// Only play this event [default: all that are open, the oldest first]
    #[arg(long, value_name = "NUMBER")]
    event: Option<i64>,

    /// Wait for more when all games are played
    #[arg(long)]
    keep: bool,

    /// A program that may run here or a file that may be read, exactly as events name it ("aei:./bot --fast",
    /// my.network); may be repeated
    #[arg(long, value_name = "ENGINE")]
    allow: Vec<String>,

    #[command(flatten)]
    playing: EventArguments,
}

/// How often a worker that waits looks for new events.
const PAUSE: Duration = Duration::from_secs(5);

pub fn run(arguments: &Arguments, catalogues: &Catalogues) -> anyhow::Result<Exit> {
    // A database may be there before its tables are; a file that is missing is a mistake.
    let address = &arguments.playing.place.store();
    let is_database = address.contains("://");
    let mut store = if is_database {
        BlockingStore::open(address)?
    } else {
        BlockingStore::open_existing(address)?
    };
    store.when_waiting(|words| say!("{words}"));
    store.claim()?;
    let mut work =
        Work { catalogues, arguments, store: &store, left: HashSet::new(), exit: Exit::Done };
    let mut played = false;
    loop {
        while let Some(event) = work.next()? {
            played = true;
            work.play(&event)?;
            if signals::received().is_some() {
                say!("interrupted; its games are given back");
                return Ok(work.exit);
            }
        }
        if !arguments.keep {
            if !played {
                say!("no game waits in {}", store.name());
            }
            return Ok(work.exit);
        }
        signals::sleep(PAUSE);
        if signals::received().is_some() {
            return Ok(work.exit);
        }
    }
}

/// What a worker does.
struct Work<'a> {
    catalogues: &'a Catalogues,
    arguments: &'a Arguments,
    store: &'a BlockingStore,
    /// Events that are left to others.
    left: HashSet<EventId>,
    exit: Exit,
}

impl Work<'_> {
    /// The next event in which something may be left to be done.
    fn next(&mut self) -> anyhow::Result<Option<Event>> {
        let ids = match self.arguments.event {
            Some(id) => vec![id],
            None => self.store.open_events()?,
        };
        for id in ids {
            if self.left.contains(&id) {
                continue;
            }
            match self.store.event(id) {
                Err(error @ StoreError::Content { .. }) => {
                    tell_error(&format!("{error}: the event is left out"));
                    self.left.insert(id);
                    self.exit = Exit::Refused;
                }
                event => return Ok(Some(event?).filter(|event| event.is_open)),
            }
        }
        Ok(None)
    }

    /// Plays what can be played of an event. Where an engine fails here, the event is left to others.
    fn play(&mut self, event: &Event) -> anyhow::Result<()> {
        say!("event {}: {}", event.id, event.name);
        let EventArguments { json, .. } = self.arguments.playing;
        let allow = &self.arguments.allow;
        for engine in allowed::others(self.catalogues, event, allow) {
            say!(
                "event {}: {engine:?} may not run here, and its games are left to other workers \
                 (--allow {engine:?} lets it run)",
                event.id
            );
            self.left.insert(event.id);
        }
        let may_play =
            |contestant: &Contestant| allowed::may_play(self.catalogues, contestant, allow);
        let played =
            self.arguments.playing.play_some(self.catalogues, self.store, event, &may_play);
        match matches::conclude(self.store, event, json, played) {
            Ok(Exit::Done) => (),
            Ok(exit) => self.exit = exit,
            Err(error) if matches!(error.downcast_ref(), Some(RunnerError::Engine { .. })) => {
                let id = event.id;
                tell_error(&format!("{error:#}\nevent {id} is left to other workers"));
                self.left.insert(event.id);
                self.exit = Exit::Refused;
            }
            Err(error) => return Err(error),
        }
        Ok(())
    }
}
