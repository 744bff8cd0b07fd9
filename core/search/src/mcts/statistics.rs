//! What threads share of a tree, without locks. `tests/loom.rs` runs this file through every order in which two
//! threads can meet.

use super::atomic::{AtomicU16, AtomicU32, AtomicU64, Ordering};

/// A mean and how many values it is of.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Mean {
    /// How many values there were.
    pub count: u32,
    /// Their mean; 0, if there were none.
    pub value: f32,
}

impl Mean {
    /// Both as one.
    pub(crate) fn with(self, other: Mean) -> Mean {
        let count = self.count + other.count;
        let sum = self.value * self.count as f32 + other.value * other.count as f32;
        Mean { count, value: if count > 0 { sum / count as f32 } else { 0.0 } }
    }
}

/// A [`Mean`] that threads share: count and value are one word, so that they belong together.
#[derive(Default)]
pub(crate) struct SharedMean(AtomicU64);

impl SharedMean {
    #[inline]
    pub(crate) fn get(&self) -> Mean {
        unpack(self.0.load(Ordering::Relaxed))
    }

    #[inline]
    pub(crate) fn set(&self, mean: Mean) {
        self.0.store(pack(mean), Ordering::Relaxed);
    }

    /// One more value, as so many visits. Each changes the mean as if it counted `weight` times (the relative update of
    /// Kozelek 2009, 4.3.3; 1 for the plain mean).
    #[inline]
    pub(crate) fn add(&self, value: f32, weight: f32, visits: u32) {
        let weight = weight * visits as f32;
        self.update(|Mean { count, value: mean }| {
            let change = weight * (value - mean) / (count as f32 + weight);
            Mean { count: count.saturating_add(visits), value: mean + change }
        });
    }

    /// Changes it, whatever others do to it at the same time.
    #[inline]
    pub(crate) fn update(&self, change: impl Fn(Mean) -> Mean) -> Mean {
        let mut bits = self.0.load(Ordering::Relaxed);
        loop {
            let changed = change(unpack(bits));
            let exchange = self.0.compare_exchange_weak(
                bits,
                pack(changed),
                Ordering::Relaxed,
                Ordering::Relaxed,
            );
            match exchange {
                Ok(_) => return changed,
                Err(found) => bits = found,
            }
        }
    }
}

#[inline]
fn pack(Mean { count, value }: Mean) -> u64 {
    u64::from(count) << 32 | u64::from(value.to_bits())
}

#[inline]
fn unpack(bits: u64) -> Mean {
    Mean { count: (bits >> 32) as u32, value: f32::from_bits(bits as u32) }
}

/// A number between -1 and 1 that threads share.
#[derive(Default)]
pub(crate) struct SharedValue(AtomicU32);

impl SharedValue {
    #[inline]
    pub(crate) fn get(&self) -> f32 {
        f32::from_bits(self.0.load(Ordering::Relaxed))
    }

    #[inline]
    pub(crate) fn set(&self, value: f32) {
        self.0.store(value.to_bits(), Ordering::Relaxed);
    }
}

/// How many threads are below an edge. Each counts as a loss there until it is back (virtual loss).
#[derive(Default)]
pub(crate) struct VirtualLoss(AtomicU16);

impl VirtualLoss {
    #[inline]
    pub(crate) fn enter(&self) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }

    #[inline]
    pub(crate) fn leave(&self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }

    #[inline]
    pub(crate) fn count(&self) -> u16 {
        self.0.load(Ordering::Relaxed)
    }
}

/// Where the edges of a node are. One thread claims the node, writes the edges and publishes them; until then, the
/// node is a leaf for all.
#[derive(Default)]
pub(crate) struct EdgeRange(AtomicU64);

const CLAIMED: u64 = 1;
const PUBLISHED: u64 = 2;

impl EdgeRange {
    /// Whether this thread is the one to expand the node.
    #[inline]
    pub(crate) fn claim(&self) -> bool {
        let exchange = self.0.compare_exchange(0, CLAIMED, Ordering::Relaxed, Ordering::Relaxed);
        exchange.is_ok()
    }

    /// Gives up the claim: there was no room.
    #[inline]
    pub(crate) fn release(&self) {
        self.0.store(0, Ordering::Relaxed);
    }

    /// The edges are written.
    #[inline]
    pub(crate) fn publish(&self, first: u32, count: u16) {
        let bits = u64::from(first) << 32 | u64::from(count) << 2 | PUBLISHED;
        self.0.store(bits, Ordering::Release);
    }

    /// The first edge and how many there are, if they are published.
    #[inline]
    pub(crate) fn get(&self) -> Option<(u32, u16)> {
        let bits = self.0.load(Ordering::Acquire);
        (bits & PUBLISHED != 0).then_some(((bits >> 32) as u32, (bits >> 2) as u16))
    }
}
