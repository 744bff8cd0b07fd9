use arimaa::{Side, WHOLE_TURN};

use super::Sight;
use super::sight::Role;
use super::weights::{GAIN, SECOND, THREAT};
use crate::{Capture, captures};

/// How much the captures of the side to move, and of the side that waits, weigh by the steps that they take when
/// the best one is chosen, and a second one of another piece in another trap: both can hardly be prevented. What the
/// chosen ones count is a matter of the weights.
const CHOICE: [[i32; 5]; 2] = [[0, 0, 70, 75, 45], [0, 0, 40, 34, 28]];
const SECOND_CHOICE: i32 = 24;

/// An own piece that a capture costs takes so much of its worth.
const SACRIFICE: i32 = 240;

/// What the captures of a side are worth that it can do within its turn.
#[inline(always)]
pub(super) fn best_captures(sight: &Sight, side: Side) -> i32 {
    let role = sight.role(side);
    let (steps, percents) = match role {
        Role::Mover => (sight.steps, &GAIN[sight.left()]),
        Role::Waiting => (WHOLE_TURN, &THREAT[sight.left()]),
    };
    let captures = captures(&sight.board, side, steps);
    let gain = |capture: &Capture| {
        let worth = sight.worth[!side].one[capture.piece.kind as usize];
        (worth - SACRIFICE * i32::from(capture.lost)).max(0)
    };
    // Whichever comes first of two that are equal must not matter: the board may be turned about.
    let with_second = |best: &Capture| {
        let is_other = |other: &&Capture| other.trap != best.trap && other.square != best.square;
        let second = captures.iter().filter(is_other).map(gain).max().unwrap_or(0);
        let (gain, steps) = (gain(best), usize::from(best.steps.0));
        let promise = gain * CHOICE[role as usize][steps] + second * SECOND_CHOICE;
        (promise, gain, steps, second)
    };
    let best = captures.iter().map(with_second).max();
    let (_, gain, steps, second) = best.unwrap_or((0, 0, 2, 0));
    (gain * percents[steps - 2] + second * SECOND[role as usize]) / 100
}
