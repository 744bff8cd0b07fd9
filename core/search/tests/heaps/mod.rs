//! A small game whose every position can be solved by trying everything.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::Mutex;

use game::{Key, PackedStep, Position, Proof, Score, Side, Steps, Turns};
use search::{Evaluator, Tactics};

/// Two heaps of stones; a step takes one or two from one of them. A turn has two steps, of which the
/// second may be given up. Whoever has taken the last stone has won.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Heaps {
    pub stones: [u8; 2],
    pub side: Side,
    pub inside: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Take {
    Stones { heap: u8, count: u8 },
    Nothing,
}

impl PackedStep for Take {
    fn pack(self) -> u16 {
        match self {
            Take::Stones { heap, count } => u16::from(heap * 4 + count),
            Take::Nothing => 100,
        }
    }

    fn unpack(bits: u16) -> Option<Take> {
        match bits {
            0 => None,
            100 => Some(Take::Nothing),
            bits => Some(Take::Stones { heap: bits as u8 / 4, count: bits as u8 % 4 }),
        }
    }
}

impl Heaps {
    pub fn new(stones: [u8; 2]) -> Heaps {
        Heaps { stones, side: Side::First, inside: false }
    }

    pub fn after(&self, step: Take) -> Heaps {
        let mut after = *self;
        after.play(step);
        after
    }

    pub fn steps(&self) -> Vec<Take> {
        let mut steps = Vec::new();
        let _ = self.for_each_step(|step| {
            steps.push(step);
            ControlFlow::Continue(())
        });
        steps
    }
}

impl Position for Heaps {
    type Step = Take;

    fn side(&self) -> Side {
        self.side
    }

    fn turn_starts(&self) -> bool {
        !self.inside
    }

    fn for_each_step(&self, mut visit: impl FnMut(Take) -> ControlFlow<()>) -> ControlFlow<()> {
        for heap in 0..2 {
            for count in (1..=2).filter(|&count| count <= self.stones[heap as usize]) {
                visit(Take::Stones { heap, count })?;
            }
        }
        if self.inside { visit(Take::Nothing) } else { ControlFlow::Continue(()) }
    }

    fn cost(&self, _: Take) -> Steps {
        Steps(1)
    }

    fn is_idle(&self) -> bool {
        false
    }

    fn play(&mut self, step: Take) {
        if let Take::Stones { heap, count } = step {
            self.stones[heap as usize] -= count;
        }
        if self.inside {
            self.side = !self.side;
        }
        self.inside = !self.inside;
    }

    fn key(&self) -> Key {
        let [one, other] = self.stones.map(u64::from);
        let state = one << 10 | other << 2 | u64::from(self.inside) << 1 | self.side as u64;
        // Spread over all bits, as keys are.
        Key((state + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15))
    }

    fn winner(&self) -> Option<Side> {
        (!self.inside && self.stones == [0, 0]).then_some(!self.side)
    }
}

/// Nothing but an estimate, and that a foolish one.
pub struct Ignorance;

impl Evaluator<Heaps> for Ignorance {
    type State = ();
    type Cache = ();

    fn state(&self, _: &Heaps) {}

    fn evaluate(&self, heaps: &Heaps, (): &(), (): &mut ()) -> Score {
        Score(i32::from(heaps.stones[0]) * 7 % 5 - i32::from(heaps.stones[1]) % 3)
    }
}

impl Tactics<Heaps> for Ignorance {
    type Scratch = ();
}

/// The result of a position at the start of a turn, by trying everything: the fewest turns of the winner
/// if that is the mover, the most otherwise.
pub fn solve(heaps: &Heaps) -> Proof {
    static SOLVED: Mutex<BTreeMap<[u8; 2], Proof>> = Mutex::new(BTreeMap::new());
    if heaps.stones == [0, 0] {
        return Proof::Loss(Turns(0));
    }
    let known = SOLVED.lock().expect("no panic").get(&heaps.stones).copied();
    known.unwrap_or_else(|| {
        let proof = solve_by_trying(heaps);
        SOLVED.lock().expect("no panic").insert(heaps.stones, proof);
        proof
    })
}

fn solve_by_trying(heaps: &Heaps) -> Proof {
    let firsts = heaps.steps().into_iter().map(|step| heaps.after(step));
    let ends = firsts.flat_map(|inside| {
        inside.steps().into_iter().map(move |step| inside.after(step)).collect::<Vec<_>>()
    });
    let results: Vec<Proof> = ends.map(|after| solve(&after)).collect();
    let losses = results.iter().filter_map(|result| match result {
        Proof::Loss(turns) => Some(turns.0),
        Proof::Win(_) => None,
    });
    let wins = results.iter().filter_map(|result| match result {
        Proof::Win(turns) => Some(turns.0),
        Proof::Loss(_) => None,
    });
    match losses.min() {
        Some(turns) => Proof::Win(Turns(turns + 1)),
        None => Proof::Loss(Turns(wins.max().expect("a turn"))),
    }
}

/// All positions with at most so many stones in a heap.
pub fn all_heaps(most: u8) -> impl Iterator<Item = Heaps> {
    let pairs = (1..=most).flat_map(|one| (0..=one).map(move |other| [one, other]));
    pairs.map(Heaps::new)
}
