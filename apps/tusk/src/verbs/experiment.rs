//! `tusk experiment`: the studies in docs/experiments, each by its name.

mod alphabeta;
mod ordering;
mod pruning;
mod study;
mod symmetry;

use studies::STUDIES;
use workbench::{Catalogues, GameName, WrongUse, listed};

use self::study::StudyArguments;
use crate::Exit;

/// Runs the studies of the theses again, with their figures beside ours, or one of our own.
///
/// A study of a thesis prints a report in Markdown; with --out it is written to a folder, with its plots. What was found is
/// kept there too: a run that was interrupted goes on where it was, with the same program and the same settings. The same
/// seed gives the same counts; times differ and are told as ratios.
#[derive(clap::Args)]
#[command(args_conflicts_with_subcommands = true)]
#[command(after_help = "Examples:\n  tusk experiment branching --quick\n  \
                        tusk experiment --all --quick --out reports\n  \
                        tusk experiment alphabeta --depth 5")]
pub struct Arguments {
    #[command(subcommand)]
    name: Option<Name>,

    /// Run all studies of the theses, one after the other
    #[arg(long)]
    all: bool,

    #[command(flatten)]
    how: StudyArguments,
}

/// What is studied; each study tells about itself in its own file.
#[derive(clap::Subcommand)]
enum Name {
    /// How many turns there are in both games, and of which kinds (Zhong 2005, chapter 4; Veselý 2013, 1.4)
    Branching(StudyArguments),
    /// What each piece can do within a turn: bot_drake's first two layers (Hřebejk 2013, chapters 3 and 4)
    Mobility(StudyArguments),
    /// Zhong's alpha-beta search of Arimaa, one enhancement after the other (Zhong 2005, 4.1, Tables 5.1 to 5.6)
    AlphabetaArimaa(StudyArguments),
    /// WALTZ's alpha-beta search of Tzaar and its constants (Veselý 2013, Tables 4.1 to 4.6)
    AlphabetaTzaar(StudyArguments),
    /// WALTZ's proof-number search of endgames of Tzaar (Veselý 2013, Tables 4.7 to 4.14)
    DfpnTzaar(StudyArguments),
    /// Proof-number search of Arimaa (Majerech 2012, chapter 6)
    PnsArimaa(StudyArguments),
    /// Akimot's Monte-Carlo tree search, part by part (Kozelek 2009, chapters 4 and 5)
    Mcts(StudyArguments),
    /// Evaluations that were learned against those tuned by hand (Hřebejk 2013, chapter 5)
    Learning(StudyArguments),
    /// Each level against the one below it, and new evaluations against old ones, in both games (Veselý 2013, 4.2)
    Levels(StudyArguments),
    /// Our engines against other programs, given by --against (Veselý 2013, Table 4.15; Zhong 2005, Table 6.1)
    Peers(StudyArguments),
    /// All engines of Tusk in one rating list per game
    Ladder(StudyArguments),
    Alphabeta(alphabeta::Arguments),
    Ordering(ordering::Arguments),
    Pruning(pruning::Arguments),
    Symmetry(symmetry::Arguments),
}

pub fn run(
    arguments: &Arguments,
    game: Option<GameName>,
    catalogues: &Catalogues,
) -> anyhow::Result<Exit> {
    let Some(name) = &arguments.name else {
        if arguments.all {
            return arguments.how.run(STUDIES, game, catalogues);
        }
        let names = listed(STUDIES.iter().map(|study| study.name));
        let own = "alphabeta, ordering, pruning, symmetry";
        let fault = format!("name an experiment: {names}; of our own: {own}; or --all");
        return Err(WrongUse(fault).into());
    };
    match name {
        Name::Branching(how) => how.run(&[&studies::BRANCHING], game, catalogues),
        Name::Mobility(how) => how.run(&[&studies::MOBILITY], game, catalogues),
        Name::AlphabetaArimaa(how) => how.run(&[&studies::ALPHABETA_ARIMAA], game, catalogues),
        Name::AlphabetaTzaar(how) => how.run(&[&studies::ALPHABETA_TZAAR], game, catalogues),
        Name::DfpnTzaar(how) => how.run(&[&studies::DFPN_TZAAR], game, catalogues),
        Name::PnsArimaa(how) => how.run(&[&studies::PNS_ARIMAA], game, catalogues),
        Name::Mcts(how) => how.run(&[&studies::MCTS], game, catalogues),
        Name::Learning(how) => how.run(&[&studies::LEARNING], game, catalogues),
        Name::Levels(how) => how.run(&[&studies::LEVELS], game, catalogues),
        Name::Peers(how) => how.run(&[&studies::PEERS], game, catalogues),
        Name::Ladder(how) => how.run(&[&studies::LADDER], game, catalogues),
        Name::Alphabeta(arguments) => {
            GameName::only_arimaa("experiment alphabeta", game)?;
            alphabeta::run(arguments)
        }
        Name::Ordering(arguments) => {
            GameName::only_arimaa("experiment ordering", game)?;
            ordering::run(arguments)
        }
        Name::Pruning(arguments) => pruning::run(arguments, game, catalogues),
        Name::Symmetry(arguments) => symmetry::run(arguments, game),
    }
}
