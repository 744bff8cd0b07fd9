//! The tree of a Monte-Carlo tree search: nodes and edges in arenas of limited size.

use std::sync::OnceLock;

use game::{History, Key, PackedStep, Position, Side, Turns};
use rustc_hash::{FxHashMap, FxHashSet};

use super::atomic::{AtomicBool, AtomicU16, AtomicU32, AtomicU64, Ordering, fence};
use super::statistics::{EdgeRange, Mean, SharedMean, SharedValue, VirtualLoss};
use crate::Verdict;
use crate::hash_table::{HashTable, Slot, TableEntry, WAYS};
use crate::value::Value;

/// A node of a tree; there is no node 0.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct NodeId(u32);

/// A position of the tree. Values are for its side to move. It has a cache line for itself, so that threads in different
/// nodes do not wait for each other.
#[derive(Default)]
#[repr(align(64))]
pub(super) struct Node {
    /// The key of the position.
    key: AtomicU64,
    pub(super) edges: EdgeRange,
    /// What came of the visits. Parents with the same child share it (UCT2; Kozelek 2009, 4.3.4).
    pub(super) mean: SharedMean,
    /// The mean of the squares of what came of them, where a formula asks for the variance.
    pub(super) squares: SharedMean,
    /// The best children for a while: see [`ChildCache`].
    pub(super) cache: AtomicU64,
    /// The best static evaluation below (implicit minimax backups).
    pub(super) minimax: SharedValue,
    proof: AtomicU16,
    /// Whether the second player is to move.
    is_second: AtomicBool,
    /// Whether turns may be missing among its edges, so that it cannot be lost for certain.
    pub(super) is_incomplete: AtomicBool,
}

/// A move from a node: one step, or several of the same turn. Values are for the side that moves.
#[derive(Default)]
pub(super) struct Edge {
    steps: AtomicU64,
    /// How often it was chosen, and the value of its node when it was last.
    pub(super) mean: SharedMean,
    /// What is known of the move before it is tried; in PUCT, its prior.
    pub(super) knowledge: SharedValue,
    /// The best static evaluation below (implicit minimax backups).
    pub(super) minimax: SharedValue,
    node: AtomicU32,
    pub(super) virtual_loss: VirtualLoss,
    proof: AtomicU16,
}

const _: () = assert!(size_of::<Node>() == 64);
const _: () = assert!(size_of::<Edge>() == 32);

/// A move has at most so many steps.
pub(super) const MOST_STEPS: usize = 4;

/// Who wins for certain, and with how many turns of both sides, the one that goes on counted. For the side to move, or
/// for the side that chooses an edge.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Proven {
    Win(u16),
    Loss(u16),
}

impl Proven {
    /// In the eyes of the other side, a turn earlier.
    pub(super) fn a_turn_before(self) -> Proven {
        match self {
            Proven::Win(turns) => Proven::Loss(turns + 1),
            Proven::Loss(turns) => Proven::Win(turns + 1),
        }
    }

    /// In the eyes of the other side, a turn later.
    pub(super) fn a_turn_later(self) -> Proven {
        match self {
            Proven::Win(turns) => Proven::Loss(turns.saturating_sub(1)),
            Proven::Loss(turns) => Proven::Win(turns.saturating_sub(1)),
        }
    }

    pub(super) fn is_win(self) -> bool {
        matches!(self, Proven::Win(_))
    }

    /// As a value of the search.
    pub(super) fn value(self) -> f32 {
        match self {
            Proven::Win(_) => 1.0,
            Proven::Loss(_) => -1.0,
        }
    }

    /// What it says to those who asked.
    pub(super) fn verdict(self) -> Verdict {
        match self {
            Proven::Win(turns) => Value::win(turns.saturating_sub(1)).verdict(),
            Proven::Loss(turns) => Value::loss(turns.saturating_sub(1)).verdict(),
        }
    }

    /// A win with so many turns of one's own.
    pub(super) fn win_in(turns: Turns) -> Proven {
        Proven::Win((2 * turns.0).saturating_sub(1))
    }

    fn pack(proven: Option<Proven>) -> u16 {
        const MOST: u16 = (1 << 14) - 1;
        match proven {
            None => 0,
            Some(Proven::Win(turns)) => 1 << 14 | turns.min(MOST),
            Some(Proven::Loss(turns)) => 1 << 15 | turns.min(MOST),
        }
    }

    fn unpack(bits: u16) -> Option<Proven> {
        let turns = bits & ((1 << 14) - 1);
        match bits >> 14 {
            0 => None,
            1 => Some(Proven::Win(turns)),
            _ => Some(Proven::Loss(turns)),
        }
    }
}

impl Node {
    pub(super) fn key(&self) -> Key {
        Key(self.key.load(Ordering::Relaxed))
    }

    /// Whose turn it is.
    pub(super) fn side(&self) -> Side {
        if self.is_second.load(Ordering::Relaxed) { Side::Second } else { Side::First }
    }

    #[inline]
    pub(super) fn proven(&self) -> Option<Proven> {
        Proven::unpack(self.proof.load(Ordering::Relaxed))
    }

    pub(super) fn set_proven(&self, proven: Proven) {
        self.proof.store(Proven::pack(Some(proven)), Ordering::Relaxed);
    }
}

impl Edge {
    /// The steps of the move.
    #[inline]
    pub(super) fn steps<S: PackedStep>(&self) -> impl Iterator<Item = S> + use<S> {
        unpack_steps(self.packed_steps())
    }

    /// The first step of the move.
    #[inline]
    pub(super) fn first_step<S: PackedStep>(&self) -> Option<S> {
        S::unpack(self.steps.load(Ordering::Relaxed) as u16)
    }

    /// Whether it is a move of one step.
    #[inline]
    pub(super) fn is_single(&self) -> bool {
        self.steps.load(Ordering::Relaxed) >> 16 == 0
    }

    /// The steps as one number, to tell moves apart.
    pub(super) fn packed_steps(&self) -> u64 {
        self.steps.load(Ordering::Relaxed)
    }

    #[inline]
    pub(super) fn node(&self) -> Option<NodeId> {
        let node = self.node.load(Ordering::Acquire);
        (node != 0).then_some(NodeId(node))
    }

    pub(super) fn set_node(&self, node: NodeId) {
        self.node.store(node.0, Ordering::Release);
    }

    #[inline]
    pub(super) fn proven(&self) -> Option<Proven> {
        Proven::unpack(self.proof.load(Ordering::Relaxed))
    }

    pub(super) fn set_proven(&self, proven: Proven) {
        self.proof.store(Proven::pack(Some(proven)), Ordering::Relaxed);
    }
}

/// A move that becomes an edge.
#[derive(Clone, Copy, Debug)]
pub(super) struct NewEdge {
    /// See [`pack_steps`].
    pub(super) steps: u64,
    pub(super) knowledge: f32,
    /// Its static evaluation, for the side that moves.
    pub(super) minimax: f32,
    pub(super) proven: Option<Proven>,
    /// What it begins with (the grandfather heuristic).
    pub(super) mean: Mean,
}

/// The steps of a move as one number: 16 bits each, the first one lowest.
pub(super) fn pack_steps<S: PackedStep>(steps: &[S]) -> u64 {
    assert!(steps.len() <= MOST_STEPS, "a move of {} steps", steps.len());
    steps.iter().rev().fold(0, |packed, step| packed << 16 | u64::from(step.pack()))
}

/// The steps that [`pack_steps`] has packed.
#[inline]
pub(super) fn unpack_steps<S: PackedStep>(steps: u64) -> impl Iterator<Item = S> + use<S> {
    (0..MOST_STEPS).map_while(move |index| S::unpack((steps >> (16 * index)) as u16))
}

/// The five best children of a node, by index, as of a number of visits. They are the only ones to choose from until
/// the square root of the visits reaches the next whole number (child caching; Kozelek 2009, 4.8.2).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct ChildCache {
    /// The square root of the visits, rounded down, in 14 bits.
    root_of_visits: u16,
    children: [u16; CACHED],
}

/// How many children a cache holds.
pub(super) const CACHED: usize = 5;

/// A child's index takes so many bits.
const INDEX_BITS: u32 = 10;

impl ChildCache {
    pub(super) fn new(visits: u32, children: [u16; CACHED]) -> ChildCache {
        ChildCache { root_of_visits: root(visits), children }
    }

    /// The children, if the cache is still good for a node with so many visits.
    #[inline]
    pub(super) fn children(bits: u64, visits: u32) -> Option<[u16; CACHED]> {
        let is_good = bits >> (CACHED as u32 * INDEX_BITS) == u64::from(root(visits));
        is_good.then(|| {
            std::array::from_fn(|place| (bits >> (place as u32 * INDEX_BITS)) as u16 & 0x3FF)
        })
    }

    pub(super) fn pack(self) -> u64 {
        let children = self.children.iter().rev();
        let packed = children.fold(0, |packed, &child| packed << INDEX_BITS | u64::from(child));
        packed | u64::from(self.root_of_visits) << (CACHED as u32 * INDEX_BITS)
    }
}

#[inline]
fn root(visits: u32) -> u16 {
    (visits as f32).sqrt() as u16 & 0x3FFF
}

/// Things that are made one after the other and given back all together. Memory is taken as it is needed.
struct Arena<T> {
    chunks: Box<[OnceLock<Box<[T]>>]>,
    used: Used,
    most: u32,
}

/// How many places are taken. All threads read the fields beside it all the time, and each new node changes it: so it
/// has cache lines for itself.
#[repr(align(128))]
struct Used(AtomicU32);

/// A chunk has so many things.
const CHUNK: u32 = 1 << 12;

impl<T: Default> Arena<T> {
    /// Room for so many; the first place stays empty.
    fn new(most: usize) -> Arena<T> {
        let chunks = most.div_ceil(CHUNK as usize).max(2);
        let most = (chunks * CHUNK as usize) as u32;
        let chunks = std::iter::repeat_with(OnceLock::new).take(chunks).collect();
        Arena { chunks, used: Used(AtomicU32::new(1)), most }
    }

    /// Room for so many in a row, if there is some left.
    fn take(&self, count: u32) -> Option<u32> {
        let mut used = self.used.0.load(Ordering::Relaxed);
        loop {
            // What is in a row does not go beyond a chunk.
            let begins_chunk = used % CHUNK + count > CHUNK;
            let first = if begins_chunk { used.next_multiple_of(CHUNK) } else { used };
            let end = first.checked_add(count).filter(|&end| end <= self.most)?;
            let exchange =
                self.used.0.compare_exchange_weak(used, end, Ordering::Relaxed, Ordering::Relaxed);
            match exchange {
                Ok(_) => {
                    self.make(first);
                    self.make_ahead(first, end);
                    return Some(first);
                }
                Err(found) => used = found,
            }
        }
    }

    /// Makes the next chunk when a place past the middle of this one is taken. To make a chunk takes as long as an
    /// iteration or more, and all threads would wait for it.
    fn make_ahead(&self, first: u32, end: u32) {
        let middle = first / CHUNK * CHUNK + CHUNK / 2;
        let next = middle + CHUNK / 2;
        if (first..end).contains(&middle) && next < self.most {
            self.make(next);
        }
    }

    /// Makes the chunk of a place, if it is not there.
    fn make(&self, place: u32) {
        self.chunks[(place / CHUNK) as usize]
            .get_or_init(|| std::iter::repeat_with(T::default).take(CHUNK as usize).collect());
    }

    #[inline]
    fn slice(&self, first: u32, count: u32) -> &[T] {
        let chunk = self.chunks[(first / CHUNK) as usize].get().expect("it was taken");
        let place = (first % CHUNK) as usize;
        &chunk[place..place + count as usize]
    }

    fn used(&self) -> u32 {
        self.used.0.load(Ordering::Relaxed)
    }
}

/// A tree with a limit of memory.
pub(super) struct Tree {
    nodes: Arena<Node>,
    edges: Arena<Edge>,
    /// What simulations say of the edges if their moves are played later (RAVE); empty where that is off.
    rave: Option<Arena<SharedMean>>,
    /// What the nodes had when they were last synchronised (island model); empty where that is off.
    synchronised: Option<Arena<SharedMean>>,
    /// The nodes by position and depth; empty where transpositions are off.
    transpositions: HashTable<Transposition, ()>,
    root: NodeId,
    room: Room,
}

/// A node in the table of transpositions.
struct Transposition(NodeId);

impl TableEntry for Transposition {
    type Replacement = ();

    fn pack(&self) -> u64 {
        self.0.0.into()
    }

    fn unpack(content: u64) -> Option<Transposition> {
        Some(Transposition(NodeId(content as u32)))
    }

    /// An empty slot, else the last one: what is not found is made again.
    fn replace(bucket: &[Slot; WAYS], key: Key, content: u64, (): &()) {
        let free = bucket.iter().find(|slot| slot.content() == 0);
        free.unwrap_or(&bucket[WAYS - 1]).write(key, content);
    }
}

/// How large a tree may be, and what is kept of each edge and node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Room {
    pub(super) bytes: usize,
    pub(super) transpositions: bool,
    pub(super) rave: bool,
    pub(super) islands: bool,
}

impl Room {
    /// How many edges there may be for each node: there are far more edges than nodes, since most are never chosen.
    const EDGES_PER_NODE: usize = 8;

    /// What the table of transpositions takes for each node: a bucket of four slots for three nodes.
    const TRANSPOSITION_BYTES: usize = 64 / 3;

    fn nodes(self) -> usize {
        let edge = size_of::<Edge>() + if self.rave { size_of::<SharedMean>() } else { 0 };
        let node = size_of::<Node>()
            + if self.transpositions { Room::TRANSPOSITION_BYTES } else { 0 }
            + if self.islands { size_of::<SharedMean>() } else { 0 };
        // While a tree is copied, the copy takes up to a third.
        (self.bytes / 3 * 2) / (node + Room::EDGES_PER_NODE * edge)
    }
}

impl Tree {
    /// A tree of one node.
    pub(super) fn new(root: Key, side: Side, room: Room) -> Tree {
        let nodes = room.nodes();
        let edges = nodes * Room::EDGES_PER_NODE;
        let tree = Tree {
            nodes: Arena::new(nodes),
            edges: Arena::new(edges),
            rave: room.rave.then(|| Arena::new(edges)),
            synchronised: room.islands.then(|| Arena::new(nodes)),
            transpositions: HashTable::with_buckets(
                if room.transpositions { nodes.div_ceil(3) } else { 0 },
                (),
            ),
            root: NodeId(1),
            room,
        };
        tree.new_node(root, side).expect("room for one node");
        tree
    }

    pub(super) fn root(&self) -> NodeId {
        self.root
    }

    pub(super) fn room(&self) -> Room {
        self.room
    }

    #[inline]
    pub(super) fn node(&self, NodeId(node): NodeId) -> &Node {
        &self.nodes.slice(node, 1)[0]
    }

    /// A node of a position, if there is room.
    fn new_node(&self, key: Key, side: Side) -> Option<NodeId> {
        let node = self.nodes.take(1)?;
        if let Some(synchronised) = &self.synchronised {
            // The same places are taken in both.
            synchronised.make(node);
        }
        let made = self.node(NodeId(node));
        made.key.store(key.0, Ordering::Relaxed);
        made.is_second.store(side == Side::Second, Ordering::Relaxed);
        Some(NodeId(node))
    }

    /// The node of a position that so many turns precede, from another parent or new; none, if there is no room. The key
    /// knows how much of the turn is left: so only transpositions at equal depth are found, and there are no cycles.
    pub(super) fn node_at(&self, key: Key, side: Side, turns: u32) -> Option<NodeId> {
        let place = transposition_key(key, turns);
        if let Some(Transposition(node)) = self.transpositions.probe(place) {
            // The table is read without an order of its own: who finds a node sees what was written to it before.
            fence(Ordering::Acquire);
            return Some(node);
        }
        let node = self.new_node(key, side)?;
        fence(Ordering::Release);
        self.transpositions.store(place, &Transposition(node));
        Some(node)
    }

    /// The edges of a node, if it is expanded.
    #[inline]
    pub(super) fn edges(&self, node: &Node) -> Option<&[Edge]> {
        let (first, count) = node.edges.get()?;
        Some(self.edges.slice(first, count.into()))
    }

    /// What RAVE knows of the edges of an expanded node.
    pub(super) fn rave(&self, node: &Node) -> Option<&[SharedMean]> {
        let (first, count) = node.edges.get()?;
        Some(self.rave.as_ref()?.slice(first, count.into()))
    }

    /// What a node had when it was last synchronised.
    pub(super) fn synchronised(&self, NodeId(node): NodeId) -> Option<&SharedMean> {
        Some(&self.synchronised.as_ref()?.slice(node, 1)[0])
    }

    /// Gives edges to a node that this thread has claimed. Nothing is done where there is no room.
    pub(super) fn expand(&self, node: &Node, new: &[NewEdge]) -> bool {
        let count = u16::try_from(new.len()).expect("fewer moves than that");
        let Some(first) = self.edges.take(count.into()) else {
            node.edges.release();
            return false;
        };
        if let Some(rave) = &self.rave {
            rave.make(first);
        }
        for (edge, new) in self.edges.slice(first, count.into()).iter().zip(new) {
            edge.steps.store(new.steps, Ordering::Relaxed);
            edge.knowledge.set(new.knowledge);
            edge.minimax.set(new.minimax);
            edge.proof.store(Proven::pack(new.proven), Ordering::Relaxed);
            edge.mean.set(new.mean);
        }
        node.edges.publish(first, count);
        true
    }

    /// Calls the moves lost that may not be played at the root, since the game has come to their positions twice. A win by
    /// such a move is none.
    pub(super) fn forbid_at_root<P: Position>(&self, position: &P, past: &History)
    where
        P::Step: PackedStep,
    {
        let root = self.node(self.root);
        for edge in self.edges(root).unwrap_or_default() {
            let mut after = position.clone();
            edge.steps::<P::Step>().for_each(|step| after.play(step));
            if after.turn_starts() && past.count(after.repetition_key()) >= 2 {
                edge.set_proven(Proven::Loss(0));
                root.proof.store(Proven::pack(None), Ordering::Relaxed);
            }
        }
    }

    /// How many nodes there are.
    pub(super) fn len(&self) -> u32 {
        self.nodes.used() - 1
    }

    /// How full it is, in thousandths.
    pub(super) fn fill(&self) -> u16 {
        let nodes = u64::from(self.nodes.used()) * 1000 / u64::from(self.nodes.most);
        let edges = u64::from(self.edges.used()) * 1000 / u64::from(self.edges.most);
        nodes.max(edges) as u16
    }

    /// The most visited node of a position, if there is one that is expanded.
    pub(super) fn find(&self, key: Key) -> Option<NodeId> {
        let all = (1..self.nodes.used()).map(NodeId);
        let same = all.filter(|&id| {
            let node = self.node(id);
            node.key() == key && node.edges.get().is_some()
        });
        same.max_by_key(|&id| self.node(id).mean.get().count)
    }

    /// A copy of what is below a node, with at most so much of it that half of the room stays free: the nodes that were
    /// visited most.
    pub(super) fn subtree(&self, root: NodeId) -> Tree {
        let first = self.node(root);
        let mut copy = Copy {
            tree: Tree::new(first.key(), first.side(), self.room),
            least_visits: self.least_visits(root),
            copied: FxHashMap::default(),
            waiting: vec![(root, 0)],
        };
        copy.copied.insert(root, copy.tree.root);
        while let Some((old, turns)) = copy.waiting.pop() {
            self.copy_node(old, turns, old == root, &mut copy);
        }
        copy.tree
    }

    /// Copies a node with its edges; their nodes wait for their turn.
    fn copy_node(&self, old: NodeId, turns: u32, is_root: bool, copy: &mut Copy) {
        let Copy { tree, least_visits, copied, waiting } = copy;
        let (from, to) = (self.node(old), tree.node(copied[&old]));
        to.mean.set(from.mean.get());
        to.squares.set(from.squares.get());
        to.minimax.set(from.minimax.get());
        to.proof.store(from.proof.load(Ordering::Relaxed), Ordering::Relaxed);
        let is_incomplete = from.is_incomplete.load(Ordering::Relaxed);
        to.is_incomplete.store(is_incomplete, Ordering::Relaxed);
        let Some(edges) = self.edges(from) else { return };
        if !is_root && from.mean.get().count < *least_visits {
            return;
        }
        let new: Vec<NewEdge> = edges.iter().map(Edge::to_new).collect();
        if !to.edges.claim() || !tree.expand(to, &new) {
            return;
        }
        if let (Some(from), Some(to)) = (self.rave(from), tree.rave(to)) {
            from.iter().zip(to).for_each(|(from, to)| to.set(from.get()));
        }
        let made = tree.edges(to).expect("just expanded");
        for (edge, made) in edges.iter().zip(made) {
            let Some(id) = edge.node() else { continue };
            let child = self.node(id);
            let node = match copied.get(&id) {
                Some(&node) => Some(node),
                // The edge knows as much.
                None if child.mean.get().count < 2 => None,
                None => {
                    let turns = turns + u32::from(child.side() != from.side());
                    let node = tree.node_at(child.key(), child.side(), turns);
                    node.inspect(|&node| {
                        copied.insert(id, node);
                        waiting.push((id, turns));
                    })
                }
            };
            if let Some(node) = node {
                made.set_node(node);
            }
        }
    }

    /// How many visits a node must have to keep its edges, so that edges and nodes take half of their room at most.
    fn least_visits(&self, root: NodeId) -> u32 {
        // How many edges and children the nodes have, by the binary logarithm of their visits.
        let mut by_visits = [[0_u64; 2]; 33];
        let mut seen: FxHashSet<NodeId> = FxHashSet::default();
        let mut waiting = vec![root];
        while let Some(id) = waiting.pop() {
            if !seen.insert(id) {
                continue;
            }
            let node = self.node(id);
            let Some(edges) = self.edges(node) else { continue };
            let log = node.mean.get().count.checked_ilog2().map_or(0, |log| log as usize + 1);
            let children = waiting.len();
            waiting.extend(edges.iter().filter_map(Edge::node));
            by_visits[log][0] += edges.len() as u64;
            by_visits[log][1] += (waiting.len() - children) as u64;
        }
        let most = [self.edges.most, self.nodes.most].map(|most| u64::from(most) / 2);
        let mut kept = [0, 0];
        for (log, counts) in by_visits.iter().enumerate().rev() {
            (kept[0], kept[1]) = (kept[0] + counts[0], kept[1] + counts[1]);
            if kept[0] > most[0] || kept[1] > most[1] {
                return 1_u32.checked_shl(log as u32).unwrap_or(u32::MAX);
            }
        }
        0
    }
}

/// What a position that so many turns precede is known by in the table of transpositions.
pub(super) fn transposition_key(key: Key, turns: u32) -> Key {
    Key(key.0 ^ u64::from(turns).wrapping_mul(0xD1B5_4A32_D192_ED03))
}

/// A copy of a tree that is being made.
struct Copy {
    tree: Tree,
    /// How many visits a node must have to keep its edges.
    least_visits: u32,
    /// The nodes that have a copy.
    copied: FxHashMap<NodeId, NodeId>,
    /// Those of them whose content is not copied yet, with how many turns precede each.
    waiting: Vec<(NodeId, u32)>,
}

impl Edge {
    fn to_new(&self) -> NewEdge {
        NewEdge {
            steps: self.packed_steps(),
            knowledge: self.knowledge.get(),
            minimax: self.minimax.get(),
            proven: self.proven(),
            mean: self.mean.get(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chunk_is_made_before_it_is_needed_and_none_beyond_the_last() {
        let arena: Arena<SharedValue> = Arena::new(3 * CHUNK as usize);
        let chunks = || arena.chunks.iter().filter(|chunk| chunk.get().is_some()).count();
        // The first place stays empty.
        let mut taken = 1;
        let mut take_up_to = |places: u32| {
            while taken < places {
                assert_eq!(arena.take(1), Some(taken));
                taken += 1;
            }
            chunks()
        };
        let half = CHUNK / 2;
        assert_eq!([take_up_to(half), take_up_to(half + 1), take_up_to(CHUNK)], [1, 2, 2]);
        assert_eq!([take_up_to(3 * half), take_up_to(3 * half + 1)], [2, 3]);
        assert_eq!(take_up_to(3 * CHUNK), 3);
        assert_eq!(arena.take(1), None);
    }
}
