//! Positions with exactly one turn that wins: see [`PuzzleFinder`].

use std::time::Instant;

use arimaa::{Board, Position, Side, Square, Turn, WHOLE_TURN};
use game::Turns;
use search::{ForcedWinLimits, Limits};

use crate::solver::STAGES;
use crate::{Breadth, ForcedWin, ThreatGenerator, ThreatSearch, ThreatTable, captures};

/// A position in which exactly one turn wins by force within the fewest turns.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Puzzle {
    /// The position.
    pub position: Position,
    /// The turn that wins; others that leave the same board are the same turn.
    pub solution: Turn,
    /// How many turns of the winner the win takes, this one included.
    pub turns: Turns,
    /// How many other turns threaten to win at once, allow the enemy no win, and yet fail.
    pub tries: usize,
    /// How many own pieces the solution gives up: those that it loses on traps, and as many as the enemy
    /// can capture with its next turn more than it could before.
    pub sacrifices: usize,
}

impl Puzzle {
    fn new(position: &Position, solution: Turn, turns: Turns, tries: usize) -> Puzzle {
        let side = position.side();
        let (before, after) = (position.board(), after(position, solution));
        let lost = before.of(side).len() - after.board().of(side).len();
        let offered = capturable(after.board(), side).saturating_sub(capturable(before, side));
        Puzzle { position: *position, solution, turns, tries, sacrifices: lost + offered }
    }

    /// How many pieces are on the board.
    pub fn pieces(&self) -> usize {
        self.position.board().occupied().len()
    }

    /// How hard it is, from 1 to 5: one less than the turns that it takes, and one more for each of these:
    /// there are many tries, a piece is given up, the board is crowded.
    pub fn grade(&self) -> usize {
        let harder = [
            self.tries >= Puzzle::MANY_TRIES,
            self.sacrifices > 0,
            self.pieces() >= Puzzle::CROWDED,
        ];
        let points = harder.into_iter().filter(|harder| *harder).count();
        (usize::from(self.turns.0).saturating_sub(1) + points).clamp(1, 5)
    }

    /// So many tries are many: a third of the puzzles of our collection have more.
    const MANY_TRIES: usize = 1000;

    /// With so many pieces, a board is crowded: a quarter of them have more.
    const CROWDED: usize = 24;
}

/// How many pieces of a side the enemy can capture with its next turn.
fn capturable(board: &Board, side: Side) -> usize {
    let captures = captures(board, !side, WHOLE_TURN);
    let is_captured = |square: &Square| captures.iter().any(|capture| capture.square == *square);
    board.of(side).into_iter().filter(is_captured).count()
}

/// What the search for a puzzle in a position has found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PuzzleResult {
    /// No win was found.
    NoWin,
    /// It wins by force, but that is no puzzle: it wins at once, several turns win, or nobody knows
    /// whether others do.
    Won,
    /// Exactly one turn wins.
    Puzzle(Puzzle),
}

/// Finds puzzles.
///
/// A win is found by a [`ThreatSearch`], for which goals and the capture of all rabbits are wins; to leave
/// the enemy without a turn counts as one turn more. Then a broader search may not bring about the board
/// after the first turn of that win: what it still finds is another solution. That this board is forbidden
/// later in the game as well costs nothing: a win from there takes as many turns as are left only at the
/// beginning.
///
/// For wins in two turns, this is exact: every turn is looked at. For longer ones, other first turns are
/// looked at if they threaten to win or leave the enemy at most about 9000 turns, and later ones if they
/// threaten to win.
pub struct PuzzleFinder {
    generator: ThreatGenerator,
    table: ThreatTable,
}

/// The breadth of the search for a win, and of the search for another one.
const FIRST: Breadth = STAGES[0].breadth;
const OTHERS: Breadth = STAGES[1].breadth;

impl PuzzleFinder {
    /// A finder with a table of that many MiB.
    pub fn new(mebibytes: usize) -> PuzzleFinder {
        PuzzleFinder { generator: ThreatGenerator::new(), table: ThreatTable::new(mebibytes) }
    }

    /// Looks for a win of at most so many turns, and whether it is a puzzle.
    pub fn find(&mut self, position: &Position, most: Turns, limits: &Limits) -> PuzzleResult {
        self.table.clear();
        let begin = Instant::now();
        let must_stop = || limits.hard.is_some_and(|time| begin.elapsed() >= time);
        if position.outcome().is_some() {
            return PuzzleResult::NoWin;
        }
        let mut limits = ForcedWinLimits {
            is_allowed: &|_| true,
            must_stop: &must_stop,
            nodes: limits.nodes.unwrap_or(u64::MAX),
        };
        let mut search = self.search(position, limits, FIRST);
        let Some(win) = search.search(position.board(), most) else { return PuzzleResult::NoWin };
        limits.nodes -= search.nodes.min(limits.nodes);
        self.puzzle(position, win, limits).map_or(PuzzleResult::Won, PuzzleResult::Puzzle)
    }

    fn search<'a>(
        &'a mut self,
        position: &Position,
        limits: ForcedWinLimits<'a>,
        breadth: Breadth,
    ) -> ThreatSearch<'a> {
        ThreatSearch::new(position.side(), &mut self.generator, &self.table, limits, breadth)
    }

    /// The puzzle that a win makes, if nothing else wins.
    fn puzzle(
        &mut self,
        position: &Position,
        win: ForcedWin,
        limits: ForcedWinLimits,
    ) -> Option<Puzzle> {
        let after = after(position, win.turn);
        if win.turns == Turns(1) || after.outcome().is_some() {
            return None;
        }
        let (board, solved) = (position.board(), after.repetition_key());
        let is_allowed = |key| key != solved;
        let limits = ForcedWinLimits { is_allowed: &is_allowed, ..limits };
        let mut search = self.search(position, limits, OTHERS);
        let tries = search.count_threats(board);
        let other = search.search(board, win.turns);
        if other.is_some() || search.must_stop() {
            return None;
        }
        Some(Puzzle::new(position, win.turn, win.turns, tries))
    }
}

/// The position after a turn.
fn after(position: &Position, turn: Turn) -> Position {
    let mut after = *position;
    after.play_turn_unchecked(turn);
    after
}
