//! `tusk experiment peers`: our engines against other people's programs.

use arena::{Format, HeadToHead};
use workbench::{Arimaa, GameName, Playing, Tzaar, WrongUse, host};

use super::lab::{Contest, Lab, TurnLimit};
use super::levels::score;
use super::report::{Cell, Report, Table};
use super::study::{Setting, Study};

pub const STUDY: Study = Study {
    name: "peers",
    title: "Our engines against other programs",
    regenerates: "Veselý 2013, Table 4.15; Zhong 2005, Table 6.1; Kozelek 2009, 5.1, with the programs that are given by --against",
    settings: &[
        Setting { name: "games", quick: 4, full: 40, least: 2, about: "games of a match" },
        Setting {
            name: "milliseconds",
            quick: 20,
            full: 1_000,
            least: 1,
            about: "time for a turn, in milliseconds",
        },
    ],
    run,
};

/// What the theses had: program, won, lost.
type Results = [(&'static str, u64, u64)];

const VESELY: &Results = &[
    ("HsTZAAR, pscout_full_4 on 4 cores", 479, 121),
    ("HsTZAAR, pscout_full_5 on 5 cores", 65, 18),
    ("GreensteinTzaarAI", 342, 53),
    ("BiTzaarBot, 40 s", 196, 5),
    ("Mockinator++, 40 s", 83, 2),
    ("Mockinator, 40 s", 82, 1),
];

const ZHONG: &Results = &[("Bomb", 2, 8), ("Clueless", 9, 1), ("GnoBot", 10, 0), ("Loc", 8, 2)];

fn run(lab: &Lab) -> anyhow::Result<Report> {
    check_programs(lab)?;
    let mut report = Report::default();
    let limit = TurnLimit::Milliseconds(lab.number("milliseconds"));
    report.text(format!(
        "Games in pairs with sides changed, {}. Programs are given by --against, as `tusk match` takes them: `aei:COMMAND` and \
         `getmove:COMMAND` for Arimaa, `waltz:COMMAND` for Tzaar (with --game tzaar). Without any, our simplest engines take their \
         place, to show that the experiment works.",
        limit.words()
    ));
    let arimaa_programs = programs::<Arimaa>(lab, &["greedy", "random"]);
    if !arimaa_programs.is_empty() && lab.wants(GameName::Arimaa) {
        report.heading("Arimaa");
        let title = "Zhong 2005, Table 6.1: Zhong's program at 15 s a turn";
        report.table(told(title, ZHONG));
        report.text(
            "Kozelek 2009, 5.1: the anchors of Akimot were bot_sample (4 steps), bot_sample (8 steps) and bot_fairy (3 s); each \
             beat the one before in about 95 % of the games, and Akimot reached nearly 50 % against bot_fairy at 16 s for both.",
        );
        gauntlet::<Arimaa>(
            lab,
            limit,
            &["tusk", "zhong", "akimot", "mcts"],
            &arimaa_programs,
            &mut report,
        )?;
    }
    let tzaar_programs = programs::<Tzaar>(lab, &["random"]);
    if !tzaar_programs.is_empty() && lab.wants(GameName::Tzaar) {
        report.heading("Tzaar");
        report.table(told("Veselý 2013, Table 4.15: WALTZ at 30 s a turn", VESELY));
        gauntlet::<Tzaar>(lab, limit, &["tusk", "waltz", "mcts"], &tzaar_programs, &mut report)?;
    }
    Ok(report)
}

/// Refuses a program that plays none of the games that are asked for.
fn check_programs(lab: &Lab) -> Result<(), WrongUse> {
    for text in lab.against {
        let arimaa = host::read_spec::<Arimaa>(&lab.catalogues.arimaa, text).map(drop);
        let tzaar = host::read_spec::<Tzaar>(&lab.catalogues.tzaar, text).map(drop);
        let read = match lab.game {
            Some(GameName::Arimaa) => arimaa,
            Some(GameName::Tzaar) => tzaar,
            None => arimaa.or_else(|fault| tzaar.map_err(|_| fault)),
        };
        read.map_err(|fault| WrongUse::value("--against <ENGINE>", text, &fault))?;
    }
    Ok(())
}

/// The programs that play a game, else what takes their place.
fn programs<S: Playing>(lab: &Lab, usual: &[&str]) -> Vec<String> {
    if lab.against.is_empty() {
        return usual.iter().map(|name| name.to_string()).collect();
    }
    let plays = |text: &&String| host::read_spec::<S>(lab.catalogues.get::<S>(), text).is_ok();
    lab.against.iter().filter(plays).cloned().collect()
}

fn told(title: &str, results: &Results) -> Table {
    let mut table = Table::new(title, ["program", "won", "lost", "share"]);
    for &(program, won, lost) in results {
        let share = won as f64 / (won + lost) as f64;
        table.row([program.into(), won.into(), lost.into(), Cell::Share(share)]);
    }
    table
}

fn gauntlet<S: Playing>(
    lab: &Lab,
    limit: TurnLimit,
    own: &[&str],
    programs: &[String],
    report: &mut Report,
) -> anyhow::Result<()> {
    let title = format!("Ours: {}", limit.words());
    let columns = ["engine", "against", "won", "lost", "unfinished", "share"];
    let mut table = Table::new(&title, columns);
    for program in programs {
        let named = |engine: &str| (engine.to_string(), engine.to_string());
        let engines: Vec<(String, String)> =
            std::iter::once(program.as_str()).chain(own.iter().copied()).map(named).collect();
        let contest = Contest {
            format: Format::Gauntlet,
            ..Contest::new(program, &engines, lab.number("games"), limit)
        };
        let played = lab.play_match::<S>(&contest)?;
        let scores = played.scores();
        for (number, engine) in (1..).zip(own) {
            let tally = HeadToHead::of(&scores, (number, 0)).tally;
            table.row([
                (*engine).into(),
                program.as_str().into(),
                Cell::Count(tally.wins),
                Cell::Count(tally.losses),
                Cell::Count(tally.unfinished),
                Cell::Share(score(&tally)),
            ]);
        }
    }
    report.table(table);
    Ok(())
}
