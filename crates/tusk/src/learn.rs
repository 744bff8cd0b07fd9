//! `tusk learn`: weights of an evaluation from the games of experts, by linear and quadratic programs. What is learned
//! otherwise is in files of its own.

mod steps;
mod td;

use std::io::Write;
use std::path::PathBuf;
use std::time::Instant;

use ::learn::programs::{
    ExpertTurn, LinearProgram, QuadraticProgram, QuadraticSums, Solution, expert_turns,
};
use anyhow::{Context, bail};
use arimaa::Game;
use arimaa_ai::drake::FunctionModel;
use game::Side;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use serde_json::json;
use workbench::{Army, GameName};

use crate::output::{Output, standard, tell_error};
use crate::records::{self, Record};
use crate::{Exit, games, progress};

pub use steps::read_tables;

/// Learns the weights of bot_drake's evaluation from games, by linear or quadratic programs.
///
/// A good evaluation changes little when an expert plays, and finds the expert's turn better than the average one. One game in
/// twenty is left out of learning and validates. docs/drake.md tells what the programs are.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  tusk learn qp games.txt --out drake.model\n  tusk learn lp games.txt --out drake.model --degree 1 --turns 2000"
)]
pub struct Arguments {
    #[command(subcommand)]
    method: Method,
}

/// How the loss is defined.
#[derive(clap::Subcommand)]
enum Method {
    /// By a quadratic program: a change of the evaluation costs its square, and the scale is that of results
    Qp {
        #[command(flatten)]
        common: Common,

        /// How much a weight costs
        #[arg(long, value_name = "R", default_value_t = 30_000.0, value_parser = positive)]
        regularization: f64,
    },
    /// By a linear program: a change of the evaluation costs as much as it is, and the scale is that of average turns
    Lp {
        #[command(flatten)]
        common: Common,

        /// How much a weight costs
        #[arg(long, value_name = "R", default_value_t = 1.0, value_parser = positive)]
        regularization: f64,
    },
    Steps(steps::Arguments),
    Td(td::Arguments),
}

#[derive(clap::Args)]
struct Common {
    /// Games: lines of arimaa.com, records or JSON, as `tusk games export` writes them; they may be gzipped
    #[arg(required = true, value_name = "FILE")]
    games: Vec<String>,

    /// The file of the model
    #[arg(long, value_name = "MODEL")]
    out: PathBuf,

    /// The degree of the polynomials
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u8).range(1..=4))]
    degree: u8,

    /// How many turns by chance the average turn is made of
    #[arg(long, value_name = "K", default_value_t = 50, value_parser = clap::value_parser!(u16).range(1..))]
    samples: u16,

    /// Learn from so many turns at most, those of the first games
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    turns: Option<u32>,

    /// The seed of all choices by chance
    #[arg(long, value_name = "S", default_value_t = 0)]
    seed: u64,

    /// Print one JSON object a line
    #[arg(long)]
    json: bool,
}

fn positive(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|number: &f64| number.is_finite() && *number > 0.0);
    number.ok_or_else(|| "expected a number above 0".to_string())
}

pub fn run(arguments: &Arguments, game: Option<GameName>) -> anyhow::Result<Exit> {
    if game == Some(GameName::Tzaar) {
        bail!("the evaluation is one of Arimaa: give games of Arimaa");
    }
    match &arguments.method {
        Method::Qp { common, regularization } => {
            let program =
                QuadraticProgram { regularization: *regularization, ..Default::default() };
            let count = template(common).weights().count();
            let mut sums = QuadraticSums::new(count);
            let gathered = common.gather(|turn| sums.add(&turn))?;
            common.finish(gathered, || Ok(program.solve(&sums)?))
        }
        Method::Lp { common, regularization } => {
            let program = LinearProgram { regularization: *regularization, ..Default::default() };
            let mut turns = Vec::new();
            let gathered = common.gather(|turn| turns.push(turn))?;
            common.finish(gathered, || Ok(program.solve(&turns)?))
        }
        Method::Steps(arguments) => steps::run(arguments),
        Method::Td(arguments) => td::run(arguments),
    }
}

/// The model whose weights are learned, without them.
fn template(common: &Common) -> FunctionModel {
    FunctionModel::polynomials(common.degree.into(), || 0.0)
}

/// What was read.
struct Gathered {
    games: usize,
    refused: usize,
    turns: usize,
    validation: Vec<ExpertTurn>,
    begin: Instant,
}

/// Which games validate: one in so many.
const VALIDATION: usize = 20;

impl Common {
    /// Reads the games, and calls `learn` with the turns of those that do not validate.
    fn gather(&self, mut learn: impl FnMut(ExpertTurn)) -> anyhow::Result<Gathered> {
        let begin = Instant::now();
        let mut entries = Vec::new();
        for file in &self.games {
            let (bytes, name) = games::bytes_of(file)?;
            entries.extend(records::read(&bytes, &name, Army::Full));
        }
        let most = self.turns.map_or(usize::MAX, |turns| turns as usize);
        let (bar, model) = (progress::bar(entries.len(), "games"), template(self));
        let mut gathered =
            Gathered { games: 0, refused: 0, turns: 0, validation: Vec::new(), begin };
        for (number, entry) in entries.iter().enumerate() {
            bar.inc(1);
            if gathered.turns >= most {
                break;
            }
            let played = entry.record.as_ref().map_err(Clone::clone);
            let (game, winner) = match played.and_then(played_game) {
                Ok(played) => played,
                Err(fault) => {
                    gathered.refused += 1;
                    tell_error(&format!("{}: {fault}", entry.place));
                    continue;
                }
            };
            gathered.games += 1;
            // Each game has its own chance, whichever others there are.
            let mut rng = ChaCha8Rng::seed_from_u64(self.seed);
            rng.set_stream(number as u64);
            let turns = expert_turns(&game, winner, &model, self.samples.into(), &mut rng);
            match gathered.games.is_multiple_of(VALIDATION) {
                true => gathered.validation.extend(turns),
                false => {
                    gathered.turns += turns.len();
                    turns.into_iter().for_each(&mut learn);
                }
            }
        }
        bar.finish_and_clear();
        Ok(gathered)
    }

    /// Solves the program, writes the model and says what came of it.
    fn finish(
        &self,
        gathered: Gathered,
        solve: impl FnOnce() -> anyhow::Result<Solution>,
    ) -> anyhow::Result<Exit> {
        let prepared = gathered.begin.elapsed().as_secs_f64();
        let solution = solve()?;
        let seconds = gathered.begin.elapsed().as_secs_f64();
        let text = template(self).with_weights(&solution.weights).to_text();
        let mut output = Output::create(&self.out)?;
        output.write_all(text.as_bytes()).with_context(|| self.out.display().to_string())?;
        output.finish()?;
        let better = |turn: &&ExpertTurn| turn.gain(&solution.weights) > 0.0;
        let count = gathered.validation.len();
        let share = gathered.validation.iter().filter(better).count() as f64 / count.max(1) as f64;
        let share = (count > 0).then_some(share);
        let (objective, iterations) = (solution.objective, solution.iterations);
        let weights = solution.weights.len();
        let Gathered { games, refused, turns, .. } = gathered;
        let mut out = standard();
        if self.json {
            let row = json!({
                "games": games,
                "refused": refused,
                "turns": turns,
                "validation_turns": count,
                "better_than_average": share,
                "weights": weights,
                "objective": objective,
                "iterations": iterations,
                "features_seconds": prepared,
                "solver_seconds": seconds - prepared,
                "summary": true,
            });
            writeln!(out, "{row}")?;
        } else {
            let unit = if games == 1 { "game" } else { "games" };
            writeln!(out, "{games} {unit}, {turns} turns to learn from, {refused} games refused")?;
            writeln!(
                out,
                "{weights} weights, objective {objective:.6e} after {iterations} iterations"
            )?;
            let solver = seconds - prepared;
            writeln!(out, "{prepared:.1} s for features, {solver:.1} s for the solver")?;
            if let Some(share) = share {
                let percent = 100.0 * share;
                writeln!(
                    out,
                    "the played turn is better than the average in {percent:.1} % of {count} turns of other games"
                )?;
            }
        }
        Ok(if refused == 0 { Exit::Done } else { Exit::Refused })
    }
}

/// The game of a record, and who won it.
fn played_game(record: &Record) -> Result<(Game, Option<Side>), String> {
    if record.game != GameName::Arimaa {
        return Err("this is no game of Arimaa".to_string());
    }
    let (origin, turns) = record.moves();
    if !origin.is_empty() {
        return Err("the game begins at a position: its setups are missing".to_string());
    }
    let lines = turns.iter().enumerate();
    let text: String = lines
        .map(|(index, turn)| format!("{}{} {turn}\n", index / 2 + 1, ["g", "s"][index % 2]))
        .collect();
    let game = Game::parse(&text, Army::Full).map_err(|error| error.to_string())?;
    Ok((game, record.winner))
}
