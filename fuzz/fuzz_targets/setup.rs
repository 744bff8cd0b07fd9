//! Any text as a setup of either side.

#![no_main]

use arimaa::{Army, Setup, Side};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    for side in Side::ALL {
        let full = read(text, side, Army::Full);
        let handicap = read(text, side, Army::Handicap);
        // A handicap allows for less, and forbids nothing.
        assert!(full.is_none() || full == handicap);
    }
});

fn read(text: &str, side: Side, army: Army) -> Option<Setup> {
    match Setup::parse(text, side, army) {
        Ok(setup) => {
            assert_eq!(setup.board().validate(), Ok(()));
            assert_eq!(setup.board().occupied(), setup.board().of(side));
            assert_eq!(Setup::parse(&setup.to_string(), side, army), Ok(setup));
            Some(setup)
        }
        Err(error) => {
            let _ = error.to_string();
            None
        }
    }
}
