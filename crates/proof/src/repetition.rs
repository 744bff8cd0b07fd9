use game::{History, Key};

/// What a proof makes of the rule that a turn may not bring about a position for the third time.
///
/// The winner keeps to it in every proof. They differ in whether it may forbid the loser anything.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Repetition {
    /// The loser may repeat as it likes: there is an answer to every turn, so that the proof holds
    /// whatever was played on the way to a position, and equal positions are looked at once.
    #[default]
    Independent,
    /// Turns of the loser that repeat for the third time need no answer. Then it matters how a
    /// position was reached, and every way is looked at by itself.
    Relied,
}

impl Repetition {
    /// Of a proof that relies on it, or does not.
    pub fn relied_on(is_relied_on: bool) -> Repetition {
        if is_relied_on { Repetition::Relied } else { Repetition::Independent }
    }
}

/// Third time's the rule: a position may come about twice.
pub(crate) const MOST: u32 = 2;

/// The past with the position that play goes on from, which has come about once at least.
pub(crate) fn with_root(past: &History, root: Key) -> History {
    let mut past = past.clone();
    if past.count(root) == 0 {
        past.push(root);
    }
    past
}
