//! `tusk learn successors`: positions that a model itself would choose, with scores.

use std::fs::{self, File};
use std::io::Write;
use std::ops::Range;
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow, bail};
use arimaa::{Game, Position};
use engine::Engine;
use guard::{LONGEST_FILE, in_parallel, read_text_within};
use hrebejk_2013::FunctionModel;
use hrebejk_2013::successors::{Siblings, Successor, SuccessorFinder, SuccessorSettings};
use linear::fnv1a;
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use serde_json::json;
use workbench::{Arimaa, Catalogues, EngineRequest, RequestError, WrongUse};

use super::{data, read_model};
use crate::Exit;
use crate::shared::checkpoint::checkpoint_of;
use crate::shared::numbers::threads;
use crate::shared::output::{standard, write_file};
use crate::shared::progress::{self, Teller};

/// Finds positions that a model itself would choose, with scores, for `tusk learn logistic`.
///
/// From positions of games, one side is played by the model and the other by Tusk's own evaluation, as with `drake depth=1`. The turns
/// that either likes best and some by chance are scored by a search. A model that learns from them no longer
/// overrates what it chooses; its own choices are then to be looked at again, some rounds long. What is told at the end is
/// how much worse the choices are than the best turn that was scored, in hundredths of a rabbit.
#[derive(clap::Args)]
#[command(
    after_help = "Example:\n  tusk learn successors games.tsv.gz --out round1.tsv --seed 1\n  tusk learn logistic round1.tsv --out round1.model\n  tusk learn successors games.tsv.gz --model round1.model --out round2.tsv --seed 2\n  tusk learn logistic round1.tsv round2.tsv --out round2.model"
)]
pub struct Arguments {
    /// Games, as for the other methods
    #[arg(required = true, value_name = "FILE")]
    games: Vec<String>,

    /// The table of positions
    #[arg(long, value_name = "TABLE")]
    pub(super) out: PathBuf,

    /// The model whose choices are scored [default: the one that is part of the program]
    #[arg(long, value_name = "MODEL")]
    model: Option<PathBuf>,

    /// From how many positions of games is played, chosen by chance
    #[arg(long, value_name = "N", default_value_t = 500, value_parser = clap::value_parser!(u32).range(1..))]
    positions: u32,

    /// How many turns are played from each
    #[arg(long, value_name = "N", default_value_t = 6, value_parser = clap::value_parser!(u16).range(1..))]
    turns: u16,

    /// Among how many turns by chance the best are looked for
    #[arg(long, value_name = "N", default_value_t = 1500, value_parser = clap::value_parser!(u32).range(1..))]
    tried: u32,

    /// How many of the best of each evaluation are scored
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u16).range(1..))]
    best: u16,

    /// How many turns by chance are scored
    #[arg(long, value_name = "N", default_value_t = 10)]
    random: u16,

    /// The engine whose scores are learned
    #[arg(long, value_name = "E", default_value = "tusk")]
    engine: String,

    /// How many positions it may enter for a score
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..))]
    nodes: u32,

    /// How many threads are used; nothing depends on it [default: all cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: Option<u16>,

    /// The seed of all choices by chance
    #[arg(long, value_name = "S", default_value_t = 0)]
    seed: u64,

    /// Go on where TABLE.checkpoint is
    #[arg(long)]
    resume: bool,

    /// Print one JSON object a line
    #[arg(long)]
    json: bool,
}

/// The columns of the table. `start` counts the positions from which was played, `chosen` says who would have played that turn:
/// the model, Tusk's own evaluation (`hand`), `both` or neither (`-`).
const HEADER: &str = "position\tscore\tgame\tparent\tstart\tchosen\n";

/// Scores of tables are thousandths of a rabbit.
const UNIT: i32 = 10;

/// The size of the labeller's tables. The positions of one start share them.
const MEBIBYTES: usize = 4;

/// A position from which is played.
struct Start {
    position: Position,
    /// The key of its game.
    game: u64,
}

pub fn run(arguments: &Arguments, catalogues: &Catalogues) -> anyhow::Result<Exit> {
    let model = match &arguments.model {
        Some(path) => read_model(path)?,
        None => FunctionModel::clone(&FunctionModel::embedded()),
    };
    labeller(catalogues, &arguments.engine)?;
    let starts = starts(arguments)?;
    let mut table = Table::open(&arguments.out, arguments.resume)?;
    let bar = progress::bar_from(table.starts, starts.len(), "positions");
    let teller = Teller::new(&bar);
    let threads = threads(arguments.threads);
    while table.starts < starts.len() {
        let numbers = table.starts..starts.len().min(table.starts + 4 * threads);
        let found = arguments.play(catalogues, &model, &starts, numbers.clone(), threads)?;
        for (number, siblings) in numbers.zip(&found) {
            table.add(number, &starts[number], siblings)?;
        }
        bar.set_position(table.starts as u64);
        teller.tell(format!("{} positions of {}", table.starts, starts.len()));
    }
    bar.finish_and_clear();
    tell(&table.finish(&arguments.out)?, arguments.json)
}

/// Tells how many positions there are, and how good the choices among them.
fn tell(text: &str, json: bool) -> anyhow::Result<Exit> {
    let Choices { positions, parents, regret, regret_by_hand } = Choices::of(text);
    let mut out = standard();
    match json {
        true => {
            let summary = json!({
                "summary": true,
                "positions": positions,
                "parents": parents,
                "regret": regret,
                "regret_by_hand": regret_by_hand,
            });
            writeln!(out, "{summary}")?;
        }
        false => writeln!(
            out,
            "{positions} positions after turns from {parents}; regret of the model {regret:.1}, of Tusk's own evaluation {regret_by_hand:.1}"
        )?,
    }
    Ok(Exit::Done)
}

/// An engine that scores positions. One of the catalogue does without the search for forced wins, which would take longer than
/// a thousand nodes; a file says itself what is to be set.
fn labeller(catalogues: &Catalogues, name: &str) -> anyhow::Result<Box<dyn Engine<Game>>> {
    let wrong = |error: RequestError| WrongUse::value("--engine <E>", name, &error.to_string());
    let mut configuration =
        EngineRequest::new(name).resolve::<Arimaa>(&catalogues.arimaa).map_err(wrong)?;
    let entry = configuration.entry();
    if entry.name == name && entry.parameter("threat_search").is_some() {
        configuration.set("threat_search", "0")?;
    }
    configuration.threads = 1;
    configuration.memory = configuration.memory.min(MEBIBYTES);
    Ok(Box::new(configuration.build()?))
}

/// Positions of the games by chance.
fn starts(arguments: &Arguments) -> anyhow::Result<Vec<Start>> {
    let mut starts = Vec::new();
    for (game, key) in data::readable_games(&arguments.games)? {
        starts.extend(
            game.played_turns().map(|(position, _)| Start { position: *position, game: key }),
        );
    }
    if starts.is_empty() {
        bail!("there is no position to play from: give games with turns after the setups");
    }
    starts.shuffle(&mut ChaCha8Rng::seed_from_u64(arguments.seed));
    starts.truncate(arguments.positions as usize);
    Ok(starts)
}

impl Arguments {
    /// Plays from the starts with these numbers, each by its own chance.
    fn play(
        &self,
        catalogues: &Catalogues,
        model: &FunctionModel,
        starts: &[Start],
        numbers: Range<usize>,
        threads: usize,
    ) -> anyhow::Result<Vec<Vec<Siblings>>> {
        let settings = SuccessorSettings {
            turns: self.turns.into(),
            tried: self.tried as usize,
            best: self.best.into(),
            random: self.random.into(),
            nodes: self.nodes.into(),
        };
        let finder = || {
            let engine = labeller(catalogues, &self.engine)?;
            anyhow::Ok(SuccessorFinder::new(settings, model, engine))
        };
        let play = |finder: &mut anyhow::Result<SuccessorFinder>, index: usize| {
            let finder = finder.as_mut().map_err(|error| anyhow!("{error:#}"))?;
            let number = numbers.start + index;
            let seed = fnv1a(format!("{} {number}", self.seed).as_bytes());
            Ok(finder.play_on(&starts[number].position, seed))
        };
        in_parallel(numbers.len(), threads, finder, play).into_iter().collect()
    }
}

/// The table as it grows: its checkpoint takes its place when it is done.
struct Table {
    draft: PathBuf,
    file: File,
    /// How many starts it has.
    starts: usize,
}

impl Table {
    /// A new one, or the one that was begun.
    fn open(out: &Path, resume: bool) -> anyhow::Result<Table> {
        let draft = checkpoint_of(out);
        let name = || draft.display().to_string();
        let (text, starts) = match resume {
            true => whole_starts(&read_text_within(&draft, LONGEST_FILE).with_context(name)?)
                .with_context(|| format!("{}: this is no checkpoint", name()))?,
            false => (HEADER.to_string(), 0),
        };
        write_file(&draft, text)?;
        let file = File::options().append(true).open(&draft).with_context(name)?;
        Ok(Table { draft, file, starts })
    }

    fn add(&mut self, number: usize, start: &Start, played: &[Siblings]) -> anyhow::Result<()> {
        let mut rows = String::new();
        for Siblings { parent, successors, by_model, by_hand } in played {
            for (place, Successor { position, score }) in successors.iter().enumerate() {
                let chosen = match (place == *by_model, place == *by_hand) {
                    (true, true) => "both",
                    (true, false) => "model",
                    (false, true) => "hand",
                    (false, false) => "-",
                };
                let (score, game) = (score.0 * UNIT, start.game);
                rows +=
                    &format!("{position}\t{score}\t{game:016x}\t{parent}\t{number}\t{chosen}\n");
            }
        }
        self.file.write_all(rows.as_bytes()).with_context(|| self.draft.display().to_string())?;
        self.starts = number + 1;
        Ok(())
    }

    /// Puts the table in its place. Gives its text.
    fn finish(self, out: &Path) -> anyhow::Result<String> {
        drop(self.file);
        let text = read_text_within(&self.draft, LONGEST_FILE)
            .with_context(|| self.draft.display().to_string())?;
        fs::rename(&self.draft, out).with_context(|| out.display().to_string())?;
        Ok(text)
    }
}

/// The rows of a table that was not finished, without those of the last start, which may not be whole; and how many starts that
/// are. Nothing, if it is no such table.
fn whole_starts(text: &str) -> Option<(String, usize)> {
    let rows = text.strip_prefix(HEADER)?;
    let start = |row: &str| row.split('\t').nth(4)?.parse::<usize>().ok();
    let complete = rows.split_inclusive('\n').filter(|row| row.ends_with('\n'));
    let last = complete.clone().filter_map(start).next_back().unwrap_or(0);
    let kept = complete.filter(|row| start(row).is_some_and(|start| start < last));
    Some((std::iter::once(HEADER).chain(kept).collect(), last))
}

/// How good choices are.
#[derive(PartialEq, Debug)]
struct Choices {
    positions: usize,
    parents: usize,
    /// By how much the best score among the successors of a position is better than that of the model's choice, in hundredths of a
    /// rabbit, on average.
    regret: f64,
    /// The same for Tusk's own evaluation.
    regret_by_hand: f64,
}

impl Choices {
    /// Those of a table, in which siblings follow one another.
    fn of(text: &str) -> Choices {
        let rows = text.lines().skip(1).filter_map(|row| {
            let cells: Vec<&str> = row.split('\t').collect();
            let score: i32 = cells.get(1)?.parse().ok()?;
            Some((
                (cells.get(3).copied()?, cells.get(4).copied()?),
                score / UNIT,
                cells.get(5).copied()?,
            ))
        });
        let rows: Vec<((&str, &str), i32, &str)> = rows.collect();
        let (mut parents, mut regrets) = (0, [0.0; 2]);
        for siblings in rows.chunk_by(|one, other| one.0 == other.0) {
            parents += 1;
            // The lower the score of the opponent, the better.
            let best = siblings.iter().map(|row| row.1).min().unwrap_or(0);
            for (regret, name) in regrets.iter_mut().zip(["model", "hand"]) {
                let choice = siblings.iter().find(|row| row.2 == name || row.2 == "both");
                *regret += choice.map_or(0.0, |row| f64::from(row.1 - best));
            }
        }
        let [regret, regret_by_hand] = regrets.map(|sum| sum / parents.max(1) as f64);
        Choices { positions: rows.len(), parents, regret, regret_by_hand }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(rows: &[&str]) -> String {
        HEADER.to_string() + &rows.iter().map(|row| format!("{row}\n")).collect::<String>()
    }

    #[test]
    fn the_last_start_of_a_table_that_was_not_finished_is_played_again() {
        let whole = table(&["p\t10\tg\tq\t0\t-", "p\t20\tg\tq\t1\tboth"]);
        let cut = &format!("{whole}p\t30\tg\tq\t1\tmo");
        assert_eq!(whole_starts(cut), Some((table(&["p\t10\tg\tq\t0\t-"]), 1)));
        assert_eq!(whole_starts(HEADER), Some((HEADER.to_string(), 0)));
        assert_eq!(whole_starts("position\tscore\n"), None);
    }

    #[test]
    fn regret_is_what_a_choice_lacks_of_the_best_of_its_siblings() {
        let text = table(&[
            "p\t-500\tg\tq\t0\t-",
            "p\t-300\tg\tq\t0\tmodel",
            "p\t0\tg\tq\t0\thand",
            "p\t70\tg\tr\t0\tboth",
        ]);
        let expected = Choices { positions: 4, parents: 2, regret: 10.0, regret_by_hand: 25.0 };
        assert_eq!(Choices::of(&text), expected);
    }
}
