//! Any text as the record of a game of Tzaar.

#![no_main]

use libfuzzer_sys::fuzz_target;
use tzaar::Game;

fuzz_target!(|text: &str| {
    match text.parse::<Game>() {
        Ok(game) => assert_eq!(game.to_string().parse(), Ok(game)),
        Err(error) => drop(error.to_string()),
    }
});
