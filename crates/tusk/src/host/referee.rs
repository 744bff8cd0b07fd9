//! The rules of Arimaa, as the arena needs them.

use arena::{Ending, Referee, Rules};
use arimaa::{Army, Deed, Game, Picture, Position, Side};

/// The rules of Arimaa.
pub struct ArimaaRules;

/// A game of Arimaa.
struct ArimaaReferee {
    game: Game,
    /// Where it began, unless with an empty board.
    origin: Option<Position>,
}

impl Rules for ArimaaRules {
    fn name(&self) -> &str {
        "arimaa"
    }

    fn begin(&self, opening: &str) -> Result<Box<dyn Referee>, String> {
        let (game, origin) = begin(opening)?;
        Ok(Box::new(ArimaaReferee { game, origin }))
    }
}

impl Referee for ArimaaReferee {
    fn origin(&self) -> Option<String> {
        self.origin.map(|position| position.to_string())
    }

    fn turns(&self) -> Vec<String> {
        turns(&self.game)
    }

    fn position(&self) -> String {
        self.game.position().to_string()
    }

    fn picture(&self) -> String {
        let position = self.game.position();
        let number = (self.game.deeds().count() / 2 + 1) as u32;
        let (side, board) = (Some(position.side()), *position.board());
        Picture { number: Some(number), side, board }.to_string()
    }

    fn side(&self) -> Side {
        self.game.position().side()
    }

    fn label(&self) -> String {
        self.game.label()
    }

    fn play(&mut self, turn: &str) -> Result<String, String> {
        self.game.play_text(turn, Army::Full).map_err(|fault| fault.to_string())?;
        let last = self.game.deeds().last();
        Ok(last.map_or(String::new(), |(before, deed)| notation(before, deed)))
    }

    fn ending(&self) -> Option<Ending> {
        let outcome = self.game.outcome()?;
        Some(Ending { winner: outcome.winner, reason: outcome.reason.name().to_string() })
    }
}

/// The game at an opening, and where it began unless with an empty board.
pub fn begin(opening: &str) -> Result<(Game, Option<Position>), String> {
    if opening.trim().is_empty() {
        Ok((Game::new(), None))
    } else if opening.contains('[') {
        let position: Position =
            opening.trim().parse().map_err(|error: arimaa::TextError| error.to_string())?;
        Ok((aei::game_at(&position), Some(position)))
    } else {
        let game = Game::parse(opening, Army::Handicap).map_err(|error| error.to_string())?;
        Ok((game, None))
    }
}

/// The turns of a game since it began, setups included, as a record has them.
pub fn turns(game: &Game) -> Vec<String> {
    game.deeds().map(|(before, deed)| notation(before, deed)).collect()
}

/// What was done, as a record has it.
pub fn notation(before: &Position, deed: Deed) -> String {
    match deed {
        Deed::Setup(setup) => setup.to_string(),
        Deed::Turn(turn) => turn.notation(before.board()),
    }
}
