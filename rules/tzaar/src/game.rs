use rand::Rng;
use rand::seq::IndexedRandom as _;
use thiserror::Error;

use crate::side::{self, BLACK, Side};
use crate::{Outcome, Position, Reason, Turn, TurnError, distinct_turns};

/// A game: a position with its past.
///
/// ```
/// # use tzaar::{Game, Position};
/// let mut game = Game::new(Position::fixed_start());
/// game.play_text("E4xF3").unwrap();
/// assert_eq!(game.label(), "1b");
/// game.play_text("A1xB1 A2+A3").unwrap();
/// assert_eq!(game.to_string(), "1w E4xF3\n1b A1xB1 A2+A3\n");
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Game {
    start: Position,
    position: Position,
    /// What was played, and the position before.
    past: Vec<(Position, Turn)>,
    resigned: Option<Side>,
}

impl Game {
    /// A game that begins at a position; it may be over there.
    pub fn new(start: Position) -> Game {
        Game { start, position: start, past: Vec::new(), resigned: None }
    }

    /// Where it began.
    pub fn start(&self) -> &Position {
        &self.start
    }

    /// The position now, always at the start of a turn unless the game began inside one.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// The turns so far.
    pub fn turns(&self) -> impl Iterator<Item = Turn> {
        self.past.iter().map(|&(_, turn)| turn)
    }

    /// The turns so far, each with the position before it.
    pub fn past(&self) -> &[(Position, Turn)] {
        &self.past
    }

    /// The number of the turn to be played, and whose it is: `3w`.
    pub fn label(&self) -> String {
        self.label_of(self.past.len())
    }

    /// The label of the turn that so many others precede.
    pub(crate) fn label_of(&self, turns: usize) -> String {
        let half = turns + usize::from(self.start.side() == BLACK);
        format!("{}{}", half / 2 + 1, side::letter(Side::ALL[half % 2]))
    }

    /// How the game ended, if it has.
    pub fn outcome(&self) -> Option<Outcome> {
        let resigned = |side: Side| Outcome { winner: !side, reason: Reason::Resignation };
        self.resigned.map(resigned).or_else(|| self.position.outcome())
    }

    /// Plays a turn if it is legal. If it is refused, nothing has changed.
    pub fn play(&mut self, turn: Turn) -> Result<(), GameError> {
        if let Some(outcome) = self.outcome() {
            return Err(GameError::Over { outcome });
        }
        let after = self.position.play_turn(turn)?;
        self.past.push((self.position, turn));
        self.position = after;
        Ok(())
    }

    /// Plays what a record says after the label: a turn, or `resigns`. If it is refused, nothing has changed.
    pub fn play_text(&mut self, text: &str) -> Result<(), GameError> {
        if let Some(outcome) = self.outcome() {
            return Err(GameError::Over { outcome });
        }
        if is_resignation(text.trim()) {
            return self.resign(self.position.side());
        }
        // Read on the board, so that columns are those of the text.
        let turn = Turn::parse(text, &self.position)?;
        self.play(turn)
    }

    /// Ends the game: that side gives up.
    pub fn resign(&mut self, side: Side) -> Result<(), GameError> {
        if let Some(outcome) = self.outcome() {
            return Err(GameError::Over { outcome });
        }
        self.resigned = Some(side);
        Ok(())
    }

    /// Takes back the last turn, or a resignation; returns whether there was anything.
    pub fn take_back(&mut self) -> bool {
        if self.resigned.take().is_some() {
            return true;
        }
        match self.past.pop() {
            Some((before, _)) => {
                self.position = before;
                true
            }
            None => false,
        }
    }

    /// A random legal turn, each distinct one as likely; none if the game is over.
    pub fn random_turn(&self, rng: &mut impl Rng) -> Option<Turn> {
        if self.outcome().is_some() {
            return None;
        }
        distinct_turns(&self.position).choose(rng).map(|&(turn, _)| turn)
    }
}

/// Whether a word of a record gives up.
pub(crate) fn is_resignation(word: &str) -> bool {
    ["resign", "resigns", "resigned"].iter().any(|known| word.eq_ignore_ascii_case(known))
}

/// Why a game does not allow something.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum GameError {
    /// The game is over.
    #[error("the game is over: {outcome}")]
    Over {
        /// How it ended.
        outcome: Outcome,
    },
    /// The turn is not legal.
    #[error("{0}")]
    Turn(#[from] TurnError),
}
