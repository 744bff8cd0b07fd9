//! The engines of a game: what they are called, what they are about, and what can be set.

use std::num::NonZero;
use std::thread::available_parallelism;

use ::engine::{Kind, Parameter, ParameterError};
use search::{Limits, Parameters, Report, Stop};

use crate::random::Random;
use crate::sport::{Sport, Step};
use crate::thinking::Tusk;

/// An engine that can be asked for by its name. The levels mean the same to a person in each game: what
/// they look at, and how carefully they choose.
pub struct Engine<S: Sport> {
    pub name: &'static str,
    /// What it is, in a line.
    pub about: &'static str,
    /// The evaluation by which it searches; none, if it plays by chance.
    pub estimate: Option<fn() -> S::Estimate>,
    /// What can be set.
    pub declared: Declared,
    /// The size of its table.
    pub mebibytes: usize,
    /// Whether it takes all that the machine has.
    pub is_whole: bool,
    /// Where it is not as declared.
    pub settings: &'static [(&'static str, i32)],
}

/// Sets of parameters.
pub type Declared = &'static [&'static [Parameter]];

/// What the table takes if nobody says anything.
const MEBIBYTES: usize = 64;

/// The same for the engine that takes what there is.
const MANY_MEBIBYTES: usize = 256;

impl<S: Sport> Engine<S> {
    /// An engine that searches, as all is declared and on one thread.
    pub const fn searching(name: &'static str, estimate: fn() -> S::Estimate) -> Engine<S> {
        Engine {
            name,
            about: "",
            estimate: Some(estimate),
            declared: S::PARAMETERS,
            mebibytes: MEBIBYTES,
            is_whole: false,
            settings: &[],
        }
    }

    /// An engine that plays by chance.
    pub const fn by_chance(name: &'static str) -> Engine<S> {
        Engine {
            name,
            about: "",
            estimate: None,
            declared: &[],
            mebibytes: 0,
            is_whole: false,
            settings: &[],
        }
    }

    /// The engine of that name.
    pub fn named(name: &str) -> Option<&'static Engine<S>> {
        S::ENGINES.iter().find(|engine| engine.name == name)
    }

    /// What can be set, with the defaults of this engine.
    pub fn parameters(&self) -> Vec<Parameter> {
        let declared = self.declared.iter().copied().flatten();
        let own = |name| self.settings.iter().find(|setting| setting.0 == name);
        let with_own = |declared: &Parameter| match own(declared.name) {
            Some(setting) => declared.with_default(setting.1),
            None => *declared,
        };
        declared.map(with_own).collect()
    }

    /// Why it does not take an option that engines usually have, if it does not.
    pub fn refusal_of(&self, option: &str) -> Option<String> {
        let searches = self.declared.contains(&Parameters::DECLARED);
        let is_refused = !searches && matches!(option, "threads" | "preset");
        is_refused.then(|| format!("{} searches in its own way and has no {option}", self.name))
    }

    /// What it is set to, if there is anything to set.
    pub fn settings(&self) -> Option<Settings<S>> {
        let estimate = self.estimate?();
        let (threads, mebibytes) = match self.is_whole {
            true => (available_parallelism().map_or(1, NonZero::get), MANY_MEBIBYTES),
            false => (1, self.mebibytes),
        };
        let (parameters, manner) = (Parameters::default(), S::Manner::default());
        let declared = self.declared;
        let mut settings = Settings { declared, estimate, parameters, manner, mebibytes, threads };
        for (name, value) in self.settings {
            let set = settings.set(name, &value.to_string());
            debug_assert!(set.is_ok(), "{}: {name}", self.name);
        }
        Some(settings)
    }
}

/// All that can be set of an engine that searches.
#[derive(Clone, Copy)]
pub struct Settings<S: Sport> {
    /// What can be set by its name.
    declared: Declared,
    pub estimate: S::Estimate,
    pub parameters: Parameters,
    pub manner: S::Manner,
    /// The size of the table.
    pub mebibytes: usize,
    pub threads: usize,
}

impl<S: Sport> Settings<S> {
    /// Sets a parameter of the search or of the player by its name.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), ParameterError> {
        if !self.declared.iter().copied().flatten().any(|declared| declared.name == name) {
            return Err(ParameterError::Unknown);
        }
        match S::set_manner(&mut self.manner, name, value) {
            Err(ParameterError::Unknown) => self.parameters.set(name, value),
            done => done,
        }
    }
}

/// An engine that plays, and tells what its search has found.
pub trait Mind<S: Sport>: Send {
    /// Sets an option by its name; returns whether it is known. An error tells what would be right.
    fn set_option(&mut self, name: &str, value: &str) -> Result<bool, String>;

    /// Forgets what it knows of the game before.
    fn new_game(&mut self);

    /// What it does in a game that goes on; none, if it gives up. What it learns on the way goes to
    /// `report`.
    fn think(
        &mut self,
        game: &S::Game,
        limits: &Limits,
        stop: &Stop,
        report: &mut dyn FnMut(&Report<Step<S>>),
    ) -> Option<S::Action>;

    /// What the search for the last turn has found, if there was one.
    fn found(&self) -> Option<&Report<Step<S>>> {
        None
    }

    /// The evaluation of the position, as lines for people, if it has one.
    fn evaluation(&mut self, _game: &S::Game) -> Option<Vec<String>> {
        None
    }

    /// The tree of the last search, as lines for people, if it keeps one.
    fn tree(&mut self) -> Option<Vec<String>> {
        None
    }
}

/// An engine with these settings, or without any, ready to play.
pub fn mind<S: Sport>(settings: Option<Settings<S>>, seed: u64) -> Box<dyn Mind<S>> {
    match settings {
        Some(settings) => Box::new(Tusk::new(settings, seed)),
        None => Box::new(Random::new(seed)),
    }
}

/// A named set of parameters.
pub struct Preset {
    pub name: &'static str,
    /// What it is for, in a line.
    pub about: &'static str,
    /// What a parameter becomes, if it is not left as it is.
    value: fn(&Parameter) -> Option<i32>,
}

/// All presets.
pub const PRESETS: &[Preset] = &[Preset {
    name: "plain",
    about: "every enhancement of the search switched off, to measure what each is worth",
    value: switched_off,
}];

impl Preset {
    /// The preset of that name.
    pub fn named(name: &str) -> Option<&'static Preset> {
        PRESETS.iter().find(|preset| preset.name == name)
    }

    /// Sets what it names.
    pub fn apply<S: Sport>(&self, settings: &mut Settings<S>) {
        for declared in Parameters::DECLARED {
            if let Some(value) = (self.value)(declared) {
                let set = settings.parameters.set(declared.name, &value.to_string());
                debug_assert!(set.is_ok(), "{}: {}", self.name, declared.name);
            }
        }
    }
}

/// 0, where that switches something off.
fn switched_off(declared: &Parameter) -> Option<i32> {
    is_switch(declared).then_some(0)
}

/// Whether 0 switches something off. A parameter that is named after a switch, such as
/// `futility_margin`, is none: without the switch it has no effect, and whoever turns the switch on again
/// wants what it was.
pub fn is_switch(declared: &Parameter) -> bool {
    let is_detail = |switch: &Parameter| {
        let rest = declared.name.strip_prefix(switch.name);
        rest.is_some_and(|rest| rest.starts_with('_'))
    };
    matches!(declared.kind, Kind::Number { least: 0, .. })
        && !Parameters::DECLARED.iter().any(is_detail)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sport::{GameName, in_game};

    #[test]
    fn every_engine_differs_from_what_is_declared_only_within_the_ranges() {
        fn check<S: Sport>() {
            for engine in S::ENGINES {
                let parameters = engine.parameters();
                for (name, value) in engine.settings {
                    let declared = parameters.iter().find(|declared| declared.name == *name);
                    let declared = declared.unwrap_or_else(|| panic!("{}: {name}", engine.name));
                    assert_eq!(
                        declared.parse_number(&value.to_string()),
                        Ok(*value),
                        "{}",
                        engine.name
                    );
                    assert_eq!(declared.default_number(), Some(*value));
                }
            }
        }
        GameName::ALL.into_iter().for_each(|game| in_game!(game, S => check::<S>()));
    }

    #[test]
    fn no_parameter_is_declared_twice() {
        fn check<S: Sport>() {
            let mut names: Vec<&str> =
                S::ENGINES[0].parameters().iter().map(|declared| declared.name).collect();
            let count = names.len();
            names.sort_unstable();
            names.dedup();
            assert_eq!(names.len(), count);
        }
        GameName::ALL.into_iter().for_each(|game| in_game!(game, S => check::<S>()));
    }

    #[test]
    fn plain_switches_everything_off_and_leaves_the_details() {
        let mut settings = crate::sport::Arimaa::ENGINES[0].settings().unwrap();
        let full = settings.parameters;
        Preset::named("plain").unwrap().apply(&mut settings);
        let plain = settings.parameters;
        assert_eq!([plain.table, plain.null_move, plain.futility, plain.aspiration], [0; 4]);
        assert_eq!(plain.futility_margin, full.futility_margin);
        assert_eq!(plain.null_reduction, full.null_reduction);
    }
}
