use game::{Position, Steps};

use super::search::{BegunTurn, MoveLoop, Node, SearchThread, TreeDepth, Window};
use crate::heuristics::AlphaBetaHeuristics;
use crate::value::Value;
use crate::{NullMove, Parameters, Razoring};

/// The table of late move reductions, in steps.
pub(super) struct Reductions {
    /// By the depth and by how late a step comes, both up to the last that the table has.
    table: [[u8; 32]; 32],
}

impl Reductions {
    pub(super) fn new(parameters: &Parameters) -> Reductions {
        let growth = parameters.lmr_growth as f32 / 100.0;
        let mut table = [[0; 32]; 32];
        for (depth, row) in table.iter_mut().enumerate() {
            for (late, reduction) in row.iter_mut().enumerate() {
                let logarithms = (depth.max(1) as f32).ln() * (1.0 + late as f32).ln();
                *reduction = match parameters.lmr_growth {
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
impl<P: Position, H: AlphaBetaHeuristics<P>> SearchThread<'_, P, H> {
    /// Null move pruning: the value of a position that is too good even if the side to move gives up its turn.
    pub(super) fn null_move(&mut self, node: &mut Node<P>) -> Option<Value> {
        let Node { at, window, .. } = *node;
        let whole_turn = i32::from(H::WHOLE_TURN.0);
        let starts = node.position.turn_starts();
        let is_eager = self.parameters.null_move_eager;
        let is_wanted = match self.parameters.null_move {
            NullMove::Off => false,
            NullMove::Turns => starts,
            NullMove::Anywhere => true,
        };
        let may = is_wanted
            && at.ply > 0
            && !at.after_null_move
            && at.depth > if is_eager { 0 } else { whole_turn }
            && (is_eager || window.is_null())
            && !window.beta.is_result();
        if !may || !is_eager && self.evaluation(node) < window.beta {
            return None;
        }
        let window = Window { alpha: window.beta.predecessor(), ..window };
        let after = self.heuristics.null_move(node.position)?;
        let cost = whole_turn - at.used + self.parameters.null_move_reduction;
        let below = TreeDepth { after_null_move: true, ..at.after(cost) };
        self.advance_by_null_move(at.ply);
        let child = Node::new(&after, below, window);
        let value = self.search_next_turn(node.position.side(), child, None);
        let cuts_off = !self.is_stopped && value >= window.beta;
        if is_eager {
            let level = i32::from(at.turns) * whole_turn + at.used;
            self.shared.null_moves.count(level as usize, cuts_off);
        }
        // What was won by doing nothing is not proved: the turn was not legal.
        cuts_off.then_some(window.beta)
    }

    /// Futility pruning: where the evaluation is so far below alpha that a quiet step will not reach it, what
    /// quiet steps are worth at most.
    pub(super) fn futility(&mut self, node: &mut Node<P>) -> Option<Value> {
        let Node { at, window, .. } = *node;
        let near_leaf = at.depth <= self.parameters.futility_depth && at.ply > 0;
        if !self.parameters.futility || !near_leaf || !window.is_null() || window.alpha.is_result()
        {
            return None;
        }
        let margin = self.parameters.futility_margin * at.depth;
        let hoped = self.evaluation(node).plus(margin);
        (hoped <= window.alpha).then_some(hoped)
    }

    /// Reverse futility pruning: the evaluation of a position near the leaves that is so far above beta that
    /// whatever the enemy does will not bring it below.
    pub(super) fn reverse_futility(&mut self, node: &mut Node<P>) -> Option<Value> {
        let Node { at, window, .. } = *node;
        if !self.parameters.reverse_futility
            || at.depth > self.parameters.reverse_futility_depth
            || !window.is_null()
            || window.beta.is_result()
        {
            return None;
        }
        let margin = self.parameters.reverse_futility_margin * at.depth;
        let evaluation = self.evaluation(node);
        (evaluation.plus(-margin) >= window.beta).then_some(evaluation)
    }

    /// Late move pruning and learned pruning: whether a quiet step comes so late in the order, or is so unlikely, that it
    /// is left out near the leaves.
    pub(super) fn is_late(&self, node: &Node<P>, so_far: &MoveLoop<P::Step>) -> bool {
        let Node { at, window, .. } = *node;
        let Parameters { late_move_pruning, learned_pruning, .. } = *self.parameters;
        let is_late = late_move_pruning > 0
            && at.depth <= self.parameters.late_move_pruning_depth
            && so_far.steps() >= late_move_pruning * at.depth;
        // One move is searched in any case: an unlikely one, where all others are forbidden.
        let is_unlikely = learned_pruning > 0
            && at.depth <= self.parameters.learned_pruning_depth
            && so_far.unlikelihood > learned_pruning * at.depth
            && so_far.count > 0;
        (is_late || is_unlikely) && window.is_null() && !so_far.window.alpha.is_result()
    }

    /// Internal iterative reduction: by how many steps less a position without a hash step is searched.
    pub(super) fn internal_iterative_reduction(&self, at: TreeDepth) -> i32 {
        let from = self.parameters.internal_iterative_reduction;
        i32::from(from > 0 && at.depth >= from)
    }

    /// Late move reductions: by how many steps less a step is searched at first, after so many others.
    pub(super) fn late_move_reduction(
        &self,
        node: &Node<P>,
        below: TreeDepth,
        steps: &[P::Step],
        so_far: &MoveLoop<P::Step>,
    ) -> i32 {
        let late = so_far.steps() - self.parameters.lmr_from;
        if !self.parameters.lmr
            || late < 0
            || below.depth < 2
            || so_far.window.alpha.is_result()
            || steps.len() > 1
            || !self.heuristics.is_quiet(node.position, steps[0])
        {
            return 0;
        }
        let mut reduction = self.reductions.of(late, below.depth);
        if !node.window.is_null() {
            reduction -= self.parameters.lmr_pv;
        }
        if self.parameters.lmr_history != 0 {
            let (side, before) = (node.position.side(), node.step_before());
            let history = self.ordering.history_of(side, before, steps[0]);
            reduction -= history / self.parameters.lmr_history;
        }
        reduction.max(0)
    }

    /// Razoring (Zhong 2005, 5.5): the value of a position at the start of a turn, if the turn before has
    /// lowered the evaluation of the side that played it, which ought to have a better one.
    pub(super) fn razoring(&mut self, node: &mut Node<P>) -> Option<Value> {
        if self.parameters.razoring == Razoring::Off {
            return None;
        }
        // Asked for in any case: the next turn will be compared with it.
        let evaluation = self.evaluation(node);
        let asks_score = node.window.is_null() && !node.window.beta.is_result();
        let before = node.enemy_before.filter(|_| asks_score)?;
        let floor = (-before).plus(self.parameters.razoring_margin);
        (evaluation > floor && evaluation >= node.window.beta).then_some(evaluation)
    }

    /// Razoring inside a turn: whether only steps are searched that go on with the last one. A step combo that
    /// has lowered the evaluation is not over, or was not worth it.
    pub(super) fn is_razored_combo(&mut self, node: &mut Node<P>) -> bool {
        let asks_score = node.window.is_null() && !node.window.alpha.is_result();
        let Some(begun) =
            node.begun.as_ref().filter(|_| self.parameters.razoring == Razoring::Combos)
        else {
            return false;
        };
        let Some(before) = begun.evaluation.filter(|_| asks_score) else { return false };
        let floor = before.plus(-self.parameters.razoring_margin);
        let evaluation = self.evaluation(node);
        evaluation < floor && evaluation <= node.window.alpha
    }

    /// Whether a step is left out that takes back the one before it. No turn is lost: it has another one with
    /// fewer steps.
    pub(super) fn is_undone(&self, node: &Node<P>, step: P::Step) -> bool {
        let undoes = |begun: &BegunTurn<P>| self.heuristics.undoes(begun.before, begun.last, step);
        self.parameters.undone_steps && node.begun.as_ref().is_some_and(undoes)
    }

    /// Whether a step is left out that makes no step combo with the one before it. Turns are lost by that: a
    /// node that leaves out steps claims no loss.
    pub(super) fn is_no_combo(&self, node: &Node<P>, step: P::Step, only_combos: bool) -> bool {
        let Some(begun) = &node.begun else { return false };
        // The first step alone is no combo yet: all turns that go on apart from it have another
        // order in which a combo comes first, but for those without any combo (Zhong 2005, 4.3.3).
        let is_second = begun.start.turn_starts() && node.at.used == 1;
        let combos = self.parameters.step_combos && is_second && !node.window.alpha.is_result();
        (combos || only_combos) && !self.heuristics.follows(begun.before, begun.last, step)
    }

    /// What a turn costs by being reversible (Zhong 2005, 4.4).
    pub(super) fn reversible_toll(&self, node: &Node<P>, steps: &[P::Step], after: &P) -> i32 {
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
        let to_spare = Steps(u8::from(!self.parameters.reversible_equal));
        match self.heuristics.is_reversible(start, &before, last, to_spare) {
            true => self.parameters.reversible,
            false => 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn late_moves_are_reduced_by_one_to_three() {
        let reductions = Reductions::new(&Parameters::default());
        let of = |late, depth| reductions.of(late, depth);
        assert_eq!(
            [of(0, 2), of(8, 9), of(9, 2), of(17, 6), of(17, 7), of(90, 90)],
            [1, 1, 2, 2, 3, 3]
        );
    }

    #[test]
    fn a_reduction_that_grows_is_the_larger_the_later_and_the_deeper() {
        let parameters = Parameters { lmr_growth: 120, ..Parameters::default() };
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
