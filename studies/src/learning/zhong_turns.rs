//! Zhong's evaluation, searched by whole turns as bot_drake's is: the two meet in this study alone.

use arimaa::Game;
use engine::{EngineEntry, Parameter};
use hrebejk_2013::{ByEvaluator, TurnEngine};
use zhong_2005::Zhong;

/// The name of the engine.
pub const NAME: &str = "turns-zhong";

/// The engine, beside those of the catalogue.
pub static ENGINES: &[EngineEntry<Game>] = &[EngineEntry {
    about: "Zhong's evaluation (2005), searched by whole turns",
    parameters: &[&[Parameter::number("depth", 2, (1, 3), "how many whole turns it looks ahead")]],
    ..EngineEntry::new(NAME, |configuration| {
        let depth = configuration.number("depth").unwrap_or(1) as usize;
        let mut engine = TurnEngine::new(Box::new(ByEvaluator(Zhong::default())), depth);
        engine::Engine::set_seed(&mut engine, configuration.seed);
        Ok(Box::new(engine))
    })
}];
