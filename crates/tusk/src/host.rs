//! Who knows the games and the engines by their names: what the arena asks.

mod built_in;
mod openings;
mod referee;
mod spec;

use arena::{Contestant, Failure, Fault, Host, Player, Rules};

pub use built_in::BuiltIn;
pub use openings::Openings;
pub use referee::{ArimaaRules, begin, notation, turns};
pub use spec::Spec;

/// The games and engines of this program.
pub struct Tusk;

impl Host for Tusk {
    fn rules(&self, game: &str) -> Result<&dyn Rules, String> {
        match game {
            "arimaa" => Ok(&ArimaaRules),
            _ => Err(format!("there is no game {game:?} here; there is: arimaa")),
        }
    }

    fn player(&self, _game: &str, contestant: &Contestant) -> Result<Box<dyn Player>, Failure> {
        let spec: Result<Spec, String> = contestant.engine.parse();
        spec.map_err(no_start).and_then(|spec| spec.player(&contestant.options))
    }
}

/// That an engine did not get ready.
pub fn no_start(detail: String) -> Failure {
    Failure::new(Fault::Start, detail)
}
