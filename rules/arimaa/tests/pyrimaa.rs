//! The rules against pyrimaa, an independent implementation of them in Python.
//!
//! `TUSK_PYTHON` names an interpreter that has pyrimaa. `./check` installs one and runs these tests; they are ignored
//! otherwise.
//! A sample of the positions is compared, or with `TUSK_LONG=1` the steps of all of them.

use std::env;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use arimaa::side::letter;
use arimaa::{
    Army, Board, GOLD, Game, Kind, Picture, Piece, Position, SILVER, Setup, Step, TurnGenerator,
};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use test_support::Rows;

const JUDGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/pyrimaa_judge.py");

#[test]
#[ignore = "needs pyrimaa"]
fn the_steps_of_random_games_are_pyrimaas() {
    let mut judge = Judge::start();
    compare_steps(&mut judge, &random_positions());
    judge.finish("steps of random games");
}

#[test]
#[ignore = "needs pyrimaa"]
fn the_steps_of_engines_games_are_pyrimaas() {
    let mut judge = Judge::start();
    compare_steps(&mut judge, &archive_positions(&Rows::own("arimaa/games.txt")));
    judge.finish("steps of engines' games");
}

#[test]
#[ignore = "needs pyrimaa"]
fn the_turns_of_random_games_are_pyrimaas() {
    let mut judge = Judge::start();
    compare_turns(&mut judge, random_positions().iter().step_by(stride(2000, 50)));
    judge.finish("turns of random games");
}

#[test]
#[ignore = "needs pyrimaa"]
fn the_turns_of_sparse_positions_are_pyrimaas() {
    let mut judge = Judge::start();
    let mut positions = random_positions();
    positions.retain(|position| position.board().occupied().len() <= 10);
    compare_turns(&mut judge, positions.iter().step_by(stride(10, 1)));
    judge.finish("turns of sparse positions");
}

#[test]
#[ignore = "needs pyrimaa"]
fn the_turns_of_engines_games_are_pyrimaas() {
    let mut judge = Judge::start();
    let positions = archive_positions(&Rows::own("arimaa/games.txt"));
    compare_turns(&mut judge, positions.iter().step_by(stride(500, 20)));
    judge.finish("turns of engines' games");
}

mod shared_data {
    use super::*;

    const ARCHIVE: &str = "arimaa/archive/allgames202602.txt";

    #[test]
    #[ignore = "needs TUSK_DATA"]
    fn the_steps_of_archive_games_are_pyrimaas() {
        let mut judge = Judge::start();
        compare_steps(&mut judge, &archive_positions(&Rows::shared(ARCHIVE)));
        judge.finish("steps of archive games");
    }

    #[test]
    #[ignore = "needs TUSK_DATA"]
    fn the_turns_of_archive_games_are_pyrimaas() {
        let mut judge = Judge::start();
        let positions = archive_positions(&Rows::shared(ARCHIVE));
        compare_turns(&mut judge, positions.iter().step_by(stride(2000, 50)));
        judge.finish("turns of archive games");
    }
}

/// Every how manyth position is compared, in a sample and in a long run.
fn stride(sample: usize, long: usize) -> usize {
    if env::var_os("TUSK_LONG").is_some() { long } else { sample }
}

/// The positions of 200 games of random turns, each at the start of a turn.
fn random_positions() -> Vec<Position> {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    (0..200).flat_map(|_| turn_starts(&random_game(&mut rng))).collect()
}

fn random_game(rng: &mut ChaCha8Rng) -> Game {
    let mut game = Game::new();
    for side in [GOLD, SILVER] {
        game.set_up(Setup::random(side, rng)).expect("a setup in its turn");
    }
    while let Some(turn) = game.random_turn(rng) {
        game.try_play(turn).expect("a legal turn");
    }
    game
}

/// The positions of an archive's games, each at the start of a turn.
fn archive_positions(archive: &Rows) -> Vec<Position> {
    let read = |record: String| {
        Game::parse(&record, Army::Full).unwrap_or_else(|error| panic!("{error}: {record}"))
    };
    archive.archived_records().map(read).flat_map(|game| turn_starts(&game)).collect()
}

/// The positions after the setups, with the last one of the game.
fn turn_starts(game: &Game) -> Vec<Position> {
    let before = game.actions().map(|(position, _)| *position).skip(2);
    before.chain([*game.position()]).collect()
}

/// Compares at the start of turns, always where the game has ended, and inside a random turn.
fn compare_steps(judge: &mut Judge, starts: &[Position]) {
    let mut rng = ChaCha8Rng::seed_from_u64(2);
    let stride = stride(5, 1);
    for (index, start) in starts.iter().enumerate() {
        if index % stride == 0 || start.outcome().is_some() {
            compare_steps_of_a_turn(judge, start, &mut rng);
        }
    }
}

fn compare_steps_of_a_turn(judge: &mut Judge, start: &Position, rng: &mut ChaCha8Rng) {
    let (mut before, mut position) = (*start, *start);
    while position.side() == start.side() {
        let steps = judge.compare_steps(&position, start.board());
        // Going back half the time leads to where a last step would leave the board unchanged.
        let back = steps.iter().find(|&&step| after(&position, step) == *before.board());
        let next = match back {
            Some(&step) if rng.random() => step,
            _ if steps.is_empty() => break,
            _ => steps[rng.random_range(0..steps.len())],
        };
        before = position;
        position.try_play(next).expect("a legal step");
    }
}

/// Takes pyrimaa some 60 µs for each turn of a position (measured 2026-11), often a second in all.
fn compare_turns<'a>(judge: &mut Judge, positions: impl Iterator<Item = &'a Position>) {
    let mut generator = TurnGenerator::new();
    for position in positions {
        judge.compare_turns(position, &mut generator);
    }
}

fn after(position: &Position, step: Step) -> Board {
    let mut position = *position;
    position.play_unchecked(step);
    *position.board()
}

/// The child process that asks pyrimaa.
struct Judge {
    child: Child,
    questions: ChildStdin,
    answers: BufReader<ChildStdout>,
    positions: usize,
    compared: usize,
}

impl Judge {
    fn start() -> Judge {
        let python = env::var_os("TUSK_PYTHON").expect("TUSK_PYTHON names a Python with pyrimaa");
        let mut child = Command::new(&python)
            .arg(JUDGE)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap_or_else(|error| panic!("TUSK_PYTHON={}: {error}", python.display()));
        let questions = child.stdin.take().expect("a pipe");
        let answers = BufReader::new(child.stdout.take().expect("a pipe"));
        Judge { child, questions, answers, positions: 0, compared: 0 }
    }

    /// Compares the steps of a position and its outcome; returns the steps without the pass.
    fn compare_steps(&mut self, position: &Position, start: &Board) -> Vec<Step> {
        let mut steps = position.steps();
        steps.retain(|&step| step != Step::PASS);
        let end = position.outcome().map_or("none".to_string(), |outcome| {
            format!("{}-{}", letter(outcome.winner), outcome.reason.name())
        });
        let mut question = format!(
            "steps {} {} {} {} {end}",
            letter(position.side()),
            position.steps_left().0,
            bitboards(position.board()),
            bitboards(start),
        );
        for &step in &steps {
            let moves: Vec<String> = step.moves().map(|(from, to)| format!("{from}{to}")).collect();
            let board = bitboards(&after(position, step));
            question += &format!(" {}={board}", moves.join(","));
        }
        self.ask(&question, position);
        steps
    }

    /// Compares the boards that the turns of a position lead to.
    fn compare_turns(&mut self, position: &Position, generator: &mut TurnGenerator) {
        let (side, board) = (position.side(), position.board());
        let mut question = format!("turns {} {}", letter(side), bitboards(board));
        for reached in generator.distinct(board, side) {
            let mut after = *position;
            after.try_play_turn(reached.turn).expect("a legal turn");
            question += &format!(" {}", bitboards(after.board()));
        }
        self.ask(&question, position);
    }

    /// The judge reads all of a question before it answers: neither waits for the other forever.
    fn ask(&mut self, question: &str, position: &Position) {
        let mut answer = String::new();
        writeln!(self.questions, "{question}").expect("the judge has ended: it tells why");
        self.answers.read_line(&mut answer).expect("an answer in UTF-8");
        let agreed = answer.trim_end().strip_prefix("ok ").and_then(|count| count.parse().ok());
        let Some(count): Option<usize> = agreed else {
            let (side, board) = (Some(position.side()), *position.board());
            let picture = Picture { number: None, side, board };
            let left = position.steps_left().0;
            panic!("{position}, {left} steps left:\n{picture}\nthe judge: {answer}");
        };
        self.positions += 1;
        self.compared += count;
    }

    fn finish(mut self, what: &str) {
        drop(self.questions);
        assert!(self.child.wait().expect("a child").success());
        assert!(self.compared > 0, "nothing was compared");
        println!("{} {what} compared, of {} positions", self.compared, self.positions);
    }
}

/// The pieces, as the judge reads them.
fn bitboards(board: &Board) -> String {
    let pieces = [GOLD, SILVER].into_iter().flat_map(|side| Kind::ALL.map(|kind| (side, kind)));
    let words = pieces.map(|(side, kind)| format!("{:x}", board.piece(Piece { side, kind }).0));
    words.collect::<Vec<String>>().join(".")
}
