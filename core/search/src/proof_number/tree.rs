//! The tree of a best-first search: vertices, edges, and garbage collection.

use game::{Key, Side};

use super::backup::{Branch, Standing};
use super::numbers::{Decided, INFINITE, ProofNumbers};
use super::tree_index::TreeIndex;
use crate::hash_table::{prefetch, use_large_pages};

/// The tree of a best-first search, in memory of a fixed size.
///
/// Across turns it is a tree. Within a turn, positions with the same key are one vertex with several
/// parents: in whatever order the steps are played, they lead to the same position on the same path.
#[derive(Debug)]
pub(crate) struct Tree {
    vertices: Vec<Vertex>,
    edges: Vec<Edge>,
    /// The vertices by the turn and the key.
    index: TreeIndex,
    free_vertex: VertexId,
    free_edge: EdgeId,
    /// How many vertices and edges there are.
    size: usize,
    edge_count: usize,
    most_vertices: usize,
    most_edges: usize,
}

/// The number of a vertex in memory; [`NONE`] is none.
pub(crate) type VertexId = u32;

/// The number of an edge.
pub(crate) type EdgeId = u32;

pub(crate) const NONE: u32 = u32::MAX;

/// The root is never removed.
pub(crate) const ROOT: VertexId = 0;

#[derive(Clone, Copy, Debug)]
pub(crate) struct Vertex {
    pub(crate) key: Key,
    pub(crate) numbers: ProofNumbers,
    /// The first edges to children and from parents.
    pub(crate) children: EdgeId,
    pub(crate) parents: EdgeId,
    /// The start of the turn that led here or is under way; of a removed vertex, the next that is free.
    pub(crate) turn: VertexId,
    /// How many expansions there were below it.
    pub(crate) visits: u32,
    /// If it is decided, the turns that the winner needs.
    pub(crate) turns: u16,
    /// How many steps it is from the root: the deepest vertices are updated first.
    pub(crate) level: u16,
    /// The most vertices on a way down from it.
    pub(crate) height: u8,
    pub(crate) standing: Standing,
    pub(crate) flags: Flags,
}

const _: () = assert!(size_of::<Vertex>() == 40);

/// Facts about a vertex.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Flags(pub(crate) u8);

impl Flags {
    /// It is the second side's turn.
    pub(crate) const SECOND_SIDE: Flags = Flags(1);
    /// A turn starts here.
    pub(crate) const TURN_STARTS: Flags = Flags(2);
    /// Its children are in the tree, unless there are none.
    pub(crate) const EXPANDED: Flags = Flags(4);
    /// The path forbids one of its children.
    pub(crate) const PATH_CUT: Flags = Flags(8);
    /// Its proof is path-dependent.
    pub(crate) const PATH_DEPENDENT: Flags = Flags(16);
    /// It is queued for an update.
    pub(crate) const QUEUED: Flags = Flags(32);
    /// During garbage collection: it is on the way to the most proving position.
    pub(crate) const ON_BEST_PATH: Flags = Flags(64);

    pub(crate) fn has(self, flag: Flags) -> bool {
        self.0 & flag.0 != 0
    }

    pub(crate) fn set(&mut self, flag: Flags, value: bool) {
        self.0 = if value { self.0 | flag.0 } else { self.0 & !flag.0 };
    }

    pub(crate) fn with(mut self, flag: Flags, value: bool) -> Flags {
        self.set(flag, value);
        self
    }
}

#[derive(Clone, Copy, Debug)]
struct Edge {
    parent: VertexId,
    child: VertexId,
    /// The next child of the parent, or the next free edge.
    next_child: EdgeId,
    next_parent: EdgeId,
    step: u16,
}

const _: () = assert!(size_of::<Edge>() == 20);

/// There is room for so many edges a vertex: a vertex inside a turn has several parents.
const EDGES_A_VERTEX: usize = 3;

/// The memory of a vertex with its edges.
const BYTES_A_VERTEX: usize = size_of::<Vertex>() + EDGES_A_VERTEX * size_of::<Edge>();

impl Vertex {
    /// A vertex that was not expanded.
    pub(crate) fn new(key: Key, side: Side, starts: bool, branch: Branch) -> Vertex {
        let flags = Flags::default()
            .with(Flags::SECOND_SIDE, side == Side::Second)
            .with(Flags::TURN_STARTS, starts)
            .with(Flags::PATH_DEPENDENT, branch.path_dependent);
        Vertex {
            key,
            numbers: branch.numbers,
            children: NONE,
            parents: NONE,
            turn: NONE,
            visits: 1,
            turns: branch.turns,
            level: 0,
            height: 0,
            standing: Standing::Even,
            flags,
        }
    }

    pub(crate) fn mover(&self) -> Side {
        if self.flags.has(Flags::SECOND_SIDE) { Side::Second } else { Side::First }
    }

    pub(crate) fn is_decided(&self) -> bool {
        self.numbers.winner().is_some()
    }

    pub(crate) fn decide(&mut self, decided: Decided) {
        self.numbers = ProofNumbers::decided(decided.winner);
        self.turns = decided.turns;
        self.flags.set(Flags::PATH_DEPENDENT, decided.path_dependent);
    }

    /// As a child of its parent.
    pub(crate) fn branch(&self) -> Branch {
        Branch {
            numbers: self.numbers,
            turns: self.turns,
            path_dependent: self.flags.has(Flags::PATH_DEPENDENT),
            ends_turn: self.flags.has(Flags::TURN_STARTS),
        }
    }
}

impl Tree {
    /// An empty tree that never takes more than so many MiB.
    pub(crate) fn new(mebibytes: usize) -> Tree {
        let index = TreeIndex::new((mebibytes << 20) / BYTES_A_VERTEX);
        let most = Tree::most_vertices_in(mebibytes);
        let (vertices, edges) =
            (Vec::with_capacity(most), Vec::with_capacity(most * EDGES_A_VERTEX));
        use_large_pages(&vertices);
        use_large_pages(&edges);
        Tree {
            vertices,
            edges,
            index,
            free_vertex: NONE,
            free_edge: NONE,
            size: 0,
            edge_count: 0,
            most_vertices: most,
            most_edges: most * EDGES_A_VERTEX,
        }
    }

    /// The most vertices of a tree of `mebibytes`.
    pub(crate) fn most_vertices_in(mebibytes: usize) -> usize {
        let bytes = mebibytes << 20;
        let most = bytes.saturating_sub(TreeIndex::bytes_for(bytes / BYTES_A_VERTEX));
        (most / BYTES_A_VERTEX).clamp(1, NONE as usize / EDGES_A_VERTEX)
    }

    /// How much memory it takes, used or not.
    pub(crate) fn bytes(&self) -> usize {
        self.vertices.capacity() * size_of::<Vertex>()
            + self.edges.capacity() * size_of::<Edge>()
            + self.index.bytes()
    }

    /// How many vertices there are.
    pub(crate) fn size(&self) -> usize {
        self.size
    }

    /// How many there can be.
    pub(crate) fn most_vertices(&self) -> usize {
        self.most_vertices
    }

    /// Whether so many more vertices fit, with an edge each.
    pub(crate) fn has_room(&self, count: usize) -> bool {
        self.size + count <= self.most_vertices && self.edge_count + count <= self.most_edges
    }

    /// Whether so many edges fit.
    pub(crate) fn has_room_for_edges(&self, count: usize) -> bool {
        count <= self.most_edges
    }

    /// Removes everything.
    pub(crate) fn clear(&mut self) {
        self.vertices.clear();
        self.edges.clear();
        self.index.clear();
        (self.free_vertex, self.free_edge) = (NONE, NONE);
        (self.size, self.edge_count) = (0, 0);
    }

    pub(crate) fn vertex(&self, id: VertexId) -> &Vertex {
        &self.vertices[id as usize]
    }

    pub(crate) fn vertex_mut(&mut self, id: VertexId) -> &mut Vertex {
        &mut self.vertices[id as usize]
    }

    /// The turn that is under way in a vertex.
    pub(crate) fn turn_of(&self, id: VertexId) -> VertexId {
        let vertex = self.vertex(id);
        if vertex.flags.has(Flags::TURN_STARTS) || id == ROOT { id } else { vertex.turn }
    }

    /// The keys at the starts of turns on the way to a vertex, its own included, but not the root's.
    pub(crate) fn path_to(&self, id: VertexId) -> impl Iterator<Item = Key> {
        let first = Some(self.turn_of(id)).filter(|&turn| turn != ROOT);
        let before = |&turn: &VertexId| Some(self.vertex(turn).turn).filter(|&turn| turn != ROOT);
        std::iter::successors(first, before).map(|turn| self.vertex(turn).key)
    }

    /// The children of a vertex with their steps, the most promising first.
    pub(crate) fn children(&self, id: VertexId) -> impl Iterator<Item = (VertexId, u16)> {
        let edge = |id: EdgeId| self.edges.get(id as usize);
        let first = edge(self.vertex(id).children);
        std::iter::successors(first, move |last| edge(last.next_child))
            .map(|edge| (edge.child, edge.step))
    }

    /// The parents of a vertex.
    pub(crate) fn parents(&self, id: VertexId) -> impl Iterator<Item = VertexId> {
        let edge = |id: EdgeId| self.edges.get(id as usize);
        let first = edge(self.vertex(id).parents);
        std::iter::successors(first, move |last| edge(last.next_parent)).map(|edge| edge.parent)
    }

    /// The numbers of all vertices, those that were removed included.
    pub(crate) fn all_ids(&self) -> std::ops::Range<VertexId> {
        0..self.vertices.len() as VertexId
    }

    /// Whether a vertex is in the tree.
    pub(crate) fn has(&self, id: VertexId) -> bool {
        id == ROOT || self.vertex(id).parents != NONE
    }

    /// Loads the place of a key in the index into the processor's cache.
    pub(crate) fn prefetch(&self, turn: VertexId, key: Key) {
        self.index.prefetch(turn, key);
    }

    /// The vertex of that key that a turn has led to.
    pub(crate) fn find(&self, turn: VertexId, key: Key) -> Option<VertexId> {
        self.index.find(turn, key, |id| {
            let vertex = self.vertex(id);
            vertex.turn == turn && vertex.key == key
        })
    }

    /// Adds a vertex that a turn has led to; there must be room.
    pub(crate) fn add(&mut self, turn: VertexId, vertex: Vertex) -> VertexId {
        let vertex = Vertex { turn, ..vertex };
        let id = match self.free_vertex {
            NONE => {
                self.vertices.push(vertex);
                self.vertices.len() as VertexId - 1
            }
            free => {
                self.free_vertex = self.vertex(free).turn;
                self.vertices.get(self.free_vertex as usize).inspect(|next| prefetch(*next));
                *self.vertex_mut(free) = vertex;
                free
            }
        };
        self.index.add(turn, vertex.key, id);
        self.size += 1;
        id
    }

    /// Adds an edge after the last child, which [`Tree::add_edge`] has returned; there must be room.
    pub(crate) fn add_edge(
        &mut self,
        parent: VertexId,
        child: VertexId,
        step: u16,
        last: EdgeId,
    ) -> EdgeId {
        let next_parent = self.vertex(child).parents;
        let edge = Edge { parent, child, next_child: NONE, next_parent, step };
        let id = match self.free_edge {
            NONE => {
                self.edges.push(edge);
                self.edges.len() as EdgeId - 1
            }
            free => {
                self.free_edge = self.edges[free as usize].next_child;
                self.edges.get(self.free_edge as usize).inspect(|next| prefetch(*next));
                self.edges[free as usize] = edge;
                free
            }
        };
        match last {
            NONE => self.vertex_mut(parent).children = id,
            last => self.edges[last as usize].next_child = id,
        }
        self.vertex_mut(child).parents = id;
        self.edge_count += 1;
        id
    }

    /// Removes everything below a vertex that has no other parents.
    pub(crate) fn remove_below(&mut self, id: VertexId) {
        let mut todo = vec![id];
        while let Some(id) = todo.pop() {
            // Half of the time went into waiting for memory here.
            self.children(id).for_each(|(child, _)| prefetch(self.vertex(child)));
            for (child, _) in self.children(id) {
                let Vertex { turn, key, .. } = *self.vertex(child);
                self.index.prefetch(turn, key);
            }
            let mut edge = std::mem::replace(&mut self.vertex_mut(id).children, NONE);
            self.vertex_mut(id).flags.set(Flags::EXPANDED, false);
            while edge != NONE {
                let Edge { child, next_child, .. } = self.edges[edge as usize];
                self.remove_from_parents(child, edge);
                self.edges[edge as usize].next_child = self.free_edge;
                self.free_edge = edge;
                self.edge_count -= 1;
                if self.vertex(child).parents == NONE {
                    // Its own children first, as long as it is known who they are.
                    let Vertex { turn, key, .. } = *self.vertex(child);
                    self.index.remove(turn, key, child);
                    todo.push(child);
                }
                edge = next_child;
            }
            if id != ROOT && self.vertex(id).parents == NONE {
                let free = self.free_vertex;
                self.vertex_mut(id).turn = free;
                self.free_vertex = id;
                self.size -= 1;
            }
        }
    }

    fn remove_from_parents(&mut self, child: VertexId, gone: EdgeId) {
        let after = self.edges[gone as usize].next_parent;
        let mut edge = self.vertex(child).parents;
        if edge == gone {
            self.vertex_mut(child).parents = after;
            return;
        }
        while self.edges[edge as usize].next_parent != gone {
            edge = self.edges[edge as usize].next_parent;
        }
        self.edges[edge as usize].next_parent = after;
    }
}

/// Garbage collection: removes vertices until `low` are left (Majerech 2012, 4.4). What is below decided
/// positions goes first, then what is least promising, the deepest of it first. The `way` that the search is on and its
/// continuation to the most proving position stay, however low the mark is: a search that loses them would build them
/// again and again.
///
/// What remains keeps its numbers, and what is gone can be searched again.
pub(crate) fn collect_garbage(tree: &mut Tree, low: usize, way: &[VertexId]) {
    for id in tree.all_ids() {
        let vertex = tree.vertex(id);
        let has_proof = vertex.is_decided() && vertex.flags.has(Flags::EXPANDED);
        if id != ROOT && tree.has(id) && has_proof {
            tree.remove_below(id);
        }
    }
    let (&end, begin) = way.split_last().unwrap_or((&ROOT, &[]));
    let rest = std::iter::successors(Some(end), |&id| most_proving(tree, id));
    let way: Vec<VertexId> = begin.iter().copied().chain(rest).collect();
    way.iter().for_each(|&id| tree.vertex_mut(id).flags.set(Flags::ON_BEST_PATH, true));
    for &id in &way {
        while tree.size() > low
            && let Some(child) = worst(tree, id)
        {
            collect_below(tree, child, low);
        }
    }
    way.iter().for_each(|&id| tree.vertex_mut(id).flags.set(Flags::ON_BEST_PATH, false));
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

/// The number of a child for the side that chooses it.
fn badness(tree: &Tree, id: VertexId, child: VertexId) -> u32 {
    match tree.vertex(child).numbers.to_win(tree.vertex(id).mover()) {
        // Lost: nothing is less promising.
        INFINITE => u32::MAX,
        number => number,
    }
}

/// The child that a search goes to, if it has children.
fn most_proving(tree: &Tree, id: VertexId) -> Option<VertexId> {
    let best = tree.children(id).min_by_key(|&(child, _)| badness(tree, id, child));
    best.map(|(child, _)| child).filter(|&child| tree.vertex(child).flags.has(Flags::EXPANDED))
}

/// The least promising child that has children and may be removed.
fn worst(tree: &Tree, id: VertexId) -> Option<VertexId> {
    let flags = |child: VertexId| tree.vertex(child).flags;
    let children = tree.children(id).map(|(child, _)| child);
    let can_go = |&child: &VertexId| {
        flags(child).has(Flags::EXPANDED) && !flags(child).has(Flags::ON_BEST_PATH)
    };
    children.filter(can_go).max_by_key(|&child| badness(tree, id, child))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn vertex(key: u64) -> Vertex {
        let numbers = ProofNumbers::UNKNOWN;
        let branch = Branch { numbers, turns: 0, path_dependent: false, ends_turn: false };
        Vertex::new(Key(key), Side::First, key.is_multiple_of(2), branch)
    }

    #[test]
    fn what_has_several_parents_is_removed_with_the_last_of_them() {
        let mut tree = Tree::new(1);
        let root = tree.add(NONE, vertex(0));
        let [a, b, end] = [1, 3, 4].map(|key| tree.add(root, vertex(key)));
        let below = tree.add(end, vertex(5));
        let first = tree.add_edge(root, a, 1, NONE);
        tree.add_edge(root, b, 2, first);
        for parent in [a, b] {
            tree.add_edge(parent, end, 3, NONE);
        }
        tree.add_edge(end, below, 4, NONE);
        assert_eq!(tree.children(root).collect::<Vec<_>>(), [(a, 1), (b, 2)]);
        assert_eq!(tree.path_to(below).collect::<Vec<_>>(), [Key(4)]);
        tree.remove_below(a);
        assert_eq!((tree.size(), tree.parents(end).collect::<Vec<_>>()), (5, vec![b]));
        tree.remove_below(root);
        assert_eq!((tree.size(), tree.edge_count, tree.find(root, Key(4))), (1, 0, None));
        // What is free is used again.
        for key in 10..14 {
            tree.add(root, vertex(key));
        }
        assert_eq!(tree.vertices.len(), 5);
    }

    #[test]
    fn a_tree_takes_no_more_memory_than_it_was_given() {
        for mebibytes in [1, 3, 16] {
            let tree = Tree::new(mebibytes);
            assert!(tree.bytes() <= mebibytes << 20, "{} of {mebibytes} MiB", tree.bytes());
            assert!(tree.bytes() > mebibytes << 19);
        }
    }
}
