use std::collections::VecDeque;
use std::sync::Arc;

use game::{PackedStep, Side};

use crate::Turns;
use crate::node::Place;

/// The steps that have proved good: those that refuted a sibling lately, and those that were good
/// anywhere in the tree.
pub(crate) struct Memory<Step> {
    /// By [`Places`].
    killers: Vec<[Option<Step>; 2]>,
    places: Places,
    credit: Credit,
    /// By the side and the bits of the step.
    history: Box<[i32]>,
}

/// How much a step is credited with that has refuted what came before.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Credit {
    /// The square of the depth, to the debit of those that were tried in vain.
    Square,
    /// Two to the power of the depth, at the start of a turn only.
    Doubling,
}

/// Which positions share their killers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Places {
    /// Those with as many steps from the root, whatever these cost.
    Ply,
    /// Those with as many turns from the root, and as much of the turn used up.
    InsideTurn,
}

impl Places {
    fn index(self, place: Place) -> usize {
        /// No turn is longer.
        const LONGEST: usize = 4;
        let index = match self {
            Places::Ply => place.ply,
            Places::InsideTurn => {
                usize::from(place.turns) * LONGEST + (place.used as usize).min(LONGEST - 1)
            }
        };
        index.min(MOST_PLACES - 1)
    }
}

/// Beyond these, all share their killers.
const MOST_PLACES: usize = 256;

/// No step's history goes beyond.
const MOST_HISTORY: i32 = 1 << 14;

/// The same for one that doubles.
const MOST_DOUBLING: i32 = 1 << 29;

impl<Step: PackedStep> Memory<Step> {
    pub(crate) fn new(places: Places, credit: Credit) -> Memory<Step> {
        let history = vec![0; 2 << 16].into_boxed_slice();
        Memory { killers: vec![[None; 2]; MOST_PLACES], places, credit, history }
    }

    #[inline]
    pub(crate) fn killers(&self, place: Place) -> [Option<Step>; 2] {
        self.killers[self.places.index(place)]
    }

    #[inline]
    pub(crate) fn history(&self, side: Side, step: Step) -> i32 {
        self.history[index(side, step)]
    }

    /// A step has refuted what came before, after the `others` had been tried in vain.
    pub(crate) fn reward(
        &mut self,
        side: Side,
        place: Place,
        step: Step,
        others: impl Iterator<Item = Step>,
    ) {
        let [first, second] = &mut self.killers[self.places.index(place)];
        if *first != Some(step) {
            *second = first.replace(step);
        }
        match self.credit {
            Credit::Square => {
                let amount = (place.depth * place.depth).clamp(1, 400);
                self.move_history(index(side, step), amount);
                for other in others {
                    self.move_history(index(side, other), -amount);
                }
            }
            Credit::Doubling if place.used == 0 => {
                let history = &mut self.history[index(side, step)];
                *history = (*history + (1 << place.depth.clamp(0, 20))).min(MOST_DOUBLING);
            }
            Credit::Doubling => {}
        }
    }

    /// Moves the history of a step towards its limit, by less the nearer it is.
    fn move_history(&mut self, index: usize, amount: i32) {
        let history = &mut self.history[index];
        *history += amount - *history * amount.abs() / MOST_HISTORY;
    }
}

#[inline]
fn index<Step: PackedStep>(side: Side, step: Step) -> usize {
    (side as usize) << 16 | step.pack() as usize
}

/// What can be played in a position, the most promising first: steps, or whole turns where only some
/// of them matter.
pub(crate) enum Options<Step> {
    Steps {
        /// With how promising they are.
        steps: Vec<(i32, Step)>,
        is_sorted: bool,
    },
    Turns(Arc<Turns<Step>>),
}

impl<Step: Copy> Options<Step> {
    /// Steps with how promising they are.
    pub(crate) fn steps(mut steps: Vec<(i32, Step)>) -> Options<Step> {
        // The first of the best. Most nodes look at one step or at all of them: the others are sorted
        // when they are asked for.
        let places = (0..steps.len()).rev();
        if let Some(best) = places.max_by_key(|&place| steps[place].0) {
            steps[..=best].rotate_right(1);
        }
        Options::Steps { steps, is_sorted: false }
    }

    pub(crate) fn len(&self) -> usize {
        match self {
            Options::Steps { steps, .. } => steps.len(),
            Options::Turns(turns) => turns.len(),
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The steps to be played for the option of that number; the first one is asked for first.
    #[inline]
    pub(crate) fn get(&mut self, index: usize) -> Option<&[Step]> {
        match self {
            Options::Steps { steps, is_sorted } => {
                if index > 0 && !*is_sorted {
                    steps[1..].sort_by_key(|&(promise, _)| std::cmp::Reverse(promise));
                    *is_sorted = true;
                }
                steps.get(index).map(|(_, step)| std::slice::from_ref(step))
            }
            Options::Turns(turns) => turns.get(index),
        }
    }
}

/// The numbers of options in their order, those that were put off at the end.
pub(crate) struct Numbers {
    next: usize,
    count: usize,
    put_off: VecDeque<usize>,
}

impl Numbers {
    pub(crate) fn new(count: usize) -> Numbers {
        Numbers { next: 0, count, put_off: VecDeque::new() }
    }

    /// Puts off the last number, unless that was done before; returns whether it did.
    pub(crate) fn put_off(&mut self) -> bool {
        let is_first_time = self.next <= self.count;
        if is_first_time {
            self.put_off.push_back(self.next - 1);
        }
        is_first_time
    }
}

impl Iterator for Numbers {
    type Item = usize;

    #[inline]
    fn next(&mut self) -> Option<usize> {
        self.next += 1;
        match self.next <= self.count {
            true => Some(self.next - 1),
            false => self.put_off.pop_front(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    struct Letter(char);

    impl PackedStep for Letter {
        fn pack(self) -> u16 {
            self.0 as u16
        }

        fn unpack(bits: u16) -> Option<Letter> {
            char::from_u32(bits.into()).map(Letter)
        }
    }

    #[test]
    fn what_is_put_off_comes_once_more_at_the_end() {
        let mut numbers = Numbers::new(4);
        let mut seen = Vec::new();
        while let Some(number) = numbers.next() {
            seen.push(number);
            let is_put_off = number % 2 == 1 && numbers.put_off();
            assert_eq!(is_put_off, number % 2 == 1 && seen.len() <= 4);
        }
        assert_eq!(seen, [0, 1, 2, 3, 1, 3]);
    }

    #[test]
    fn what_doubles_with_depth_is_credited_at_the_start_of_a_turn_only() {
        let step = Letter('a');
        let mut memory = Memory::new(Places::Ply, Credit::Doubling);
        let start = Place::root(5);
        memory.reward(Side::First, start, step, [Letter('b')].into_iter());
        memory.reward(Side::First, start.after(1), step, std::iter::empty());
        memory.reward(Side::First, Place::root(3), step, std::iter::empty());
        assert_eq!(memory.history(Side::First, step), 32 + 8);
        assert_eq!(memory.history(Side::Second, step), 0);
        assert_eq!(memory.history(Side::First, Letter('b')), 0);
        (0..2000).for_each(|_| {
            memory.reward(Side::First, Place::root(60), step, std::iter::empty());
        });
        assert_eq!(memory.history(Side::First, step), MOST_DOUBLING);
    }

    #[test]
    fn the_best_step_comes_first_and_the_others_keep_their_order_among_equals() {
        let promises = [(1, 'a'), (3, 'b'), (2, 'c'), (3, 'd'), (1, 'e')];
        let mut options = Options::steps(promises.to_vec());
        let steps: Vec<char> = (0..5).filter_map(|index| Some(options.get(index)?[0])).collect();
        assert_eq!(steps, ['b', 'd', 'c', 'a', 'e']);
    }
}
