//! Legal games of Arimaa of any length.

use std::collections::HashMap;

/// The officers of both sides and where they stand, as column and rank.
type Officers = [[(u8, u8); 8]; 2];

const LETTERS: [&[u8; 8]; 2] = [b"HDCEMCDH", b"hdcemcdh"];
/// The rank of the rabbits of each side, and the ranks on which its officers walk.
const RABBITS: [u8; 2] = [1, 8];
const RANKS: [[u8; 2]; 2] = [[2, 3], [7, 6]];

/// The record of a game of `turns` turns, setups included. Each turn is a step of an officer on its own two ranks. The sides
/// never meet, no officer stands on a trap, and no position comes about for the third time.
pub fn long_game(turns: usize) -> String {
    let mut officers: Officers = RANKS.map(|[rank, _]| [0, 1, 2, 3, 4, 5, 6, 7].map(|x| (x, rank)));
    let mut seen: HashMap<(Officers, usize), u8> = HashMap::from([((officers, 0), 1)]);
    let mut record = setup(0) + &setup(1);
    let mut random = 1_u64;
    let mut turn = 2;
    while turn < turns {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        let (side, piece, direction) = (turn % 2, (random >> 40) as usize % 8, (random >> 50) % 4);
        let (column, rank) = officers[side][piece];
        let (letter, target) = match direction {
            0 => ('n', (column, rank + 1)),
            1 => ('s', (column, rank - 1)),
            2 => ('e', (column + 1, rank)),
            _ => ('w', (column.wrapping_sub(1), rank)),
        };
        let mut after = officers;
        after[side][piece] = target;
        let count = seen.get(&(after, 1 - side)).copied().unwrap_or(0);
        if is_open(target, side) && !officers[side].contains(&target) && count < 2 {
            seen.insert((after, 1 - side), count + 1);
            officers = after;
            let from = place(LETTERS[side][piece], column, rank);
            record += &format!("{}{} {from}{letter}\n", turn / 2 + 1, ['g', 's'][side]);
            turn += 1;
        }
    }
    record
}

/// Whether officers of that side may stand there: on their own two ranks, and not on a trap.
fn is_open((column, rank): (u8, u8), side: usize) -> bool {
    let is_trap = matches!((column, rank), (2 | 5, 3 | 6));
    column < 8 && RANKS[side].contains(&rank) && !is_trap
}

fn setup(side: usize) -> String {
    let rabbit = [b'R', b'r'][side];
    let rabbits = (0..8).map(|column| place(rabbit, column, RABBITS[side]));
    let officers =
        (0..8).map(|column| place(LETTERS[side][usize::from(column)], column, RANKS[side][0]));
    let words: Vec<String> = rabbits.chain(officers).collect();
    format!("1{} {}\n", ['g', 's'][side], words.join(" "))
}

/// A piece on a square, such as `Ra1`.
fn place(piece: u8, column: u8, rank: u8) -> String {
    format!("{}{}{rank}", char::from(piece), char::from(b'a' + column))
}
