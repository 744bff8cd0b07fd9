//! Any text as a test of the Arimaa Test Suite.

#![no_main]

use arimaa_ai::suite::Test;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    match Test::parse(text) {
        Ok(test) => check(&test),
        Err(error) => drop(error.to_string()),
    }
});

/// No answer weighs more than the highest weight.
fn check(test: &Test) {
    let highest = test.highest();
    assert!(highest.is_finite());
    for turn in ["Ra1n", "ra8s", "Ee2n Ee3n", "pass"] {
        if let Ok(weight) = test.weigh(turn) {
            assert!(weight <= highest.max(0.0), "{weight} of {highest}");
        }
    }
}
