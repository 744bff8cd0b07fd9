//! A game of one or two marks a turn, small enough to be solved by trying everything.

use std::collections::HashMap;
use std::ops::ControlFlow;

use game::{Key, KeyGenerator, PackedStep, Position, Proof, Score, Side, Steps, Turns};
use search::Knowledge;

const WIDTH: usize = 4;
const CELLS: usize = 3 * WIDTH;

/// Twelve cells, three rows of four. A turn marks a free cell, and a second one or none. Who has three in
/// a row has lost; who finds no free cell has lost.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Marks {
    /// The cells of each side, as bits.
    pub cells: [u16; 2],
    pub side: Side,
    pub inside: Option<u16>,
}

/// A cell, or none.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Mark(pub u16);

/// The second mark is given up.
pub const NO_MARK: Mark = Mark(99);

impl PackedStep for Mark {
    fn pack(self) -> u16 {
        self.0 + 1
    }

    fn unpack(bits: u16) -> Option<Mark> {
        bits.checked_sub(1).map(Mark)
    }
}

impl Marks {
    pub const EMPTY: Marks = Marks { cells: [0; 2], side: Side::First, inside: None };

    pub fn after(&self, step: Mark) -> Marks {
        let mut after = *self;
        after.play(step);
        after
    }

    fn free(&self) -> u16 {
        !(self.cells[0] | self.cells[1]) & ((1 << CELLS) - 1)
    }

    pub fn steps(&self) -> Vec<Mark> {
        let cells = (0..CELLS as u16).filter(|cell| self.free() >> cell & 1 != 0).map(Mark);
        cells.chain(self.inside.map(|_| NO_MARK)).collect()
    }

    /// All turns, each with the position after it.
    pub fn turns(&self) -> Vec<(Vec<Mark>, Marks)> {
        let mut turns = Vec::new();
        for first in self.steps() {
            let inside = self.after(first);
            for second in inside.steps() {
                turns.push((vec![first, second], inside.after(second)));
            }
        }
        turns
    }

    fn has_line(cells: u16) -> bool {
        let at = |x: usize, y: usize| cells >> (y * WIDTH + x) & 1 != 0;
        let runs = |dx: isize, dy: isize| {
            let cell = |x: usize, y: usize, k: isize| {
                at((x as isize + k * dx) as usize, (y as isize + k * dy) as usize)
            };
            let xs = if dx == 0 { 0..WIDTH } else { 0..WIDTH - 2 };
            let ys = match dy {
                0 => 0..3,
                1 => 0..1,
                _ => 2..3,
            };
            xs.flat_map(|x| ys.clone().map(move |y| (x, y)))
                .any(|(x, y)| (0..3).all(|k| cell(x, y, k)))
        };
        runs(1, 0) || runs(0, 1) || runs(1, 1) || runs(1, -1)
    }
}

impl Position for Marks {
    type Step = Mark;

    fn side(&self) -> Side {
        self.side
    }

    fn turn_starts(&self) -> bool {
        self.inside.is_none()
    }

    fn for_each_step(&self, visit: impl FnMut(Mark) -> ControlFlow<()>) -> ControlFlow<()> {
        self.steps().into_iter().try_for_each(visit)
    }

    fn cost(&self, _: Mark) -> Steps {
        Steps(1)
    }

    fn is_idle(&self) -> bool {
        false
    }

    fn play(&mut self, Mark(cell): Mark) {
        let before = self.cells[self.side as usize];
        if cell < CELLS as u16 {
            self.cells[self.side as usize] |= 1 << cell;
        }
        match self.inside {
            None => self.inside = Some(before),
            Some(_) => (self.side, self.inside) = (!self.side, None),
        }
    }

    fn key(&self) -> Key {
        let [one, other] = self.cells.map(u64::from);
        let inside = self.inside.map_or(0, |before| u64::from(before) << 1 | 1);
        let state = one | other << 12 | inside << 24 | (self.side as u64) << 40;
        KeyGenerator::new(state.wrapping_mul(0x0123_4567_89AB_CDEF)).next_key()
    }

    fn winner(&self) -> Option<Side> {
        if self.inside.is_some() {
            return None;
        }
        let lost = |side: Side| Marks::has_line(self.cells[side as usize]) || self.free() == 0;
        // Who has just marked a third in a row has lost, even with the last cell.
        if Marks::has_line(self.cells[!self.side as usize]) {
            return Some(self.side);
        }
        lost(self.side).then_some(!self.side)
    }
}

/// Sees what a turn can win, and what would have to be stopped.
pub struct Sight;

impl Sight {
    fn win_of(marks: &Marks) -> Option<Vec<Mark>> {
        let side = marks.side;
        let won = |after: &Marks| after.winner() == Some(side);
        if marks.inside.is_some() {
            return marks
                .steps()
                .into_iter()
                .find(|&step| won(&marks.after(step)))
                .map(|step| vec![step]);
        }
        marks.turns().into_iter().find(|(_, after)| won(after)).map(|(turn, _)| turn)
    }

    fn defences(marks: &Marks) -> Vec<Vec<Mark>> {
        let holds = |after: &Marks| match after.winner() {
            Some(winner) => winner == marks.side,
            None => Sight::win_of(after).is_none(),
        };
        marks.turns().into_iter().filter(|(_, after)| holds(after)).map(|(turn, _)| turn).collect()
    }
}

impl Knowledge<Marks> for Sight {
    type Scratch = ();

    const WHOLE_TURN: Steps = Steps(2);

    fn evaluate(&self, marks: &Marks, (): &mut ()) -> Score {
        Score(300 * (marks.free().count_ones() as i32 % 7 - 3))
    }

    fn winning_steps(&self, marks: &Marks) -> Option<Vec<Mark>> {
        Sight::win_of(marks)
    }

    fn is_threatened(&self, marks: &Marks) -> bool {
        Sight::win_of(&Marks { side: !marks.side, ..*marks }).is_some()
    }

    fn has_defence(&self, marks: &Marks, (): &mut ()) -> bool {
        !Sight::defences(marks).is_empty()
    }

    fn few_defences(&self, marks: &Marks, (): &mut ()) -> Option<search::Turns<Mark>> {
        let mut turns = search::Turns::new();
        Sight::defences(marks).into_iter().for_each(|turn| turns.push(turn));
        (turns.len() <= 20).then_some(turns)
    }

    fn promise(&self, _: &Marks, step: Mark) -> i32 {
        i32::from(step.0 * 5 % 7)
    }
}

/// Who wins, by trying everything.
#[derive(Default)]
pub struct Everything {
    known: HashMap<Marks, Proof>,
}

impl Everything {
    /// The result of a position at the start of a turn: the fewest turns of the winner if that is the
    /// mover, the most otherwise.
    pub fn result(&mut self, marks: &Marks) -> Proof {
        if let Some(winner) = marks.winner() {
            let turns = Turns(0);
            return if winner == marks.side { Proof::Win(turns) } else { Proof::Loss(turns) };
        }
        if let Some(&proof) = self.known.get(marks) {
            return proof;
        }
        let results = marks.turns().into_iter().map(|(_, after)| self.result(&after));
        let (mut win, mut loss) = (None, 0);
        for result in results.collect::<Vec<_>>() {
            match result {
                Proof::Loss(Turns(turns)) => win = Some(win.unwrap_or(u16::MAX).min(turns + 1)),
                Proof::Win(Turns(turns)) => loss = loss.max(turns),
            }
        }
        let proof = win.map_or(Proof::Loss(Turns(loss)), |turns| Proof::Win(Turns(turns)));
        self.known.insert(*marks, proof);
        proof
    }
}
