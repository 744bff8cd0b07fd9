//! `tusk experiment levels`: whether each level beats the one below it, and new evaluations beat old ones.

use arena::Tally;
use plot::{Plot, Series};
use workbench::{Arimaa, GameName, Playing, Tzaar};

use super::lab::{Contest, Lab, TurnLimit};
use super::report::{Cell, Report, Table};
use super::study::{Setting, Study};

pub const STUDY: Study = Study {
    name: "levels",
    title: "Levels against each other, and a new evaluation against the old one",
    regenerates: "Veselý 2013, 4.2.1, and the match of evaluations in 4.2.3",
    settings: &[
        Setting { name: "games", quick: 4, full: 38, least: 2, about: "games of a match" },
        Setting {
            name: "milliseconds",
            quick: 20,
            full: 1_000,
            least: 5,
            about: "time for a turn, in milliseconds",
        },
    ],
    run,
};

/// A match of the thesis, or one of ours with the same meaning.
struct Pair {
    stronger: (&'static str, &'static str),
    weaker: (&'static str, &'static str),
    /// What the thesis has: won and lost by the stronger.
    thesis: Option<[u64; 2]>,
}

const fn pair(
    stronger: (&'static str, &'static str),
    weaker: (&'static str, &'static str),
    thesis: Option<[u64; 2]>,
) -> Pair {
    Pair { stronger, weaker, thesis }
}

const BEGINNER: (&str, &str) = ("beginner", "beginner");
const INTERMEDIATE: (&str, &str) = ("intermediate", "intermediate");
const EXPERT: (&str, &str) = ("expert", "expert");
const UNBEATABLE: (&str, &str) = ("unbeatable", "unbeatable");
const TUSK: (&str, &str) = ("tusk", "tusk");
const WALTZ: [(&str, &str); 3] = [
    ("WALTZ 40, beginner", "waltz ai=40"),
    ("WALTZ 41, intermediate", "waltz ai=41"),
    ("WALTZ 42, expert", "waltz ai=42"),
];

/// 4.2.1, with the levels of Tusk.
const LEVELS: [Pair; 3] = [
    pair(INTERMEDIATE, BEGINNER, Some([33, 5])),
    pair(EXPERT, INTERMEDIATE, Some([21, 4])),
    pair(UNBEATABLE, EXPERT, Some([19, 6])),
];

/// 4.2.1, with the levels of WALTZ as Tusk has them. Its unbeatable version is the expert with more time.
const WALTZ_LEVELS: [Pair; 2] =
    [pair(WALTZ[1], WALTZ[0], Some([33, 5])), pair(WALTZ[2], WALTZ[1], Some([21, 4]))];

/// 4.2.3: the version with the enhanced evaluation won 136 and lost 102 games.
const EVALUATIONS: [u64; 2] = [136, 102];

fn run(lab: &Lab) -> anyhow::Result<Report> {
    let mut report = Report::default();
    report.text(format!(
        "Games in pairs from the same opening with sides changed, {}. WALTZ's own figures are of games from the fixed start at 30 s \
         (expert) and 300 s (unbeatable).",
        limit(lab).words()
    ));
    if lab.wants(GameName::Tzaar) {
        section::<Tzaar>(lab, &mut report, "Tzaar: the levels of WALTZ", &WALTZ_LEVELS)?;
        section::<Tzaar>(lab, &mut report, "Tzaar: the levels of Tusk", &LEVELS)?;
        let evaluations = [pair(TUSK, WALTZ[2], Some(EVALUATIONS))];
        let title = "Tzaar: Tusk's evaluation and search against those of WALTZ";
        section::<Tzaar>(lab, &mut report, title, &evaluations)?;
    }
    if lab.wants(GameName::Arimaa) {
        section::<Arimaa>(lab, &mut report, "Arimaa: the levels of Tusk", &LEVELS)?;
        let evaluations = [pair(TUSK, ("zhong", "zhong"), Some(EVALUATIONS))];
        let title = "Arimaa: Tusk's evaluation against the one of Zhong 2005";
        section::<Arimaa>(lab, &mut report, title, &evaluations)?;
    }
    Ok(report)
}

fn limit(lab: &Lab) -> TurnLimit {
    TurnLimit::Milliseconds(lab.number("milliseconds"))
}

fn section<S: Playing>(
    lab: &Lab,
    report: &mut Report,
    title: &str,
    pairs: &[Pair],
) -> anyhow::Result<()> {
    let columns = ["stronger", "weaker", "thesis", "thesis share", "ours", "our share", "ratio"];
    let mut table = Table::new(title, columns);
    let mut shares: [Vec<f64>; 2] = Default::default();
    for Pair { stronger, weaker, thesis } in pairs {
        let engines = [stronger, weaker].map(|(name, text)| (name.to_string(), text.to_string()));
        let name = format!("{} - {}", stronger.0, weaker.0);
        let contest = Contest::new(&name, &engines, lab.number("games"), limit(lab));
        let tally = lab.play_match::<S>(&contest)?.tally();
        let ours = score(&tally);
        let theirs = thesis.map(|[won, lost]| won as f64 / (won + lost) as f64);
        shares[0].push(theirs.unwrap_or_default());
        shares[1].push(ours);
        table.row([
            stronger.0.into(),
            weaker.0.into(),
            thesis.map_or(Cell::Missing, |[won, lost]| format!("{won}–{lost}").into()),
            theirs.map_or(Cell::Missing, Cell::Share),
            format!("{}–{}", tally.wins, tally.losses).into(),
            Cell::Share(ours),
            theirs.map_or(Cell::Missing, |theirs| Cell::ratio(ours, theirs)),
        ]);
    }
    report.table(table);
    if pairs.len() > 1 {
        report.plot(&plot(title, pairs, shares));
    }
    Ok(())
}

/// The share of the points.
pub fn score(tally: &Tally) -> f64 {
    let games = (tally.wins + tally.losses + tally.unfinished).max(1) as f64;
    (tally.wins as f64 + 0.5 * tally.unfinished as f64) / games
}

fn plot<'a>(title: &'a str, pairs: &[Pair], shares: [Vec<f64>; 2]) -> Plot<'a> {
    let [theirs, ours] = shares.map(|shares| {
        (0..).map(f64::from).zip(shares.into_iter().map(|share| 100.0 * share)).collect()
    });
    Plot {
        title,
        axes: ["the stronger against the level below it", "points in percent"],
        series: vec![
            Series { name: "thesis".to_string(), points: theirs, is_dashed: true },
            Series { name: "ours".to_string(), points: ours, is_dashed: false },
        ],
        labels: pairs.iter().map(|pair| pair.stronger.0.to_string()).collect(),
        ..Plot::default()
    }
}
