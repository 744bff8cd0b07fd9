//! The tree of a best-first search for those who look at it, a vertex at a time.

use game::Side;

use super::numbers::INFINITE;
use super::tree::{Flags, ROOT, Tree, VertexId};

/// What is known of a position in the tree.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct VertexView {
    /// Whose step it is.
    pub mover: Side,
    /// For each side, at least how many positions are to be proved before it has won; nothing, where it cannot.
    pub to_win: [Option<u32>; 2],
    /// Who wins, if that is proved, and in how many of its own turns.
    pub won: Option<(Side, u16)>,
    /// How many expansions there were below it.
    pub visits: u32,
    /// How many children it has.
    pub children: usize,
}

/// A child and the packed step that leads to it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ChildView {
    /// The step.
    pub step: u16,
    /// What is known of the position after it.
    pub vertex: VertexView,
}

impl Tree {
    fn view(&self, id: VertexId) -> VertexView {
        let vertex = self.vertex(id);
        let to_win = |side| Some(vertex.numbers.to_win(side)).filter(|&number| number < INFINITE);
        VertexView {
            mover: vertex.mover(),
            to_win: Side::ALL.map(to_win),
            won: vertex.numbers.winner().map(|winner| (winner, vertex.turns)),
            visits: vertex.visits,
            children: if vertex.flags.has(Flags::EXPANDED) { self.children(id).count() } else { 0 },
        }
    }

    /// The position that packed steps lead to from the root, and some of its children, the most promising first: the
    /// first one is where a search goes. Nothing, if it is not in the tree.
    pub(crate) fn look(
        &self,
        path: &[u16],
        from: usize,
        count: usize,
    ) -> Option<(VertexView, Vec<ChildView>)> {
        if self.size() == 0 {
            return None;
        }
        let mut id = ROOT;
        for &wanted in path {
            (id, _) = self.children(id).find(|&(_, step)| step == wanted)?;
        }
        let mover = self.vertex(id).mover();
        let mut children: Vec<(VertexId, u16)> = self.children(id).collect();
        // The sort is stable: of equal ones, the search goes to the first.
        children.sort_by_key(|&(child, _)| self.vertex(child).branch().rank(mover));
        let children = children.into_iter().skip(from).take(count);
        let children = children.map(|(child, step)| ChildView { step, vertex: self.view(child) });
        Some((self.view(id), children.collect()))
    }
}
