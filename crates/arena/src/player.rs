use std::time::Duration;

use aei::Failure;
use game::Side;

use crate::{Clocks, Pace};

/// Whoever plays: an engine in this process, or a program that is talked to.
///
/// An error is the player's own failure, by which it loses the game. After one it is not asked
/// anything more: another one takes its seat in the next game.
pub trait Player: Send {
    /// What it calls itself, with its version.
    fn identity(&self) -> String;

    /// Begins a game.
    fn begin(&mut self, start: &Start) -> Result<(), Failure>;

    /// Is told a turn that was played, its own ones as well.
    fn played(&mut self, turn: &str) -> Result<(), Failure>;

    /// Finds a turn for the side to move.
    fn think(&mut self, budget: &Budget) -> Result<Thought, Failure>;
}

/// A game that begins.
#[derive(Clone, PartialEq, Debug)]
pub struct Start {
    /// The position, if the game does not begin at the very start.
    pub origin: Option<String>,
    /// What was played since, before the players think for themselves.
    pub turns: Vec<String>,
    /// Which side the player has.
    pub side: Side,
    /// The opponent's name.
    pub opponent: String,
    /// The seed of the player's random choices.
    pub seed: u64,
    /// How long the players may think.
    pub pace: Pace,
}

/// What a player may use for a turn.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Budget {
    /// How long the players of the game may think.
    pub pace: Pace,
    /// What the clocks say.
    pub clocks: Clocks,
    /// When the answer is late, if that can be.
    pub latest: Option<Duration>,
}

/// What a player has found.
#[derive(Clone, PartialEq, Debug)]
pub struct Thought {
    /// What it does.
    pub answer: Answer,
    /// How long it took, as the player's clock counts it: a program's begins when it is told to
    /// think, and ends when its answer arrives.
    pub time: Duration,
    /// How it thinks it stands, if it says so; see `proof` in its own terms for forced wins.
    pub score: Option<i32>,
    /// How deep it looked, if it says so.
    pub depth: Option<u32>,
    /// How many positions it looked at, if it says so.
    pub nodes: Option<u64>,
}

/// What a player does when it is its turn.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// Plays this turn, which may be illegal.
    Play(String),
    /// Gives up.
    Resign,
}

impl Answer {
    /// What a program answers in its turn's place: `resign` gives up.
    pub(crate) fn of(text: &str) -> Answer {
        match text {
            "resign" | "resigns" => Answer::Resign,
            turn => Answer::Play(turn.to_string()),
        }
    }
}
