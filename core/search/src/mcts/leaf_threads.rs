//! The leaf model: one thread descends the tree, and all threads play a playout from its leaf.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Barrier, Mutex, OnceLock};

use game::Position;

use super::{PlayoutRequest, StepHistory};

/// What the threads of the leaf model share. They wait for each other before and after the playouts of a leaf.
pub(super) struct LeafThreads<P: Position> {
    /// For as many threads as the system has started.
    barrier: OnceLock<Barrier>,
    leaf: Mutex<Option<(P, Option<P::Step>)>>,
    /// What came of the playouts of the leaf.
    values: Mutex<Vec<f32>>,
    is_over: AtomicBool,
}

impl<P: Position> LeafThreads<P> {
    pub(super) fn new() -> LeafThreads<P> {
        LeafThreads {
            barrier: OnceLock::new(),
            leaf: Mutex::new(None),
            values: Mutex::new(Vec::new()),
            is_over: AtomicBool::new(false),
        }
    }

    /// Lets `threads` threads begin, the one that descends the tree included.
    pub(super) fn begin(&self, threads: usize) {
        let _ = self.barrier.set(Barrier::new(threads));
    }

    /// Waits until all threads have come here.
    fn meet(&self) {
        self.barrier.wait().wait();
    }

    /// The mean of a playout of each thread; `own` is that of the thread that asks.
    pub(super) fn playouts<'a>(
        &self,
        request: &PlayoutRequest<'a, P>,
        own: impl FnOnce(PlayoutRequest<'a, P>) -> f32,
    ) -> f32 {
        *lock(&self.leaf) = Some((request.position.clone(), request.previous));
        self.meet();
        let value = own(*request);
        self.meet();
        let mut values = lock(&self.values);
        values.push(value);
        // Threads come in any order: the sum must not depend on it.
        values.sort_by(f32::total_cmp);
        let mean = values.iter().sum::<f32>() / values.len() as f32;
        values.clear();
        mean
    }

    /// Plays a playout of each leaf until the search is over: what the other threads do.
    pub(super) fn help(
        &self,
        history: &StepHistory,
        mut playout: impl FnMut(PlayoutRequest<P>) -> f32,
    ) {
        loop {
            self.meet();
            if self.is_over.load(Ordering::Acquire) {
                return;
            }
            let leaf = lock(&self.leaf).clone();
            if let Some((position, previous)) = leaf {
                let value = playout(PlayoutRequest { position: &position, previous, history });
                lock(&self.values).push(value);
            }
            self.meet();
        }
    }

    /// Sends the other threads home.
    pub(super) fn end(&self) {
        self.is_over.store(true, Ordering::Release);
        self.meet();
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().expect("no thread has panicked")
}
