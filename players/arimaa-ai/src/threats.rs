use std::ops::ControlFlow;

use arimaa::{
    Bitboard, Board, Kind, Mobility, Reached, Replay, Side, Step, Turn, TurnGenerator, WHOLE_TURN,
};
use rustc_hash::FxHashSet;

use crate::{Win, win};

/// Generates the turns that answer a threat to win, and those that make one.
///
/// The buffers are kept from one position to the next.
#[derive(Debug, Default)]
pub struct ThreatGenerator {
    turns: TurnGenerator,
    defences: Vec<Reached>,
    /// The squares that another step must touch: for the board as it is, and after each turn of three steps or fewer.
    relevant: Vec<Bitboard>,
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
        let defences = &mut self.defences;
        let list = |reached| match defences.len() == most {
            true => ControlFlow::Break(()),
            false => {
                defences.push(reached);
                ControlFlow::Continue(())
            }
        };
        for_each_defence(&mut self.turns, &mut self.relevant, refutations, list).is_continue()
    }

    fn has_more_short_defences(&mut self, refutations: &mut Refutations, most: usize) -> bool {
        let (board, side) = (refutations.start, refutations.side);
        self.boards.clear();
        let mut count = |turn| {
            if refutations.answer(turn).is_none() {
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
            Some(_) => ControlFlow::Continue(()),
            None => {
                defence = Some(turn);
                ControlFlow::Break(())
            }
        };
        if for_each_short_turn(board, side, &mut seek).is_continue() {
            let find = |reached: Reached| {
                defence = Some(reached.turn);
                ControlFlow::Break(())
            };
            let _ = for_each_defence(&mut self.turns, &mut self.relevant, &mut refutations, find);
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

/// Calls `visit` with the defences, the shorter ones first, until it asks to stop.
///
/// After three steps or fewer the enemy's win is known: a fourth step is a defence only if it touches the read set of that win, so
/// that the others need not be listed. `relevant` is a buffer.
fn for_each_defence(
    turns: &mut TurnGenerator,
    relevant: &mut Vec<Bitboard>,
    refutations: &mut Refutations,
    mut visit: impl FnMut(Reached) -> ControlFlow<()>,
) -> ControlFlow<()> {
    relevant.clear();
    // A turn of four steps has others before its last one, push or pull: the first set is not asked for.
    relevant.push(Bitboard::ALL);
    for &reached in turns.three_steps(&refutations.start, refutations.side) {
        let answer = refutations.answer(reached.turn);
        relevant.push(answer.unwrap_or(Bitboard::ALL));
        if answer.is_none() {
            visit(reached)?;
        }
    }
    for &reached in turns.four_steps(relevant) {
        if refutations.answer(reached.turn).is_none() {
            visit(reached)?;
        }
    }
    ControlFlow::Continue(())
}

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

    /// The squares that another step after a turn must touch, if it is to stop the enemy's answer to the turn. Nothing, if the
    /// turn is a defence; all squares, if it leaves the board as it was.
    fn answer(&mut self, turn: Turn) -> Option<Bitboard> {
        if self.can_win && self.is_won(turn) {
            return None;
        }
        let squares = self.winning_answer(turn)?;
        // Where a turn can win at once, another step may do so wherever it is.
        Some(if self.can_win { Bitboard::ALL } else { squares })
    }

    /// [`Refutations::answer`] to a turn that does not win at once.
    fn winning_answer(&mut self, turn: Turn) -> Option<Bitboard> {
        let touched = turn.squares();
        if let Some(relied) = find_and_promote(&mut self.lasting, |relied| !relied.meets(touched)) {
            return Some(*relied);
        }
        let board = *self.replay.after(turn);
        if board == self.start {
            return Some(Bitboard::ALL);
        }
        let same = |(relied, other): &(Bitboard, Board)| board.agrees_on(other, *relied);
        if let Some((relied, _)) = find_and_promote(&mut self.passing, same) {
            return Some(*relied);
        }
        self.boards_tested += 1;
        let win = win(&board, !self.side, WHOLE_TURN)?;
        Some(self.keep(win, &board))
    }

    fn is_won(&mut self, turn: Turn) -> bool {
        let board = self.replay.after(turn);
        board.has_goal(self.side) || board.rabbits(!self.side).is_empty()
    }

    /// Keeps a win that was found on a board, for others that agree with it where it matters: its read set.
    fn keep(&mut self, win: Win, board: &Board) -> Bitboard {
        // A turn that gives the game away says nothing of others; one that loses a rabbit says nothing
        // of a capture of all the others.
        let lost_rabbit = board.rabbits(self.side).len() < self.start.rabbits(self.side).len();
        if win.turn.is_empty() || lost_rabbit {
            return Bitboard::ALL;
        }
        let relied = read_set(board, !self.side, win.turn);
        if board.agrees_on(&self.start, relied) {
            self.lasting.push(relied);
        } else {
            self.passing.push((relied, *board));
        }
        relied
    }
}

/// The first element that is as wanted; it comes one place nearer to the front, so that the useful ones are
/// found soon.
fn find_and_promote<T>(list: &mut [T], is_wanted: impl FnMut(&T) -> bool) -> Option<&T> {
    let index = list.iter().position(is_wanted)?;
    let before = index.saturating_sub(1);
    list.swap(index, before);
    Some(&list[before])
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
