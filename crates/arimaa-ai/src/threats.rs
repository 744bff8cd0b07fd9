use std::ops::ControlFlow;

use arimaa::{
    Bitboard, Board, Kind, Mobility, Reached, Replay, Side, Step, Turn, TurnGenerator, WHOLE_TURN,
};
use game::Steps;
use rustc_hash::FxHashSet;

use crate::{Win, win};

/// Generates the turns that answer a threat to win, and those that make one.
///
/// The buffers are kept from one position to the next.
#[derive(Debug, Default)]
pub struct ThreatGenerator {
    turns: TurnGenerator,
    defences: Vec<Reached>,
    threats: Vec<Threat>,
    /// The boards after short defences, to count each once.
    boards: FxHashSet<Board>,
    /// How many boards were tested for a win of the enemy.
    pub(crate) boards_tested: u64,
}

/// A turn after which its side has a [`win`], if the enemy does nothing about it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Threat {
    /// The turn.
    pub reached: Reached,
    /// The shortest win that follows.
    pub win: Win,
}

impl ThreatGenerator {
    /// A generator with empty buffers.
    pub fn new() -> ThreatGenerator {
        ThreatGenerator::default()
    }

    /// The distinct turns of `side` that win at once, or after which the enemy has no [`win`] within
    /// its turn; the shorter ones first. Repetition is not looked at, nor that the enemy could leave the
    /// side without a legal turn.
    ///
    /// ```
    /// # use arimaa::{Position, SILVER};
    /// # use arimaa_ai::ThreatGenerator;
    /// let position: Position = "
    ///      +-----------------+
    ///     8| . . . . . . r . |
    ///     7| . . . R . . . . |
    ///     6| . . x . . x . . |
    ///     5| . . . . . . . . |
    ///     4| . . . . . . . . |
    ///     3| . . x . . x . . |
    ///     2| . E . . . . . . |
    ///     1| . . . . . . . . |
    ///      +-----------------+
    ///        a b c d e f g h
    /// ".parse().unwrap();
    /// // A lone rabbit can stand in the way on d8, but the gold one walks round it.
    /// let defences = ThreatGenerator::new().defences(position.board(), SILVER).len();
    /// assert_eq!(defences, 0);
    /// ```
    pub fn defences(&mut self, board: &Board, side: Side) -> &[Reached] {
        self.few_defences(board, side, usize::MAX).unwrap_or_default()
    }

    /// The distinct turns of `side`.
    pub(crate) fn distinct(&mut self, board: &Board, side: Side) -> &[Reached] {
        self.turns.distinct(board, side)
    }

    /// [`ThreatGenerator::defences`], if there are at most so many.
    pub fn few_defences(&mut self, board: &Board, side: Side, most: usize) -> Option<&[Reached]> {
        let mut refutations = Refutations::new(board, side);
        let are_few = self.list_defences(&mut refutations, most);
        self.boards_tested += refutations.boards_tested;
        are_few.then_some(&self.defences)
    }

    /// Lists the defences, unless there are more than `most`.
    fn list_defences(&mut self, refutations: &mut Refutations, most: usize) -> bool {
        // Where there are many, there are many short ones: then the others need not be listed.
        if most < usize::MAX && self.has_more_short_defences(refutations, most) {
            return false;
        }
        self.defences.clear();
        for &reached in self.turns.distinct(&refutations.start, refutations.side) {
            if !refutations.answer(reached.turn) {
                if self.defences.len() == most {
                    return false;
                }
                self.defences.push(reached);
            }
        }
        true
    }

    fn has_more_short_defences(&mut self, refutations: &mut Refutations, most: usize) -> bool {
        let (board, side) = (refutations.start, refutations.side);
        self.boards.clear();
        let mut count = |turn| {
            if !refutations.answer(turn) {
                self.boards.insert(*refutations.replay.after(turn));
            }
            match self.boards.len() > most {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            }
        };
        for_each_short_turn(&board, side, &mut count).is_break()
    }

    /// Whether there is one of [`ThreatGenerator::defences`]. Short turns are tried first: as a rule, one
    /// of them is enough.
    pub fn has_defence(&mut self, board: &Board, side: Side) -> bool {
        self.find_defence(board, side).is_some()
    }

    /// One of [`ThreatGenerator::defences`], if there is one. Short turns are tried first: as a rule, one
    /// of them is enough.
    pub fn find_defence(&mut self, board: &Board, side: Side) -> Option<Turn> {
        let mut refutations = Refutations::new(board, side);
        let mut defence = None;
        let mut seek = |turn| match refutations.answer(turn) {
            true => ControlFlow::Continue(()),
            false => {
                defence = Some(turn);
                ControlFlow::Break(())
            }
        };
        if for_each_short_turn(board, side, &mut seek).is_continue() {
            let turns = self.turns.distinct(board, side).iter().map(|reached| reached.turn);
            let _ = turns.filter(|turn| turn.cost() > SHORT).try_for_each(seek);
        }
        self.boards_tested += refutations.boards_tested;
        defence
    }

    /// The distinct turns of `side` that do not end the game, but after which it has a [`win`]
    /// within its next turn, if the enemy leaves the board as it is; the shorter turns first.
    pub fn threats(&mut self, board: &Board, side: Side) -> &[Threat] {
        let mut replay = Replay::new(board);
        self.threats.clear();
        for &reached in self.turns.distinct(board, side) {
            let after = replay.after(reached.turn);
            if !is_decided(after)
                && let Some(win) = win(after, side, WHOLE_TURN)
            {
                self.threats.push(Threat { reached, win });
            }
        }
        &self.threats
    }
}

/// Whether a rabbit stands on its goal row, or a side has none.
pub(crate) fn is_decided(board: &Board) -> bool {
    Side::ALL.into_iter().any(|side| board.has_goal(side) || board.rabbits(side).is_empty())
}

/// What [`for_each_short_turn`] lists.
const SHORT: Steps = Steps(2);

/// Calls `visit` with the turns of one step and of two, until it asks to stop. Some are there twice,
/// and some leave the board as it was.
fn for_each_short_turn(
    board: &Board,
    side: Side,
    visit: &mut impl FnMut(Turn) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let mobility = Mobility::new(board, side);
    mobility.for_each_single(&mut |step| visit(Turn::EMPTY.then(step)))?;
    mobility.for_each_push_and_pull(&mut |step| visit(Turn::EMPTY.then(step)))?;
    mobility.for_each_single(&mut |first| {
        let turn = Turn::EMPTY.then(first);
        Mobility::new(&board.after(first), side)
            .for_each_single(&mut |second| visit(turn.then(second)))
    })
}

/// The enemy's answers to the turns of a side: wins that were found, each with its read set. A win works on
/// other boards too, if they have the same pieces on these squares.
struct Refutations {
    start: Board,
    side: Side,
    /// Whether a turn can win at once.
    can_win: bool,
    replay: Replay,
    /// Read sets on which the board before the turn agrees: a turn that touches none of their squares is no
    /// defence.
    lasting: Vec<Bitboard>,
    /// Other read sets, each with a board that has the pieces.
    passing: Vec<(Bitboard, Board)>,
    /// How many boards were tested for a win.
    boards_tested: u64,
}

impl Refutations {
    fn new(board: &Board, side: Side) -> Refutations {
        Refutations {
            start: *board,
            side,
            can_win: win(board, side, WHOLE_TURN).is_some(),
            replay: Replay::new(board),
            lasting: Vec::new(),
            passing: Vec::new(),
            boards_tested: 0,
        }
    }

    /// Whether the enemy has an answer to a turn, or the turn leaves the board as it was.
    fn answer(&mut self, turn: Turn) -> bool {
        if self.can_win && self.is_won(turn) {
            return false;
        }
        let touched = turn.squares();
        if find_and_promote(&mut self.lasting, |relied| !relied.meets(touched)) {
            return true;
        }
        let board = *self.replay.after(turn);
        if board == self.start {
            return true;
        }
        let same = |(relied, other): &(Bitboard, Board)| board.agrees_on(other, *relied);
        if find_and_promote(&mut self.passing, same) {
            return true;
        }
        self.boards_tested += 1;
        let Some(win) = win(&board, !self.side, WHOLE_TURN) else { return false };
        self.keep(win, &board);
        true
    }

    fn is_won(&mut self, turn: Turn) -> bool {
        let board = self.replay.after(turn);
        board.has_goal(self.side) || board.rabbits(!self.side).is_empty()
    }

    /// Keeps a win that was found on a board, for others that agree with it where it matters.
    fn keep(&mut self, win: Win, board: &Board) {
        // A turn that gives the game away says nothing of others; one that loses a rabbit says nothing
        // of a capture of all the others.
        let lost_rabbit = board.rabbits(self.side).len() < self.start.rabbits(self.side).len();
        if win.turn.is_empty() || lost_rabbit {
            return;
        }
        let relied = read_set(board, !self.side, win.turn);
        if board.agrees_on(&self.start, relied) {
            self.lasting.push(relied);
        } else {
            self.passing.push((relied, *board));
        }
    }
}

/// Whether an element is as wanted; it comes one place nearer to the front, so that the useful ones are
/// found soon.
fn find_and_promote<T>(list: &mut [T], is_wanted: impl FnMut(&T) -> bool) -> bool {
    let index = list.iter().position(is_wanted);
    if let Some(index @ 1..) = index {
        list.swap(index, index - 1);
    }
    index.is_some()
}

/// The read set of a winning turn: on every board with the same pieces on these squares, it is legal and
/// wins as well.
///
/// It is the union of the read sets of its steps: where they begin and end, the pieces they push or pull, what
/// keeps the moving pieces from being frozen, and what the traps on the way do.
fn read_set(board: &Board, side: Side, turn: Turn) -> Bitboard {
    let mut board = *board;
    let mut squares = Bitboard::EMPTY;
    for step in turn.steps() {
        squares |= step.from().bit() | step.to().bit() | step.victim().bit();
        squares |= unfreezing(&board, side, step, squares);
        let stood = board.occupied();
        board.play(step, &mut ());
        // The traps that have taken a piece.
        squares |= (stood | squares) & Bitboard::TRAPS & !board.occupied();
    }
    squares | (squares & Bitboard::TRAPS).neighbours()
}

/// What keeps the moving piece from being frozen: one friend, or else that no stronger enemy is
/// beside it.
fn unfreezing(board: &Board, side: Side, step: Step, known: Bitboard) -> Bitboard {
    let from = step.from();
    let unfreezable = board.kind(Kind::Elephant).has(from);
    let friends = from.neighbours() & board.of(side);
    // A friend on a trap needs others; one that is in the read set already costs nothing.
    let steady = friends & !Bitboard::TRAPS;
    let friend = [friends & known, steady, friends].into_iter().find_map(Bitboard::first);
    match friend {
        _ if unfreezable => Bitboard::EMPTY,
        Some(friend) => friend.bit(),
        None => from.neighbours(),
    }
}
