use arimaa::{Side, WHOLE_TURN};
use game::Steps;

use super::Sight;
use crate::captures;

/// How much of the best capture counts: it can be done now.
const GAIN_PERCENT: i32 = 80;

/// How much of it counts for the side that waits: it can still be prevented. At 60 % it won 28 of 39
/// games against 15 % (15,000 nodes a turn, 2026-11).
const THREAT_PERCENT: i32 = 60;

/// An own piece that a capture costs takes so much of its worth.
const SACRIFICE: i32 = 240;

/// What the captures of a side are worth that it can do within its turn.
#[inline(always)]
pub(super) fn best_captures(sight: &Sight, side: Side) -> i32 {
    let (steps, percent) = match side == sight.mover {
        true => (sight.steps, GAIN_PERCENT),
        false => (WHOLE_TURN, THREAT_PERCENT),
    };
    best_capture(sight, side, steps) * percent / 100
}

/// What the best capture within so many steps gains.
#[inline(always)]
fn best_capture(sight: &Sight, side: Side, steps: Steps) -> i32 {
    let worth = &sight.worth[!side];
    let captures = captures(&sight.board, side, steps);
    let gains = captures.iter().map(|capture| {
        worth.one[capture.piece.kind as usize] - SACRIFICE * i32::from(capture.lost)
    });
    gains.max().unwrap_or(0).max(0)
}
