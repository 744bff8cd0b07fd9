use game::{BySide, Side};

/// How much is to be done before a position is proved to be won, for each of the sides.
///
/// What a thesis calls the proof number is the number of the side to move at the root, the disproof
/// number that of the other. Kept for each side, they need not be swapped when the turn changes, and
/// mean the same in every search that shares a table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Numbers(BySide<u32>);

/// It cannot be done: the other side has won.
pub(crate) const NEVER: u32 = (1 << 24) - 1;

/// The most that is counted. Two numbers and what tells them apart fit a word of the table; a search
/// that counts further than this goes on as if it were depth first, and still ends.
pub(crate) const MOST: u32 = NEVER - 1;

impl Numbers {
    /// Nothing is known: one position is to be proved for either side.
    pub(crate) const UNKNOWN: Numbers = Numbers(BySide { first: 1, second: 1 });

    /// Without bound, as a limit.
    pub(crate) const BOUNDLESS: Numbers = Numbers(BySide { first: NEVER, second: NEVER });

    /// So much until `side` has won, and so much until the other has.
    #[inline]
    pub(crate) fn new(side: Side, win: u32, loss: u32) -> Numbers {
        Numbers(match side {
            Side::First => BySide { first: win, second: loss },
            Side::Second => BySide { first: loss, second: win },
        })
    }

    /// The game is decided.
    #[inline]
    pub(crate) fn decided(winner: Side) -> Numbers {
        Numbers::new(winner, 0, NEVER)
    }

    /// What is to be done before `side` has won.
    #[inline]
    pub(crate) fn to_win(self, side: Side) -> u32 {
        self.0[side]
    }

    /// With so much more to be done before `side` has won.
    #[inline]
    pub(crate) fn harder(mut self, side: Side, more: u32) -> Numbers {
        self.0[side] = (self.0[side] + more).min(MOST);
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

    /// Whether one of the numbers has come to its limit.
    #[inline]
    pub(crate) fn reaches(self, limits: Numbers) -> bool {
        self.0.first >= limits.0.first || self.0.second >= limits.0.second
    }

    /// In 48 bits; of what is not decided, no part is zero.
    #[inline]
    pub(crate) fn bits(self) -> u64 {
        u64::from(self.0.first) | u64::from(self.0.second) << 24
    }

    /// What has these bits, unless it is decided or no numbers at all.
    #[inline]
    pub(crate) fn from_bits(bits: u64) -> Option<Numbers> {
        let (first, second) = (bits as u32 & NEVER, (bits >> 24) as u32 & NEVER);
        let fits = |number| (1..=MOST).contains(&number);
        (fits(first) && fits(second)).then_some(Numbers(BySide { first, second }))
    }
}
