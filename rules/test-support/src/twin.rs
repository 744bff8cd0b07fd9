//! The slow twin of the rules of Arimaa.

use std::collections::HashSet;

use arimaa::{Board, Direction, Kind, Piece, Side, Square, side};

/// The rules once more, square by square, as slow and as plain as can be.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Twin(
    /// The piece on each square.
    pub [Option<Piece>; 64],
);

/// What a step moves, as (from, to) in the order of play, and the board after it.
pub type TwinStep = (Vec<(Square, Square)>, Twin);

impl Twin {
    /// The twin of a board.
    pub fn of(board: &Board) -> Twin {
        Twin(std::array::from_fn(|index| board.piece_at(Square::new(index).unwrap())))
    }

    /// The piece on a square.
    pub fn at(&self, square: Square) -> Option<Piece> {
        self.0[square.index()]
    }

    fn neighbours(square: Square) -> impl Iterator<Item = Square> {
        Direction::ALL.into_iter().filter_map(move |direction| square.step(direction))
    }

    fn beside(&self, square: Square, is: impl Fn(Piece) -> bool) -> bool {
        Twin::neighbours(square).any(|near| self.at(near).is_some_and(&is))
    }

    /// Whether the piece on a square may not move.
    pub fn frozen(&self, square: Square) -> bool {
        let Some(piece) = self.at(square) else { return false };
        let stronger = |other: Piece| other.side != piece.side && other.kind > piece.kind;
        self.beside(square, stronger) && !self.beside(square, |other| other.side == piece.side)
    }

    /// One half of a step: a piece goes, then the traps take what is unsupported.
    fn shift(&self, from: Square, to: Square) -> Twin {
        let mut after = *self;
        after.0[to.index()] = after.0[from.index()].take();
        for trap in Square::TRAPS {
            if let Some(piece) = after.at(trap)
                && !after.beside(trap, |other| other.side == piece.side)
            {
                after.0[trap.index()] = None;
            }
        }
        after
    }

    /// The single steps, then the pushes and pulls.
    pub fn steps(&self, mover: Side) -> (Vec<TwinStep>, Vec<TwinStep>) {
        let (mut singles, mut doubles) = (Vec::new(), Vec::new());
        for from in Square::all() {
            let Some(piece) = self.at(from).filter(|piece| piece.side == mover) else { continue };
            if self.frozen(from) {
                continue;
            }
            let weaker = |square: Square| {
                self.at(square).is_some_and(|other| other.side != mover && other.kind < piece.kind)
            };
            for to in Twin::neighbours(from) {
                if self.at(to).is_none() {
                    let back = from.direction_to(to) == Some(side::backward(mover));
                    if !(piece.kind == Kind::Rabbit && back) {
                        singles.push((vec![(from, to)], self.shift(from, to)));
                    }
                    for victim in Twin::neighbours(from).filter(|&victim| weaker(victim)) {
                        let after = self.shift(from, to).shift(victim, from);
                        doubles.push((vec![(from, to), (victim, from)], after));
                    }
                } else if weaker(to) {
                    for beyond in Twin::neighbours(to).filter(|&beyond| self.at(beyond).is_none()) {
                        let after = self.shift(to, beyond).shift(from, to);
                        doubles.push((vec![(to, beyond), (from, to)], after));
                    }
                }
            }
        }
        (singles, doubles)
    }

    /// The boards that exactly 0, 1, … up to `most` steps reach, each in every layer it is in.
    pub fn layers(&self, mover: Side, most: usize) -> Vec<HashSet<Twin>> {
        let mut layers = vec![HashSet::from([*self])];
        for used in 1..=most {
            let mut layer = HashSet::new();
            for board in &layers[used - 1] {
                layer.extend(board.steps(mover).0.into_iter().map(|(_, after)| after));
            }
            if used >= 2 {
                for board in &layers[used - 2] {
                    layer.extend(board.steps(mover).1.into_iter().map(|(_, after)| after));
                }
            }
            layers.push(layer);
        }
        layers
    }

    /// The boards that a turn can leave behind.
    pub fn turns(&self, mover: Side) -> HashSet<Twin> {
        let mut all: HashSet<Twin> = self.layers(mover, 4).into_iter().flatten().collect();
        all.remove(self);
        all
    }
}
