//! `tusk experiment branching`: how many turns there are, and of which kinds.

mod arimaa_turns;
mod tzaar_turns;

use workbench::GameName;

use crate::lab::Lab;
use crate::report::Report;
use crate::study::{Setting, Study};

/// How many turns there are in both games, and of which kinds (Zhong 2005, chapter 4; Veselý 2013, 1.4).
pub const STUDY: Study = Study {
    name: "branching",
    title: "How many turns there are",
    regenerates: "Zhong 2005, Tables 4.1 and 4.3 to 4.5 and the shares told in 4.2 to 4.4; Veselý 2013, Table 1.1, \
                  Figure 1.5 and the complexities of 1.4",
    settings: &[
        Setting {
            name: "games",
            quick: 60,
            full: 460,
            least: 1,
            about: "games of Tzaar that the engine plays, and as many that chance plays",
        },
        Setting {
            name: "arimaa_games",
            quick: 3,
            full: 3,
            least: 1,
            about: "games of Arimaa, in the place of the final of 2005",
        },
        Setting {
            name: "positions",
            quick: 3,
            full: 6,
            least: 1,
            about: "positions of Arimaa whose turns are counted one by one",
        },
        Setting {
            name: "sample",
            quick: 5_000,
            full: 40_000,
            least: 200,
            about: "legal turns of a position, and distinct ones, whose step combos are looked at",
        },
        Setting {
            name: "nodes",
            quick: 1_000,
            full: 3_000,
            least: 1,
            about: "positions that the engine looks at for a turn",
        },
    ],
    run,
};

fn run(lab: &Lab) -> anyhow::Result<Report> {
    let mut report = Report::default();
    if lab.wants(GameName::Arimaa) {
        arimaa_turns::run(lab, &mut report)?;
    }
    if lab.wants(GameName::Tzaar) {
        tzaar_turns::run(lab, &mut report)?;
    }
    Ok(report)
}
