//! `tusk worker`: plays what waits in a store, on this machine.

use std::thread;
use std::time::Duration;

use arena::{BlockingStore, Event};

use crate::contest::EventArguments;
use crate::output::say;
use crate::{Exit, matches};

/// Plays the games that wait in a store: any number of workers, on any number of machines.
///
/// The games of a worker that dies are played by others when its lease has run out. Engines are
/// started by the same command lines on every machine.
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

    #[command(flatten)]
    playing: EventArguments,
}

/// How often a worker that waits looks for new events.
const PAUSE: Duration = Duration::from_secs(5);

pub fn run(arguments: &Arguments) -> anyhow::Result<Exit> {
    // A database may be there before its tables are; a file that is missing is a mistake.
    let address = &arguments.playing.place.store();
    let is_database = address.contains("://");
    let store = if is_database {
        BlockingStore::open(address)?
    } else {
        BlockingStore::open_existing(address)?
    };
    store.claim()?;
    let mut played = false;
    loop {
        while let Some(event) = next(&store, arguments.event)? {
            played = true;
            say!("event {}: {}", event.id, event.name);
            arguments.playing.play(&store, &event)?;
            matches::tell(&store, &event, arguments.playing.json)?;
        }
        if !arguments.keep {
            if !played {
                say!("no game waits in {}", store.name());
            }
            return Ok(Exit::Done);
        }
        thread::sleep(PAUSE);
    }
}

/// The next event in which something may be left to be done.
fn next(store: &BlockingStore, wanted: Option<i64>) -> anyhow::Result<Option<Event>> {
    let id = match wanted {
        Some(id) => Some(id),
        None => store.next_open()?,
    };
    let event = id.map(|id| store.event(id)).transpose()?;
    Ok(event.filter(|event| event.is_open))
}
