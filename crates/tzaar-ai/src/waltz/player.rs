use std::ops::ControlFlow;
use std::time::Duration;

use game::{History, Position as _, Proof, Steps};
use rand::Rng;
use search::{AlphaBeta, Deliberation, DfPn, Limits, ProofParameters, Report, Stop, Task, Verdict};
use tzaar::{Phase, Position, Step};

use super::algorithm::Algorithm;
use super::schedule::Schedule;
use super::{Waltz, ordering};
use crate::player::{placed, proof_limits, whole, won};
use crate::{Choice, Estimate, Sense};

/// WALTZ as a player: one of its algorithms, with its own prediction of time. Unlike WALTZ it also keeps to a
/// limit that the prediction has missed.
#[derive(Debug)]
pub struct Player {
    algorithm: Algorithm,
    search: AlphaBeta<Step>,
    /// Made when it is first asked for.
    prover: Option<DfPn<Step>>,
    proof_mebibytes: usize,
}

/// Its tables in MiB: 2^19 places for two positions in alpha-beta, 2^20 in df-pn. An entry of ours has 16 bytes.
const MEBIBYTES: usize = 16;
const PROOF_MEBIBYTES: usize = 32;

/// How much of the time and the nodes is for a proof, in percent, where one is looked for: "a part" (4.1.5).
const PROOF_EFFORT: u32 = 50;

/// How much is for the best turn, where another one may be chosen by chance.
const SEARCH_EFFORT: u32 = 50;

impl Player {
    /// A player with tables of that many MiB together, or as large as those of WALTZ.
    pub fn new(algorithm: Algorithm, mebibytes: Option<usize>) -> Player {
        let (mebibytes, proof_mebibytes) = match mebibytes {
            None => (MEBIBYTES, PROOF_MEBIBYTES),
            Some(all) => (all.div_ceil(3), all - all.div_ceil(3)),
        };
        let search = AlphaBeta::new(algorithm.plan(0).parameters, mebibytes);
        Player { algorithm, search, prover: None, proof_mebibytes }
    }

    /// Which algorithm it plays by.
    pub fn algorithm(&self) -> Algorithm {
        self.algorithm
    }

    /// Forgets what it has found in earlier positions. Whatever takes long to get ready is ready then: large tables
    /// are not made while a clock runs.
    pub fn forget(&mut self) {
        self.search.clear();
        // With few stacks, whoever looks for proofs does.
        if let Some(parameters) = self.algorithm.plan(0).proof {
            ready(&mut self.prover, parameters, self.proof_mebibytes).clear();
        }
    }

    /// Chooses a turn at the start of one; nothing, if the game is over. `tell` hears of each iteration.
    ///
    /// Iterations are predicted to end within the soft limit, or within the hard one where there is no other.
    pub fn choose(
        &mut self,
        position: &Position,
        limits: Limits,
        stop: &Stop,
        rng: &mut impl Rng,
        mut tell: impl FnMut(&Report<Step>),
    ) -> Option<Choice> {
        if position.outcome().is_some() {
            return None;
        }
        let stacks = position.board().stacks();
        let plan = self.algorithm.plan(stacks);
        let schedule = Schedule { stacks, limit: limits.soft.or(limits.hard) };
        let limits = Limits {
            depth: plan.most.into_iter().chain(limits.depth).min(),
            nodes: limits.nodes,
            soft: None,
            hard: limits.hard.or(limits.soft),
        };
        let (past, knowledge) = (History::new(), Sense { estimate: Estimate::Waltz(plan.waltz) });
        let task = Task { position, past: &past, knowledge: &knowledge, limits, stop };
        if position.phase() == Phase::Placing {
            return Some(placed(&task, rng));
        }
        self.search.parameters = plan.parameters;
        let mut deliberation = Deliberation::new(&mut self.search, task);
        let mut proof = None;
        if let Some(parameters) = plan.proof {
            let limits = proof_limits(limits, PROOF_EFFORT);
            let prover = ready(&mut self.prover, parameters, self.proof_mebibytes);
            let found = prover.solve(&Task { limits, ..task }, |_| ());
            deliberation.spend(found.nodes);
            proof = found.proof;
            if let Some(report) = won(found) {
                tell(&report);
                return Some(Choice { turn: whole(position, &report.line), report });
            }
        }
        let report = match resist(&mut deliberation, plan.margin, schedule, proof, tell) {
            Some(found) => deliberation.choose_from(found, plan.margin, rng),
            None => Report { time: deliberation.elapsed(), ..at_sight(position) },
        };
        Some(Choice { turn: whole(position, &report.line), report })
    }
}

/// A verdict as WALTZ writes it into its files (A.2.2), for the side to move.
pub fn value(verdict: Verdict) -> i32 {
    const WON: i32 = 2_000_000_000;
    match verdict {
        Verdict::Score(score) => Waltz::taken_back(score),
        Verdict::Proof(Proof::Win(_)) => WON,
        Verdict::Proof(Proof::Loss(_)) => -WON,
    }
}

/// The prover with these parameters; its tables stay as large as they were made.
fn ready(
    prover: &mut Option<DfPn<Step>>,
    parameters: ProofParameters,
    mebibytes: usize,
) -> &mut DfPn<Step> {
    let proofs = mebibytes.min(1 << 20) as i32 / 4;
    let numbers = mebibytes.min(1 << 20) as i32 - proofs;
    let parameters = ProofParameters { number_table: numbers, proof_table: proofs, ..parameters };
    let prover = prover.get_or_insert_with(|| DfPn::new(parameters));
    prover.parameters = parameters;
    prover
}

/// Searches deeper and deeper, after what was perhaps proved before. In a lost position the turn is that of the
/// last iteration that did not see it: no other turn loses later (2.3).
fn resist(
    deliberation: &mut Deliberation<Position, Sense>,
    margin: i32,
    schedule: Schedule,
    proof: Option<Proof>,
    mut tell: impl FnMut(&Report<Step>),
) -> Option<Report<Step>> {
    let left = deliberation.left();
    let limits = if margin > 0 { left.share(SEARCH_EFFORT) } else { left };
    let begin = deliberation.elapsed();
    let (mut before, mut resistance) = (Duration::ZERO, None);
    let found = deliberation.deepen(limits, |report| {
        tell(report);
        if !is_lost(report.verdict) {
            resistance = Some(report.line.clone());
        }
        let last = report.time.saturating_sub(before);
        before = report.time;
        match schedule.goes_on(report.depth.0, begin + report.time, last) {
            true => ControlFlow::Continue(()),
            false => ControlFlow::Break(()),
        }
    })?;
    let proof = proof.map(Verdict::Proof).filter(|&proof| is_lost(proof));
    Some(match (found.verdict, proof) {
        (Verdict::Proof(Proof::Loss(_)), _) => {
            Report { line: resistance.unwrap_or(found.line), ..found }
        }
        (Verdict::Score(_), Some(verdict)) => Report { verdict, ..found },
        _ => found,
    })
}

fn is_lost(verdict: Verdict) -> bool {
    matches!(verdict, Verdict::Proof(Proof::Loss(_)))
}

/// The most promising moves, where there was no time to search.
fn at_sight(position: &Position) -> Report<Step> {
    let mut line = Vec::new();
    let mut after = *position;
    while after.side() == position.side() {
        let steps = after.steps().into_iter();
        let Some(step) = steps.max_by_key(|&step| ordering::promise(&after, step)) else { break };
        after.play(step);
        line.push(step);
    }
    let verdict = Verdict::Score(Waltz::default().evaluate(position));
    Report { depth: Steps(0), verdict, line, nodes: 0, time: Duration::ZERO }
}
