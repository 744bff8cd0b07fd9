use engine::{
    Engine, EvaluationTrace, Info, Iterations, Limits, MOST_LINES, Sink, Stop, Traced, Verdict,
    first_turn, in_turns,
};
use game::{History, Position as _, Proof, Steps};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use search::{
    AlphaBeta, DfPn, Evaluator, InitialProofNumbers, Parameters, ProofInfo, ProofParameters, Task,
    TurnChooser,
};
use tzaar::{Game, Phase, Position, Step, Turn, WHOLE_TURN};

use crate::{Evaluation, Heuristics, PlayerOptions, place};

/// The engine that plays by proof-number search where few stacks are left, else by alpha-beta.
#[derive(Debug)]
pub struct TuskEngine<E = Evaluation> {
    /// How it uses its searches.
    pub options: PlayerOptions,
    /// How many lines it finds.
    lines: usize,
    search: AlphaBeta<Step>,
    /// Made when it is first asked for.
    prover: Option<DfPn<Step>>,
    mebibytes: usize,
    threads: usize,
    heuristics: Heuristics<E>,
    rng: ChaCha8Rng,
    iterations: Iterations<Game>,
}

impl<E: Evaluator<Position> + InitialProofNumbers<Position>> TuskEngine<E> {
    /// A player whose tables have that many MiB.
    pub fn new(
        evaluator: E,
        parameters: Parameters,
        mebibytes: usize,
        threads: usize,
    ) -> TuskEngine<E> {
        let mut search = AlphaBeta::new(parameters, mebibytes.div_ceil(2));
        search.threads = threads;
        TuskEngine {
            options: PlayerOptions::default(),
            lines: 1,
            search,
            prover: None,
            mebibytes,
            threads,
            heuristics: Heuristics::new(evaluator),
            rng: ChaCha8Rng::seed_from_u64(0),
            iterations: Iterations::default(),
        }
    }

    /// Finds a turn at the start of one, in a game that goes on: its search's info begins with it. Nothing if it
    /// was stopped before it had found one. Chance has a say where the options leave it a margin, and where
    /// pieces are placed.
    fn find(
        &mut self,
        position: &Position,
        limits: Limits,
        stop: &Stop,
        mut tell: impl FnMut(&Info<Step>),
    ) -> Option<Info<Step>> {
        let past = History::default();
        let all_limits = self.options.limits(limits);
        let limits = all_limits.share(100 / self.lines as u32);
        let task = Task { position, past: &past, heuristics: &self.heuristics, limits, stop };
        if position.phase() == Phase::Placing {
            return Some(placed(&task, &mut self.rng));
        }
        let mut chooser = TurnChooser::new(&mut self.search, task);
        if position.board().stacks() <= self.options.proof_stacks as usize {
            let prover = ready(&mut self.prover, self.mebibytes, self.threads);
            let limits = proof_limits(limits, self.options.proof_percent as u32);
            let found = prover.solve(&Task { limits, ..task }, |_| ());
            chooser.add_nodes(found.nodes);
            if let Some(mut info) = won(found) {
                tell(&info);
                if self.lines > 1 {
                    info = chooser.add_lines(info, self.lines, all_limits, &mut self.rng);
                    tell(&info);
                }
                return Some(info);
            }
            // Where it is lost, alpha-beta finds the longest resistance (Veselý 2013, 2.3).
        }
        let mut info = chooser.choose(self.options.random_margin, &mut self.rng, &mut tell)?;
        if self.lines > 1 {
            info = chooser.add_lines(info, self.lines, all_limits, &mut self.rng);
            tell(&info);
        }
        Some(info)
    }
}

impl<E> Engine<Game> for TuskEngine<E>
where
    E: Evaluator<Position, State: Send> + InitialProofNumbers<Position> + Traced<Position> + Send,
{
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
        // Stopped before the first iteration was done: anything legal is better than nothing.
        found.and_then(|info| whole_turn(game.position(), &info)).or_else(|| {
            let turn = game.random_turn(&mut self.rng)?;
            Some(Info::without_search(None, vec![turn]))
        })
    }

    /// Whatever takes long to get ready is ready then: large tables are not made while a clock runs.
    fn new_game(&mut self) {
        self.search.clear();
        if self.options.proof_stacks > 0 {
            ready(&mut self.prover, self.mebibytes, self.threads).clear();
        }
    }

    fn set_seed(&mut self, seed: u64) {
        self.rng = ChaCha8Rng::seed_from_u64(seed);
    }

    fn set_lines(&mut self, lines: usize) {
        self.lines = lines.clamp(1, MOST_LINES);
    }

    fn trace(&self, game: &Game) -> Option<EvaluationTrace> {
        game.outcome().is_none().then(|| self.heuristics.evaluator.trace(game.position()))
    }

    fn tree(&self) -> Option<Vec<String>> {
        self.iterations.lines()
    }
}

/// What a search has found, told in turns: the first one is whole.
pub fn whole_turn(position: &Position, info: &Info<Step>) -> Option<Info<Turn>> {
    let turn = Turn::from_steps(&whole(position, info.pv()))?;
    Some(in_turns::<Game>(position, info, turn))
}

/// The prover of a player with so many MiB in all, made if it is not there.
pub(crate) fn ready(
    prover: &mut Option<DfPn<Step>>,
    mebibytes: usize,
    threads: usize,
) -> &mut DfPn<Step> {
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
pub fn won(found: ProofInfo<Step>) -> Option<Info<Step>> {
    let proof = found.proof.filter(|proof| matches!(proof, Proof::Win(_)))?;
    (!found.turn.is_empty()).then_some(Info {
        depth: WHOLE_TURN,
        nodes: found.nodes,
        time: found.time,
        ..Info::without_search(Some(Verdict::Proof(proof)), found.turn)
    })
}

/// The limits of a search for a proof that comes before another one.
pub fn proof_limits(limits: Limits, effort: u32) -> Limits {
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
pub fn placed<E: Evaluator<Position>>(
    task: &Task<Position, Heuristics<E>>,
    rng: &mut impl Rng,
) -> Info<Step> {
    let begin = std::time::Instant::now();
    let step = place(task.position, rng);
    let (position, evaluator) = (task.position, &task.heuristics.evaluator);
    let (state, mut cache) = (evaluator.state(position), E::Cache::default());
    let verdict = Verdict::Score(evaluator.evaluate(position, &state, &mut cache));
    Info {
        depth: Steps(1),
        nodes: 1,
        time: begin.elapsed(),
        ..Info::without_search(Some(verdict), vec![step])
    }
}

/// The turn that a line begins with. If it was cut off inside, what is left of it is given up.
fn whole(position: &Position, line: &[Step]) -> Vec<Step> {
    let mut turn = first_turn(position, line).to_vec();
    let mut after = *position;
    turn.iter().for_each(|&step| after.play(step));
    if after.phase() == Phase::Second {
        turn.push(Step::Pass);
    }
    turn
}
