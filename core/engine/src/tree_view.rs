use game::Side;

use crate::Verdict;

/// A position in the tree of a search that counts visits, for those who look at it a node at a time.
#[derive(Clone, PartialEq, Debug)]
pub struct TreeView<Step> {
    /// Whose step it is.
    pub mover: Side,
    /// What is known of the position.
    pub node: TreeNode,
    /// Some of its moves, the best first, each with what is known of the position after it.
    pub children: Vec<(Vec<Step>, TreeNode)>,
}

/// What a search has counted about a position in its tree. Values and proofs of a view are all for its mover.
#[derive(Clone, PartialEq, Debug)]
pub struct TreeNode {
    /// How often it was visited.
    pub visits: u64,
    /// The mean of what was found below it, from -1 (lost) to 1 (won).
    pub value: f32,
    /// What was known of the move that leads to it before it was tried; the root has none.
    pub prior: Option<f32>,
    /// What it is for certain.
    pub proof: Option<Verdict>,
    /// How many moves it has; none, as long as it is a leaf.
    pub children: usize,
}
