use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use game::Steps;

/// When a search ends by itself; without any limit, it goes on until it is told to stop or has a
/// proof.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Limits {
    /// The depth of the last iteration.
    pub depth: Option<Steps>,
    /// How many positions may be entered.
    pub nodes: Option<u64>,
    /// When no further iteration is worth its while; an easy answer comes sooner, a hard one later.
    pub soft: Option<Duration>,
    /// When the answer must be there.
    pub hard: Option<Duration>,
}

impl Limits {
    /// All of this time is used.
    pub fn time(time: Duration) -> Limits {
        Limits { hard: Some(time), ..Limits::default() }
    }

    /// Searches to this depth, however long it takes.
    pub fn depth(depth: Steps) -> Limits {
        Limits { depth: Some(depth), ..Limits::default() }
    }

    /// What is left after so many nodes and so much time.
    pub fn less(self, nodes: u64, time: Duration) -> Limits {
        Limits {
            depth: self.depth,
            nodes: self.nodes.map(|most| most.saturating_sub(nodes)),
            soft: self.soft.map(|most| most.saturating_sub(time)),
            hard: self.hard.map(|most| most.saturating_sub(time)),
        }
    }

    /// So many hundredths of the nodes and the time.
    pub fn share(self, percent: u32) -> Limits {
        Limits {
            depth: self.depth,
            nodes: self.nodes.map(|nodes| share(nodes, percent).max(1)),
            soft: self.soft.map(|time| time / 100 * percent),
            hard: self.hard.map(|time| time / 100 * percent),
        }
    }
}

/// So many hundredths of a number, rounded down.
fn share(number: u64, percent: u32) -> u64 {
    (u128::from(number) * u128::from(percent) / 100) as u64
}

/// A way to stop a search from another thread; its clones stop the same search.
#[derive(Clone, Debug, Default)]
pub struct Stop(Arc<AtomicBool>);

impl Stop {
    /// Nobody has asked to stop yet.
    pub fn new() -> Stop {
        Stop::default()
    }

    /// Asks to stop.
    pub fn request(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether somebody has asked to stop.
    #[inline]
    pub fn is_requested(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_of_nodes_is_not_rounded_before_it_is_taken() {
        let limits = |nodes| Limits { nodes: Some(nodes), ..Limits::default() };
        assert_eq!(limits(99).share(100), limits(99));
        assert_eq!(limits(150).share(50), limits(75));
        assert_eq!(limits(1).share(50), limits(1));
        assert_eq!(limits(u64::MAX).share(100), limits(u64::MAX));
    }
}
