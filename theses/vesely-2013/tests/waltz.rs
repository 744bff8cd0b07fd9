//! The preset `waltz`: the numbers of the program, and an evaluation that is what a look at each field finds.

mod boards;

use boards::{position, random_game, rng, with_colours_exchanged};
use game::Position as _;
use tzaar::{BLACK, Field, Kind, Phase, Position, Side, Stack, Step, WHITE};
use tzaar_ai::MoveOrdering;
use vesely_2013::Waltz;

fn expert() -> Waltz {
    Waltz::default()
}

/// The program's tables as they are printed, one row after the other.
const NUMBERS: [&str; 3] = [
    "0 10 100 150 155 160 160 160 160 150 140 130 100 90 60",
    "0 10 50 110 180 250 300 350 400 450 500 550 600 650 700",
    "0 100 90 60 30 20 15 10 8 6 5 4 3 2 1 1",
];

fn number(row: usize, index: usize) -> i32 {
    let mut numbers = NUMBERS[row].split(' ').map(|number| number.parse().unwrap());
    numbers.nth(index.min(NUMBERS[row].split(' ').count() - 1)).unwrap()
}

/// The stacks of a position, each with its field.
fn stacks(position: &Position) -> Vec<(Field, Stack)> {
    let board = position.board();
    Field::all().filter_map(|field| Some((field, board.stack_at(field)?))).collect()
}

/// Whether an enemy can capture the stack, found by walking from it.
fn can_be_captured(position: &Position, field: Field, stack: Stack) -> bool {
    let directions = [(0, 1), (1, 0), (1, 1), (0, -1), (-1, 0), (-1, -1)];
    directions.into_iter().any(|(down, right)| {
        let (mut row, mut column) = (field.row() as isize, field.column() as isize);
        loop {
            (row, column) = (row + down, column + right);
            let Some(next) = Field::at(row as usize, column as usize) else { return false };
            if let Some(other) = position.board().stack_at(next) {
                return other.side != stack.side && other.height >= stack.height;
            }
        }
    })
}

/// WALTZ's value term by term, for White.
fn slow(position: &Position, is_beginner: bool) -> i32 {
    let all = stacks(position);
    let standing = |side: Side| {
        let mut sum = 0;
        let of = |side: Side| all.iter().filter(move |(_, stack)| stack.side == side);
        let tallest = |side, kind| {
            let of_kind = of(side).filter(|(_, stack)| stack.kind == kind);
            of_kind.map(|(_, stack)| stack.height).max().unwrap_or(0)
        };
        let count = |side, kind| of(side).filter(|(_, stack)| stack.kind == kind).count() as i32;
        let zone = |side, kind| {
            let of_kind = of(side).filter(|(_, stack)| stack.kind == kind);
            of_kind.filter(|(field, stack)| can_be_captured(position, *field, *stack)).count()
                as i32
        };
        for (field, stack) in of(side) {
            let height = usize::from(stack.height);
            let by_count = number(2, count(side, stack.kind) as usize);
            sum += number(usize::from(is_beginner), height) * by_count;
            let place = match (field.ring(), field.is_corner()) {
                _ if height == 1 => 0,
                (0, true) => {
                    if height == 2 {
                        -10
                    } else {
                        -30
                    }
                }
                (0, false) => 0,
                (1, true) => 10,
                (1, false) => 15,
                (2, true) => 18,
                (2, false) => 25,
                _ => 16,
            };
            sum += 3 * place;
        }
        if is_beginner {
            return sum;
        }
        let highest_enemy = of(!side).map(|(_, stack)| stack.height).max().unwrap();
        let is_secure = |kind: &Kind| tallest(side, *kind) > highest_enemy;
        let secure = Kind::ALL.iter().filter(|kind| is_secure(kind)).count() as i32;
        sum += 25_000 * secure;
        if secure == 3 {
            sum += 500_000;
        }
        if Kind::ALL.iter().all(|kind| tallest(side, *kind) >= 2) {
            sum += 100_000;
        }
        if Kind::ALL.iter().map(|kind| zone(side, *kind)).sum::<i32>() <= 4 {
            sum += 100_000;
        }
        for kind in Kind::ALL {
            let (count, zone, initial) =
                (count(!side, kind), zone(!side, kind), i32::from(kind.initial()));
            sum += zone * (initial - count) / initial;
            if count <= 2 && zone == count {
                let is_at_once = position.side() == side;
                sum += 1_000 * (3 - count) * if is_at_once { 20_000 } else { 1 };
            }
        }
        sum
    };
    standing(WHITE) - standing(BLACK)
}

#[test]
fn the_value_is_what_a_look_at_each_field_finds() {
    let mut most_height = 0;
    let mut threats = 0;
    for seed in 0..300 {
        for position in random_game(&mut rng(seed)) {
            for waltz in [expert(), Waltz::beginner()] {
                let for_white = slow(&position, waltz.is_beginner);
                let value = if position.side() == WHITE { for_white } else { -for_white };
                assert_eq!(waltz.value(&position), value, "{position}");
                threats += i32::from(value.abs() > 10_000_000);
            }
            let heights = stacks(&position).into_iter().map(|(_, stack)| stack.height);
            most_height = heights.max().unwrap().max(most_height);
        }
    }
    // Otherwise the games would say little.
    assert!(most_height >= 6 && threats >= 100, "{most_height} {threats}");
}

#[test]
fn what_is_good_for_white_is_as_good_for_black() {
    for seed in 0..100 {
        let starts = random_game(&mut rng(seed)).into_iter();
        for position in starts.filter(|position| position.phase() == Phase::First) {
            let exchanged = with_colours_exchanged(&position);
            for waltz in [expert(), Waltz::beginner()] {
                assert_eq!(waltz.value(&position), waltz.value(&exchanged), "{position}");
            }
        }
    }
}

/// One piece of each type and side, none of which sees an enemy. White's stand in corners.
const APART: &str = "A1:T E1:A A5:Z B3:t D2:a G3:z";

#[test]
fn single_terms_have_the_numbers_of_the_program() {
    let value = |stacks: &str| expert().value(&position(WHITE, stacks));
    assert_eq!(value(APART), 0);
    // The only Tzaar becomes two pieces high, which is better in spite of the corner; its type is secure.
    let high_tzaar = APART.replace("A5:Z", "A5:Z2");
    assert_eq!(value(&high_tzaar), (100 - 10) * 100 - 3 * 10 + 25_000);
    assert_eq!(value(&APART.replace("A5:Z", "A5:Z3")), (150 - 10) * 100 - 3 * 30 + 25_000);
    let all_high = high_tzaar.replace("A1:T", "A1:T2").replace("E1:A", "E1:A2");
    let each = (100 - 10) * 100 - 3 * 10 + 25_000;
    assert_eq!(value(&all_high), 3 * each + 500_000 + 100_000);
    // A second Tott sees the enemy's only Tzaar, and is seen by it.
    let seen = format!("{APART} I1:T");
    let totts = 2 * 10 * 90 - 10 * 100;
    assert_eq!(value(&seen), totts + 2 * 1_000 * 20_000);
    assert_eq!(expert().value(&position(BLACK, &seen)), -totts - 2 * 1_000);
}

#[test]
fn the_beginner_counts_stacks_by_his_own_numbers() {
    let value = |stacks: &str| Waltz::beginner().value(&position(WHITE, stacks));
    assert_eq!(value(APART), 0);
    assert_eq!(value(&APART.replace("A5:Z", "A5:Z2")), (50 - 10) * 100 - 3 * 10);
    assert_eq!(value(&APART.replace("G3:z", "G3:z14")), -(700 - 10) * 100 - 3 * 18);
    assert_eq!(value(&format!("{APART} I1:T")), 2 * 10 * 90 - 10 * 100);
}

#[test]
fn moves_are_sorted_by_the_numbers_of_the_program() {
    // White's Tzaar sees a Tott that is two high, of which there are two, and the only Tzaar.
    let stacks = "C3:Z2 C5:t2 F2:z A1:T E1:A I5:t H2:a";
    let mut inside = position(WHITE, stacks);
    let score = |position: &Position, text: &str| {
        let (from, to) = text.split_at(2);
        let (from, to) = (from.parse().unwrap(), to[1..].parse().unwrap());
        let step = match &text[2..3] {
            "x" => Step::Capture { from, to },
            _ => Step::Stacking { from, to },
        };
        assert!(position.steps().contains(&step), "{text}");
        MoveOrdering::default().score(position, step)
    };
    assert_eq!(score(&inside, "C3xC5"), 15 - 20 * 2);
    assert_eq!(score(&inside, "C3xF2"), -20);
    inside.play(Step::Capture { from: "C3".parse().unwrap(), to: "C5".parse().unwrap() });
    assert_eq!(score(&inside, "A1+E1"), -(6 + 3));
    let mut steps = inside.steps();
    steps.sort_by_key(|&step| -MoveOrdering::default().score(&inside, step));
    assert_eq!(steps.last(), Some(&Step::Pass));
}

#[test]
fn great_values_keep_their_order_and_small_ones_stay() {
    let values =
        [-130_000_000, -40_000_000, -5_000_064, -5_000_000, -1, 0, 7, 4_999_999, 5_000_000];
    let scores = values.map(Waltz::brought_nearer);
    assert!(scores.is_sorted_by(|a, b| a < b));
    assert!(scores.iter().all(|score| score.0.abs() < 7_500_000));
    assert_eq!(scores[5].0, 0);
    for value in values {
        let back = Waltz::taken_back(Waltz::brought_nearer(value));
        assert!((back - value).abs() < 64, "{value} comes back as {back}");
    }
}

#[test]
fn much_is_to_be_done_where_there_are_many_turns_and_less_by_who_stands_well() {
    // Six stacks: 54 fields are free, for which the program says one turn.
    assert_eq!(expert().initial_numbers(&position(WHITE, APART)), (11, 11));
    let start = Position::fixed_start();
    // Whoever is to move needs one turn; the other must have an answer to each.
    assert_eq!(expert().initial_numbers(&start), (1 + 10, (10 + 1) * 9508));
    let inside =
        random_game(&mut rng(1)).into_iter().find(|position| position.phase() == Phase::Second);
    let inside = inside.unwrap();
    let free = 60 - inside.board().stacks();
    assert_eq!((free, expert().initial_numbers(&inside)), (2, ((10 + 1) * 9000, 1 + 10)));
    // Two types are threatened at once, which the one who threatens will hardly fail to use.
    let threats = "C3:T2 E3:A2 A5:Z C5:t G1:z I4:a";
    let position = position(WHITE, threats);
    assert!(expert().value(&position) > 50_000_000);
    assert_eq!(expert().initial_numbers(&position), (1, 21));
    // As long as it is not to move, nothing is sure.
    let turned = Position::new(*position.board(), BLACK).unwrap();
    assert_eq!(expert().initial_numbers(&turned), (11, 11));
}
