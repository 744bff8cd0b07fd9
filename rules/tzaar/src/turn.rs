use game::Position as _;
use rustc_hash::FxHashSet;
use thiserror::Error;

use crate::field::WIDTH;
use crate::side::{self, Side};
use crate::{Field, Kind, Outcome, Phase, Position, Step};

/// What a player does before the other moves: a move, or two of them. A pass is one.
///
/// ```
/// # use tzaar::{Position, Turn};
/// let start = Position::fixed_start();
/// let first: Turn = "E4xF3".parse().unwrap();
/// let second: Turn = "A1xB1 A2+A3".parse().unwrap();
/// let position = start.play_turn(first).unwrap().play_turn(second).unwrap();
/// assert_eq!(position.board().stacks(), 57);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Turn {
    first: Step,
    second: Option<Step>,
}

impl Turn {
    /// A turn of one move or two.
    pub const fn new(first: Step, second: Option<Step>) -> Turn {
        Turn { first, second }
    }

    /// The turn with these moves; none, unless there are one or two.
    pub fn from_steps(steps: &[Step]) -> Option<Turn> {
        match *steps {
            [first] => Some(Turn::new(first, None)),
            [first, second] => Some(Turn::new(first, Some(second))),
            _ => None,
        }
    }

    /// Its moves in their order.
    #[inline]
    pub fn steps(self) -> impl Iterator<Item = Step> {
        [self.first].into_iter().chain(self.second)
    }
}

/// Why a turn cannot be played, and which of its moves is to blame.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("column {column} ({word}): {fault}")]
pub struct TurnError {
    /// Where the move stands in the text, in characters from 1; where there was no text, in the one that
    /// the turn is written as.
    pub column: usize,
    /// The move.
    pub word: String,
    /// What is wrong with it.
    pub fault: TurnFault,
}

/// What can be wrong with a move.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum TurnFault {
    /// The text is no move.
    #[error(
        "expected a capture such as G4xC6, a stacking such as F2+F1, - for a pass, or a piece to be \
         placed such as Z@E4"
    )]
    NotAMove,
    /// More than two moves.
    #[error("a turn has at most two moves: leave this one out")]
    TooMany,
    /// Nothing happens after the end.
    #[error("the game is over: {0}")]
    Over(Outcome),
    /// A move after the one that has won.
    #[error("the move before has won the game: leave this one out")]
    AfterWin,
    /// White's first turn has a single move.
    #[error("White's first turn is a single capture: leave this move out")]
    Opening,
    /// Only one piece is placed in a turn.
    #[error("a turn places one piece: leave this one out")]
    OnePiece,
    /// A turn without its second move.
    #[error("the second move of the turn is missing: add it, or - for a pass")]
    Incomplete,
    /// A stacking or a pass as the first move.
    #[error("the first move of a turn must be a capture, such as G4xC6")]
    CaptureFirst,
    /// A move where a piece is to be placed.
    #[error("pieces are still being placed: expected one such as Z@E4")]
    PlaceFirst,
    /// A piece is placed where moves are to be made.
    #[error("all pieces have been placed: expected a capture such as G4xC6")]
    NothingToPlace,
    /// A piece is placed on another.
    #[error("{field} is occupied: place the piece on an empty field")]
    Occupied {
        /// Where.
        field: Field,
    },
    /// A piece is placed that is on the board already.
    #[error("{} has no {} left to be placed", side::name(*side), kind.name())]
    NoneLeft {
        /// Who is to place.
        side: Side,
        /// The type of the piece.
        kind: Kind,
    },
    /// Nothing to be moved.
    #[error("{field} is empty: there is no stack to be moved")]
    NoStack {
        /// Where.
        field: Field,
    },
    /// The stack of the other side is moved.
    #[error("the stack on {field} is {}'s, but {} is to move", side::name(!*side), side::name(*side))]
    OtherSide {
        /// Where.
        field: Field,
        /// Who is to move.
        side: Side,
    },
    /// Nothing to be captured or covered.
    #[error("{field} is empty: a move must end on a stack")]
    EmptyTarget {
        /// Where.
        field: Field,
    },
    /// An own stack is captured.
    #[error("the stack on {field} is {}'s own: it can only be covered, which is written with +", side::name(*side))]
    OwnTarget {
        /// Where.
        field: Field,
        /// Who is to move.
        side: Side,
    },
    /// An enemy's stack is covered.
    #[error("the stack on {field} is {}'s: it can only be captured, which is written with x", side::name(*side))]
    EnemyTarget {
        /// Where.
        field: Field,
        /// Whose it is.
        side: Side,
    },
    /// A move along no line.
    #[error("no line leads from {from} to {to}")]
    NoLine {
        /// Where it comes from.
        from: Field,
        /// Where it goes.
        to: Field,
    },
    /// A move over the centre.
    #[error("the centre lies between {from} and {to}: no move crosses it")]
    Centre {
        /// Where it comes from.
        from: Field,
        /// Where it goes.
        to: Field,
    },
    /// A move over a stack.
    #[error("the stack on {field} is in the way")]
    Blocked {
        /// Where.
        field: Field,
    },
    /// What is captured is too high.
    #[error("a stack of {height} cannot capture the stack on {field}, which has {enemy}")]
    TooHigh {
        /// What is captured.
        field: Field,
        /// The height of what moves.
        height: u8,
        /// The height of what is captured.
        enemy: u8,
    },
}

impl Position {
    /// The position after a turn, if it is legal and complete: it ends the turn, or the game.
    pub fn play_turn(&self, turn: Turn) -> Result<Position, TurnError> {
        let mut column = 1;
        let moves = turn.steps().map(|step| {
            let word = step.to_string();
            let at = column;
            column += word.len() + 1;
            (at, word, step)
        });
        self.play_moves(moves)
    }

    /// The position after moves that are a whole turn, each with its word and where that stands.
    pub(crate) fn play_moves<W: Into<String>>(
        &self,
        moves: impl IntoIterator<Item = (usize, W, Step)>,
    ) -> Result<Position, TurnError> {
        let mut position = *self;
        let mut last = (1, "nothing".to_string());
        for (index, (column, word, step)) in moves.into_iter().enumerate() {
            let word = word.into();
            let is_over = index > 0 && position.turn_starts();
            let played = if is_over { Err(self.superfluous(index, &position)) } else { Ok(()) };
            let played = played.and_then(|()| position.try_step(step));
            position = played.map_err(|fault| TurnError { column, word: word.clone(), fault })?;
            last = (column, word);
        }
        let (column, word) = last;
        match position.turn_starts() && position != *self {
            true => Ok(position),
            false => Err(TurnError { column, word, fault: self.unfinished(&position) }),
        }
    }

    /// Why no move may follow those that led from here to the end of the turn.
    fn superfluous(&self, count: usize, end: &Position) -> TurnFault {
        match self.phase() {
            Phase::Opening => TurnFault::Opening,
            Phase::Placing => TurnFault::OnePiece,
            Phase::First if count == 1 && end.winner().is_some() => TurnFault::AfterWin,
            Phase::First | Phase::Second => TurnFault::TooMany,
        }
    }

    fn unfinished(&self, end: &Position) -> TurnFault {
        match end.phase() {
            Phase::Second => TurnFault::Incomplete,
            Phase::Placing => TurnFault::PlaceFirst,
            Phase::First | Phase::Opening => TurnFault::CaptureFirst,
        }
    }

    /// The position after a move, if it is legal.
    pub fn try_step(&self, step: Step) -> Result<Position, TurnFault> {
        if let Some(outcome) = self.outcome() {
            return Err(TurnFault::Over(outcome));
        }
        match (step, self.phase()) {
            (Step::Place { kind, field }, Phase::Placing) => self.check_placing(kind, field)?,
            (_, Phase::Placing) => return Err(TurnFault::PlaceFirst),
            (Step::Place { .. }, _) => return Err(TurnFault::NothingToPlace),
            (Step::Capture { from, to }, _) => self.check_capture(from, to)?,
            (Step::Stacking { from, to }, Phase::Second) => self.check_stacking(from, to)?,
            (Step::Pass, Phase::Second) => (),
            (Step::Stacking { .. } | Step::Pass, _) => return Err(TurnFault::CaptureFirst),
        }
        let mut after = *self;
        after.play(step);
        Ok(after)
    }

    fn check_placing(&self, kind: Kind, field: Field) -> Result<(), TurnFault> {
        let side = self.side();
        if self.board().stack_at(field).is_some() {
            return Err(TurnFault::Occupied { field });
        }
        match self.in_hand(side, kind) {
            0 => Err(TurnFault::NoneLeft { side, kind }),
            _ => Ok(()),
        }
    }

    fn check_capture(&self, from: Field, to: Field) -> Result<(), TurnFault> {
        self.check_mover(from)?;
        let side = self.side();
        let (height, enemy) = (self.board().height(from), self.board().height(to));
        match self.board().stack_at(to) {
            None => Err(TurnFault::EmptyTarget { field: to }),
            Some(stack) if stack.side == side => Err(TurnFault::OwnTarget { field: to, side }),
            Some(_) => {
                self.check_way(from, to)?;
                let too_high = TurnFault::TooHigh { field: to, height, enemy };
                if enemy > height { Err(too_high) } else { Ok(()) }
            }
        }
    }

    fn check_stacking(&self, from: Field, to: Field) -> Result<(), TurnFault> {
        self.check_mover(from)?;
        let side = self.side();
        match self.board().stack_at(to) {
            None => Err(TurnFault::EmptyTarget { field: to }),
            Some(stack) if stack.side != side => {
                Err(TurnFault::EnemyTarget { field: to, side: !side })
            }
            Some(_) => self.check_way(from, to),
        }
    }

    fn check_mover(&self, field: Field) -> Result<(), TurnFault> {
        let side = self.side();
        match self.board().stack_at(field) {
            None => Err(TurnFault::NoStack { field }),
            Some(stack) if stack.side != side => Err(TurnFault::OtherSide { field, side }),
            Some(_) => Ok(()),
        }
    }

    /// Whether a line leads from one field to the other, with nothing between.
    fn check_way(&self, from: Field, to: Field) -> Result<(), TurnFault> {
        let down = to.row() as isize - from.row() as isize;
        let right = to.column() as isize - from.column() as isize;
        let distance = down.abs().max(right.abs());
        if distance == 0 || down != 0 && right != 0 && down != right {
            return Err(TurnFault::NoLine { from, to });
        }
        for step in 1..distance {
            let row = from.row() as isize + step * down / distance;
            let column = from.column() as isize + step * right / distance;
            debug_assert!((row as usize) < WIDTH && (column as usize) < WIDTH);
            let Some(field) = Field::at(row as usize, column as usize) else {
                return Err(TurnFault::Centre { from, to });
            };
            if self.board().stack_at(field).is_some() {
                return Err(TurnFault::Blocked { field });
            }
        }
        Ok(())
    }
}

/// The turns of a position, each with the position that it leads to. Of those that lead to the same one, the
/// first is listed: two captures can often be played in either order.
pub fn distinct_turns(position: &Position) -> Vec<(Turn, Position)> {
    let mut seen = FxHashSet::default();
    let mut turns = Vec::new();
    for first in position.steps() {
        let mut inside = *position;
        inside.play(first);
        if inside.turn_starts() {
            if seen.insert(inside.key()) {
                turns.push((Turn::new(first, None), inside));
            }
            continue;
        }
        for second in inside.steps() {
            let mut end = inside;
            end.play(second);
            if seen.insert(end.key()) {
                turns.push((Turn::new(first, Some(second)), end));
            }
        }
    }
    turns
}

/// How many turns a position has, each end of one counted once. Turns with which a side loses at once, by covering its
/// own last stack of a type, are left out (as in Veselý 2013, Table 1.1).
pub fn branching_factor(position: &Position) -> usize {
    let turns = distinct_turns(position);
    turns.iter().filter(|(_, end)| !is_suicide(position, end)).count()
}

/// Whether the turn between two positions has lost the game for whoever played it.
fn is_suicide(start: &Position, end: &Position) -> bool {
    start.phase() != Phase::Placing && !end.board().is_complete(start.side())
}
