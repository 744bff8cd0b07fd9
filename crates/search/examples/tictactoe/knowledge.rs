//! What the searches are told of the game besides its rules.

use game::{Position as _, Score, Side, Steps};
use search::Knowledge;

use super::rules::{Grid, Mark};

/// Nothing but what must be told: an estimate, and how long a turn is.
pub struct Novice;

impl Knowledge<Grid> for Novice {
    type Scratch = ();

    const WHOLE_TURN: Steps = Steps(2);

    fn evaluate(&self, grid: &Grid, (): &mut ()) -> Score {
        let taboo = |side: Side| grid.taboo(side).count() as i32;
        Score(100 * (taboo(!grid.side) - taboo(grid.side)))
    }
}

/// Sees what a turn can win, and what would have to be prevented.
pub struct Adept;

impl Knowledge<Grid> for Adept {
    type Scratch = ();

    const WHOLE_TURN: Steps = Novice::WHOLE_TURN;

    fn evaluate(&self, grid: &Grid, (): &mut ()) -> Score {
        Novice.evaluate(grid, &mut ())
    }

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

    fn few_defences(&self, grid: &Grid, (): &mut ()) -> Option<search::Turns<Mark>> {
        let mut turns = search::Turns::new();
        self.defences(grid).for_each(|turn| turns.push(turn));
        (turns.len() <= 20).then_some(turns)
    }

    fn promise(&self, grid: &Grid, step: Mark) -> i32 {
        // Marks that would be three in a row come last.
        match step {
            Mark::Cell(cell) => -i32::from(grid.taboo(grid.side).any(|taboo| taboo == cell)),
            Mark::None => 0,
        }
    }
}

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
