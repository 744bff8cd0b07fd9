//! Any bytes as a shard, and as a block inside one, whose checksum would refuse them; of either game.

#![no_main]

use std::io::Write;

use learn::{Learnable, games, read_block};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    block::<arimaa::Game>(bytes);
    block::<tzaar::Game>(bytes);
    let mut file = tempfile::NamedTempFile::new().expect("a file");
    file.write_all(bytes).expect("a file");
    shard::<arimaa::Game>(file.path());
    shard::<tzaar::Game>(file.path());
});

/// What is read can be replayed, or says why not.
fn block<G: Learnable>(bytes: &[u8]) {
    for game in read_block::<G>(bytes).into_iter().flatten() {
        let _ = game.replay::<G>(|_, _| ());
    }
}

fn shard<G: Learnable>(path: &std::path::Path) {
    if let Ok(games) = games::<G>(path) {
        for (_, game) in games.flatten() {
            let _ = game.replay::<G>(|_, _| ());
        }
    }
}
