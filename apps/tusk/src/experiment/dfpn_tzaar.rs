//! `tusk experiment dfpn-tzaar`: WALTZ's df-pn on endgames, its enhancements and their constants.

use std::time::Instant;

use anyhow::Context;
use engine::{Engine, Limits};
use game::History;
use search::{DfPn, Task};
use tzaar::{Game, Step};
use tzaar_ai::Heuristics;
use vesely_2013::{Algorithm, Waltz, WaltzEngine, WaltzParameters};
use workbench::{Algorithm as Method, SolveOptions, Tzaar};

use super::lab::Lab;
use super::report::{Cell, Report, Table};
use super::searching::{self, Cost, Variant, compare, solved_plot, solved_table};
use super::sets;
use super::study::{NODES_OF_GAMES, Setting, Study};

pub const STUDY: Study = Study {
    name: "dfpn-tzaar",
    title: "WALTZ's proof-number search of endgames",
    regenerates: "Veselý 2013, Tables 4.7 to 4.14 and 4.1.5",
    settings: &[
        Setting {
            name: "positions",
            quick: 24,
            full: 713,
            least: 2,
            about: "positions of endgames (EndSet)",
        },
        Setting {
            name: "most_stacks",
            quick: 17,
            full: 26,
            least: 12,
            about: "the most stacks of a position; 26 in the thesis, which few nodes do not solve",
        },
        Setting {
            name: "proof_nodes",
            quick: 100_000,
            full: 10_000_000,
            least: 1_000,
            about: "nodes for a position; the thesis has 60 s",
        },
        NODES_OF_GAMES,
    ],
    run,
};

/// How many positions the thesis has.
const OF_THESIS: u64 = 713;

/// WALTZ's table: 2^20 places for two positions.
const TABLE_BITS: i32 = 20;

fn run(lab: &Lab) -> anyhow::Result<Report> {
    let positions = match sets::named::<Tzaar>(lab)? {
        Some(named) => named,
        None => {
            let most = lab.count("most_stacks");
            let is_late = |stacks| (12..=most).contains(&stacks);
            sets::tzaar_positions(lab, lab.count("positions"), lab.number("nodes"), is_late, 4)?
        }
    };
    let positions: Vec<Game> = positions.into_iter().take(lab.count("positions")).collect();
    let mut report = Report::default();
    let most = lab.number("most_stacks");
    let made = format!("positions with 12 to {most} stacks from games of the engine with itself");
    report.text(format!(
        "EndSet is gone: {} take its place. Each search may enter {} positions, where the thesis had 60 s.",
        sets::described(lab, positions.len(), &made),
        lab.number("proof_nodes")
    ));
    report.heading("Enhancements");
    let variants = enhancements();
    let costs = prove_all(lab, "enhancements", &variants, &positions)?;
    let title = "Veselý 2013, Table 4.7: enhancements of df-pn";
    report.table(solved_table(title, "enhancements", OF_THESIS, &variants, &costs));
    report.plot(&solved_plot(title, "", OF_THESIS, &short_names(variants), &costs));
    report.heading("Constants");
    for (title, axis, variants) in constants(lab.number("proof_nodes")) {
        let costs = prove_all(lab, title, &variants, &positions)?;
        report.table(solved_table(title, axis, OF_THESIS, &variants, &costs));
        report.plot(&solved_plot(title, axis, OF_THESIS, &variants, &costs));
    }
    against_alphabeta(lab, &positions, &mut report)?;
    Ok(report)
}

/// A df-pn of WALTZ: its algorithm, and the constants.
#[derive(Clone, Copy)]
struct Prover(Algorithm, WaltzParameters);

/// The constants of the thesis, but for some.
fn with(change: impl FnOnce(&mut WaltzParameters)) -> WaltzParameters {
    let mut constants =
        WaltzParameters { proof_table_bits: TABLE_BITS, ..WaltzParameters::default() };
    change(&mut constants);
    constants
}

/// Heuristic weak df-pn with the 1 + ε trick and first numbers by the evaluation, with some constants changed.
fn combined(change: impl FnOnce(&mut WaltzParameters)) -> Prover {
    Prover(Algorithm::WeakEvaluation, with(change))
}

fn usual(algorithm: Algorithm) -> Prover {
    Prover(algorithm, with(|_| ()))
}

/// The best constants of Tables 4.9 to 4.13.
fn best() -> Prover {
    combined(|constants| {
        constants.epsilon = 800;
        constants.estimate_loss = 5;
        constants.estimate_win = 20;
        constants.estimate_advantage = 1_000_000_000;
    })
}

type Variants = Vec<Variant<Prover>>;

fn enhancements() -> Variants {
    let weak = combined(|constants| constants.weak_by_evaluation = 0);
    let unsorted = combined(|constants| constants.sorted_proofs = 0);
    vec![
        Variant::new("heuristic weak, 1 + ε, evaluation", 484.0, usual(Algorithm::WeakEvaluation)),
        Variant::new("weak, 1 + ε, evaluation", 484.0, weak),
        Variant::new("dynamic widening, 1 + ε, evaluation", 480.0, usual(Algorithm::Widening)),
        Variant::new("heuristic weak, 1 + ε, evaluation, moves not sorted", 465.0, unsorted),
        Variant::new("only 1 + ε", 343.0, usual(Algorithm::Epsilon)),
        Variant::new("without enhancements", 336.0, usual(Algorithm::DfPn)),
        Variant::new("only heuristic weak", 289.0, usual(Algorithm::Weak)),
        Variant::new("only the evaluation", 289.0, usual(Algorithm::EvaluationBased)),
    ]
}

/// Names that fit below bars.
fn short_names(variants: Variants) -> Variants {
    let names = ["HW ε EFB", "W ε EFB", "DW ε EFB", "unsorted", "ε", "none", "HW", "EFB"];
    let named = |(variant, name): (Variant<_>, &str)| Variant { name: name.to_string(), ..variant };
    variants.into_iter().zip(names).map(named).collect()
}

/// Table 4.8: solved positions by the binary logarithm of the table's places. The thesis has none of the smallest tables; ours are
/// shown since searches of few nodes fill no others.
const SIZES: [(i32, Option<f64>); 10] = [
    (12, None),
    (14, None),
    (16, None),
    (18, Some(467.0)),
    (19, Some(482.0)),
    (20, Some(484.0)),
    (21, Some(485.0)),
    (22, Some(488.0)),
    (23, Some(487.0)),
    (25, Some(488.0)),
];

/// Table 4.9, in percent.
const EPSILONS: [(i32, f64); 9] = [
    (6400, 487.0),
    (1600, 487.0),
    (400, 487.0),
    (200, 486.0),
    (100, 485.0),
    (50, 483.0),
    (25, 483.0),
    (13, 484.0),
    (6, 476.0),
];

/// Tables 4.10 and 4.11.
const LOSSES: [(i32, f64); 8] = [
    (1, 484.0),
    (3, 484.0),
    (5, 484.0),
    (8, 482.0),
    (10, 484.0),
    (12, 471.0),
    (15, 471.0),
    (20, 468.0),
];
const WINS: [(i32, f64); 9] = [
    (1, 296.0),
    (3, 397.0),
    (5, 443.0),
    (8, 470.0),
    (10, 484.0),
    (12, 483.0),
    (15, 483.0),
    (20, 484.0),
    (50, 484.0),
];

/// Table 4.12, as powers of ten.
const ADVANTAGES: [(u32, f64); 5] = [(5, 293.0), (6, 351.0), (7, 387.0), (8, 484.0), (9, 485.0)];

/// Table 4.13: H, and T as powers of ten.
const SHARES: [(i32, f64); 4] = [(1, 484.0), (2, 444.0), (3, 374.0), (5, 301.0)];
const WEAK_ADVANTAGES: [(u32, f64); 6] =
    [(4, 468.0), (5, 474.0), (6, 484.0), (7, 484.0), (8, 484.0), (9, 484.0)];

/// Table 4.14.
const WIDENINGS: [(i32, f64); 8] = [
    (2, 481.0),
    (3, 483.0),
    (4, 480.0),
    (5, 480.0),
    (7, 480.0),
    (8, 480.0),
    (10, 467.0),
    (15, 457.0),
];

/// Tables 4.8 to 4.14: a constant changed, all else as it was. Tables that so many nodes cannot fill are left out.
fn constants(nodes: u64) -> Vec<(&'static str, &'static str, Variants)> {
    let is_filled = |bits: i32| bits <= TABLE_BITS || 1 << bits <= 2 * nodes;
    let by_size = SIZES.into_iter().filter(|&(bits, _)| is_filled(bits)).map(|(bits, solved)| {
        Variant::new(bits.to_string(), solved, combined(|own| own.proof_table_bits = bits))
    });
    let by_epsilon = EPSILONS.map(|(percent, solved)| {
        let name = (f64::from(percent) / 100.0).to_string();
        Variant::new(name, solved, combined(|own| own.epsilon = percent))
    });
    let by_loss = LOSSES.map(|(value, solved)| {
        Variant::new(value.to_string(), solved, combined(|own| own.estimate_loss = value))
    });
    let by_win = WINS.map(|(value, solved)| {
        Variant::new(value.to_string(), solved, combined(|own| own.estimate_win = value))
    });
    let by_advantage = ADVANTAGES.map(|(power, solved)| {
        let change = |own: &mut WaltzParameters| own.estimate_advantage = 10i32.pow(power);
        Variant::new(format!("10^{power}"), solved, combined(change))
    });
    let by_share = SHARES.map(|(value, solved)| {
        Variant::new(value.to_string(), solved, combined(|own| own.weak_share = 100 * value))
    });
    let by_weak_advantage = WEAK_ADVANTAGES.map(|(power, solved)| {
        let change = |own: &mut WaltzParameters| own.weak_advantage = 10i32.pow(power);
        Variant::new(format!("10^{power}"), solved, combined(change))
    });
    let by_widening = WIDENINGS.map(|(value, solved)| {
        let prover = Prover(Algorithm::Widening, with(|own| own.widening = value));
        Variant::new(value.to_string(), solved, prover)
    });
    vec![
        ("Veselý 2013, Table 4.8: the size of the table", "log2 of the places", by_size.collect()),
        ("Veselý 2013, Table 4.9: ε", "ε", by_epsilon.into()),
        ("Veselý 2013, Table 4.10: A of the first numbers", "A", by_loss.into()),
        ("Veselý 2013, Table 4.11: B of the first numbers", "B", by_win.into()),
        ("Veselý 2013, Table 4.12: T of the first numbers", "T", by_advantage.into()),
        ("Veselý 2013, Table 4.13: H of heuristic weak df-pn", "H", by_share.into()),
        ("Veselý 2013, Table 4.13: T of heuristic weak df-pn", "T", by_weak_advantage.into()),
        ("Veselý 2013, Table 4.14: J of dynamic widening", "J", by_widening.into()),
    ]
}

fn prove_all(
    lab: &Lab,
    what: &str,
    variants: &[Variant<Prover>],
    positions: &[Game],
) -> anyhow::Result<Vec<Vec<Cost>>> {
    compare(lab, what, variants, positions, |prover, game| prove(lab, prover, game))
}

fn prove(lab: &Lab, Prover(algorithm, constants): &Prover, game: &Game) -> anyhow::Result<Cost> {
    let parameters =
        algorithm.proof_parameters(constants).context("the algorithm looks for no proofs")?;
    let mut search: DfPn<Step> = DfPn::new(parameters);
    let evaluator = Waltz { is_beginner: false, first_numbers: constants.first_numbers() };
    let heuristics = Heuristics { evaluator, ordering: constants.ordering() };
    let past = History::new();
    let limits = Limits { nodes: Some(lab.number("proof_nodes")), ..Limits::default() };
    let position = game.position();
    let task = Task { position, past: &past, heuristics: &heuristics, limits, stop: &lab.stop };
    let begin = Instant::now();
    let found = search.solve(&task, |_| ());
    let seconds = begin.elapsed().as_secs_f64();
    Ok(Cost { nodes: found.nodes, seconds, is_done: found.proof.is_some() })
}

/// Who solves a position in 4.1.5.
enum Solver {
    DfPn(Prover),
    AlphaBeta,
    /// `tusk solve`, as it is today.
    Today,
}

fn against_alphabeta(lab: &Lab, positions: &[Game], report: &mut Report) -> anyhow::Result<()> {
    let nodes = lab.number("proof_nodes");
    let variants = [
        Variant::new("df-pn with the best constants", 495.0, Solver::DfPn(best())),
        Variant::new("alpha-beta with all enhancements", 506.0, Solver::AlphaBeta),
        Variant::new("`tusk solve` of today", None, Solver::Today),
    ];
    let costs = compare(lab, "df-pn and alpha-beta", &variants, positions, |solver, game| {
        Ok(match solver {
            Solver::DfPn(prover) => prove(lab, prover, game)?,
            Solver::AlphaBeta => {
                let mut player = WaltzEngine::new(Algorithm::AlphaBeta, None);
                let limits = Limits { nodes: Some(nodes), ..Limits::default() };
                let begin = Instant::now();
                let info = player.analyse(game, &limits, &lab.stop, &mut |_| ());
                let seconds = begin.elapsed().as_secs_f64();
                let verdict = info.as_ref().and_then(|info| info.verdict());
                let is_done = verdict.is_some_and(|verdict| verdict.proof().is_some());
                Cost { nodes: info.map_or(0, |info| info.nodes), seconds, is_done }
            }
            Solver::Today => {
                let options = SolveOptions {
                    algorithm: Some(Method::Auto),
                    memory: Some(32),
                    ..SolveOptions::default()
                };
                searching::solve::<Tzaar>(lab, &options, game, nodes)?
            }
        })
    })?;
    report.heading("Df-pn against alpha-beta");
    let title = "Veselý 2013, 4.1.5: endgames that are solved";
    report.table(solved_table(title, "search", OF_THESIS, &variants, &costs));
    let by = |one: usize, other: usize| {
        costs[one]
            .iter()
            .zip(&costs[other])
            .filter(|(own, others)| own.is_done && !others.is_done)
            .count()
    };
    let mut table = Table::new("Solved by one alone", ["search", "not by", "thesis", "ours"]);
    table.row(["df-pn".into(), "alpha-beta".into(), Cell::Count(20), by(0, 1).into()]);
    table.row(["alpha-beta".into(), "df-pn".into(), Cell::Count(31), by(1, 0).into()]);
    report.table(table);
    Ok(())
}
