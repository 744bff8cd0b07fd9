//! `tusk experiment`: the studies in docs/experiments, each by its name.

mod alphabeta;
mod branching;
mod levels;
mod ordering;
mod pruning;
mod symmetry;

use crate::Exit;
use workbench::GameName;

/// Runs one of the studies in docs/experiments again.
#[derive(clap::Args)]
#[command(after_help = "Example:\n  tusk experiment alphabeta --depth 5")]
pub struct Arguments {
    #[command(subcommand)]
    name: Name,
}

/// What is studied; each study tells about itself in its own file.
#[derive(clap::Subcommand)]
enum Name {
    Alphabeta(alphabeta::Arguments),
    Branching(branching::Arguments),
    Levels(levels::Arguments),
    Ordering(ordering::Arguments),
    Pruning(pruning::Arguments),
    Symmetry(symmetry::Arguments),
}

pub fn run(arguments: &Arguments, game: Option<GameName>) -> anyhow::Result<Exit> {
    match &arguments.name {
        Name::Alphabeta(arguments) => {
            GameName::only_arimaa("experiment alphabeta", game)?;
            alphabeta::run(arguments)
        }
        Name::Branching(arguments) => branching::run(arguments),
        Name::Levels(arguments) => levels::run(arguments, game),
        Name::Ordering(arguments) => {
            GameName::only_arimaa("experiment ordering", game)?;
            ordering::run(arguments)
        }
        Name::Pruning(arguments) => pruning::run(arguments, game),
        Name::Symmetry(arguments) => symmetry::run(arguments, game),
    }
}
