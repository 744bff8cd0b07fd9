/// What the first layer makes of the features that one side sees: the bias and their rows of weights, summed up.
///
/// Aligned to a line of the cache.
#[derive(Clone, PartialEq, Eq, Debug)]
#[repr(C, align(64))]
pub struct Accumulator<const H: usize>(pub(crate) [i16; H]);

impl<const H: usize> Accumulator<H> {
    /// The sums.
    pub fn sums(&self) -> &[i16; H] {
        &self.0
    }
}
