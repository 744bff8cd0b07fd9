//! Any text as a picture of a board.

#![no_main]

use arimaa::{Board, Picture};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    // A board is read from a picture or from the brackets alone.
    if let Ok(board) = text.parse::<Board>() {
        assert_eq!(board.to_string().parse(), Ok(board));
    }
    match text.parse::<Picture>() {
        Ok(picture) => {
            assert_eq!(picture.board.validate(), Ok(()));
            assert_eq!(picture.to_string().parse(), Ok(picture));
        }
        // Errors are shown to people: their texts must not panic either.
        Err(error) => drop(error.to_string()),
    }
});
