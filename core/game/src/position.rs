use std::ops::ControlFlow;

use crate::{Key, PackedStep, Side, Steps};

/// A position inside a search: a board, whose turn it is and how much of the turn is left.
///
/// A turn is played step by step, and every step leads to a position. Positions are copied, not
/// undone. What only some searches want (an evaluation, an ordering of steps …) is a trait of its
/// own, beside the search that wants it.
pub trait Position: Clone {
    /// The atom of play.
    type Step: PackedStep;

    /// Whose turn it is.
    fn side(&self) -> Side;

    /// Whether no step of the turn has been played yet.
    fn turn_starts(&self) -> bool;

    /// Calls `visit` with each legal step, until there are no more or it asks to stop.
    ///
    /// Repetition of earlier turns is not looked at: it is the business of whoever knows the past.
    fn for_each_step(&self, visit: impl FnMut(Self::Step) -> ControlFlow<()>) -> ControlFlow<()>;

    /// The same for pseudo-legal steps, which may be sooner known: a step that [`Position::restores`] the board of the
    /// turn's start may be among them.
    #[inline]
    fn for_each_pseudo_legal_step(
        &self,
        visit: impl FnMut(Self::Step) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        self.for_each_step(visit)
    }

    /// Whether a pseudo-legal step that leads to the position `after` is not legal: it has ended the turn with the
    /// board that it began with.
    #[inline]
    fn restores(&self, _after: &Self) -> bool {
        false
    }

    /// Whether a step is legal.
    fn allows(&self, step: Self::Step) -> bool {
        let is_it =
            |legal| if legal == step { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
        self.for_each_step(is_it).is_break()
    }

    /// The position after a whole turn, if it is legal; repetition is not looked at.
    fn after_turn(&self, turn: &[Self::Step]) -> Option<Self> {
        let mut after = self.clone();
        for (index, &step) in turn.iter().enumerate() {
            // Nothing may follow the end of a turn.
            if index > 0 && after.turn_starts() || !after.allows(step) {
                return None;
            }
            after.play(step);
        }
        (!turn.is_empty() && after.turn_starts()).then_some(after)
    }

    /// How many steps of depth a step counts for.
    fn cost(&self, step: Self::Step) -> Steps;

    /// Whether steps of the turn have been played, but the board is the one that it began with:
    /// nothing is gained by going on from there.
    fn is_idle(&self) -> bool;

    /// Plays a step that [`Position::for_each_step`] lists.
    fn play(&mut self, step: Self::Step);

    /// What tables know the position by: the board, the side, what is left of the turn and, inside
    /// a turn, the board that the turn began with.
    fn key(&self) -> Key;

    /// What the rule of repetition counts the position by, at the start of a turn: its key, unless that
    /// tells apart what the rule does not.
    #[inline]
    fn repetition_key(&self) -> Key {
        self.key()
    }

    /// Who has won, if the game is over here.
    fn winner(&self) -> Option<Side>;
}
