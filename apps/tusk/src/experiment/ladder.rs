//! `tusk experiment ladder`: all engines of Tusk in one rating list per game.

use arena::{Anchor, Crosstable, Prior, Rating, Ratings};
use learn::train::{Plot, Series};
use workbench::{Arimaa, GameName, Playing, Tzaar};

use super::lab::{Contest, Lab, TurnLimit};
use super::report::{Cell, Report, Table};
use super::study::{Setting, Study};

pub const STUDY: Study = Study {
    name: "ladder",
    title: "All engines in one rating list",
    regenerates: "no table of a thesis: where the systems of the theses stand among the engines of today",
    settings: &[
        Setting {
            name: "games",
            quick: 2,
            full: 40,
            least: 2,
            about: "games that two engines play",
        },
        Setting {
            name: "milliseconds",
            quick: 10,
            full: 500,
            least: 1,
            about: "time for a turn, in milliseconds",
        },
        Setting {
            name: "engines",
            quick: 100,
            full: 100,
            least: 2,
            about: "how many engines of a game take part, the first of its list first",
        },
    ],
    run,
};

fn run(lab: &Lab) -> anyhow::Result<Report> {
    let mut report = Report::default();
    let limit = TurnLimit::Milliseconds(lab.number("milliseconds"));
    report.text(format!(
        "Every engine plays every other one, in pairs of games from the same opening with sides changed, {}. Ratings are \
         by maximum likelihood, with half a game of prior; the mean is 0. The engine of a thesis is named after its program \
         or its author. `unbeatable` is left out: it is `tusk` on all cores.",
        limit.words()
    ));
    if lab.wants(GameName::Arimaa) {
        list::<Arimaa>(lab, limit, &mut report)?;
    }
    if lab.wants(GameName::Tzaar) {
        list::<Tzaar>(lab, limit, &mut report)?;
    }
    Ok(report)
}

/// Every engine with its presets; of WALTZ all levels.
fn engines<S: Playing>(lab: &Lab) -> Vec<(String, String)> {
    let mut engines = Vec::new();
    for entry in lab.catalogues.get::<S>().iter().filter(|entry| entry.name != "unbeatable") {
        let mut add = |text: String| engines.push((text.clone(), text));
        add(entry.name.to_string());
        if entry.name == "waltz" {
            add("waltz ai=40".to_string());
            add("waltz ai=41".to_string());
        }
        // The levels have the same presets as the engine that they are of.
        if ["tusk", "zhong"].contains(&entry.name) {
            for preset in entry.presets {
                add(format!("{} preset={}", entry.name, preset.name));
            }
        }
    }
    engines
}

fn list<S: Playing>(lab: &Lab, limit: TurnLimit, report: &mut Report) -> anyhow::Result<()> {
    let mut engines = engines::<S>(lab);
    engines.truncate(lab.count("engines"));
    let contest = Contest::new("ladder", &engines, lab.number("games"), limit);
    let played = lab.play_match::<S>(&contest)?;
    let table = arena::crosstable(&played.plan, played.scores());
    let ratings = Ratings::of(&table, Anchor::Mean, Prior::HalfGame)?;
    report.heading(&S::NAME.to_string());
    report.table(rating_table(&format!("{}: ratings", S::NAME), &ratings));
    report.table(cross_table(
        &format!("{}: points of each against each", S::NAME),
        &table,
        &ratings,
    ));
    report.plot(&plot(&format!("{}: ratings", S::NAME), &ratings));
    Ok(())
}

fn rating_table(title: &str, ratings: &Ratings) -> Table {
    let mut table = Table::new(title, ["engine", "rating", "error (95 %)", "games", "points"]);
    for Rating { name, elo, error, games, points, .. } in ratings.rows() {
        table.row([
            name.as_str().into(),
            Cell::Number(*elo, 0),
            error.map_or(Cell::Missing, |error| Cell::Number(error, 0)),
            Cell::Count(*games),
            Cell::Number(*points, 1),
        ]);
    }
    table
}

fn cross_table(title: &str, games: &Crosstable, ratings: &Ratings) -> Table {
    let rows = ratings.rows();
    let numbers: Vec<String> = (1..=rows.len()).map(|number| number.to_string()).collect();
    let columns = ["", "engine"].into_iter().chain(numbers.iter().map(String::as_str));
    let mut table = Table::new(title, columns);
    for (number, row) in (1usize..).zip(rows) {
        let points = rows.iter().map(|other| {
            let tally = games.between(row.contestant, other.contestant);
            match tally.games() {
                0 => Cell::Missing,
                _ => Cell::Number(tally.wins as f64 + 0.5 * tally.unfinished as f64, 1),
            }
        });
        table.row([Cell::from(number), row.name.as_str().into()].into_iter().chain(points));
    }
    table
}

/// The ratings, engine by engine.
pub(super) fn plot<'a>(title: &'a str, ratings: &Ratings) -> Plot<'a> {
    let points = (0..).map(f64::from).zip(ratings.rows().iter().map(|row| row.elo));
    Plot {
        title,
        axes: ["", "rating"],
        series: vec![Series {
            name: "Elo".to_string(),
            points: points.collect(),
            is_dashed: false,
        }],
        labels: ratings.rows().iter().map(|row| row.name.clone()).collect(),
        ..Plot::default()
    }
}
