use std::time::{Duration, Instant};

use arimaa::{Action, Game, Position, Step, Turn, WHOLE_TURN};
use engine::{
    Engine, EvaluationTrace, Info, Iterations, Limits, MOST_LINES, Sink, Stop, Traced, Verdict,
    in_turns,
};
use game::{Proof, Turns};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use search::{AlphaBeta, Evaluator, ForcedWinLimits, Parameters, Tactics, Task, TurnChooser};

use crate::heuristics::whole;
use crate::{
    Breadth, Evaluation, ForcedWin, Heuristics, PlayerOptions, ThreatGenerator, ThreatSearch,
    ThreatTable, choose_setup,
};

/// The engine that plays by alpha-beta, after a threat-space search for a win by force.
#[derive(Debug)]
pub struct AlphaBetaEngine<E = Evaluation> {
    /// How it uses its search.
    pub options: PlayerOptions,
    /// How many lines it finds.
    lines: usize,
    search: AlphaBeta<Step>,
    heuristics: Heuristics<E>,
    threats: ThreatGenerator,
    rng: ChaCha8Rng,
    iterations: Iterations<Game>,
}

impl<E: Evaluator<Position>> AlphaBetaEngine<E> {
    /// A player whose transposition table has that many MiB.
    pub fn new(
        evaluator: E,
        parameters: Parameters,
        mebibytes: usize,
        threads: usize,
    ) -> AlphaBetaEngine<E> {
        let mut search = AlphaBeta::new(parameters, mebibytes);
        search.threads = threads;
        AlphaBetaEngine {
            options: PlayerOptions::default(),
            lines: 1,
            search,
            heuristics: Heuristics::with_threat_table(evaluator, mebibytes / THREAT_SHARE),
            threats: ThreatGenerator::new(),
            rng: ChaCha8Rng::seed_from_u64(0),
            iterations: Iterations::default(),
        }
    }

    /// Finds a turn in a game that goes on, and what its search has found; nothing if it was stopped
    /// before it had found one. Chance has a say only where the options leave it a margin.
    fn find(
        &mut self,
        game: &Game,
        limits: Limits,
        stop: &Stop,
        mut tell: impl FnMut(&Info<Step>),
    ) -> Option<(Turn, Info<Step>)> {
        let position = game.position();
        let limits = self.options.limits(limits);
        self.heuristics.prepare(game.history());
        let task = Task {
            position,
            past: game.history(),
            heuristics: &self.heuristics,
            limits: limits.share(100 / self.lines as u32),
            stop,
        };
        let mut chooser = TurnChooser::new(&mut self.search, task);
        if self.options.threat_search >= 2
            && position.turn_starts()
            && !self.heuristics.wins(position)
        {
            let most = Turns(self.options.threat_search as u16);
            let (win, nodes) =
                threat_search(&task, most, &mut self.threats, &self.heuristics.threat_table);
            chooser.add_nodes(nodes);
            if let Some(win) = win {
                let mut info = proved_win(&win, nodes, chooser.elapsed());
                tell(&info);
                if self.lines > 1 {
                    info = chooser.add_lines(info, self.lines, limits, &mut self.rng);
                    tell(&info);
                }
                return Some((first_turn(position, info.pv()), info));
            }
        }
        let mut info = chooser.choose(self.options.random_margin, &mut self.rng, &mut tell)?;
        if self.lines > 1 {
            info = chooser.add_lines(info, self.lines, limits, &mut self.rng);
            tell(&info);
        }
        let turn = first_turn(position, info.pv());
        allows(game, turn).then_some((turn, info))
    }
}

impl<E: Evaluator<Position, State: Send> + Traced<Position> + Send> Engine<Game>
    for AlphaBetaEngine<E>
{
    fn analyse(
        &mut self,
        game: &Game,
        limits: &Limits,
        stop: &Stop,
        sink: &mut Sink<Game>,
    ) -> Option<Info<Action>> {
        let mut iterations = Iterations::of(game);
        let position = game.position();
        let found = match game.setting_up() {
            Some(side) => {
                let setup = choose_setup(side, position.board(), &mut self.rng);
                Some(Info::without_search(None, vec![Action::Setup(setup)]))
            }
            None => {
                let tell = |info: &Info<Step>| iterations.tell(game.position(), info, sink);
                let found = self.find(game, *limits, stop, tell);
                found.map(|(turn, info)| in_turns::<Game>(position, &info, Action::Turn(turn)))
            }
        };
        self.iterations = iterations;
        // Stopped before the first iteration was done: anything legal is better than nothing.
        found.or_else(|| {
            let turn = game.random_turn(&mut self.rng)?;
            Some(Info::without_search(None, vec![Action::Turn(turn)]))
        })
    }

    fn new_game(&mut self) {
        self.search.clear();
        self.heuristics.threat_table.reset();
    }

    fn set_seed(&mut self, seed: u64) {
        self.rng = ChaCha8Rng::seed_from_u64(seed);
    }

    fn set_lines(&mut self, lines: usize) {
        self.lines = lines.clamp(1, MOST_LINES);
    }

    fn trace(&self, game: &Game) -> Option<EvaluationTrace> {
        let goes_on = game.setting_up().is_none() && game.outcome().is_none();
        goes_on.then(|| self.heuristics.evaluator.trace(game.position()))
    }

    /// Alpha-beta keeps no tree; what it keeps is the principal variation of each iteration.
    fn tree(&self) -> Option<Vec<String>> {
        self.iterations.lines()
    }
}

/// What a threat-space search has found, as an info.
pub(crate) fn proved_win(win: &ForcedWin, nodes: u64, time: Duration) -> Info<Step> {
    let verdict = Verdict::Proof(Proof::Win(win.turns));
    let turn = whole(win.turn, WHOLE_TURN).collect();
    Info { depth: WHOLE_TURN, nodes, time, ..Info::without_search(Some(verdict), turn) }
}

/// A turn that wins by force, found by a threat-space search, and how many boards that took.
pub(crate) fn threat_search<H>(
    task: &Task<Position, H>,
    most: Turns,
    threats: &mut ThreatGenerator,
    table: &ThreatTable,
) -> (Option<ForcedWin>, u64) {
    let Task { position, past, limits, stop, .. } = *task;
    let begin = Instant::now();
    let is_allowed = |key| past.count(key) < 2;
    // A win that is there is worth more than a deeper search, and most wins are found soon.
    let all = limits.soft.or(limits.hard).unwrap_or(Duration::MAX);
    let time = (all / 4).min(THREAT_TIME.max(all / 10));
    let must_stop = || stop.is_requested() || begin.elapsed() > time;
    let nodes = match limits {
        Limits { nodes: Some(nodes), .. } => nodes / 2,
        Limits { hard: Some(_), .. } => u64::MAX,
        _ => THREAT_NODES,
    };
    let limits = ForcedWinLimits { is_allowed: &is_allowed, must_stop: &must_stop, nodes };
    let mut search = ThreatSearch::new(position.side(), threats, table, limits, Breadth::THREATS);
    let win = search.search(position.board(), most);
    (win, search.nodes)
}

/// How many boards it may look at where neither time nor nodes are limited.
const THREAT_NODES: u64 = 200_000;

/// How long it may take where time is limited and a tenth of it is no more.
const THREAT_TIME: Duration = Duration::from_millis(200);

/// Its table has this part of the memory of a player.
pub(crate) const THREAT_SHARE: usize = 8;

/// Whether the turn may be played: it changes the board, and not to one that was there twice. A line
/// that was cut off may end where the turn must not. Inside a turn, the rest of it may be empty.
pub fn allows(game: &Game, turn: Turn) -> bool {
    let mut after = *game.position();
    after.try_play_turn(turn).is_ok() && game.history().count(after.repetition_key()) < 2
}

/// The steps of a line that belong to the turn of the position.
pub(crate) fn first_turn(position: &Position, line: &[Step]) -> Turn {
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
