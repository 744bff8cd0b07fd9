//! What can be won within a turn, as `goalcheck` and `trapcheck` tell it.

use arimaa::{Board, Side, WHOLE_TURN, side};
use arimaa_ai::{captures, goal};
use game::Steps;

use crate::InfoLine;

/// For each side: the least steps to its goal, and which they are.
pub fn goals(board: &Board) -> Vec<InfoLine> {
    let tell = |side: Side| {
        let found = match goal(board, side, WHOLE_TURN) {
            Some(win) if win.steps == Steps(0) => "done already".to_string(),
            Some(win) => format!("in {}: {}", win.steps, win.turn.notation(board)),
            None => "none".to_string(),
        };
        InfoLine::Own("goalcheck", format!("{} {found}", side::letter(side)))
    };
    Side::ALL.into_iter().map(tell).collect()
}

/// For each side: the pieces that it can capture, where, and by which steps.
pub fn traps(board: &Board) -> Vec<InfoLine> {
    let mut infos = Vec::new();
    for side in Side::ALL {
        let found = captures(board, side, WHOLE_TURN);
        let letter = side::letter(side);
        let mut tell = |text: String| infos.push(InfoLine::Own("trapcheck", text));
        if found.is_empty() {
            tell(format!("{letter} none"));
        }
        for capture in found.iter() {
            let (piece, from, trap) = (capture.piece.letter(), capture.square, capture.trap);
            let (steps, turn) = (capture.steps, capture.turn.notation(board));
            tell(format!("{letter} {piece}{from} on {trap} in {steps}: {turn}"));
        }
    }
    infos
}
