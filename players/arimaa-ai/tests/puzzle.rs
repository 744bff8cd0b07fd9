//! A puzzle has exactly one solution, and says how hard it is.

use std::collections::HashSet;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use arimaa::{Board, GOLD, Kind, Piece, Position, Side, Square, Turn, WHOLE_TURN};
use arimaa_ai::{Puzzle, PuzzleFinder, PuzzleResult, Solver, SolverTask, win};
use game::{History, Proof, Turns};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use search::{Limits, Stop};
use test_support::{for_each_number, long, rng};

/// The positions after all turns, by playing every step.
fn all_turns(position: &Position) -> Vec<Position> {
    let (mut inside, mut after) = (vec![*position], Vec::new());
    let (mut seen, mut boards) = (HashSet::new(), HashSet::new());
    while let Some(before) = inside.pop() {
        for step in before.steps() {
            let mut next = before;
            next.play_unchecked(step);
            if next.side() != position.side() {
                if boards.insert(*next.board()) {
                    after.push(next);
                }
            } else if seen.insert((*next.board(), next.steps_left())) {
                inside.push(next);
            }
        }
    }
    after
}

fn has_won(position: &Position, side: Side) -> bool {
    let board = position.board();
    board.has_goal(side) || board.rabbits(!side).is_empty()
}

/// Whether the side to move can win with its turn: that has been compared with all turns elsewhere.
fn wins_at_once(position: &Position) -> bool {
    win(position.board(), position.side(), WHOLE_TURN).is_some()
}

/// The boards after the turns that win in two turns: none of the enemy's wins, and each allows a win.
fn wins_in_two(position: &Position) -> Vec<Board> {
    let side = position.side();
    let is_answered =
        |reply: &Position| !has_won(reply, !side) && (has_won(reply, side) || wins_at_once(reply));
    let wins =
        |after: &Position| !has_won(after, !side) && all_turns(after).iter().all(is_answered);
    all_turns(position).iter().filter(|after| wins(after)).map(|after| *after.board()).collect()
}

/// Few pieces, of which a rabbit of the side to move has come far.
fn small_position(rng: &mut ChaCha8Rng) -> Position {
    let side = Side::ALL[rng.random_range(0..2)];
    let mut board = Board::EMPTY;
    let mut put = |side, kind, squares: std::ops::Range<usize>| {
        let square = Square::new(rng.random_range(squares)).unwrap();
        if board.piece_at(square).is_none() {
            board.put(Piece { side, kind }, square);
        }
    };
    // As Gold sees it, from a1.
    put(GOLD, Kind::Rabbit, 16..40);
    put(GOLD, Kind::Rabbit, 16..40);
    put(GOLD, Kind::Horse, 24..64);
    put(!GOLD, Kind::Rabbit, 32..64);
    put(!GOLD, Kind::Cat, 40..64);
    put(!GOLD, Kind::Camel, 32..64);
    for square in board.unsupported() {
        board.take(square);
    }
    Position::new(if side == GOLD { board } else { board.mirrored() }, side)
}

fn played(position: &Position, turn: Turn) -> Position {
    let mut after = *position;
    after.try_play_turn(turn).unwrap();
    after
}

#[test]
fn a_puzzle_in_two_has_exactly_one_solution() {
    let counts = [const { AtomicU64::new(0) }; 3];
    let count = if long() { 50_000 } else { 1_600 };
    let work = |(): &mut (), number: u64| {
        let position = small_position(&mut rng(number));
        if position.outcome().is_some() || wins_at_once(&position) {
            return;
        }
        let result = PuzzleFinder::new(1).find(&position, Turns(2), &Limits::default());
        // Most positions have no win or several, and to see that takes long.
        if !matches!(result, PuzzleResult::Puzzle(_)) && !number.is_multiple_of(16) {
            return;
        }
        let solutions = wins_in_two(&position);
        let is_over = |board: &Board| Position::new(*board, !position.side()).outcome().is_some();
        match result {
            PuzzleResult::NoWin => assert_eq!(solutions, [], "{position}"),
            PuzzleResult::Won => {
                assert!(solutions.len() > 1 || is_over(&solutions[0]), "{position}")
            }
            PuzzleResult::Puzzle(puzzle) => {
                let solved = *played(&position, puzzle.solution).board();
                assert_eq!(solutions, [solved], "{position}");
                assert_eq!(puzzle.turns, Turns(2));
            }
        }
        let kind = match result {
            PuzzleResult::NoWin => 0,
            PuzzleResult::Won => 1,
            PuzzleResult::Puzzle(_) => 2,
        };
        counts[kind].fetch_add(1, Ordering::Relaxed);
    };
    for_each_number(count, work, || println!("so far: {counts:?}"));
    println!("{counts:?} without a win, with several, with one");
    assert!(counts.into_iter().all(|count| count.into_inner() > 0));
}

fn puzzle(position: &str, turns: u16, tries: usize, sacrifices: usize) -> Puzzle {
    let position: Position = position.parse().unwrap();
    Puzzle { position, solution: Turn::EMPTY, turns: Turns(turns), tries, sacrifices }
}

#[test]
fn a_grade_grows_with_all_that_makes_a_puzzle_hard() {
    let small = "g [r                                              R                ]";
    let large = "g [rrrrrrrrhdcemcdh                                HDCMECDHRRRRRRRR]";
    let grades = |position| {
        [(2, 0, 0), (2, 1000, 0), (2, 0, 1), (3, 0, 0), (3, 1000, 2), (4, 0, 0), (4, 1000, 1)]
            .map(|(turns, tries, sacrifices)| puzzle(position, turns, tries, sacrifices).grade())
    };
    assert_eq!(grades(small), [1, 2, 2, 2, 4, 3, 5]);
    assert_eq!(grades(large), [2, 3, 3, 3, 5, 4, 5]);
}

/// The rows of our own collection, with the name of the file.
fn collection() -> Vec<(String, Vec<String>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../positions/puzzles");
    let mut files: Vec<_> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let mut rows = Vec::new();
    for file in files {
        let text = std::fs::read_to_string(&file).unwrap();
        let mut lines = text.lines().filter(|line| !line.starts_with('#'));
        let header = "position\tturns\tbest\ttries\tsacrifices\tpieces\tgrade\tgame\tturn";
        assert_eq!(lines.next(), Some(header));
        let name = file.file_name().unwrap().to_string_lossy().into_owned();
        rows.extend(lines.map(|line| {
            (name.clone(), line.split('\t').map(str::to_string).collect::<Vec<String>>())
        }));
    }
    rows
}

#[test]
fn the_puzzles_of_the_collection_are_puzzles() {
    let stride = if long() { 1 } else { 10 };
    let (mut finder, mut solver) = (PuzzleFinder::new(16), Solver::new(16, 1));
    let mut seen = HashSet::new();
    for (index, (file, row)) in collection().into_iter().enumerate() {
        let [position, turns, best, tries, sacrifices, pieces, grade, ..] = &row[..] else {
            panic!("{file}: {row:?}")
        };
        assert!(seen.insert(position.clone()), "{file}: {position} is there twice");
        assert_eq!(file, format!("win-in-{turns}.tsv"));
        if index % stride != 0 {
            continue;
        }
        let position: Position = position.parse().unwrap();
        let most = Turns(turns.parse().unwrap());
        let solved = played(&position, Turn::parse(best, &position).unwrap());

        let PuzzleResult::Puzzle(puzzle) = finder.find(&position, most, &Limits::default()) else {
            panic!("{position} is no puzzle")
        };
        let told = [puzzle.tries, puzzle.sacrifices, puzzle.pieces(), puzzle.grade()];
        assert_eq!(
            told.map(|number| number.to_string()),
            [tries, sacrifices, pieces, grade].map(String::clone)
        );
        assert_eq!((puzzle.turns, played(&position, puzzle.solution)), (most, solved));

        let mut past = History::default();
        past.push(position.repetition_key());
        let (limits, stop) = (Limits::default(), Stop::new());
        let task =
            SolverTask { position: &position, past: &past, limits, turns: most, stop: &stop };
        solver.forget();
        let finding = solver.solve(&task, &mut |_| ());
        assert_eq!(finding.proof, Some(Proof::Win(most)), "{position}");
        let turn = finding.turn.map(|turn| played(&position, turn));
        assert_eq!(turn, Some(solved), "{position}");
    }
    assert!(!seen.is_empty());
}
