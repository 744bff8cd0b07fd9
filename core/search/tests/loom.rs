//! What threads share of a tree, in every order in which two threads can meet.

/// The model checker's atomics in the place of the standard library's.
mod atomic {
    pub use loom::sync::atomic::{AtomicU16, AtomicU32, AtomicU64, Ordering};
}

#[allow(dead_code, reason = "a part of the crate, of which the tests use the most")]
#[path = "../src/mcts/statistics.rs"]
mod statistics;

use atomic::{AtomicU32, Ordering};
use loom::sync::Arc;
use loom::thread;
use statistics::{EdgeRange, Mean, SharedMean, VirtualLoss};

#[test]
fn no_value_is_lost_and_count_and_mean_belong_together() {
    loom::model(|| {
        let mean = Arc::new(SharedMean::default());
        let other = mean.clone();
        let thread = thread::spawn(move || other.add(1.0, 1.0, 1));
        mean.add(-1.0, 1.0, 1);
        let seen = mean.get();
        // This thread's value is in it; whether the other's is, count and mean agree.
        let both = Mean { count: 2, value: 0.0 };
        assert!(seen == Mean { count: 1, value: -1.0 } || seen == both, "{seen:?}");
        thread.join().expect("no panic");
        assert_eq!(mean.get(), both);
    });
}

#[test]
fn a_change_of_the_whole_mean_loses_no_value_either() {
    loom::model(|| {
        let mean = Arc::new(SharedMean::default());
        let other = mean.clone();
        let shared = |Mean { count, .. }: Mean| Mean { count: count + 1, value: 0.5 };
        let thread = thread::spawn(move || other.update(shared).count);
        let mine = mean.update(shared).count;
        let others = thread.join().expect("no panic");
        assert_eq!(mine + others, 3);
        assert_eq!(mean.get(), Mean { count: 2, value: 0.5 });
    });
}

#[test]
fn who_has_left_an_edge_counts_there_no_more() {
    loom::model(|| {
        let loss = Arc::new(VirtualLoss::default());
        let other = loss.clone();
        let thread = thread::spawn(move || {
            other.enter();
            other.leave();
        });
        loss.enter();
        assert!((1..=2).contains(&loss.count()));
        loss.leave();
        thread.join().expect("no panic");
        assert_eq!(loss.count(), 0);
    });
}

#[test]
fn one_thread_expands_a_node_and_who_sees_its_edges_sees_what_they_hold() {
    loom::model(|| {
        let range = Arc::new(EdgeRange::default());
        let edge = Arc::new(AtomicU32::new(0));
        let expand = |range: &EdgeRange, edge: &AtomicU32| {
            let claimed = range.claim();
            if claimed {
                edge.fetch_add(7, Ordering::Relaxed);
                range.publish(5, 1);
            }
            if let Some(place) = range.get() {
                assert_eq!(place, (5, 1));
                assert_eq!(edge.load(Ordering::Relaxed), 7);
            }
            claimed
        };
        let (other_range, other_edge) = (range.clone(), edge.clone());
        let thread = thread::spawn(move || expand(&other_range, &other_edge));
        let mine = expand(&range, &edge);
        let others = thread.join().expect("no panic");
        assert!(mine != others, "one of them");
    });
}
