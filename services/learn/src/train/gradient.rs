//! The loops that take the time: what a net says of a sample, and how its weights are to change.

use network::FloatNetwork;

use super::sample::Seen;
use super::{Label, SampleSet};

/// The probability to win at these odds, as a logarithm.
#[inline]
pub fn sigmoid(odds: f32) -> f32 {
    1.0 / (1.0 + (-odds).exp())
}

/// What a trainer wants of each sample.
#[derive(Clone, Copy)]
pub(super) struct Objective {
    /// How much the score counts, beside the result.
    pub(super) lambda: f32,
    /// What a score is divided by to become odds.
    pub(super) scale: f32,
}

/// The sum of weighted losses, and of weights.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct LossSum {
    pub(super) loss: f64,
    pub(super) weight: f64,
}

impl LossSum {
    pub(super) fn mean(self) -> f64 {
        if self.weight > 0.0 { self.loss / self.weight } else { 0.0 }
    }

    pub(super) fn add(&mut self, other: LossSum) {
        self.loss += other.loss;
        self.weight += other.weight;
    }
}

impl Objective {
    /// The squared error of an output of a net for a sample, and its derivative by the output.
    #[inline]
    fn error(&self, label: &Label, output: f32) -> (LossSum, f32) {
        let predicted = sigmoid(output);
        let target = label.target(self.lambda, self.scale).unwrap_or(predicted);
        let (error, weight) = (predicted - target, label.weight);
        let sum = LossSum { loss: f64::from(weight * error * error), weight: weight.into() };
        (sum, 2.0 * weight * error * predicted * (1.0 - predicted))
    }

    /// The squared error of an output.
    pub(super) fn loss(&self, label: &Label, output: f32) -> LossSum {
        self.error(label, output).0
    }
}

/// Samples of a batch, each with whether it is mirrored.
pub(super) type Chosen = [(u32, bool)];

/// Adds the gradient of the samples' losses to `gradient`, and sums up their losses.
pub(super) fn accumulate<const H: usize>(
    net: &FloatNetwork<H>,
    samples: &SampleSet,
    chosen: &Chosen,
    objective: Objective,
    gradient: &mut FloatNetwork<H>,
) -> LossSum {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
        // SAFETY: the processor has the instructions.
        return unsafe { accumulate_with_avx2(net, samples, chosen, objective, gradient) };
    }
    accumulate_plain(net, samples, chosen, objective, gradient)
}

/// The same code for a newer processor.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
fn accumulate_with_avx2<const H: usize>(
    net: &FloatNetwork<H>,
    samples: &SampleSet,
    chosen: &Chosen,
    objective: Objective,
    gradient: &mut FloatNetwork<H>,
) -> LossSum {
    accumulate_plain(net, samples, chosen, objective, gradient)
}

#[inline(always)]
fn accumulate_plain<const H: usize>(
    net: &FloatNetwork<H>,
    samples: &SampleSet,
    chosen: &Chosen,
    objective: Objective,
    gradient: &mut FloatNetwork<H>,
) -> LossSum {
    let (mut total, mut seen) = (LossSum::default(), Seen::nothing());
    let mut sums = [[0.0; H]; 2];
    for &(sample, is_mirrored) in chosen {
        let label = &samples.labels()[sample as usize];
        samples.see(sample as usize, is_mirrored, &mut seen);
        let bucket = usize::from(label.bucket);
        let output = forward(net, &seen, bucket, &mut sums);
        let (loss, slope) = objective.error(label, output);
        total.add(loss);
        gradient.output_bias[bucket] += slope;
        for (perspective, features) in seen.perspectives().into_iter().enumerate() {
            let weights = &net.outputs[bucket][perspective];
            let output = &mut gradient.outputs[bucket][perspective];
            let sums = &mut sums[perspective];
            for unit in 0..H {
                let (sum, activation) = (sums[unit], sums[unit].clamp(0.0, 1.0));
                output[unit] += slope * activation * activation;
                // Where the activation is cut off, nothing changes.
                let is_open = if sum == activation { 1.0 } else { 0.0 };
                sums[unit] = is_open * slope * weights[unit] * 2.0 * activation;
            }
            gradient.bias.iter_mut().zip(&*sums).for_each(|(bias, change)| *bias += change);
            for &feature in features {
                let row = &mut gradient.rows[usize::from(feature)];
                row.iter_mut().zip(&*sums).for_each(|(weight, change)| *weight += change);
            }
        }
    }
    total
}

/// The output of a net for a sample; `sums` become its accumulators.
#[inline(always)]
fn forward<const H: usize>(
    net: &FloatNetwork<H>,
    seen: &Seen,
    bucket: usize,
    sums: &mut [[f32; H]; 2],
) -> f32 {
    /// Sums that are kept in registers while all rows are added.
    const BLOCK: usize = 64;
    const { assert!(H.is_multiple_of(BLOCK), "whole blocks of hidden units") };
    let mut lanes = [0.0; 16];
    for (perspective, features) in seen.perspectives().into_iter().enumerate() {
        for from in (0..H).step_by(BLOCK) {
            let part = |row: &[f32; H]| -> [f32; BLOCK] {
                row[from..from + BLOCK].try_into().expect("a block")
            };
            let mut block = part(&net.bias);
            for &feature in features {
                let row = part(&net.rows[usize::from(feature)]);
                block.iter_mut().zip(row).for_each(|(sum, weight)| *sum += weight);
            }
            let weights = part(&net.outputs[bucket][perspective]);
            for unit in 0..BLOCK {
                let activation = block[unit].clamp(0.0, 1.0);
                lanes[unit % 16] += activation * activation * weights[unit];
            }
            sums[perspective][from..from + BLOCK].copy_from_slice(&block);
        }
    }
    lanes.iter().sum::<f32>() + net.output_bias[bucket]
}

/// What a net says of samples: calls `visit` with each label and the output.
pub(super) fn predict<const H: usize>(
    net: &FloatNetwork<H>,
    samples: &SampleSet,
    chosen: &[u32],
    mut visit: impl FnMut(&Label, f32),
) {
    let (mut seen, mut sums) = (Seen::nothing(), [[0.0; H]; 2]);
    for &sample in chosen {
        let label = &samples.labels()[sample as usize];
        samples.see(sample as usize, false, &mut seen);
        visit(label, forward(net, &seen, label.bucket.into(), &mut sums));
    }
}
