//! `tusk suite`: what an engine makes of test positions.

mod mining;

use std::io::{BufWriter, Write};
use std::path::PathBuf;

use anyhow::Context;
use arena::{Attempt, Failure, PassTable, Player, Thought, TimeSettings};
use game::Game;
use serde_json::json;

use workbench::reading::{self, InputEntry, Location, Source};
use workbench::{Catalogues, GameName, Playing, TestCase, Testing, host, in_game, test_cases};

use crate::output::standard;
use crate::show::refuse;
use crate::{Exit, choice, moves, progress};

/// Tests an engine on positions with something that a turn must achieve.
///
/// A test is a file in the format of the Arimaa Test Suite, or a row of a table (tab-separated, gzipped or not)
/// with a column `position` and some of `best`, `avoid` (turns, with | between alternatives; turns that leave the
/// same board are the same) and, in Arimaa, `goal` (or `steps_to_goal`: the steps of the shortest one, which the
/// engine must find, or -), in Tzaar `win` (1, if the turn must win at once). A test is passed with the highest weight that it has to give. Without a limit, each gets
/// a second; what is found is forgotten between tests. Besides the engines of this program, "aei:COMMAND",
/// "getmove:COMMAND" and, in Tzaar, "waltz:COMMAND" are tested, as in `tusk match`.
///
/// With --mine, a table of tests is made: every position of the games of Arimaa in which a goal could be scored
/// within the turn, whether it was or not.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  tusk suite positions/suite --time 5s\n  \
                        tusk suite positions/tzaar/suite.tsv --engine waltz --time 5s\n  \
                        tusk suite --mine positions/sample-game.txt --output goals.tsv")]
pub struct Arguments {
    /// A file of tests, a folder of such files, or -
    #[arg(required_unless_present = "mine")]
    path: Option<String>,

    #[command(flatten)]
    thinking: moves::Thinking,

    #[command(flatten)]
    engine: choice::EngineArguments,

    /// Ask each test so many times, with another seed each time
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    cycles: u64,

    /// Exit with status 1 if fewer answers than these pass
    #[arg(long, value_name = "N")]
    expect: Option<u64>,

    /// Print one JSON object a line
    #[arg(long)]
    json: bool,

    /// Make tests of games instead: a record, a table with a column `movelist`, a folder of these, or -
    #[arg(long, value_name = "GAMES", conflicts_with_all = ["path", "cycles", "expect", "json"])]
    mine: Option<String>,

    /// Where the mined tests go [default: standard output]
    #[arg(long, value_name = "FILE", requires = "mine")]
    output: Option<PathBuf>,
}

pub fn run(
    arguments: &Arguments,
    game: Option<GameName>,
    catalogues: &Catalogues,
) -> anyhow::Result<Exit> {
    if let Some(games) = &arguments.mine {
        GameName::only_arimaa("suite --mine", game)?;
        return mining::run(games, arguments.output.as_deref());
    }
    let path = arguments.path.as_deref().unwrap_or("-");
    let sources = reading::sources(path)?;
    let sources = sources.with_context(|| format!("{path}: there is no such file or folder"))?;
    let game = game.unwrap_or_else(|| reading::game_of(&sources));
    in_game!(game, S => examine::<S>(catalogues, arguments, &sources))
}

fn examine<S: Playing + Testing>(
    catalogues: &Catalogues,
    arguments: &Arguments,
    sources: &[Source],
) -> anyhow::Result<Exit> {
    let entries: Vec<_> = sources.iter().flat_map(test_cases::<S>).collect();
    let mut examinee = Examinee::<S>::new(catalogues, arguments)?;
    let mut printer = Printer::new(arguments, &entries, BufWriter::new(standard()));
    let mut sum = Sum::default();
    let progress = progress::bar(entries.len() * arguments.cycles as usize, "answers");
    for entry in &entries {
        match &entry.content {
            Ok(Some(exam)) => {
                let attempts: Vec<Attempt> = (0..arguments.cycles)
                    .map(|cycle| Attempt::weighed(&*exam.exercise, examinee.answer(exam, cycle)))
                    .inspect(|attempt| sum.tally.add(&*exam.exercise, attempt))
                    .inspect(|_| progress.inc(1))
                    .collect();
                progress.suspend(|| printer.print(&entry.place, exam, &attempts))?;
            }
            Ok(None) => sum.skipped += 1,
            Err(error) => {
                sum.refused += 1;
                progress.suspend(|| refuse(entry, error, arguments.json, &mut printer.out))?;
            }
        }
    }
    progress.finish_and_clear();
    printer.finish(&sum)?;
    Ok(sum.verdict(arguments.expect))
}

/// The engine that is tested.
struct Examinee<'a, S: Playing> {
    catalogues: &'a Catalogues,
    engine: &'a choice::EngineArguments,
    /// None after a failure.
    player: Option<Box<dyn Player<S::Game>>>,
    time: TimeSettings,
    /// The seed of the first cycle; each one has the next.
    seed: u64,
}

impl<'a, S: Playing> Examinee<'a, S> {
    fn new(
        catalogues: &'a Catalogues,
        arguments: &'a Arguments,
    ) -> anyhow::Result<Examinee<'a, S>> {
        let engine = &arguments.engine;
        let (player, time) =
            (Some(engine.player::<S>(catalogues)?), arguments.thinking.time_settings());
        Ok(Examinee { catalogues, engine, player, time, seed: engine.seed() })
    }

    fn answer(
        &mut self,
        exam: &TestCase<S::Game>,
        cycle: u64,
    ) -> Result<Thought<<S::Game as Game>::Action>, Failure> {
        let mut player = match self.player.take() {
            Some(player) => player,
            None => {
                let started = self.engine.player::<S>(self.catalogues);
                started.map_err(|error| host::no_start(format!("{error:#}")))?
            }
        };
        let found =
            arena::ask(&mut *player, &*exam.exercise, self.seed.wrapping_add(cycle), self.time);
        // Whoever failed is not asked again.
        self.player = found.is_ok().then_some(player);
        found
    }
}

#[derive(Default)]
struct Sum {
    tally: PassTable,
    /// Rows that ask for nothing.
    skipped: u64,
    refused: u64,
}

impl Sum {
    fn verdict(&self, expected: Option<u64>) -> Exit {
        let is_enough = expected.is_none_or(|expected| self.tally.passed >= expected);
        match self.refused + self.tally.faults == 0 && is_enough {
            true => Exit::Done,
            false => Exit::Refused,
        }
    }
}

/// Prints rows for people or for programs.
struct Printer<W> {
    json: bool,
    cycles: u64,
    /// How wide the names are.
    width: usize,
    out: W,
}

impl<W: Write> Printer<W> {
    fn new<G: Game>(
        arguments: &Arguments,
        entries: &[InputEntry<Option<TestCase<G>>>],
        out: W,
    ) -> Printer<W> {
        let exams = entries.iter().filter_map(|entry| {
            let exam = entry.content.as_ref().ok()?.as_ref()?;
            Some(exam.name(&entry.place).chars().count())
        });
        let width = exams.max().unwrap_or(0);
        Printer { json: arguments.json, cycles: arguments.cycles, width, out }
    }

    fn print<G: Game>(
        &mut self,
        place: &Location,
        exam: &TestCase<G>,
        attempts: &[Attempt],
    ) -> anyhow::Result<()> {
        if self.json {
            for (cycle, attempt) in (1..).zip(attempts) {
                self.row(place, exam, cycle, attempt)?;
            }
        } else {
            self.line(place, exam, attempts)?;
        }
        // Somebody may be watching.
        Ok(self.out.flush()?)
    }

    fn row<G: Game>(
        &mut self,
        place: &Location,
        exam: &TestCase<G>,
        cycle: u64,
        attempt: &Attempt,
    ) -> anyhow::Result<()> {
        let mut row = json!({
            "file": place.file,
            "passed": attempt.passed,
            "weight": attempt.weight,
            "turn": attempt.turn,
            "seconds": attempt.time.as_secs_f64(),
        });
        if exam.is_row {
            row["line"] = json!(place.line);
        }
        if self.cycles > 1 {
            row["cycle"] = json!(cycle);
        }
        if let Some(fault) = &attempt.fault {
            row["error"] = json!(fault);
        }
        Ok(writeln!(self.out, "{row}")?)
    }

    /// One line for all cycles of a test: how often it passed, the mean of weights and times, and every
    /// turn that was found.
    fn line<G: Game>(
        &mut self,
        place: &Location,
        exam: &TestCase<G>,
        attempts: &[Attempt],
    ) -> anyhow::Result<()> {
        let count = attempts.len() as f64;
        let passed = attempts.iter().filter(|attempt| attempt.passed).count();
        let weight = attempts.iter().map(|attempt| attempt.weight).sum::<f64>() / count;
        let seconds = attempts.iter().map(|attempt| attempt.time.as_secs_f64()).sum::<f64>();
        let passed = match attempts.len() {
            1 => if passed == 1 { "yes" } else { "no" }.to_string(),
            all => format!("{passed}/{all}"),
        };
        let highest = exam.exercise.highest();
        let (name, width) = (exam.name(place), self.width);
        writeln!(
            self.out,
            "{name:<width$}  {passed:<6}  {weight:.2} of {highest:.2}  {:>7.2} s  {}",
            seconds / count,
            answers(attempts)
        )?;
        Ok(())
    }

    fn finish(&mut self, sum: &Sum) -> anyhow::Result<()> {
        let PassTable { tests, passed, score, highest, time, .. } = sum.tally;
        if self.json {
            let summary = json!({
                "summary": true,
                "tests": tests,
                "passed": passed,
                // Sums of tenths are not quite tenths.
                "score": (score * 1e6).round() / 1e6,
                "seconds": time.as_secs_f64(),
                "skipped": sum.skipped,
                "refused": sum.refused,
            });
            writeln!(self.out, "{summary}")?;
        } else {
            let seconds = time.as_secs_f64();
            writeln!(
                self.out,
                "{passed} of {tests} passed, score {score:.2} of {highest:.2}, in {seconds:.2} s"
            )?;
            for (count, what) in
                [(sum.skipped, "skipped: nothing is asked"), (sum.refused, "refused")]
            {
                if count > 0 {
                    writeln!(self.out, "{count} {what}")?;
                }
            }
        }
        Ok(self.out.flush()?)
    }
}

/// The different answers of some attempts, each once.
fn answers(attempts: &[Attempt]) -> String {
    let mut answers: Vec<String> = Vec::new();
    for Attempt { turn, fault, .. } in attempts {
        let turn = turn.as_deref();
        let answer = match fault {
            Some(fault) => format!("{} ({fault})", turn.unwrap_or("no turn")),
            None => turn.unwrap_or("gave up").to_string(),
        };
        if !answers.contains(&answer) {
            answers.push(answer);
        }
    }
    answers.join(" | ")
}
