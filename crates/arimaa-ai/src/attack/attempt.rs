use arimaa::{Board, Mobility, Side, Turn};

/// A turn of the attacker, and how promising it is.
pub(super) struct Attempt {
    pub(super) turn: Turn,
    /// The board after it.
    pub(super) after: Board,
    /// How many replies it leaves, as far as one knows.
    pub(super) replies: usize,
    pub(super) doubt: Doubt,
    /// Whether only its first replies have been looked at.
    pub(super) is_open: bool,
}

/// What is known against an attempt.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Doubt {
    None,
    /// A defence that has held against another attempt meets this one as well.
    Presumed,
    /// A defence holds.
    Refuted,
}

impl Attempt {
    /// An attempt that nothing is known against.
    pub(super) fn new(turn: Turn, after: &Board, replies: usize) -> Attempt {
        Attempt { turn, after: *after, replies, doubt: Doubt::None, is_open: false }
    }
}

/// How many single steps a side has.
#[inline]
pub(super) fn freedom(board: &Board, side: Side) -> usize {
    Mobility::new(board, side).singles.iter().map(|movers| movers.len()).sum()
}

/// About how many distinct turns a side has with so many single steps: the median of some 14,000 boards
/// of sharp endgames is 1500 with 10 single steps, 4800 with 15 and 12,000 with 20 (2026-11).
#[inline]
pub(super) fn turns_with(freedom: usize) -> usize {
    freedom.saturating_pow(3).saturating_mul(3) / 2
}
