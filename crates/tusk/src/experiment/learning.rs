//! `tusk experiment learning`: evaluations that were learned against those that were tuned by hand.

use arena::{Anchor, Format, Prior, Ratings};
use workbench::Arimaa;

use super::lab::{Contest, Lab, TurnLimit};
use super::report::{Cell, Report, Table};
use super::study::{Setting, Study};

pub const STUDY: Study = Study {
    name: "learning",
    title: "Evaluations that were learned, and those tuned by hand",
    regenerates: "Hřebejk 2013, Tables 5.1 and 5.8 and the rating at depth 2; Tables 5.2 and 5.7 as a listing",
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
            name: "random_turns",
            quick: 4,
            full: 8,
            least: 1,
            about: "turns by chance with which a game begins, in the place of positions of the archive",
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

/// Our evaluations, searched by whole turns to the same depth.
const EVALUATIONS: [(&str, u8); 4] =
    [("drake, learned", 0), ("drake, tuned by hand", 1), ("zhong", 2), ("tusk", 3)];

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
    report.heading("Without a search");
    report.text(format!(
        "As in the thesis, the turn is played after which the evaluation is best, and no reply is looked at. Games come in pairs from positions after {} \
         turns by chance; the thesis took positions from the first halves of archived games.",
        lab.number("random_turns")
    ));
    report.table(thesis_table());
    tournament(lab, 1, lab.number("games"), "Ours: one turn ahead", &mut report)?;
    if lab.number("deep_games") > 0 {
        report.heading("At depth 2");
        report.text(
            "On the server bot_drakeP2 reached a rating of 1,950, the second of the bots at that depth (the first had 2,038). Here it meets the other \
             evaluations at depth 2 alone.",
        );
        tournament(lab, 2, lab.number("deep_games"), "Ours: two turns ahead", &mut report)?;
    }
    report.heading("Data and methods of the thesis");
    report.text(
        "The archive is not part of Tusk: `tusk learn` learns from whatever games it is given, and docs/learning.md says how the shipped model \
         was made.",
    );
    let mut games =
        Table::new("Hřebejk 2013, Table 5.2: games with a high rating", ["least rating", "games"]);
    for (rating, count) in EXPERT_GAMES {
        games.row([Cell::Text(rating.to_string()), count.into()]);
    }
    report.table(games);
    let columns = ["name", "algorithm", "least rating", "time (h:m:s)"];
    let mut methods = Table::new("Hřebejk 2013, Table 5.7: what was learned", columns);
    for (name, algorithm, rating, time) in METHODS {
        methods.row([name.into(), algorithm.into(), Cell::Text(rating.to_string()), time.into()]);
    }
    report.table(methods);
    Ok(report)
}

fn thesis_table() -> Table {
    let title = "Hřebejk 2013, Table 5.8: points of 1,400 games";
    let mut table = Table::new(title, ["evaluation", "points", "share"]);
    for (name, points) in TOURNAMENT {
        table.row([name.into(), points.into(), Cell::Share(points as f64 / 1_400.0)]);
    }
    table
}

fn tournament(
    lab: &Lab,
    depth: u8,
    games: u64,
    title: &str,
    report: &mut Report,
) -> anyhow::Result<()> {
    let engine = |(name, evaluation): &(&str, u8)| {
        (name.to_string(), format!("drake depth={depth} evaluation={evaluation}"))
    };
    let engines: Vec<(String, String)> = EVALUATIONS.iter().map(engine).collect();
    let contest = Contest {
        name: title,
        engines: &engines,
        format: Format::RoundRobin,
        games: games as u32,
        // The depth ends a search; the limit only says that there is no clock.
        limit: TurnLimit::Nodes(u64::MAX >> 2),
        openings: Some(&format!("random:{}", lab.number("random_turns"))),
        turns: Some(lab.number("turns") as u32),
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

/// How many variables the example of Table 5.1 has.
const VARIABLES: usize = 8;

/// A variable, and the differences to the next ones of the term, around the circle of variables.
type TermPair = (usize, Vec<usize>);

/// All pairs that stand for a term: one for each place where its list of variables can begin.
fn term_pairs(term: &[usize]) -> Vec<TermPair> {
    let degree = term.len();
    let mut sorted = term.to_vec();
    sorted.sort_unstable();
    // A variable that occurs several times makes a round of the circle between two of its occurrences where the term is a power.
    let gap = |place: usize| match (sorted[place], sorted[(place + 1) % degree]) {
        (now, next) if next > now => next - now,
        (now, next) if place + 1 == degree => VARIABLES + next - now,
        _ => 0,
    };
    let gaps: Vec<usize> = (0..degree).map(gap).collect();
    let mut pairs: Vec<TermPair> = (0..degree)
        .map(|place| {
            (sorted[place], (0..degree).map(|step| gaps[(place + step) % degree]).collect())
        })
        .collect();
    pairs.sort();
    pairs.dedup();
    pairs
}

fn term_table() -> Table {
    let title = "Hřebejk 2013, Table 5.1: terms and the pairs that stand for them (8 variables)";
    let mut table = Table::new(title, ["term", "thesis", "ours"]);
    let rows: [(&str, &[usize], &str); 3] = [
        ("x5³", &[5, 5, 5], "(5,(0,0,8)) (5,(0,8,0)) (5,(8,0,0))"),
        ("x1 x4 x5", &[1, 4, 5], "(1,(3,1,4)) (4,(1,4,3)) (5,(4,3,1))"),
        ("x2² x6", &[2, 2, 6], "(2,(0,4,4)) (2,(4,4,0)) (6,(4,0,4))"),
    ];
    for (name, term, thesis) in rows {
        let pairs: Vec<String> = term_pairs(term).iter().map(pair_text).collect();
        table.row([name.into(), thesis.into(), pairs.join(" ").into()]);
    }
    table
}

fn pair_text((variable, gaps): &TermPair) -> String {
    let gaps: Vec<String> = gaps.iter().map(usize::to_string).collect();
    format!("({variable},({}))", gaps.join(","))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pairs_of_terms_are_those_of_the_thesis() {
        let text =
            |term: &[usize]| term_pairs(term).iter().map(pair_text).collect::<Vec<_>>().join(" ");
        assert_eq!(text(&[5, 5, 5]), "(5,(0,0,8)) (5,(0,8,0)) (5,(8,0,0))");
        assert_eq!(text(&[1, 4, 5]), "(1,(3,1,4)) (4,(1,4,3)) (5,(4,3,1))");
        assert_eq!(text(&[2, 2, 6]), "(2,(0,4,4)) (2,(4,4,0)) (6,(4,0,4))");
    }
}
