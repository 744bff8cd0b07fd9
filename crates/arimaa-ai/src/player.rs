use std::time::{Duration, Instant};

use arimaa::{Game, Position, Reached, Step, Turn};
use game::{Proof, Steps, Turns};
use search::{AlphaBeta, Limits, Parameters, Report, Stop, Task, Verdict};

use crate::{Sense, Tactician, win};

/// An alpha-beta player.
#[derive(Debug)]
pub struct Player {
    search: AlphaBeta<Step>,
    sense: Sense,
    tactician: Tactician,
}

/// A turn that was chosen, and why.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Choice {
    /// The turn.
    pub turn: Turn,
    /// What the search has found.
    pub report: Report<Step>,
}

impl Player {
    /// A player whose table has that many MiB.
    pub fn new(parameters: Parameters, mebibytes: usize, threads: usize) -> Player {
        let mut search = AlphaBeta::new(parameters, mebibytes);
        search.threads = threads;
        Player { search, sense: Sense::default(), tactician: Tactician::new() }
    }

    /// Forgets what it has found in earlier positions.
    pub fn forget(&mut self) {
        self.search.clear();
    }

    /// Chooses a turn in a game that goes on; nothing if it was stopped before it had found one.
    pub fn choose(
        &mut self,
        game: &Game,
        limits: Limits,
        stop: &Stop,
        tell: impl FnMut(&Report<Step>),
    ) -> Option<Choice> {
        if let Some(choice) = self.win_in_two(game, limits, stop) {
            return Some(choice);
        }
        let position = game.position();
        let past = game.history();
        let task = Task { position, past, knowledge: &self.sense, limits, stop };
        let report = self.search.search(&task, tell)?;
        let turn = first_turn(position, &report.line);
        Some(Choice { turn, report })
    }
}

impl Player {
    /// A turn after which the enemy is lost, found without a search.
    fn win_in_two(&mut self, game: &Game, limits: Limits, stop: &Stop) -> Option<Choice> {
        let begin = Instant::now();
        let (board, side) = (game.position().board(), game.position().side());
        if win(board, side, game.position().steps_left()).is_some() {
            return None;
        }
        let is_allowed = |reached: &Reached| game.history().count(reached.key) < 2;
        // A look of its own, not the whole of the time.
        let most = limits.hard.unwrap_or(Duration::MAX) / 3;
        let must_stop = || stop.is_requested() || begin.elapsed() > most;
        let turn = self.tactician.win_in_two(board, side, is_allowed, must_stop)?;
        let report = Report {
            depth: WHOLE_TURN,
            verdict: Verdict::Proof(Proof::Win(Turns(2))),
            line: turn.steps().collect(),
            nodes: 0,
            time: begin.elapsed(),
        };
        Some(Choice { turn, report })
    }
}

const WHOLE_TURN: Steps = Steps(4);

/// The steps of a line that belong to the turn of the position.
pub fn first_turn(position: &Position, line: &[Step]) -> Turn {
    let mut after = *position;
    let mut turn = Turn::EMPTY;
    for &step in line {
        if step == Step::PASS {
            break;
        }
        turn = turn.then(step);
        after.play_unchecked(step);
        if after.side() != position.side() {
            break;
        }
    }
    turn
}
