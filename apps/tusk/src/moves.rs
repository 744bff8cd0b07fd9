//! `tusk move`: a turn for each position.

use std::fmt::Display;
use std::io::{BufWriter, Write};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use arena::TimeSettings;
use clap::builder::TypedValueParser;
use engine::{Engine, Info, Limits, Line, MOST_LINES, Stop};
use game::{Game, Steps, notations};
use process::TimeControl;
use serde_json::{Value, json};
use workbench::reading::{Entries, InputEntry};
use workbench::verdicts::{add_visits, line_json, proof_json, score_json, written_line};
use workbench::{Catalogues, GameName, Playing, Reading, in_game, units};

use crate::output::{Output, standard};
use crate::show::refuse;
use crate::{Exit, choice, config, input};

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

    /// How many lines to find, the best first: turns that lead to different boards. The time is shared among them
    #[arg(long, value_name = "N", value_parser = lines())]
    lines: Option<u16>,

    /// Write the top of the search tree of each position to FILE, for those who want to look inside; an engine without a
    /// tree writes what each iteration has found
    #[arg(long, value_name = "FILE")]
    tree: Option<PathBuf>,

    #[command(flatten)]
    engine: choice::EngineArguments,
}

/// A number of lines.
pub fn lines() -> impl TypedValueParser<Value = u16> {
    clap::value_parser!(u16).range(1..=MOST_LINES as i64)
}

/// When a player has thought enough.
#[derive(clap::Args)]
pub struct Thinking {
    /// The time for each turn: 300ms, 5s, 2m [default: that of `tusk config`, mostly 1s, if nothing
    /// else is a limit]
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
    pub fn limits(&self) -> Limits {
        let Thinking { depth, nodes, .. } = *self;
        Limits { depth: depth.map(Steps), nodes, soft: None, hard: self.time() }
    }

    /// The same for a player.
    pub fn time_settings(&self) -> TimeSettings {
        let Thinking { depth, nodes, .. } = *self;
        let control = self.time().map(TimeControl::per_turn);
        TimeSettings { control, depth, nodes, ..TimeSettings::default() }
    }

    fn time(&self) -> Option<Duration> {
        let unlimited = self.depth.is_none() && self.nodes.is_none();
        self.time.or_else(|| unlimited.then(|| config::settings().time()))
    }
}

pub fn run(
    arguments: &Arguments,
    game: Option<GameName>,
    catalogues: &Catalogues,
) -> anyhow::Result<Exit> {
    let texts = arguments.input.read(game)?;
    in_game!(texts.game, S => answer::<S>(catalogues, arguments, &texts.entries()))
}

fn answer<S: Reading + Playing>(
    catalogues: &Catalogues,
    arguments: &Arguments,
    entries: &Entries<S>,
) -> anyhow::Result<Exit> {
    let limits = arguments.thinking.limits();
    let (_, mut engine) = arguments.engine.start::<S>(catalogues)?;
    engine.set_lines(arguments.lines.map_or(1, usize::from));
    let mut tree = arguments.tree.as_deref().map(Output::create).transpose()?;
    let mut out = BufWriter::new(standard());
    let mut sum = Sum::default();
    for entry in entries {
        match &entry.content {
            Ok(content) => {
                engine.new_game();
                let answer = Answer::find(&mut engine, &content.game, limits);
                sum.add(&answer);
                if let Some(file) = &mut tree {
                    write_tree(content.game.position(), engine.tree(), file)?;
                }
                match arguments.input.json {
                    true => answer.print_row(arguments.lines.is_some(), &mut out)?,
                    false => answer.print(&mut out)?,
                }
            }
            Err(error) => sum.refuse(entry, error, arguments.input.json, &mut out)?,
        }
        out.flush()?;
    }
    if let Some(file) = tree {
        file.finish()?;
    }
    sum.print(arguments.input.json, &mut out)?;
    out.flush()?;
    Ok(if sum.refused == 0 { Exit::Done } else { Exit::Refused })
}

/// Writes the tree of a search below its position.
fn write_tree(
    position: &impl Display,
    tree: Option<Vec<String>>,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    writeln!(out, "{position}")?;
    for line in tree.unwrap_or_else(|| vec!["no tree".to_string()]) {
        writeln!(out, "  {line}")?;
    }
    Ok(())
}

/// What was found for a position.
struct Answer<'a, G: Game> {
    game: &'a G,
    /// What the engine has found; nothing, where the game is over or the engine resigns.
    info: Option<Info<G::Action>>,
    time: Duration,
}

impl<G: Game> Answer<'_, G> {
    fn find<'a>(engine: &mut impl Engine<G>, game: &'a G, limits: Limits) -> Answer<'a, G> {
        let begin = Instant::now();
        let info = match game.ended() {
            Some(_) => None,
            None => engine.analyse(game, &limits, &Stop::new(), &mut |_| ()),
        };
        Answer { game, info, time: begin.elapsed() }
    }

    /// The turn as text.
    fn turn(&self) -> Option<String> {
        self.info.as_ref()?.best().map(|&action| self.game.notation(action))
    }

    /// The principal variation as text, turn by turn; nothing, where nothing was searched.
    fn pv(&self) -> Vec<String> {
        let searched = self.info.as_ref().filter(|info| info.verdict().is_some());
        searched.map_or(Vec::new(), |info| notations(self.game, info.pv()))
    }

    /// What was found: the best line, and others where there are some.
    fn lines(&self) -> &[Line<G::Action>] {
        self.info.as_ref().map_or(&[], |info| &info.lines)
    }

    fn print_row(&self, with_lines: bool, out: &mut impl Write) -> anyhow::Result<()> {
        let mut row = self.row();
        if with_lines {
            let lines = self.lines().iter().map(|line| line_json(&written_line(self.game, line)));
            row["lines"] = lines.collect();
        }
        writeln!(out, "{row}")?;
        Ok(())
    }

    fn print(&self, out: &mut impl Write) -> anyhow::Result<()> {
        writeln!(out, "{}", self.game.position())?;
        let no_turn = if self.game.ended().is_some() { "the game is over" } else { "resigns" };
        writeln!(out, "  {}", self.turn().unwrap_or_else(|| no_turn.to_string()))?;
        let found = self.info.as_ref().and_then(|info| Some((info, info.verdict()?)));
        let Some((info, verdict)) = found else { return Ok(()) };
        writeln!(
            out,
            "  {verdict}, depth {}, {} nodes in {:.3} s: {}",
            info.depth,
            info.nodes,
            self.time.as_secs_f64(),
            self.pv().join(" | ")
        )?;
        for (number, line) in (2..).zip(self.lines().iter().skip(1)) {
            let verdict = line.verdict.map_or(String::new(), |verdict| format!("{verdict}: "));
            let pv = notations(self.game, &line.pv).join(" | ");
            writeln!(out, "  {number}. {verdict}{pv}")?;
        }
        Ok(())
    }

    fn row(&self) -> Value {
        let info = self.info.as_ref();
        let verdict = info.and_then(Info::verdict);
        let mut row = json!({
            "position": self.game.position().to_string(),
            "turn": self.turn(),
            "score": score_json(verdict),
            "depth": info.map_or(0, |info| info.depth.0),
            "nodes": info.map_or(0, |info| info.nodes),
            "seconds": self.time.as_secs_f64(),
            "pv": self.pv(),
            "proof": proof_json(verdict),
        });
        if let Some(line) = info.and_then(|info| info.lines.first()) {
            add_visits(&mut row, line);
        }
        if let Some(tree) = info.and_then(|info| info.tree) {
            row["tree"] = json!({
                "playouts": tree.playouts,
                "nodes": tree.nodes,
                "expanded": tree.expanded,
                "recycled": tree.recycled,
                "mean_depth": f64::from(tree.mean_depth) / 100.0,
            });
        }
        row
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
    fn add<G: Game>(&mut self, answer: &Answer<G>) {
        self.positions += 1;
        self.nodes += answer.info.as_ref().map_or(0, |info| info.nodes);
        self.time += answer.time;
    }

    fn refuse<T>(
        &mut self,
        entry: &InputEntry<T>,
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
