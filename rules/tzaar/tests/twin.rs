//! The rules beside their slow twin: the list of moves at every position of random games, and every value that is kept up
//! with the moves. `./check` plays 1,000 games, `TUSK_LONG=1` 10,000.

mod common;

use std::collections::{BTreeSet, HashMap};

use common::{FIXED, Slow, Task, Taste, long, play_out, positions, rng, start};
use game::Position as _;
use tzaar::{
    BLACK, Board, Field, Kind, Phase, Position, Side, WHITE, branching_factor, distinct_turns, side,
};

fn player(side: Side) -> i32 {
    match side {
        WHITE => 1,
        BLACK => -1,
    }
}

fn sorted_moves(position: &Position) -> Vec<String> {
    let mut moves: Vec<String> = position.steps().iter().map(|step| step.to_string()).collect();
    moves.sort_unstable();
    moves
}

fn assert_same(position: &Position, slow: &Slow) {
    assert_eq!(sorted_moves(position), slow.moves(), "{position}");
    assert_eq!(position.to_string(), slow.numbers());
    let task = match position.phase() {
        Phase::Placing => Task::Place,
        Phase::Opening => Task::OnlyMove,
        Phase::First => Task::FirstMove,
        Phase::Second => Task::SecondMove,
    };
    assert_eq!((player(position.side()), task), (slow.player, slow.task), "{position}");
    assert_eq!(position.turn_starts(), task != Task::SecondMove);
    let ending = position.outcome().map(|end| (player(end.winner), end.reason.name()));
    assert_eq!(ending, slow.ending(), "{position}");
    assert_eq!(position.winner().map(player), slow.ending().map(|(winner, _)| winner));
    assert_same_values(position.board(), slow);
}

/// What is kept up: counts, highest stacks, who can be captured, and the key.
fn assert_same_values(board: &Board, slow: &Slow) {
    assert_eq!(board.stacks(), slow.stacks());
    let attacked = slow.attacked();
    for side in Side::ALL {
        for (kind, number) in Kind::ALL.into_iter().zip(1..) {
            let of = format!("{} {}", side::name(side), kind.name());
            assert_eq!(board.count(side, kind), slow.count(player(side), number), "{of}");
            let tallest = i32::from(board.tallest(side, kind));
            assert_eq!(tallest, slow.tallest(player(side), number), "{of}");
            assert_eq!(board.zone(side, kind), slow.zone(player(side), number, &attacked), "{of}");
        }
    }
    for field in Field::all() {
        let attackers = usize::from(board.attackers(field));
        let name = field.to_string();
        assert_eq!(attackers, attacked.iter().filter(|&&other| other == name).count(), "{field}");
        assert_eq!(board.capturable().has(field), attackers > 0, "{field}");
    }
    let stacks = Field::all().filter_map(|field| Some((field, board.stack_at(field)?)));
    let anew = Board::new(stacks).expect("the same stacks");
    assert_eq!((anew.key(), anew), (board.key(), *board));
}

#[test]
fn the_fixed_start_is_that_of_the_thesis() {
    let slow = Slow::full(FIXED);
    assert_same(&Position::fixed_start(), &slow);
    assert_eq!(slow.numbers(), Position::fixed_start().to_string());
}

#[test]
fn moves_and_values_are_those_of_the_twin_at_every_position_of_random_games() {
    let games = if long() { 10_000 } else { 1_000 };
    let mut rng = rng(1);
    let (mut seen, mut ends) = ([0_u32; 4], HashMap::new());
    let mut tallest = 0;
    for number in 0..games {
        // A tenth begins with an empty board, half of the others with the pieces in any order.
        let start = start(if number % 10 == 0 { 2 } else { number % 2 }, &mut rng);
        let mut slow = Slow::of_start(&start);
        play_out(start, Taste::ALL[number / 10 % 4], &mut rng, |position, step| {
            if let Some(step) = step {
                slow.play(&step.to_string());
            }
            assert_same(position, &slow);
            seen[position.phase() as usize] += 1;
            let heights = Field::all().map(|field| position.board().height(field));
            tallest = tallest.max(heights.max().unwrap_or(0));
        });
        let (winner, reason) = slow.ending().expect("the end");
        *ends.entry((winner, reason)).or_insert(0) += 1;
    }
    // Each phase has been there, games have ended in each way for either side, and stacks have grown.
    assert!(seen.iter().all(|&count| count > games as u32 / 2), "{seen:?}");
    assert_eq!(ends.len(), 4, "{ends:?}");
    assert!(tallest >= 8, "{tallest}");
    println!(
        "{games} games: {seen:?} positions (first, second, opening, placing), ends {ends:?}, highest stack {tallest}"
    );
}

#[test]
fn distinct_turns_lead_to_each_position_that_the_twin_can_reach_once() {
    let count = if long() { 300 } else { 60 };
    let mut most = 0;
    for position in positions(count, 2) {
        if position.phase() == Phase::Placing {
            continue;
        }
        let mut slow = Slow::empty();
        slow.set(&position.to_string());
        let mut reached = BTreeSet::new();
        for first in slow.moves() {
            let mut inside = slow.clone();
            inside.play(&first);
            if inside.task != Task::SecondMove {
                reached.insert(inside.numbers());
                continue;
            }
            for second in inside.moves() {
                let mut end = inside.clone();
                end.play(&second);
                reached.insert(end.numbers());
            }
        }
        let turns = distinct_turns(&position);
        let ends: BTreeSet<String> = turns.iter().map(|(_, end)| end.to_string()).collect();
        assert_eq!(ends.len(), turns.len(), "{position}");
        assert_eq!(ends, reached, "{position}");
        for (turn, end) in &turns {
            assert_eq!(position.play_turn(*turn).as_ref(), Ok(end), "{turn}");
        }
        most = most.max(turns.len());
    }
    assert!(most > 3000, "{most}");
}

#[test]
fn branching_factors_after_the_fixed_start_are_those_of_the_thesis() {
    // Veselý 2013, 1.4: around 5,500 at most with the fixed start; the least of its Table 1.1 at 59 stacks is 4,961.
    let start = Position::fixed_start();
    let counts = distinct_turns(&start).into_iter().map(|(_, end)| branching_factor(&end));
    let counts: Vec<usize> = counts.collect();
    let sum: usize = counts.iter().sum();
    let figures = (counts.iter().min(), counts.iter().max(), counts.len(), sum / counts.len());
    assert_eq!(figures, (Some(&4961), Some(&5462), 42, 5355));
}

#[test]
fn suicides_are_turns_but_do_not_count_as_branches() {
    for position in positions(60, 7) {
        let turns = distinct_turns(&position);
        let lost = turns.iter().filter(|(_, end)| end.winner() == Some(!position.side())).count();
        assert_eq!(branching_factor(&position), turns.len() - lost, "{position}");
    }
}

#[test]
fn positions_that_differ_have_keys_that_differ() {
    let mut rng = rng(3);
    let mut texts: HashMap<game::Key, (String, Phase)> = HashMap::new();
    for number in 0..if long() { 2_000 } else { 200 } {
        let start = start(number % 3, &mut rng);
        play_out(start, Taste::ALL[number / 3 % 4], &mut rng, |position, _| {
            let told = (position.to_string(), position.phase());
            let known = texts.entry(position.key()).or_insert_with(|| told.clone());
            assert_eq!(*known, told);
        });
    }
    assert!(texts.len() > 5_000, "{}", texts.len());
}
