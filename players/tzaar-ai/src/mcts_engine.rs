use std::time::Instant;

use engine::{
    Engine, EvaluationTrace, Info, Limits, MOST_LINES, Sink, Stop, Traced, TreeView, Verdict,
};
use game::{History, Proof, Turns};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use search::{
    DfPn, Evaluator, InitialProofNumbers, Mcts, MctsParameters, Tactics, Task, TreeHeuristics,
};
use tzaar::{Game, Phase, Position, Step, Turn};

use crate::player::{placed, proof_limits, ready, whole_turn, won};
use crate::{Heuristics, TzaarPlayouts};

engine::parameters! {
    /// How an engine uses Monte-Carlo tree search.
    pub struct MctsOptions {
        time_percent: 100, 1..=100, "how much of its time it uses, in percent";
        proof_stacks: 27, 0..=60, "with so many stacks or fewer, a proof is looked for before the search; 0: never";
        proof_percent: 50, 1..=100, "how much of its time that may take, in percent";
        resign: 0, 0..=50, "below which chance to win it resigns, in percent; 0: never";
    }
}

/// The engine that plays by proof-number search where few stacks are left, else by Monte-Carlo tree search.
#[derive(Debug)]
pub struct MctsEngine<E> {
    /// How it uses its searches.
    pub options: MctsOptions,
    search: Mcts,
    /// Made when it is first asked for.
    prover: Option<DfPn<Step>>,
    mebibytes: usize,
    heuristics: TreeHeuristics<Heuristics<E>, TzaarPlayouts>,
    rng: ChaCha8Rng,
    /// Where the last search began.
    root: Option<Position>,
}

impl<E: Evaluator<Position> + InitialProofNumbers<Position>> MctsEngine<E> {
    /// A player whose tree and tables take that many MiB.
    pub fn new(
        evaluator: E,
        playouts: TzaarPlayouts,
        parameters: MctsParameters,
        mebibytes: usize,
        threads: usize,
    ) -> MctsEngine<E> {
        MctsEngine {
            options: MctsOptions::default(),
            search: Mcts::new(parameters, mebibytes.div_ceil(2), threads),
            prover: None,
            mebibytes,
            heuristics: TreeHeuristics { heuristics: Heuristics::new(evaluator), playouts },
            rng: ChaCha8Rng::seed_from_u64(0),
            root: None,
        }
    }

    /// Finds a turn at the start of one, in a game that goes on; nothing if it was stopped before it had found one.
    fn find(
        &mut self,
        position: &Position,
        limits: Limits,
        stop: &Stop,
        mut tell: impl FnMut(&Info<Step>),
    ) -> Option<Info<Step>> {
        let begin = Instant::now();
        let past = History::default();
        let limits = limits.share(self.options.time_percent as u32);
        let below = &self.heuristics.heuristics;
        if position.phase() == Phase::Placing {
            let task = Task { position, past: &past, heuristics: below, limits, stop };
            return Some(placed(&task, &mut self.rng));
        }
        if let Some(turn) = self.heuristics.winning_steps(position) {
            let verdict = Verdict::Proof(Proof::Win(Turns(1)));
            return Some(Info { nodes: 1, ..Info::without_search(Some(verdict), turn) });
        }
        let mut nodes = 0;
        if position.board().stacks() <= self.options.proof_stacks as usize && self.search.lines == 1
        {
            let prover = ready(&mut self.prover, self.mebibytes, self.search.threads);
            let limits = proof_limits(limits, self.options.proof_percent as u32);
            let task = Task { position, past: &past, heuristics: below, limits, stop };
            let found = prover.solve(&task, |_| ());
            nodes = found.nodes;
            if let Some(info) = won(found) {
                tell(&info);
                return Some(info);
            }
        }
        let elapsed = begin.elapsed();
        let limits = limits.less(nodes, elapsed);
        let task = Task { position, past: &past, heuristics: &self.heuristics, limits, stop };
        let seed = self.rng.next_u64();
        let info = self.search.search(&task, seed, |info| tell(&info.after(nodes, elapsed)))?;
        Some(info.after(nodes, elapsed))
    }
}

impl<E> Engine<Game> for MctsEngine<E>
where
    E: Evaluator<Position, State: Send> + InitialProofNumbers<Position> + Traced<Position> + Send,
{
    fn analyse(
        &mut self,
        game: &Game,
        limits: &Limits,
        stop: &Stop,
        sink: &mut Sink<Game>,
    ) -> Option<Info<Turn>> {
        let position = game.position();
        let found = self.find(position, *limits, stop, |info| {
            if let Some(info) = whole_turn(position, info) {
                sink(&info);
            }
        });
        self.root = Some(*position);
        if found.as_ref().is_some_and(|info| info.is_hopeless(self.options.resign)) {
            return None;
        }
        // Stopped before anything was known: anything legal is better than nothing.
        found.and_then(|info| whole_turn(position, &info)).or_else(|| {
            let turn = game.random_turn(&mut self.rng)?;
            Some(Info::without_search(None, vec![turn]))
        })
    }

    fn new_game(&mut self) {
        self.search.clear();
        if self.options.proof_stacks > 0 {
            ready(&mut self.prover, self.mebibytes, self.search.threads).clear();
        }
    }

    fn set_seed(&mut self, seed: u64) {
        self.rng = ChaCha8Rng::seed_from_u64(seed);
    }

    fn set_lines(&mut self, lines: usize) {
        self.search.lines = lines.clamp(1, MOST_LINES);
    }

    fn trace(&self, game: &Game) -> Option<EvaluationTrace> {
        let evaluator = &self.heuristics.heuristics.evaluator;
        game.outcome().is_none().then(|| evaluator.trace(game.position()))
    }

    /// The top of the tree: what was visited often, with visits and values.
    fn tree(&self) -> Option<Vec<String>> {
        let name = |_: &Position, steps: &[Step]| {
            let named = steps.iter().map(|step| step.to_string());
            named.collect::<Vec<_>>().join(" ")
        };
        Some(self.search.top(self.root.as_ref()?, name))
    }

    fn look(&self, path: &[Vec<Step>], from: usize, count: usize) -> Option<TreeView<Step>> {
        self.search.look(self.root.as_ref()?, path, from, count)
    }
}
