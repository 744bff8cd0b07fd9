//! How positions of Tzaar are solved.

use game::Turns;
use search::Prover;
use tzaar::{Game, Position, Step};
use tzaar_ai::{Sense, proof_parameters};

use super::Tzaar;
use crate::WrongUse;
use crate::solve::{Arguments, Count, Method, Quest};

/// By proof numbers, with what Tusk knows of Tzaar.
struct Numbers(Box<Prover<Step>>);

/// The way that was asked for.
pub fn new(arguments: &Arguments) -> anyhow::Result<Box<dyn Method<Tzaar>>> {
    let target = &arguments.target;
    if target != "win" {
        let advice = format!("--target {target}: in Tzaar, expected win");
        return Err(WrongUse(advice).into());
    }
    let parameters = arguments.parameters_from(proof_parameters(arguments.memory))?;
    Ok(Box::new(Numbers(Box::new(Prover::new(parameters, arguments.threads.into())))))
}

impl Method<Tzaar> for Numbers {
    fn name(&self) -> &'static str {
        "numbers"
    }

    fn begin<'a>(&'a mut self, game: &'a Game, _: Turns) -> anyhow::Result<Box<dyn Quest + 'a>> {
        let (position, adapt) = (*game.position(), |position: &Position| *position);
        Ok(Box::new(Count::new(&mut self.0, game, position, Sense::default(), adapt)))
    }
}
