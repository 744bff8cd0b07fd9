//! How likely a strong player takes a step: [`StepPolicy`], learned from games.

use std::sync::{Arc, LazyLock};

use arimaa::{Bitboard, Board, Form, GOLD, Kind, Position, Side, Square, Step};
use linear::{FeatureSink, ModelError, Sum, Weights};
use search::StepKnowledge;

linear::features! {
    /// All features of a step, each with a weight in hundredths of the logarithm of the odds that it is played. Squares
    /// are numbered by rows from the side's own home row, and by columns from the edge, four to a row. Kinds go from
    /// rabbit to elephant.
    pub static STEP_FEATURES = "arimaa-steps", version 1;

    PASS, "pass", "pass", [4], Point, "a pass, by the steps left, less one";
    FROM, "from", "squares", [6, 32], Point, "the moved piece, by kind and the square that it leaves";
    TO, "to", "squares", [6, 32], Point, "the moved piece, by kind and the square where it ends";
    BEFORE, "before", "danger", [6, 4], Point, "the moved piece, by kind and what is beside it before the step (nothing, a friend, a stronger enemy, both)";
    AFTER, "after", "danger", [6, 4], Point, "the same after the step";
    DISPLACE, "displace", "displace", [2, 6], Point, "a push or a pull, by the kind of the enemy";
    VICTIM_TO, "victim_to", "displace", [6, 32], Point, "the pushed or pulled enemy, by kind and the square where it ends";
    CAPTURE, "capture", "traps", [6], Point, "a captured enemy, by kind";
    LOSS, "loss", "traps", [6], Point, "a lost piece of the own side, by kind";
    GUARD, "guard", "traps", [2, 3, 3], Point, "a step beside a trap, at home or not, by how many friends and enemies are beside it (two or more are alike)";
    UNGUARD, "unguard", "traps", [2, 3, 3], Point, "a step away from a trap, likewise";
    ATTACK, "attack", "contact", [6, 2], Point, "a weaker enemy that the moved piece comes beside, by kind and whether it has a friend beside it";
    RELEASE, "release", "contact", [6], Point, "a frozen friend that the moved piece comes beside, by kind";
    NEAR, "near", "previous", [2, 9], Point, "how far the piece was from where the step before ended, of the same turn or of the enemy's (0 to 6, more, no step before)";
    UNDO, "undo", "previous", [1], Point, "a step that takes back the one before it";
}

/// How many features there are.
const COUNT: usize = STEP_FEATURES.count();

/// How likely each step is what a strong player plays, by weights that were learned from games. The scores of the
/// steps of a position are logarithms of odds, in hundredths: a softmax makes them probabilities.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StepPolicy {
    weights: Arc<[i32; COUNT]>,
}

/// With the weights that are part of the program.
impl Default for StepPolicy {
    fn default() -> StepPolicy {
        StepPolicy::embedded().clone()
    }
}

impl StepPolicy {
    /// The one with the weights that are part of the program.
    #[inline]
    pub fn embedded() -> &'static StepPolicy {
        static EMBEDDED: LazyLock<StepPolicy> = LazyLock::new(|| {
            let file = include_bytes!("../../../models/arimaa-steps.model");
            StepPolicy::parse(file).expect("models/arimaa-steps.model")
        });
        &EMBEDDED
    }

    /// Reads a model file; its format is that of [`Weights`].
    pub fn parse(bytes: &[u8]) -> Result<StepPolicy, ModelError> {
        Weights::parse(&STEP_FEATURES, bytes).map(|weights| StepPolicy::from(&weights))
    }

    /// The score of a legal step, in hundredths.
    #[inline(always)]
    pub fn score(&self, context: &StepContext, step: Step) -> i32 {
        let mut sum = Sum::new(&self.weights);
        context.emit(step, &mut sum);
        sum.points()
    }
}

/// # Panics
///
/// If they are the weights of another list of features.
impl From<&Weights> for StepPolicy {
    fn from(weights: &Weights) -> StepPolicy {
        assert_eq!(*weights.list(), STEP_FEATURES, "weights of steps");
        let weights = weights.numbers().try_into().expect("a weight for each feature");
        StepPolicy { weights: Arc::new(weights) }
    }
}

impl StepKnowledge<Position> for StepPolicy {
    fn step_knowledge(&self, position: &Position, step: Step, previous: Option<Step>) -> f32 {
        self.score(&StepContext::new(position, previous), step) as f32 / 100.0
    }
}

/// A position as its steps are judged.
#[derive(Clone, Copy, Debug)]
pub struct StepContext {
    board: Board,
    side: Side,
    own: Bitboard,
    enemy: Bitboard,
    frozen: Bitboard,
    steps_left: usize,
    previous: Option<Step>,
    /// Whether the previous step is of the same turn.
    inside: bool,
}

impl StepContext {
    /// What is looked up once for all steps of a position, if `previous` was played last.
    #[inline(always)]
    pub fn new(position: &Position, previous: Option<Step>) -> StepContext {
        let (board, side) = (position.board(), position.side());
        let own = board.of(side);
        StepContext {
            board: *board,
            side,
            own,
            enemy: board.of(!side),
            frozen: own & !board.free(side),
            steps_left: usize::from(position.steps_left().0),
            previous: previous.filter(|&step| step != Step::PASS),
            inside: !position.turn_starts(),
        }
    }

    /// Emits the features of a legal step.
    #[inline(always)]
    pub fn emit(&self, step: Step, sink: &mut impl FeatureSink) {
        let (from, to, victim) = (step.from(), step.to(), step.victim());
        match step.form() {
            Form::Pass => sink.add(PASS, [self.steps_left - 1], 1),
            Form::Single => self.emit_mover(from, to, Bitboard::EMPTY, sink),
            Form::Push => {
                self.emit_mover(from, victim, victim.bit(), sink);
                self.emit_victim(0, victim, to, sink);
            }
            Form::Pull => {
                self.emit_mover(from, to, victim.bit(), sink);
                self.emit_victim(1, victim, from, sink);
            }
        }
        if step != Step::PASS {
            self.emit_previous(step, sink);
        }
    }

    #[inline(always)]
    fn emit_mover(&self, from: Square, to: Square, victim: Bitboard, sink: &mut impl FeatureSink) {
        let kind = self.kind_at(from);
        sink.add(FROM, [kind, self.place(from)], 1);
        sink.add(TO, [kind, self.place(to)], 1);
        let friends = self.own & !from.bit();
        let enemies = self.enemy & !victim;
        let stronger = self.board.stronger_than(from) & self.enemy;
        let danger = |square: Square| {
            let around = square.neighbours();
            usize::from(friends.meets(around)) + 2 * usize::from(stronger.meets(around))
        };
        sink.add(BEFORE, [kind, danger(from)], 1);
        sink.add(AFTER, [kind, danger(to)], 1);
        for square in lost(friends | to.bit()) {
            sink.add(LOSS, [if square == to { kind } else { self.kind_at(square) }], 1);
        }
        self.emit_guard(from, to, friends, enemies, sink);
        let new = to.neighbours() & !from.neighbours();
        for square in new & self.frozen {
            sink.add(RELEASE, [self.kind_at(square)], 1);
        }
        for square in new & enemies & !stronger {
            if self.board.stronger_than(square).has(from) {
                let held = self.enemy.meets(square.neighbours());
                sink.add(ATTACK, [self.kind_at(square), usize::from(held)], 1);
            }
        }
    }

    /// Steps to traps and away from them.
    #[inline(always)]
    fn emit_guard(
        &self,
        from: Square,
        to: Square,
        friends: Bitboard,
        enemies: Bitboard,
        sink: &mut impl FeatureSink,
    ) {
        let guards = |trap: Square| {
            let around = trap.neighbours();
            let home = (trap.row() < 4) == (self.side == GOLD);
            let [own, enemy] = [friends, enemies].map(|pieces| (pieces & around).len().min(2));
            [usize::from(!home), own, enemy]
        };
        // No square is beside two traps.
        if let Some(trap) = (to.neighbours() & Bitboard::TRAPS).first() {
            sink.add(GUARD, guards(trap), 1);
        }
        if let Some(trap) = (from.neighbours() & Bitboard::TRAPS).first() {
            sink.add(UNGUARD, guards(trap), 1);
        }
    }

    #[inline(always)]
    fn emit_victim(&self, form: usize, from: Square, to: Square, sink: &mut impl FeatureSink) {
        let kind = self.kind_at(from);
        sink.add(DISPLACE, [form, kind], 1);
        sink.add(VICTIM_TO, [kind, self.place(to)], 1);
        for square in lost(self.enemy ^ from.bit() ^ to.bit()) {
            sink.add(CAPTURE, [if square == to { kind } else { self.kind_at(square) }], 1);
        }
    }

    #[inline(always)]
    fn emit_previous(&self, step: Step, sink: &mut impl FeatureSink) {
        let turn = usize::from(!self.inside);
        let Some(previous) = self.previous else {
            return sink.add(NEAR, [turn, 8], 1);
        };
        let (from, end) = (step.from(), end_of(previous));
        let distance = from.row().abs_diff(end.row()) + from.column().abs_diff(end.column());
        sink.add(NEAR, [turn, distance.min(7)], 1);
        if is_inverse(step, previous) {
            sink.add(UNDO, [0], 1);
        }
    }

    /// The kind of the piece on a square, from 0 for a rabbit; 0 where there is none.
    #[inline(always)]
    fn kind_at(&self, square: Square) -> usize {
        self.board.piece_at(square).map_or(0, |piece| piece.kind as usize - Kind::Rabbit as usize)
    }

    /// A square by its row, as the side counts them, and its column from the edge.
    #[inline(always)]
    fn place(&self, square: Square) -> usize {
        let row = if self.side == GOLD { square.row() } else { 7 - square.row() };
        row * 4 + square.column().min(7 - square.column())
    }
}

/// Where the own piece stands after a step.
#[inline(always)]
pub fn end_of(step: Step) -> Square {
    if step.form() == Form::Push { step.victim() } else { step.to() }
}

/// Of the pieces of one side, those on traps that no other holds.
#[inline(always)]
pub fn lost(pieces: Bitboard) -> Bitboard {
    pieces & Bitboard::TRAPS & !pieces.neighbours()
}

/// Whether a step takes back the one before it.
#[inline(always)]
pub fn is_inverse(step: Step, previous: Step) -> bool {
    let (from, to, victim) = (previous.from(), previous.to(), previous.victim());
    let now = (step.form(), step.from(), step.victim(), step.to());
    now == match previous.form() {
        Form::Pass => return false,
        Form::Single => (Form::Single, to, to, from),
        Form::Push => (Form::Pull, victim, to, from),
        Form::Pull => (Form::Push, to, from, victim),
    }
}

#[cfg(test)]
mod tests {
    use linear::FeatureVector;

    use super::*;
    use crate::evaluation::test_positions;

    /// What is emitted for a step of Gold, by name.
    fn features(board: &str, step: Step, previous: Option<Step>) -> Vec<String> {
        let position = Position::new(board.parse().unwrap(), GOLD);
        assert!(position.steps().contains(&step), "{step:?} is legal");
        let mut vector = FeatureVector::default();
        StepContext::new(&position, previous).emit(step, &mut vector);
        vector.iter().map(|feature| STEP_FEATURES.name_of(feature.number)).collect()
    }

    const BOARD: &str = "
         +-----------------+
        8| r . . . . . . . |
        7| . . . . . . . . |
        6| . . x . . x . . |
        5| . . . . m . . . |
        4| . . . . H . . . |
        3| . . x . . x . . |
        2| . . . . E r H . |
        1| R . . . . . . . |
         +-----------------+
           a b c d e f g h
    ";

    #[test]
    fn a_step_that_frees_a_friend_has_these_features() {
        use arimaa::Direction::North;
        let step = Step::single(Square::E2, North);
        let expected = [
            "from[5, 7]",
            "to[5, 11]",
            "before[5, 0]",
            "after[5, 1]",
            "guard[0, 0, 1]",
            "release[3]",
            "near[1, 8]",
        ];
        assert_eq!(features(BOARD, step, None), expected);
    }

    #[test]
    fn a_push_that_captures_has_these_features() {
        use arimaa::Direction::{North, West};
        let step = Step::push(Square::G2, West, North);
        let expected = [
            "from[3, 5]",
            "to[3, 6]",
            "before[3, 0]",
            "after[3, 1]",
            "guard[0, 0, 0]",
            "displace[0, 0]",
            "victim_to[0, 10]",
            "capture[0]",
            "near[1, 6]",
        ];
        assert_eq!(features(BOARD, step, Some(Step::single(Square::E5, North))), expected);
    }

    #[test]
    fn steps_are_alike_for_both_sides_and_both_halves_of_the_board() {
        let policy = StepPolicy::default();
        for position in test_positions().iter().step_by(7) {
            let mirrored = Position::new(position.board().mirrored(), !position.side());
            for step in position.steps() {
                let score = policy.score(&StepContext::new(position, None), step);
                let other = policy.score(&StepContext::new(&mirrored, None), step.mirrored());
                assert_eq!(score, other, "{step:?}: {position}");
            }
        }
    }

    #[test]
    fn the_capture_is_the_likeliest_step() {
        // Without the camel, nobody waits to be freed.
        let board = BOARD.replace("5| . . . . m", "5| . . . . .");
        let position = Position::new(board.parse().unwrap(), GOLD);
        let context = StepContext::new(&position, None);
        let score = |step: &Step| StepPolicy::default().score(&context, *step);
        let likeliest = position.steps().into_iter().max_by_key(score).unwrap();
        assert_eq!((likeliest.victim(), likeliest.to()), (Square::F2, Square::F3));
    }
}
