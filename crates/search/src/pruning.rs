use game::Position;

use crate::node::{Node, Place};
use crate::value::Value;
use crate::worker::{Trial, Worker};
use crate::{Knowledge, Parameters};

/// By how many steps late steps are searched less deep at first.
pub(crate) struct Reductions {
    /// By the depth and by how late they are, both up to the last that has a place.
    table: [[u8; 32]; 32],
}

impl Reductions {
    pub(crate) fn new(parameters: &Parameters) -> Reductions {
        let growth = parameters.late_steps_growth as f32 / 100.0;
        let mut table = [[0; 32]; 32];
        for (depth, row) in table.iter_mut().enumerate() {
            for (late, reduction) in row.iter_mut().enumerate() {
                let logarithms = (depth.max(1) as f32).ln() * (1.0 + late as f32).ln();
                *reduction = match parameters.late_steps_growth {
                    0 => 1 + u8::from(late > 8) + u8::from(late > 16 && depth > 6),
                    _ => 1 + (growth * logarithms) as u8,
                };
            }
        }
        Reductions { table }
    }

    #[inline]
    fn of(&self, late: i32, depth: i32) -> i32 {
        let [late, depth] = [late, depth].map(|number| number.clamp(0, 31) as usize);
        i32::from(self.table[depth][late])
    }
}

/// What is left out or searched less deep, each by a parameter of its own. Nothing is, where a
/// certain result is asked for: its length would be wrong.
impl<P: Position, K: Knowledge<P>> Worker<'_, P, K> {
    /// The value of a position that is too good even if the side to move gives up its turn.
    pub(crate) fn without_turn(&mut self, node: &mut Node<P>) -> Option<Value> {
        let Node { place, window, .. } = *node;
        let whole_turn = i32::from(K::WHOLE_TURN.0);
        let may = self.parameters.null_move != 0
            && place.ply > 0
            && !place.after_null
            && place.depth > whole_turn
            && window.is_null()
            && !window.beta.is_result();
        if !may || self.estimate(node) < window.beta {
            return None;
        }
        let after = self.knowledge.without_turn(node.position)?;
        let cost = whole_turn + self.parameters.null_reduction;
        let below = Place { after_null: true, ..place.after(cost) };
        self.nodes += 1;
        let value = self.next_turn(node.position.side(), &after, below, window, None);
        // What was won by doing nothing is not proved: the turn was not legal.
        (!self.is_stopped && value >= window.beta).then_some(window.beta)
    }

    /// Where the estimate is so far below alpha that a quiet step will not reach it: what the others are
    /// worth at most.
    pub(crate) fn futility(&mut self, node: &mut Node<P>) -> Option<Value> {
        let Node { place, window, .. } = *node;
        let near_leaf = place.depth <= self.parameters.futility_depth && place.ply > 0;
        if self.parameters.futility == 0
            || !near_leaf
            || !window.is_null()
            || window.alpha.is_result()
        {
            return None;
        }
        let margin = self.parameters.futility_margin * place.depth;
        let hoped = self.estimate(node).plus(margin);
        (hoped <= window.alpha).then_some(hoped)
    }

    /// By how much less a step is searched at first, that so many others precede.
    pub(crate) fn reduction(
        &self,
        node: &Node<P>,
        below: Place,
        step: P::Step,
        trial: &Trial<P::Step>,
    ) -> i32 {
        let late = trial.count as i32 - self.parameters.late_from;
        if self.parameters.late_steps == 0
            || late < 0
            || below.depth < 2
            || trial.asked.alpha.is_result()
            || !self.knowledge.is_quiet(node.position, step)
        {
            return 0;
        }
        self.reductions.of(late, below.depth)
    }

    /// Razoring (Zhong 2005, 5.5): the value of a position at the start of a turn, if the turn before has
    /// lowered the estimate of the side that played it, which ought to have a better one.
    pub(crate) fn razored(&mut self, node: &mut Node<P>) -> Option<Value> {
        if self.parameters.razoring == 0 {
            return None;
        }
        // Asked for in any case: the next turn will be compared with it.
        let estimate = self.estimate(node);
        let asks_score = node.window.is_null() && !node.window.beta.is_result();
        let before = node.enemy_before.filter(|_| asks_score)?;
        let floor = (-before).plus(self.parameters.razoring_margin);
        (estimate > floor && estimate >= node.window.beta).then_some(estimate)
    }

    /// Whether a turn that has begun is to be gone on with only by steps that belong to the last one: a
    /// step combo that has lowered the estimate is not over, or was not worth it.
    pub(crate) fn is_unfinished(&mut self, node: &mut Node<P>) -> bool {
        let asks_score = node.window.is_null() && !node.window.alpha.is_result();
        let Some(begun) = node.begun.as_ref().filter(|_| self.parameters.razoring > 1) else {
            return false;
        };
        let Some(before) = begun.estimate.filter(|_| asks_score) else { return false };
        let floor = before.plus(-self.parameters.razoring_margin);
        let estimate = self.estimate(node);
        estimate < floor && estimate <= node.window.alpha
    }

    /// Whether a step is left out for what it is to the one before it in the turn.
    pub(crate) fn is_out_of_place(&self, node: &Node<P>, step: P::Step, unfinished: bool) -> bool {
        let parameters = self.parameters;
        let Some(begun) = &node.begun else { return false };
        // The first step alone is no combo yet: all turns that go on apart from it have another
        // order in which a combo comes first, but for those without any combo (Zhong 2005, 4.3.3).
        let is_second = begun.start.turn_starts() && node.place.used == 1;
        let combos = parameters.step_combos != 0 && is_second && !node.window.alpha.is_result();
        let (knowledge, before, last) = (self.knowledge, begun.before, begun.last);
        parameters.undone_steps != 0 && knowledge.undoes(before, last, step)
            || (combos || unfinished) && !knowledge.follows(before, last, step)
    }

    /// What a turn costs by being reversible (Zhong 2005, 4.4).
    pub(crate) fn reversibility(&self, node: &Node<P>, steps: &[P::Step], after: &P) -> i32 {
        let over = after.side() != node.position.side();
        if self.parameters.reversible == 0 || !over {
            return 0;
        }
        let start = node.begun.as_ref().map_or(node.position, |begun| begun.start);
        let (Some((&last, before_last)), true) = (steps.split_last(), start.turn_starts()) else {
            return 0;
        };
        let mut before = node.position.clone();
        before_last.iter().for_each(|&step| before.play(step));
        match self.knowledge.is_reversible(start, &before, last) {
            true => self.parameters.reversible,
            false => 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn late_steps_are_reduced_by_one_to_three() {
        let reductions = Reductions::new(&Parameters::default());
        let of = |late, depth| reductions.of(late, depth);
        assert_eq!(
            [of(0, 2), of(8, 9), of(9, 2), of(17, 6), of(17, 7), of(90, 90)],
            [1, 1, 2, 2, 3, 3]
        );
    }

    #[test]
    fn a_reduction_that_grows_is_the_larger_the_later_and_the_deeper() {
        let parameters = Parameters { late_steps_growth: 120, ..Parameters::default() };
        let reductions = Reductions::new(&parameters);
        for (late, depth) in (0..31).flat_map(|late| (1..31).map(move |depth| (late, depth))) {
            let here = reductions.of(late, depth);
            assert!(here >= 1 && reductions.of(late + 1, depth) >= here);
            assert!(reductions.of(late, depth + 1) >= here);
        }
        // 1 + 1.2 ln 20 ln 10 = 9.3
        assert_eq!(reductions.of(19, 10), 9);
    }
}
