//! How steps have done in the whole tree, whatever the position: see [`StepHistory`].

use std::fmt;

use game::{PackedStep, Side};

use super::statistics::{Mean, SharedMean};

/// The mean value of each step in the tree (the tree-tree history heuristic; Kozelek 2009, 4.7.1), and of each step as
/// a reply to the step before it. Threads share it.
pub struct StepHistory {
    /// By side and step.
    steps: Box<[SharedMean]>,
    /// By side, step before and step, hashed.
    replies: Box<[SharedMean]>,
}

/// How many steps there may be.
const STEPS: usize = 1 << 16;

/// The binary logarithm of the number of replies.
const REPLY_BITS: u32 = 17;

impl Default for StepHistory {
    fn default() -> StepHistory {
        let means = |count| std::iter::repeat_with(SharedMean::default).take(count).collect();
        StepHistory { steps: means(2 * STEPS), replies: means(1 << REPLY_BITS) }
    }
}

impl StepHistory {
    /// How a step has done, for the side that plays it.
    #[inline]
    pub fn step<S: PackedStep>(&self, side: Side, step: S) -> Mean {
        self.steps[step_index(side, step)].get()
    }

    /// How a step has done right after another, for the side that plays it.
    #[inline]
    pub fn reply<S: PackedStep>(&self, side: Side, previous: S, step: S) -> Mean {
        self.replies[reply_index(side, previous, step)].get()
    }

    /// A step was tried, and this came of it for the side that plays it.
    #[inline]
    pub(super) fn add<S: PackedStep>(&self, side: Side, previous: Option<S>, step: S, value: f32) {
        self.steps[step_index(side, step)].add(value, 1.0, 1);
        if let Some(previous) = previous {
            self.replies[reply_index(side, previous, step)].add(value, 1.0, 1);
        }
    }
}

#[inline]
fn step_index<S: PackedStep>(side: Side, step: S) -> usize {
    side as usize * STEPS + usize::from(step.pack())
}

#[inline]
fn reply_index<S: PackedStep>(side: Side, previous: S, step: S) -> usize {
    let both = u64::from(previous.pack()) << 17 | u64::from(step.pack()) << 1 | side as u64;
    (both.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (64 - REPLY_BITS)) as usize
}

impl fmt::Debug for StepHistory {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.debug_struct("StepHistory").finish_non_exhaustive()
    }
}
