use std::fmt::Debug;

use arrayvec::ArrayVec;
use game::Position;

use crate::MOST_ACTIVE;

/// Features that are active at once.
pub type Features = ArrayVec<u16, MOST_ACTIVE>;

/// What the inputs of a net are, for its file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct InputShape {
    /// What the net evaluates, such as `arimaa`.
    pub model: &'static str,
    /// The name of the feature set.
    pub name: &'static str,
    /// It is raised when a feature comes to mean something else.
    pub version: u32,
    /// How many features there are.
    pub count: usize,
    /// How many sets of output weights there are.
    pub buckets: usize,
}

/// How the positions of a game become the inputs of a net. Training and inference enumerate features by
/// this one trait.
pub trait Inputs {
    /// A position of the game.
    type Position;

    /// What the inputs are, with the usual number of buckets.
    const SHAPE: InputShape;

    /// The numbers of buckets that a net may have: [`Inputs::bucket`] divides positions by each of them. Files say which
    /// one it is.
    const BUCKETS: &'static [usize] = &[Self::SHAPE.buckets];

    /// Calls `visit` with each active feature, as the side to move sees the position: at most
    /// [`crate::MOST_ACTIVE`].
    fn for_each_feature(position: &Self::Position, visit: impl FnMut(u16));

    /// Which set of output weights is used by a net with `buckets` of them, a number of [`Inputs::BUCKETS`].
    fn bucket(position: &Self::Position, buckets: usize) -> usize;

    /// The same feature, as the other side sees it.
    fn seen_by_other(feature: u16) -> u16;

    /// The same feature on a board whose left and right are exchanged: that is worth the same.
    fn mirrored(feature: u16) -> u16;
}

/// Inputs whose accumulators are kept up as steps are played.
pub trait IncrementalInputs: Inputs<Position: Position> {
    /// What is kept besides the position, to know its features sooner. `()`, if nothing is.
    type View: Clone + PartialEq + Debug;

    /// What is kept of a position.
    fn view(position: &Self::Position) -> Self::View;

    /// What changes between the positions before and after some steps: adds the features that they take away to
    /// `removed`, and those that they bring to `added`, as the first side sees them. The view is that of the
    /// position before; returns the one of the position after.
    fn changes(
        positions: [&Self::Position; 2],
        view: &Self::View,
        steps: &[<Self::Position as Position>::Step],
        removed: &mut Features,
        added: &mut Features,
    ) -> Self::View;

    /// Each piece by its name, with its feature as the mover sees it.
    fn pieces(position: &Self::Position) -> Vec<(String, u16)>;
}
