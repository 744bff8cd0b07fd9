//! Any text as a proof, about either game and about a hunt.

#![no_main]

use arimaa::{Hunt, Position};
use game::Notation;
use libfuzzer_sys::fuzz_target;
use proof::{Document, Header, texts};

fuzz_target!(|input: &str| {
    for (_, text) in texts(input) {
        if Header::read(text).is_err() {
            assert!(Document::<Position>::read(text).is_err());
        }
        read::<Position>(text);
        read::<Hunt>(text);
        read::<tzaar::Position>(text);
    }
});

fn read<P: Notation>(text: &str) {
    match Document::<P>::read(text) {
        // Nothing that can be read leads back to itself.
        Ok(document) => drop(document.strategy.length().expect("it comes to an end")),
        Err(error) => drop(error.to_string()),
    }
}
