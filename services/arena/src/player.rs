//! Whoever plays, and what it is told and answers.

use std::time::Duration;

use engine::Stop;
use game::{Game, Side};
use process::Failure;

use crate::{Clocks, TimeSettings};

/// Whoever plays: an engine in this process, or a program that is talked to.
///
/// An error is the player's own failure, by which it loses the game. After one it is not asked
/// anything more: a new player plays the next game.
pub trait Player<G: Game>: Send {
    /// What it calls itself, with its version.
    fn identity(&self) -> String;

    /// Begins a game.
    fn begin(&mut self, start: &Start<G>) -> Result<(), Failure>;

    /// Is told an action that was played, its own ones as well, and how it is written. Only programs
    /// that keep the game themselves need to know.
    fn played(&mut self, _action: G::Action, _text: &str) -> Result<(), Failure> {
        Ok(())
    }

    /// Finds an action for the side to move.
    fn think(&mut self, game: &G, budget: &Budget) -> Result<Thought<G::Action>, Failure>;
}

/// A game that begins.
#[derive(Clone, Debug)]
pub struct Start<G: Game> {
    /// The game at its opening.
    pub game: G,
    /// The position that it began at, unless that is the very start.
    pub origin: Option<G::Position>,
    /// Which side the player has.
    pub side: Side,
    /// The opponent's name.
    pub opponent: String,
    /// The seed of the player's random choices.
    pub seed: u64,
    /// How long the players may think.
    pub time: TimeSettings,
    /// Asked for when nobody wants the game any more. An engine in this process then ends its search.
    pub stop: Stop,
}

/// What a player may use for a turn.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Budget {
    /// How long the players of the game may think.
    pub time: TimeSettings,
    /// What the clocks say.
    pub clocks: Clocks,
    /// When the answer is late, if that can be.
    pub latest: Option<Duration>,
}

/// What a player has found.
#[derive(Clone, PartialEq, Debug)]
pub struct Thought<Action> {
    /// What it does.
    pub reply: Reply<Action>,
    /// How long it took, as the player's clock counts it: a program's begins when it is told to
    /// think, and ends when its answer arrives.
    pub time: Duration,
    /// How it thinks it stands, if it says so.
    pub score: Option<i32>,
    /// How deep it looked, if it says so.
    pub depth: Option<u32>,
    /// How many positions it looked at, if it says so.
    pub nodes: Option<u64>,
}

/// What a player does when it is its turn.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reply<Action> {
    /// Plays this.
    Play(Action),
    /// Writes something that cannot be played.
    Illegal {
        /// What it wrote.
        text: String,
        /// Why it cannot be played.
        why: String,
    },
    /// Gives up.
    Resign,
}

impl<Action: Copy> Reply<Action> {
    /// What a program has written in its turn's place: `resign` gives up.
    pub fn read<G: Game<Action = Action>>(game: &G, text: &str) -> Reply<Action> {
        if ["resign", "resigns", "resigned"].iter().any(|word| text.eq_ignore_ascii_case(word)) {
            return Reply::Resign;
        }
        let legal = game.parse_action(text).and_then(|action| {
            let mut after = game.clone();
            after.play(action).map(|()| action)
        });
        match legal {
            Ok(action) => Reply::Play(action),
            Err(why) => Reply::Illegal { text: text.to_string(), why },
        }
    }
}
