//! `tusk experiment mcts`: what the parts of Akimot's Monte-Carlo tree search are worth.

use arimaa::{GOLD, Kind, Position, SILVER, Square, TurnGenerator};
use arimaa_ai::goal;
use game::Steps;
use kozelek_2009::{AkimotPlayouts, PlayoutParameters, win_ratio};
use plot::{Plot, Series};
use search::{PlayoutRequest, Playouts, StepHistory};
use workbench::Arimaa;

use super::lab::{Contest, Lab, TurnLimit};
use super::levels::score;
use super::report::{Cell, Report, Table};
use super::sets;
use super::study::{Setting, Study};

pub const STUDY: Study = Study {
    name: "mcts",
    title: "Akimot's Monte-Carlo tree search, part by part",
    regenerates: "Kozelek 2009, Figures 4.6 and 5.1 to 5.5, and the results told in the text of 4.3 to 4.8 and A",
    settings: &[
        Setting {
            name: "games",
            quick: 4,
            full: 400,
            least: 2,
            about: "games of a match; a point of the thesis's graphs has up to 400",
        },
        Setting {
            name: "nodes",
            quick: 1_000,
            full: 20_000,
            least: 20,
            about: "positions for a turn; games are the same everywhere",
        },
        Setting {
            name: "doublings",
            quick: 1,
            full: 4,
            least: 1,
            about: "how often they are doubled for the graphs by time",
        },
        Setting {
            name: "matches",
            quick: 100,
            full: 100,
            least: 1,
            about: "how many rows of a table are played, the first ones",
        },
        Setting {
            name: "playouts",
            quick: 2_000,
            full: 100_000,
            least: 20,
            about: "playouts to the end of the game, with an elephant missing and with a rabbit",
        },
        Setting {
            name: "positions",
            quick: 500,
            full: 50_000,
            least: 5,
            about: "positions in which a goal is looked for",
        },
    ],
    run,
};

/// Who everybody plays against, in the place of bot_fairy.
const ANCHOR: &str = "akimot";

/// An engine of another kind, with so few of the nodes that it can be beaten.
const OTHER: &str = "zhong time_percent=2";

/// An improvement of 4.3 to 4.8 against the engine without it, and the points of the thesis.
const IMPROVEMENTS: [(&str, &str, &str, Option<f64>); 7] = [
    ("transpositions (UCT2)", "akimot", "akimot transpositions=0", Some(0.60)),
    (
        "virtual visits against first play urgency",
        "akimot",
        "akimot virtual_visits=0 first_play_urgency=1100",
        None,
    ),
    (
        "decaying exploration",
        "akimot exploration_decay=5000",
        "akimot exploration_decay=0",
        Some(0.60),
    ),
    (
        "exploration by variance",
        "akimot exploration_variance=2000",
        "akimot exploration_variance=0",
        Some(0.60),
    ),
    ("child cache", "akimot child_cache=50", "akimot child_cache=0", Some(0.57)),
    ("move advisor", "akimot playout_advisor=20", "akimot playout_advisor=0", Some(0.525)),
    (
        "playouts to the end of the game",
        "akimot playout_least_turns=1000 playout_most_turns=1000",
        "akimot",
        None,
    ),
];

/// Without the four add-ons of 5.2.
const PLAIN: &str =
    "akimot progressive_bias=0 tree_history=0 playout_selection=0 playout_whole_turns=0";

/// The add-ons, alone (Figure 5.2) and one after the other (Figure 5.3).
const ADD_ONS: [(&str, &str); 8] = [
    ("plain", PLAIN),
    (
        "plain + knowledge in playouts",
        "akimot progressive_bias=0 tree_history=0 playout_whole_turns=0",
    ),
    (
        "plain + knowledge in the tree",
        "akimot tree_history=0 playout_selection=0 playout_whole_turns=0",
    ),
    ("plain + history", "akimot progressive_bias=0 playout_selection=0 playout_whole_turns=0"),
    ("plain + whole turns", "akimot progressive_bias=0 tree_history=0 playout_selection=0"),
    ("whole turns, history", "akimot progressive_bias=0 playout_selection=0"),
    ("whole turns, history, tree", "akimot playout_selection=0"),
    ("all", "akimot"),
];

fn run(lab: &Lab) -> anyhow::Result<Report> {
    let mut report = Report::default();
    report.text(format!(
        "Games in pairs with sides changed, {} nodes a turn: nodes instead of seconds, so that the same seed gives the same games. bot_fairy \
         is not at hand: `{ANCHOR}` as it is takes its place, and `{OTHER}` where the time of both grows. The curves of the thesis's figures are told in its text only \
         roughly, so that they stand here as words.",
        lab.number("nodes")
    ));
    transformation(&mut report);
    improvements(lab, &mut report)?;
    add_ons(lab, &mut report)?;
    graphs(lab, &mut report)?;
    threads(lab, &mut report)?;
    full_playouts(lab, &mut report)?;
    goal_tester(lab, &mut report)?;
    Ok(report)
}

/// Plays a match, and tells the points of the first.
fn points(lab: &Lab, name: &str, pair: [&str; 2], nodes: u64) -> anyhow::Result<(String, f64)> {
    let engines =
        [("first".to_string(), pair[0].to_string()), ("second".to_string(), pair[1].to_string())];
    let contest = Contest::new(name, &engines, lab.number("games"), TurnLimit::Nodes(nodes));
    let tally = lab.play_match::<Arimaa>(&contest)?.tally();
    Ok((format!("{}–{}", tally.wins, tally.losses), score(&tally)))
}

/// Figure 4.6.
fn transformation(report: &mut Report) {
    let material = [
        ("rabbit", 100, 0.529),
        ("cat", 250, 0.574),
        ("horse", 800, 0.728),
        ("camel", 1_100, 0.789),
        ("elephant, camel, 2 horses, dog and cat", 5_050, 0.998),
    ];
    let title = "Kozelek 2009, Figure 4.6: the chance to win by what a side has more";
    let mut table = Table::new(title, ["more", "points", "thesis", "ours", "ratio"]);
    for (what, value, thesis) in material {
        let ours = f64::from(win_ratio(value));
        table.row([
            what.into(),
            Cell::Count(value as u64),
            Cell::Number(100.0 * thesis, 1),
            Cell::Number(100.0 * ours, 1),
            Cell::ratio(ours, thesis),
        ]);
    }
    report.heading("Evaluation");
    report.table(table);
    let curve =
        (-60..=60).map(|value| (f64::from(100 * value), 100.0 * f64::from(win_ratio(100 * value))));
    let told = material.iter().map(|&(_, value, thesis)| (f64::from(value), 100.0 * thesis));
    report.plot(&Plot {
        title: "Figure 4.6: the chance to win by the evaluation",
        axes: ["evaluation", "chance to win, in percent"],
        series: vec![
            Series { name: "ours".to_string(), points: curve.collect(), is_dashed: false },
            Series {
                name: "thesis, told points".to_string(),
                points: told.collect(),
                is_dashed: true,
            },
        ],
        ..Plot::default()
    });
}

fn improvements(lab: &Lab, report: &mut Report) -> anyhow::Result<()> {
    let title = "Kozelek 2009, 4.3 to 4.8: an improvement against the engine without it";
    let mut table = Table::new(title, ["improvement", "thesis", "ours, games", "ours", "ratio"]);
    for (name, with, without, thesis) in IMPROVEMENTS.into_iter().take(lab.count("matches")) {
        let (games, ours) = points(lab, name, [with, without], lab.number("nodes"))?;
        table.row([
            name.into(),
            thesis.map_or(Cell::Missing, Cell::Share),
            games.into(),
            Cell::Share(ours),
            thesis.map_or(Cell::Missing, |thesis| Cell::ratio(ours, thesis)),
        ]);
    }
    report.heading("Improvements");
    report.table(table);
    Ok(())
}

fn add_ons(lab: &Lab, report: &mut Report) -> anyhow::Result<()> {
    let title = format!("Kozelek 2009, Figures 5.2 and 5.3: add-ons against `{ANCHOR}`");
    let mut table = Table::new(&title, ["engine", "ours, games", "ours"]);
    let mut bars = Vec::new();
    let chosen = ADD_ONS.into_iter().take(lab.count("matches"));
    for (index, (name, engine)) in chosen.clone().enumerate() {
        let (games, ours) = points(lab, name, [engine, ANCHOR], lab.number("nodes"))?;
        table.row([name.into(), games.into(), Cell::Share(ours)]);
        bars.push((index as f64, 100.0 * ours));
    }
    report.heading("Add-ons");
    report.text(
        "In the thesis \"plain\" has next to no chance, knowledge in playouts alone hardly helps, and history and whole turns in playouts \
         help most.",
    );
    report.table(table);
    report.plot(&Plot {
        title: "Figures 5.2 and 5.3: add-ons",
        axes: ["", "points in percent"],
        series: vec![Series { name: "ours".to_string(), points: bars, is_dashed: false }],
        labels: chosen.map(|(name, _)| name.to_string()).collect(),
        ..Plot::default()
    });
    Ok(())
}

/// Figures 5.1 and 5.4: more nodes, and virtual visits.
fn graphs(lab: &Lab, report: &mut Report) -> anyhow::Result<()> {
    let least = lab.number("nodes");
    let doublings: Vec<u64> = (0..=lab.number("doublings")).collect();
    let columns: Vec<String> =
        doublings.iter().map(|power| format!("{} nodes", least << power)).collect();
    let columns = || columns.iter().map(String::as_str);
    let mut scaling = Table::new(
        "Kozelek 2009, Figure 5.1: more time",
        ["opponent"].into_iter().chain(columns()),
    );
    let mut series = Vec::new();
    // The share of the nodes that leaves the opponent as it was.
    let fixed = |power: u64| format!("{ANCHOR} time_percent={}", (100 >> power).max(1));
    let opponents: [(&str, &dyn Fn(u64) -> String); 2] = [
        ("akimot with the nodes of the first column", &fixed),
        ("zhong with a fiftieth of the nodes", &|_| OTHER.to_string()),
    ];
    for (name, opponent) in opponents {
        let mut shares = Vec::new();
        for &power in &doublings {
            let engine = opponent(power);
            let title = format!("more nodes, {name}");
            shares.push(points(lab, &title, ["akimot", &engine], least << power)?.1);
        }
        scaling.row(
            [Cell::from(name)].into_iter().chain(shares.iter().map(|&share| Cell::Share(share))),
        );
        series.push(line(name, least, &shares));
    }
    report.heading("More time");
    report.text(
        "In the thesis the points against bot_fairy at 3 s rise quickly with time, and those against bot_fairy with the same time slowly, \
         to nearly 50 % at 16 s.",
    );
    report.table(scaling);
    report.plot(&graph("Figure 5.1: points by nodes", series));
    let mut visits = Table::new(
        "Kozelek 2009, Figure 5.4: virtual visits (thesis: best 4 and 5, poor for 1 to 3, dropping above)",
        ["virtual visits"].into_iter().chain(columns()),
    );
    let mut series = Vec::new();
    for count in [0, 1, 2, 3, 4, 5, 8].into_iter().take(lab.count("matches")) {
        let engine = format!("akimot virtual_visits={count}");
        let mut shares = Vec::new();
        for &power in &doublings {
            let title = format!("{count} virtual visits");
            shares.push(points(lab, &title, [&engine, ANCHOR], least << power)?.1);
        }
        visits.row(
            [Cell::from(count as usize)]
                .into_iter()
                .chain(shares.iter().map(|&share| Cell::Share(share))),
        );
        series.push(line(&count.to_string(), least, &shares));
    }
    report.table(visits);
    report.plot(&graph("Figure 5.4: points by nodes for so many virtual visits", series));
    Ok(())
}

fn line(name: &str, least: u64, shares: &[f64]) -> Series {
    let points =
        (0u32..).zip(shares).map(|(power, share)| ((least << power) as f64, 100.0 * share));
    Series { name: name.to_string(), points: points.collect(), is_dashed: false }
}

fn graph(title: &str, series: Vec<Series>) -> Plot<'_> {
    Plot {
        title,
        axes: ["nodes a turn", "points in percent"],
        series,
        is_log: [true, false],
        ..Plot::default()
    }
}

/// Figure 5.5: a tree for each of two threads, which have twice the nodes between them.
fn threads(lab: &Lab, report: &mut Report) -> anyhow::Result<()> {
    let nodes = 2 * lab.number("nodes");
    let pair =
        ["akimot parallel=1 threads=2 transpositions=0", "akimot transpositions=0 time_percent=50"];
    // What two threads find depends on which of them is faster.
    let (_, ours) = points(lab, "two root threads", pair, nodes)?;
    let title =
        "Kozelek 2009, Figure 5.5: two threads with a tree each, against one; share of the points";
    let mut table = Table::new(title, ["thesis", "ours"]);
    table.row(["above 0.5 at short times, less with more".into(), Cell::Timed(ours)]);
    report.table(table);
    Ok(())
}

/// 4.4.1: who has one more rabbit instead of an elephant is favoured by playouts to the end.
fn full_playouts(lab: &Lab, report: &mut Report) -> anyhow::Result<()> {
    let start: Position =
        "g [rrrrrrrrhdcemcdh                                HDCMECDHRRRRRRRR]".parse()?;
    let mut board = *start.board();
    let first = |squares: arimaa::Bitboard| squares.into_iter().next().unwrap_or(Square::A1);
    board.take(first(board.kind(Kind::Elephant) & board.of(GOLD)));
    let without_elephant = board;
    board.take(first(without_elephant.rabbits(SILVER)));
    let rows = [
        ("Gold has no elephant, Silver one rabbit less", board, "favoured"),
        ("Gold has no elephant", without_elephant, "-"),
        ("even", *start.board(), "-"),
    ];
    let count = lab.number("playouts");
    let title = "Kozelek 2009, 4.4.1: playouts of random steps to the end of the game";
    let mut table =
        Table::new(title, ["position", "Gold in the thesis", "playouts", "won by Gold"]);
    let boards: Vec<usize> = (0..rows.len()).collect();
    let won = lab.each("playouts", &boards, usize::to_string, |&index| {
        let position = Position::new(rows[index].1, GOLD);
        Ok(gold_wins(&position, count, lab.seed))
    })?;
    for ((name, _, thesis), won) in rows.iter().zip(won) {
        let share = won as f64 / count as f64;
        table.row([(*name).into(), (*thesis).into(), count.into(), Cell::Share(share)]);
    }
    report.heading("Playouts to the end");
    report.table(table);
    Ok(())
}

fn gold_wins(position: &Position, count: u64, seed: u64) -> u64 {
    let parameters = PlayoutParameters {
        playout_least_turns: 1000,
        playout_most_turns: 1000,
        playout_selection: 0,
        playout_whole_turns: 0,
        playout_advisor: 0,
        ..PlayoutParameters::default()
    };
    let playouts = AkimotPlayouts { parameters, ..AkimotPlayouts::default() };
    let history = StepHistory::default();
    let mut random = fastrand::Rng::with_seed(seed);
    let mut cache = Default::default();
    let request = PlayoutRequest { position, previous: None, history: &history };
    let won = (0..count).filter(|_| {
        let value = playouts.playout(request, &mut random, &mut cache, |_, _| ());
        value > 0.0
    });
    won.count() as u64
}

/// Appendix A: the goal tester on positions in which a rabbit can reach its goal.
fn goal_tester(lab: &Lab, report: &mut Report) -> anyhow::Result<()> {
    let wanted = lab.count("positions");
    // A game has some hundred positions.
    let games = sets::games::<Arimaa>(lab, wanted.div_ceil(100), lab.number("nodes"))?;
    let mut positions: Vec<Position> = Vec::new();
    for game in &games {
        let stages: Vec<arimaa::Game> = game.stages()?;
        positions.extend(stages.iter().map(|game| *game.position()));
    }
    positions.truncate(wanted);
    let numbered: Vec<(usize, Vec<Position>)> =
        positions.chunks(200).map(<[Position]>::to_vec).enumerate().collect();
    let found: Vec<[u64; 4]> = lab.each(
        "goals",
        &numbered,
        |(number, _)| number.to_string(),
        |(_, positions)| {
            Ok(positions.iter().fold([0; 4], |sum, position| {
                let [seen, there] = [sees_goal(position), has_goal(position)];
                let more = [true, there, seen && !there, there && !seen].map(u64::from);
                std::array::from_fn(|index| sum[index] + more[index])
            }))
        },
    )?;
    let sum =
        found.iter().fold([0; 4], |sum: [u64; 4], more| std::array::from_fn(|i| sum[i] + more[i]));
    let title = "Kozelek 2009, Appendix A: goals within the turn, by the static test and by a look at all turns";
    let columns = ["", "positions", "with a goal", "goals that are none", "goals that are missed"];
    let mut table = Table::new(title, columns);
    table.row([
        "thesis".into(),
        "more than 50,000".into(),
        "all".into(),
        Cell::Missing,
        Cell::Missing,
    ]);
    table.row([Cell::from("ours")].into_iter().chain(sum.map(Cell::from)));
    report.heading("The goal tester");
    report.table(table);
    Ok(())
}

fn sees_goal(position: &Position) -> bool {
    goal(position.board(), position.side(), Steps(4)).is_some()
}

fn has_goal(position: &Position) -> bool {
    let (board, side) = (position.board(), position.side());
    let mut generator = TurnGenerator::new();
    generator.distinct(board, side).iter().any(|reached| {
        board.try_play_turn(side, reached.turn).is_some_and(|after| after.has_goal(side))
    })
}
