use std::time::{Duration, Instant};

use arimaa::{Action, Game, Position, Step, Turn, WHOLE_TURN};
use engine::{Info, Limits, Verdict};
use game::{Proof, Turns};
use rand_chacha::ChaCha8Rng;
use search::{
    AlphaBeta, AlphaBetaOptions, Evaluator, ForcedWinLimits, GameSupport, Parameters, Tactics,
    Task, WinFound,
};

use crate::heuristics::whole;
use crate::{
    Breadth, Evaluation, ForcedWin, Heuristics, PlayerOptions, ThreatGenerator, ThreatSearch,
    choose_setup,
};

/// The engine that plays by alpha-beta, after a threat-space search for a win by force.
pub type AlphaBetaEngine<E = Evaluation> =
    search::AlphaBetaEngine<Game, Heuristics<E>, ThreatsFirst, PlayerOptions>;

/// An engine by alpha-beta whose tables have that many MiB.
pub fn alpha_beta_engine<E: Evaluator<Position>>(
    evaluator: E,
    parameters: Parameters,
    mebibytes: usize,
    threads: usize,
) -> AlphaBetaEngine<E> {
    let mut search = AlphaBeta::new(parameters, mebibytes);
    search.threads = threads;
    let heuristics = Heuristics::with_threat_table(evaluator, mebibytes / THREAT_SHARE);
    AlphaBetaEngine::new(search, heuristics, ThreatsFirst::default())
}

/// The table of forced wins has this part of the memory of a player.
pub(crate) const THREAT_SHARE: usize = 8;

/// What comes before a search in Arimaa: the setup, and a threat-space search for a win by force.
#[derive(Debug, Default)]
pub struct ThreatsFirst {
    threats: ThreatGenerator,
}

impl<E: Evaluator<Position>> GameSupport<Game, Heuristics<E>> for ThreatsFirst {
    /// How many turns such a win may take; below two, none is looked for.
    type WinSearch = Turns;

    fn opening(
        &mut self,
        game: &Game,
        _: &Heuristics<E>,
        rng: &mut ChaCha8Rng,
    ) -> Option<Info<Action>> {
        let setup = choose_setup(game.setting_up()?, game.position().board(), rng);
        Some(Info::without_search(None, vec![Action::Setup(setup)]))
    }

    fn prepare(&mut self, game: &Game, heuristics: &mut Heuristics<E>) {
        heuristics.prepare(game.history());
    }

    fn find_win(&mut self, most: Turns, task: &Task<Position, Heuristics<E>>) -> WinFound<Step> {
        let position = task.position;
        if most < Turns(2) || !position.turn_starts() || task.heuristics.wins(position) {
            return WinFound { win: None, nodes: 0 };
        }
        let begin = Instant::now();
        let (win, nodes) = self.threat_search(task, most);
        let win = win.map(|win| proved_win(&win, nodes, begin.elapsed()));
        WinFound { win, nodes }
    }

    fn action(game: &Game, line: &[Step]) -> Option<Action> {
        let turn = first_turn(game.position(), line);
        allows(game, turn).then_some(Action::Turn(turn))
    }

    fn random_action(game: &Game, rng: &mut ChaCha8Rng) -> Option<Action> {
        game.random_turn(rng).map(Action::Turn)
    }

    fn notation(position: &Position, steps: &[Step]) -> String {
        match first_turn(position, steps) {
            Turn::EMPTY => "pass".to_string(),
            turn => turn.notation(position.board()),
        }
    }

    fn new_game(&mut self, _: Turns, heuristics: &mut Heuristics<E>) {
        heuristics.threat_table.reset();
    }
}

impl ThreatsFirst {
    /// A turn that wins by force, found by a threat-space search, and how many boards that took.
    fn threat_search<E>(
        &mut self,
        task: &Task<Position, Heuristics<E>>,
        most: Turns,
    ) -> (Option<ForcedWin>, u64) {
        let Task { position, past, heuristics, limits, stop } = *task;
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
        let (threats, table) = (&mut self.threats, &heuristics.threat_table);
        let mut search =
            ThreatSearch::new(position.side(), threats, table, limits, Breadth::THREATS);
        let win = search.search(position.board(), most);
        (win, search.nodes)
    }
}

/// What a threat-space search has found, as an info.
fn proved_win(win: &ForcedWin, nodes: u64, time: Duration) -> Info<Step> {
    let verdict = Verdict::Proof(Proof::Win(win.turns));
    let turn = whole(win.turn, WHOLE_TURN).collect();
    Info { depth: WHOLE_TURN, nodes, time, ..Info::without_search(Some(verdict), turn) }
}

/// How many boards it may look at where neither time nor nodes are limited.
const THREAT_NODES: u64 = 200_000;

/// How long it may take where time is limited and a tenth of it is no more.
const THREAT_TIME: Duration = Duration::from_millis(200);

impl AlphaBetaOptions for PlayerOptions {
    type WinSearch = Turns;

    fn random_margin(&self) -> i32 {
        self.random_margin
    }

    fn max_depth(&self) -> i32 {
        self.max_depth
    }

    fn time_percent(&self) -> u32 {
        self.time_percent as u32
    }

    fn win_search(&self) -> Turns {
        Turns(self.threat_search as u16)
    }
}

/// Whether the turn may be played: it changes the board, and not to one that was there twice. A line
/// that was cut off may end where the turn must not. Inside a turn, the rest of it may be empty.
pub fn allows(game: &Game, turn: Turn) -> bool {
    let mut after = *game.position();
    after.try_play_turn(turn).is_ok() && game.history().count(after.repetition_key()) < 2
}

/// The steps of a line that belong to the turn of the position.
fn first_turn(position: &Position, line: &[Step]) -> Turn {
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
