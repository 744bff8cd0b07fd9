//! Captures within a turn, and the right to move.

use arimaa::{Side, WHOLE_TURN};
use linear::FeatureSink;

use super::EvaluationContext;
use super::context::Role;
use super::model::{GAIN, SECOND_CAPTURE, TEMPO, THREAT};
use crate::{Capture, captures};

/// How much a capture counts when the best one is chosen, by role and the steps that it takes, and a
/// second one of another piece in another trap: both can hardly be prevented. These choose; what the
/// chosen ones are worth is a matter of the model.
const CHOICE: [[i32; 5]; 2] = [[0, 0, 70, 75, 45], [0, 0, 40, 34, 28]];
const SECOND_CHOICE: i32 = 24;

/// An own piece that a capture costs takes so much from its gain.
const SACRIFICE: i32 = 240;

/// Emits the best capture of a side within its turn, and the best beside it. The values are what they gain
/// by the material formula.
#[inline(always)]
pub(super) fn best_captures(context: &EvaluationContext, side: Side, sink: &mut impl FeatureSink) {
    let role = context.role(side);
    let steps = match role {
        Role::Mover => context.steps,
        Role::Waiting => WHOLE_TURN,
    };
    let captures = captures(&context.board, side, steps);
    let gain = |capture: &Capture| {
        let value = context.material[!side].each[capture.piece.kind as usize];
        (value - SACRIFICE * i32::from(capture.lost)).max(0)
    };
    // Whichever comes first of two that are equal must not matter: the board may be turned about.
    let with_second = |best: &Capture| {
        let is_other = |other: &&Capture| other.trap != best.trap && other.square != best.square;
        let second = captures.iter().filter(is_other).map(gain).max().unwrap_or(0);
        let (gain, steps) = (gain(best), usize::from(best.steps.0));
        let choice = gain * CHOICE[role as usize][steps] + second * SECOND_CHOICE;
        (choice, gain, steps, second)
    };
    let best = captures.iter().map(with_second).max();
    let Some((_, gain, steps, second)) = best else { return };
    let at = [context.left(), steps - 2];
    match role {
        Role::Mover => sink.add(GAIN, at, gain),
        Role::Waiting => sink.add(THREAT, at, gain),
    }
    sink.add(SECOND_CAPTURE, [role as usize], second);
}

/// Emits the right to move: worth much with a whole turn, less than nothing with one step, since the
/// enemy has the next turn.
#[inline(always)]
pub(super) fn tempo(context: &EvaluationContext, side: Side, sink: &mut impl FeatureSink) {
    if context.role(side) == Role::Mover {
        sink.add(TEMPO, [context.left()], 1);
    }
}
