use std::ops::ControlFlow;

use game::{Key, Position};

use crate::Knowledge;
use crate::node::{Node, Place, Window};
use crate::table::{Bound, Effort, Entry};
use crate::value::Value;
use crate::worker::Worker;

/// What is asked of the table and told to it.
impl<P: Position, K: Knowledge<P>> Worker<'_, P, K> {
    /// What the table knows of a position.
    pub(crate) fn entry(&self, key: Key) -> Option<Entry<P::Step>> {
        if self.parameters.table != 0 { self.shared.table.get(key) } else { None }
    }

    /// The value of a position, if an entry settles what is asked; else what is left to be asked. Within a wide
    /// window the line is wanted as well: there, only by a parameter, and not before the end of the turn that
    /// is searched for.
    #[inline]
    pub(crate) fn consult(
        &self,
        entry: Entry<P::Step>,
        place: Place,
        window: Window,
    ) -> ControlFlow<Value, Window> {
        let narrows = self.parameters.table_windows != 0 && place.turns > 0;
        if !window.is_null() && !narrows {
            return ControlFlow::Continue(window);
        }
        let bounds = Bounds::of(entry, place, window);
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

    pub(crate) fn remember(
        &self,
        node: &Node<P>,
        value: Value,
        step: Option<P::Step>,
        effort: Effort,
    ) {
        let Node { place, window, .. } = *node;
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
        let value = value.seen_from(place.turns);
        let depth = place.depth.clamp(0, 255) as u8;
        if self.parameters.table != 0 {
            self.shared.table.put(node.position.key(), Entry { value, bound, depth, step, effort });
        }
    }

    /// The value of a position without depth left. What was looked at beyond the depth is another
    /// matter.
    pub(crate) fn remember_leaf(&self, node: &Node<P>, value: Value) {
        if self.parameters.leaf_table != 0 && node.place.beyond == 0 && !self.is_stopped {
            self.remember(node, value, None, Effort::default());
        }
    }
}

/// What an entry says of a value, as far as it can be relied on for what is asked.
struct Bounds {
    least: Option<Value>,
    most: Option<Value>,
}

impl Bounds {
    fn of<Step>(entry: Entry<Step>, place: Place, window: Window) -> Bounds {
        let value = entry.value.seen_from_root(place.turns);
        let is_deep = i32::from(entry.depth) >= place.depth;
        // A result holds at any depth. Where one is asked for, an estimate says nothing: steps may have
        // been left out on the way to it.
        let asks_result = window.alpha.is_win() || window.beta.is_loss();
        let is_trusted = is_deep && (value.is_result() || !asks_result || place.depth <= 0);
        let is_above = entry.bound != Bound::Upper && (is_trusted || value.is_win());
        let is_below = entry.bound != Bound::Lower && (is_trusted || value.is_loss());
        Bounds { least: is_above.then_some(value), most: is_below.then_some(value) }
    }

    /// The value, if they settle what is asked.
    fn settle(&self, window: Window) -> Option<Value> {
        let least = self.least.filter(|&least| least >= window.beta);
        least.or(self.most.filter(|&most| most <= window.alpha))
    }

    /// The value, if they leave nothing open.
    fn exact(&self) -> Option<Value> {
        self.least.filter(|_| self.least == self.most)
    }
}
