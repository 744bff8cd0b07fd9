//! Adam with decoupled weight decay (Kingma and Ba 2015, Loshchilov and Hutter 2019).

use guard::in_order;
use network::{FloatNetwork, MOST_WEIGHT};

/// Means of gradients and of their squares.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Moments<const H: usize> {
    pub(super) first: FloatNetwork<H>,
    pub(super) second: FloatNetwork<H>,
}

/// How far a step goes.
#[derive(Clone, Copy)]
pub(super) struct Pace {
    pub(super) learning_rate: f32,
    /// What the summed gradients are divided by.
    pub(super) weight: f32,
    /// Which step it is, from 1.
    pub(super) step: u64,
}

const FIRST_DECAY: f32 = 0.9;
const SECOND_DECAY: f32 = 0.999;
const EPSILON: f32 = 1e-8;
const WEIGHT_DECAY: f32 = 0.01;

/// The numbers of a net in parts that threads can share; the same parts for nets of the same shape.
fn parts<const H: usize>(net: &mut FloatNetwork<H>) -> Vec<&mut [f32]> {
    const ROWS: usize = 64;
    let mut parts: Vec<&mut [f32]> = net.rows.as_flattened_mut().chunks_mut(ROWS * H).collect();
    parts.push(&mut net.bias);
    parts.push(net.outputs.as_flattened_mut().as_flattened_mut());
    parts.push(&mut net.output_bias);
    parts
}

/// A part of the weights, of both moments, and of each gradient.
type Part<'a> = (&'a mut [f32], [&'a mut [f32]; 2], Vec<&'a mut [f32]>);

/// A step by the sum of these gradients, which become zero. They are summed in their order, so that it does not
/// matter how many threads there are.
pub(super) fn step<const H: usize>(
    net: &mut FloatNetwork<H>,
    moments: &mut Moments<H>,
    gradients: &mut [FloatNetwork<H>],
    pace: Pace,
    threads: usize,
) {
    let mut gradients: Vec<_> = gradients.iter_mut().map(|net| parts(net).into_iter()).collect();
    let moments = parts(&mut moments.first).into_iter().zip(parts(&mut moments.second));
    let work: Vec<_> = parts(net)
        .into_iter()
        .zip(moments)
        .map(|(weights, (first, second))| {
            let gradients: Vec<&mut [f32]> =
                gradients.iter_mut().filter_map(Iterator::next).collect();
            (weights, [first, second], gradients)
        })
        .collect();
    let task = |_: &mut (), (weights, [first, second], mut gradients): Part| {
        let (sum, others) = gradients.split_first_mut().expect("a gradient");
        for other in others {
            sum.iter_mut().zip(&**other).for_each(|(sum, gradient)| *sum += gradient);
            other.fill(0.0);
        }
        advance(weights, first, second, sum, pace);
        sum.fill(0.0);
    };
    in_order("train", threads, work, || (), task);
}

fn advance(
    weights: &mut [f32],
    first: &mut [f32],
    second: &mut [f32],
    gradient: &[f32],
    pace: Pace,
) {
    let bias = |decay: f32| (1.0 - f64::from(decay).powf(pace.step as f64)) as f32;
    let (first_bias, second_bias) = (bias(FIRST_DECAY), bias(SECOND_DECAY));
    let keep = 1.0 - pace.learning_rate * WEIGHT_DECAY;
    let moments = first.iter_mut().zip(second);
    for ((weight, (first, second)), gradient) in weights.iter_mut().zip(moments).zip(gradient) {
        let gradient = gradient / pace.weight;
        *first = FIRST_DECAY * *first + (1.0 - FIRST_DECAY) * gradient;
        *second = SECOND_DECAY * *second + (1.0 - SECOND_DECAY) * gradient * gradient;
        let change = *first / first_bias / ((*second / second_bias).sqrt() + EPSILON);
        *weight = (*weight * keep - pace.learning_rate * change).clamp(-MOST_WEIGHT, MOST_WEIGHT);
    }
}
