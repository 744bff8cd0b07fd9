//! Games as requests write them.

use game::{Game as _, Side};
use serde::{Deserialize, Serialize};
use workbench::{
    Army, GameName, GameRecord as _, GameSpec, Interactive, Playing, Reading, Solving,
};

use crate::api::Refusal;

/// What the page asks of a game.
pub trait Served: Reading + Playing + Interactive + Solving {}

impl<S: Reading + Playing + Interactive + Solving> Served for S {}

/// A game as a request writes it: where it began, and what was played since.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GameText {
    /// `arimaa` or `tzaar`.
    pub name: String,
    /// A position in one line; with nothing, the very start of a game.
    #[serde(default)]
    pub start: String,
    /// A turn or a setup each, as in a record; `resigns` may be the last.
    #[serde(default)]
    pub turns: Vec<String>,
}

/// Longer games are refused. Setups count, and so do the turns of a record that a game starts with.
const MOST_TURNS: usize = 1000;

/// The word of a record that gives up.
pub const RESIGNS: &str = "resigns";

/// A game that was read, with what its record says about each turn.
pub struct Opened<S: GameSpec> {
    pub game: S::Game,
    /// The turns as they are usually written.
    pub turns: Vec<String>,
    /// Their labels, such as `12g`.
    pub labels: Vec<String>,
    /// The position before the last of them.
    pub before_last: Option<S::Position>,
}

impl GameText {
    /// Which game it is of.
    pub fn game_name(&self) -> Result<GameName, Refusal> {
        GameName::named(&self.name).map_err(Refusal::new)
    }

    /// The game, if everything in it is legal.
    pub fn open<S: Served>(&self) -> Result<Opened<S>, Refusal> {
        check_length(self.turns.len())?;
        let begun = S::Game::begin(&self.start);
        let (mut game, _) = begun.map_err(|fault| Refusal::new(format!("start: {fault}")))?;
        check_length(game.actions().len() + self.turns.len())?;
        let mut labels = Vec::with_capacity(self.turns.len());
        let mut before_last = None;
        for (index, turn) in self.turns.iter().enumerate() {
            let label = game.label();
            before_last = Some(*game.position());
            game.play_text(turn, Army::Handicap)
                .map_err(|fault| Refusal::new(format!("turn {} ({label}): {fault}", index + 1)))?;
            labels.push(label);
        }
        let mut turns = game.turns();
        // A start may be a record with turns of its own: they belong to it.
        turns.drain(..turns.len().saturating_sub(self.turns.len()));
        if turns.len() < self.turns.len() {
            turns.push(RESIGNS.to_string());
        }
        Ok(Opened { game, turns, labels, before_last })
    }

    /// A game as a request would write it, if it is not too long for one.
    pub fn from_game<S: Served>(game: &S::Game) -> Result<GameText, Refusal> {
        let mut turns = game.turns();
        check_length(turns.len())?;
        let replay = game.replay();
        let start = match is_very_start::<S>(replay.game()) {
            true => String::new(),
            false => replay.game().position().to_string(),
        };
        if replay.resigns() {
            turns.push(RESIGNS.to_string());
        }
        Ok(GameText { name: S::NAME.word().to_string(), start, turns })
    }
}

/// Refuses a game with more turns than the page opens.
fn check_length(turns: usize) -> Result<(), Refusal> {
    if turns <= MOST_TURNS {
        return Ok(());
    }
    Err(Refusal::new(format!(
        "the game has {turns} turns, and the page opens games of at most {MOST_TURNS}: use `tusk analyse` for longer ones"
    )))
}

fn is_very_start<S: Served>(game: &S::Game) -> bool {
    let start = S::Game::begin("");
    start.is_ok_and(|(start, _)| {
        start.setting_up() == game.setting_up()
            && start.position().to_string() == game.position().to_string()
    })
}

/// The letter of a side in a record.
pub fn letter<S: GameSpec>(side: Side) -> String {
    S::LETTERS[side as usize].to_string()
}
