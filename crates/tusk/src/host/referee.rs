//! The rules of a game, as the arena needs them.

use std::marker::PhantomData;

use arena::{Ending, Referee, Rules};
use game::{Position, Side};

use crate::sport::{Army, Course, Sport};

/// The rules of a game.
pub struct RulesOf<S>(PhantomData<S>);

impl<S> RulesOf<S> {
    pub const NEW: RulesOf<S> = RulesOf(PhantomData);
}

/// A game that is watched.
struct RefereeOf<S: Sport> {
    game: S::Game,
    /// Where it began, unless at the very start.
    origin: Option<S::Position>,
}

impl<S: Sport> Rules for RulesOf<S> {
    fn name(&self) -> &str {
        S::NAME.word()
    }

    fn begin(&self, opening: &str) -> Result<Box<dyn Referee>, String> {
        let (game, origin) = S::Game::begin(opening)?;
        Ok(Box::new(RefereeOf::<S> { game, origin }))
    }

    fn read_answer(&self, file: &str) -> Result<String, String> {
        S::read_answer(file)
    }
}

impl<S: Sport> Referee for RefereeOf<S> {
    fn origin(&self) -> Option<String> {
        self.origin.map(|position| position.to_string())
    }

    fn untold(&self) -> usize {
        if self.origin.is_some() { S::SETUPS } else { 0 }
    }

    fn turns(&self) -> Vec<String> {
        self.game.turns()
    }

    fn position(&self) -> String {
        self.game.position().to_string()
    }

    fn picture(&self) -> String {
        self.game.picture()
    }

    fn side(&self) -> Side {
        self.game.position().side()
    }

    fn label(&self) -> String {
        self.game.label()
    }

    fn play(&mut self, turn: &str) -> Result<String, String> {
        self.game.play(turn, Army::Full)?;
        Ok(self.game.turns().pop().unwrap_or_default())
    }

    fn ending(&self) -> Option<Ending> {
        let ended = self.game.ending()?;
        Some(Ending { winner: ended.winner, reason: ended.reason.to_string() })
    }
}
