//! Engines behind the Arimaa Engine Interface.

use std::time::Duration;

use aei::Controller;
use arena::{Budget, Clocks, Player, Reply, Start, Thought, TimeSettings};
use clock::TimeControl;
use game::{Game, Side};
use process::{Failure, Fault, Program, Timeouts};

/// An engine that speaks the Arimaa Engine Interface, and how to deal with it.
#[derive(Clone, PartialEq, Debug)]
pub struct AeiEngine {
    /// What to run.
    pub program: Program,
    /// Options of its own, set last at the beginning of each game.
    pub options: Vec<(String, String)>,
    /// How it hears of the game.
    pub feed: Feed,
    /// Whether it knows the option `seed`, which is Tusk's own.
    pub seeded: bool,
    /// How long it is waited for.
    pub timeouts: Timeouts,
}

/// How an engine hears of the game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Feed {
    /// By `setposition` if the game does not begin at the very start, then by its turns.
    #[default]
    Auto,
    /// By turns alone: some engines take no notice of the side in `setposition`.
    Moves,
}

impl AeiEngine {
    /// An engine about which nothing special is known.
    pub fn new(program: Program) -> AeiEngine {
        AeiEngine {
            program,
            options: Vec::new(),
            feed: Feed::default(),
            seeded: false,
            timeouts: Timeouts::default(),
        }
    }
}

/// A player behind the Arimaa Engine Interface.
///
/// One process plays any number of games, and ends when this is dropped.
pub struct AeiPlayer {
    engine: AeiEngine,
    controller: Controller,
}

impl AeiPlayer {
    /// Runs the engine, and waits until it is ready.
    pub fn start(engine: AeiEngine) -> Result<AeiPlayer, Failure> {
        let controller = Controller::start(&engine.program, engine.timeouts)?;
        Ok(AeiPlayer { engine, controller })
    }

    fn tell_options<G: Game>(&mut self, start: &Start<G>) {
        if let Some(control) = &start.time.control {
            self.tell_control(control);
        }
        let TimeSettings { depth, nodes, .. } = start.time;
        if let Some(depth) = depth {
            self.controller.set_option("depth", depth);
        }
        if let Some(nodes) = nodes {
            self.controller.set_option("nodes", nodes);
        }
        if self.engine.seeded {
            self.controller.set_option("seed", start.seed);
        }
        self.controller.set_option("opponent", &start.opponent);
        self.controller.set_option("rated", 0);
        for (name, value) in &self.engine.options {
            self.controller.set_option(name, value);
        }
    }

    /// The time control, exactly as it is: split seconds are rare, and to round a limit down to
    /// zero would lift it.
    fn tell_control(&mut self, control: &TimeControl) {
        let mut tell = |name, time: Duration| self.controller.set_option(name, time.as_secs_f64());
        tell("tcmove", control.per_move);
        tell("tcreserve", control.reserve);
        tell("tcmax", control.max_reserve.unwrap_or_default());
        tell("tctotal", control.total.unwrap_or_default());
        tell("tcturntime", control.turn_time.unwrap_or_default());
        self.controller.set_option("tcpercent", control.percent);
        self.controller.set_option("tcturns", control.turns.unwrap_or_default());
    }

    /// What the clocks say, in whole seconds, as engines know it from the server. Those that speak the version
    /// before the first one have other names for it.
    fn tell_clocks(&mut self, clocks: &Clocks) {
        let old = self.controller.version() == 0;
        let last = clocks.used[!clocks.side];
        let times = [
            ("greserve", "wreserve", clocks.reserves[Side::First]),
            ("sreserve", "breserve", clocks.reserves[Side::Second]),
            ("gused", "wused", clocks.used[Side::First]),
            ("sused", "bused", clocks.used[Side::Second]),
            ("lastmoveused", "tclastmoveused", last),
            ("moveused", "tcmoveused", Duration::ZERO),
        ];
        for (name, old_name, time) in times {
            if old {
                self.controller.set_option(old_name, time.as_secs());
            }
            self.controller.set_option(name, time.as_secs());
        }
    }
}

impl<G: Game> Player<G> for AeiPlayer {
    fn identity(&self) -> String {
        let identity = self.controller.identity();
        format!("{} {}", identity.name, identity.version).trim().to_string()
    }

    fn begin(&mut self, start: &Start<G>) -> Result<(), Failure> {
        if self.engine.feed == Feed::Moves && start.origin.is_some() {
            let detail = "the engine is told moves alone, but the game begins at a position: \
                          begin it with turns from the very start, or let the engine be told positions";
            return Err(self.controller.fail(Fault::Start, detail));
        }
        self.tell_options(start);
        self.controller.new_game();
        if let Some(origin) = &start.origin {
            self.controller.set_position(&origin.to_string());
        }
        for turn in start.game.turns() {
            self.controller.make_move(&turn);
        }
        self.controller.ready()
    }

    fn played(&mut self, _action: G::Action, text: &str) -> Result<(), Failure> {
        self.controller.make_move(text);
        Ok(())
    }

    fn think(&mut self, game: &G, budget: &Budget) -> Result<Thought<G::Action>, Failure> {
        if budget.time.control.is_some() {
            self.tell_clocks(&budget.clocks);
        }
        let found = self.controller.go(budget.latest)?;
        Ok(Thought {
            reply: Reply::read(game, &found.turn),
            time: found.time,
            score: found.score,
            depth: found.depth,
            nodes: found.nodes,
        })
    }
}
