use std::ops::ControlFlow;

use game::{Key, Position};

use super::search::{Node, SearchThread, TreeDepth, Window};
use crate::hash_table::SubtreeSize;
use crate::heuristics::AlphaBetaHeuristics;
use crate::transposition_table::{Bound, TranspositionEntry};
use crate::value::Value;

/// The use of the transposition table.
impl<P: Position, H: AlphaBetaHeuristics<P>> SearchThread<'_, P, H> {
    /// What the table knows of a position.
    pub(super) fn probe(&self, key: Key) -> Option<TranspositionEntry<P::Step>> {
        if self.parameters.transposition_table { self.shared.table.probe(key) } else { None }
    }

    /// What the table knows a position by that so many turns precede.
    #[inline]
    pub(super) fn table_key(&self, position: &P, turns: u16) -> Key {
        let key = position.key();
        if turns == 0 { Key(key.0 ^ self.salt) } else { key }
    }

    /// The value of a position, if an entry settles what is asked; else the window that is left. Within an open
    /// window the principal variation is wanted as well: there is a cutoff only by a parameter, and not before
    /// the end of the turn that is searched for.
    #[inline]
    pub(super) fn hash_cutoff(
        &self,
        entry: TranspositionEntry<P::Step>,
        at: TreeDepth,
        window: Window,
    ) -> ControlFlow<Value, Window> {
        if entry.is_verified() && at.turns > 0 {
            return ControlFlow::Break(entry.value.seen_from_root(at.turns));
        }
        let narrows = self.parameters.hash_windows && at.turns > 0;
        if !window.is_null() && !narrows {
            return ControlFlow::Continue(window);
        }
        let bounds = Bounds::of(entry, at, window);
        if let Some(value) = bounds.settle(window) {
            return ControlFlow::Break(value);
        }
        if window.is_null() {
            return ControlFlow::Continue(window);
        }
        match bounds.exact() {
            Some(value) => ControlFlow::Break(value),
            None => ControlFlow::Continue(Window {
                alpha: bounds.least.map_or(window.alpha, |least| least.max(window.alpha)),
                beta: bounds.most.map_or(window.beta, |most| most.min(window.beta)),
            }),
        }
    }

    /// Stores what a search has found of a position.
    pub(super) fn store(
        &self,
        node: &Node<P>,
        value: Value,
        step: Option<P::Step>,
        size: SubtreeSize,
    ) {
        let Node { at, window, .. } = *node;
        let bound = match value {
            _ if value >= window.beta => Bound::Lower,
            _ if value > window.alpha => Bound::Exact,
            _ => Bound::Upper,
        };
        // Where a result was asked for, nothing was left out: the bound says so by being one itself.
        let value = match bound {
            Bound::Upper if window.alpha.is_win() => window.alpha,
            Bound::Lower if window.beta.is_loss() => window.beta,
            _ => value,
        };
        let value = value.seen_from(at.turns);
        let depth = at.depth.clamp(0, i32::from(TranspositionEntry::<P::Step>::VERIFIED) - 1) as u8;
        if self.parameters.transposition_table {
            let key = self.table_key(node.position, at.turns);
            self.shared.table.store(key, TranspositionEntry { value, bound, depth, step, size });
        }
    }

    /// Stores the value of a position without depth left, outside of quiescence search.
    pub(super) fn store_leaf(&self, node: &Node<P>, value: Value) {
        if self.parameters.hash_leaves && node.at.quiescence == 0 && !self.is_stopped {
            self.store(node, value, None, SubtreeSize::default());
        }
    }
}

/// What an entry says of a value, as far as it can be relied on for what is asked.
struct Bounds {
    least: Option<Value>,
    most: Option<Value>,
}

impl Bounds {
    #[inline]
    fn of<Step>(entry: TranspositionEntry<Step>, at: TreeDepth, window: Window) -> Bounds {
        let value = entry.value.seen_from_root(at.turns);
        let is_deep = i32::from(entry.depth) >= at.depth;
        // A result holds at any depth. Where one is asked for, an estimate says nothing: steps may have
        // been left out on the way to it.
        let asks_result = window.alpha.is_win() || window.beta.is_loss();
        let is_trusted = is_deep && (value.is_result() || !asks_result || at.depth <= 0);
        let is_above = entry.bound != Bound::Upper && (is_trusted || value.is_win());
        let is_below = entry.bound != Bound::Lower && (is_trusted || value.is_loss());
        Bounds { least: is_above.then_some(value), most: is_below.then_some(value) }
    }

    /// The value, if they settle what is asked.
    #[inline]
    fn settle(&self, window: Window) -> Option<Value> {
        let least = self.least.filter(|&least| least >= window.beta);
        least.or(self.most.filter(|&most| most <= window.alpha))
    }

    /// The value, if they leave nothing open.
    #[inline]
    fn exact(&self) -> Option<Value> {
        self.least.filter(|_| self.least == self.most)
    }
}
