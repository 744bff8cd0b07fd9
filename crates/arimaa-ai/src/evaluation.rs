//! Tusk's own first evaluation: [`Evaluation`].
//!
//! Each term is a function of what one side has: patterns on the board, and a table of weights. The
//! patterns of which a drawing tells more than a sentence are public, with their drawings: [`dominated`],
//! [`hostages`], [`framed`], [`shut_in`], [`goal_distance`], [`reached`] …
//!
//! The weights are fitted to what a search makes of positions like those that it asks about; how, and what
//! they brought in games, is told in `docs/evaluation.md`.

mod blockade;
mod capture;
mod contact;
mod domination;
mod frame;
mod hostage;
mod material;
mod mobility;
mod nearness;
mod placement;
mod prospects;
mod rabbits;
mod sight;
mod support;
mod tempo;
mod term;
mod trap;
mod weights;

use arimaa::{GOLD, Position, SILVER};
use game::Score;

pub use self::blockade::shut_in;
pub use self::domination::dominated;
pub use self::frame::framed;
pub use self::hostage::{Hostage, hostages};
pub use self::mobility::reached;
pub use self::prospects::goal_distance;
pub use self::rabbits::{guards_ahead, open_columns};
pub use self::sight::Sight;
pub use self::term::Term;
use crate::{Terms, goal};

/// Tusk's own first estimate of a position, in centi-rabbits: what the list of [`Term`] says, for both
/// sides. Where all else is equal, that is what the turn is worth.
///
/// ```
/// # use arimaa_ai::Evaluation;
/// # use arimaa_ai::evaluation::Term;
/// # use arimaa::Position;
/// # use game::Score;
/// let position: Position =
///     "g [rrrrrrrrhdcemcdh                                HDCMECDHRRRRRRRR]".parse().unwrap();
/// let terms = Evaluation.terms(&position);
/// assert_eq!(Evaluation.evaluate(&position), terms.score());
/// assert_eq!(terms.score(), Score(terms[Term::Tempo].first));
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Evaluation;

impl Evaluation {
    /// How the side to move stands.
    pub fn evaluate(&self, position: &Position) -> Score {
        let sight = Sight::of(position);
        // Each side by its name, for a routine of its own.
        let gold = term::total(&sight, GOLD) - term::total(&sight, SILVER);
        Score(if position.side() == GOLD { gold } else { -gold })
    }

    /// Every term for both sides.
    pub fn terms(&self, position: &Position) -> Terms<Term> {
        let sight = Sight::of(position);
        let (board, side, steps) = (position.board(), position.side(), position.steps_left());
        Terms::new(side, goal(board, side, steps), |term, who| term::value(term, &sight, who))
    }
}

#[cfg(test)]
mod tests {
    use arimaa::{Bitboard, Game, Kind, Piece, Position, Side, Square};
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    use super::*;
    use crate::choose_setup;

    /// The terms that count each piece by what is around it, one square after the other.
    struct Slow<'a>(&'a Position);

    impl Slow<'_> {
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
            weights::SUPPORT[piece.kind as usize - 1][friends.min(2)]
        }

        fn frozen(&self, square: Square, piece: Piece) -> i32 {
            let weights = &weights::FROZEN[piece.kind as usize - 1];
            if self.is_frozen(square, piece) { weights[row(square, piece)] } else { 0 }
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
            weights::NEARNESS[piece.kind as usize - 2][nearest.min(7) - 1][part]
        }

        /// What it is worth to be beside weaker enemies. An enemy counts once for each kind beside it.
        fn contacts(&self, side: Side) -> i32 {
            let weights = &weights::CONTACT[self.role(side)];
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
                kinds.map(|kind| weights[kind as usize - 1][enemy.kind as usize - 1][place]).sum()
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
                weights::TRAPS[own.len().min(3)][other.len().min(3)][stronger][elephants]
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
        for position in positions() {
            let (terms, slow) = (Evaluation.terms(&position), Slow(&position));
            for side in Side::ALL {
                let by_piece = [
                    (Term::Support, slow.sum(side, |square, piece| slow.support(square, piece))),
                    (Term::Frozen, slow.sum(side, |square, piece| slow.frozen(square, piece))),
                    (Term::Nearness, slow.sum(side, |square, piece| slow.nearness(square, piece))),
                    (Term::Contact, slow.contacts(side)),
                    (Term::Traps, slow.traps(side)),
                ];
                for (term, value) in by_piece {
                    assert_eq!(terms[term][side], value, "{term:?} of {side:?}: {position}");
                }
            }
        }
    }

    /// Positions at every stage of games by chance, in which much is captured.
    pub(super) fn positions() -> Vec<Position> {
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
