//! What the studies of searches share: what a search took, variants beside each other, and tables of both.

use std::time::Instant;

use engine::{Engine, Info, Limits};
use plot::{Plot, Series};
use serde::{Deserialize, Serialize};
use workbench::{EngineRequest, Playing, SolveOptions, Solving};

use crate::lab::Lab;
use crate::report::{Cell, Table};

/// What a search took.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Cost {
    pub nodes: u64,
    pub seconds: f64,
    /// Whether it came to its depth, or to a proof.
    pub is_done: bool,
}

/// A way to search, with what a thesis has for it.
pub struct Variant<V> {
    pub name: String,
    pub thesis: Option<f64>,
    pub how: V,
}

impl<V> Variant<V> {
    pub fn new(name: impl Into<String>, thesis: impl Into<Option<f64>>, how: V) -> Variant<V> {
        Variant { name: name.into(), thesis: thesis.into(), how }
    }
}

/// What each variant took for each position. The variants take turns, so that a machine that is busy for a while is slow for
/// all of them.
pub fn compare<V: Sync, P: Sync>(
    lab: &Lab,
    what: &str,
    variants: &[Variant<V>],
    positions: &[P],
    work: impl Fn(&V, &P) -> anyhow::Result<Cost> + Sync,
) -> anyhow::Result<Vec<Vec<Cost>>> {
    let indices: Vec<(usize, usize)> = (0..positions.len())
        .flat_map(|position| (0..variants.len()).map(move |variant| (variant, position)))
        .collect();
    let key = |&(variant, position): &(usize, usize)| {
        format!("{}, position {position}", variants[variant].name)
    };
    let costs = lab.each(what, &indices, key, |&(variant, position)| {
        work(&variants[variant].how, &positions[position])
    })?;
    let mut sorted = vec![Vec::new(); variants.len()];
    for ((variant, _), cost) in indices.into_iter().zip(costs) {
        sorted[variant].push(cost);
    }
    Ok(sorted)
}

/// The sum over the positions.
pub fn total(costs: &[Cost]) -> Cost {
    costs.iter().fold(Cost { is_done: true, ..Cost::default() }, |sum, cost| Cost {
        nodes: sum.nodes + cost.nodes,
        seconds: sum.seconds + cost.seconds,
        is_done: sum.is_done && cost.is_done,
    })
}

/// How many positions were done: solved, or searched to the depth.
pub fn done(costs: &[Cost]) -> usize {
    costs.iter().filter(|cost| cost.is_done).count()
}

/// The sum over the positions that all variants have done.
pub fn common(all: &[Vec<Cost>]) -> Vec<Cost> {
    let count = all.first().map_or(0, Vec::len);
    let by_all: Vec<usize> =
        (0..count).filter(|&position| all.iter().all(|costs| costs[position].is_done)).collect();
    let of = |costs: &Vec<Cost>| {
        let chosen: Vec<Cost> = by_all.iter().map(|&position| costs[position]).collect();
        total(&chosen)
    };
    all.iter().map(of).collect()
}

/// Durations of a thesis beside our nodes and times, all as ratios to the variant of that number.
pub fn duration_table<V>(
    title: &str,
    first: &str,
    variants: &[Variant<V>],
    costs: &[Vec<Cost>],
    reference: usize,
) -> Table {
    let columns = [
        first,
        "thesis, s",
        "thesis, ratio",
        "our nodes",
        "our nodes, ratio",
        "our time, ratio",
        "ours by the thesis (nodes)",
        "unfinished",
    ];
    let mut table = Table::new(title, columns);
    let (usual, usual_thesis) = (total(&costs[reference]), variants[reference].thesis);
    for (variant, costs) in variants.iter().zip(costs) {
        let sum = total(costs);
        let nodes = sum.nodes as f64 / usual.nodes.max(1) as f64;
        let thesis = variant.thesis.zip(usual_thesis).map(|(own, usual)| own / usual);
        table.row([
            variant.name.as_str().into(),
            variant.thesis.map_or(Cell::Missing, |own| Cell::Number(own, 0)),
            thesis.map_or(Cell::Missing, |ratio| Cell::Number(ratio, 2)),
            sum.nodes.into(),
            Cell::Number(nodes, 2),
            Cell::timed_ratio(sum.seconds, usual.seconds),
            thesis.map_or(Cell::Missing, |thesis| Cell::ratio(nodes, thesis)),
            (costs.len() - done(costs)).into(),
        ]);
    }
    table
}

/// Solved positions of a thesis beside ours; nodes and times are over those that all variants solve.
pub fn solved_table<V>(
    title: &str,
    first: &str,
    of_thesis: u64,
    variants: &[Variant<V>],
    costs: &[Vec<Cost>],
) -> Table {
    let columns = [
        first,
        &format!("thesis, of {of_thesis}"),
        "thesis share",
        &format!("ours, of {}", costs.first().map_or(0, Vec::len)),
        "our share",
        "ratio",
        "nodes of those that all solve",
        "time of those, ratio",
    ];
    let mut table = Table::new(title, columns);
    let common = common(costs);
    let first_time = common.first().map_or(0.0, |cost| cost.seconds);
    for ((variant, costs), common) in variants.iter().zip(costs).zip(common) {
        let ours = done(costs) as f64 / costs.len().max(1) as f64;
        let thesis = variant.thesis.map(|solved| solved / of_thesis as f64);
        table.row([
            variant.name.as_str().into(),
            variant.thesis.map_or(Cell::Missing, |solved| Cell::Number(solved, 0)),
            thesis.map_or(Cell::Missing, Cell::Share),
            done(costs).into(),
            Cell::Share(ours),
            thesis.map_or(Cell::Missing, |thesis| Cell::ratio(ours, thesis)),
            common.nodes.into(),
            Cell::timed_ratio(common.seconds, first_time),
        ]);
    }
    table
}

/// The same as bars: shares in percent.
pub fn solved_plot<'a, V>(
    title: &'a str,
    axis: &'a str,
    of_thesis: u64,
    variants: &[Variant<V>],
    costs: &[Vec<Cost>],
) -> Plot<'a> {
    let numbered = || (0..).map(f64::from);
    let thesis = numbered()
        .zip(variants)
        .filter_map(|(index, variant)| Some((index, 100.0 * variant.thesis? / of_thesis as f64)));
    let ours = numbered()
        .zip(costs)
        .map(|(index, costs)| (index, 100.0 * done(costs) as f64 / costs.len().max(1) as f64));
    Plot {
        title,
        axes: [axis, "solved, in percent"],
        series: vec![
            Series { name: "thesis".to_string(), points: thesis.collect(), is_dashed: true },
            Series { name: "ours".to_string(), points: ours.collect(), is_dashed: false },
        ],
        labels: variants.iter().map(|variant| variant.name.clone()).collect(),
        ..Plot::default()
    }
}

/// Searches by an engine of the catalogue with these settings.
pub fn search<S: Playing>(
    lab: &Lab,
    engine: &str,
    settings: &[(&str, String)],
    game: &S::Game,
    limits: &Limits,
) -> anyhow::Result<Cost> {
    let found = analyse::<S>(lab, engine, settings, game, limits, &mut |_| ())?;
    Ok(found.0)
}

/// The same, with what the engine says in the end; `told` hears of its iterations.
#[allow(clippy::type_complexity, reason = "the info of an engine has the actions of its game")]
pub fn analyse<S: Playing>(
    lab: &Lab,
    engine: &str,
    settings: &[(&str, String)],
    game: &S::Game,
    limits: &Limits,
    told: &mut dyn FnMut(&Info<<S::Game as game::Game>::Action>),
) -> anyhow::Result<(Cost, Option<Info<<S::Game as game::Game>::Action>>)> {
    let mut request = EngineRequest::new(engine);
    for (name, value) in settings {
        request.add(name, value)?;
    }
    let mut engine = request.resolve::<S>(lab.catalogues.get::<S>())?.build()?;
    let begin = Instant::now();
    let info = engine.analyse(game, limits, &lab.stop, &mut |info| told(info));
    let seconds = begin.elapsed().as_secs_f64();
    let is_done = info.as_ref().is_some_and(|info| {
        let is_proved = info.verdict().is_some_and(|verdict| verdict.proof().is_some());
        is_proved || limits.depth.is_none_or(|depth| info.depth >= depth)
    });
    // A search that is given up before its first iteration is complete tells nothing; it has used up its nodes.
    let told = info.as_ref().map(|info| info.nodes).filter(|&nodes| is_done || nodes > 0);
    let nodes = told.or(limits.nodes).unwrap_or_default();
    Ok((Cost { nodes, seconds, is_done }, info))
}

/// Looks for a proof by a method of `tusk solve`.
pub fn solve<S: Solving>(
    lab: &Lab,
    options: &SolveOptions,
    game: &S::Game,
    nodes: u64,
) -> anyhow::Result<Cost> {
    let mut method = S::method(options)?;
    let begin = Instant::now();
    let mut search = method.begin(game, game::Turns(100))?;
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    let found = search.search(limits, &lab.stop, &|_| ());
    let seconds = begin.elapsed().as_secs_f64();
    Ok(Cost { nodes: found.nodes, seconds, is_done: found.proof.is_some() })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cost(nodes: u64, is_done: bool) -> Cost {
        Cost { nodes, seconds: 1.0, is_done }
    }

    #[test]
    fn common_positions_are_those_that_all_have_done() {
        let all = [vec![cost(1, true), cost(2, true)], vec![cost(10, true), cost(20, false)]];
        let nodes: Vec<u64> = common(&all).iter().map(|cost| cost.nodes).collect();
        assert_eq!(nodes, [1, 10]);
        assert_eq!((total(&all[1]).nodes, total(&all[1]).is_done), (30, false));
        assert_eq!(done(&all[1]), 1);
    }
}
