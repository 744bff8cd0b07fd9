use arimaa::{Board, Kind, Side};
use game::BySide;

use super::Sight;
use super::weights::{COUNT, MATERIAL, RABBITS_LEFT};

/// What the pieces of a side are worth.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Worth {
    /// All together.
    pub(super) all: i32,
    /// One of each kind; the first place is for none.
    pub(super) one: [i32; 7],
    /// How many there are of each kind.
    pub(super) counts: Counts,
}

/// What the pieces are worth. Like in Hřebejk 2013, 4.2, a piece above the rabbits is worth what the number
/// of stronger enemies makes of it; and the fewer pieces and rabbits are left, the more each counts. Most of
/// that counts, and besides each piece by its kind alone.
#[inline(always)]
pub(super) fn material(sight: &Sight, side: Side) -> i32 {
    let Worth { all, counts, .. } = &sight.worth[side];
    let by_kind: i32 = counts[1..].iter().zip(COUNT).map(|(&count, one)| count as i32 * one).sum();
    all * MATERIAL / 100 + by_kind + RABBITS_LEFT[counts[Kind::Rabbit as usize]]
}

/// What a piece is worth by the number of enemies that are stronger: 1600 / (1.4475 + n), twice that for
/// none. The shape is that of the formula HarLog of the Arimaa community, fitted to what strong
/// players trade.
const BY_STRONGER: [i32; 9] = [2210, 654, 464, 360, 294, 248, 214, 190, 170];

/// 1010 ln(n), of the number of rabbits and of the number of pieces: the fewer are left, the more one is
/// worth.
const BY_NUMBER: [i32; 17] = [
    -1400, 0, 700, 1110, 1400, 1626, 1810, 1966, 2100, 2220, 2326, 2422, 2510, 2590, 2666, 2736,
    2800,
];

/// How many pieces of each kind a side has; the first place is for none.
pub(super) type Counts = [usize; 7];

impl Worth {
    /// The worth of both sides' pieces.
    #[inline(always)]
    pub(super) fn of_both(board: &Board) -> BySide<Worth> {
        let counts = |side| {
            let own = board.of(side);
            let count = |kind| (board.kind(kind) & own).len().min(2);
            let rabbits = (board.kind(Kind::Rabbit) & own).len().min(8);
            let [cat, dog, horse] = [Kind::Cat, Kind::Dog, Kind::Horse].map(count);
            [0, rabbits, cat, dog, horse, count(Kind::Camel), count(Kind::Elephant)]
        };
        let (gold, silver) = (counts(Side::First), counts(Side::Second));
        BySide { first: Worth::by(&gold, &silver), second: Worth::by(&silver, &gold) }
    }

    #[inline(always)]
    fn by(own: &Counts, enemy: &Counts) -> Worth {
        let pieces = own.iter().sum::<usize>().clamp(1, 16);
        let rabbits = own[Kind::Rabbit as usize].max(1);
        // What the loss of any piece costs, and what that of a rabbit does besides.
        let piece = BY_NUMBER[pieces] - BY_NUMBER[pieces - 1];
        let rabbit = BY_NUMBER[rabbits] - BY_NUMBER[rabbits - 1];
        let all = BY_NUMBER[pieces] + BY_NUMBER[rabbits];
        let mut worth = Worth { all, one: [0; 7], counts: *own };
        worth.one[Kind::Rabbit as usize] = rabbit + piece;
        let mut stronger = 0;
        for kind in (Kind::Cat as usize..=Kind::Elephant as usize).rev() {
            let one = BY_STRONGER[stronger] + piece;
            worth.one[kind] = one;
            worth.all += one * own[kind] as i32;
            stronger += enemy[kind];
        }
        worth
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::positions;
    use super::*;

    /// The same by what each piece has above it on the board.
    fn slow(board: &Board, side: Side) -> Worth {
        let (own, enemy) = (board.of(side), board.of(!side));
        let pieces = own.len().clamp(1, 16);
        let rabbits = board.rabbits(side).len().clamp(1, 8);
        let piece = BY_NUMBER[pieces] - BY_NUMBER[pieces - 1];
        let rabbit = BY_NUMBER[rabbits] - BY_NUMBER[rabbits - 1];
        let mut counts = [0; 7];
        Kind::ALL.iter().for_each(|&kind| counts[kind as usize] = (board.kind(kind) & own).len());
        let all = BY_NUMBER[pieces] + BY_NUMBER[rabbits];
        let mut worth = Worth { all, one: [0; 7], counts };
        worth.one[Kind::Rabbit as usize] = rabbit + piece;
        for kind in &Kind::ALL[1..] {
            let one = BY_STRONGER[(board.above(*kind) & enemy).len()] + piece;
            worth.one[*kind as usize] = one;
            worth.all += one * (board.kind(*kind) & own).len() as i32;
        }
        worth
    }

    #[test]
    fn counting_kinds_and_looking_above_each_agree() {
        for position in positions() {
            let board = position.board();
            let worth = Worth::of_both(board);
            for side in Side::ALL {
                assert_eq!(worth[side], slow(board, side), "{position}");
            }
        }
    }
}
