use engine::{Info, Limits, Verdict, first_turn, in_turns};
use game::{Position as _, Proof, Steps};
use rand::Rng;
use rand_chacha::ChaCha8Rng;
use search::{
    AlphaBeta, AlphaBetaOptions, DfPn, Evaluator, GameSupport, InitialProofNumbers, Parameters,
    ProofInfo, ProofParameters, Task, WinFound,
};
use tzaar::{Game, Phase, Position, Step, Turn, WHOLE_TURN};

use crate::{Evaluation, Heuristics, PlayerOptions, place};

/// The engine that plays by proof-number search where few stacks are left, else by alpha-beta.
pub type AlphaBetaEngine<E = Evaluation> =
    search::AlphaBetaEngine<Game, Heuristics<E>, ProofsFirst, PlayerOptions>;

/// An engine by alpha-beta whose tables have that many MiB.
pub fn alpha_beta_engine<E>(
    evaluator: E,
    parameters: Parameters,
    mebibytes: usize,
    threads: usize,
) -> AlphaBetaEngine<E>
where
    E: Evaluator<Position> + InitialProofNumbers<Position>,
{
    let mut search = AlphaBeta::new(parameters, mebibytes.div_ceil(2));
    search.threads = threads;
    AlphaBetaEngine::new(search, Heuristics::new(evaluator), ProofsFirst::new(mebibytes, threads))
}

/// What comes before a search in Tzaar: pieces are placed, and a proof is looked for where few stacks are left.
pub struct ProofsFirst {
    /// Made when it is first asked for.
    prover: Option<DfPn<Step>>,
    mebibytes: usize,
    threads: usize,
}

/// When a proof is looked for, and how long.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ProofLook {
    /// With so many stacks or fewer; 0: never.
    pub stacks: usize,
    /// How much of the time it may take, in percent.
    pub percent: u32,
}

impl ProofsFirst {
    /// That of an engine with so many MiB in all; the tables of proofs have half of them.
    pub(crate) fn new(mebibytes: usize, threads: usize) -> ProofsFirst {
        ProofsFirst { prover: None, mebibytes, threads }
    }

    /// The prover, made if it is not there.
    fn prover(&mut self) -> &mut DfPn<Step> {
        let (mebibytes, threads) = (self.mebibytes, self.threads);
        self.prover.get_or_insert_with(|| {
            let mut prover = DfPn::new(proof_parameters(mebibytes / 2));
            prover.threads = threads;
            prover
        })
    }
}

impl<E> GameSupport<Game, Heuristics<E>> for ProofsFirst
where
    E: Evaluator<Position> + InitialProofNumbers<Position>,
{
    type WinSearch = ProofLook;

    fn opening(
        &mut self,
        game: &Game,
        heuristics: &Heuristics<E>,
        rng: &mut ChaCha8Rng,
    ) -> Option<Info<Turn>> {
        let position = game.position();
        let is_placing = position.phase() == Phase::Placing;
        is_placing.then(|| whole_turn(position, &placed(position, heuristics, rng)))?
    }

    fn find_win(
        &mut self,
        look: ProofLook,
        task: &Task<Position, Heuristics<E>>,
    ) -> WinFound<Step> {
        if task.position.board().stacks() > look.stacks {
            return WinFound { win: None, nodes: 0 };
        }
        let limits = proof_limits(task.limits, look.percent);
        let found = self.prover().solve(&Task { limits, ..*task }, |_| ());
        WinFound { nodes: found.nodes, win: won(found) }
    }

    fn action(game: &Game, line: &[Step]) -> Option<Turn> {
        Turn::from_steps(&whole(game.position(), line))
    }

    fn random_action(game: &Game, rng: &mut ChaCha8Rng) -> Option<Turn> {
        game.random_turn(rng)
    }

    fn notation(_: &Position, steps: &[Step]) -> String {
        let named = steps.iter().map(|step| step.to_string());
        named.collect::<Vec<_>>().join(" ")
    }

    fn new_game(&mut self, look: ProofLook, _: &mut Heuristics<E>) {
        if look.stacks > 0 {
            self.prover().clear();
        }
    }
}

impl AlphaBetaOptions for PlayerOptions {
    type WinSearch = ProofLook;

    fn random_margin(&self) -> i32 {
        self.random_margin
    }

    fn max_depth(&self) -> i32 {
        self.max_depth
    }

    fn time_percent(&self) -> u32 {
        self.time_percent as u32
    }

    fn win_search(&self) -> ProofLook {
        ProofLook { stacks: self.proof_stacks as usize, percent: self.proof_percent as u32 }
    }
}

/// What a search has found, told in turns: the first one is whole.
pub fn whole_turn(position: &Position, info: &Info<Step>) -> Option<Info<Turn>> {
    let turn = Turn::from_steps(&whole(position, info.pv()))?;
    Some(in_turns::<Game>(position, info, turn))
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
    position: &Position,
    heuristics: &Heuristics<E>,
    rng: &mut impl Rng,
) -> Info<Step> {
    let begin = std::time::Instant::now();
    let step = place(position, rng);
    let evaluator = &heuristics.evaluator;
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
