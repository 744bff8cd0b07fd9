//! `tusk experiment alphabeta-tzaar`: what the enhancements of WALTZ's alpha-beta are worth, and its constants.

use std::time::Instant;

use engine::{Engine, Info, Limits};
use game::{History, Steps};
use learn::train::{Plot, Series};
use search::{AlphaBeta, Parameters, Task, TranspositionTable};
use tzaar::{Field, Game, Step};
use tzaar_ai::Heuristics;
use tzaar_ai::waltz::curves::{CAPTURE_VALUE, COUNT_VALUE, Curve, HEIGHT_VALUE, TIME_MULTIPLIERS};
use tzaar_ai::waltz::{Algorithm, Waltz, WaltzEngine, WaltzParameters};
use workbench::Tzaar;

use super::lab::Lab;
use super::report::{Cell, Report, Table};
use super::searching::{Cost, Variant, compare, duration_table, total};
use super::sets;
use super::study::{NODES_OF_GAMES, Setting, Study};

pub const STUDY: Study = Study {
    name: "alphabeta-tzaar",
    title: "WALTZ's alpha-beta search and its constants",
    regenerates: "Veselý 2013, Tables 4.1 to 4.6 and Figures 3.1 to 3.4",
    settings: &[
        Setting {
            name: "positions",
            quick: 8,
            full: 200,
            least: 1,
            about: "positions with 41 stacks (MidSet)",
        },
        Setting {
            name: "depth",
            quick: 4,
            full: 6,
            least: 2,
            about: "how deep they are searched, in moves",
        },
        Setting {
            name: "most_nodes",
            quick: 5_000_000,
            full: 4_000_000_000,
            least: 1_000,
            about: "nodes after which a search is given up",
        },
        NODES_OF_GAMES,
    ],
    run,
};

/// The stacks of the thesis's middle games.
const MID_STACKS: usize = 41;

/// WALTZ's table: 2^19 places for two positions.
const TABLE_BITS: i32 = 19;

fn run(lab: &Lab) -> anyhow::Result<Report> {
    let positions = match sets::named::<Tzaar>(lab)? {
        Some(named) => named,
        None => {
            let has_stacks = |stacks| stacks == MID_STACKS;
            // A pass may jump over the number: some games are played in vain.
            let count = lab.count("positions");
            let nodes = lab.number("nodes");
            sets::tzaar_positions(lab, count + count / 10 + 1, nodes, has_stacks, 1)?
        }
    };
    let positions: Vec<Game> = positions.into_iter().take(lab.count("positions")).collect();
    let mut report = Report::default();
    let made = format!("positions with {MID_STACKS} stacks from games of the engine with itself");
    report.text(format!(
        "MidSet is gone: {} take its place, searched to depth {} (6 in the thesis). The evaluation and the order of moves \
         are those of WALTZ. Times are ratios within the run.",
        sets::described(lab, positions.len(), &made),
        lab.number("depth")
    ));
    enhancements(lab, &positions, &mut report)?;
    constants(lab, &positions, &mut report)?;
    curves(lab, &positions, &mut report)?;
    Ok(report)
}

/// A search of a row.
enum How {
    Search(Box<Parameters>),
    /// By the player, for what only it does.
    Player(Algorithm),
}

fn enhancements(lab: &Lab, positions: &[Game], report: &mut Report) -> anyhow::Result<()> {
    let of = |algorithm: Algorithm| How::Search(Box::new(algorithm.search_parameters()));
    let bare = Parameters {
        transposition_table: false,
        hash_step: false,
        hash_windows: false,
        ordering: false,
        ..Algorithm::WithoutTable.search_parameters()
    };
    let at_once = How::Search(Box::new(Parameters { iterative_deepening: false, ..bare }));
    let variants = [
        Variant::new("all enhancements (ID, PVM, MO, HH, NS)", 3_800.0, of(Algorithm::AlphaBeta)),
        Variant::new("without NegaScout", 4_134.0, of(Algorithm::History)),
        Variant::new("without the history heuristic", 8_906.0, of(Algorithm::NegaScout)),
        Variant::new("without both", 9_282.0, of(Algorithm::Ordered)),
        Variant::new(
            "randomized, with ID, PVM and MO",
            9_803.0,
            How::Player(Algorithm::Randomized),
        ),
        Variant::new("only PVM and ID", 22_712.0, of(Algorithm::TableMove)),
        Variant::new("no enhancement, not even ID", 36_764.0, at_once),
        Variant::new("only ID", 37_586.0, How::Search(Box::new(bare))),
        Variant::new("only MO and ID", 38_189.0, of(Algorithm::WithoutTable)),
    ];
    let costs = compare(lab, "enhancements", &variants, positions, |how, game| match how {
        How::Search(parameters) => Ok(search(lab, **parameters, &with(|_| ()), game).0),
        How::Player(algorithm) => Ok(play(lab, *algorithm, game)),
    })?;
    report.heading("Enhancements");
    let title = "Veselý 2013, Table 4.1: enhancements of alpha-beta";
    report.table(duration_table(title, "enhancements", &variants, &costs, 0));
    let ratio = |value: f64, first: f64| value / first.max(1.0);
    let numbered = || (0..).map(f64::from);
    let first = total(&costs[0]).nodes as f64;
    let ours = numbered()
        .zip(&costs)
        .map(|(index, costs)| (index, ratio(total(costs).nodes as f64, first)));
    let thesis = numbered()
        .zip(&variants)
        .map(|(index, variant)| (index, ratio(variant.thesis.unwrap_or_default(), 3_800.0)));
    report.plot(&Plot {
        title: "Alpha-beta without some enhancements, as multiples of the search with all",
        axes: ["", "times as much"],
        series: vec![
            Series { name: "thesis, time".to_string(), points: thesis.collect(), is_dashed: true },
            Series { name: "ours, nodes".to_string(), points: ours.collect(), is_dashed: false },
        ],
        labels: ["all", "no NS", "no HH", "neither", "random", "PVM, ID", "none", "ID", "MO, ID"]
            .map(str::to_string)
            .to_vec(),
        ..Plot::default()
    });
    Ok(())
}

/// The constants of the thesis, but for some.
fn with(change: impl FnOnce(&mut WaltzParameters)) -> WaltzParameters {
    let mut constants = WaltzParameters { table_bits: TABLE_BITS, ..WaltzParameters::default() };
    change(&mut constants);
    constants
}

/// Values of a constant, with the seconds that the thesis has for them.
type Durations = &'static [(i32, f64)];

/// A table of the thesis: the constant's name, how it is set, its default and its durations.
type ConstantTable = (&'static str, &'static str, fn(&mut WaltzParameters, i32), i32, Durations);

const CONSTANTS: [ConstantTable; 5] = [
    (
        "Veselý 2013, Table 4.2: how much later stackings come",
        "StackBonus",
        |constants, value| constants.stack_bonus = value,
        6,
        &[
            (0, 3_892.0),
            (3, 3_865.0),
            (6, 3_875.0),
            (9, 3_847.0),
            (12, 3_843.0),
            (15, 3_812.0),
            (21, 3_814.0),
            (30, 3_817.0),
            (39, 3_846.0),
            (51, 3_860.0),
        ],
    ),
    (
        "Veselý 2013, Table 4.3: how much later they come for each stack of the type",
        "StackCountMult",
        |constants, value| constants.stack_count_mult = value,
        3,
        &[
            (1, 3_924.0),
            (2, 3_862.0),
            (3, 3_852.0),
            (4, 3_825.0),
            (5, 3_774.0),
            (6, 3_765.0),
            (7, 3_749.0),
            (8, 3_741.0),
            (10, 3_796.0),
        ],
    ),
    (
        "Veselý 2013, Table 4.4: how much later captures come for each stack of the captured type",
        "CaptureCountMult",
        |constants, value| constants.capture_count_mult = value,
        20,
        &[
            (1, 5_285.0),
            (2, 4_682.0),
            (4, 4_190.0),
            (6, 3_892.0),
            (8, 3_809.0),
            (10, 3_749.0),
            (15, 3_759.0),
            (18, 3_806.0),
            (20, 3_852.0),
            (25, 3_874.0),
            (30, 3_913.0),
        ],
    ),
    (
        "Veselý 2013, Table 4.5: how much sooner a move comes for each cutoff",
        "HistoryPruneMult",
        |constants, value| constants.history_prune_mult = value,
        20,
        &[
            (3, 3_827.0),
            (5, 3_821.0),
            (10, 3_845.0),
            (15, 3_876.0),
            (20, 3_886.0),
            (25, 3_899.0),
            (30, 3_919.0),
        ],
    ),
    (
        "Veselý 2013, Table 4.6: the size of the transposition table",
        "log2 of the places",
        |constants, value| constants.table_bits = value,
        TABLE_BITS,
        &[
            (12, 4_360.0),
            (13, 4_176.0),
            (14, 4_064.0),
            (15, 4_003.0),
            (16, 3_977.0),
            (17, 3_911.0),
            (18, 3_883.0),
            (19, 3_844.0),
            (20, 3_841.0),
            (21, 3_833.0),
            (22, 3_838.0),
            (23, 3_847.0),
            (24, 3_845.0),
            (25, 3_906.0),
        ],
    ),
];

/// Tables 4.2 to 4.6: a constant changed, all else as it was. Tables that a search of so many nodes cannot fill are left out.
fn constants(lab: &Lab, positions: &[Game], report: &mut Report) -> anyhow::Result<()> {
    report.heading("Constants");
    let is_filled = |bits: i32| bits <= TABLE_BITS + 1 || 1 << bits <= lab.number("most_nodes");
    for (title, name, set, usual, durations) in CONSTANTS {
        let variants: Vec<Variant<WaltzParameters>> = durations
            .iter()
            .map(|&(value, seconds)| {
                let own = with(|constants| set(constants, value));
                Variant::new(value.to_string(), seconds, own)
            })
            .filter(|variant| is_filled(variant.how.table_bits))
            .collect();
        let costs = compare(lab, name, &variants, positions, |own, game| {
            Ok(search(lab, with_history_of(own), own, game).0)
        })?;
        let is_usual = |&(value, _): &(i32, f64)| value == usual;
        let reference = durations.iter().position(is_usual).unwrap_or(0);
        report.table(duration_table(title, name, &variants, &costs, reference));
    }
    Ok(())
}

/// WALTZ's full search with the history heuristic of these constants.
fn with_history_of(constants: &WaltzParameters) -> Parameters {
    Parameters {
        history_scale: constants.history_prune_mult,
        ..Algorithm::AlphaBeta.search_parameters()
    }
}

/// What a search took, and the nodes after each iteration.
fn search(
    lab: &Lab,
    parameters: Parameters,
    constants: &WaltzParameters,
    game: &Game,
) -> (Cost, Vec<(u8, u64)>) {
    let table = TranspositionTable::with_entries(2 << constants.table_bits);
    let mut search: AlphaBeta<Step> = AlphaBeta::with_table(parameters, table);
    let (evaluator, ordering) = (Waltz::default(), constants.ordering());
    let (past, heuristics) = (History::new(), Heuristics { evaluator, ordering });
    let (position, limits) = (game.position(), limits(lab));
    let task = Task { position, past: &past, heuristics: &heuristics, limits, stop: &lab.stop };
    let begin = Instant::now();
    let mut iterations = Vec::new();
    let mut is_done = false;
    let mut nodes = 0;
    let mut tell = |info: &Info<Step>| {
        iterations.push((info.depth.0, info.nodes));
        nodes = info.nodes;
        let is_proved = info.verdict().is_some_and(|verdict| verdict.proof().is_some());
        is_done = is_proved || limits.depth.is_some_and(|depth| info.depth >= depth);
    };
    if let Some(info) = search.search(&task, &mut tell) {
        nodes = nodes.max(info.nodes);
    }
    let seconds = begin.elapsed().as_secs_f64();
    (Cost { nodes, seconds, is_done }, iterations)
}

fn limits(lab: &Lab) -> Limits {
    let depth = Some(Steps(lab.number("depth").min(40) as u8));
    Limits { depth, nodes: Some(lab.number("most_nodes")), ..Limits::default() }
}

fn play(lab: &Lab, algorithm: Algorithm, game: &Game) -> Cost {
    let mut player = WaltzEngine::new(algorithm, None);
    let begin = Instant::now();
    let info = player.analyse(game, &limits(lab), &lab.stop, &mut |_| ());
    let seconds = begin.elapsed().as_secs_f64();
    let nodes = info.as_ref().map_or(0, |info| info.nodes);
    Cost { nodes, seconds, is_done: info.is_some() }
}

/// Figures 3.1 to 3.4: what WALTZ knows as curves, and how the time of iterations really grows.
fn curves(lab: &Lab, positions: &[Game], report: &mut Report) -> anyhow::Result<()> {
    report.heading("Curves");
    let parameters = Algorithm::AlphaBeta.search_parameters();
    let growth: Vec<Vec<(u8, u64)>> = lab.each(
        "iterations",
        positions,
        |game| game.position().to_string(),
        |game| Ok(search(lab, parameters, &with(|_| ()), game).1),
    )?;
    let title = "Veselý 2013, Figure 3.1: how many times as long the next iteration takes";
    let mut table = Table::new(title, ["next depth", "expected by WALTZ", "our nodes", "ratio"]);
    let deepest = lab.number("depth").min(40) as u8;
    for depth in 3..=deepest {
        let grown: Vec<f64> = growth.iter().filter_map(|nodes| factor(nodes, depth)).collect();
        let mean = grown.iter().sum::<f64>() / grown.len().max(1) as f64;
        let multipliers = TIME_MULTIPLIERS[usize::from(depth % 2)];
        let index = Field::COUNT - MID_STACKS + usize::from(depth - 1);
        let expected = f64::from(multipliers[index.min(multipliers.len() - 1)]);
        table.row([
            Cell::from(usize::from(depth)),
            Cell::Number(expected, 0),
            if grown.is_empty() { Cell::Missing } else { Cell::Number(mean, 1) },
            if grown.is_empty() { Cell::Missing } else { Cell::ratio(mean, expected) },
        ]);
    }
    report.table(table);
    let line = |name: &str, points: Vec<(f64, f64)>| Series {
        name: name.to_string(),
        points,
        is_dashed: false,
    };
    let free = |values: &[u32]| {
        (0..).map(f64::from).zip(values.iter().map(|&value| f64::from(value))).collect()
    };
    report.plot(&Plot {
        title: "Figure 3.1: expected growth of an iteration, by free fields and finished depth",
        axes: ["free fields and finished depth", "times as long"],
        series: vec![
            line("next depth even: the second move", free(TIME_MULTIPLIERS[0])),
            line("next depth odd: the first move", free(TIME_MULTIPLIERS[1])),
        ],
        ..Plot::default()
    });
    let curves: [(&str, &str, Curve); 3] = [
        ("Figure 3.2: the value of a stack by its height", "height", HEIGHT_VALUE),
        (
            "Figure 3.3: the value of a stack by how many show its type",
            "stacks of the type",
            COUNT_VALUE,
        ),
        ("Figure 3.4: the value of a capture by the height of the stack", "height", CAPTURE_VALUE),
    ];
    for (title, axis, values) in curves {
        let points = (0..).map(f64::from).zip(values.iter().map(|&value| f64::from(value))).skip(1);
        report.plot(&Plot {
            title,
            axes: [axis, "value"],
            series: vec![line("WALTZ", points.collect())],
            ..Plot::default()
        });
    }
    Ok(())
}

/// By how much the iteration of a depth took more nodes than the one before it.
fn factor(iterations: &[(u8, u64)], depth: u8) -> Option<f64> {
    let until =
        |depth: u8| iterations.iter().find(|(own, _)| *own == depth).map(|&(_, nodes)| nodes);
    let (now, before) = (until(depth)?, until(depth - 1)?);
    let earlier = until(depth.checked_sub(2)?).unwrap_or(0);
    let (last, this) = (before - earlier, now - before);
    (last > 0).then(|| this as f64 / last as f64)
}
