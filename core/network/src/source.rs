use std::marker::PhantomData;
use std::sync::{Arc, OnceLock};

use crate::{Inputs, Network, NetworkError};

/// Where an engine has its net from: the one that is part of the program, or a file of the same inputs `I`.
pub struct NetworkSource<I, const H: usize> {
    /// The file of the net that is part of the program.
    file: &'static [u8],
    /// That net, once it was asked for.
    embedded: OnceLock<Arc<Network<H>>>,
    inputs: PhantomData<fn() -> I>,
}

impl<I: Inputs, const H: usize> NetworkSource<I, H> {
    /// With the file that is part of the program.
    pub const fn new(file: &'static [u8]) -> NetworkSource<I, H> {
        NetworkSource { file, embedded: OnceLock::new(), inputs: PhantomData }
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
        Network::parse_any::<I>(bytes)
    }
}
