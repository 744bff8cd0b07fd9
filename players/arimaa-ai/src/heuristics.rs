use std::cmp::Reverse;
use std::mem;

use arimaa::{Bitboard, Board, Form, GOLD, Position, Side, Step, Turn, WHOLE_TURN};
use engine::{EvaluationTrace, Traced};
use game::{BySide, History, Score, Steps, Turns};
use search::{
    Evaluator, ForcedWinLimits, ForcedWinLook, InitialProofNumbers, OrderedStep, PlayedMove,
    StepOrdering, Tactics, TurnList, TurnStructure,
};

use crate::evaluation_cache::EvaluationCache;
use crate::threat_search::KillerTurns;
use crate::{
    Breadth, Captures, Evaluation, ForcedWin, StepContext, StepPolicy, ThreatGenerator,
    ThreatSearch, ThreatTable, captures, combo, reversal, win,
};

/// What the searches are told about Arimaa: tactics, the order of steps, the structure of a turn, and an
/// evaluation with a cache before it.
#[derive(Debug)]
pub struct Heuristics<E = Evaluation> {
    /// The evaluation.
    pub evaluator: E,
    /// The forced wins that were looked for. All threads share it, and later turns of a game use it too.
    pub(crate) threat_table: ThreatTable,
}

impl Default for Heuristics {
    fn default() -> Heuristics {
        Heuristics::new(Evaluation::default())
    }
}

impl<E> Heuristics<E> {
    /// The tactics with an evaluation, and a small table of forced wins.
    pub fn new(evaluator: E) -> Heuristics<E> {
        Heuristics::with_threat_table(evaluator, 1)
    }

    /// The tactics with an evaluation, and a table of forced wins of `mebibytes`.
    pub(crate) fn with_threat_table(evaluator: E, mebibytes: usize) -> Heuristics<E> {
        Heuristics { evaluator, threat_table: ThreatTable::new(mebibytes) }
    }

    /// Prepares for a search in a game with that past. Known wins stay known while the past forbids no board: one that has
    /// come about twice must not come about again.
    pub(crate) fn prepare(&mut self, past: &History) {
        if past.iter().any(|(_, count)| count >= 2) {
            self.threat_table.clear();
        }
    }
}

/// The buffers of one thread for tactics.
#[derive(Default, Debug)]
pub struct TacticsScratch {
    threats: ThreatGenerator,
    /// The killer turns of earlier looks for forced wins of each side.
    killers: BySide<KillerTurns>,
}

/// Longer forced wins are not looked for after a turn.
const FORCED_WIN_TURNS: Turns = Turns(4);

/// More defences than these are not worth a list.
const FEW: usize = 200;

/// Tusk's own evaluation looks at the board alone.
impl Evaluator<Position> for Evaluation {
    type State = ();
    type Cache = ();

    #[inline]
    fn state(&self, _: &Position) {}

    #[inline]
    fn evaluate(&self, position: &Position, (): &(), (): &mut ()) -> Score {
        self.evaluate(position)
    }
}

impl Traced<Position> for Evaluation {
    fn trace(&self, position: &Position) -> EvaluationTrace {
        self.trace(position)
    }
}

impl<E: Traced<Position>> Traced<Position> for Heuristics<E> {
    fn trace(&self, position: &Position) -> EvaluationTrace {
        self.evaluator.trace(position)
    }
}

impl<E: Evaluator<Position>> Evaluator<Position> for Heuristics<E> {
    type State = E::State;
    type Cache = (EvaluationCache, E::Cache);

    fn state(&self, position: &Position) -> E::State {
        self.evaluator.state(position)
    }

    #[inline]
    fn advance(&self, played: PlayedMove<Position>, state: &E::State, next: &mut E::State) {
        self.evaluator.advance(played, state, next);
    }

    #[inline]
    fn prefetch(&self, position: &Position, (cache, _): &Self::Cache) {
        cache.prefetch(position);
    }

    #[inline]
    fn evaluate(
        &self,
        position: &Position,
        state: &E::State,
        (cache, below): &mut Self::Cache,
    ) -> Score {
        cache.get_or_evaluate(position, || self.evaluator.evaluate(position, state, below))
    }
}

impl<E: Sync> Tactics<Position> for Heuristics<E> {
    type Scratch = TacticsScratch;

    fn winning_steps(&self, position: &Position) -> Option<Vec<Step>> {
        let win = win(position.board(), position.side(), position.steps_left())?;
        Some(win.turn.steps().collect())
    }

    #[inline]
    fn wins(&self, position: &Position) -> bool {
        win(position.board(), position.side(), position.steps_left()).is_some()
    }

    /// A pass, where a rabbit stands on its goal row or the enemy has none left.
    #[inline]
    fn winning_end(&self, position: &Position) -> Option<Step> {
        let (board, side) = (position.board(), position.side());
        let has_won = board.has_goal(side) || board.rabbits(!side).is_empty();
        (has_won && !position.turn_starts()).then_some(Step::PASS)
    }

    #[inline]
    fn is_threatened(&self, position: &Position) -> bool {
        win(position.board(), !position.side(), WHOLE_TURN).is_some()
    }

    #[inline]
    fn has_defence(&self, position: &Position, scratch: &mut TacticsScratch) -> bool {
        scratch.threats.has_defence(position.board(), position.side())
    }

    fn few_defences(
        &self,
        position: &Position,
        scratch: &mut TacticsScratch,
    ) -> Option<TurnList<Step>> {
        let (board, side) = (position.board(), position.side());
        let defences = scratch.threats.few_defences(board, side, FEW)?;
        let mut turns = TurnList::new();
        defences.iter().for_each(|reached| turns.push(whole(reached.turn, WHOLE_TURN)));
        Some(turns)
    }

    /// By a threat-space search, where a rabbit has left its home rows or the enemy has few rabbits left.
    fn forced_win(
        &self,
        position: &Position,
        limits: ForcedWinLimits,
        scratch: &mut TacticsScratch,
    ) -> ForcedWinLook<Step> {
        let (side, table) = (position.side(), &self.threat_table);
        if !may_threaten(position.board(), side) {
            return ForcedWinLook::NoWin;
        }
        let TacticsScratch { threats, killers } = scratch;
        let mut search = ThreatSearch::new(side, threats, table, limits, Breadth::THREATS)
            .with_killers(mem::take(&mut killers[side]));
        let win = search.search(position.board(), FORCED_WIN_TURNS);
        let is_cut_off = search.must_stop();
        killers[side] = search.into_killers();
        match win {
            Some(ForcedWin { turn, turns }) => {
                let turn = whole(turn, WHOLE_TURN).collect();
                ForcedWinLook::Win(search::ForcedWin { turn, turns })
            }
            None if is_cut_off => ForcedWinLook::CutOff,
            None => ForcedWinLook::NoWin,
        }
    }

    fn capture_moves(&self, position: &Position, _: &mut TacticsScratch) -> TurnList<Step> {
        let mut moves = TurnList::new();
        ordered_captures(position).iter().for_each(|capture| moves.push(capture.turn.steps()));
        moves
    }

    /// The captures, those of the strongest pieces first.
    fn quiescence_turns(&self, position: &Position, _: &mut TacticsScratch) -> TurnList<Step> {
        let steps = position.steps_left();
        let mut turns = TurnList::new();
        let captures = ordered_captures(position);
        captures.iter().for_each(|capture| turns.push(whole(capture.turn, steps)));
        turns
    }
}

/// Whether a side may soon have several threats to win in a row: a rabbit has left its home rows, or two captures leave the
/// enemy without rabbits. A list of its threats takes milliseconds, and is empty on most other boards.
fn may_threaten(board: &Board, side: Side) -> bool {
    let [front, back] = if side == GOLD { [1, 0] } else { [6, 7] };
    let home = Bitboard::row(front) | Bitboard::row(back);
    board.rabbits(side).meets(!home) || board.rabbits(!side).len() <= FEW_RABBITS
}

/// A turn captures at most two rabbits.
const FEW_RABBITS: usize = 2;

/// The captures of the side to move, those of the strongest pieces first.
fn ordered_captures(position: &Position) -> Captures {
    let mut captures = captures(position.board(), position.side(), position.steps_left());
    captures.sort_by_key(|capture| (capture.lost, Reverse(capture.piece.kind)));
    captures
}

impl<E: Sync> StepOrdering<Position> for Heuristics<E> {
    fn ordering_score(&self, _: &Position, step: Step) -> i32 {
        ordering_score(step)
    }

    fn judge_steps(
        &self,
        position: &Position,
        previous: Option<Step>,
        steps: &mut [OrderedStep<Step>],
    ) {
        let (policy, context) = (StepPolicy::embedded(), StepContext::new(position, previous));
        for ordered in steps {
            let score = policy.score(&context, ordered.step);
            ordered.likelihood = score.clamp(-10_000, 10_000) as i16;
        }
    }
}

/// Pushes and pulls look better than single steps, a pass worse.
#[inline]
pub(crate) fn ordering_score(step: Step) -> i32 {
    match step.form() {
        Form::Push | Form::Pull => 500,
        Form::Single => 0,
        Form::Pass => -500,
    }
}

impl<E: Sync> TurnStructure<Position> for Heuristics<E> {
    const WHOLE_TURN: Steps = WHOLE_TURN;

    fn undoes(&self, before: &Position, first: Step, second: Step) -> bool {
        combo::undoes(before, first, second)
    }

    fn follows(&self, before: &Position, first: Step, second: Step) -> bool {
        combo::follows(before, first, second)
    }

    fn is_reversible(
        &self,
        start: &Position,
        before: &Position,
        last: Step,
        to_spare: Steps,
    ) -> bool {
        let mut after = *before.board();
        after.play(last, &mut ());
        let used = WHOLE_TURN.0 - before.steps_left().0 + last.cost().0;
        let steps = Steps(used.saturating_sub(to_spare.0));
        reversal::is_reversible(start.board(), &after, start.side(), steps)
    }

    fn null_move(&self, position: &Position) -> Option<Position> {
        Some(Position::new(*position.board(), !position.side()))
    }
}

impl<E: Sync> InitialProofNumbers<Position> for Heuristics<E> {}

/// The steps of a turn that had so many left, with the pass that ends it where it uses fewer.
pub(crate) fn whole(turn: Turn, left: Steps) -> impl Iterator<Item = Step> {
    turn.steps().chain((turn.cost() < left).then_some(Step::PASS))
}

#[cfg(test)]
mod tests {
    use game::Key;

    use super::*;

    /// The boards that a search for the forced win of a position looks at.
    fn boards_looked_at(heuristics: &Heuristics, position: &Position) -> u64 {
        let mut threats = ThreatGenerator::new();
        let limits =
            ForcedWinLimits { is_allowed: &|_| true, must_stop: &|| false, nodes: u64::MAX };
        let table = &heuristics.threat_table;
        let mut search =
            ThreatSearch::new(position.side(), &mut threats, table, limits, Breadth::THREATS);
        assert!(search.search(position.board(), FORCED_WIN_TURNS).is_some(), "{position}");
        search.nodes
    }

    #[test]
    fn forced_wins_stay_known_until_a_board_has_come_about_twice() {
        let puzzles = include_str!("../../../positions/puzzles/win-in-3.tsv");
        let mut rows =
            puzzles.lines().filter_map(|row| row.split('\t').find(|cell| cell.contains('[')));
        let position: Position = rows.next().expect("a puzzle").parse().expect("a position");
        let mut heuristics = Heuristics::default();
        let first = boards_looked_at(&heuristics, &position);
        let mut past = History::new();
        past.push(Key(7));
        heuristics.prepare(&past);
        let second = boards_looked_at(&heuristics, &position);
        assert!(second < first, "{second} boards, {first} before");
        past.push(Key(7));
        heuristics.prepare(&past);
        assert_eq!(boards_looked_at(&heuristics, &position), first);
    }
}
