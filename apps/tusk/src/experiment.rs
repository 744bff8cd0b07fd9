//! `tusk experiment`: the studies in docs/experiments, each by its name.
//!
//! A [`Study`] says what it regenerates and what can be set of it, and does its work in a [`lab::Lab`], which keeps what
//! was found in a journal. What comes of it is a [`report::Report`].

mod alphabeta;
mod alphabeta_arimaa;
mod alphabeta_tzaar;
mod branching;
mod dfpn_tzaar;
mod journal;
mod lab;
mod ladder;
mod learning;
mod levels;
mod mcts;
mod mobility;
mod ordering;
mod peers;
mod pns_arimaa;
mod pruning;
mod report;
mod searching;
mod sets;
mod study;
mod symmetry;

use self::study::{Study, StudyArguments};
use crate::Exit;
use workbench::{Catalogues, GameName, WrongUse, listed};

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

/// The studies of the theses.
const STUDIES: &[&Study] = &[
    &branching::STUDY,
    &mobility::STUDY,
    &alphabeta_arimaa::STUDY,
    &alphabeta_tzaar::STUDY,
    &dfpn_tzaar::STUDY,
    &pns_arimaa::STUDY,
    &mcts::STUDY,
    &learning::STUDY,
    &levels::STUDY,
    &peers::STUDY,
    &ladder::STUDY,
];

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
        Name::Branching(how) => how.run(&[&branching::STUDY], game, catalogues),
        Name::Mobility(how) => how.run(&[&mobility::STUDY], game, catalogues),
        Name::AlphabetaArimaa(how) => how.run(&[&alphabeta_arimaa::STUDY], game, catalogues),
        Name::AlphabetaTzaar(how) => how.run(&[&alphabeta_tzaar::STUDY], game, catalogues),
        Name::DfpnTzaar(how) => how.run(&[&dfpn_tzaar::STUDY], game, catalogues),
        Name::PnsArimaa(how) => how.run(&[&pns_arimaa::STUDY], game, catalogues),
        Name::Mcts(how) => how.run(&[&mcts::STUDY], game, catalogues),
        Name::Learning(how) => how.run(&[&learning::STUDY], game, catalogues),
        Name::Levels(how) => how.run(&[&levels::STUDY], game, catalogues),
        Name::Peers(how) => how.run(&[&peers::STUDY], game, catalogues),
        Name::Ladder(how) => how.run(&[&ladder::STUDY], game, catalogues),
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

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::time::Duration;

    use engine::Stop;

    use super::journal::Journal;
    use super::lab::Lab;
    use super::report::Report;
    use super::*;
    use crate::contest::EventArguments;

    /// Runs a study with the least of everything, in a store of its own.
    fn run_least(study: &Study, game: Option<GameName>) -> Report {
        let folder = tempfile::tempdir().unwrap();
        let place = Default::default();
        let lease = Duration::from_secs(60);
        let playing = EventArguments { place, concurrency: Some(1), lease, json: false };
        let values: BTreeMap<&str, u64> =
            study.settings.iter().map(|setting| (setting.name, setting.least)).collect();
        let lab = Lab {
            catalogues: &crate::catalogues::all(),
            study,
            seed: 3,
            values,
            game,
            positions: None,
            against: &[],
            journal: Journal::in_memory(),
            playing: &playing,
            store: folder.path().join("games.sqlite").to_string_lossy().into_owned(),
            folder: folder.path(),
            program: "test",
            stop: Stop::new(),
        };
        (study.run)(&lab).unwrap_or_else(|error| panic!("{}: {error:#}", study.name))
    }

    #[test]
    fn a_quick_run_does_no_more_than_a_full_one() {
        for study in STUDIES {
            let settings = study.settings;
            assert!(
                settings.iter().all(|s| s.least <= s.quick && s.quick <= s.full),
                "{}",
                study.name
            );
        }
    }

    /// The same seed gives the same counts; only times differ.
    fn has_the_same_counts_again(study: &Study) {
        let [one, other] = [(), ()].map(|()| run_least(study, None));
        assert!(!one.counts().is_empty());
        assert_eq!(one.counts(), other.counts());
    }

    /// A test for each study whose searches and games are limited by counts.
    macro_rules! reproducible {
        ($($name:ident),*) => {
            mod reproducible {
                $(
                    #[test]
                    fn $name() {
                        super::has_the_same_counts_again(&super::$name::STUDY);
                    }
                )*
            }
        };
    }

    reproducible!(
        branching,
        mobility,
        alphabeta_arimaa,
        alphabeta_tzaar,
        dfpn_tzaar,
        pns_arimaa,
        mcts,
        learning
    );

    #[test]
    fn matches_by_the_clock_have_a_report() {
        for study in [&levels::STUDY, &peers::STUDY, &ladder::STUDY] {
            // Games of Tzaar are short.
            let report = run_least(study, Some(GameName::Tzaar));
            assert!(!report.markdown(study.name).is_empty(), "{}", study.name);
        }
    }
}
