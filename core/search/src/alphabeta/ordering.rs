//! In which order steps are searched: the hash step, killers, history and what is known of the game.

use std::collections::VecDeque;
use std::ops::ControlFlow;
use std::sync::Arc;

use game::{PackedStep, Position, Side};

use super::search::{Node, SearchThread, TreeDepth};
use crate::heuristics::{AlphaBetaHeuristics, OrderedStep};
use crate::transposition_table::TranspositionEntry;
use crate::{HistoryRule, Killers, Parameters, TurnList};

/// Killers and history: the steps that have caused a beta cutoff in a sibling lately, and those that have
/// anywhere in the tree.
pub(super) struct OrderingTables<Step> {
    /// By [`KillerSlots`].
    killers: Vec<[Option<Step>; 2]>,
    /// How many cutoffs each of them has caused, if that says which one gives way.
    killer_cutoffs: Option<Vec<[u32; 2]>>,
    slots: KillerSlots,
    bonus: HistoryBonus,
    /// By the side and the bits of the step.
    history: Box<[i32]>,
    /// The continuation history, by a hash of the side and the step before in the same turn, and within such a row
    /// by the last bits of the step; none, if it is switched off.
    continuation: Option<Box<[i16]>>,
}

/// Which positions share their killers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum KillerSlots {
    /// Those with as many steps from the root, whatever these cost.
    Ply,
    /// Those with as many turns from the root, and as much of the turn used up.
    InsideTurn,
}

/// How much the history of a step rises with a cutoff.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum HistoryBonus {
    /// By the square of the depth; that of steps that were tried in vain falls by as much.
    Square,
    /// By two to the power of the depth, at the start of a turn only (Veselý 2013, 3.6).
    DoublingAtStart,
    /// The same at all steps (Zhong 2005, 5.2.3).
    Doubling,
}

impl KillerSlots {
    #[inline]
    fn index(self, at: TreeDepth) -> usize {
        /// No turn is longer.
        const LONGEST: usize = 4;
        let index = match self {
            KillerSlots::Ply => at.ply,
            KillerSlots::InsideTurn => {
                usize::from(at.turns) * LONGEST + (at.used as usize).min(LONGEST - 1)
            }
        };
        index.min(MOST_SLOTS - 1)
    }
}

/// Beyond these, all share their killers.
const MOST_SLOTS: usize = 256;

/// No step's history goes beyond.
const MOST_HISTORY: i32 = 1 << 14;

/// The same for one that doubles.
const MOST_DOUBLED_HISTORY: i32 = 1 << 29;

/// History stays below.
const MOST_ORDERING_SCORE: i32 = 1 << 29;

impl<Step: PackedStep> OrderingTables<Step> {
    pub(super) fn new(parameters: &Parameters) -> OrderingTables<Step> {
        let by_ply = parameters.killers != Killers::Turn;
        let by_cutoffs = parameters.killers == Killers::Hits;
        OrderingTables {
            killers: vec![[None; 2]; MOST_SLOTS],
            killer_cutoffs: by_cutoffs.then(|| vec![[0; 2]; MOST_SLOTS]),
            slots: if by_ply { KillerSlots::Ply } else { KillerSlots::InsideTurn },
            bonus: match parameters.history {
                HistoryRule::Off | HistoryRule::Steps => HistoryBonus::Square,
                HistoryRule::DoubledFirst => HistoryBonus::DoublingAtStart,
                HistoryRule::Doubled => HistoryBonus::Doubling,
            },
            history: vec![0; 2 << 16].into_boxed_slice(),
            continuation: parameters
                .continuation_history
                .then(|| vec![0; 1 << (ROW_BITS + COLUMN_BITS)].into_boxed_slice()),
        }
    }

    /// The killers of a node.
    #[inline]
    fn killers_at(&self, at: TreeDepth) -> [Option<Step>; 2] {
        self.killers[self.slots.index(at)]
    }

    /// The history of a step, given the one before it in the same turn, if there is one.
    #[inline]
    pub(super) fn history_of(&self, side: Side, before: Option<Step>, step: Step) -> i32 {
        let history = self.history[index(side, step)];
        match (&self.continuation, before) {
            (Some(table), Some(before)) => {
                let continuation = table[continuation_index(side, before, step)];
                history + CONTINUATION_WEIGHT * i32::from(continuation)
            }
            _ => history,
        }
    }

    /// A step has caused a beta cutoff, after the `others` had been tried in vain: it becomes a killer, and
    /// its history rises.
    pub(super) fn record_cutoff(
        &mut self,
        side: Side,
        at: TreeDepth,
        before: Option<Step>,
        step: Step,
        others: impl Iterator<Item = Step>,
    ) {
        self.store_killer(at, step);
        match self.bonus {
            HistoryBonus::Square => {
                let amount = (at.depth * at.depth).clamp(1, 400);
                self.change_history(side, before, step, amount);
                others.for_each(|other| self.change_history(side, before, other, -amount));
            }
            HistoryBonus::DoublingAtStart if at.used > 0 => {}
            HistoryBonus::DoublingAtStart | HistoryBonus::Doubling => {
                let history = &mut self.history[index(side, step)];
                *history = (*history + (1 << at.depth.clamp(0, 20))).min(MOST_DOUBLED_HISTORY);
            }
        }
    }

    /// Stores a killer; the one that was first becomes the second, or the one with fewer cutoffs gives way.
    fn store_killer(&mut self, at: TreeDepth, step: Step) {
        let slot = self.slots.index(at);
        if let Some(cutoffs) = self.killer_cutoffs.as_mut().map(|cutoffs| &mut cutoffs[slot]) {
            let killers = &mut self.killers[slot];
            match killers.iter().position(|&killer| killer == Some(step)) {
                Some(known) => cutoffs[known] += 1,
                None => {
                    let fewer = usize::from(cutoffs[1] < cutoffs[0]);
                    (killers[fewer], cutoffs[fewer]) = (Some(step), 1);
                }
            }
            return;
        }
        let [first, second] = &mut self.killers[slot];
        if *first != Some(step) {
            *second = first.replace(step);
        }
    }

    fn change_history(&mut self, side: Side, before: Option<Step>, step: Step, amount: i32) {
        let history = &mut self.history[index(side, step)];
        *history = changed(*history, amount);
        if let (Some(table), Some(before)) = (&mut self.continuation, before) {
            let continuation = &mut table[continuation_index(side, before, step)];
            *continuation = changed((*continuation).into(), amount) as i16;
        }
    }
}

/// A history that is moved towards its limit, by less the nearer it is.
fn changed(history: i32, amount: i32) -> i32 {
    history + amount - history * amount.abs() / MOST_HISTORY
}

/// The logarithm of the number of rows in the continuation history.
const ROW_BITS: u32 = 9;

/// The logarithm of their length. The steps of a position share a row, which is a few lines of the processor's cache.
const COLUMN_BITS: u32 = 8;

/// How much it counts beside the history of the step alone.
const CONTINUATION_WEIGHT: i32 = 2;

#[inline]
fn continuation_index<Step: PackedStep>(side: Side, before: Step, step: Step) -> usize {
    let before = u64::from(before.pack()) << 1 | side as u64;
    let row = (before.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - ROW_BITS)) as usize;
    let column = usize::from(step.pack()) & ((1 << COLUMN_BITS) - 1);
    row << COLUMN_BITS | column
}

#[inline]
fn index<Step: PackedStep>(side: Side, step: Step) -> usize {
    (side as usize) << 16 | step.pack() as usize
}

impl<P: Position, H: AlphaBetaHeuristics<P>> SearchThread<'_, P, H> {
    /// The step of a table entry that is searched first.
    pub(super) fn hash_step(&self, entry: Option<TranspositionEntry<P::Step>>) -> Option<P::Step> {
        entry.and_then(|entry| entry.step).filter(|_| self.parameters.hash_step)
    }

    /// The pseudo-legal steps of a position but for the hash step, those with the highest ordering score first.
    pub(super) fn ordered_steps(
        &mut self,
        node: &Node<P>,
        hash_step: Option<P::Step>,
    ) -> SearchMoves<P::Step> {
        let Node { position, at, .. } = *node;
        let mut steps = std::mem::take(&mut self.buffers[at.ply]);
        steps.clear();
        let killers = match self.parameters.killers {
            Killers::Off => [None; 2],
            _ => self.ordering.killers_at(at),
        };
        let _ = position.for_each_pseudo_legal_step(|step| {
            if Some(step) == hash_step || self.heuristics.has_twin(position, step) {
                return ControlFlow::Continue(());
            }
            let score = match Some(step) {
                step if step == killers[0] => 1 << 30,
                step if step == killers[1] => (1 << 30) - 1,
                _ => self.ordering_score(node, step) + self.history_score(node, step),
            };
            steps.push(OrderedStep { score, likelihood: 0, step });
            ControlFlow::Continue(())
        });
        if self.uses_likelihood && at.depth >= self.parameters.learned_depth {
            self.judge_steps(node, &mut steps);
        }
        SearchMoves::steps(steps)
    }

    /// Asks how likely each step is, which moves it in the order. The likeliest has likelihood 0 in the end.
    fn judge_steps(&self, node: &Node<P>, steps: &mut [OrderedStep<P::Step>]) {
        self.heuristics.judge_steps(node.position, node.step_before(), steps);
        let most = steps.iter().map(|step| step.likelihood).max().unwrap_or(0);
        for step in steps {
            step.likelihood -= most;
            step.score += self.parameters.learned_ordering * i32::from(step.likelihood);
        }
    }

    /// How good a step looks by the cutoffs that it has caused elsewhere.
    #[inline]
    fn history_score(&self, node: &Node<P>, step: P::Step) -> i32 {
        let history = || self.ordering.history_of(node.position.side(), node.step_before(), step);
        match self.parameters.history {
            HistoryRule::Off => 0,
            HistoryRule::Steps => history(),
            HistoryRule::DoubledFirst if node.at.used > 0 => 0,
            HistoryRule::DoubledFirst | HistoryRule::Doubled => {
                let scale = self.parameters.history_scale;
                history().saturating_mul(scale).min(MOST_ORDERING_SCORE)
            }
        }
    }

    /// How good a step looks, for itself and after the one before it.
    fn ordering_score(&self, node: &Node<P>, step: P::Step) -> i32 {
        if !self.parameters.ordering {
            return 0;
        }
        let score = self.heuristics.ordering_score(node.position, step);
        match &node.begun {
            Some(begun)
                if self.parameters.combo_ordering != 0
                    && self.heuristics.follows(begun.before, begun.last, step) =>
            {
                score + self.parameters.combo_ordering
            }
            _ => score,
        }
    }
}

/// The moves of a position in the order of the search: steps, or whole turns where only some of them
/// matter.
pub(super) enum SearchMoves<Step> {
    HashStep(Step),
    Steps { steps: Vec<OrderedStep<Step>>, is_sorted: bool },
    Turns(Arc<TurnList<Step>>),
}

impl<Step: Copy> SearchMoves<Step> {
    /// Steps with their ordering scores.
    fn steps(mut steps: Vec<OrderedStep<Step>>) -> SearchMoves<Step> {
        // The first of the best. Most nodes look at one step or at all of them: the others are sorted
        // when they are asked for.
        let indices = (0..steps.len()).rev();
        if let Some(best) = indices.max_by_key(|&index| steps[index].score) {
            steps[..=best].rotate_right(1);
        }
        SearchMoves::Steps { steps, is_sorted: false }
    }

    pub(super) fn len(&self) -> usize {
        match self {
            SearchMoves::HashStep(_) => 1,
            SearchMoves::Steps { steps, .. } => steps.len(),
            SearchMoves::Turns(turns) => turns.len(),
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The steps to be played for the move of that number, and how much less likely than the likeliest step it is; the
    /// first one is asked for first.
    #[inline]
    pub(super) fn get(&mut self, index: usize) -> Option<(&[Step], i32)> {
        match self {
            SearchMoves::HashStep(step) => (index == 0).then_some((std::slice::from_ref(step), 0)),
            SearchMoves::Steps { steps, is_sorted } => {
                if index > 0 && !*is_sorted {
                    steps[1..].sort_by_key(|ordered| std::cmp::Reverse(ordered.score));
                    *is_sorted = true;
                }
                let ordered = steps.get(index)?;
                Some((std::slice::from_ref(&ordered.step), -i32::from(ordered.likelihood)))
            }
            SearchMoves::Turns(turns) => turns.get(index).map(|steps| (steps, 0)),
        }
    }
}

/// The numbers of moves in their order, those that were put off at the end.
pub(super) struct MoveNumbers {
    next: usize,
    count: usize,
    put_off: VecDeque<usize>,
}

impl MoveNumbers {
    pub(super) fn new(count: usize) -> MoveNumbers {
        MoveNumbers { next: 0, count, put_off: VecDeque::new() }
    }

    /// Puts off the last number, unless that was done before; returns whether it did.
    #[inline]
    pub(super) fn put_off(&mut self) -> bool {
        let is_first_time = self.next <= self.count;
        if is_first_time {
            self.put_off.push_back(self.next - 1);
        }
        is_first_time
    }
}

impl Iterator for MoveNumbers {
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
        let mut numbers = MoveNumbers::new(4);
        let mut seen = Vec::new();
        while let Some(number) = numbers.next() {
            seen.push(number);
            let is_put_off = number % 2 == 1 && numbers.put_off();
            assert_eq!(is_put_off, number % 2 == 1 && seen.len() <= 4);
        }
        assert_eq!(seen, [0, 1, 2, 3, 1, 3]);
    }

    #[test]
    fn the_killer_with_fewer_cutoffs_gives_way() {
        let mut tables =
            OrderingTables::new(&Parameters { killers: Killers::Hits, ..Parameters::default() });
        let at = TreeDepth::root(4);
        for letter in ['a', 'b', 'b', 'c'] {
            tables.store_killer(at, Letter(letter));
        }
        assert_eq!(tables.killers_at(at), [Some(Letter('c')), Some(Letter('b'))]);
    }

    #[test]
    fn history_that_doubles_with_depth_is_for_first_steps_of_a_turn() {
        let step = Letter('a');
        let mut tables = OrderingTables::new(&Parameters {
            history: HistoryRule::DoubledFirst,
            ..Parameters::default()
        });
        let start = TreeDepth::root(5);
        tables.record_cutoff(Side::First, start, None, step, [Letter('b')].into_iter());
        tables.record_cutoff(Side::First, start.after(1), None, step, std::iter::empty());
        tables.record_cutoff(Side::First, TreeDepth::root(3), None, step, std::iter::empty());
        assert_eq!(tables.history_of(Side::First, None, step), 32 + 8);
        assert_eq!(tables.history_of(Side::Second, None, step), 0);
        assert_eq!(tables.history_of(Side::First, None, Letter('b')), 0);
        (0..2000).for_each(|_| {
            tables.record_cutoff(Side::First, TreeDepth::root(60), None, step, std::iter::empty());
        });
        assert_eq!(tables.history_of(Side::First, None, step), MOST_DOUBLED_HISTORY);
        let mut everywhere = OrderingTables::new(&Parameters {
            history: HistoryRule::Doubled,
            ..Parameters::default()
        });
        let inside = TreeDepth { used: 2, ..TreeDepth::root(3) };
        everywhere.record_cutoff(Side::First, inside, None, step, std::iter::empty());
        assert_eq!(everywhere.history_of(Side::First, None, step), 8);
    }

    #[test]
    fn continuation_history_is_of_a_step_after_another() {
        let parameters = Parameters { continuation_history: true, ..Parameters::default() };
        let mut tables = OrderingTables::new(&parameters);
        let [before, other, step] = ['a', 'b', 'c'].map(Letter);
        let at = TreeDepth::root(5).after(1);
        tables.record_cutoff(Side::First, at, Some(before), step, [other].into_iter());
        let of = |before, step| tables.history_of(Side::First, before, step);
        // The square of the depth, and twice the same after the step before.
        assert_eq!([of(None, step), of(Some(other), step), of(Some(before), step)], [16, 16, 48]);
        assert_eq!([of(None, other), of(Some(before), other)], [-16, -48]);
    }

    #[test]
    fn the_best_step_comes_first_and_the_others_keep_their_order_among_equals() {
        let scores = [(1, 'a'), (3, 'b'), (2, 'c'), (3, 'd'), (1, 'e')];
        let steps = scores.map(|(score, step)| OrderedStep { score, likelihood: 0, step });
        let mut moves = SearchMoves::steps(steps.to_vec());
        let steps: Vec<char> = (0..5).filter_map(|index| Some(moves.get(index)?.0[0])).collect();
        assert_eq!(steps, ['b', 'd', 'c', 'a', 'e']);
    }
}
