use std::ops::ControlFlow;

use game::{Key, Steps};
use rand::Rng;
use rand::seq::SliceRandom;
use thiserror::Error;

use crate::side::{self, Side, WHITE};
use crate::{Board, BoardError, Field, Fields, Kind, Outcome, Stack, Step, keys};

/// A board, whose turn it is and how much of the turn is left.
///
/// Who wins with the first move of a turn has no second one: a turn is over with the game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Position {
    board: Board,
    side: Side,
    phase: Phase,
}

/// What the side to move has to do.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum Phase {
    /// The first move of a turn: a capture.
    First,
    /// The second move: a capture, a stacking or a pass.
    Second,
    /// White's first turn: a capture and no more.
    Opening,
    /// A piece is put on the board.
    Placing,
}

/// What the moves of a whole turn cost.
pub const WHOLE_TURN: Steps = Steps(2);

/// Why a board cannot be a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum PositionError {
    /// The stacks cannot be a board.
    #[error(transparent)]
    Board(#[from] BoardError),
    /// On a full board White begins.
    #[error("all 60 fields are occupied, so that this is White's first turn, but Black is to move")]
    BlackBegins,
    /// A game ends when one side has lost.
    #[error("neither side shows all three types: the game has ended before this position")]
    BothLost,
    /// While pieces are placed, there are only single ones.
    #[error("{field}: a stack of {height}, but pieces are placed one by one")]
    PlacedHigh {
        /// Where.
        field: Field,
        /// How high.
        height: u8,
    },
    /// The pieces on the board say whose turn it is.
    #[error("White has {white} pieces on the board and Black {black}, but {} is to place", side::name(*side))]
    WrongPlacer {
        /// White's pieces.
        white: usize,
        /// Black's pieces.
        black: usize,
        /// Whose turn it was said to be.
        side: Side,
    },
}

impl Position {
    /// The start of a turn. A full board is White's first turn.
    pub fn new(board: Board, side: Side) -> Result<Position, PositionError> {
        let is_full = board.stacks() == Field::COUNT;
        if is_full && side != WHITE {
            return Err(PositionError::BlackBegins);
        }
        if Side::ALL.into_iter().all(|side| !board.is_complete(side)) {
            return Err(PositionError::BothLost);
        }
        let phase = if is_full { Phase::Opening } else { Phase::First };
        Ok(Position { board, side, phase })
    }

    /// A board that is still being filled; a full one is White's first turn.
    pub fn placing(board: Board, side: Side) -> Result<Position, PositionError> {
        let [white, black] = Side::ALL.map(|side| board.of(side).len());
        let mut fields = board.occupied();
        if let Some(field) = fields.find(|&field| board.height(field) > 1) {
            return Err(PositionError::PlacedHigh { field, height: board.height(field) });
        }
        let next = match white.checked_sub(black) {
            Some(0) => Some(Side::First),
            Some(1) => Some(Side::Second),
            _ => None,
        };
        if next != Some(side) {
            return Err(PositionError::WrongPlacer { white, black, side });
        }
        match board.stacks() == Field::COUNT {
            true => Position::new(board, side),
            false => Ok(Position { board, side, phase: Phase::Placing }),
        }
    }

    /// The start that the official rules define (Veselý 2013, 3.1).
    pub fn fixed_start() -> Position {
        // By rows of the sloped array: White in upper case.
        const START: &str = "tTTTT taAAAt tazZZat taztTzat TAZTtzat TAZtTZAT TAzzZAT TaaaAT ttttT";
        let letters = START.chars().filter(char::is_ascii_alphabetic);
        let stacks = Field::all().zip(letters).filter_map(|(field, letter)| {
            let side = if letter.is_ascii_uppercase() { Side::First } else { Side::Second };
            Some((field, Stack { side, kind: Kind::from_letter(letter)?, height: 1 }))
        });
        Position::full(stacks)
    }

    /// A start with the pieces in any order, each as likely.
    pub fn random_start(rng: &mut impl Rng) -> Position {
        let mut pieces = Vec::with_capacity(Field::COUNT);
        for side in Side::ALL {
            for kind in Kind::ALL {
                let piece = Stack { side, kind, height: 1 };
                pieces.extend(std::iter::repeat_n(piece, usize::from(kind.initial())));
            }
        }
        pieces.shuffle(rng);
        Position::full(Field::all().zip(pieces))
    }

    /// The start of a tournament game: an empty board, on which the players place their pieces in turn.
    pub const fn tournament_start() -> Position {
        Position { board: Board::EMPTY, side: WHITE, phase: Phase::Placing }
    }

    fn full(stacks: impl IntoIterator<Item = (Field, Stack)>) -> Position {
        let mut board = Board::EMPTY;
        stacks.into_iter().for_each(|(field, stack)| board.put(field, stack));
        Position { board, side: WHITE, phase: Phase::Opening }
    }

    /// Where the stacks stand.
    #[inline]
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// Whose turn it is.
    #[inline]
    pub fn side(&self) -> Side {
        self.side
    }

    /// What the side to move has to do.
    #[inline]
    pub fn phase(&self) -> Phase {
        self.phase
    }

    /// How many pieces of a type a side has still to place.
    pub fn in_hand(&self, side: Side, kind: Kind) -> usize {
        match self.phase {
            Phase::Placing => usize::from(kind.initial()) - self.board.count(side, kind),
            _ => 0,
        }
    }

    /// Everything that can be played.
    pub fn steps(&self) -> Vec<Step> {
        let mut steps = Vec::new();
        let _ = game::Position::for_each_step(self, |step| {
            steps.push(step);
            ControlFlow::Continue(())
        });
        steps
    }

    /// How the game has ended, if it has.
    pub fn outcome(&self) -> Option<Outcome> {
        Outcome::of(self)
    }

    /// The position with which the other side begins a turn on the same board. That need not be one that a
    /// game can come to.
    pub fn with_other_side(&self) -> Position {
        Position { side: !self.side, phase: Phase::First, ..*self }
    }

    /// The same board with so many moves of the turn left, if there can be as many: both, or the second.
    pub fn with_steps_left(&self, steps: Steps) -> Option<Position> {
        let phase = match (self.phase, steps) {
            (Phase::First | Phase::Second, Steps(1)) => Phase::Second,
            (Phase::Second, WHOLE_TURN) => Phase::First,
            (phase, WHOLE_TURN) => phase,
            _ => return None,
        };
        Some(Position { phase, ..*self })
    }

    /// The enemy's stacks that can be captured now.
    #[inline]
    pub fn targets(&self) -> Fields {
        self.board.capturable() & self.board.of(!self.side)
    }

    #[inline]
    fn is_over(&self) -> bool {
        self.phase != Phase::Placing
            && Side::ALL.into_iter().any(|side| !self.board.is_complete(side))
    }

    #[inline]
    fn for_each_capture(&self, mut visit: impl FnMut(Step) -> ControlFlow<()>) -> ControlFlow<()> {
        let own = self.board.of(self.side);
        for to in self.targets() {
            let height = self.board.height(to);
            let mut found = ControlFlow::Continue(());
            self.board.for_each_nearest(to, |from| {
                if found.is_continue() && own.has(from) && self.board.height(from) >= height {
                    found = visit(Step::Capture { from, to });
                }
            });
            found?;
        }
        ControlFlow::Continue(())
    }

    #[inline]
    fn for_each_stacking(&self, mut visit: impl FnMut(Step) -> ControlFlow<()>) -> ControlFlow<()> {
        let own = self.board.of(self.side);
        for from in own {
            let mut found = ControlFlow::Continue(());
            self.board.for_each_nearest(from, |to| {
                if found.is_continue() && own.has(to) {
                    found = visit(Step::Stacking { from, to });
                }
            });
            found?;
        }
        ControlFlow::Continue(())
    }

    fn for_each_placing(&self, mut visit: impl FnMut(Step) -> ControlFlow<()>) -> ControlFlow<()> {
        for kind in Kind::ALL.into_iter().filter(|&kind| self.in_hand(self.side, kind) > 0) {
            for field in !self.board.occupied() {
                visit(Step::Place { kind, field })?;
            }
        }
        ControlFlow::Continue(())
    }

    fn end_turn(&mut self) {
        self.side = !self.side;
        self.phase = Phase::First;
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
        self.phase != Phase::Second
    }

    /// A game that is over has no steps.
    fn for_each_step(&self, mut visit: impl FnMut(Step) -> ControlFlow<()>) -> ControlFlow<()> {
        if self.is_over() {
            return ControlFlow::Continue(());
        }
        match self.phase {
            Phase::First | Phase::Opening => self.for_each_capture(visit),
            Phase::Second => {
                self.for_each_capture(&mut visit)?;
                self.for_each_stacking(&mut visit)?;
                visit(Step::Pass)
            }
            Phase::Placing => self.for_each_placing(visit),
        }
    }

    #[inline]
    fn cost(&self, _: Step) -> Steps {
        Steps(1)
    }

    /// The first move is a capture: no turn leaves the board as it was.
    #[inline]
    fn is_idle(&self) -> bool {
        false
    }

    #[inline]
    fn play(&mut self, step: Step) {
        match step {
            Step::Capture { from, to } | Step::Stacking { from, to } => {
                self.board.go(self.side, from, to);
                match self.phase {
                    Phase::First if !self.is_over() => self.phase = Phase::Second,
                    _ => self.end_turn(),
                }
            }
            Step::Pass => self.end_turn(),
            Step::Place { kind, field } => {
                self.board.put(field, Stack { side: self.side, kind, height: 1 });
                self.side = !self.side;
                if self.board.stacks() == Field::COUNT {
                    self.phase = Phase::Opening;
                }
            }
        }
    }

    #[inline]
    fn key(&self) -> Key {
        self.board.key() ^ keys::turn(self.side, self.phase)
    }

    #[inline]
    fn winner(&self) -> Option<Side> {
        let lost = match self.phase {
            Phase::Placing => return None,
            _ if !self.board.is_complete(self.side) => self.side,
            _ if !self.board.is_complete(!self.side) => !self.side,
            Phase::First | Phase::Opening if self.targets().is_empty() => self.side,
            _ => return None,
        };
        Some(!lost)
    }
}
