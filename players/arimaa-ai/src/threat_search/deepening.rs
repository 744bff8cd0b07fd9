//! Iterative deepening over ever longer wins, and the threads that share it.

use std::mem;
use std::ops::ControlFlow;
use std::slice;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use arimaa::{Board, Mobility, Reached, Side, Turn};
use game::Turns;
use guard::spawn_helpers;

use super::{DefenderState, ForcedWin, ThreatSearch};

/// Iterative deepening with the attacker to move: the candidate turns of a board, tried for ever longer
/// wins.
pub(crate) struct WinSearch {
    board: Board,
    /// Turns without a threat are looked at if they leave at most so many replies.
    quiet: usize,
    /// How many turns the next win takes that is looked for.
    pub(crate) turns: u8,
    candidates: Vec<Candidate>,
    /// Whether quiet turns are among them.
    is_complete: bool,
}

/// Candidates with at most this many replies are tried before the others. Counting the replies of all candidates takes longer
/// than answering 64: with 4 and 16 as first numbers, five wins in three took 1.02 s instead of 0.53 (2026-11).
const FEW_REPLIES: [usize; 6] = [64, 256, 1024, 4096, 16_384, usize::MAX];

/// One worker answers the first so many replies to a candidate alone. Who answers these will mostly answer
/// all, and then the others help.
const FIRST_REPLIES: usize = 64;

impl WinSearch {
    /// The length of the first win that is looked for.
    pub(crate) const FIRST: u8 = 2;

    /// The search of a board on which the attacker does not win with fewer turns than these.
    pub(crate) fn new(board: &Board, quiet: usize, turns: u8) -> WinSearch {
        WinSearch { board: *board, quiet, turns, candidates: Vec::new(), is_complete: false }
    }

    /// One iteration: a win of `self.turns` turns. If there is none, the next iteration looks for one turn
    /// more. Workers that were told to stop go on with the same iteration.
    pub(crate) fn iterate(&mut self, workers: &mut [ThreatSearch]) -> Option<ForcedWin> {
        let found = match self.turns {
            2 => self.undefended(workers),
            turns => self.forced(workers, turns),
        };
        let win = found.map(|turn| ForcedWin { turn, turns: Turns(self.turns.into()) });
        if let Some(win) = win {
            workers.iter_mut().for_each(|worker| worker.killers.winning.add(win.turn));
        }
        if !workers.iter().any(|worker| worker.must_stop()) {
            self.turns += 1;
            self.candidates
                .iter_mut()
                .for_each(|candidate| candidate.status = CandidateStatus::Open);
        }
        win
    }

    /// A turn after which the enemy has no defence against a win with the next one.
    fn undefended(&mut self, workers: &mut [ThreatSearch]) -> Option<Turn> {
        self.candidates = threats(workers, &self.board);
        let is_undefended = |worker: &mut ThreatSearch, candidate: &mut Candidate| {
            !worker.must_stop() && !worker.holds(&candidate.after, 1)
        };
        find_in_parallel(workers, self.candidates.iter_mut(), is_undefended).or_else(|| {
            let mut paralysing = match self.quiet {
                0 => Vec::new(),
                _ => paralysing_turns(workers, &self.board),
            };
            find_in_parallel(workers, paralysing.iter_mut(), is_undefended)
        })
    }

    /// Lists the candidates for longer wins: threats against which few defences are known, and quiet turns.
    fn complete(&mut self, workers: &mut [ThreatSearch]) {
        if self.candidates.is_empty() {
            self.candidates = threats(workers, &self.board);
        }
        find_in_parallel(workers, self.candidates.iter_mut(), |worker, threat| {
            threat.replies = worker.count_known_defences(&threat.after);
            false
        });
        self.candidates.sort_by_key(|threat| threat.replies);
        let most = self.quiet;
        if most > 0 {
            let is_quiet = |worker: &mut ThreatSearch, turns: &[Reached]| {
                worker.quiet_turns(&self.board, turns, most)
            };
            let turns = distinct_turns(workers, &self.board);
            let mut quiet = collect_in_parallel(workers, &turns, is_quiet);
            quiet.sort_by_key(|candidate| candidate.replies);
            self.candidates.extend(quiet);
        }
        self.is_complete = !workers.iter().any(|worker| worker.must_stop());
        if !self.is_complete {
            self.candidates.clear();
        }
    }

    /// A candidate that wins within so many turns, whatever the enemy does. Those with few replies come
    /// first, and those that a known defence meets come last.
    fn forced(&mut self, workers: &mut [ThreatSearch], turns: u8) -> Option<Turn> {
        if !self.is_complete {
            self.complete(workers);
        }
        let limit = workers.first()?.breadth.replies;
        for status in [CandidateStatus::Open, CandidateStatus::LikelyRefuted] {
            for most in FEW_REPLIES.into_iter().filter(|&most| most <= limit) {
                while let Some(turn) = self.promising(workers, turns, status, most) {
                    if self.is_confirmed(workers, turn, turns, most) {
                        return Some(turn);
                    }
                }
            }
        }
        None
    }

    /// A candidate with at most so many replies that wins within so many turns, or that the first replies do
    /// not meet.
    fn promising(
        &mut self,
        workers: &mut [ThreatSearch],
        turns: u8,
        status: CandidateStatus,
        most: usize,
    ) -> Option<Turn> {
        let first = if workers.len() > 1 { FIRST_REPLIES } else { usize::MAX };
        let is_due =
            |candidate: &&mut Candidate| candidate.status <= status && candidate.replies <= most;
        find_in_parallel(workers, self.candidates.iter_mut().filter(is_due), |worker, candidate| {
            !worker.must_stop() && worker.succeeds(candidate, turns, status, most, first)
        })
    }

    /// Whether a promising candidate wins: all workers together answer the other replies.
    fn is_confirmed(
        &mut self,
        workers: &mut [ThreatSearch],
        turn: Turn,
        turns: u8,
        most: usize,
    ) -> bool {
        let Some(candidate) = self.candidates.iter_mut().find(|candidate| candidate.turn == turn)
        else {
            return false;
        };
        let is_open = mem::take(&mut candidate.is_open);
        if !is_open
            || defender_state(workers, &candidate.after, turns - 1, most, usize::MAX)
                == DefenderState::Lost
        {
            return true;
        }
        if !workers.iter().any(|worker| worker.must_stop()) {
            candidate.status = CandidateStatus::Refuted;
        }
        false
    }
}

fn distinct_turns(workers: &mut [ThreatSearch], board: &Board) -> Vec<Reached> {
    let lead = workers.first_mut();
    lead.map_or(Vec::new(), |lead| lead.generator.distinct(board, lead.side).to_vec())
}

/// The turns that threaten to win and give the enemy no win of its own, the shortest wins first.
pub(super) fn threats(workers: &mut [ThreatSearch], board: &Board) -> Vec<Candidate> {
    let turns = distinct_turns(workers, board);
    let mut threats =
        collect_in_parallel(workers, &turns, |worker, turns| worker.threats(board, turns));
    threats.sort_by_key(|threat| threat.replies);
    threats.iter_mut().for_each(|threat| threat.replies = 0);
    threats
}

/// The turns that do not threaten to win, give the enemy no win either, and to which no single step is a
/// reply that holds: the enemy may be lost because it must move.
fn paralysing_turns(workers: &mut [ThreatSearch], board: &Board) -> Vec<Candidate> {
    for worker in workers.iter_mut() {
        let _ = Mobility::new(board, !worker.side).for_each_single(&mut |step| {
            worker.killers.defences[1].add(Turn::EMPTY.then(step));
            ControlFlow::Continue(())
        });
    }
    let turns = distinct_turns(workers, board);
    collect_in_parallel(workers, &turns, |worker, turns| worker.paralysing_turns(board, turns))
}

impl ThreatSearch<'_> {
    /// Whether a candidate wins within so many turns, if it leaves at most so many replies; what stands
    /// against it is noted.
    fn succeeds(
        &mut self,
        candidate: &mut Candidate,
        turns: u8,
        status: CandidateStatus,
        most: usize,
        first: usize,
    ) -> bool {
        if status == CandidateStatus::Open && self.meets_known_defence(&candidate.after, turns - 1)
        {
            candidate.status = CandidateStatus::LikelyRefuted;
            return false;
        }
        match defender_state(slice::from_mut(self), &candidate.after, turns - 1, most, first) {
            DefenderState::Lost => return true,
            DefenderState::Undecided => {
                candidate.is_open = true;
                return true;
            }
            // Nothing is known of a search that was stopped.
            DefenderState::Holds if self.must_stop() => {}
            DefenderState::Holds => candidate.status = CandidateStatus::Refuted,
            DefenderState::TooManyReplies => candidate.replies = most.saturating_add(1),
        }
        false
    }
}

/// Iterative deepening with the defender to move: whether it is lost, within ever more turns.
pub(crate) struct LossSearch {
    board: Board,
    /// Within how many turns of the attacker the next loss comes that is looked for.
    pub(crate) turns: u8,
}

impl LossSearch {
    /// The length of the first loss that is looked for.
    pub(crate) const FIRST: u8 = 1;

    /// The board of an enemy that does not win at once, nor lose within fewer turns than these.
    pub(crate) fn new(board: &Board, turns: u8) -> LossSearch {
        LossSearch { board: *board, turns }
    }

    /// One iteration: whether the enemy is lost within `self.turns` turns. If not, the next iteration looks
    /// at one turn more. Workers that were told to stop go on with the same iteration.
    pub(crate) fn iterate(&mut self, workers: &mut [ThreatSearch]) -> bool {
        let Some(lead) = workers.first() else { return false };
        let most = lead.breadth.replies;
        let is_lost = defender_state(workers, &self.board, self.turns, most, usize::MAX)
            == DefenderState::Lost;
        if !is_lost && !workers.iter().any(|worker| worker.must_stop()) {
            self.turns += 1;
        }
        is_lost
    }
}

/// The state of an enemy that is to move and does not win at once, within so many turns, if it has at most
/// `most` replies. The workers together answer the `first` ones of them.
pub(super) fn defender_state(
    workers: &mut [ThreatSearch],
    board: &Board,
    turns: u8,
    most: usize,
    first: usize,
) -> DefenderState {
    let Some(lead) = workers.first_mut() else { return DefenderState::Holds };
    let mut replies = match lead.replies(board, turns, most) {
        Err(state) => return state,
        Ok(replies) => replies,
    };
    let holds = |worker: &mut ThreatSearch, reply: &mut Candidate| {
        worker.wins(&reply.after, turns).is_none()
    };
    match find_in_parallel(workers, replies.iter_mut().take(first), holds) {
        Some(reply) => {
            workers
                .iter_mut()
                .for_each(|worker| worker.killers.defences[turns as usize].add(reply));
            DefenderState::Holds
        }
        None if replies.len() > first => DefenderState::Undecided,
        None => DefenderState::Lost,
    }
}

/// A turn that may win or hold, and what is known about it.
pub(super) struct Candidate {
    pub(super) turn: Turn,
    /// The board after it.
    pub(super) after: Board,
    /// How many replies it leaves, as far as is known.
    pub(super) replies: usize,
    pub(super) status: CandidateStatus,
    /// Whether only its first replies have been answered.
    pub(super) is_open: bool,
}

/// What is known against a candidate.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum CandidateStatus {
    /// Nothing.
    Open,
    /// A defence that has held against another candidate stops the threat of this one as well.
    LikelyRefuted,
    /// A defence holds.
    Refuted,
}

impl Candidate {
    /// A candidate that nothing is known against.
    pub(super) fn new(turn: Turn, after: &Board, replies: usize) -> Candidate {
        Candidate { turn, after: *after, replies, status: CandidateStatus::Open, is_open: false }
    }
}

/// How many single steps a side has.
#[inline]
pub(super) fn freedom(board: &Board, side: Side) -> usize {
    Mobility::new(board, side).singles.iter().map(|movers| movers.len()).sum()
}

/// About how many distinct turns a side has with so many single steps: the median of some 14,000 boards
/// of sharp endgames is 1500 with 10 single steps, 4800 with 15 and 12,000 with 20 (2026-11).
#[inline]
pub(super) fn turns_with(freedom: usize) -> usize {
    freedom.saturating_pow(3).saturating_mul(3) / 2
}

/// The first candidate that passes the test. A single worker tries them in order. Of several, each takes the
/// next as soon as it is free; afterwards, they share their killer turns.
fn find_in_parallel<'a>(
    workers: &mut [ThreatSearch],
    candidates: impl Iterator<Item = &'a mut Candidate> + Send,
    test: impl Fn(&mut ThreatSearch, &mut Candidate) -> bool + Sync,
) -> Option<Turn> {
    let mut candidates = candidates.peekable();
    candidates.peek()?;
    if let [alone] = workers {
        return candidates.find_map(|candidate| test(alone, candidate).then_some(candidate.turn));
    }
    let halt = workers.first()?.halt;
    let queue = Mutex::new(candidates);
    let found = Mutex::new(None);
    let work = |worker: &mut ThreatSearch| {
        while let Some(candidate) = queue.lock().ok().and_then(|mut queue| queue.next()) {
            if test(worker, candidate) {
                if let Ok(mut found) = found.lock() {
                    found.get_or_insert(candidate.turn);
                }
                if let Some(halt) = halt {
                    halt.store(true, Ordering::Relaxed);
                }
                return;
            }
        }
    };
    in_parallel(workers, work);
    if let Some(halt) = halt {
        halt.store(false, Ordering::Relaxed);
    }
    share_killers(workers);
    found.into_inner().ok()?
}

/// The candidates among many turns. Each worker tests a part of them; the order stays.
fn collect_in_parallel(
    workers: &mut [ThreatSearch],
    turns: &[Reached],
    test: impl Fn(&mut ThreatSearch, &[Reached]) -> Vec<Candidate> + Sync,
) -> Vec<Candidate> {
    // Large enough to be worth handing out, and small enough that no worker waits long for the last.
    const PART: usize = 512;
    if let [alone] = workers {
        return test(alone, turns);
    }
    let next = AtomicUsize::new(0);
    let parts = Mutex::new(Vec::new());
    in_parallel(workers, |worker| {
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(part) = turns.chunks(PART).nth(index) else { break };
            let found = test(worker, part);
            if let Ok(mut parts) = parts.lock() {
                parts.push((index, found));
            }
        }
    });
    let mut parts = parts.into_inner().unwrap_or_default();
    parts.sort_by_key(|(index, _)| *index);
    parts.into_iter().flat_map(|(_, found)| found).collect()
}

fn in_parallel(workers: &mut [ThreatSearch], work: impl Fn(&mut ThreatSearch) + Sync) {
    thread::scope(|scope| {
        let mut workers = workers.iter_mut();
        let lead = workers.next();
        let work = &work;
        spawn_helpers(scope, "threats", workers.len(), |_| {
            let worker = workers.next();
            move || worker.into_iter().for_each(work)
        });
        lead.into_iter().for_each(work);
    });
}

fn share_killers(workers: &mut [ThreatSearch]) {
    let Some((lead, others)) = workers.split_first_mut() else { return };
    others.iter().for_each(|other| lead.killers.learn(&other.killers));
    others.iter_mut().for_each(|other| other.killers = lead.killers.clone());
}
