use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use arena::{BlockingStore, GameRow, Plan, Runner, Worker};
use engine::{Catalogue, Stop};
use workbench::host::EngineHost;
use workbench::{Catalogues, GameName, SolverPresets, in_game};

use crate::*;

/// A program that plays one game at a time, and shows nothing.
struct Quiet<'a> {
    folder: &'a Path,
}

impl Program for Quiet<'_> {
    fn progress(&self, _: &str, _: &str, _: usize, _: usize) -> Box<dyn Progress + '_> {
        Box::new(Nothing)
    }

    fn play(
        &self,
        catalogues: &Catalogues,
        name: &str,
        plan: &Plan,
    ) -> anyhow::Result<Vec<GameRow>> {
        let store = BlockingStore::open(&self.folder.join("games.sqlite").to_string_lossy())?;
        store.claim()?;
        let event = store.find_or_create(name, plan)?;
        let game = GameName::named(&plan.game).map_err(anyhow::Error::msg)?;
        let worker = Worker::new(Duration::from_secs(60));
        in_game!(game, S => {
            let host = &EngineHost::<S>(catalogues.get::<S>());
            let (store, may_play, stop) = (&store, &|_: &_| true, Stop::new());
            Runner { host, store, worker, concurrency: 1, may_play, stop }.play(&event, |_| true)
        })?;
        Ok(store.games(&event)?.sound)
    }
}

struct Nothing;

impl Progress for Nothing {
    fn tell(&self, _: bool) {}

    fn finish(&self) {}
}

/// The engines that take part.
fn catalogues() -> Catalogues {
    Catalogues {
        arimaa: Catalogue::new(&[
            arimaa_ai::engines::ENGINES,
            zhong_2005::ENGINES,
            kozelek_2009::ENGINES,
            hrebejk_2013::ENGINES,
        ]),
        tzaar: Catalogue::new(&[tzaar_ai::engines::ENGINES, vesely_2013::ENGINES]),
        solver_presets: SolverPresets::new(&[majerech_2012::SOLVER_PRESETS]),
    }
}

/// Runs a study with the least of everything, in a store of its own.
fn run_least(study: &Study, game: Option<GameName>) -> Report {
    let folder = tempfile::tempdir().unwrap();
    let catalogues = &catalogues();
    let values: BTreeMap<&str, u64> =
        study.settings.iter().map(|setting| (setting.name, setting.least)).collect();
    let lab = Lab {
        catalogues,
        study,
        seed: 3,
        values,
        game,
        positions: None,
        against: &[],
        journal: Journal::in_memory(),
        program: &Quiet { folder: folder.path() },
        threads: 1,
        folder: folder.path(),
        program_sum: "test",
        stop: Stop::new(),
    };
    study.run(&lab).unwrap_or_else(|error| panic!("{}: {error:#}", study.name))
}

#[test]
fn a_quick_run_does_no_more_than_a_full_one() {
    for study in STUDIES {
        let settings = study.settings;
        assert!(settings.iter().all(|s| s.least <= s.quick && s.quick <= s.full), "{}", study.name);
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
                    super::has_the_same_counts_again(&crate::$name::STUDY);
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
