use search::{
    Evaluator, InitialProofNumbers, Mcts, MctsParameters, PolicyAlone, TreeHeuristics, TreeOptions,
};
use tzaar::{Game, Position};

use crate::Heuristics;
use crate::MoveOrdering;
use crate::player::{ProofLook, ProofsFirst};

engine::parameters! {
    /// How an engine uses Monte-Carlo tree search.
    pub struct MctsOptions {
        time_percent: 100, 1..=100, "how much of its time it uses, in percent";
        proof_stacks: 27, 0..=60, "with so many stacks or fewer, a proof is looked for before the search; 0: never";
        proof_percent: 50, 1..=100, "how much of its time that may take, in percent";
        resign: 0, 0..=50, "below which chance to win it resigns, in percent; 0: never";
    }
}

/// The engine that plays by proof-number search where few stacks are left, else by Monte-Carlo tree search. It plays no
/// playouts.
pub type MctsEngine<E> =
    search::TreeEngine<Game, Heuristics<E>, PolicyAlone<MoveOrdering>, ProofsFirst, MctsOptions>;

/// An engine by Monte-Carlo tree search whose tree and tables take that many MiB.
pub fn mcts_engine<E>(
    evaluator: E,
    parameters: MctsParameters,
    mebibytes: usize,
    threads: usize,
) -> MctsEngine<E>
where
    E: Evaluator<Position> + InitialProofNumbers<Position>,
{
    let search = Mcts::new(parameters, mebibytes.div_ceil(2), threads);
    let heuristics = Heuristics::new(evaluator);
    let heuristics = TreeHeuristics { heuristics, playouts: PolicyAlone(MoveOrdering::default()) };
    MctsEngine::new(search, heuristics, ProofsFirst::new(mebibytes, threads))
}

impl TreeOptions for MctsOptions {
    type WinSearch = ProofLook;

    fn time_percent(&self) -> u32 {
        self.time_percent as u32
    }

    fn resign(&self) -> i32 {
        self.resign
    }

    fn win_search(&self) -> ProofLook {
        ProofLook { stacks: self.proof_stacks as usize, percent: self.proof_percent as u32 }
    }
}
