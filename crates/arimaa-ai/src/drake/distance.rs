//! How many steps each piece is from each square (4.1): exact up to four, a guess from 5 to 15 beyond.
//!
//! A guess is the length of a shortest path, by repeated relaxation. An edge from a square to one beside it costs a step, and
//! what is needed first: steps that unfreeze the piece on the first square, and steps that clear the second one. These
//! costs are guessed from the distances known so far, and once more when the first round has shortened them.

use arimaa::{Bitboard, Board, Direction, GOLD, Kind, Piece, Side, Square, side};
use arrayvec::ArrayVec;
use game::Steps;

use super::{Matrix, TurnMobility};

/// The greatest distance: also of a square that cannot be reached.
pub const FARTHEST: u8 = 15;

/// The least distance that is a guess.
const GUESSED: u8 = 5;

/// How often the distances are relaxed with the first costs, and with the second.
const RELAXATIONS: [usize; 2] = [3, 4];

/// The distances of all pieces of a board, whoever is to move.
#[derive(Clone, Debug)]
pub struct Distances {
    /// Gold's pieces, then Silver's.
    pieces: ArrayVec<PieceDistances, 32>,
    /// The place in `pieces` by the square.
    index: [u8; 64],
    /// How many are Gold's.
    gold: usize,
}

/// The distances of a piece.
#[derive(Clone, Copy, Debug)]
pub struct PieceDistances {
    /// Where it stands.
    pub square: Square,
    /// What it is.
    pub piece: Piece,
    /// How many steps of its side take it to each square.
    pub matrix: Matrix,
}

impl Distances {
    /// The distances on a board with that mobility.
    pub fn new(board: &Board, mobility: &TurnMobility) -> Distances {
        let mut distances =
            Distances { pieces: ArrayVec::new(), index: [0; 64], gold: board.of(GOLD).len() };
        for side in Side::ALL {
            // Each side's in the order in which it sees them, so that a mirrored board has the same features.
            let seen = if side == GOLD { *board } else { board.mirrored() };
            for seen in seen.of(GOLD) {
                let square = if side == GOLD { seen } else { seen.mirrored() };
                let Some(piece) = board.piece_at(square) else { continue };
                distances.index[square.index()] = distances.pieces.len() as u8;
                let matrix = within_a_turn(square, mobility);
                distances.pieces.push(PieceDistances { square, piece, matrix });
            }
        }
        for rounds in RELAXATIONS {
            // The costs of both sides are guessed before any distance changes.
            let costs = Side::ALL.map(|side| Costs::new(board, side, mobility, distances.of(side)));
            for (side, costs) in Side::ALL.into_iter().zip(&costs) {
                for (one, others) in distances.of_mut(side).iter_mut().zip(&costs.others) {
                    one.matrix = costs.relaxed(one, others, rounds);
                }
            }
        }
        distances
    }

    /// The pieces with their distances: Gold's from a1 on, then Silver's from a8 on.
    pub fn iter(&self) -> impl Iterator<Item = &PieceDistances> {
        self.pieces.iter()
    }

    /// The pieces of a side.
    pub fn of(&self, side: Side) -> &[PieceDistances] {
        let (gold, silver) = self.pieces.split_at(self.gold);
        if side == GOLD { gold } else { silver }
    }

    fn of_mut(&mut self, side: Side) -> &mut [PieceDistances] {
        let (gold, silver) = self.pieces.split_at_mut(self.gold);
        if side == GOLD { gold } else { silver }
    }

    /// The distances of the piece on a square that has one.
    pub fn at(&self, square: Square) -> &PieceDistances {
        &self.pieces[usize::from(self.index[square.index()])]
    }
}

/// The distances that a turn's mobility tells.
fn within_a_turn(square: Square, mobility: &TurnMobility) -> Matrix {
    let reach = |steps| Matrix::mask(mobility.reach(square, Steps(steps)));
    // One less for each number of steps that is enough.
    let steps = [1, 2, 3, 4].map(|steps| reach(steps).and(&Matrix::filled(1)));
    let fewer = steps[0].plus(&steps[1]).plus(&steps[2]).plus(&steps[3]);
    let near = Matrix::filled(5).minus(&fewer);
    let mut matrix = Matrix::filled(FARTHEST).select(&reach(4), &near);
    matrix.set(square, 0);
    matrix
}

/// What the edges cost for the pieces of a side, but for the step itself: for all squares at once. Of edges in a direction,
/// by the square that they leave or enter.
struct Costs {
    side: Side,
    own: Bitboard,
    enemies: Bitboard,
    /// By the kind of a piece, the enemies that are stronger, and those that are weaker.
    stronger: [Bitboard; 6],
    weaker: [Bitboard; 6],
    /// For each own piece, how near any other own piece is to each square.
    others: ArrayVec<Matrix, 16>,
    /// What a friend on the square needs to leave it: for another square than that ahead, for one that is not beside it, for
    /// any. On other squares, such that only what unfreezes a piece counts.
    leave_not_ahead: [Matrix; 4],
    leave_far: Matrix,
    leave_any: Matrix,
    /// What moves an enemy from the square: to another than that ahead, to any.
    displaced_not_ahead: [Matrix; 4],
    displaced: Matrix,
    /// What pushes an enemy once more that has been pushed to the square ahead.
    pushed_again: [Matrix; 4],
    /// What clears a square that is entered in a direction: of a friend, of an enemy that is weaker.
    clear_friend: [Matrix; 4],
    clear_weaker: [Matrix; 4],
}

impl Costs {
    fn new(board: &Board, side: Side, mobility: &TurnMobility, own: &[PieceDistances]) -> Costs {
        let enemies = board.of(!side);
        let kinds = Kind::ALL.map(|kind| board.above(kind) & enemies);
        let none = Matrix::filled(0);
        let mut costs = Costs {
            side,
            own: board.of(side),
            enemies,
            stronger: kinds,
            weaker: Kind::ALL.map(|kind| enemies & !board.above(kind) & !board.kind(kind)),
            others: minima_of_others(own),
            leave_not_ahead: [Matrix::filled(u8::MAX); 4],
            leave_far: none,
            leave_any: none,
            displaced_not_ahead: [none; 4],
            displaced: none,
            pushed_again: Direction::ALL.map(|way| pushed_again(board, way)),
            clear_friend: [none; 4],
            clear_weaker: [none; 4],
        };
        own.iter().for_each(|friend| costs.add_friend(board, friend));
        for square in enemies {
            let pulled = displacements(board, square, mobility, own);
            costs.add_enemy(board, square, pulled);
        }
        costs
    }

    fn add_friend(&mut self, board: &Board, friend: &PieceDistances) {
        let PieceDistances { square, piece, matrix } = *friend;
        let room = match piece.kind {
            Kind::Rabbit => square.bit().neighbours_but(side::backward(self.side)),
            _ => square.neighbours(),
        };
        let room = room & !board.occupied();
        let mut elsewhere = matrix;
        elsewhere.set(square, u8::MAX);
        let leave = elsewhere.least();
        let beside = Matrix::mask(square.bit() | square.neighbours());
        self.leave_far.set(square, matrix.max(&beside).least());
        self.leave_any.set(square, matrix.least_beside(square, None));
        for way in Direction::ALL {
            let not_ahead = matrix.least_beside(square, Some(way));
            self.leave_not_ahead[way as usize].set(square, not_ahead);
            let behind = square.bit().shift(way.opposite());
            let clear = if (room & !behind).is_empty() { leave } else { 1 };
            self.clear_friend[way as usize].set(square, clear);
        }
    }

    fn add_enemy(&mut self, board: &Board, square: Square, pulled: [u8; 4]) {
        let least = pulled.into_iter().min().unwrap_or(FARTHEST);
        self.displaced.set(square, least);
        for way in Direction::ALL {
            let others = Direction::ALL.into_iter().filter(|&other| other != way);
            let not_ahead = others.map(|other| pulled[other as usize]).min().unwrap_or(FARTHEST);
            self.displaced_not_ahead[way as usize].set(square, not_ahead);
            let behind = square.bit().shift(way.opposite());
            let room = square.neighbours() & !board.occupied() & !behind;
            self.clear_weaker[way as usize].set(square, if room.is_empty() { least } else { 1 });
        }
    }

    /// The distances of a piece, relaxed so often.
    fn relaxed(&self, one: &PieceDistances, others: &Matrix, rounds: usize) -> Matrix {
        // For each direction, what the edge to a square costs that is entered that way, with the step itself.
        let prices = Direction::ALL.map(|way| self.price(one, others, way));
        let mut matrix = one.matrix;
        for _ in 0..rounds {
            let mut least = Matrix::filled(FARTHEST);
            for (way, price) in Direction::ALL.into_iter().zip(&prices) {
                let from = matrix.of_neighbour(way.opposite(), FARTHEST);
                least = least.min(&from.plus(price));
            }
            matrix = matrix.min(&least.max(&Matrix::filled(GUESSED)));
        }
        matrix
    }

    /// What the edges in a direction cost for a piece, by the square that they enter.
    fn price(&self, one: &PieceDistances, others: &Matrix, way: Direction) -> Matrix {
        if one.piece.kind == Kind::Rabbit && way == side::backward(self.side) {
            return Matrix::filled(FARTHEST);
        }
        let (kind, index) = (one.piece.kind as usize - 1, way as usize);
        let (strong, weak) = (self.enemies & !self.weaker[kind], self.weaker[kind]);
        let unfreeze = self.unfreeze(one, others, kind, way);
        let friend = self.leave_not_ahead[index].min(&unfreeze.plus(&self.leave_far));
        let mut leave = friend.minus(&self.leave_any);
        leave.set(one.square, unfreeze.at(one.square));
        let aside = self.displaced_not_ahead[index].minus(&one.matrix);
        let behind_weak = aside.min(&self.pushed_again[index]);
        let behind_strong =
            self.displaced_not_ahead[index].minus(&self.displaced).plus(&Matrix::filled(1));
        let leave = leave.select(&Matrix::mask(weak), &behind_weak);
        let leave = leave.select(&Matrix::mask(strong), &behind_strong);
        let mut clear = self.clear_friend[index].select(&Matrix::mask(strong), &self.displaced);
        clear = clear.select(&Matrix::mask(weak), &self.clear_weaker[index]);
        clear.set(one.square, 0);
        let price = leave.of_neighbour(way.opposite(), FARTHEST).plus(&clear);
        price.min(&Matrix::filled(FARTHEST)).plus(&Matrix::filled(1))
    }

    /// For each square the steps that a friend of the piece needs to unfreeze it there, so that it can go on ahead.
    fn unfreeze(
        &self,
        one: &PieceDistances,
        others: &Matrix,
        kind: usize,
        way: Direction,
    ) -> Matrix {
        let friends = self.own & !one.square.bit();
        let mut helped = Matrix::filled(u8::MAX);
        let (mut dominated, mut supported) = (Bitboard::EMPTY, Bitboard::EMPTY);
        for other in Direction::ALL.into_iter().filter(|&other| other != way) {
            dominated |= self.stronger[kind].shift(other.opposite());
            supported |= friends.shift(other.opposite());
            helped = helped.min(&others.of_neighbour(other, u8::MAX));
        }
        helped.and(&Matrix::mask(dominated & !supported))
    }
}

/// For each square, what it costs to push an enemy again that has been pushed ahead: less if there is room behind it.
fn pushed_again(board: &Board, way: Direction) -> Matrix {
    let empty = !board.occupied();
    let others = Direction::ALL.into_iter().filter(|&other| other != way.opposite());
    let room = others.fold(Bitboard::EMPTY, |room, other| room | empty.shift(other.opposite()));
    let ahead = Matrix::filled(3).select(&Matrix::mask(room), &Matrix::filled(1));
    ahead.of_neighbour(way, FARTHEST)
}

/// For each direction, the steps after which an enemy has been moved that way: what a turn can do, else a stronger piece goes
/// there and pulls.
fn displacements(
    board: &Board,
    square: Square,
    mobility: &TurnMobility,
    own: &[PieceDistances],
) -> [u8; 4] {
    let stronger = board.stronger_than(square);
    let turn = [2, 3, 4].map(|steps| mobility.displaced(square, Steps(steps)));
    Direction::ALL.map(|way| {
        let Some(to) = square.step(way) else { return FARTHEST };
        if let Some(index) = turn.iter().position(|squares| squares.has(to)) {
            return index as u8 + 2;
        }
        let pullers = own.iter().filter(|one| stronger.has(one.square));
        let nearest = pullers.map(|one| one.matrix.at(to)).min().unwrap_or(FARTHEST);
        (nearest + 2).clamp(GUESSED, FARTHEST)
    })
}

/// For each piece the least distances of the others: from the minima of those before it and of those after it.
fn minima_of_others(pieces: &[PieceDistances]) -> ArrayVec<Matrix, 16> {
    let mut others: ArrayVec<Matrix, 16> = ArrayVec::new();
    let mut before = Matrix::filled(FARTHEST);
    for piece in pieces {
        others.push(before);
        before = before.min(&piece.matrix);
    }
    let mut after = Matrix::filled(FARTHEST);
    for (piece, others) in pieces.iter().zip(&mut others).rev() {
        *others = others.min(&after);
        after = after.min(&piece.matrix);
    }
    others
}
