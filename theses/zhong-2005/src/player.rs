//! The player of the thesis: its evaluation in a search by alpha-beta.

use arimaa::Game;
use arimaa_ai::PlayerOptions;
use arimaa_ai::engines::{player, searching};
use engine::{Configuration, Engine, EngineEntry, ParameterError, Preset};
use search::Parameters;

use crate::Zhong;

/// The engines of the thesis.
pub static ENGINES: &[EngineEntry<Game>] = &[EngineEntry {
    about: "Tusk's search with the evaluation of Zhong's thesis (2005); --preset thesis is its whole player",
    parameters: &[PlayerOptions::DECLARED, Parameters::DECLARED],
    presets: &[search::PLAIN, THESIS],
    ..searching("zhong", zhong)
}];

fn zhong(configuration: &Configuration<Game>) -> Result<Box<dyn Engine<Game>>, ParameterError> {
    Ok(Box::new(player(Zhong::default(), configuration)))
}

/// The player of Zhong's thesis (2005): plain alpha-beta over steps, with its ordering, its null move and its rules
/// for leaving turns out.
const THESIS: Preset = Preset {
    name: "thesis",
    about: "the search of Zhong's thesis, chapters 4 and 5",
    value: |declared| {
        THESIS_SETTINGS.iter().find(|(name, _)| *name == declared.name).map(|set| set.1)
    },
};

/// Its razoring was not brought to work (5.5), and its repetitions inside a turn are what `undone_steps` and the
/// transposition table leave out.
const THESIS_SETTINGS: &[(&str, i32)] = &[
    // Iterations begin with a whole turn (5.2.1).
    ("first_depth", 4),
    ("aspiration", 0),
    ("pvs", 0),
    ("hash_windows", 1),
    // Two killers a ply, then history; nothing is known of the game (5.2.2, 5.2.3).
    ("killers", 3),
    ("ordering", 0),
    ("history", 3),
    // At the starts of turns (5.3); null_move = 2 is inside turns as well, which Table 5.4 measures.
    ("null_move", 1),
    ("null_move_eager", 1),
    ("null_move_reduction", 0),
    ("lmr", 0),
    ("futility", 0),
    ("step_combos", 1),
    // Reversible turns are removed (4.4); reversible_equal = 0 leaves 3:3 and 4:4.
    ("reversible", 9999),
    ("defences", 0),
    ("threat_extension", 0),
    ("resistance", 0),
    ("threat_search", 0),
];
