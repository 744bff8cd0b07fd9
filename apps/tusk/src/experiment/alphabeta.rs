//! `tusk experiment alphabeta`: what each enhancement of the search is worth.

use std::io::{BufWriter, Write};
use std::time::Duration;

use arimaa::{Army, Position, Step};
use arimaa_ai::Heuristics;
use arimaa_ai::engines::ENGINES;
use engine::{Info, Limits, Parameter, Stop};
use game::{History, Steps};
use indicatif::ProgressBar;
use search::{AlphaBeta, Parameters, Task, is_switch};
use serde_json::json;

use workbench::{Arimaa, reading, units};

use crate::output::standard;
use crate::show::refuse;
use crate::{Exit, progress};

/// Searches positions with and without each enhancement of alpha-beta, all others left as they are.
///
/// Nodes and times are summed over the positions, from the first iteration to the end of the one
/// of that depth; a search that ends with a proof counts as it ended. What is off by default is
/// compared the other way round: with it on. Without POS, the positions are those of `tusk bench`.
#[derive(clap::Args)]
#[command(after_help = "Example:\n  tusk experiment alphabeta --depth 5 --only killers,history")]
pub struct Arguments {
    /// A file, a folder, - or the position itself
    pos: Option<String>,

    /// The depth to search to, in steps
    #[arg(long, value_name = "STEPS", default_value_t = 6, value_parser = clap::value_parser!(u8).range(1..=40))]
    depth: u8,

    /// Only these enhancements, by the names of their parameters
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    only: Vec<String>,

    /// The size of the table: 64MiB, 2GiB
    #[arg(long, value_name = "M", default_value = "64MiB", value_parser = units::mebibytes)]
    memory: usize,

    /// Print one JSON object a line
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &Arguments) -> anyhow::Result<Exit> {
    let mut out = BufWriter::new(standard());
    let switches = Switch::chosen(&arguments.only)?;
    let (positions, refused) = positions(arguments, &mut out)?;
    let searches = positions.len() * (2 * switches.len() + 1);
    let progress = progress::bar(searches, "searches");
    let study = Study { arguments, positions: &positions, progress: &progress };
    let [full] = study.measure([usual()]);
    if !arguments.json {
        progress.suspend(|| full.print(positions.len(), &mut out))?;
        progress.suspend(|| heading(arguments.depth, &mut out))?;
    }
    for switch in &switches {
        progress.set_message(switch.name());
        let [without, with] = study.measure(switch.sides());
        let row = Row { switch, without, with };
        match arguments.json {
            true => progress.suspend(|| row.print_json(&mut out))?,
            false => progress.suspend(|| row.print(&mut out))?,
        }
        out.flush()?;
    }
    progress.finish_and_clear();
    if arguments.json {
        let last = full.last();
        let summary = json!({
            "summary": true,
            "positions": positions.len(),
            "depth": arguments.depth,
            "nodes": last.nodes,
            "seconds": last.time.as_secs_f64(),
            "refused": refused,
        });
        writeln!(out, "{summary}")?;
    }
    out.flush()?;
    Ok(if refused == 0 { Exit::Done } else { Exit::Refused })
}

/// The positions to search, and how many were refused.
fn positions(
    arguments: &Arguments,
    out: &mut impl Write,
) -> anyhow::Result<(Vec<Position>, usize)> {
    let Some(pos) = &arguments.pos else { return Ok((benchmark::positions()?, 0)) };
    let entries = reading::read::<Arimaa>(pos, Army::Full)?;
    let mut positions = Vec::new();
    for entry in &entries {
        match &entry.content {
            Ok(content) if content.game.outcome().is_none() => {
                positions.push(*content.game.position())
            }
            Ok(_) => {
                refuse(entry, "the game is over: there is nothing to search", arguments.json, out)?
            }
            Err(error) => refuse(entry, error, arguments.json, out)?,
        }
    }
    let refused = entries.len() - positions.len();
    anyhow::ensure!(!positions.is_empty(), "none of the positions can be searched");
    Ok((positions, refused))
}

/// How the engine `tusk` searches.
fn usual() -> Parameters {
    let usual = ENGINES[0].configure();
    Parameters::from_values(|name| usual.number(name))
}

/// An enhancement that is on or off by default, and what it is when it is on.
struct Switch {
    declared: Parameter,
    on: i32,
}

impl Switch {
    /// Those of these names, or all if there is none.
    fn chosen(names: &[String]) -> anyhow::Result<Vec<Switch>> {
        let is_of_search =
            |own: &Parameter| Parameters::DECLARED.iter().any(|declared| declared.name == own.name);
        let mut all: Vec<Parameter> = ENGINES[0].parameters().collect();
        all.retain(|declared| is_of_search(declared) && is_switch(declared));
        if let Some(wrong) = names.iter().find(|&name| all.iter().all(|own| own.name != name)) {
            let known: Vec<&str> = all.iter().map(|declared| declared.name).collect();
            anyhow::bail!(
                "--only {wrong}: there is no such enhancement; there are {}",
                known.join(", ")
            );
        }
        all.retain(|own| names.is_empty() || names.iter().any(|name| name == own.name));
        Ok(all.into_iter().map(Switch::new).collect())
    }

    fn new(declared: Parameter) -> Switch {
        let on = match (declared.default_number().unwrap_or(0), declared.name) {
            (0, "combo_ordering") => 1000,
            (0, "learned_ordering") => 5,
            (0, "learned_pruning") => 50,
            // As in the thesis: such turns are left out (Zhong 2005, 4.4).
            (0, "reversible") => 9999,
            (0, _) => 1,
            (default, _) => default,
        };
        Switch { declared, on }
    }

    fn name(&self) -> &'static str {
        self.declared.name
    }

    fn is_on(&self) -> bool {
        self.declared.default_number().unwrap_or(0) != 0
    }

    /// The search without it and with it, all else as by default.
    fn sides(&self) -> [Parameters; 2] {
        [0, self.on].map(|value| {
            let mut parameters = usual();
            let set = parameters.set(self.name(), &value.to_string());
            debug_assert!(set.is_ok(), "{}", self.name());
            parameters
        })
    }
}

/// What it took to complete a depth.
#[derive(Clone, Copy, Default)]
struct Cost {
    nodes: u64,
    time: Duration,
}

/// What it took to complete each depth from 1, summed over the positions.
struct Costs(Vec<Cost>);

/// What is searched, and how far.
struct Study<'a> {
    arguments: &'a Arguments,
    positions: &'a [Position],
    progress: &'a ProgressBar,
}

impl Study<'_> {
    /// Searches each position with one set of parameters after the other, so that a machine that is
    /// busy for a while is slow for all of them.
    fn measure<const N: usize>(&self, parameters: [Parameters; N]) -> [Costs; N] {
        let depth = usize::from(self.arguments.depth);
        let mut searches =
            parameters.map(|parameters| AlphaBeta::new(parameters, self.arguments.memory));
        let mut courses = parameters.map(|_| Costs(vec![Cost::default(); depth]));
        for position in self.positions {
            for (search, course) in searches.iter_mut().zip(&mut courses) {
                course.add(&self.reports(search, position));
                self.progress.inc(1);
            }
        }
        courses
    }

    /// What each iteration of a search took.
    fn reports(&self, search: &mut AlphaBeta<Step>, position: &Position) -> Vec<(Steps, Cost)> {
        let (past, stop, heuristics) = (History::new(), Stop::new(), Heuristics::default());
        let limits = Limits::depth(Steps(self.arguments.depth));
        let task = Task { position, past: &past, heuristics: &heuristics, limits, stop: &stop };
        let mut reports = Vec::new();
        search.clear();
        search.search(&task, |report: &Info<Step>| {
            reports.push((report.depth, Cost { nodes: report.nodes, time: report.time }));
        });
        reports
    }
}

impl Costs {
    /// Adds what the iterations for a position took; deeper than the last, nothing more was needed.
    fn add(&mut self, reports: &[(Steps, Cost)]) {
        for (cost, depth) in self.0.iter_mut().zip(1..) {
            let reached = reports.iter().find(|(reached, _)| *reached >= Steps(depth));
            let (_, more) = reached.or(reports.last()).copied().unwrap_or_default();
            cost.nodes += more.nodes;
            cost.time += more.time;
        }
    }

    fn last(&self) -> Cost {
        self.0.last().copied().unwrap_or_default()
    }

    fn print(&self, positions: usize, out: &mut impl Write) -> std::io::Result<()> {
        let noun = if positions == 1 { "position" } else { "positions" };
        writeln!(out, "{positions} {noun}, everything as by default:\n")?;
        writeln!(out, "| depth | nodes | seconds |")?;
        writeln!(out, "| ---: | ---: | ---: |")?;
        for (cost, depth) in self.0.iter().zip(1..) {
            writeln!(out, "| {depth} | {} | {:.2} |", cost.nodes, cost.time.as_secs_f64())?;
        }
        writeln!(out)
    }
}

fn heading(depth: u8, out: &mut impl Write) -> std::io::Result<()> {
    writeln!(out, "Without (-) and with (+) each enhancement, to depth {depth}:\n")?;
    writeln!(
        out,
        "| enhancement | default | nodes - | nodes + | saved | seconds - | seconds + | saved |"
    )?;
    writeln!(out, "| :--- | :--- | ---: | ---: | ---: | ---: | ---: | ---: |")?;
    out.flush()
}

/// An enhancement, and what was measured without it and with it.
struct Row<'a> {
    switch: &'a Switch,
    without: Costs,
    with: Costs,
}

impl Row<'_> {
    fn print(&self, out: &mut impl Write) -> std::io::Result<()> {
        let [without, with] = [&self.without, &self.with].map(Costs::last);
        let [slow, fast] = [without, with].map(|cost| cost.time.as_secs_f64());
        let name = match (self.switch.is_on(), self.switch.on) {
            (false, on @ 2..) => format!("{} = {on}", self.switch.name()),
            _ => self.switch.name().to_string(),
        };
        writeln!(
            out,
            "| {name} | {} | {} | {} | {} | {slow:.2} | {fast:.2} | {} |",
            if self.switch.is_on() { "on" } else { "off" },
            without.nodes,
            with.nodes,
            saved(without.nodes as f64, with.nodes as f64),
            saved(slow, fast),
        )
    }

    fn print_json(&self, out: &mut impl Write) -> std::io::Result<()> {
        let Row { without, with, .. } = self;
        let all = without.0.iter().zip(&with.0).zip(1u8..);
        // A search that goes to its depth at once has nothing to say of others.
        let skipped =
            if self.switch.name() == "iterative_deepening" { without.0.len() - 1 } else { 0 };
        for ((without, with), depth) in all.skip(skipped) {
            let row = json!({
                "enhancement": self.switch.name(),
                "value": self.switch.on,
                "default": self.switch.declared.default_number().unwrap_or(0),
                "depth": depth,
                "nodes_without": without.nodes,
                "nodes_with": with.nodes,
                "seconds_without": without.time.as_secs_f64(),
                "seconds_with": with.time.as_secs_f64(),
            });
            writeln!(out, "{row}")?;
        }
        Ok(())
    }
}

/// How much less the second is than the first, in percent.
fn saved(without: f64, with: f64) -> String {
    if without == 0.0 {
        return "-".to_string();
    }
    format!("{:.1} %", 100.0 * (1.0 - with / without))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_switch_can_be_turned() {
        let switches = Switch::chosen(&[]).expect("all of them");
        assert!(switches.len() > 10);
        for switch in switches {
            let [without, with] = switch.sides();
            assert_ne!(without, with, "{}", switch.name());
            assert!([without, with].contains(&usual()), "{}", switch.name());
        }
    }

    #[test]
    fn savings_are_of_what_it_took_without() {
        assert_eq!(saved(200.0, 50.0), "75.0 %");
        assert_eq!(saved(100.0, 112.0), "-12.0 %");
        assert_eq!(saved(0.0, 1.0), "-");
    }
}
