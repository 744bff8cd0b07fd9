//! The figures of Zhong 2005: Table 3.1 and the tables of its appendix.
//!
//! The copy at hand is a scan that was read by a machine. Its tables have no slip that shows: left and right
//! agree, as the thesis says they must ([`drawn`] checks it), and so no figure was changed. What
//! looks odd is kept, because both halves of the board agree on it or nothing better is known:
//!
//! - The text gives all pieces a negative value on the traps; the camel's table and the horse's on
//!   c3 and f3 do not.
//! - The text likes rabbits on the side columns better; the normal table does not on a6 and h6.
//! - A cat in a pin weighs less than a rabbit, a camel nothing.

use arimaa::Kind;

/// A value for each square of the board as Gold sees it, a1 first.
pub(super) type Squares = [i16; 64];

/// The table that the rows draw, row 8 first.
///
/// # Panics
///
/// If the left half is not the mirror image of the right one.
const fn drawn(rows: [[i16; 8]; 8]) -> Squares {
    let mut table = [0; 64];
    let mut index = 0;
    while index < 64 {
        let (row, column) = (7 - index / 8, index % 8);
        assert!(rows[row][column] == rows[row][7 - column], "left and right must agree");
        table[index] = rows[row][column];
        index += 1;
    }
    table
}

/// Printed as infinite: a rabbit on its goal row. It has won, which is a proof and no number.
const WON: i16 = 0;

/// What a piece other than a rabbit is worth.
pub(super) const fn material(kind: Kind) -> i16 {
    match kind {
        // By how many there are: see `RABBITS`.
        Kind::Rabbit => 0,
        Kind::Cat => 250,
        Kind::Dog => 300,
        Kind::Horse => 600,
        Kind::Camel => 1100,
        Kind::Elephant => 1800,
    }
}

/// What so many rabbits are worth together: the first to be lost counts 100, the last 1200.
pub(super) const RABBITS: [i16; 9] = {
    let lost = [100, 150, 200, 250, 300, 400, 500, 1200];
    let mut left = [0; 9];
    let mut rabbits = 0;
    while rabbits < 8 {
        left[rabbits + 1] = left[rabbits] + lost[7 - rabbits];
        rabbits += 1;
    }
    left
};

/// What a square is worth to a piece; to a rabbit, as long as the enemy can guard.
pub(super) const fn position(kind: Kind) -> Squares {
    match kind {
        Kind::Elephant => drawn([
            [0, 1, 1, 2, 2, 1, 1, 0],
            [1, 2, 2, 3, 3, 2, 2, 1],
            [2, 4, -4, 10, 10, -4, 4, 2],
            [3, 8, 12, 12, 12, 12, 8, 3],
            [3, 8, 10, 10, 10, 10, 8, 3],
            [2, 4, -4, 10, 10, -4, 4, 2],
            [1, 2, 2, 3, 3, 2, 2, 1],
            [0, 1, 1, 2, 2, 1, 1, 0],
        ]),
        Kind::Camel => drawn([
            [-2, -1, 0, 1, 1, 0, -1, -2],
            [-1, 0, 1, 2, 2, 1, 0, -1],
            [0, 1, 2, 3, 3, 2, 1, 0],
            [1, 2, 3, 4, 4, 3, 2, 1],
            [2, 3, 4, 5, 5, 4, 3, 2],
            [1, 2, 3, 4, 4, 3, 2, 1],
            [0, 1, 2, 3, 3, 2, 1, 0],
            [-1, 0, 1, 2, 2, 1, 0, -1],
        ]),
        Kind::Horse => drawn([
            [-2, -1, 0, 1, 1, 0, -1, -2],
            [-1, 0, 1, 2, 2, 1, 0, -1],
            [0, 1, -5, 3, 3, -5, 1, 0],
            [1, 2, 3, 4, 4, 3, 2, 1],
            [2, 3, 4, 5, 5, 4, 3, 2],
            [1, 4, 2, 3, 3, 2, 4, 1],
            [0, 1, 2, 3, 3, 2, 1, 0],
            [-1, 0, 1, 2, 2, 1, 0, -1],
        ]),
        Kind::Dog => drawn([
            [-4, -6, -6, -6, -6, -6, -6, -4],
            [-7, -8, -10, -9, -9, -10, -8, -7],
            [-9, -10, -12, -11, -11, -12, -10, -9],
            [-6, -8, -9, -9, -9, -9, -8, -6],
            [-3, -5, -6, -6, -6, -6, -5, -3],
            [-1, -1, -2, -3, -3, -2, -1, -1],
            [1, 2, 4, 2, 2, 4, 2, 1],
            [0, 1, 1, 1, 1, 1, 1, 0],
        ]),
        Kind::Cat => drawn([
            [-4, -6, -6, -6, -6, -6, -6, -4],
            [-7, -8, -10, -9, -9, -10, -8, -7],
            [-9, -10, -12, -11, -11, -12, -10, -9],
            [-6, -8, -9, -9, -9, -9, -8, -6],
            [-3, -5, -6, -6, -6, -6, -5, -3],
            [-1, -2, -2, -3, -3, -2, -2, -1],
            [1, 2, 4, 2, 2, 4, 2, 1],
            [0, 1, 1, 1, 1, 1, 1, 0],
        ]),
        Kind::Rabbit => drawn([
            [WON, WON, WON, WON, WON, WON, WON, WON],
            [-14, -16, -8, -16, -16, -8, -16, -14],
            [-16, -10, -16, -10, -10, -16, -10, -16],
            [-8, -12, -12, -12, -12, -12, -12, -8],
            [-5, -8, -8, -8, -8, -8, -8, -5],
            [-3, -5, -6, -6, -6, -6, -5, -3],
            [-1, -2, -1, -4, -4, -1, -2, -1],
            [0, 0, 0, 0, 0, 0, 0, 0],
        ]),
    }
}

/// What a square is worth to a rabbit when the enemy is too weak to guard.
pub(super) const MOTIVATE: Squares = drawn([
    [WON, WON, WON, WON, WON, WON, WON, WON],
    [25, 25, 25, 25, 25, 25, 25, 25],
    [20, 20, 20, 20, 20, 20, 20, 20],
    [16, 15, 14, 14, 14, 14, 15, 16],
    [8, 7, 6, 6, 6, 6, 7, 8],
    [4, 3, 2, 2, 2, 2, 3, 4],
    [2, 1, 1, 1, 1, 1, 1, 2],
    [0, 0, 0, 0, 0, 0, 0, 0],
]);

/// What it is worth to be frozen on a square; nothing on a trap, where a piece without a friend
/// does not stay.
pub(super) const fn frozen(kind: Kind) -> Squares {
    match kind {
        Kind::Elephant => [0; 64],
        Kind::Camel | Kind::Horse => drawn([
            [-20, -24, -28, -26, -26, -28, -24, -20],
            [-24, -30, -20, -32, -32, -20, -30, -24],
            [-26, -20, 0, -20, -20, 0, -20, -26],
            [-16, -12, -15, -10, -10, -15, -12, -16],
            [-10, -7, -7, -7, -7, -7, -7, -10],
            [-6, -2, 0, -2, -2, 0, -2, -6],
            [-2, -2, -2, -2, -2, -2, -2, -2],
            [-2, -2, -2, -2, -2, -2, -2, -2],
        ]),
        Kind::Dog => drawn([
            [-2, -2, -3, -2, -2, -3, -2, -2],
            [-3, -10, -5, -8, -8, -5, -10, -3],
            [-10, -5, 0, -3, -3, 0, -5, -10],
            [-3, -3, -3, -3, -3, -3, -3, -3],
            [-1, -1, -1, -1, -1, -1, -1, -1],
            [-1, -1, 0, -1, -1, 0, -1, -1],
            [-1, -1, -1, -1, -1, -1, -1, -1],
            [-1, -1, -1, -1, -1, -1, -1, -1],
        ]),
        Kind::Cat => drawn([
            [-1, -1, -2, -1, -1, -2, -1, -1],
            [-2, -9, -5, -7, -7, -5, -9, -2],
            [-9, -5, 0, -2, -2, 0, -5, -9],
            [-2, -2, -2, -2, -2, -2, -2, -2],
            [-1, -1, -1, -1, -1, -1, -1, -1],
            [-1, -1, 0, -1, -1, 0, -1, -1],
            [-1, -1, -1, -1, -1, -1, -1, -1],
            [-1, -1, -1, -1, -1, -1, -1, -1],
        ]),
        Kind::Rabbit => drawn([
            [0, 0, 0, 0, 0, 0, 0, 0],
            [-1, -1, -1, -1, -1, -1, -1, -1],
            [-1, -1, 0, -1, -1, 0, -1, -1],
            [-1, -1, -1, -1, -1, -1, -1, -1],
            [0, 0, 0, 0, 0, 0, 0, 0],
            [0, 0, 0, 0, 0, 0, 0, 0],
            [0, 0, 0, 0, 0, 0, 0, 0],
            [0, 0, 0, 0, 0, 0, 0, 0],
        ]),
    }
}

/// [`frozen`] for all kinds, the weakest first.
pub(super) static FROZEN: [Squares; 6] = {
    let mut tables = [[0; 64]; 6];
    let mut kind = 0;
    while kind < 6 {
        tables[kind] = frozen(Kind::ALL[kind]);
        kind += 1;
    }
    tables
};

/// A value for each kind that an elephant can threaten.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ranked {
    /// For a camel.
    pub camel: i32,
    /// For a horse.
    pub horse: i32,
    /// For a dog.
    pub dog: i32,
    /// For a cat.
    pub cat: i32,
    /// For a rabbit.
    pub rabbit: i32,
}

impl Ranked {
    /// The value for a kind; nothing threatens an elephant.
    #[inline]
    pub const fn of(&self, kind: Kind) -> i32 {
        match kind {
            Kind::Elephant => 0,
            Kind::Camel => self.camel,
            Kind::Horse => self.horse,
            Kind::Dog => self.dog,
            Kind::Cat => self.cat,
            Kind::Rabbit => self.rabbit,
        }
    }
}

/// By the level of the blockade.
pub(super) const BLOCKADE: [i32; 6] = [0, 5, 10, 30, 50, 80];
pub(super) const FORK: Ranked = Ranked { camel: 50, horse: 40, dog: 30, cat: 25, rabbit: 15 };
pub(super) const PIN: Ranked = Ranked { camel: 0, horse: 25, dog: 20, cat: 10, rabbit: 15 };
pub(super) const HOSTAGE: Ranked = Ranked { camel: 80, horse: 0, dog: 30, cat: 20, rabbit: 10 };
