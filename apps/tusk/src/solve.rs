//! `tusk solve`: who wins, for certain.

mod mining;
mod saved;

use std::io::{BufWriter, Write};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::Context;
use clap::ValueEnum;
use engine::{Limits, Stop};
use game::{Game, Proof, Turns};
use indicatif::ProgressBar;
use serde_json::{Value, json};
use workbench::reading::Entries;
use workbench::{
    Algorithm, Catalogues, Found, GameName, GameSpec, Method, Reading, SearchHeader, SolveOptions,
    SolverPresets, Solving, WrongUse, in_game, units,
};

use self::mining::Mine;
use self::saved::Saved;
use crate::output::{Output, is_standard, say, standard};
use crate::progress::{self, Teller};
use crate::show::refuse;
use crate::{Exit, choice, input, signals};

/// Proves who wins.
///
/// In Arimaa, `auto` interleaves threat-space searches of both sides, with threats and with quiet turns that leave few
/// replies, and proof-number search over all turns. In Tzaar it is proof-number search with the best parameters for that game. `pns`
/// and `dfpns` are proof-number search alone, best first and depth first. What is found is certain: --proof writes down an
/// answer to every turn of the loser, which `tusk check-proof` replays. Without a limit, each position gets ten seconds.
///
/// A number of turns counts the winner's own turns. What is found is forgotten between positions.
///
/// With --mine, a table of puzzles is made: the positions of games of Arimaa in which no turn wins at once and exactly one
/// wins by force in the fewest turns, up to --turns of them (4 unless told). Each position gets --time (a second) or --nodes;
/// one with a single winning turn is left out if that is not enough to see that it is the only one.
#[derive(clap::Args)]
#[command(mut_arg("pos", |pos| pos.required(false).required_unless_present("mine")))]
#[command(after_help = "Examples:\n  tusk solve positions/puzzles --time 10s\n  \
                        tusk solve board.txt --proof proof.txt && tusk check-proof proof.txt\n  \
                        tusk solve board.txt --target capture:mh5\n  \
                        tusk solve positions/tzaar/endgames.txt --time 30s\n  \
                        tusk solve hard.txt --time 10m --save hard.search\n  \
                        tusk solve hard.txt --time 10m --continue hard.search --save hard.search\n  \
                        tusk solve --mine games.txt --output puzzles.tsv")]
pub struct Arguments {
    #[command(flatten)]
    input: input::Input,

    /// How to search [default: auto, or as the preset or the saved search has it]
    #[arg(long, value_enum)]
    algorithm: Option<AlgorithmName>,

    /// The time for each position: 300ms, 5s, 2m [default: 10s, unless --nodes is given]
    #[arg(long, value_name = "T", value_parser = units::time)]
    time: Option<Duration>,

    /// How many boards to look at for each position
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,

    /// The most turns of the winner that a proof may take, in Arimaa
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    turns: Option<u16>,

    /// The memory of the tables: 64MiB, 2GiB [default: 256MiB, or as the preset or the saved search has it]
    #[arg(long, value_name = "M", value_parser = units::mebibytes)]
    memory: Option<usize>,

    /// How many threads search; best-first search uses one
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: u16,

    /// What is to be proved: win, or in Arimaa capture:mh5 (the piece that is now on h5 is captured,
    /// wherever it goes, at the end of some turn) [default: win]
    #[arg(long, value_name = "T")]
    target: Option<String>,

    // Its help and its values come from the list of presets: [`with_presets`].
    #[arg(long, value_name = "NAME")]
    preset: Option<String>,

    /// Set a parameter of proof-number search, as often as you like
    #[arg(long = "set", value_name = "NAME=VALUE", value_parser = choice::setting)]
    settings: Vec<(String, String)>,

    /// Write the proofs there, one after another (with -, the rows go to standard error)
    #[arg(long, value_name = "FILE")]
    proof: Option<PathBuf>,

    /// Save the search of one position there, every minute and at the end
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,

    /// Go on with a search that was saved, with its parameters; others are refused where its tree does not fit them
    #[arg(long = "continue", value_name = "FILE")]
    resume: Option<PathBuf>,

    /// Print nothing but errors: for --proof and --save, and for the exit status
    #[arg(short, long)]
    quiet: bool,

    /// Show no progress, only results
    #[arg(short = 'Q', long)]
    no_progress: bool,

    /// Make puzzles of games instead: a record, a table with a column `movelist`, a folder of these, or -
    #[arg(long, value_name = "GAMES", conflicts_with_all = ["pos", "json", "handicap", "algorithm",
          "threads", "target", "preset", "settings", "proof", "save", "resume", "quiet", "no_progress"])]
    mine: Option<String>,

    /// Where the puzzles go [default: standard output]
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// The searches there are.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum AlgorithmName {
    /// Threat-space searches of both sides and proof-number search
    Auto,
    /// Proof-number search, best first
    Pns,
    /// Proof-number search, depth first
    Dfpns,
}

/// The command line of the verb, with the presets that there are.
pub fn with_presets(command: clap::Command, presets: &SolverPresets) -> clap::Command {
    let help = format!(
        "Set a named set of parameters of proof-number search: {}; --memory scales its tables",
        presets.names()
    );
    let presets = presets.clone();
    let known = move |name: &str| presets.parameters(name).map(|_| name.to_string());
    command.mut_arg("preset", |preset| preset.help(help).value_parser(known))
}

impl Arguments {
    fn limits(&self) -> Limits {
        self.limits_or(Duration::from_secs(10))
    }

    /// The limits, or this time if there is none.
    fn limits_or(&self, time: Duration) -> Limits {
        let unlimited = self.nodes.is_none().then_some(time);
        Limits { nodes: self.nodes, hard: self.time.or(unlimited), ..Limits::default() }
    }

    /// How long the writing of a proof may take after a search of that time. What rests on a file must be proved within
    /// the limits that were given.
    fn proof_time(&self, searched: Duration) -> Duration {
        let given = self.limits().hard.unwrap_or(PROOF_TIME).max(searched);
        if self.resume.is_some() { given } else { given.max(PROOF_TIME) }
    }

    /// What --mine asks for, if it does.
    fn mine(&self) -> Option<Mine<'_>> {
        Some(Mine {
            games: self.mine.as_deref()?,
            output: self.output.as_deref(),
            most: Turns(self.turns.unwrap_or(4)),
            limits: self.limits_or(Duration::from_secs(1)),
            memory: self.memory.unwrap_or(256),
        })
    }

    /// What is asked of the solver.
    fn options(&self, presets: &SolverPresets) -> anyhow::Result<SolveOptions> {
        let algorithm = self.algorithm.map(|name| match name {
            AlgorithmName::Auto => Algorithm::Auto,
            AlgorithmName::Pns => Algorithm::Pns,
            AlgorithmName::Dfpns => Algorithm::Dfpns,
        });
        let preset = self.preset.as_deref().map(|name| presets.parameters(name)).transpose();
        Ok(SolveOptions {
            algorithm,
            target: self.target.clone(),
            turns: self.turns,
            memory: self.memory,
            threads: self.threads.into(),
            preset: preset.map_err(WrongUse)?,
            settings: self.settings.clone(),
            kept: self.resume.as_deref().map(saved::read).transpose()?,
            presets: presets.clone(),
        })
    }

    /// What two options together cannot mean.
    fn check(&self) -> anyhow::Result<()> {
        // Clap cannot check this: `requires = "mine"` would clash with what --mine conflicts with.
        if self.output.is_some() {
            return Err(WrongUse("--output is for the puzzles of --mine".to_string()).into());
        }
        Ok(())
    }
}

pub fn run(
    arguments: &Arguments,
    game: Option<GameName>,
    catalogues: &Catalogues,
) -> anyhow::Result<Exit> {
    if let Some(mine) = arguments.mine() {
        GameName::only_arimaa("solve --mine", game)?;
        return mine.run();
    }
    arguments.check()?;
    let texts = arguments.input.read(game)?;
    in_game!(texts.game, S => solve_all::<S>(arguments, &texts.entries(), &catalogues.solver_presets))
}

fn solve_all<S: Reading + Solving>(
    arguments: &Arguments,
    entries: &Entries<S>,
    presets: &SolverPresets,
) -> anyhow::Result<Exit> {
    if (arguments.save.is_some() || arguments.resume.is_some()) && entries.len() != 1 {
        let advice = format!(
            "--save and --continue keep the search of one position, and here are {}: \
             name one of them",
            entries.len()
        );
        return Err(WrongUse(advice).into());
    }
    let mut method = S::method(&arguments.options(presets)?)?;
    let mut proofs = arguments.proof.as_deref().map(|path| Output::open(Some(path))).transpose()?;
    // Proofs on standard output are for `check-proof -`: the rows stay out of them.
    let is_shared = arguments.proof.as_deref().is_some_and(is_standard);
    let out: Box<dyn Write> = match (arguments.quiet, is_shared) {
        (true, _) => Box::new(std::io::sink()),
        (_, true) => Box::new(std::io::stderr()),
        _ => Box::new(standard()),
    };
    let mut out = BufWriter::new(out);
    let mut sum = Sum::default();
    let stop = signals::graceful_stop();
    let shows_progress = !arguments.quiet && !arguments.no_progress;
    let bar = match shows_progress {
        true => progress::bar(entries.len(), "positions"),
        false => ProgressBar::hidden(),
    };
    for entry in entries {
        if stop.is_requested() {
            break;
        }
        let solved = match &entry.content {
            Ok(content) => {
                let teller = Teller::new(&bar);
                let tell = |text| {
                    if shows_progress {
                        teller.tell(text);
                    }
                };
                solve::<S>(&mut *method, &content.game, arguments, &stop, &tell)
            }
            Err(error) => Err(anyhow::anyhow!("{error}")),
        };
        bar.suspend(|| -> anyhow::Result<()> {
            match solved {
                Ok(solved) => {
                    sum.add(&solved);
                    if let (Some(file), Some(text)) = (&mut proofs, &solved.document) {
                        file.write_all(text.as_bytes())?;
                    }
                    solved.print(arguments.input.json, &mut out)?;
                }
                Err(error) if error.is::<WrongUse>() => return Err(error),
                Err(error) => {
                    sum.refused += 1;
                    // A quiet run still tells errors, and those of rows are told on standard error without --json.
                    let json = arguments.input.json && !arguments.quiet;
                    refuse(entry, &format!("{error:#}"), json, &mut out)?;
                }
            }
            Ok(out.flush()?)
        })?;
        bar.inc(1);
    }
    bar.finish_and_clear();
    if let Some(file) = proofs {
        file.finish().context("the proofs")?;
    }
    sum.print(arguments.input.json, &mut out)?;
    out.flush()?;
    if let (true, Some(file)) = (stop.is_requested(), &arguments.save) {
        say!("interrupted; go on with --continue {}", file.display());
    }
    Ok(if sum.refused == 0 { Exit::Done } else { Exit::Refused })
}

/// What was found out about a position.
struct Solved {
    position: String,
    proof: Option<Proof>,
    /// The turn that wins, as text.
    turn: Option<String>,
    nodes: u64,
    /// How long the search took; to write the proof takes its own time.
    time: Duration,
    /// The proof as text, if it was asked for and there is one.
    document: Option<String>,
    /// Why nothing was found, where it is not that a limit was reached.
    reason: Option<&'static str>,
}

/// Why a search ends before its limits.
const TREE_IS_FULL: &str = "the tree is full: give more --memory";

/// How long the writing of a proof may take, where no longer time was given.
const PROOF_TIME: Duration = Duration::from_secs(60);

/// How often a search is kept that is to be kept.
const SAVE_EVERY: Duration = Duration::from_secs(60);

/// Solves a position, from nothing or from what a file has kept.
fn solve<S: GameSpec>(
    method: &mut dyn Method<S>,
    game: &S::Game,
    arguments: &Arguments,
    stop: &Stop,
    tell: &dyn Fn(String),
) -> anyhow::Result<Solved> {
    let header = SearchHeader::new(game, method.plan());
    let most = method.plan().most_turns();
    let mut search = method.begin(game, most)?;
    if let Some(path) = &arguments.resume {
        saved::load(&header, path, |input| search.load(input))?;
    }
    let saved = arguments.save.as_deref().map(|path| Saved { header, path });
    let begin = Instant::now();
    let whole = arguments.limits();
    let mut nodes = 0;
    let found = loop {
        let elapsed = begin.elapsed();
        let left = whole.hard.map(|time| time.saturating_sub(elapsed));
        let slice = saved.as_ref().map(|_| SAVE_EVERY);
        let limits = Limits {
            nodes: whole.nodes.map(|most| most.saturating_sub(nodes)),
            hard: left.into_iter().chain(slice).min(),
            ..Limits::default()
        };
        let found = search.search(limits, stop, tell);
        nodes += found.nodes;
        let goes_on = found.proof.is_none()
            && !stop.is_requested()
            && !found.tree_is_full
            && limits.hard == slice
            && slice.is_some_and(|slice| begin.elapsed() - elapsed >= slice)
            && whole.nodes.is_none_or(|most| nodes < most);
        if let Some(saved) = &saved {
            saved.save(|out| search.save(out))?;
        }
        if !goes_on {
            break found;
        }
    };
    let time = begin.elapsed();
    let Found { mut proof, mut turn, tree_is_full, .. } = found;
    let mut document = None;
    // What a file has kept may be anything: its result counts when its proof is checked.
    if proof.is_some() && (arguments.proof.is_some() || arguments.resume.is_some()) {
        tell("writing the proof".to_string());
        let limits = Limits { hard: Some(arguments.proof_time(time)), ..Limits::default() };
        let proved = search.document(limits, stop)?;
        if arguments.resume.is_some() {
            (proof, turn) = (Some(proved.result), proved.turn);
        }
        document = arguments.proof.is_some().then_some(proved.text);
    }
    let reason = (proof.is_none() && tree_is_full).then_some(TREE_IS_FULL);
    let position = game.position().to_string();
    Ok(Solved { position, proof, turn, nodes, time, document, reason })
}

impl Solved {
    fn print(&self, json: bool, out: &mut impl Write) -> anyhow::Result<()> {
        if json {
            writeln!(out, "{}", self.row())?;
            return Ok(());
        }
        writeln!(out, "{}", self.position)?;
        let result = self.proof.map_or("unknown".to_string(), |proof| proof.to_string());
        let more = self.turn.as_deref().or(self.reason);
        let turn = more.map_or(String::new(), |more| format!(": {more}"));
        let (nodes, seconds) = (self.nodes, self.time.as_secs_f64());
        writeln!(out, "  {result}{turn}\n  {nodes} boards in {seconds:.3} s")?;
        Ok(())
    }

    fn row(&self) -> Value {
        let (result, turns) = match self.proof {
            Some(Proof::Win(turns)) => ("win", Some(turns.0)),
            Some(Proof::Loss(turns)) => ("loss", Some(turns.0)),
            None => ("unknown", None),
        };
        json!({
            "position": self.position,
            "result": result,
            "turns": turns,
            "turn": self.turn,
            "nodes": self.nodes,
            "seconds": self.time.as_secs_f64(),
            "reason": self.reason,
        })
    }
}

#[derive(Default)]
struct Sum {
    win: u64,
    loss: u64,
    unknown: u64,
    refused: u64,
    nodes: u64,
    times: Vec<Duration>,
}

impl Sum {
    fn add(&mut self, solved: &Solved) {
        match solved.proof {
            Some(Proof::Win(_)) => self.win += 1,
            Some(Proof::Loss(_)) => self.loss += 1,
            None => self.unknown += 1,
        }
        self.nodes += solved.nodes;
        self.times.push(solved.time);
    }

    fn print(&mut self, json: bool, out: &mut impl Write) -> anyhow::Result<()> {
        self.times.sort_unstable();
        let Sum { win, loss, unknown, refused, nodes, ref times } = *self;
        let seconds = times.iter().sum::<Duration>().as_secs_f64();
        let median = times.get(times.len() / 2).map(Duration::as_secs_f64);
        let longest = times.last().map(Duration::as_secs_f64);
        if json {
            let summary = json!({
                "summary": true,
                "positions": times.len(),
                "win": win,
                "loss": loss,
                "unknown": unknown,
                "nodes": nodes,
                "seconds": seconds,
                "median_seconds": median,
                "max_seconds": longest,
                "refused": refused,
            });
            writeln!(out, "{summary}")?;
        } else if times.len() as u64 + refused > 1 {
            writeln!(
                out,
                "{} positions: {win} won, {loss} lost, {unknown} unknown; {seconds:.3} s, median \
                 {:.3} s, at most {:.3} s",
                times.len(),
                median.unwrap_or_default(),
                longest.unwrap_or_default()
            )?;
        }
        Ok(())
    }
}
