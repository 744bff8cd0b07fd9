use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Instant;

use engine::{Engine, Limits, Stop};
use game::{Game, Steps};
use process::{Failure, Fault};

use crate::{Budget, Player, Reply, Start, Thought};

/// An engine in this process. It is told the game and answers with an action; no text is between.
pub struct EnginePlayer<G: Game> {
    identity: String,
    engine: Box<dyn Engine<G>>,
    stop: Stop,
}

impl<G: Game> EnginePlayer<G> {
    /// An engine that calls itself so.
    pub fn new(identity: String, engine: Box<dyn Engine<G>>) -> EnginePlayer<G> {
        EnginePlayer { identity, engine, stop: Stop::new() }
    }
}

impl Budget {
    /// What an engine in this process is told: nobody is between it and the clock, so that it can use
    /// all of a fixed time.
    pub fn limits(&self) -> Limits {
        let depth = self.time.depth.map(Steps);
        let limits = match (self.time.fixed_time(), self.time.control) {
            (Some(time), _) => Limits { depth, ..Limits::time(time) },
            (None, Some(control)) => self.clocks.clock(control).limits(depth),
            (None, None) => Limits { depth, ..Limits::default() },
        };
        Limits { nodes: self.time.nodes, ..limits }
    }
}

impl<G: Game> Player<G> for EnginePlayer<G> {
    fn identity(&self) -> String {
        self.identity.clone()
    }

    fn begin(&mut self, start: &Start<G>) -> Result<(), Failure> {
        self.engine.new_game();
        self.engine.set_seed(start.seed);
        self.stop = start.stop.clone();
        Ok(())
    }

    fn think(&mut self, game: &G, budget: &Budget) -> Result<Thought<G::Action>, Failure> {
        let began = Instant::now();
        let limits = budget.limits();
        let analysed = catch_unwind(AssertUnwindSafe(|| {
            self.engine.analyse(game, &limits, &self.stop, &mut |_| ())
        }));
        // An engine that panics has crashed: it loses the game, and the match goes on.
        let crashed = |_| Failure::new(Fault::Crash, "the engine panicked");
        let info = analysed.map_err(crashed)?;
        let time = began.elapsed();
        let best = info.as_ref().and_then(|info| info.best().copied());
        // A setup or a move by chance has no verdict: nothing was searched.
        let searched = info.as_ref().filter(|info| info.verdict().is_some());
        Ok(Thought {
            reply: best.map_or(Reply::Resign, Reply::Play),
            time,
            score: searched.and_then(|info| info.verdict()).map(|verdict| verdict.as_score().0),
            depth: searched.map(|info| u32::from(info.depth.0)),
            nodes: searched.map(|info| info.nodes),
        })
    }
}
