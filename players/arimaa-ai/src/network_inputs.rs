use arimaa::{Bitboard, Board, GOLD, Piece, Position, Side, Square, Step, WHOLE_TURN};
use network::{Features, IncrementalInputs, InputShape, Inputs};

use crate::goal;

/// What the nets of Arimaa are told: each piece is one active feature, by whose it is, its kind, how it is
/// pressed and its square.
///
/// A piece is *pressed* if a stronger enemy stands beside it, and *frozen* if no friend does besides. Each
/// side sees the board from its own home: rows are flipped for Silver, and own pieces come first.
#[derive(Clone, Copy, Debug)]
pub struct NetworkInputs;

const SQUARES: usize = 64;
const KINDS: usize = 6;

/// Not pressed, pressed with a friend beside it, frozen.
const PRESSURES: usize = 3;

/// A turn has four steps.
const PHASES: usize = 4;

/// No side, the mover, the enemy or both have a goal within a whole turn.
const GOAL_THREATS: usize = 4;

/// The features of one side's pieces.
const OF_A_SIDE: usize = KINDS * PRESSURES * SQUARES;

impl Inputs for NetworkInputs {
    type Position = Position;

    const SHAPE: InputShape = InputShape {
        model: "arimaa",
        name: "piece-pressure-square",
        version: 1,
        count: 2 * OF_A_SIDE,
        buckets: PHASES,
    };

    #[inline]
    fn for_each_feature(position: &Position, mut visit: impl FnMut(u16)) {
        let board = position.board();
        let pressure = Pressure::of(board);
        for square in board.occupied() {
            pressure.feature(board, square, position.side()).into_iter().for_each(&mut visit);
        }
    }

    const BUCKETS: &'static [usize] = &[PHASES, PHASES * GOAL_THREATS];

    /// By the steps left; with more buckets, also by which sides have a goal within a whole turn.
    #[inline]
    fn bucket(position: &Position, buckets: usize) -> usize {
        let phase = usize::from(position.steps_left().0) - 1;
        if buckets == PHASES {
            return phase;
        }
        let threatens = |side| usize::from(goal(position.board(), side, WHOLE_TURN).is_some());
        let threats = threatens(position.side()) + 2 * threatens(!position.side());
        PHASES * threats + phase
    }

    /// Own becomes enemy, and the rows are flipped.
    #[inline]
    fn seen_by_other(feature: u16) -> u16 {
        let (of_a_side, flipped) = (OF_A_SIDE as u16, feature ^ 56);
        if flipped < of_a_side { flipped + of_a_side } else { flipped - of_a_side }
    }

    /// The columns are flipped.
    #[inline]
    fn mirrored(feature: u16) -> u16 {
        feature ^ 7
    }
}

impl IncrementalInputs for NetworkInputs {
    type View = Pressure;

    #[inline]
    fn view(position: &Position) -> Pressure {
        Pressure::of(position.board())
    }

    #[inline]
    fn changes(
        positions: [&Position; 2],
        view: &Pressure,
        _: &[Step],
        removed: &mut Features,
        added: &mut Features,
    ) -> Pressure {
        let [before, after] = positions.map(Position::board);
        let pressure = Pressure::of(after);
        for square in before.differences(after) | view.differences(&pressure) {
            removed.extend(view.feature(before, square, GOLD));
            added.extend(pressure.feature(after, square, GOLD));
        }
        pressure
    }

    fn pieces(position: &Position) -> Vec<(String, u16)> {
        let (board, pressure) = (position.board(), Pressure::of(position.board()));
        let named = board.pieces().filter_map(|(square, piece)| {
            let feature = pressure.feature(board, square, position.side())?;
            Some((format!("{}{square}", piece.letter()), feature))
        });
        named.collect()
    }
}

/// Which pieces of a board have a stronger enemy beside them, and which of those no friend.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pressure {
    pressed: Bitboard,
    frozen: Bitboard,
}

impl Pressure {
    #[inline]
    fn of(board: &Board) -> Pressure {
        let (gold, silver) = (board.of(Side::First), board.of(Side::Second));
        let pressed = gold & board.weaker_beside(silver) | silver & board.weaker_beside(gold);
        let friends = gold & gold.neighbours() | silver & silver.neighbours();
        Pressure { pressed, frozen: pressed & !friends }
    }

    /// The squares where the two differ.
    #[inline]
    fn differences(&self, other: &Pressure) -> Bitboard {
        Bitboard((self.pressed.0 ^ other.pressed.0) | (self.frozen.0 ^ other.frozen.0))
    }

    /// The feature of the piece on a square, if there is one, as `side` sees it.
    #[inline]
    fn feature(&self, board: &Board, square: Square, side: Side) -> Option<u16> {
        let Piece { side: owner, kind } = board.piece_at(square)?;
        let pressure = usize::from(self.pressed.has(square)) + usize::from(self.frozen.has(square));
        let owner = usize::from(owner != side);
        let square = if side == GOLD { square } else { square.mirrored() };
        let feature = (owner * KINDS + kind as usize - 1) * PRESSURES + pressure;
        Some((feature * SQUARES + square.index()) as u16)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn features(position: &Position) -> BTreeSet<u16> {
        let mut features = BTreeSet::new();
        NetworkInputs::for_each_feature(position, |feature| assert!(features.insert(feature)));
        features
    }

    fn position(text: &str) -> Position {
        text.parse().expect("a position")
    }

    const GOLD_TO_MOVE: &str =
        "g [   dd  rrrrh r  r   r  Mm    EeC R  h  r H  C H  RR  RDRR     RR]";

    #[test]
    fn each_piece_is_one_feature_by_what_presses_it() {
        // The horse is frozen; the cat beside the elephant has a friend; nothing is stronger than the others.
        let board: Board = "
             +-----------------+
            8| . . . . . . . . |
            7| . . . . . . . . |
            6| . . x . . x . . |
            5| . m H . . . . . |
            4| . . . . . . . . |
            3| . . x . . x . . |
            2| . . . . e C R . |
            1| . . . . . . . . |
             +-----------------+
               a b c d e f g h
        "
        .parse()
        .expect("a board");
        let feature = |enemy: usize, kind: usize, pressure: usize, square: Square| {
            (((enemy * 6 + kind) * 3 + pressure) * 64 + square.index()) as u16
        };
        let expected = [
            feature(0, 0, 0, Square::G2),
            feature(0, 1, 1, Square::F2),
            feature(0, 3, 2, Square::C5),
            feature(1, 4, 0, Square::B5),
            feature(1, 5, 0, Square::E2),
        ];
        let found = features(&Position::new(board, GOLD));
        assert_eq!(found, expected.into_iter().collect());
    }

    #[test]
    fn the_other_side_sees_the_same_from_its_home() {
        let gold = position(GOLD_TO_MOVE);
        let silver = Position::new(*gold.board(), !gold.side());
        let seen: BTreeSet<u16> =
            features(&gold).into_iter().map(NetworkInputs::seen_by_other).collect();
        assert_eq!(seen, features(&silver));
        let flipped = Position::new(gold.board().mirrored(), !gold.side());
        assert_eq!(features(&flipped), features(&gold));
    }

    #[test]
    fn buckets_tell_the_steps_left_and_which_sides_are_near_a_goal() {
        let board = |gold: &str, silver: &str| -> Board {
            let mut board = Board::EMPTY;
            let mut put = |text: &str, side| {
                let square = text.parse().expect("a square");
                board.put(Piece { side, kind: arimaa::Kind::Rabbit }, square);
            };
            put(gold, GOLD);
            put(silver, arimaa::SILVER);
            board
        };
        // A rabbit on an open board reaches its goal from four rows away and not from five.
        let bucket = |gold, silver, side, steps| {
            let position = Position::new(board(gold, silver), side);
            let position = position.with_steps_left(game::Steps(steps)).expect("inside a turn");
            [4, 16].map(|buckets| NetworkInputs::bucket(&position, buckets))
        };
        assert_eq!(bucket("a3", "h6", GOLD, 4), [3, 3]);
        assert_eq!(bucket("a4", "h6", GOLD, 1), [0, 4]);
        assert_eq!(bucket("a3", "h5", GOLD, 2), [1, 9]);
        assert_eq!(bucket("a4", "h5", GOLD, 3), [2, 14]);
        assert_eq!(bucket("a4", "h6", arimaa::SILVER, 4), [3, 11]);
    }

    #[test]
    fn seeing_and_mirroring_twice_changes_nothing() {
        for feature in 0..NetworkInputs::SHAPE.count as u16 {
            let other = NetworkInputs::seen_by_other(feature);
            assert!(usize::from(other) < NetworkInputs::SHAPE.count && other != feature);
            assert_eq!(NetworkInputs::seen_by_other(other), feature);
            assert_eq!(NetworkInputs::mirrored(NetworkInputs::mirrored(feature)), feature);
        }
    }
}
