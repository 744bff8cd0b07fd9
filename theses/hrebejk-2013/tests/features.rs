//! The second layer of bot_drake's evaluation: what its features must hold.

use arimaa::{Board, GOLD, Kind, SILVER, Side, Square, WHOLE_TURN};
use arimaa_ai::{captures, goal};
use game::Steps;
use hrebejk_2013::{DISTANCE_MAPS, FEATURES, FeatureInstance, Features};
use test_support::{long, random_board, rng};

#[test]
fn the_features_are_the_same_on_any_processor() {
    for seed in 0..if long() { 100_000 } else { 1_000 } {
        let board = random_board(&mut rng(seed));
        let side = if seed % 2 == 0 { GOLD } else { SILVER };
        let (wide, plain) = (Features::new(&board, side), Features::plain(&board, side));
        for (one, other) in wide.distances.iter().zip(plain.distances.iter()) {
            assert_eq!(one.matrix, other.matrix, "seed {seed}\n{board:?}");
        }
        assert!(wide.iter().eq(plain.iter()), "seed {seed}\n{board:?}");
    }
}

#[test]
fn both_sides_are_seen_alike() {
    for seed in 0..500 {
        let board = random_board(&mut rng(seed));
        let features = Features::new(&board, GOLD);
        let mirrored = Features::new(&board.mirrored(), SILVER);
        let sorted = |features: &Features, mirrored: bool| {
            let place = |feature: &FeatureInstance| match mirrored {
                true => (!feature.side, feature.square.mirrored()),
                false => (feature.side, feature.square),
            };
            let mut list: Vec<_> = features
                .iter()
                .map(|feature| {
                    let (side, square) = place(feature);
                    (feature.kind, side == GOLD, square, feature.values().to_vec())
                })
                .collect();
            list.sort();
            list
        };
        assert_eq!(sorted(&features, false), sorted(&mirrored, true), "seed {seed}\n{board:?}");
    }
}

#[test]
fn values_are_within_their_ranges() {
    for seed in 0..500 {
        let features = Features::new(&random_board(&mut rng(seed)), GOLD);
        for feature in features.iter() {
            for (value, parameter) in feature.values().iter().zip(FEATURES[feature.kind].parameters)
            {
                assert!(*value <= parameter.most, "{} {value}", parameter.name);
            }
        }
        for side in Side::ALL {
            for trap in 0..4 {
                assert!((32..=127).contains(&features.protection.priority(side, trap)));
                assert!(features.protection.trap(side, trap) <= 1020);
            }
        }
    }
}

fn start() -> Board {
    "
         +-----------------+
        8| r r r r r r r r |
        7| h d c m e c d h |
        6| . . x . . x . . |
        5| . . . . . . . . |
        4| . . . . . . . . |
        3| . . x . . x . . |
        2| H D C M E C D H |
        1| R R R R R R R R |
         +-----------------+
           a b c d e f g h
    "
    .parse()
    .unwrap()
}

/// The value of a parameter of the feature of a kind on a square.
fn value(features: &Features, kind: &str, square: Square, parameter: &str) -> u16 {
    let found = features
        .iter()
        .find(|feature| FEATURES[feature.kind].name == kind && feature.square == square);
    let found = found.unwrap();
    let parameters = FEATURES[found.kind].parameters;
    let index = parameters.iter().position(|known| known.name == parameter).unwrap();
    found.values()[index]
}

#[test]
fn a_piece_is_as_strong_as_the_enemies_that_are_left_allow() {
    let mut board = start();
    let features = Features::new(&board, GOLD);
    let strength = |features: &Features, square| value(features, "piece", square, "strength");
    assert_eq!(strength(&features, Square::C2), 0);
    assert_eq!(strength(&features, Square::A2), 8);
    assert_eq!(strength(&features, Square::E2), 13);
    // Without horses, a dog is what a horse was.
    for square in board.kind(Kind::Horse) {
        board.take(square);
    }
    assert_eq!(strength(&Features::new(&board, GOLD), Square::B2), 8);
}

#[test]
fn a_rabbit_before_its_goal_has_the_best_prospects() {
    let board: Board = "
         +-----------------+
        8| . . . . . . . . |
        7| R . . . . . . . |
        6| . . x . . x . . |
        5| . . . . . . . . |
        4| . . . . . . . . |
        3| . . x . . x . . |
        2| . . . . . . . R |
        1| . . . . . . . r |
         +-----------------+
           a b c d e f g h
    "
    .parse()
    .unwrap();
    let features = Features::new(&board, GOLD);
    let prospects = |square| value(&features, "rabbit", square, "goal prospects");
    // 255 less 16 a step; nobody is to be feared.
    assert_eq!(prospects(Square::A7), 239);
    assert_eq!(prospects(Square::H2), 255 - 16 * 6);
    assert_eq!(value(&features, "rabbit", Square::A7, "advancement"), 6);
    assert_eq!(value(&features, "rabbit", Square::A7, "centralization"), 0);
}

#[test]
fn a_framed_piece_and_a_hostage_are_found() {
    let board: Board = "
         +-----------------+
        8| . . . . . . . . |
        7| . . . . . . . . |
        6| . . x . . x . . |
        5| . . . . . . . . |
        4| . . h r . . . . |
        3| . e H E . x . . |
        2| . . m . . . . . |
        1| R . . . . . . r |
         +-----------------+
           a b c d e f g h
    "
    .parse()
    .unwrap();
    let features = Features::new(&board, SILVER);
    let kinds: Vec<&str> = features.iter().map(|feature| FEATURES[feature.kind].name).collect();
    assert!(kinds.contains(&"frame"), "{kinds:?}");
    let frozen: Board = "
         +-----------------+
        8| r . . . . . . . |
        7| . . . . . . . . |
        6| . . x . . x . . |
        5| . . . . . . . . |
        4| . . . . . . . . |
        3| M e x . . x . . |
        2| . . . . . . . . |
        1| . . . . . . . R |
         +-----------------+
           a b c d e f g h
    "
    .parse()
    .unwrap();
    let features = Features::new(&frozen, GOLD);
    let hostage = features.iter().find(|feature| FEATURES[feature.kind].name == "hostage").unwrap();
    assert_eq!((hostage.square, hostage.side), (Square::A3, GOLD));
    // A camel with one stronger enemy, held by an elephant with none.
    assert_eq!(hostage.values(), [12, 14]);
}

/// The features of a kind.
fn of_kind<'a>(features: &'a Features, kind: &str) -> Vec<&'a FeatureInstance> {
    features.iter().filter(|feature| FEATURES[feature.kind].name == kind).collect()
}

#[test]
fn the_pieces_that_can_be_captured_are_those_of_the_exact_search() {
    for seed in 0..if long() { 20_000 } else { 1_000 } {
        let board = random_board(&mut rng(seed));
        let features = Features::new(&board, GOLD);
        for side in Side::ALL {
            let captures = captures(&board, !side, WHOLE_TURN);
            let mut expected: Vec<(Square, u16)> = Vec::new();
            for capture in &captures {
                let steps = captures.iter().filter(|other| other.square == capture.square);
                let least = steps.map(|other| u16::from(other.steps.0)).min().unwrap();
                expected.push((capture.square, least - 2));
            }
            expected.sort();
            expected.dedup();
            let found = of_kind(&features, "capturable").into_iter();
            let own = found.filter(|feature| feature.side == side);
            let mut found: Vec<(Square, u16)> =
                own.map(|feature| (feature.square, feature.values()[1])).collect();
            found.sort();
            assert_eq!(found, expected, "seed {seed}\n{board:?}");
            let losses = of_kind(&features, "losses").into_iter();
            let losses = losses.filter(|feature| feature.side == side).count();
            assert_eq!(losses, usize::from(!found.is_empty()));
        }
    }
}

#[test]
fn a_side_threatens_a_goal_if_it_can_reach_one_within_a_turn() {
    for seed in 0..if long() { 20_000 } else { 1_000 } {
        let board = random_board(&mut rng(seed));
        let features = Features::new(&board, GOLD);
        for feature in of_kind(&features, "race") {
            let steps = (1..=4).find(|&steps| goal(&board, feature.side, Steps(steps)).is_some());
            let [_, threat, nearest, second] = *feature.values() else { panic!("four values") };
            // Random boards may have a rabbit on its goal already.
            if nearest == 0 {
                continue;
            }
            assert_eq!(threat == 1, steps.is_some(), "seed {seed}\n{board:?}");
            assert!(
                steps.is_none_or(|steps| nearest == u16::from(steps)),
                "seed {seed}\n{board:?}"
            );
            assert!(nearest <= second);
        }
    }
}

#[test]
fn what_can_be_lost_is_told_by_its_worth() {
    let board: Board = "
         +-----------------+
        8| r . . . . . . . |
        7| . . . . . . . . |
        6| . . x . . x . . |
        5| . . . . . . . . |
        4| . . . . . . . . |
        3| . . D . . x . . |
        2| . e C . . . . . |
        1| R . . . . . . . |
         +-----------------+
           a b c d e f g h
    "
    .parse()
    .unwrap();
    let features = Features::new(&board, SILVER);
    let of_gold = |feature: &&FeatureInstance| feature.side == GOLD;
    let losses = of_kind(&features, "losses").into_iter().find(of_gold).unwrap().values();
    // The dog falls when the cat is pushed away.
    assert_eq!(value(&features, "capturable", Square::C3, "steps"), 0);
    assert_eq!(losses[3], value(&features, "capturable", Square::C3, "worth"));
    let of_gold_too = of_kind(&features, "capturable").into_iter().filter(of_gold);
    let mut worths: Vec<u16> = of_gold_too.map(|feature| feature.values()[2]).collect();
    worths.sort();
    assert_eq!(losses[1], worths.pop().unwrap());
    assert_eq!(losses[4], worths.pop().unwrap_or(0));
    let material = of_kind(&features, "material").into_iter().find(of_gold).unwrap().values();
    assert_eq!(material, [1, 2, 1, 1]);
}

#[test]
fn a_piece_beside_a_stronger_enemy_is_frozen_unless_a_friend_is_beside_it() {
    for seed in 0..500 {
        let board = random_board(&mut rng(seed));
        let features = Features::new(&board, GOLD);
        let held = of_kind(&features, "held");
        for side in Side::ALL {
            let of_side = held.iter().filter(|feature| feature.side == side);
            let frozen = of_side.filter(|feature| feature.values()[1] == 1);
            let mut frozen: Vec<Square> = frozen.map(|feature| feature.square).collect();
            frozen.sort();
            let expected: Vec<Square> = (board.of(side) & !board.free(side)).into_iter().collect();
            assert_eq!(frozen, expected, "seed {seed}\n{board:?}");
        }
    }
}

#[test]
fn the_maps_of_distances_fall() {
    for map in DISTANCE_MAPS {
        // The piece itself neither supports nor moves.
        let first = usize::from(map.values[0] == 0);
        assert!(map.values[first..].is_sorted_by(|near, far| near >= far), "{}", map.name);
    }
}
