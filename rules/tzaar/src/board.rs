use std::fmt;

use game::Key;
use thiserror::Error;

use crate::keys::{self, MOST_HEIGHT};
use crate::lines::nearest;
use crate::side::{self, Side};
use crate::{Field, Fields, Kind, Stack};

/// Where the stacks stand, and what follows from it: who can capture whom is kept up with every change.
///
/// A stack of the other side can be captured if it is the next one on a line and not higher. So a
/// change concerns the stacks that see it and no others.
#[derive(Clone, Copy)]
pub struct Board {
    /// By the bit of the field: how high, White above zero and Black below.
    heights: [i8; 64],
    /// By the bit of the field: how many enemies can capture the stack there.
    attackers: [u8; 64],
    kinds: [[Fields; 3]; 2],
    capturable: Fields,
    high: Fields,
    tallest: [[u8; 3]; 2],
    key: Key,
}

/// Why stacks cannot be a board.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum BoardError {
    /// More stacks of a type than there are pieces.
    #[error("{} has {count} {} in sight, expected at most {}", side::name(*side), kind.name(), kind.initial())]
    TooMany {
        /// Whose.
        side: Side,
        /// Of which type.
        kind: Kind,
        /// How many.
        count: usize,
    },
    /// More pieces in all stacks than there are.
    #[error("the stacks of {} have {count} pieces, expected at most {MOST_HEIGHT}", side::name(*side))]
    TooHigh {
        /// Whose.
        side: Side,
        /// How many.
        count: usize,
    },
}

impl Board {
    /// Without any stack.
    pub const EMPTY: Board = Board {
        heights: [0; 64],
        attackers: [0; 64],
        kinds: [[Fields::EMPTY; 3]; 2],
        capturable: Fields::EMPTY,
        high: Fields::EMPTY,
        tallest: [[0; 3]; 2],
        key: Key::ZERO,
    };

    /// The board with these stacks; of two on a field, the later one counts.
    pub fn new(stacks: impl IntoIterator<Item = (Field, Stack)>) -> Result<Board, BoardError> {
        let mut by_field = [None; 64];
        stacks.into_iter().for_each(|(field, stack)| by_field[field.bit()] = Some(stack));
        for side in Side::ALL {
            let own = || by_field.iter().flatten().filter(|stack| stack.side == side);
            let count = own().map(|stack| usize::from(stack.height)).sum();
            if count > MOST_HEIGHT {
                return Err(BoardError::TooHigh { side, count });
            }
            for kind in Kind::ALL {
                let count = own().filter(|stack| stack.kind == kind).count();
                if count > usize::from(kind.initial()) {
                    return Err(BoardError::TooMany { side, kind, count });
                }
            }
        }
        let mut board = Board::EMPTY;
        for field in Field::all() {
            if let Some(stack) = by_field[field.bit()].filter(|stack| stack.height > 0) {
                board.put(field, stack);
            }
        }
        Ok(board)
    }

    /// The stack on a field.
    pub fn stack_at(&self, field: Field) -> Option<Stack> {
        let height = self.heights[field.bit()];
        let side = match height {
            0 => return None,
            1.. => Side::First,
            _ => Side::Second,
        };
        Some(Stack { side, kind: self.kind_at(side, field), height: height.unsigned_abs() })
    }

    /// The type of a stack that is known to be there.
    #[inline]
    pub fn kind_at(&self, side: Side, field: Field) -> Kind {
        let [totts, tzarras, _] = &self.kinds[side as usize];
        match () {
            _ if totts.has(field) => Kind::Tott,
            _ if tzarras.has(field) => Kind::Tzarra,
            _ => Kind::Tzaar,
        }
    }

    /// How high the stack on a field is; 0 if there is none.
    #[inline]
    pub fn height(&self, field: Field) -> u8 {
        self.heights[field.bit()].unsigned_abs()
    }

    /// The stacks of a side.
    #[inline]
    pub fn of(&self, side: Side) -> Fields {
        let [totts, tzarras, tzaars] = self.kinds[side as usize];
        totts | tzarras | tzaars
    }

    /// The stacks of a side that show a type.
    #[inline]
    pub fn of_kind(&self, side: Side, kind: Kind) -> Fields {
        self.kinds[side as usize][kind as usize]
    }

    /// All stacks.
    #[inline]
    pub fn occupied(&self) -> Fields {
        self.of(Side::First) | self.of(Side::Second)
    }

    /// How many stacks there are.
    pub fn stacks(&self) -> usize {
        self.occupied().len()
    }

    /// How many stacks of a side show a type.
    #[inline]
    pub fn count(&self, side: Side, kind: Kind) -> usize {
        self.of_kind(side, kind).len()
    }

    /// The height of the highest stack of a type; 0 if there is none.
    #[inline]
    pub fn tallest(&self, side: Side, kind: Kind) -> u8 {
        self.tallest[side as usize][kind as usize]
    }

    /// The stacks of either side that have more than one piece.
    #[inline]
    pub fn high(&self) -> Fields {
        self.high
    }

    /// The stacks of either side that a stack of the other can capture with one move.
    #[inline]
    pub fn capturable(&self) -> Fields {
        self.capturable
    }

    /// How many enemies can capture the stack on a field with one move.
    #[inline]
    pub fn attackers(&self, field: Field) -> u8 {
        self.attackers[field.bit()]
    }

    /// The zone of control of the other side (Veselý 2013, 3.1): how many stacks of this side and type can be
    /// captured.
    #[inline]
    pub fn zone(&self, side: Side, kind: Kind) -> usize {
        (self.capturable & self.of_kind(side, kind)).len()
    }

    /// What the board is known by.
    #[inline]
    pub fn key(&self) -> Key {
        self.key
    }

    /// Whether the side shows each type.
    #[inline]
    pub fn is_complete(&self, side: Side) -> bool {
        self.kinds[side as usize].iter().all(|fields| !fields.is_empty())
    }

    /// Calls `visit` with the fields of the nearest stacks along the lines from a field.
    #[inline]
    pub fn for_each_nearest(&self, field: Field, mut visit: impl FnMut(Field)) {
        for bit in nearest(field.bit(), self.occupied()) {
            if self.heights[usize::from(bit & 63)] != 0 {
                visit(Field::from_bit(u32::from(bit)));
            }
        }
    }

    /// Puts a stack on an empty field.
    pub(crate) fn put(&mut self, field: Field, stack: Stack) {
        let around = nearest(field.bit(), self.occupied());
        self.link_opposites(&around, LEAVES);
        self.set(field, stack);
        self.link_all(field, &around, COMES);
    }

    /// Moves a stack along a line on top of another: one of the enemy leaves the board, one of its own side is
    /// covered.
    #[inline]
    pub(crate) fn go(&mut self, side: Side, from: Field, to: Field) {
        let kind = self.kind_at(side, from);
        let occupied = self.occupied();
        let around = nearest(from.bit(), occupied);
        self.link_all(from, &around, LEAVES);
        let moved = self.heights[from.bit()];
        self.unset(side, kind, from);
        self.link_opposites(&around, COMES);

        let around = nearest(to.bit(), occupied ^ from.set());
        self.link_all(to, &around, LEAVES);
        let covered = self.heights[to.bit()];
        let is_own = (covered > 0) == (moved > 0);
        let owner = if is_own { side } else { !side };
        self.unset(owner, self.kind_at(owner, to), to);
        let height = if is_own { (moved + covered).unsigned_abs() } else { moved.unsigned_abs() };
        self.set(to, Stack { side, kind, height });
        self.link_all(to, &around, COMES);
    }

    #[inline]
    fn set(&mut self, field: Field, stack: Stack) {
        let Stack { side, kind, height } = stack;
        self.kinds[side as usize][kind as usize] |= field.set();
        if height > 1 {
            self.high |= field.set();
        }
        self.heights[field.bit()] = match side {
            Side::First => height as i8,
            Side::Second => -(height as i8),
        };
        let tallest = &mut self.tallest[side as usize][kind as usize];
        *tallest = (*tallest).max(height);
        self.key ^= keys::stack(side, kind, height, field.bit());
    }

    fn unset(&mut self, side: Side, kind: Kind, field: Field) {
        let height = self.height(field);
        self.kinds[side as usize][kind as usize] ^= field.set();
        self.high &= !field.set();
        self.heights[field.bit()] = 0;
        self.key ^= keys::stack(side, kind, height, field.bit());
        if height == self.tallest(side, kind) {
            let left = self.of_kind(side, kind).map(|other| self.height(other));
            self.tallest[side as usize][kind as usize] = left.max().unwrap_or(0);
        }
    }

    /// The stacks on opposite sides of a field begin or cease to see each other.
    #[inline]
    fn link_opposites(&mut self, around: &[u8; 6], change: u8) {
        for (&one, &other) in around[..3].iter().zip(&around[3..]) {
            self.link(usize::from(one), usize::from(other), change);
        }
    }

    /// A stack and those that it sees.
    #[inline]
    fn link_all(&mut self, field: Field, around: &[u8; 6], change: u8) {
        for &other in around {
            self.link(field.bit(), usize::from(other), change);
        }
    }

    /// Two stacks that see each other: who can capture the other. Where there is no stack, the height is 0
    /// and nothing follows.
    #[inline]
    fn link(&mut self, one: usize, other: usize, change: u8) {
        let (mine, yours) =
            (i32::from(self.heights[one & 63]), i32::from(self.heights[other & 63]));
        if mine * yours >= 0 {
            return;
        }
        let (mine, yours) = (mine.abs(), yours.abs());
        if mine >= yours {
            self.attack(other, change);
        }
        if yours >= mine {
            self.attack(one, change);
        }
    }

    #[inline]
    fn attack(&mut self, bit: usize, change: u8) {
        let attackers = &mut self.attackers[bit & 63];
        *attackers = attackers.wrapping_add(change);
        let is_attacked = u64::from(*attackers != 0);
        self.capturable.0 = self.capturable.0 & !(1 << (bit & 63)) | is_attacked << (bit & 63);
    }
}

/// One attacker more, and one less.
const COMES: u8 = 1;
const LEAVES: u8 = u8::MAX;

impl PartialEq for Board {
    /// All else follows from where the stacks stand.
    fn eq(&self, other: &Board) -> bool {
        self.heights == other.heights && self.kinds == other.kinds
    }
}

impl Eq for Board {}

impl fmt::Debug for Board {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let stacks = Field::all().filter_map(|field| Some((field, self.stack_at(field)?)));
        f.debug_map().entries(stacks).finish()
    }
}
