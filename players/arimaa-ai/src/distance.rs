//! How many steps each piece is from each square (4.1): exact up to four, a guess from 5 to 15 beyond.
//!
//! A guess is the length of a shortest path, by repeated relaxation. An edge from a square to one beside it costs a step, and
//! what is needed first: steps that unfreeze the piece on the first square, and steps that clear the second one. These
//! costs are guessed from the distances known so far, and once more when the first round has shortened them.

use arimaa::{Bitboard, Board, Direction, GOLD, Kind, Piece, Side, Square, side};
use arrayvec::ArrayVec;
use game::Steps;

use crate::matrix::{self, Matrix, Numbers};
use crate::turn_mobility::TurnMobility;

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
        #[cfg(target_arch = "x86_64")]
        if matrix::wide::is_available() {
            // SAFETY: the processor has the instructions.
            return unsafe { with_avx512(board, mobility) };
        }
        Distances::by::<Matrix>(board, mobility)
    }

    /// The same as [`Distances::new`], on any processor.
    #[doc(hidden)]
    pub fn plain(board: &Board, mobility: &TurnMobility) -> Distances {
        Distances::by::<Matrix>(board, mobility)
    }

    /// The same, computed with some [`Numbers`], as part of the code around it.
    #[inline(always)]
    pub fn by<N: Numbers>(board: &Board, mobility: &TurnMobility) -> Distances {
        let mut distances =
            Distances { pieces: ArrayVec::new(), index: [0; 64], gold: board.of(GOLD).len() };
        for side in Side::ALL {
            // Each side's in the order in which it sees them, so that a mirrored board has the same features.
            let seen = if side == GOLD { *board } else { board.mirrored() };
            for seen in seen.of(GOLD) {
                let square = if side == GOLD { seen } else { seen.mirrored() };
                let Some(piece) = board.piece_at(square) else { continue };
                distances.index[square.index()] = distances.pieces.len() as u8;
                let matrix = within_a_turn::<N>(square, mobility);
                distances.pieces.push(PieceDistances { square, piece, matrix });
            }
        }
        let terrain = [Terrain::new(board, GOLD, mobility), Terrain::new(board, !GOLD, mobility)];
        for rounds in RELAXATIONS {
            // The costs of both sides are guessed before any distance changes.
            let gold = Costs::new::<N>(&terrain[0], distances.of(GOLD));
            let silver = Costs::new::<N>(&terrain[1], distances.of(!GOLD));
            for (index, costs) in [&gold, &silver].into_iter().enumerate() {
                let own = distances.of_mut(Side::ALL[index]);
                for (one, others) in own.iter_mut().zip(&costs.others) {
                    one.matrix = costs.relaxed::<N>(&terrain[index], one, others, rounds);
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

#[cfg(target_arch = "x86_64")]
#[target_feature(
    enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt"
)]
fn with_avx512(board: &Board, mobility: &TurnMobility) -> Distances {
    Distances::by::<matrix::wide::Wide>(board, mobility)
}

/// The distances that a turn's mobility tells.
#[inline(always)]
fn within_a_turn<N: Numbers>(square: Square, mobility: &TurnMobility) -> Matrix {
    let mut matrix = N::filled(FARTHEST);
    for steps in [4, 3, 2, 1] {
        matrix = matrix.select(mobility.reach(square, Steps(steps)), N::filled(steps));
    }
    matrix.with(square, 0).store()
}

/// What the edges of a side's pieces cost, as far as it depends on the board alone.
struct Terrain {
    side: Side,
    own: Bitboard,
    enemies: ArrayVec<(Square, Kind), 16>,
    /// For each enemy and direction, the steps of a turn that move it that way, [`NEVER`] if there are none.
    pulled: [[u8; 4]; 16],
    /// By the kind of a piece, the enemies that are weaker, and the others.
    weaker: [Bitboard; 6],
    others: [Bitboard; 6],
    /// By the kind of a piece and the direction in which it goes on, the squares with a stronger enemy on another side.
    dominated: [[Bitboard; 4]; 6],
    /// By the direction in which a square is entered, the own pieces on it and the enemies that have no room to leave it.
    own_without_room: [Bitboard; 4],
    enemies_without_room: [Bitboard; 4],
    /// For each direction, the squares ahead of which an enemy that was pushed there has room behind it.
    room_behind: [Bitboard; 4],
}

impl Terrain {
    #[inline(always)]
    fn new(board: &Board, side: Side, mobility: &TurnMobility) -> Terrain {
        let (own, enemy, empty) = (board.of(side), board.of(!side), !board.occupied());
        let (mut weaker, mut others) = ([Bitboard::EMPTY; 6], [Bitboard::EMPTY; 6]);
        let mut dominated = [[Bitboard::EMPTY; 4]; 6];
        for (index, kind) in Kind::ALL.into_iter().enumerate() {
            let above = board.above(kind);
            weaker[index] = enemy & !above & !board.kind(kind);
            others[index] = enemy & !weaker[index];
            dominated[index] = but_ahead(sides_with(above & enemy));
        }
        let mut enemies = ArrayVec::new();
        let mut pulled = [[NEVER; 4]; 16];
        for (square, pulled) in enemy.into_iter().zip(&mut pulled) {
            let kind = board.piece_at(square).map_or(Kind::Rabbit, |piece| piece.kind);
            enemies.push((square, kind));
            *pulled = pulled_within_a_turn(square, mobility);
        }
        let open = sides_with(empty);
        let room_behind = but_behind(open);
        let mut own_open = open;
        own_open[side::backward(side) as usize] &= !board.rabbits(side);
        Terrain {
            side,
            own,
            enemies,
            pulled,
            weaker,
            others,
            dominated,
            own_without_room: without(own, but_behind(own_open)),
            enemies_without_room: without(enemy, room_behind),
            room_behind,
        }
    }
}

/// For each direction, the squares with a square of the set on that side.
#[inline(always)]
fn sides_with(set: Bitboard) -> [Bitboard; 4] {
    use Direction::{East, North, South, West};
    [set.shift(South), set.shift(West), set.shift(North), set.shift(East)]
}

/// The pieces without each of the sets.
#[inline(always)]
fn without(pieces: Bitboard, [n, e, s, w]: [Bitboard; 4]) -> [Bitboard; 4] {
    [pieces & !n, pieces & !e, pieces & !s, pieces & !w]
}

/// For each direction, what the other three have.
#[inline(always)]
fn but_ahead([n, e, s, w]: [Bitboard; 4]) -> [Bitboard; 4] {
    [e | s | w, n | s | w, n | e | w, n | e | s]
}

/// For each direction, what all but the opposite one have.
#[inline(always)]
fn but_behind(sets: [Bitboard; 4]) -> [Bitboard; 4] {
    let [n, e, s, w] = but_ahead(sets);
    [s, w, n, e]
}

/// More steps than any.
const NEVER: u8 = u8::MAX;

/// For each direction, the steps of a turn after which an enemy has been moved that way.
#[inline(always)]
fn pulled_within_a_turn(square: Square, mobility: &TurnMobility) -> [u8; 4] {
    let mut pulled = [NEVER; 4];
    if mobility.displaced(square, Steps(4)).is_empty() {
        return pulled;
    }
    for (pulled, way) in pulled.iter_mut().zip(Direction::ALL) {
        let to = square.bit().shift(way);
        for steps in [4, 3, 2] {
            if mobility.displaced(square, Steps(steps)).meets(to) {
                *pulled = steps;
            }
        }
    }
    pulled
}

/// What the edges cost for the pieces of a side, but for the step itself, by the distances so far: for all squares at once. Of
/// edges in a direction, by the square that they leave or enter.
struct Costs {
    /// For each own piece, how near any other own piece is to each square.
    others: ArrayVec<Matrix, 16>,
    /// What a friend on the square needs to leave it: for another square than that ahead, for one that is not beside it, for
    /// any beside it. On other squares, such that only what unfreezes a piece counts.
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
    #[inline(always)]
    fn new<N: Numbers>(terrain: &Terrain, own: &[PieceDistances]) -> Costs {
        let none = Matrix::filled(0);
        let mut costs = Costs {
            others: minima_of_others::<N>(own),
            leave_not_ahead: [Matrix::filled(u8::MAX); 4],
            leave_far: none,
            leave_any: none,
            displaced_not_ahead: [none; 4],
            displaced: none,
            pushed_again: [none; 4],
            clear_friend: [none; 4],
            clear_weaker: [none; 4],
        };
        for friend in own {
            costs.add_friend::<N>(friend);
        }
        let stronger = minima_of_stronger::<N>(own);
        for (&(square, kind), within) in terrain.enemies.iter().zip(&terrain.pulled) {
            costs.add_enemy(square, within, &stronger[kind as usize - 1]);
        }
        let enemies = terrain.weaker[0] | terrain.others[0];
        let leave = N::load(&costs.leave_any).min(N::load(&costs.leave_far));
        let (one, displaced) = (N::filled(1), N::load(&costs.displaced));
        for (index, way) in Direction::ALL.into_iter().enumerate() {
            let clear = one.select(terrain.own_without_room[index], leave).masked(terrain.own);
            costs.clear_friend[index] = clear.store();
            let clear = one.select(terrain.enemies_without_room[index], displaced).masked(enemies);
            costs.clear_weaker[index] = clear.store();
            let again = N::filled(3).select(terrain.room_behind[index], one);
            costs.pushed_again[index] = again.of_neighbour(way, FARTHEST).store();
        }
        costs
    }

    #[inline(always)]
    fn add_friend<N: Numbers>(&mut self, friend: &PieceDistances) {
        let PieceDistances { square, matrix, .. } = friend;
        let beside = square.bit() | square.neighbours();
        let far = N::load(matrix).select(beside, N::filled(u8::MAX)).least();
        self.leave_far.set(*square, far);
        let beside = matrix.beside(*square);
        self.leave_any.set(*square, least(beside));
        for (leave, not_ahead) in self.leave_not_ahead.iter_mut().zip(least_of_others(beside)) {
            leave.set(*square, not_ahead);
        }
    }

    /// An enemy is moved as a turn can do it; else a stronger piece goes where it is to go, and pulls.
    #[inline(always)]
    fn add_enemy(&mut self, square: Square, within: &[u8; 4], stronger: &Matrix) {
        let mut pulled = stronger.beside(square);
        for (pulled, within) in pulled.iter_mut().zip(within) {
            *pulled = pulled.saturating_add(2).clamp(GUESSED, FARTHEST).min(*within);
        }
        self.displaced.set(square, least(pulled));
        for (index, not_ahead) in least_of_others(pulled).into_iter().enumerate() {
            self.displaced_not_ahead[index].set(square, not_ahead);
        }
    }

    /// The distances of a piece, relaxed so often.
    #[inline(always)]
    fn relaxed<N: Numbers>(
        &self,
        terrain: &Terrain,
        one: &PieceDistances,
        others: &Matrix,
        rounds: usize,
    ) -> Matrix {
        use Direction::{East, North, South, West};
        let mut matrix = N::load(&one.matrix);
        let unfreeze = unfreeze::<N>(terrain, one, N::load(others));
        // For each direction, what the edge to a square costs that is entered that way, with the step itself.
        let north = self.price(terrain, one, matrix, unfreeze[0], North);
        let east = self.price(terrain, one, matrix, unfreeze[1], East);
        let south = self.price(terrain, one, matrix, unfreeze[2], South);
        let west = self.price(terrain, one, matrix, unfreeze[3], West);
        for _ in 0..rounds {
            let northward = matrix.of_neighbour(South, FARTHEST).plus(north);
            let southward = matrix.of_neighbour(North, FARTHEST).plus(south);
            let eastward = matrix.of_neighbour(West, FARTHEST).plus(east);
            let westward = matrix.of_neighbour(East, FARTHEST).plus(west);
            let least = northward.min(southward).min(eastward.min(westward));
            matrix = matrix.min(least.max(N::filled(GUESSED)));
        }
        matrix.store()
    }

    /// What the edges in a direction cost for a piece, by the square that they enter, given what unfreezes it on each square.
    #[inline(always)]
    fn price<N: Numbers>(
        &self,
        terrain: &Terrain,
        one: &PieceDistances,
        matrix: N,
        unfreeze: N,
        way: Direction,
    ) -> N {
        if one.piece.kind == Kind::Rabbit && way == side::backward(terrain.side) {
            return N::filled(FARTHEST);
        }
        let (kind, index, itself) = (one.piece.kind as usize - 1, way as usize, one.square.bit());
        let (strong, weak) = (terrain.others[kind], terrain.weaker[kind]);
        let load = |matrix: &Matrix| N::load(matrix);
        let friend = load(&self.leave_not_ahead[index]).min(unfreeze.plus(load(&self.leave_far)));
        let leave = friend.minus(load(&self.leave_any)).select(itself, unfreeze);
        let not_ahead = load(&self.displaced_not_ahead[index]);
        let behind_weak = not_ahead.minus(matrix).min(load(&self.pushed_again[index]));
        let behind_strong = not_ahead.minus(load(&self.displaced)).plus(N::filled(1));
        let leave = leave.select(weak, behind_weak).select(strong, behind_strong);
        let clear = load(&self.clear_friend[index])
            .select(strong, load(&self.displaced))
            .select(weak, load(&self.clear_weaker[index]))
            .select(itself, N::filled(0));
        let price = leave.of_neighbour(way.opposite(), FARTHEST).plus(clear);
        price.min(N::filled(FARTHEST)).plus(N::filled(1))
    }
}

/// For each direction in which a piece goes on, and for each square, the steps that a friend needs to unfreeze it there: from another
/// side than that ahead.
#[inline(always)]
fn unfreeze<N: Numbers>(terrain: &Terrain, one: &PieceDistances, others: N) -> [N; 4] {
    let helped = [
        others.of_neighbour(Direction::North, u8::MAX),
        others.of_neighbour(Direction::East, u8::MAX),
        others.of_neighbour(Direction::South, u8::MAX),
        others.of_neighbour(Direction::West, u8::MAX),
    ];
    let (upright, flat) = (helped[0].min(helped[2]), helped[1].min(helped[3]));
    let supported = but_ahead(sides_with(terrain.own & !one.square.bit()));
    let dominated = &terrain.dominated[one.piece.kind as usize - 1];
    let frozen = |way: usize| dominated[way] & !supported[way];
    [
        helped[2].min(flat).masked(frozen(0)),
        helped[3].min(upright).masked(frozen(1)),
        helped[0].min(flat).masked(frozen(2)),
        helped[1].min(upright).masked(frozen(3)),
    ]
}

#[inline(always)]
fn least([n, e, s, w]: [u8; 4]) -> u8 {
    n.min(e).min(s.min(w))
}

/// For each of four, the least of the others.
#[inline(always)]
fn least_of_others([n, e, s, w]: [u8; 4]) -> [u8; 4] {
    let (upright, flat) = (n.min(s), e.min(w));
    [s.min(flat), w.min(upright), n.min(flat), e.min(upright)]
}

/// For each piece the least distances of the others: from the minima of those before it and of those after it.
#[inline(always)]
fn minima_of_others<N: Numbers>(pieces: &[PieceDistances]) -> ArrayVec<Matrix, 16> {
    let mut others: ArrayVec<Matrix, 16> = ArrayVec::new();
    let mut before = N::filled(FARTHEST);
    for piece in pieces {
        others.push(before.store());
        before = before.min(N::load(&piece.matrix));
    }
    let mut after = N::filled(FARTHEST);
    for (piece, others) in pieces.iter().zip(&mut others).rev() {
        *others = N::load(others).min(after).store();
        after = after.min(N::load(&piece.matrix));
    }
    others
}

/// For each kind, the least distances of the pieces that are stronger.
#[inline(always)]
pub fn minima_of_stronger<N: Numbers>(pieces: &[PieceDistances]) -> [Matrix; 6] {
    let mut minima = [Matrix::filled(FARTHEST); 6];
    for piece in pieces.iter().filter(|piece| piece.piece.kind != Kind::Rabbit) {
        let below = &mut minima[piece.piece.kind as usize - 2];
        *below = N::load(below).min(N::load(&piece.matrix)).store();
    }
    for kind in (0..5).rev() {
        minima[kind] = N::load(&minima[kind]).min(N::load(&minima[kind + 1])).store();
    }
    minima
}
