use std::ops::ControlFlow;
use std::time::Duration;

use engine::{Engine, EvaluationTrace, Info, Iterations, Limits, Sink, Stop, Verdict};
use game::{History, Position as _, Proof};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use search::{AlphaBeta, DfPn, ProofParameters, Task, TranspositionTable, TurnChooser};
use tzaar::{Game, Phase, Position, Step, Turn};
use tzaar_ai::{Heuristics, MoveOrdering, placed, proof_limits, whole_turn, won};

use crate::algorithm::Algorithm;
use crate::schedule::Schedule;
use crate::{Waltz, WaltzParameters};

/// WALTZ as a player: one of its algorithms, with its own prediction of time. Unlike WALTZ it also keeps to a
/// limit that the prediction has missed.
#[derive(Debug)]
pub struct WaltzEngine {
    algorithm: Algorithm,
    constants: WaltzParameters,
    search: AlphaBeta<Step>,
    /// Made when it is first asked for.
    prover: Option<DfPn<Step>>,
    proof_mebibytes: usize,
    rng: ChaCha8Rng,
    iterations: Iterations<Game>,
}

/// Its tables in MiB: 2^19 places for two positions in alpha-beta, 2^20 in df-pn. An entry of ours has 16 bytes.
const MEBIBYTES: usize = 16;
const PROOF_MEBIBYTES: usize = 32;

/// How much of the time and the nodes is for a proof, in percent, where one is looked for: "a part" (4.1.5).
const PROOF_EFFORT: u32 = 50;

/// How much is for the best turn, where another one may be chosen by chance.
const SEARCH_EFFORT: u32 = 50;

impl WaltzEngine {
    /// A player with tables of that many MiB together, or as large as those of WALTZ.
    pub fn new(algorithm: Algorithm, mebibytes: Option<usize>) -> WaltzEngine {
        WaltzEngine::with_constants(algorithm, WaltzParameters::default(), mebibytes)
    }

    /// The same with other constants; the number among them does not count.
    pub fn with_constants(
        algorithm: Algorithm,
        constants: WaltzParameters,
        mebibytes: Option<usize>,
    ) -> WaltzEngine {
        let (mebibytes, proof_mebibytes) = match mebibytes {
            None => (MEBIBYTES, PROOF_MEBIBYTES),
            Some(all) => (all.div_ceil(3), all - all.div_ceil(3)),
        };
        let table = match constants.table_bits {
            0 => TranspositionTable::new(mebibytes),
            bits => TranspositionTable::with_entries(2 << bits),
        };
        let search = AlphaBeta::with_table(algorithm.plan(0, &constants).parameters, table);
        WaltzEngine {
            algorithm,
            constants,
            search,
            prover: None,
            proof_mebibytes,
            rng: ChaCha8Rng::seed_from_u64(0),
            iterations: Iterations::default(),
        }
    }

    /// Which algorithm it plays by.
    pub fn algorithm(&self) -> Algorithm {
        self.algorithm
    }

    /// Finds a turn at the start of one: its search's info begins with it; nothing, if the game is over. `tell`
    /// hears of each iteration.
    ///
    /// Iterations are predicted to end within the soft limit, or within the hard one where there is no other.
    fn find(
        &mut self,
        position: &Position,
        limits: Limits,
        stop: &Stop,
        mut tell: impl FnMut(&Info<Step>),
    ) -> Option<Info<Step>> {
        if position.outcome().is_some() {
            return None;
        }
        let stacks = position.board().stacks();
        let plan = self.algorithm.plan(stacks, &self.constants);
        let schedule = Schedule { stacks, limit: limits.soft.or(limits.hard) };
        let limits = Limits {
            depth: plan.most.into_iter().chain(limits.depth).min(),
            nodes: limits.nodes,
            soft: None,
            hard: limits.hard.or(limits.soft),
        };
        let ordering = self.constants.ordering();
        let (past, heuristics) = (History::new(), Heuristics { evaluator: plan.waltz, ordering });
        let task = Task { position, past: &past, heuristics: &heuristics, limits, stop };
        if position.phase() == Phase::Placing {
            return Some(placed(position, &heuristics, &mut self.rng));
        }
        self.search.parameters = plan.parameters;
        let mut chooser = TurnChooser::new(&mut self.search, task);
        let mut proof = None;
        if let Some(parameters) = plan.proof {
            let limits = proof_limits(limits, PROOF_EFFORT);
            let prover = ready(&mut self.prover, parameters, self.proof_mebibytes);
            let found = prover.solve(&Task { limits, ..task }, |_| ());
            chooser.add_nodes(found.nodes);
            proof = found.proof;
            if let Some(info) = won(found) {
                tell(&info);
                return Some(info);
            }
        }
        Some(match resist(&mut chooser, plan.margin, schedule, proof, tell) {
            Some(found) => chooser.choose_from(found, plan.margin, &mut self.rng),
            None => Info { time: chooser.elapsed(), ..at_sight(position) },
        })
    }
}

impl Engine<Game> for WaltzEngine {
    fn analyse(
        &mut self,
        game: &Game,
        limits: &Limits,
        stop: &Stop,
        sink: &mut Sink<Game>,
    ) -> Option<Info<Turn>> {
        let mut iterations = Iterations::of(game);
        let tell = |info: &Info<Step>| iterations.tell(game.position(), info, sink);
        let found = self.find(game.position(), *limits, stop, tell);
        self.iterations = iterations;
        whole_turn(game.position(), &found?)
    }

    /// Whatever takes long to get ready is ready then: large tables are not made while a clock runs.
    fn new_game(&mut self) {
        self.search.clear();
        // With few stacks, whoever looks for proofs does.
        if let Some(parameters) = self.algorithm.plan(0, &self.constants).proof {
            ready(&mut self.prover, parameters, self.proof_mebibytes).clear();
        }
    }

    fn set_seed(&mut self, seed: u64) {
        self.rng = ChaCha8Rng::seed_from_u64(seed);
    }

    fn trace(&self, game: &Game) -> Option<EvaluationTrace> {
        game.outcome().is_none().then(|| Waltz::default().trace(game.position()))
    }

    fn tree(&self) -> Option<Vec<String>> {
        self.iterations.lines()
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
    chooser: &mut TurnChooser<Position, Heuristics<Waltz>>,
    margin: i32,
    schedule: Schedule,
    proof: Option<Proof>,
    mut tell: impl FnMut(&Info<Step>),
) -> Option<Info<Step>> {
    let left = chooser.limits_left();
    let limits = if margin > 0 { left.share(SEARCH_EFFORT) } else { left };
    let begin = chooser.elapsed();
    let (mut before, mut resistance) = (Duration::ZERO, None);
    let mut found = chooser.search_while(limits, |report| {
        tell(report);
        if !report.verdict().is_some_and(is_lost) {
            resistance = Some(report.pv().to_vec());
        }
        let last = report.time.saturating_sub(before);
        before = report.time;
        match schedule.goes_on(report.depth.0, begin + report.time, last) {
            true => ControlFlow::Continue(()),
            false => ControlFlow::Break(()),
        }
    })?;
    let proof = proof.map(Verdict::Proof).filter(|&proof| is_lost(proof));
    if let Some(line) = found.lines.first_mut() {
        match (line.verdict, proof) {
            (Some(Verdict::Proof(Proof::Loss(_))), _) => {
                line.pv = resistance.unwrap_or_else(|| line.pv.clone());
            }
            (Some(Verdict::Score(_)), Some(_)) => line.verdict = proof,
            _ => {}
        }
    }
    Some(found)
}

fn is_lost(verdict: Verdict) -> bool {
    matches!(verdict, Verdict::Proof(Proof::Loss(_)))
}

/// The most promising moves, where there was no time to search.
fn at_sight(position: &Position) -> Info<Step> {
    let (mut line, ordering) = (Vec::new(), MoveOrdering::default());
    let mut after = *position;
    while after.side() == position.side() {
        let steps = after.steps().into_iter();
        let Some(step) = steps.max_by_key(|&step| ordering.score(&after, step)) else {
            break;
        };
        after.play(step);
        line.push(step);
    }
    let verdict = Verdict::Score(Waltz::default().evaluate(position));
    Info::without_search(Some(verdict), line)
}
