//! What a search may be told about a game besides its rules, in small traits. A search asks by its bounds
//! only for those that it needs. Most methods have a default: a search works without them, only less well.

use game::{Key, Position, Score, Steps, Turns};

use crate::TurnList;

/// Estimates positions, with a state that is kept up as steps are played.
pub trait Evaluator<P: Position>: Sync {
    /// What is carried from a position to the next: a tally, a net's accumulator. `()` costs nothing. It is of the
    /// board alone: a null move leaves it as it is.
    type State: Clone;

    /// The buffers of one thread.
    type Cache: Default;

    /// The state of a position, from scratch.
    fn state(&self, position: &P) -> Self::State;

    /// The state after a move, given the one before it; by default from scratch. It is written over what the place
    /// held, so that a large state is not moved about.
    #[inline]
    fn advance(&self, played: PlayedMove<P>, _state: &Self::State, next: &mut Self::State) {
        *next = self.state(played.after);
    }

    /// Plays a step and keeps the state up.
    #[inline]
    fn play(&self, position: &mut P, state: &mut Self::State, step: P::Step) {
        let (before, state_before) = (position.clone(), state.clone());
        position.play(step);
        let played = PlayedMove { before: &before, steps: &[step], after: position };
        self.advance(played, &state_before, state);
    }

    /// Hears of a position that may be evaluated next, to load what its cache has of it.
    #[inline]
    fn prefetch(&self, _position: &P, _cache: &Self::Cache) {}

    /// An estimate of how the side to move stands. The state is that of the position.
    fn evaluate(&self, position: &P, state: &Self::State, cache: &mut Self::Cache) -> Score;
}

/// A move of one or several steps of a turn that was played, with the positions before and after it.
#[derive(Clone, Copy, Debug)]
pub struct PlayedMove<'a, P: Position> {
    /// The position before.
    pub before: &'a P,
    /// The steps, in their order.
    pub steps: &'a [P::Step],
    /// The position after.
    pub after: &'a P,
}

/// What can be seen of a position without a search: wins within a turn, threats, defences, captures.
pub trait Tactics<P: Position>: Sync {
    /// The buffers of one thread.
    type Scratch: Default;

    /// The steps with which the side to move wins before its turn is over, if that can be seen
    /// without a search.
    fn winning_steps(&self, _position: &P) -> Option<Vec<P::Step>> {
        None
    }

    /// Whether there are such steps.
    fn wins(&self, position: &P) -> bool {
        self.winning_steps(position).is_some()
    }

    /// Inside a turn of a side that has won if it ends the turn here: the step that does so, or the first of several.
    fn winning_end(&self, _position: &P) -> Option<P::Step> {
        None
    }

    /// Whether the other side would win with its next turn if the board stayed as it is.
    fn is_threatened(&self, _position: &P) -> bool {
        false
    }

    /// Of a threatened position at the start of a turn: whether there is a turn after which the other
    /// side does not win with its next one.
    fn has_defence(&self, _position: &P, _scratch: &mut Self::Scratch) -> bool {
        true
    }

    /// All such turns, if they are few; each ends the turn.
    fn few_defences(
        &self,
        _position: &P,
        _scratch: &mut Self::Scratch,
    ) -> Option<TurnList<P::Step>> {
        None
    }

    /// Looks for a forced win of the side to move. Asked of the position after a turn that is about to be played.
    fn forced_win(
        &self,
        _position: &P,
        _limits: ForcedWinLimits,
        _scratch: &mut Self::Scratch,
    ) -> ForcedWinLook<P::Step> {
        ForcedWinLook::NoWin
    }

    /// The moves of several steps that are searched before single steps, such as captures. They need not end
    /// the turn.
    fn capture_moves(&self, _position: &P, _scratch: &mut Self::Scratch) -> TurnList<P::Step> {
        TurnList::new()
    }

    /// The turns that quiescence search looks at where the depth is used up, such as captures; each
    /// ends the turn.
    fn quiescence_turns(&self, _position: &P, _scratch: &mut Self::Scratch) -> TurnList<P::Step> {
        TurnList::new()
    }
}

/// A win by force.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ForcedWin<Step> {
    /// The steps of the first turn, to its end.
    pub turn: Vec<Step>,
    /// How many turns of its own the winner takes, at most.
    pub turns: Turns,
}

/// What a look for a forced win has found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ForcedWinLook<Step> {
    /// A forced win.
    Win(ForcedWin<Step>),
    /// There is none of the kind that is looked for: a longer look finds none either.
    NoWin,
    /// None was found within the limits.
    CutOff,
}

/// The limits of a search for a forced win.
#[derive(Clone, Copy)]
pub struct ForcedWinLimits<'a> {
    /// Whether the attacker may bring about the position of that repetition key.
    pub is_allowed: &'a (dyn Fn(Key) -> bool + Sync),
    /// Whether it is to end now.
    pub must_stop: &'a (dyn Fn() -> bool + Sync),
    /// How many positions may be looked at.
    pub nodes: u64,
}

/// A step, with what its place in the order of the search depends on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OrderedStep<Step> {
    /// Those with the highest score are searched first.
    pub score: i32,
    /// How likely it is the best one, as learned from games: the logarithm of its odds in hundredths. 0 for all, where
    /// nobody has asked.
    pub likelihood: i16,
    /// The step.
    pub step: Step,
}

/// Which steps are searched first.
pub trait StepOrdering<P: Position>: Sync {
    /// How good a step looks before it is searched; higher is better.
    fn ordering_score(&self, _position: &P, _step: P::Step) -> i32 {
        0
    }

    /// Sets the likelihood of each step of a position, if anything is known of it. `previous` is the step before in the
    /// same turn, if there is one.
    fn judge_steps(
        &self,
        _position: &P,
        _previous: Option<P::Step>,
        _steps: &mut [OrderedStep<P::Step>],
    ) {
    }

    /// The same for endgames: what proof-number search asks for with `ordering=endgame`.
    fn endgame_ordering_score(&self, position: &P, step: P::Step) -> i32 {
        self.ordering_score(position, step)
    }

    /// Whether a step changes little. Late move reductions and futility pruning are for such steps.
    fn is_quiet(&self, position: &P, step: P::Step) -> bool {
        self.ordering_score(position, step) <= 0
    }
}

/// How the steps of a turn hang together, and how long a turn is.
pub trait TurnStructure<P: Position>: Sync {
    /// What the steps of a whole turn cost.
    const WHOLE_TURN: Steps;

    /// Whether a step is equivalent to an earlier one by a symmetry of the board: true for all but one of such
    /// steps, and those are skipped.
    fn has_twin(&self, _position: &P, _step: P::Step) -> bool {
        false
    }

    /// Whether `second` takes back `first`, when they are played one after the other in the same turn,
    /// from the position `before` both.
    fn undoes(&self, _before: &P, _first: P::Step, _second: P::Step) -> bool {
        false
    }

    /// Whether `second` needs `first` before it, or would do something else without: both are parts
    /// of a step combo (Zhong 2005, 4.3.1). If not, the board is the same in whichever order they are
    /// played.
    fn follows(&self, _before: &P, _first: P::Step, _second: P::Step) -> bool {
        true
    }

    /// Whether the other side can bring back the board at the `start` of a turn with no more steps
    /// than the turn has used, less those `to_spare`, if it ends with the step `last` from the position `before` it.
    fn is_reversible(&self, _start: &P, _before: &P, _last: P::Step, _to_spare: Steps) -> bool {
        false
    }

    /// The position after a null move: the side to move gives up its whole turn, at its start. That
    /// need not be legal.
    fn null_move(&self, _position: &P) -> Option<P> {
        None
    }
}

/// The numbers with which proof-number search begins.
pub trait InitialProofNumbers<P: Position>: Sync {
    /// The proof number and the disproof number of a position that is not searched yet, for the side to
    /// move: roughly how many positions are to be proved before it has won, and before the other has.
    fn initial_numbers(&self, _position: &P) -> (u32, u32) {
        (1, 1)
    }
}

/// All that alpha-beta asks for.
pub trait AlphaBetaHeuristics<P: Position>:
    Evaluator<P> + Tactics<P> + StepOrdering<P> + TurnStructure<P>
{
}

impl<P, H> AlphaBetaHeuristics<P> for H
where
    P: Position,
    H: Evaluator<P> + Tactics<P> + StepOrdering<P> + TurnStructure<P>,
{
}

/// All that proof-number search asks for.
pub trait ProofNumberHeuristics<P: Position>:
    Evaluator<P> + Tactics<P> + StepOrdering<P> + TurnStructure<P> + InitialProofNumbers<P>
{
}

impl<P, H> ProofNumberHeuristics<P> for H
where
    P: Position,
    H: Evaluator<P> + Tactics<P> + StepOrdering<P> + TurnStructure<P> + InitialProofNumbers<P>,
{
}
