//! What engines and referees ask of a game of Arimaa: [`game::Game`].

use game::{Ended, History};

use crate::side::{GOLD, SILVER, Side};
use crate::{Action, Army, Board, Game, Picture, Position, Setup, Step, TextError, Turn};

impl game::Game for Game {
    type Position = Position;
    type Action = Action;

    const SETUPS: usize = 2;

    fn begin(opening: &str) -> Result<(Game, Option<Position>), String> {
        if opening.trim().is_empty() {
            Ok((Game::new(), None))
        } else if opening.contains('[') {
            let position: Position =
                opening.trim().parse().map_err(|error: TextError| error.to_string())?;
            Ok((Game::at(&position), Some(position)))
        } else {
            let game = Game::parse(opening, Army::Handicap).map_err(|error| error.to_string())?;
            Ok((game, None))
        }
    }

    fn position(&self) -> &Position {
        self.position()
    }

    fn history(&self) -> &History {
        self.history()
    }

    fn setting_up(&self) -> Option<Side> {
        self.setting_up()
    }

    fn turns(&self) -> Vec<String> {
        self.actions().map(|(before, action)| notation(before, action)).collect()
    }

    fn label(&self) -> String {
        self.label()
    }

    fn picture(&self) -> String {
        let position = self.position();
        let number = (self.actions().count() / 2 + 1) as u32;
        let (side, board) = (Some(position.side()), *position.board());
        Picture { number: Some(number), side, board }.to_string()
    }

    fn ended(&self) -> Option<Ended> {
        let outcome = self.outcome()?;
        let (winner, reason) = (outcome.winner, outcome.reason.name());
        Some(Ended { winner, reason, sentence: outcome.to_string() })
    }

    fn play(&mut self, action: Action) -> Result<(), String> {
        let played = match action {
            Action::Setup(setup) => self.set_up(setup),
            Action::Turn(turn) => self.try_play(turn),
        };
        played.map_err(|error| error.to_string())
    }

    fn turn(steps: &[Step]) -> Option<Action> {
        let steps = steps.iter().filter(|&&step| step != Step::PASS);
        let turn = steps.fold(Turn::EMPTY, |turn, &step| turn.then(step));
        (turn != Turn::EMPTY).then_some(Action::Turn(turn))
    }

    /// Setups must be complete.
    fn parse_action(&self, text: &str) -> Result<Action, String> {
        match self.setting_up() {
            Some(side) => {
                let setup = Setup::parse(text, side, Army::Full);
                setup.map(Action::Setup).map_err(|error| error.to_string())
            }
            None => {
                let turn = Turn::parse(text, self.position());
                turn.map(Action::Turn).map_err(|error| error.to_string())
            }
        }
    }

    fn notation(&self, action: Action) -> String {
        notation(self.position(), action)
    }
}

/// What was done, as a record has it.
fn notation(before: &Position, action: Action) -> String {
    match action {
        Action::Setup(setup) => setup.to_string(),
        Action::Turn(turn) => turn.notation(before.board()),
    }
}

impl Game {
    /// The game that goes on from a position, without a past.
    ///
    /// An empty board awaits Gold's setup, one with nothing but gold pieces at home awaits Silver's.
    pub fn at(position: &Position) -> Game {
        let board = position.board();
        let mut game = Game::new();
        if position.side() == GOLD && board.occupied().is_empty() {
            return game;
        }
        if position.side() == SILVER
            && let Some(setup) = gold_setup(board)
            && game.set_up(setup).is_ok()
        {
            return game;
        }
        Game::from_position(*position)
    }
}

/// Gold's setup, if the board has nothing else.
fn gold_setup(board: &Board) -> Option<Setup> {
    let words = board.pieces().map(|(square, piece)| format!("{}{square}", piece.letter()));
    let text = words.collect::<Vec<String>>().join(" ");
    Setup::parse(&text, GOLD, Army::Handicap).ok()
}
