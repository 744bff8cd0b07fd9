//! How positions of Tzaar are solved.

use game::Turns;
use search::ProofNumberSearch;
use tzaar::{Game, Position, Step};
use tzaar_ai::{Heuristics, proof_parameters};

use super::Tzaar;
use crate::error::WrongUse;
use crate::solving::{ByNumbers, Method, ProofSearch, SearchPlan, SolveOptions, Solving};

impl Solving for Tzaar {
    fn method(options: &SolveOptions) -> anyhow::Result<Box<dyn Method<Tzaar>>> {
        new(options)
    }
}

/// By proof numbers, with what Tusk knows of Tzaar.
struct Numbers {
    plan: SearchPlan,
    search: Box<ProofNumberSearch<Step>>,
}

/// The way that was asked for.
fn new(options: &SolveOptions) -> anyhow::Result<Box<dyn Method<Tzaar>>> {
    let target = options.target()?;
    if target != "win" {
        let advice = format!("--target {target}: in Tzaar, expected win");
        return Err(WrongUse(advice).into());
    }
    if options.turns.is_some() {
        let advice = "--turns: in Tzaar, proofs are found however long they are";
        return Err(WrongUse(advice.to_string()).into());
    }
    // The memory is shared out afterwards.
    let usual = proof_parameters(0);
    let plan = options.plan(usual, false)?;
    let parameters = plan.parameters.unwrap_or(usual);
    let search = Box::new(ProofNumberSearch::new(parameters, options.threads.max(1)));
    Ok(Box::new(Numbers { plan, search }))
}

impl Method<Tzaar> for Numbers {
    fn plan(&self) -> &SearchPlan {
        &self.plan
    }

    fn begin<'a>(
        &'a mut self,
        game: &'a Game,
        _: Turns,
    ) -> anyhow::Result<Box<dyn ProofSearch + 'a>> {
        let (position, adapt) = (*game.position(), |position: &Position| *position);
        Ok(Box::new(ByNumbers::new(&mut self.search, game, position, Heuristics::default(), adapt)))
    }
}
