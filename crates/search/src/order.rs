use game::{PackedStep, Side};

/// The steps that have proved good: those that refuted a sibling lately, and those that were good
/// anywhere in the tree.
pub(crate) struct Memory<Step> {
    killers: Vec<[Option<Step>; 2]>,
    /// By the side and the bits of the step.
    history: Box<[i32]>,
}

/// No step's history goes beyond.
const MOST_HISTORY: i32 = 1 << 14;

impl<Step: PackedStep> Memory<Step> {
    pub(crate) fn new(plies: usize) -> Memory<Step> {
        Memory { killers: vec![[None; 2]; plies], history: vec![0; 2 << 16].into_boxed_slice() }
    }

    #[inline]
    pub(crate) fn killers(&self, ply: usize) -> [Option<Step>; 2] {
        self.killers[ply]
    }

    #[inline]
    pub(crate) fn history(&self, side: Side, step: Step) -> i32 {
        self.history[index(side, step)]
    }

    /// A step at that ply has refuted what came before, after the `others` had been tried in
    /// vain.
    pub(crate) fn reward(
        &mut self,
        side: Side,
        ply: usize,
        step: Step,
        others: impl Iterator<Item = Step>,
        depth: i32,
    ) {
        let [first, second] = &mut self.killers[ply];
        if *first != Some(step) {
            *second = first.replace(step);
        }
        let amount = (depth * depth).clamp(1, 400);
        self.move_history(index(side, step), amount);
        for other in others {
            self.move_history(index(side, other), -amount);
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

/// Steps with how promising they are, picked from the best to the worst.
pub(crate) struct Picker<Step> {
    steps: Vec<(i32, Step)>,
    next: usize,
}

impl<Step: Copy> Picker<Step> {
    pub(crate) fn new(mut steps: Vec<(i32, Step)>) -> Picker<Step> {
        // Most nodes look at one step or at all of them: sorting once is as good as picking.
        steps.sort_by_key(|&(promise, _)| std::cmp::Reverse(promise));
        Picker { steps, next: 0 }
    }

    /// The buffer, for the next position.
    pub(crate) fn into_buffer(self) -> Vec<(i32, Step)> {
        self.steps
    }
}

impl<Step: Copy> Iterator for Picker<Step> {
    type Item = Step;

    #[inline]
    fn next(&mut self) -> Option<Step> {
        let (_, step) = *self.steps.get(self.next)?;
        self.next += 1;
        Some(step)
    }
}
