//! Refutations: turns that have won by force against one first turn, and often win against the next.

use game::{Position, Side};

use super::search::{Node, SearchThread};
use crate::heuristics::{AlphaBetaHeuristics, ForcedWin};
use crate::turn_list::TurnList;
use crate::value::Value;

/// The forced wins that verification has found, of each side, the newest first.
pub(super) struct Refutations<Step> {
    wins: Vec<(Side, ForcedWin<Step>)>,
}

/// No more are kept.
const MOST: usize = 16;

impl<Step: PartialEq> Refutations<Step> {
    pub(super) fn new() -> Refutations<Step> {
        Refutations { wins: Vec::new() }
    }

    pub(super) fn add(&mut self, side: Side, win: ForcedWin<Step>) {
        self.wins.retain(|(of, other)| *of != side || other.turn != win.turn);
        self.wins.truncate(MOST - 1);
        self.wins.insert(0, (side, win));
    }
}

impl<P: Position, H: AlphaBetaHeuristics<P>> SearchThread<'_, P, H> {
    /// The value of a position after a first turn that seems good, if a refutation of another first turn wins here
    /// too: it threatens to win, and there is no defence. The search may have reduced such a turn away.
    pub(super) fn known_refutation(&mut self, position: &P) -> Option<Value> {
        let index = (0..self.refutations.wins.len()).find(|&index| {
            let after = self.after_refutation(position, index);
            after.is_some_and(|after| self.is_lost_at_once(&after))
        })?;
        // The next first turn is most likely to fail for the same reason.
        self.refutations.wins[..=index].rotate_right(1);
        let win = Value::win(2);
        self.store_forced_win(position, win);
        // It begins with the second turn.
        Some(Value::win(3))
    }

    /// The longer refutations that can be played after the first turn, as moves to be searched.
    pub(super) fn refutation_moves(&self, node: &Node<P>) -> TurnList<P::Step> {
        let mut moves = TurnList::new();
        if node.at.turns == 1 {
            for (index, (_, win)) in self.refutations.wins.iter().enumerate() {
                if win.turns.0 > 2 && self.after_refutation(node.position, index).is_some() {
                    moves.push(win.turn.iter().copied());
                }
            }
        }
        moves
    }

    /// The position after a refutation, if it can be played here.
    fn after_refutation(&self, position: &P, index: usize) -> Option<P> {
        let (side, win) = &self.refutations.wins[index];
        if *side != position.side() {
            return None;
        }
        position.after_turn(&win.turn).filter(|after| !self.is_forbidden(after))
    }

    /// Whether the side to move has neither a win nor a defence against one.
    fn is_lost_at_once(&mut self, position: &P) -> bool {
        if position.winner().is_some()
            || self.heuristics.wins(position)
            || !self.heuristics.is_threatened(position)
        {
            return false;
        }
        self.look_at_limits();
        let find = || self.heuristics.has_defence(position, &mut self.scratch);
        !self.is_stopped && !self.shared.defences.verdict(position.key(), find)
    }
}
