use std::fmt;
use std::io::{self, Read, Write};
use std::time::Instant;

use arimaa::{Position, Step, Turn};
use game::{Proof, Turns};
use search::{DfPn, Limits, Task};

use super::{Finding, Way};
use crate::attack::{Refuge, Siege};
use crate::{Attack, Effort, Sense};

/// An effort, how many turns the first win takes that it looks for, and how many boards it looks at in the
/// first round.
#[derive(Clone, Copy)]
pub(crate) struct Plan {
    pub(crate) effort: Effort,
    first: u8,
    boards: u64,
}

/// From what is seen soon to a look at nearly everything. A win in two turns that the first one does not
/// find is not there, unless it ends with an enemy that cannot move. The limits of the second one were chosen on
/// the table of 338 wins in three that they are measured by: with 4096 replies it proved 337 of them (2026-11).
pub(crate) const PLANS: [Plan; 4] = [
    Plan {
        effort: Effort { replies: 256, quiet: 512, quiet_later: 0, zugzwang: 8 },
        first: 2,
        boards: 1_000_000,
    },
    Plan {
        effort: Effort { replies: 16_384, quiet: 9000, quiet_later: 0, zugzwang: 8 },
        first: 3,
        boards: 4_000_000,
    },
    Plan {
        effort: Effort { replies: usize::MAX, quiet: 20_000, quiet_later: 64, zugzwang: 12 },
        first: 3,
        boards: 1_000_000,
    },
    Plan {
        effort: Effort { replies: usize::MAX, quiet: usize::MAX, quiet_later: 1024, zugzwang: 16 },
        first: 3,
        boards: 250_000,
    },
];

/// How many positions proof numbers look at in the first round.
const NUMBERS: u64 = 1_000_000;

/// And before that, after the first effort: where there are few pieces, that is often enough.
const FIRST_NUMBERS: u64 = 20_000;

/// The attacks of both sides in one position, and proof numbers.
pub(super) struct Struggle<'a> {
    pub(super) begin: Instant,
    pub(super) most: Turns,
    pub(super) task: Task<'a, Position, Sense>,
    /// The attacks of the side to move.
    pub(super) own: Vec<Attack<'a>>,
    /// Those of the other side.
    pub(super) others: Vec<Attack<'a>>,
    pub(super) numbers: &'a mut DfPn<Step>,
    pub(super) progress: &'a mut Progress,
}

/// How far a solver has come with a position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Progress {
    /// By how much the efforts of a round are greater than in the first one: a power of four.
    factor: u64,
    /// For each effort, how many turns the next win takes that is looked for.
    wins: [u8; PLANS.len()],
    /// The same for losses.
    losses: [u8; PLANS.len()],
    /// How many boards were looked at.
    pub nodes: u64,
    /// Whether proof numbers know anything.
    pub(super) has_counted: bool,
}

impl Default for Progress {
    fn default() -> Progress {
        Progress {
            factor: 1,
            wins: PLANS.map(|plan| plan.first),
            losses: [Refuge::FIRST; PLANS.len()],
            nodes: 0,
            has_counted: false,
        }
    }
}

impl fmt::Display for Progress {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let looked_for = |turns: &[u8]| turns.iter().copied().max().unwrap_or_default();
        write!(
            f,
            "wins in {}, losses in {}, {:.1} million boards",
            looked_for(&self.wins),
            looked_for(&self.losses),
            self.nodes as f64 / 1e6
        )
    }
}

impl Progress {
    /// Its length in bytes.
    const LENGTH: usize = 16 + 2 * PLANS.len();

    pub(super) fn save(&self, out: &mut impl Write) -> io::Result<()> {
        out.write_all(&self.factor.to_le_bytes())?;
        out.write_all(&self.nodes.to_le_bytes())?;
        out.write_all(&self.wins)?;
        out.write_all(&self.losses)
    }

    pub(super) fn load(input: &mut impl Read) -> io::Result<Progress> {
        let mut bytes = [0; Progress::LENGTH];
        input.read_exact(&mut bytes)?;
        let word = |at: usize| {
            let bytes = bytes[at..at + 8].try_into();
            bytes.map(u64::from_le_bytes).map_err(io::Error::other)
        };
        let mut progress = Progress { factor: word(0)?, nodes: word(8)?, ..Progress::default() };
        let (wins, losses) = bytes[16..].split_at(PLANS.len());
        progress.wins.copy_from_slice(wins);
        progress.losses.copy_from_slice(losses);
        let turns = progress.wins.iter().chain(&progress.losses);
        let is_sound = progress.factor.is_power_of_two()
            && turns.into_iter().all(|turns| (1..=Attack::MOST_TURNS).contains(turns));
        if is_sound { Ok(progress) } else { Err(io::ErrorKind::InvalidData.into()) }
    }
}

impl Struggle<'_> {
    /// Goes round by round until there is a proof or a limit is reached.
    pub(super) fn decide(&mut self, tell: &mut dyn FnMut(&Progress)) -> Finding {
        let board = self.task.position.board();
        let wins = self.progress.wins;
        let siege = |(plan, turns): (&Plan, u8)| Siege::new(board, plan.effort.quiet, turns);
        let mut sieges: Vec<Siege> = PLANS.iter().zip(wins).map(siege).collect();
        loop {
            for (index, siege) in sieges.iter_mut().enumerate() {
                let mut found = self.attack(siege, index).or_else(|| self.retreat(index));
                let is_first = index == 0 && self.progress.factor == 1;
                if found.is_none() && is_first && !self.is_exhausted(index) {
                    found = self.count(FIRST_NUMBERS);
                }
                if found.is_some() || self.must_end() || self.is_exhausted(index) {
                    return found.unwrap_or(self.finding(None, None, Way::Look));
                }
                tell(self.progress);
            }
            let found = self.count(NUMBERS.saturating_mul(self.progress.factor));
            if found.is_some() || self.must_end() {
                return found.unwrap_or(self.finding(None, None, Way::Look));
            }
            tell(self.progress);
            self.progress.factor = self.progress.factor.saturating_mul(4);
        }
    }

    /// Attacks for a number of boards.
    fn attack(&mut self, siege: &mut Siege, index: usize) -> Option<Finding> {
        let (effort, budget) = self.allowance(index);
        let before = nodes(&self.own);
        self.own.iter_mut().for_each(|attack| attack.allow(effort, budget));
        let mut found = None;
        while found.is_none()
            && siege.turns <= self.most_turns()
            && !self.own.iter().any(Attack::must_stop)
        {
            found = siege.press(&mut self.own);
        }
        self.progress.wins[index] = siege.turns;
        self.progress.nodes += nodes(&self.own) - before;
        let win = found?;
        Some(self.finding(Some(Proof::Win(win.turns)), Some(win.turn), Way::Attack(effort)))
    }

    /// Is attacked for a number of boards.
    fn retreat(&mut self, index: usize) -> Option<Finding> {
        let (effort, budget) = self.allowance(index);
        let before = nodes(&self.others);
        // Who is lost has few replies: that is seen sooner than a win.
        self.others.iter_mut().for_each(|attack| attack.allow(effort, budget / 4));
        let mut refuge = Refuge::new(self.task.position.board(), self.progress.losses[index]);
        let mut is_lost = false;
        while !is_lost
            && refuge.turns <= self.most_turns()
            && !self.others.iter().any(Attack::must_stop)
        {
            is_lost = refuge.is_lost(&mut self.others);
        }
        self.progress.losses[index] = refuge.turns;
        self.progress.nodes += nodes(&self.others) - before;
        let proof = Proof::Loss(Turns(refuge.turns.into()));
        is_lost.then(|| self.finding(Some(proof), None, Way::Attack(effort)))
    }

    /// Searches by proof numbers for a number of positions.
    fn count(&mut self, positions: u64) -> Option<Finding> {
        let limits = Limits {
            nodes: Some(self.nodes_left().min(positions)),
            hard: self.task.limits.hard.map(|time| time.saturating_sub(self.begin.elapsed())),
            ..Limits::default()
        };
        let Task { position, past, knowledge, stop, .. } = self.task;
        self.progress.has_counted = true;
        let found = self.numbers.solve(&Task { position, past, knowledge, limits, stop }, |_| ());
        self.progress.nodes += found.nodes;
        let steps = found.turn.iter().filter(|step| **step != Step::PASS);
        let turn = steps.fold(Turn::EMPTY, |turn, &step| turn.then(step));
        let way = Way::Numbers { by_repetition: found.by_repetition };
        let proof = found.proof.filter(|proof| match proof {
            Proof::Win(turns) | Proof::Loss(turns) => *turns <= self.most,
        })?;
        let turn = matches!(proof, Proof::Win(_)).then_some(turn);
        Some(self.finding(Some(proof), turn, way))
    }

    fn finding(&self, proof: Option<Proof>, turn: Option<Turn>, way: Way) -> Finding {
        Finding { proof, turn, nodes: self.progress.nodes, way }
    }

    /// An effort, and how many boards it may look at in this round.
    fn allowance(&self, index: usize) -> (Effort, u64) {
        let Plan { effort, boards, .. } = PLANS[index];
        (effort, boards.saturating_mul(self.progress.factor).min(self.nodes_left()))
    }

    /// The most turns of a win that is looked for.
    fn most_turns(&self) -> u8 {
        self.most.0.min(u16::from(Attack::MOST_TURNS) - 1) as u8
    }

    /// Whether, after that effort, all wins and losses have been looked for that are short enough to be
    /// wanted; of those in two turns, the first effort misses none.
    fn is_exhausted(&self, index: usize) -> bool {
        let last = if self.most.0 <= 2 { 0 } else { PLANS.len() - 1 };
        let Progress { wins, losses, .. } = &*self.progress;
        let mut turns = wins[..=last].iter().chain(&losses[..=last]);
        index == last && turns.all(|turns| u16::from(*turns) > self.most.0)
    }

    fn must_end(&self) -> bool {
        self.task.stop.is_requested()
            || self.nodes_left() == 0
            || self.task.limits.hard.is_some_and(|time| self.begin.elapsed() >= time)
    }

    fn nodes_left(&self) -> u64 {
        self.task.limits.nodes.unwrap_or(u64::MAX).saturating_sub(self.progress.nodes)
    }
}

fn nodes(crew: &[Attack]) -> u64 {
    crew.iter().map(|attack| attack.nodes).sum()
}
