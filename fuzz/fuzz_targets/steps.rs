//! Any board and a walk of legal steps over it.
//!
//! The first byte is the side to move, the next 64 are the squares from a8 to h1. Of each, four
//! bits count: three for the strength, 0 and 7 being nothing, then one for silver. So digits and
//! what follows them in ASCII draw a board: `1` to `6` are `R C D H M E`, `9` to `>` are
//! `r c d h m e`. The rest is read two bytes at a time: a step to be tried, and the number of the
//! legal step to be played.

#![no_main]

use arimaa::{Board, Direction, GOLD, Kind, Piece, Position, SILVER, Square, Step, Turn};
use libfuzzer_sys::fuzz_target;

/// Another board finds more than a longer walk: so many steps, and the fuzzer goes on.
const LONGEST_WALK: usize = 16;

fuzz_target!(|bytes: &[u8]| {
    let Some((&[side, ref squares @ ..], walk)) = bytes.split_first_chunk::<65>() else { return };
    let side = if side & 1 == 0 { GOLD } else { SILVER };
    let mut position = Position::new(board(squares), side);
    let mut start = position;
    let mut turn = Turn::EMPTY;
    for pair in walk.chunks_exact(2).take(LONGEST_WALK) {
        let word = u16::from_le_bytes([pair[0], pair[1]]);
        let steps = position.steps();
        let tried = step(word);
        assert_eq!({ position }.try_play(tried).is_ok(), steps.contains(&tried), "word {word}");
        for &step in &steps {
            check_step(step, position, &start);
        }
        assert_eq!(position.can_move(), !steps.is_empty());
        if steps.is_empty() {
            return;
        }
        let chosen = steps[word as usize % steps.len()];
        position.play_unchecked(chosen);
        if chosen != Step::PASS {
            turn = turn.then(chosen);
        }
        if position.turn_starts() {
            check_turn(turn, &start, &position);
            (start, turn) = (position, Turn::EMPTY);
        }
    }
});

/// A board that a game could come to: no piece beyond an army, none unsupported on a trap.
fn board(squares: &[u8]) -> Board {
    let mut board = Board::EMPTY;
    for (byte, square) in squares.iter().zip(Square::drawn()) {
        let strength = usize::from(byte & 7);
        let Some(&kind) = Kind::ALL.get(strength.wrapping_sub(1)) else { continue };
        let piece = Piece { side: if byte & 8 == 0 { GOLD } else { SILVER }, kind };
        if board.piece(piece).len() < kind.army() {
            board.put(piece, square);
        }
    }
    for trap in board.unsupported() {
        board.take(trap);
    }
    board.validate().expect("it keeps to the armies and the traps");
    board
}

/// Any step that the constructors can make, legal or not.
fn step(word: u16) -> Step {
    let bits = |shift: u32, mask: u16| usize::from(word >> shift & mask);
    let from = Square::new(bits(0, 63)).expect("six bits are a square");
    let (to, victim) = (Direction::ALL[bits(6, 3)], Direction::ALL[bits(8, 3)]);
    match bits(10, 3) {
        0 => Step::PASS,
        1 => Step::single(from, to),
        2 => Step::push(from, victim, to),
        _ => Step::pull(from, victim, to),
    }
}

/// A listed step is accepted, and leaves a possible board and the right keys.
fn check_step(step: Step, mut position: Position, start: &Position) {
    position.try_play(step).expect("what is listed is legal");
    assert_eq!(position.board().validate(), Ok(()));
    let fresh = Position::new(*position.board(), position.side());
    assert_eq!(position.repetition_key(), fresh.repetition_key());
    let turn_start = if position.turn_starts() { position.board() } else { start.board() };
    assert_eq!(position.key(), position.recomputed_key(turn_start));
}

/// A turn of legal steps is legal, and so is the turn that its text is read as.
fn check_turn(turn: Turn, start: &Position, end: &Position) {
    let notation = turn.notation(start.board());
    let read = Turn::parse(&notation, start).expect("what was printed is read");
    for turn in [turn, read] {
        let mut position = *start;
        position.try_play_turn(turn).expect("its steps were legal");
        assert_eq!(position, *end, "{notation}");
    }
}
