//! What comes of a search: the best lines, whether the choice is clear, and the tree for people.

use engine::{Line, TreeNode, TreeView};
use game::{History, PackedStep, Position};
use rustc_hash::FxHashMap;

use super::iteration::score_of;
use super::statistics::Mean;
use super::tree::{Edge, NodeId, Proven, Tree};
use super::{MctsHeuristics, MctsParameters};
use crate::{Task, Verdict};

/// The trees of a search as one: visits of the same moves are added up.
#[derive(Clone, Copy)]
pub(super) struct Forest<'a> {
    pub(super) trees: &'a [Tree],
    pub(super) parameters: &'a MctsParameters,
}

/// A move from a position of the forest, with what the trees know of it together.
struct Candidate {
    steps: u64,
    mean: Mean,
    proven: Option<Proven>,
    /// What is known of it before it is tried.
    knowledge: f32,
    /// Its nodes, with the numbers of their trees.
    nodes: Vec<(usize, NodeId)>,
}

/// The nodes of a position, with the numbers of their trees.
type Nodes = Vec<(usize, NodeId)>;

/// A line is at most so many moves long.
const LONGEST_LINE: usize = 64;

impl<'a> Forest<'a> {
    fn roots(self) -> Nodes {
        self.trees.iter().map(Tree::root).enumerate().collect()
    }

    /// How often the position was visited.
    pub(super) fn visits(self) -> u64 {
        let visits = |tree: &Tree| u64::from(tree.node(tree.root()).mean.get().count);
        self.trees.iter().map(visits).sum()
    }

    /// What the position is for certain.
    pub(super) fn proven(self) -> Option<Proven> {
        self.trees.iter().find_map(|tree| tree.node(tree.root()).proven())
    }

    /// The moves from a position, the one to play first.
    fn candidates(self, nodes: &[(usize, NodeId)]) -> Vec<Candidate> {
        let mut candidates: Vec<Candidate> = Vec::new();
        let mut places: FxHashMap<u64, usize> = FxHashMap::default();
        for &(index, id) in nodes {
            let tree = &self.trees[index];
            for edge in tree.edges(tree.node(id)).unwrap_or_default() {
                let place = *places.entry(edge.packed_steps()).or_insert_with(|| {
                    candidates.push(Candidate::of(edge));
                    candidates.len() - 1
                });
                candidates[place].add(edge, index);
            }
        }
        candidates.sort_by(|a, b| b.rank().total_cmp(&a.rank()));
        candidates
    }

    /// The best lines: the best first, each to another board.
    pub(super) fn lines<P, H>(self, task: &Task<P, H>, count: usize) -> Vec<Line<P::Step>>
    where
        P: Position,
        P::Step: PackedStep,
        H: MctsHeuristics<P>,
    {
        let mut turns = self.turns(task.position, count);
        turns.truncate(count);
        if let Some(best) = turns.first_mut() {
            // That the best turn loses proves nothing where turns are missing.
            best.proven = best.proven.filter(|proven| proven.is_win()).or_else(|| self.proven());
        }
        turns.into_iter().map(|turn| self.line(task, turn)).collect()
    }

    /// The turns to choose from, the best first; each leads to another board. Where one is enough, the others may be
    /// missing.
    fn turns<P>(self, position: &P, count: usize) -> Vec<Turn<P>>
    where
        P: Position,
        P::Step: PackedStep,
    {
        let start = Turn {
            after: position.clone(),
            steps: Vec::new(),
            nodes: self.roots(),
            mean: Mean { count: self.visits() as u32, value: self.value() },
            proven: self.proven(),
        };
        let mut waiting = vec![start];
        let mut complete: Vec<Turn<P>> = Vec::new();
        // The best move of each position comes last, so that it is looked at first.
        while let Some(turn) = waiting.pop() {
            let candidates =
                if turn.is_whole() { Vec::new() } else { self.candidates(&turn.nodes) };
            if candidates.is_empty() {
                let board = turn.after.key();
                if complete.iter().all(|other| other.after.key() != board) {
                    complete.push(turn);
                }
                if count == 1 {
                    return complete;
                }
                continue;
            }
            let visited = candidates.iter().filter(|candidate| candidate.mean.count > 0).count();
            let wanted = visited.clamp(1, 4 * count);
            let best = candidates.iter().take(wanted).rev();
            waiting.extend(best.map(|candidate| turn.with(candidate)));
        }
        complete.sort_by(|a, b| b.rank().total_cmp(&a.rank()));
        complete
    }

    /// The line that begins with a turn.
    fn line<P, H>(self, task: &Task<P, H>, turn: Turn<P>) -> Line<P::Step>
    where
        P: Position,
        P::Step: PackedStep,
        H: MctsHeuristics<P>,
    {
        let scale = self.parameters.value_scale;
        let verdict = match turn.proven {
            Some(proven) => proven.verdict(),
            None => Verdict::Score(score_of(turn.mean.value, scale)),
        };
        let is_whole = turn.is_whole();
        let Turn { after, steps: mut pv, mut nodes, mean, .. } = turn;
        if !is_whole {
            complete_turn(task, after, &mut pv);
            nodes.clear();
        }
        for _ in 0..LONGEST_LINE {
            let candidates = self.candidates(&nodes);
            let Some(best) = candidates.first().filter(|best| best.mean.count > 0) else { break };
            pv.extend(best.steps::<P::Step>());
            nodes.clone_from(&best.nodes);
        }
        let win_ratio = Some((5000.0 * (mean.value + 1.0)).round() as u16);
        Line { verdict: Some(verdict), visits: Some(mean.count.into()), win_ratio, pv }
    }

    /// The value of the position.
    fn value(self) -> f32 {
        let means = self.trees.iter().map(|tree| tree.node(tree.root()).mean.get());
        means.fold(Mean::default(), Mean::with).value
    }

    /// Whether so many iterations more cannot change the turn: each of its moves is so far ahead of the others.
    pub(super) fn is_clear<P, H>(self, task: &Task<P, H>, left: Option<u64>) -> bool
    where
        P: Position,
        P::Step: PackedStep,
    {
        let Some(left) = left else { return false };
        let (mut nodes, mut position) = (self.roots(), task.position.clone());
        loop {
            let candidates = self.candidates(&nodes);
            let Some(best) = candidates.first() else { return false };
            let second = candidates.get(1).map_or(0, |second| second.mean.count);
            if u64::from(best.mean.count.saturating_sub(second)) <= left {
                return false;
            }
            best.steps::<P::Step>().for_each(|step| position.play(step));
            if position.turn_starts() {
                return true;
            }
            nodes.clone_from(&best.nodes);
        }
    }

    /// The top of the tree as lines: visits, value, knowledge and steps, indented by depth.
    pub(super) fn top<P>(
        self,
        position: &P,
        name: &impl Fn(&P, &[P::Step]) -> String,
    ) -> Vec<String>
    where
        P: Position,
        P::Step: PackedStep,
    {
        let mut lines = vec![format!("visits {}, value {:+.3}", self.visits(), self.value())];
        // A hundredth of the visits is worth a line.
        let least = (self.visits() / 100).max(1);
        self.add_lines(position, &self.roots(), 1, least, name, &mut lines);
        lines
    }

    fn add_lines<P>(
        self,
        position: &P,
        nodes: &[(usize, NodeId)],
        depth: usize,
        least: u64,
        name: &impl Fn(&P, &[P::Step]) -> String,
        lines: &mut Vec<String>,
    ) where
        P: Position,
        P::Step: PackedStep,
    {
        for candidate in self.candidates(nodes) {
            if u64::from(candidate.mean.count) < least {
                continue;
            }
            let steps: Vec<P::Step> = candidate.steps().collect();
            let proven = match candidate.proven {
                Some(proven) => format!(", {}", proven.verdict()),
                None => String::new(),
            };
            lines.push(format!(
                "{:indent$}{}: visits {}, value {:+.3}, knowledge {:+.3}{proven}",
                "",
                name(position, &steps),
                candidate.mean.count,
                candidate.mean.value,
                candidate.knowledge,
                indent = 2 * depth,
            ));
            let mut after = position.clone();
            steps.iter().for_each(|&step| after.play(step));
            self.add_lines(&after, &candidate.nodes, depth + 1, least, name, lines);
        }
    }
}

impl Forest<'_> {
    /// The position that moves lead to, and some of its own moves; nothing, where they lead out of the tree.
    pub(super) fn look<P>(
        self,
        position: &P,
        path: &[Vec<P::Step>],
        from: usize,
        count: usize,
    ) -> Option<TreeView<P::Step>>
    where
        P: Position,
        P::Step: PackedStep,
    {
        let (mut nodes, mut after) = (self.roots(), position.clone());
        let mean = Mean { count: self.visits() as u32, value: self.value() };
        let (mut own, mut prior) = ((mean, self.proven()), None);
        for steps in path {
            let is_it =
                |candidate: &Candidate| candidate.steps::<P::Step>().eq(steps.iter().copied());
            let chosen = self.candidates(&nodes).into_iter().find(is_it)?;
            let before = after.side();
            steps.iter().for_each(|&step| after.play(step));
            own = chosen.seen_by(after.side() == before);
            prior = Some(chosen.knowledge);
            nodes = chosen.nodes;
        }
        let candidates = self.candidates(&nodes);
        let (mean, proven) = own;
        let node = tree_node(mean, proven, prior, candidates.len());
        let children = candidates.iter().skip(from).take(count).map(|candidate| {
            let Candidate { mean, proven, knowledge, ref nodes, .. } = *candidate;
            let node = tree_node(mean, proven, Some(knowledge), self.move_count(nodes));
            (candidate.steps().collect(), node)
        });
        Some(TreeView { mover: after.side(), node, children: children.collect() })
    }

    /// How many moves a position has in the tree that knows most of them.
    fn move_count(self, nodes: &[(usize, NodeId)]) -> usize {
        let counts = nodes.iter().map(|&(tree, node)| {
            let tree = &self.trees[tree];
            tree.edges(tree.node(node)).map_or(0, <[Edge]>::len)
        });
        counts.max().unwrap_or(0)
    }
}

fn tree_node(mean: Mean, proven: Option<Proven>, prior: Option<f32>, children: usize) -> TreeNode {
    let Mean { count, value } = mean;
    TreeNode { visits: count.into(), value, prior, proof: proven.map(Proven::verdict), children }
}

/// A turn of the position, or the beginning of one.
struct Turn<P: Position> {
    after: P,
    steps: Vec<P::Step>,
    nodes: Nodes,
    mean: Mean,
    proven: Option<Proven>,
}

impl<P: Position> Turn<P>
where
    P::Step: PackedStep,
{
    fn with(&self, candidate: &Candidate) -> Turn<P> {
        let (mut after, mut steps) = (self.after.clone(), self.steps.clone());
        for step in candidate.steps::<P::Step>() {
            after.play(step);
            steps.push(step);
        }
        let Candidate { mean, proven, ref nodes, .. } = *candidate;
        Turn { after, steps, nodes: nodes.clone(), mean, proven }
    }

    /// Whether it is played to its end.
    fn is_whole(&self) -> bool {
        !self.steps.is_empty() && self.after.turn_starts()
    }

    fn rank(&self) -> f64 {
        rank(self.proven, self.mean)
    }
}

impl Candidate {
    fn of(edge: &Edge) -> Candidate {
        Candidate {
            steps: edge.packed_steps(),
            mean: Mean::default(),
            proven: None,
            knowledge: edge.knowledge.get(),
            nodes: Vec::new(),
        }
    }

    /// Adds what another tree knows of the move.
    fn add(&mut self, edge: &Edge, tree: usize) {
        self.mean = self.mean.with(edge.mean.get());
        self.proven = self.proven.or(edge.proven());
        self.nodes.extend(edge.node().map(|node| (tree, node)));
    }

    fn steps<S: PackedStep>(&self) -> impl Iterator<Item = S> + use<S> {
        super::tree::unpack_steps(self.steps)
    }

    /// What is known of the position after the move, in the eyes of its mover.
    fn seen_by(&self, is_same_side: bool) -> (Mean, Option<Proven>) {
        match (is_same_side, self.mean) {
            (true, mean) => (mean, self.proven),
            (false, Mean { count, value }) => {
                (Mean { count, value: -value }, self.proven.map(Proven::a_turn_later))
            }
        }
    }

    fn rank(&self) -> f64 {
        rank(self.proven, self.mean)
    }
}

/// What is played first: the soonest win, then what was visited most, then the latest loss. Among equals, what is worth
/// more.
fn rank(proven: Option<Proven>, mean: Mean) -> f64 {
    const PROVEN: f64 = 1e12;
    match proven {
        Some(Proven::Win(turns)) => PROVEN - f64::from(turns),
        Some(Proven::Loss(turns)) => f64::from(turns) - PROVEN,
        None => f64::from(mean.count) + f64::from(mean.value) / 4.0,
    }
}

/// Plays a turn to its end where the tree has no more to say: step by step what the evaluation likes best.
fn complete_turn<P, H>(task: &Task<P, H>, mut position: P, steps: &mut Vec<P::Step>)
where
    P: Position,
    H: MctsHeuristics<P>,
{
    while let Some(step) = best_step(task, &position) {
        position.play(step);
        steps.push(step);
        if position.turn_starts() {
            return;
        }
    }
}

/// The legal step after which the side that plays it stands best.
fn best_step<P, H>(task: &Task<P, H>, position: &P) -> Option<P::Step>
where
    P: Position,
    H: MctsHeuristics<P>,
{
    let mut cache = <H as crate::Evaluator<P>>::Cache::default();
    let mut best: Option<(i32, P::Step)> = None;
    let _ = position.for_each_step(|step| {
        let mut after = position.clone();
        after.play(step);
        if is_allowed(&after, task.past) {
            let state = task.heuristics.state(&after);
            let score = task.heuristics.evaluate(&after, &state, &mut cache).0;
            let score = if after.side() == position.side() { score } else { -score };
            if best.is_none_or(|(most, _)| score > most) {
                best = Some((score, step));
            }
        }
        std::ops::ControlFlow::Continue(())
    });
    best.map(|(_, step)| step)
}

/// Whether a position may be brought about: it is no third repetition, and no idle one inside a turn.
fn is_allowed<P: Position>(after: &P, past: &History) -> bool {
    match after.turn_starts() {
        true => past.count(after.repetition_key()) < 2,
        false => !after.is_idle(),
    }
}
