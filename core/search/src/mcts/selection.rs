//! Which edge of a node is followed.

use std::sync::atomic::Ordering;

use game::{PackedStep, Side};

use super::history::StepHistory;
use super::statistics::{Mean, SharedMean};
use super::tree::{CACHED, ChildCache, Edge, Node, Proven, Tree};
use super::{MctsParameters, SelectionRule};

/// What the formulas need of a node, computed once for all of its edges.
pub(super) struct Selection<'a> {
    parameters: &'a MctsParameters,
    tree: &'a Tree,
    history: &'a StepHistory,
    side: Side,
    node: Mean,
    /// The exploration constant times the root of the logarithm of the visits; in PUCT, times the root of the visits.
    exploration: f32,
    log_visits: f32,
    /// What RAVE knows of the edges, and how much it counts.
    rave: Option<(&'a [SharedMean], f32)>,
}

/// Kozelek's bounds of an exploration constant that changes (4.3.3).
const EXPLORATION_BOUNDS: [f32; 2] = [0.01, 0.25];

impl<'a> Selection<'a> {
    pub(super) fn new(
        parameters: &'a MctsParameters,
        tree: &'a Tree,
        history: &'a StepHistory,
        node: &'a Node,
    ) -> Selection<'a> {
        let mean = node.mean.get();
        let visits = (mean.count as f32).max(1.0);
        let log_visits = visits.ln().max(0.0);
        let constant = exploration(parameters, node, visits);
        let growth = if parameters.selection == SelectionRule::Puct { visits } else { log_visits };
        Selection {
            parameters,
            tree,
            history,
            side: node.side(),
            node: mean,
            exploration: constant * growth.sqrt(),
            log_visits,
            rave: rave_weight(parameters, visits)
                .and_then(|weight| Some((tree.rave(node)?, weight))),
        }
    }

    /// The edge to follow: its index. None, if all are lost.
    pub(super) fn choose<S: PackedStep>(&self, node: &Node, edges: &[Edge]) -> Option<usize> {
        let visits = self.node.count;
        let threshold = self.parameters.child_cache;
        if threshold == 0 || visits < threshold as u32 || edges.len() <= CACHED {
            let considered = self.considered(edges.len());
            return self
                .best::<S>(edges, 0..considered)
                .or_else(|| self.best::<S>(edges, considered..edges.len()));
        }
        if let Some(children) = ChildCache::children(node.cache.load(Ordering::Relaxed), visits) {
            let cached = children.iter().map(|&index| usize::from(index));
            let cached = cached.filter(|&index| index < edges.len());
            if let Some(best) = self.best::<S>(edges, cached) {
                return Some(best);
            }
        }
        self.fill_cache::<S>(node, edges)
    }

    /// The edge with the highest urgency, of those that are not lost.
    fn best<S: PackedStep>(
        &self,
        edges: &[Edge],
        indices: impl Iterator<Item = usize>,
    ) -> Option<usize> {
        let mut best = None;
        let mut most = f32::NEG_INFINITY;
        for index in indices {
            let urgency = self.urgency::<S>(edges, index);
            if urgency > most {
                (most, best) = (urgency, Some(index));
            }
        }
        best
    }

    /// Fills the cache with the children of the highest urgency, and says which is first.
    fn fill_cache<S: PackedStep>(&self, node: &Node, edges: &[Edge]) -> Option<usize> {
        let mut best = [(f32::NEG_INFINITY, u16::MAX); CACHED];
        for index in 0..self.considered(edges.len()) {
            let mut new = (self.urgency::<S>(edges, index), index as u16);
            // Insertion into the few best, which stay in order.
            for old in &mut best {
                if new.0 > old.0 {
                    std::mem::swap(&mut new, old);
                }
            }
        }
        if best[CACHED - 1].0 > f32::NEG_INFINITY {
            let cache = ChildCache::new(self.node.count, best.map(|(_, index)| index));
            node.cache.store(cache.pack(), Ordering::Relaxed);
        }
        let (urgency, index) = best[0];
        match urgency > f32::NEG_INFINITY {
            true => Some(index.into()),
            false => self.best::<S>(edges, 0..edges.len()),
        }
    }

    /// How many of the edges, the best known ones first, are there to choose from.
    fn considered(&self, edges: usize) -> usize {
        let MctsParameters { progressive_widening, progressive_unpruning, .. } = *self.parameters;
        let visits = self.node.count as f32;
        if progressive_widening > 0 {
            let count = visits.sqrt() * progressive_widening as f32 / 100.0;
            edges.min(1 + count as usize)
        } else if progressive_unpruning > 0 {
            // Chaslot et al. 2008: the next child comes after 40 visits, the one after that after 1.4 times as many.
            let more = (visits / 40.0).max(1.0).ln() / 1.4_f32.ln();
            edges.min(progressive_unpruning as usize + more as usize)
        } else {
            edges
        }
    }

    /// How urgent it is to follow an edge; a lost one is not, a won one is above all.
    #[inline]
    fn urgency<S: PackedStep>(&self, edges: &[Edge], index: usize) -> f32 {
        let edge = &edges[index];
        match edge.proven() {
            Some(Proven::Loss(_)) => return f32::NEG_INFINITY,
            Some(Proven::Win(_)) => return f32::INFINITY,
            None => {}
        }
        let parameters = self.parameters;
        let Mean { count, value } = edge.mean.get();
        let in_flight = i32::from(edge.virtual_loss.count()) * parameters.virtual_loss;
        let visits = (count as i32 + in_flight) as f32;
        // A thread below the edge counts as a loss.
        let sum = value * count as f32 - in_flight as f32;
        if parameters.selection == SelectionRule::Puct {
            let mean = if visits > 0.0 { sum / visits } else { self.unvisited(edge) };
            let mean = self.with_minimax(mean, edge);
            return mean + self.exploration * edge.knowledge.get() / (1.0 + visits);
        }
        let visits = visits + parameters.virtual_visits as f32;
        if visits == 0.0 {
            let knowledge = edge.knowledge.get() * parameters.progressive_bias as f32;
            return (parameters.first_play_urgency as f32 + knowledge) / 1000.0;
        }
        let mean = self.with_minimax(sum / visits, edge);
        let mean = self.with_rave(mean, index);
        let explored = match parameters.selection {
            SelectionRule::UcbTuned => self.tuned_exploration(edge, mean, visits),
            _ => self.exploration / visits.sqrt(),
        };
        mean + explored + self.bias::<S>(edge, visits)
    }

    /// Step knowledge and the history of the step (Kozelek 2009, 4.3.3).
    #[inline]
    fn bias<S: PackedStep>(&self, edge: &Edge, visits: f32) -> f32 {
        let MctsParameters { progressive_bias, tree_history, .. } = *self.parameters;
        let knowledge = edge.knowledge.get() * progressive_bias as f32 / visits;
        let history = match edge.first_step::<S>() {
            Some(step) if tree_history > 0 && edge.is_single() => {
                let mean = self.history.step(self.side, step);
                mean.value * tree_history as f32 / visits.sqrt()
            }
            _ => 0.0,
        };
        (knowledge + history) / 1000.0
    }

    /// What an edge counts in PUCT that was never followed.
    fn unvisited(&self, edge: &Edge) -> f32 {
        match self.parameters.child_evaluation {
            false => self.node.value - self.parameters.first_play_reduction as f32 / 1000.0,
            true => edge.minimax.get(),
        }
    }

    #[inline]
    fn with_minimax(&self, mean: f32, edge: &Edge) -> f32 {
        match self.parameters.implicit_minimax {
            0 => mean,
            percent => {
                let share = percent as f32 / 100.0;
                (1.0 - share) * mean + share * edge.minimax.get()
            }
        }
    }

    #[inline]
    fn with_rave(&self, mean: f32, index: usize) -> f32 {
        match self.rave {
            Some((rave, weight)) => {
                let known = rave[index].get();
                let weight = if known.count > 0 { weight } else { 0.0 };
                (1.0 - weight) * mean + weight * known.value
            }
            None => mean,
        }
    }

    /// UCB-tuned (Auer et al. 2002) for values from -1 to 1, whose variance is at most 1.
    fn tuned_exploration(&self, edge: &Edge, mean: f32, visits: f32) -> f32 {
        let squares = edge.node().map_or(1.0, |node| self.tree.node(node).squares.get().value);
        let variance = (squares - mean * mean).max(0.0);
        let bound = variance + (2.0 * self.log_visits / visits).sqrt();
        let constant = self.parameters.exploration as f32 / 1000.0;
        constant * (self.log_visits / visits * bound.min(1.0)).sqrt()
    }
}

/// The exploration constant of a node.
fn exploration(parameters: &MctsParameters, node: &Node, visits: f32) -> f32 {
    let [least, most] = EXPLORATION_BOUNDS;
    if parameters.exploration_decay > 0 {
        (parameters.exploration_decay as f32 / 1000.0 / visits.sqrt()).clamp(least, most)
    } else if parameters.exploration_variance > 0 {
        let mean = node.mean.get().value;
        let variance = (node.squares.get().value - mean * mean).max(0.0);
        (parameters.exploration_variance as f32 / 1000.0 * variance).clamp(least, most)
    } else {
        parameters.exploration as f32 / 1000.0
    }
}

/// How much RAVE counts in a node with so many visits (Gelly and Silver 2007), if it does.
fn rave_weight(parameters: &MctsParameters, visits: f32) -> Option<f32> {
    match parameters {
        MctsParameters { rave: 0, amaf: 0, .. } => None,
        MctsParameters { rave: 0, amaf, .. } => Some(*amaf as f32 / 100.0),
        MctsParameters { rave, .. } => {
            let equivalence = *rave as f32;
            Some((equivalence / (3.0 * visits + equivalence)).sqrt())
        }
    }
}
