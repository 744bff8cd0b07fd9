//! The distances of `arimaa_ai::Distances` once more, edge by edge.

use arimaa::{Bitboard, Board, Direction, Kind, Piece, Side, Square, side};
use game::Steps;

use arimaa_ai::{Matrix, TurnMobility};

/// The greatest distance: also of a square that cannot be reached.
pub const FARTHEST: u8 = 15;

/// The least distance that is a guess.
const GUESSED: u8 = 5;

/// How often the distances are relaxed with the first costs, and with the second.
const RELAXATIONS: [usize; 2] = [3, 4];

/// The distances of all pieces of a board, whoever is to move.
#[derive(Clone, Debug)]
pub struct Distances {
    pieces: Vec<PieceDistances>,
}

/// The distances of a piece.
#[derive(Clone, Debug)]
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
        let mut distances = Distances { pieces: Vec::new() };
        for (square, piece) in board.pieces() {
            let matrix = within_a_turn(square, mobility);
            distances.pieces.push(PieceDistances { square, piece, matrix });
        }
        for rounds in RELAXATIONS {
            let relaxed: Vec<Matrix> = Side::ALL
                .into_iter()
                .map(|side| Costs::new(board, side, mobility, &distances))
                .flat_map(|costs| costs.relaxed(rounds))
                .collect();
            let of = |side| move |one: &&mut PieceDistances| one.piece.side == side;
            let mut relaxed = relaxed.into_iter();
            for side in Side::ALL {
                for (one, matrix) in distances.pieces.iter_mut().filter(of(side)).zip(&mut relaxed)
                {
                    one.matrix = matrix;
                }
            }
        }
        distances
    }

    /// The pieces with their distances, a1 first.
    pub fn iter(&self) -> impl Iterator<Item = &PieceDistances> {
        self.pieces.iter()
    }

    /// The pieces of a side.
    pub fn of(&self, side: Side) -> impl Iterator<Item = &PieceDistances> {
        self.iter().filter(move |one| one.piece.side == side)
    }
}

/// The distances that a turn's mobility tells.
fn within_a_turn(square: Square, mobility: &TurnMobility) -> Matrix {
    let mut matrix = Matrix::filled(FARTHEST);
    for steps in (1..=4).rev() {
        for reached in mobility.reach(square, Steps(steps)) {
            matrix.set(reached, steps);
        }
    }
    matrix.set(square, 0);
    matrix
}

/// What the edges cost for the pieces of a side, but for the step itself.
struct Costs<'a> {
    board: &'a Board,
    side: Side,
    own: Vec<&'a PieceDistances>,
    /// For each own piece, how near any other own piece is to each square.
    others: Vec<Matrix>,
    /// For each enemy's square and direction, the steps that move it there.
    displaced: [[u8; 4]; 64],
}

impl<'a> Costs<'a> {
    fn new(
        board: &'a Board,
        side: Side,
        mobility: &TurnMobility,
        distances: &'a Distances,
    ) -> Costs<'a> {
        let own: Vec<&PieceDistances> = distances.of(side).collect();
        let mut displaced = [[FARTHEST; 4]; 64];
        for square in board.of(!side) {
            displaced[square.index()] = displacements(board, square, mobility, &own);
        }
        Costs { board, side, others: minima_of_others(&own), own, displaced }
    }

    /// The distances of the own pieces, relaxed so often.
    fn relaxed(&self, rounds: usize) -> Vec<Matrix> {
        let relax = |(one, others): (&&PieceDistances, &Matrix)| {
            // For each direction, what the edge to a square costs that is entered that way.
            let prices = Direction::ALL.map(|way| self.price(one, others, way));
            let mut matrix = one.matrix;
            for _ in 0..rounds {
                let before = matrix;
                for to in Square::all() {
                    let through = |(way, price): (Direction, &Matrix)| {
                        let from = to.step(way.opposite());
                        from.map_or(FARTHEST, |from| before.at(from)).saturating_add(price.at(to))
                    };
                    let ways = Direction::ALL.into_iter().zip(&prices).map(through);
                    let least = ways.fold(FARTHEST, u8::min) + 1;
                    matrix.set(to, before.at(to).min(least.max(GUESSED)));
                }
            }
            matrix
        };
        self.own.iter().zip(&self.others).map(relax).collect()
    }

    /// What the edges in a direction cost for a piece, by the square that they lead to.
    fn price(&self, one: &PieceDistances, others: &Matrix, way: Direction) -> Matrix {
        let mut price = Matrix::filled(FARTHEST);
        if one.piece.kind == Kind::Rabbit && way == side::backward(self.side) {
            return price;
        }
        for to in Square::all() {
            if let Some(from) = to.step(way.opposite()) {
                let cost = self.unfreeze(one, others, from, way) + self.clear(one, from, to);
                price.set(to, cost.min(FARTHEST));
            }
        }
        price
    }

    /// The steps that must come before a piece can leave a square in a direction, apart from those that clear its way.
    fn unfreeze(&self, one: &PieceDistances, others: &Matrix, from: Square, way: Direction) -> u8 {
        let ahead = from.step(way).map_or(Bitboard::EMPTY, Square::bit);
        let beside = from.neighbours() & !ahead;
        let stronger = self.board.above(one.piece.kind) & self.board.of(!self.side);
        let friends = self.board.of(self.side) & !one.square.bit();
        let helped = match stronger.meets(beside) && !friends.meets(beside) {
            true => others.least_beside(from, Some(way)),
            false => 0,
        };
        match self.board.piece_at(from) {
            Some(_) if from == one.square => helped,
            None => helped,
            Some(friend) if friend.side == self.side => self.behind_friend(from, way, helped),
            Some(enemy) => self.behind_enemy(one, from, way, enemy),
        }
    }

    /// The square was a friend's, who has stepped aside: it may have had no other way to go than ahead.
    fn behind_friend(&self, from: Square, way: Direction, helped: u8) -> u8 {
        let friend = &self.own[self.own.iter().position(|own| own.square == from).unwrap_or(0)];
        let leave_any = friend.matrix.least_beside(from, None);
        let leave_not_ahead = friend.matrix.least_beside(from, Some(way));
        let near = from.bit() | from.neighbours();
        let far = Square::all().filter(|&square| !near.has(square));
        let leave_far = far.map(|square| friend.matrix.at(square)).min().unwrap_or(FARTHEST);
        leave_not_ahead.min(helped.saturating_add(leave_far)).saturating_sub(leave_any)
    }

    /// The square was an enemy's, who had to be moved: it may now be ahead.
    fn behind_enemy(&self, one: &PieceDistances, from: Square, way: Direction, enemy: Piece) -> u8 {
        let ways = &self.displaced[from.index()];
        let any = ways.iter().copied().min().unwrap_or(FARTHEST);
        let others = Direction::ALL.into_iter().filter(|&other| other != way);
        let not_ahead = others.map(|other| ways[other as usize]).min().unwrap_or(FARTHEST);
        if enemy.kind >= one.piece.kind {
            return not_ahead.saturating_sub(any) + 1;
        }
        let aside = not_ahead.saturating_sub(one.matrix.at(from));
        let again = from.step(way).map_or(FARTHEST, |ahead| match self.has_room(ahead, from) {
            true => 1,
            false => 3,
        });
        aside.min(again)
    }

    /// The steps that clear a square which a piece wants to enter from another.
    fn clear(&self, one: &PieceDistances, from: Square, to: Square) -> u8 {
        let Some(there) = self.board.piece_at(to) else { return 0 };
        if to == one.square {
            return 0;
        }
        if there.side == self.side {
            let room = match there.kind {
                Kind::Rabbit => to.bit().neighbours_but(side::backward(self.side)),
                _ => to.neighbours(),
            };
            if (room & !self.board.occupied() & !from.bit()).is_empty() {
                let matrix = &self.own.iter().find(|own| own.square == to).map(|own| own.matrix);
                let other = Square::all().filter(|&square| square != to);
                let leave = |matrix: &Matrix| other.map(|square| matrix.at(square)).min();
                return matrix.as_ref().and_then(leave).unwrap_or(FARTHEST);
            }
            return 1;
        }
        if there.kind < one.piece.kind && self.has_room(to, from) {
            return 1;
        }
        self.displaced[to.index()].iter().copied().min().unwrap_or(FARTHEST)
    }

    /// Whether there is an empty square beside a square, other than one.
    fn has_room(&self, square: Square, but: Square) -> bool {
        !(square.neighbours() & !self.board.occupied() & !but.bit()).is_empty()
    }
}

/// For each direction, the steps after which an enemy has been moved that way: what a turn can do, else a stronger piece goes
/// there and pulls.
fn displacements(
    board: &Board,
    square: Square,
    mobility: &TurnMobility,
    own: &[&PieceDistances],
) -> [u8; 4] {
    let stronger = board.stronger_than(square);
    Direction::ALL.map(|way| {
        let Some(to) = square.step(way) else { return FARTHEST };
        let turn = (2..=4).find(|&steps| mobility.displaced(square, Steps(steps)).has(to));
        turn.unwrap_or_else(|| {
            let pullers = own.iter().filter(|one| stronger.has(one.square));
            let nearest = pullers.map(|one| one.matrix.at(to)).min().unwrap_or(FARTHEST);
            (nearest + 2).clamp(GUESSED, FARTHEST)
        })
    })
}

/// For each piece the least distances of the others.
fn minima_of_others(pieces: &[&PieceDistances]) -> Vec<Matrix> {
    let least = |index: usize| {
        let others = pieces.iter().enumerate().filter(|(other, _)| *other != index);
        let others: Vec<&Matrix> = others.map(|(_, other)| &other.matrix).collect();
        let mut least = Matrix::filled(FARTHEST);
        for square in Square::all() {
            let nearest = others.iter().map(|other| other.at(square)).fold(FARTHEST, u8::min);
            least.set(square, nearest);
        }
        least
    };
    (0..pieces.len()).map(least).collect()
}
