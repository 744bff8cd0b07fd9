//! How positions of Tzaar are solved.

use game::Turns;
use search::ProofNumberSearch;
use tzaar::{Game, Position, Step};
use tzaar_ai::{Heuristics, proof_parameters};

use super::Tzaar;
use crate::error::WrongUse;
use crate::solving::{ByNumbers, Method, ProofSearch, SolveOptions, Solving, algorithm_of};

impl Solving for Tzaar {
    fn method(options: &SolveOptions) -> anyhow::Result<Box<dyn Method<Tzaar>>> {
        new(options)
    }
}

/// By proof numbers, with what Tusk knows of Tzaar.
struct Numbers(Box<ProofNumberSearch<Step>>);

/// The way that was asked for.
fn new(options: &SolveOptions) -> anyhow::Result<Box<dyn Method<Tzaar>>> {
    let target = &options.target;
    if target != "win" {
        let advice = format!("--target {target}: in Tzaar, expected win");
        return Err(WrongUse(advice).into());
    }
    if options.turns.is_some() {
        let advice = "--turns: in Tzaar, proofs are found however long they are";
        return Err(WrongUse(advice.to_string()).into());
    }
    let parameters = options.parameters(proof_parameters(options.memory))?;
    Ok(Box::new(Numbers(Box::new(ProofNumberSearch::new(parameters, options.threads)))))
}

impl Method<Tzaar> for Numbers {
    fn name(&self) -> &'static str {
        algorithm_of(&self.0)
    }

    fn begin<'a>(
        &'a mut self,
        game: &'a Game,
        _: Turns,
    ) -> anyhow::Result<Box<dyn ProofSearch + 'a>> {
        let (position, adapt) = (*game.position(), |position: &Position| *position);
        Ok(Box::new(ByNumbers::new(&mut self.0, game, position, Heuristics::default(), adapt)))
    }
}
