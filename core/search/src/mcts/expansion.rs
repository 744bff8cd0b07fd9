//! The edges of a leaf that has become mature.

use std::ops::ControlFlow;
use std::sync::atomic::Ordering;

use game::{Position, Score};

use super::SelectionRule;
use super::iteration::{Buffers, Leaf, Worker, value_of, winner};
use super::playouts::best_of;
use super::statistics::Mean;
use super::tree::{Edge, NewEdge, Node, Proven, pack_steps};
use super::{MctsHeuristics, MctsParameters};
use crate::PlayedMove;

/// Of how many random steps the best known one is sampled: what does best in playouts (Kozelek 2009, 4.4.2).
const SAMPLED: usize = 3;

impl<P, H> Worker<'_, P, H>
where
    P: Position + Send + Sync,
    H: MctsHeuristics<P>,
{
    /// Gives a leaf its edges, or finds out that it is lost. The value is the best one of its children, where those are
    /// evaluated.
    pub(super) fn expand(&mut self, node: &Node, leaf: &Leaf<P>) -> Option<f32> {
        if !node.edges.claim() {
            // Another thread is at it.
            return None;
        }
        let mut edges = std::mem::take(&mut self.buffers.edges);
        edges.clear();
        self.list_moves(leaf, node, &mut edges);
        let value = self.finish(node, leaf, &mut edges);
        self.buffers.edges = edges;
        value
    }

    fn finish(&mut self, node: &Node, leaf: &Leaf<P>, edges: &mut [NewEdge]) -> Option<f32> {
        if edges.is_empty() {
            // Who has no turn has lost; inside a turn, the steps before were no part of one.
            if !node.is_incomplete.load(Ordering::Relaxed) {
                node.set_proven(node.proven().unwrap_or(Proven::Loss(0)));
            }
            node.edges.release();
            return None;
        }
        if self.parameters.grandfather > 0 {
            self.inherit(leaf, edges);
        }
        let value = (self.parameters.child_evaluation).then(|| best_evaluation(edges));
        if self.parameters.selection == SelectionRule::Puct {
            self.make_priors(edges);
        }
        // Widening begins with what looks best; among equals, in the order of the list.
        edges.sort_by(|a, b| b.knowledge.total_cmp(&a.knowledge));
        if let Some(value) = value {
            node.minimax.set(value);
        }
        if self.tree.expand(node, edges) {
            self.counted.expanded.add(1);
            if self.parameters.leaf_evaluation < 100 {
                self.task.heuristics.expanded(&leaf.position, &mut self.buffers.playouts);
            }
        } else {
            self.counters.is_full.store(true, Ordering::Relaxed);
        }
        value
    }

    /// Lists the moves that become edges: defences alone where the other side threatens to win, else all steps, or
    /// random turns, and captures of several steps besides. None where the position is lost.
    fn list_moves(&mut self, leaf: &Leaf<P>, node: &Node, edges: &mut Vec<NewEdge>) {
        let (position, heuristics) = (&leaf.position, self.task.heuristics);
        let MctsParameters { proofs, defence_edges, capture_edges, turn_samples, .. } =
            *self.parameters;
        let state = (self.parameters.child_evaluation).then(|| heuristics.state(position));
        if proofs && position.turn_starts() && heuristics.is_threatened(position) {
            if !heuristics.has_defence(position, &mut self.buffers.tactics) {
                node.set_proven(Proven::Loss(2));
                return;
            }
            let few = defence_edges
                .then(|| heuristics.few_defences(position, &mut self.buffers.tactics))
                .flatten();
            if let Some(turns) = few {
                let turns = (0..turns.len()).filter_map(|index| turns.get(index));
                turns.for_each(|turn| self.add_move(leaf, &state, turn, edges));
                return;
            }
        }
        if turn_samples > 0 {
            node.is_incomplete.store(true, Ordering::Relaxed);
            self.sample_turns(leaf, &state, edges);
            return;
        }
        let _ = position.for_each_step(|step| {
            let is_undone = leaf
                .before
                .as_ref()
                .zip(leaf.previous)
                .is_some_and(|(before, last)| heuristics.undoes(before, last, step));
            if !is_undone && !heuristics.has_twin(position, step) {
                self.add_move(leaf, &state, &[step], edges);
            }
            ControlFlow::Continue(())
        });
        if capture_edges {
            let moves = heuristics.capture_moves(position, &mut self.buffers.tactics);
            let moves = (0..moves.len()).filter_map(|index| moves.get(index));
            let several = moves.filter(|steps| steps.len() > 1);
            several.for_each(|steps| self.add_move(leaf, &state, steps, edges));
        }
    }

    /// Adds a move, unless it may not be played or leads nowhere.
    fn add_move(
        &mut self,
        leaf: &Leaf<P>,
        state: &Option<H::State>,
        steps: &[P::Step],
        edges: &mut Vec<NewEdge>,
    ) {
        let (position, heuristics) = (&leaf.position, self.task.heuristics);
        let mut after = position.clone();
        let (mut knowledge, mut previous) = (0.0, leaf.previous);
        for &step in steps {
            knowledge += heuristics.step_knowledge(&after, step, previous);
            after.play(step);
            previous = Some(step);
        }
        let ends_turn = after.turn_starts();
        if !ends_turn && after.is_idle()
            || ends_turn && self.task.past.count(after.repetition_key()) >= 2
        {
            return;
        }
        let (minimax, proven) = match state {
            Some(state) => self.evaluate_child(position, state, steps, &after),
            None => (0.0, None),
        };
        let steps = pack_steps(steps);
        edges.push(NewEdge { steps, knowledge, minimax, proven, mean: Mean::default() });
    }

    /// The evaluation of a child, for the side that moves to it; its result, if the game is over there.
    fn evaluate_child(
        &mut self,
        position: &P,
        state: &H::State,
        steps: &[P::Step],
        after: &P,
    ) -> (f32, Option<Proven>) {
        if let Some(winner) = winner(after) {
            return match winner == position.side() {
                true => (1.0, Some(Proven::Win(1))),
                false => (-1.0, Some(Proven::Loss(1))),
            };
        }
        let heuristics = self.task.heuristics;
        let Buffers { state: buffer, cache, .. } = &mut self.buffers;
        let next = buffer.get_or_insert_with(|| state.clone());
        heuristics.advance(PlayedMove { before: position, steps, after }, state, next);
        let score = heuristics.evaluate(after, next, cache);
        self.counted.evaluated.add(1);
        let score = if after.side() == position.side() { score } else { Score(-score.0) };
        (value_of(score, self.parameters.value_scale), None)
    }

    /// Random turns, each step the best known of a few: the edges of a tree of whole turns.
    fn sample_turns(&mut self, leaf: &Leaf<P>, state: &Option<H::State>, edges: &mut Vec<NewEdge>) {
        let mut steps = Vec::new();
        for _ in 0..self.parameters.turn_samples {
            let mut after = leaf.position.clone();
            let mut previous = leaf.previous;
            steps.clear();
            while let Some(step) = self.sample_step(&after, previous) {
                steps.push(step);
                after.play(step);
                previous = Some(step);
                if after.turn_starts() {
                    break;
                }
            }
            let is_known = edges.iter().any(|edge| edge.steps == pack_steps(&steps));
            if !steps.is_empty() && after.turn_starts() && !is_known {
                self.add_move(leaf, state, &steps, edges);
            }
        }
    }

    /// The best known of a few random steps.
    fn sample_step(&mut self, position: &P, previous: Option<P::Step>) -> Option<P::Step> {
        let mut steps = Vec::new();
        let _ = position.for_each_step(|step| {
            steps.push(step);
            ControlFlow::Continue(())
        });
        let heuristics = self.task.heuristics;
        best_of(SAMPLED, &steps, &mut self.random, |step| {
            heuristics.step_knowledge(position, step, previous)
        })
    }

    /// Begins each edge with the value of the same move one node earlier in the turn (the grandfather heuristic).
    fn inherit(&self, leaf: &Leaf<P>, edges: &mut [NewEdge]) {
        let Some(parent) = leaf.parent.map(|id| self.tree.node(id)) else { return };
        if parent.side() != leaf.position.side() {
            return;
        }
        let older: &[Edge] = self.tree.edges(parent).unwrap_or_default();
        for edge in edges {
            let same = older.iter().find(|older| older.packed_steps() == edge.steps);
            if let Some(Mean { count: 1.., value }) = same.map(|same| same.mean.get()) {
                edge.mean = Mean { count: self.parameters.grandfather as u32, value };
            }
        }
    }

    /// Turns knowledge, and evaluations where there are some, into priors that add up to 1.
    fn make_priors(&self, edges: &mut [NewEdge]) {
        let temperature = self.parameters.prior_temperature as f32 / 100.0;
        let bias = self.parameters.progressive_bias as f32 / 1000.0;
        let evaluated = self.parameters.child_evaluation;
        // The logarithm of the odds, where it is known.
        let logit = |edge: &NewEdge| {
            let evaluation =
                if evaluated { 2.0 * edge.minimax.clamp(-0.999, 0.999).atanh() } else { 0.0 };
            (evaluation + bias * edge.knowledge) / temperature
        };
        let most = edges.iter().map(logit).fold(f32::NEG_INFINITY, f32::max);
        let mut sum = 0.0;
        for edge in edges.iter_mut() {
            edge.knowledge = (logit(edge) - most).exp();
            sum += edge.knowledge;
        }
        edges.iter_mut().for_each(|edge| edge.knowledge /= sum);
    }
}

fn best_evaluation(edges: &[NewEdge]) -> f32 {
    edges.iter().map(|edge| edge.minimax).fold(-1.0, f32::max)
}
