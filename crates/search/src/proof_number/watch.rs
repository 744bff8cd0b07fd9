use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use crate::{Limits, Stop};

/// Looks now and then whether a search is to end, or to tell how far it has come.
#[derive(Debug)]
pub(crate) struct Watch<'a> {
    limits: Limits,
    stop: &'a Stop,
    /// Ends all threads when one of them has the answer.
    over: &'a Stop,
    /// The nodes of all threads.
    all: &'a AtomicU64,
    /// How many of them this thread has told.
    told: u64,
    begin: Instant,
    looks: u32,
    /// When there is something to tell again.
    next: Duration,
    pub(crate) must_stop: bool,
}

/// How often the clock is looked at, in expansions.
const EXPANSIONS_A_LOOK: u32 = 32;

/// How often a search tells how far it has come.
const INTERVAL: Duration = Duration::from_millis(500);

impl<'a> Watch<'a> {
    pub(crate) fn new(
        limits: Limits,
        begin: Instant,
        stop: &'a Stop,
        over: &'a Stop,
        all: &'a AtomicU64,
    ) -> Watch<'a> {
        let next = INTERVAL;
        Watch { limits, stop, over, all, told: 0, begin, looks: 0, next, must_stop: false }
    }

    pub(crate) fn elapsed(&self) -> Duration {
        self.begin.elapsed()
    }

    /// The nodes of all threads, given those of this one.
    pub(crate) fn nodes(&mut self, own: u64) -> u64 {
        let new = own - self.told;
        self.told = own;
        self.all.fetch_add(new, Ordering::Relaxed) + new
    }

    /// After an expansion: whether it is time to tell something. [`Watch::must_stop`] says whether to
    /// end.
    #[inline]
    pub(crate) fn look(&mut self, own_nodes: u64) -> bool {
        self.looks += 1;
        if !self.looks.is_multiple_of(EXPANSIONS_A_LOOK) && self.looks != 1 {
            return false;
        }
        let (elapsed, nodes) = (self.elapsed(), self.nodes(own_nodes));
        self.must_stop |= self.limits.hard.is_some_and(|time| elapsed >= time)
            || self.limits.nodes.is_some_and(|most| nodes >= most)
            || self.stop.is_requested()
            || self.over.is_requested();
        let is_time = elapsed >= self.next;
        if is_time {
            self.next = elapsed + INTERVAL;
        }
        is_time
    }
}
