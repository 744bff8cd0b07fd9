use arimaa::{GOLD, Kind, Side};
use arimaa_ai::matrix::Numbers;
use arimaa_ai::{Distances, Matrix, PieceDistances};

/// What a distance from 0 to 15 is mapped to (Table 4.2).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DistanceMap {
    /// Its name.
    pub name: &'static str,
    /// The value of each distance.
    pub values: [u8; 16],
}

/// How a stronger enemy frightens at a distance.
pub const FEAR: DistanceMap = DistanceMap {
    name: "fear",
    values: [90, 70, 55, 45, 37, 29, 25, 21, 18, 15, 12, 10, 9, 8, 7, 6],
};

/// How a friend supports at a distance.
pub const SUPPORT: DistanceMap =
    DistanceMap { name: "support", values: [0, 26, 23, 20, 17, 12, 10, 8, 7, 6, 5, 4, 3, 2, 1, 0] };

/// How a piece of the side to move grasps a square beside a trap at a distance.
pub const PROTECTION_TO_MOVE: DistanceMap = DistanceMap {
    name: "protection1",
    values: [255, 200, 182, 166, 150, 120, 105, 90, 82, 69, 56, 44, 32, 21, 10, 0],
};

/// The same for the other side.
pub const PROTECTION_TO_WAIT: DistanceMap = DistanceMap {
    name: "protection2",
    values: [255, 180, 162, 120, 105, 90, 83, 69, 56, 44, 32, 21, 10, 5, 1, 0],
};

/// How dangerous a trap is, by the steps that take a piece there, in 32ths.
pub const DANGER: DistanceMap =
    DistanceMap { name: "danger", values: [30, 26, 23, 20, 17, 12, 10, 8, 7, 6, 5, 4, 3, 2, 1, 0] };

/// What a square at a distance adds to the mobility of a piece.
pub const MOBILITY: DistanceMap = DistanceMap {
    name: "mobility",
    values: [0, 255, 200, 160, 125, 95, 75, 60, 50, 34, 24, 16, 12, 7, 3, 0],
};

/// All of Table 4.2.
pub const DISTANCE_MAPS: [DistanceMap; 6] =
    [FEAR, SUPPORT, PROTECTION_TO_MOVE, PROTECTION_TO_WAIT, DANGER, MOBILITY];

/// How strong both sides are around each square (4.2).
#[derive(Clone, Debug)]
pub struct Influence {
    /// By the side and the kind of a piece: how many stronger enemies are near a square, and how near.
    fear: [[Matrix; 6]; 2],
    /// By the side: how many of its pieces are near a square.
    support: [Matrix; 2],
    /// By the side: what is taken from the prospects of its rabbits on a square.
    weakness: [Matrix; 2],
}

impl Influence {
    /// The influence that pieces with these distances have.
    #[inline(always)]
    pub(crate) fn new<N: Numbers>(distances: &Distances) -> Influence {
        let (gold, silver) = (distances.of(GOLD), distances.of(!GOLD));
        let fear = [fears::<N>(silver), fears::<N>(gold)];
        let support = [support::<N>(gold, &fear[0]), support::<N>(silver, &fear[1])];
        let weakness = [weakness::<N>(&fear[0], &support[0]), weakness::<N>(&fear[1], &support[1])];
        Influence { fear, support, weakness }
    }

    /// How much a piece of that side and kind has to fear on each square.
    pub fn fear(&self, side: Side, kind: Kind) -> &Matrix {
        &self.fear[index(side)][kind as usize - 1]
    }

    /// How well a side is supported on each square.
    pub fn support(&self, side: Side) -> &Matrix {
        &self.support[index(side)]
    }

    /// What a rabbit can hope for (4.3): the best square of its goal row, by its distance and by who is stronger there.
    #[inline(always)]
    pub fn goal_prospects(&self, rabbit: &PieceDistances) -> u8 {
        let side = rabbit.piece.side;
        let row = if side == GOLD { 56..64 } else { 0..8 };
        let weakness = &self.weakness[index(side)].0[row.clone()];
        let prospects = rabbit.matrix.0[row].iter().zip(weakness).map(|(distance, weakness)| {
            255u8.saturating_sub(distance * 16).saturating_sub(*weakness)
        });
        prospects.fold(0, u8::max)
    }
}

fn index(side: Side) -> usize {
    usize::from(side != GOLD)
}

/// For each kind, what the enemies that are stronger add up to.
#[inline(always)]
fn fears<N: Numbers>(enemies: &[PieceDistances]) -> [Matrix; 6] {
    let mut fears = [N::filled(0); 6];
    for enemy in enemies.iter().filter(|enemy| enemy.piece.kind != Kind::Rabbit) {
        let fear = N::load(&enemy.matrix).mapped(&FEAR.values);
        for sum in &mut fears[..enemy.piece.kind as usize - 1] {
            *sum = sum.plus(fear);
        }
    }
    let mut stored = [Matrix::filled(0); 6];
    for (stored, fear) in stored.iter_mut().zip(fears) {
        *stored = fear.store();
    }
    stored
}

/// What the pieces of a side add up to: each a little less where it has to fear, but at least half.
#[inline(always)]
fn support<N: Numbers>(own: &[PieceDistances], fears: &[Matrix; 6]) -> Matrix {
    let mut sum = N::filled(0);
    for piece in own {
        let whole = N::load(&piece.matrix).mapped(&SUPPORT.values);
        let fear = N::load(&fears[piece.piece.kind as usize - 1]);
        let afraid = whole.minus(fear.halved::<4>());
        sum = sum.plus(afraid.max(whole.halved::<1>()));
    }
    sum.store()
}

/// What the fear of rabbits that is not made up for by support takes from their prospects.
#[inline(always)]
fn weakness<N: Numbers>(fears: &[Matrix; 6], support: &Matrix) -> Matrix {
    N::load(&fears[0]).minus(N::load(support)).halved::<2>().store()
}
