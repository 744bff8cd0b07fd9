use arimaa::{Board, GOLD, Kind, Observer, Piece, Square};
use game::{BySide, Side};

use super::tables::{self, MOTIVATE, RABBITS};

/// What the pieces are worth by what they are and where they stand, kept while the board changes.
///
/// It is an [`Observer`]: what [`Board::play`] puts and takes is added and subtracted, so that the
/// tally equals [`Tally::of`] the board at any time.
///
/// ```
/// # use arimaa::{Board, Direction, GOLD, Square, Step};
/// # use zhong_2005::Tally;
/// let mut board: Board = "
///      +-----------------+
///     8| r . . . . . . . |
///     7| . . . . . . . . |
///     6| . . x . . x . . |
///     5| . . . . . . . . |
///     4| . . . . E . . . |
///     3| . . x . . x . . |
///     2| . . . R . . . . |
///     1| . . . . . . . . |
///      +-----------------+
///        a b c d e f g h
/// ".parse().unwrap();
/// let mut tally = Tally::of(&board);
/// assert_eq!(tally.material(GOLD), 1800 + 1200);
///
/// board.play(Step::single(Square::E4, Direction::North), &mut tally);
/// assert_eq!(tally, Tally::of(&board));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Tally(BySide<Sums>);

/// How a side's rabbits are to stand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mood {
    /// At home, as long as the enemy can guard.
    Normal,
    /// Ahead.
    Motivated,
}

/// What is summed over the pieces of a side. Sixteen bits hold it for any army of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Sums {
    rabbits: i16,
    /// The pieces above the rabbits: how many, what they are worth, and how well they stand.
    officers: i16,
    material: i16,
    placed: i16,
    /// How well the rabbits stand, by either table.
    normal: i16,
    motivated: i16,
}

/// What a piece of a kind on a square adds to the sums, as Gold sees the board; the weakest kind
/// first.
static SHARES: [[Sums; 64]; 6] = {
    let none = Sums { rabbits: 0, officers: 0, material: 0, placed: 0, normal: 0, motivated: 0 };
    let mut shares = [[none; 64]; 6];
    let mut index = 0;
    while index < 6 {
        let kind = Kind::ALL[index];
        let position = tables::position(kind);
        let mut square = 0;
        while square < 64 {
            shares[index][square] = match kind {
                Kind::Rabbit => Sums {
                    rabbits: 1,
                    normal: position[square],
                    motivated: MOTIVATE[square],
                    ..none
                },
                _ => Sums {
                    officers: 1,
                    material: tables::material(kind),
                    placed: position[square],
                    ..none
                },
            };
            square += 1;
        }
        index += 1;
    }
    shares
};

/// The square as the piece's side sees it.
#[inline]
pub(super) fn seen_by(side: Side, square: Square) -> usize {
    if side == GOLD { square.index() } else { square.mirrored().index() }
}

#[inline]
fn share(piece: Piece, square: Square) -> &'static Sums {
    &SHARES[piece.kind as usize - 1][seen_by(piece.side, square)]
}

impl Sums {
    #[inline]
    fn add(&mut self, share: &Sums, change: impl Fn(i16, i16) -> i16) {
        self.rabbits = change(self.rabbits, share.rabbits);
        self.officers = change(self.officers, share.officers);
        self.material = change(self.material, share.material);
        self.placed = change(self.placed, share.placed);
        self.normal = change(self.normal, share.normal);
        self.motivated = change(self.motivated, share.motivated);
    }
}

impl Observer for Tally {
    #[inline]
    fn put(&mut self, piece: Piece, square: Square) {
        self.0[piece.side].add(share(piece, square), i16::wrapping_add);
    }

    #[inline]
    fn take(&mut self, piece: Piece, square: Square) {
        self.0[piece.side].add(share(piece, square), i16::wrapping_sub);
    }
}

impl Tally {
    /// The tally of a board, computed from nothing.
    pub fn of(board: &Board) -> Tally {
        let mut tally = Tally::default();
        for side in Side::ALL {
            for kind in Kind::ALL {
                let piece = Piece { side, kind };
                for square in board.piece(piece) {
                    tally.put(piece, square);
                }
            }
        }
        tally
    }

    /// How many pieces above the rabbits the side has left, of eight.
    #[inline]
    pub fn officers(&self, side: Side) -> usize {
        self.0[side].officers as usize
    }

    /// What the side's pieces are worth, the rabbits by how many are left.
    #[inline]
    pub fn material(&self, side: Side) -> i32 {
        let Sums { rabbits, material, .. } = self.0[side];
        i32::from(material) + i32::from(RABBITS[(rabbits as usize).min(8)])
    }

    /// What the squares are worth on which the side's pieces stand.
    #[inline]
    pub fn positions(&self, side: Side, mood: Mood) -> i32 {
        let Sums { placed, normal, motivated, .. } = self.0[side];
        let rabbits = match mood {
            Mood::Normal => normal,
            Mood::Motivated => motivated,
        };
        i32::from(placed) + i32::from(rabbits)
    }

    /// What the loss of such a piece would take from its side.
    #[inline]
    pub fn worth(&self, piece: Piece) -> i32 {
        match (piece.kind, self.0[piece.side].rabbits) {
            (Kind::Rabbit, rabbits @ 1..=8) => {
                let rabbits = rabbits as usize;
                i32::from(RABBITS[rabbits] - RABBITS[rabbits - 1])
            }
            (Kind::Rabbit, _) => 0,
            (kind, _) => i32::from(tables::material(kind)),
        }
    }
}
