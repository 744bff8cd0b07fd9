//! Any text as the file of an engine, of either game.

#![no_main]

use std::path::Path;

use libfuzzer_sys::fuzz_target;
use workbench::{Arimaa, Catalogues, Playing, Tzaar, parse_engine_file};

fuzz_target!(|text: &str| {
    // A parameter may name a file, and what it holds is none of our business here.
    if text.contains("model") || text.contains("network") {
        return;
    }
    let catalogues = Catalogues::of_players();
    check::<Arimaa>(&catalogues, text);
    check::<Tzaar>(&catalogues, text);
});

/// What is read is within its range.
fn check<S: Playing>(catalogues: &Catalogues, text: &str) {
    match parse_engine_file::<S>(catalogues.get::<S>(), text, Path::new("mine.toml")) {
        Ok(configuration) => {
            assert!((1..=256).contains(&configuration.threads));
            for parameter in configuration.entry().parameters() {
                let value = configuration.number(parameter.name);
                if let (Some(value), Some((least, most))) = (value, parameter.range()) {
                    assert!((least..=most).contains(&value), "{}", parameter.name);
                }
            }
        }
        Err(error) => drop(format!("{error:#}")),
    }
}
