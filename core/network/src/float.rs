use crate::network::Output;
use crate::{ACTIVATION_ONE, Accumulator, MOST_INPUT_WEIGHT, Network, NetworkHead};

/// Output weights are not finer than that.
const MOST_OUTPUT_ONE: i32 = 1 << 13;

/// A net in floating point, as it is trained.
#[derive(Clone, PartialEq, Debug)]
pub struct FloatNetwork<const H: usize> {
    /// The weights of the first layer, a row for each feature.
    pub rows: Vec<[f32; H]>,
    /// The bias of the first layer.
    pub bias: [f32; H],
    /// The output weights of each bucket, for the mover and for the other side.
    pub outputs: Vec<[[f32; H]; 2]>,
    /// The bias of each bucket's output.
    pub output_bias: Vec<f32>,
}

impl<const H: usize> FloatNetwork<H> {
    /// A net of zeros.
    pub fn zeros(inputs: usize, buckets: usize) -> FloatNetwork<H> {
        FloatNetwork {
            rows: vec![[0.0; H]; inputs],
            bias: [0.0; H],
            outputs: vec![[[0.0; H]; 2]; buckets],
            output_bias: vec![0.0; buckets],
        }
    }

    /// A net whose numbers `next` gives, one after the other.
    pub fn filled(inputs: usize, buckets: usize, mut next: impl FnMut() -> f32) -> FloatNetwork<H> {
        let mut net = FloatNetwork::zeros(inputs, buckets);
        net.rows.iter_mut().flatten().for_each(|weight| *weight = next());
        net.bias.iter_mut().for_each(|weight| *weight = next());
        net.outputs.iter_mut().flatten().flatten().for_each(|weight| *weight = next());
        net.output_bias.iter_mut().for_each(|weight| *weight = next());
        net
    }

    /// A net that was rounded to whole numbers, to be trained on.
    pub fn of(network: &Network<H>) -> FloatNetwork<H> {
        let row =
            |row: &Accumulator<H>| row.0.map(|weight| f32::from(weight) / ACTIVATION_ONE as f32);
        let one = network.output_one as f32;
        let weights = |weights: &Accumulator<H>| weights.0.map(|weight| f32::from(weight) / one);
        let outputs = &network.outputs;
        FloatNetwork {
            rows: network.rows.iter().map(row).collect(),
            bias: row(&network.bias),
            outputs: outputs.iter().map(|it| it.weights.each_ref().map(weights)).collect(),
            output_bias: outputs
                .iter()
                .map(|it| it.bias as f32 / (one * ACTIVATION_ONE as f32))
                .collect(),
        }
    }

    /// The net in whole numbers. The greatest output weight takes all of its eight bits, so that small ones are
    /// not rounded to nothing: a net has many of them.
    ///
    /// # Panics
    ///
    /// If it has not the shape that the head says.
    pub fn quantised(&self, head: NetworkHead) -> Network<H> {
        assert_eq!(self.rows.len(), head.shape.count, "a row for each feature");
        assert_eq!(self.outputs.len(), head.shape.buckets, "an output for each bucket");
        let most = f32::from(MOST_INPUT_WEIGHT);
        let row = |row: &[f32; H]| {
            let rounded = |weight: f32| (weight * ACTIVATION_ONE as f32).round().clamp(-most, most);
            Accumulator(row.map(|weight| rounded(weight) as i16))
        };
        let greatest = self.outputs.as_flattened().as_flattened().iter();
        let greatest = greatest.fold(0.0f32, |greatest, weight| greatest.max(weight.abs()));
        let output_one = (f32::from(i8::MAX) / greatest).clamp(1.0, MOST_OUTPUT_ONE as f32) as i32;
        let outputs = self.outputs.iter().zip(&self.output_bias).map(|(weights, bias)| Output {
            weights: weights.map(|weights| {
                let rounded = |weight: f32| (weight * output_one as f32).round();
                Accumulator(weights.map(|weight| rounded(weight).clamp(-128.0, 127.0) as i16))
            }),
            bias: (bias * (ACTIVATION_ONE * output_one) as f32).round() as i32,
        });
        Network {
            rows: self.rows.iter().map(row).collect(),
            bias: row(&self.bias),
            outputs: outputs.collect(),
            output_one,
            head,
        }
    }

    /// The output, 1 for odds of `e` to 1, given the features of both perspectives: slow, for tests and reports.
    pub fn evaluate(&self, mover: &[u16], other: &[u16], bucket: usize) -> f32 {
        let mut output = self.output_bias[bucket];
        for (features, weights) in [mover, other].into_iter().zip(&self.outputs[bucket]) {
            let mut sums = self.bias;
            for &feature in features {
                let row = &self.rows[usize::from(feature)];
                sums.iter_mut().zip(row).for_each(|(sum, weight)| *sum += weight);
            }
            let activations = sums.map(|sum| sum.clamp(0.0, 1.0).powi(2));
            output += activations.iter().zip(weights).map(|(a, weight)| a * weight).sum::<f32>();
        }
        output
    }
}
