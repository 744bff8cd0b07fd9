//! The games by name, and what is known of each.

use std::fmt::{self, Display};
use std::str::FromStr;
use std::vec;

use game::{Game, Notation, Past, Position as _, Side};

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

    /// Takes back what was done last, or a resignation; returns whether there was anything.
    fn take_back(&mut self) -> bool;

    /// The actions since the game began; a resignation is none.
    fn actions(&self) -> Vec<Self::Action>;

    /// The same game at its beginning, to be played once more.
    fn replay(&self) -> Replay<Self> {
        let actions = self.actions();
        let mut game = self.clone();
        let mut taken_back = 0;
        while game.take_back() {
            taken_back += 1;
        }
        let resigned = (taken_back > actions.len()).then(|| self.clone());
        Replay { game, actions: actions.into_iter(), resigned }
    }

    /// The game before the turn of that number. An error tells which turns there are.
    fn before_turn(&self, wanted: TurnNumber) -> Result<Self, String> {
        if self.turns().is_empty() {
            return Err("--turn is for the record of a game, and this is a position".to_string());
        }
        let mut replay = self.replay();
        let mut first = None;
        loop {
            if replay.game.setting_up().is_none() {
                if wanted.names(&replay.game) {
                    return Ok(replay.game);
                }
                first.get_or_insert_with(|| replay.game.label());
            }
            if !replay.advance() {
                let last = self.label();
                let first = first.as_ref().unwrap_or(&last);
                return Err(format!(
                    "the game has no turn {wanted}: its turns go from {first} to {last}"
                ));
            }
        }
    }
}

/// A game that is played once more, action by action, to where it is now. One game is in memory, not one for each turn:
/// the memory grows with the length of the game, not with its square.
pub struct Replay<G: GameRecord> {
    game: G,
    actions: vec::IntoIter<G::Action>,
    /// The game with the resignation that ended it, until that is played.
    resigned: Option<G>,
}

impl<G: GameRecord> Replay<G> {
    /// The game as far as it is played.
    pub fn game(&self) -> &G {
        &self.game
    }

    /// Plays the next action or the resignation; returns whether there was one.
    pub fn advance(&mut self) -> bool {
        if let Some(action) = self.actions.next() {
            self.game.play(action).expect("a played action is legal when it is replayed");
            return true;
        }
        match self.resigned.take() {
            Some(resigned) => {
                self.game = resigned;
                true
            }
            None => false,
        }
    }

    /// Whether the resignation is still to be played.
    pub fn resigns(&self) -> bool {
        self.resigned.is_some()
    }
}

/// The number of a turn in a record, such as `12g`; without a side, the first turn of that number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TurnNumber {
    number: u32,
    /// The letter of its side, in whichever game.
    letter: Option<char>,
}

impl TurnNumber {
    fn side(self) -> Option<Side> {
        self.letter.map(|letter| if "gw".contains(letter) { Side::First } else { Side::Second })
    }

    /// Whether it is the number of the turn that is to be played.
    fn names<G: Game>(self, game: &G) -> bool {
        let label = game.label();
        let number = label.trim_end_matches(|c: char| c.is_alphabetic());
        number.parse() == Ok(self.number)
            && self.side().is_none_or(|side| side == game.position().side())
    }
}

impl FromStr for TurnNumber {
    type Err = String;

    fn from_str(text: &str) -> Result<TurnNumber, String> {
        let digits = text.strip_suffix(['g', 'w', 's', 'b']).unwrap_or(text);
        let letter = text[digits.len()..].chars().next();
        let number = digits.parse().ok().filter(|&number| number > 0);
        let number =
            number.ok_or("expected the number of a turn such as 12, 12g, 12s, 12w or 12b")?;
        Ok(TurnNumber { number, letter })
    }
}

impl Display for TurnNumber {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}{}", self.number, self.letter.map_or(String::new(), String::from))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RECORD: &str = include_str!("../../../positions/sample-game.txt");

    #[test]
    fn the_game_before_a_turn_is_found_by_its_number() {
        let game = <::arimaa::Game as GameRecord>::parse(RECORD, Army::Full).unwrap();
        let label = |wanted: &str| {
            game.before_turn(wanted.parse().unwrap()).map(|before| before.label().to_string())
        };
        assert_eq!(label("2g"), Ok("2g".to_string()));
        assert_eq!(label("3"), Ok("3g".to_string()));
        assert_eq!(label("3b"), Ok("3s".to_string()));
        assert_eq!(label("4g"), Ok("4g".to_string()), "the turn that is still to be played");
        assert!(label("1g").unwrap_err().contains("from 2g to 4g"), "a setup is no turn");
        assert!(label("40s").is_err());
    }

    #[test]
    fn a_position_has_no_earlier_turn_and_a_word_is_no_number() {
        let game = ::tzaar::Game::new(::tzaar::Position::fixed_start());
        assert!(game.before_turn("1w".parse().unwrap()).unwrap_err().contains("a position"));
        for wrong in ["", "g", "0g", "12x", "12gs", "-1"] {
            assert!(wrong.parse::<TurnNumber>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_resignation_is_taken_back_as_a_stage_of_its_own() {
        let mut game = ::tzaar::Game::new(::tzaar::Position::fixed_start());
        game.play_text("E4xF3").unwrap();
        game.play_text("resigns").unwrap();
        let mut replay = game.replay();
        assert!(replay.resigns() && replay.game().position() == game.start());
        assert!(replay.advance() && replay.game().ended().is_none());
        assert!(replay.advance() && replay.game().ended() == game.ended());
        assert!(!replay.advance() && !replay.resigns());
        let before = game.before_turn("1b".parse().unwrap()).unwrap();
        assert!(before.ended().is_none());
    }
}
