//! What the searches are told of the game besides its rules.

use game::{Position as _, Score, Side, Steps};
use search::{Evaluator, InitialProofNumbers, StepOrdering, Tactics, TurnList, TurnStructure};

use super::rules::{Grid, Mark};

/// Sees what a turn can win, and what would have to be prevented.
pub struct Adept;

impl Evaluator<Grid> for Adept {
    type State = ();
    type Cache = ();

    fn state(&self, _: &Grid) {}

    fn evaluate(&self, grid: &Grid, (): &(), (): &mut ()) -> Score {
        let taboo = |side: Side| grid.taboo(side).count() as i32;
        Score(100 * (taboo(!grid.side) - taboo(grid.side)))
    }
}

impl TurnStructure<Grid> for Adept {
    const WHOLE_TURN: Steps = Steps(2);
}

impl Tactics<Grid> for Adept {
    type Scratch = ();

    fn winning_steps(&self, grid: &Grid) -> Option<Vec<Mark>> {
        // Only who marks the last cell has won with that very turn.
        if grid.free().count() > 2 {
            return None;
        }
        let wins = |after: &Grid| after.winner() == Some(grid.side);
        grid.turns().into_iter().find(|(_, after)| wins(after)).map(|(turn, _)| turn)
    }

    fn is_threatened(&self, grid: &Grid) -> bool {
        self.wins(&Grid { side: !grid.side, ..*grid })
    }

    fn has_defence(&self, grid: &Grid, (): &mut ()) -> bool {
        self.defences(grid).next().is_some()
    }

    fn few_defences(&self, grid: &Grid, (): &mut ()) -> Option<TurnList<Mark>> {
        let mut turns = TurnList::new();
        self.defences(grid).for_each(|turn| turns.push(turn));
        (turns.len() <= 20).then_some(turns)
    }
}

impl StepOrdering<Grid> for Adept {
    fn ordering_score(&self, grid: &Grid, step: Mark) -> i32 {
        // Marks that would be three in a row come last.
        match step {
            Mark::Cell(cell) => -i32::from(grid.taboo(grid.side).any(|taboo| taboo == cell)),
            Mark::None => 0,
        }
    }
}

impl InitialProofNumbers<Grid> for Adept {}

impl Adept {
    /// The turns after which the other side does not win with its next one.
    fn defences(&self, grid: &Grid) -> impl Iterator<Item = Vec<Mark>> {
        let holds = |after: &Grid| match after.winner() {
            Some(winner) => winner == grid.side,
            None => !self.wins(after),
        };
        grid.turns().into_iter().filter(move |(_, after)| holds(after)).map(|(turn, _)| turn)
    }
}
