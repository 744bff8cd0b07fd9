//! Who wins, for certain: see [`Solver`].

use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use arimaa::{Position, Side, Turn, WHOLE_TURN};
use game::{BySide, History, Key, Proof, Turns};
use search::Stop;

use crate::attack::{Refuge, Siege};
use crate::{Attack, Conditions, Effort, Memory, Tactician, win};

/// Proves who wins, by the attacks of both sides: ever longer ones, and with ever more effort.
///
/// # Method
///
/// Nobody knows beforehand whether a win takes three turns of which one is quiet, or five threats. Each
/// side therefore attacks with several [`Effort`]s in turn. Each of them gets the same number of boards
/// to look at, goes on to longer wins as long as these last, and gets four times as many in the next
/// round.
pub struct Solver {
    memory: Memory,
    tacticians: Vec<BySide<Tactician>>,
}

/// What is to be proved.
pub struct Question<'a> {
    /// The start of a turn.
    pub position: &'a Position,
    /// How often positions have come about before, this one included.
    pub past: &'a History,
    /// How long it may take.
    pub time: Duration,
    /// How many boards may be looked at.
    pub nodes: u64,
    /// The most turns that a win or a loss may take.
    pub turns: Turns,
    /// Ends it from elsewhere.
    pub stop: &'a Stop,
}

/// What was found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Finding {
    /// The result, if it is certain.
    pub proof: Option<Proof>,
    /// A turn that wins, if the side to move does and the game is not over.
    pub turn: Option<Turn>,
    /// How many boards were looked at.
    pub nodes: u64,
}

/// From the rare win that is seen at once to the one that takes a look at everything. The first two
/// find all but one of 1,060 wins in two and three turns (2026-11).
const EFFORTS: [(Effort, u64); 4] = [
    (Effort { replies: 256, quiet: 512, quiet_later: 0 }, 1_000_000),
    (Effort { replies: 4096, quiet: 4096, quiet_later: 0 }, 4_000_000),
    (Effort { replies: usize::MAX, quiet: 20_000, quiet_later: 64 }, 1_000_000),
    (Effort { replies: usize::MAX, quiet: usize::MAX, quiet_later: 1024 }, 250_000),
];

impl Solver {
    /// A solver that remembers so many MiB and thinks with so many threads.
    pub fn new(mebibytes: usize, threads: usize) -> Solver {
        let tacticians = (0..threads.max(1)).map(|_| BySide::default()).collect();
        Solver { memory: Memory::new(mebibytes), tacticians }
    }

    /// Forgets what other positions have taught.
    pub fn forget(&mut self) {
        self.memory.forget();
    }

    /// Looks for a proof until there is one or a limit is reached.
    pub fn solve(&mut self, question: &Question) -> Finding {
        let position = question.position;
        if let Some(winner) = position.outcome().map(|outcome| outcome.winner) {
            let over = if winner == position.side() { Proof::Win } else { Proof::Loss };
            return Finding { proof: Some(over(Turns(0))), turn: None, nodes: 1 };
        }
        if let Some(win) = win(position.board(), position.side(), WHOLE_TURN) {
            return Finding::win(win.turn, Turns(1), 1);
        }
        let begin = Instant::now();
        let is_allowed = |key: Key| question.past.count(key) < 2;
        let must_stop = || question.stop.is_requested() || begin.elapsed() >= question.time;
        let conditions =
            Conditions { is_allowed: &is_allowed, must_stop: &must_stop, nodes: u64::MAX };
        let halt = AtomicBool::new(false);
        let (mut own, mut others) = (Vec::new(), Vec::new());
        let several = self.tacticians.len() > 1;
        for tacticians in &mut self.tacticians {
            let BySide { first, second } = tacticians;
            for (tactician, side) in [(first, Side::First), (second, Side::Second)] {
                let crew = if side == position.side() { &mut own } else { &mut others };
                let mut attack =
                    Attack::new(side, tactician, &self.memory, conditions, Effort::THREATS);
                attack.halt = several.then_some(&halt);
                crew.push(attack);
            }
        }
        Struggle { question, own, others }.decide()
    }
}

impl Finding {
    fn win(turn: Turn, turns: Turns, nodes: u64) -> Finding {
        Finding { proof: Some(Proof::Win(turns)), turn: Some(turn), nodes }
    }
}

/// The attacks of both sides in one position.
struct Struggle<'a> {
    question: &'a Question<'a>,
    /// Those of the side to move.
    own: Vec<Attack<'a>>,
    /// Those of the other side.
    others: Vec<Attack<'a>>,
}

impl Struggle<'_> {
    fn decide(&mut self) -> Finding {
        let board = self.question.position.board();
        let mut sieges = EFFORTS.map(|(effort, _)| Siege::new(board, effort.quiet));
        let mut refuges = EFFORTS.map(|_| Refuge::new(board));
        let mut factor = 1;
        loop {
            let mut is_over = true;
            for (index, (effort, budget)) in EFFORTS.into_iter().enumerate() {
                let budget = factor * budget;
                if let Some(finding) = self.press(&mut sieges[index], effort, budget) {
                    return finding;
                }
                if let Some(finding) = self.retreat(&mut refuges[index], effort, budget / 4) {
                    return finding;
                }
                let most = self.most_turns();
                is_over &= sieges[index].turns > most && refuges[index].turns > most;
            }
            if is_over || self.must_end() {
                return Finding { proof: None, turn: None, nodes: self.nodes() };
            }
            factor *= 4;
        }
    }

    /// Attacks for a number of boards.
    fn press(&mut self, siege: &mut Siege, effort: Effort, budget: u64) -> Option<Finding> {
        let budget = budget.min(self.nodes_left());
        self.own.iter_mut().for_each(|attack| attack.allow(effort, budget));
        while siege.turns <= self.most_turns() && !self.own.iter().any(Attack::must_stop) {
            if let Some(win) = siege.press(&mut self.own) {
                return Some(Finding::win(win.turn, win.turns, self.nodes()));
            }
        }
        None
    }

    /// Is attacked for a number of boards.
    fn retreat(&mut self, refuge: &mut Refuge, effort: Effort, budget: u64) -> Option<Finding> {
        let budget = budget.min(self.nodes_left());
        self.others.iter_mut().for_each(|attack| attack.allow(effort, budget));
        while refuge.turns <= self.most_turns() && !self.others.iter().any(Attack::must_stop) {
            if refuge.is_lost(&mut self.others) {
                let proof = Proof::Loss(Turns(refuge.turns.into()));
                return Some(Finding { proof: Some(proof), turn: None, nodes: self.nodes() });
            }
        }
        None
    }

    /// The most turns of a win that is looked for.
    fn most_turns(&self) -> u8 {
        self.question.turns.0.min(u16::from(Attack::MOST_TURNS) - 1) as u8
    }

    fn must_end(&self) -> bool {
        let [own, ..] = &self.own[..] else { return true };
        self.nodes_left() == 0 || (own.conditions.must_stop)()
    }

    fn nodes_left(&self) -> u64 {
        self.question.nodes.saturating_sub(self.nodes())
    }

    fn nodes(&self) -> u64 {
        self.own.iter().chain(&self.others).map(|attack| attack.nodes).sum()
    }
}
