//! An engine of this program, in this process.

use std::time::Instant;

use arena::{Answer, Budget, Failure, Fault, Player, Start, Thought};
use game::Steps;
use search::{Limits, Stop};

use crate::engine::Mind;
use crate::sport::{Army, Course, Sport};

/// An engine of this program, in this process.
pub struct BuiltIn<S: Sport> {
    name: String,
    mind: Box<dyn Mind<S>>,
    /// None before the first game.
    game: Option<S::Game>,
}

impl<S: Sport> BuiltIn<S> {
    pub fn new(name: String, mind: Box<dyn Mind<S>>) -> BuiltIn<S> {
        BuiltIn { name, mind, game: None }
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

impl<S: Sport> Player for BuiltIn<S> {
    fn identity(&self) -> String {
        format!("Tusk {} {}", self.name, env!("CARGO_PKG_VERSION"))
    }

    fn begin(&mut self, start: &Start) -> Result<(), Failure> {
        self.mind.new_game();
        // An engine without random choices does not know it.
        let _ = self.mind.set_option("seed", &start.seed.to_string());
        let begun = S::Game::begin(start.origin.as_deref().unwrap_or_default());
        self.game = Some(begun.map_err(not_understood)?.0);
        start.turns.iter().try_for_each(|turn| self.played(turn))
    }

    fn played(&mut self, turn: &str) -> Result<(), Failure> {
        let game = self.game.as_mut().ok_or_else(not_begun)?;
        game.play(turn, Army::Handicap).map_err(not_understood)
    }

    fn think(&mut self, budget: &Budget) -> Result<Thought, Failure> {
        let began = Instant::now();
        let limits = self.limits(budget);
        let game = self.game.as_ref().ok_or_else(not_begun)?;
        let action = self.mind.think(game, &limits, &Stop::new(), &mut |_| ());
        let time = began.elapsed();
        let answer = action.map_or(Answer::Resign, |action| Answer::Play(game.notation(action)));
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
fn not_understood(fault: String) -> Failure {
    Failure::new(Fault::Protocol, fault)
}

fn not_begun() -> Failure {
    not_understood("no game has begun".to_string())
}
