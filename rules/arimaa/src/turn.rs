use std::fmt;

use game::Steps;

use crate::{Bitboard, Step};

/// What a player does before the other moves: one to four steps.
///
/// A pass is not kept: a turn that uses fewer than four steps has given up the rest.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
#[repr(transparent)]
pub struct Turn {
    /// The bits of four steps, the first one lowest, zeros after the last.
    lanes: u64,
}

const LANE: u32 = 16;

impl Turn {
    /// No step at all: where a turn begins.
    pub const EMPTY: Turn = Turn { lanes: 0 };

    /// The turn with one more step.
    #[inline]
    pub fn then(self, step: Step) -> Turn {
        debug_assert!(self.lanes >> (3 * LANE) == 0, "a turn has at most four steps");
        self.extension()(step)
    }

    /// How many steps it consists of, a push or a pull counted once.
    #[inline]
    pub fn len(self) -> usize {
        (u64::BITS - self.lanes.leading_zeros()).div_ceil(LANE) as usize
    }

    /// Whether it has no step.
    #[inline]
    pub fn is_empty(self) -> bool {
        self.lanes == 0
    }

    /// Where the bits of the next step go.
    #[inline]
    pub(crate) fn shift(self) -> u32 {
        self.len() as u32 * LANE
    }

    /// Its 64 bits, for tables.
    #[inline]
    pub fn bits(self) -> u64 {
        self.lanes
    }

    /// The turn with those [`Turn::bits`].
    #[inline]
    pub fn from_bits(lanes: u64) -> Turn {
        Turn { lanes }
    }

    /// [`Turn::then`] for many steps after the same turn.
    #[inline]
    pub(crate) fn extension(self) -> impl Fn(Step) -> Turn {
        let shift = self.shift();
        move |step| Turn { lanes: self.lanes | (step.bits() as u64) << shift }
    }

    /// The same turn on the board as the other side sees it, [`crate::Board::mirrored`].
    #[inline]
    pub fn mirrored(self) -> Turn {
        Turn { lanes: Step::mirrored_lanes(self.lanes) }
    }

    /// How many of the four steps of a turn it uses.
    #[inline]
    pub fn cost(self) -> Steps {
        Steps(self.steps().map(|step| step.cost().0).sum())
    }

    /// With how many of the same steps another turn begins.
    #[inline]
    pub(crate) fn shared_with(self, other: Turn) -> usize {
        let shared = ((self.lanes ^ other.lanes).trailing_zeros() / LANE) as usize;
        shared.min(self.len()).min(other.len())
    }

    /// The squares that its steps begin and end on, and those of the pieces that they push or
    /// pull.
    #[inline]
    pub fn squares(self) -> Bitboard {
        (0..4).fold(Bitboard::EMPTY, |squares, lane| {
            squares | Step::squares_of_bits((self.lanes >> (lane * LANE)) as u16)
        })
    }

    /// Its steps in their order.
    pub fn steps(self) -> impl Iterator<Item = Step> {
        (0..4).map_while(move |lane| Step::from_bits((self.lanes >> (lane * LANE)) as u16))
    }
}

impl fmt::Debug for Turn {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.debug_list().entries(self.steps()).finish()
    }
}
