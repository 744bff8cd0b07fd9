use game::{Key, Position, Side};

/// What only the game knows about the text of a proof.
///
/// A turn is read without the board, since a finisher is played on many: each turn that
/// [`Notation::turn_text`] or [`Notation::finisher_text`] writes must be read as the same steps, and
/// what can be told from a board alone (such as a capture) is passed over.
pub trait Notation: Position {
    /// The game's name: one word.
    const GAME: &'static str;

    /// The position that a proof is about, and what it proves: `target` is a word such as `win`.
    fn read(position: &str, target: &str) -> Result<Self, String>;

    /// The position as text, on one line.
    fn position_text(&self) -> String;

    /// What is proved, seen from the position that a proof begins with.
    fn target_text(&self) -> String;

    /// What repetition counts a position of the past by, given its text.
    fn past_key(text: &str) -> Result<Key, String>;

    /// The steps of a turn of that side, with the pass that ends it, if one does.
    fn read_turn(text: &str, side: Side) -> Result<Vec<Self::Step>, String>;

    /// A turn that begins here as text. It need not be legal.
    fn turn_text(&self, turn: &[Self::Step]) -> String;

    /// The same without what holds on this board only.
    fn finisher_text(&self, turn: &[Self::Step]) -> String;
}

/// The position that a path leads to, and the words that say how: nothing for no turn.
pub(crate) fn followed<P: Notation>(root: &P, path: &[Vec<P::Step>]) -> (P, String) {
    let mut position = root.clone();
    let mut turns = Vec::new();
    for turn in path {
        turns.push(position.turn_text(turn));
        turn.iter().for_each(|&step| position.play(step));
    }
    let words = match turns.is_empty() {
        true => String::new(),
        false => format!("after {}: ", turns.join(" / ")),
    };
    (position, words)
}
