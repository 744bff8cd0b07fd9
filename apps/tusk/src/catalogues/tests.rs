//! What every engine of both games must keep to, and the page that adds one.

use engine::{Configuration, Configured, Engine, Kind, Limits, Parameter, ParameterError, Stop};
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
    assert_eq!(wrong.to_string(), "futility is a whole number from 0 to 1");
    // What is refused changes nothing, and an engine without tables has none to be sized.
    assert_eq!(tusk.configuration().number("futility"), Some(0));
    let mut random = small::<Arimaa>("random");
    for name in ["hash", "threads", "futility"] {
        assert_eq!(random.set_option(name, "1"), Err(ParameterError::Unknown), "{name}");
    }
}

/// Positions of all stages, as games begin with them.
fn starts(game: GameName) -> Vec<String> {
    const ARIMAA: &str = include_str!("../../../../positions/bench.txt");
    const PUZZLES: &str = include_str!("../../../../positions/puzzles/win-in-2.tsv");
    const TZAAR: &str = include_str!("../../../../positions/tzaar/endgames.txt");
    const TZAAR_SUITE: &str = include_str!("../../../../positions/tzaar/suite.tsv");
    let lines = |text: &'static str| text.lines().filter(|line| !line.starts_with('#'));
    let column = |text: &'static str| {
        let mut rows = text.lines();
        let header = rows.next().unwrap_or_default();
        let at = header.split('\t').position(|name| name == "position").expect("a position");
        rows.map(move |row| row.split('\t').nth(at).unwrap_or_default())
    };
    let texts: Vec<&str> = match game {
        GameName::Arimaa => lines(ARIMAA).chain(column(PUZZLES).take(12)).collect(),
        GameName::Tzaar => lines(TZAAR).chain(column(TZAAR_SUITE)).collect(),
    };
    texts.into_iter().map(str::to_string).collect()
}

/// What an engine finds in two searches in a row, with few nodes and one thread.
fn findings<S: Playing>(configuration: &Configuration<S::Game>, start: &str) -> Vec<String> {
    let mut engine = configuration.clone().build().expect("an engine");
    let (mut game, _) = S::Game::begin(start).unwrap_or_else(|fault| panic!("{start}: {fault}"));
    let limits = Limits { nodes: Some(2_000), ..Limits::default() };
    let mut found = Vec::new();
    for _ in 0..2 {
        if game.ended().is_some() {
            break;
        }
        let info = engine.analyse(&game, &limits, &Stop::new(), &mut |_| ());
        let told = info.as_ref().map(|info| (info.nodes, info.verdict(), info.depth));
        let best = info.as_ref().and_then(|info| info.best().copied());
        found.push(format!("{told:?} {:?}", best.map(|turn| game.notation(turn))));
        if best.is_none_or(|turn| game.play(turn).is_err()) {
            break;
        }
    }
    found
}

/// The values to try for a parameter besides its own.
fn other_values(parameter: &Parameter, own: i32) -> Vec<i32> {
    let (least, most) = parameter.range().expect("a range");
    let values: Vec<i32> = match parameter.kind {
        Kind::Number { .. } => vec![least, least + 1, (most / 20).max(least), most / 2, most],
        _ => (least..=most).collect(),
    };
    values.into_iter().filter(|&value| value != own).collect()
}

#[test]
fn every_parameter_of_an_engine_changes_what_it_finds() {
    /// What one thread and a number of nodes cannot show.
    fn is_left_out(parameter: &Parameter) -> bool {
        parameter.needs.iter().any(|(name, _)| *name == "threads")
            || parameter.name == "time_percent"
    }
    fn check<S: Playing>(silent: &mut Vec<String>) {
        let starts = starts(S::NAME);
        // The levels have the parameters of the default engine.
        let levels = ["beginner", "intermediate", "expert", "unbeatable"];
        for entry in all().get::<S>().iter().filter(|entry| !levels.contains(&entry.name)) {
            for parameter in entry.parameters().filter(|own| own.kind != Kind::File) {
                if is_left_out(&parameter) {
                    continue;
                }
                let mut usual = entry.configure();
                (usual.threads, usual.memory) = (1, usual.memory.min(8));
                for (name, value) in parameter.needs {
                    usual.set(name, &value.to_string()).expect("what a parameter needs");
                }
                let own = usual.number(parameter.name).expect("a number");
                let differs = other_values(&parameter, own).into_iter().any(|value| {
                    let mut other = usual.clone();
                    other.set(parameter.name, &value.to_string()).expect("a value");
                    starts
                        .iter()
                        .step_by(3)
                        .any(|start| findings::<S>(&usual, start) != findings::<S>(&other, start))
                });
                if !differs {
                    silent.push(format!("{}: {}", entry.name, parameter.name));
                }
            }
        }
    }
    let mut silent = Vec::new();
    check::<workbench::Arimaa>(&mut silent);
    check::<workbench::Tzaar>(&mut silent);
    assert_eq!(silent, Vec::<String>::new());
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
