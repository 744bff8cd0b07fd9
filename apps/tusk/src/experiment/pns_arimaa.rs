//! `tusk experiment pns-arimaa`: proof-number search of Arimaa, its tables, its garbage collection and its orders.

use arimaa::Game;
use majerech_2012::{SOLVER_PRESETS, apns, apns_df};
use plot::{Plot, Series};
use search::ProofParameters;
use workbench::{Algorithm, Arimaa, SolveOptions, SolverPresets};

use super::alphabeta_arimaa::puzzles;
use super::lab::Lab;
use super::report::{Cell, Report, Table};
use super::searching::{Cost, Variant, common, compare, done, solve, solved_plot, solved_table};
use super::sets;
use super::study::{Setting, Study};

pub const STUDY: Study = Study {
    name: "pns-arimaa",
    title: "Proof-number search of Arimaa",
    regenerates: "Majerech 2012, Figures and Tables 6.1 to 6.8 and formula 4.1; besides: replacement, killers and orders, and where `auto` \
                  stands",
    settings: &[
        Setting {
            name: "positions",
            quick: 6,
            full: 100,
            least: 2,
            about: "puzzles of each kind: reduced and big",
        },
        Setting {
            name: "pieces",
            quick: 20,
            full: 20,
            least: 1,
            about: "the most pieces of a reduced puzzle; 15 in the thesis, of which our own collection has few",
        },
        Setting {
            name: "proof_nodes",
            quick: 200_000,
            full: 20_000_000,
            least: 500,
            about: "boards for a position; 60 s in the thesis",
        },
        Setting {
            name: "long_factor",
            quick: 4,
            full: 8,
            least: 2,
            about: "how many times as many in long runs; 500 s in the thesis",
        },
    ],
    run,
};

/// How many positions the thesis has of each kind.
const OF_THESIS: u64 = 100;

type Variants = Vec<Variant<SolveOptions>>;

fn run(lab: &Lab) -> anyhow::Result<Report> {
    let [reduced, big] = positions(lab)?;
    let mut report = Report::default();
    let whose = if lab.positions.is_some() { "the named" } else { "our own" };
    report.text(format!(
        "Wins in two turns: {} of {whose} puzzles with at most {} pieces (reduced), {} with more (big). The thesis took \
         puzzles of arimaa.com, with at most 15 pieces in the reduced set. A search may look at {} boards, where the thesis had 60 s. \
         `apns` and `apns-df` are the thesis's program.",
        reduced.len(),
        lab.number("pieces"),
        big.len(),
        lab.number("proof_nodes")
    ));
    let nodes = lab.number("proof_nodes");
    for (title, axis, variants) in tables() {
        let costs = compare(lab, title, &variants, &reduced, |options, game| {
            solve::<Arimaa>(lab, options, game, nodes)
        })?;
        report.heading(title);
        report.table(solved_table(title, axis, OF_THESIS, &variants, &costs));
        let has_both = variants.iter().any(|variant| variant.how.algorithm == Some(Algorithm::Pns));
        report.plot(&match has_both {
            true => paired_plot(title, axis, &variants, &costs),
            false => solved_plot(title, axis, OF_THESIS, &variants, &costs),
        });
    }
    collection(lab, &reduced, &mut report)?;
    long_runs(lab, [&reduced, &big], &mut report)?;
    report.table(hash_errors());
    Ok(report)
}

/// The reduced and the big puzzles.
fn positions(lab: &Lab) -> anyhow::Result<[Vec<Game>; 2]> {
    let all: Vec<Game> = match sets::named::<Arimaa>(lab)? {
        Some(named) => named,
        None => puzzles()?.into_iter().map(Game::from_position).collect(),
    };
    let is_reduced = |game: &Game| game.position().board().occupied().len() <= lab.count("pieces");
    let (reduced, big): (Vec<Game>, Vec<Game>) = all.into_iter().partition(is_reduced);
    Ok([reduced, big].map(|games| sets::spread(&games, lab.count("positions"))))
}

fn options(algorithm: Algorithm, preset: Option<ProofParameters>) -> SolveOptions {
    let presets = SolverPresets::new(&[SOLVER_PRESETS]);
    SolveOptions { algorithm: Some(algorithm), preset, presets, ..SolveOptions::default() }
}

fn variant(
    name: impl Into<String>,
    solved: impl Into<Option<f64>>,
    parameters: ProofParameters,
) -> Variant<SolveOptions> {
    let algorithm = if parameters.depth_first == 1 { Algorithm::Dfpns } else { Algorithm::Pns };
    Variant::new(name, solved, options(algorithm, Some(parameters)))
}

/// A parameter changed, all else as in the thesis's program.
fn tables() -> Vec<(&'static str, &'static str, Variants)> {
    let epsilons = [(10, 16.0), (30, 18.0), (50, 16.0), (70, 14.0), (90, 17.0), (110, 15.0)];
    let by_epsilon = epsilons.map(|(epsilon, solved)| {
        let name = format!("{}", f64::from(epsilon) / 100.0);
        variant(name, solved, ProofParameters { epsilon, ..apns_df() })
    });
    // In the thesis's runs, 5 million vertices at most.
    let collecting = |parameters| with_marks(parameters, 5_000_000, 3_000_000);
    let sizes = [
        (32, 17.0, 14.0),
        (64, 18.0, 16.0),
        (128, 18.0, 16.0),
        (256, 18.0, 16.0),
        (512, 18.0, 15.0),
    ];
    let numbers = |number_table| {
        move |parameters| ProofParameters { number_table, proof_table: 32, ..parameters }
    };
    let by_size = sizes.into_iter().flat_map(|(size, best, depth)| {
        let sized = numbers(size);
        [
            variant(format!("PNS, {size} MB"), best, sized(collecting(apns()))),
            variant(format!("df, {size} MB"), depth, sized(collecting(apns_df()))),
        ]
    });
    let proofs = [
        (32, 18.0, 16.0),
        (64, 18.0, 15.0),
        (128, 18.0, 16.0),
        (256, 18.0, 16.0),
        (512, 18.0, 16.0),
    ];
    let by_proofs = proofs.into_iter().flat_map(|(proof_table, best, depth)| {
        let sized = |parameters| ProofParameters { number_table: 256, proof_table, ..parameters };
        [
            variant(format!("PNS, {proof_table} MB"), best, sized(collecting(apns()))),
            variant(format!("df, {proof_table} MB"), depth, sized(collecting(apns_df()))),
        ]
    });
    let schemes = ["oldest", "none", "less deep", "smaller subtree", "two levels"];
    let by_scheme = (0..).zip(schemes).flat_map(|(replacement, name)| {
        let with = |parameters| ProofParameters { replacement, number_table: 32, ..parameters };
        [
            variant(format!("PNS, {name}"), None, with(apns())),
            variant(format!("df, {name}"), None, with(apns_df())),
        ]
    });
    // The order of steps is that of Table 4.1.
    let orders = [("both", 2, 2), ("no killers", 0, 2), ("no order", 2, 0), ("neither", 0, 0)];
    let by_order = orders.into_iter().flat_map(|(name, killers, ordering)| {
        let with = |parameters| ProofParameters { killers, ordering, ..parameters };
        [
            variant(format!("PNS, {name}"), None, with(apns())),
            variant(format!("df, {name}"), None, with(apns_df())),
        ]
    });
    vec![
        ("Majerech 2012, 6.1 and 6.2: ε of df-pn", "ε", by_epsilon.into()),
        (
            "Majerech 2012, 6.3 and 6.4: the size of the transposition table",
            "table",
            by_size.collect(),
        ),
        ("Majerech 2012, 6.5: the size of the proof table", "table", by_proofs.collect()),
        ("Which entry of a full table gives way (32 MB)", "gives way", by_scheme.collect()),
        ("Killers and the order of steps", "tried first", by_order.collect()),
    ]
}

/// Garbage is collected at `gc_high` vertices, down to `gc_low`, in a tree that has room for them.
fn with_marks(parameters: ProofParameters, gc_high: i32, gc_low: i32) -> ProofParameters {
    let sized = |tree| ProofParameters { tree, gc_high, gc_low, ..parameters };
    let has_room = |sized: &ProofParameters| sized.most_vertices() >= gc_high as usize;
    let sizes = [parameters.tree, 640, 1152].map(sized);
    sizes.into_iter().find(has_room).unwrap_or(sizes[2])
}

/// Best first and depth first beside each other; the variants take turns.
fn paired_plot<'a>(
    title: &'a str,
    axis: &'a str,
    variants: &Variants,
    costs: &[Vec<Cost>],
) -> Plot<'a> {
    let percent = |solved: f64, of: usize| 100.0 * solved / of.max(1) as f64;
    let mut series = Vec::new();
    for (first, name) in [(0, "PNS"), (1, "df-pn")] {
        let numbered = || (0..).map(f64::from);
        let thesis = variants.iter().skip(first).step_by(2).map(|variant| variant.thesis);
        let thesis = numbered().zip(thesis).filter_map(|(at, solved)| Some((at, solved?)));
        let thesis = thesis.map(|(at, solved)| (at, percent(solved, OF_THESIS as usize)));
        let ours = costs.iter().skip(first).step_by(2);
        let ours = ours.map(|costs| percent(done(costs) as f64, costs.len()));
        for (whose, points, is_dashed) in [
            ("thesis", thesis.collect::<Vec<_>>(), true),
            ("ours", numbered().zip(ours).collect(), false),
        ] {
            if !points.is_empty() {
                series.push(Series { name: format!("{name}, {whose}"), points, is_dashed });
            }
        }
    }
    let names = variants.iter().step_by(2).map(|variant| variant.name.as_str());
    let labels = names.map(|name| name.trim_start_matches("PNS, ").to_string()).collect();
    Plot { title, axes: [axis, "solved, in percent"], series, labels, ..Plot::default() }
}

/// The rows of 6.6: high and low in millions, solved and seconds by PNS and by df-pn.
const COLLECTIONS: [(f64, f64, [f64; 4]); 13] = [
    (0.0, 0.0, [14.0, 15.0, 8.03, 4.31]),
    (1.0, 0.2, [18.0, 17.0, 5.63, 4.15]),
    (1.0, 0.5, [19.0, 18.0, 5.17, 4.19]),
    (1.0, 0.8, [18.0, 18.0, 6.22, 4.18]),
    (2.0, 0.4, [18.0, 17.0, 6.48, 5.02]),
    (2.0, 1.0, [17.0, 16.0, 6.45, 4.69]),
    (2.0, 1.6, [20.0, 17.0, 7.59, 4.26]),
    (5.0, 1.0, [17.0, 15.0, 5.88, 4.69]),
    (5.0, 2.5, [16.0, 15.0, 5.76, 5.02]),
    (5.0, 4.0, [17.0, 15.0, 6.61, 4.90]),
    (10.0, 2.0, [15.0, 16.0, 7.54, 4.67]),
    (10.0, 5.0, [15.0, 15.0, 7.89, 5.73]),
    (10.0, 8.0, [15.0, 15.0, 5.94, 4.96]),
];

/// 6.6: garbage collection. Where fewer boards are looked at than in the thesis, the thresholds shrink with them.
fn collection(lab: &Lab, reduced: &[Game], report: &mut Report) -> anyhow::Result<()> {
    let nodes = lab.number("proof_nodes");
    let scale = (nodes as f64 / 20e6).min(1.0);
    let vertices = |millions: f64| (millions * 1e6 * scale).round().max(1.0) as i32;
    let mut variants = Variants::new();
    for (high, low, [best, depth, ..]) in COLLECTIONS {
        let name = if high == 0.0 { "disabled".to_string() } else { format!("{high}, {low}") };
        let with = |parameters| match high == 0.0 {
            // Best first, 1 GB at most, as in the thesis; depth first, tables only.
            true => ProofParameters { gc: 0, keep_tree: 0, tree: 1024, ..parameters },
            false => with_marks(parameters, vertices(high), vertices(low)),
        };
        variants.push(variant(format!("PNS, {name}"), best, with(apns())));
        variants.push(variant(format!("df, {name}"), depth, with(apns_df())));
    }
    let costs = compare(lab, "garbage collection", &variants, reduced, |options, game| {
        solve::<Arimaa>(lab, options, game, nodes)
    })?;
    let title = "Majerech 2012, 6.6: garbage collection";
    report.heading(title);
    report.text(format!(
        "Thresholds in millions of vertices, scaled by {scale:.4} since the searches are that much shorter than 20 million boards."
    ));
    let columns = [
        "high, low",
        "thesis, PNS",
        "ours, PNS",
        "thesis, df",
        "ours, df",
        "thesis, PNS time by disabled",
        "ours",
        "our nodes, PNS",
    ];
    let mut table = Table::new(title, columns);
    let pns: Vec<Vec<Cost>> = costs.iter().step_by(2).cloned().collect();
    let shared = common(&pns);
    for (row, (high, low, thesis)) in COLLECTIONS.iter().enumerate() {
        let name = if *high == 0.0 { "disabled".to_string() } else { format!("{high}, {low}") };
        table.row([
            name.into(),
            Cell::Number(thesis[0], 0),
            done(&costs[2 * row]).into(),
            Cell::Number(thesis[1], 0),
            done(&costs[2 * row + 1]).into(),
            Cell::Number(thesis[2] / COLLECTIONS[0].2[2], 2),
            Cell::timed_ratio(shared[row].seconds, shared[0].seconds),
            shared[row].nodes.into(),
        ]);
    }
    report.table(table);
    report.plot(&paired_plot(title, "high, low", &variants, &costs));
    Ok(())
}

/// 6.7 and 6.8, and the solver of today beside them.
fn long_runs(lab: &Lab, sets: [&[Game]; 2], report: &mut Report) -> anyhow::Result<()> {
    report.heading("Long runs, and the solver of today");
    let nodes = lab.number("proof_nodes") * lab.number("long_factor");
    let titles = [
        ("Majerech 2012, 6.7: long runs, reduced puzzles", [36.0, 18.0]),
        ("Majerech 2012, 6.8: long runs, big puzzles", [22.0, 11.0]),
    ];
    for ((title, thesis), games) in titles.into_iter().zip(sets) {
        let variants = [
            variant("apns: PNS", thesis[0], apns()),
            variant("apns-df: df-pn", thesis[1], apns_df()),
            Variant::new("today, pns", None, options(Algorithm::Pns, None)),
            Variant::new("today, dfpns", None, options(Algorithm::Dfpns, None)),
            Variant::new("today, auto", None, options(Algorithm::Auto, None)),
        ];
        let costs = compare(lab, title, &variants, games, |options, game| {
            solve::<Arimaa>(lab, options, game, nodes)
        })?;
        report.table(solved_table(title, "search", OF_THESIS, &variants, &costs));
        report.plot(&solved_plot(title, "", OF_THESIS, &variants, &costs));
    }
    Ok(())
}

/// Formula 4.1: the chance that two of so many positions have the same key of 64 bits.
fn hash_errors() -> Table {
    let title = "Majerech 2012, formula 4.1: the chance of a wrong hit among so many positions with keys of 64 bits";
    let mut table = Table::new(title, ["positions", "thesis", "ours", "ratio"]);
    for (positions, thesis) in [(5e6, Some(6.776e-7)), (1e8, None), (1e9, None), (1e10, None)] {
        let ours = collision(positions);
        table.row([
            Cell::Count(positions as u64),
            thesis.map_or(Cell::Missing, |thesis| format!("{thesis:.3e}").into()),
            format!("{ours:.3e}").into(),
            thesis.map_or(Cell::Missing, |thesis| Cell::ratio(ours, thesis)),
        ]);
    }
    table
}

fn collision(positions: f64) -> f64 {
    -(-positions * positions / (2.0 * 2f64.powi(64))).exp_m1()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_formula_gives_the_figure_of_the_thesis() {
        assert!((collision(5e6) / 6.776e-7 - 1.0).abs() < 0.001, "{}", collision(5e6));
    }
}
