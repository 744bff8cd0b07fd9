//! Proof-number search: who wins, whatever the other side plays.
//!
//! Each position has a proof number and a disproof number (Allis 1994): at least how many positions are
//! still to be proved before one or the other side is proved to win. The search goes where they are
//! least. Positions inside a turn are vertices too: an edge is a step. The method follows Majerech 2012
//! (chapters 3 and 4) and Veselý 2013 (2.2).
//!
//! | file | |
//! | --- | --- |
//! | `numbers.rs` | proof numbers, and decided positions |
//! | `backup.rs` | how the numbers of children are combined: sum, weak, dynamic widening; thresholds |
//! | `expansion.rs` | the children of a position, their order and their initial numbers |
//! | `tables.rs` | the transposition tables with their replacement schemes; repetition on a path |
//! | `df_pn.rs`, `df_pn_worker.rs` | depth-first search, on several threads with virtual loss |
//! | `pns.rs`, `tree.rs`, `tree_index.rs`, `tree_file.rs` | best-first search, depth-first search with a tree, and the tree in memory and on disk |
//! | `view.rs` | the tree for those who look at it |

mod backup;
mod df_pn;
mod df_pn_worker;
mod expansion;
mod numbers;
mod pns;
mod tables;
mod tree;
mod tree_file;
mod tree_index;
mod view;

use std::io::{self, Read, Write};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use engine::parameters;
use game::{PackedStep, Position, Proof};

pub use self::df_pn::DfPn;
pub use self::pns::Pns;
use self::tables::Tables;
use self::tree::Tree;
pub use self::view::{ChildView, VertexView};
use crate::{Limits, ProofNumberHeuristics, Stop, Task};

/// One of the two proof-number searches, as the parameters say.
#[derive(Debug)]
pub enum ProofNumberSearch<Step> {
    /// With the tree in memory: best first, or depth first.
    WithTree(Pns<Step>),
    /// Depth first, with tables only.
    TablesOnly(DfPn<Step>),
}

impl<Step: PackedStep + Send + Sync> ProofNumberSearch<Step> {
    /// A search that knows nothing yet, on so many threads if it has tables only, else on one.
    pub fn new(parameters: ProofParameters, threads: usize) -> ProofNumberSearch<Step> {
        if parameters.keeps_tree() {
            return ProofNumberSearch::WithTree(Pns::new(parameters));
        }
        let mut dfpn = DfPn::new(parameters);
        dfpn.threads = threads;
        ProofNumberSearch::TablesOnly(dfpn)
    }

    /// Searches until a proof, a limit or a stop. `report` is called now and then.
    pub fn solve<P, K>(
        &mut self,
        task: &Task<P, K>,
        report: impl FnMut(&ProofInfo<Step>),
    ) -> ProofInfo<Step>
    where
        P: Position<Step = Step> + Sync,
        K: ProofNumberHeuristics<P>,
    {
        match self {
            ProofNumberSearch::WithTree(pns) => pns.solve(task, report),
            ProofNumberSearch::TablesOnly(dfpn) => dfpn.solve(task, report),
        }
    }

    /// The steps of a turn that wins: [`Pns::winning_turn`], [`DfPn::winning_turn`].
    pub fn winning_turn<P, K>(&mut self, task: &Task<P, K>) -> Option<Vec<Step>>
    where
        P: Position<Step = Step> + Sync,
        K: ProofNumberHeuristics<P>,
    {
        match self {
            ProofNumberSearch::WithTree(pns) => pns.winning_turn(task),
            ProofNumberSearch::TablesOnly(dfpn) => dfpn.winning_turn(task),
        }
    }

    /// Forgets what earlier searches have found.
    pub fn clear(&mut self) {
        match self {
            ProofNumberSearch::WithTree(pns) => pns.clear(),
            ProofNumberSearch::TablesOnly(dfpn) => dfpn.clear(),
        }
    }

    /// How much memory the tables, and the tree if there is one, take.
    pub fn bytes(&self) -> usize {
        match self {
            ProofNumberSearch::WithTree(pns) => pns.bytes(),
            ProofNumberSearch::TablesOnly(dfpn) => dfpn.bytes(),
        }
    }

    /// A vertex of the tree, if there is one: [`Pns::look`].
    pub fn look(
        &self,
        path: &[u16],
        from: usize,
        count: usize,
    ) -> Option<(VertexView, Vec<ChildView>)> {
        match self {
            ProofNumberSearch::WithTree(pns) => pns.look(path, from, count),
            ProofNumberSearch::TablesOnly(_) => None,
        }
    }

    /// Writes out what is known: the bare state, without a header or a checksum.
    pub fn save(&self, out: &mut impl Write) -> io::Result<()> {
        match self {
            ProofNumberSearch::WithTree(pns) => pns.save(out),
            ProofNumberSearch::TablesOnly(dfpn) => dfpn.save(out),
        }
    }

    /// Whether the tree, if there is one, follows the rules from that position: [`Pns::fits`].
    pub fn fits<P: Position<Step = Step>>(&self, position: &P) -> bool {
        match self {
            ProofNumberSearch::WithTree(pns) => pns.fits(position),
            ProofNumberSearch::TablesOnly(_) => true,
        }
    }

    /// Reads what [`ProofNumberSearch::save`] has written. A search with tables only can go on with what one with a
    /// tree has saved, but not the other way round. After an error, nothing is known.
    pub fn load(&mut self, input: &mut impl Read) -> io::Result<()> {
        match self {
            ProofNumberSearch::WithTree(pns) => pns.load(input),
            ProofNumberSearch::TablesOnly(dfpn) => dfpn.load(input),
        }
    }
}

/// What a proof-number search knows so far, or in the end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ProofInfo<Step> {
    /// The result for the side to move; nothing, as long as there is no proof.
    pub proof: Option<Proof>,
    /// The steps of a turn that wins, if the side to move does.
    pub turn: Vec<Step>,
    /// Whether the proof leaves out turns of the loser because they would repeat a position for the third
    /// time, counted from here.
    pub by_repetition: bool,
    /// The proof number: at least how many positions are to be proved before the side to move has won.
    pub proof_number: u32,
    /// The disproof number: the same for the other side.
    pub disproof_number: u32,
    /// How many positions were entered.
    pub nodes: u64,
    /// How many vertices the tree has, if there is one.
    pub vertices: u64,
    /// Whether the search has ended because the tree is full.
    pub tree_is_full: bool,
    /// Since the search began.
    pub time: Duration,
}

parameters! {
    /// How a proof-number search works. A value of 0 switches a parameter off.
    pub struct ProofParameters {
        depth_first: 1, 0..=1, "whether the search is depth first with tables only (df-pn), instead of best first with the tree in memory (PNS)";
        keep_tree: 0, 0..=1, "depth first: whether the tree is kept in memory under garbage collection, as in a best-first search (Majerech 2012, 4.4), instead of tables only";
        epsilon: 25, 0..=10000, "depth first: by how many percent the number of the best child may exceed that of the second best before the search turns to another child (the 1 + ε trick); Majerech 2012 settled on 90, but 25 solves more here (15 of 20 wins in 3 instead of 14, 3 million nodes; 2026-11)";
        sum: 1, 0..=3, "how the numbers of children that must all be answered are combined: added (0), the greatest and a share for each other one (weak PNS, 1), the same with a share by the evaluation (2), the most promising ones added (dynamic widening, 3)";
        weak_share: 200, 0..=1000, "with sum = 1 or 2, how much each other child counts, in percent; 100 in the literature (Veselý 2013, 2.2.4; h of 2.2.5), but 30, 100, 200 and 500 solve 16, 19, 20 and 20 of 20 wins in 3 within 2 million nodes (2026-11)";
        weak_advantage: 1000, 0..=2000000000, "with sum = 2, the evaluation from which a side is likely to win, in its points";
        widening: 10, 1..=1000, "with sum = 3, how many children are added (J of Veselý 2013, 2.2.6)";
        estimate: 0, 0..=2, "where the initial numbers of a position come from: they are 1 (0), from its evaluation (1), from the heuristics of the game (2)";
        estimate_loss: 1, 0..=100, "with estimate = 1, what is added to the initial number of the side to move where it stands worse (a of Veselý 2013, 2.2.2)";
        estimate_win: 1, 0..=100, "with estimate = 1, the same for the other side where it stands worse (b of Veselý 2013, 2.2.2)";
        estimate_advantage: 1000, 0..=2000000000, "with estimate = 1, the evaluation from which a side is likely to win, in its points (t of Veselý 2013, 2.2.2)";
        wins: 1, 0..=1, "whether wins within a turn are found by a static test; without, a win is seen at the step that brings it about";
        defences: 2, 0..=2, "whether a threatened side is tested for a defence, and is lost without one (1); depth first, also whether the children of hard positions are the list of all defences, where they are few (2)";
        quiet: 4, 0..=1000, "what is added to the initial number of a side that ends its turn without a threat to win (0, 1, 4, 16 and 64: 13, 15, 15, 15 and 13 of 20 wins in 3 within 2 million nodes; 2026-11)";
        ordering: 1, 0..=2, "whether steps are tried in the order of their ordering scores (1), or of the scores for endgames (2), in Arimaa those of Majerech 2012, Table 4.1";
        killers: 2, 0..=8, "how many killer steps are tried first on each level";
        killer_hits: 0, 0..=1, "which killer gives way to a new one: the oldest (0), the one with the fewest hits (1; Majerech 2012, 4.3.2)";
        number_table: 256, 0..=1048576, "the size of the table of undecided positions, in MiB";
        proof_table: 64, 0..=1048576, "the size of the table of decided positions, in MiB";
        tree: 256, 0..=1048576, "the size of the tree, if one is kept, in MiB";
        merge: 1, 0..=1, "with a tree: whether equal positions inside a turn are one vertex, or one for each order of steps (0; Majerech 2012)";
        replacement: 3, 0..=4, "which entry of a full bucket gives way: the oldest (0), none (1), the less deep (2), the smaller subtree (3), two levels: the smaller subtree of the first moves to the second (4)";
        ageing: 2, 0..=255, "with replacement = 0, how long an entry is protected, in quarters of what the table holds";
        gc: 1, 0..=1, "with a tree: whether garbage is collected; without, the search ends where the tree is full";
        gc_high: 0, 0..=2000000000, "the number of vertices at which garbage is collected; at 0, when the memory of the tree is used up";
        gc_low: 0, 0..=2000000000, "the number of vertices that garbage collection leaves; at 0, four fifths of gc_high";
        whole_turns: 0, 0..=1, "depth first with tables only: whether an edge is a whole turn, instead of a step (Veselý 2013, 3.3)";
        table_bits: 0, 0..=30, "if above 0, both tables together have 2 to that power entries, a quarter of them for decided positions, instead of their sizes in MiB";
        lambda: 0, 0..=1, "whether steps are given up one by one, each as a vertex of its own (lambda vertices, Majerech 2012, 3.3.3), where the game can do so";
    }
}

impl ProofParameters {
    /// With tables and tree scaled in the same proportions to that many MiB, and the marks of garbage collection with the
    /// tree.
    pub fn scaled_to(self, mebibytes: usize) -> ProofParameters {
        let ProofParameters { number_table, proof_table, tree, gc_high, gc_low, .. } = self;
        let tree = if self.keeps_tree() { tree } else { 0 };
        let sum = i64::from(number_table) + i64::from(proof_table) + i64::from(tree);
        let scaled = |size: i32| {
            let size = i64::from(size) * mebibytes as i64 / sum.max(1);
            size.min(i64::from(i32::MAX)) as i32
        };
        // As many vertices as the tree has room for, since part of it is an index.
        let most = Tree::most_vertices_in(scaled(tree).max(0) as usize) as i64;
        let usual = Tree::most_vertices_in(tree.max(0) as usize) as i64;
        let mark = |mark: i32| (i64::from(mark) * most / usual.max(1)).min(2_000_000_000) as i32;
        ProofParameters {
            number_table: scaled(number_table),
            proof_table: scaled(proof_table),
            tree: scaled(self.tree),
            gc_high: mark(gc_high),
            gc_low: mark(gc_low),
            ..self
        }
    }

    /// The memory of the tables and of the tree, if one is kept, in MiB.
    pub fn mebibytes(&self) -> usize {
        let tree = if self.keeps_tree() { self.tree as usize } else { 0 };
        let tables = match self.table_bits {
            0 => self.number_table as usize + self.proof_table as usize,
            bits => Tables::bytes_of_bits(bits).div_ceil(1 << 20),
        };
        tables + tree
    }

    /// How many vertices the tree has room for.
    pub fn most_vertices(&self) -> usize {
        Tree::most_vertices_in(self.tree as usize)
    }

    /// Whether the search has a tree in memory.
    pub fn keeps_tree(&self) -> bool {
        self.depth_first == 0 || self.keep_tree != 0
    }
}

/// Checks now and then whether a search must stop, and when its next report is due.
#[derive(Debug)]
pub(crate) struct LimitCheck<'a> {
    limits: Limits,
    stop: &'a Stop,
    /// Ends all threads when one of them has the answer.
    over: &'a Stop,
    /// The nodes of all threads.
    all: &'a AtomicU64,
    /// How many of them this thread has added.
    added: u64,
    begin: Instant,
    checks: u32,
    /// When the next report is due.
    next: Duration,
    pub(crate) must_stop: bool,
}

/// How often the limits are checked, in expansions.
const EXPANSIONS_A_CHECK: u32 = 32;

/// And in nodes: where edges are whole turns, an expansion may have thousands.
const NODES_A_CHECK: u64 = 1 << 14;

/// How often a search reports.
const INTERVAL: Duration = Duration::from_millis(500);

impl<'a> LimitCheck<'a> {
    pub(crate) fn new(
        limits: Limits,
        begin: Instant,
        stop: &'a Stop,
        over: &'a Stop,
        all: &'a AtomicU64,
    ) -> LimitCheck<'a> {
        let next = INTERVAL;
        LimitCheck { limits, stop, over, all, added: 0, begin, checks: 0, next, must_stop: false }
    }

    pub(crate) fn elapsed(&self) -> Duration {
        self.begin.elapsed()
    }

    /// The nodes of all threads, given those of this one.
    pub(crate) fn nodes(&mut self, own: u64) -> u64 {
        let new = own - self.added;
        self.added = own;
        self.all.fetch_add(new, Ordering::Relaxed) + new
    }

    /// To be asked after each expansion: whether a report is due. [`LimitCheck::must_stop`] says whether to
    /// end.
    #[inline]
    pub(crate) fn is_report_due(&mut self, own_nodes: u64) -> bool {
        self.checks += 1;
        let is_check_due = self.checks.is_multiple_of(EXPANSIONS_A_CHECK)
            || self.checks == 1
            || own_nodes - self.added >= NODES_A_CHECK;
        if !is_check_due {
            return false;
        }
        let (elapsed, nodes) = (self.elapsed(), self.nodes(own_nodes));
        self.must_stop |= self.limits.hard.is_some_and(|time| elapsed >= time)
            || self.limits.nodes.is_some_and(|most| nodes >= most)
            || self.stop.is_requested()
            || self.over.is_requested();
        let is_due = elapsed >= self.next;
        if is_due {
            self.next = elapsed + INTERVAL;
        }
        is_due
    }
}
