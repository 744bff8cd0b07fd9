use std::fmt;
use std::ops::ControlFlow;

use game::{Key, Steps};
use rand::{Rng, RngExt};
use thiserror::Error;

use crate::side::{self, Side};
use crate::{Board, Form, Kind, Mobility, Observer, Outcome, Piece, Square, Step, Turn, keys};

/// A board, the side to move, and how much of its turn is left.
///
/// It knows by its key the board that the turn began with, since a turn must change the board. It
/// does not know the turns before: repetition is the business of [`crate::Game`].
///
/// ```
/// # use arimaa::{Direction, Position, Square, Step};
/// let mut position: Position =
///     "g [rrrrrrrrhdcemcdh                                HDCMECDHRRRRRRRR]".parse().unwrap();
/// position.try_play(Step::single(Square::E2, Direction::North)).unwrap();
/// assert_eq!(position.steps_left().0, 3);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Position {
    board: Board,
    side: Side,
    steps_left: Steps,
    repetition_key: Key,
    /// The repetition key at the start of the turn.
    start: Key,
}

/// The steps of a whole turn.
pub const WHOLE_TURN: Steps = Steps(4);

impl Position {
    /// The start of a turn.
    #[inline]
    pub fn new(board: Board, side: Side) -> Position {
        let key = board.key() ^ keys::side(side);
        Position { board, side, steps_left: WHOLE_TURN, repetition_key: key, start: key }
    }

    /// The same board inside a turn, with so many steps left, if a turn has as many: for an estimate of a
    /// position of which nobody knows how the turn began.
    pub fn with_steps_left(self, steps_left: Steps) -> Option<Position> {
        (1..=WHOLE_TURN.0).contains(&steps_left.0).then_some(Position { steps_left, ..self })
    }

    /// Where the pieces stand.
    #[inline]
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// Whose turn it is.
    #[inline]
    pub fn side(&self) -> Side {
        self.side
    }

    /// How many steps of the turn are left, from 4 down to 1.
    #[inline]
    pub fn steps_left(&self) -> Steps {
        self.steps_left
    }

    /// How many steps of the turn a step uses: a pass all that are left, so that the steps of a turn
    /// always add up to four.
    #[inline]
    pub fn cost(&self, step: Step) -> Steps {
        if step == Step::PASS { self.steps_left } else { step.cost() }
    }

    /// Whether no step of the turn has been played.
    #[inline]
    pub fn turn_starts(&self) -> bool {
        self.steps_left == WHOLE_TURN
    }

    /// Whether the board is the one that the turn began with.
    #[inline]
    pub fn is_unchanged(&self) -> bool {
        self.repetition_key == self.start
    }

    /// The board and the side to move.
    #[inline]
    pub fn repetition_key(&self) -> Key {
        self.repetition_key
    }

    /// The repetition key, the steps left and, inside a turn, the board it began with. At the start
    /// of a turn it is the repetition key.
    #[inline]
    pub fn key(&self) -> Key {
        if self.turn_starts() {
            return self.repetition_key;
        }
        let used = WHOLE_TURN.0 - self.steps_left.0;
        self.repetition_key ^ keys::steps_used(used as usize) ^ self.start.disguised()
    }

    /// What [`Position::key`] must be, computed from nothing but the two boards.
    #[inline]
    pub fn recomputed_key(&self, turn_start: &Board) -> Key {
        let fresh = Position::new(self.board, self.side);
        let start = Position::new(*turn_start, self.side).repetition_key;
        Position { steps_left: self.steps_left, start, ..fresh }.key()
    }

    /// Calls `visit` with each legal step, until there are no more or it asks to stop.
    ///
    /// A pass is legal once the board has changed, and a step that uses up the turn only if it
    /// leaves another board than the turn began with.
    #[inline]
    pub fn for_each_step(&self, mut visit: impl FnMut(Step) -> ControlFlow<()>) -> ControlFlow<()> {
        self.for_each_pseudo_legal_step(|step| match self.would_restore(step) {
            true => ControlFlow::Continue(()),
            false => visit(step),
        })
    }

    /// Calls `visit` with each step that is legal but for one rule: it may use up the turn and leave the board that
    /// the turn began with.
    #[inline]
    fn for_each_pseudo_legal_step(
        &self,
        mut visit: impl FnMut(Step) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let mobility = Mobility::new(&self.board, self.side);
        mobility.for_each_single(&mut visit)?;
        if self.steps_left >= Steps(2) {
            mobility.for_each_push_and_pull(&mut visit)?;
        }
        if self.can_pass() { visit(Step::PASS) } else { ControlFlow::Continue(()) }
    }

    /// The legal steps as a list.
    pub fn steps(&self) -> Vec<Step> {
        let mut steps = Vec::new();
        let _ = self.for_each_step(|step| {
            steps.push(step);
            ControlFlow::Continue(())
        });
        steps
    }

    /// Whether the turn may end here.
    #[inline]
    pub fn can_pass(&self) -> bool {
        !self.turn_starts() && !self.is_unchanged()
    }

    /// Whether the side to move has a step at all; if not, it has lost.
    #[inline]
    pub fn can_move(&self) -> bool {
        self.for_each_step(|_| ControlFlow::Break(())).is_break()
    }

    /// Whether the step would end the turn with the board that it began with.
    #[inline]
    fn would_restore(&self, step: Step) -> bool {
        step.cost() == self.steps_left
            && self.board.key_after(step, self.repetition_key) == self.start
    }

    /// Plays a legal step; with the last one of the turn, the other side is to move.
    ///
    /// What an illegal step does is not defined, but it is no danger to memory.
    #[inline]
    pub fn play_unchecked(&mut self, step: Step) {
        self.play_observed(step, &mut ());
    }

    /// The same, and the observer hears what changes on the board: an evaluation can keep up what it
    /// counts.
    #[inline]
    pub fn play_observed(&mut self, step: Step, observer: &mut impl Observer) {
        self.board.play(step, &mut (&mut self.repetition_key, observer));
        let cost = self.cost(step);
        if cost >= self.steps_left {
            self.end_turn();
        } else {
            self.steps_left.0 -= cost.0;
        }
    }

    /// Gives up one step of the turn and keeps the others; with the last one, the other side is to move.
    #[inline]
    pub fn give_up_step(&mut self) {
        if self.steps_left <= Steps(1) {
            self.end_turn();
        } else {
            self.steps_left.0 -= 1;
        }
    }

    #[inline]
    fn end_turn(&mut self) {
        self.side = !self.side;
        self.steps_left = WHOLE_TURN;
        self.repetition_key ^= keys::other_side();
        self.start = self.repetition_key;
    }

    /// Plays a step if it is legal.
    pub fn try_play(&mut self, step: Step) -> Result<(), StepError> {
        self.check(step)?;
        self.play_unchecked(step);
        Ok(())
    }

    /// Plays a whole turn from its start, without a look at its legality.
    #[inline]
    pub fn play_turn_unchecked(&mut self, turn: Turn) {
        let side = self.side;
        for step in turn.steps() {
            self.play_unchecked(step);
        }
        if self.side == side {
            self.end_turn();
        }
    }

    /// Plays a whole turn if it is legal; repetition is not looked at. If it is refused, nothing
    /// has changed.
    pub fn try_play_turn(&mut self, turn: Turn) -> Result<(), StepError> {
        let mut after = *self;
        for step in turn.steps() {
            if after.side != self.side {
                return Err(StepError::TooManySteps);
            }
            after.try_play(step)?;
        }
        if after.side == self.side {
            after.try_play(Step::PASS)?;
        }
        *self = after;
        Ok(())
    }

    /// Plays legal steps at random until the turn is over, and returns them; none if there is no
    /// legal turn.
    pub fn play_random_turn(&mut self, rng: &mut impl Rng) -> Option<Turn> {
        let side = self.side;
        let mut turn = Turn::EMPTY;
        while self.side == side {
            let steps = self.steps();
            if steps.is_empty() {
                return None;
            }
            let step = steps[rng.random_range(0..steps.len())];
            self.play_unchecked(step);
            if step != Step::PASS {
                turn = turn.then(step);
            }
        }
        Some(turn)
    }

    /// How the game has ended, if it has: known at the start of a turn.
    pub fn outcome(&self) -> Option<Outcome> {
        if self.turn_starts() { Outcome::after_turn(self) } else { None }
    }

    /// Why a step is not legal.
    fn check(&self, step: Step) -> Result<(), StepError> {
        if step.form() == Form::Pass {
            return match (self.turn_starts(), self.is_unchanged()) {
                (true, _) => Err(StepError::NoStep),
                (false, true) => Err(StepError::Unchanged),
                (false, false) => Ok(()),
            };
        }
        let from = step.from();
        let mover = self.own_piece(from)?;
        let (to, victim) = step.checked_squares().ok_or(StepError::OffBoard { from })?;
        if step.form() != Form::Single {
            self.check_victim(mover, from, victim)?;
        }
        if let Some(piece) = self.board.piece_at(to) {
            return Err(StepError::Occupied { piece, square: to });
        }
        if !Mobility::new(&self.board, self.side).free.has(from) {
            return Err(StepError::Frozen { piece: mover, square: from });
        }
        let goes_to = if step.form() == Form::Push { victim } else { to };
        if mover.kind == Kind::Rabbit
            && from.direction_to(goes_to) == Some(side::backward(self.side))
        {
            return Err(StepError::RabbitBackwards { square: from });
        }
        if step.cost() > self.steps_left {
            return Err(StepError::TooManySteps);
        }
        if self.would_restore(step) { Err(StepError::Unchanged) } else { Ok(()) }
    }

    fn own_piece(&self, square: Square) -> Result<Piece, StepError> {
        let piece = self.board.piece_at(square).ok_or(StepError::Empty { square })?;
        if piece.side == self.side { Ok(piece) } else { Err(StepError::NotYours { piece, square }) }
    }

    /// Whether the piece on `victim` can be pushed or pulled by the one on `from`.
    fn check_victim(&self, mover: Piece, from: Square, victim: Square) -> Result<(), StepError> {
        match self.board.piece_at(victim) {
            None => Err(StepError::Empty { square: victim }),
            Some(piece) if piece.side == self.side => Err(StepError::OwnVictim { square: victim }),
            Some(piece) if piece.kind >= mover.kind => {
                Err(StepError::TooWeak { mover, from, piece, square: victim })
            }
            Some(_) => Ok(()),
        }
    }
}

impl game::Position for Position {
    type Step = Step;

    #[inline]
    fn side(&self) -> Side {
        self.side
    }

    #[inline]
    fn turn_starts(&self) -> bool {
        self.turn_starts()
    }

    fn for_each_step(&self, visit: impl FnMut(Step) -> ControlFlow<()>) -> ControlFlow<()> {
        self.for_each_step(visit)
    }

    fn for_each_pseudo_legal_step(
        &self,
        visit: impl FnMut(Step) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        self.for_each_pseudo_legal_step(visit)
    }

    #[inline]
    fn restores(&self, after: &Position) -> bool {
        after.side != self.side && after.repetition_key ^ keys::other_side() == self.start
    }

    #[inline]
    fn cost(&self, step: Step) -> Steps {
        self.cost(step)
    }

    #[inline]
    fn is_idle(&self) -> bool {
        !self.turn_starts() && self.is_unchanged()
    }

    #[inline]
    fn play(&mut self, step: Step) {
        self.play_unchecked(step);
    }

    #[inline]
    fn key(&self) -> Key {
        self.key()
    }

    #[inline]
    fn winner(&self) -> Option<Side> {
        self.outcome().map(|outcome| outcome.winner)
    }
}

impl fmt::Display for Position {
    /// The compact form: the side to move and the board in brackets.
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{} {}", side::letter(self.side), self.board)
    }
}

/// Why a step is not legal.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum StepError {
    /// Nothing stands where the step begins, or where its victim should stand.
    #[error("there is no piece on {square}")]
    Empty {
        /// Where nothing stands.
        square: Square,
    },
    /// The piece belongs to the other side.
    #[error("the {piece} on {square} is not yours: it moves only by a push or a pull")]
    NotYours {
        /// Which piece.
        piece: Piece,
        /// Where it stands.
        square: Square,
    },
    /// The step leads over the edge.
    #[error("the step from {from} leads off the board")]
    OffBoard {
        /// Where it begins.
        from: Square,
    },
    /// The target is not empty.
    #[error("{square} is occupied by a {piece}: a piece goes to an empty square")]
    Occupied {
        /// What stands there.
        piece: Piece,
        /// The target.
        square: Square,
    },
    /// The piece is frozen.
    #[error(
        "the {piece} on {square} is frozen: it stands beside a stronger enemy and no friend; \
         bring a friend beside it first"
    )]
    Frozen {
        /// Which piece.
        piece: Piece,
        /// Where it stands.
        square: Square,
    },
    /// A rabbit goes back.
    #[error("the rabbit on {square} cannot go backwards: it moves forwards or sideways")]
    RabbitBackwards {
        /// Where it stands.
        square: Square,
    },
    /// A push or pull of a friend.
    #[error("the piece on {square} is your own: only enemy pieces are pushed or pulled")]
    OwnVictim {
        /// Where it stands.
        square: Square,
    },
    /// A push or pull by a piece that is not stronger.
    #[error(
        "the {mover} on {from} is not stronger than the {piece} on {square}: \
         only a stronger piece pushes or pulls it"
    )]
    TooWeak {
        /// Which piece wants to push or pull.
        mover: Piece,
        /// Where it stands.
        from: Square,
        /// The other one.
        piece: Piece,
        /// Where that stands.
        square: Square,
    },
    /// More than four steps.
    #[error("a turn has at most four steps, and a push or a pull takes two")]
    TooManySteps,
    /// A turn without a step.
    #[error("a turn has at least one step")]
    NoStep,
    /// The turn would end as it began.
    #[error("the turn leaves the board as it was: a turn must change it")]
    Unchanged,
}
