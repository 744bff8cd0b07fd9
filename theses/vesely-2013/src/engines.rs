use engine::{Configuration, Engine, EngineEntry, ParameterError};
use tzaar::Game;

use crate::{WaltzEngine, WaltzParameters};

/// The engine of the thesis.
pub static ENGINES: &[EngineEntry<Game>] = &[EngineEntry {
    about: "WALTZ (Veselý's thesis, 2013): its evaluation, its searches and its use of time",
    parameters: &[WaltzParameters::DECLARED],
    // As large as its own tables.
    memory: 48,
    ..EngineEntry::new("waltz", waltz)
}];

fn waltz(configuration: &Configuration<Game>) -> Result<Box<dyn Engine<Game>>, ParameterError> {
    let Configuration { memory, seed, .. } = *configuration;
    let constants = WaltzParameters::from_values(|name| configuration.number(name));
    let algorithm = constants.algorithm();
    let algorithm =
        algorithm.ok_or(ParameterError::OutOfRange { name: "ai", least: 1, most: 42 })?;
    let mut player = WaltzEngine::with_constants(algorithm, constants, Some(memory));
    player.set_seed(seed);
    Ok(Box::new(player))
}
