//! What each enhancement of alpha-beta is worth.

use std::time::Duration;

use arimaa::{Position, Step};
use arimaa_ai::Heuristics;
use arimaa_ai::engines::ENGINES;
use engine::{Info, Limits, Parameter, Stop};
use game::{History, Steps};
use search::{AlphaBeta, Parameters, Task, is_switch};

/// How the engine `tusk` searches.
pub fn usual() -> Parameters {
    let usual = ENGINES[0].configure();
    Parameters::from_values(|name| usual.number(name))
}

/// An enhancement that is on or off by default, and what it is when it is on.
pub struct Switch {
    declared: Parameter,
    /// What it is when it is on.
    pub on: i32,
}

impl Switch {
    /// Those of these names, or all if there is none.
    pub fn chosen(names: &[String]) -> anyhow::Result<Vec<Switch>> {
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

    /// The name of its parameter.
    pub fn name(&self) -> &'static str {
        self.declared.name
    }

    /// What it is by default; 0 is off.
    pub fn default_value(&self) -> i32 {
        self.declared.default_number().unwrap_or(0)
    }

    /// Whether it is on by default.
    pub fn is_on(&self) -> bool {
        self.default_value() != 0
    }

    /// The search without it and with it, all else as by default.
    pub fn sides(&self) -> [Parameters; 2] {
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
pub struct Cost {
    /// Positions that were entered.
    pub nodes: u64,
    /// How long it took.
    pub time: Duration,
}

/// What it took to complete each depth from 1, summed over the positions.
pub struct Costs(pub Vec<Cost>);

/// What is searched, and how far.
pub struct Study<'a> {
    /// How deep, in steps.
    pub depth: u8,
    /// The size of the table, in MiB.
    pub memory: usize,
    /// From where.
    pub positions: &'a [Position],
    /// Hears of each search that is done.
    pub told: &'a dyn Fn(),
}

impl Study<'_> {
    /// Searches each position with one set of parameters after the other, so that a machine that is
    /// busy for a while is slow for all of them.
    pub fn measure<const N: usize>(&self, parameters: [Parameters; N]) -> [Costs; N] {
        let depth = usize::from(self.depth);
        let mut searches = parameters.map(|parameters| AlphaBeta::new(parameters, self.memory));
        let mut courses = parameters.map(|_| Costs(vec![Cost::default(); depth]));
        for position in self.positions {
            for (search, course) in searches.iter_mut().zip(&mut courses) {
                course.add(&self.reports(search, position));
                (self.told)();
            }
        }
        courses
    }

    /// What each iteration of a search took.
    fn reports(&self, search: &mut AlphaBeta<Step>, position: &Position) -> Vec<(Steps, Cost)> {
        let (past, stop, heuristics) = (History::new(), Stop::new(), Heuristics::default());
        let limits = Limits::depth(Steps(self.depth));
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

    /// What it took to complete the greatest depth.
    pub fn last(&self) -> Cost {
        self.0.last().copied().unwrap_or_default()
    }
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
}
