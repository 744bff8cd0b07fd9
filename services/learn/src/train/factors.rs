use std::borrow::Cow;

use network::FloatNetwork;

/// Weights that features have in common while a net is trained: a feature's row is its own row and the rows of its
/// factors, summed. What is learnt of a piece on one square is then known on the others, so that
/// fewer games teach as much. The net that is written has the sums, and no factors.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Factors {
    /// The factors of each feature.
    of_feature: Vec<Vec<u16>>,
    /// How many factors there are.
    count: usize,
}

impl Factors {
    /// The factors of all features; those of each feature are numbers below `count`.
    pub fn new(features: usize, count: usize, of_feature: impl Fn(u16) -> Vec<u16>) -> Factors {
        let of_feature: Vec<Vec<u16>> = (0..features as u16).map(of_feature).collect();
        assert!(of_feature.iter().flatten().all(|&factor| usize::from(factor) < count), "a factor");
        Factors { of_feature, count }
    }

    /// How many factors there are.
    pub fn count(&self) -> usize {
        self.count
    }

    /// The net without factors that says the same as one whose last rows are those of factors.
    pub(super) fn folded<'a, const H: usize>(
        &self,
        net: &'a FloatNetwork<H>,
    ) -> Cow<'a, FloatNetwork<H>> {
        if self.count == 0 {
            return Cow::Borrowed(net);
        }
        let mut folded = net.clone();
        let (rows, shared) = folded.rows.split_at_mut(self.of_feature.len());
        for (row, factors) in rows.iter_mut().zip(&self.of_feature) {
            for &factor in factors {
                add(row, &shared[usize::from(factor)]);
            }
        }
        folded.rows.truncate(self.of_feature.len());
        Cow::Owned(folded)
    }

    /// Gives the gradient of each feature's row to the rows of its factors too.
    pub(super) fn share<const H: usize>(&self, gradient: &mut FloatNetwork<H>) {
        let (rows, shared) = gradient.rows.split_at_mut(self.of_feature.len());
        for (row, factors) in rows.iter().zip(&self.of_feature) {
            for &factor in factors {
                add(&mut shared[usize::from(factor)], row);
            }
        }
    }
}

fn add<const H: usize>(sum: &mut [f32; H], row: &[f32; H]) {
    sum.iter_mut().zip(row).for_each(|(sum, weight)| *sum += weight);
}
