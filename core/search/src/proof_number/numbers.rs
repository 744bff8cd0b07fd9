//! Proof numbers (Allis 1994), and positions whose winner is proved.

use game::{BySide, Proof, Side, Turns};

use super::tables::Packed48;

/// For each side, at least how many positions are still to be proved before it is proved to win.
///
/// The literature calls the number of the side to move at the root the proof number, and that of the
/// other side the disproof number. Kept for each side, they need not be swapped when the side to move
/// changes, and mean the same in every search that shares a table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct ProofNumbers(BySide<u32>);

/// The side cannot win: the other side has won.
pub(crate) const INFINITE: u32 = (1 << 24) - 1;

/// The greatest number that is counted, so that two numbers fit 48 bits of an entry. A search that comes
/// to it goes on as if it were depth first, and still ends.
pub(crate) const MAX_FINITE: u32 = INFINITE - 1;

const _: () = assert!(INFINITE < 1 << 24, "two numbers fit 48 bits");

impl ProofNumbers {
    /// Nothing is known: one position is to be proved for either side.
    pub(crate) const UNKNOWN: ProofNumbers = ProofNumbers(BySide { first: 1, second: 1 });

    /// Thresholds that are never reached.
    pub(crate) const NO_THRESHOLD: ProofNumbers =
        ProofNumbers(BySide { first: INFINITE, second: INFINITE });

    /// The numbers of `side` and of the other side.
    #[inline]
    pub(crate) fn new(side: Side, win: u32, loss: u32) -> ProofNumbers {
        ProofNumbers(match side {
            Side::First => BySide { first: win, second: loss },
            Side::Second => BySide { first: loss, second: win },
        })
    }

    /// The numbers of a decided position.
    #[inline]
    pub(crate) fn decided(winner: Side) -> ProofNumbers {
        ProofNumbers::new(winner, 0, INFINITE)
    }

    /// The number of `side`.
    #[inline]
    pub(crate) fn to_win(self, side: Side) -> u32 {
        self.0[side]
    }

    /// With so much more for `side`.
    #[inline]
    pub(crate) fn plus(mut self, side: Side, more: u32) -> ProofNumbers {
        self.0[side] = (self.0[side] + more).min(MAX_FINITE);
        self
    }

    /// Who has won, if that is proved.
    #[inline]
    pub(crate) fn winner(self) -> Option<Side> {
        match self.0 {
            BySide { first: 0, .. } => Some(Side::First),
            BySide { second: 0, .. } => Some(Side::Second),
            _ => None,
        }
    }

    /// Whether one of the numbers has come to its threshold.
    #[inline]
    pub(crate) fn reaches(self, thresholds: ProofNumbers) -> bool {
        self.0.first >= thresholds.0.first || self.0.second >= thresholds.0.second
    }
}

/// Of numbers that are read back, neither is zero or infinite: the table keeps no decided positions.
impl Packed48 for ProofNumbers {
    #[inline]
    fn bits(&self) -> u64 {
        u64::from(self.0.first) | u64::from(self.0.second) << 24
    }

    #[inline]
    fn from_bits(bits: u64) -> Option<ProofNumbers> {
        let (first, second) = (bits as u32 & INFINITE, (bits >> 24) as u32 & INFINITE);
        let fits = |number| (1..=MAX_FINITE).contains(&number);
        (fits(first) && fits(second)).then_some(ProofNumbers(BySide { first, second }))
    }
}

/// A position whose winner is proved.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Decided {
    pub(crate) winner: Side,
    /// How many turns of its own the winner needs by the proof that was found.
    pub(crate) turns: u16,
    /// Whether the proof leaves out a turn of the loser that the path since the root forbids. On another
    /// path to this position it would be no proof.
    pub(crate) path_dependent: bool,
}

impl Decided {
    /// By the rules or by a static test, whatever the path.
    #[inline]
    pub(crate) fn statically(winner: Side, turns: u16) -> Decided {
        Decided { winner, turns, path_dependent: false }
    }

    /// Whether it is the better proof to know: one for more paths, then the shorter one.
    pub(crate) fn beats(&self, other: &Decided) -> bool {
        (self.path_dependent, self.turns) < (other.path_dependent, other.turns)
    }

    /// In the eyes of the side to move.
    pub(crate) fn proof(&self, side: Side) -> Proof {
        let turns = Turns(self.turns);
        if self.winner == side { Proof::Win(turns) } else { Proof::Loss(turns) }
    }
}

/// In 18 bits: the turns 0–15, the winner 16, and a one. Whether a proof is path-dependent is told by its
/// key, not by its bits.
impl Packed48 for Decided {
    #[inline]
    fn bits(&self) -> u64 {
        let second = u64::from(self.winner == Side::Second);
        1 << 17 | second << 16 | u64::from(self.turns)
    }

    #[inline]
    fn from_bits(bits: u64) -> Option<Decided> {
        let winner = if bits >> 16 & 1 == 0 { Side::First } else { Side::Second };
        (bits >> 17 & ((1 << 31) - 1) == 1).then(|| Decided::statically(winner, bits as u16))
    }
}
