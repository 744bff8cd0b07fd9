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

/// The value of an entry, if it settles what is asked with a narrow window.
pub(crate) fn settled<Step>(entry: Entry<Step>, place: Place, window: Window) -> Option<Value> {
    if !window.is_null() {
        return None;
    }
    let value = entry.value.seen_from_root(place.turns);
    let is_deep = i32::from(entry.depth) >= place.depth;
    // A result holds at any depth. Where one is asked for, an estimate says nothing: steps may have
    // been left out on the way to it.
    let asks_result = window.alpha.is_win() || window.beta.is_loss();
    let is_trusted = is_deep && (value.is_result() || !asks_result || place.depth <= 0);
    let is_above = entry.bound != Bound::Upper && (is_trusted || value.is_win());
    let is_below = entry.bound != Bound::Lower && (is_trusted || value.is_loss());
    let settles = is_above && value >= window.beta || is_below && value <= window.alpha;
    settles.then_some(value)
}
