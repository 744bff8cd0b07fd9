//! Shared by several tests: files of positions and games, random positions, the slow twin of the rules.
#![allow(dead_code, reason = "each test file uses its own part")]

use std::collections::HashSet;
use std::io::Read;
use std::path::{Path, PathBuf};

use arimaa::{
    Board, Direction, GOLD, Game, Kind, Piece, Position, SILVER, Setup, Side, Square, side,
};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// A file of the repository's own positions and games.
pub fn own_file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../positions").join(name)
}

/// A file of the shared data. Only the tests of a module `shared_data` read it, and those are ignored unless they are
/// asked for: `./check` runs them where `TUSK_DATA` names the folder.
pub fn shared_file(name: &str) -> PathBuf {
    let folder =
        std::env::var_os("TUSK_DATA").expect("TUSK_DATA names the folder of the shared data");
    let path = Path::new(&folder).join(name);
    assert!(path.exists(), "{} is missing; TUSK_DATA is an absolute path", path.display());
    path
}

/// The long version of the tests was asked for.
pub fn long() -> bool {
    std::env::var_os("TUSK_LONG").is_some()
}

/// The rows of a tab-separated file, by column name.
pub struct Rows {
    header: Vec<String>,
    pub rows: Vec<Vec<String>>,
}

impl Rows {
    /// Reads a file, gzipped or not.
    pub fn read(path: &Path) -> Rows {
        let mut bytes = std::fs::read(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        if path.extension().is_some_and(|extension| extension == "gz") {
            let mut text = Vec::new();
            flate2::read::GzDecoder::new(&bytes[..]).read_to_end(&mut text).unwrap();
            bytes = text;
        }
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let split = |line: &str| line.split('\t').map(str::to_string).collect();
        let mut lines = text.lines().filter(|line| !line.starts_with('#'));
        let header = split(lines.next().expect("a header"));
        let rows: Vec<_> = lines.map(split).collect();
        assert!(!rows.is_empty(), "{} has no rows", path.display());
        Rows { header, rows }
    }

    /// Reads a file of the repository.
    pub fn own(name: &str) -> Rows {
        Rows::read(&own_file(name))
    }

    /// Reads a file of the shared data.
    pub fn shared(name: &str) -> Rows {
        Rows::read(&shared_file(name))
    }

    pub fn cell<'a>(&self, row: &'a [String], column: &str) -> &'a str {
        let index = self.header.iter().position(|name| name == column);
        &row[index.unwrap_or_else(|| panic!("no column {column}"))]
    }

    /// The cells of one column.
    pub fn column(&self, column: &str) -> impl Iterator<Item = &str> {
        self.rows.iter().map(move |row| self.cell(row, column))
    }

    /// The positions of the column `position`, with their rows.
    pub fn positions(&self) -> impl Iterator<Item = (Position, &[String])> {
        self.rows.iter().map(|row| (self.cell(row, "position").parse().unwrap(), &row[..]))
    }

    /// The records of an archive in arimaa.com's format.
    pub fn archived_records(&self) -> impl Iterator<Item = String> {
        self.column("movelist").map(|movelist| movelist.replace("\\n", "\n"))
    }
}

/// The record of a game as the engine's table has it: the turns with bars between them.
pub fn engine_record(movelist: &str) -> String {
    let turns = movelist.split('|').enumerate();
    turns
        .map(|(turn, steps)| format!("{}{} {steps}\n", turn / 2 + 1, ['g', 's'][turn % 2]))
        .collect()
}

pub fn rng(seed: u64) -> ChaCha8Rng {
    ChaCha8Rng::seed_from_u64(seed)
}

/// A game from random setups.
pub fn random_start(rng: &mut ChaCha8Rng) -> Game {
    let mut game = Game::new();
    for side in [GOLD, SILVER] {
        game.set_up(Setup::random(side, rng)).unwrap();
    }
    game
}

/// All positions of a random game, with the game that led there.
pub fn random_game(seed: u64, visit: &mut impl FnMut(&Game)) {
    let mut rng = rng(seed);
    let mut game = random_start(&mut rng);
    visit(&game);
    while let Some(turn) = game.random_turn(&mut rng) {
        game.try_play(turn).unwrap();
        visit(&game);
    }
}

/// Pieces thrown onto the board, dense or sparse, without those that a trap would take.
pub fn scattered(rng: &mut ChaCha8Rng) -> Board {
    let mut board = Board::EMPTY;
    let chance = rng.random_range(1..=16);
    for side in Side::ALL {
        for kind in Kind::ALL {
            for _ in 0..kind.army() {
                let square = Square::new(rng.random_range(0..64)).unwrap();
                if rng.random_range(0..16) < chance && !board.occupied().has(square) {
                    board.put(Piece { side, kind }, square);
                }
            }
        }
    }
    for square in board.unsupported() {
        board.take(square);
    }
    board
}

/// The rules once more, square by square, as slow and as plain as can be.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Twin(pub [Option<Piece>; 64]);

/// What a step moves, as (from, to) in the order of play, and the board after it.
pub type TwinStep = (Vec<(Square, Square)>, Twin);

impl Twin {
    pub fn of(board: &Board) -> Twin {
        Twin(std::array::from_fn(|index| board.piece_at(Square::new(index).unwrap())))
    }

    pub fn at(&self, square: Square) -> Option<Piece> {
        self.0[square.index()]
    }

    fn neighbours(square: Square) -> impl Iterator<Item = Square> {
        Direction::ALL.into_iter().filter_map(move |direction| square.step(direction))
    }

    fn beside(&self, square: Square, is: impl Fn(Piece) -> bool) -> bool {
        Twin::neighbours(square).any(|near| self.at(near).is_some_and(&is))
    }

    pub fn frozen(&self, square: Square) -> bool {
        let Some(piece) = self.at(square) else { return false };
        let stronger = |other: Piece| other.side != piece.side && other.kind > piece.kind;
        self.beside(square, stronger) && !self.beside(square, |other| other.side == piece.side)
    }

    /// One half of a step: a piece goes, then the traps take what is unsupported.
    fn shift(&self, from: Square, to: Square) -> Twin {
        let mut after = *self;
        after.0[to.index()] = after.0[from.index()].take();
        for trap in Square::TRAPS {
            if let Some(piece) = after.at(trap)
                && !after.beside(trap, |other| other.side == piece.side)
            {
                after.0[trap.index()] = None;
            }
        }
        after
    }

    /// The single steps, then the pushes and pulls.
    pub fn steps(&self, mover: Side) -> (Vec<TwinStep>, Vec<TwinStep>) {
        let (mut singles, mut doubles) = (Vec::new(), Vec::new());
        for from in Square::all() {
            let Some(piece) = self.at(from).filter(|piece| piece.side == mover) else { continue };
            if self.frozen(from) {
                continue;
            }
            let weaker = |square: Square| {
                self.at(square).is_some_and(|other| other.side != mover && other.kind < piece.kind)
            };
            for to in Twin::neighbours(from) {
                if self.at(to).is_none() {
                    let back = from.direction_to(to) == Some(side::backward(mover));
                    if !(piece.kind == Kind::Rabbit && back) {
                        singles.push((vec![(from, to)], self.shift(from, to)));
                    }
                    for victim in Twin::neighbours(from).filter(|&victim| weaker(victim)) {
                        let after = self.shift(from, to).shift(victim, from);
                        doubles.push((vec![(from, to), (victim, from)], after));
                    }
                } else if weaker(to) {
                    for beyond in Twin::neighbours(to).filter(|&beyond| self.at(beyond).is_none()) {
                        let after = self.shift(to, beyond).shift(from, to);
                        doubles.push((vec![(to, beyond), (from, to)], after));
                    }
                }
            }
        }
        (singles, doubles)
    }

    /// The boards that exactly 0, 1, … up to `most` steps reach, each in every layer it is in.
    pub fn layers(&self, mover: Side, most: usize) -> Vec<HashSet<Twin>> {
        let mut layers = vec![HashSet::from([*self])];
        for used in 1..=most {
            let mut layer = HashSet::new();
            for board in &layers[used - 1] {
                layer.extend(board.steps(mover).0.into_iter().map(|(_, after)| after));
            }
            if used >= 2 {
                for board in &layers[used - 2] {
                    layer.extend(board.steps(mover).1.into_iter().map(|(_, after)| after));
                }
            }
            layers.push(layer);
        }
        layers
    }

    /// The boards that a turn can leave behind.
    pub fn turns(&self, mover: Side) -> HashSet<Twin> {
        let mut all: HashSet<Twin> = self.layers(mover, 4).into_iter().flatten().collect();
        all.remove(self);
        all
    }
}
