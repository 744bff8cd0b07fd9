use std::fmt::{Debug, Display};

use crate::{History, Position, Side};

/// A game in progress: a position with its past. Engines are asked about games, and referees watch
/// them.
pub trait Game: Clone + Display + Send + Sync + 'static {
    /// The game's positions.
    type Position: Position<Step: Send + Sync> + Display + Send + Sync;

    /// What a player does when it is its turn: a turn, or a setup before the first one.
    type Action: Copy + PartialEq + Debug + Send + Sync + 'static;

    /// How many setups come before the first turn. A game that began after them counts them as
    /// turns on its clocks.
    const SETUPS: usize = 0;

    /// A game that begins at an opening: turns from the very start, one a line, or a position; with
    /// nothing, at the very start. Besides, the position that it began at, unless that is the very
    /// start. An error tells what is wrong with the opening.
    fn begin(opening: &str) -> Result<(Self, Option<Self::Position>), String>;

    /// The position now.
    fn position(&self) -> &Self::Position;

    /// How often each position has come about.
    fn history(&self) -> &History;

    /// Whose setup is awaited before play begins, if one is.
    fn setting_up(&self) -> Option<Side>;

    /// The actions since it began, as they are usually written.
    fn turns(&self) -> Vec<String>;

    /// The number of the turn to be played, and whose it is, as in a record: `12g`.
    fn label(&self) -> String;

    /// The board for people and older programs, below the label of the turn.
    fn picture(&self) -> String;

    /// How it ended by its rules, if it has.
    fn ended(&self) -> Option<Ended>;

    /// Plays an action if it is legal; else says why it is not, and nothing has changed.
    fn play(&mut self, action: Self::Action) -> Result<(), String>;

    /// The action of these steps, which belong to one turn; none, if they are no turn.
    fn turn(steps: &[<Self::Position as Position>::Step]) -> Option<Self::Action>;

    /// Reads an action as it is written in this game; it need not be legal otherwise.
    fn parse_action(&self, text: &str) -> Result<Self::Action, String>;

    /// An action that can be played now, as it is usually written.
    fn notation(&self, action: Self::Action) -> String;

    /// The text of the action that a program has written into the file of its position. An error
    /// tells what is wrong with the file.
    fn action_in_file(&self, file: &str) -> Result<String, String> {
        Ok(file.trim().to_string())
    }
}

/// A variation as text: each action as it is usually written. What cannot be played ends it.
pub fn notations<G: Game>(game: &G, actions: &[G::Action]) -> Vec<String> {
    let mut game = game.clone();
    let mut texts = Vec::new();
    for &action in actions {
        texts.push(game.notation(action));
        if game.play(action).is_err() {
            break;
        }
    }
    texts
}

/// How a game ended by its rules.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ended {
    /// Who won.
    pub winner: Side,
    /// By what, in a word: `goal`.
    pub reason: &'static str,
    /// The same in a sentence without its full stop.
    pub sentence: String,
}
