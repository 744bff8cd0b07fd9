//! How a report came about: the program, the machine, the settings.

use std::fs;
use std::time::Duration;

use anyhow::Context;
use flate2::Crc;
use jiff::Timestamp;

use crate::lab::Lab;
use crate::report::Report;
use crate::study::{Setting, Study};

/// What is to be said of a run beside its report.
pub struct Provenance<'a> {
    /// The command, as a shell takes it.
    pub command: &'a str,
    /// The program: its name, version, commit and build.
    pub program: &'a str,
    /// Whether it was a quick run.
    pub is_quick: bool,
    /// How long the last run took.
    pub time: Duration,
}

impl Provenance<'_> {
    /// The report as a page in Markdown.
    pub fn page(&self, lab: &Lab, report: &Report) -> String {
        let Study { name, title, regenerates, settings, .. } = lab.study;
        let mut page = format!("# {title}\n\nRegenerates: {regenerates}.\n");
        if self.is_quick {
            page +=
                "\nThis is a quick run: fewer and shorter searches and games than in the theses.\n";
        }
        page += &format!("\n{}## How it was made\n\n", report.markdown(name));
        page += &format!("```text\n{}\n```\n\n", self.command);
        let facts = [
            ("program", self.program.to_string()),
            ("machine", machine()),
            ("seed", lab.seed.to_string()),
            ("date", Timestamp::now().strftime("%Y-%m-%d").to_string()),
            (
                "last run",
                format!(
                    "{:.0} s; what was found before an interruption is not counted",
                    self.time.as_secs_f64()
                ),
            ),
        ];
        page += "| | |\n| :--- | :--- |\n";
        for (what, value) in facts {
            page += &format!("| {what} | {value} |\n");
        }
        for Setting { name, about, .. } in *settings {
            page += &format!("| `{name}` | {}: {about} |\n", lab.number(name));
        }
        page
    }
}

/// A sum over the program: another one may find something else.
pub fn program_sum() -> anyhow::Result<String> {
    let program = std::env::current_exe().and_then(fs::read).context("the program itself")?;
    let mut sum = Crc::new();
    sum.update(&program);
    Ok(format!("{:08x}", sum.sum()))
}

/// The processor and its cores, where the system tells.
fn machine() -> String {
    let known = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = known.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": "));
    let model = model.map_or("an unknown processor", |(_, model)| model);
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    format!("{model}, {cores} cores; {}", std::env::consts::OS)
}
