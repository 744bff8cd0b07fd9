use arimaa::{Game, Position, Step, Turn};
use search::{AlphaBeta, Limits, Parameters, Report, Stop, Task};

use crate::Sense;

/// An alpha-beta player.
#[derive(Debug)]
pub struct Player {
    search: AlphaBeta<Step>,
    sense: Sense,
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
        Player { search, sense: Sense::default() }
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
        let position = game.position();
        let past = game.history();
        let task = Task { position, past, knowledge: &self.sense, limits, stop };
        let report = self.search.search(&task, tell)?;
        let turn = first_turn(position, &report.line);
        Some(Choice { turn, report })
    }
}

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
