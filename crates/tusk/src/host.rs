//! Who knows the games and the engines by their names: what the arena asks.

mod built_in;
mod openings;
mod referee;
mod spec;

use arena::{Contestant, Failure, Fault, Host, Player, Rules};

pub use built_in::BuiltIn;
pub use openings::read_openings;
pub use referee::RulesOf;
pub use spec::{Interface, Spec, is_program};

use crate::sport::{GameName, in_game};

/// The games and engines of this program.
pub struct Tusk;

impl Host for Tusk {
    fn rules(&self, game: &str) -> Result<&dyn Rules, String> {
        Ok(in_game!(GameName::named(game)?, S => &RulesOf::<S>::NEW))
    }

    fn player(&self, game: &str, contestant: &Contestant) -> Result<Box<dyn Player>, Failure> {
        in_game!(GameName::named(game).map_err(no_start)?, S => {
            let spec: Spec<S> = contestant.engine.parse().map_err(no_start)?;
            spec.player(&contestant.options)
        })
    }
}

/// That an engine did not get ready.
pub fn no_start(detail: String) -> Failure {
    Failure::new(Fault::Start, detail)
}
