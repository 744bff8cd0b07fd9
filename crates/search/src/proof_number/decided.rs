use game::{Proof, Side, Turns};

/// A position whose winner is proved.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Decided {
    pub(crate) winner: Side,
    /// How many turns of its own the winner needs by the proof that was found.
    pub(crate) turns: u16,
    /// Whether the proof leaves out a turn of the loser that was forbidden because of the turns since
    /// the root: with another way to this position, it would be none.
    pub(crate) by_path: bool,
}

impl Decided {
    /// By the rules or by what is seen at once, however the position came about.
    #[inline]
    pub(crate) fn on_sight(winner: Side, turns: u16) -> Decided {
        Decided { winner, turns, by_path: false }
    }

    /// Whether it is the better one to know: valid on more paths, then sooner.
    pub(crate) fn beats(&self, other: &Decided) -> bool {
        (self.by_path, self.turns) < (other.by_path, other.turns)
    }

    /// In 18 bits, never zero; whether it is valid on one path only is told by its key.
    #[inline]
    pub(crate) fn bits(&self) -> u64 {
        let second = u64::from(self.winner == Side::Second);
        1 << 17 | second << 16 | u64::from(self.turns)
    }

    /// What has these bits.
    #[inline]
    pub(crate) fn from_bits(bits: u64, by_path: bool) -> Option<Decided> {
        let winner = if bits >> 16 & 1 == 0 { Side::First } else { Side::Second };
        (bits >> 17 & ((1 << 31) - 1) == 1).then_some(Decided {
            winner,
            turns: bits as u16,
            by_path,
        })
    }

    /// In the eyes of the side to move.
    pub(crate) fn proof(&self, side: Side) -> Proof {
        let turns = Turns(self.turns);
        if self.winner == side { Proof::Win(turns) } else { Proof::Loss(turns) }
    }
}
