//! Test positions: an engine answers them, and its answers are weighed.

use std::time::Duration;

use engine::Stop;
use game::{Game, Position};

use crate::{Budget, Clocks, Failure, Player, Reply, Start, Thought, TimeSettings};

/// A position, and something that a turn must achieve in it.
pub trait Exercise<G: Game> {
    /// A game that begins at the position.
    fn game(&self) -> G;

    /// What the best turns are worth.
    fn highest(&self) -> f64;

    /// What an action is worth; an error tells why it is not legal.
    fn weigh(&self, action: G::Action) -> Result<f64, String>;
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
    pub fn weighed<G: Game>(
        exercise: &dyn Exercise<G>,
        found: Result<Thought<G::Action>, Failure>,
    ) -> Attempt {
        let mut attempt =
            Attempt { turn: None, time: Duration::ZERO, weight: 0.0, passed: false, fault: None };
        let thought = match found {
            Ok(thought) => thought,
            Err(failure) => {
                attempt.fault = Some(failure.to_string());
                return attempt;
            }
        };
        attempt.time = thought.time;
        match thought.reply {
            Reply::Resign => (),
            Reply::Illegal { text, why } => {
                (attempt.turn, attempt.fault) = (Some(text), Some(why));
            }
            Reply::Play(action) => {
                attempt.turn = Some(exercise.game().notation(action));
                match exercise.weigh(action) {
                    Ok(weight) => attempt.weight = weight,
                    Err(fault) => attempt.fault = Some(fault),
                }
                attempt.passed = attempt.fault.is_none() && attempt.weight >= exercise.highest();
            }
        }
        attempt
    }
}

/// How long after its time an answer is still awaited: a test is no game, and nobody is hurt by
/// waiting.
const GRACE: Duration = Duration::from_secs(10);

/// Asks a player for its answer, in a game that begins at the position.
pub fn ask<G: Game>(
    player: &mut dyn Player<G>,
    exercise: &dyn Exercise<G>,
    seed: u64,
    time: TimeSettings,
) -> Result<Thought<G::Action>, Failure> {
    let game = exercise.game();
    let side = game.position().side();
    player.begin(&Start {
        game: game.clone(),
        origin: Some(game.position().clone()),
        side,
        opponent: "suite".to_string(),
        seed,
        time,
        stop: Stop::new(),
    })?;
    let clocks = Clocks::new(side, 2, time.control);
    let latest = time.latest(&clocks).map(|latest| latest + GRACE);
    player.think(&game, &Budget { time, clocks, latest })
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
    pub fn add<G: Game>(&mut self, exercise: &dyn Exercise<G>, attempt: &Attempt) {
        self.tests += 1;
        self.passed += u64::from(attempt.passed);
        self.score += attempt.weight;
        self.highest += exercise.highest();
        self.time += attempt.time;
        self.faults += u64::from(attempt.fault.is_some());
    }
}
