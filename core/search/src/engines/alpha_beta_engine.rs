use engine::{
    Engine, EvaluationTrace, Info, Iterations, Limits, MOST_LINES, Sink, StepOf, Stop, Traced,
    in_turns,
};
use game::{Game, PackedStep, Position};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

use super::{AlphaBetaOptions, GameSupport, WinFound, goes_on};
use crate::{AlphaBeta, AlphaBetaHeuristics, Task, TurnChooser};

/// The engine that plays by alpha-beta, after a look for a forced win.
pub struct AlphaBetaEngine<G: Game, H, S, O> {
    /// How it uses its search.
    pub options: O,
    /// How many lines it finds.
    lines: usize,
    search: AlphaBeta<StepOf<G>>,
    heuristics: H,
    support: S,
    rng: ChaCha8Rng,
    iterations: Iterations<G>,
}

impl<G, H, S, O> AlphaBetaEngine<G, H, S, O>
where
    G: Game<Position: Position<Step: PackedStep>>,
    H: AlphaBetaHeuristics<G::Position>,
    S: GameSupport<G, H>,
    O: AlphaBetaOptions<WinSearch = S::WinSearch> + Default,
{
    /// An engine with the default options.
    pub fn new(search: AlphaBeta<StepOf<G>>, heuristics: H, support: S) -> Self {
        AlphaBetaEngine {
            options: O::default(),
            lines: 1,
            search,
            heuristics,
            support,
            rng: ChaCha8Rng::seed_from_u64(0),
            iterations: Iterations::default(),
        }
    }

    /// Finds a line whose first turn is to be played; nothing if it was stopped before it had found one. Chance has a
    /// say only where the options leave it a margin.
    fn find(
        &mut self,
        game: &G,
        limits: Limits,
        stop: &Stop,
        mut tell: impl FnMut(&Info<StepOf<G>>),
    ) -> Option<Info<StepOf<G>>> {
        self.support.prepare(game, &mut self.heuristics);
        let all_limits = self.options.limits(limits);
        let task = Task {
            position: game.position(),
            past: game.history(),
            heuristics: &self.heuristics,
            limits: all_limits.share(100 / self.lines as u32),
            stop,
        };
        let mut chooser = TurnChooser::new(&mut self.search, task);
        let WinFound { win, nodes } = self.support.find_win(self.options.win_search(), &task);
        chooser.add_nodes(nodes);
        let mut info = match win {
            Some(win) => {
                tell(&win);
                win
            }
            // Where it is lost, the search finds the longest resistance (Veselý 2013, 2.3).
            None => chooser.choose(self.options.random_margin(), &mut self.rng, &mut tell)?,
        };
        if self.lines > 1 {
            info = chooser.add_lines(info, self.lines, all_limits, &mut self.rng);
            tell(&info);
        }
        Some(info)
    }
}

impl<G, H, S, O> Engine<G> for AlphaBetaEngine<G, H, S, O>
where
    G: Game<Position: Position<Step: PackedStep>>,
    H: AlphaBetaHeuristics<G::Position, State: Send> + Traced<G::Position> + Send,
    S: GameSupport<G, H>,
    O: AlphaBetaOptions<WinSearch = S::WinSearch> + Default + Send,
{
    fn analyse(
        &mut self,
        game: &G,
        limits: &Limits,
        stop: &Stop,
        sink: &mut Sink<G>,
    ) -> Option<Info<G::Action>> {
        let mut iterations = Iterations::of(game);
        let position = game.position();
        let found = match self.support.opening(game, &self.heuristics, &mut self.rng) {
            Some(opening) => Some(opening),
            None => {
                let tell = |info: &Info<StepOf<G>>| iterations.tell(position, info, sink);
                self.find(game, *limits, stop, tell).and_then(|info| {
                    let action = S::action(game, info.pv())?;
                    Some(in_turns::<G>(position, &info, action))
                })
            }
        };
        self.iterations = iterations;
        // Stopped before the first iteration was done: anything legal is better than nothing.
        found.or_else(|| {
            let action = S::random_action(game, &mut self.rng)?;
            Some(Info::without_search(None, vec![action]))
        })
    }

    fn new_game(&mut self) {
        self.search.clear();
        self.support.new_game(self.options.win_search(), &mut self.heuristics);
    }

    fn set_seed(&mut self, seed: u64) {
        self.rng = ChaCha8Rng::seed_from_u64(seed);
    }

    fn set_lines(&mut self, lines: usize) {
        self.lines = lines.clamp(1, MOST_LINES);
    }

    fn trace(&self, game: &G) -> Option<EvaluationTrace> {
        goes_on(game).then(|| self.heuristics.trace(game.position()))
    }

    /// Alpha-beta keeps no tree; what it keeps is the principal variation of each iteration.
    fn tree(&self) -> Option<Vec<String>> {
        self.iterations.lines()
    }
}
