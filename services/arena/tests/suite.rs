//! Test positions, and what answers are worth.

mod common;

use std::time::Duration;

use arena::{
    Attempt, Budget, Exercise, Failure, Fault, PassTable, Player, Reply, Start, Thought,
    TimeSettings, ask,
};
use common::{Counting, Say};
use game::{Game, Side};

/// From one on, it is worth a half to say 1, and more to say 2; nothing above 3 is legal.
struct FromOne;

impl Exercise<Counting> for FromOne {
    fn game(&self) -> Counting {
        Counting::begin("1").expect("an opening").0
    }

    fn highest(&self) -> f64 {
        0.8
    }

    fn weigh(&self, say: Say) -> Result<f64, String> {
        match say.0 {
            1 => Ok(0.5),
            2 => Ok(0.8),
            _ => Err("say 1, 2 or 3".to_string()),
        }
    }
}

fn found(reply: Reply<Say>) -> Result<Thought<Say>, Failure> {
    let time = Duration::from_secs(1);
    Ok(Thought { reply, time, score: None, depth: None, nodes: None })
}

fn failure() -> Failure {
    Failure { fault: Fault::Crash, detail: "it ended".to_string(), last_lines: Vec::new() }
}

#[test]
fn the_highest_weight_passes_and_a_lower_one_counts() {
    let play = |text: &str| {
        let attempt = Attempt::weighed(&FromOne, found(Reply::read(&FromOne.game(), text)));
        (attempt.weight, attempt.passed, attempt.fault)
    };
    assert_eq!(play("2"), (0.8, true, None));
    assert_eq!(play("1"), (0.5, false, None));
    assert_eq!(play("4"), (0.0, false, Some("say 1, 2 or 3".to_string())));
}

#[test]
fn whoever_gives_up_or_fails_does_not_pass() {
    let resigned = Attempt::weighed(&FromOne, found(Reply::Resign));
    assert_eq!((resigned.turn, resigned.passed, resigned.fault), (None, false, None));
    let failed = Attempt::weighed(&FromOne, Err(failure()));
    assert_eq!(failed.fault.as_deref(), Some("crash: it ended"));
    assert_eq!((failed.turn, failed.passed), (None, false));
}

#[test]
fn a_table_counts_attempts_weights_and_faults() {
    let mut table = PassTable::default();
    for turn in ["1", "2", "4"] {
        let attempt = Attempt::weighed(&FromOne, found(Reply::read(&FromOne.game(), turn)));
        table.add(&FromOne, &attempt);
    }
    assert_eq!((table.tests, table.passed, table.faults), (3, 1, 1));
    assert_eq!((table.score, table.highest), (1.3, 0.8 * 3.0));
    assert_eq!(table.time, Duration::from_secs(3));
}

/// Says what its seed leads to, and remembers what it was told.
struct Walker {
    start: Option<Start<Counting>>,
}

impl Player<Counting> for Walker {
    fn identity(&self) -> String {
        "walker".to_string()
    }

    fn begin(&mut self, start: &Start<Counting>) -> Result<(), Failure> {
        self.start = Some(start.clone());
        Ok(())
    }

    fn think(&mut self, _: &Counting, budget: &Budget) -> Result<Thought<Say>, Failure> {
        assert_eq!(budget.clocks.side, Side::Second);
        let control = budget.time.control.ok_or_else(failure)?;
        assert_eq!(control.per_move, Duration::from_secs(5));
        let seed = self.start.as_ref().ok_or_else(failure)?.seed;
        found(Reply::Play(Say(if seed == 0 { 1 } else { 2 })))
    }
}

#[test]
fn a_player_is_asked_in_a_game_that_begins_at_the_position() {
    let mut walker = Walker { start: None };
    let control = Some(clock::TimeControl::per_turn(Duration::from_secs(5)));
    let time = TimeSettings { control, ..TimeSettings::default() };
    for (seed, passed) in [(0, false), (1, true)] {
        let found = ask(&mut walker, &FromOne, seed, time);
        assert_eq!(Attempt::weighed(&FromOne, found).passed, passed);
    }
    let start = walker.start.unwrap();
    assert_eq!(
        (start.origin.as_ref(), start.side),
        (Some(FromOne.game().position()), Side::Second)
    );
}
