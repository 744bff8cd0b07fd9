use std::time::Instant;

use engine::{
    Engine, EvaluationTrace, Info, Limits, MOST_LINES, Sink, StepOf, Stop, Traced, TreeView,
    Verdict, in_turns,
};
use game::{Game, PackedStep, Position, Proof, Turns};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::{GameSupport, TreeOptions, WinFound, goes_on};
use crate::{
    Evaluator, Mcts, Playouts, StepKnowledge, Tactics, Task, TreeHeuristics, TurnStructure,
};

/// The engine that plays by Monte-Carlo tree search, after a look for a forced win. Leaves are valued by the evaluation
/// of the heuristics `H` or by the playouts of `L`, which also says how good a step looks.
pub struct TreeEngine<G: Game, H, L, S, O> {
    /// How it uses its search.
    pub options: O,
    search: Mcts,
    heuristics: TreeHeuristics<H, L>,
    support: S,
    rng: ChaCha8Rng,
    /// Where the last search began.
    root: Option<G::Position>,
}

impl<G, H, L, S, O> TreeEngine<G, H, L, S, O>
where
    G: Game<Position: Position<Step: PackedStep>>,
    H: Evaluator<G::Position> + Tactics<G::Position> + TurnStructure<G::Position>,
    L: Playouts<G::Position> + StepKnowledge<G::Position>,
    S: GameSupport<G, H>,
    O: TreeOptions<WinSearch = S::WinSearch> + Default,
{
    /// An engine with the default options.
    pub fn new(search: Mcts, heuristics: TreeHeuristics<H, L>, support: S) -> Self {
        let rng = ChaCha8Rng::seed_from_u64(0);
        TreeEngine { options: O::default(), search, heuristics, support, rng, root: None }
    }

    /// Finds a line whose first turn is to be played; nothing if it was stopped before it had found one.
    fn find(
        &mut self,
        game: &G,
        limits: Limits,
        stop: &Stop,
        mut tell: impl FnMut(&Info<StepOf<G>>),
    ) -> Option<Info<StepOf<G>>> {
        let begin = Instant::now();
        self.support.prepare(game, &mut self.heuristics.heuristics);
        let (position, past) = (game.position(), game.history());
        let limits = limits.share(self.options.time_percent());
        if let Some(turn) = self.heuristics.winning_steps(position) {
            let verdict = Verdict::Proof(Proof::Win(Turns(1)));
            return Some(Info { nodes: 1, ..Info::without_search(Some(verdict), turn) });
        }
        let mut looked_at = 0;
        if self.search.lines == 1 {
            let heuristics = &self.heuristics.heuristics;
            let task = Task { position, past, heuristics, limits, stop };
            let WinFound { win, nodes } = self.support.find_win(self.options.win_search(), &task);
            if let Some(win) = win {
                tell(&win);
                return Some(win);
            }
            looked_at = nodes;
        }
        let elapsed = begin.elapsed();
        let limits = limits.less(looked_at, elapsed);
        let task = Task { position, past, heuristics: &self.heuristics, limits, stop };
        let seed = self.rng.next_u64();
        let info = self.search.search(&task, seed, |info| tell(&info.after(looked_at, elapsed)))?;
        Some(info.after(looked_at, elapsed))
    }
}

impl<G, H, L, S, O> Engine<G> for TreeEngine<G, H, L, S, O>
where
    G: Game<Position: Position<Step: PackedStep>>,
    H: Evaluator<G::Position> + Tactics<G::Position> + TurnStructure<G::Position>,
    H: Traced<G::Position> + Send,
    L: Playouts<G::Position> + StepKnowledge<G::Position> + Send,
    S: GameSupport<G, H>,
    O: TreeOptions<WinSearch = S::WinSearch> + Default + Send,
{
    fn analyse(
        &mut self,
        game: &G,
        limits: &Limits,
        stop: &Stop,
        sink: &mut Sink<G>,
    ) -> Option<Info<G::Action>> {
        self.root = None;
        let below = &self.heuristics.heuristics;
        if let Some(opening) = self.support.opening(game, below, &mut self.rng) {
            return Some(opening);
        }
        let position = game.position();
        let in_turns = |info: &Info<StepOf<G>>| {
            let action = S::action(game, info.pv())?;
            Some(in_turns::<G>(position, info, action))
        };
        let found = self.find(game, *limits, stop, |info| {
            if let Some(info) = in_turns(info) {
                sink(&info);
            }
        });
        self.root = Some(position.clone());
        if found.as_ref().is_some_and(|info| info.is_hopeless(self.options.resign())) {
            return None;
        }
        // Stopped before anything was known: anything legal is better than nothing.
        found.as_ref().and_then(in_turns).or_else(|| {
            let action = S::random_action(game, &mut self.rng)?;
            Some(Info::without_search(None, vec![action]))
        })
    }

    fn new_game(&mut self) {
        self.search.clear();
        self.support.new_game(self.options.win_search(), &mut self.heuristics.heuristics);
    }

    fn set_seed(&mut self, seed: u64) {
        self.rng = ChaCha8Rng::seed_from_u64(seed);
    }

    fn set_lines(&mut self, lines: usize) {
        self.search.lines = lines.clamp(1, MOST_LINES);
    }

    fn trace(&self, game: &G) -> Option<EvaluationTrace> {
        goes_on(game).then(|| self.heuristics.heuristics.trace(game.position()))
    }

    /// The top of the tree: what was visited often, with visits and values.
    fn tree(&self) -> Option<Vec<String>> {
        Some(self.search.top(self.root.as_ref()?, S::notation))
    }

    fn look(
        &self,
        path: &[Vec<StepOf<G>>],
        from: usize,
        count: usize,
    ) -> Option<TreeView<StepOf<G>>> {
        self.search.look(self.root.as_ref()?, path, from, count)
    }
}
