//! Any text as games in JSON, one object a line.

#![no_main]

#[path = "../games.rs"]
mod games;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| games::check(text));
