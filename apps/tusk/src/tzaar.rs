//! `tusk tzaar`: a drop-in for the program `tzaar` of WALTZ.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, anyhow, bail};
use clock::{Clock, TimeControl};
use engine::{Engine, Limits, Stop};
use guard::read_file_within;
use serde_json::json;
use tzaar::{BestMove, Game, Phase, Position, TextError, Turn};
use vesely_2013::{Algorithm, WaltzEngine, value};
use workbench::{is_tzaar, reading};

use crate::Exit;
use crate::choice::any_seed;
use crate::output::{standard, write_file};

/// Finds a turn as the program `tzaar` of WALTZ does, and writes it over the file of the position.
///
/// FILE has 163 whole numbers with white space between them: the player on turn (1 White, -1 Black), 81 cells (1 to 3:
/// Tott, Tzarra, Tzaar; Black's below zero; 0 empty; 100 outside) and 81 heights. The answer has three lines: the
/// capture (G4 C6); the second move (0 F2 F1 a stacking, 1 F2 F1 a capture, -1 a pass, -2 none); the seconds it took and
/// the value (2000000000 is a win).
#[derive(clap::Args)]
#[command(after_help = after_help())]
pub struct Arguments {
    /// The file of the position, in whose place the best move is written
    #[arg(short, long, value_name = "FILE")]
    bestmove: PathBuf,

    /// The algorithm, by its number in WALTZ
    #[arg(short, long, value_name = "N", default_value = "42", value_parser = algorithm)]
    ai: Algorithm,

    /// How many seconds it may take
    #[arg(short, long, value_name = "SECONDS", default_value = "30", value_parser = seconds)]
    timelimit: Duration,

    /// Write the position after the turn to this file, too
    #[arg(short, long, value_name = "FILE")]
    execute: Option<PathBuf>,

    /// The seed of random choices [default: another one each time]
    #[arg(long, value_name = "S")]
    seed: Option<u64>,

    /// Print what was found as a JSON object
    #[arg(long)]
    json: bool,
}

fn after_help() -> String {
    let line = |known: &Algorithm| format!("\n  {:>2}  {}", known.number(), known.about());
    let list: String = Algorithm::ALL.iter().map(line).collect();
    format!(
        "Algorithms:{list}\n\nExample:\n  tusk tzaar --bestmove position.txt --ai 42 --timelimit 30"
    )
}

fn algorithm(text: &str) -> Result<Algorithm, String> {
    let number = text.trim().parse().ok();
    number.and_then(Algorithm::from_number).ok_or_else(|| {
        let numbers: Vec<String> =
            Algorithm::ALL.iter().map(|known| known.number().to_string()).collect();
        format!("there is no such algorithm; there are: {}", numbers.join(", "))
    })
}

fn seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.trim().parse().ok().filter(|&seconds: &f64| seconds > 0.0);
    let time = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    time.ok_or_else(|| "expected a number of seconds above 0".to_string())
}

pub fn run(arguments: &Arguments) -> anyhow::Result<Exit> {
    let began = Instant::now();
    let file = &arguments.bestmove;
    let name = || file.display().to_string();
    let position = read(file)?;
    let (turn, value, nodes) = arguments.think(&position, began).with_context(name)?;
    let best = BestMove { turn, seconds: began.elapsed().as_secs_f64(), value };
    // What is to be written beside the answer comes first: once the answer is there, all is done.
    if let Some(path) = &arguments.execute {
        let after = position.play_turn(turn).map_err(|error| anyhow!("{turn}: {error}"))?;
        write_file(path, format!("{after:#}\n"))?;
    }
    write_file(file, best.to_string())?;
    let mut out = standard();
    if arguments.json {
        let row = json!({
            "position": position.to_string(),
            "turn": turn.to_string(),
            "value": best.value,
            "nodes": nodes,
            "seconds": best.seconds,
        });
        writeln!(out, "{row}")?;
    } else {
        writeln!(out, "{turn}\n{:.3} s, value {}, {nodes} nodes", best.seconds, best.value)?;
    }
    Ok(Exit::Done)
}

impl Arguments {
    /// The turn, what it is worth in WALTZ's numbers, and how many positions were looked at.
    fn think(&self, position: &Position, began: Instant) -> anyhow::Result<(Turn, i64, u64)> {
        let mut player = WaltzEngine::new(self.ai, None);
        player.new_game();
        player.set_seed(self.seed.unwrap_or_else(any_seed));
        let limits = self.limits(began.elapsed());
        let game = Game::new(*position);
        let info = player.analyse(&game, &limits, &Stop::new(), &mut |_| ());
        let info = info.context("no turn was found")?;
        let found = info.best().copied().zip(info.verdict());
        let (turn, verdict) = found.context("no turn was found")?;
        Ok((turn, value(verdict).into(), info.nodes))
    }

    /// What is left after so long, so that the answer is there in time for whoever waits for it.
    fn limits(&self, used: Duration) -> Limits {
        let control = TimeControl::per_turn(self.timelimit);
        let (reserve, game_used) = (Duration::ZERO, used);
        Clock { control, reserve, used, turn: 1, game_used }.limits(None)
    }
}

/// The longest file of a position, in bytes.
const LONGEST_POSITION: u64 = 1 << 20;

/// The position of a file, in which a turn can be found.
fn read(path: &Path) -> anyhow::Result<Position> {
    let name = path.display();
    let bytes = read_file_within(path, LONGEST_POSITION).with_context(|| name.to_string())?;
    let text = reading::text_of(&bytes, "the numbers of a position");
    let text = text.map_err(|(line, fault)| anyhow!("{name}, line {line}: {fault}"))?;
    if text.parse::<BestMove>().is_ok() {
        bail!("{name}: this is the answer to a position, which was written in its place");
    }
    if !is_tzaar(&text) {
        bail!(
            "{name}: this is no position: expected 163 whole numbers, the player (1 or -1), 81 cells and \
             81 heights"
        );
    }
    let position: Position = text.parse().map_err(|error: TextError| anyhow!("{name}, {error}"))?;
    if position.phase() == Phase::Placing {
        bail!("{name}: pieces are still being placed, for which these files have no form");
    }
    match position.outcome() {
        Some(outcome) => bail!("{name}: there is no turn to be found: {outcome}"),
        None => Ok(position),
    }
}
