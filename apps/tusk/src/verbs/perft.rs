//! `tusk perft`: counts the distinct turns of positions.

use std::io::{BufWriter, Write};
use std::time::{Duration, Instant};

use game::Game as _;
use serde_json::json;
use workbench::reading::Entries;
use workbench::{GameName, Lister, Reading, Showing, in_game};

use crate::Exit;
use crate::shared::output::standard;
use crate::shared::refusal::refuse;
use crate::shared::{input, progress};

/// Counts the distinct turns of positions.
///
/// A turn is distinct by the board it leaves, which in Arimaa must differ from the one it began with;
/// repetition is ignored. With --turns N, the counts after N - 1 turns are summed; a game that is
/// over by then adds none (the given position is always counted). Where a table has a column
/// `unique_turns`, it is compared.
#[derive(clap::Args)]
#[command(after_help = "Example:\n  tusk perft positions/bench.txt --json")]
pub struct Arguments {
    #[command(flatten)]
    pub input: input::Input,

    /// How many turns deep
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=4))]
    pub turns: u32,
}

pub fn run(arguments: &Arguments, game: Option<GameName>) -> anyhow::Result<Exit> {
    let texts = arguments.input.read(game)?;
    in_game!(texts.game, S => count_all::<S>(arguments, &texts.entries()))
}

fn count_all<S: Reading + Showing>(
    arguments: &Arguments,
    entries: &Entries<S>,
) -> anyhow::Result<Exit> {
    let mut counter = Counter::<S>::new(arguments.turns);
    let mut sum = Sum::default();
    let mut out = BufWriter::new(standard());
    let progress = progress::bar(entries.len(), "positions");
    for entry in entries {
        match &entry.content {
            Ok(content) => {
                let position = content.game.position();
                let begin = Instant::now();
                let unique_turns = counter.count(position);
                let took = begin.elapsed();
                sum.add(unique_turns, took);
                let expected = content.unique_turns.filter(|_| arguments.turns == 1);
                let verdict = sum.compare(unique_turns, expected);
                if arguments.input.json {
                    let mut row = json!({
                        "position": position.to_string(),
                        "unique_turns": unique_turns,
                        "seconds": took.as_secs_f64(),
                    });
                    if let Some(expected) = expected.filter(|&expected| expected != unique_turns) {
                        row["expected"] = json!(expected);
                    }
                    writeln!(out, "{row}")?;
                } else {
                    progress
                        .suspend(|| writeln!(out, "{unique_turns:>12}  {position}{verdict}"))?;
                }
            }
            Err(error) => {
                sum.refused += 1;
                progress.suspend(|| refuse(entry, error, arguments.input.json, &mut out))?;
            }
        }
        progress.inc(1);
    }
    progress.finish_and_clear();
    sum.print(arguments.input.json, &mut out)?;
    out.flush()?;
    Ok(if sum.refused + sum.different == 0 { Exit::Done } else { Exit::Refused })
}

#[derive(Default)]
struct Sum {
    positions: u64,
    unique_turns: u64,
    time: Duration,
    refused: u64,
    equal: u64,
    different: u64,
}

impl Sum {
    fn add(&mut self, unique_turns: u64, time: Duration) {
        self.positions += 1;
        self.unique_turns += unique_turns;
        self.time += time;
    }

    /// Compares a count with what the table says; returns what is to be said of it.
    fn compare(&mut self, unique_turns: u64, expected: Option<u64>) -> String {
        match expected {
            None => String::new(),
            Some(expected) if expected == unique_turns => {
                self.equal += 1;
                String::new()
            }
            Some(expected) => {
                self.different += 1;
                format!("  different: the table says {expected}")
            }
        }
    }

    fn rate(&self) -> f64 {
        self.unique_turns as f64 / self.time.as_secs_f64().max(1e-9)
    }

    fn print(&self, json: bool, out: &mut impl Write) -> anyhow::Result<()> {
        let seconds = self.time.as_secs_f64();
        if json {
            let summary = json!({
                "summary": true,
                "positions": self.positions,
                "unique_turns": self.unique_turns,
                "seconds": seconds,
                "turns_per_second": self.rate(),
                "equal": self.equal,
                "different": self.different,
                "refused": self.refused,
            });
            writeln!(out, "{summary}")?;
            return Ok(());
        }
        writeln!(
            out,
            "{:>12}  turns of {} position{} in {seconds:.3} s, {:.1} million a second",
            self.unique_turns,
            self.positions,
            if self.positions == 1 { "" } else { "s" },
            self.rate() / 1e6
        )?;
        if self.equal + self.different > 0 {
            let compared = self.equal + self.different;
            writeln!(out, "{:>12}  of {compared} counts equal those of the table", self.equal)?;
        }
        if self.refused > 0 {
            writeln!(out, "{:>12}  refused", self.refused)?;
        }
        Ok(())
    }
}

/// Counts turns to a depth, with a lister for each turn of it.
struct Counter<S: Showing> {
    listers: Vec<S::Lister>,
}

impl<S: Showing> Counter<S> {
    fn new(turns: u32) -> Counter<S> {
        Counter { listers: (0..turns).map(|_| S::Lister::default()).collect() }
    }

    fn count(&mut self, position: &S::Position) -> u64 {
        count(&mut self.listers, position)
    }
}

fn count<P, L: Lister<P>>(listers: &mut [L], position: &P) -> u64 {
    match listers {
        [] => 1,
        [last] => last.count(position) as u64,
        [lister, deeper @ ..] => {
            lister.after(position).iter().map(|after| count(deeper, after)).sum()
        }
    }
}
