//! What proof-number search proves of Arimaa holds against every turn of the enemy.

use arimaa::{Position, Step, Turn, TurnGenerator, WHOLE_TURN};
use arimaa_ai::{Heuristics, win};
use game::{History, Proof, Turns};
use search::{Limits, ProofInfo, ProofNumberSearch, ProofParameters, Stop, Task};
use test_support::Rows;

fn solve(parameters: ProofParameters, position: &Position, nodes: u64) -> ProofInfo<Step> {
    let small = ProofParameters { number_table: 8, proof_table: 4, tree: 32, ..parameters };
    let (past, stop) = (History::new(), Stop::new());
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    let task =
        Task { position, past: &past, heuristics: &Heuristics::default(), limits, stop: &stop };
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

/// The positions of a table with at most `most` pieces, in its order.
fn with_pieces(table: &Rows, most: usize) -> Vec<Position> {
    let positions = table.positions().map(|(position, _)| position);
    positions.filter(|position| position.board().occupied().len() <= most).collect()
}

/// Proves wins in two turns and plays every reply; returns how many of the proofs take two turns.
fn wins_that_hold(positions: &[Position]) -> usize {
    let mut in_two = 0;
    for (number, &position) in positions.iter().enumerate() {
        let depth_first = i32::from(number % 3 != 0);
        let parameters = ProofParameters { depth_first, ..ProofParameters::default() };
        let findings = solve(parameters, &position, 5_000_000);
        let Some(Proof::Win(turns)) = findings.proof else {
            panic!("{position}: {:?}", findings.proof);
        };
        let after = played(&position, &findings.turn);
        if turns == Turns(2) {
            assert!(is_lost(&after), "{position}: {:?}", findings.turn);
            in_two += 1;
        }
    }
    in_two
}

#[test]
fn wins_in_two_turns_hold_against_every_reply() {
    let positions = with_pieces(&Rows::own("puzzles/win-in-2.tsv"), 15);
    let in_two = wins_that_hold(&positions);
    assert!(3 * in_two > 2 * positions.len(), "{in_two} of {}", positions.len());
}

mod shared_data {
    use super::*;

    #[test]
    #[ignore = "needs TUSK_DATA"]
    fn wins_in_two_turns_hold_against_every_reply() {
        // The puzzles of arimaa.com that have few pieces.
        let table = Rows::shared("arimaa/win2_puzzles.tsv");
        let reduced = table.positions().filter(|(_, row)| table.cell(row, "set") == "reduced");
        let puzzles: Vec<Position> = reduced.map(|(position, _)| position).take(30).collect();
        assert!(wins_that_hold(&puzzles) > 20);
    }
}
