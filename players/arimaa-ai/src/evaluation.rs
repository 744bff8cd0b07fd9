//! Tusk's own evaluation: [`Evaluation`].
//!
//! Each term emits features for a side: patterns on the board, each with a weight in the [`Model`]. The
//! sum that the search asks for, the printed trace and a trainer's feature vector all read this one
//! emission. `docs/evaluation.md` lists the features, and tells how to replace a model or add a feature.
//!
//! The patterns of which a drawing tells more than a sentence are public, with their drawings:
//! [`dominated`], [`hostages`], [`framed`], [`shut_in`], [`goal_distance`], [`reached`] …

mod captures;
mod context;
mod material;
mod mobility;
mod model;
mod rabbits;
mod strength;
mod traps;

use std::sync::Arc;

use arimaa::{Board, GOLD, Position, SILVER, Side};
use engine::EvaluationTrace;
use game::{BySide, Score, Steps};
use linear::{FeatureVector, Sum};

pub use self::context::EvaluationContext;
pub use self::material::{Counts, MaterialValues};
use self::material::{ModelSum, PlacementSink};
pub use self::mobility::{reached, shut_in};
pub use self::model::{FEATURES, Model};
pub use self::rabbits::{goal_distance, guards_ahead, open_columns};
pub use self::strength::dominated;
pub use self::traps::{Hostage, framed, hostages};
use crate::goal;

/// Tusk's own estimate of a position, in centi-rabbits: the features of both sides times the weights of a
/// model.
///
/// Where all else is equal, the right to move is left:
///
/// ```
/// # use arimaa_ai::Evaluation;
/// # use arimaa::{GOLD, Position};
/// # use game::Score;
/// let position: Position =
///     "g [rrrrrrrrhdcemcdh                                HDCMECDHRRRRRRRR]".parse().unwrap();
/// let evaluation = Evaluation::default();
/// let trace = evaluation.trace(&position);
/// assert_eq!(evaluation.evaluate(&position), trace.score);
/// assert_eq!(trace.score, Score(trace["tempo"][GOLD]));
/// ```
#[derive(Clone, Debug)]
pub struct Evaluation {
    model: Arc<Model>,
}

/// With the model that is part of the program.
impl Default for Evaluation {
    fn default() -> Evaluation {
        Evaluation::with_model(Model::embedded())
    }
}

impl Evaluation {
    /// The evaluation with the weights of a model.
    pub fn with_model(model: Arc<Model>) -> Evaluation {
        Evaluation { model }
    }

    /// The model that it has.
    pub fn model(&self) -> &Arc<Model> {
        &self.model
    }

    /// How the side to move stands.
    pub fn evaluate(&self, position: &Position) -> Score {
        let context = EvaluationContext::of(position);
        // Each side by its name, for a routine of its own.
        let gold = self.sum(&context, GOLD) - self.sum(&context, SILVER);
        Score(if position.side() == GOLD { gold } else { -gold })
    }

    #[inline(always)]
    fn sum(&self, context: &EvaluationContext, side: Side) -> i32 {
        let Model { weights, placements } = &*self.model;
        let mut sink = ModelSum { sum: Sum::new(weights), placements };
        emit(context, side, &mut sink);
        sink.sum.points()
    }

    /// The features of both sides. They do not depend on the model.
    pub fn features(position: &Position) -> BySide<FeatureVector> {
        let context = EvaluationContext::of(position);
        let mut features = BySide::<FeatureVector>::default();
        Side::ALL.into_iter().for_each(|side| emit(&context, side, &mut features[side]));
        features
    }

    /// Every term for both sides, for people to read.
    pub fn trace(&self, position: &Position) -> EvaluationTrace {
        let features = Evaluation::features(position);
        let by_term = |side| features[side].by_term(&FEATURES, &self.model.weights);
        let pairs = by_term(GOLD).into_iter().zip(by_term(SILVER));
        let terms = pairs.map(|((term, first), (_, second))| (term, BySide { first, second }));
        let to_move = (position.board(), position.side(), position.steps_left());
        trace("tusk", terms.collect(), to_move)
    }
}

/// A trace of these terms, in hundredths of a rabbit, if that side is to move with so many steps left.
pub fn trace(
    name: &'static str,
    terms: Vec<(&'static str, BySide<i32>)>,
    (board, mover, steps): (&Board, Side, Steps),
) -> EvaluationTrace {
    let mut goals = BySide::default();
    goals[mover] = goal(board, mover, steps).map(|goal| goal.steps.0);
    let trace = EvaluationTrace::of_terms(name, "hundredths of a rabbit", terms, mover);
    EvaluationTrace { goals: Some(goals), ..trace }
}

/// Emits all features of a side: this is the list of the terms.
#[inline(always)]
fn emit(context: &EvaluationContext, side: Side, sink: &mut impl PlacementSink) {
    macro_rules! terms {
        ($($term:path),* $(,)?) => { $($term(context, side, sink); sink.end_term();)* };
    }
    terms![
        material::material,
        material::placement,
        material::support,
        strength::frozen,
        strength::domination,
        strength::nearness,
        strength::contacts,
        mobility::mobility,
        traps::traps,
        traps::hostage_values,
        traps::frames,
        mobility::blockades,
        rabbits::rabbits,
        rabbits::prospects,
        captures::best_captures,
        captures::tempo,
    ];
}

#[cfg(test)]
pub(crate) use self::tests::positions as test_positions;

#[cfg(test)]
mod tests {
    use arimaa::{Bitboard, Game, Kind, Piece, Position, Side, Square};
    use linear::Group;
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    use super::model::{CONTACT, FROZEN, NEARNESS, SUPPORT, TRAPS};
    use super::*;
    use crate::choose_setup;

    /// The terms that count each piece by what is around it, one square after the other.
    struct Slow<'a>(&'a Position, &'a Model);

    impl Slow<'_> {
        fn weight<const D: usize>(&self, group: Group<D>, at: [usize; D]) -> i32 {
            self.1.weights[group.feature(at)]
        }

        fn at(&self, square: Square) -> Option<Piece> {
            self.0.board().piece_at(square)
        }

        fn beside(&self, square: Square) -> impl Iterator<Item = Piece> {
            square.neighbours().into_iter().filter_map(|beside| self.at(beside))
        }

        fn sum(&self, side: Side, value: impl Fn(Square, Piece) -> i32) -> i32 {
            let own = self.0.board().pieces().filter(|(_, piece)| piece.side == side);
            own.map(|(square, piece)| value(square, piece)).sum()
        }

        fn is_frozen(&self, square: Square, piece: Piece) -> bool {
            self.beside(square).all(|other| other.side != piece.side)
                && self.beside(square).any(|other| other.kind > piece.kind)
        }

        fn role(&self, side: Side) -> usize {
            usize::from(side != self.0.side())
        }

        fn support(&self, square: Square, piece: Piece) -> i32 {
            let friends = self.beside(square).filter(|other| other.side == piece.side).count();
            self.weight(SUPPORT, [piece.kind as usize - 1, friends.min(2)])
        }

        fn frozen(&self, square: Square, piece: Piece) -> i32 {
            match self.is_frozen(square, piece) {
                true => self.weight(FROZEN, [piece.kind as usize - 1, row(square, piece)]),
                false => 0,
            }
        }

        fn nearness(&self, square: Square, piece: Piece) -> i32 {
            if matches!(piece.kind, Kind::Rabbit | Kind::Elephant) {
                return 0;
            }
            let stronger =
                |&(_, other): &(Square, Piece)| other.side != piece.side && other.kind > piece.kind;
            let enemies = self.0.board().pieces().filter(stronger);
            let Some(nearest) = enemies.map(|(other, _)| distance(square, other)).min() else {
                return 0;
            };
            let part = [0, 0, 1, 2, 3, 3, 4, 4][row(square, piece)];
            self.weight(NEARNESS, [piece.kind as usize - 2, nearest.min(7) - 1, part])
        }

        /// What it is worth to be beside weaker enemies. An enemy counts once for each kind beside it.
        fn contacts(&self, side: Side) -> i32 {
            self.sum(!side, |square, enemy| {
                let is_strong = |&other: &Square| {
                    let piece = self.at(other);
                    piece.is_some_and(|piece| {
                        piece.side == side
                            && piece.kind > enemy.kind
                            && !self.is_frozen(other, piece)
                    })
                };
                let near = |wanted: bool| {
                    let is_home = |trap: Square| (trap.row() < 4) == (side == GOLD);
                    let mut traps =
                        Square::TRAPS.into_iter().filter(|&trap| is_home(trap) == wanted);
                    traps.any(|trap| distance(trap, square) <= 2)
                };
                let place = if near(true) { 0 } else { 1 + usize::from(!near(false)) };
                let strong: Bitboard = square.neighbours().into_iter().filter(is_strong).collect();
                let kinds = Kind::ALL.into_iter().filter(|&kind| {
                    strong.into_iter().any(|at| self.at(at).is_some_and(|piece| piece.kind == kind))
                });
                let of = |kind: Kind| {
                    let kinds = [kind, enemy.kind].map(|kind| kind as usize - 1);
                    self.weight(CONTACT, [self.role(side), kinds[0], kinds[1], place])
                };
                kinds.map(of).sum()
            })
        }

        fn traps(&self, side: Side) -> i32 {
            let home = Square::TRAPS.into_iter().filter(|trap| (trap.row() < 4) == (side == GOLD));
            let value = |trap: Square| {
                let kinds = |side: Side| -> Vec<Kind> {
                    let own = self.beside(trap).filter(|piece| piece.side == side);
                    own.map(|piece| piece.kind).collect()
                };
                let (own, other) = (kinds(side), kinds(!side));
                let stronger = match own.iter().max().cmp(&other.iter().max()) {
                    std::cmp::Ordering::Greater => 0,
                    std::cmp::Ordering::Equal => 1,
                    std::cmp::Ordering::Less => 2,
                };
                let elephants = 2 * usize::from(own.contains(&Kind::Elephant))
                    + usize::from(other.contains(&Kind::Elephant));
                self.weight(TRAPS, [own.len().min(3), other.len().min(3), stronger, elephants])
            };
            home.map(value).sum()
        }
    }

    fn distance(one: Square, other: Square) -> usize {
        one.row().abs_diff(other.row()) + one.column().abs_diff(other.column())
    }

    fn row(square: Square, piece: Piece) -> usize {
        if piece.side == GOLD { square.row() } else { 7 - square.row() }
    }

    #[test]
    fn terms_are_what_a_look_at_each_square_finds() {
        let evaluation = Evaluation::default();
        for position in positions() {
            let (trace, slow) = (evaluation.trace(&position), Slow(&position, evaluation.model()));
            for side in Side::ALL {
                let by_piece = [
                    ("support", slow.sum(side, |square, piece| slow.support(square, piece))),
                    ("frozen", slow.sum(side, |square, piece| slow.frozen(square, piece))),
                    ("nearness", slow.sum(side, |square, piece| slow.nearness(square, piece))),
                    ("contact", slow.contacts(side)),
                    ("traps", slow.traps(side)),
                ];
                for (term, value) in by_piece {
                    assert_eq!(trace[term][side], value, "{term} of {side:?}: {position}");
                }
            }
        }
    }

    /// Positions at every stage of games by chance, in which much is captured.
    pub(crate) fn positions() -> Vec<Position> {
        let mut positions = Vec::new();
        for seed in 0..40 {
            let mut rng = ChaCha8Rng::seed_from_u64(seed);
            let mut game = Game::new();
            while let Some(side) = game.setting_up() {
                let setup = choose_setup(side, game.position().board(), &mut rng);
                game.set_up(setup).expect("a legal setup");
            }
            while let Some(turn) = game.random_turn(&mut rng)
                && game.outcome().is_none()
            {
                game.try_play(turn).expect("a legal turn");
                positions.push(*game.position());
            }
        }
        assert!(positions.iter().any(|position| position.board().occupied().len() < 20));
        positions
    }
}
