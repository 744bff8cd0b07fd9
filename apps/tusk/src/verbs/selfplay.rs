//! `tusk selfplay`: games for data.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::fmt::Display;
use std::io::{BufWriter, Write};
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::sync::mpsc::channel;
use std::thread::{self, available_parallelism};
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use arena::{BlockingStore, EngineSpec, TimeSettings, Worker};
use clock::TimeControl;
use engine::{Configuration, Engine};
use game::Game as _;
use guard::NoThread;
use learn::{
    AllGames, Header, Inside, Inspection, Learnable, LeasedBlocks, Openings, Sample, Samples,
    Setups, Shard, ShardGame, ShardWriter, Sharing, Terms, Workers, checksum, earlier_positions,
    event_of, inspect, shard_files,
};
use serde_json::{Value, json};
use workbench::reading::{self, Reading};
use workbench::{
    Army, Catalogues, EngineRequest, GameName, GameSpec, Playing, RequestError, WrongUse, host,
    in_game, units,
};

use crate::Exit;
use crate::shared::choice::{any_seed, setting};
use crate::shared::output::{say, standard};
use crate::shared::{contest, progress};

/// Plays games of an engine against itself or another one, and keeps them as data to learn from.
///
/// The games begin at openings of much variety, and some turns are chosen by chance. They go into a shard
/// of DIR, block by block. The same command goes on with the games that are missing: whoever is
/// killed loses a minute of games at most. Each game depends on nothing but the seed, its number and the
/// shards of earlier generations in DIR.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  tusk selfplay --out data --games 1000 --nodes 3000 --seed 1\n  tusk selfplay --out data --games 200 --seed 2 --against \"aei:./bot\" --time 1s\n  tusk selfplay --out data --games 100000 --seed 3 --store postgres://team@server/games\n  tusk selfplay --inspect data"
)]
pub struct Arguments {
    /// The folder of the shards
    #[arg(long, value_name = "DIR", required_unless_present = "inspect")]
    out: Option<PathBuf>,

    /// Print what a shard or the shards of a folder hold, and play nothing
    #[arg(long, value_name = "PATH", conflicts_with_all = [
        "out", "engine", "settings", "against", "time", "nodes", "branches", "games", "threads", "seed", "generation",
        "store", "openings", "setups",
    ])]
    inspect: Option<PathBuf>,

    /// With --inspect: print the positions that were searched as a table that `tusk train` reads
    #[arg(long, requires = "inspect", conflicts_with_all = ["out", "json"])]
    positions: bool,

    /// The engine that learns: a name of `tusk engines`, or a file such as mine.toml
    #[arg(long, value_name = "E", default_value = "tusk")]
    engine: String,

    /// Set a parameter of the engine, or memory=64MiB [default memory: 8MiB]
    #[arg(long = "set", value_name = "NAME=VALUE", value_parser = setting)]
    settings: Vec<(String, String)>,

    /// The other side: any engine of `tusk match`, such as aei:COMMAND [default: the engine itself]
    #[arg(long, value_name = "E")]
    against: Option<String>,

    /// The time for each turn of --against, besides the nodes
    #[arg(long, value_name = "T", value_parser = units::time, requires = "against")]
    time: Option<Duration>,

    /// How many positions to search for a turn, 30 % more or less by chance
    #[arg(long, value_name = "N", default_value = "3000", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,

    /// How many positions to search besides, at each turn, after steps by chance that are then taken back
    #[arg(long, value_name = "N", default_value = "2", value_parser = clap::value_parser!(u32).range(..=100))]
    branches: u32,

    /// How many games there shall be of this seed
    #[arg(long, value_name = "N", default_value = "1000", value_parser = clap::value_parser!(u64).range(1..=MOST_GAMES))]
    games: u64,

    /// How many games are played at a time [default: one a core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,

    /// The seed of all chance; another one makes other games [default: another one each time]
    #[arg(long, value_name = "S", value_parser = clap::value_parser!(u64).range(..1 << 62))]
    seed: Option<u64>,

    /// Of how many rounds of learning the engine is the result
    #[arg(long, value_name = "G", default_value = "0")]
    generation: u16,

    /// Share the games with other processes that have the same command line: a store of the arena
    #[arg(long, value_name = "URL", requires = "seed")]
    store: Option<String>,

    /// How long a process of a shared store may be silent before others play its block
    #[arg(long, value_name = "T", value_parser = contest::lease, default_value = "60s", requires = "store")]
    lease: Duration,

    /// Which setups games begin with: most of the library, or all random
    #[arg(long, value_name = "S", value_enum, default_value = "library")]
    setups: SetupsName,

    /// Begin all games at these positions
    #[arg(long, value_name = "POS")]
    openings: Option<String>,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// The setups by their names.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum SetupsName {
    Library,
    Random,
}

impl From<SetupsName> for Setups {
    fn from(name: SetupsName) -> Setups {
        match name {
            SetupsName::Library => Setups::Library,
            SetupsName::Random => Setups::Random,
        }
    }
}

/// More than anybody waits for.
const MOST_GAMES: u64 = 1_000_000_000;

/// The memory of each engine: enough for the nodes of a turn, and it is cleared before each game.
const MEBIBYTES: usize = 8;

/// So many positions of earlier games are enough variety, and little memory.
const EARLIER_POSITIONS: usize = 4096;

pub fn run(
    arguments: &Arguments,
    game: Option<GameName>,
    catalogues: &Catalogues,
) -> anyhow::Result<Exit> {
    if let Some(path) = &arguments.inspect {
        let game = match game {
            Some(game) => game,
            None => game_of(path)?,
        };
        if arguments.positions {
            return in_game!(game, S => print_positions::<S>(path));
        }
        let found = in_game!(game, S => inspect::<<S as GameSpec>::Game>(path))?;
        let text = if arguments.json { in_json(&found, game) } else { in_words(&found, game) };
        writeln!(standard(), "{text}")?;
        return Ok(Exit::Done);
    }
    let out = arguments.out.as_deref().unwrap_or(Path::new("."));
    in_game!(game.unwrap_or_default(), S => arguments.play::<S>(catalogues, out))
}

/// Prints the positions of shards as a table.
fn print_positions<S>(path: &Path) -> anyhow::Result<Exit>
where
    S: GameSpec<Game: Learnable<Position: Display>>,
{
    let mut out = BufWriter::new(standard());
    writeln!(out, "game\tply\tposition\tsteps\tscore\tresult")?;
    for sample in Samples::<S::Game>::open(path, Inside::LeftOut)? {
        let Sample { position, score, result, ply, game, .. } = sample?;
        let Some(score) = score else { continue };
        let steps = S::Game::steps_left(&position).0;
        writeln!(out, "{}\t{ply}\t{position}\t{steps}\t{}\t{result}", game.0, score.0)?;
    }
    out.flush()?;
    Ok(Exit::Done)
}

impl Arguments {
    fn play<S: Reading + Playing<Game: Learnable>>(
        &self,
        catalogues: &Catalogues,
        out: &Path,
    ) -> anyhow::Result<Exit> {
        let seed = self.seed.unwrap_or_else(any_seed);
        // What is wrong with the command line is told before anything is written.
        let chosen = self.learner::<S>(catalogues)?;
        let against = self
            .against
            .as_deref()
            .map(|text| host::read_spec::<S>(catalogues.get::<S>(), text))
            .transpose();
        let against = against.map_err(WrongUse)?;
        let given = self.given_openings::<S>()?;
        let earlier = earlier_positions::<S::Game>(out, self.generation, EARLIER_POSITIONS, seed)?;
        let terms = Terms {
            nodes: self.nodes,
            seed,
            generation: self.generation,
            branches: self.branches,
            openings: Openings { given, earlier, setups: self.setups.into() },
            opponent_time: self.opponent_time(),
        };
        let header = Header {
            game: S::NAME.word().to_string(),
            generation: self.generation,
            seed,
            engine: self.description(&chosen),
        };
        let sharing = if self.store.is_some() { Sharing::Shared } else { Sharing::Alone };
        let mut writer = ShardWriter::<S::Game>::open(out, &header, sharing)?;
        if self.seed.is_none() {
            say!("seed {seed}; if it is interrupted, go on with --seed {seed}");
        }

        let make_engine = || {
            let engine = chosen.clone().build();
            let engine = engine.map_err(|error| error.to_string())?;
            Ok(Box::new(engine) as Box<dyn Engine<S::Game>>)
        };
        let start =
            |spec: &EngineSpec| host::player::<S>(catalogues.get::<S>(), spec, &BTreeMap::new());
        let start_opponent = against.as_ref().map(|spec| move || start(spec));
        let workers = Workers {
            terms: &terms,
            make_engine: &make_engine,
            start_opponent: start_opponent.as_ref().map(|start| start as _),
            threads: self.threads(),
        };
        let mut count = Count::new(self.games, writer.done.len());
        match &self.store {
            None => {
                let games = AllGames::new(self.games);
                workers.run(&games, &mut writer, |game| count.add(game))?;
            }
            Some(address) => {
                let store = BlockingStore::open(address)?;
                store.claim()?;
                let event = event_of(&store, &header, self.games)?.id;
                let worker = Worker::new(self.lease);
                let blocks = LeasedBlocks { store: &store, event, worker, games: self.games };
                let played = thread::scope(|scope| {
                    let (done, is_done) = channel();
                    let blocks = &blocks;
                    let live = thread::Builder::new().name("lease".to_string());
                    live.spawn_scoped(scope, move || blocks.live(&is_done))
                        .map_err(|_| NoThread)?;
                    let played = workers.run(blocks, &mut writer, |game| count.add(game));
                    drop(done);
                    played
                });
                store.give_back(&blocks.worker)?;
                played?;
            }
        }
        count.tell(self.json)?;
        Ok(Exit::Done)
    }

    /// The engine with all that is set of it: on one thread, with small tables unless they are set.
    fn learner<S: Playing>(
        &self,
        catalogues: &Catalogues,
    ) -> anyhow::Result<Configuration<S::Game>> {
        let wrong = |error: RequestError| match error {
            RequestError::Engine(fault) => WrongUse::value("--engine <E>", &self.engine, &fault),
            error => WrongUse(format!("--set {error}")),
        };
        let request = EngineRequest::from_words(&self.engine, &self.settings).map_err(wrong)?;
        let resolved = request.resolve::<S>(catalogues.get::<S>());
        let mut configuration = resolved.map_err(wrong)?;
        if request.threads.is_none() {
            configuration.threads = 1;
        }
        if request.memory.is_none() {
            configuration.memory = configuration.memory.min(MEBIBYTES);
        }
        let built = configuration.clone().build();
        built.map_err(|error| WrongUse(error.to_string()))?;
        // Each thread has an engine of its own.
        let sum = configuration.memory.saturating_mul(self.threads());
        guard::check_memory(sum).map_err(|error| WrongUse(error.to_string()))?;
        Ok(configuration)
    }

    fn given_openings<S: Reading>(&self) -> anyhow::Result<Vec<S::Position>> {
        let Some(pos) = &self.openings else { return Ok(Vec::new()) };
        let entries = reading::read::<S>(pos, Army::Handicap)?;
        let position = |entry: reading::InputEntry<reading::Content<S>>| {
            let place = &entry.place;
            let game = match &entry.content {
                Ok(content) => &content.game,
                Err(fault) => bail!("--openings {pos}: {place}: {fault}"),
            };
            match game.ended() {
                Some(ended) => bail!("--openings {pos}: {place}: {}", ended.sentence),
                None if game.setting_up().is_some() => {
                    bail!("--openings {pos}: {place}: the setups come before the first position")
                }
                None => Ok(*game.position()),
            }
        };
        entries.into_iter().map(position).collect()
    }

    fn opponent_time(&self) -> TimeSettings {
        let control = self.time.map(TimeControl::per_turn);
        let margin = crate::shared::terms::USUAL_MARGIN;
        TimeSettings { control, margin, nodes: Some(self.nodes), ..TimeSettings::default() }
    }

    /// All that changes the games of a seed. Of a model or a net, its content counts, not only its name.
    fn description<G: game::Game>(&self, chosen: &Configuration<G>) -> String {
        let settings = self.settings.iter().map(|(name, value)| format!(" {name}={value}"));
        let mut text = self.engine.clone() + &settings.collect::<String>();
        let sum = |bytes: &[u8]| Ok::<u32, Infallible>(checksum(bytes));
        for sum in chosen.files().filter_map(|file| file.parse(sum).ok()) {
            text += &format!(" ({sum:08x})");
        }
        text += &format!(" --nodes {} --branches {}", self.nodes, self.branches);
        let options = [("against", &self.against), ("openings", &self.openings)];
        for (name, value) in options {
            if let Some(value) = value {
                text += &format!(" --{name} {value}");
            }
        }
        if self.setups == SetupsName::Random {
            text += " --setups random";
        }
        if let Some(time) = self.time {
            text += &format!(" --time {}ms", time.as_millis());
        }
        text
    }

    fn threads(&self) -> usize {
        self.threads.map_or_else(|| available_parallelism().map_or(1, NonZero::get), usize::from)
    }
}

/// What was played in this run, and how far it is.
struct Count {
    games: usize,
    positions: usize,
    begun: Instant,
    bar: indicatif::ProgressBar,
}

impl Count {
    fn new(games: u64, done: usize) -> Count {
        let bar = progress::bar_from(done, games as usize, "games");
        Count { games: 0, positions: 0, begun: Instant::now(), bar }
    }

    fn add<P: game::Position>(&mut self, game: &ShardGame<P>) {
        self.games += 1;
        self.positions += game.turns.iter().filter(|turn| turn.searched.is_some()).count();
        self.bar.inc(1);
        self.bar.set_message(format!("({:.0} positions a second)", self.rate()));
    }

    fn rate(&self) -> f64 {
        self.positions as f64 / self.begun.elapsed().as_secs_f64().max(1e-9)
    }

    fn tell(&self, json: bool) -> anyhow::Result<()> {
        self.bar.finish_and_clear();
        let (games, positions, rate) = (self.games, self.positions, self.rate());
        let seconds = self.begun.elapsed().as_secs_f64();
        let text = match json {
            true => json!({
                "summary": true,
                "games": games,
                "positions": positions,
                "seconds": seconds,
                "positions_per_second": rate,
            })
            .to_string(),
            false => format!(
                "{games} games, {positions} positions in {seconds:.1} s, {rate:.0} a second"
            ),
        };
        Ok(writeln!(standard(), "{text}")?)
    }
}

/// The game of the first shard.
fn game_of(path: &Path) -> anyhow::Result<GameName> {
    let files = shard_files(path)?;
    let first = files.first();
    let first = first.with_context(|| format!("{}: there is no shard here", path.display()))?;
    let game = Shard::open(first)?.header.game;
    GameName::named(&game).map_err(anyhow::Error::msg)
}

/// The percentiles of scores that are told.
const PERCENTILES: [usize; 7] = [1, 5, 25, 50, 75, 95, 99];

fn in_json(found: &Inspection, game: GameName) -> String {
    let [first, second, nobody] = found.results;
    let percentile = |percent: usize| (percent.to_string(), found.percentile(percent).into());
    let scores: serde_json::Map<String, Value> = PERCENTILES.map(percentile).into_iter().collect();
    json!({
        "game": game.word(),
        "shards": found.shards,
        "bytes": found.bytes,
        "bytes_per_turn": found.bytes_per_turn(),
        "generations": found.generations,
        "engines": found.engines,
        "games": found.games,
        "games_again": found.games_again,
        "games_against": found.games_against,
        "results": {"first": first, "second": second, "nobody": nobody},
        "reasons": found.reasons,
        "turns": {"all": found.turns, "shortest": found.shortest, "longest": found.longest},
        "searched": found.searched,
        "inside": found.inside,
        "branches": found.branches,
        "random": found.random,
        "unscored": found.unscored,
        "duplicates": found.duplicates,
        "depth": found.mean_depth(),
        "proofs": found.proofs,
        "scores": scores,
    })
    .to_string()
}

fn in_words(found: &Inspection, game: GameName) -> String {
    let [first, second, nobody] = found.results;
    let [first_name, second_name] = in_game!(game, S => <S as GameSpec>::SIDES);
    let generations: Vec<String> = found.generations.iter().map(u16::to_string).collect();
    let reasons: Vec<String> =
        found.reasons.iter().map(|(word, count)| format!("{word} {count}")).collect();
    let scores: Vec<String> = PERCENTILES
        .iter()
        .filter_map(|&percent| Some(format!("{percent}%: {}", found.percentile(percent)?)))
        .collect();
    let mean = found.turns as f64 / found.games.max(1) as f64;
    let mut lines = vec![
        format!(
            "{game}: {} games in {} shards, {} bytes, {:.2} a turn",
            found.games,
            found.shards,
            found.bytes,
            found.bytes_per_turn()
        ),
        format!("generation {}", generations.join(", ")),
    ];
    lines.extend(found.engines.iter().map(|engine| format!("engine {engine}")));
    lines.extend([
        format!("{first_name} won {first}, {second_name} {second}, nobody {nobody}"),
        format!("ended by {}", reasons.join(", ")),
        format!(
            "{} turns, from {} to {} a game, {mean:.1} on average",
            found.turns, found.shortest, found.longest
        ),
        format!(
            "{} positions searched ({} inside a turn, {} in branches, {} proved, {} again), to depth {:.1}",
            found.searched,
            found.inside,
            found.branches,
            found.proofs,
            found.duplicates,
            found.mean_depth()
        ),
        format!("{} random turns, {} others without a score", found.random, found.unscored),
        format!("scores {}", scores.join(", ")),
    ]);
    if found.games_again > 0 {
        lines.push(format!("{} games are there more than once", found.games_again));
    }
    lines.join("\n")
}
