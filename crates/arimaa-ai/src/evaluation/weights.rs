//! What the evaluation counts, in centi-rabbits or hundredths: made by a fit, not by hand
//! (`docs/evaluation.md`, 2026-11). Rows are counted from a side's own home row, columns from the edge.

/// How much of the material formula counts, in hundredths.
pub(super) const MATERIAL: i32 = 82;

/// Besides, each piece by its kind.
pub(super) const COUNT: [i32; 6] = [47, 21, 24, 34, 42, -18];

/// And the number of rabbits.
pub(super) const RABBITS_LEFT: [i32; 9] = [-1, -13, -14, 7, 7, 22, 5, 1, -14];

/// A piece by its kind and square.
pub(super) const PLACEMENT: [[[i16; 4]; 8]; 6] = [
    [
        [-31, -33, -30, -28],
        [-24, -27, 5, -20],
        [-15, 6, -33, 6],
        [-5, -3, 2, -11],
        [-9, 9, 12, 0],
        [-11, 97, 14, 16],
        [34, 30, 46, 25],
        [4, 7, 0, 10],
    ],
    [
        [-1, -12, -14, -5],
        [4, 12, 21, 6],
        [12, 8, 1, 11],
        [-2, 0, -5, 4],
        [1, 5, 9, -4],
        [-13, 15, 5, -24],
        [-5, -8, 5, -4],
        [-1, 0, 1, 0],
    ],
    [
        [-5, -2, -23, 5],
        [19, 7, 18, 0],
        [-2, 5, -7, 12],
        [7, -4, 0, 4],
        [-10, 7, -3, -5],
        [-11, 9, 5, 14],
        [1, -9, 27, -18],
        [0, -2, -1, -15],
    ],
    [
        [-3, -7, -9, -8],
        [-11, -14, 10, 1],
        [-6, 13, -11, -2],
        [3, 11, 14, 0],
        [-6, 5, 1, 12],
        [0, 35, -1, 11],
        [5, -5, 14, 8],
        [1, -23, 6, -10],
    ],
    [
        [0, -12, 7, -12],
        [-2, 2, 7, 14],
        [5, 26, 13, 15],
        [12, 15, 38, 8],
        [3, 6, 27, -2],
        [-29, 7, 3, -55],
        [-20, -17, 22, -39],
        [-4, -6, 5, 4],
    ],
    [
        [0, -4, -13, -18],
        [0, -17, -19, -21],
        [-20, -14, -3, -3],
        [-29, -2, 5, 15],
        [-12, -2, 22, 24],
        [-12, 5, 31, 37],
        [-7, 3, 22, 24],
        [-1, -4, -1, -6],
    ],
];

/// A piece above the rabbits by how many enemies are stronger (none, one, two, three or four, more) and its square.
pub(super) const RANK: [[[i16; 4]; 8]; 5] = [
    [
        [0, -4, -13, -18],
        [0, -17, -20, -21],
        [-20, -16, -3, -3],
        [-34, -3, 5, 9],
        [-12, -2, 22, 24],
        [-12, 3, 31, 37],
        [-7, 0, 19, 24],
        [-1, -4, -3, -6],
    ],
    [
        [0, -12, -15, -3],
        [8, 13, 22, 11],
        [3, 10, -5, 14],
        [0, 4, 1, 10],
        [-3, -5, 0, -14],
        [-21, 20, 0, -45],
        [-16, -19, 20, -25],
        [-1, -15, 6, -10],
    ],
    [
        [-9, -9, -12, -1],
        [2, 11, 18, 5],
        [8, 16, 4, 12],
        [18, 6, 11, 9],
        [-2, 7, 18, -4],
        [-9, 26, 8, -6],
        [1, 1, 40, -15],
        [-2, -11, 8, -6],
    ],
    [
        [-3, -10, 0, -7],
        [-2, 0, 10, 4],
        [1, 19, 0, 7],
        [4, 8, 19, 5],
        [-12, 8, 17, 12],
        [-14, 24, 5, 1],
        [-4, -6, 14, -8],
        [-1, -4, 0, -4],
    ],
    [
        [2, -3, -12, -9],
        [1, -16, 6, 0],
        [-3, 9, -3, 3],
        [2, 4, 17, -1],
        [6, 13, 0, 7],
        [-9, -1, -1, -3],
        [-1, -12, -4, -4],
        [0, 0, -1, 0],
    ],
];

/// A frozen piece by its kind and row.
pub(super) const FROZEN: [[i32; 8]; 6] = [
    [-2, -9, -3, -11, -16, -5, 19, 22],
    [-12, -13, -9, -4, -19, -12, 1, -11],
    [-17, -23, -16, -5, -10, -14, -11, -23],
    [-12, -12, -1, -7, -13, -31, -28, -17],
    [-10, -4, -30, 8, -18, -35, -39, -11],
    [0, 0, 0, 0, 0, 0, 0, 0],
];

/// A dominated piece of the side to move and of the side that waits, by its kind and row.
pub(super) const DOMINATED: [[[i32; 8]; 6]; 2] = [
    [
        [0, 0, 0, 0, 0, 0, 0, 0],
        [-2, -7, -8, 1, -9, -10, -12, -2],
        [2, 0, 6, -5, -6, 4, -9, -2],
        [0, -2, -3, 6, 4, -16, -17, -1],
        [2, -3, 4, 25, 5, 4, -16, -7],
        [0, 0, 0, 0, 0, 0, 0, 0],
    ],
    [
        [0, 0, 0, 0, 0, 0, 0, 0],
        [-6, -12, -7, -11, -8, -10, 1, 7],
        [-1, -6, -13, -11, -20, -2, -2, -1],
        [0, -3, -14, -29, -44, -26, -23, -5],
        [-2, -4, -11, -37, -57, -41, -30, -10],
        [0, 0, 0, 0, 0, 0, 0, 0],
    ],
];

/// A trap in the eyes of the side at whose home it is: by the pieces of that side beside it, those of the other
/// (three or more are alike), whose strongest is stronger (its own, none, the other's), and the elephants beside it (none, the other's, its
/// own, both).
pub(super) const TRAPS: [[[[i32; 4]; 3]; 4]; 4] = [
    [
        [[0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]],
        [[0, 0, 0, 0], [0, 0, 0, 0], [27, 22, 0, 0]],
        [[0, 0, 0, 0], [0, 0, 0, 0], [-3, 3, 0, 0]],
        [[0, 0, 0, 0], [0, 0, 0, 0], [-46, -51, 0, 0]],
    ],
    [
        [[-7, 0, -18, 0], [0, 0, 0, 0], [0, 0, 0, 0]],
        [[15, 0, 16, 0], [24, 0, 0, 3], [38, 11, 0, 0]],
        [[21, 0, -8, 0], [-2, 0, 0, 24], [-24, -21, 0, 0]],
        [[-2, 0, -9, 0], [-4, 0, 0, -14], [-36, -61, 0, 0]],
    ],
    [
        [[-14, 0, -14, 0], [0, 0, 0, 0], [0, 0, 0, 0]],
        [[19, 0, 16, 0], [22, 0, 0, -12], [35, 13, 0, 0]],
        [[3, 0, -11, 0], [-1, 0, 0, 14], [-13, 7, 0, 0]],
        [[0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]],
    ],
    [
        [[-21, 0, -19, 0], [0, 0, 0, 0], [0, 0, 0, 0]],
        [[26, 0, 27, 0], [19, 0, 0, -27], [29, 4, 0, 0]],
        [[0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]],
        [[0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]],
    ],
];

/// A hostage by its kind and that of its holder.
pub(super) const HOSTAGE: [[i32; 6]; 6] = [
    [0, 21, 23, 20, 9, -9],
    [0, 0, 33, 33, 9, 18],
    [0, 0, 0, 54, 30, 34],
    [0, 0, 0, 0, 53, 66],
    [0, 0, 0, 0, 0, 120],
    [0, 0, 0, 0, 0, 0],
];

/// A framed piece by its kind.
pub(super) const FRAMED: [i32; 6] = [-61, -70, -117, -119, -170, 0];

/// The friend that keeps it alive, by its kind.
pub(super) const PINNED: [i32; 6] = [-87, -58, -58, -3, -16, -70];

/// The elephant by the level of its blockade.
pub(super) const BLOCKADE: [i32; 6] = [-9, -35, -39, -71, -97, -196];

/// A horse and a camel without room.
pub(super) const SHUT_IN: [i32; 2] = [-12, -20];

/// The elephant, a camel and a horse that are not frozen, by how many squares they reach with three steps (15 or more are alike).
pub(super) const MOBILITY: [[i32; 16]; 3] = [
    [-19, -8, -3, -2, 2, 0, 1, 4, 10, 5, 3, -2, 1, 0, -3, -7],
    [-5, -4, 0, -5, 2, 6, 14, 12, 11, 14, 13, 21, 20, 26, 23, 30],
    [1, -2, 8, 7, 12, 10, 11, 14, 12, 12, 12, 9, 7, 15, 13, 16],
];

/// A rabbit by its row, the enemies in its way (five or more are alike) and whether it is frozen.
pub(super) const RABBIT: [[[i32; 2]; 6]; 8] = [
    [[0, 0], [0, 0], [0, 0], [0, 0], [0, 0], [0, 0]],
    [[0, 0], [0, 0], [0, 0], [0, 0], [0, 0], [0, 0]],
    [[-2, 0], [0, -2], [-8, 11], [-7, -1], [-6, -2], [-12, -9]],
    [[35, -6], [16, -2], [-18, 1], [-14, -4], [-13, -1], [-11, 2]],
    [[57, 17], [48, 12], [5, -4], [-17, -14], [-32, -15], [-32, -12]],
    [[36, 34], [87, 26], [51, 8], [2, -24], [-29, -31], [-25, -17]],
    [[17, 41], [68, 10], [28, -11], [3, -21], [0, 0], [0, 0]],
    [[0, 22], [0, 0], [0, 0], [0, 0], [0, 0], [0, 0]],
];

/// How many columns have no rabbit at home.
pub(super) const OPEN_COLUMNS: [i32; 9] = [8, -2, -6, -13, -11, -16, -8, 32, 17];

/// The steps from the goal of the nearest rabbit of the side to move, and of the side that waits.
pub(super) const GOAL_DISTANCE: [[i32; 9]; 2] =
    [[0, 0, 3, 31, 52, 73, 18, -9, -3], [0, 0, 0, 0, 1, 33, 1, -13, -16]];

/// The side that waits could reach the goal, by the steps that the other has left.
pub(super) const GOAL_NEXT: [i32; 4] = [269, 149, 48, 104];

/// Hundredths of the best capture of the side to move, by the steps it has left, and the steps that it takes less two.
pub(super) const GAIN: [[i32; 3]; 4] = [[0, 0, 0], [51, 0, 0], [68, 58, 0], [84, 82, 57]];

/// Hundredths of the best capture of the side that waits, by the steps that the other has left, and the steps that it takes less two.
pub(super) const THREAT: [[i32; 3]; 4] = [[26, 13, 17], [17, 4, 7], [4, 1, 1], [3, 2, 1]];

/// Hundredths of a second capture of the side to move, and of the side that waits.
pub(super) const SECOND: [i32; 2] = [22, 18];

/// A cat, dog, horse or camel, by how far the nearest stronger enemy is (1 to 6, more) and the part of the board
/// that it has come to (rows 1 and 2, 3, 4, 5 and 6, 7 and 8).
pub(super) const NEARNESS: [[[i32; 5]; 7]; 4] = [
    [
        [-1, 3, -1, -3, -11],
        [6, 8, 3, -3, 15],
        [10, 6, 3, -1, -29],
        [2, 9, 1, -4, 6],
        [-3, 5, -10, -3, -7],
        [-2, -2, -2, 10, 11],
        [-1, 2, 2, -2, 4],
    ],
    [
        [7, 1, -14, -20, -34],
        [6, -4, -1, -16, -22],
        [8, -3, 0, -4, 2],
        [4, -2, -1, 13, 11],
        [1, 0, 23, 17, 17],
        [-4, 9, 8, 20, 11],
        [-3, 8, 2, -2, -3],
    ],
    [
        [-2, -9, -22, -35, -47],
        [-5, -4, -15, -35, -40],
        [-3, -2, -8, -8, -17],
        [-6, -3, 11, 27, 14],
        [-10, -2, 23, 35, 31],
        [-11, 8, 22, 44, 24],
        [-4, 6, 17, 33, 37],
    ],
    [
        [1, 8, -59, -91, -63],
        [-10, -13, -53, -84, -74],
        [-4, 4, -6, -39, -50],
        [-7, 8, 35, 13, 17],
        [-4, 17, 58, 49, 34],
        [15, 17, 60, 66, 46],
        [13, 17, 41, 43, 37],
    ],
];

/// A piece of the side to move, or of the side that waits, beside a weaker enemy, by both kinds and where that is: near a home trap of
/// the stronger, near another, elsewhere.
pub(super) const CONTACT: [[[[i32; 3]; 6]; 6]; 2] = [
    [
        [[0, 0, 0], [0, 0, 0], [0, 0, 0], [0, 0, 0], [0, 0, 0], [0, 0, 0]],
        [[1, -2, 11], [0, 0, 0], [0, 0, 0], [0, 0, 0], [0, 0, 0], [0, 0, 0]],
        [[0, 27, -2], [2, 5, 3], [0, 0, 0], [0, 0, 0], [0, 0, 0], [0, 0, 0]],
        [[3, 11, 11], [13, 6, 10], [7, 20, 6], [0, 0, 0], [0, 0, 0], [0, 0, 0]],
        [[-7, 6, 7], [-3, -1, 3], [9, 24, 7], [28, 35, 19], [0, 0, 0], [0, 0, 0]],
        [[-18, 3, 6], [-19, 2, 1], [-18, 10, 2], [-7, 17, -8], [37, 62, 0], [0, 0, 0]],
    ],
    [
        [[0, 0, 0], [0, 0, 0], [0, 0, 0], [0, 0, 0], [0, 0, 0], [0, 0, 0]],
        [[21, 11, 0], [0, 0, 0], [0, 0, 0], [0, 0, 0], [0, 0, 0], [0, 0, 0]],
        [[34, 9, 1], [16, 1, 12], [0, 0, 0], [0, 0, 0], [0, 0, 0], [0, 0, 0]],
        [[21, 9, -3], [17, 2, -6], [12, 2, -3], [0, 0, 0], [0, 0, 0], [0, 0, 0]],
        [[13, 1, -8], [13, -7, -6], [13, 3, -2], [30, -5, 10], [0, 0, 0], [0, 0, 0]],
        [[18, -3, -11], [19, -9, -18], [37, 4, -4], [44, 15, -6], [66, 23, 15], [0, 0, 0]],
    ],
];

/// To be to move, by the steps left.
pub(super) const TEMPO: [i32; 4] = [-108, 21, 134, 181];

/// A piece by its kind and the friends beside it (two or more are alike).
pub(super) const SUPPORT: [[i32; 3]; 6] =
    [[15, 15, 15], [8, 7, 6], [5, 8, 11], [8, 11, 14], [6, 12, 20], [-2, -4, -12]];
