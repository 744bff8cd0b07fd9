//! What `match`, `tournament` and `worker` share: games of an event are played and told.

use std::io::Write;
use std::num::NonZero;
use std::thread::available_parallelism;
use std::time::Duration;

use anyhow::{anyhow, bail};
use arena::{
    BlockingStore, Contestant, Event, Fault, FinishedGame, Format, Plan, Rows, Runner, RunnerError,
    ScoredGame, Worker,
};
use engine::harmless;
use game::Game as _;
use indicatif::ProgressBar;
use serde_json::json;

use workbench::host::{self, EngineHost};
use workbench::units;
use workbench::{Catalogues, GameName, Playing, in_game};

use crate::output::{say, standard, tell_error};
use crate::{config, progress, signals, standings};

/// Where games are kept.
#[derive(Default, clap::Args)]
pub struct StoreArgument {
    /// Where the games are kept: a file, or postgres://USER:PASSWORD@HOST/DATABASE
    /// [default: that of `tusk config`, mostly tusk.sqlite]
    #[arg(long, value_name = "STORE", env = "TUSK_STORE", hide_env_values = true)]
    store: Option<String>,
}

impl StoreArgument {
    /// What the command line says, else the default in force.
    pub fn store(&self) -> String {
        self.store_or(|| config::settings().store())
    }

    /// What the command line says, else that.
    pub fn store_or(&self, usual: impl FnOnce() -> String) -> String {
        self.store.clone().unwrap_or_else(usual)
    }
}

/// Where and how games are played.
#[derive(clap::Args)]
pub struct EventArguments {
    #[command(flatten)]
    pub place: StoreArgument,

    /// How many games are played at a time [default: as many as leave a core to each that thinks]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub concurrency: Option<u16>,

    /// How long a worker of a shared store may be silent before others take over its games
    #[arg(long, value_name = "T", value_parser = lease, default_value = "60s")]
    pub lease: Duration,

    /// Print one JSON object a line
    #[arg(long)]
    pub json: bool,
}

/// How long a worker may be silent.
pub fn lease(text: &str) -> Result<Duration, String> {
    let time = units::time(text)?;
    let is_long_enough = time >= Duration::from_secs(1);
    is_long_enough.then_some(time).ok_or("a lease lasts a second at least".to_string())
}

impl EventArguments {
    /// Opens the store.
    pub fn open(&self) -> anyhow::Result<BlockingStore> {
        self.open_at(&self.place.store())
    }

    /// Opens the store of that address.
    pub fn open_at(&self, address: &str) -> anyhow::Result<BlockingStore> {
        let mut store = BlockingStore::open(address)?;
        store.when_waiting(|words| say!("{words}"));
        Ok(store)
    }

    /// Games at a time. Only contestants that `may_play` count.
    pub fn games_at_a_time(
        &self,
        catalogues: &Catalogues,
        plan: &Plan,
        may_play: &dyn Fn(&Contestant) -> bool,
    ) -> usize {
        let cores = available_parallelism().map_or(1, NonZero::get);
        let most = match GameName::named(&plan.game) {
            Ok(game) => in_game!(game, S => most_threads::<S>(catalogues, plan, may_play)),
            Err(_) => 1,
        };
        let concurrency = self.concurrency.or(config::settings().concurrency());
        concurrency.map_or((cores / most).max(1), usize::from)
    }

    /// Plays the games of an event that are left, and tells each.
    pub fn play(
        &self,
        catalogues: &Catalogues,
        store: &BlockingStore,
        event: &Event,
    ) -> anyhow::Result<()> {
        self.play_some(catalogues, store, event, &|_| true)
    }

    /// The same, but only games of contestants of whom this holds.
    pub fn play_some(
        &self,
        catalogues: &Catalogues,
        store: &BlockingStore,
        event: &Event,
        may_play: &(dyn Fn(&Contestant) -> bool + Sync),
    ) -> anyhow::Result<()> {
        self.play_games(catalogues, store, event, may_play, true)
    }

    /// Plays the games of an event that are left; only the bar tells of them.
    pub fn play_silently(
        &self,
        catalogues: &Catalogues,
        store: &BlockingStore,
        event: &Event,
    ) -> anyhow::Result<()> {
        self.play_games(catalogues, store, event, &|_| true, false)
    }

    fn play_games(
        &self,
        catalogues: &Catalogues,
        store: &BlockingStore,
        event: &Event,
        may_play: &(dyn Fn(&Contestant) -> bool + Sync),
        tells_games: bool,
    ) -> anyhow::Result<()> {
        if event.plan.format == Format::SelfPlay {
            bail!("event {} is for data: `tusk selfplay` plays it", event.id);
        }
        // What the engines of a killed match have left would take time from those of this one.
        process::end_leftovers();
        workbench::players::remove_leftovers();
        let mut teller = Teller::new(self.json, store, event)?;
        teller.tells_games = tells_games;
        let concurrency = self.games_at_a_time(catalogues, &event.plan, may_play);
        let worker = Worker::new(self.lease);
        let mut failure = None;
        let told = |game: &FinishedGame| match teller.tell(game) {
            Ok(()) => true,
            Err(error) => {
                failure = Some(error);
                false
            }
        };
        let game = GameName::named(&event.plan.game).map_err(|fault| anyhow!(fault))?;
        let played = in_game!(game, S => {
            let host = &EngineHost::<S>(catalogues.get::<S>());
            let (worker, stop) = (worker.clone(), signals::graceful_stop());
            Runner { host, store, worker, concurrency, may_play, stop }.play(event, told)
        });
        teller.bar.finish_and_clear();
        if !matches!(played, Err(RunnerError::Store(_))) {
            store.give_back(&worker)?;
        }
        played?;
        failure.map_or(Ok(()), Err)
    }
}

/// How many threads think at a time in a game. Settings of engines that may not play here are not looked at: one could
/// name a file.
fn most_threads<S: Playing>(
    catalogues: &Catalogues,
    plan: &Plan,
    may_play: &dyn Fn(&Contestant) -> bool,
) -> usize {
    let playing = plan.contestants.iter().filter(|one| may_play(one));
    let threads = playing.map(|one| host::threads::<S>(catalogues.get::<S>(), &one.engine));
    threads.max().unwrap_or(1)
}

/// Tells of each game that is finished, and how things stand.
struct Teller<'a> {
    json: bool,
    /// Whether a line is written for each game.
    tells_games: bool,
    event: &'a Event,
    /// The position at which each opening ends.
    openings: Vec<String>,
    scores: Vec<ScoredGame>,
    bar: ProgressBar,
}

impl<'a> Teller<'a> {
    fn new(json: bool, store: &BlockingStore, event: &'a Event) -> anyhow::Result<Teller<'a>> {
        let Rows { sound: scores, refused } = store.scores(event)?;
        for error in refused {
            tell_error(&format!("{error}: the row is left out"));
        }
        let games = event.plan.pairings(&scores);
        let openings = opening_positions(&event.plan)?;
        let template = "{bar:30} {pos}/{len} games{left}\n{msg}";
        let bar = progress::started(scores.len(), games.len(), template);
        let teller = Teller { json, tells_games: true, event, openings, scores, bar };
        teller.show();
        Ok(teller)
    }

    fn show(&self) {
        let standing = standings::live(&self.event.plan, &self.scores);
        self.bar.set_message(harmless(&standing).into_owned());
        self.bar.tick();
    }

    fn tell(&mut self, finished: &FinishedGame) -> anyhow::Result<()> {
        let FinishedGame { pairing, result } = finished;
        let (number, pair, players) = (pairing.number, pairing.pair, pairing.players);
        let (winner, by_failure) = (result.winner, Fault::named(&result.reason).is_some());
        self.scores.push(ScoredGame { number, pair, players, winner, by_failure });
        let name = |contestant: usize| self.event.plan.contestants[contestant].name.as_str();
        let winner = result.winner.map(|side| name(players[side]));
        let line = if self.json {
            json!({
                "game": number,
                "first": name(players.first),
                "second": name(players.second),
                "opening": self.openings.get(pairing.opening),
                "winner": winner,
                "reason": result.reason,
                "turns": result.turns,
                "seconds": result.time.as_secs_f64(),
                "detail": (!result.detail.is_empty()).then_some(&result.detail),
            })
            .to_string()
        } else {
            let (first, second) = (name(players.first), name(players.second));
            let won = winner.map_or("nobody has won".to_string(), |name| format!("{name} wins"));
            let detail = result.detail.lines().next().unwrap_or_default();
            let colon = if detail.is_empty() { "" } else { ": " };
            format!(
                "game {number}, {first} - {second}: {won} ({}{colon}{detail}), {} turns, {:.1} s",
                result.reason,
                result.turns,
                result.time.as_secs_f64()
            )
        };
        self.bar.inc(1);
        if self.event.plan.format == Format::KnockOut {
            self.bar.set_length(self.event.plan.pairings(&self.scores).len() as u64);
        }
        self.show();
        if !self.tells_games {
            return Ok(());
        }
        let printed = self.bar.suspend(|| writeln!(standard(), "{line}"));
        Ok(printed?)
    }
}

/// The position at which each opening ends, which refuses those that are none.
fn opening_positions(plan: &Plan) -> anyhow::Result<Vec<String>> {
    let game = GameName::named(&plan.game).map_err(|fault| anyhow!(fault))?;
    let position = |(index, opening): (usize, &String)| {
        let position = in_game!(game, S => end_of_opening::<S>(opening));
        position.map_err(|fault| anyhow!("opening {}: {fault}", index + 1))
    };
    plan.openings.iter().enumerate().map(position).collect()
}

fn end_of_opening<S: Playing>(opening: &str) -> Result<String, String> {
    let (game, _) = S::Game::begin(opening)?;
    Ok(game.position().to_string())
}
