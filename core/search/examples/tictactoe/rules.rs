//! The rules, and positions as text.

use std::fmt;
use std::ops::ControlFlow;
use std::str::FromStr;

use game::{BySide, Key, KeyGenerator, PackedStep, Position, Side, Steps};

/// Three rows of four cells, as bits: a1 to d1, then a2 and a3.
const ROWS: u8 = 3;
const COLUMNS: u8 = 4;
const CELLS: u8 = ROWS * COLUMNS;

/// Three in a row: along rows, columns and diagonals.
const THREES: [u16; 14] = [
    0x007, 0x00E, 0x070, 0x0E0, 0x700, 0xE00, // a1 b1 c1, b1 c1 d1, and so on upwards
    0x111, 0x222, 0x444, 0x888, // a1 a2 a3, b1 b2 b3 …
    0x421, 0x842, 0x124, 0x248, // a1 b2 c3, b1 c2 d3, a3 b2 c1, b3 c2 d1
];

/// Who has marked what, and how far the turn is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Grid {
    /// The cells of each side, as bits.
    pub marks: BySide<u16>,
    /// Whose turn it is.
    pub side: Side,
    /// Whether its first mark is made.
    pub inside: bool,
}

/// A step of a turn, which has two.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mark {
    /// The cell of that bit.
    Cell(u8),
    /// The second mark is given up.
    None,
}

impl PackedStep for Mark {
    fn pack(self) -> u16 {
        match self {
            Mark::Cell(cell) => u16::from(cell) + 1,
            Mark::None => 99,
        }
    }

    fn unpack(bits: u16) -> Option<Mark> {
        match bits {
            0 => None,
            99 => Some(Mark::None),
            bits => Some(Mark::Cell(bits as u8 - 1)),
        }
    }
}

impl Position for Grid {
    type Step = Mark;

    fn side(&self) -> Side {
        self.side
    }

    fn turn_starts(&self) -> bool {
        !self.inside
    }

    fn for_each_step(&self, mut visit: impl FnMut(Mark) -> ControlFlow<()>) -> ControlFlow<()> {
        self.free().map(Mark::Cell).try_for_each(&mut visit)?;
        if self.inside { visit(Mark::None) } else { ControlFlow::Continue(()) }
    }

    fn cost(&self, _: Mark) -> Steps {
        Steps(1)
    }

    fn is_idle(&self) -> bool {
        // The first step of a turn is a mark, and marks stay.
        false
    }

    fn play(&mut self, step: Mark) {
        if let Mark::Cell(cell) = step {
            self.marks[self.side] |= 1 << cell;
        }
        if self.inside {
            self.side = !self.side;
        }
        self.inside = !self.inside;
    }

    fn key(&self) -> Key {
        let BySide { first, second } = self.marks;
        let marks = u64::from(first) << CELLS | u64::from(second);
        let state = marks << 2 | u64::from(self.inside) << 1 | self.side as u64;
        // Any state will do for a seed: the generator makes all bits depend on all others.
        KeyGenerator::new(state).next_key()
    }

    fn winner(&self) -> Option<Side> {
        if self.inside {
            return None;
        }
        let other = !self.side;
        if has_three_in_a_row(self.marks[other]) {
            return Some(self.side);
        }
        self.free().next().is_none().then_some(other)
    }
}

impl Grid {
    /// Where the game begins.
    pub const EMPTY: Grid =
        Grid { marks: BySide { first: 0, second: 0 }, side: Side::First, inside: false };

    /// The grid after a step.
    pub fn after(&self, step: Mark) -> Grid {
        let mut after = *self;
        after.play(step);
        after
    }

    /// All legal steps.
    pub fn steps(&self) -> Vec<Mark> {
        let mut steps = Vec::new();
        let _ = self.for_each_step(|step| {
            steps.push(step);
            ControlFlow::Continue(())
        });
        steps
    }

    /// All ways to play the turn from here to its end, each with the grid after it.
    pub fn turns(&self) -> Vec<(Vec<Mark>, Grid)> {
        let mut turns = Vec::new();
        for step in self.steps() {
            let after = self.after(step);
            if !after.inside {
                turns.push((vec![step], after));
                continue;
            }
            turns.extend(after.turns().into_iter().map(|(mut turn, end)| {
                turn.insert(0, step);
                (turn, end)
            }));
        }
        turns
    }

    /// The free cells with which that side would have three in a row.
    pub fn taboo(&self, side: Side) -> impl Iterator<Item = u8> {
        let marks = self.marks[side];
        self.free().filter(move |cell| has_three_in_a_row(marks | 1 << cell))
    }

    /// The cells that nobody has marked.
    pub fn free(&self) -> impl Iterator<Item = u8> {
        let marked = self.marks.first | self.marks.second;
        (0..CELLS).filter(move |cell| marked >> cell & 1 == 0)
    }
}

fn has_three_in_a_row(marks: u16) -> bool {
    THREES.iter().any(|three| marks & three == *three)
}

/// A row after the other from the top, `x` for the first side's marks, and who is to move: `..../.x../.... o`.
impl fmt::Display for Grid {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        for row in (0..ROWS).rev() {
            for column in 0..COLUMNS {
                let bit = 1 << (row * COLUMNS + column);
                let side = Side::ALL.into_iter().find(|&side| self.marks[side] & bit != 0);
                write!(f, "{}", side.map_or('.', letter))?;
            }
            if row > 0 {
                write!(f, "/")?;
            }
        }
        write!(f, " {}", letter(self.side))
    }
}

impl FromStr for Grid {
    type Err = String;

    fn from_str(text: &str) -> Result<Grid, String> {
        let wrong = || format!("expected rows and a side such as ..../.x../.... o, found {text:?}");
        let (rows, side) = text.split_once(' ').ok_or_else(wrong)?;
        let side = Side::ALL.into_iter().find(|&known| side == letter(known).to_string());
        let mut grid = Grid { side: side.ok_or_else(wrong)?, ..Grid::EMPTY };
        let rows: Vec<&str> = rows.split('/').collect();
        if rows.len() != ROWS.into() || rows.iter().any(|row| row.len() != COLUMNS.into()) {
            return Err(wrong());
        }
        for (cell, found) in (0..).zip(rows.iter().rev().flat_map(|row| row.chars())) {
            match Side::ALL.into_iter().find(|&side| found == letter(side)) {
                Some(side) => grid.marks[side] |= 1 << cell,
                None if found == '.' => (),
                None => return Err(wrong()),
            }
        }
        Ok(grid)
    }
}

fn letter(side: Side) -> char {
    match side {
        Side::First => 'x',
        Side::Second => 'o',
    }
}
