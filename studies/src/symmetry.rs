//! Whether it pays to know a position of Tzaar however the board is turned.

use std::ops::ControlFlow;
use std::time::Duration;

use game::{History, Key, Score, Side, Steps};
use search::{
    AlphaBeta, DfPn, Evaluator, InitialProofNumbers, Limits, Parameters, ProofNumberHeuristics,
    StepOrdering, Stop, Tactics, Task, TurnStructure,
};
use tzaar::{Position, Step, Symmetry};
use tzaar_ai::{Heuristics, proof_parameters};

/// From how many stacks down proofs are looked for.
const FEW_STACKS: usize = 29;

/// What the tables take, in MiB.
const MEBIBYTES: usize = 64;

/// How far positions are searched.
#[derive(Clone, Copy)]
pub struct Reach {
    /// The depth of alpha-beta.
    pub depth: Steps,
    /// How many positions a search for a proof may enter.
    pub nodes: u64,
}

/// What a search took.
#[derive(Clone, Copy, Default)]
pub struct Cost {
    /// How many positions it entered.
    pub nodes: u64,
    /// How long it took.
    pub time: Duration,
}

impl std::ops::AddAssign for Cost {
    fn add_assign(&mut self, other: Cost) {
        self.nodes += other.nodes;
        self.time += other.time;
    }
}

/// By how many of the twelve symmetries the board of a position is like itself.
pub fn symmetries(position: &Position) -> usize {
    let like_itself =
        |symmetry: &Symmetry| position.board().seen_by(*symmetry) == *position.board();
    Symmetry::all().filter(like_itself).count()
}

impl Reach {
    /// What it takes with a table that knows a position by itself, and with one that knows it however the board is turned or
    /// mirrored.
    pub fn search_both(&self, position: &Position) -> [Cost; 2] {
        let plain = self.search(position, &Heuristics::default());
        [plain, self.search(&Turned::new(*position), &Turned::heuristics())]
    }

    /// What a search takes.
    fn search<P, H>(&self, position: &P, heuristics: &H) -> Cost
    where
        P: game::Position<Step = Step> + Stacks + Sync,
        H: ProofNumberHeuristics<P>,
    {
        let (past, stop) = (History::default(), Stop::new());
        if position.stacks() <= FEW_STACKS {
            let limits = Limits { nodes: Some(self.nodes), ..Limits::default() };
            let task = Task { position, past: &past, heuristics, limits, stop: &stop };
            let found = DfPn::new(proof_parameters(MEBIBYTES)).solve(&task, |_| ());
            return Cost { nodes: found.nodes, time: found.time };
        }
        let limits = Limits::depth(self.depth);
        let task = Task { position, past: &past, heuristics, limits, stop: &stop };
        let report = AlphaBeta::new(Parameters::default(), MEBIBYTES).search(&task, |_| ());
        report.map_or(Cost::default(), |report| Cost { nodes: report.nodes, time: report.time })
    }
}

/// What has stacks.
trait Stacks {
    fn stacks(&self) -> usize;
}

impl Stacks for Position {
    fn stacks(&self) -> usize {
        self.board().stacks()
    }
}

impl Stacks for Turned {
    fn stacks(&self) -> usize {
        self.position.stacks()
    }
}

/// A position that is known however the board is turned.
#[derive(Clone, Copy)]
struct Turned {
    position: Position,
    key: Key,
}

/// What is known of it.
struct TurnedHeuristics(Heuristics);

impl Turned {
    fn new(position: Position) -> Turned {
        Turned { position, key: position.common_key() }
    }

    fn heuristics() -> TurnedHeuristics {
        TurnedHeuristics(Heuristics::default())
    }
}

impl game::Position for Turned {
    type Step = Step;

    fn side(&self) -> Side {
        self.position.side()
    }

    fn turn_starts(&self) -> bool {
        self.position.turn_starts()
    }

    fn for_each_step(&self, visit: impl FnMut(Step) -> ControlFlow<()>) -> ControlFlow<()> {
        self.position.for_each_step(visit)
    }

    fn cost(&self, step: Step) -> Steps {
        self.position.cost(step)
    }

    fn is_idle(&self) -> bool {
        self.position.is_idle()
    }

    fn play(&mut self, step: Step) {
        self.position.play(step);
        self.key = self.position.common_key();
    }

    fn key(&self) -> Key {
        self.key
    }

    fn winner(&self) -> Option<Side> {
        self.position.winner()
    }
}

impl Evaluator<Turned> for TurnedHeuristics {
    type State = ();
    type Cache = ();

    fn state(&self, _: &Turned) {}

    fn evaluate(&self, turned: &Turned, (): &(), (): &mut ()) -> Score {
        self.0.evaluator.evaluate(&turned.position)
    }
}

impl Tactics<Turned> for TurnedHeuristics {
    type Scratch = ();

    fn winning_steps(&self, turned: &Turned) -> Option<Vec<Step>> {
        self.0.winning_steps(&turned.position)
    }

    fn wins(&self, turned: &Turned) -> bool {
        self.0.wins(&turned.position)
    }
}

impl StepOrdering<Turned> for TurnedHeuristics {
    fn ordering_score(&self, turned: &Turned, step: Step) -> i32 {
        self.0.ordering_score(&turned.position, step)
    }

    fn is_quiet(&self, turned: &Turned, step: Step) -> bool {
        self.0.is_quiet(&turned.position, step)
    }
}

impl TurnStructure<Turned> for TurnedHeuristics {
    const WHOLE_TURN: Steps = <Heuristics as TurnStructure<Position>>::WHOLE_TURN;

    fn has_twin(&self, turned: &Turned, step: Step) -> bool {
        self.0.has_twin(&turned.position, step)
    }

    fn null_move(&self, turned: &Turned) -> Option<Turned> {
        self.0.null_move(&turned.position).map(Turned::new)
    }
}

impl InitialProofNumbers<Turned> for TurnedHeuristics {
    fn initial_numbers(&self, turned: &Turned) -> (u32, u32) {
        self.0.initial_numbers(&turned.position)
    }
}
