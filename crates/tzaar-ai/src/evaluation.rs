mod weights;

use game::{BySide, Score, Side};
use tzaar::{Board, Field, Kind, Phase, Position};

use self::weights::{PLACES, STACKS, TEMPO, TYPES, ZONE};

/// Tusk's own evaluation: what a side's types and stacks are worth to it, in two hundredths of the logarithm of the
/// odds to win.
///
/// The numbers were fitted by logistic regression to the results of 13,000 games against itself from random
/// starts, in three rounds, each played with what the round before had found (2026-11): every position of a game, at
/// the start of a turn and inside, predicts who wins. They are told apart by whether the side is to move, since
/// what can be captured next is worth less than what can still go away.
#[derive(Clone, Copy, Debug, Default)]
pub struct Evaluation;

/// What a side's stacks are worth by, in the order in which they are told.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Term {
    /// How many stacks show each type, and how high the highest of them is.
    Types,
    /// How many of them the enemy can capture.
    Zone,
    /// How high each stack is, and whether the enemy can capture it.
    Stacks,
    /// Where each stack stands.
    Places,
    /// The right to move.
    Tempo,
}

impl Term {
    /// All terms.
    pub const ALL: [Term; 5] = [Term::Types, Term::Zone, Term::Stacks, Term::Places, Term::Tempo];

    /// `types`, `zone` …
    pub const fn name(self) -> &'static str {
        match self {
            Term::Types => "types",
            Term::Zone => "zone",
            Term::Stacks => "stacks",
            Term::Places => "places",
            Term::Tempo => "tempo",
        }
    }
}

/// For the side to move, and for the other.
type ByRole<T> = [T; 2];

/// What each height is counted as: the fifth and above alike.
const HEIGHTS: usize = 5;

impl Evaluation {
    /// An estimate of how the side to move stands.
    pub fn evaluate(&self, position: &Position) -> Score {
        let (board, side) = (position.board(), position.side());
        Score(worth(board, side, 0) - worth(board, !side, 1) + tempo(position))
    }

    /// What a term is worth to each side; the estimate is the difference of the sums.
    pub fn term(&self, position: &Position, term: Term) -> BySide<i32> {
        let (board, mover) = (position.board(), position.side());
        let of = |side: Side| {
            let role = usize::from(side != mover);
            match term {
                Term::Types => Kind::ALL.map(|kind| types(board, side, kind, role)).iter().sum(),
                Term::Zone => Kind::ALL.map(|kind| zone(board, side, kind, role)).iter().sum(),
                Term::Stacks => board.of(side).map(|field| stack(board, field, role)).sum(),
                Term::Places => board.of(side).map(|field| place(board, field)).sum(),
                Term::Tempo if side == mover => tempo(position),
                Term::Tempo => 0,
            }
        };
        BySide { first: of(Side::First), second: of(Side::Second) }
    }
}

fn tempo(position: &Position) -> i32 {
    TEMPO[usize::from(position.phase() == Phase::Second)]
}

/// All terms of a side but the tempo.
fn worth(board: &Board, side: Side, role: usize) -> i32 {
    let capturable = board.capturable();
    let mut worth = 0;
    for kind in Kind::ALL {
        worth += types(board, side, kind, role) + zone(board, side, kind, role);
        for field in board.of_kind(side, kind) {
            let height = usize::from(board.height(field)).min(HEIGHTS);
            let is_capturable = usize::from(capturable.has(field));
            worth += i32::from(VALUES[role][height][is_capturable][ORBITS[field.index()]]);
        }
    }
    worth
}

/// A type that nobody sees is worth nothing: the game is over.
fn types(board: &Board, side: Side, kind: Kind, role: usize) -> i32 {
    let table = &TYPES[role][kind as usize];
    let (count, tallest) = (board.count(side, kind), usize::from(board.tallest(side, kind)));
    if count == 0 { 0 } else { table[count.min(table.len()) - 1][tallest.min(table[0].len()) - 1] }
}

fn zone(board: &Board, side: Side, kind: Kind, role: usize) -> i32 {
    let table = &ZONE[role][kind as usize];
    let (count, zone) = (board.count(side, kind), board.zone(side, kind));
    if count == 0 { 0 } else { table[count.min(table.len()) - 1][zone.min(table[0].len() - 1)] }
}

fn stack(board: &Board, field: Field, role: usize) -> i32 {
    let is_capturable = usize::from(board.capturable().has(field));
    STACKS[role][usize::from(board.height(field)).min(HEIGHTS) - 1][is_capturable]
}

fn place(board: &Board, field: Field) -> i32 {
    let height = usize::from(board.height(field)).min(PLACES.len());
    PLACES[height - 1][ORBITS[field.index()]]
}

/// How many kinds of places there are.
const PLACE_COUNT: usize = 8;

/// Which places are alike by the twelve symmetries of the board: from the corner of the outermost ring to
/// the middle of its side, then ring by ring to the innermost.
const ORBITS: [usize; Field::COUNT] = {
    let mut orbits = [0; Field::COUNT];
    let mut index = 0;
    while index < Field::COUNT {
        if let Some(field) = Field::new(index) {
            orbits[index] = [0, 3, 5, 7][field.ring()] + field.from_corner();
        }
        index += 1;
    }
    orbits
};

/// By role, height, whether it can be captured, and place: what stack and place are worth together.
static VALUES: ByRole<[[[i16; PLACE_COUNT]; 2]; HEIGHTS + 1]> = {
    let mut values = [[[[0; PLACE_COUNT]; 2]; HEIGHTS + 1]; 2];
    let mut index = 0;
    while index < 2 * HEIGHTS * 2 * PLACE_COUNT {
        let (place, rest) = (index % PLACE_COUNT, index / PLACE_COUNT);
        let (is_capturable, height, role) = (rest % 2, rest / 2 % HEIGHTS, rest / 2 / HEIGHTS);
        let place_height = if height < PLACES.len() { height } else { PLACES.len() - 1 };
        let value = STACKS[role][height][is_capturable] + PLACES[place_height][place];
        values[role][height + 1][is_capturable][place] = value as i16;
        index += 1;
    }
    values
};

#[cfg(test)]
mod tests {
    use game::Position as _;
    use rand::SeedableRng;
    use rand::seq::IndexedRandom;
    use rand_chacha::ChaCha8Rng;

    use super::*;

    #[test]
    fn the_estimate_is_the_difference_of_the_terms() {
        let mut rng = ChaCha8Rng::seed_from_u64(5);
        for _ in 0..50 {
            let mut position = Position::random_start(&mut rng);
            while position.winner().is_none() {
                let mover = position.side();
                let terms = Term::ALL.map(|term| Evaluation.term(&position, term));
                let sum: i32 = terms.iter().map(|term| term[mover] - term[!mover]).sum();
                assert_eq!(Evaluation.evaluate(&position), Score(sum));
                let steps = position.steps();
                position.play(*steps.choose(&mut rng).expect("the game goes on"));
            }
        }
    }

    #[test]
    fn there_are_eight_kinds_of_places() {
        let mut sizes = [0; PLACE_COUNT];
        ORBITS.iter().for_each(|&orbit| sizes[orbit] += 1);
        assert_eq!(sizes, [6, 12, 6, 6, 12, 6, 6, 6]);
    }
}
