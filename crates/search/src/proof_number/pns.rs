use std::collections::BinaryHeap;
use std::io::{self, Read, Write};
use std::sync::atomic::AtomicU64;
use std::time::Instant;

use game::{Key, PackedStep, Position, Proof};

use super::decided::Decided;
use super::diver::Dive;
use super::diving::{self, Diving};
use super::explorer::{Child, Explorer, Place};
use super::findings::Findings;
use super::garbage;
use super::numbers::Numbers;
use super::path::Path;
use super::summary::{Sum, Summariser, Summary};
use super::table::Cost;
use super::tables::Tables;
use super::tree::{Flags, NONE, ROOT, Tree, Vertex, VertexId};
use super::watch::Watch;
use crate::defences::Defences;
use crate::{Knowledge, ProofParameters, Stop, Task};

/// Best-first proof-number search with the tree in memory: each time, the most proving position is
/// expanded, and everything above it hears of that.
#[derive(Debug)]
pub struct Pns<Step> {
    /// How it searches. The sizes of tables and tree are those that it began with.
    pub parameters: ProofParameters,
    tables: Tables,
    defences: Defences<Step>,
    tree: Tree,
    /// The root of the tree, and what tells its past from others.
    root: Option<(Key, u64)>,
}

impl<Step: PackedStep + Send + Sync> Pns<Step> {
    /// A search that knows nothing yet.
    pub fn new(parameters: ProofParameters) -> Pns<Step> {
        let (tables, tree) = (Tables::new(&parameters), Tree::new(parameters.tree as usize));
        Pns { parameters, tables, defences: Defences::new(), tree, root: None }
    }

    /// Forgets what earlier searches have found.
    pub fn clear(&mut self) {
        self.tables.clear();
        self.tree.clear();
        self.root = None;
    }

    /// How much memory the tree and the tables take, used or not.
    pub fn bytes(&self) -> usize {
        self.tables.bytes() + self.tree.bytes()
    }

    /// How many vertices the tree has.
    pub fn vertices(&self) -> usize {
        self.tree.size()
    }

    /// Searches until a proof, a limit or a stop; `tell` hears now and then how far it has come. It also
    /// ends where not even the way to one position fits the memory of the tree.
    ///
    /// With the position and the past of the last search, it goes on with its tree.
    pub fn solve<P, K>(
        &mut self,
        task: &Task<P, K>,
        mut tell: impl FnMut(&Findings<Step>),
    ) -> Findings<Step>
    where
        P: Position<Step = Step> + Sync,
        K: Knowledge<P>,
    {
        self.tables.adopt(&self.parameters);
        let (begin, over, all) = (Instant::now(), Stop::new(), AtomicU64::new(0));
        let Task { position, past, knowledge, limits, stop } = *task;
        let path = Path::new(past, position.turn_starts().then(|| position.repetition_key()));
        let root = (position.key(), path.before());
        if self.root.replace(root) != Some(root) {
            self.tree.clear();
        }
        let Pns { parameters, tables, defences, tree, .. } = self;
        let mut explorer = Explorer::new(knowledge, parameters, tables, defences, path);
        explorer.lists = false;
        let mut grower = Grower {
            summariser: Summariser::new(Sum::new(parameters)),
            explorer,
            tree,
            waiting: BinaryHeap::new(),
            children: Vec::new(),
        };
        let mut watch = Watch::new(limits, begin, stop, &over, &all);
        let dive = grower.grow(position, &mut watch, |numbers, nodes, vertices| {
            let dive = Dive { numbers, ..Dive::default() };
            let findings = diving::findings(position, &dive, nodes, begin.elapsed());
            tell(&Findings { vertices, ..findings });
        });
        let nodes = grower.explorer.nodes;
        let vertices = grower.tree.size() as u64;
        let diving = Diving { parameters, tables, defences, threads: 1, begin };
        Findings { vertices, ..diving.findings(task, dive, nodes) }
    }

    /// The steps of a turn that wins, for a position whose mover is known or suspected to win; nothing,
    /// if it does not or a limit is reached before that is known. The past of the task holds all turns
    /// so far.
    ///
    /// What is no longer known is searched again, depth first, so that the tree stays what it is. As long
    /// as nothing was lost, who follows the answers needs fewer turns each time.
    pub fn winning_turn<P, K>(&mut self, task: &Task<P, K>) -> Option<Vec<Step>>
    where
        P: Position<Step = Step> + Sync,
        K: Knowledge<P>,
    {
        let Pns { parameters, tables, defences, .. } = self;
        let diving = Diving { parameters, tables, defences, threads: 1, begin: Instant::now() };
        let counted = diving.dive(task, |_| ());
        let findings = diving.findings(task, counted.dive, counted.nodes);
        let wins = matches!(findings.proof, Some(Proof::Win(_)));
        (wins && !findings.turn.is_empty()).then_some(findings.turn)
    }

    /// Writes out what is known and the tree, to be read by [`Pns::load`].
    pub fn save(&self, out: &mut impl Write) -> io::Result<()> {
        self.tables.save(out)?;
        let (key, before) = self.root.unwrap_or((Key::ZERO, 0));
        out.write_all(&[u8::from(self.root.is_some() && self.tree.size() > 0)])?;
        out.write_all(&key.0.to_le_bytes())?;
        out.write_all(&before.to_le_bytes())?;
        self.tree.save(out)
    }

    /// Reads what [`Pns::save`] has written, perhaps with other parameters, in the place of what was
    /// known; a tree that is too large for the memory of this search is left out, but not what the
    /// tables know of it. After an error, nothing is known.
    pub fn load(&mut self, input: &mut impl Read) -> io::Result<()> {
        let result = self.load_parts(input);
        if result.is_err() {
            self.clear();
        }
        result
    }

    fn load_parts(&mut self, input: &mut impl Read) -> io::Result<()> {
        self.clear();
        self.tables.load(input)?;
        let mut has_root = [0];
        input.read_exact(&mut has_root)?;
        let root = (Key(super::table::read_u64(input)?), super::table::read_u64(input)?);
        let fits = self.tree.load(input)?;
        let is_there = fits && has_root[0] != 0 && self.tree.size() > 0;
        if is_there && self.tree.vertex(ROOT).key != root.0 {
            return Err(io::Error::new(io::ErrorKind::InvalidData, "the tree has another root"));
        }
        self.root = is_there.then_some(root);
        Ok(())
    }
}

/// A search under way.
struct Grower<'a, P: Position, K: Knowledge<P>> {
    explorer: Explorer<'a, P, K>,
    summariser: Summariser,
    tree: &'a mut Tree,
    /// Vertices that are to be updated, the deepest first.
    waiting: BinaryHeap<(u16, VertexId)>,
    children: Vec<Child<P::Step>>,
}

impl<P: Position, K: Knowledge<P>> Grower<'_, P, K> {
    /// Expands one position after the other until the root is decided, or the search must stop.
    fn grow(
        &mut self,
        root: &P,
        watch: &mut Watch,
        mut tell: impl FnMut(Numbers, u64, u64),
    ) -> Dive<P::Step> {
        if let Some(decided) = self.explorer.on_sight(root) {
            let numbers = Numbers::decided(decided.winner);
            return Dive { numbers, decided: Some(decided), ..Dive::default() };
        }
        if self.tree.size() == 0 {
            let branch = super::summary::Branch {
                numbers: Numbers::UNKNOWN,
                turns: 0,
                by_path: false,
                ends_turn: false,
            };
            self.tree.add(NONE, Vertex::new(root.key(), root.side(), root.turn_starts(), branch));
        }
        let (high, low) = self.marks();
        while !self.tree.vertex(ROOT).is_decided() {
            if watch.look(self.explorer.nodes) {
                let nodes = watch.nodes(self.explorer.nodes);
                tell(self.tree.vertex(ROOT).numbers, nodes, self.tree.size() as u64);
            }
            if watch.must_stop {
                break;
            }
            if self.tree.size() > high {
                garbage::collect(self.tree, low);
            }
            if !self.expand_most_proving(root) {
                let before = self.tree.size();
                garbage::collect(self.tree, low.min(before * 4 / 5));
                if self.tree.size() == before {
                    break;
                }
            }
        }
        self.ending()
    }

    /// From how many vertices on the tree is pruned, and to how many.
    fn marks(&self) -> (usize, usize) {
        let parameters = self.explorer.parameters;
        let most = self.tree.most_vertices();
        let high = match parameters.gc_high {
            0 => most,
            high => most.min(high as usize),
        };
        let low = match parameters.gc_low {
            0 => high / 5 * 4,
            low => high.min(low as usize),
        };
        (high, low)
    }

    /// Expands the most proving position and updates what is above; false, if there is no room.
    fn expand_most_proving(&mut self, root: &P) -> bool {
        self.explorer.path.clear();
        let (mut id, mut position, mut place) = (ROOT, root.clone(), Place::default());
        loop {
            let vertex = self.tree.vertex_mut(id);
            vertex.visits = vertex.visits.saturating_add(1);
            if !vertex.flags.has(Flags::EXPANDED) {
                break;
            }
            let Some((child, step)) = self.most_proving_child(id) else { return false };
            let cost = position.cost(step).0;
            position.play(step);
            place = place.after(cost, position.turn_starts());
            if position.turn_starts() {
                let key = self.tree.vertex(child).key;
                self.explorer.path.push(key, position.repetition_key());
            }
            id = child;
        }
        let (key, sum) = (self.tree.vertex(id).key, self.explorer.path.sum());
        let known = self.explorer.tables.decided(&self.explorer.path, key, sum);
        match known.filter(|_| id != ROOT) {
            // Meanwhile, it was decided elsewhere.
            Some(decided) => {
                self.tree.vertex_mut(id).decide(decided);
                self.push_parents(id);
            }
            None => {
                if !self.expand(id, &position, place) {
                    return false;
                }
                self.wait(id);
            }
        }
        self.update();
        true
    }

    fn most_proving_child(&self, id: VertexId) -> Option<(VertexId, P::Step)> {
        let mover = self.tree.vertex(id).mover();
        let number = |child: VertexId| self.tree.vertex(child).numbers.to_win(mover);
        // Of equal ones, the first.
        let (child, step) = self.tree.children(id).min_by_key(|&(child, _)| number(child))?;
        Some((child, P::Step::unpack(step)?))
    }

    /// Puts the options of a position into the tree; false, if there is no room.
    fn expand(&mut self, id: VertexId, position: &P, place: Place) -> bool {
        self.children.clear();
        let expansion = self.explorer.expand(position, place, &mut self.children);
        if !self.tree.has_room(self.children.len()) {
            return false;
        }
        let turn = self.tree.turn_of(id);
        let level = self.tree.vertex(id).level;
        let mut last = NONE;
        for child in &self.children {
            let found = self.tree.find(turn, child.key);
            let below = found.unwrap_or_else(|| {
                let mut after = position.clone();
                after.play(child.step);
                let starts = child.branch.ends_turn;
                let vertex = Vertex::new(child.key, after.side(), starts, child.branch);
                let cost = u16::from(position.cost(child.step).0);
                let level = level.saturating_add(cost);
                self.tree.add(turn, Vertex { level, ..vertex })
            });
            last = self.tree.add_edge(id, below, child.step.pack(), last);
        }
        let vertex = self.tree.vertex_mut(id);
        vertex.flags.set(Flags::EXPANDED, true);
        vertex.flags.set(Flags::CUT, expansion.cut);
        vertex.stand = expansion.stand;
        if expansion.is_lost {
            let lost = Decided::on_sight(!position.side(), 1);
            self.decide(id, lost);
        }
        true
    }

    fn wait(&mut self, id: VertexId) {
        let vertex = self.tree.vertex_mut(id);
        if !vertex.flags.has(Flags::WAITING) {
            vertex.flags.set(Flags::WAITING, true);
            self.waiting.push((vertex.level, id));
        }
    }

    fn push_parents(&mut self, id: VertexId) {
        let parents: Vec<VertexId> = self.tree.parents(id).collect();
        parents.into_iter().for_each(|parent| self.wait(parent));
    }

    /// Lets everything above hear of what has changed.
    fn update(&mut self) {
        while let Some((_, id)) = self.waiting.pop() {
            self.tree.vertex_mut(id).flags.set(Flags::WAITING, false);
            if self.refresh(id) {
                self.push_parents(id);
            }
        }
    }

    /// Puts the options of a vertex together; whether that has changed anything.
    fn refresh(&mut self, id: VertexId) -> bool {
        let vertex = *self.tree.vertex(id);
        if vertex.is_decided() {
            // Only those that have just been expanded.
            return true;
        }
        let height = self.tree.children(id).map(|(child, _)| self.tree.vertex(child).height);
        let height = height.max().unwrap_or(0).saturating_add(1);
        self.tree.vertex_mut(id).height = height;
        match self.summary(id) {
            Summary::Decided(decided, best) => {
                let step = best.and_then(|best| self.tree.children(id).nth(best));
                if let Some(step) = step.and_then(|(_, step)| P::Step::unpack(step)) {
                    self.explorer.killers.reward(vertex.level.into(), step);
                }
                self.decide(id, decided);
                true
            }
            Summary::Open(opening) if opening.numbers == vertex.numbers => false,
            Summary::Open(opening) => {
                let cost = Cost { nodes: vertex.visits.into(), height };
                self.tree.vertex_mut(id).numbers = opening.numbers;
                self.explorer.tables.put_numbers(vertex.key, opening.numbers, cost);
                true
            }
        }
    }

    fn summary(&mut self, id: VertexId) -> Summary {
        let Vertex { flags, stand, .. } = *self.tree.vertex(id);
        let mover = self.tree.vertex(id).mover();
        let tree = &*self.tree;
        let branches = tree.children(id).map(|(child, _)| tree.vertex(child).branch());
        self.summariser.summary(mover, stand, flags.has(Flags::CUT), branches, |_, own| own)
    }

    fn decide(&mut self, id: VertexId, decided: Decided) {
        let vertex = *self.tree.vertex(id);
        let sum = if decided.by_path { Path::sum_of(self.tree.path_to(id)) } else { 0 };
        let cost = Cost { nodes: vertex.visits.into(), height: vertex.height };
        let Explorer { tables, path, .. } = &self.explorer;
        let decided = tables.decide(path, vertex.key, sum, decided, cost);
        self.tree.vertex_mut(id).decide(decided);
    }

    /// What is true of the root, and the way of the winner as far as the tree knows it.
    fn ending(&mut self) -> Dive<P::Step> {
        let root = *self.tree.vertex(ROOT);
        let Some(winner) = root.numbers.winner() else {
            return Dive { numbers: root.numbers, ..Dive::default() };
        };
        let branch = root.branch();
        let decided = Decided { winner, turns: branch.turns, by_path: branch.by_path };
        let mut dive = Dive { numbers: root.numbers, decided: Some(decided), ..Dive::default() };
        if winner != root.mover() {
            return dive;
        }
        let mut id = ROOT;
        while self.tree.vertex(id).flags.has(Flags::EXPANDED)
            && let Summary::Decided(decided, Some(best)) = self.summary(id)
            && let Some((child, step)) = self.tree.children(id).nth(best)
            && let Some(step) = P::Step::unpack(step)
        {
            dive.steps.push(step);
            dive.by_path |= decided.by_path;
            if self.tree.vertex(child).flags.has(Flags::STARTS) {
                break;
            }
            id = child;
        }
        dive
    }
}
