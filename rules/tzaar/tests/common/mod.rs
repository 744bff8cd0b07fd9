//! What several tests share: random games, and the slow twin of the rules.
#![allow(dead_code, reason = "each test file uses its own part")]

use game::Position as _;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use tzaar::{Position, Step};

/// The long version of the tests was asked for.
pub fn long() -> bool {
    std::env::var_os("TUSK_LONG").is_some()
}

pub fn rng(seed: u64) -> ChaCha8Rng {
    ChaCha8Rng::seed_from_u64(seed)
}

/// How a random player chooses, so that games differ in more than chance makes them.
#[derive(Clone, Copy, Debug)]
pub enum Taste {
    /// Anything.
    Any,
    /// Stackings where there are some: few and high stacks.
    High,
    /// Captures: an empty board soon.
    Captures,
    /// Passes: many low stacks.
    Passes,
}

impl Taste {
    pub const ALL: [Taste; 4] = [Taste::Any, Taste::High, Taste::Captures, Taste::Passes];

    pub fn choose(self, steps: &[Step], rng: &mut ChaCha8Rng) -> Step {
        let liked: Vec<Step> = steps.iter().copied().filter(|&step| self.likes(step)).collect();
        let steps = if liked.is_empty() || rng.random_range(0..8) == 0 { steps } else { &liked };
        *steps.choose(rng).expect("a game that is not over has a move")
    }

    fn likes(self, step: Step) -> bool {
        match self {
            Taste::Any => true,
            Taste::High => matches!(step, Step::Stacking { .. }),
            Taste::Captures => matches!(step, Step::Capture { .. }),
            Taste::Passes => step == Step::Pass,
        }
    }
}

/// Plays a random game from a position to its end, and shows every position, the first and the last too.
pub fn play_out(
    start: Position,
    taste: Taste,
    rng: &mut ChaCha8Rng,
    mut show: impl FnMut(&Position, Option<Step>),
) {
    let mut position = start;
    show(&position, None);
    while position.winner().is_none() {
        let step = taste.choose(&position.steps(), rng);
        position.play(step);
        show(&position, Some(step));
    }
}

/// Positions of random games at the start of a turn, in which the game is not over.
pub fn positions(count: usize, seed: u64) -> Vec<Position> {
    let mut rng = rng(seed);
    let mut all = Vec::new();
    while all.len() < count {
        let start = start(rng.random_range(0..3), &mut rng);
        let taste = *Taste::ALL.choose(&mut rng).expect("tastes");
        let mut game = Vec::new();
        play_out(start, taste, &mut rng, |position, _| {
            if position.turn_starts() && position.winner().is_none() {
                game.push(*position);
            }
        });
        all.extend(game.choose(&mut rng));
    }
    all
}

/// One of the three starts.
pub fn start(number: usize, rng: &mut ChaCha8Rng) -> Position {
    match number {
        0 => Position::fixed_start(),
        1 => Position::random_start(rng),
        _ => Position::tournament_start(),
    }
}

const SIZE: usize = 9;

/// What stands outside the board, and in its centre.
const OUTSIDE: i32 = 100;

/// The names of the fields by rows of the array, as Veselý 2013 has them (A.2.1).
const NAMES: [[&str; SIZE]; SIZE] = [
    ["A1", "B1", "C1", "D1", "E1", "-", "-", "-", "-"],
    ["A2", "B2", "C2", "D2", "E2", "F1", "-", "-", "-"],
    ["A3", "B3", "C3", "D3", "E3", "F2", "G1", "-", "-"],
    ["A4", "B4", "C4", "D4", "E4", "F3", "G2", "H1", "-"],
    ["A5", "B5", "C5", "D5", "-", "F4", "G3", "H2", "I1"],
    ["-", "B6", "C6", "D6", "E5", "F5", "G4", "H3", "I2"],
    ["-", "-", "C7", "D7", "E6", "F6", "G5", "H4", "I3"],
    ["-", "-", "-", "D8", "E7", "F7", "G6", "H5", "I4"],
    ["-", "-", "-", "-", "E8", "F8", "G7", "H6", "I5"],
];

/// The fixed start, by rows of the array (Veselý 2013, A.2.1).
pub const FIXED: &str = "
    -1 1 1 1 1 100 100 100 100
    -1 -2 2 2 2 -1 100 100 100
    -1 -2 -3 3 3 -2 -1 100 100
    -1 -2 -3 -1 1 -3 -2 -1 100
    1 2 3 1 100 -1 -3 -2 -1
    100 1 2 3 -1 1 3 2 1
    100 100 1 2 -3 -3 3 2 1
    100 100 100 1 -2 -2 -2 2 1
    100 100 100 100 -1 -1 -1 -1 1";

/// What a side has to do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Task {
    Place,
    OnlyMove,
    FirstMove,
    SecondMove,
}

/// The slow twin of the rules: cells and heights in arrays of nine rows and columns, lines walked cell by cell, and
/// nothing kept up. It shares no code with what it is compared with: moves are text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Slow {
    /// 1 Tott, 2 Tzarra, 3 Tzaar, Black's below zero.
    cells: [[i32; SIZE]; SIZE],
    heights: [[i32; SIZE]; SIZE],
    /// 1 for White, -1 for Black.
    pub player: i32,
    pub task: Task,
}

type Place = (usize, usize);

impl Slow {
    /// A full board, from the numbers of its cells.
    pub fn full(cells: &str) -> Slow {
        let mut slow = Slow::empty();
        let numbers: Vec<i32> =
            cells.split_whitespace().map(|number| number.parse().expect("a number")).collect();
        assert_eq!(numbers.len(), SIZE * SIZE);
        for (row, column) in places() {
            slow.cells[row][column] = numbers[row * SIZE + column];
            slow.heights[row][column] = 1;
        }
        slow.task = Task::OnlyMove;
        slow
    }

    /// An empty board.
    pub fn empty() -> Slow {
        let mut cells = [[OUTSIDE; SIZE]; SIZE];
        for (row, column) in places() {
            cells[row][column] = 0;
        }
        Slow { cells, heights: [[0; SIZE]; SIZE], player: 1, task: Task::Place }
    }

    /// The twin of a start, by its text.
    pub fn of_start(start: &Position) -> Slow {
        let mut slow = Slow::empty();
        let text = start.to_string();
        if !text.starts_with("placing") {
            slow.set(&text);
        }
        slow
    }

    /// A position of which the numbers are given at the start of a turn.
    pub fn set(&mut self, numbers: &str) {
        let numbers: Vec<i32> =
            numbers.split(' ').map(|number| number.parse().expect("a number")).collect();
        self.player = numbers[0];
        for (row, column) in places() {
            self.cells[row][column] = numbers[1 + row * SIZE + column];
            self.heights[row][column] = numbers[1 + SIZE * SIZE + row * SIZE + column];
        }
        self.task = if self.stacks() == 60 { Task::OnlyMove } else { Task::FirstMove };
    }

    /// The player, all cells and all heights on one line.
    pub fn numbers(&self) -> String {
        let mut numbers = vec![self.player];
        numbers.extend(self.cells.iter().flatten());
        if self.task != Task::Place {
            numbers.extend(self.heights.iter().flatten());
        }
        let words: Vec<String> = numbers.iter().map(i32::to_string).collect();
        let head = if self.task == Task::Place { "placing " } else { "" };
        format!("{head}{}", words.join(" "))
    }

    /// How many stacks of a side show a type.
    pub fn count(&self, player: i32, kind: i32) -> usize {
        places().filter(|&(row, column)| self.cells[row][column] == player * kind).count()
    }

    pub fn stacks(&self) -> usize {
        places().filter(|&(row, column)| self.cells[row][column] != 0).count()
    }

    /// The height of the highest stack of a type.
    pub fn tallest(&self, player: i32, kind: i32) -> i32 {
        let own = places().filter(|&(row, column)| self.cells[row][column] == player * kind);
        own.map(|(row, column)| self.heights[row][column]).max().unwrap_or(0)
    }

    /// The fields that can be captured by either side, each as often as there are stacks that can.
    pub fn attacked(&self) -> Vec<&'static str> {
        let captures = self.captures(1).into_iter().chain(self.captures(-1));
        captures.map(|(_, to)| name(to)).collect()
    }

    /// How many stacks of a side that show a type can be captured.
    pub fn zone(&self, player: i32, kind: i32, attacked: &[&str]) -> usize {
        let own = places().filter(|&(row, column)| self.cells[row][column] == player * kind);
        own.filter(|&place| attacked.contains(&name(place))).count()
    }

    /// Whose stack is on a field; 0 if none is.
    fn owner(&self, (row, column): Place) -> i32 {
        self.cells[row][column].signum()
    }

    /// The stacks that one meets first in the six directions, or none.
    fn neighbours(&self, (row, column): Place) -> Vec<Place> {
        let mut found = Vec::new();
        for (down, right) in [(0, 1), (0, -1), (1, 0), (-1, 0), (1, 1), (-1, -1)] {
            let (mut row, mut column) = (row as i32, column as i32);
            loop {
                row += down;
                column += right;
                if !(0..SIZE as i32).contains(&row) || !(0..SIZE as i32).contains(&column) {
                    break;
                }
                let cell = self.cells[row as usize][column as usize];
                if cell == OUTSIDE {
                    break;
                }
                if cell != 0 {
                    found.push((row as usize, column as usize));
                    break;
                }
            }
        }
        found
    }

    fn captures(&self, player: i32) -> Vec<(Place, Place)> {
        let height = |(row, column): Place| self.heights[row][column];
        self.jumps(player, |from, to| self.owner(to) == -player && height(from) >= height(to))
    }

    fn stackings(&self, player: i32) -> Vec<(Place, Place)> {
        self.jumps(player, |_, to| self.owner(to) == player)
    }

    fn jumps(&self, player: i32, is_legal: impl Fn(Place, Place) -> bool) -> Vec<(Place, Place)> {
        let mut jumps = Vec::new();
        for from in places().filter(|&from| self.owner(from) == player) {
            for to in self.neighbours(from) {
                if is_legal(from, to) {
                    jumps.push((from, to));
                }
            }
        }
        jumps
    }

    fn is_missing(&self, player: i32) -> bool {
        (1..=3).any(|kind| self.count(player, kind) == 0)
    }

    /// Who has won, and by what.
    pub fn ending(&self) -> Option<(i32, &'static str)> {
        if self.task == Task::Place {
            return None;
        }
        if let Some(player) = [1, -1].into_iter().find(|&player| self.is_missing(player)) {
            return Some((-player, "type"));
        }
        let stuck = self.task != Task::SecondMove && self.captures(self.player).is_empty();
        stuck.then_some((-self.player, "captures"))
    }

    /// Everything that can be played, in order.
    pub fn moves(&self) -> Vec<String> {
        let mut moves = Vec::new();
        if self.ending().is_some() {
            return moves;
        }
        let text = |mark: char, (from, to): (Place, Place)| {
            format!("{}{mark}{}", NAMES[from.0][from.1], NAMES[to.0][to.1])
        };
        if self.task == Task::Place {
            let free = || places().filter(|&place| self.owner(place) == 0);
            for (kind, letter, most) in [(1, 'T', 15), (2, 'A', 9), (3, 'Z', 6)] {
                if self.count(self.player, kind) < most {
                    moves.extend(free().map(|place| format!("{letter}@{}", name(place))));
                }
            }
        } else {
            moves.extend(self.captures(self.player).into_iter().map(|jump| text('x', jump)));
        }
        if self.task == Task::SecondMove {
            moves.extend(self.stackings(self.player).into_iter().map(|jump| text('+', jump)));
            moves.push("-".to_string());
        }
        moves.sort_unstable();
        moves
    }

    /// Plays one of its moves.
    pub fn play(&mut self, text: &str) {
        let jump = || (place(&text[..2]), place(&text[3..5]));
        match text.as_bytes().get(1) {
            None => (),
            Some(b'@') => {
                let (row, column) = place(&text[2..]);
                let kind = 1 + "TAZ".find(&text[..1]).expect("a type") as i32;
                self.cells[row][column] = self.player * kind;
                self.heights[row][column] = 1;
            }
            Some(_) => {
                let (from, to) = jump();
                let moved = self.heights[from.0][from.1];
                let covered = if text.contains('+') { self.heights[to.0][to.1] } else { 0 };
                self.cells[to.0][to.1] = self.cells[from.0][from.1];
                self.heights[to.0][to.1] = moved + covered;
                self.cells[from.0][from.1] = 0;
                self.heights[from.0][from.1] = 0;
            }
        }
        match self.task {
            Task::Place if self.stacks() < 60 => self.player = -self.player,
            Task::Place => (self.player, self.task) = (1, Task::OnlyMove),
            Task::FirstMove if !self.is_missing(-self.player) => self.task = Task::SecondMove,
            _ => (self.player, self.task) = (-self.player, Task::FirstMove),
        }
    }
}

/// The 60 fields.
fn places() -> impl Iterator<Item = Place> {
    let all = (0..SIZE).flat_map(|row| (0..SIZE).map(move |column| (row, column)));
    all.filter(|&(row, column)| NAMES[row][column] != "-")
}

fn name((row, column): Place) -> &'static str {
    NAMES[row][column]
}

fn place(text: &str) -> Place {
    places().find(|&place| name(place) == text).expect("a field")
}
