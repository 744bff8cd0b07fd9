use arimaa::{Action, Game, Step};
use search::{Limits, Report, Stop};

/// Whoever finds the turns of an engine.
///
/// A session asks it one thing at a time, and lets it think on a thread of its own.
pub trait Thinker: Send {
    /// Sets an option that is not one of the clock's; returns whether it is known. `hash` (MB)
    /// and `threads` come here as well, and need not be known.
    ///
    /// An error tells what would be right, without the name of the option.
    fn set_option(&mut self, name: &str, value: &str) -> Result<bool, String>;

    /// Forgets what it knows of the game before.
    fn new_game(&mut self);

    /// Finds a setup where one is awaited, else a turn, for the side to move of a game that is not
    /// over.
    ///
    /// It returns soon after `stop` is requested, and never later than the hard limit, even one of
    /// zero; what it learns on the way goes to `report`.
    fn think(
        &mut self,
        game: &Game,
        limits: &Limits,
        stop: &Stop,
        report: &mut dyn FnMut(&Report<Step>),
    ) -> Choice;

    /// The evaluation of the position, as lines for people, if it has one.
    fn evaluation(&mut self, _game: &Game) -> Option<Vec<String>> {
        None
    }

    /// The tree of the last search, as lines for people, if it keeps one.
    fn tree(&mut self) -> Option<Vec<String>> {
        None
    }
}

/// What a thinker decides on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Choice {
    /// This setup, or this turn.
    Play(Action),
    /// To give up.
    Resign,
}

impl Choice {
    /// As `bestmove` says it, in the full form with captures, given the game before.
    pub fn notation(&self, game: &Game) -> String {
        match self {
            Choice::Play(Action::Setup(setup)) => setup.to_string(),
            Choice::Play(Action::Turn(turn)) => turn.notation(game.position().board()),
            Choice::Resign => "resign".to_string(),
        }
    }
}
