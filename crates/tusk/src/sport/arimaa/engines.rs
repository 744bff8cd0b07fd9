//! The engines of Arimaa.

use arimaa_ai::Estimate;
use arimaa_ai::zhong::Zhong;

use super::Arimaa;
use crate::engine::Engine;

/// How Tusk's own evaluation is searched, and what an engine sets besides. The evaluation knows what the steps
/// are worth that are left, so that little has to be allowed for what they may still bring
/// (`docs/experiments/alphabeta.md`).
macro_rules! tuned {
    ($($setting:expr),*) => {
        &[
            ("late_steps_growth", 120),
            ("futility_margin", 40),
            ("futility_depth", 4),
            ("step_combos", 1),
            $($setting),*
        ]
    };
}

pub const ENGINES: &[Engine<Arimaa>] = &[
    Engine {
        about: "alpha-beta with all that Tusk knows, on one thread",
        settings: tuned![],
        ..Engine::searching("tusk", Estimate::default)
    },
    Engine {
        about: "the same search with the evaluation of Zhong's thesis (2005)",
        ..Engine::searching("zhong", || Estimate::Zhong(Zhong::default()))
    },
    Engine {
        about: "looks two steps ahead, not at the reply, and is easily content",
        settings: tuned![("margin", 150), ("reach", 2), ("attack", 0)],
        ..Engine::searching("beginner", Estimate::default)
    },
    Engine {
        about: "looks at its whole turn and the first step of the reply, and varies its play",
        settings: tuned![("margin", 30), ("reach", 5), ("attack", 0)],
        ..Engine::searching("intermediate", Estimate::default)
    },
    Engine {
        about: "looks two turns ahead and takes half of its time",
        settings: tuned![("reach", 9), ("effort", 50)],
        ..Engine::searching("expert", Estimate::default)
    },
    Engine {
        about: "all that Tusk knows, on every core of the machine",
        is_whole: true,
        settings: tuned![],
        ..Engine::searching("unbeatable", Estimate::default)
    },
    Engine { about: "legal setups and turns by chance", ..Engine::by_chance("random") },
];
