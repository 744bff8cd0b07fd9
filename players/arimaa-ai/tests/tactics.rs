//! What a turn can win is what a twin finds that plays out everything.
//!
//! The long campaign, with a number of positions and of the campaign of one's choice:
//!
//! ```text
//! TUSK_LONG=1 TUSK_TACTICS_POSITIONS=20000000 TUSK_TACTICS_SEED=1 \
//!     cargo test -p arimaa-ai --release --test tactics random -- --nocapture
//! ```

mod replayed;

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};

use arimaa::{Board, Position, Side, Square};
use arimaa_ai::{Capture, captures, elimination, goal, win};
use game::Steps;
use replayed::{check_win, replay};
use test_support::{
    Combos, GAMES, Rows, Tactics, for_each_number, long, number, random_board, rng, scattered,
    shared_boards, slowest,
};

/// Checks that a capture's turn is legal and does what the capture says.
fn check_capture(board: &Board, side: Side, capture: &Capture) -> Result<(), String> {
    let replayed = replay(board, side, capture.turn)?;
    let said = (Some(capture.piece), capture.steps, usize::from(capture.lost));
    let lost = board.of(side).len() - replayed.board.of(side).len();
    let done = (board.piece_at(capture.square), replayed.cost, lost);
    if said != done {
        return Err(format!("{capture:?}: piece, steps and loss are {done:?}"));
    }
    if capture.piece.side == side {
        return Err(format!("{capture:?}: an own piece"));
    }
    if !replayed.taken.contains(&(capture.square, capture.trap)) {
        return Err(format!("{capture:?}: the last step takes {:?}", replayed.taken));
    }
    Ok(())
}

/// What the routines under test find, if every turn of theirs does what it says.
fn found(board: &Board, side: Side, steps: Steps) -> Result<Tactics, String> {
    let eliminated = |board: &Board| board.rabbits(!side).is_empty();
    let has_goal = |board: &Board| board.has_goal(side);
    let mut tactics = Tactics {
        goal: check_win(board, side, goal(board, side, steps), has_goal)?,
        elimination: check_win(board, side, elimination(board, side, steps), eliminated)?,
        ..Tactics::default()
    };
    for capture in captures(board, side, steps) {
        check_capture(board, side, &capture)?;
        let key = (capture.square, capture.trap);
        if tactics.captures.insert(key, (capture.steps.0, capture.lost.into())).is_some() {
            return Err(format!("{capture:?} is there twice"));
        }
    }
    let won = |board: &Board| has_goal(board) || eliminated(board);
    let least = check_win(board, side, win(board, side, steps), won)?;
    let expected = [tactics.goal, tactics.elimination].into_iter().flatten().min();
    if least != expected {
        return Err(format!("{tactics:?}, but a win takes {least:?}"));
    }
    Ok(tactics)
}

/// Checks a side's tactics for every number of steps; returns those of a whole turn.
fn check(combos: &mut Combos, board: &Board, side: Side, source: &dyn fmt::Display) -> Tactics {
    let whole = combos.find(board, side);
    for steps in 1..=4 {
        let (expected, found) = (whole.within(steps), found(board, side, Steps(steps)));
        if found.as_ref() != Ok(&expected) {
            let position = Position::new(*board, side);
            let found = found.map_or_else(|error| error, |found| format!("{found:?}"));
            panic!("{position} ({source})\n{steps} steps\nexpected {expected:?}\n   found {found}");
        }
    }
    whole
}

/// How often there was something to find.
#[derive(Default)]
struct Tally {
    positions: AtomicU64,
    /// By the steps.
    goals: [AtomicU64; 5],
    eliminations: [AtomicU64; 5],
    captures: [AtomicU64; 5],
    /// By the own pieces lost.
    losses: [AtomicU64; 5],
}

impl Tally {
    fn add(&self, tactics: &Tactics) {
        let count = |counts: &[AtomicU64; 5], number: usize| {
            counts[number].fetch_add(1, Ordering::Relaxed);
        };
        self.positions.fetch_add(1, Ordering::Relaxed);
        tactics.goal.into_iter().for_each(|steps| count(&self.goals, steps.into()));
        tactics.elimination.into_iter().for_each(|steps| count(&self.eliminations, steps.into()));
        for &(steps, lost) in tactics.captures.values() {
            count(&self.captures, steps.into());
            count(&self.losses, lost);
        }
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Tally { positions, goals, eliminations, captures, losses } = self;
        write!(
            f,
            "{positions:?} positions; by steps: goals {goals:?}, eliminations {eliminations:?}, \
             captures {captures:?}; captures by own losses: {losses:?}"
        )
    }
}

/// Compares both sides' tactics on so many boards.
fn compare<S: fmt::Display>(count: u64, board: impl Fn(u64) -> (Board, S) + Sync) {
    let tally = Tally::default();
    let work = |combos: &mut Combos, number| {
        let (board, source) = board(number);
        for side in Side::ALL {
            tally.add(&check(combos, &board, side, &source));
        }
    };
    for_each_number(count, work, || println!("so far: {tally}"));
    println!("compared: {tally}");
}

/// The cell of a table: a number of steps, or none.
fn cell(text: &str) -> Option<u8> {
    (text != "-").then(|| text.parse().unwrap())
}

/// A board for the slowest rules and how many steps they can follow it in bearable time: all four
/// with few pieces, else three.
fn board_for_slowest(number: u64) -> (Board, usize) {
    let mut rng = rng(number);
    let board = if number.is_multiple_of(2) { random_board(&mut rng) } else { scattered(&mut rng) };
    let sparse = Side::ALL.into_iter().all(|side| board.of(side).len() <= 5);
    (board, if sparse { 4 } else { 3 })
}

#[test]
fn the_combos_are_those_of_the_slowest_rules() {
    let count = if long() { 200_000 } else { 600 };
    // Whole turns on crowded boards are few: they take the longest.
    let dense = if long() { 400 } else { 4 };
    let compared: [AtomicU64; 5] = Default::default();
    let work = |combos: &mut Combos, number: u64| {
        let (board, most) = board_for_slowest(number);
        let most = if number < dense { 4 } else { most };
        let side = Side::ALL[(number / 2 % 2) as usize];
        let expected = slowest(&board, side, most);
        let found = combos.find(&board, side).within(most as u8);
        assert_eq!(found, expected, "{} {most} steps", Position::new(board, side));
        compared[most].fetch_add(1, Ordering::Relaxed);
    };
    let progress = || println!("so far, by steps: {compared:?}");
    for_each_number(count, work, progress);
    println!("compared, by the steps that were followed: {compared:?}");
}

/// Compares the goals of the mover with a column of a table, or those of the opponent.
fn compare_goals(table: &Rows, column: &str, of_opponent: bool) {
    let mut combos = Combos::default();
    for (position, row) in table.positions() {
        let side = if of_opponent { !position.side() } else { position.side() };
        let tactics = check(&mut combos, position.board(), side, &"table");
        assert_eq!(tactics.goal, cell(table.cell(row, column)), "{position}");
    }
}

/// Compares the tactics on one board in `stride`.
fn compare_on(boards: &[Board], stride: usize) {
    let count = boards.len().div_ceil(stride) as u64;
    compare(count, |number| (boards[number as usize * stride], "a game"));
}

#[test]
fn the_goals_of_the_table_are_found() {
    let table = Rows::own("arimaa/turns.tsv");
    compare_goals(&table, "steps_to_goal", false);
    compare_goals(&table, "opponent_steps_to_goal", true);
}

#[test]
fn the_tactics_in_games_are_found() {
    compare_on(&GAMES, 1);
}

mod shared_data {
    use super::*;

    #[test]
    #[ignore = "needs TUSK_DATA"]
    fn the_goals_of_the_tables_are_found() {
        let table = Rows::shared("arimaa/turns.tsv");
        compare_goals(&table, "steps_to_goal", false);
        compare_goals(&table, "opponent_steps_to_goal", true);
        compare_goals(&Rows::shared("arimaa/goal_in_one.tsv"), "steps_to_goal", false);
    }

    #[test]
    #[ignore = "needs TUSK_DATA"]
    fn the_tactics_in_games_are_found() {
        compare_on(&shared_boards(), if long() { 1 } else { 37 });
    }
}

#[test]
fn the_tactics_of_random_boards_are_found() {
    let positions = if long() { number("TUSK_TACTICS_POSITIONS", 2_000_000) } else { 150_000 };
    // Each campaign and each board has a seed of its own, whatever the threads do.
    let first = number("TUSK_TACTICS_SEED", 0) << 40;
    compare(positions.div_ceil(2), |number| {
        let seed = first + number;
        (random_board(&mut rng(seed)), format!("seed {seed}"))
    });
}

#[test]
fn a_won_board_takes_no_step() {
    let position: Position =
        "g [   R      r                                                  E  ]".parse().unwrap();
    let (board, mut combos) = (position.board(), Combos::default());
    assert_eq!(check(&mut combos, board, arimaa::GOLD, &"by hand").goal, Some(0));
    let mut bare = *board;
    bare.take(Square::C7);
    assert_eq!(bare.rabbits(arimaa::SILVER).len(), 0);
    assert_eq!(check(&mut combos, &bare, arimaa::GOLD, &"by hand").elimination, Some(0));
}
