//! Tusk, an AI workbench for board games whose turn takes several steps.

mod catalogues;
mod shared;
mod verbs;

use std::ffi::OsString;
use std::path::Path;
use std::process::ExitCode;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use workbench::{Catalogues, GameName, WrongUse};

use shared::{output, settings, signals};
use verbs::{
    aei, analyse, bench, check_proof, completions, config, engines, experiment, games, generation,
    getmove, learn, man, matches, moves, perft, play, selfplay, serve, show, solve, sprt, suite,
    threats, tournament, train, tune, tzaar, worker,
};

/// An AI workbench for board games whose turn takes several steps.
///
/// POS is a file, a folder of files, - for standard input, or the position itself. A file holds a
/// board picture, one position a line such as `g [64 characters]` (Arimaa) or the 163 numbers of WALTZ
/// (Tzaar), the record of a game, or tab-separated rows under a header with a column `position` or
/// `movelist`; it may be gzipped. The first position says which game it is.
///
/// Without a verb, the page opens: the same as `tusk serve`.
///
/// `tusk config` tells which defaults hold, and from which file (--config FILE) or variable they come.
#[derive(Parser)]
#[command(name = "tusk", version, long_version = LONG_VERSION, propagate_version = true)]
struct Arguments {
    #[command(subcommand)]
    verb: Option<Verb>,

    /// The game, where the text leaves a doubt
    #[arg(long, global = true, value_parser = game_name())]
    game: Option<GameName>,

    /// The file of defaults (see `tusk config`); an empty name means none
    #[arg(long, global = true, value_name = "FILE", env = "TUSK_CONFIG", hide = true)]
    config: Option<OsString>,

    /// Read no defaults, neither from a file nor from the environment
    #[arg(long, global = true, hide = true)]
    no_config: bool,
}

/// What was built, from what and how.
const LONG_VERSION: &str = concat!(
    env!("CARGO_PKG_VERSION"),
    "\ncommit: ",
    env!("TUSK_COMMIT"),
    "\nbuild: ",
    env!("TUSK_BUILD")
);

/// The games by their names.
fn game_name() -> impl TypedValueParser<Value = GameName> {
    let words = GameName::ALL.map(GameName::word);
    PossibleValuesParser::new(words).map(|word| GameName::named(&word).unwrap_or_default())
}

/// What to do; each verb tells about itself in its own file.
#[derive(Subcommand)]
enum Verb {
    Show(show::Arguments),
    Perft(perft::Arguments),
    Threats(threats::Arguments),
    Move(moves::Arguments),
    Analyse(analyse::Arguments),
    Solve(Box<solve::Arguments>),
    CheckProof(check_proof::Arguments),
    Engines(engines::Arguments),
    Aei(aei::Arguments),
    Getmove(getmove::Arguments),
    Match(Box<matches::Arguments>),
    Tournament(tournament::Arguments),
    Worker(worker::Arguments),
    Games(games::Arguments),
    Sprt(sprt::Arguments),
    Suite(suite::Arguments),
    Learn(learn::Arguments),
    Train(train::Arguments),
    Tune(Box<tune::Arguments>),
    Play(play::Arguments),
    Serve(serve::Arguments),
    Selfplay(selfplay::Arguments),
    Generation(Box<generation::Arguments>),
    Tzaar(tzaar::Arguments),
    Experiment(experiment::Arguments),
    Bench(bench::Arguments),
    Config(config::Arguments),
    Completions(completions::Arguments),
    Man(man::Arguments),
}

/// How a verb that did its work ends: with status 0, or with 1 if an input was refused.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Exit {
    Done,
    Refused,
}

fn main() -> ExitCode {
    let catalogues = &catalogues::all();
    let matches = command(catalogues).get_matches_from(std::env::args_os().map(shielded));
    let arguments = Arguments::from_arg_matches(&matches).unwrap_or_else(|error| error.exit());
    signals::watch();
    let file = arguments.config.as_deref().map(Path::new);
    match settings::load(file, !arguments.no_config, catalogues) {
        Ok(()) => exit_code(run(arguments, catalogues)),
        Err(error) => exit_code(Err(error)),
    }
}

/// The command line, with the names that the catalogues have.
fn command(catalogues: &Catalogues) -> clap::Command {
    let presets = &catalogues.solver_presets;
    Arguments::command().mut_subcommand("solve", |solve| solve::with_presets(solve, presets))
}

fn run(arguments: Arguments, catalogues: &Catalogues) -> anyhow::Result<Exit> {
    let game = arguments.game;
    match arguments.verb {
        None => serve::run(&serve::Arguments::default(), catalogues),
        Some(Verb::Show(arguments)) => show::run(&arguments, game, catalogues),
        Some(Verb::Perft(arguments)) => perft::run(&arguments, game),
        Some(Verb::Threats(arguments)) => threats::run(&arguments, game),
        Some(Verb::Aei(arguments)) => aei::run(&arguments, game, catalogues),
        Some(Verb::Getmove(arguments)) => getmove::run(&arguments, game, catalogues),
        Some(Verb::Move(arguments)) => moves::run(&arguments, game, catalogues),
        Some(Verb::Analyse(arguments)) => analyse::run(&arguments, game, catalogues),
        Some(Verb::CheckProof(arguments)) => check_proof::run(&arguments),
        Some(Verb::Solve(arguments)) => solve::run(&arguments, game, catalogues),
        Some(Verb::Suite(arguments)) => suite::run(&arguments, game, catalogues),
        Some(Verb::Learn(arguments)) => learn::run(&arguments, game, catalogues),
        Some(Verb::Train(arguments)) => train::run(&arguments, game),
        Some(Verb::Tune(arguments)) => tune::run(&arguments, game, catalogues),
        Some(Verb::Selfplay(arguments)) => selfplay::run(&arguments, game, catalogues),
        Some(Verb::Generation(arguments)) => generation::run(&arguments, game, catalogues),
        Some(Verb::Tzaar(arguments)) => tzaar::run(&arguments),
        Some(Verb::Play(arguments)) => play::run(arguments, game, catalogues),
        Some(Verb::Serve(arguments)) => serve::run(&arguments, catalogues),
        Some(Verb::Engines(arguments)) => engines::run(&arguments, game, catalogues),
        Some(Verb::Match(arguments)) => matches::run(&arguments, game, catalogues),
        Some(Verb::Tournament(arguments)) => tournament::run(&arguments, game, catalogues),
        Some(Verb::Worker(arguments)) => worker::run(&arguments, catalogues),
        Some(Verb::Games(arguments)) => games::run(&arguments),
        Some(Verb::Sprt(arguments)) => sprt::run(&arguments),
        Some(Verb::Experiment(arguments)) => experiment::run(&arguments, game, catalogues),
        Some(Verb::Bench(arguments)) => bench::run(&arguments, game, catalogues),
        Some(Verb::Config(arguments)) => config::run(&arguments, game, catalogues),
        Some(Verb::Completions(arguments)) => completions::run(&arguments, command(catalogues)),
        Some(Verb::Man(arguments)) => man::run(&arguments, command(catalogues)),
    }
}

fn exit_code(exit: anyhow::Result<Exit>) -> ExitCode {
    if let Some(signal) = signals::received() {
        if let Err(error) = exit {
            output::tell_error(&format!("{error:#}"));
        }
        return signals::status(signal);
    }
    match exit {
        Ok(Exit::Done) => ExitCode::SUCCESS,
        Ok(Exit::Refused) => ExitCode::FAILURE,
        Err(error) => {
            output::tell_error(&format!("{error:#}"));
            if error.is::<WrongUse>() { ExitCode::from(2) } else { ExitCode::FAILURE }
        }
    }
}

/// A position of Tzaar in which Black moves begins with -1, which is no option: a blank before it says so.
fn shielded(argument: OsString) -> OsString {
    let is_position = argument.to_str().is_some_and(|text| {
        let mut words = text.split_whitespace();
        text.starts_with("-1")
            && words.clone().count() > 1
            && words.all(|word| word.parse::<i32>().is_ok())
    });
    if !is_position {
        return argument;
    }
    let mut shielded = OsString::from(" ");
    shielded.push(argument);
    shielded
}
