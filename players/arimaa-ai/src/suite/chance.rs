//! Goals that could be scored in games.

use arimaa::{Action, Game, Position, Turn, WHOLE_TURN};
use game::Steps;

use crate::goal;

/// A position of a game in which the side to move could score a goal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Chance {
    /// The position.
    pub position: Position,
    /// The label of the turn: `34g`.
    pub label: String,
    /// How many steps the shortest goal takes.
    pub steps: Steps,
    /// What was played.
    pub played: Turn,
    /// Whether that was a goal.
    pub scored: bool,
}

/// The positions of a game in which the side to move could score a goal, whether it did or not.
pub fn chances(game: &Game) -> impl Iterator<Item = Chance> + '_ {
    game.actions().enumerate().filter_map(|(index, (position, action))| {
        let Action::Turn(played) = action else { return None };
        let goal = goal(position.board(), position.side(), WHOLE_TURN)?;
        let side = position.side();
        let mut after = *position;
        after.play_turn_unchecked(played);
        let label = format!("{}{}", index / 2 + 1, arimaa::side::letter(side));
        let scored = after.board().has_goal(side);
        Some(Chance { position: *position, label, steps: goal.steps, played, scored })
    })
}
