use std::marker::PhantomData;
use std::sync::{Arc, OnceLock};

use crate::{Inputs, Network, NetworkError};

/// Where an engine has its net from: the one that is part of the program, or a file of the same inputs `I`.
pub struct NetworkSource<I, const H: usize> {
    /// What a net that corrects the hand-written evaluation calls it.
    baseline: &'static str,
    /// The file of the net that is part of the program.
    file: &'static [u8],
    /// That net, once it was asked for.
    embedded: OnceLock<Arc<Network<H>>>,
    inputs: PhantomData<fn() -> I>,
}

impl<I: Inputs, const H: usize> NetworkSource<I, H> {
    /// With the name of the baseline, and the file that is part of the program.
    pub const fn new(baseline: &'static str, file: &'static [u8]) -> NetworkSource<I, H> {
        NetworkSource { baseline, file, embedded: OnceLock::new(), inputs: PhantomData }
    }

    /// The net that is part of the program.
    ///
    /// # Panics
    ///
    /// Panics if its file is no net that can be used.
    pub fn embedded(&self) -> Arc<Network<H>> {
        let parse = || Arc::new(self.parse(self.file).expect("the net of the program"));
        Arc::clone(self.embedded.get_or_init(parse))
    }

    /// Reads the file of a net.
    pub fn parse(&self, bytes: &[u8]) -> Result<Network<H>, NetworkError> {
        Network::parse_for::<I>(self.baseline, bytes)
    }
}
