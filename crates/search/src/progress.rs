use std::sync::atomic::{AtomicU16, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::value::Value;

/// How far the threads of a search have come: an iteration is over for all of them when the first has
/// completed it.
#[derive(Debug)]
pub(crate) struct Progress<Step> {
    /// From which depth on iterations are still to be completed: to be looked at often.
    next: AtomicU16,
    last: Mutex<Option<Completed<Step>>>,
}

/// What an iteration has found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Completed<Step> {
    pub(crate) depth: u8,
    pub(crate) value: Value,
    pub(crate) line: Vec<Step>,
}

impl<Step: Clone> Progress<Step> {
    pub(crate) fn new() -> Progress<Step> {
        Progress { next: AtomicU16::new(0), last: Mutex::new(None) }
    }

    /// Whether some thread has completed the iteration of that depth.
    pub(crate) fn has(&self, depth: u8) -> bool {
        u16::from(depth) < self.next.load(Ordering::Relaxed)
    }

    /// What the deepest iteration has found that was completed.
    pub(crate) fn last(&self) -> Option<Completed<Step>> {
        self.lock().clone()
    }

    /// Tells what an iteration has found, unless another thread has been as far.
    pub(crate) fn complete(&self, completed: Completed<Step>) {
        let mut last = self.lock();
        if !self.has(completed.depth) {
            self.next.store(u16::from(completed.depth) + 1, Ordering::Relaxed);
            *last = Some(completed);
        }
    }

    fn lock(&self) -> MutexGuard<'_, Option<Completed<Step>>> {
        self.last.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use game::Score;

    use super::*;

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
