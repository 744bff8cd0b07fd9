//! Test positions: an engine answers them, and its answers are weighed.

use std::time::Duration;

use game::Side;

use crate::{Answer, Budget, Clocks, Failure, Pace, Player, Start, Thought};

/// A position, and something that a turn must achieve in it.
pub trait Exercise {
    /// The position in one line.
    fn position(&self) -> String;

    /// Whose turn it is.
    fn side(&self) -> Side;

    /// What the best turns are worth.
    fn highest(&self) -> f64;

    /// What a turn is worth; an error tells why it is not legal.
    fn weigh(&self, turn: &str) -> Result<f64, String>;
}

/// An answer to an exercise, and what it is worth.
#[derive(Clone, PartialEq, Debug)]
pub struct Attempt {
    /// The turn that was found, even one that is not legal; none, if the engine gave up or failed.
    pub turn: Option<String>,
    /// How long it took.
    pub time: Duration,
    /// What it is worth.
    pub weight: f64,
    /// Whether no turn is worth more.
    pub passed: bool,
    /// What is wrong with the answer, if the engine failed or broke the rules.
    pub fault: Option<String>,
}

impl Attempt {
    /// Weighs what an engine has found.
    pub fn weighed(exercise: &dyn Exercise, found: Result<Thought, Failure>) -> Attempt {
        let mut attempt =
            Attempt { turn: None, time: Duration::ZERO, weight: 0.0, passed: false, fault: None };
        match found {
            Err(failure) => attempt.fault = Some(failure.to_string()),
            Ok(Thought { answer: Answer::Resign, time, .. }) => attempt.time = time,
            Ok(Thought { answer: Answer::Play(turn), time, .. }) => {
                match exercise.weigh(&turn) {
                    Ok(weight) => attempt.weight = weight,
                    Err(fault) => attempt.fault = Some(fault),
                }
                attempt.passed = attempt.fault.is_none() && attempt.weight >= exercise.highest();
                (attempt.turn, attempt.time) = (Some(turn), time);
            }
        }
        attempt
    }
}

/// How long after its time an answer is still awaited: a test is no game, and nobody is hurt by
/// waiting.
const GRACE: Duration = Duration::from_secs(10);

/// Asks a player for its answer, in a game that begins at the position.
pub fn ask(
    player: &mut dyn Player,
    exercise: &dyn Exercise,
    seed: u64,
    pace: Pace,
) -> Result<Thought, Failure> {
    let side = exercise.side();
    player.begin(&Start {
        origin: Some(exercise.position()),
        turns: Vec::new(),
        side,
        opponent: "suite".to_string(),
        seed,
        pace,
    })?;
    let clocks = Clocks::new(side, 2, pace.control);
    let latest = pace.latest(&clocks).map(|latest| latest + GRACE);
    player.think(&Budget { pace, clocks, latest })
}

/// What many attempts come to.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct PassTable {
    /// How many there were.
    pub tests: u64,
    /// How many of them passed.
    pub passed: u64,
    /// What they are worth together.
    pub score: f64,
    /// What they could be worth.
    pub highest: f64,
    /// How long they took.
    pub time: Duration,
    /// How often the engine failed or broke the rules.
    pub faults: u64,
}

impl PassTable {
    /// Counts an attempt.
    pub fn add(&mut self, exercise: &dyn Exercise, attempt: &Attempt) {
        self.tests += 1;
        self.passed += u64::from(attempt.passed);
        self.score += attempt.weight;
        self.highest += exercise.highest();
        self.time += attempt.time;
        self.faults += u64::from(attempt.fault.is_some());
    }
}

#[cfg(test)]
mod tests {
    use aei::Fault;

    use super::*;

    /// One may go left, which is worth a half, or right; nothing else is legal.
    struct Crossroads;

    impl Exercise for Crossroads {
        fn position(&self) -> String {
            "crossroads".to_string()
        }

        fn side(&self) -> Side {
            Side::Second
        }

        fn highest(&self) -> f64 {
            0.8
        }

        fn weigh(&self, turn: &str) -> Result<f64, String> {
            match turn {
                "left" => Ok(0.5),
                "right" => Ok(0.8),
                _ => Err("there is no such way".to_string()),
            }
        }
    }

    fn found(answer: Answer) -> Result<Thought, Failure> {
        let time = Duration::from_secs(1);
        Ok(Thought { answer, time, score: None, depth: None, nodes: None })
    }

    fn failure() -> Failure {
        Failure { fault: Fault::Crash, detail: "it ended".to_string(), last_lines: Vec::new() }
    }

    #[test]
    fn the_highest_weight_passes_and_a_lower_one_counts() {
        let play = |turn: &str| {
            let attempt = Attempt::weighed(&Crossroads, found(Answer::Play(turn.to_string())));
            (attempt.weight, attempt.passed, attempt.fault)
        };
        assert_eq!(play("right"), (0.8, true, None));
        assert_eq!(play("left"), (0.5, false, None));
        assert_eq!(play("up"), (0.0, false, Some("there is no such way".to_string())));
    }

    #[test]
    fn whoever_gives_up_or_fails_does_not_pass() {
        let resigned = Attempt::weighed(&Crossroads, found(Answer::Resign));
        assert_eq!((resigned.turn, resigned.passed, resigned.fault), (None, false, None));
        let failed = Attempt::weighed(&Crossroads, Err(failure()));
        assert_eq!(failed.fault.as_deref(), Some("crash: it ended"));
        assert_eq!((failed.turn, failed.passed), (None, false));
    }

    #[test]
    fn a_table_counts_attempts_weights_and_faults() {
        let mut table = PassTable::default();
        for turn in ["left", "right", "up"] {
            let attempt = Attempt::weighed(&Crossroads, found(Answer::Play(turn.to_string())));
            table.add(&Crossroads, &attempt);
        }
        assert_eq!((table.tests, table.passed, table.faults), (3, 1, 1));
        assert_eq!((table.score, table.highest), (1.3, 0.8 * 3.0));
        assert_eq!(table.time, Duration::from_secs(3));
    }

    /// Goes where its seed leads, and remembers what it was told.
    struct Walker {
        start: Option<Start>,
    }

    impl Player for Walker {
        fn identity(&self) -> String {
            "walker".to_string()
        }

        fn begin(&mut self, start: &Start) -> Result<(), Failure> {
            self.start = Some(start.clone());
            Ok(())
        }

        fn played(&mut self, _turn: &str) -> Result<(), Failure> {
            Ok(())
        }

        fn think(&mut self, budget: &Budget) -> Result<Thought, Failure> {
            assert_eq!(budget.clocks.side, Side::Second);
            let control = budget.pace.control.ok_or_else(failure)?;
            assert_eq!(control.per_move, Duration::from_secs(5));
            let seed = self.start.as_ref().ok_or_else(failure)?.seed;
            let way = if seed == 0 { "left" } else { "right" };
            found(Answer::Play(way.to_string()))
        }
    }

    #[test]
    fn a_player_is_asked_in_a_game_that_begins_at_the_position() {
        let mut walker = Walker { start: None };
        let control = Some(Pace::per_turn(Duration::from_secs(5)));
        let pace = Pace { control, ..Pace::default() };
        for (seed, passed) in [(0, false), (1, true)] {
            let found = ask(&mut walker, &Crossroads, seed, pace);
            assert_eq!(Attempt::weighed(&Crossroads, found).passed, passed);
        }
        let start = walker.start.unwrap();
        assert_eq!((start.origin.as_deref(), start.side), (Some("crossroads"), Side::Second));
        assert!(start.turns.is_empty());
    }
}
