//! What APNS proves holds against every turn of the enemy.

use arimaa::{Position, Step, Turn, TurnGenerator, WHOLE_TURN};
use arimaa_ai::win;
use game::{History, Proof, Turns};
use majerech_2012::{ApnsHeuristics, LambdaPosition, SOLVER_PRESETS};
use search::{Limits, ProofInfo, ProofNumberSearch, ProofParameters, Stop, Task};
use test_support::Rows;

/// Looks for a proof with the parameters of a preset.
fn solve(parameters: ProofParameters, position: Position, nodes: u64) -> ProofInfo<Step> {
    let small = ProofParameters { number_table: 8, proof_table: 4, tree: 32, ..parameters };
    let (past, stop) = (History::new(), Stop::new());
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    let (position, heuristics) = (LambdaPosition::new(position), ApnsHeuristics::default());
    let task =
        Task { position: &position, past: &past, heuristics: &heuristics, limits, stop: &stop };
    ProofNumberSearch::new(small, 1).solve(&task, |_| ())
}

/// The position after the steps of a turn.
fn played(position: &Position, steps: &[Step]) -> Position {
    let mut after = *position;
    for &step in steps {
        after.try_play(step).unwrap_or_else(|error| panic!("{position}: {steps:?}: {error}"));
    }
    assert_ne!(after.side(), position.side(), "{position}: the turn is not over");
    after
}

/// Whether the side that has moved wins with its next turn, whatever the other plays.
fn is_lost(position: &Position) -> bool {
    let replies: Vec<Turn> = TurnGenerator::new()
        .distinct(position.board(), position.side())
        .iter()
        .map(|reached| reached.turn)
        .collect();
    replies.into_iter().all(|turn| {
        let mut after = *position;
        after.play_turn_unchecked(turn);
        match after.outcome() {
            Some(outcome) => outcome.winner != position.side(),
            None => win(after.board(), after.side(), WHOLE_TURN).is_some(),
        }
    })
}

#[test]
fn a_goal_inside_a_turn_is_seen_at_the_step_that_reaches_it() {
    // Each of a rabbit's first steps is looked at once; nothing is played after the goal.
    let position: Position = "g [r        R                                      E             R ]"
        .parse()
        .expect("a position");
    for preset in SOLVER_PRESETS {
        let (name, parameters) = (preset.name, (preset.parameters)());
        let findings = solve(parameters, position, 100_000);
        assert_eq!(findings.proof, Some(Proof::Win(Turns(1))), "{name}");
        assert!(findings.nodes < 100, "{name}: {} boards", findings.nodes);
        let after = played(&position, &LambdaPosition::turn(&findings.turn));
        assert_eq!(after.outcome().map(|outcome| outcome.winner), Some(position.side()), "{name}");
    }
}

/// Proves wins by the presets of APNS, and plays every reply where the proof takes two turns.
fn solve_as_apns(positions: &[Position]) {
    for preset in SOLVER_PRESETS {
        let (name, parameters) = (preset.name, (preset.parameters)());
        for &position in positions {
            let findings = solve(parameters, position, 4_000_000);
            let Some(Proof::Win(turns)) = findings.proof else {
                panic!("{name}: {position}: {:?}", findings.proof);
            };
            let after = played(&position, &LambdaPosition::turn(&findings.turn));
            assert!(turns > Turns(2) || is_lost(&after), "{name}: {position}");
        }
    }
}

#[test]
fn puzzles_are_solved_as_in_the_thesis_by_the_rules_and_an_order_of_steps() {
    // The puzzles of win-in-2.tsv that take APNS fewer than two million boards.
    let puzzles = [
        "s [       rr     rrRr         r      Ee     R      R    R R        ]",
        "g [        r       Rr  E                         D   Re            ]",
    ];
    solve_as_apns(&puzzles.map(|puzzle| puzzle.parse().expect("a position")));
}

mod shared_data {
    use super::*;

    #[test]
    #[ignore = "needs TUSK_DATA"]
    fn puzzles_are_solved_as_in_the_thesis_by_the_rules_and_an_order_of_steps() {
        // The puzzles of arimaa.com that have few pieces.
        let table = Rows::shared("arimaa/win2_puzzles.tsv");
        let reduced = table.positions().filter(|(_, row)| table.cell(row, "set") == "reduced");
        let puzzles: Vec<Position> = reduced.map(|(position, _)| position).collect();
        solve_as_apns(&puzzles[18..20]);
    }
}

#[test]
fn the_rules_are_enough_for_a_win_at_once() {
    // A rabbit on d6, four steps from a goal since d8 is taken.
    let position: Position = "g [   r    r r        Rr        e          E          R            ]"
        .parse()
        .expect("a position");
    let mut expected = position;
    let steps = win(position.board(), position.side(), WHOLE_TURN).expect("a win").turn;
    expected.play_turn_unchecked(steps);
    for preset in SOLVER_PRESETS {
        let (name, parameters) = (preset.name, (preset.parameters)());
        let findings = solve(parameters, position, 3_000_000);
        assert_eq!(findings.proof, Some(Proof::Win(Turns(1))), "{name}");
        let after = played(&position, &LambdaPosition::turn(&findings.turn));
        let outcome = after.outcome().expect("the end");
        assert_eq!(outcome.winner, position.side(), "{name}");
    }
}
