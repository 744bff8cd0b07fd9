use crate::inputs::InputShape;
use crate::{ACTIVATION_ONE, Accumulator, MOST_ACTIVE, kernels};

/// What the file of a net says before its weights.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NetworkHead {
    /// What the inputs are.
    pub shape: InputShape,
    /// An output of 1 as a score: there the odds to win are `e` to 1.
    pub scale: i32,
}

/// A net in whole numbers, with `H` hidden units for each perspective.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Network<const H: usize> {
    pub(crate) head: NetworkHead,
    /// The weights of the first layer, a row for each feature.
    pub(crate) rows: Vec<Accumulator<H>>,
    pub(crate) bias: Accumulator<H>,
    pub(crate) outputs: Vec<Output<H>>,
    /// An output weight of 1 as a whole number: the greater it is, the finer the weights are.
    pub(crate) output_one: i32,
}

/// The output weights of a bucket.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Output<const H: usize> {
    /// For the accumulators of the mover and of the other side; eight bits each.
    pub(crate) weights: [Accumulator<H>; 2],
    /// An output of 1 is [`ACTIVATION_ONE`] times [`Network::output_one`].
    pub(crate) bias: i32,
}

impl<const H: usize> Network<H> {
    /// What the file says of it.
    pub fn head(&self) -> &NetworkHead {
        &self.head
    }

    /// The accumulator of these features, from scratch.
    ///
    /// # Panics
    ///
    /// If there are more than [`MOST_ACTIVE`], or one is not of the inputs.
    pub fn accumulator(&self, features: &[u16]) -> Accumulator<H> {
        assert!(features.len() <= MOST_ACTIVE, "at most {MOST_ACTIVE} features");
        let mut accumulator = self.bias.clone();
        kernels::update(&self.rows, &self.bias, &mut accumulator, &[], features);
        accumulator
    }

    /// The accumulator `next` to another one: features are taken out and others put in, in one pass.
    ///
    /// # Panics
    ///
    /// If a feature is not of the inputs.
    #[inline]
    pub fn update(
        &self,
        accumulator: &Accumulator<H>,
        next: &mut Accumulator<H>,
        removed: &[u16],
        added: &[u16],
    ) {
        kernels::update(&self.rows, accumulator, next, removed, added);
    }

    /// The output as a score for the mover, given the accumulators of both perspectives.
    ///
    /// # Panics
    ///
    /// If there is no such bucket.
    #[inline]
    pub fn evaluate(&self, mover: &Accumulator<H>, other: &Accumulator<H>, bucket: usize) -> i32 {
        let Output { weights, bias } = &self.outputs[bucket];
        self.score(kernels::output(mover, other, weights), *bias)
    }

    /// The output as a score, given the sum of squares times weights.
    #[inline]
    fn score(&self, sum: i64, bias: i32) -> i32 {
        let output = sum / i64::from(ACTIVATION_ONE) + i64::from(bias);
        let score =
            output * i64::from(self.head.scale) / i64::from(ACTIVATION_ONE * self.output_one);
        score.clamp(i32::MIN.into(), i32::MAX.into()) as i32
    }
}
