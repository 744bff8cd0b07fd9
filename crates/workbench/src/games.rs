//! The games by name, and what is known of each.

use std::fmt::{self, Display};

use game::Game;
use proof::{Notation, Past};

pub use ::arimaa::Army;

use crate::error::WrongUse;
use crate::tzaar::is_tzaar;

/// Does something for the game of a name: `in_game!(name, S => count::<S>(…))`.
#[macro_export]
macro_rules! in_game {
    ($name:expr, $spec:ident => $work:expr) => {
        match $name {
            $crate::GameName::Arimaa => {
                type $spec = $crate::Arimaa;
                $work
            }
            $crate::GameName::Tzaar => {
                type $spec = $crate::Tzaar;
                $work
            }
        }
    };
}

/// The games by their names on the command line.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum GameName {
    /// Arimaa.
    #[default]
    Arimaa,
    /// Tzaar.
    Tzaar,
}

impl GameName {
    /// All games.
    pub const ALL: [GameName; 2] = [GameName::Arimaa, GameName::Tzaar];

    /// As on the command line.
    pub fn word(self) -> &'static str {
        match self {
            GameName::Arimaa => "arimaa",
            GameName::Tzaar => "tzaar",
        }
    }

    /// As people write it.
    pub fn title(self) -> &'static str {
        match self {
            GameName::Arimaa => "Arimaa",
            GameName::Tzaar => "Tzaar",
        }
    }

    /// The game of that name.
    pub fn named(word: &str) -> Result<GameName, String> {
        let known = GameName::ALL.into_iter().find(|game| game.word() == word);
        known.ok_or_else(|| {
            let words = GameName::ALL.map(GameName::word).join(", ");
            format!("there is no game {word:?} here; there are: {words}")
        })
    }

    /// Refuses a verb that is for Arimaa alone, if another game is asked for.
    pub fn only_arimaa(verb: &str, game: Option<GameName>) -> Result<(), WrongUse> {
        match game {
            None | Some(GameName::Arimaa) => Ok(()),
            Some(game) => Err(WrongUse(format!("`tusk {verb}` is for Arimaa, not for {game}"))),
        }
    }

    /// The game of a text; what is of no game is taken for Arimaa.
    pub fn of_text(text: &str) -> GameName {
        if is_tzaar(text) { GameName::Tzaar } else { GameName::Arimaa }
    }
}

impl Display for GameName {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(self.title())
    }
}

/// A game specification: what everybody who serves a game must know of it. What only some ask is in
/// [`crate::Reading`], [`crate::Showing`], [`crate::Playing`], [`crate::Solving`] and
/// [`crate::Testing`].
pub trait GameSpec: Copy + Send + Sync + 'static {
    /// The game.
    const NAME: GameName;
    /// A position in one line, for those who have written something else.
    const EXAMPLE: &'static str;
    /// The letters of the sides in a record.
    const LETTERS: [char; 2];
    /// The sides for people.
    const SIDES: [&'static str; 2];
    /// The reasons for a game's end that the last board alone shows.
    const SEEN_ENDINGS: &'static [&'static str];
    /// Whether a record says where it begins, so that it may begin anywhere.
    const TELLS_ORIGIN: bool;

    /// The game's positions.
    type Position: Notation<Step: Send + Sync> + Copy + Display + Send + Sync;
    /// A position with its past.
    type Game: Game<Position = Self::Position> + GameRecord;
}

/// The steps of a game's turns.
pub type Step<S> = <<S as GameSpec>::Position as game::Position>::Step;

/// A game as its record tells it.
pub trait GameRecord: Game {
    /// Reads the record of a game; an error comes with its line.
    fn parse(record: &str, army: Army) -> Result<Self, (usize, String)>;

    /// The position that a record begins with, if it says so.
    fn origin(&self) -> Option<Self::Position>;

    /// What of the past a proof must know.
    fn proof_past(&self) -> Vec<Past>;

    /// Plays a turn as a record has it, if it is legal.
    fn play_text(&mut self, turn: &str, army: Army) -> Result<(), String>;
}
