//! The player of Zhong's thesis (2005): the preset `thesis` of the engine `zhong`.

use arimaa::{Direction, Position, Square, Step};
use arimaa_ai::Heuristics;
use game::{History, Steps};
use search::{AlphaBeta, HistoryRule, Killers, Limits, Parameters, Stop, Task, TurnStructure};
use zhong_2005::{ENGINES, Zhong};

/// The search of the thesis.
fn thesis() -> Parameters {
    let entry = ENGINES.iter().find(|entry| entry.name == "zhong").expect("the engine");
    let mut configuration = entry.configure();
    configuration.apply(entry.preset("thesis").expect("the preset"));
    Parameters::from_values(|name| configuration.number(name))
}

/// Searches to that depth, and counts nodes and null moves by level.
fn search(parameters: Parameters, depth: u8) -> (u64, Vec<(u64, u64)>) {
    let position: Position = "
         +-----------------+
        8| r r . r . r r r |
        7| . c . d . c . . |
        6| . . x h . x . r |
        5| . . e . . . h . |
        4| . . . E . d . . |
        3| . H x . . x H . |
        2| . D . C . . D . |
        1| R R R . C R R R |
         +-----------------+
           a b c d e f g h
    "
    .parse()
    .expect("a position");
    let (past, stop, heuristics) = (History::new(), Stop::new(), Heuristics::new(Zhong::default()));
    let limits = Limits { nodes: Some(2_000_000), ..Limits::depth(Steps(depth)) };
    let task =
        Task { position: &position, past: &past, heuristics: &heuristics, limits, stop: &stop };
    let mut search = AlphaBeta::new(parameters, 4);
    let info = search.search(&task, |_| ()).expect("a turn");
    assert_eq!(info.depth, Steps(depth));
    (info.nodes, search.null_moves())
}

#[test]
fn the_preset_is_the_search_of_the_thesis() {
    let parameters = thesis();
    assert_eq!((parameters.pvs, parameters.lmr, parameters.futility), (false, false, false));
    assert_eq!(
        (parameters.killers, parameters.history, parameters.step_combos),
        (Killers::Hits, HistoryRule::Doubled, true)
    );
    assert_eq!((parameters.reversible, parameters.reversible_equal), (9999, true));
    assert!(!Parameters::default().null_move_eager && parameters.null_move_eager);
}

#[test]
fn null_moves_are_counted_by_level_and_inside_turns_if_asked_for() {
    let (_, at_starts) = search(thesis(), 6);
    let tried = |counts: &[(u64, u64)]| -> Vec<usize> {
        (0..counts.len()).filter(|&level| counts[level].0 > 0).collect()
    };
    assert_eq!(tried(&at_starts), [4]);
    assert!(at_starts[4].1 > 0 && at_starts[4].1 <= at_starts[4].0);
    let (_, everywhere) =
        search(Parameters { null_move: search::NullMove::Anywhere, ..thesis() }, 6);
    let tried = tried(&everywhere);
    assert!(tried.contains(&4) && tried.contains(&5), "{tried:?}");
}

#[test]
fn turns_are_told_apart_by_the_steps_that_the_enemy_needs_to_take_them_back() {
    // The elephant has pushed the horse and goes back, three steps; the horse returns with one.
    let start: Position = "g [r                                                Eh     R       ]"
        .parse()
        .expect("a position");
    let mut before = start;
    before.try_play(Step::push(Square::B2, Direction::East, Direction::East)).expect("a push");
    let last = Step::single(Square::C2, Direction::West);
    let to_spare = |steps| Heuristics::default().is_reversible(&start, &before, last, Steps(steps));
    assert_eq!([0, 1, 2, 3].map(to_spare), [true, true, true, false]);
}
