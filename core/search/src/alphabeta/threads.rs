use std::sync::atomic::{AtomicU16, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use game::{Key, PackedStep};

use super::lazy_smp::LazySmp;
use crate::defences::Defences;
use crate::transposition_table::TranspositionTable;
use crate::value::Value;

/// What the threads of a search share.
#[derive(Debug)]
pub(super) struct Shared<Step> {
    pub(super) table: TranspositionTable<Step>,
    pub(super) defences: Defences<Step>,
    pub(super) abdada: Abdada,
    pub(super) progress: Progress<Step>,
    pub(super) lazy_smp: LazySmp<Step>,
    pub(super) null_moves: NullMoveCounters,
}

impl<Step: PackedStep> Shared<Step> {
    /// With that transposition table.
    pub(super) fn new(table: TranspositionTable<Step>) -> Shared<Step> {
        Shared {
            table,
            defences: Defences::new(),
            abdada: Abdada::new(),
            progress: Progress::new(),
            lazy_smp: LazySmp::new(1),
            null_moves: NullMoveCounters::default(),
        }
    }
}

/// How often null moves were tried and have caused a cutoff, by the level of the tree.
#[derive(Debug, Default)]
pub(super) struct NullMoveCounters {
    levels: [[AtomicU64; 2]; NullMoveCounters::LEVELS],
}

impl NullMoveCounters {
    /// Beyond these, nothing is counted.
    const LEVELS: usize = 32;

    /// Counts a null move that was tried.
    pub(super) fn count(&self, level: usize, cuts_off: bool) {
        if let Some([tried, cutoffs]) = self.levels.get(level) {
            tried.fetch_add(1, Ordering::Relaxed);
            cutoffs.fetch_add(u64::from(cuts_off), Ordering::Relaxed);
        }
    }

    /// For each level, how many were tried and how many have caused a cutoff.
    pub(super) fn all(&self) -> Vec<(u64, u64)> {
        let load = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        self.levels.iter().map(|[tried, cutoffs]| (load(tried), load(cutoffs))).collect()
    }
}

/// How far the threads of a search have come. With ABDADA, an iteration is over for all of them when the first has
/// completed it. With Lazy SMP, only nodes are counted here.
#[derive(Debug)]
pub(super) struct Progress<Step> {
    /// From which depth on iterations are still to be completed: to be looked at often.
    next: AtomicU16,
    last: Mutex<Option<Completed<Step>>>,
    /// How many nodes the threads have told of.
    nodes: AtomicU64,
}

/// What an iteration has found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Completed<Step> {
    pub(super) depth: u8,
    pub(super) value: Value,
    pub(super) line: Vec<Step>,
}

impl<Step: Clone> Progress<Step> {
    pub(super) fn new() -> Progress<Step> {
        Progress { next: AtomicU16::new(0), last: Mutex::new(None), nodes: AtomicU64::new(0) }
    }

    /// Counts nodes of a thread, and returns those of all threads so far.
    pub(super) fn add_nodes(&self, nodes: u64) -> u64 {
        self.nodes.fetch_add(nodes, Ordering::Relaxed) + nodes
    }

    /// Whether some thread has completed the iteration of that depth.
    pub(super) fn has(&self, depth: u8) -> bool {
        u16::from(depth) < self.next.load(Ordering::Relaxed)
    }

    /// What the deepest iteration has found that was completed.
    pub(super) fn last(&self) -> Option<Completed<Step>> {
        self.lock().clone()
    }

    /// Tells what an iteration has found, unless another thread has been as far.
    pub(super) fn complete(&self, completed: Completed<Step>) {
        let mut last = self.lock();
        if !self.has(completed.depth) {
            self.next.store(u16::from(completed.depth) + 1, Ordering::Relaxed);
            *last = Some(completed);
        }
    }

    /// An iteration was completed with a turn that loses: it may be completed again.
    pub(super) fn reopen(&self, depth: u8) {
        let _last = self.lock();
        self.next.store(depth.into(), Ordering::Relaxed);
    }

    fn lock(&self) -> MutexGuard<'_, Option<Completed<Step>>> {
        self.last.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// ABDADA (Weill 1996): which positions are being searched. A thread that comes to a position which another one is searching
/// turns to the next option, and comes back later, when it finds the answer in the transposition table.
///
/// Only a hint: two positions may share a place, and then one of them is searched twice.
#[derive(Debug)]
pub(super) struct Abdada {
    places: Box<[AtomicU64]>,
}

/// Far more slots than positions that are searched at once.
const PLACES: usize = 1 << 12;

/// Positions with less depth are not worth the bookkeeping.
pub(super) const ABDADA_DEPTH: i32 = 3;

impl Abdada {
    pub(super) fn new() -> Abdada {
        Abdada { places: std::iter::repeat_with(AtomicU64::default).take(PLACES).collect() }
    }

    /// Whether some thread searches the position to that depth.
    pub(super) fn is_searched(&self, key: Key, depth: i32) -> bool {
        let mark = mark(key, depth);
        self.place(mark).load(Ordering::Relaxed) == mark
    }

    /// A thread begins to search the position to that depth.
    pub(super) fn enter(&self, key: Key, depth: i32) {
        let mark = mark(key, depth);
        self.place(mark).store(mark, Ordering::Relaxed);
    }

    /// It has done so.
    pub(super) fn leave(&self, key: Key, depth: i32) {
        let mark = mark(key, depth);
        let place = self.place(mark);
        // It may be another's by now.
        let _ = place.compare_exchange(mark, 0, Ordering::Relaxed, Ordering::Relaxed);
    }

    fn place(&self, mark: u64) -> &AtomicU64 {
        &self.places[mark as usize % PLACES]
    }
}

/// A position searched to different depths is different work.
fn mark(key: Key, depth: i32) -> u64 {
    key.0.wrapping_add((depth as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15))
}

#[cfg(test)]
mod tests {
    use game::Score;

    use super::*;

    #[test]
    fn a_position_is_searched_to_its_depth_until_it_is_left() {
        let abdada = Abdada::new();
        abdada.enter(Key(7), 5);
        assert!(abdada.is_searched(Key(7), 5));
        assert!(!abdada.is_searched(Key(7), 6) && !abdada.is_searched(Key(8), 5));
        // Another in the same place; the leaving of the first is not its own.
        abdada.enter(Key(7 + PLACES as u64), 5);
        abdada.leave(Key(7), 5);
        assert!(abdada.is_searched(Key(7 + PLACES as u64), 5));
        abdada.leave(Key(7 + PLACES as u64), 5);
        assert!(!abdada.is_searched(Key(7 + PLACES as u64), 5));
    }

    #[test]
    fn what_was_completed_first_counts() {
        let progress = Progress::new();
        let completed =
            |depth, step| Completed { depth, value: Value::from(Score(0)), line: vec![step] };
        assert!(!progress.has(0) && progress.last().is_none());
        progress.complete(completed(1, 'a'));
        progress.complete(completed(1, 'b'));
        assert!(progress.has(1) && !progress.has(2));
        assert_eq!(progress.last(), Some(completed(1, 'a')));
        progress.complete(completed(3, 'c'));
        progress.complete(completed(2, 'd'));
        assert_eq!(progress.last(), Some(completed(3, 'c')));
    }
}
