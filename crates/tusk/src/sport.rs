//! The games that the verbs serve, and what they ask of each.

mod arimaa;
mod tzaar;

use std::fmt::{self, Display};

use ::engine::ParameterError;
use arena::Exercise;
use game::{History, Side};
use proof::{Notation, Past};
use rand_chacha::ChaCha8Rng;
use search::{Limits, Report, Stop};
use serde_json::Value;

pub use self::arimaa::Arimaa;
pub use self::tzaar::{Tzaar, is_tzaar};
// How many pieces setups must have; only Arimaa has any.
pub use ::arimaa::Army;

use crate::engine::{Declared, Engine, Settings};
use crate::host::Interface;
use crate::input::Content;
use crate::sheet::Sheet;
use crate::{WrongUse, solve};

/// Does something for the game of a name: `in_game!(name, S => count::<S>(…))`.
macro_rules! in_game {
    ($name:expr, $sport:ident => $work:expr) => {
        match $name {
            $crate::sport::GameName::Arimaa => {
                type $sport = $crate::sport::Arimaa;
                $work
            }
            $crate::sport::GameName::Tzaar => {
                type $sport = $crate::sport::Tzaar;
                $work
            }
        }
    };
}
pub(crate) use in_game;

/// The games by their names on the command line.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, clap::ValueEnum)]
pub enum GameName {
    #[default]
    Arimaa,
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

/// The steps of a game's turns.
pub type Step<S> = <<S as Sport>::Position as game::Position>::Step;

/// A game that the verbs serve: all that they ask of it. What is the same in every game, they know
/// themselves.
pub trait Sport: Copy + Send + Sync + 'static {
    const NAME: GameName;
    /// A position in one line, for those who have written something else.
    const EXAMPLE: &'static str;
    /// The letters of the sides in a record.
    const LETTERS: [char; 2];
    /// The sides for people.
    const SIDES: [&'static str; 2];
    /// The words of the endings that can be seen on the board.
    const SEEN_ENDINGS: &'static [&'static str];
    /// The engines, the usual one first.
    const ENGINES: &'static [Engine<Self>];
    /// What can be set of most engines.
    const PARAMETERS: Declared;
    /// By which other programs can be talked to.
    const INTERFACES: &'static [Interface];
    /// What a file of tests should hold, for those who have written something else.
    const NO_TEST: &'static str;
    /// From where the games of a match begin, if nobody says anything.
    const OPENINGS: &'static str;
    /// How many turns of a game are setups.
    const SETUPS: usize;
    /// Whether a record says where it begins, so that it may begin anywhere.
    const TELLS_ORIGIN: bool;

    type Position: Notation<Step: Send + Sync> + Copy + Display + Send + Sync;
    type Game: Course<Position = Self::Position, Action = Self::Action>;
    /// What is done at once: a turn, or what comes before the first one.
    type Action: Copy;
    /// What a position is worth.
    type Estimate: Copy + Send;
    /// What a player makes of its search.
    type Manner: Copy + Default + Send;
    /// Who plays by searching.
    type Player: Player<Self> + Send;
    /// Who lists turns.
    type Lister: Lister<Self::Position>;
    /// What is needed to say what a position is about.
    type Tools: Default;

    /// Sets a parameter of a player's manner.
    fn set_manner(manner: &mut Self::Manner, name: &str, value: &str)
    -> Result<(), ParameterError>;

    /// Reads a text that is one position or one game as a whole, such as a picture or a record, if its
    /// first line says that it is; an error comes with its line.
    fn read_whole(text: &str, army: Army) -> Option<Result<Content<Self>, (usize, String)>>;

    /// Reads a position in one line.
    fn read_line(line: &str) -> Result<Content<Self>, String>;

    /// Reads a game in one cell of a table.
    fn read_movelist(moves: &str, army: Army) -> Result<Content<Self>, String>;

    /// Whether a line of a record says where it begins.
    fn is_origin(line: &str) -> bool;

    /// What a position says at a glance, with its evaluation if one is asked for.
    fn facts<'a>(
        content: &'a Content<Self>,
        tools: &mut Self::Tools,
        estimate: Option<&Self::Estimate>,
    ) -> Box<dyn Facts + 'a>;

    /// The evaluation of a position of a game that goes on.
    fn evaluation(estimate: &Self::Estimate, position: &Self::Position) -> Sheet;

    /// A line of steps as turns.
    fn line(position: &Self::Position, steps: &[Step<Self>]) -> Vec<String>;

    /// What is done before the first turn, by who knows what is good; none, if it is done.
    fn prepare(game: &Self::Game, rng: &mut ChaCha8Rng) -> Option<Self::Action>;

    /// Something legal, if there is anything.
    fn by_chance(game: &Self::Game, rng: &mut ChaCha8Rng) -> Option<Self::Action>;

    /// How positions are solved.
    fn method(arguments: &solve::Arguments) -> anyhow::Result<Box<dyn solve::Method<Self>>>;

    /// From where the games of a match begin.
    fn openings(text: &str) -> Result<Box<dyn Openings>, String>;

    /// Whether a table with this header is one of tests.
    fn is_table_of_tests(header: &str) -> bool;

    /// Reads a row of such a table; none, if it asks for nothing.
    fn read_test(header: &str, row: &str) -> Result<Option<Box<dyn Exercise>>, String>;

    /// Reads a text that is one test, if its first line says that it is.
    fn read_whole_test(text: &str) -> Option<Result<Box<dyn Exercise>, (usize, String)>>;

    /// The turn that a program has written into its file.
    fn read_answer(file: &str) -> Result<String, String>;
}

/// A game with its past.
pub trait Course: Display + Send + Sized {
    type Position;
    type Action;

    /// The game at an opening (turns from the very start, a position, or nothing), and the position that
    /// it began at, unless that is the very start.
    fn begin(opening: &str) -> Result<(Self, Option<Self::Position>), String>;

    /// Reads the record of a game; an error comes with its line.
    fn parse(record: &str, army: Army) -> Result<Self, (usize, String)>;

    /// The position that a record begins with, if it says so.
    fn origin(&self) -> Option<Self::Position>;

    /// The position now.
    fn position(&self) -> &Self::Position;

    /// How often each position has come about.
    fn history(&self) -> &History;

    /// What of the past a proof must know.
    fn proof_past(&self) -> Vec<Past>;

    /// How it ended, if it has.
    fn ending(&self) -> Option<Ended>;

    /// The number of the turn to be played, and whose it is.
    fn label(&self) -> String;

    /// Whose setup is awaited before play begins, if one is.
    fn awaits(&self) -> Option<Side>;

    /// What was done since it began.
    fn turns(&self) -> Vec<String>;

    /// Plays a turn, if it is legal.
    fn play(&mut self, turn: &str, army: Army) -> Result<(), String>;

    /// What could be done now, as text.
    fn notation(&self, action: Self::Action) -> String;

    /// The board for people and older programs, below the label of the turn.
    fn picture(&self) -> String;
}

/// How a game ended by its rules.
pub struct Ended {
    pub winner: Side,
    /// By what, in a word.
    pub reason: &'static str,
    /// The same in a sentence without its full stop.
    pub sentence: String,
}

/// Whoever plays by searching.
pub trait Player<S: Sport> {
    fn new(settings: &Settings<S>) -> Self;

    /// Forgets the game before.
    fn forget(&mut self);

    /// A turn of a game that goes on, and what the search has found; none, if it was stopped before it
    /// had found one.
    fn choose(
        &mut self,
        game: &S::Game,
        limits: &Limits,
        stop: &Stop,
        rng: &mut ChaCha8Rng,
        tell: &mut dyn FnMut(&Report<Step<S>>),
    ) -> Option<(S::Action, Report<Step<S>>)>;
}

/// Whoever lists the distinct turns of positions.
pub trait Lister<P>: Default {
    /// How many there are.
    fn count(&mut self, position: &P) -> usize;

    /// Where they lead, as far as the game goes on there.
    fn after(&mut self, position: &P) -> Vec<P>;
}

/// From where the games of a match begin.
pub trait Openings {
    /// So many openings, or all that there are if these are fewer; `told` hears of each.
    fn make(&self, count: usize, seed: u64, told: &dyn Fn()) -> anyhow::Result<Vec<String>>;
}

/// What a position says at a glance.
pub trait Facts {
    fn json(&self) -> Value;

    /// Lines for people.
    fn text(&self) -> String;
}
