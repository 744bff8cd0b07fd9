//! One thread of a depth-first proof-number search, and the virtual loss that spreads the threads.

use std::sync::atomic::{AtomicU8, Ordering};

use game::{Key, Position};

use super::LimitCheck;
use super::backup::{Backup, BackupRule, OpenNode, Standing, SumRule};
use super::expansion::{Child, Expander, TreePlace};
use super::numbers::{Decided, ProofNumbers};
use super::tables::SubtreeCost;
use crate::ProofNumberHeuristics;
use crate::defences::List;

/// One thread of a depth-first proof-number search.
///
/// It goes down to the most promising child and stays in its subtree until the child's numbers come to
/// their thresholds (Nagai 2002). It keeps only the way down, with the children of each position on it.
/// Everything else is in the tables.
pub(crate) struct DfPnWorker<'a, P: Position, K: ProofNumberHeuristics<P>> {
    pub(crate) expander: Expander<'a, P, K>,
    pub(crate) limit_check: LimitCheck<'a>,
    backup_rule: BackupRule,
    /// Where the other threads are, if there are any.
    virtual_loss: Option<&'a VirtualLoss>,
    frames: Vec<Frame<P>>,
    /// The children of all frames, those of the deepest last.
    children: Vec<Child<P::Step>>,
}

/// A position on the way down.
struct Frame<P: Position> {
    position: P,
    key: Key,
    place: TreePlace,
    thresholds: ProofNumbers,
    /// Its first child among all; its last is the one before the next frame's first.
    first: usize,
    /// The child that the next frame is about.
    chosen: usize,
    path_cut: bool,
    standing: Standing,
    is_lost: bool,
    turns: List<P::Step>,
    nodes_before: u64,
    height: u8,
}

/// How the search of a root has ended.
pub(crate) struct RootResult<Step> {
    pub(crate) numbers: ProofNumbers,
    pub(crate) decided: Option<Decided>,
    /// The steps with which the mover wins, up to the end of the turn or part of the way.
    pub(crate) steps: Vec<Step>,
    /// Whether the proof of what these steps lead to is path-dependent.
    pub(crate) path_dependent: bool,
    /// Whether the search has ended because the tree is full.
    pub(crate) tree_is_full: bool,
}

impl<Step> Default for RootResult<Step> {
    fn default() -> RootResult<Step> {
        let numbers = ProofNumbers::UNKNOWN;
        let (decided, steps) = (None, Vec::new());
        RootResult { numbers, decided, steps, path_dependent: false, tree_is_full: false }
    }
}

/// The greatest depth of the search, in vertices.
const MOST_FRAMES: usize = 1 << 16;

impl<'a, P: Position, K: ProofNumberHeuristics<P>> DfPnWorker<'a, P, K> {
    pub(crate) fn new(
        expander: Expander<'a, P, K>,
        limit_check: LimitCheck<'a>,
        virtual_loss: Option<&'a VirtualLoss>,
    ) -> DfPnWorker<'a, P, K> {
        let backup_rule = BackupRule::new(SumRule::new(expander.parameters));
        let (frames, children) = (Vec::new(), Vec::new());
        DfPnWorker { expander, limit_check, backup_rule, virtual_loss, frames, children }
    }

    /// Searches a position until it is decided or the search must stop. `report` is called now and then
    /// with the numbers of the root and the nodes of all threads.
    pub(crate) fn search(
        &mut self,
        root: &P,
        mut report: impl FnMut(ProofNumbers, u64),
    ) -> RootResult<P::Step> {
        if let Some(decided) = self.expander.decided_statically(root) {
            let numbers = ProofNumbers::decided(decided.winner);
            return RootResult { numbers, decided: Some(decided), ..RootResult::default() };
        }
        self.enter(root.clone(), TreePlace::default(), ProofNumbers::NO_THRESHOLD);
        loop {
            if self.limit_check.is_report_due(self.expander.nodes) {
                let nodes = self.limit_check.nodes(self.expander.nodes);
                report(self.numbers_of_root(), nodes);
            }
            let backup = self.backup(self.frames.len() - 1);
            let is_over = match backup {
                Backup::Decided(..) => true,
                Backup::Open(open) => {
                    self.limit_check.must_stop || open.numbers.reaches(self.top().thresholds)
                }
            };
            match backup {
                Backup::Open(open) if !is_over => self.descend(open),
                backup => {
                    if let Some(result) = self.leave(backup) {
                        return result;
                    }
                }
            }
        }
    }

    fn top(&self) -> &Frame<P> {
        &self.frames[self.frames.len() - 1]
    }

    /// The numbers of the root.
    fn numbers_of_root(&mut self) -> ProofNumbers {
        match self.backup(0) {
            Backup::Decided(decided, _) => ProofNumbers::decided(decided.winner),
            Backup::Open(open) => open.numbers,
        }
    }

    /// The backup of a position on the way down.
    fn backup(&mut self, depth: usize) -> Backup {
        let frame = &self.frames[depth];
        let end = self.frames.get(depth + 1).map_or(self.children.len(), |next| next.first);
        let mover = frame.position.side();
        if frame.is_lost {
            return Backup::Decided(Decided::statically(!mover, 1), None);
        }
        let children = &self.children[frame.first..end];
        let branches = children.iter().map(|child| child.branch);
        let virtual_loss = |index: usize, own| match self.virtual_loss {
            Some(virtual_loss) => virtual_loss.raised(children[index].key, own),
            None => own,
        };
        let Frame { standing, path_cut, .. } = *frame;
        let backup = self.backup_rule.backup(mover, standing, path_cut, branches, virtual_loss);
        match backup {
            // The turns that are not listed lose at once.
            Backup::Decided(decided, best) if frame.turns.is_some() => {
                Backup::Decided(Decided { turns: decided.turns.max(1), ..decided }, best)
            }
            backup => backup,
        }
    }

    /// Goes down to the most promising child.
    fn descend(&mut self, open: OpenNode) {
        let epsilon = self.expander.parameters.epsilon as u32;
        let depth = self.frames.len() - 1;
        let frame = &mut self.frames[depth];
        let child = &mut self.children[frame.first + open.best];
        frame.chosen = open.best;
        let (key, ends_turn) = (child.key, child.branch.ends_turn);
        let path = &self.expander.path;
        let sum = if ends_turn { path.sum_with(key) } else { path.sum() };
        // Meanwhile, it may have been decided elsewhere.
        if let Some(decided) = self.expander.tables.decided(path, key, sum) {
            child.decide(decided);
            return;
        }
        if depth + 1 >= MOST_FRAMES {
            self.limit_check.must_stop = true;
            return;
        }
        let mover = frame.position.side();
        let numbers = child.branch.numbers;
        let thresholds = open.child_thresholds(mover, frame.thresholds, numbers, epsilon);
        let mut position = frame.position.clone();
        let mut cost = 0;
        match frame.turns.as_ref().and_then(|turns| turns.get(usize::from(child.number))) {
            Some(steps) => steps.iter().for_each(|&step| position.play(step)),
            None => {
                cost = position.cost(child.step).0;
                position.play(child.step);
            }
        }
        let place = frame.place.after(cost, ends_turn);
        if ends_turn {
            self.expander.path.push(key, position.repetition_key());
        }
        self.enter(position, place, thresholds);
    }

    fn enter(&mut self, position: P, place: TreePlace, thresholds: ProofNumbers) {
        let (first, key) = (self.children.len(), position.key());
        let nodes_before = self.expander.nodes;
        let expansion = self.expander.expand(&position, place, &mut self.children);
        self.virtual_loss.inspect(|virtual_loss| virtual_loss.enter(key));
        self.frames.push(Frame {
            position,
            key,
            place,
            thresholds,
            first,
            chosen: 0,
            path_cut: expansion.path_cut,
            standing: expansion.standing,
            is_lost: expansion.is_lost,
            turns: expansion.turns,
            nodes_before,
            height: 0,
        });
    }

    /// Goes up with what was found out; at the root, the search is over.
    fn leave(&mut self, backup: Backup) -> Option<RootResult<P::Step>> {
        let frame = self.frames.pop()?;
        self.virtual_loss.inspect(|virtual_loss| virtual_loss.leave(frame.key));
        let Expander { tables, path, nodes, .. } = &self.expander;
        let cost = SubtreeCost { nodes: nodes - frame.nodes_before, height: frame.height };
        let (numbers, decided) = match backup {
            Backup::Decided(decided, best) => {
                let decided = tables.decide(path, frame.key, path.sum(), decided, cost);
                self.reward(&frame, best);
                (ProofNumbers::decided(decided.winner), Some(decided))
            }
            Backup::Open(open) => {
                tables.store_numbers(frame.key, open.numbers, cost);
                (open.numbers, None)
            }
        };
        let Some(parent) = self.frames.last_mut() else {
            let steps = self.winning_steps(&frame, backup);
            self.children.clear();
            let path_dependent =
                matches!(backup, Backup::Decided(decided, _) if decided.path_dependent);
            let found =
                RootResult { numbers, decided, steps, path_dependent, ..RootResult::default() };
            return Some(found);
        };
        if frame.place.used == 0 {
            self.expander.path.pop();
        }
        self.children.truncate(frame.first);
        parent.height = parent.height.max(frame.height.saturating_add(1));
        let child = &mut self.children[parent.first + parent.chosen];
        match decided {
            Some(decided) => child.decide(decided),
            None => child.branch.numbers = numbers,
        }
        None
    }

    /// Makes the step that has decided a position a killer.
    fn reward(&mut self, frame: &Frame<P>, best: Option<usize>) {
        if let (Some(best), None) = (best, &frame.turns) {
            let level = frame.place.level(K::WHOLE_TURN.0);
            let step = self.children[frame.first + best].step;
            self.expander.killers.reward(level, step);
        }
    }

    /// The steps to the child of the root that wins.
    fn winning_steps(&self, root: &Frame<P>, backup: Backup) -> Vec<P::Step> {
        let Backup::Decided(_, Some(best)) = backup else { return Vec::new() };
        let child = &self.children[root.first + best];
        let turn = root.turns.as_ref().and_then(|turns| turns.get(usize::from(child.number)));
        turn.map_or_else(|| vec![child.step], <[P::Step]>::to_vec)
    }
}

/// How many threads are below each position. Positions with threads below them look less promising to
/// the other threads, so that threads spread over the tree.
#[derive(Debug)]
pub(crate) struct VirtualLoss {
    counts: Box<[AtomicU8]>,
}

/// Few enough to stay in the cache. Positions that share a counter look a bit less promising than they are.
const COUNTERS: usize = 1 << 16;

impl VirtualLoss {
    pub(crate) fn new() -> VirtualLoss {
        VirtualLoss { counts: std::iter::repeat_with(AtomicU8::default).take(COUNTERS).collect() }
    }

    fn count(&self, key: Key) -> &AtomicU8 {
        &self.counts[key.0 as usize % COUNTERS]
    }

    /// A thread goes below a position.
    pub(crate) fn enter(&self, key: Key) {
        self.count(key).fetch_add(1, Ordering::Relaxed);
    }

    /// It leaves it.
    pub(crate) fn leave(&self, key: Key) {
        self.count(key).fetch_sub(1, Ordering::Relaxed);
    }

    /// A number of a position, raised for each thread that is below it.
    #[inline]
    pub(crate) fn raised(&self, key: Key, number: u32) -> u32 {
        let threads = u32::from(self.count(key).load(Ordering::Relaxed));
        number + (number / 2 + 1) * threads
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_number_of_a_position_rises_with_the_threads_below_it() {
        let virtual_loss = VirtualLoss::new();
        assert_eq!(virtual_loss.raised(Key(5), 10), 10);
        virtual_loss.enter(Key(5));
        virtual_loss.enter(Key(5));
        assert_eq!((virtual_loss.raised(Key(5), 10), virtual_loss.raised(Key(6), 10)), (22, 10));
        virtual_loss.leave(Key(5));
        virtual_loss.leave(Key(5));
        assert_eq!(virtual_loss.raised(Key(5), 10), 10);
    }
}
