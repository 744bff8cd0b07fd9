//! Interleaves the searches of a solver: see [`Portfolio`].

use std::fmt;
use std::io::{self, Read, Write};
use std::time::Instant;

use arimaa::{Position, Step, Turn};
use game::{Proof, Turns};
use search::{DfPn, Limits, Task};

use super::{FoundBy, SolverResult};
use crate::threat_search::{LossSearch, WinSearch};
use crate::{Breadth, Heuristics, ThreatSearch};

/// A breadth, how many turns the first win takes that is looked for with it, and how many boards are looked
/// at in the first round.
#[derive(Clone, Copy)]
pub(crate) struct ThreatStage {
    pub(crate) breadth: Breadth,
    first: u8,
    boards: u64,
}

/// From a narrow search to one of nearly all turns. The first one finds every win in two turns, except
/// those that leave the enemy without a turn. The second one was tuned on the table of 338 wins in three
/// that it is measured by: with 4096 replies it proved 337 of them (2026-11).
pub(crate) const STAGES: [ThreatStage; 4] = [
    ThreatStage {
        breadth: Breadth { replies: 256, quiet: 512, quiet_later: 0, zugzwang: 8 },
        first: 2,
        boards: 1_000_000,
    },
    ThreatStage {
        breadth: Breadth { replies: 16_384, quiet: 9000, quiet_later: 0, zugzwang: 8 },
        first: 3,
        boards: 4_000_000,
    },
    ThreatStage {
        breadth: Breadth { replies: usize::MAX, quiet: 20_000, quiet_later: 64, zugzwang: 12 },
        first: 3,
        boards: 1_000_000,
    },
    ThreatStage {
        breadth: Breadth {
            replies: usize::MAX,
            quiet: usize::MAX,
            quiet_later: 1024,
            zugzwang: 16,
        },
        first: 3,
        boards: 250_000,
    },
];

/// How many positions the proof-number search looks at in the first round.
const PROOF_NUMBER_NODES: u64 = 1_000_000;

/// And before that, after the first stage: with few pieces, that is often enough.
const FIRST_PROOF_NUMBER_NODES: u64 = 20_000;

/// The threat-space searches of both sides in one position and the proof-number search, interleaved.
pub(super) struct Portfolio<'a> {
    pub(super) begin: Instant,
    pub(super) most: Turns,
    pub(super) task: Task<'a, Position, Heuristics>,
    /// The threat-space search of the side to move, a worker for each thread.
    pub(super) own: Vec<ThreatSearch<'a>>,
    /// The same for the other side.
    pub(super) others: Vec<ThreatSearch<'a>>,
    pub(super) numbers: &'a mut DfPn<Step>,
    pub(super) progress: &'a mut SolverProgress,
}

/// How far a solver has come with a position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SolverProgress {
    /// By how much the budgets of this round are greater than in the first one: a power of four.
    factor: u64,
    /// For each stage, how many turns the next win takes that is looked for.
    wins: [u8; STAGES.len()],
    /// The same for losses.
    losses: [u8; STAGES.len()],
    /// How many boards were looked at.
    pub nodes: u64,
    /// Whether the proof-number search has begun.
    pub(super) has_counted: bool,
}

impl Default for SolverProgress {
    fn default() -> SolverProgress {
        SolverProgress {
            factor: 1,
            wins: STAGES.map(|stage| stage.first),
            losses: [LossSearch::FIRST; STAGES.len()],
            nodes: 0,
            has_counted: false,
        }
    }
}

impl fmt::Display for SolverProgress {
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

impl SolverProgress {
    /// Its length in bytes.
    const LENGTH: usize = 16 + 2 * STAGES.len();

    pub(super) fn save(&self, out: &mut impl Write) -> io::Result<()> {
        out.write_all(&self.factor.to_le_bytes())?;
        out.write_all(&self.nodes.to_le_bytes())?;
        out.write_all(&self.wins)?;
        out.write_all(&self.losses)
    }

    pub(super) fn load(input: &mut impl Read) -> io::Result<SolverProgress> {
        let mut bytes = [0; SolverProgress::LENGTH];
        input.read_exact(&mut bytes)?;
        let word = |at: usize| {
            let bytes = bytes[at..at + 8].try_into();
            bytes.map(u64::from_le_bytes).map_err(io::Error::other)
        };
        let mut progress =
            SolverProgress { factor: word(0)?, nodes: word(8)?, ..SolverProgress::default() };
        let (wins, losses) = bytes[16..].split_at(STAGES.len());
        progress.wins.copy_from_slice(wins);
        progress.losses.copy_from_slice(losses);
        let turns = progress.wins.iter().chain(&progress.losses);
        let is_sound = progress.factor.is_power_of_two()
            && turns.into_iter().all(|turns| (1..=ThreatSearch::MOST_TURNS).contains(turns));
        if is_sound { Ok(progress) } else { Err(io::ErrorKind::InvalidData.into()) }
    }
}

impl Portfolio<'_> {
    /// Goes round by round until there is a proof or a limit is reached.
    pub(super) fn decide(&mut self, tell: &mut dyn FnMut(&SolverProgress)) -> SolverResult {
        let board = self.task.position.board();
        let wins = self.progress.wins;
        let win_search =
            |(stage, turns): (&ThreatStage, u8)| WinSearch::new(board, stage.breadth.quiet, turns);
        let mut win_searches: Vec<WinSearch> = STAGES.iter().zip(wins).map(win_search).collect();
        loop {
            for (index, win_search) in win_searches.iter_mut().enumerate() {
                let mut found =
                    self.search_win(win_search, index).or_else(|| self.search_loss(index));
                let is_first = index == 0 && self.progress.factor == 1;
                if found.is_none() && is_first && !self.must_end() && !self.is_exhausted(index) {
                    found = self.count_proof_numbers(FIRST_PROOF_NUMBER_NODES);
                }
                if found.is_some() || self.must_end() || self.is_exhausted(index) {
                    return found.unwrap_or(self.result(None, None, FoundBy::StaticTest));
                }
                tell(self.progress);
            }
            let found =
                self.count_proof_numbers(PROOF_NUMBER_NODES.saturating_mul(self.progress.factor));
            if found.is_some() || self.must_end() {
                return found.unwrap_or(self.result(None, None, FoundBy::StaticTest));
            }
            tell(self.progress);
            self.progress.factor = self.progress.factor.saturating_mul(4);
        }
    }

    /// The threat-space search of the side to move, for a number of boards.
    fn search_win(&mut self, win_search: &mut WinSearch, index: usize) -> Option<SolverResult> {
        let (breadth, budget) = self.budget(index);
        let before = nodes(&self.own);
        self.own.iter_mut().for_each(|worker| worker.set_budget(breadth, budget));
        let mut found = None;
        while found.is_none()
            && win_search.turns <= self.most_turns()
            && !self.own.iter().any(ThreatSearch::must_stop)
        {
            found = win_search.iterate(&mut self.own);
        }
        self.progress.wins[index] = win_search.turns;
        self.progress.nodes += nodes(&self.own) - before;
        let win = found?;
        Some(self.result(
            Some(Proof::Win(win.turns)),
            Some(win.turn),
            FoundBy::ThreatSearch(breadth),
        ))
    }

    /// The threat-space search of the other side, for a number of boards.
    fn search_loss(&mut self, index: usize) -> Option<SolverResult> {
        let (breadth, budget) = self.budget(index);
        let before = nodes(&self.others);
        // A lost side has few replies: a loss is found sooner than a win.
        self.others.iter_mut().for_each(|worker| worker.set_budget(breadth, budget / 4));
        let mut loss_search =
            LossSearch::new(self.task.position.board(), self.progress.losses[index]);
        let mut is_lost = false;
        while !is_lost
            && loss_search.turns <= self.most_turns()
            && !self.others.iter().any(ThreatSearch::must_stop)
        {
            is_lost = loss_search.iterate(&mut self.others);
        }
        self.progress.losses[index] = loss_search.turns;
        self.progress.nodes += nodes(&self.others) - before;
        let proof = Proof::Loss(Turns(loss_search.turns.into()));
        is_lost.then(|| self.result(Some(proof), None, FoundBy::ThreatSearch(breadth)))
    }

    /// The proof-number search, for a number of positions.
    fn count_proof_numbers(&mut self, positions: u64) -> Option<SolverResult> {
        let limits = Limits {
            nodes: Some(self.nodes_left().min(positions)),
            hard: self.task.limits.hard.map(|time| time.saturating_sub(self.begin.elapsed())),
            ..Limits::default()
        };
        let Task { position, past, heuristics, stop, .. } = self.task;
        self.progress.has_counted = true;
        let found = self.numbers.solve(&Task { position, past, heuristics, limits, stop }, |_| ());
        self.progress.nodes += found.nodes;
        let steps = found.turn.iter().filter(|step| **step != Step::PASS);
        let turn = steps.fold(Turn::EMPTY, |turn, &step| turn.then(step));
        let found_by = FoundBy::ProofNumbers { by_repetition: found.by_repetition };
        let proof = found.proof.filter(|proof| match proof {
            Proof::Win(turns) | Proof::Loss(turns) => *turns <= self.most,
        })?;
        let turn = matches!(proof, Proof::Win(_)).then_some(turn);
        Some(self.result(Some(proof), turn, found_by))
    }

    fn result(&self, proof: Option<Proof>, turn: Option<Turn>, found_by: FoundBy) -> SolverResult {
        SolverResult { proof, turn, nodes: self.progress.nodes, found_by }
    }

    /// The breadth of a stage, and how many boards it may look at in this round.
    fn budget(&self, index: usize) -> (Breadth, u64) {
        let ThreatStage { breadth, boards, .. } = STAGES[index];
        (breadth, boards.saturating_mul(self.progress.factor).min(self.nodes_left()))
    }

    /// The most turns of a win that is looked for.
    fn most_turns(&self) -> u8 {
        self.most.0.min(u16::from(ThreatSearch::MOST_TURNS) - 1) as u8
    }

    /// Whether, after that stage, all wins and losses have been looked for that are short enough to be
    /// wanted. Of those in two turns, the first stage misses none.
    fn is_exhausted(&self, index: usize) -> bool {
        let last = if self.most.0 <= 2 { 0 } else { STAGES.len() - 1 };
        let SolverProgress { wins, losses, .. } = &*self.progress;
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

fn nodes(workers: &[ThreatSearch]) -> u64 {
    workers.iter().map(|worker| worker.nodes).sum()
}
