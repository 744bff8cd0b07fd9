//! Whole turns, by the rules alone: each that is legal, and whether one is.

use std::ops::ControlFlow;

use game::{History, Key, PackedStep, Position};
use rustc_hash::FxHashSet;

use crate::repetition::MOST;

/// Lists the distinct turns of a position, by a plain walk over its steps.
///
/// Two turns are the same if they lead to the same position. The buffers are kept from one position
/// to the next.
pub(crate) struct Turns<S> {
    seen: FxHashSet<Key>,
    steps: Vec<S>,
}

impl<S: PackedStep> Turns<S> {
    pub fn new() -> Turns<S> {
        Turns { seen: FxHashSet::default(), steps: Vec::new() }
    }

    /// Calls `visit` with the steps of each turn and the position after it, until it asks to stop.
    pub fn for_each<P: Position<Step = S>>(
        &mut self,
        start: &P,
        mut visit: impl FnMut(&[S], &P) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        self.seen.clear();
        self.steps.clear();
        self.walk(start, &mut visit)
    }

    fn walk<P: Position<Step = S>>(
        &mut self,
        position: &P,
        visit: &mut impl FnMut(&[S], &P) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        position.for_each_step(|step| {
            let mut after = position.clone();
            after.play(step);
            if !self.seen.insert(after.key()) {
                return ControlFlow::Continue(());
            }
            self.steps.push(step);
            let flow = if after.turn_starts() {
                visit(&self.steps, &after)
            } else {
                self.walk(&after, visit)
            };
            self.steps.pop();
            flow
        })
    }
}

/// The position after a whole turn, if it is legal; repetition is not looked at.
pub(crate) fn played<P: Position>(position: &P, turn: &[P::Step]) -> Option<P> {
    let mut after = position.clone();
    for (index, &step) in turn.iter().enumerate() {
        // Nothing may follow the end of a turn.
        if index > 0 && after.turn_starts() || !allows(&after, step) {
            return None;
        }
        after.play(step);
    }
    (!turn.is_empty() && after.turn_starts()).then_some(after)
}

fn allows<P: Position>(position: &P, step: P::Step) -> bool {
    let is_it =
        |legal| if legal == step { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
    position.for_each_step(is_it).is_break()
}

/// Tries turns that may win at once, on position after position.
pub(crate) struct Finishing {
    /// The legal first steps.
    legal: Vec<u16>,
    /// The turn that won last: after a similar turn of the loser, it wins again.
    last: usize,
}

impl Finishing {
    pub fn new() -> Finishing {
        Finishing { legal: Vec::new(), last: 0 }
    }

    /// One of the turns that wins at once for the side to move: the one that won last time, or the
    /// first that does.
    pub fn find_any<P: Position>(
        &mut self,
        position: &P,
        history: &History,
        turns: &[Vec<P::Step>],
    ) -> Option<usize> {
        if turns.get(self.last).is_some_and(|turn| wins(position, history, turn)) {
            return Some(self.last);
        }
        let found = self.find_first(position, history, turns)?;
        self.last = found;
        Some(found)
    }

    /// The first of the turns that wins at once for the side to move.
    pub fn find_first<P: Position>(
        &mut self,
        position: &P,
        history: &History,
        turns: &[Vec<P::Step>],
    ) -> Option<usize> {
        if turns.is_empty() {
            return None;
        }
        self.legal.clear();
        let _ = position.for_each_step(|step| {
            self.legal.push(step.pack());
            ControlFlow::Continue(())
        });
        turns.iter().position(|turn| {
            turn.first().is_some_and(|first| self.legal.contains(&first.pack()))
                && wins(position, history, turn)
        })
    }
}

/// Whether the turn is legal and wins at once for the side to move.
pub(crate) fn wins<P: Position>(position: &P, history: &History, turn: &[P::Step]) -> bool {
    played(position, turn).is_some_and(|after| {
        after.winner() == Some(position.side()) && history.count(after.repetition_key()) < MOST
    })
}
