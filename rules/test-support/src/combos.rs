//! The tactics of a turn once more, by playing out everything that a side can do.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use arimaa::{Bitboard, Board, Form, Kind, Mobility, Piece, Side, Square, Step, side};
use rustc_hash::FxHashSet;

use crate::Twin;

/// What a side can reach within a turn, and the least steps for each.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Tactics {
    /// A rabbit stands on its goal row.
    pub goal: Option<u8>,
    /// The enemy has no rabbit.
    pub elimination: Option<u8>,
    /// By the square of an enemy piece before the turn and the trap that takes it: the steps, and
    /// the fewest own pieces that a turn of so many steps loses.
    pub captures: BTreeMap<(Square, Square), (u8, usize)>,
}

impl Tactics {
    /// What a board holds before a step is played.
    fn at_once(board: &Board, side: Side) -> Tactics {
        let mut tactics = Tactics::default();
        if board.has_goal(side) {
            tactics.found_goal(0);
        }
        if board.rabbits(!side).is_empty() {
            tactics.found_elimination(0);
        }
        tactics
    }

    /// The steps of the shortest win, a goal or an elimination.
    pub fn win(&self) -> Option<u8> {
        self.goal.into_iter().chain(self.elimination).min()
    }

    /// What remains with so many steps left.
    pub fn within(&self, steps: u8) -> Tactics {
        let few = |least: &u8| *least <= steps;
        let captures = self.captures.iter().filter(|(_, (least, _))| few(least));
        Tactics {
            goal: self.goal.filter(few),
            elimination: self.elimination.filter(few),
            captures: captures.map(|(&key, &value)| (key, value)).collect(),
        }
    }

    fn found_goal(&mut self, steps: u8) {
        self.goal = Some(self.goal.map_or(steps, |least| least.min(steps)));
    }

    fn found_elimination(&mut self, steps: u8) {
        self.elimination = Some(self.elimination.map_or(steps, |least| least.min(steps)));
    }

    fn found_capture(&mut self, square: Square, trap: Square, steps: u8, lost: usize) {
        let best = self.captures.entry((square, trap)).or_insert((steps, lost));
        *best = (*best).min((steps, lost));
    }
}

/// A board within a turn, and where its enemy pieces came from.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct State {
    board: Board,
    /// The enemy piece that was pushed or pulled, if it is still there: where it stood before the
    /// turn and where it stands now. There is no second one before the last step of a turn.
    displaced: Option<(Square, Square)>,
}

impl State {
    fn after(&self, step: Step, side: Side) -> State {
        let mut board = self.board;
        board.play(step, &mut ());
        let displaced = displacement(step).or(self.displaced);
        State { board, displaced: displaced.filter(|&(_, now)| board.of(!side).has(now)) }
    }

    /// Where the enemy piece on a square stood before the turn.
    fn origin(&self, square: Square) -> Square {
        match self.displaced {
            Some((origin, now)) if now == square => origin,
            _ => square,
        }
    }
}

/// Where a push or a pull takes an enemy piece from, and where to.
fn displacement(step: Step) -> Option<(Square, Square)> {
    match step.form() {
        Form::Push => Some((step.victim(), step.to())),
        Form::Pull => Some((step.victim(), step.from())),
        Form::Single | Form::Pass => None,
    }
}

/// Finds the tactics of a turn by the boards that 0, 1, 2 and 3 steps reach.
///
/// A goal ends with a rabbit's single step. A capture ends with a push or a pull, since nothing else
/// moves an enemy piece, so it begins on a board that at most two steps reach.
#[derive(Default)]
pub struct Combos {
    /// By the steps used, the boards that no fewer steps reach.
    layers: [Vec<State>; 3],
    seen: FxHashSet<State>,
}

impl Combos {
    /// All that the side can reach if it is to move.
    pub fn find(&mut self, board: &Board, side: Side) -> Tactics {
        let mut found = Tactics::at_once(board, side);
        self.fill_layers(board, side);
        let own = board.of(side).len();
        for (used, layer) in (0..).zip(&self.layers) {
            for state in layer {
                if goal_is_next(&state.board, side) {
                    found.found_goal(used + 1);
                }
                find_captures(state, side, used, own, &mut found);
            }
        }
        if found.goal.is_none() && self.goal_follows_three_steps(side) {
            found.found_goal(4);
        }
        found
    }

    /// The boards of at most two steps.
    fn fill_layers(&mut self, board: &Board, side: Side) {
        let [start, one, two] = &mut self.layers;
        [&mut *start, one, two].into_iter().for_each(Vec::clear);
        self.seen.clear();
        let mut keep = |state: State, layer: &mut Vec<State>| {
            if self.seen.insert(state) {
                layer.push(state);
            }
        };
        keep(State { board: *board, displaced: None }, start);
        for state in &*start {
            for_each_single(&state.board, side, |step| keep(state.after(step, side), one));
        }
        for state in &*one {
            for_each_single(&state.board, side, |step| keep(state.after(step, side), two));
        }
        for state in &*start {
            for_each_double(&state.board, side, |step| keep(state.after(step, side), two));
        }
    }

    /// Whether a rabbit can step on the goal row on a board that three steps reach.
    fn goal_follows_three_steps(&self, side: Side) -> bool {
        let [_, one, two] = &self.layers;
        let mut follows = false;
        // A step brings a rabbit one row closer, a push or a pull none.
        for State { board, .. } in two.iter().filter(|state| rabbit_within(&state.board, side, 2)) {
            for_each_single(board, side, |step| {
                follows |= goal_is_next(&played(board, step), side)
            });
        }
        for State { board, .. } in one.iter().filter(|state| rabbit_within(&state.board, side, 1)) {
            for_each_double(board, side, |step| {
                follows |= goal_is_next(&played(board, step), side)
            });
        }
        follows
    }
}

fn played(board: &Board, step: Step) -> Board {
    let mut after = *board;
    after.play(step, &mut ());
    after
}

fn for_each_single(board: &Board, side: Side, mut visit: impl FnMut(Step)) {
    let _ = Mobility::new(board, side).for_each_single(&mut |step| {
        visit(step);
        ControlFlow::Continue(())
    });
}

/// Visits the pushes and pulls.
fn for_each_double(board: &Board, side: Side, mut visit: impl FnMut(Step)) {
    let _ = Mobility::new(board, side).for_each_push_and_pull(&mut |step| {
        visit(step);
        ControlFlow::Continue(())
    });
}

/// Whether a rabbit of the side is at most so many rows before its goal row.
fn rabbit_within(board: &Board, side: Side, rows: usize) -> bool {
    let backward = side::backward(side);
    let near = (0..rows).fold(side::goal(side), |near, _| near | near.shift(backward));
    board.rabbits(side).meets(near)
}

/// Whether a single step puts a rabbit on the goal row.
fn goal_is_next(board: &Board, side: Side) -> bool {
    let forward = side::backward(side).opposite();
    let goal = side::goal(side) & !board.occupied();
    // Most boards end here.
    if !board.rabbits(side).shift(forward).meets(goal) {
        return false;
    }
    let steps = Mobility::new(board, side).singles[forward as usize];
    (steps & board.rabbits(side)).shift(forward).meets(goal)
}

/// What a push or a pull captures on a board that so many steps reached, and what the side has lost
/// then of the pieces of its own that it began with.
fn find_captures(state: &State, side: Side, used: u8, own: usize, found: &mut Tactics) {
    let enemies = state.board.of(!side);
    let beside_traps = Bitboard::TRAPS.neighbours();
    for_each_double(&state.board, side, |step| {
        let Some((victim, to)) = displacement(step) else { return };
        // A piece is taken if it comes to a trap or leaves a friend there: it was beside the trap.
        if !beside_traps.has(victim) {
            return;
        }
        let after = played(&state.board, step);
        let taken = (enemies & !victim.bit() | to.bit()) & !after.of(!side);
        for trap in taken {
            let square = state.origin(if trap == to { victim } else { trap });
            found.found_capture(square, trap, used + 2, own - after.of(side).len());
            if after.rabbits(!side).is_empty() {
                found.found_elimination(used + 2);
            }
        }
    });
}

/// Where each piece on the board stood before the turn.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Origins([Option<Square>; 64]);

impl Origins {
    /// Before the turn, all pieces stand where they stand.
    pub fn of(board: &Board) -> Origins {
        Origins(std::array::from_fn(|index| {
            Square::new(index).filter(|&square| board.occupied().has(square))
        }))
    }

    /// Follows the moves of a step; returns the pieces that are not there any more after it: where
    /// they stood before the turn, and the trap.
    pub fn follow(
        &mut self,
        moves: impl IntoIterator<Item = (Square, Square)>,
        is_there: impl Fn(Square) -> bool,
    ) -> Vec<(Square, Square)> {
        for (from, to) in moves {
            self.0[to.index()] = self.0[from.index()].take();
        }
        let mut taken = Vec::new();
        for trap in Square::TRAPS {
            if !is_there(trap) {
                taken.extend(self.0[trap.index()].take().map(|square| (square, trap)));
            }
        }
        taken
    }
}

/// [`Combos::find`] by the slowest rules: all boards of up to `most` steps, with every piece's
/// origin, and a look at each.
pub fn slowest(board: &Board, side: Side, most: usize) -> Tactics {
    let mut found = Tactics::at_once(board, side);
    let mut layers = vec![FxHashSet::default(); most + 1];
    layers[0].insert((Twin::of(board), Origins::of(board)));
    for used in 0..most {
        for (before, origins) in std::mem::take(&mut layers[used]) {
            let (singles, doubles) = before.steps(side);
            let singles = singles.into_iter().map(|step| (used + 1, step));
            let doubles = doubles.into_iter().map(|step| (used + 2, step));
            for (steps, (moves, after)) in singles.chain(doubles).filter(|step| step.0 <= most) {
                let mut origins = origins;
                let taken = origins.follow(moves, |square| after.at(square).is_some());
                look(board, side, &after, &taken, steps as u8, &mut found);
                if steps < most {
                    layers[steps].insert((after, origins));
                }
            }
        }
    }
    found
}

/// What has come about on a board after a step that took those pieces.
fn look(
    start: &Board,
    side: Side,
    board: &Twin,
    taken: &[(Square, Square)],
    steps: u8,
    found: &mut Tactics,
) {
    let pieces = || Square::all().filter_map(|square| Some((square, board.at(square)?)));
    let rabbit = |side| Piece { side, kind: Kind::Rabbit };
    if pieces().any(|(square, piece)| piece == rabbit(side) && side::goal(side).has(square)) {
        found.found_goal(steps);
    }
    if !pieces().any(|(_, piece)| piece == rabbit(!side)) {
        found.found_elimination(steps);
    }
    let lost = start.of(side).len() - pieces().filter(|(_, piece)| piece.side == side).count();
    for &(square, trap) in taken {
        if start.of(!side).has(square) {
            found.found_capture(square, trap, steps, lost);
        }
    }
}
