use game::Key;
use thiserror::Error;

use crate::side::{self, GOLD, SILVER, Side};
use crate::step::{Form, Step};
use crate::{Bitboard, Kind, Piece, Square, Turn, keys};

/// Where the pieces stand; no side to move, no past.
///
/// Four sets of squares hold it: the three binary digits of the piece's strength (a rabbit is 1, an
/// elephant 6, an empty square 0) and whether it is gold. So the strengths of all pieces are
/// compared with those of all their neighbours in a few operations (see [`crate::Mobility`]).
///
/// ```
/// # use arimaa::{Board, Square};
/// let board: Board = "
///      +-----------------+
///     8| r r r r . r r r |
///     7| h d c m e c d h |
///     6| . . x . . x . . |
///     5| . . . . . . . . |
///     4| . . . . E . . . |
///     3| . . x . . x . . |
///     2| H D C M . C D H |
///     1| R R R R R R R R |
///      +-----------------+
///        a b c d e f g h
/// ".parse().unwrap();
/// assert_eq!(board.piece_at(Square::E4).unwrap().to_string(), "gold elephant");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
#[repr(align(32))]
pub struct Board {
    /// The digits of strength, lowest first, then the gold pieces.
    pub(crate) planes: [u64; 4],
}

const _: () = assert!(size_of::<Board>() == 32);

/// Whoever wants to know how a board changes while a step is played: a key, an evaluation.
pub trait Observer {
    /// A piece was put on a square.
    fn put(&mut self, piece: Piece, square: Square);
    /// A piece was taken from a square.
    fn take(&mut self, piece: Piece, square: Square);
}

/// Nobody looks.
impl Observer for () {
    #[inline]
    fn put(&mut self, _: Piece, _: Square) {}
    #[inline]
    fn take(&mut self, _: Piece, _: Square) {}
}

/// Both look.
impl<A: Observer, B: Observer> Observer for (&mut A, &mut B) {
    #[inline]
    fn put(&mut self, piece: Piece, square: Square) {
        self.0.put(piece, square);
        self.1.put(piece, square);
    }

    #[inline]
    fn take(&mut self, piece: Piece, square: Square) {
        self.0.take(piece, square);
        self.1.take(piece, square);
    }
}

/// A key follows the board that it is the key of.
impl Observer for Key {
    #[inline]
    fn put(&mut self, piece: Piece, square: Square) {
        *self ^= keys::piece(piece, square);
    }

    #[inline]
    fn take(&mut self, piece: Piece, square: Square) {
        *self ^= keys::piece(piece, square);
    }
}

impl Board {
    /// No piece at all.
    pub const EMPTY: Board = Board { planes: [0; 4] };

    /// The piece on a square.
    #[inline]
    pub fn piece_at(&self, square: Square) -> Option<Piece> {
        let side = if self.planes[3] >> square.index() & 1 != 0 { GOLD } else { SILVER };
        let kind = Kind::from_bits(self.strength_at(square))?;
        Some(Piece { side, kind })
    }

    /// The strength of the piece on a square, 0 where there is none.
    #[inline]
    pub(crate) fn strength_at(&self, square: Square) -> u8 {
        let digit = |plane: usize| (self.planes[plane] >> square.index()) as u8 & 1;
        digit(0) | digit(1) << 1 | digit(2) << 2
    }

    /// Puts a piece on a square, in place of what stood there.
    #[inline]
    pub fn put(&mut self, piece: Piece, square: Square) {
        self.take(square);
        let code = piece.kind as u64 | if piece.side == GOLD { 8 } else { 0 };
        for (digit, plane) in self.planes.iter_mut().enumerate() {
            *plane |= (code >> digit & 1) << square.index();
        }
    }

    /// Takes what stands on a square.
    #[inline]
    pub fn take(&mut self, square: Square) -> Option<Piece> {
        let piece = self.piece_at(square);
        self.clear(square.bit());
        piece
    }

    #[inline]
    pub(crate) fn clear(&mut self, squares: Bitboard) {
        for plane in &mut self.planes {
            *plane &= !squares.0;
        }
    }

    /// The board as the other side sees it: row 1 becomes row 8, and each piece changes its side.
    #[inline]
    pub fn mirrored(&self) -> Board {
        let [one, two, four, gold] = self.planes;
        Board { planes: [one, two, four, (one | two | four) & !gold].map(u64::swap_bytes) }
    }

    /// The squares with a piece on them.
    #[inline]
    pub fn occupied(&self) -> Bitboard {
        Bitboard(self.planes[0] | self.planes[1] | self.planes[2])
    }

    /// The squares with a piece of that side.
    #[inline]
    pub fn of(&self, side: Side) -> Bitboard {
        match side {
            GOLD => Bitboard(self.planes[3]),
            SILVER => Bitboard(self.occupied().0 & !self.planes[3]),
        }
    }

    /// The squares with a piece of that kind, of either side.
    #[inline]
    pub fn kind(&self, kind: Kind) -> Bitboard {
        let digit = |plane: usize| match kind as usize >> plane & 1 {
            0 => !self.planes[plane],
            _ => self.planes[plane],
        };
        Bitboard(digit(0) & digit(1) & digit(2))
    }

    /// The squares with that piece.
    #[inline]
    pub fn piece(&self, piece: Piece) -> Bitboard {
        self.kind(piece.kind) & self.of(piece.side)
    }

    /// The squares with a rabbit of that side.
    #[inline]
    pub fn rabbits(&self, side: Side) -> Bitboard {
        self.kind(Kind::Rabbit) & self.of(side)
    }

    /// The squares with a piece above that kind, of either side.
    #[inline]
    pub fn above(&self, kind: Kind) -> Bitboard {
        let [one, two, four] = self.digits();
        Bitboard(match kind {
            Kind::Rabbit => two | four,
            Kind::Cat => one & two | four,
            Kind::Dog => four,
            Kind::Horse => (one | two) & four,
            Kind::Camel => two & four,
            Kind::Elephant => 0,
        })
    }

    /// The squares with a piece, of either side, that is stronger than what stands on the given one.
    #[inline]
    pub fn stronger_than(&self, square: Square) -> Bitboard {
        // Each digit of the strength there, for all squares: the highest one that differs decides.
        let there = self.digits().map(|digit| (digit >> square.index() & 1).wrapping_neg());
        let ([one, two, four], [low, middle, high]) = (self.digits(), there);
        let above_low = one & !low;
        let above_middle = two & !middle | !(two ^ middle) & above_low;
        Bitboard(four & !high | !(four ^ high) & above_middle)
    }

    /// The four sets that hold the board: the digits of strength, lowest first, then the gold pieces.
    #[inline]
    pub fn planes(&self) -> [u64; 4] {
        self.planes
    }

    /// The digits of strength, lowest first.
    #[inline]
    pub(crate) fn digits(&self) -> [u64; 3] {
        [self.planes[0], self.planes[1], self.planes[2]]
    }

    /// The pieces on the board with their squares, a1 first.
    #[inline]
    pub fn pieces(&self) -> impl Iterator<Item = (Square, Piece)> + '_ {
        self.occupied().into_iter().filter_map(|square| Some((square, self.piece_at(square)?)))
    }

    /// The pieces that stand on a trap with no friend beside them.
    #[inline]
    pub fn unsupported(&self) -> Bitboard {
        self.unsupported_of(GOLD) | self.unsupported_of(SILVER)
    }

    /// The pieces of one side that stand on a trap with no friend beside them.
    #[inline(always)]
    pub(crate) fn unsupported_of(&self, side: Side) -> Bitboard {
        let own = self.of(side);
        let trapped = own & Bitboard::TRAPS;
        if trapped.is_empty() { trapped } else { trapped & !own.neighbours() }
    }

    /// Plays a step that is known to be legal, and removes what it leaves unsupported on a trap.
    ///
    /// A push and a pull are one step. Both of its halves are done before the traps are looked at,
    /// which comes to the same: a piece is held by its friends alone, and each half moves another
    /// side's piece.
    #[inline]
    pub fn play(&mut self, step: Step, observer: &mut impl Observer) {
        let (from, to, victim) = (step.from(), step.to(), step.victim());
        match step.form() {
            Form::Pass => return,
            Form::Single => self.shift_seen(from, to, observer),
            Form::Push => {
                self.shift_seen(victim, to, observer);
                self.shift_seen(from, victim, observer);
            }
            Form::Pull => {
                self.shift_seen(from, to, observer);
                self.shift_seen(victim, from, observer);
            }
        }
        for square in self.unsupported() {
            if let Some(piece) = self.take(square) {
                observer.take(piece, square);
            }
        }
    }

    /// The board after a step that is known to be legal, and no pass: what [`Board::play`] does, for
    /// searches that look at each board but once, where a processor cannot know which way to jump.
    #[inline(always)]
    pub fn after(&self, step: Step) -> Board {
        let (from, to, victim) = (step.from(), step.to(), step.victim());
        // What goes to the empty square, and what takes its place; a single step has but the first.
        let (first, second) = match step.form() {
            Form::Push => (victim, from),
            _ => (from, victim),
        };
        let mut board = *self;
        board.shift(first, to);
        board.follow(second, first);
        let gold = Bitboard(board.planes[3]);
        let silver = board.occupied() & !gold;
        let held = (gold & gold.neighbours()) | (silver & silver.neighbours());
        board.clear(Bitboard::TRAPS & !held);
        board
    }

    #[inline]
    fn shift_seen(&mut self, from: Square, to: Square, observer: &mut impl Observer) {
        if let Some(piece) = self.piece_at(from) {
            observer.take(piece, from);
            observer.put(piece, to);
        }
        self.shift(from, to);
    }

    /// Moves what stands on `from` to the empty square `to`, whatever happens on the traps.
    #[inline(always)]
    pub(crate) fn shift(&mut self, from: Square, to: Square) {
        debug_assert!(self.occupied().has(from) && !self.occupied().has(to));
        self.follow(from, to);
    }

    /// Moves what stands on `from`, if anything, to the empty square `to`.
    #[inline(always)]
    fn follow(&mut self, from: Square, to: Square) {
        let both = from.bit().0 | to.bit().0;
        for plane in &mut self.planes {
            let set = *plane >> from.index() & 1;
            *plane ^= both & set.wrapping_neg();
        }
    }

    /// The key that the board has after a step, given the one that it has before.
    #[inline]
    pub fn key_after(&self, step: Step, mut key: Key) -> Key {
        let touched = step.from().bit() | step.victim().bit() | step.to().bit();
        let held = self.occupied() & Bitboard::TRAPS;
        if touched.meets(Bitboard::TRAPS | held.neighbours()) {
            let mut board = *self;
            board.play(step, &mut key);
        } else {
            for (from, to) in step.moves() {
                if let Some(piece) = self.piece_at(from) {
                    key ^= keys::piece(piece, from) ^ keys::piece(piece, to);
                }
            }
        }
        key
    }

    /// The key of the board, computed from nothing. Games and searches keep it step by step.
    #[inline]
    pub fn key(&self) -> Key {
        self.pieces().fold(Key::ZERO, |key, (square, piece)| key ^ keys::piece(piece, square))
    }

    /// Whether a game can have come to this board, as far as a look at it tells.
    #[inline]
    pub fn validate(&self) -> Result<(), BoardError> {
        for side in Side::ALL {
            for kind in Kind::ALL {
                let piece = Piece { side, kind };
                let found = self.piece(piece).len();
                if found > kind.army() {
                    return Err(BoardError::TooMany { piece, found });
                }
            }
        }
        if let Some(square) = self.unsupported().first()
            && let Some(piece) = self.piece_at(square)
        {
            return Err(BoardError::Unsupported { piece, square });
        }
        Ok(())
    }

    /// The pieces of that side that are not frozen: with no stronger enemy beside them, or with a
    /// friend.
    #[inline]
    pub fn free(&self, side: Side) -> Bitboard {
        let own = self.of(side);
        own & (own.neighbours() | !self.weaker_beside(self.occupied() & !own))
    }

    /// The squares with a piece that has a stronger one of `attackers` beside it, of whatever side.
    #[inline]
    pub fn weaker_beside(&self, attackers: Bitboard) -> Bitboard {
        let mut weaker = Bitboard::EMPTY;
        let mut not_below = self.occupied();
        for kind in [Kind::Rabbit, Kind::Cat, Kind::Dog, Kind::Horse, Kind::Camel] {
            let above = self.above(kind);
            weaker |= not_below & !above & (above & attackers).neighbours();
            not_below = above;
        }
        weaker
    }

    /// Whether the two boards have the same pieces on these squares.
    #[inline]
    pub fn agrees_on(&self, other: &Board, squares: Bitboard) -> bool {
        !self.differences(other).meets(squares)
    }

    /// The squares on which the two boards do not have the same.
    #[inline]
    pub fn differences(&self, other: &Board) -> Bitboard {
        let planes = self.planes.iter().zip(&other.planes);
        Bitboard(planes.fold(0, |differences, (one, another)| differences | (one ^ another)))
    }

    /// Whether the side could do a step, and so has a legal turn, if it is to move. Repetition is
    /// not looked at.
    #[inline]
    pub fn can_move(&self, side: Side) -> bool {
        let free = self.free(side);
        let empty = !self.occupied();
        let rabbits = free & self.kind(Kind::Rabbit);
        let ahead = rabbits.neighbours_but(side::backward(side));
        if empty.meets(ahead | (free & !rabbits).neighbours()) {
            return true;
        }
        // Hemmed in, a piece can still push, where there is room behind its victim.
        let victims = self.weaker_beside(free) & !self.of(side);
        victims.meets(empty.neighbours())
    }

    /// Whether the side, if it is to move, may play this step, which is no pass.
    #[inline]
    pub fn allows(&self, side: Side, step: Step) -> bool {
        let Some((to, victim)) = step.checked_squares() else { return false };
        let (from, own) = (step.from(), self.of(side));
        let around = from.neighbours();
        let enemies = self.stronger_than(from) & !own;
        let is_free = own.meets(around) || !enemies.meets(around);
        let suits = match step.form() {
            Form::Single => {
                let goes_back = from.direction_to_neighbour(to) == side::backward(side);
                !(goes_back && self.kind(Kind::Rabbit).has(from))
            }
            _ => (self.occupied() & !own).has(victim) && self.stronger_than(victim).has(from),
        };
        own.has(from) && !self.occupied().has(to) && is_free && suits
    }

    /// The board after a turn of the side, if that is legal and changes it; repetition is not
    /// looked at.
    #[inline]
    pub fn try_play_turn(&self, side: Side, turn: Turn) -> Option<Board> {
        let mut board = *self;
        for step in turn.steps() {
            if !board.allows(side, step) {
                return None;
            }
            board = board.after(step);
        }
        (board != *self).then_some(board)
    }

    /// Whether a rabbit of that side stands on its goal row.
    #[inline]
    pub fn has_goal(&self, side: Side) -> bool {
        self.rabbits(side).meets(side::goal(side))
    }
}

/// Why a board cannot be one of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum BoardError {
    /// More of a piece than a side starts with.
    #[error(
        "there are {found} {piece}s ({letter}), at most {allowed} can be on the board: remove {extra}",
        letter = piece.letter(), allowed = piece.kind.army(), extra = found - piece.kind.army()
    )]
    TooMany {
        /// Which piece.
        piece: Piece,
        /// How many there are.
        found: usize,
    },
    /// A piece on a trap that would have been captured.
    #[error(
        "the {piece} on the trap {square} has no friend beside it and would be captured: \
         put one beside it or remove it"
    )]
    Unsupported {
        /// Which piece.
        piece: Piece,
        /// Which trap.
        square: Square,
    },
}
