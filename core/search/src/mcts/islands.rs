//! The island model (Kozelek 2009, 4.8.1): threads with a tree each that tell each other what they know of a position
//! now and then.

use std::sync::atomic::{AtomicU64, Ordering};

use super::statistics::{Mean, SharedMean};
use super::tree::{NodeId, Tree, transposition_key};

/// What all islands together know of positions: the master tree of the thesis, as a table.
pub(super) struct Islands {
    places: Box<[Place]>,
}

#[derive(Default)]
struct Place {
    key: AtomicU64,
    mean: SharedMean,
}

impl Islands {
    /// Room for that many MiB.
    pub(super) fn new(mebibytes: usize) -> Islands {
        let count = ((mebibytes << 20) / size_of::<Place>()).max(1);
        Islands { places: std::iter::repeat_with(Place::default).take(count).collect() }
    }

    /// Adds what an island has found out about a node since the last time, and takes over what the others have.
    pub(super) fn synchronise(&self, tree: &Tree, id: NodeId, turns: u32) {
        let node = tree.node(id);
        let Some(last) = tree.synchronised(id) else { return };
        let key = transposition_key(node.key(), turns).0;
        let index = (u128::from(key) * self.places.len() as u128) >> 64;
        let place = &self.places[index as usize];
        let claimed = place.key.compare_exchange(0, key, Ordering::Relaxed, Ordering::Relaxed);
        if claimed.is_err_and(|found| found != key) {
            // The place is another position's.
            return;
        }
        let news = without(node.mean.get(), last.get());
        let all = place.mean.update(|known| known.with(news));
        node.mean.set(all);
        last.set(all);
    }
}

/// What has come to a mean since it was like that.
fn without(all: Mean, before: Mean) -> Mean {
    let count = all.count.saturating_sub(before.count);
    let sum = all.value * all.count as f32 - before.value * before.count as f32;
    let value = if count > 0 { (sum / count as f32).clamp(-1.0, 1.0) } else { 0.0 };
    Mean { count, value }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_come_to_a_mean_makes_it_whole_again() {
        let (before, news) = (Mean { count: 3, value: 0.5 }, Mean { count: 5, value: -0.25 });
        let all = before.with(news);
        assert_eq!(all.count, 8);
        let found = without(all, before);
        assert_eq!(found.count, 5);
        assert!((found.value - news.value).abs() < 1e-6);
        assert_eq!(without(all, all).count, 0);
    }
}
