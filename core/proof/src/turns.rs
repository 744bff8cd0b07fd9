//! Whole turns, by the rules alone: each that is legal, and whether one is.

use std::ops::ControlFlow;

use game::{History, Key, PackedStep as _, Position, Side};
use rustc_hash::FxHashSet;

use crate::strategy::MOST;

/// Lists the distinct turns of a position, by a plain walk over its steps: those of fewer steps first.
///
/// Two turns are the same if they lead to the same position. The buffers are kept from one position
/// to the next.
pub(crate) struct TurnWalk<P: Position> {
    seen: FxHashSet<Key>,
    inside: Vec<Inside<P>>,
    steps: Vec<P::Step>,
}

/// A position inside the turn.
struct Inside<P: Position> {
    position: P,
    /// The one before it, and the step between them.
    from: Option<(usize, P::Step)>,
}

impl<P: Position> TurnWalk<P> {
    pub fn new() -> TurnWalk<P> {
        TurnWalk { seen: FxHashSet::default(), inside: Vec::new(), steps: Vec::new() }
    }

    /// Calls `visit` with the steps of each turn and the position after it, until it asks to stop.
    pub fn for_each(
        &mut self,
        start: &P,
        mut visit: impl FnMut(&[P::Step], &P) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let TurnWalk { seen, inside, steps } = self;
        seen.clear();
        inside.clear();
        inside.push(Inside { position: start.clone(), from: None });
        let mut index = 0;
        while let Some(Inside { position, .. }) = inside.get(index) {
            let position = position.clone();
            position.for_each_step(|step| {
                let mut after = position.clone();
                after.play(step);
                if !seen.insert(after.key()) {
                    return ControlFlow::Continue(());
                }
                if !after.turn_starts() {
                    inside.push(Inside { position: after, from: Some((index, step)) });
                    return ControlFlow::Continue(());
                }
                trace(inside, index, step, steps);
                visit(steps, &after)
            })?;
            index += 1;
        }
        ControlFlow::Continue(())
    }
}

/// The steps that lead to a position inside the turn, and one more.
fn trace<P: Position>(
    inside: &[Inside<P>],
    mut index: usize,
    last: P::Step,
    steps: &mut Vec<P::Step>,
) {
    steps.clear();
    steps.push(last);
    while let Some((before, step)) = inside[index].from {
        steps.push(step);
        index = before;
    }
    steps.reverse();
}

/// A turn with the step that ends it as won, if it has won and is not over.
pub(crate) fn ended<P: Position>(
    position: &P,
    mut turn: Vec<P::Step>,
    winner: Side,
) -> Vec<P::Step> {
    let mut after = position.clone();
    for &step in &turn {
        if !after.allows(step) {
            return turn;
        }
        after.play(step);
    }
    if !after.turn_starts() {
        let _ = after.for_each_step(|step| {
            let mut end = after.clone();
            end.play(step);
            match end.turn_starts() && end.winner() == Some(winner) {
                true => {
                    turn.push(step);
                    ControlFlow::Break(())
                }
                false => ControlFlow::Continue(()),
            }
        });
    }
    turn
}

/// Tries turns that may win at once, on position after position.
pub(crate) struct FinisherSearch {
    /// The legal first steps.
    legal: Vec<u16>,
    /// The turn that won last: after a similar turn of the loser, it wins again.
    last: usize,
}

impl FinisherSearch {
    pub fn new() -> FinisherSearch {
        FinisherSearch { legal: Vec::new(), last: 0 }
    }

    /// One of the turns that wins at once for the side to move: the one that won last time, or the
    /// first that does.
    pub fn find_any<P: Position>(
        &mut self,
        position: &P,
        history: &History,
        turns: &[Vec<P::Step>],
    ) -> Option<usize> {
        self.find_fitting(position, history, turns, &|_| true)
    }

    /// The same among the turns that fit, given their numbers.
    pub fn find_fitting<P: Position>(
        &mut self,
        position: &P,
        history: &History,
        turns: &[Vec<P::Step>],
        fits: &dyn Fn(usize) -> bool,
    ) -> Option<usize> {
        let last = self.last;
        if turns.get(last).is_some_and(|turn| wins(position, history, turn)) && fits(last) {
            return Some(last);
        }
        let found = self.find_first_fitting(position, history, turns, fits)?;
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
        self.find_first_fitting(position, history, turns, &|_| true)
    }

    fn find_first_fitting<P: Position>(
        &mut self,
        position: &P,
        history: &History,
        turns: &[Vec<P::Step>],
        fits: &dyn Fn(usize) -> bool,
    ) -> Option<usize> {
        if turns.is_empty() {
            return None;
        }
        self.legal.clear();
        let _ = position.for_each_step(|step| {
            self.legal.push(step.pack());
            ControlFlow::Continue(())
        });
        turns.iter().enumerate().position(|(index, turn)| {
            turn.first().is_some_and(|first| self.legal.contains(&first.pack()))
                && wins(position, history, turn)
                && fits(index)
        })
    }
}

/// Whether the turn is legal and wins at once for the side to move.
pub(crate) fn wins<P: Position>(position: &P, history: &History, turn: &[P::Step]) -> bool {
    position.after_turn(turn).is_some_and(|after| {
        after.winner() == Some(position.side()) && history.count(after.repetition_key()) < MOST
    })
}
