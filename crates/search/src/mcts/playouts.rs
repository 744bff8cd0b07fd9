//! What Monte-Carlo tree search asks of a game: random play from a leaf, and what is known of a step.

use game::Position;

use crate::StepHistory;

/// Random play from a leaf of the tree to a position that is evaluated.
pub trait Playouts<P: Position>: Sync {
    /// The buffers of one thread, and what it learns in a search: the turns of a move advisor.
    type Scratch: Default;

    /// Plays on by chance from a position in which the game goes on. Says how the side to move there stands in the
    /// end, from -1 (lost) to 1 (won). `played` hears of each step, with the position before it; RAVE needs that.
    fn playout(
        &self,
        request: PlayoutRequest<P>,
        random: &mut fastrand::Rng,
        scratch: &mut Self::Scratch,
        played: impl FnMut(&P, P::Step),
    ) -> f32;

    /// Hears of a position that was expanded in the tree. A move advisor looks for tactical turns there.
    fn expanded(&self, _position: &P, _scratch: &mut Self::Scratch) {}

    /// Forgets what it has learned: a new search begins.
    fn new_search(&self, _scratch: &mut Self::Scratch) {}
}

/// Where a playout begins, and what the tree knows.
pub struct PlayoutRequest<'a, P: Position> {
    /// The position of the leaf.
    pub position: &'a P,
    /// The step that led to it, if there was one.
    pub previous: Option<P::Step>,
    /// How steps have done in the tree.
    pub history: &'a StepHistory,
}

impl<P: Position> Clone for PlayoutRequest<'_, P> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<P: Position> Copy for PlayoutRequest<'_, P> {}

/// What is known of a step before it is tried.
pub trait StepKnowledge<P: Position>: Sync {
    /// How good a step looks: 0 for a usual one, 1 for a good one, 5 for a capture. `previous` is the step that was
    /// played last, by whichever side.
    fn step_knowledge(&self, position: &P, step: P::Step, previous: Option<P::Step>) -> f32;
}
