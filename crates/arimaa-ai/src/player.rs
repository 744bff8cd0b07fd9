use std::time::{Duration, Instant};

use arimaa::{Game, Position, Step, Turn, WHOLE_TURN};
use game::{Proof, Turns};
use rand::Rng;
use search::{AlphaBeta, Deliberation, Knowledge, Limits, Parameters, Report, Stop, Task, Verdict};

use crate::{Attack, Conditions, Effort, Estimate, ForcedWin, Manner, Memory, Sense, Tactician};

/// An alpha-beta player.
#[derive(Debug)]
pub struct Player {
    /// What it makes of its search.
    pub manner: Manner,
    search: AlphaBeta<Step>,
    sense: Sense,
    tactician: Tactician,
    /// What the attack of a turn knows.
    memory: Memory,
}

/// A turn that was chosen, and why.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Choice {
    /// The turn.
    pub turn: Turn,
    /// What the search has found.
    pub report: Report<Step>,
}

impl Player {
    /// A player whose table has that many MiB.
    pub fn new(
        estimate: Estimate,
        parameters: Parameters,
        mebibytes: usize,
        threads: usize,
    ) -> Player {
        let mut search = AlphaBeta::new(parameters, mebibytes);
        search.threads = threads;
        let (manner, sense) = (Manner::default(), Sense { estimate });
        Player {
            manner,
            search,
            sense,
            tactician: Tactician::new(),
            memory: Memory::new(MEMORY_OF_ATTACK),
        }
    }

    /// Forgets what it has found in earlier positions.
    pub fn forget(&mut self) {
        self.search.clear();
    }

    /// Chooses a turn in a game that goes on; nothing if it was stopped before it had found one.
    /// Chance has a say only where the manner leaves it a margin.
    pub fn choose(
        &mut self,
        game: &Game,
        limits: Limits,
        stop: &Stop,
        rng: &mut impl Rng,
        mut tell: impl FnMut(&Report<Step>),
    ) -> Option<Choice> {
        let position = game.position();
        let task = Task {
            position,
            past: game.history(),
            knowledge: &self.sense,
            limits: self.manner.limits(limits),
            stop,
        };
        let mut deliberation = Deliberation::new(&mut self.search, task);
        if self.manner.attack >= 2 && position.turn_starts() && !self.sense.wins(position) {
            let most = Turns(self.manner.attack as u16);
            let (win, nodes) = attack(&task, most, &mut self.tactician, &mut self.memory);
            deliberation.spend(nodes);
            if let Some(win) = win {
                let report = Report {
                    depth: WHOLE_TURN,
                    verdict: Verdict::Proof(Proof::Win(win.turns)),
                    line: win.turn.steps().collect(),
                    nodes,
                    time: deliberation.elapsed(),
                };
                tell(&report);
                return Some(Choice { turn: win.turn, report });
            }
        }
        let report = deliberation.choose(self.manner.margin, rng, tell)?;
        let turn = first_turn(position, &report.line);
        allows(game, turn).then_some(Choice { turn, report })
    }
}

/// A turn that wins by force, found by a look of its own at threats alone, and how many boards that took.
fn attack(
    task: &Task<Position, Sense>,
    most: Turns,
    tactician: &mut Tactician,
    memory: &mut Memory,
) -> (Option<ForcedWin>, u64) {
    let Task { position, past, limits, stop, .. } = *task;
    let begin = Instant::now();
    let is_allowed = |key| past.count(key) < 2;
    // Most of the time: a win that is there is worth more than a deeper search, and where threats
    // lead nowhere, that is mostly seen soon.
    let time = limits.soft.or(limits.hard).unwrap_or(Duration::MAX) / 3 * 2;
    let must_stop = || stop.is_requested() || begin.elapsed() > time;
    let nodes = match limits {
        Limits { nodes: Some(nodes), .. } => nodes / 2,
        Limits { hard: Some(_), .. } => u64::MAX,
        _ => NODES_OF_ATTACK,
    };
    let conditions = Conditions { is_allowed: &is_allowed, must_stop: &must_stop, nodes };
    memory.forget();
    let mut attack = Attack::new(position.side(), tactician, memory, conditions, Effort::THREATS);
    let win = attack.search(position.board(), most);
    (win, attack.nodes)
}

/// How many boards an attack may look at where neither time nor nodes are limited.
const NODES_OF_ATTACK: u64 = 200_000;

/// What it may remember, in MiB.
const MEMORY_OF_ATTACK: usize = 4;

/// Whether the turn may be played: it changes the board, and not to one that was there twice. A line
/// that was cut off may end where the turn must not.
fn allows(game: &Game, turn: Turn) -> bool {
    let position = game.position();
    let mut after = *position;
    after.play_turn_unchecked(turn);
    after.board() != position.board() && game.history().count(after.repetition_key()) < 2
}

/// The steps of a line that belong to the turn of the position.
pub fn first_turn(position: &Position, line: &[Step]) -> Turn {
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
