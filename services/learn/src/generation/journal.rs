//! The journal of a line of generations: the record of finished steps, from which the line resumes.

use std::path::Path;

use arena::Pairs;
use serde::{Deserialize, Serialize};

use super::setups::SetupWeights;
use super::{GenerationError, Settings};
use crate::json_lines::JsonLines;

/// A part of the work on a generation.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Step {
    /// Games of the best net against itself.
    Selfplay,
    /// A net from the games of a window of generations.
    Train,
    /// A match of that net against the best one.
    Gate,
}

impl Step {
    /// All of them, in their order.
    pub const ALL: [Step; 3] = [Step::Selfplay, Step::Train, Step::Gate];
}

/// A line of the journal.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "row", rename_all = "lowercase")]
pub enum Row {
    /// A generation began.
    Begin {
        /// Its number.
        generation: u16,
        /// The generation whose net plays its games.
        best: u16,
        /// How it is made.
        settings: Settings,
    },
    /// Some time of a step has passed.
    Spent {
        /// The generation.
        generation: u16,
        /// The step.
        step: Step,
        /// How long.
        seconds: f64,
        /// On how many threads.
        threads: usize,
    },
    /// All games of self-play are there.
    Played(Played),
    /// The net is there.
    Trained(Trained),
    /// A game of the gate was played.
    Game {
        /// The generation.
        generation: u16,
        /// The number of the game.
        game: u32,
        /// 1 if the candidate won, -1 if it lost, 0 if the game was unfinished.
        score: i8,
    },
    /// The gate is decided.
    Gated(Gated),
}

/// The games of a generation.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Played {
    /// The generation.
    pub generation: u16,
    /// The games.
    pub games: u64,
    /// The positions that were searched.
    pub positions: u64,
    /// A sum over all shards.
    pub checksum: u32,
}

/// The net of a generation.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Trained {
    /// The generation.
    pub generation: u16,
    /// The positions that it was trained on, and those that validated it.
    pub samples: u64,
    /// The epochs of the training.
    pub epochs: usize,
    /// The least validation loss.
    pub validation: f64,
    /// A sum over the file of the net.
    pub checksum: u32,
    /// The weights of setups after these games.
    pub setups: SetupWeights,
}

/// How the gate of a generation ended.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Gated {
    /// The generation.
    pub generation: u16,
    /// Pairs of games that gave the candidate 0, ½, 1, 1½ and 2 points.
    pub pairs: [u64; 5],
    /// The log-likelihood ratio of the test.
    pub llr: f64,
    /// Whether the candidate is the best net from now on.
    pub accepted: bool,
}

impl Gated {
    /// The games that count.
    pub fn pairs(&self) -> Pairs {
        Pairs(self.pairs)
    }
}

/// The journal of a folder, and what it says.
#[derive(Debug)]
pub struct Journal {
    /// None, if the journal is another's to write.
    file: Option<JsonLines>,
    rows: Vec<Row>,
}

impl Journal {
    /// Opens a journal, or begins one.
    pub fn open(path: &Path) -> Result<Journal, GenerationError> {
        let opened = JsonLines::open(path);
        let (file, rows) = opened.map_err(|error| GenerationError::file(path, error))?;
        Ok(Journal { file: Some(file), rows })
    }

    /// Reads a journal that another process may write. Rows that are added are not written.
    pub fn read(path: &Path) -> Result<Journal, GenerationError> {
        let rows = JsonLines::read(path).map_err(|error| GenerationError::file(path, error))?;
        Ok(Journal { file: None, rows })
    }

    /// Adds a row.
    pub fn add(&mut self, row: Row) -> Result<(), GenerationError> {
        if let Some(file) = &mut self.file {
            let written = file.append(&row);
            written.map_err(|error| GenerationError::file(Path::new("journal.jsonl"), error))?;
        }
        self.rows.push(row);
        Ok(())
    }

    /// The first thing that rows say; later rows do not change what a generation has begun or come to.
    fn find<'a, T>(&'a self, choose: impl Fn(&'a Row) -> Option<T>) -> Option<T> {
        self.rows.iter().find_map(choose)
    }

    /// How a generation began: the generation of its best net, and its settings.
    pub fn begun(&self, number: u16) -> Option<(u16, &Settings)> {
        self.find(|row| match row {
            Row::Begin { generation, best, settings } if *generation == number => {
                Some((*best, settings))
            }
            _ => None,
        })
    }

    /// The games of a generation, once all are there.
    pub fn played(&self, number: u16) -> Option<Played> {
        self.find(|row| match row {
            Row::Played(played) if played.generation == number => Some(*played),
            _ => None,
        })
    }

    /// The training of a generation, once it is done.
    pub fn trained(&self, number: u16) -> Option<&Trained> {
        self.find(|row| match row {
            Row::Trained(trained) if trained.generation == number => Some(trained),
            _ => None,
        })
    }

    /// The gate of a generation, once it is decided.
    pub fn gated(&self, number: u16) -> Option<Gated> {
        self.find(|row| match row {
            Row::Gated(gated) if gated.generation == number => Some(*gated),
            _ => None,
        })
    }

    /// The finished games of a gate: numbers and scores for the candidate.
    pub fn gate_games(&self, number: u16) -> impl Iterator<Item = (u32, i8)> {
        self.rows.iter().filter_map(move |row| match row {
            Row::Game { generation, game, score } if *generation == number => Some((*game, *score)),
            _ => None,
        })
    }

    /// The seconds that a step took, and on how many threads at most.
    pub fn spent(&self, number: u16, wanted: Step) -> (f64, usize) {
        let spent = self.rows.iter().filter_map(|row| match row {
            Row::Spent { generation, step, seconds, threads }
                if (*generation, *step) == (number, wanted) =>
            {
                Some((*seconds, *threads))
            }
            _ => None,
        });
        spent.fold((0.0, 0), |(sum, most), (seconds, threads)| (sum + seconds, most.max(threads)))
    }

    /// The generations that are done.
    pub fn done(&self) -> u16 {
        (1..).find(|&number| self.gated(number).is_none()).unwrap_or(1) - 1
    }

    /// The generation of the best net before the gate of this one.
    pub fn best_before(&self, number: u16) -> u16 {
        let accepted =
            (1..number).rev().find(|&earlier| self.gated(earlier).is_some_and(|it| it.accepted));
        accepted.unwrap_or(0)
    }

    /// The weights of setups when this generation began: the newest ones, even if their net was rejected.
    pub fn setups_before(&self, number: u16) -> SetupWeights {
        let trained = (1..number).rev().find_map(|earlier| self.trained(earlier));
        trained.map(|trained| trained.setups.clone()).unwrap_or_default()
    }
}
