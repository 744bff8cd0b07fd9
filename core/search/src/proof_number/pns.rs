//! Proof-number search with the tree in memory: see [`Pns`].

use std::collections::BinaryHeap;
use std::io::{self, Read, Write};
use std::sync::atomic::AtomicU64;
use std::time::Instant;

use game::{Key, PackedStep, Position, Proof};

use super::backup::{Backup, BackupRule, Branch, SumRule};
use super::df_pn::{DfPnRun, proof_info};
use super::df_pn_worker::RootResult;
use super::expansion::{Child, Expander, TreePlace};
use super::numbers::{Decided, ProofNumbers};
use super::tables::{Path, SubtreeCost, Tables};
use super::tree::{Flags, NONE, ROOT, Tree, Vertex, VertexId, collect_garbage};
use super::view::{ChildView, VertexView};
use super::{LimitCheck, ProofInfo, ProofParameters};
use crate::defences::Defences;
use crate::hash_table::read_u64;
use crate::{ProofNumberHeuristics, Stop, Task};

/// Proof-number search with the tree in memory.
///
/// Best first (Allis 1994): in each iteration the most proving position is expanded, and the numbers of everything
/// above it are updated. Depth first (Majerech 2012, 3.2 and 4.4): the same, but the next iteration begins where the
/// last one was, and goes up only from vertices whose numbers have come to their thresholds.
#[derive(Debug)]
pub struct Pns<Step> {
    /// How it searches. The tables and the tree keep the sizes that they were made with.
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

    /// The position that packed steps lead to from the root of the tree, and `count` of its children beginning with number
    /// `from`, the most promising first. Nothing, if it is not in the tree.
    pub fn look(
        &self,
        path: &[u16],
        from: usize,
        count: usize,
    ) -> Option<(VertexView, Vec<ChildView>)> {
        self.tree.look(path, from, count)
    }

    /// Searches until a proof, a limit or a stop. It also ends where not even the way to one position fits
    /// the memory of the tree. `report` is called now and then.
    ///
    /// With the position and the past of the last search, it goes on with its tree.
    pub fn solve<P, K>(
        &mut self,
        task: &Task<P, K>,
        mut report: impl FnMut(&ProofInfo<Step>),
    ) -> ProofInfo<Step>
    where
        P: Position<Step = Step> + Sync,
        K: ProofNumberHeuristics<P>,
    {
        self.tables.set_scheme(&self.parameters);
        let (begin, over, all) = (Instant::now(), Stop::new(), AtomicU64::new(0));
        let Task { position, past, heuristics, limits, stop } = *task;
        let path = Path::new(past, position.turn_starts().then(|| position.repetition_key()));
        let root = (position.key(), path.before());
        if self.root.replace(root) != Some(root) {
            self.tree.clear();
        }
        let Pns { parameters, tables, defences, tree, .. } = self;
        let mut expander = Expander::new(heuristics, parameters, tables, defences, path);
        // Edges of the tree are steps.
        (expander.lists, expander.whole_turns) = (false, false);
        let mut search = TreeSearch {
            backup_rule: BackupRule::new(SumRule::new(parameters)),
            expander,
            tree,
            way: Vec::new(),
            settled: 0,
            queue: BinaryHeap::new(),
            children: Vec::new(),
        };
        let mut limit_check = LimitCheck::new(limits, begin, stop, &over, &all);
        let result = search.run(position, &mut limit_check, |numbers, nodes, vertices| {
            let result = RootResult { numbers, ..RootResult::default() };
            let info = proof_info(position, &result, nodes, begin.elapsed());
            report(&ProofInfo { vertices, ..info });
        });
        let nodes = search.expander.nodes;
        let vertices = search.tree.size() as u64;
        let run = DfPnRun { parameters, tables, defences, threads: 1, begin };
        ProofInfo { vertices, ..run.info(task, result, nodes) }
    }

    /// The steps of a turn that wins, for a position whose mover should win. Nothing, if it does not, or a
    /// limit is reached. The past of the task holds all turns so far.
    ///
    /// What is no longer known is searched again, depth first, and the tree stays as it is. As long as
    /// nothing was lost, each turn is nearer to the end of the proof.
    pub fn winning_turn<P, K>(&mut self, task: &Task<P, K>) -> Option<Vec<Step>>
    where
        P: Position<Step = Step> + Sync,
        K: ProofNumberHeuristics<P>,
    {
        let Pns { parameters, tables, defences, .. } = self;
        let run = DfPnRun { parameters, tables, defences, threads: 1, begin: Instant::now() };
        let counted = run.search(task, |_| ());
        let info = run.info(task, counted.result, counted.nodes);
        let wins = matches!(info.proof, Some(Proof::Win(_)));
        (wins && !info.turn.is_empty()).then_some(info.turn)
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

    /// Whether the tree follows the rules from that position: each edge is a legal step that leads to the position of
    /// its child.
    pub fn fits<P: Position<Step = Step>>(&self, position: &P) -> bool {
        self.tree.follows_rules(position)
    }

    /// Reads what [`Pns::save`] has written, perhaps with other parameters, in the place of what was
    /// known. After an error, nothing is known; a tree that this search has no room for is one.
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
        let root = (Key(read_u64(input)?), read_u64(input)?);
        self.tree.load(input)?;
        let is_there = has_root[0] != 0 && self.tree.size() > 0;
        if is_there && self.tree.vertex(ROOT).key != root.0 {
            return Err(io::Error::new(io::ErrorKind::InvalidData, "the tree has another root"));
        }
        self.root = is_there.then_some(root);
        Ok(())
    }
}

/// A search under way.
struct TreeSearch<'a, P: Position, K: ProofNumberHeuristics<P>> {
    expander: Expander<'a, P, K>,
    backup_rule: BackupRule,
    tree: &'a mut Tree,
    /// The vertices from the root to the one that is expanded next.
    way: Vec<Waypoint<P>>,
    /// How many of them, from the root on, were not refreshed since the search went there: their best child is the same.
    settled: usize,
    /// The vertices that are to be updated, the deepest first.
    queue: BinaryHeap<(u16, VertexId)>,
    children: Vec<Child<P::Step>>,
}

/// A vertex on the way down.
#[derive(Clone)]
struct Waypoint<P> {
    id: VertexId,
    position: P,
    place: TreePlace,
    /// Depth first: the search stays below the vertex until its numbers come to these.
    thresholds: ProofNumbers,
}

impl<P: Position, K: ProofNumberHeuristics<P>> TreeSearch<'_, P, K> {
    /// Expands one position after the other until the root is decided, or the search must stop.
    fn run(
        &mut self,
        root: &P,
        limit_check: &mut LimitCheck,
        mut report: impl FnMut(ProofNumbers, u64, u64),
    ) -> RootResult<P::Step> {
        if let Some(decided) = self.expander.decided_statically(root) {
            let numbers = ProofNumbers::decided(decided.winner);
            return RootResult { numbers, decided: Some(decided), ..RootResult::default() };
        }
        if self.tree.size() == 0 {
            let branch = Branch {
                numbers: ProofNumbers::UNKNOWN,
                turns: 0,
                path_dependent: false,
                ends_turn: false,
            };
            self.tree.add(NONE, Vertex::new(root.key(), root.side(), root.turn_starts(), branch));
        }
        let (high, low) = self.marks();
        let mut tree_is_full = false;
        while !self.tree.vertex(ROOT).is_decided() {
            if limit_check.is_report_due(self.expander.nodes) {
                let nodes = limit_check.nodes(self.expander.nodes);
                report(self.tree.vertex(ROOT).numbers, nodes, self.tree.size() as u64);
            }
            if limit_check.must_stop {
                break;
            }
            self.go_up(root);
            if self.tree.size() > high {
                self.collect_garbage(low);
            }
            if !self.expand_most_proving() {
                let before = self.tree.size();
                self.collect_garbage(low.min(before * 4 / 5));
                tree_is_full = self.tree.size() == before;
                if tree_is_full {
                    break;
                }
            }
        }
        RootResult { tree_is_full, ..self.result() }
    }

    /// From how many vertices on garbage is collected, and down to how many.
    fn marks(&self) -> (usize, usize) {
        let parameters = self.expander.parameters;
        let most = self.tree.most_vertices();
        // Marks that the tree has no room for are refused where parameters are chosen.
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

    /// Removes garbage, but nothing of the way down, until so many vertices are left.
    fn collect_garbage(&mut self, low: usize) {
        if self.expander.parameters.gc {
            let way: Vec<VertexId> = self.way.iter().map(|waypoint| waypoint.id).collect();
            collect_garbage(self.tree, low, &way);
        }
    }

    fn is_depth_first(&self) -> bool {
        self.expander.parameters.depth_first
    }

    /// Goes up to where the next iteration begins: best first, the first vertex on the way that was refreshed, since a
    /// search from the root would come there again; depth first, the deepest vertex that is below its thresholds.
    fn go_up(&mut self, root: &P) {
        if self.way.is_empty() {
            self.way.push(Waypoint {
                id: ROOT,
                position: root.clone(),
                place: TreePlace::default(),
                thresholds: ProofNumbers::NO_THRESHOLD,
            });
            return;
        }
        while self.way.len() > 1
            && let Some(&Waypoint { id, place, thresholds, .. }) = self.way.last()
        {
            let vertex = self.tree.vertex(id);
            let can_stay = match self.is_depth_first() {
                true => !vertex.is_decided() && !vertex.numbers.reaches(thresholds),
                false => self.way.len() <= self.settled + 1,
            };
            if can_stay {
                break;
            }
            self.way.pop();
            if place.used == 0 {
                self.expander.path.pop();
            }
        }
    }

    /// Expands the most proving position below the end of the way, and updates what is above it; false, if there is
    /// no room.
    fn expand_most_proving(&mut self) -> bool {
        while let Some(top) = self.way.last().cloned()
            && self.tree.vertex(top.id).flags.has(Flags::EXPANDED)
        {
            let Some(below) = self.most_proving_child(&top) else { return false };
            if below.position.turn_starts() {
                let key = self.tree.vertex(below.id).key;
                self.expander.path.push(key, below.position.repetition_key());
            }
            self.way.push(below);
        }
        self.settled = self.way.len();
        for waypoint in &self.way {
            let vertex = self.tree.vertex_mut(waypoint.id);
            vertex.visits = vertex.visits.saturating_add(1);
        }
        let Some(Waypoint { id, position, place, .. }) = self.way.last().cloned() else {
            return false;
        };
        let (key, sum) = (self.tree.vertex(id).key, self.expander.path.sum());
        let known = self.expander.tables.decided(&self.expander.path, key, sum);
        match known.filter(|_| id != ROOT) {
            // Another path has decided it meanwhile.
            Some(decided) => {
                self.tree.vertex_mut(id).decide(decided);
                self.push_parents(id);
            }
            None => {
                if !self.expand(id, &position, place) {
                    return false;
                }
                self.enqueue(id);
            }
        }
        self.update();
        true
    }

    /// The child that a search goes to. Of equal ones, it is the first.
    fn most_proving_child(&mut self, top: &Waypoint<P>) -> Option<Waypoint<P>> {
        let mover = self.tree.vertex(top.id).mover();
        let number = |child: VertexId| self.tree.vertex(child).numbers.to_win(mover);
        let (id, step) = self.tree.children(top.id).min_by_key(|&(child, _)| number(child))?;
        let step = P::Step::unpack(step)?;
        let mut position = top.position.clone();
        position.play(step);
        let place = top.place.after(top.position.cost(step).0, position.turn_starts());
        let thresholds = if self.is_depth_first() {
            self.child_thresholds(top, id)?
        } else {
            ProofNumbers::NO_THRESHOLD
        };
        Some(Waypoint { id, position, place, thresholds })
    }

    /// Until when a depth-first search stays below the best child of a vertex.
    fn child_thresholds(&mut self, top: &Waypoint<P>, best: VertexId) -> Option<ProofNumbers> {
        let Backup::Open(open) = self.backup(top.id) else { return None };
        let (mover, numbers) = (self.tree.vertex(top.id).mover(), self.tree.vertex(best).numbers);
        let epsilon = self.expander.parameters.epsilon as u32;
        Some(open.child_thresholds(mover, top.thresholds, numbers, epsilon))
    }

    /// Puts the children of a position into the tree; false, if there is no room.
    fn expand(&mut self, id: VertexId, position: &P, place: TreePlace) -> bool {
        self.children.clear();
        let expansion = self.expander.expand(position, place, &mut self.children);
        if !self.tree.has_room(self.children.len()) {
            return false;
        }
        let turn = self.tree.turn_of(id);
        let level = self.tree.vertex(id).level;
        let merge = self.expander.parameters.merge;
        // A third of the time went into waiting for memory here.
        self.children.iter().for_each(|child| self.tree.prefetch(turn, child.key));
        let mut last = NONE;
        for child in &self.children {
            let found = merge.then(|| self.tree.find(turn, child.key)).flatten();
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
        vertex.flags.set(Flags::PATH_CUT, expansion.path_cut);
        vertex.standing = expansion.standing;
        if expansion.is_lost {
            let lost = Decided::statically(!position.side(), 1);
            self.decide(id, lost);
        }
        true
    }

    fn enqueue(&mut self, id: VertexId) {
        let vertex = self.tree.vertex_mut(id);
        if !vertex.flags.has(Flags::QUEUED) {
            vertex.flags.set(Flags::QUEUED, true);
            self.queue.push((vertex.level, id));
        }
    }

    fn push_parents(&mut self, id: VertexId) {
        let parents: Vec<VertexId> = self.tree.parents(id).collect();
        parents.into_iter().for_each(|parent| self.enqueue(parent));
    }

    /// Updates the queued vertices, and everything above them that changes.
    fn update(&mut self) {
        while let Some((_, id)) = self.queue.pop() {
            self.tree.vertex_mut(id).flags.set(Flags::QUEUED, false);
            let settled = &self.way[..self.settled];
            self.settled =
                settled.iter().rposition(|waypoint| waypoint.id == id).unwrap_or(self.settled);
            if self.refresh(id) {
                self.push_parents(id);
            }
        }
    }

    /// Backs up the children of a vertex; whether that has changed anything.
    fn refresh(&mut self, id: VertexId) -> bool {
        let vertex = *self.tree.vertex(id);
        if vertex.is_decided() {
            // Only those that have just been expanded.
            return true;
        }
        let height = self.tree.children(id).map(|(child, _)| self.tree.vertex(child).height);
        let height = height.max().unwrap_or(0).saturating_add(1);
        self.tree.vertex_mut(id).height = height;
        match self.backup(id) {
            Backup::Decided(decided, best) => {
                let step = best.and_then(|best| self.tree.children(id).nth(best));
                if let Some(step) = step.and_then(|(_, step)| P::Step::unpack(step)) {
                    self.expander.killers.reward(vertex.level.into(), step);
                }
                self.decide(id, decided);
                true
            }
            Backup::Open(open) if open.numbers == vertex.numbers => false,
            Backup::Open(open) => {
                let cost = SubtreeCost { nodes: vertex.visits.into(), height };
                self.tree.vertex_mut(id).numbers = open.numbers;
                self.expander.tables.store_numbers(vertex.key, open.numbers, cost);
                true
            }
        }
    }

    fn backup(&mut self, id: VertexId) -> Backup {
        let Vertex { flags, standing, .. } = *self.tree.vertex(id);
        let mover = self.tree.vertex(id).mover();
        let tree = &*self.tree;
        let branches = tree.children(id).map(|(child, _)| tree.vertex(child).branch());
        self.backup_rule.backup(mover, standing, flags.has(Flags::PATH_CUT), branches, |_, own| own)
    }

    fn decide(&mut self, id: VertexId, decided: Decided) {
        let vertex = *self.tree.vertex(id);
        let sum = if decided.path_dependent { Path::sum_of(self.tree.path_to(id)) } else { 0 };
        let cost = SubtreeCost { nodes: vertex.visits.into(), height: vertex.height };
        let Expander { tables, path, .. } = &self.expander;
        let decided = tables.decide(path, vertex.key, sum, decided, cost);
        self.tree.vertex_mut(id).decide(decided);
    }

    /// The result of the root, and the steps of the winner as far as the tree has them.
    fn result(&mut self) -> RootResult<P::Step> {
        let root = *self.tree.vertex(ROOT);
        let Some(winner) = root.numbers.winner() else {
            return RootResult { numbers: root.numbers, ..RootResult::default() };
        };
        let branch = root.branch();
        let decided =
            Decided { winner, turns: branch.turns, path_dependent: branch.path_dependent };
        let mut result =
            RootResult { numbers: root.numbers, decided: Some(decided), ..RootResult::default() };
        if winner != root.mover() {
            return result;
        }
        let mut id = ROOT;
        while self.tree.vertex(id).flags.has(Flags::EXPANDED)
            && let Backup::Decided(decided, Some(best)) = self.backup(id)
            && let Some((child, step)) = self.tree.children(id).nth(best)
            && let Some(step) = P::Step::unpack(step)
        {
            result.steps.push(step);
            result.path_dependent |= decided.path_dependent;
            if self.tree.vertex(child).flags.has(Flags::TURN_STARTS) {
                break;
            }
            id = child;
        }
        result
    }
}
