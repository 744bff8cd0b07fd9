//! The engines of Arimaa: what they are called, what they are about, and what can be set.

use std::num::NonZero;
use std::thread::available_parallelism;

use aei::Thinker;
use arimaa::Step;
use arimaa_ai::zhong::Zhong;
use arimaa_ai::{Estimate, Manner};
use search::{Declaration, Parameters, Report};

use crate::random::Random;
use crate::thinking::{Settings, Tusk};

/// An engine that can be asked for by its name.
#[derive(Debug)]
pub struct Engine {
    pub name: &'static str,
    /// What it is, in a line.
    pub about: &'static str,
    kind: Kind,
    /// Where it is not as declared.
    settings: &'static [(&'static str, i32)],
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    /// Alpha-beta with Tusk's own evaluation, on one thread.
    Tusk,
    /// The same, with the evaluation of Zhong's thesis.
    Zhong,
    /// The same as `Tusk`, with all that the machine has.
    Whole,
    /// By chance.
    Random,
}

/// All engines. The levels mean the same to a person in each game: what they look at, and how
/// carefully they choose.
pub const ENGINES: &[Engine] = &[
    Engine {
        name: "tusk",
        about: "alpha-beta with all that Tusk knows, on one thread",
        kind: Kind::Tusk,
        settings: &[],
    },
    Engine {
        name: "zhong",
        about: "the same search with the evaluation of Zhong's thesis (2005)",
        kind: Kind::Zhong,
        settings: &[],
    },
    Engine {
        name: "beginner",
        about: "looks two steps ahead, not at the reply, and is easily content",
        kind: Kind::Tusk,
        settings: &[("margin", 150), ("reach", 2), ("attack", 0)],
    },
    Engine {
        name: "intermediate",
        about: "looks at its whole turn and the first step of the reply, and varies its play",
        kind: Kind::Tusk,
        settings: &[("margin", 30), ("reach", 5), ("attack", 0)],
    },
    Engine {
        name: "expert",
        about: "looks two turns ahead and takes half of its time",
        kind: Kind::Tusk,
        settings: &[("reach", 9), ("effort", 50)],
    },
    Engine {
        name: "unbeatable",
        about: "all that Tusk knows, on every core of the machine",
        kind: Kind::Whole,
        settings: &[],
    },
    Engine {
        name: "random",
        about: "legal setups and turns by chance",
        kind: Kind::Random,
        settings: &[],
    },
];

/// What the table takes if nobody says anything.
const MEBIBYTES: usize = 64;

/// The same for the engine that takes what there is.
const MANY_MEBIBYTES: usize = 256;

impl Engine {
    /// The engine of that name.
    pub fn named(name: &str) -> Option<&'static Engine> {
        ENGINES.iter().find(|engine| engine.name == name)
    }

    /// What can be set, with the defaults of this engine.
    pub fn parameters(&self) -> Vec<Declaration> {
        if self.kind == Kind::Random {
            return Vec::new();
        }
        let declared = Manner::DECLARATIONS.iter().chain(Parameters::DECLARATIONS);
        let own = |name| self.settings.iter().find(|setting| setting.0 == name);
        let with_own = |declared: &Declaration| Declaration {
            default: own(declared.name).map_or(declared.default, |setting| setting.1),
            ..*declared
        };
        declared.map(with_own).collect()
    }

    /// What it is set to, if there is anything to set.
    pub fn settings(&self) -> Option<Settings> {
        let estimate = match self.kind {
            Kind::Random => return None,
            Kind::Zhong => Estimate::Zhong(Zhong::default()),
            Kind::Tusk | Kind::Whole => Estimate::default(),
        };
        let (threads, mebibytes) = match self.kind {
            Kind::Whole => (available_parallelism().map_or(1, NonZero::get), MANY_MEBIBYTES),
            _ => (1, MEBIBYTES),
        };
        let (parameters, manner) = (Parameters::default(), Manner::default());
        let mut settings = Settings { estimate, parameters, manner, mebibytes, threads };
        for (name, value) in self.settings {
            let set = settings.set(name, &value.to_string());
            debug_assert!(set.is_ok(), "{}: {name}", self.name);
        }
        Some(settings)
    }
}

/// An engine that plays, and tells what its search has found.
pub trait Mind: Thinker {
    /// What the search for the last turn has found, if there was one.
    fn found(&self) -> Option<&Report<Step>>;
}

/// An engine with these settings, or without any, ready to play.
pub fn mind(settings: Option<Settings>, seed: u64) -> Box<dyn Mind> {
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
    value: fn(&Declaration) -> Option<i32>,
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
    pub fn apply(&self, settings: &mut Settings) {
        for declared in Parameters::DECLARATIONS {
            if let Some(value) = (self.value)(declared) {
                let set = settings.set(declared.name, &value.to_string());
                debug_assert!(set.is_ok(), "{}: {}", self.name, declared.name);
            }
        }
    }
}

/// 0, where that switches something off.
fn switched_off(declared: &Declaration) -> Option<i32> {
    is_switch(declared).then_some(0)
}

/// Whether 0 switches something off. A parameter that is named after a switch, such as
/// `futility_margin`, is none: without the switch it has no effect, and whoever turns the switch on again
/// wants what it was.
pub fn is_switch(declared: &Declaration) -> bool {
    let is_detail = |switch: &Declaration| {
        let rest = declared.name.strip_prefix(switch.name);
        rest.is_some_and(|rest| rest.starts_with('_'))
    };
    declared.least == 0 && !Parameters::DECLARATIONS.iter().any(is_detail)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_engine_differs_from_what_is_declared_only_within_the_ranges() {
        for engine in ENGINES {
            let parameters = engine.parameters();
            for (name, value) in engine.settings {
                let declared = parameters.iter().find(|declared| declared.name == *name);
                let declared = declared.unwrap_or_else(|| panic!("{}: {name}", engine.name));
                assert!((declared.least..=declared.most).contains(value), "{}", engine.name);
                assert_eq!(declared.default, *value);
            }
        }
    }

    #[test]
    fn no_parameter_is_declared_twice() {
        let mut names: Vec<&str> =
            ENGINES[0].parameters().iter().map(|declared| declared.name).collect();
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count);
    }

    #[test]
    fn plain_switches_everything_off_and_leaves_the_details() {
        let mut settings = ENGINES[0].settings().unwrap();
        Preset::named("plain").unwrap().apply(&mut settings);
        let (plain, full) = (settings.parameters, Parameters::default());
        assert_eq!([plain.table, plain.null_move, plain.futility, plain.aspiration], [0; 4]);
        assert_eq!(plain.futility_margin, full.futility_margin);
        assert_eq!(plain.null_reduction, full.null_reduction);
    }
}
