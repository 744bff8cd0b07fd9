use game::Side;

/// The rules of a game, as the arena needs them.
pub trait Rules: Send + Sync {
    /// The name of the game, as on the command line.
    fn name(&self) -> &str;

    /// Begins a game at an opening, which is text: turns that were played from the very start, one a
    /// line (with none, it begins there), or a position. An error tells what is wrong with it.
    fn begin(&self, opening: &str) -> Result<Box<dyn Referee>, String>;

    /// The turn that a program has written into the file of its position; an error tells what is wrong
    /// with the text. Unless a game has files of its own, they hold the turn as it is.
    fn read_answer(&self, file: &str) -> Result<String, String> {
        Ok(file.trim().to_string())
    }
}

/// Whoever sees to it that a game is played by the rules.
pub trait Referee: Send {
    /// The position from which the game was begun, if it was not begun from the very start.
    fn origin(&self) -> Option<String>;

    /// How many turns clocks count before the first one that is told: those of the setups, if the game was
    /// begun after them.
    fn untold(&self) -> usize {
        2 * usize::from(self.origin().is_some())
    }

    /// The turns so far, since the origin or the very start.
    fn turns(&self) -> Vec<String>;

    /// The position now, in one line.
    fn position(&self) -> String;

    /// The position now, as a picture for people and older programs.
    fn picture(&self) -> String;

    /// Whose turn it is.
    fn side(&self) -> Side;

    /// The number of the turn to be played, and whose it is, as in a record: `12g`.
    fn label(&self) -> String;

    /// Plays a turn if it is legal, and returns it as it is usually written; else says why it is
    /// not, and nothing has changed.
    fn play(&mut self, turn: &str) -> Result<String, String>;

    /// How the game ended by the rules, if it has.
    fn ending(&self) -> Option<Ending>;
}

/// How a game ended by its rules.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ending {
    /// Who won.
    pub winner: Side,
    /// By what, in a word: `goal`.
    pub reason: String,
}
