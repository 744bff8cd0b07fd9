use std::cmp::Reverse;

use arimaa::{Form, Position, Step, Turn, WHOLE_TURN};
use engine::{EvaluationTrace, Traced};
use game::{Score, Steps, Turns};
use search::{
    Evaluator, ForcedWin, ForcedWinLimits, InitialProofNumbers, OrderedStep, PlayedMove,
    StepOrdering, Tactics, TurnList, TurnStructure,
};

use crate::evaluation_cache::EvaluationCache;
use crate::zhong::{Tally, Zhong};
use crate::{
    Breadth, Captures, Evaluation, StepContext, StepPolicy, ThreatGenerator, ThreatSearch,
    ThreatTable, captures, combo, reversal, win,
};

/// What the searches are told about Arimaa: tactics, the order of steps, the structure of a turn, and an
/// evaluation with a cache before it.
#[derive(Clone, Debug)]
pub struct Heuristics<E = Evaluation> {
    /// The evaluation.
    pub evaluator: E,
}

impl Default for Heuristics {
    fn default() -> Heuristics {
        Heuristics { evaluator: Evaluation::default() }
    }
}

/// The buffers of one thread for tactics.
#[derive(Default, Debug)]
pub struct TacticsScratch {
    threats: ThreatGenerator,
    /// What is known of forced wins; made when one is first looked for.
    forced_wins: Option<ThreatTable>,
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

/// The evaluation of Zhong's thesis keeps its [`Tally`] while steps are played.
impl Evaluator<Position> for Zhong {
    type State = Tally;
    type Cache = ();

    fn state(&self, position: &Position) -> Tally {
        Tally::of(position.board())
    }

    #[inline]
    fn advance(&self, played: PlayedMove<Position>, tally: &Tally, next: &mut Tally) {
        next.clone_from(tally);
        let mut position = *played.before;
        played.steps.iter().for_each(|&step| position.play_observed(step, next));
    }

    #[inline]
    fn evaluate(&self, position: &Position, tally: &Tally, (): &mut ()) -> Score {
        self.score(position.board(), tally, position.side(), position.steps_left())
    }
}

impl Traced<Position> for Evaluation {
    fn trace(&self, position: &Position) -> EvaluationTrace {
        self.trace(position)
    }
}

impl Traced<Position> for Zhong {
    fn trace(&self, position: &Position) -> EvaluationTrace {
        let (board, side, steps) = (position.board(), position.side(), position.steps_left());
        self.trace(board, side, steps)
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

    /// By a threat-space search.
    fn forced_win(
        &self,
        position: &Position,
        limits: ForcedWinLimits,
        scratch: &mut TacticsScratch,
    ) -> Option<ForcedWin<Step>> {
        let TacticsScratch { threats, forced_wins } = scratch;
        let table = forced_wins.get_or_insert_with(|| ThreatTable::new(1));
        table.clear();
        let side = position.side();
        let mut search = ThreatSearch::new(side, threats, table, limits, Breadth::THREATS);
        let win = search.search(position.board(), FORCED_WIN_TURNS)?;
        Some(ForcedWin { turn: whole(win.turn, WHOLE_TURN).collect(), turns: win.turns })
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

    fn is_reversible(&self, start: &Position, before: &Position, last: Step) -> bool {
        let mut after = *before.board();
        after.play(last, &mut ());
        let used = WHOLE_TURN.0 - before.steps_left().0 + last.cost().0;
        reversal::is_reversible(start.board(), &after, start.side(), Steps(used))
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
