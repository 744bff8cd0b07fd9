//! The engines of Tzaar.

use tzaar_ai::Estimate;
use tzaar_ai::waltz::Waltz;

use super::Tzaar;
use super::players::WALTZ;
use crate::engine::Engine;

pub const ENGINES: &[Engine<Tzaar>] = &[
    Engine {
        about: "proofs where few stacks are left, else alpha-beta with all that Tusk knows",
        ..Engine::searching("tusk", Estimate::default)
    },
    Engine {
        about: "WALTZ (Veselý's thesis, 2013): its evaluation, its searches and its use of time",
        declared: &[WALTZ],
        // As large as its own tables.
        mebibytes: 48,
        ..Engine::searching("waltz", || Estimate::Waltz(Waltz::default()))
    },
    Engine {
        about: "looks at its own turn alone, and is easily content",
        settings: &[("margin", 300), ("reach", 2), ("proof_stacks", 0)],
        ..Engine::searching("beginner", Estimate::default)
    },
    Engine {
        about: "looks at its turn and the first move of the reply, and varies its play",
        settings: &[("margin", 60), ("reach", 3), ("proof_stacks", 0)],
        ..Engine::searching("intermediate", Estimate::default)
    },
    Engine {
        about: "looks at its turn and the reply, and takes half of its time",
        settings: &[("reach", 5), ("effort", 50), ("proof_stacks", 16)],
        ..Engine::searching("expert", Estimate::default)
    },
    Engine {
        about: "all that Tusk knows, on every core of the machine",
        is_whole: true,
        ..Engine::searching("unbeatable", Estimate::default)
    },
    Engine { about: "legal turns by chance", ..Engine::by_chance("random") },
];
