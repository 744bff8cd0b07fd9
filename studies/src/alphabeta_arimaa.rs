//! `tusk experiment alphabeta-arimaa`: what each enhancement of Zhong's search is worth.

use std::time::Instant;

use anyhow::Context;
use arimaa::{Board, Game, Position, Side, Turn, TurnGenerator};
use arimaa_ai::Heuristics;
use engine::Limits;
use game::{History, Score, Steps};
use plot::{Plot, Series};
use search::{AlphaBeta, Parameters, Task};
use workbench::Arimaa;
use zhong_2005::{Tally, Zhong};

use crate::lab::Lab;
use crate::report::{Cell, Report, Table};
use crate::searching::{self, Cost, Variant, analyse, compare, done, total};
use crate::sets;
use crate::study::{NODES_OF_GAMES, Setting, Study};

/// Zhong's alpha-beta search of Arimaa, one enhancement after the other (Zhong 2005, 4.1, Tables 5.1 to 5.6).
pub const STUDY: Study = Study {
    name: "alphabeta-arimaa",
    title: "Zhong's alpha-beta search, one enhancement after the other",
    regenerates: "Zhong 2005, 4.1 (steps against turns), Tables 5.1 to 5.6 (cumulatively), 3.2 and 3.3; for Table 6.1 see `peers`",
    settings: &[
        Setting {
            name: "positions",
            quick: 3,
            full: 6,
            least: 1,
            about: "positions of a game of the engine with itself; the thesis has three",
        },
        Setting {
            name: "depth",
            quick: 5,
            full: 9,
            least: 4,
            about: "how deep they are searched, in steps",
        },
        Setting {
            name: "null_move_depth",
            quick: 8,
            full: 9,
            least: 5,
            about: "the same for the null moves by level, which reach further than the depth of the others",
        },
        Setting {
            name: "most_nodes",
            quick: 1_000_000,
            full: 1_000_000_000,
            least: 10_000,
            about: "nodes after which a search is given up",
        },
        Setting {
            name: "puzzles",
            quick: 12,
            full: 126,
            least: 2,
            about: "puzzles for the worth of seeing goals without a search",
        },
        Setting {
            name: "puzzle_nodes",
            quick: 200_000,
            full: 20_000_000,
            least: 2_000,
            about: "nodes for a puzzle",
        },
        NODES_OF_GAMES,
    ],
    run,
};

/// A name, what is set, and the nodes of the thesis at 12g, 17s and 22g.
type Enhancement = (&'static str, &'static [(&'static str, &'static str)], [u64; 3]);

/// The rows of Tables 5.1 to 5.3, 5.5 and 5.6: each adds something to all before it.
const ENHANCEMENTS: [Enhancement; 6] = [
    ("nothing", &[], [38_472_802, 104_899_599, 48_433_140]),
    (
        "+ iterative deepening (5.1)",
        &[("iterative_deepening", "1")],
        [13_270_154, 40_836_632, 52_550_287],
    ),
    ("+ killers (5.2)", &[("killers", "3")], [2_268_722, 3_613_778, 6_578_833]),
    ("+ history (5.3)", &[("history", "3")], [1_853_626, 2_740_167, 3_189_776]),
    ("+ null move (5.5)", &[("null_move", "1")], [1_828_702, 2_334_584, 2_425_144]),
    (
        "+ transposition table (5.6)",
        &[("transposition_table", "1"), ("hash_step", "1"), ("hash_windows", "1")],
        [2_045_876, 2_262_193, 2_396_387],
    ),
];

/// Zhong's player without the enhancements of chapter 5. What its generator does is on in all of the tables: it leaves out steps
/// that are taken back, reversible turns and turns without a combo, and sees goals without a search.
const GENERATOR: [(&str, &str); 8] = [
    ("preset", "thesis"),
    ("iterative_deepening", "0"),
    ("killers", "0"),
    ("history", "0"),
    ("null_move", "0"),
    ("transposition_table", "0"),
    ("hash_step", "0"),
    ("hash_windows", "0"),
];

type Settings = Vec<(&'static str, String)>;

fn settings(of: &[(&'static str, &str)]) -> Settings {
    of.iter().map(|&(name, value)| (name, value.to_string())).collect()
}

fn run(lab: &Lab) -> anyhow::Result<Report> {
    let games = sets::games::<Arimaa>(lab, 2, lab.number("nodes"))?;
    let stages: Vec<Vec<Game>> =
        games.iter().map(|game| game.stages()).collect::<anyhow::Result<_>>()?;
    let positions = sets::turns_of_the_final(&stages, lab.count("positions"));
    let mut report = Report::default();
    report.text(
        "The positions of the 2005 final are not at hand: those of a game of the engine with itself, at the same turns, take their \
         place. The searches are those of Zhong's player (`zhong preset=thesis`), with its evaluation.",
    );
    steps_and_turns(lab, &positions, &mut report)?;
    enhancements(lab, &positions, &mut report)?;
    null_moves(lab, &positions, &mut report)?;
    seeing_goals(lab, &mut report)?;
    Ok(report)
}

/// 4.1: the same search by steps and by whole turns.
fn steps_and_turns(
    lab: &Lab,
    positions: &[(String, Position)],
    report: &mut Report,
) -> anyhow::Result<()> {
    let most = lab.number("most_nodes");
    let plain = settings(&[("preset", "plain"), ("threat_search", "0")]);
    // By steps or by turns, and how many turns.
    let variants: Vec<Variant<(bool, u8)>> = [(true, 1), (false, 1), (true, 2), (false, 2)]
        .map(|(by_steps, turns)| {
            let how = if by_steps { "steps" } else { "turns" };
            Variant::new(format!("{turns} of 2 turns, by {how}"), None, (by_steps, turns))
        })
        .into();
    let costs = compare(
        lab,
        "steps and turns",
        &variants,
        positions,
        |&(by_steps, turns), (_, position)| {
            if !by_steps {
                return Ok(TurnSearch::new(most).run(position, turns));
            }
            let limits =
                Limits { depth: Some(Steps(4 * turns)), nodes: Some(most), ..Limits::default() };
            searching::search::<Arimaa>(
                lab,
                "zhong",
                &plain,
                &Game::from_position(*position),
                &limits,
            )
        },
    )?;
    report.heading("Steps against turns");
    let title = "Zhong 2005, 4.1: alpha-beta without any enhancement";
    let columns = [
        "depth",
        "searched by",
        "thesis",
        "nodes",
        "time by that of steps",
        "finished positions",
        "of",
    ];
    let mut table = Table::new(title, columns);
    for (index, variant) in variants.iter().enumerate() {
        let (by_steps, turns) = variant.how;
        let thesis = match (by_steps, turns) {
            (true, 2) => "several seconds",
            (false, 2) => "not within 10 minutes",
            _ => "-",
        };
        // Each search by turns comes after the one by steps.
        let (own, of_steps) = (&costs[index], &costs[index - index % 2]);
        table.row([
            format!("{} steps", 4 * turns).into(),
            if by_steps { "steps" } else { "turns" }.into(),
            thesis.into(),
            total(own).nodes.into(),
            Cell::timed_ratio(total(own).seconds, total(of_steps).seconds),
            done(own).into(),
            own.len().into(),
        ]);
    }
    report.table(table);
    Ok(())
}

/// Alpha-beta over whole turns, as Zhong's first program had it: every distinct turn of a position is generated before the
/// first one is searched.
struct TurnSearch {
    evaluation: Zhong,
    nodes: u64,
    most: u64,
}

/// More than any evaluation.
const WON: i32 = 1 << 24;

impl TurnSearch {
    fn new(most: u64) -> TurnSearch {
        TurnSearch { evaluation: Zhong::default(), nodes: 0, most }
    }

    fn run(mut self, position: &Position, turns: u8) -> Cost {
        let begin = Instant::now();
        let value = self.search(position.board(), position.side(), turns, [-WON, WON]);
        let seconds = begin.elapsed().as_secs_f64();
        Cost { nodes: self.nodes, seconds, is_done: value.is_some() }
    }

    /// The value for the side to move; nothing, if there are too many nodes.
    fn search(&mut self, board: &Board, side: Side, turns: u8, window: [i32; 2]) -> Option<i32> {
        if board.has_goal(!side) {
            return Some(-WON);
        }
        if turns == 0 {
            let Score(score) = self.evaluation.score(board, &Tally::of(board), side, Steps(4));
            return Some(score);
        }
        let [mut alpha, beta] = window;
        let mut generator = TurnGenerator::new();
        let all: Vec<Turn> =
            generator.distinct(board, side).iter().map(|reached| reached.turn).collect();
        for turn in all {
            let Some(after) = board.try_play_turn(side, turn) else { continue };
            self.nodes += 1;
            if self.nodes > self.most {
                return None;
            }
            let value = -self.search(&after, !side, turns - 1, [-beta, -alpha])?;
            alpha = alpha.max(value);
            if alpha >= beta {
                break;
            }
        }
        Some(alpha)
    }
}

/// Tables 5.1 to 5.6.
fn enhancements(
    lab: &Lab,
    positions: &[(String, Position)],
    report: &mut Report,
) -> anyhow::Result<()> {
    let depth = lab.number("depth").min(40) as u8;
    let limits = Limits {
        depth: Some(Steps(depth)),
        nodes: Some(lab.number("most_nodes")),
        ..Limits::default()
    };
    let mut so_far = settings(&GENERATOR);
    let mut variants: Vec<Variant<Settings>> = Vec::new();
    for (name, more, thesis) in ENHANCEMENTS {
        so_far.extend(settings(more));
        let sum = thesis.iter().sum::<u64>() as f64;
        variants.push(Variant::new(name, sum, so_far.clone()));
    }
    let today = settings(&[("step_combos", "1"), ("threat_search", "0")]);
    variants.push(Variant::new("all that Tusk has, with Zhong's evaluation", None, today));
    let costs = compare(lab, "enhancements", &variants, positions, |settings, (_, position)| {
        searching::search::<Arimaa>(
            lab,
            "zhong",
            settings,
            &Game::from_position(*position),
            &limits,
        )
    })?;
    report.heading("Enhancements");
    report.table(enhancement_table(depth, positions.len(), &variants, &costs));
    report.plot(&enhancement_plot(&format!("ours, depth {depth}"), &variants, &costs));
    Ok(())
}

fn enhancement_table(
    depth: u8,
    positions: usize,
    variants: &[Variant<Settings>],
    costs: &[Vec<Cost>],
) -> Table {
    let title = format!(
        "Zhong 2005, Tables 5.1 to 5.6: nodes to depth {depth} (9 in the thesis), each row with all before it; saved is what the \
         row saves of the one above"
    );
    let columns = [
        "search",
        "thesis, nodes of 3 positions",
        "thesis saved",
        "our nodes",
        "our nodes saved",
        "our time by the row above",
        "unfinished",
    ];
    let mut table = Table::new(&title, columns);
    for (index, variant) in variants.iter().enumerate() {
        let (own, before) = (total(&costs[index]), index.checked_sub(1));
        let above = before.map(|before| total(&costs[before]));
        let thesis_above = before.and_then(|before| variants[before].thesis);
        let thesis_saved = variant.thesis.zip(thesis_above);
        table.row([
            variant.name.as_str().into(),
            variant.thesis.map_or(Cell::Missing, |nodes| Cell::Count(nodes as u64)),
            thesis_saved.map_or(Cell::Missing, |(own, above)| Cell::saved(above, own)),
            own.nodes.into(),
            above.map_or(Cell::Missing, |above| Cell::saved(above.nodes as f64, own.nodes as f64)),
            above.map_or(Cell::Missing, |above| Cell::timed_ratio(own.seconds, above.seconds)),
            (positions - done(&costs[index])).into(),
        ]);
    }
    table
}

fn enhancement_plot(
    ours: &str,
    variants: &[Variant<Settings>],
    costs: &[Vec<Cost>],
) -> Plot<'static> {
    let share = |nodes: f64, first: f64| 100.0 * nodes / first.max(1.0);
    let numbered = || (0..).map(f64::from);
    let first = total(&costs[0]).nodes as f64;
    let points = numbered()
        .zip(costs)
        .map(|(index, costs)| (index, share(total(costs).nodes as f64, first)));
    let thesis_first = variants[0].thesis.unwrap_or(1.0);
    let thesis = numbered()
        .zip(variants)
        .filter_map(|(index, variant)| Some((index, share(variant.thesis?, thesis_first))));
    Plot {
        title: "Nodes with more and more enhancements, in percent of those without any",
        axes: ["", "nodes, in percent"],
        series: vec![
            Series {
                name: "thesis, depth 9".to_string(),
                points: thesis.collect(),
                is_dashed: true,
            },
            Series { name: ours.to_string(), points: points.collect(), is_dashed: false },
        ],
        is_log: [false, true],
        labels: [
            "nothing",
            "+ ID",
            "+ killers",
            "+ history",
            "+ null move",
            "+ table",
            "all of Tusk",
        ]
        .map(str::to_string)
        .to_vec(),
        ..Plot::default()
    }
}

/// Table 5.4: null moves tried and cutoffs, by the steps from the root.
const NULL_MOVES: [(usize, u64, u64); 5] =
    [(4, 10_934, 6_269), (5, 4_570, 77), (6, 8_054, 263), (7, 63_522, 54), (8, 660_311, 536_303)];

/// Null moves that were tried, and those that caused a cutoff, by the steps from the root.
type Counts = Vec<(u64, u64)>;

/// Table 5.4: where null moves pay, if they are tried at all levels.
fn null_moves(
    lab: &Lab,
    positions: &[(String, Position)],
    report: &mut Report,
) -> anyhow::Result<()> {
    let parameters = Parameters {
        null_move: search::NullMove::Anywhere,
        transposition_table: false,
        hash_step: false,
        hash_windows: false,
        ..search_of_thesis()?
    };
    let depth = lab.number("null_move_depth").min(40) as u8;
    let nodes = Some(lab.number("most_nodes"));
    let limits = Limits { depth: Some(Steps(depth)), nodes, ..Limits::default() };
    let label = |(label, _): &(String, Position)| label.clone();
    let counts: Vec<Counts> = lab.each("null moves", positions, label, |(_, position)| {
        let heuristics = Heuristics::new(Zhong::default());
        let past = History::new();
        let task = Task { position, past: &past, heuristics: &heuristics, limits, stop: &lab.stop };
        let mut search = AlphaBeta::new(parameters, 1);
        search.search(&task, |_| ());
        Ok(search.null_moves())
    })?;
    let of_level = |level: usize| {
        let at = counts.iter().filter_map(|counts| counts.get(level));
        at.fold((0, 0), |sum, own| (sum.0 + own.0, sum.1 + own.1))
    };
    report.heading("Null moves by level");
    let title = format!(
        "Zhong 2005, Table 5.4: null moves at the starts of turns and inside them, to depth {depth} or the most \
         nodes (9 in the thesis, at 22g)"
    );
    let columns = [
        "steps from the root",
        "thesis, tried",
        "thesis, cutoffs",
        "thesis share",
        "ours, tried",
        "ours, cutoffs",
        "our share",
    ];
    let mut table = Table::new(&title, columns);
    let share = |cutoffs: u64, tried: u64| match tried {
        0 => Cell::Missing,
        _ => Cell::Share(cutoffs as f64 / tried as f64),
    };
    for (level, tried, cutoffs) in NULL_MOVES {
        let (own_tried, own_cutoffs) = of_level(level);
        table.row([
            level.into(),
            tried.into(),
            cutoffs.into(),
            share(cutoffs, tried),
            own_tried.into(),
            own_cutoffs.into(),
            share(own_cutoffs, own_tried),
        ]);
    }
    report.table(table);
    Ok(())
}

/// How Zhong's player searches.
fn search_of_thesis() -> anyhow::Result<Parameters> {
    let entry = engine::named(zhong_2005::ENGINES, "zhong").context("no engine zhong")?;
    let mut configuration = entry.configure();
    configuration.apply(entry.preset("thesis").context("no preset thesis")?);
    Ok(Parameters::from_values(|name| configuration.number(name)))
}

/// Our own puzzles: exactly one turn wins by force in two.
const PUZZLES: &str = include_str!("../../positions/puzzles/win-in-2.tsv");

/// The positions of our own puzzles.
pub fn puzzles() -> anyhow::Result<Vec<Position>> {
    let lines = PUZZLES.lines().filter(|line| !line.starts_with('#')).skip(1);
    let texts = lines.filter_map(|line| line.split('\t').next());
    texts.map(|text| text.parse().map_err(|error| anyhow::anyhow!("{text}: {error}"))).collect()
}

/// A puzzle that was searched: at which depth its win was proved, if it was.
type Proved = (Cost, Option<u8>);

/// Table 3.3: how much deeper a search is that sees goals without searching them.
fn seeing_goals(lab: &Lab, report: &mut Report) -> anyhow::Result<()> {
    let puzzles = sets::spread(&puzzles()?, lab.count("puzzles"));
    let nodes = lab.number("puzzle_nodes");
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    let items: Vec<(bool, usize)> =
        (0..puzzles.len()).flat_map(|puzzle| [(true, puzzle), (false, puzzle)]).collect();
    let key = |(sees, puzzle): &(bool, usize)| format!("puzzle {puzzle}, goals seen: {sees}");
    let proved: Vec<Proved> = lab.each("puzzles", &items, key, |&(sees, puzzle)| {
        let wins = if sees { "1" } else { "0" };
        let settings = settings(&[("wins", wins), ("defences", "0"), ("threat_search", "0")]);
        let game = Game::from_position(puzzles[puzzle]);
        let mut depth = None;
        let mut told = |info: &engine::Info<arimaa::Action>| {
            if depth.is_none() && info.verdict().is_some_and(|verdict| verdict.proof().is_some()) {
                depth = Some(info.depth.0);
            }
        };
        let (cost, _) = analyse::<Arimaa>(lab, "zhong", &settings, &game, &limits, &mut told)?;
        Ok((cost, depth))
    })?;
    report.heading("Goals that are seen without a search");
    report.text(
        "Zhong's Table 3.3 says that a search of 5 to 7 steps that sees goals and captures ahead is worth one of 8, and 9 to 11 one of 12. \
         Here the goals alone: a win in two turns takes 12 steps, and who sees the last turn at once has to search 8 of them.",
    );
    case_counts(report);
    let title =
        format!("Zhong 2005, Table 3.3: wins in two turns that are proved within {nodes} nodes");
    let columns = ["goals within the turn", "proved", "of", "mean depth of the proof", "nodes"];
    let mut table = Table::new(&title, columns);
    for sees in [true, false] {
        let of: Vec<&Proved> = items
            .iter()
            .zip(&proved)
            .filter(|((own, _), _)| *own == sees)
            .map(|(_, proved)| proved)
            .collect();
        let depths: Vec<f64> = of.iter().filter_map(|(_, depth)| depth.map(f64::from)).collect();
        let mean = depths.iter().sum::<f64>() / depths.len().max(1) as f64;
        table.row([
            if sees { "seen" } else { "searched" }.into(),
            depths.len().into(),
            of.len().into(),
            if depths.is_empty() { Cell::Missing } else { Cell::Number(mean, 1) },
            of.iter().map(|(cost, _)| cost.nodes).sum::<u64>().into(),
        ]);
    }
    report.table(table);
    Ok(())
}

/// Table 3.2.
fn case_counts(report: &mut Report) {
    let columns = ["steps", "thesis, captures", "thesis, goals", "ours"];
    let title = "Zhong 2005, Table 3.2: cases that a decision tree has to tell apart";
    let mut table = Table::new(title, columns);
    let cases = [
        ("1", "1", "1"),
        ("2", "3", "4"),
        ("3", "10", "29"),
        ("4", "more than 40", "more than 100"),
    ];
    for (steps, captures, goals) in cases {
        let ours = "exact, without a list of cases";
        table.row([format!("at most {steps}").into(), captures.into(), goals.into(), ours.into()]);
    }
    report.table(table);
}
