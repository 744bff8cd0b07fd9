use arimaa::{Game, Position};
use game::Turns;
use search::{
    Evaluator, Mcts, MctsParameters, Playouts, StepKnowledge, TreeHeuristics, TreeOptions,
};

use crate::Heuristics;
use crate::player::{THREAT_SHARE, ThreatsFirst};

engine::parameters! {
    /// How an engine uses Monte-Carlo tree search.
    pub struct MctsOptions {
        time_percent: 100, 1..=100, "how much of its time it uses, in percent";
        threat_search: 4, 0..=8, "how many turns a win by threats may take that is looked for before the search; 0: none is";
        resign: 0, 0..=50, "below which chance to win it resigns, in percent; 0: never";
    }
}

/// The engine that plays by Monte-Carlo tree search, after a threat-space search for a win by force. `L` plays from the
/// leaves, or says how good a step looks and plays none: [`search::PolicyAlone`].
pub type MctsEngine<E, L> = search::TreeEngine<Game, Heuristics<E>, L, ThreatsFirst, MctsOptions>;

/// An engine by Monte-Carlo tree search whose tree takes that many MiB.
pub fn mcts_engine<E, L>(
    evaluator: E,
    playouts: L,
    parameters: MctsParameters,
    mebibytes: usize,
    threads: usize,
) -> MctsEngine<E, L>
where
    E: Evaluator<Position>,
    L: Playouts<Position> + StepKnowledge<Position>,
{
    let search = Mcts::new(parameters, mebibytes, threads);
    let heuristics = Heuristics::with_threat_table(evaluator, mebibytes / THREAT_SHARE);
    let heuristics = TreeHeuristics { heuristics, playouts };
    MctsEngine::new(search, heuristics, ThreatsFirst::default())
}

impl TreeOptions for MctsOptions {
    type WinSearch = Turns;

    fn time_percent(&self) -> u32 {
        self.time_percent as u32
    }

    fn resign(&self) -> i32 {
        self.resign
    }

    fn win_search(&self) -> Turns {
        Turns(self.threat_search as u16)
    }
}
