//! Any text as a position, drawn or in brackets.

#![no_main]

use arimaa::Position;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    match text.parse::<Position>() {
        Ok(position) => {
            assert_eq!(position.board().validate(), Ok(()));
            assert_eq!(position.to_string().parse(), Ok(position));
        }
        Err(error) => drop(error.to_string()),
    }
});
