//! What the solver says is so: no verdict differs from a look at every turn, and every proof holds.

use std::sync::atomic::{AtomicU64, Ordering};

use arimaa::{Bitboard, Board, Kind, Piece, Position, Side, Square, Turn, TurnGenerator};
use arimaa_ai::{Solver, SolverTask};
use game::{History, Proof, Turns};
use proof::Document;
use rand::{Rng, RngExt};
use search::{Limits, Stop};
use test_support::{Rows, for_each_number, long, rng};

/// A few pieces, rabbits among them on both sides, as near the end of a game.
fn endgame(rng: &mut impl Rng) -> Position {
    loop {
        let mut board = Board::EMPTY;
        for side in Side::ALL {
            let rabbits = rng.random_range(1..=2);
            for number in 0..rng.random_range(rabbits..=4) {
                let kind =
                    if number < rabbits { Kind::Rabbit } else { Kind::ALL[rng.random_range(1..6)] };
                let square = Square::all().nth(rng.random_range(0..64)).expect("a square");
                if board.piece_at(square).is_none() {
                    board.put(Piece { side, kind }, square);
                }
            }
        }
        let position = Position::new(board, Side::ALL[rng.random_range(0..2)]);
        let lonely = Bitboard::TRAPS & board.occupied();
        let is_sound = lonely.into_iter().all(|trap| {
            let piece = board.piece_at(trap).expect("a piece on the trap");
            board.of(piece.side).meets(trap.neighbours())
        });
        if is_sound && position.outcome().is_none() {
            return position;
        }
    }
}

/// The slow twin: every turn is played and every reply, for wins and losses of few turns.
#[derive(Default)]
struct Twin {
    /// The reply that held last: it mostly does so again.
    reply: Option<Turn>,
}

impl Twin {
    fn turns(position: &Position) -> Vec<Position> {
        let turns = TurnGenerator::new().distinct(position.board(), position.side()).to_vec();
        turns.iter().map(|reached| played(position, reached.turn)).collect()
    }

    fn wins_in(&mut self, position: &Position, turns: u16) -> bool {
        let side = position.side();
        Twin::turns(position).iter().any(|after| match after.outcome() {
            Some(outcome) => outcome.winner == side,
            None => turns > 1 && self.loses_in(after, turns - 1),
        })
    }

    fn loses_in(&mut self, position: &Position, turns: u16) -> bool {
        if let Some(reply) = self.reply {
            let mut after = *position;
            if after.try_play_turn(reply).is_ok() && !self.is_met(position.side(), &after, turns) {
                return false;
            }
        }
        let turns_of = TurnGenerator::new().distinct(position.board(), position.side()).to_vec();
        for reached in turns_of {
            if !self.is_met(position.side(), &played(position, reached.turn), turns) {
                self.reply = Some(reached.turn);
                return false;
            }
        }
        true
    }

    /// Whether the enemy wins after a turn of the side.
    fn is_met(&mut self, side: Side, after: &Position, turns: u16) -> bool {
        match after.outcome() {
            Some(outcome) => outcome.winner != side,
            None => self.wins_in(after, turns),
        }
    }
}

fn played(position: &Position, turn: Turn) -> Position {
    let mut after = *position;
    after.play_turn_unchecked(turn);
    after
}

/// Solves a position, and has the proof checked.
fn solved(solver: &mut Solver, position: &Position, nodes: u64) -> Option<Proof> {
    let (past, stop) = (History::new(), Stop::new());
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    let task = SolverTask { position, past: &past, limits, turns: Turns(u16::MAX), stop: &stop };
    solver.forget();
    let finding = solver.solve(&task, &mut |_| ());
    let proof = finding.proof?;
    let proved = solver.prove(&task, &finding);
    let (strategy, repetition) =
        proved.unwrap_or_else(|gap| panic!("{position}: {proof}: {}", gap.text(position)));
    let winner = proof.winner(position.side());
    let document = Document::new(*position, Vec::new(), winner, repetition, strategy)
        .unwrap_or_else(|_| panic!("{position}: {proof}: a circle"));
    if let Err(fault) = document.check() {
        panic!("{position}: {proof}: {}", fault.text(position));
    }
    Some(proof)
}

#[test]
fn no_verdict_differs_from_a_look_at_every_turn() {
    let [wins, losses, unknown, missed] = [const { AtomicU64::new(0) }; 4];
    let count = if long() { 2_000 } else { 40 };
    let work = |solver: &mut Option<Solver>, number: u64| {
        let solver = solver.get_or_insert_with(|| Solver::new(16, 1));
        let position = endgame(&mut rng(number));
        let mut twin = Twin::default();
        let proof = solved(solver, &position, 1_500_000);
        let (won, lost) = (twin.wins_in(&position, 2), twin.loses_in(&position, 1));
        match proof {
            Some(Proof::Win(turns)) => {
                assert!(!lost, "{position} is lost");
                assert!(turns > Turns(2) || won, "{position} is not won in {turns}");
                wins.fetch_add(1, Ordering::Relaxed);
            }
            Some(Proof::Loss(turns)) => {
                assert!(!won, "{position} is won");
                assert!(turns > Turns(1) || lost, "{position} is not lost in {turns}");
                losses.fetch_add(1, Ordering::Relaxed);
            }
            None => {
                unknown.fetch_add(1, Ordering::Relaxed);
                if won || lost {
                    println!("{position}: won {won}, lost {lost}");
                    missed.fetch_add(1, Ordering::Relaxed);
                }
            }
        }
    };
    for_each_number(count, work, || println!("so far: {wins:?} won, {losses:?} lost"));
    println!("{wins:?} won, {losses:?} lost, {unknown:?} unknown, {missed:?} of them in vain");
    assert!(wins.into_inner() > 0 && losses.into_inner() > 0);
    assert_eq!(missed.into_inner(), 0, "short wins and losses are seen");
}

/// Proves the wins of a table, one row in `stride`, in `most` turns or fewer, on one thread and on two.
fn prove_wins(table: &Rows, most: u16, stride: usize) {
    for threads in [1, 2] {
        let mut solver = Solver::new(64, threads);
        for (position, _) in table.positions().step_by(stride) {
            let proof = solved(&mut solver, &position, 20_000_000);
            let is_won = matches!(proof, Some(Proof::Win(turns)) if turns.0 <= most);
            assert!(is_won, "{position}: {proof:?}");
        }
    }
}

#[test]
fn the_wins_of_the_puzzles_are_proved() {
    prove_wins(&Rows::own("puzzles/win-in-2.tsv"), 2, if long() { 1 } else { 6 });
    prove_wins(&Rows::own("puzzles/win-in-3.tsv"), 5, if long() { 1 } else { 3 });
}

mod shared_data {
    use super::*;

    #[test]
    #[ignore = "needs TUSK_DATA"]
    fn the_wins_of_the_tables_are_proved() {
        let stride = if long() { 1 } else { 60 };
        for (name, most) in [("win2_puzzles", 2), ("win2_engine", 2), ("win3_engine", 5)] {
            prove_wins(&Rows::shared(&format!("arimaa/{name}.tsv")), most, stride);
        }
    }
}
