//! The slow twin of [`TurnMobility::new`]: all that both sides can play within a turn is played out, by the rules alone.

use std::hash::{Hash, Hasher};
use std::ops::ControlFlow;

use arimaa::{Bitboard, Board, Mobility, Side, Square, Step};
use rustc_hash::FxHashSet;

use super::TurnMobility;

impl TurnMobility {
    /// The same as [`TurnMobility::new`], some hundred times slower and with nothing in it that is clever.
    pub fn by_playing_out(board: &Board) -> TurnMobility {
        let mut mobility = TurnMobility::NONE;
        Side::ALL.into_iter().for_each(|side| play_out(board, side, &mut mobility));
        // What fewer steps can do, more can. To stand where one stood is nothing.
        for square in board.occupied() {
            let (mut reached, mut displaced) = (Bitboard::EMPTY, Bitboard::EMPTY);
            for reach in &mut mobility.reach {
                reached |= reach[square.index()] & !square.bit();
                reach[square.index()] = reached;
            }
            for moved in &mut mobility.displaced {
                displaced |= moved[square.index()] & !square.bit();
                moved[square.index()] = displaced;
            }
        }
        let mut captured = Bitboard::EMPTY;
        for pieces in &mut mobility.captured {
            captured |= *pieces;
            *pieces = captured;
        }
        mobility
    }
}

/// Plays out all turns of a side. Each distinct state is visited once for each number of steps that lead to it.
fn play_out(board: &Board, side: Side, mobility: &mut TurnMobility) {
    let mut layers: [FxHashSet<State>; 4] = Default::default();
    layers[0].insert(State { board: *board, moved: [None; 3] });
    for used in 0..4 {
        for state in std::mem::take(&mut layers[used]) {
            let steps = Mobility::new(&state.board, side);
            let _ = steps.for_each_single(&mut |step| {
                note_single(mobility, &state, step, side, used + 1);
                if let Some(layer) = layers.get_mut(used + 1) {
                    layer.insert(state.after(step));
                }
                ControlFlow::Continue(())
            });
            if used + 2 > 4 {
                continue;
            }
            let _ = steps.for_each_push_and_pull(&mut |step| {
                note_pair(mobility, &state, step, side, used + 2);
                if let Some(layer) = layers.get_mut(used + 2) {
                    layer.insert(state.after(step));
                }
                ControlFlow::Continue(())
            });
        }
    }
}

/// A board within a turn, and the pieces that have moved, in an order that depends on nothing else: where they stand and where
/// they stood. Three steps move no more than three pieces.
#[derive(Clone, Copy, PartialEq, Eq)]
struct State {
    board: Board,
    moved: [Option<(Square, Square)>; 3],
}

/// Few states have the same board.
impl Hash for State {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        self.board.hash(hasher);
    }
}

impl State {
    /// Where the piece on a square stood before the turn.
    fn origin(&self, square: Square) -> Square {
        let found = self.moved.iter().flatten().find(|(now, _)| *now == square);
        found.map_or(square, |&(_, origin)| origin)
    }

    fn after(&self, step: Step) -> State {
        let mut next = *self;
        for (from, to) in step.moves() {
            let origin = next.origin(from);
            next.forget(|now| now == from);
            let place = next.moved.iter_mut().find(|place| place.is_none());
            *place.expect("three steps move no more than three pieces") = Some((to, origin));
        }
        next.board = self.board.after(step);
        let occupied = next.board.occupied();
        next.forget(|now| !occupied.has(now));
        next.moved.sort_unstable();
        next
    }

    fn forget(&mut self, is_gone: impl Fn(Square) -> bool) {
        for place in &mut self.moved {
            *place = place.filter(|&(now, _)| !is_gone(now));
        }
    }
}

/// Notes what a single step has done, as the last one of so many: its piece is where it went, unless that is a trap which no
/// friend holds.
fn note_single(mobility: &mut TurnMobility, before: &State, step: Step, side: Side, steps: usize) {
    let (from, to) = (step.from(), step.to());
    let friends = before.board.of(side) & !from.bit();
    if !Bitboard::TRAPS.has(to) || friends.meets(to.neighbours()) {
        mobility.reach[steps - 1][before.origin(from).index()] |= to.bit();
    }
}

/// Notes what a push or a pull has done, as the last step of so many.
fn note_pair(mobility: &mut TurnMobility, before: &State, step: Step, side: Side, steps: usize) {
    let after = before.board.after(step);
    for (from, to) in step.moves() {
        let origin = before.origin(from).index();
        if before.board.of(!side).has(from) {
            mobility.displaced[steps - 2][origin] |= to.bit();
        } else if after.of(side).has(to) {
            mobility.reach[steps - 1][origin] |= to.bit();
        }
    }
    for square in before.board.of(!side) {
        let now = step.moves().find(|&(from, _)| from == square).map_or(square, |(_, to)| to);
        if !after.of(!side).has(now) {
            mobility.captured[steps - 2] |= before.origin(square).bit();
        }
    }
}
