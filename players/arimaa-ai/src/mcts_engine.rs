use std::time::Instant;

use arimaa::{Action, Game, Position, Step, Turn};
use engine::{
    Engine, EvaluationTrace, Info, Limits, MOST_LINES, Sink, Stop, Traced, TreeView, Verdict,
    in_turns,
};
use game::{Proof, Turns};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use search::{Evaluator, Mcts, MctsParameters, Tactics, Task, TreeHeuristics};

use crate::player::{THREAT_SHARE, allows, first_turn, proved_win, threat_search};
use crate::{AkimotPlayouts, Heuristics, ThreatGenerator, choose_setup};

engine::parameters! {
    /// How an engine uses Monte-Carlo tree search.
    pub struct MctsOptions {
        time_percent: 100, 1..=100, "how much of its time it uses, in percent";
        threat_search: 4, 0..=8, "how many turns a win by threats may take that is looked for before the search; 0: none is";
        resign: 0, 0..=50, "below which chance to win it resigns, in percent; 0: never";
    }
}

/// The engine that plays by Monte-Carlo tree search, after a threat-space search for a win by force.
#[derive(Debug)]
pub struct MctsEngine<E> {
    /// How it uses its search.
    pub options: MctsOptions,
    search: Mcts,
    heuristics: TreeHeuristics<Heuristics<E>, AkimotPlayouts>,
    threats: ThreatGenerator,
    rng: ChaCha8Rng,
    /// Where the last search began.
    root: Option<Game>,
}

impl<E: Evaluator<Position>> MctsEngine<E> {
    /// A player whose tree takes that many MiB.
    pub fn new(
        evaluator: E,
        playouts: AkimotPlayouts,
        parameters: MctsParameters,
        mebibytes: usize,
        threads: usize,
    ) -> MctsEngine<E> {
        MctsEngine {
            options: MctsOptions::default(),
            search: Mcts::new(parameters, mebibytes, threads),
            heuristics: TreeHeuristics {
                heuristics: Heuristics::with_threat_table(evaluator, mebibytes / THREAT_SHARE),
                playouts,
            },
            threats: ThreatGenerator::new(),
            rng: ChaCha8Rng::seed_from_u64(0),
            root: None,
        }
    }

    /// Finds a turn in a game that goes on; nothing if it was stopped before it had found one.
    fn find(
        &mut self,
        game: &Game,
        limits: Limits,
        stop: &Stop,
        mut tell: impl FnMut(&Info<Step>),
    ) -> Option<Info<Step>> {
        let begin = Instant::now();
        let position = game.position();
        self.heuristics.heuristics.prepare(game.history());
        let mut task = Task {
            position,
            past: game.history(),
            heuristics: &self.heuristics,
            limits: limits.share(self.options.time_percent as u32),
            stop,
        };
        if let Some(turn) = self.heuristics.winning_steps(position) {
            let verdict = Verdict::Proof(Proof::Win(Turns(1)));
            return Some(Info { nodes: 1, ..Info::without_search(Some(verdict), turn) });
        }
        let mut looked_at = 0;
        if self.options.threat_search >= 2 && position.turn_starts() && self.search.lines == 1 {
            let most = Turns(self.options.threat_search as u16);
            let (win, nodes) = threat_search(
                &task,
                most,
                &mut self.threats,
                &self.heuristics.heuristics.threat_table,
            );
            looked_at = nodes;
            if let Some(win) = win {
                let info = proved_win(&win, nodes, begin.elapsed());
                tell(&info);
                return Some(info);
            }
        }
        let elapsed = begin.elapsed();
        task.limits = task.limits.less(looked_at, elapsed);
        let seed = self.rng.next_u64();
        let info = self.search.search(&task, seed, |info| tell(&info.after(looked_at, elapsed)))?;
        Some(info.after(looked_at, elapsed))
    }
}

impl<E: Evaluator<Position, State: Send> + Traced<Position> + Send> Engine<Game> for MctsEngine<E> {
    fn analyse(
        &mut self,
        game: &Game,
        limits: &Limits,
        stop: &Stop,
        sink: &mut Sink<Game>,
    ) -> Option<Info<Action>> {
        let position = game.position();
        self.root = None;
        if let Some(side) = game.setting_up() {
            let setup = choose_setup(side, position.board(), &mut self.rng);
            return Some(Info::without_search(None, vec![Action::Setup(setup)]));
        }
        let told = |info: &Info<Step>| {
            let turn = first_turn(position, info.pv());
            allows(game, turn).then(|| in_turns::<Game>(position, info, Action::Turn(turn)))
        };
        let found = self.find(game, *limits, stop, |info| {
            if let Some(info) = told(info) {
                sink(&info);
            }
        });
        self.root = Some(game.clone());
        if found.as_ref().is_some_and(|info| info.is_hopeless(self.options.resign)) {
            return None;
        }
        // Stopped before anything was known: anything legal is better than nothing.
        found.as_ref().and_then(told).or_else(|| {
            let turn = game.random_turn(&mut self.rng)?;
            Some(Info::without_search(None, vec![Action::Turn(turn)]))
        })
    }

    fn new_game(&mut self) {
        self.search.clear();
        self.heuristics.heuristics.threat_table.reset();
    }

    fn set_seed(&mut self, seed: u64) {
        self.rng = ChaCha8Rng::seed_from_u64(seed);
    }

    fn set_lines(&mut self, lines: usize) {
        self.search.lines = lines.clamp(1, MOST_LINES);
    }

    fn trace(&self, game: &Game) -> Option<EvaluationTrace> {
        let goes_on = game.setting_up().is_none() && game.outcome().is_none();
        goes_on.then(|| self.heuristics.heuristics.evaluator.trace(game.position()))
    }

    /// The top of the tree: what was visited often, with visits and values.
    fn tree(&self) -> Option<Vec<String>> {
        let root = self.root.as_ref()?;
        let name = |position: &Position, steps: &[Step]| match first_turn(position, steps) {
            Turn::EMPTY => "pass".to_string(),
            turn => turn.notation(position.board()),
        };
        Some(self.search.top(root.position(), name))
    }

    fn look(&self, path: &[Vec<Step>], from: usize, count: usize) -> Option<TreeView<Step>> {
        self.search.look(self.root.as_ref()?.position(), path, from, count)
    }
}
