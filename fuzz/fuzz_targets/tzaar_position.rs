//! Any text as a position of Tzaar, in numbers or drawn.

#![no_main]

use libfuzzer_sys::fuzz_target;
use tzaar::{Picture, Position};

fuzz_target!(|text: &str| {
    match text.parse::<Position>() {
        Ok(position) => {
            assert_eq!(position.to_string().parse(), Ok(position));
            assert_eq!(format!("{position:#}").parse(), Ok(position));
            assert_eq!(Picture(position).to_string().parse(), Ok(Picture(position)));
        }
        // Errors are shown to people: their texts must not panic either.
        Err(error) => drop(error.to_string()),
    }
    if let Err(error) = text.parse::<Picture>() {
        drop(error.to_string());
    }
});
