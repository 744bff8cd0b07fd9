//! Any text as the record of a game.

#![no_main]

use arimaa::{Army, Game};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    for army in [Army::Handicap, Army::Full] {
        match Game::parse(text, army) {
            Ok(game) => check(&game, army),
            Err(error) => drop(error.to_string()),
        }
    }
});

/// What is printed is read again as the same game.
fn check(game: &Game, army: Army) {
    let record = game.to_string();
    let again = Game::parse(&record, army).expect("what was printed is read");
    assert_eq!(again.to_string(), record);
    assert_eq!(again.position(), game.position());
    assert_eq!(again.outcome(), game.outcome());
}
