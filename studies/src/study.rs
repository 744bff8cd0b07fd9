//! A study of a thesis: what it regenerates, and its settings.

use std::collections::BTreeMap;

use workbench::listed;

use crate::lab::Lab;
use crate::report::Report;

/// A study by its name.
pub struct Study {
    /// What it is called on a command line.
    pub name: &'static str,
    /// What is studied, in a line.
    pub title: &'static str,
    /// Which tables and figures of which theses it regenerates.
    pub regenerates: &'static str,
    /// What can be set of it.
    pub settings: &'static [Setting],
    pub(crate) run: fn(&Lab) -> anyhow::Result<Report>,
}

/// How much of something a study does.
pub struct Setting {
    /// What it is called.
    pub name: &'static str,
    /// In a quick run.
    pub quick: u64,
    /// In a full run: mostly as much as in the thesis.
    pub full: u64,
    /// The least that makes sense; tests run with it.
    pub least: u64,
    /// What it is, in a line.
    pub about: &'static str,
}

/// How strong the games are that positions of a study come from.
pub(crate) const NODES_OF_GAMES: Setting = Setting {
    name: "nodes",
    quick: 1_000,
    full: 3_000,
    least: 100,
    about: "nodes for a turn of the games that the positions are from",
};

/// The studies that search positions which they are given.
const TAKE_POSITIONS: [&str; 4] = [
    crate::alphabeta_tzaar::STUDY.name,
    crate::dfpn_tzaar::STUDY.name,
    crate::pns_arimaa::STUDY.name,
    crate::mobility::STUDY.name,
];

/// The study that plays against programs which it is given.
const TAKES_PROGRAMS: &str = crate::peers::STUDY.name;

impl Study {
    /// Whether it searches positions that it is given instead of those that it makes.
    pub fn takes_positions(&self) -> bool {
        TAKE_POSITIONS.contains(&self.name)
    }

    /// The names of the studies that do.
    pub fn that_take_positions() -> impl Iterator<Item = &'static str> {
        TAKE_POSITIONS.into_iter()
    }

    /// Whether it plays against programs that it is given.
    pub fn takes_programs(&self) -> bool {
        self.name == TAKES_PROGRAMS
    }

    /// What the settings are in a quick or a full run, after all that is wanted by name and number.
    pub fn values(
        &self,
        is_quick: bool,
        wanted: &[(String, String)],
    ) -> Result<BTreeMap<&'static str, u64>, String> {
        let usual = |setting: &Setting| if is_quick { setting.quick } else { setting.full };
        let mut values: BTreeMap<&'static str, u64> =
            self.settings.iter().map(|setting| (setting.name, usual(setting))).collect();
        for (name, value) in wanted {
            let refuse = |fault: String| format!("{name}={value}: {fault}");
            let Some(setting) = self.settings.iter().find(|setting| setting.name == name) else {
                let names = listed(self.settings.iter().map(|setting| setting.name));
                return Err(refuse(format!(
                    "{} has no such setting; there are: {names}",
                    self.name
                )));
            };
            let number = value.parse().ok().filter(|&number: &u64| number >= setting.least);
            let number = number.ok_or_else(|| {
                refuse(format!("expected a whole number from {} on", setting.least))
            })?;
            values.insert(setting.name, number);
        }
        Ok(values)
    }

    /// Does the work.
    pub fn run(&self, lab: &Lab) -> anyhow::Result<Report> {
        (self.run)(lab)
    }
}
