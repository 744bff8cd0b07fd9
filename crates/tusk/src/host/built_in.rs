//! An engine of this program, in this process.

use std::time::Instant;

use arena::{Answer, Budget, Failure, Fault, Player, Start, Thought};
use arimaa::{Army, Game, Position};
use game::Steps;
use search::{Limits, Stop};

use crate::engine::Mind;

/// An engine of this program, in this process.
pub struct BuiltIn {
    name: String,
    mind: Box<dyn Mind>,
    game: Game,
}

impl BuiltIn {
    pub fn new(name: String, mind: Box<dyn Mind>) -> BuiltIn {
        BuiltIn { name, mind, game: Game::new() }
    }

    fn limits(&self, budget: &Budget) -> Limits {
        let depth = budget.pace.depth.map(Steps);
        let limits = match (budget.pace.fixed_time(), budget.pace.control) {
            // Nobody is between us and the clock: all of the time can be used.
            (Some(time), _) => Limits { depth, ..Limits::time(time) },
            (None, Some(control)) => budget.clocks.clock(control).limits(depth),
            (None, None) => Limits { depth, ..Limits::default() },
        };
        Limits { nodes: budget.pace.nodes, ..limits }
    }
}

impl Player for BuiltIn {
    fn identity(&self) -> String {
        format!("Tusk {} {}", self.name, env!("CARGO_PKG_VERSION"))
    }

    fn begin(&mut self, start: &Start) -> Result<(), Failure> {
        self.mind.new_game();
        // An engine without random choices does not know it.
        let _ = self.mind.set_option("seed", &start.seed.to_string());
        self.game = match &start.origin {
            None => Game::new(),
            Some(text) => {
                let position: Result<Position, _> = text.parse();
                aei::game_at(&position.map_err(|error| not_understood(&error.to_string()))?)
            }
        };
        start.turns.iter().try_for_each(|turn| self.played(turn))
    }

    fn played(&mut self, turn: &str) -> Result<(), Failure> {
        let played = self.game.play_text(turn, Army::Handicap);
        played.map_err(|fault| not_understood(&fault.to_string()))
    }

    fn think(&mut self, budget: &Budget) -> Result<Thought, Failure> {
        let began = Instant::now();
        let limits = self.limits(budget);
        let choice = self.mind.think(&self.game, &limits, &Stop::new(), &mut |_| ());
        let time = began.elapsed();
        let answer = match choice {
            aei::Choice::Play(_) => Answer::Play(choice.notation(&self.game)),
            aei::Choice::Resign => Answer::Resign,
        };
        let found = self.mind.found();
        Ok(Thought {
            answer,
            time,
            score: found.map(|found| aei::told_score(found.verdict).0),
            depth: found.map(|found| u32::from(found.depth.0)),
            nodes: found.map(|found| found.nodes),
        })
    }
}

/// What the referee allowed and the engine does not: they share the rules, so that it cannot be.
fn not_understood(fault: &str) -> Failure {
    Failure::new(Fault::Protocol, fault)
}
