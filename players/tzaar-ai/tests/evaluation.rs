//! Tusk's own evaluation of Tzaar: its terms add up, and its scores are those of the weights that are
//! shipped.

use game::Position as _;
use linear::{Unit, Weights};
use rand::SeedableRng;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;
use tzaar::Position;
use tzaar_ai::Evaluation;
use tzaar_ai::evaluation::{FEATURES, Model};

/// Every position of some games by chance.
fn positions() -> Vec<Position> {
    let mut rng = ChaCha8Rng::seed_from_u64(7);
    let mut positions = Vec::new();
    for _ in 0..200 {
        let mut position = Position::random_start(&mut rng);
        while position.winner().is_none() {
            positions.push(position);
            let steps = position.steps();
            position.play(*steps.choose(&mut rng).expect("the game goes on"));
        }
    }
    positions
}

/// A hash of numbers (FNV-1a), the same on every machine.
fn hash(numbers: impl Iterator<Item = i32>) -> u64 {
    let bytes = numbers.flat_map(i32::to_le_bytes);
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

#[test]
fn scores_and_terms_are_those_of_the_shipped_weights() {
    let (positions, evaluation) = (positions(), Evaluation::default());
    let scores = hash(positions.iter().map(|position| evaluation.evaluate(position).0));
    let terms = hash(positions.iter().flat_map(|position| {
        let terms = evaluation.trace(position).terms;
        terms.into_iter().flat_map(|(_, values)| [values.first, values.second])
    }));
    let found = [scores, terms];
    assert_eq!(found.map(|hash| format!("{hash:016x}")), ["419f42204bd86adf", "7505fa8f45303619"]);
}

#[test]
fn the_sum_the_trace_and_the_dot_product_of_the_features_are_the_same() {
    assert!(FEATURES.groups.iter().all(|group| group.unit == Unit::Point));
    let evaluation = Evaluation::default();
    let weights = evaluation.model().weights();
    let mut seen = vec![0; FEATURES.groups.len()];
    for position in positions() {
        let (score, trace) = (evaluation.evaluate(&position), evaluation.trace(&position));
        assert_eq!(score, trace.score, "{position}");
        let features = Evaluation::features(&position);
        let [own, other] =
            [position.side(), !position.side()].map(|side| features[side].dot(weights));
        assert_eq!(own - other, score.0, "{position}");
        for found in features[position.side()].iter() {
            let (group, _) = FEATURES.group_of(found.number);
            let number = FEATURES.groups.iter().position(|other| other == group);
            seen[number.expect("a group of the list")] += 1;
        }
    }
    assert!(seen.iter().all(|&count| count > 0), "a group that is never emitted: {seen:?}");
}

#[test]
fn the_shipped_file_is_what_its_weights_are_written_as() {
    let file = include_str!("../../../models/tzaar-evaluation.model");
    let weights = Weights::parse(&FEATURES, file.as_bytes()).expect("a model");
    assert_eq!(weights.to_string(), file);
    assert_eq!(Model::from(&weights), **Evaluation::default().model());
}

#[test]
fn every_group_is_in_the_reference() {
    let reference = include_str!("../../../docs/evaluation.md");
    for group in FEATURES.groups {
        let shape: Vec<String> = group.shape.iter().map(usize::to_string).collect();
        let row = format!("| `{}` | {} | {}", group.name, shape.join(" × "), group.about);
        assert!(reference.contains(&row), "docs/evaluation.md has no row {row}");
    }
}
