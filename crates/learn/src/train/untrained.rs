use network::{FloatNetwork, InputShape, Network, NetworkHead};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// The range of the first layer's weights: with some 30 active features, a third of the units is between 0 and 1.
const ROW_RANGE: f32 = 0.2;

/// The range of the output weights: the outputs spread by some 0.1, so that scores differ and say little.
const OUTPUT_RANGE: f32 = 0.03;

/// A net of random weights that counts alone: generation 0 of a line that learns from nothing.
pub fn untrained<const H: usize>(shape: InputShape, scale: i32, seed: u64) -> Network<H> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut net = FloatNetwork::<H>::zeros(shape.count, shape.buckets);
    for weight in net.rows.as_flattened_mut().iter_mut().chain(&mut net.bias) {
        *weight = rng.random_range(-ROW_RANGE..ROW_RANGE);
    }
    for weight in net.outputs.as_flattened_mut().as_flattened_mut() {
        *weight = rng.random_range(-OUTPUT_RANGE..OUTPUT_RANGE);
    }
    let baseline = network::NO_BASELINE.to_string();
    net.quantised(NetworkHead { shape, baseline, scale })
}
