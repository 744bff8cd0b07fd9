use arimaa::Game;
use arimaa_ai::MctsOptions;
use arimaa_ai::engines::{tree_player, tree_searching};
use engine::{Configuration, Engine, EngineEntry, ParameterError};
use search::MctsParameters;

use crate::{AkimotKnowledge, AkimotPlayouts, PlayoutParameters};

/// The engine `akimot`.
pub static ENGINES: &[EngineEntry<Game>] = &[EngineEntry {
    about: "Akimot (Kozelek's thesis, 2009): its tree, its playouts and its evaluation",
    parameters: &[MctsOptions::DECLARED, MctsParameters::DECLARED, PlayoutParameters::DECLARED],
    settings: &[("threat_search", 0), ("proofs", 0), ("keep_tree", 0), ("early_stop", 0)],
    ..tree_searching("akimot", akimot)
}];

fn akimot(configuration: &Configuration<Game>) -> Result<Box<dyn Engine<Game>>, ParameterError> {
    let parameters = PlayoutParameters::from_values(|name| configuration.number(name));
    let playouts = AkimotPlayouts { parameters, ..AkimotPlayouts::default() };
    Ok(Box::new(tree_player(AkimotKnowledge::default(), playouts, configuration)))
}
