//! What every engine of both games must keep to, and the page that adds one.

use engine::{Configured, Engine, Limits, ParameterError, Stop};
use game::{Game, Steps};
use workbench::{GameName, Playing, in_game};

use super::all;

fn for_each_game(check: impl Fn(GameName)) {
    GameName::ALL.into_iter().for_each(check);
}

#[test]
fn every_engine_differs_from_what_is_declared_only_within_the_ranges() {
    fn check<S: Playing>() {
        for entry in all().get::<S>().iter() {
            for (name, value) in entry.settings {
                let declared = entry.parameter(name);
                let declared = declared.unwrap_or_else(|| panic!("{}: {name}", entry.name));
                assert_eq!(declared.parse_number(&value.to_string()), Ok(*value), "{}", entry.name);
                assert_eq!(declared.default_number(), Some(*value));
                assert_eq!(entry.configure().number(name), Some(*value));
            }
        }
    }
    for_each_game(|game| in_game!(game, S => check::<S>()));
}

#[test]
fn no_name_is_taken_twice() {
    fn check<S: Playing>() {
        let is_unique = |names: Vec<&str>| {
            let mut sorted = names.clone();
            sorted.sort_unstable();
            sorted.dedup();
            assert_eq!(sorted.len(), names.len(), "{names:?}");
        };
        is_unique(all().get::<S>().names().collect());
        for entry in all().get::<S>().iter() {
            is_unique(entry.parameters().map(|parameter| parameter.name).collect());
        }
    }
    for_each_game(|game| in_game!(game, S => check::<S>()));
}

/// An engine with small tables.
fn small<S: Playing>(name: &str) -> Configured<S::Game> {
    let entry = all().get::<S>().named(name).expect("an engine");
    let mut configuration = entry.configure();
    (configuration.memory, configuration.threads) = (configuration.memory.min(4), 1);
    configuration.build().expect("an engine")
}

#[test]
fn every_engine_plays_legal_actions_from_the_very_start() {
    fn check<S: Playing>() {
        for entry in all().get::<S>().iter() {
            let mut engine = small::<S>(entry.name);
            let (mut game, _) = S::Game::begin("").expect("a start");
            let limits = Limits { nodes: Some(500), depth: Some(Steps(3)), ..Limits::default() };
            for _ in 0..6 {
                let info = engine.analyse(&game, &limits, &Stop::new(), &mut |_| ());
                let action = *info.as_ref().and_then(|info| info.best()).expect("an action");
                let played = game.play(action);
                played.unwrap_or_else(|fault| panic!("{}: {fault}", entry.name));
            }
        }
    }
    for_each_game(|game| in_game!(game, S => check::<S>()));
}

#[test]
fn options_of_protocols_are_set_or_refused() {
    use workbench::Arimaa;
    let mut tusk = small::<Arimaa>("tusk");
    for (name, value) in [("hash", "2"), ("threads", "2"), ("seed", "7"), ("futility", "0")] {
        tusk.set_option(name, value).unwrap_or_else(|error| panic!("{name}: {error}"));
    }
    let set = tusk.configuration();
    assert_eq!((set.memory, set.threads, set.seed), (2, 2, 7));
    assert_eq!(set.number("futility"), Some(0));
    assert_eq!(tusk.set_option("style", "wild"), Err(ParameterError::Unknown));
    let wrong = tusk.set_option("futility", "2").expect_err("a value out of range");
    assert_eq!(wrong.to_string(), "futility is a switch: write futility=true or futility=false");
    // What is refused changes nothing, and an engine without tables has none to be sized.
    assert_eq!(tusk.configuration().number("futility"), Some(0));
    let mut random = small::<Arimaa>("random");
    for name in ["hash", "threads", "futility"] {
        assert_eq!(random.set_option(name, "1"), Err(ParameterError::Unknown), "{name}");
    }
}

#[test]
fn the_page_that_adds_an_engine_shows_the_code_as_it_is() {
    const PAGE: &str = include_str!("../../../../docs/adding-an-engine.md");
    const SOURCES: [&str; 2] = [
        include_str!("../../../../players/arimaa-ai/src/greedy.rs"),
        include_str!("../../../../players/arimaa-ai/src/engines.rs"),
    ];
    let blocks: Vec<&str> = PAGE.split("```rust\n").skip(1).collect();
    assert!(blocks.len() >= 4, "{}", blocks.len());
    for block in blocks {
        let block = block.split("```").next().unwrap_or_default();
        assert!(SOURCES.iter().any(|source| source.contains(block)), "not in the code:\n{block}");
    }
}
