use game::Position;

use crate::Knowledge;
use crate::node::{Node, Place};
use crate::value::Value;
use crate::worker::Worker;

impl<P: Position, K: Knowledge<P>> Worker<'_, P, K> {
    /// The value of a position without depth left: the estimate, or what a loud turn makes of it. At
    /// the start of each turn, wins, threats and defences are looked at as everywhere.
    pub(crate) fn leaf(&mut self, node: &mut Node<P>) -> Value {
        let estimate = self.estimate(node);
        let Node { place, mut window, .. } = *node;
        if i32::from(place.beyond) >= self.parameters.quiescence || estimate >= window.beta {
            return estimate;
        }
        let turns = self.knowledge.loud_turns(node.position, &mut self.scratch);
        let mut best = estimate;
        window.alpha = window.alpha.max(best);
        for turn in (0..turns.len()).filter_map(|index| turns.get(index)) {
            let mut after = node.position.clone();
            turn.iter().for_each(|&step| after.play(step));
            if self.is_forbidden(&after) {
                continue;
            }
            self.nodes += 1;
            let below = Place { beyond: place.beyond + 1, depth: 0, ..place.after(0) };
            let value = self.next_turn(node.position.side(), &after, below, window, None);
            if self.is_stopped {
                return window.alpha;
            }
            if value > best {
                best = value;
                window.alpha = window.alpha.max(best);
                self.extend_line(place.ply, turn);
            }
            if best >= window.beta {
                break;
            }
        }
        best
    }
}
