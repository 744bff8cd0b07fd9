//! `tusk move`: a turn for each position.

use std::io::{BufWriter, Write};
use std::time::{Duration, Instant};

use arena::Pace;
use game::{Proof, Steps};
use search::{Limits, Report, Stop, Verdict as Standing};
use serde_json::{Value, json};

use crate::engine::Mind;
use crate::input::{self, Entries, Entry};
use crate::show::refuse;
use crate::sport::{Course, GameName, Sport, Step, in_game};
use crate::{Verdict, choice, units};

/// Chooses a turn for each position.
///
/// Without a limit, each position gets a second. What is found is forgotten between positions, so
/// that one does not help another.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  tusk move positions/sample-game.txt --time 2s\n  \
                        tusk move positions/tzaar/game.txt --engine waltz --time 5s")]
pub struct Arguments {
    #[command(flatten)]
    pub input: input::Input,

    #[command(flatten)]
    pub thinking: Thinking,

    #[command(flatten)]
    engine: choice::Choice,
}

/// When a player has thought enough.
#[derive(clap::Args)]
pub struct Thinking {
    /// The time for each turn: 300ms, 5s, 2m [default: 1s, if nothing else is a limit]
    #[arg(long, value_name = "T", value_parser = units::time)]
    time: Option<Duration>,

    /// The depth to search to, in steps
    #[arg(long, value_name = "STEPS", value_parser = clap::value_parser!(u8).range(1..=200))]
    depth: Option<u8>,

    /// How many positions to search
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
}

impl Thinking {
    fn limits(&self) -> Limits {
        let Thinking { depth, nodes, .. } = *self;
        Limits { depth: depth.map(Steps), nodes, soft: None, hard: self.time() }
    }

    /// The same for a player.
    pub fn pace(&self) -> Pace {
        let Thinking { depth, nodes, .. } = *self;
        Pace { control: self.time().map(Pace::per_turn), depth, nodes, ..Pace::default() }
    }

    fn time(&self) -> Option<Duration> {
        let unlimited = self.depth.is_none() && self.nodes.is_none();
        self.time.or(unlimited.then_some(Duration::from_secs(1)))
    }
}

pub fn run(arguments: &Arguments, game: Option<GameName>) -> anyhow::Result<Verdict> {
    let texts = arguments.input.read(game)?;
    in_game!(texts.game, S => answer::<S>(arguments, &texts.entries()))
}

fn answer<S: Sport>(arguments: &Arguments, entries: &Entries<S>) -> anyhow::Result<Verdict> {
    let limits = arguments.thinking.limits();
    let (_, mut engine) = arguments.engine.start::<S>()?;
    let mut out = BufWriter::new(std::io::stdout().lock());
    let mut sum = Sum::default();
    for entry in entries {
        match &entry.content {
            Ok(content) => {
                engine.new_game();
                let answer = Answer::find(&mut *engine, &content.game, limits);
                sum.add(&answer);
                answer.print(arguments.input.json, &mut out)?;
            }
            Err(error) => sum.refuse(entry, error, arguments.input.json, &mut out)?,
        }
        out.flush()?;
    }
    sum.print(arguments.input.json, &mut out)?;
    out.flush()?;
    Ok(if sum.refused == 0 { Verdict::Done } else { Verdict::Refused })
}

/// What was found for a position.
struct Answer<S: Sport> {
    position: S::Position,
    /// The turn as text; nothing, where the game is over or given up.
    turn: Option<String>,
    /// What the search has found, if there was one.
    report: Option<Report<Step<S>>>,
    time: Duration,
}

impl<S: Sport> Answer<S> {
    fn find(engine: &mut dyn Mind<S>, game: &S::Game, limits: Limits) -> Answer<S> {
        let begin = Instant::now();
        let position = *game.position();
        if game.ending().is_some() {
            return Answer { position, turn: None, report: None, time: begin.elapsed() };
        }
        let action = engine.think(game, &limits, &Stop::new(), &mut |_| ());
        let turn = action.map(|action| game.notation(action));
        Answer { position, turn, report: engine.found().cloned(), time: begin.elapsed() }
    }

    fn print(&self, json: bool, out: &mut impl Write) -> anyhow::Result<()> {
        if json {
            writeln!(out, "{}", self.row())?;
            return Ok(());
        }
        writeln!(out, "{}", self.position)?;
        let turn = self.turn.as_deref().unwrap_or("the game is over");
        writeln!(out, "  {turn}")?;
        let Some(report) = &self.report else { return Ok(()) };
        let standing = match report.verdict {
            Standing::Score(score) => score.to_string(),
            Standing::Proof(proof) => proof.to_string(),
        };
        writeln!(
            out,
            "  {standing}, depth {}, {} nodes in {:.3} s: {}",
            report.depth,
            report.nodes,
            self.time.as_secs_f64(),
            S::line(&self.position, &report.line).join(" | ")
        )?;
        Ok(())
    }

    fn row(&self) -> Value {
        let report = self.report.as_ref();
        let score = report.and_then(|report| match report.verdict {
            Standing::Score(score) => Some(score.0),
            Standing::Proof(_) => None,
        });
        let proof = report.and_then(|report| match report.verdict {
            Standing::Proof(Proof::Win(turns)) => Some(json!({"result": "win", "turns": turns.0})),
            Standing::Proof(Proof::Loss(turns)) => {
                Some(json!({"result": "loss", "turns": turns.0}))
            }
            Standing::Score(_) => None,
        });
        json!({
            "position": self.position.to_string(),
            "turn": self.turn,
            "score": score,
            "depth": report.map_or(0, |report| report.depth.0),
            "nodes": report.map_or(0, |report| report.nodes),
            "seconds": self.time.as_secs_f64(),
            "pv": report.map_or(Vec::new(), |report| S::line(&self.position, &report.line)),
            "proof": proof,
        })
    }
}

#[derive(Default)]
struct Sum {
    positions: u64,
    refused: u64,
    nodes: u64,
    time: Duration,
}

impl Sum {
    fn add<S: Sport>(&mut self, answer: &Answer<S>) {
        self.positions += 1;
        self.nodes += answer.report.as_ref().map_or(0, |report| report.nodes);
        self.time += answer.time;
    }

    fn refuse<T>(
        &mut self,
        entry: &Entry<T>,
        error: &str,
        json: bool,
        out: &mut impl Write,
    ) -> anyhow::Result<()> {
        self.refused += 1;
        refuse(entry, error, json, out)
    }

    fn print(&self, json: bool, out: &mut impl Write) -> anyhow::Result<()> {
        let seconds = self.time.as_secs_f64();
        let rate = self.nodes as f64 / seconds.max(1e-9);
        if json {
            let summary = json!({
                "summary": true,
                "positions": self.positions,
                "nodes": self.nodes,
                "seconds": seconds,
                "nodes_per_second": rate,
                "refused": self.refused,
            });
            writeln!(out, "{summary}")?;
        } else if self.positions + self.refused > 1 {
            writeln!(
                out,
                "{} positions, {} nodes in {seconds:.3} s, {:.1} million a second",
                self.positions,
                self.nodes,
                rate / 1e6
            )?;
        }
        Ok(())
    }
}
