//! One iteration: descend to a leaf, expand and evaluate it, back its value up.

use std::sync::atomic::Ordering;

use game::{PackedStep, Position, Score, Side};
use rustc_hash::FxHashSet;

use super::counters::{Counters, ThreadCounters};
use super::islands::Islands;
use super::leaf_threads::LeafThreads;
use super::selection::Selection;
use super::statistics::Mean;
use super::tree::{Edge, NewEdge, Node, NodeId, Proven, Tree};
use super::{MctsHeuristics, MctsParameters, PlayoutRequest, StepHistory};
use super::{RelativeUpdate, SelectionRule};
use crate::{ForcedWinLimits, ForcedWinLook, Task};

/// A thread of a search with the tree that it works on.
pub(super) struct Worker<'a, P: Position, H: MctsHeuristics<P>> {
    pub(super) task: &'a Task<'a, P, H>,
    pub(super) parameters: &'a MctsParameters,
    pub(super) tree: &'a Tree,
    pub(super) history: &'a StepHistory,
    pub(super) counters: &'a Counters,
    /// What this thread counts.
    pub(super) counted: &'a ThreadCounters,
    /// Whether other threads work on the same tree.
    pub(super) is_shared: bool,
    pub(super) islands: Option<&'a Islands>,
    pub(super) leaf_threads: Option<&'a LeafThreads<P>>,
    pub(super) random: fastrand::Rng,
    pub(super) buffers: Buffers<P, H>,
}

/// What a thread keeps from one iteration to the next, so that nothing is allocated.
pub(super) struct Buffers<P: Position, H: MctsHeuristics<P>> {
    pub(super) playouts: <H as super::Playouts<P>>::Scratch,
    pub(super) tactics: <H as crate::Tactics<P>>::Scratch,
    pub(super) cache: <H as crate::Evaluator<P>>::Cache,
    /// The edges of a node that is expanded.
    pub(super) edges: Vec<NewEdge>,
    /// The state of a child that is evaluated.
    pub(super) state: Option<<H as crate::Evaluator<P>>::State>,
    path: Vec<Descent<P::Step>>,
    /// Who has played what in a simulation, below the node that is backed up: for RAVE.
    played: FxHashSet<(bool, u16)>,
}

impl<P: Position, H: MctsHeuristics<P>> Default for Buffers<P, H> {
    fn default() -> Buffers<P, H> {
        Buffers {
            playouts: Default::default(),
            tactics: Default::default(),
            cache: Default::default(),
            edges: Vec::new(),
            state: None,
            path: Vec::new(),
            played: FxHashSet::default(),
        }
    }
}

/// An edge that was followed.
#[derive(Clone, Copy)]
struct Descent<Step> {
    node: NodeId,
    /// Its index.
    edge: usize,
    /// The step before it.
    previous: Option<Step>,
    /// Whether it counts as a loss until its value is known.
    has_entered: bool,
}

/// A node or edge with so many visits is busy: threads that share it would wait for each other at every visit. They write
/// only one visit in [`BUSY_SHARE`] down, by chance, and that one counts as many times.
const BUSY: u32 = 1024;

/// See [`BUSY`].
const BUSY_SHARE: u32 = 8;

/// Where a descent ended.
pub(super) struct Leaf<P: Position> {
    pub(super) position: P,
    /// None, if the tree has no room for it.
    pub(super) node: Option<NodeId>,
    /// The node before it, and the last step.
    pub(super) parent: Option<NodeId>,
    pub(super) previous: Option<P::Step>,
    /// The position before the last step, if that was of the same turn.
    pub(super) before: Option<P>,
    /// How many steps and turns of both sides precede it.
    pub(super) depth: u32,
    turns: u32,
}

impl<P, H> Worker<'_, P, H>
where
    P: Position + Send + Sync,
    H: MctsHeuristics<P>,
{
    /// Descends from the root to a leaf, evaluates it, and backs its value up.
    pub(super) fn iterate(&mut self) {
        let leaf = self.descend();
        self.counted.iterations.add(1);
        self.counted.depth.add(leaf.depth.into());
        let value = self.evaluate(&leaf);
        self.back_up(&leaf, value);
    }

    /// Follows the most urgent edges.
    fn descend(&mut self) -> Leaf<P> {
        self.buffers.path.clear();
        self.buffers.played.clear();
        let mut leaf = Leaf {
            position: self.task.position.clone(),
            node: Some(self.tree.root()),
            parent: None,
            previous: None,
            before: None,
            depth: 0,
            turns: 0,
        };
        while let Some(id) = leaf.node {
            let node = self.tree.node(id);
            if let Some(islands) = self.islands
                && self.random.i32(0..100) < self.parameters.synchronisation
            {
                islands.synchronise(self.tree, id, leaf.turns);
            }
            if node.proven().is_some() {
                break;
            }
            let Some(edges) = self.tree.edges(node) else { break };
            let selection = Selection::new(self.parameters, self.tree, self.history, node);
            let Some(index) = selection.choose::<P::Step>(node, edges) else { break };
            self.follow(&mut leaf, id, &edges[index], index);
        }
        leaf
    }

    /// Plays the move of an edge.
    fn follow(&mut self, leaf: &mut Leaf<P>, id: NodeId, edge: &Edge, index: usize) {
        // One loss among so many visits would not count.
        let has_entered = self.is_shared && edge.mean.get().count < BUSY;
        if has_entered {
            edge.virtual_loss.enter();
        }
        let previous = leaf.previous;
        self.buffers.path.push(Descent { node: id, edge: index, previous, has_entered });
        let side = leaf.position.side();
        for step in edge.steps::<P::Step>() {
            leaf.depth += u32::from(leaf.position.cost(step).0);
            leaf.before = Some(leaf.position.clone());
            leaf.position.play(step);
            leaf.previous = Some(step);
        }
        if leaf.position.turn_starts() {
            leaf.before = None;
        }
        leaf.turns += u32::from(leaf.position.side() != side);
        leaf.parent = Some(id);
        leaf.node = edge.node().or_else(|| self.new_child(leaf, edge, side));
    }

    /// The node that an edge leads to for the first time.
    fn new_child(&self, leaf: &Leaf<P>, edge: &Edge, side: Side) -> Option<NodeId> {
        let position = &leaf.position;
        let Some(id) = self.tree.node_at(position.key(), position.side(), leaf.turns) else {
            self.counters.is_full.store(true, Ordering::Relaxed);
            return None;
        };
        let (node, known) = (self.tree.node(id), edge.mean.get());
        // The node was there before and gave way to others: the edge knows what it was worth.
        if node.mean.get().count == 0 && known.count > 0 {
            let value = if position.side() == side { known.value } else { -known.value };
            node.mean.set(Mean { value, ..known });
        }
        edge.set_node(id);
        Some(id)
    }

    /// How the side to move in a leaf stands. A mature leaf is expanded.
    fn evaluate(&mut self, leaf: &Leaf<P>) -> f32 {
        let Some(id) = leaf.node else { return self.estimate(leaf) };
        let node = self.tree.node(id);
        let visits = node.mean.get().count;
        if visits == 0 && self.parameters.proofs {
            self.look_for_proof(node, leaf);
        }
        self.look_for_forced_win(node, leaf, visits);
        if let Some(proven) = node.proven() {
            return proven.value();
        }
        let MctsParameters { maturity, maturity_depth, .. } = *self.parameters;
        let is_root = leaf.parent.is_none();
        let maturity =
            if is_root { 0 } else { maturity as u32 + maturity_depth as u32 * leaf.depth };
        if visits >= maturity && self.tree.edges(node).is_none() {
            let value = self.expand(node, leaf);
            if let Some(value) = node.proven().map(Proven::value).or(value) {
                return value;
            }
        }
        self.estimate(leaf)
    }

    /// What can be seen of a position without a search.
    fn look_for_proof(&mut self, node: &Node, leaf: &Leaf<P>) {
        let (position, heuristics) = (&leaf.position, self.task.heuristics);
        match winner(position) {
            Some(winner) if winner == position.side() => node.set_proven(Proven::Win(0)),
            Some(_) => node.set_proven(Proven::Loss(0)),
            None if heuristics.wins(position) => node.set_proven(Proven::Win(1)),
            None => {}
        }
    }

    /// Looks for a forced win at the start of a turn, when the node has become important.
    fn look_for_forced_win(&mut self, node: &Node, leaf: &Leaf<P>, visits: u32) {
        let MctsParameters { forced_win_visits, forced_win_nodes, .. } = *self.parameters;
        let is_time = forced_win_visits > 0 && visits == forced_win_visits as u32;
        if !is_time || !leaf.position.turn_starts() || node.proven().is_some() {
            return;
        }
        let (past, stop) = (self.task.past, self.task.stop);
        let limits = ForcedWinLimits {
            is_allowed: &|key| past.count(key) < 2,
            must_stop: &|| stop.is_requested(),
            nodes: forced_win_nodes as u64,
        };
        let found =
            self.task.heuristics.forced_win(&leaf.position, limits, &mut self.buffers.tactics);
        if let ForcedWinLook::Win(win) = found {
            node.set_proven(Proven::win_in(win.turns));
        }
    }

    /// The value of a leaf by a playout, by the evaluation, or by both.
    fn estimate(&mut self, leaf: &Leaf<P>) -> f32 {
        if let Some(winner) = winner(&leaf.position) {
            return if winner == leaf.position.side() { 1.0 } else { -1.0 };
        }
        let share = self.parameters.leaf_evaluation as f32 / 100.0;
        let mut value = 0.0;
        if share > 0.0 {
            value += share * self.static_value(&leaf.position);
        }
        if share < 1.0 {
            value += (1.0 - share) * self.playout(leaf);
        }
        value
    }

    /// What the evaluation says of a position.
    fn static_value(&mut self, position: &P) -> f32 {
        let heuristics = self.task.heuristics;
        let state = heuristics.state(position);
        let score = heuristics.evaluate(position, &state, &mut self.buffers.cache);
        value_of(score, self.parameters.value_scale)
    }

    /// What comes of random play.
    fn playout(&mut self, leaf: &Leaf<P>) -> f32 {
        let uses_rave = self.uses_rave();
        let Buffers { played, playouts, .. } = &mut self.buffers;
        let request = PlayoutRequest {
            position: &leaf.position,
            previous: leaf.previous,
            history: self.history,
        };
        if let Some(threads) = self.leaf_threads {
            let heuristics = self.task.heuristics;
            return threads.playouts(&request, |request| {
                self.counted.playouts.add(1);
                heuristics.playout(request, &mut self.random, playouts, |_, _| ())
            });
        }
        self.counted.playouts.add(1);
        let heuristics = self.task.heuristics;
        match uses_rave {
            false => heuristics.playout(request, &mut self.random, playouts, |_, _| ()),
            true => heuristics.playout(request, &mut self.random, playouts, |position, step| {
                played.insert(played_by(position.side(), step));
            }),
        }
    }

    /// Adds the value of a leaf, for its side to move, to all that led to it.
    fn back_up(&mut self, leaf: &Leaf<P>, mut value: f32) {
        let mut side = leaf.position.side();
        if let Some(id) = leaf.node {
            self.add(self.tree.node(id), value);
        }
        let mut proven = leaf.node.and_then(|id| self.tree.node(id).proven());
        while let Some(Descent { node, edge, previous, has_entered }) = self.buffers.path.pop() {
            let node = self.tree.node(node);
            let edges = self.tree.edges(node).expect("an edge was followed");
            let edge = &edges[edge];
            if node.side() != side {
                (value, side) = (-value, node.side());
                proven = proven.map(Proven::a_turn_before);
            }
            if let Some(proven) = proven {
                edge.set_proven(proven);
            }
            proven = proven.and_then(|proven| self.settle(node, edges, proven));
            if let Some(proven) = proven {
                value = proven.value();
            }
            self.add_to_edge(node, edge, previous, value);
            if has_entered {
                edge.virtual_loss.leave();
            }
            self.add(node, value);
            if self.parameters.implicit_minimax > 0 {
                back_up_minimax(self.tree, node, edges, edge);
            }
            if self.uses_rave() {
                self.add_rave(node, edges, edge, value);
            }
        }
    }

    /// The value of a simulation counts for every move of a node that was played in it, then or later.
    fn add_rave(&mut self, node: &Node, edges: &[Edge], followed: &Edge, value: f32) {
        let (side, played) = (node.side(), &mut self.buffers.played);
        played.extend(followed.steps::<P::Step>().map(|step| played_by(side, step)));
        let Some(rave) = self.tree.rave(node) else { return };
        for (edge, rave) in edges.iter().zip(rave).filter(|(edge, _)| edge.is_single()) {
            let step = edge.first_step::<P::Step>();
            if step.is_some_and(|step| played.contains(&played_by(side, step))) {
                rave.add(value, 1.0, 1);
            }
        }
    }

    /// How many visits are to be written down for one more of something with so many: see [`BUSY`].
    fn visits_to_add(&mut self, count: u32) -> u32 {
        match self.is_shared && count >= BUSY {
            true if self.random.u32(0..BUSY_SHARE) == 0 => BUSY_SHARE,
            true => 0,
            false => 1,
        }
    }

    /// One more value of a node.
    fn add(&mut self, node: &Node, value: f32) {
        let count = node.mean.get().count;
        let visits = self.visits_to_add(count);
        if visits == 0 {
            return;
        }
        let weight = match self.parameters.relative_update {
            RelativeUpdate::Off => 1.0,
            RelativeUpdate::Logarithm => (count as f32 + 1.0).ln().max(1.0),
            RelativeUpdate::Root => (count as f32).sqrt().max(1.0),
        };
        node.mean.add(value, weight, visits);
        let MctsParameters { selection, exploration_variance, .. } = *self.parameters;
        if selection == SelectionRule::UcbTuned || exploration_variance > 0 {
            node.squares.add(value * value, 1.0, visits);
        }
    }

    /// One more visit of an edge, and what came of it for the side that chose it.
    fn add_to_edge(&mut self, node: &Node, edge: &Edge, previous: Option<P::Step>, value: f32) {
        let visits = self.visits_to_add(edge.mean.get().count);
        if visits > 0 {
            match edge.node().filter(|_| self.parameters.transpositions) {
                // The value is that of the shared node, the visits are the edge's own.
                Some(child) => {
                    let child = self.tree.node(child);
                    let mean = child.mean.get().value;
                    let shared = if child.side() == node.side() { mean } else { -mean };
                    edge.mean.update(|mean| Mean { count: mean.count + visits, value: shared });
                }
                None => edge.mean.add(value, 1.0, visits),
            }
        }
        if self.parameters.tree_history > 0
            && edge.is_single()
            && let Some(step) = edge.first_step::<P::Step>()
        {
            self.history.add(node.side(), previous, step, value);
        }
    }

    /// What a node is for certain, when an edge of it has just been proven.
    fn settle(&self, node: &Node, edges: &[Edge], proven: Proven) -> Option<Proven> {
        if !self.parameters.proofs {
            return None;
        }
        let settled = match proven {
            Proven::Win(_) => proven,
            Proven::Loss(_) => self.lost(node, edges)?,
        };
        node.set_proven(settled);
        Some(settled)
    }

    /// The longest resistance, if every edge is lost.
    fn lost(&self, node: &Node, edges: &[Edge]) -> Option<Proven> {
        if node.is_incomplete.load(Ordering::Relaxed) {
            return None;
        }
        let mut longest = 0;
        for edge in edges {
            match edge.proven() {
                Some(Proven::Loss(turns)) => longest = longest.max(turns),
                _ => return None,
            }
        }
        Some(Proven::Loss(longest))
    }

    fn uses_rave(&self) -> bool {
        self.parameters.rave > 0 || self.parameters.amaf > 0
    }
}

/// Who has won, if the game is over: that is so at the end of a turn only.
pub(super) fn winner<P: Position>(position: &P) -> Option<Side> {
    position.turn_starts().then(|| position.winner()).flatten()
}

fn played_by<S: PackedStep>(side: Side, step: S) -> (bool, u16) {
    (side == Side::First, step.pack())
}

/// The best evaluation below a node, given that of an edge's node.
fn back_up_minimax(tree: &Tree, node: &Node, edges: &[Edge], edge: &Edge) {
    if let Some(child) = edge.node() {
        let child = tree.node(child);
        let below = child.minimax.get();
        edge.minimax.set(if child.side() == node.side() { below } else { -below });
    }
    let best = edges.iter().map(|edge| edge.minimax.get()).fold(-1.0, f32::max);
    node.minimax.set(best);
}

/// A score as a value: from -1 to 1, by a sigmoid.
pub(super) fn value_of(score: Score, scale: i32) -> f32 {
    (score.0 as f32 / (2.0 * scale as f32)).tanh()
}

/// The score that has this value.
pub(super) fn score_of(value: f32, scale: i32) -> Score {
    // Beyond that, a single precision number is no longer told apart from 1.
    let value = value.clamp(-0.999_999, 0.999_999);
    Score((value.atanh() * 2.0 * scale as f32).round() as i32)
}
