//! What the threads of a search count, and how they hear that it is over.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// What all threads have counted. Each writes to a cache line of its own.
pub(super) struct Counters {
    threads: Box<[ThreadCounters]>,
    /// How many nodes all threads may enter together, where that is limited.
    most_nodes: Option<u64>,
    /// Whether a tree has no room for another node.
    pub(super) is_full: AtomicBool,
    pub(super) is_over: AtomicBool,
}

/// What one thread has counted. Others only read it.
#[derive(Default)]
#[repr(align(128))]
pub(super) struct ThreadCounters {
    /// How many iterations were begun.
    pub(super) iterations: Counter,
    pub(super) playouts: Counter,
    pub(super) expanded: Counter,
    /// How many children were evaluated.
    pub(super) evaluated: Counter,
    /// The depths of all leaves, in steps, added up.
    pub(super) depth: Counter,
}

/// A number that one thread writes and all may read.
#[derive(Default)]
pub(super) struct Counter(AtomicU64);

impl Counter {
    #[inline]
    pub(super) fn add(&self, count: u64) {
        self.0.store(self.get() + count, Ordering::Relaxed);
    }

    #[inline]
    pub(super) fn get(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

impl Counters {
    pub(super) fn new(threads: usize, most_nodes: Option<u64>) -> Counters {
        Counters {
            threads: std::iter::repeat_with(ThreadCounters::default).take(threads).collect(),
            most_nodes,
            is_full: AtomicBool::new(false),
            is_over: AtomicBool::new(false),
        }
    }

    pub(super) fn of_thread(&self, thread: usize) -> &ThreadCounters {
        &self.threads[thread]
    }

    /// What all threads have counted together.
    pub(super) fn sum(&self, counter: impl Fn(&ThreadCounters) -> &Counter) -> u64 {
        self.threads.iter().map(|thread| counter(thread).get()).sum()
    }

    /// How many positions were entered: leaves, and children that were evaluated.
    pub(super) fn nodes(&self) -> u64 {
        self.sum(|thread| &thread.iterations) + self.sum(|thread| &thread.evaluated)
    }

    /// Whether as many positions were entered as may be. Each thread asks before each iteration: all together go beyond
    /// the limit by one iteration of each at most.
    pub(super) fn are_nodes_spent(&self) -> bool {
        self.most_nodes.is_some_and(|most| self.nodes() >= most)
    }
}
