use arimaa::{Side, WHOLE_TURN};

use super::Sight;
use crate::{Capture, captures};

/// How much of the best capture counts for the side to move, by the steps that it takes: one that takes the
/// whole turn leaves nothing for what else there is to do.
const GAIN_PERCENT: [i32; 5] = [0, 0, 70, 75, 45];

/// How much of it counts for the side that waits: it can still be prevented. The fit says 17, 10 and 9 %, but
/// a search of 5,000 nodes a turn does not see as much and does no worse with twice that
/// (`docs/evaluation.md`).
const THREAT_PERCENT: [i32; 5] = [0, 0, 40, 34, 28];

/// How much of a second capture counts, of another piece in another trap: both can hardly be prevented, but
/// both cannot be done in a turn either.
const SECOND_PERCENT: i32 = 24;

/// An own piece that a capture costs takes so much of its worth.
const SACRIFICE: i32 = 240;

/// What the captures of a side are worth that it can do within its turn.
#[inline(always)]
pub(super) fn best_captures(sight: &Sight, side: Side) -> i32 {
    let (steps, percents) = match side == sight.mover {
        true => (sight.steps, &GAIN_PERCENT),
        false => (WHOLE_TURN, &THREAT_PERCENT),
    };
    let captures = captures(&sight.board, side, steps);
    let gain = |capture: &Capture| {
        let worth = sight.worth[!side].one[capture.piece.kind as usize];
        (worth - SACRIFICE * i32::from(capture.lost)).max(0)
    };
    let weighed = |capture: &Capture| gain(capture) * percents[usize::from(capture.steps.0)];
    // Whichever comes first of two that are equal must not matter: the board may be turned about.
    let with_second = |best: &Capture| {
        let is_other = |other: &&Capture| other.trap != best.trap && other.square != best.square;
        let second = captures.iter().filter(is_other).map(gain).max().unwrap_or(0);
        weighed(best) + second * SECOND_PERCENT
    };
    captures.iter().map(with_second).max().unwrap_or(0) / 100
}
