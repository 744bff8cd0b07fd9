//! Depth-first proof-number search: see [`DfPn`].

use std::io::{self, Read, Write};
use std::sync::atomic::AtomicU64;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use game::{History, PackedStep, Position, Proof};
use guard::spawn_helpers;

use super::df_pn_worker::{DfPnWorker, RootResult, VirtualLoss};
use super::expansion::Expander;
use super::numbers::INFINITE;
use super::tables::{Path, Tables};
use super::{LimitCheck, ProofInfo, ProofParameters};
use crate::defences::Defences;
use crate::{Limits, ProofNumberHeuristics, Stop, Task};

/// Depth-first proof-number search, df-pn (Nagai 2002): the tree is searched in nearly the order of a
/// best-first search, but nothing is kept of it outside the transposition tables.
#[derive(Debug)]
pub struct DfPn<Step> {
    /// How it searches. The tables keep the sizes that they were made with.
    pub parameters: ProofParameters,
    /// How many threads share the work.
    pub threads: usize,
    tables: Tables,
    defences: Defences<Step>,
}

impl<Step: PackedStep + Send + Sync> DfPn<Step> {
    /// A search that knows nothing yet.
    pub fn new(parameters: ProofParameters) -> DfPn<Step> {
        let tables = Tables::new(&parameters);
        DfPn { parameters, threads: 1, tables, defences: Defences::new() }
    }

    /// Forgets what earlier searches have found.
    pub fn clear(&mut self) {
        self.tables.clear();
    }

    /// How much memory the tables take.
    pub fn bytes(&self) -> usize {
        self.tables.bytes()
    }

    /// Searches until a proof, a limit or a stop. `report` is called now and then.
    ///
    /// The tables of earlier searches are used.
    pub fn solve<P, K>(
        &mut self,
        task: &Task<P, K>,
        report: impl FnMut(&ProofInfo<Step>),
    ) -> ProofInfo<Step>
    where
        P: Position<Step = Step> + Sync,
        K: ProofNumberHeuristics<P>,
    {
        self.tables.set_scheme(&self.parameters);
        let run = DfPnRun {
            parameters: &self.parameters,
            tables: &self.tables,
            defences: &self.defences,
            threads: self.threads,
            begin: Instant::now(),
        };
        let Counted { result, nodes } = run.search(task, report);
        run.info(task, result, nodes)
    }

    /// The steps of a turn that wins, for a position whose mover should win. Nothing, if it does not, or a
    /// limit is reached. The past of the task holds all turns so far.
    ///
    /// What the tables have lost is searched again. As long as they have lost nothing, each turn is nearer
    /// to the end of the proof.
    pub fn winning_turn<P, K>(&mut self, task: &Task<P, K>) -> Option<Vec<Step>>
    where
        P: Position<Step = Step> + Sync,
        K: ProofNumberHeuristics<P>,
    {
        let info = self.solve(task, |_| ());
        let wins = matches!(info.proof, Some(Proof::Win(_)));
        (wins && !info.turn.is_empty()).then_some(info.turn)
    }

    /// Writes out what is known, to be read by [`DfPn::load`].
    pub fn save(&self, out: &mut impl Write) -> io::Result<()> {
        self.tables.save(out)
    }

    /// Reads what [`DfPn::save`] has written, perhaps with other parameters, in the place of what was
    /// known. After an error, nothing is known.
    pub fn load(&mut self, input: &mut impl Read) -> io::Result<()> {
        let result = self.tables.load(input);
        if result.is_err() {
            self.tables.clear();
        }
        result
    }
}

/// One run of a depth-first search: what its threads share.
pub(crate) struct DfPnRun<'a, Step> {
    pub(crate) parameters: &'a ProofParameters,
    pub(crate) tables: &'a Tables,
    pub(crate) defences: &'a Defences<Step>,
    pub(crate) threads: usize,
    pub(crate) begin: Instant,
}

impl<Step: PackedStep + Send + Sync> DfPnRun<'_, Step> {
    /// The report at the end; with a win, the turn that wins.
    pub(crate) fn info<P, K>(
        &self,
        task: &Task<P, K>,
        result: RootResult<Step>,
        nodes: u64,
    ) -> ProofInfo<Step>
    where
        P: Position<Step = Step> + Sync,
        K: ProofNumberHeuristics<P>,
    {
        let mut info = proof_info(task.position, &result, nodes, self.begin.elapsed());
        if let Some(Proof::Win(_)) = info.proof {
            (info.turn, info.nodes) = self.turn(task, result, nodes);
            info.time = self.begin.elapsed();
        }
        info
    }

    /// The steps of a turn that wins, after a search that has proved it, and the nodes by then.
    fn turn<P, K>(
        &self,
        task: &Task<P, K>,
        mut result: RootResult<Step>,
        mut nodes: u64,
    ) -> (Vec<Step>, u64)
    where
        P: Position<Step = Step> + Sync,
        K: ProofNumberHeuristics<P>,
    {
        if result.path_dependent {
            // By now, another child may be known to win on every path.
            let again = self.search(task, |_| ());
            (result, nodes) = (again.result, nodes + again.nodes);
        }
        let path_dependent = result.path_dependent;
        let (turn, nodes) = self.finish_turn(task, result.steps, nodes);
        if path_dependent && !turn.is_empty() && !self.holds_after(task, &turn) {
            return (Vec::new(), nodes);
        }
        (turn, nodes)
    }

    /// Whether the other side has lost after a turn. A path-dependent proof says that the position is won,
    /// but perhaps not by this turn: it may only lead back to a position from which another turn wins.
    fn holds_after<P, K>(&self, task: &Task<P, K>, turn: &[Step]) -> bool
    where
        P: Position<Step = Step> + Sync,
        K: ProofNumberHeuristics<P>,
    {
        let mut after = task.position.clone();
        turn.iter().for_each(|&step| after.play(step));
        let mut past = with_start(task);
        past.push(after.repetition_key());
        let next = Task { position: &after, past: &past, ..*task };
        let decided = self.search(&next, |_| ()).result.decided;
        decided.is_some_and(|decided| decided.winner == task.position.side())
    }

    /// Searches on all threads until the first one has an answer.
    pub(crate) fn search<P, K>(
        &self,
        task: &Task<P, K>,
        mut report: impl FnMut(&ProofInfo<Step>),
    ) -> Counted<Step>
    where
        P: Position<Step = Step> + Sync,
        K: ProofNumberHeuristics<P>,
    {
        let (over, all, virtual_loss) = (Stop::new(), AtomicU64::new(0), VirtualLoss::new());
        let answer = Mutex::new(None);
        let virtual_loss = (self.threads > 1).then_some(&virtual_loss);
        let worker = |limits: Limits| {
            let limit_check = LimitCheck::new(limits, self.begin, task.stop, &over, &all);
            DfPnWorker::new(self.expander(task), limit_check, virtual_loss)
        };
        let finish = |result: RootResult<Step>| {
            if result.decided.is_some() {
                over.request();
                answer.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(result);
                return None;
            }
            Some(result)
        };
        let open = std::thread::scope(|scope| {
            let help = || {
                finish(worker(task.limits).search(task.position, |_, _| ()));
            };
            spawn_helpers(scope, "solve", self.threads.saturating_sub(1), |_| help);
            let mut first = worker(task.limits);
            let result = first.search(task.position, |numbers, nodes| {
                let result = RootResult { numbers, ..RootResult::default() };
                report(&proof_info(task.position, &result, nodes, self.begin.elapsed()));
            });
            first.limit_check.nodes(first.expander.nodes);
            finish(result)
        });
        let answer = answer.into_inner().unwrap_or_else(PoisonError::into_inner);
        let result = answer.or(open).unwrap_or_default();
        Counted { result, nodes: all.into_inner() }
    }

    fn expander<'a, P, K>(&'a self, task: &'a Task<P, K>) -> Expander<'a, P, K>
    where
        P: Position<Step = Step>,
        K: ProofNumberHeuristics<P>,
    {
        let start = task.position.turn_starts().then(|| task.position.repetition_key());
        let path = Path::new(task.past, start);
        Expander::new(task.heuristics, self.parameters, self.tables, self.defences, path)
    }

    /// Completes a winning turn that begins with these steps, and counts the nodes.
    ///
    /// The proof says by which step the mover wins. The children of the position after that step are in the
    /// tables, or are searched again.
    fn finish_turn<P, K>(
        &self,
        task: &Task<P, K>,
        mut turn: Vec<Step>,
        mut nodes: u64,
    ) -> (Vec<Step>, u64)
    where
        P: Position<Step = Step> + Sync,
        K: ProofNumberHeuristics<P>,
    {
        let side = task.position.side();
        let mut after = task.position.clone();
        turn.iter().for_each(|&step| after.play(step));
        let has_ended = |after: &P, turn: &Vec<Step>| {
            !turn.is_empty() && (after.turn_starts() || after.side() != side)
        };
        let past = with_start(task);
        while !has_ended(&after, &turn) {
            let wins = self.parameters.wins != 0;
            if !wins && let Some(step) = task.heuristics.winning_end(&after) {
                after.play(step);
                turn.push(step);
                continue;
            }
            if let Some(steps) = wins.then(|| task.heuristics.winning_steps(&after)).flatten() {
                turn.extend(steps);
                return (turn, nodes);
            }
            let inside = Task { position: &after, past: &past, ..*task };
            let Counted { result, nodes: more } = self.search(&inside, |_| ());
            nodes += more;
            // A limit was reached: the position is won, but the turn is not known.
            if result.steps.is_empty() {
                return (Vec::new(), nodes);
            }
            result.steps.iter().for_each(|&step| after.play(step));
            turn.extend(result.steps);
        }
        (turn, nodes)
    }
}

/// The result of a search, and how many nodes it took.
pub(crate) struct Counted<Step> {
    pub(crate) result: RootResult<Step>,
    pub(crate) nodes: u64,
}

/// The past as seen from inside the turn or after it: it includes the start of the turn.
fn with_start<P: Position, K>(task: &Task<P, K>) -> History {
    let mut past = task.past.clone();
    if task.position.turn_starts() && past.count(task.position.repetition_key()) == 0 {
        past.push(task.position.repetition_key());
    }
    past
}

/// The report of a result.
pub(super) fn proof_info<P: Position>(
    position: &P,
    result: &RootResult<P::Step>,
    nodes: u64,
    time: Duration,
) -> ProofInfo<P::Step> {
    let side = position.side();
    let number = |number: u32| if number == INFINITE { u32::MAX } else { number };
    ProofInfo {
        proof: result.decided.map(|decided| decided.proof(side)),
        turn: Vec::new(),
        by_repetition: result.decided.is_some_and(|decided| decided.path_dependent),
        proof_number: number(result.numbers.to_win(side)),
        disproof_number: number(result.numbers.to_win(!side)),
        nodes,
        vertices: 0,
        tree_is_full: result.tree_is_full,
        time,
    }
}
