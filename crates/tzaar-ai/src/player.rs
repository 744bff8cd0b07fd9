use game::{History, Position as _, Proof, Steps};
use rand::Rng;
use search::{
    AlphaBeta, Deliberation, DfPn, Findings, Limits, Parameters, ProofParameters, Report, Stop,
    Task, Verdict, turn_of,
};
use tzaar::{Phase, Position, Step, WHOLE_TURN};

use crate::{Estimate, Manner, Sense, place};

/// A player: proof-number search where few stacks are left, else alpha-beta.
#[derive(Debug)]
pub struct Player {
    /// What it makes of its searches.
    pub manner: Manner,
    search: AlphaBeta<Step>,
    /// Made when it is first asked for.
    prover: Option<DfPn<Step>>,
    mebibytes: usize,
    threads: usize,
    sense: Sense,
}

/// A turn that was chosen, and why.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Choice {
    /// Its moves.
    pub turn: Vec<Step>,
    /// What the search has found.
    pub report: Report<Step>,
}

impl Player {
    /// A player whose tables have that many MiB.
    pub fn new(
        estimate: Estimate,
        parameters: Parameters,
        mebibytes: usize,
        threads: usize,
    ) -> Player {
        let mut search = AlphaBeta::new(parameters, mebibytes.div_ceil(2));
        search.threads = threads;
        let manner = Manner::default();
        Player { manner, search, prover: None, mebibytes, threads, sense: Sense { estimate } }
    }

    /// Forgets what it has found in earlier positions. Whatever takes long to get ready is ready then: large tables
    /// are not made while a clock runs.
    pub fn forget(&mut self) {
        self.search.clear();
        if self.manner.proof_stacks > 0 {
            ready(&mut self.prover, self.mebibytes, self.threads).clear();
        }
    }

    /// Chooses a turn at the start of one, in a game that goes on; nothing if it was stopped before it had
    /// found one. Chance has a say where the manner leaves it a margin, and where pieces are placed.
    pub fn choose(
        &mut self,
        position: &Position,
        limits: Limits,
        stop: &Stop,
        rng: &mut impl Rng,
        mut tell: impl FnMut(&Report<Step>),
    ) -> Option<Choice> {
        let past = History::default();
        let limits = self.manner.limits(limits);
        let task = Task { position, past: &past, knowledge: &self.sense, limits, stop };
        if position.phase() == Phase::Placing {
            return Some(placed(&task, rng));
        }
        let mut deliberation = Deliberation::new(&mut self.search, task);
        if position.board().stacks() <= self.manner.proof_stacks as usize {
            let prover = ready(&mut self.prover, self.mebibytes, self.threads);
            let limits = proof_limits(limits, self.manner.proof_effort as u32);
            let found = prover.solve(&Task { limits, ..task }, |_| ());
            deliberation.spend(found.nodes);
            if let Some(report) = won(found) {
                tell(&report);
                return Some(Choice { turn: whole(position, &report.line), report });
            }
            // Where it is lost, alpha-beta finds the longest resistance (Veselý 2013, 2.3).
        }
        let report = deliberation.choose(self.manner.margin, rng, tell)?;
        Some(Choice { turn: whole(position, &report.line), report })
    }
}

/// The prover of a player with so many MiB in all, made if it is not there.
fn ready(prover: &mut Option<DfPn<Step>>, mebibytes: usize, threads: usize) -> &mut DfPn<Step> {
    prover.get_or_insert_with(|| {
        let mut prover = DfPn::new(proof_parameters(mebibytes / 2));
        prover.threads = threads;
        prover
    })
}

/// How proof-number search works in Tzaar, with tables of that many MiB.
///
/// A position is the harder to be won against the more stacks its mover can capture: who runs out of captures
/// loses.
pub fn proof_parameters(mebibytes: usize) -> ProofParameters {
    let mebibytes = mebibytes.clamp(2, 1 << 20) as i32;
    ProofParameters {
        epsilon: 12,
        estimate: 2,
        defences: 0,
        quiet: 0,
        number_table: mebibytes - mebibytes / 4,
        proof_table: mebibytes / 4,
        ..ProofParameters::default()
    }
}

/// What a proof that the side to move wins says to the player, if there is one with its turn.
pub(crate) fn won(found: Findings<Step>) -> Option<Report<Step>> {
    let proof = found.proof.filter(|proof| matches!(proof, Proof::Win(_)))?;
    (!found.turn.is_empty()).then_some(Report {
        depth: WHOLE_TURN,
        verdict: Verdict::Proof(proof),
        line: found.turn,
        nodes: found.nodes,
        time: found.time,
    })
}

/// The limits of a search for a proof that comes before another one.
pub(crate) fn proof_limits(limits: Limits, effort: u32) -> Limits {
    let share = limits.share(effort);
    let hard = [share.soft, share.hard].into_iter().flatten().min();
    let nodes = match (share.nodes, hard) {
        // A search to a depth alone has no limit that would end this one.
        (None, None) => Some(PROOF_NODES),
        (nodes, _) => nodes,
    };
    Limits { depth: None, nodes, soft: None, hard }
}

/// How many positions a search for a proof may enter where neither time nor nodes are limited.
const PROOF_NODES: u64 = 500_000;

/// A piece that is placed.
pub(crate) fn placed(task: &Task<Position, Sense>, rng: &mut impl Rng) -> Choice {
    let begin = std::time::Instant::now();
    let step = place(task.position, rng);
    let verdict = Verdict::Score(task.knowledge.evaluate(task.position));
    let report =
        Report { depth: Steps(1), verdict, line: vec![step], nodes: 1, time: begin.elapsed() };
    Choice { turn: vec![step], report }
}

/// The turn that a line begins with. If it was cut off inside, what is left of it is given up.
pub(crate) fn whole(position: &Position, line: &[Step]) -> Vec<Step> {
    let mut turn = turn_of(position, line).to_vec();
    let mut after = *position;
    turn.iter().for_each(|&step| after.play(step));
    if after.phase() == Phase::Second {
        turn.push(Step::Pass);
    }
    turn
}
