use crate::{Key, Position, Side};

/// How a game writes positions and turns where a file tells them one by one, such as a proof.
///
/// A turn is read without the board, since one text may be played on many: each turn that
/// [`Notation::turn_text`] or [`Notation::finisher_text`] writes must be read as the same steps, and
/// what can be told from a board alone (such as a capture) is passed over, and left to
/// [`Notation::tells`].
pub trait Notation: Position {
    /// The game's name: one word.
    const GAME: &'static str;

    /// A position, and what a side wants to reach from it: `target` is a word such as `win`.
    fn read(position: &str, target: &str) -> Result<Self, String>;

    /// The position as text, on one line.
    fn position_text(&self) -> String;

    /// What a side wants to reach from this position.
    fn target_text(&self) -> String;

    /// What repetition counts a position of the past by, given its text.
    fn past_key(text: &str) -> Result<Key, String>;

    /// The steps of a turn of that side, with the pass that ends it, if one does.
    fn read_turn(text: &str, side: Side) -> Result<Vec<Self::Step>, String>;

    /// Whether a text that was read as this turn, which is legal here, tells what happens: the pieces that move,
    /// and no capture but those that there are. Where a text says nothing but the steps, it does.
    fn tells(&self, turn: &[Self::Step], text: &str) -> bool {
        let _ = (turn, text);
        true
    }

    /// A turn that begins here as text. It need not be legal.
    fn turn_text(&self, turn: &[Self::Step]) -> String;

    /// The same without what holds on this board only.
    fn finisher_text(&self, turn: &[Self::Step]) -> String;
}

/// How often a position has come about in the game so far.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Past {
    /// How often; the position of the game now counts itself.
    pub count: u32,
    /// The position as text.
    pub position: String,
    /// What repetition counts it by.
    pub key: Key,
}
