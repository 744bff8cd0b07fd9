//! `tusk experiment learning`: evaluations that were learned against those that were tuned by hand.

mod course;
mod terms;
mod zhong_turns;

use std::fs;

use anyhow::Context;
use arena::{Anchor, Prior, Ratings, Unfinished};
use hrebejk_2013::judge::Ranks;
use learn::td::{CurvePoint, TdLearner, TdSettings};
use linear::fnv1a;
use plot::{Plot, Series};
use workbench::{Arimaa, Catalogues};

use crate::lab::{Contest, Lab, TurnLimit};
use crate::report::{Cell, Report, Table};
use crate::study::{NODES_OF_GAMES, Setting, Study};
use course::{Course, LESSONS, Learned, Lesson};
use terms::term_table;

/// Evaluations that were learned against those tuned by hand (Hřebejk 2013, chapter 5).
pub const STUDY: Study = Study {
    name: "learning",
    title: "Evaluations that were learned, and those tuned by hand",
    regenerates: "Hřebejk 2013, Tables 5.1, 5.7 and 5.8 and the rating at depth 2, with Table 5.2 as a listing; Zhong 2005, 3.9",
    settings: &[
        Setting {
            name: "games",
            quick: 2,
            full: 200,
            least: 2,
            about: "games that two evaluations play; the thesis has 200",
        },
        Setting {
            name: "deep_games",
            quick: 0,
            full: 92,
            least: 0,
            about: "games at depth 2; the thesis has 92 in all",
        },
        Setting {
            name: "players",
            quick: 4,
            full: 100,
            least: 2,
            about: "how many evaluations play each other, the first of the list first",
        },
        Setting {
            name: "methods",
            quick: 4,
            full: 8,
            least: 1,
            about: "ways to learn: four programs on all games, then the same on half of them",
        },
        Setting {
            name: "learn_games",
            quick: 8,
            full: 528,
            least: 2,
            about: "games of self-play that are learned from or validate",
        },
        NODES_OF_GAMES,
        Setting {
            name: "rounds",
            quick: 2,
            full: 6,
            least: 1,
            about: "how often an advanced learner adds constraints",
        },
        Setting {
            name: "candidates",
            quick: 10,
            full: 40,
            least: 1,
            about: "turns by chance that it tries for a position",
        },
        Setting {
            name: "td_games",
            quick: 64,
            full: 640,
            least: 4,
            about: "games of TD(λ); the thesis had over 2,000",
        },
        Setting {
            name: "td_nodes",
            quick: 200,
            full: 500,
            least: 20,
            about: "nodes for a turn of them; five steps in the thesis",
        },
        Setting {
            name: "td_match",
            quick: 16,
            full: 60,
            least: 2,
            about: "games by which the curve of TD(λ) is measured, at each of its points",
        },
        Setting {
            name: "turns",
            quick: 40,
            full: 150,
            least: 1,
            about: "turns of each side after which nobody has won; 300 of both in the thesis, where both lose then",
        },
    ],
    run,
};

/// Table 5.8: who, and the points against all seven others.
const TOURNAMENT: [(&str, u64); 8] = [
    ("Expert3 (E3)", 684),
    ("Expert3G (E3)", 680),
    ("Advanced3 (A3)", 911),
    ("Q2200 (Q4)", 517),
    ("Q2000 (Q4)", 609),
    ("Q1800 (Q4)", 717),
    ("AQ2", 947),
    ("Simple, tuned by hand", 530),
];

/// Our evaluations that come with the program, and the engines that look ahead by whole turns with them.
const EVALUATIONS: [(&str, &str); 4] = [
    ("drake, as shipped", "drake evaluation=learned"),
    ("drake, tuned by hand", "drake evaluation=by-hand"),
    ("tusk", "drake evaluation=tusk"),
    ("zhong", zhong_turns::NAME),
];

/// Table 5.7: who was learned from how many points of rating on, and how long that took.
const METHODS: [(&str, &str, u64, &str); 7] = [
    ("Expert3", "E3 (Mosek 7)", 2200, "-"),
    ("Expert3G", "E3 (Gurobi 5.5)", 2200, "0:10:28"),
    ("Advanced3", "A3 (Mosek 7)", 2200, "8:42:59"),
    ("Q2200", "Q4 (Gurobi 5.5)", 2200, "0:01:22"),
    ("Q2000", "Q4 (Gurobi 5.5)", 2000, "0:06:30"),
    ("Q1800", "Q4 (Gurobi 5.5)", 1800, "0:22:38"),
    ("AQ2", "AQ2 (Gurobi 5.5)", 2200, "22:35:45"),
];

/// Table 5.2: games of the archive by the least rating.
const EXPERT_GAMES: [(u64, u64); 7] = [
    (2400, 145),
    (2300, 391),
    (2200, 700),
    (2100, 1_644),
    (2000, 3_355),
    (1900, 6_488),
    (1800, 11_392),
];

fn run(lab: &Lab) -> anyhow::Result<Report> {
    let mut report = Report::default();
    report.table(term_table());
    let course = Course::new(lab)?;
    let lessons = &LESSONS[..lab.count("methods").min(LESSONS.len())];
    let learned = course.learn(lab, lessons)?;
    methods(&course, lessons, &learned, &mut report);
    report.heading("Games without a search");
    report.text(
        "As in the thesis, the turn is played after which the evaluation is best, and no reply is looked at. Games come in pairs from positions of the \
         first halves of the games of self-play; a game without a winner is lost by both.",
    );
    report.table(thesis_table());
    let evaluations = evaluations(lab, &course, lessons, &learned)?;
    let openings = course.openings(lab.count("games"), lab.seed);
    let tournament = |depth, games, title, report: &mut Report| {
        tournament(lab, &evaluations, &openings, (depth, games), title, report)
    };
    tournament(1, lab.number("games"), "Ours: one turn ahead", &mut report)?;
    if lab.number("deep_games") > 0 {
        report.heading("At depth 2");
        report.text(
            "On the server bot_drakeP2 reached a rating of 1,950, the second of the bots at that depth (the first had 2,038). Here it meets the other \
             evaluations at depth 2 alone.",
        );
        tournament(2, lab.number("deep_games"), "Ours: two turns ahead", &mut report)?;
    }
    temporal_differences(lab, &mut report)?;
    Ok(report)
}

/// Tables 5.2 and 5.7, and what was learned here.
fn methods(course: &Course, lessons: &[Lesson], learned: &[Learned], report: &mut Report) {
    let [games, validating] = course.sizes();
    report.heading("Learning");
    report.text(format!(
        "The archive is not part of Tusk, so that the games are of self-play: {games} to learn from, {validating} to validate. All functions are polynomials \
         of degree 3. `tusk learn` learns from whatever games it is given. A program that could not be solved for rounding has no rank."
    ));
    let mut archive =
        Table::new("Hřebejk 2013, Table 5.2: games with a high rating", ["least rating", "games"]);
    for (rating, count) in EXPERT_GAMES {
        archive.row([Cell::Text(rating.to_string()), count.into()]);
    }
    report.table(archive);
    let columns = ["name", "algorithm", "least rating", "time (h:m:s)"];
    let mut methods = Table::new("Hřebejk 2013, Table 5.7: what was learned", columns);
    for (name, algorithm, rating, time) in METHODS {
        methods.row([name.into(), algorithm.into(), Cell::Text(rating.to_string()), time.into()]);
    }
    report.table(methods);
    let columns = [
        "method",
        "turns",
        "time by QP",
        "rank of the played turn",
        "best 1 %",
        "best 5 %",
        "best 20 %",
    ];
    let mut ours =
        Table::new("Ours: what was learned, and how it ranks turns of other games", columns);
    let quadratic = lessons.iter().zip(learned).find(|(lesson, _)| lesson.name == "QP");
    let quadratic = quadratic.map(|(_, learned)| learned.seconds);
    for (lesson, Learned { turns, seconds, found }) in lessons.iter().zip(learned) {
        let rank = |of: fn(&Ranks) -> f64| {
            found.as_ref().map_or(Cell::Missing, |(_, ranks)| Cell::Share(of(ranks)))
        };
        ours.row([
            lesson.name.into(),
            (*turns).into(),
            quadratic.map_or(Cell::Missing, |quadratic| Cell::timed_ratio(*seconds, quadratic)),
            rank(|ranks| ranks.better_than),
            rank(|ranks| ranks.among_1),
            rank(|ranks| ranks.among_5),
            rank(|ranks| ranks.among_20),
        ]);
    }
    report.table(ours);
}

fn thesis_table() -> Table {
    let title = "Hřebejk 2013, Table 5.8: points of 1,400 games";
    let mut table = Table::new(title, ["evaluation", "points", "share"]);
    for (name, points) in TOURNAMENT {
        table.row([name.into(), points.into(), Cell::Share(points as f64 / 1_400.0)]);
    }
    table
}

/// Who takes part, by name and by the engine with its settings: what ships, what was learned best here and what both are compared
/// with, then what else was learned.
fn evaluations(
    lab: &Lab,
    course: &Course,
    lessons: &[Lesson],
    learned: &[Learned],
) -> anyhow::Result<Vec<(String, String)>> {
    let shipped = |&(name, engine): &(&str, &str)| (name.to_string(), engine.to_string());
    let mut evaluations: Vec<(String, String)> = EVALUATIONS.iter().map(shipped).collect();
    let found = lessons.iter().zip(learned).filter_map(|(lesson, learned)| {
        learned.found.as_ref().map(|(weights, _)| (lesson, weights))
    });
    for (number, (lesson, weights)) in found.enumerate() {
        let text = course.model(weights).to_text();
        let path = lab.folder.join(format!("{:016x}.model", fnv1a(text.as_bytes())));
        fs::write(&path, text).with_context(|| path.display().to_string())?;
        let engine = format!("drake model={}", shlex::try_quote(&path.to_string_lossy())?);
        let place = if number == 0 { 1 } else { evaluations.len() };
        evaluations.insert(place, (lesson.name.to_string(), engine));
    }
    evaluations.truncate(lab.count("players"));
    Ok(evaluations)
}

fn tournament(
    lab: &Lab,
    evaluations: &[(String, String)],
    openings: &[String],
    (depth, games): (u8, u64),
    title: &str,
    report: &mut Report,
) -> anyhow::Result<()> {
    let engine =
        |(name, engine): &(String, String)| (name.clone(), format!("{engine} depth={depth}"));
    let engines: Vec<(String, String)> = evaluations.iter().map(engine).collect();
    let arimaa = lab.catalogues.arimaa.clone().with(zhong_turns::ENGINES);
    let catalogues = Catalogues { arimaa, ..lab.catalogues.clone() };
    let contest = Contest {
        catalogues: Some(&catalogues),
        openings: Some(openings),
        turns: Some(lab.number("turns") as u32),
        unfinished: Unfinished::LossForBoth,
        // The depth ends a search; the limit only says that there is no clock.
        ..Contest::new(title, &engines, games, TurnLimit::Nodes(u64::MAX >> 2))
    };
    let played = lab.play_match::<Arimaa>(&contest)?;
    let table = arena::crosstable(&played.plan, played.scores());
    let ratings = Ratings::of(&table, Anchor::Mean, Prior::HalfGame)?;
    let columns = ["evaluation", "rating", "error (95 %)", "games", "points", "share"];
    let mut rows = Table::new(title, columns);
    for row in ratings.rows() {
        rows.row([
            row.name.as_str().into(),
            Cell::Number(row.elo, 0),
            row.error.map_or(Cell::Missing, |error| Cell::Number(error, 0)),
            Cell::Count(row.games),
            Cell::Number(row.points, 1),
            Cell::Share(row.points / row.games.max(1) as f64),
        ]);
    }
    report.table(rows);
    report.plot(&super::ladder::plot(title, &ratings));
    Ok(())
}

/// Ways to learn by TD(λ): as it works, and as Zhong seems to have done it.
const TD_VARIANTS: [(&str, bool); 2] =
    [("TDLeaf(λ), many openings", true), ("TD(λ), one opening", false)];

/// How many points a curve has at most, and how many games are played with the same weights.
const POINTS: usize = 8;
const BATCH: usize = 32;

/// Zhong 2005, 3.9.
fn temporal_differences(lab: &Lab, report: &mut Report) -> anyhow::Result<()> {
    let games = lab.count("td_games");
    let curves = lab.each(
        "TD(λ)",
        &TD_VARIANTS,
        |(name, _)| name.to_string(),
        |&(_, works)| Ok(curve(lab, games, works)),
    )?;
    report.heading("Learning by playing");
    report.text(
        "Zhong let his program play over 2,000 games against itself at five steps and learn by TD(λ); the weights made no sense. Here all weights of Tusk's \
         own evaluation are learned, from material alone. The first way learns from the leaves of principal variations, of games from many openings with one turn in \
         ten by chance; the second from the positions themselves, of games from one opening without chance. At intervals the weights play those at the start.",
    );
    let columns = ["games learned from", TD_VARIANTS[0].0, "error", TD_VARIANTS[1].0, "error"];
    let mut table = Table::new(
        "Zhong 2005, 3.9: points of the learned weights against those at the start",
        columns,
    );
    for (works, fails) in curves[0].iter().zip(&curves[1]) {
        table.row([
            works.games.into(),
            Cell::Share(works.score),
            Cell::Share(works.error),
            Cell::Share(fails.score),
            Cell::Share(fails.error),
        ]);
    }
    report.table(table);
    let series = TD_VARIANTS.iter().zip(&curves).map(|((name, _), curve)| Series {
        name: name.to_string(),
        points: std::iter::once((0.0, 50.0))
            .chain(curve.iter().map(|point| (point.games as f64, 100.0 * point.score)))
            .collect(),
        is_dashed: false,
    });
    report.plot(&Plot {
        title: "3.9: learning by TD(λ)",
        axes: ["games learned from", "points against the start, in percent"],
        series: series.collect(),
        ..Plot::default()
    });
    Ok(())
}

/// The curve of a run of learning.
fn curve(lab: &Lab, games: usize, works: bool) -> Vec<CurvePoint> {
    let every = games.div_ceil(POINTS).max(BATCH.min(games));
    let settings = TdSettings {
        games,
        batch: BATCH.min(games),
        lambda: 0.7,
        rate: 4.0,
        explore: if works { 0.1 } else { 0.0 },
        nodes: lab.number("td_nodes"),
        leaf: works,
        one_opening: !works,
        seed: lab.seed,
    };
    let mut learner = TdLearner::new(settings, &TdLearner::material());
    let mut measured = 0;
    while learner.games < games && !lab.stop.is_requested() {
        learner.run_batch(1);
        if learner.games / every > measured || learner.games >= games {
            measured = learner.games / every;
            learner.measure(lab.count("td_match").div_ceil(2), 1);
        }
    }
    learner.curve
}
