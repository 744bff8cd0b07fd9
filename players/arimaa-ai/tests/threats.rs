//! The defences and threats are those found by trying every turn.
//!
//! The long campaign over small boards, of a number of one's choice:
//!
//! ```text
//! TUSK_LONG=1 TUSK_TACTICS_POSITIONS=1000000 TUSK_TACTICS_SEED=1 \
//!     cargo test -p arimaa-ai --release --test generator small -- --nocapture
//! ```

mod replayed;

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};

use arimaa::{
    Board, Direction, GOLD, Position, Reached, Side, Square, Step, Turn, TurnGenerator, WHOLE_TURN,
};
use arimaa_ai::{ThreatGenerator, Win, win};
use game::Steps;
use rand_chacha::ChaCha8Rng;
use replayed::check_win;
use test_support::{
    Combos, GAMES, Rows, for_each_number, long, number, random_board, rng, shared_boards,
    trap_fight,
};

/// How many wins are looked for by [`win`] alone before the next one is also looked for by the slow
/// twin.
const TRUST: u64 = 1009;

/// Looks for wins, now and then with the twin.
#[derive(Default)]
struct Oracle {
    combos: Combos,
    asked: u64,
}

impl Oracle {
    /// The shortest win.
    fn win(&mut self, board: &Board, side: Side) -> Option<Win> {
        let found = win(board, side, WHOLE_TURN);
        self.asked += 1;
        if self.asked.is_multiple_of(TRUST) {
            let expected = self.combos.find(board, side).win();
            let steps = found.map(|win| win.steps.0);
            assert_eq!(steps, expected, "{}", Position::new(*board, side));
        }
        found
    }
}

/// Tries every turn, and looks for the wins after it from nothing; and who is compared with that.
#[derive(Default)]
struct Judge {
    generator: TurnGenerator,
    oracle: Oracle,
    threats: ThreatGenerator,
}

impl Judge {
    /// The turns after which the enemy has nothing, and how many turns there are.
    fn defences(&mut self, board: &Board, side: Side) -> (Vec<Reached>, usize) {
        let turns = self.generator.distinct(board, side);
        let defends = |reached: &&Reached| {
            let after = after(board, reached.turn);
            after.has_goal(side)
                || after.rabbits(!side).is_empty()
                || self.oracle.win(&after, !side).is_none()
        };
        (turns.iter().filter(defends).copied().collect(), turns.len())
    }

    /// The turns after which the side has a win, with its steps, and how many turns there are.
    fn threats(&mut self, board: &Board, side: Side) -> (Vec<(Reached, Steps)>, usize) {
        let turns = self.generator.distinct(board, side);
        let threat = |&reached: &Reached| {
            let after = after(board, reached.turn);
            if Side::ALL.into_iter().any(|side| has_won(&after, side)) {
                return None;
            }
            let win = self.oracle.win(&after, side)?;
            Some((reached, win.steps))
        };
        (turns.iter().filter_map(threat).collect(), turns.len())
    }
}

fn after(board: &Board, turn: Turn) -> Board {
    let mut after = *board;
    turn.steps().for_each(|step| after.play(step, &mut ()));
    after
}

fn has_won(board: &Board, side: Side) -> bool {
    board.has_goal(side) || board.rabbits(!side).is_empty()
}

/// How much was compared.
#[derive(Default)]
struct Tally {
    positions: AtomicU64,
    turns: AtomicU64,
    /// Positions of which no turn is what is looked for, some are, and all are.
    none: AtomicU64,
    some: AtomicU64,
    all: AtomicU64,
}

impl Tally {
    fn add(&self, found: usize, turns: usize) {
        let count = match found {
            0 => &self.none,
            _ if found < turns => &self.some,
            _ => &self.all,
        };
        count.fetch_add(1, Ordering::Relaxed);
        self.positions.fetch_add(1, Ordering::Relaxed);
        self.turns.fetch_add(turns as u64, Ordering::Relaxed);
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Tally { positions, turns, none, some, all } = self;
        write!(
            f,
            "{positions:?} positions, {turns:?} turns; of {none:?} positions no turn is one, of \
             {some:?} some are, of {all:?} all"
        )
    }
}

/// Where two lists of turns differ first: the turn, and whether it should be there.
fn first_difference(expected: &[Reached], found: &[Reached]) -> Option<(Turn, bool)> {
    let missing = expected.iter().find(|reached| !found.contains(reached));
    let surplus = found.iter().find(|reached| !expected.contains(reached));
    missing.map(|reached| (reached.turn, true)).or(surplus.map(|reached| (reached.turn, false)))
}

/// Compares the defences of a side.
fn check_defences(
    judge: &mut Judge,
    board: &Board,
    side: Side,
    source: &dyn fmt::Display,
    tally: &Tally,
) {
    let (expected, turns) = judge.defences(board, side);
    let found = judge.threats.defences(board, side);
    let position = Position::new(*board, side);
    assert!(
        found == expected,
        "{position} ({source}): {} defences, expected {}; a turn and whether it is one: {:?}",
        found.len(),
        expected.len(),
        first_difference(&expected, found)
    );
    let has_defence = judge.threats.has_defence(board, side);
    assert_eq!(has_defence, !expected.is_empty(), "{position} ({source})");
    tally.add(expected.len(), turns);
}

/// Compares the threats of a side.
fn check_threats(
    judge: &mut Judge,
    board: &Board,
    side: Side,
    source: &dyn fmt::Display,
    tally: &Tally,
) {
    let (expected, turns) = judge.threats(board, side);
    let threats = judge.threats.threats(board, side);
    let position = Position::new(*board, side);
    let found = threats.iter().map(|threat| (threat.reached, threat.win.steps));
    assert!(found.eq(expected.iter().copied()), "{position} ({source})");
    for threat in threats {
        let after = after(board, threat.reached.turn);
        let steps = check_win(&after, side, Some(threat.win), |board| has_won(board, side));
        assert_eq!(steps, Ok(Some(threat.win.steps.0)), "{position} ({source}) {threat:?}");
    }
    tally.add(expected.len(), turns);
}

/// Whether a board has something to defend against, or is one of the few others that are looked at.
fn is_of_interest(board: &Board, side: Side, number: u64) -> bool {
    number.is_multiple_of(16) || win(board, !side, WHOLE_TURN).is_some()
}

/// Compares both sides' defences on so many boards, where they are of interest.
fn compare_defences<S: fmt::Display>(
    count: u64,
    board: impl Fn(u64) -> (Board, S) + Sync,
) -> Tally {
    let tally = Tally::default();
    let work = |judge: &mut Judge, number| {
        let (board, source) = board(number);
        for side in Side::ALL.into_iter().filter(|&side| is_of_interest(&board, side, number)) {
            check_defences(judge, &board, side, &source, &tally);
        }
    };
    for_each_number(count, work, || println!("so far: {tally}"));
    println!("defences compared: {tally}");
    tally
}

/// A board of random ones, with the seed that makes it again.
fn seeded(make: fn(&mut ChaCha8Rng) -> Board, seed: u64) -> (Board, String) {
    (make(&mut rng(seed)), format!("seed {seed}"))
}

/// Compares the defences on one board in `stride`.
fn compare_defences_on(boards: &[Board], stride: usize) {
    let count = boards.len().div_ceil(stride) as u64;
    compare_defences(count, |number| (boards[number as usize * stride], "a game"));
}

#[test]
fn the_defences_in_games_are_found() {
    compare_defences_on(&GAMES, if long() { 1 } else { 5 });
}

#[test]
fn the_defences_of_random_boards_are_found() {
    compare_defences(if long() { 50_000 } else { 500 }, |number| seeded(random_board, number));
}

#[test]
fn the_defences_of_small_fights_are_found() {
    let boards = if long() { number("TUSK_TACTICS_POSITIONS", 150_000) } else { 4_000 };
    // Each campaign and each board has a seed of its own, whatever the threads do.
    let first = number("TUSK_TACTICS_SEED", 0) << 40;
    let tally = compare_defences(boards, |number| seeded(trap_fight, first + number));
    let Tally { none, some, all, .. } = tally;
    assert!([none, some, all].into_iter().all(|count| count.into_inner() > 0));
}

#[test]
fn the_threats_are_found() {
    let tally = Tally::default();
    let count = if long() { 20_000 } else { 400 };
    let work = |judge: &mut Judge, number: u64| {
        let (board, source) = match number % 8 {
            // Far apart in the games.
            0 => (GAMES[number as usize * 7919 % GAMES.len()], "a game".to_string()),
            1..=2 => seeded(random_board, number),
            _ => seeded(trap_fight, number),
        };
        let side = Side::ALL[(number / 8 % 2) as usize];
        check_threats(judge, &board, side, &source, &tally);
    };
    for_each_number(count, work, || println!("so far: {tally}"));
    println!("threats compared: {tally}");
    assert!(tally.none.into_inner() > 0 && tally.some.into_inner() > 0);
}

/// The defences of Gold on a drawn board, after they were compared.
fn defences_of_gold(board: &str) -> Vec<Turn> {
    let (board, mut judge) = (board.parse().unwrap(), Judge::default());
    check_defences(&mut judge, &board, GOLD, &"by hand", &Tally::default());
    judge.threats.defences(&board, GOLD).iter().map(|reached| reached.turn).collect()
}

#[test]
fn a_goal_is_a_defence_that_touches_nothing_of_the_threat() {
    let board = "
         +-----------------+
        8| . . . . . . . . |
        7| R . . . . . . . |
        6| . . x . . x . . |
        5| . . . . . . . . |
        4| . . . . . . . . |
        3| . . x . . x . . |
        2| . . . . . . . r |
        1| C . . . . . . . |
         +-----------------+
           a b c d e f g h
    ";
    let goal = Turn::EMPTY.then(Step::single(Square::A7, Direction::North));
    assert!(defences_of_gold(board).contains(&goal));
}

#[test]
fn to_push_a_rabbit_on_its_goal_spoils_no_other_turn() {
    let board = "
         +-----------------+
        8| r . . . . . . . |
        7| . . . . . . . . |
        6| . . x . . x . . |
        5| . . . . . . . . |
        4| . . . . . . . . |
        3| . . x . E x . . |
        2| . . . . r . . . |
        1| R . . . . . . . |
         +-----------------+
           a b c d e f g h
    ";
    let push = Turn::EMPTY.then(Step::push(Square::E3, Direction::South, Direction::South));
    let pull = Step::pull(Square::E3, Direction::South, Direction::North);
    let pulls =
        Turn::EMPTY.then(pull).then(Step::pull(Square::E4, Direction::South, Direction::North));
    let defences = defences_of_gold(board);
    assert!(!defences.contains(&push));
    assert!(defences.contains(&pulls));
}

#[test]
fn to_lose_a_rabbit_spoils_no_turn_that_keeps_it() {
    let board = "
         +-----------------+
        8| r . . . . . . . |
        7| . . . . . . . . |
        6| . . x . . x R e |
        5| . . . . . . . . |
        4| . . . . . . . . |
        3| . R x . . x . . |
        2| . . . . . . . . |
        1| . . . . . . . . |
         +-----------------+
           a b c d e f g h
    ";
    let single = |direction| Turn::EMPTY.then(Step::single(Square::B3, direction));
    let defences = defences_of_gold(board);
    assert!(!defences.contains(&single(Direction::East)));
    assert!(defences.contains(&single(Direction::West)));
}

/// Finds no defence against the turns in a column of a table of wins in two turns.
fn compare_key_turns(table: &Rows, column: &str) {
    let mut generator = ThreatGenerator::new();
    let mut refuted = Vec::new();
    for (start, row) in table.positions() {
        let turn = Turn::parse(table.cell(row, column), &start).unwrap();
        let mut after = start;
        after.try_play_turn(turn).unwrap_or_else(|error| panic!("{start}: {error}"));
        let defences = generator.defences(after.board(), after.side());
        if let Some(defence) = defences.first() {
            refuted.push(format!("{start}: {} defences, {:?}", defences.len(), defence.turn));
        }
        let has_none = defences.is_empty();
        assert_eq!(generator.has_defence(after.board(), after.side()), !has_none, "{start}");
    }
    assert!(refuted.is_empty(), "{refuted:#?}");
}

#[test]
fn nothing_defends_against_the_best_turns_of_the_puzzles() {
    compare_key_turns(&Rows::own("puzzles/win-in-2.tsv"), "best");
}

mod shared_data {
    use super::*;

    #[test]
    #[ignore = "needs TUSK_DATA"]
    fn the_defences_in_games_are_found() {
        compare_defences_on(&shared_boards(), if long() { 1 } else { 97 });
    }

    #[test]
    #[ignore = "needs TUSK_DATA"]
    fn nothing_defends_against_the_key_moves_of_the_tables() {
        for name in ["arimaa/win2_puzzles.tsv", "arimaa/win2_engine.tsv"] {
            compare_key_turns(&Rows::shared(name), "key_move");
        }
    }
}
