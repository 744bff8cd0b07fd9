//! The df-pn of WALTZ: its variants differ as in the thesis (Veselý 2013, Table 4.7), and its constants can be set.

use std::path::Path;

use engine::{Engine, Limits, Stop};
use game::History;
use search::{DfPn, Task};
use tzaar::{Game, Position, Step};
use tzaar_ai::Heuristics;
use vesely_2013::{Algorithm, Waltz, WaltzEngine, WaltzParameters};

/// How many positions an algorithm looks at before it has a proof.
fn nodes(algorithm: Algorithm, constants: &WaltzParameters, position: &Position) -> u64 {
    let mut parameters = algorithm.proof_parameters(constants).expect("it looks for proofs");
    (parameters.number_table, parameters.proof_table) = (24, 8);
    let evaluator = Waltz { is_beginner: false, first_numbers: constants.first_numbers() };
    let heuristics = Heuristics { evaluator, ordering: constants.ordering() };
    let (past, stop) = (History::new(), Stop::new());
    let limits = Limits { nodes: Some(3_000_000), ..Limits::default() };
    let task = Task { position, past: &past, heuristics: &heuristics, limits, stop: &stop };
    DfPn::<Step>::new(parameters).solve(&task, |_| ()).nodes
}

/// How many positions the plain df-pn and the combined one look at before they have proofs of all positions.
fn plain_and_combined(texts: &[String]) -> (u64, u64) {
    let constants = WaltzParameters::default();
    let (mut plain, mut combined) = (0, 0);
    for text in texts {
        let position: Position = text.parse().expect("a position");
        plain += nodes(Algorithm::DfPn, &constants, &position);
        combined += nodes(Algorithm::WeakEvaluation, &constants, &position);
    }
    (plain, combined)
}

#[test]
fn with_an_evaluation_and_a_weak_sum_df_pn_needs_fewer_positions() {
    let text = include_str!("../../../positions/tzaar/endgames.txt");
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    let (plain, combined) = plain_and_combined(&lines.map(str::to_string).collect::<Vec<_>>());
    assert!(combined < plain, "{combined} with, {plain} without");
}

mod shared_data {
    use super::*;

    #[test]
    #[ignore = "needs TUSK_DATA"]
    fn with_an_evaluation_and_a_weak_sum_df_pn_needs_less_than_half_of_the_positions() {
        let data = std::env::var_os("TUSK_DATA").expect("TUSK_DATA names the shared data");
        let folder = Path::new(&data).join("tzaar/endgame");
        let names = [
            "BAJgame-21293_-1_2012-05-10_16-01-14.txt",
            "BAJgame-21293_-1_2012-05-10_16-01-15-exec.txt",
            "BAJgame-21377_-1_2012-05-15_01-26-03.txt",
        ];
        let texts = names.map(|name| std::fs::read_to_string(folder.join(name)).expect(name));
        let (plain, combined) = plain_and_combined(&texts);
        assert!(2 * combined < plain, "{combined} with, {plain} without");
    }
}

#[test]
fn the_constants_of_the_tables_reach_the_search() {
    let mut constants = WaltzParameters::default();
    let settings =
        [("epsilon", "6400"), ("widening", "3"), ("weak_share", "200"), ("sorted_proofs", "0")];
    for (name, value) in settings {
        constants.set(name, value).expect(name);
    }
    let parameters = Algorithm::Widening.proof_parameters(&constants).expect("df-pn");
    assert_eq!((parameters.epsilon, parameters.widening, parameters.ordering), (6400, 3, 0));
    constants.weak_by_evaluation = 0;
    let weak = Algorithm::WeakEvaluation.proof_parameters(&constants).expect("df-pn");
    assert_eq!((weak.sum, weak.weak_share, weak.whole_turns), (1, 200, 1));
    assert_eq!(Algorithm::AlphaBeta.proof_parameters(&constants), None);
    let start = Position::fixed_start();
    let first_numbers = |constants: WaltzParameters| {
        let first_numbers = constants.first_numbers();
        Waltz { first_numbers, ..Waltz::default() }.initial_numbers(&start)
    };
    assert_eq!(first_numbers(WaltzParameters::default()), (11, 11 * 9508));
    constants.estimate_loss = 3;
    constants.estimate_win = 1;
    assert_eq!(first_numbers(constants), (4, 2 * 9508));
}

#[test]
fn tables_have_from_two_to_the_12th_places_on() {
    for bits in [12, 16] {
        let constants = WaltzParameters {
            table_bits: bits,
            proof_table_bits: bits,
            ..WaltzParameters::default()
        };
        let parameters = Algorithm::DfPn.proof_parameters(&constants).expect("df-pn");
        // Two entries of 16 bytes a place.
        assert_eq!(DfPn::<Step>::new(parameters).bytes(), 32 << bits);
        let game = Game::new(Position::fixed_start());
        let limits = Limits { nodes: Some(2_000), ..Limits::default() };
        let mut player = WaltzEngine::with_constants(Algorithm::AlphaBeta, constants, None);
        let info = player.analyse(&game, &limits, &Stop::new(), &mut |_| ()).expect("a turn");
        assert!(game.position().play_turn(*info.best().expect("a turn")).is_ok());
    }
}
