//! Lazy SMP: each thread deepens by itself, with its own killers and history. The threads share the transposition
//! table, and vote for the turn in the end. The first thread leads: it looks at the clock and reports its iterations.

use std::cmp::Reverse;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use game::{Key, Position};
use rustc_hash::FxHashSet;

use super::threads::Completed;
use crate::Verdict;
use crate::value::Value;

/// What the threads of Lazy SMP know of each other.
#[derive(Debug)]
pub(super) struct LazySmp<Step> {
    threads: Mutex<Threads<Step>>,
    /// How many first turns were refuted: read often.
    refutations: AtomicUsize,
    /// Whether a thread has proved a win: read often.
    is_won: AtomicBool,
}

#[derive(Debug)]
struct Threads<Step> {
    /// The depth of the iteration that each thread is in, the leader's first.
    depths: Vec<u8>,
    /// The last answer of each thread, the leader's first.
    ballots: Vec<Option<Ballot<Step>>>,
    /// The positions after first turns in which a look has found no forced win.
    verified: FxHashSet<Key>,
}

/// The answer of a thread.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Ballot<Step> {
    /// The position after the first turn.
    pub(super) turn: Key,
    pub(super) found: Completed<Step>,
}

impl<Step> Ballot<Step> {
    /// The ballot of a thread that has found this.
    pub(super) fn new<P: Position<Step = Step>>(root: &P, found: Completed<Step>) -> Ballot<Step>
    where
        Step: Copy,
    {
        let mut after = root.clone();
        for &step in &found.line {
            after.play(step);
            if after.turn_starts() {
                break;
            }
        }
        Ballot { turn: after.key(), found }
    }
}

impl<Step: Clone> LazySmp<Step> {
    pub(super) fn new(threads: usize) -> LazySmp<Step> {
        let threads = Threads {
            depths: vec![0; threads],
            ballots: vec![None; threads],
            verified: FxHashSet::default(),
        };
        LazySmp {
            threads: Mutex::new(threads),
            refutations: AtomicUsize::new(0),
            is_won: AtomicBool::new(false),
        }
    }

    /// A thread begins its next iteration; the depth of it. The leader takes the `next` depth, a helper one that at
    /// most half of the other threads have come to, up to `most`.
    pub(super) fn begin_iteration(&self, thread: usize, next: u8, most: u8) -> u8 {
        let mut threads = self.lock();
        threads.depths[thread] = 0;
        let depth = match thread {
            0 => next,
            _ => staggered_depth(next, most, &threads.depths),
        };
        threads.depths[thread] = depth;
        depth
    }

    /// A thread has an answer.
    pub(super) fn vote(&self, thread: usize, ballot: Ballot<Step>) {
        if ballot.found.value.is_win() {
            self.is_won.store(true, Ordering::Relaxed);
        }
        self.lock().ballots[thread] = Some(ballot);
    }

    /// Whether a thread has proved a win.
    pub(super) fn is_won(&self) -> bool {
        self.is_won.load(Ordering::Relaxed)
    }

    /// Counts a first turn that was refuted: the threads that have it as their best must search again.
    pub(super) fn count_refutation(&self) {
        self.refutations.fetch_add(1, Ordering::Relaxed);
    }

    /// The number of refuted first turns.
    pub(super) fn refutations(&self) -> usize {
        self.refutations.load(Ordering::Relaxed)
    }

    /// A look has found no forced win after these first turns.
    pub(super) fn add_verified(&self, turns: impl IntoIterator<Item = Key>) {
        self.lock().verified.extend(turns);
    }

    /// The turns that threads have voted for, the one with the most votes first.
    pub(super) fn candidates(&self) -> Vec<Ballot<Step>> {
        let ballots: Vec<Ballot<Step>> = self.lock().ballots.iter().flatten().cloned().collect();
        ranking(ballots)
    }

    /// The turn that the threads vote for among those that hold. The leader's depth is the least that counts. Where turns
    /// are `verified`, those of helpers must have been.
    pub(super) fn elect(
        &self,
        verified: bool,
        holds: impl Fn(&Ballot<Step>) -> bool,
    ) -> Option<Completed<Step>> {
        let threads = self.lock();
        let leader = threads.ballots[0].as_ref().filter(|ballot| holds(ballot));
        let least = leader.map_or(0, |ballot| ballot.found.depth);
        let is_eligible = |ballot: &&Ballot<Step>| {
            let Completed { depth, value, .. } = ballot.found;
            let is_leaders = leader.is_some_and(|leader| leader.turn == ballot.turn);
            let is_verified = !verified || is_leaders || threads.verified.contains(&ballot.turn);
            value.is_result() || depth >= least && is_verified && holds(ballot)
        };
        let ballots = threads.ballots.iter().flatten().filter(is_eligible).cloned().collect();
        ranking(ballots).into_iter().next().map(|ballot| ballot.found)
    }

    fn lock(&self) -> MutexGuard<'_, Threads<Step>> {
        self.threads.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The first depth from `next` to `most` that no more than half of the threads are in or beyond. Threads at the same
/// depth do much of their work twice.
fn staggered_depth(next: u8, most: u8, depths: &[u8]) -> u8 {
    let is_free = |&depth: &u8| {
        let there = depths.iter().filter(|&&other| other >= depth).count();
        2 * there <= depths.len()
    };
    (next..most).find(is_free).unwrap_or(most)
}

/// What a vote counts besides its value, in points of the evaluation. The more, the more the number of votes decides.
const BASE: i32 = 20;

/// A vote counts by its value as if it were no more than this above the least one.
const MOST_ABOVE: i32 = 100;

/// The ballots of different turns, those with the most votes first: of each turn the deepest one. A result is certain,
/// whatever others expect: it comes first.
fn ranking<Step: Clone>(ballots: Vec<Ballot<Step>>) -> Vec<Ballot<Step>> {
    let score = |ballot: &Ballot<Step>| match ballot.found.value.verdict() {
        Verdict::Score(score) => Some(score.0),
        Verdict::Proof(_) => None,
    };
    let least = ballots.iter().filter_map(score).min().unwrap_or(0);
    let weight = |ballot: &Ballot<Step>| {
        let above = score(ballot).map_or(0, |score| (score - least).min(MOST_ABOVE));
        i64::from(ballot.found.depth) * i64::from(BASE + above)
    };
    let mut candidates: Vec<(i64, Ballot<Step>)> = Vec::new();
    for ballot in ballots {
        let weight = weight(&ballot);
        match candidates.iter_mut().find(|(_, other)| other.turn == ballot.turn) {
            None => candidates.push((weight, ballot)),
            Some((votes, other)) => {
                *votes += weight;
                if is_better_witness(&ballot.found, &other.found) {
                    *other = ballot;
                }
            }
        }
    }
    let result = |value: Value| value.is_result().then_some(value);
    candidates.sort_by_key(|(votes, ballot)| Reverse((result(ballot.found.value), *votes)));
    candidates.into_iter().map(|(_, ballot)| ballot).collect()
}

/// Whether one answer says more than another with the same turn.
fn is_better_witness<Step>(one: &Completed<Step>, other: &Completed<Step>) -> bool {
    let key = |found: &Completed<Step>| (found.value.is_result(), found.depth);
    key(one) > key(other)
}

#[cfg(test)]
mod tests {
    use game::Score;

    use super::*;

    fn ballot(turn: u64, depth: u8, value: Value) -> Ballot<char> {
        Ballot { turn: Key(turn), found: Completed { depth, value, line: vec!['a'] } }
    }

    fn score(score: i32) -> Value {
        Value::from(Score(score))
    }

    fn elected(ballots: &[Ballot<char>]) -> Option<Completed<char>> {
        let lazy = LazySmp::new(ballots.len());
        for (thread, ballot) in ballots.iter().enumerate() {
            lazy.vote(thread, ballot.clone());
        }
        lazy.elect(false, |_| true)
    }

    #[test]
    fn a_helper_goes_to_a_depth_that_at_most_half_of_the_threads_have_come_to() {
        assert_eq!(staggered_depth(5, 99, &[5, 0, 0, 0]), 5);
        assert_eq!(staggered_depth(5, 99, &[5, 5, 0, 0]), 5);
        assert_eq!(staggered_depth(5, 99, &[5, 5, 5, 0]), 6);
        assert_eq!(staggered_depth(5, 99, &[5, 6, 6, 7, 6, 0]), 7);
        assert_eq!(staggered_depth(5, 6, &[7, 7, 7, 0]), 6);
    }

    #[test]
    fn threads_spread_over_depths_and_the_leader_leaves_none_out() {
        let lazy: LazySmp<char> = LazySmp::new(4);
        let begin = |thread, next| lazy.begin_iteration(thread, next, 99);
        assert_eq!([begin(0, 1), begin(1, 1), begin(2, 1), begin(3, 1)], [1, 1, 1, 2]);
        assert_eq!([begin(1, 2), begin(2, 2), begin(0, 2)], [2, 2, 2]);
        // A thread is no obstacle to itself.
        assert_eq!([begin(3, 2), begin(3, 2)], [3, 3]);
    }

    #[test]
    fn the_turn_with_the_most_votes_is_elected() {
        let votes = [ballot(1, 9, score(30)), ballot(2, 9, score(25)), ballot(2, 9, score(20))];
        assert_eq!(elected(&votes), Some(votes[1].found.clone()));
        // One vote at the same depth, but of far more value.
        let votes = [ballot(1, 9, score(90)), ballot(2, 9, score(25)), ballot(2, 9, score(20))];
        assert_eq!(elected(&votes), Some(votes[0].found.clone()));
    }

    #[test]
    fn a_deeper_vote_counts_more_and_is_the_answer() {
        let votes = [ballot(1, 9, score(10)), ballot(2, 11, score(10)), ballot(2, 9, score(10))];
        assert_eq!(elected(&votes), Some(votes[1].found.clone()));
        assert_eq!(elected(&votes[..2]), Some(votes[1].found.clone()));
        // Votes of less depth than the leader's do not count.
        let votes = [ballot(1, 9, score(10)), ballot(2, 8, score(10)), ballot(2, 8, score(10))];
        assert_eq!(elected(&votes), Some(votes[0].found.clone()));
    }

    #[test]
    fn a_result_is_certain_whatever_others_vote() {
        let votes =
            [ballot(1, 9, score(50)), ballot(2, 5, Value::win(4)), ballot(3, 5, Value::win(2))];
        assert_eq!(elected(&votes), Some(votes[2].found.clone()));
        let votes =
            [ballot(1, 9, score(50)), ballot(2, 5, Value::loss(1)), ballot(3, 5, Value::loss(3))];
        assert_eq!(elected(&votes), Some(votes[2].found.clone()));
    }

    #[test]
    fn only_turns_that_hold_and_were_verified_are_eligible() {
        let votes = [ballot(1, 9, score(50)), ballot(2, 7, score(10)), ballot(3, 7, score(20))];
        let lazy = LazySmp::new(votes.len());
        for (thread, ballot) in votes.iter().enumerate() {
            lazy.vote(thread, ballot.clone());
        }
        assert_eq!(lazy.elect(true, |_| true), Some(votes[0].found.clone()));
        let elect = |verified| lazy.elect(verified, |ballot| ballot.turn != Key(1));
        assert_eq!(elect(false), Some(votes[2].found.clone()));
        assert_eq!(elect(true), None);
        lazy.add_verified([Key(1), Key(2)]);
        assert_eq!(elect(true), Some(votes[1].found.clone()));
    }
}
