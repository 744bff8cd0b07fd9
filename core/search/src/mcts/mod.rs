//! Monte-Carlo tree search. This file has what others call: a search within limits, on several threads, with a tree that
//! is kept from turn to turn. [`iteration`] has one iteration; the other files hold its parts.

mod counters;
mod expansion;
mod heuristics;
mod history;
mod islands;
mod iteration;
mod leaf_threads;
mod outcome;
mod parameters;
mod playouts;
mod selection;
mod statistics;
mod tree;

/// What threads share is made of these; `tests/loom.rs` has others in their place.
mod atomic {
    pub(super) use std::sync::atomic::{
        AtomicBool, AtomicU16, AtomicU32, AtomicU64, Ordering, fence,
    };
}

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use engine::{TreeStatistics, TreeView, spawn_helpers};
use game::{PackedStep, Position, Steps};

use self::counters::Counters;
pub use self::heuristics::TreeHeuristics;
pub use self::history::StepHistory;
use self::islands::Islands;
use self::iteration::{Buffers, Worker};
use self::leaf_threads::LeafThreads;
use self::outcome::Forest;
pub use self::parameters::{MctsParameters, RelativeUpdate, SelectionRule, TreeParallel};
pub use self::playouts::{PlayoutRequest, Playouts, StepKnowledge, StepPlayout, play_steps};
pub use self::statistics::Mean;
use self::tree::{Room, Tree};
use crate::{Evaluator, Info, Limits, Tactics, Task, TurnStructure};

/// All that Monte-Carlo tree search asks for.
pub trait MctsHeuristics<P: Position>:
    Evaluator<P> + Tactics<P> + TurnStructure<P> + StepKnowledge<P> + Playouts<P>
{
}

impl<P, H> MctsHeuristics<P> for H
where
    P: Position,
    H: Evaluator<P> + Tactics<P> + TurnStructure<P> + StepKnowledge<P> + Playouts<P>,
{
}

/// Monte-Carlo tree search, for any game.
///
/// The nodes are positions at the start of a turn or inside, the edges single steps as a rule. Values are for the side to
/// move; the sign is flipped when that changes, and only then.
pub struct Mcts {
    /// How it searches.
    pub parameters: MctsParameters,
    /// How many threads share the work.
    pub threads: usize,
    /// How many lines are reported.
    pub lines: usize,
    mebibytes: usize,
    /// One tree, or one for each thread.
    trees: Vec<Tree>,
    /// How steps have done, by each thread: threads that share one would wait for each other all the time.
    histories: Vec<StepHistory>,
    /// What the trees have forgotten so far.
    recycled: u64,
}

/// The size of the table by which islands exchange what they know.
const ISLANDS_MEBIBYTES: usize = 2;

/// A thread looks at the clock after so many iterations.
const CLOCK: u64 = 32;

/// After so many iterations it is worth a look whether the choice is clear. Before the first ones there is no speed that
/// would tell how many are still to come.
const LOOK: u64 = 1024;

/// How many positions are searched for each step of depth, where the depth is the only limit: a tree has no depth that
/// could be completed.
const NODES_PER_DEPTH: u64 = 2_000;

/// What is left to the histories of the threads, to tactics, nets and the program itself, in MiB of all: what is resident
/// is to stay within the limit.
fn small_tables(mebibytes: usize, threads: usize) -> usize {
    (14 + 2 * threads).min(mebibytes / 2)
}

impl Mcts {
    /// A search whose trees and tables take that many MiB.
    pub fn new(parameters: MctsParameters, mebibytes: usize, threads: usize) -> Mcts {
        Mcts {
            parameters,
            threads: threads.max(1),
            lines: 1,
            mebibytes: mebibytes.max(8),
            trees: Vec::new(),
            histories: Vec::new(),
            recycled: 0,
        }
    }

    /// Forgets what earlier searches have found.
    pub fn clear(&mut self) {
        self.trees.clear();
        self.histories.clear();
    }

    /// Searches until a limit, a stop or a proof; `tell` hears now and then what is known so far. None, if there was no
    /// time for anything.
    pub fn search<P, H>(
        &mut self,
        task: &Task<P, H>,
        seed: u64,
        mut tell: impl FnMut(&Info<P::Step>),
    ) -> Option<Info<P::Step>>
    where
        P: Position + Send + Sync,
        P::Step: PackedStep + Send + Sync,
        H: MctsHeuristics<P>,
    {
        let begin = Instant::now();
        self.prepare(task);
        let mut clock = Clock::new(begin, task.limits);
        let counters = Counters::new(self.threads, clock.limits.nodes);
        let mut round = 0;
        while !counters.is_over.load(Ordering::Relaxed) {
            let seed = seed.wrapping_add(round);
            self.run_round(task, seed, &counters, &mut clock, &mut tell);
            let is_full = counters.is_full.swap(false, Ordering::Relaxed);
            if is_full && !counters.is_over.load(Ordering::Relaxed) {
                self.recycle();
            }
            round += 1;
        }
        let info = self.info(task, &counters, begin)?;
        tell(&info);
        Some(info)
    }

    /// Keeps of the trees what is known of the position, and makes those that are missing.
    fn prepare<P: Position, H>(&mut self, task: &Task<P, H>) {
        let (key, side) = (task.position.key(), task.position.side());
        let MctsParameters { parallel, rave, amaf, transpositions, .. } = self.parameters;
        let trees = if matches!(parallel, TreeParallel::Root | TreeParallel::Islands) {
            self.threads
        } else {
            1
        };
        let room = Room {
            bytes: ((self.mebibytes - small_tables(self.mebibytes, self.threads)) << 20) / trees,
            transpositions,
            rave: rave > 0 || amaf > 0,
            islands: parallel == TreeParallel::Islands,
        };
        self.trees.retain(|tree| tree.room() == room);
        self.trees.truncate(trees);
        for tree in &mut self.trees {
            let known = (self.parameters.keep_tree).then(|| tree.find(key)).flatten();
            *tree = match known {
                Some(node) => tree.subtree(node),
                None => Tree::new(key, side, room),
            };
            tree.forbid_at_root(task.position, task.past);
        }
        self.trees.resize_with(trees, || Tree::new(key, side, room));
        self.histories.clear();
        self.histories.resize_with(self.threads, StepHistory::default);
        self.recycled = 0;
    }

    /// Lets all threads iterate until the search is over or a tree is full.
    fn run_round<P, H>(
        &self,
        task: &Task<P, H>,
        seed: u64,
        counters: &Counters,
        clock: &mut Clock,
        tell: &mut impl FnMut(&Info<P::Step>),
    ) where
        P: Position + Send + Sync,
        P::Step: PackedStep + Send + Sync,
        H: MctsHeuristics<P>,
    {
        let parallel = self.parameters.parallel;
        let islands = (parallel == TreeParallel::Islands).then(|| Islands::new(ISLANDS_MEBIBYTES));
        let leaf_threads =
            (parallel == TreeParallel::Leaf && self.threads > 1).then(LeafThreads::<P>::new);
        let worker = |thread: usize| {
            let tree = thread % self.trees.len();
            let is_shared = self.trees.len() < self.threads && leaf_threads.is_none();
            Worker {
                task,
                parameters: &self.parameters,
                tree: &self.trees[tree],
                history: &self.histories[thread],
                counters,
                counted: counters.of_thread(thread),
                is_shared,
                islands: islands.as_ref(),
                leaf_threads: leaf_threads.as_ref().filter(|_| thread == 0),
                random: fastrand::Rng::with_seed(seed ^ (thread as u64) << 32),
                buffers: Buffers::default(),
            }
        };
        std::thread::scope(|scope| {
            let (make_worker, leaf_threads) = (&worker, &leaf_threads);
            let help = |index: usize| {
                move || {
                    let mut worker = make_worker(index + 1);
                    match leaf_threads {
                        Some(threads) => threads.help(worker.history, |request| {
                            worker.counted.playouts.add(1);
                            let scratch = &mut worker.buffers.playouts;
                            task.heuristics.playout(request, &mut worker.random, scratch, |_, _| ())
                        }),
                        None => worker.run(),
                    }
                }
            };
            let helpers = spawn_helpers(scope, "search", self.threads - 1, help);
            if let Some(threads) = leaf_threads {
                threads.begin(helpers + 1);
            }
            self.lead(&mut worker(0), clock, tell);
            if let Some(threads) = leaf_threads {
                threads.end();
            }
        });
    }

    /// Iterates as the thread that looks at the clock and tells what is known.
    fn lead<P, H>(
        &self,
        worker: &mut Worker<P, H>,
        clock: &mut Clock,
        tell: &mut impl FnMut(&Info<P::Step>),
    ) where
        P: Position + Send + Sync,
        P::Step: PackedStep + Send + Sync,
        H: MctsHeuristics<P>,
    {
        let (task, counters) = (worker.task, worker.counters);
        loop {
            let own = worker.counted.iterations.get();
            if counters.are_nodes_spent()
                || own.is_multiple_of(CLOCK)
                    && (clock.is_over() || self.is_decided(task, clock, counters))
            {
                counters.is_over.store(true, Ordering::Relaxed);
                return;
            }
            if counters.is_full.load(Ordering::Relaxed) {
                return;
            }
            if clock.must_tell(own)
                && let Some(info) = self.info(task, counters, clock.begin)
            {
                tell(&info);
            }
            worker.iterate();
        }
    }

    /// Whether no more iterations are needed.
    fn is_decided<P, H>(&self, task: &Task<P, H>, clock: &mut Clock, counters: &Counters) -> bool
    where
        P: Position,
        P::Step: PackedStep,
    {
        let done = counters.sum(|thread| &thread.iterations);
        task.stop.is_requested()
            || self.forest().proven().is_some()
            || self.parameters.early_stop
                && clock.must_look(done)
                && self.forest().is_clear(task, clock.iterations_left(done, counters.nodes()))
    }

    /// Makes room: of a full tree, what was visited most is kept.
    fn recycle(&mut self) {
        for tree in &mut self.trees {
            let before = tree.len();
            *tree = tree.subtree(tree.root());
            self.recycled += u64::from(before - tree.len());
        }
    }

    fn forest(&self) -> Forest<'_> {
        Forest { trees: &self.trees, parameters: &self.parameters }
    }

    /// What is known so far.
    fn info<P, H>(
        &self,
        task: &Task<P, H>,
        counters: &Counters,
        begin: Instant,
    ) -> Option<Info<P::Step>>
    where
        P: Position,
        P::Step: PackedStep,
        H: MctsHeuristics<P>,
    {
        let lines = self.forest().lines(task, self.lines);
        let iterations = counters.sum(|thread| &thread.iterations);
        let depths = counters.sum(|thread| &thread.depth);
        let nodes = self.trees.iter().map(|tree| u64::from(tree.len())).sum();
        let statistics = TreeStatistics {
            playouts: counters.sum(|thread| &thread.playouts),
            nodes,
            expanded: counters.sum(|thread| &thread.expanded),
            recycled: self.recycled,
            mean_depth: (100 * depths / iterations.max(1)) as u32,
        };
        (!lines.is_empty()).then(|| Info {
            lines,
            depth: Steps((statistics.mean_depth / 100).min(255) as u8),
            nodes: counters.nodes(),
            visits: Some(self.forest().visits()),
            hash_full: self.trees.iter().map(Tree::fill).max(),
            tree: Some(statistics),
            time: begin.elapsed(),
        })
    }

    /// The top of the tree as lines for people: moves that were visited often, the others left out.
    pub fn top<P>(&self, position: &P, name: impl Fn(&P, &[P::Step]) -> String) -> Vec<String>
    where
        P: Position,
        P::Step: PackedStep,
    {
        self.forest().top(position, &name)
    }

    /// The position that these moves lead to in the tree, with some of its own: what [`engine::Engine::look`] answers. The
    /// search must have begun at that position.
    pub fn look<P>(
        &self,
        position: &P,
        path: &[Vec<P::Step>],
        from: usize,
        count: usize,
    ) -> Option<TreeView<P::Step>>
    where
        P: Position,
        P::Step: PackedStep,
    {
        let begins_there = |tree: &Tree| tree.node(tree.root()).key() == position.key();
        let is_known = !self.trees.is_empty() && self.trees.iter().all(begins_there);
        is_known.then(|| self.forest().look(position, path, from, count))?
    }
}

impl<P, H> Worker<'_, P, H>
where
    P: Position + Send + Sync,
    P::Step: PackedStep + Send + Sync,
    H: MctsHeuristics<P>,
{
    /// Iterates until the search is over, the nodes are spent or the tree is full.
    fn run(&mut self) {
        let counters = self.counters;
        let is_set = |flag: &AtomicBool| flag.load(Ordering::Relaxed);
        while !is_set(&counters.is_over)
            && !is_set(&counters.is_full)
            && !counters.are_nodes_spent()
        {
            self.iterate();
        }
    }
}

/// When a search ends, and when it tells what it knows.
struct Clock {
    begin: Instant,
    limits: Limits,
    /// Tells when so many iterations are done.
    tells_at: u64,
    /// Looks whether the choice is clear when so many iterations are done.
    looks_at: u64,
}

impl Clock {
    fn new(begin: Instant, mut limits: Limits) -> Clock {
        if let Limits { depth: Some(depth), nodes: None, soft: None, hard: None } = limits {
            limits.nodes = Some(NODES_PER_DEPTH * u64::from(depth.0));
        }
        // Whatever was used before, there is one iteration.
        limits.nodes = limits.nodes.map(|nodes| nodes.max(1));
        Clock { begin, limits, tells_at: 256, looks_at: LOOK }
    }

    /// The time that may be used: the soft limit, where there is one.
    fn time(&self) -> Option<Duration> {
        [self.limits.soft, self.limits.hard].into_iter().flatten().min()
    }

    fn is_over(&self) -> bool {
        self.time().is_some_and(|time| self.begin.elapsed() >= time)
    }

    /// How many iterations there will be time for, at the speed so far; none, if nothing limits them.
    fn iterations_left(&self, done: u64, nodes: u64) -> Option<u64> {
        // An iteration may enter many nodes.
        let each = (nodes / done.max(1)).max(1);
        let by_nodes = self.limits.nodes.map(|most| most.saturating_sub(nodes) / each);
        let by_time = self.time().map(|time| {
            let elapsed = self.begin.elapsed().as_secs_f64().max(1e-6);
            let left = time.as_secs_f64() - elapsed;
            (done as f64 * left.max(0.0) / elapsed) as u64
        });
        by_nodes.into_iter().chain(by_time).min()
    }

    /// Whether it is worth a look whether the choice is clear: a look costs as much as a few iterations.
    fn must_look(&mut self, done: u64) -> bool {
        let is_time = done >= self.looks_at;
        if is_time {
            self.looks_at = done + LOOK;
        }
        is_time
    }

    /// Whether it is time to tell: each time that the iterations have doubled.
    fn must_tell(&mut self, done: u64) -> bool {
        let is_time = done >= self.tells_at;
        if is_time {
            self.tells_at = 2 * done;
        }
        is_time
    }
}

impl fmt::Debug for Mcts {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.debug_struct("Mcts").field("parameters", &self.parameters).finish_non_exhaustive()
    }
}
