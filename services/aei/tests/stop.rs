//! `stop` at any moment: each `go` is answered once.

mod common;

use arimaa::{Game, Turn};
use common::{Controller, Patient};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

const OPENING: &str = "g [rrrrrrrrhdcemcdh                                HDCMECDHRRRRRRRR]";

fn is_legal(answer: &str) -> bool {
    let game = Game::from_position(OPENING.parse().unwrap());
    let turn = answer.strip_prefix("bestmove ").map(|text| Turn::parse(text, game.position()));
    turn.is_some_and(|turn| turn.is_ok_and(|turn| game.clone().try_play(turn).is_ok()))
}

#[test]
fn a_thousand_rapid_pairs_of_go_and_stop_are_answered() {
    let mut controller = Controller::opened(Patient::engine());
    controller.send(&format!("setposition {OPENING}"));
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    for _ in 0..1000 {
        controller.send(["go", "go ponder", "go infinite"][rng.random_range(0..3)]);
        // The search may not have begun, or has gone on for a while.
        for _ in 0..rng.random_range(0..200) {
            std::thread::yield_now();
        }
        controller.send("stop");
        assert!(is_legal(&controller.answer()));
    }
}

#[test]
fn pairs_that_are_sent_ahead_are_answered_one_by_one() {
    let mut controller = Controller::opened(Patient::engine());
    controller.send(&format!("setposition {OPENING}"));
    for _ in 0..1000 {
        controller.send("go\nstop");
    }
    controller.send("isready");
    for _ in 0..1000 {
        assert!(is_legal(&controller.answer()));
    }
    assert_eq!(controller.answer(), "readyok");
}
