use network::{FloatNetwork, InputShape, Network, NetworkHead};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// The range of the first layer's weights: with some 30 active features, a third of the units is between 0 and 1.
const ROW_RANGE: f32 = 0.2;

/// The range of the output weights: the outputs spread by some 0.1, so that scores differ and say little.
const OUTPUT_RANGE: f32 = 0.03;

/// A net of random weights: generation 0 of a line that learns from nothing.
pub fn untrained<const H: usize>(shape: InputShape, scale: i32, seed: u64) -> Network<H> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut net = FloatNetwork::<H>::zeros(shape.count, shape.buckets);
    for weight in net.rows.as_flattened_mut().iter_mut().chain(&mut net.bias) {
        *weight = rng.random_range(-ROW_RANGE..ROW_RANGE);
    }
    for weight in net.outputs.as_flattened_mut().as_flattened_mut() {
        *weight = rng.random_range(-OUTPUT_RANGE..OUTPUT_RANGE);
    }
    net.quantised(NetworkHead { shape, scale })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_net_of_random_weights_depends_on_the_seed_and_says_little() {
        let shape = InputShape { model: "toy", name: "toy", version: 1, count: 64, buckets: 4 };
        let net = |seed| untrained::<64>(shape, 400, seed);
        assert_eq!(net(1), net(1));
        assert_ne!(net(1), net(2));
        let net = net(1);
        let scores: Vec<i32> = (0..64)
            .map(|first| {
                let features =
                    |from: u16| (0..32).map(|at| (from + 7 * at) % 64).collect::<Vec<_>>();
                let [mover, other] =
                    [first, first + 1].map(|from| net.accumulator(&features(from)));
                net.evaluate(&mover, &other, usize::from(first % 4))
            })
            .collect();
        assert!(scores.iter().all(|score| score.abs() < 400), "{scores:?}");
        assert!(scores.iter().any(|&score| score != scores[0]), "{scores:?}");
    }
}
