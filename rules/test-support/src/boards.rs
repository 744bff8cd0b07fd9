//! Boards for tests: those of games, and random ones.

use std::sync::LazyLock;

use arimaa::{Army, Bitboard, Board, Game, Kind, Piece, Side, Square, side};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

use crate::{Rows, engine_record, random_game, scattered};

/// The boards of a game after its setups.
fn boards_of(record: &str) -> Vec<Board> {
    let game = Game::parse(record, Army::Full).unwrap();
    let before = game.played_turns();
    before.map(|(position, _)| *position.board()).chain([*game.position().board()]).collect()
}

/// The boards of Tusk's games, in the order of play.
pub static GAMES: LazyLock<Vec<Board>> = LazyLock::new(|| {
    let table = Rows::own("arimaa/games.txt");
    table.archived_records().flat_map(|record| boards_of(&record)).collect()
});

/// The boards of the shared data's games: people's and another engine's.
pub fn shared_boards() -> Vec<Board> {
    let mut boards = Vec::new();
    for name in ["allgames202602.txt", "allgames201111_sample.txt"] {
        let table = Rows::shared(&format!("arimaa/archive/{name}"));
        boards.extend(table.archived_records().flat_map(|record| boards_of(&record)));
    }
    let table = Rows::shared("arimaa/engine_games.tsv.gz");
    boards.extend(table.column("movelist").flat_map(|list| boards_of(&engine_record(list))));
    boards
}

/// The boards of random games.
static PLAYED: LazyLock<Vec<Board>> = LazyLock::new(|| {
    let mut boards = Vec::new();
    for seed in 0..40 {
        random_game(seed, &mut |game| boards.push(*game.position().board()));
    }
    boards
});

/// The boards of the puzzles: wins in two and three turns.
static PUZZLES: LazyLock<Vec<Board>> = LazyLock::new(|| {
    let tables = ["puzzles/win-in-2.tsv", "puzzles/win-in-3.tsv"].map(Rows::own);
    let boards = tables.iter().flat_map(Rows::positions).map(|(position, _)| *position.board());
    boards.collect()
});

/// Where a random board comes from.
#[derive(Clone, Copy)]
enum Source {
    /// Pieces thrown anywhere.
    Scattered,
    /// The random games.
    Played,
    /// Boards of games and puzzles.
    Reached,
    /// Those with a few pieces changed.
    Perturbed,
    /// Few pieces, with rabbits close to their goal.
    Endgame,
    /// Many pieces around the traps and the goal rows.
    Crowd,
    /// A fight around one trap.
    Corner,
}

impl Source {
    /// A source, the fruitful ones more often.
    fn any(rng: &mut ChaCha8Rng) -> Source {
        match rng.random_range(0..16) {
            0..=2 => Source::Scattered,
            3 => Source::Played,
            4 => Source::Reached,
            5..=8 => Source::Perturbed,
            9..=11 => Source::Endgame,
            12..=13 => Source::Crowd,
            _ => Source::Corner,
        }
    }

    /// A board of this source. Few of them are won already.
    fn board(self, rng: &mut ChaCha8Rng) -> Board {
        let mut board = match self {
            Source::Reached => return reached(rng),
            Source::Scattered => scattered(rng),
            Source::Played => pick(&PLAYED, rng),
            Source::Perturbed => perturbed(reached(rng), rng),
            Source::Endgame => endgame(rng),
            Source::Crowd => crowd(rng),
            Source::Corner => corner(rng),
        };
        if rng.random_range(0..6) == 0 {
            leave_rabbits(&mut board, rng);
        }
        if rng.random_range(0..3) != 0 {
            board = without_goals_in_one(board);
        }
        board = without(board, board.unsupported());
        if rng.random_range(0..64) == 0 { board } else { unwon(board, rng) }
    }
}

/// A board of any source.
pub fn random_board(rng: &mut ChaCha8Rng) -> Board {
    Source::any(rng).board(rng)
}

fn pick(boards: &[Board], rng: &mut ChaCha8Rng) -> Board {
    boards[rng.random_range(0..boards.len())]
}

/// A board of a puzzle or of a game.
fn reached(rng: &mut ChaCha8Rng) -> Board {
    pick(if rng.random_range(0..3) == 0 { &PUZZLES } else { &GAMES }, rng)
}

fn without(mut board: Board, squares: Bitboard) -> Board {
    for square in squares {
        board.take(square);
    }
    board
}

fn any_square(squares: Bitboard, rng: &mut ChaCha8Rng) -> Option<Square> {
    if squares.is_empty() {
        return None;
    }
    squares.into_iter().nth(rng.random_range(0..squares.len()))
}

fn any_kind(rng: &mut ChaCha8Rng) -> Kind {
    Kind::ALL[rng.random_range(0..6)]
}

fn any_side(rng: &mut ChaCha8Rng) -> Side {
    Side::ALL[rng.random_range(0..2)]
}

/// Puts a piece on an empty one of the squares, if there is one and the army has that piece left.
fn put(board: &mut Board, piece: Piece, squares: Bitboard, rng: &mut ChaCha8Rng) {
    if board.piece(piece).len() < piece.kind.army()
        && let Some(square) = any_square(squares & !board.occupied(), rng)
    {
        board.put(piece, square);
    }
}

/// The squares of the rows, counted from 0 as the side sees them.
fn rows(side: Side, rows: impl IntoIterator<Item = usize>) -> Bitboard {
    let row = |row| if side == arimaa::GOLD { row } else { 7 - row };
    rows.into_iter().fold(Bitboard::EMPTY, |squares, number| squares | Bitboard::row(row(number)))
}

/// One to six times, a piece is moved, removed, added, exchanged with another, or recoloured.
fn perturbed(mut board: Board, rng: &mut ChaCha8Rng) -> Board {
    for _ in 0..rng.random_range(1..=6) {
        let Some(square) = any_square(board.occupied(), rng) else { break };
        let Some(piece) = board.take(square) else { break };
        match rng.random_range(0..6) {
            0 => put(&mut board, piece, square.neighbours().neighbours(), rng),
            1 => put(&mut board, piece, !Bitboard::EMPTY, rng),
            2 => {}
            3 => {
                board.put(piece, square);
                let added = Piece { side: any_side(rng), kind: any_kind(rng) };
                put(&mut board, added, !Bitboard::EMPTY, rng);
            }
            4 => {
                if let Some(other) = any_square(board.occupied(), rng)
                    && let Some(exchanged) = board.take(other)
                {
                    board.put(exchanged, square);
                    board.put(piece, other);
                }
            }
            _ => put(&mut board, Piece { side: !piece.side, ..piece }, square.bit(), rng),
        }
    }
    board
}

/// Few pieces; the rabbits of one side have come far.
fn endgame(rng: &mut ChaCha8Rng) -> Board {
    let mut board = Board::EMPTY;
    let mover = any_side(rng);
    for _ in 0..rng.random_range(1..=4) {
        let rabbit = Piece { side: mover, kind: Kind::Rabbit };
        put(&mut board, rabbit, rows(mover, 4..7), rng);
    }
    for side in Side::ALL {
        for _ in 0..rng.random_range(1..=6) {
            let squares =
                if rng.random_range(0..4) == 0 { !Bitboard::EMPTY } else { rows(mover, 3..8) };
            put(&mut board, Piece { side, kind: any_kind(rng) }, squares, rng);
        }
    }
    board
}

/// Most pieces stand around the traps, or on the two last rows of either end.
fn crowd(rng: &mut ChaCha8Rng) -> Board {
    let mut board = Board::EMPTY;
    let traps = Bitboard::TRAPS | Bitboard::TRAPS.neighbours();
    let ends = Bitboard::row(0) | Bitboard::row(1) | Bitboard::row(6) | Bitboard::row(7);
    let chance = rng.random_range(6..=15);
    for side in Side::ALL {
        for kind in Kind::ALL {
            for _ in 0..kind.army() {
                let squares = match rng.random_range(0..8) {
                    0..=3 => traps,
                    4..=6 => ends,
                    _ => !Bitboard::EMPTY,
                };
                if rng.random_range(0..16) < chance {
                    put(&mut board, Piece { side, kind }, squares, rng);
                }
            }
        }
    }
    board
}

/// The pieces stand within three squares of one trap.
fn corner(rng: &mut ChaCha8Rng) -> Board {
    let mut board = Board::EMPTY;
    let trap = Square::TRAPS[rng.random_range(0..4)].bit();
    let near = (0..3).fold(trap, |near, _| near | near.neighbours());
    for _ in 0..rng.random_range(4..=16) {
        put(&mut board, Piece { side: any_side(rng), kind: any_kind(rng) }, near, rng);
    }
    board
}

/// At most twelve pieces, fighting around a trap that a rabbit has on its way to the goal: what one
/// side threatens hangs on who holds the trap, who is frozen and who falls.
pub fn trap_fight(rng: &mut ChaCha8Rng) -> Board {
    let mut board = Board::EMPTY;
    let attacker = any_side(rng);
    let trap = any_square(Bitboard::TRAPS & rows(attacker, 4..8), rng).unwrap_or(Square::C6).bit();
    let beside = trap | trap.neighbours();
    let near = beside | beside.neighbours();
    let ends = rows(attacker, 4..7) & (near | near.neighbours());
    let rabbit = |side| Piece { side, kind: Kind::Rabbit };
    for _ in 0..rng.random_range(1..=2) {
        put(&mut board, rabbit(attacker), ends, rng);
    }
    for _ in 0..rng.random_range(1..=3) {
        put(&mut board, Piece { side: attacker, kind: any_kind(rng) }, beside, rng);
    }
    for _ in 0..rng.random_range(1..=2) {
        let squares = if rng.random_range(0..2) == 0 { near } else { rows(!attacker, 0..7) };
        put(&mut board, rabbit(!attacker), squares, rng);
    }
    for _ in 0..rng.random_range(1..=5) {
        let squares = if rng.random_range(0..2) == 0 { near } else { rows(attacker, 3..8) };
        put(&mut board, Piece { side: any_side(rng), kind: any_kind(rng) }, squares, rng);
    }
    if rng.random_range(0..4) != 0 {
        board = without_goals_in_one(board);
    }
    board = without(board, board.unsupported());
    unwon(board, rng)
}

/// The board without the rabbits that have an empty goal square before them: goals in one step are
/// found on most random boards, and hide the longer ones.
fn without_goals_in_one(mut board: Board) -> Board {
    for side in Side::ALL {
        let before_goal = (side::goal(side) & !board.occupied()).shift(side::backward(side));
        board = without(board, board.rabbits(side) & before_goal);
    }
    board
}

/// The board without the rabbits that have reached their goal, and with one for who has none left.
fn unwon(mut board: Board, rng: &mut ChaCha8Rng) -> Board {
    for side in Side::ALL {
        board = without(board, board.rabbits(side) & side::goal(side));
        if board.rabbits(side).is_empty() {
            let squares = rows(side, 0..6) & !Bitboard::TRAPS;
            put(&mut board, Piece { side, kind: Kind::Rabbit }, squares, rng);
        }
    }
    board
}

/// Leaves one or two rabbits to a side, mostly beside the traps: it may lose them all in a turn.
fn leave_rabbits(board: &mut Board, rng: &mut ChaCha8Rng) {
    let side = any_side(rng);
    let left = board.rabbits(side).len().min(rng.random_range(1..=2));
    *board = without(*board, board.rabbits(side));
    for _ in 0..left {
        let anywhere = rng.random_range(0..4) == 0;
        let squares = if anywhere {
            rows(side, 0..7)
        } else {
            Bitboard::TRAPS | Bitboard::TRAPS.neighbours()
        };
        put(board, Piece { side, kind: Kind::Rabbit }, squares, rng);
    }
}
