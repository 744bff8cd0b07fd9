//! A line of generations in a folder, step by step.

use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};
use std::time::Instant;

use arena::{TestTerms, TimeSettings};
use engine::Engine;
use game::KeyGenerator;
use guard::read_file;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

use super::chunks::{Chunks, Part};
use super::games::FromRules;
use super::gate::Gate;
use super::journal::{Gated, Journal, Played, Row, Step, Trained};
use super::setups::{SetupResults, SetupWeights};
use super::training::{self, Course, GamesOfGeneration};
use super::{Event, GenerationError, Settings, Watcher, replace_file};
use crate::{AllGames, Header, Openings, Terms, Workers, checksum, games};

/// Makes an engine that evaluates by the net of a file alone; the rest is set by words `name=value`.
pub type MakeNetEngine<'a, G> =
    dyn Fn(&Path, &[String]) -> Result<Box<dyn Engine<G>>, String> + Sync + 'a;

/// A folder in which a net learns from nothing, one generation after the other.
///
/// | file | holds |
/// | --- | --- |
/// | `settings.toml` | how the next generations are made |
/// | `journal.jsonl` | all that was done: what is there is never done again |
/// | `nets/gN.network` | the net that generation N has trained; that of 0 has random weights |
/// | `nets/gN.setups` | what is known of setups since generation N |
/// | `best.network`, `best.setups` | copies of the best net and of the newest setups |
/// | `shards/gN/…` | the games of generation N |
pub struct Line<'a, G: FromRules> {
    folder: PathBuf,
    journal: Journal,
    /// How generations are made that begin from now on.
    settings: Settings,
    make_engine: &'a MakeNetEngine<'a, G>,
    threads: usize,
    /// Whether the journal is ours to write.
    lock: Option<File>,
}

/// The copy of the best net.
const BEST_NET: &str = "best.network";

/// The most first positions of a generation. With more games, several games share a position and differ by their random turns.
const MOST_STARTS: u64 = 1 << 16;

/// Time is written down that often, so that a process that is killed loses the count of no more.
const SECONDS_OF_A_ROW: f64 = 60.0;

/// What chance is used for: each use has numbers of its own.
#[derive(Clone, Copy)]
enum Chance {
    Starts,
    GateOpenings,
    Gate,
    Net,
}

/// The time of a step, written down bit by bit.
struct Watch {
    generation: u16,
    step: Step,
    threads: usize,
    begun: Instant,
}

impl Watch {
    /// Writes the time since the last row, if that is long ago or the step is done.
    fn note(&mut self, journal: &mut Journal, is_done: bool) -> Result<(), GenerationError> {
        let seconds = self.begun.elapsed().as_secs_f64();
        if !is_done && seconds < SECONDS_OF_A_ROW {
            return Ok(());
        }
        self.begun = Instant::now();
        let Watch { generation, step, threads, .. } = *self;
        journal.add(Row::Spent { generation, step, seconds, threads })
    }
}

impl<'a, G: FromRules> Line<'a, G> {
    /// Opens a folder. Without `is_part`, no other process may work in it.
    pub fn open(
        folder: &Path,
        settings: Settings,
        make_engine: &'a MakeNetEngine<'a, G>,
        threads: usize,
        is_part: bool,
    ) -> Result<Line<'a, G>, GenerationError> {
        let nets = folder.join("nets");
        fs::create_dir_all(&nets).map_err(|error| GenerationError::file(&nets, error))?;
        let lock = if is_part { None } else { Some(lock(folder)?) };
        let journal = folder.join("journal.jsonl");
        let journal = if is_part { Journal::read(&journal)? } else { Journal::open(&journal)? };
        let folder = folder.to_path_buf();
        let line = Line { folder, journal, settings, make_engine, threads, lock };
        if line.lock.is_some() {
            remove_drafts(&line.folder)?;
            remove_drafts(&nets)?;
            line.copy_best()?;
        }
        Ok(line)
    }

    /// The record of finished steps.
    pub fn journal(&self) -> &Journal {
        &self.journal
    }

    /// The file of a generation's net.
    pub fn net(&self, generation: u16) -> PathBuf {
        self.folder.join(format!("nets/g{generation}.network"))
    }

    fn checkpoint(&self, generation: u16) -> PathBuf {
        self.folder.join(format!("nets/g{generation}.network.checkpoint"))
    }

    fn setups_file(&self, generation: u16) -> PathBuf {
        self.folder.join(format!("nets/g{generation}.setups"))
    }

    /// The generation that is in progress, or the next one.
    pub fn current(&self) -> u16 {
        self.journal.done() + 1
    }

    /// The next step of a generation; none, if the generation is done.
    pub fn next_step(&self, generation: u16) -> Option<Step> {
        let journal = &self.journal;
        match () {
            () if journal.played(generation).is_none() => Some(Step::Selfplay),
            () if journal.trained(generation).is_none() => Some(Step::Train),
            () if journal.gated(generation).is_none() => Some(Step::Gate),
            () => None,
        }
    }

    /// Does a step of a generation, or goes on with it; a part only of self-play.
    pub fn run(
        &mut self,
        generation: u16,
        step: Step,
        part: Part,
        watcher: &mut (dyn Watcher + Send),
    ) -> Result<(), GenerationError> {
        if generation == 0 || generation > self.current() {
            let fault =
                format!("generation {generation}: generation {} comes next", self.current());
            return Err(GenerationError::Refused(fault));
        }
        let (best, settings) = self.begin(generation)?;
        watcher.tell(Event::Begin { generation, step });
        match step {
            Step::Selfplay => self.play(generation, best, &settings, part, watcher),
            Step::Train => self.train(generation, best, &settings, watcher),
            Step::Gate => self.gate(generation, best, &settings, watcher),
        }
    }

    /// The generation of the net that plays a generation, and how it is made; it begins now, if it has not.
    fn begin(&mut self, generation: u16) -> Result<(u16, Settings), GenerationError> {
        if let Some((best, settings)) = self.journal.begun(generation) {
            return Ok((best, settings.clone()));
        }
        let (best, settings) = (self.journal.best_before(generation), self.settings.clone());
        if self.lock.is_some() {
            self.require_window(generation, &settings)?;
        }
        self.journal.add(Row::Begin { generation, best, settings: settings.clone() })?;
        Ok((best, settings))
    }

    /// Refuses to begin a generation that could not be trained: a generation keeps the settings that it begins with.
    fn require_window(&self, generation: u16, settings: &Settings) -> Result<(), GenerationError> {
        let mut earlier = settings.window_begins(generation)..generation;
        match earlier.find(|&earlier| !self.shards(earlier).is_dir()) {
            None => Ok(()),
            Some(missing) => Err(GenerationError::Refused(format!(
                "{}: the shards of generation {missing} are missing: copy them here, make them again by --step selfplay \
                 --generation {missing}, or leave out the generations before {generation} by --since {generation}",
                self.shards(missing).display()
            ))),
        }
    }

    /// A number that depends on the seed, the generation and the use.
    fn chance(settings: &Settings, generation: u16, use_: Chance) -> u64 {
        let place = u64::from(generation) << 8 | use_ as u64;
        KeyGenerator::new(KeyGenerator::new(settings.seed).next_key().0 ^ place).next_key().0
    }

    /// The file of a net that was made before, and its sum.
    fn known_net(
        &self,
        generation: u16,
        settings: &Settings,
    ) -> Result<(PathBuf, u32), GenerationError> {
        let path = self.net(generation);
        if generation == 0 && !path.exists() {
            // As generation 1 wanted it, whatever is set by now.
            let settings = self.journal.begun(1).map_or(settings, |(_, settings)| settings);
            let seed = Self::chance(settings, 0, Chance::Net);
            replace_file(&path, &G::untrained(settings, seed))?;
        }
        self.restore_best(generation)?;
        let bytes = read_file(&path).map_err(|error| GenerationError::file(&path, error))?;
        let sum = checksum(&bytes);
        let expected = self.journal.trained(generation).map_or(sum, |trained| trained.checksum);
        if sum != expected {
            let fault = format!(
                "{}: the checksum of this net is {sum:08x}, and the journal says {expected:08x}: \
                 copy the net of generation {generation} here",
                path.display()
            );
            return Err(GenerationError::Refused(fault));
        }
        Ok((path, sum))
    }

    /// Puts the best net in its place among the others, where only its copy is left.
    fn restore_best(&self, generation: u16) -> Result<(), GenerationError> {
        let path = self.net(generation);
        let Some(trained) = self.journal.trained(generation).filter(|_| !path.exists()) else {
            return Ok(());
        };
        match read_file(self.folder.join(BEST_NET)) {
            Ok(bytes) if checksum(&bytes) == trained.checksum => replace_file(&path, &bytes),
            _ => Ok(()),
        }
    }

    /// The shards of a generation.
    fn chunks(
        &self,
        generation: u16,
        best: u16,
        settings: &Settings,
    ) -> Result<Chunks, GenerationError> {
        let (_, net) = self.known_net(best, settings)?;
        let setups = serde_json::to_vec(&self.journal.setups_before(generation));
        let setups = checksum(&setups.unwrap_or_default());
        let own: String = settings.engine.iter().map(|setting| format!(" {setting}")).collect();
        let branches = branches(best, settings);
        let engine = format!(
            "tusk{own} network={net:08x} setups={setups:08x} --nodes {} --branches {branches} --games {}",
            settings.nodes, settings.games
        );
        let header = Header { game: G::NAME.to_string(), generation, seed: settings.seed, engine };
        Ok(Chunks { folder: self.shards(generation), header, games: settings.games })
    }

    fn shards(&self, generation: u16) -> PathBuf {
        self.folder.join(format!("shards/g{generation}"))
    }

    /// Random first positions; setups with a high weight are more frequent.
    fn starts(
        &self,
        generation: u16,
        count: u64,
        settings: &Settings,
        use_: Chance,
    ) -> Vec<G::Position> {
        let setups = self.journal.setups_before(generation);
        let mut rng = ChaCha8Rng::seed_from_u64(Self::chance(settings, generation, use_));
        (0..count).map(|_| G::start(&setups, &mut rng)).collect()
    }

    fn play(
        &mut self,
        generation: u16,
        best: u16,
        settings: &Settings,
        part: Part,
        watcher: &mut (dyn Watcher + Send),
    ) -> Result<(), GenerationError> {
        let chunks = self.chunks(generation, best, settings)?;
        let (net, _) = self.known_net(best, settings)?;
        let given =
            self.starts(generation, settings.games.min(MOST_STARTS), settings, Chance::Starts);
        let terms = Terms {
            nodes: settings.nodes,
            seed: settings.seed,
            generation,
            branches: branches(best, settings),
            openings: Openings { given, ..Openings::default() },
            opponent_time: TimeSettings::default(),
        };
        let mut sink = chunks.open::<G>(part)?;
        let total = sink.done + sink.missing.len() as u64;
        watcher.tell(Event::Games { done: sink.done, total });
        let make_engine = self.make_engine;
        let make = || make_engine(&net, &settings.engine);
        let threads = self.threads;
        let workers = Workers { terms: &terms, make_engine: &make, start_opponent: None, threads };
        let blocks = AllGames::from_numbers(sink.missing.clone());
        let mut watch = Watch { generation, step: Step::Selfplay, threads, begun: Instant::now() };
        let mut noted = Ok(());
        let journal = &mut self.journal;
        let is_new = journal.played(generation).is_none();
        workers.run(&blocks, &mut sink, |game| {
            let searched = game.turns.iter().filter(|turn| turn.searched.is_some()).count();
            watcher.tell(Event::Game { positions: searched });
            if is_new && noted.is_ok() {
                noted = watch.note(journal, false);
            }
        })?;
        noted?;
        if part != Part::WHOLE {
            return Ok(());
        }
        if is_new {
            watch.note(journal, true)?;
        }
        self.complete(generation, &chunks)
    }

    /// Checks that all games of a generation are there, as they were when it was played.
    fn complete(&mut self, generation: u16, chunks: &Chunks) -> Result<(), GenerationError> {
        let held = match chunks.held::<G>()? {
            Ok(held) => held,
            Err(missing) => {
                let fault = format!(
                    "{}: this shard is missing or not complete: play its games by --step selfplay, or copy it here",
                    missing.display()
                );
                return Err(GenerationError::Refused(fault));
            }
        };
        match self.journal.played(generation) {
            Some(played) if played.checksum != held.checksum => {
                let fault = format!(
                    "{}: the checksum of the shards is {:08x}, and the journal says {:08x}: another \
                     version of the program has played them",
                    chunks.folder.display(),
                    held.checksum,
                    played.checksum
                );
                Err(GenerationError::Refused(fault))
            }
            Some(_) => Ok(()),
            None => {
                let (games, positions, checksum) = (chunks.games, held.positions, held.checksum);
                self.journal.add(Row::Played(Played { generation, games, positions, checksum }))
            }
        }
    }

    fn train(
        &mut self,
        generation: u16,
        best: u16,
        settings: &Settings,
        watcher: &mut (dyn Watcher + Send),
    ) -> Result<(), GenerationError> {
        let known = self.journal.trained(generation).cloned();
        if known.is_some() && self.net(generation).exists() {
            return self.known_net(generation, settings).map(drop);
        }
        let threads = self.threads;
        let mut watch = Watch { generation, step: Step::Train, threads, begun: Instant::now() };
        let mut window = Vec::new();
        for earlier in settings.window_begins(generation)..=generation {
            let (player, own) = match earlier == generation {
                true => (best, settings.clone()),
                false => self.begin(earlier)?,
            };
            let chunks = self.chunks(earlier, player, &own)?;
            self.complete(earlier, &chunks)?;
            window.push(GamesOfGeneration { folder: chunks.folder, is_untrained: player == 0 });
        }
        let mut results = SetupResults::default();
        for generation in &window {
            for game in games::<G>(&generation.folder)? {
                G::add_result(&mut results, &game?.1);
            }
        }
        let checkpoint = self.checkpoint(generation);
        // Random weights of generation 0 are no better than others.
        let first_net = match settings.from_best && best > 0 {
            true => Some(self.known_net(best, settings)?.0),
            false => None,
        };
        let course = Course { settings, generation, games: window, first_net, checkpoint, threads };
        let net = G::train(&course, watcher)?;
        let trained = Trained {
            generation,
            samples: net.samples,
            epochs: net.epochs,
            validation: net.validation,
            checksum: checksum(&net.bytes),
            setups: results.weights(),
        };
        if let Some(known) = known.filter(|known| known.checksum != trained.checksum) {
            let fault = format!(
                "generation {generation}: the checksum of the net is {:08x}, and the journal says {:08x}: \
                 another version of the program has trained it",
                trained.checksum, known.checksum
            );
            return Err(GenerationError::Refused(fault));
        }
        replace_file(&self.net(generation), &net.bytes)?;
        self.write_setups(&self.setups_file(generation), &trained.setups)?;
        if self.journal.trained(generation).is_none() {
            watch.note(&mut self.journal, true)?;
            self.journal.add(Row::Trained(trained))?;
        }
        training::forget(&course.checkpoint)
    }

    fn gate(
        &mut self,
        generation: u16,
        best: u16,
        settings: &Settings,
        watcher: &mut (dyn Watcher + Send),
    ) -> Result<(), GenerationError> {
        if self.journal.gated(generation).is_some() {
            return Ok(());
        }
        if self.journal.trained(generation).is_none() {
            let fault = format!("generation {generation} has no net yet: train it by --step train");
            return Err(GenerationError::Refused(fault));
        }
        // A process that was killed when the training was done may have left it.
        training::forget(&self.checkpoint(generation))?;
        let nets = [self.known_net(generation, settings)?.0, self.known_net(best, settings)?.0];
        let terms = TestTerms {
            elo0: settings.elo0,
            elo1: settings.elo1,
            alpha: 0.05,
            beta: 0.05,
            normalized: false,
            count_failures: true,
        };
        let pairs = u64::from(settings.gate_games.div_ceil(2));
        let openings = self.starts(generation, pairs, settings, Chance::GateOpenings);
        let openings: Vec<String> = openings.iter().map(ToString::to_string).collect();
        let make_engine = self.make_engine;
        let [candidate, best] = [0, 1].map(|index: usize| {
            let net = &nets[index];
            move || make_engine(net, &settings.engine)
        });
        let threads = self.threads;
        let gate = Gate {
            engines: [&candidate, &best],
            openings: &openings,
            nodes: settings.gate_nodes,
            games: 2 * pairs as u32,
            test: terms.test().map_err(GenerationError::Refused)?,
            seed: Self::chance(settings, generation, Chance::Gate),
            threads,
        };
        let known: Vec<(u32, i8)> = self.journal.gate_games(generation).collect();
        watcher.tell(Event::GateGames { done: known.len() as u64, most: u64::from(gate.games) });
        let mut watch = Watch { generation, step: Step::Gate, threads, begun: Instant::now() };
        let journal = &mut self.journal;
        let standing = gate.play(known.into_iter(), |game, score, standing: &_| {
            watcher.tell(Event::GateGame(standing));
            let kept = journal.add(Row::Game { generation, game, score });
            kept.and_then(|()| watch.note(journal, false)).map_err(|error| error.to_string())
        });
        let standing = standing.map_err(GenerationError::Engine)?;
        watch.note(&mut self.journal, true)?;
        let accepted = standing.accepted.unwrap_or(false);
        let gated = Gated { generation, pairs: standing.pairs.0, llr: standing.llr, accepted };
        self.journal.add(Row::Gated(gated))?;
        self.copy_best()
    }

    fn write_setups(&self, path: &Path, setups: &SetupWeights) -> Result<(), GenerationError> {
        let text = serde_json::to_string_pretty(setups).unwrap_or_default() + "\n";
        replace_file(path, text.as_bytes())
    }

    /// Puts copies of the best net and of the newest setups where others look for them.
    fn copy_best(&self) -> Result<(), GenerationError> {
        let next = self.current();
        let best = self.net(self.journal.best_before(next));
        let copy = self.folder.join(BEST_NET);
        if let Ok(bytes) = fs::read(&best)
            && fs::read(&copy).ok().as_ref() != Some(&bytes)
        {
            replace_file(&copy, &bytes)?;
        }
        self.write_setups(&self.folder.join("best.setups"), &self.journal.setups_before(next))
    }
}

/// Removes what processes that were killed have not put in its place.
fn remove_drafts(folder: &Path) -> Result<(), GenerationError> {
    let at = |error| GenerationError::file(folder, error);
    for entry in fs::read_dir(folder).map_err(at)?.flatten() {
        if entry.file_name().to_string_lossy().contains(".draft-") {
            // Another process may have put it in its place by now.
            let _ = fs::remove_file(entry.path());
        }
    }
    Ok(())
}

/// An untrained net has nothing to say of positions that chance brings about.
fn branches(best: u16, settings: &Settings) -> u32 {
    if best == 0 { 0 } else { settings.branches }
}

/// The right to work in a folder; the system takes it back when the process ends.
fn lock(folder: &Path) -> Result<File, GenerationError> {
    let path = folder.join("lock");
    let file = File::options().write(true).create(true).truncate(false).open(&path);
    let file = file.map_err(|error| GenerationError::file(&path, error))?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(GenerationError::Refused(format!(
            "{}: another process works in this folder: wait for it, or end it",
            folder.display()
        ))),
        Err(TryLockError::Error(error)) => Err(GenerationError::file(&path, error)),
    }
}
