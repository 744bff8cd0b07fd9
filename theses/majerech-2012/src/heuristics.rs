use arimaa::{Position, Step, WHOLE_TURN};
use arimaa_ai::{Heuristics, TacticsScratch};
use game::{Score, Steps};
use search::{Evaluator, InitialProofNumbers, StepOrdering, Tactics, TurnList, TurnStructure};

use crate::LambdaPosition;
use crate::ordering::ordering_score;

/// What the search is told about Arimaa: the order of steps of the thesis, and besides what Tusk knows, for searches whose
/// parameters ask for it.
#[derive(Debug, Default)]
pub struct ApnsHeuristics(Heuristics);

/// A position that is searched: with steps that are given up one by one, or all at once.
pub trait Vertex: game::Position<Step = Step> + Sync {
    /// Whether the defences of a turn may be listed: they end it at once.
    const HAS_WHOLE_TURNS: bool;

    /// The position.
    fn position(&self) -> &Position;
}

impl Vertex for Position {
    const HAS_WHOLE_TURNS: bool = true;

    fn position(&self) -> &Position {
        self
    }
}

impl Vertex for LambdaPosition {
    const HAS_WHOLE_TURNS: bool = false;

    fn position(&self) -> &Position {
        self.as_ref()
    }
}

impl<P: Vertex> Evaluator<P> for ApnsHeuristics {
    type State = ();
    type Cache = <Heuristics as Evaluator<Position>>::Cache;

    fn state(&self, _: &P) {}

    fn evaluate(&self, position: &P, (): &(), cache: &mut Self::Cache) -> Score {
        self.0.evaluate(position.position(), &(), cache)
    }
}

impl<P: Vertex> Tactics<P> for ApnsHeuristics {
    type Scratch = TacticsScratch;

    fn winning_steps(&self, position: &P) -> Option<Vec<Step>> {
        self.0.winning_steps(position.position())
    }

    fn wins(&self, position: &P) -> bool {
        self.0.wins(position.position())
    }

    fn winning_end(&self, position: &P) -> Option<Step> {
        self.0.winning_end(position.position())
    }

    fn is_threatened(&self, position: &P) -> bool {
        self.0.is_threatened(position.position())
    }

    fn has_defence(&self, position: &P, scratch: &mut TacticsScratch) -> bool {
        self.0.has_defence(position.position(), scratch)
    }

    fn few_defences(&self, position: &P, scratch: &mut TacticsScratch) -> Option<TurnList<Step>> {
        let position = P::HAS_WHOLE_TURNS.then(|| position.position())?;
        self.0.few_defences(position, scratch)
    }
}

impl<P: Vertex> StepOrdering<P> for ApnsHeuristics {
    fn ordering_score(&self, position: &P, step: Step) -> i32 {
        self.0.ordering_score(position.position(), step)
    }

    /// Table 4.1.
    fn endgame_ordering_score(&self, position: &P, step: Step) -> i32 {
        let position = position.position();
        ordering_score(position.board(), position.side(), step)
    }
}

impl<P: Vertex> TurnStructure<P> for ApnsHeuristics {
    const WHOLE_TURN: Steps = WHOLE_TURN;
}

impl<P: Vertex> InitialProofNumbers<P> for ApnsHeuristics {}
