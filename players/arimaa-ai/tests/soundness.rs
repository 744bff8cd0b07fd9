//! What alpha-beta claims is true, with the settings of every engine that is shipped: a win or a loss in so many
//! turns, beside a look at every turn. And the values of several threads are those of one.

use arimaa::{
    Bitboard, Board, GOLD, Game, Piece, Position, SILVER, Side, Square, Step, TurnGenerator,
    WHOLE_TURN,
};
use arimaa_ai::engines::ENGINES;
use arimaa_ai::{Evaluation, Heuristics, win};
use engine::{Configured, Engine, Threads};
use game::{History, Proof, Steps, Turns};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use search::{AlphaBeta, Evaluator, Info, Limits, Parameters, Stop, Task, Verdict};
use test_support::{long, random_start, rng, trap_fight};

/// Every engine of the catalogue that searches, on one thread and on three, with small tables; and `tusk` with learned
/// pruning.
fn shipped() -> Vec<Configured<Game>> {
    let searching = ENGINES.iter().filter(|entry| entry.threads != Threads::Single);
    let engines = searching.flat_map(|entry| {
        [1, 3].map(|threads| {
            let mut configuration = entry.configure();
            (configuration.threads, configuration.memory) = (threads, 1);
            configuration.build().expect("an engine")
        })
    });
    let mut pruning = ENGINES[0].configure();
    for name in ["learned_pruning", "learned_ordering"] {
        pruning.set(name, "20").expect("a parameter");
    }
    engines.chain([pruning.build().expect("an engine")]).collect()
}

/// Every turn of a side, as the position after it.
fn after_each_turn(board: &Board, side: Side) -> Vec<Position> {
    let turns = TurnGenerator::new().distinct(board, side).to_vec();
    let after = turns.into_iter().map(|reached| {
        let mut after = Position::new(*board, side);
        after.play_turn_unchecked(reached.turn);
        after
    });
    after.collect()
}

/// Whether the side to move wins with at most so many turns of its own, by a look at every turn. Goals and
/// captures within a turn are seen by the routine that is tested for itself.
fn wins_within(position: &Position, turns: u16) -> bool {
    let side = position.side();
    if let Some(outcome) = position.outcome() {
        return outcome.winner == side;
    }
    win(position.board(), side, WHOLE_TURN).is_some()
        || after_each_turn(position.board(), side).iter().any(|after| match after.outcome() {
            Some(outcome) => outcome.winner == side,
            None => turns > 1 && loses_within(after, turns - 1),
        })
}

/// Whether the side to move loses by at most so many turns of the other.
fn loses_within(position: &Position, turns: u16) -> bool {
    let side = position.side();
    if let Some(outcome) = position.outcome() {
        return outcome.winner != side;
    }
    win(position.board(), side, WHOLE_TURN).is_none()
        && after_each_turn(position.board(), side).iter().all(|after| match after.outcome() {
            Some(outcome) => outcome.winner != side,
            None => wins_within(after, turns),
        })
}

/// A few pieces anywhere but on traps, rabbits of both sides among them.
fn few_pieces(rng: &mut ChaCha8Rng) -> Board {
    let mut board = Board::EMPTY;
    for letter in ["R", "r", "E", "e", "R", "h", "D", "r"] {
        let piece = letter.chars().next().and_then(Piece::from_letter).expect("a piece");
        let empty = Square::all().filter(|&square| board.piece_at(square).is_none());
        let rows = if piece.kind == arimaa::Kind::Rabbit { 8..56 } else { 0..64 };
        let is_open =
            |square: &Square| rows.contains(&square.index()) && !Bitboard::TRAPS.has(*square);
        let squares: Vec<Square> = empty.filter(is_open).collect();
        board.put(piece, squares[rng.random_range(0..squares.len())]);
    }
    board
}

fn search(
    position: &Position,
    evaluator: impl Evaluator<Position>,
    (parameters, threads): (Parameters, usize),
    limits: Limits,
    tell: impl FnMut(&Info<Step>),
) -> Option<Info<Step>> {
    let (past, stop, heuristics) = (History::new(), Stop::new(), Heuristics::new(evaluator));
    let task = Task { position, past: &past, heuristics: &heuristics, limits, stop: &stop };
    let mut search = AlphaBeta::new(parameters, 1);
    search.threads = threads;
    search.search(&task, tell)
}

#[test]
fn a_claimed_win_or_loss_is_one() {
    let count = if long() { 1000 } else { 100 };
    let (mut wins, mut losses, mut longer) = (0, 0, 0);
    let mut engines = shipped();
    for seed in 0..count {
        let mut rng = rng(seed);
        let board = if seed % 4 == 0 { trap_fight(&mut rng) } else { few_pieces(&mut rng) };
        let side = if rng.random_range(0..2) == 0 { GOLD } else { SILVER };
        let position = Position::new(board, side);
        if position.outcome().is_some() || win(&board, side, WHOLE_TURN).is_some() {
            continue;
        }
        let game = Game::from_position(position);
        for engine in &mut engines {
            let limits = Limits { nodes: Some(8_000), ..Limits::default() };
            engine.new_game();
            let info = engine.analyse(&game, &limits, &Stop::new(), &mut |_| ());
            let Some(Verdict::Proof(proof)) = info.and_then(|info| info.verdict()) else {
                continue;
            };
            let name = engine.configuration().entry().name;
            match proof {
                Proof::Win(Turns(turns @ 1..=2)) => {
                    wins += 1;
                    assert!(wins_within(&position, turns), "{name}: {proof} in {position}");
                }
                Proof::Loss(Turns(turns @ 1..=2)) => {
                    losses += 1;
                    assert!(loses_within(&position, turns), "{name}: {proof} in {position}");
                }
                _ => longer += 1,
            }
        }
    }
    println!("{wins} wins and {losses} losses in 1 or 2 turns, {longer} longer ones");
    assert!(wins > 10 && losses > 10, "{wins} wins, {losses} losses");
}

/// Nothing is left out, reduced or extended: the value is that of the whole tree.
fn whole_tree() -> Parameters {
    Parameters {
        null_move: search::NullMove::Off,
        lmr: false,
        futility: false,
        defences: 0,
        threat_extension: 0,
        ..Parameters::default()
    }
}

#[test]
fn several_threads_find_the_value_of_one() {
    let mut scores = 0;
    for seed in 0..if long() { 60 } else { 8 } {
        let mut rng = rng(seed);
        let mut position = *random_start(&mut rng).position();
        for _ in 0..rng.random_range(4..40) {
            let mut after = position;
            if after.play_random_turn(&mut rng).is_none() || after.outcome().is_some() {
                break;
            }
            position = after;
        }
        let find = |threads, table| {
            let mut told = Vec::new();
            let parameters = Parameters { transposition_table: table, ..whole_tree() };
            let limits = Limits::depth(Steps(if table { 4 } else { 2 }));
            let info =
                search(&position, Evaluation::default(), (parameters, threads), limits, |info| {
                    told.push((info.depth, info.verdict()));
                });
            (told, info.and_then(|info| info.verdict()))
        };
        let (plain, _) = find(1, false);
        let one = find(1, true);
        for threads in [2, 3, 4] {
            let (told, last) = find(threads, true);
            assert_eq!(last, one.1, "{threads} threads in {position}");
            // Each iteration has the value of the tree that is searched without a table.
            for twin in &plain {
                let found = told.iter().find(|found| found.0 == twin.0);
                assert!(found.is_none_or(|found| found == twin), "{threads} threads in {position}");
            }
        }
        scores += usize::from(matches!(one.1, Some(Verdict::Score(_))));
    }
    assert!(scores > 4, "{scores}");
}
