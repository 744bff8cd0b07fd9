use network::{Features, IncrementalInputs, InputShape, Inputs};
use tzaar::{Board, Field, Fields, Kind, Phase, Position, Side, Step};

use crate::evaluation::{ORBITS, PLACE_COUNT};

/// What the nets of Tzaar are told: each stack is one active feature, by whose it is, its type, its height, whether
/// the enemy can capture it and the kind of its place. Each type is one more, by how many stacks of either side
/// show it.
///
/// Own stacks come first. The twelve symmetries of the board change no feature, since places that are alike by them
/// are one. What else was tried: `docs/experiments/tzaar.md`.
#[derive(Clone, Copy, Debug)]
pub struct NetworkInputs;

const KINDS: usize = Kind::ALL.len();

/// One to five, and more: those are all alike.
const HEIGHTS: usize = 6;

/// The enemy cannot capture it, or can.
const SAFETIES: usize = 2;

/// The features of one side's stacks.
const OF_A_SIDE: usize = KINDS * HEIGHTS * SAFETIES * PLACE_COUNT;

/// How many stacks show a type: none to five, and more.
const COUNTS: usize = 7;

/// The features of one type.
const OF_A_TYPE: usize = COUNTS * COUNTS;

/// Where the features of types begin.
const TYPES: usize = 2 * OF_A_SIDE;

/// With more stacks than these on the board, there is another bucket. Below the first, a player looks for proofs.
const STACKS: [usize; 3] = [27, 38, 48];

impl Inputs for NetworkInputs {
    type Position = Position;

    const SHAPE: InputShape = InputShape {
        model: "tzaar",
        name: "stack-safety-place",
        version: 1,
        count: TYPES + KINDS * OF_A_TYPE,
        buckets: 2 * (STACKS.len() + 1),
    };

    fn for_each_feature(position: &Position, mut visit: impl FnMut(u16)) {
        let (board, side) = (position.board(), position.side());
        for field in board.occupied() {
            stack(board, field, side).into_iter().for_each(&mut visit);
        }
        types(board, side).into_iter().for_each(visit);
    }

    /// By the number of stacks on the board, and by whether the first move of the turn was made.
    #[inline]
    fn bucket(position: &Position, _: usize) -> usize {
        let stacks = position.board().stacks();
        let by_stacks = STACKS.iter().filter(|&&most| stacks > most).count();
        2 * by_stacks + usize::from(position.phase() == Phase::Second)
    }

    /// Own becomes enemy.
    #[inline]
    fn seen_by_other(feature: u16) -> u16 {
        match usize::from(feature) {
            own @ ..OF_A_SIDE => (own + OF_A_SIDE) as u16,
            enemy @ ..TYPES => (enemy - OF_A_SIDE) as u16,
            of_type => {
                let (kind, counts) = ((of_type - TYPES) / OF_A_TYPE, (of_type - TYPES) % OF_A_TYPE);
                of_counts(kind, counts % COUNTS, counts / COUNTS)
            }
        }
    }

    /// No feature knows left and right.
    #[inline]
    fn mirrored(feature: u16) -> u16 {
        feature
    }
}

impl IncrementalInputs for NetworkInputs {
    type View = ();

    #[inline]
    fn view(_: &Position) {}

    #[inline]
    fn changes(
        positions: [&Position; 2],
        (): &(),
        steps: &[Step],
        removed: &mut Features,
        added: &mut Features,
    ) {
        let touched = steps.iter().fold(Fields::EMPTY, |touched, step| match step {
            Step::Capture { from, to } | Step::Stacking { from, to } => {
                touched | from.set() | to.set()
            }
            Step::Place { field, .. } => touched | field.set(),
            Step::Pass => touched,
        });
        let [before, after] = positions.map(Position::board);
        removed.extend(touched.filter_map(|field| stack(before, field, Side::First)));
        added.extend(touched.filter_map(|field| stack(after, field, Side::First)));
        for field in (before.capturable() ^ after.capturable()) & !touched {
            let Some(feature) = stack(after, field, Side::First) else { continue };
            added.push(feature);
            removed.push(with_other_safety(feature));
        }
        let types = [before, after].map(|board| types(board, Side::First));
        for (gone, come) in types[0].into_iter().zip(types[1]) {
            if gone != come {
                removed.push(gone);
                added.push(come);
            }
        }
    }

    fn pieces(position: &Position) -> Vec<(String, u16)> {
        let board = position.board();
        let named = board.occupied().filter_map(|field| {
            let feature = stack(board, field, position.side())?;
            Some((format!("{field}:{}", board.stack_at(field)?), feature))
        });
        named.collect()
    }
}

/// The feature of the stack on a field, if there is one, as `side` sees it.
#[inline]
fn stack(board: &Board, field: Field, side: Side) -> Option<u16> {
    let stack = board.stack_at(field)?;
    let owner = usize::from(stack.side != side);
    let height = usize::from(stack.height).min(HEIGHTS) - 1;
    let is_capturable = usize::from(board.capturable().has(field));
    let feature = (owner * KINDS + stack.kind as usize) * HEIGHTS + height;
    let feature = (feature * SAFETIES + is_capturable) * PLACE_COUNT;
    Some((feature + ORBITS[field.index()]) as u16)
}

/// The feature of a stack, if it could be captured and cannot, or could not and can.
#[inline]
fn with_other_safety(feature: u16) -> u16 {
    const { assert!(SAFETIES == 2 && PLACE_COUNT.is_power_of_two(), "a bit tells it") };
    feature ^ PLACE_COUNT as u16
}

/// The features of all types, as `side` sees them.
#[inline]
fn types(board: &Board, side: Side) -> [u16; KINDS] {
    Kind::ALL.map(|kind| {
        let count = |side| board.count(side, kind).min(COUNTS - 1);
        of_counts(kind as usize, count(side), count(!side))
    })
}

/// The feature of a type of which the two sides have so many stacks.
#[inline]
fn of_counts(kind: usize, own: usize, other: usize) -> u16 {
    (TYPES + kind * OF_A_TYPE + own * COUNTS + other) as u16
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;
    use tzaar::{Stack, Symmetry};

    use super::*;

    fn features(position: &Position) -> Vec<u16> {
        let mut features = Vec::new();
        NetworkInputs::for_each_feature(position, |feature| features.push(feature));
        features.sort_unstable();
        features
    }

    fn field(name: &str) -> Field {
        name.parse().expect("a field")
    }

    /// White's Tzaar on A1 is seen by the Tott on A5, which is higher; nobody sees the others.
    fn four_stacks() -> Position {
        let stack = |side, kind, height| Stack { side, kind, height };
        let stacks = [
            (field("A1"), stack(Side::First, Kind::Tzaar, 1)),
            (field("A5"), stack(Side::Second, Kind::Tott, 2)),
            (field("E5"), stack(Side::First, Kind::Tott, 9)),
            (field("I5"), stack(Side::First, Kind::Tzarra, 1)),
        ];
        let board = Board::new(stacks).expect("a board");
        Position::new(board, Side::First).expect("a position")
    }

    #[test]
    fn each_stack_and_each_type_is_one_feature() {
        // Corners of the outermost ring are place 0; those of the innermost are place 7.
        let stack = |enemy: usize, kind: usize, height: usize, capturable: usize, place: usize| {
            ((((enemy * 3 + kind) * 6 + height) * 2 + capturable) * 8 + place) as u16
        };
        let of_type =
            |kind: usize, own: usize, enemy: usize| (576 + kind * 49 + own * 7 + enemy) as u16;
        let mut expected = vec![
            stack(0, 2, 0, 1, 0),
            stack(0, 0, 5, 0, 7),
            stack(0, 1, 0, 0, 0),
            stack(1, 0, 1, 0, 0),
            of_type(0, 1, 1),
            of_type(1, 1, 0),
            of_type(2, 1, 0),
        ];
        expected.sort_unstable();
        assert_eq!(features(&four_stacks()), expected);
    }

    #[test]
    fn the_other_side_sees_the_same_with_sides_changed() {
        let position = four_stacks();
        let mut seen: Vec<u16> =
            features(&position).into_iter().map(NetworkInputs::seen_by_other).collect();
        seen.sort_unstable();
        assert_eq!(seen, features(&position.with_other_side()));
        for feature in 0..NetworkInputs::SHAPE.count as u16 {
            let other = NetworkInputs::seen_by_other(feature);
            assert!(usize::from(other) < NetworkInputs::SHAPE.count);
            assert_eq!(NetworkInputs::seen_by_other(other), feature);
        }
    }

    #[test]
    fn symmetries_change_nothing() {
        let position = Position::random_start(&mut ChaCha8Rng::seed_from_u64(3));
        for symmetry in Symmetry::all() {
            let turned = Position::new(position.board().seen_by(symmetry), position.side());
            assert_eq!(features(&turned.expect("the same stacks")), features(&position));
        }
    }
}
