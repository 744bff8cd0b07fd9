use super::numbers::NEVER;
use super::tree::{Flags, ROOT, Tree, VertexId};

/// Makes room in a tree until it has no more than `low` vertices (Majerech 2012, 4.4): what is below decided
/// positions goes first, then what is least promising, the deepest of it first. The way to the most
/// proving position stays, however low the mark is: a search that loses it would find it again and again.
///
/// The numbers of what remains are kept, and what is gone can be searched again.
pub(crate) fn collect(tree: &mut Tree, low: usize) {
    for id in tree.all_places() {
        let vertex = tree.vertex(id);
        let has_proof = vertex.is_decided() && vertex.flags.has(Flags::EXPANDED);
        if id != ROOT && tree.has(id) && has_proof {
            tree.remove_below(id);
        }
    }
    let way: Vec<VertexId> =
        std::iter::successors(Some(ROOT), |&id| most_proving(tree, id)).collect();
    way.iter().for_each(|&id| tree.vertex_mut(id).flags.set(Flags::STAYS, true));
    for &id in &way {
        while tree.size() > low
            && let Some(child) = worst(tree, id)
        {
            collect_below(tree, child, low);
        }
    }
    way.iter().for_each(|&id| tree.vertex_mut(id).flags.set(Flags::STAYS, false));
}

/// Removes what is below a vertex, until the tree is small enough.
fn collect_below(tree: &mut Tree, id: VertexId, low: usize) {
    let mut way = vec![id];
    while tree.size() > low
        && let Some(&id) = way.last()
    {
        match worst(tree, id) {
            Some(child) => way.push(child),
            None => {
                tree.remove_below(id);
                way.pop();
            }
        }
    }
}

/// How much is to be done for a child, in the eyes of who chooses it.
fn badness(tree: &Tree, id: VertexId, child: VertexId) -> u32 {
    match tree.vertex(child).numbers.to_win(tree.vertex(id).mover()) {
        // Lost: nothing is less promising.
        NEVER => u32::MAX,
        number => number,
    }
}

/// The child that a search goes to, if it has children.
fn most_proving(tree: &Tree, id: VertexId) -> Option<VertexId> {
    let best = tree.children(id).min_by_key(|&(child, _)| badness(tree, id, child));
    best.map(|(child, _)| child).filter(|&child| tree.vertex(child).flags.has(Flags::EXPANDED))
}

/// The least promising child that has children and need not stay.
fn worst(tree: &Tree, id: VertexId) -> Option<VertexId> {
    let flags = |child: VertexId| tree.vertex(child).flags;
    let children = tree.children(id).map(|(child, _)| child);
    let can_go =
        |&child: &VertexId| flags(child).has(Flags::EXPANDED) && !flags(child).has(Flags::STAYS);
    children.filter(can_go).max_by_key(|&child| badness(tree, id, child))
}
