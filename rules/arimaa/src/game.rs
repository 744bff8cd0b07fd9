use std::ops::ControlFlow;

use game::History;
use rand::{Rng, RngExt};
use thiserror::Error;

use crate::side::{self, GOLD, SILVER, Side};
use crate::{Board, Outcome, Position, Reason, Setup, Step, StepError, Turn, TurnGenerator};

/// A game: a position with its past.
///
/// It knows whether a turn would bring about a position for the third time, and how the game ended.
///
/// ```
/// # use arimaa::{Army, Game, GOLD, SILVER, Setup, Turn};
/// let gold = "Ra1 Rb1 Rc1 Rd1 Re1 Rf1 Rg1 Rh1 Ha2 Db2 Cc2 Md2 Ee2 Cf2 Dg2 Hh2";
/// let silver = "ra8 rb8 rc8 rd8 re8 rf8 rg8 rh8 ha7 db7 cc7 md7 ee7 cf7 dg7 hh7";
/// let mut game = Game::new();
/// game.set_up(Setup::parse(gold, GOLD, Army::Full).unwrap()).unwrap();
/// game.set_up(Setup::parse(silver, SILVER, Army::Full).unwrap()).unwrap();
/// game.try_play(Turn::parse("Ee2n Ee3n Ee4n Ee5n", game.position()).unwrap()).unwrap();
/// assert_eq!(game.outcome(), None);
/// ```
#[derive(Clone, Debug)]
pub struct Game {
    position: Position,
    /// Whose setup is awaited, before play begins.
    setting_up: Option<Side>,
    history: History,
    past: Vec<Past>,
    outcome: Option<Outcome>,
}

/// What was done, and the position before.
#[derive(Clone, Copy, Debug)]
struct Past {
    position: Position,
    action: Action,
}

/// What a player did when it was their turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Action {
    /// Put the pieces on the board.
    Setup(Setup),
    /// Played a turn.
    Turn(Turn),
}

/// Third time's the rule: a position may come about twice.
const MOST_REPETITIONS: u32 = 2;

impl Default for Game {
    fn default() -> Game {
        Game::new()
    }
}

impl Game {
    /// An empty board; Gold sets up first.
    pub fn new() -> Game {
        Game {
            position: Position::new(Board::EMPTY, GOLD),
            setting_up: Some(GOLD),
            history: History::new(),
            past: Vec::new(),
            outcome: None,
        }
    }

    /// A game that begins at a position; it may be over there.
    pub fn from_position(position: Position) -> Game {
        let mut game = Game { position, setting_up: None, ..Game::new() };
        game.history.push(position.repetition_key());
        game.outcome = game.find_outcome();
        game
    }

    /// The position now, at the start of a turn unless this is a game [`Game::inside`] one.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// Whose setup is awaited, if play has not begun.
    pub fn setting_up(&self) -> Option<Side> {
        self.setting_up
    }

    /// How often each position has come about at the end of a turn.
    pub fn history(&self) -> &History {
        &self.history
    }

    /// How the game ended, if it has.
    pub fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    /// What was done so far, with the position before each.
    pub fn actions(&self) -> impl Iterator<Item = (&Position, Action)> {
        self.past.iter().map(|past| (&past.position, past.action))
    }

    /// The turns that were played, with the position before each; setups are left out.
    pub fn played_turns(&self) -> impl Iterator<Item = (&Position, Turn)> {
        self.actions().filter_map(|(position, action)| match action {
            Action::Turn(turn) => Some((position, turn)),
            Action::Setup(_) => None,
        })
    }

    /// The number of the turn to be played, the setup being turn 1, and whose it is.
    pub fn label(&self) -> String {
        let number = self.past.len() / 2 + 1;
        format!("{number}{}", side::letter(self.position.side()))
    }

    /// Sets up the pieces of the side whose setup is awaited.
    pub fn set_up(&mut self, setup: Setup) -> Result<(), GameError> {
        if self.setting_up != Some(setup.side()) {
            return Err(GameError::NoSetupNow { side: setup.side() });
        }
        let mut board = *self.position.board();
        for (square, piece) in setup.board().pieces() {
            board.put(piece, square);
        }
        self.past.push(Past { position: self.position, action: Action::Setup(setup) });
        self.position = Position::new(board, !setup.side());
        self.setting_up = (setup.side() == GOLD).then_some(SILVER);
        if self.setting_up.is_none() {
            self.history.push(self.position.repetition_key());
            self.outcome = self.find_outcome();
        }
        Ok(())
    }

    /// Plays a turn if it is legal. If it is refused, nothing has changed.
    pub fn try_play(&mut self, turn: Turn) -> Result<(), GameError> {
        if let Some(outcome) = self.outcome {
            return Err(GameError::Over { outcome });
        }
        if let Some(side) = self.setting_up {
            return Err(GameError::SetupFirst { side });
        }
        let mut after = self.position;
        after.try_play_turn(turn)?;
        if self.is_third(&after) {
            return Err(GameError::Repetition);
        }
        self.past.push(Past { position: self.position, action: Action::Turn(turn) });
        self.position = after;
        self.history.push(after.repetition_key());
        self.outcome = self.find_outcome();
        Ok(())
    }

    /// The same game after the first steps of a turn, with the same past: for analyses of the rest of
    /// the turn. The rest can be played; if it has no step, it is the empty turn.
    ///
    /// ```
    /// # use arimaa::{Direction, Game, Position, Square, Step, Turn};
    /// let position: Position =
    ///     "g [rrrrrrrrhdcemcdh                                HDCMECDHRRRRRRRR]".parse().unwrap();
    /// let game = Game::from_position(position);
    /// let mut inside = game.inside(&[Step::single(Square::E2, Direction::North)]).unwrap();
    /// assert_eq!(inside.position().steps_left().0, 3);
    /// inside.try_play(Turn::EMPTY).unwrap();
    /// assert!(inside.position().turn_starts());
    /// ```
    pub fn inside(&self, steps: &[Step]) -> Result<Game, GameError> {
        let mut position = self.position;
        for &step in steps {
            position.try_play(step)?;
        }
        if position.side() != self.position.side() {
            return Err(StepError::TooManySteps.into());
        }
        Ok(Game { position, ..self.clone() })
    }

    /// Ends the game: that side gives up.
    pub fn resign(&mut self, side: Side) -> Result<(), GameError> {
        if let Some(outcome) = self.outcome {
            return Err(GameError::Over { outcome });
        }
        self.outcome = Some(Outcome { winner: !side, reason: Reason::Resignation });
        Ok(())
    }

    /// Takes back what was done last, or a resignation; returns whether there was anything.
    pub fn take_back(&mut self) -> bool {
        if self.outcome.is_some_and(|outcome| outcome.reason == Reason::Resignation) {
            self.outcome = None;
            return true;
        }
        let Some(past) = self.past.pop() else { return false };
        if self.setting_up.is_none() {
            self.history.pop(self.position.repetition_key());
        }
        self.position = past.position;
        self.outcome = None;
        if let Action::Setup(setup) = past.action {
            self.setting_up = Some(setup.side());
        }
        true
    }

    /// A random legal turn, none if the game is over.
    pub fn random_turn(&self, rng: &mut impl Rng) -> Option<Turn> {
        if self.outcome.is_some() || self.setting_up.is_some() {
            return None;
        }
        // Repetition hardly ever forbids a turn: try again, and list them all in the end.
        for _ in 0..8 {
            let mut after = self.position;
            let turn = after.play_random_turn(rng)?;
            if !self.is_third(&after) {
                return Some(turn);
            }
        }
        let mut generator = TurnGenerator::new();
        let turns = generator.distinct(self.position.board(), self.position.side());
        let legal: Vec<Turn> = turns
            .iter()
            .filter(|reached| self.history.count(reached.key) < MOST_REPETITIONS)
            .map(|reached| reached.turn)
            .collect();
        (!legal.is_empty()).then(|| legal[rng.random_range(0..legal.len())])
    }

    /// Whether the position would come about for the third time.
    fn is_third(&self, after: &Position) -> bool {
        self.history.count(after.repetition_key()) >= MOST_REPETITIONS
    }

    fn find_outcome(&self) -> Option<Outcome> {
        self.position.outcome().or_else(|| {
            let winner = !self.position.side();
            let blocked = Outcome { winner, reason: Reason::Repetition };
            (!self.has_legal_turn()).then_some(blocked)
        })
    }

    /// Whether repetition leaves a turn, given that the side can move.
    fn has_legal_turn(&self) -> bool {
        // Nearly always some turn of one step does.
        let short = self.position.for_each_step(|step| {
            let mut after = self.position;
            after.play_unchecked(step);
            if after.side() == self.position.side() {
                after.play_unchecked(Step::PASS);
            }
            if self.is_third(&after) { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        short.is_break()
            || TurnGenerator::new()
                .distinct(self.position.board(), self.position.side())
                .iter()
                .any(|reached| self.history.count(reached.key) < MOST_REPETITIONS)
    }
}

/// Why a game does not allow something.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum GameError {
    /// The game is over.
    #[error("the game is over: {outcome}")]
    Over {
        /// How it ended.
        outcome: Outcome,
    },
    /// A turn before the setups.
    #[error("{name} has not set up its pieces yet", name = side::name(*side))]
    SetupFirst {
        /// Whose setup is awaited.
        side: Side,
    },
    /// A setup at another time, or of the other side.
    #[error("it is not for {name} to set up now", name = side::name(*side))]
    NoSetupNow {
        /// Whose setup it is.
        side: Side,
    },
    /// A step of the turn is not legal.
    #[error("{0}")]
    Step(#[from] StepError),
    /// The position has come about twice before.
    #[error(
        "the turn brings about the same position for the third time: \
         the same board and side to move may come about twice; play another turn"
    )]
    Repetition,
}
