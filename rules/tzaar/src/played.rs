//! What engines and referees ask of a game of Tzaar: [`game::Game`].

use std::sync::LazyLock;

use game::{Ended, History};

use crate::side::Side;
use crate::{BestMove, Game, Picture, Position, RecordError, Step, TextError, Turn};

/// Each turn begins with a capture: no position comes about twice.
static NO_PAST: LazyLock<History> = LazyLock::new(History::new);

impl game::Game for Game {
    type Position = Position;
    type Action = Turn;

    fn begin(opening: &str) -> Result<(Game, Option<Position>), String> {
        if opening.trim().is_empty() {
            return Ok((Game::new(Position::tournament_start()), None));
        }
        let game: Game = opening.parse().map_err(|error: RecordError| error.to_string())?;
        let origin = game.origin();
        Ok((game, origin))
    }

    fn position(&self) -> &Position {
        self.position()
    }

    fn history(&self) -> &History {
        &NO_PAST
    }

    fn setting_up(&self) -> Option<Side> {
        None
    }

    fn turns(&self) -> Vec<String> {
        self.turns().map(|turn| turn.to_string()).collect()
    }

    fn label(&self) -> String {
        self.label()
    }

    fn picture(&self) -> String {
        Picture(*self.position()).to_string()
    }

    fn ended(&self) -> Option<Ended> {
        let outcome = self.outcome()?;
        let (winner, reason) = (outcome.winner, outcome.reason.name());
        Some(Ended { winner, reason, sentence: outcome.to_string() })
    }

    fn play(&mut self, turn: Turn) -> Result<(), String> {
        self.play(turn).map_err(|error| error.to_string())
    }

    fn turn(steps: &[Step]) -> Option<Turn> {
        Turn::from_steps(steps)
    }

    fn parse_action(&self, text: &str) -> Result<Turn, String> {
        Turn::parse(text, self.position()).map_err(|error| error.to_string())
    }

    fn notation(&self, turn: Turn) -> String {
        turn.to_string()
    }

    fn action_in_file(&self, file: &str) -> Result<String, String> {
        let best: BestMove = file.parse().map_err(|error: TextError| error.to_string())?;
        Ok(best.turn_on(self.position()).to_string())
    }
}

impl Game {
    /// The position that it began at, unless that is the start of a tournament game.
    pub fn origin(&self) -> Option<Position> {
        Some(*self.start()).filter(|start| *start != Position::tournament_start())
    }
}
