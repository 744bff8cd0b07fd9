use std::sync::atomic::AtomicU64;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use game::{History, PackedStep, Position, Proof};

use super::crowd::Crowd;
use super::diver::{Dive, Diver};
use super::explorer::Explorer;
use super::findings::Findings;
use super::numbers::NEVER;
use super::path::Path;
use super::tables::Tables;
use super::watch::Watch;
use crate::defences::Defences;
use crate::{Knowledge, Limits, ProofParameters, Stop, Task};

/// What depth-first searches have in common, as long as one question is being answered.
pub(crate) struct Diving<'a, Step> {
    pub(crate) parameters: &'a ProofParameters,
    pub(crate) tables: &'a Tables,
    pub(crate) defences: &'a Defences<Step>,
    pub(crate) threads: usize,
    pub(crate) begin: Instant,
}

impl<Step: PackedStep + Send + Sync> Diving<'_, Step> {
    /// What there is to tell at the end: with a win, the turn that does it.
    pub(crate) fn findings<P, K>(
        &self,
        task: &Task<P, K>,
        dive: Dive<Step>,
        nodes: u64,
    ) -> Findings<Step>
    where
        P: Position<Step = Step> + Sync,
        K: Knowledge<P>,
    {
        let mut findings = findings(task.position, &dive, nodes, self.begin.elapsed());
        if let Some(Proof::Win(_)) = findings.proof {
            (findings.turn, findings.nodes) = self.turn(task, dive, nodes);
            findings.time = self.begin.elapsed();
        }
        findings
    }

    /// The steps of a turn that wins, after a dive that has proved it, and the nodes by then.
    fn turn<P, K>(
        &self,
        task: &Task<P, K>,
        mut dive: Dive<Step>,
        mut nodes: u64,
    ) -> (Vec<Step>, u64)
    where
        P: Position<Step = Step> + Sync,
        K: Knowledge<P>,
    {
        if dive.by_path {
            // By now, another option may be known to win on every path.
            let again = self.dive(task, |_| ());
            (dive, nodes) = (again.dive, nodes + again.nodes);
        }
        let by_path = dive.by_path;
        let (turn, nodes) = self.finish_turn(task, dive.steps, nodes);
        if by_path && !turn.is_empty() && !self.holds_after(task, &turn) {
            return (Vec::new(), nodes);
        }
        (turn, nodes)
    }

    /// Whether the other side has lost after a turn. A proof that depends on repetition tells that the
    /// position is won, but perhaps not by this turn: it may only lead back to a position from which
    /// another turn wins.
    fn holds_after<P, K>(&self, task: &Task<P, K>, turn: &[Step]) -> bool
    where
        P: Position<Step = Step> + Sync,
        K: Knowledge<P>,
    {
        let mut after = task.position.clone();
        turn.iter().for_each(|&step| after.play(step));
        let mut past = with_start(task);
        past.push(after.key());
        let next = Task { position: &after, past: &past, ..*task };
        let decided = self.dive(&next, |_| ()).dive.decided;
        decided.is_some_and(|decided| decided.winner == task.position.side())
    }

    /// Searches on all threads until the first one has an answer.
    pub(crate) fn dive<P, K>(
        &self,
        task: &Task<P, K>,
        mut tell: impl FnMut(&Findings<Step>),
    ) -> Counted<Step>
    where
        P: Position<Step = Step> + Sync,
        K: Knowledge<P>,
    {
        let (over, all, crowd) = (Stop::new(), AtomicU64::new(0), Crowd::new());
        let answer = Mutex::new(None);
        let others = (self.threads > 1).then_some(&crowd);
        let diver = |limits: Limits| {
            let watch = Watch::new(limits, self.begin, task.stop, &over, &all);
            Diver::new(self.explorer(task), watch, others)
        };
        let finish = |dive: Dive<Step>| {
            if dive.decided.is_some() {
                over.request();
                answer.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(dive);
                return None;
            }
            Some(dive)
        };
        let open = std::thread::scope(|scope| {
            for _ in 1..self.threads {
                scope.spawn(|| finish(diver(task.limits).dive(task.position, |_, _| ())));
            }
            let mut first = diver(task.limits);
            let dive = first.dive(task.position, |numbers, nodes| {
                let dive = Dive { numbers, ..Dive::default() };
                tell(&findings(task.position, &dive, nodes, self.begin.elapsed()));
            });
            first.watch.nodes(first.explorer.nodes);
            finish(dive)
        });
        let answer = answer.into_inner().unwrap_or_else(PoisonError::into_inner);
        let dive = answer.or(open).unwrap_or_default();
        Counted { dive, nodes: all.into_inner() }
    }

    fn explorer<'a, P, K>(&'a self, task: &'a Task<P, K>) -> Explorer<'a, P, K>
    where
        P: Position<Step = Step>,
        K: Knowledge<P>,
    {
        let start = task.position.turn_starts().then(|| task.position.repetition_key());
        let path = Path::new(task.past, start);
        Explorer::new(task.knowledge, self.parameters, self.tables, self.defences, path)
    }

    /// Adds the steps that end a turn which begins with these and wins, and counts the nodes.
    ///
    /// The proof says by which step the mover wins, and so does that of the position after it: its
    /// options are in the tables, or else found out again.
    fn finish_turn<P, K>(
        &self,
        task: &Task<P, K>,
        mut turn: Vec<Step>,
        mut nodes: u64,
    ) -> (Vec<Step>, u64)
    where
        P: Position<Step = Step> + Sync,
        K: Knowledge<P>,
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
            if let Some(steps) = wins.then(|| task.knowledge.winning_steps(&after)).flatten() {
                turn.extend(steps);
                return (turn, nodes);
            }
            let inside = Task { position: &after, past: &past, ..*task };
            let Counted { dive, nodes: more } = self.dive(&inside, |_| ());
            nodes += more;
            // A limit was reached: the position is won, but the turn is not known.
            if dive.steps.is_empty() {
                return (Vec::new(), nodes);
            }
            dive.steps.iter().for_each(|&step| after.play(step));
            turn.extend(dive.steps);
        }
        (turn, nodes)
    }
}

/// A dive, and how many nodes it took.
pub(crate) struct Counted<Step> {
    pub(crate) dive: Dive<Step>,
    pub(crate) nodes: u64,
}

/// The past of what comes inside the turn or after it: the start of the turn is part of it.
fn with_start<P: Position, K>(task: &Task<P, K>) -> History {
    let mut past = task.past.clone();
    if task.position.turn_starts() && past.count(task.position.key()) == 0 {
        past.push(task.position.key());
    }
    past
}

/// What there is to tell of a dive.
pub(super) fn findings<P: Position>(
    position: &P,
    dive: &Dive<P::Step>,
    nodes: u64,
    time: Duration,
) -> Findings<P::Step> {
    let side = position.side();
    let number = |number: u32| if number == NEVER { u32::MAX } else { number };
    Findings {
        proof: dive.decided.map(|decided| decided.proof(side)),
        turn: Vec::new(),
        by_repetition: dive.decided.is_some_and(|decided| decided.by_path),
        proof_number: number(dive.numbers.to_win(side)),
        disproof_number: number(dive.numbers.to_win(!side)),
        nodes,
        vertices: 0,
        time,
    }
}
