//! The progress of a line of generations.

use std::time::Instant;

use indicatif::ProgressBar;
use learn::generation::{Event, Step, Watcher};

use crate::shared::output::say;
use crate::shared::progress;

/// A bar for each step on a terminal, and lines elsewhere.
pub struct Progress {
    json: bool,
    bar: ProgressBar,
    begun: Instant,
    positions: usize,
}

impl Progress {
    pub fn new(json: bool) -> Progress {
        Progress { json, bar: ProgressBar::hidden(), begun: Instant::now(), positions: 0 }
    }

    fn begin(&mut self, bar: ProgressBar) {
        self.bar.finish_and_clear();
        (self.bar, self.begun, self.positions) = (bar, Instant::now(), 0);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

impl Watcher for Progress {
    fn tell(&mut self, event: Event) {
        match event {
            Event::Begin { generation, step } => {
                self.begin(ProgressBar::hidden());
                let what = match step {
                    Step::Selfplay => "self-play",
                    Step::Train => "training",
                    Step::Gate => "match against the best net",
                };
                if !self.json {
                    say!("generation {generation}: {what}");
                }
            }
            Event::Games { done, total } => {
                self.begin(progress::bar_from(done as usize, total as usize, "games"));
            }
            Event::Game { positions } => {
                self.positions += positions;
                let rate = self.positions as f64 / self.begun.elapsed().as_secs_f64().max(1e-9);
                self.bar.set_message(format!("({rate:.0} positions a second)"));
                self.bar.inc(1);
            }
            Event::EpochBegins { batches } => self.begin(progress::bar(batches, "batches")),
            Event::Batch => self.bar.inc(1),
            Event::Epoch(row) => {
                if !self.json {
                    let (epoch, loss, validation) = (row.epoch, row.loss, row.validation);
                    self.bar.suspend(|| {
                        say!("epoch {epoch:>3}: loss {loss:.6}, validation {validation:.6}");
                    });
                }
            }
            Event::GateGames { done, most } => {
                self.begin(progress::bar_from(done as usize, most as usize, "games"));
            }
            Event::GateGame(standing) => {
                let score = standing.pairs.estimate().map_or(50.0, |it| 100.0 * it.score);
                self.bar.set_message(format!("({score:.1} %, llr {:.2})", standing.llr));
                self.bar.inc(1);
            }
        }
    }
}
