//! Setups that are learned from results.

use std::collections::BTreeMap;

use arimaa::{Army, Board, GOLD, Game, Kind, Piece, Position, SILVER, Setup, Side, Square};
use rand::{Rng, RngExt};
use serde::{Deserialize, Serialize};

use crate::logistic::{LogisticData, LogisticRegression, LogisticState};

/// What each kind of piece is worth on each place of the home rows, in thousandths of the logarithm of the odds to win.
///
/// A place is a square of the own home rows as its side sees it, with left and right alike: the back row from the edge to
/// the middle, then the front row. Kinds that are missing are worth the same everywhere: without any, setups are random.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct SetupWeights(BTreeMap<String, [i32; PLACES]>);

/// Two rows, of which left and right are alike.
const PLACES: usize = 8;

/// The kinds of pieces.
const KINDS: usize = Kind::ALL.len();

/// One setup in five is random, so that setups which were given up can still show what they are worth.
const RANDOM_SHARE: f64 = 0.2;

/// A setup whose odds are better by this factor's logarithm, in thousandths, is chosen e times as often.
const TEMPERATURE: f64 = 200.0;

/// Swaps of two pieces by which a setup is chosen: enough for each piece to have met each square.
const SWAPS: usize = 400;

/// The deviation that weights are expected to have before any game is known: few games move them little.
const DEVIATION: f64 = 0.2;

/// Weights of all kinds and places, and that of Gold, who begins.
const TERMS: usize = KINDS * PLACES + 1;

/// The place of a square on the home rows of a side; none elsewhere.
fn place(side: Side, square: Square) -> Option<usize> {
    let (row, column) = (square.row(), square.column());
    let row = if side == GOLD { row } else { 7 - row };
    (row < 2).then(|| 4 * row + column.min(7 - column))
}

/// What the weights of both setups are multiplied with; none, if the position is not one of whole setups.
fn terms(position: &Position) -> Option<[f32; TERMS]> {
    let mut terms = [0.0; TERMS];
    let mut pieces = 0;
    for (square, Piece { side, kind }) in position.board().pieces() {
        let sign = if side == GOLD { 1.0 } else { -1.0 };
        terms[PLACES * index(kind) + place(side, square)?] += sign;
        pieces += 1;
    }
    terms[TERMS - 1] = 1.0;
    (pieces == 32 && position.side() == GOLD).then_some(terms)
}

fn index(kind: Kind) -> usize {
    Kind::ALL.iter().position(|&known| known == kind).unwrap_or_default()
}

/// Results of games from setups.
#[derive(Clone, Debug, Default)]
pub struct SetupResults(LogisticData);

impl SetupResults {
    /// Counts a game by the position it began at and by who won. A game that began elsewhere is left out.
    pub fn add(&mut self, start: &Position, winner: Side) {
        if let Some(terms) = terms(start) {
            self.0.add(&terms, if winner == GOLD { 1.0 } else { 0.0 });
        }
    }

    /// The weights that foretell these results best.
    pub fn weights(&self) -> SetupWeights {
        let regression = LogisticRegression {
            scale: 1.0,
            ridge: 1.0 / (DEVIATION * DEVIATION * self.0.len().max(1) as f64),
            ranking: 0.0,
            temperature: 1.0,
            iterations: 30,
        };
        let mut state = LogisticState::new(vec![0.0; TERMS]);
        let none = LogisticData::default();
        while !state.is_finished {
            if regression.go_on(&self.0, &none, &mut state).is_err() {
                // Without a game nothing is known.
                return SetupWeights::default();
            }
        }
        let row = |kind: Kind| {
            let weights = &state.weights[PLACES * index(kind)..][..PLACES];
            let mean = weights.iter().sum::<f64>() / PLACES as f64;
            let rounded = |place: usize| (1000.0 * (weights[place] - mean)).round() as i32;
            (kind.name().to_string(), std::array::from_fn(rounded))
        };
        SetupWeights(Kind::ALL.into_iter().map(row).collect())
    }
}

impl SetupWeights {
    fn worth(&self, kind: Kind, place: usize) -> i32 {
        self.0.get(kind.name()).map_or(0, |places| places[place])
    }

    /// A random setup; setups with a high weight are more frequent.
    pub fn choose(&self, side: Side, rng: &mut impl Rng) -> Setup {
        let setup = Setup::random(side, rng);
        if self.0.is_empty() || rng.random_bool(RANDOM_SHARE) {
            return setup;
        }
        let mut squares: Vec<(Square, Kind)> =
            setup.board().pieces().map(|(square, piece)| (square, piece.kind)).collect();
        let places: Vec<usize> =
            squares.iter().filter_map(|&(square, _)| place(side, square)).collect();
        for _ in 0..SWAPS {
            let [a, b] = [(); 2].map(|()| rng.random_range(0..squares.len()));
            let [kind, other] = [squares[a].1, squares[b].1];
            let gain = self.worth(kind, places[b]) + self.worth(other, places[a])
                - self.worth(kind, places[a])
                - self.worth(other, places[b]);
            // libm gives the same on every machine: parts of a generation may be played on several.
            if rng.random::<f64>() < libm::exp(f64::from(gain) / TEMPERATURE) {
                (squares[a].1, squares[b].1) = (other, kind);
            }
        }
        let word = |&(square, kind): &(Square, Kind)| {
            format!("{}{square} ", Piece { side, kind }.letter())
        };
        let text: String = squares.iter().map(word).collect();
        Setup::parse(&text, side, Army::Full).expect("the pieces of a setup in another order")
    }

    /// A position with random setups of both sides.
    pub fn start(&self, rng: &mut impl Rng) -> Position {
        let mut game = Game::new();
        for side in [GOLD, SILVER] {
            let setup = self.choose(side, rng);
            game.set_up(setup).expect("the setup of that side is awaited");
        }
        *game.position()
    }

    /// What a setup is worth, in thousandths of the logarithm of the odds.
    pub fn worth_of(&self, side: Side, board: &Board) -> i32 {
        let own = board.pieces().filter(|(_, piece)| piece.side == side);
        own.filter_map(|(square, piece)| Some(self.worth(piece.kind, place(side, square)?))).sum()
    }
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    use super::*;

    /// Whether the elephant of a side is on its front row.
    fn leads(position: &Position, side: Side) -> bool {
        let elephant = Piece { side, kind: Kind::Elephant };
        let place = position.board().piece(elephant).into_iter().find_map(|s| place(side, s));
        place.is_some_and(|place| place >= 4)
    }

    /// Games that are mostly won by the side whose elephant alone is on its front row.
    fn results(count: usize) -> SetupResults {
        let mut rng = ChaCha8Rng::seed_from_u64(3);
        let mut results = SetupResults::default();
        for _ in 0..count {
            let start = SetupWeights::default().start(&mut rng);
            let chance = match [GOLD, SILVER].map(|side| leads(&start, side)) {
                [true, false] => 0.9,
                [false, true] => 0.1,
                _ => 0.5,
            };
            results.add(&start, if rng.random_bool(chance) { GOLD } else { SILVER });
        }
        results
    }

    fn share_of_leading(weights: &SetupWeights, side: Side) -> f64 {
        let mut rng = ChaCha8Rng::seed_from_u64(4);
        let starts = (0..500).filter(|_| leads(&weights.start(&mut rng), side));
        starts.count() as f64 / 500.0
    }

    #[test]
    fn setups_that_win_are_chosen_more_often_by_both_sides() {
        let weights = results(2000).weights();
        for side in [GOLD, SILVER] {
            assert!((0.4..0.6).contains(&share_of_leading(&SetupWeights::default(), side)));
            assert!(share_of_leading(&weights, side) > 0.8);
        }
    }

    #[test]
    fn few_games_move_the_weights_little() {
        let most = |games: usize| {
            let SetupWeights(weights) = results(games).weights();
            weights.values().flatten().map(|weight| weight.abs()).max().unwrap_or(0)
        };
        assert_eq!(most(0), 0);
        // Below the deviation that is expected without any game.
        assert!(most(20) < (1000.0 * DEVIATION) as i32, "{}", most(20));
        assert!(most(2000) > 500, "{}", most(2000));
    }

    #[test]
    fn a_game_that_began_inside_play_tells_nothing() {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let mut game = Game::from_position(SetupWeights::default().start(&mut rng));
        game.try_play(game.random_turn(&mut rng).unwrap()).unwrap();
        assert_eq!(terms(game.position()), None);
        let empty = SetupResults::default().weights();
        assert_eq!(empty, SetupWeights::default());
    }
}
