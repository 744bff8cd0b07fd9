//! Tusk's own player of Tzaar: whole and legal turns however little it looks at, proofs where there are some, and the
//! longest resistance where all is lost.

use game::{Position as _, Proof, Side, Turns};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use search::{Limits, Parameters, Stop, Verdict};
use tzaar::{Position, Step};
use tzaar_ai::{Choice, Estimate, Player};

fn player() -> Player {
    Player::new(Estimate::default(), Parameters::default(), 4, 1)
}

fn choose(player: &mut Player, position: &Position, nodes: u64, seed: u64) -> Option<Choice> {
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    player.choose(position, limits, &Stop::new(), &mut rng, |_| ())
}

/// Plays a turn, every move of which must be legal, to its end.
fn play(position: &Position, turn: &[Step]) -> Position {
    let mut after = *position;
    for &step in turn {
        assert_eq!(after.side(), position.side(), "{turn:?} in {position}");
        assert!(after.steps().contains(&step), "{turn:?} in {position}");
        after.play(step);
    }
    assert!(after.turn_starts() && after.side() != position.side(), "{turn:?} in {position}");
    after
}

#[test]
fn whatever_it_is_allowed_to_look_at_its_turns_are_whole_and_legal() {
    let mut rng = ChaCha8Rng::seed_from_u64(3);
    let mut player = player();
    for game in 0..12 {
        let mut position = match game % 3 {
            0 => Position::fixed_start(),
            1 => Position::random_start(&mut rng),
            _ => Position::tournament_start(),
        };
        while position.winner().is_none() {
            player.manner.margin = rng.random_range(0..2) * 100;
            player.manner.reach = rng.random_range(0..4);
            let nodes = rng.random_range(1..3000);
            let turn = match choose(&mut player, &position, nodes, game) {
                Some(choice) => choice.turn,
                // It was stopped before it had found anything: it may be asked once more.
                None => choose(&mut player, &position, 10_000, game).expect("a turn").turn,
            };
            position = play(&position, &turn);
        }
    }
}

/// The positions of the collection, and whether the mover wins.
fn endgames() -> Vec<(Position, bool)> {
    let text = include_str!("../../../positions/tzaar/endgames.txt");
    let positions = text.lines().filter(|line| !line.starts_with('#'));
    let positions: Vec<Position> =
        positions.map(|line| line.parse().expect("a position")).collect();
    positions.into_iter().zip([true, false, true, true]).collect()
}

#[test]
fn a_won_endgame_is_proved_and_won_against_any_reply() {
    for (start, wins) in endgames() {
        let mut player = player();
        let verdict = choose(&mut player, &start, 2_000_000, 0).expect("a turn").report.verdict;
        let proof = match verdict {
            Verdict::Proof(proof) => proof,
            Verdict::Score(score) => panic!("{score} in {start}"),
        };
        assert_eq!(matches!(proof, Proof::Win(_)), wins, "{start}");
        let winner = proof.winner(start.side());
        for seed in 0..5 {
            assert_eq!(finish(&mut player, start, winner, seed), winner, "{start}");
        }
    }
}

/// Who wins if the winner plays as the player does, and the other side by chance.
fn finish(player: &mut Player, start: Position, winner: Side, seed: u64) -> Side {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut position = start;
    loop {
        if let Some(winner) = position.winner() {
            return winner;
        }
        if position.side() == winner {
            let choice = choose(player, &position, 2_000_000, seed).expect("a turn");
            position = play(&position, &choice.turn);
        } else {
            let steps = position.steps();
            position.play(steps[rng.random_range(0..steps.len())]);
        }
    }
}

#[test]
fn a_lost_side_plays_the_turn_that_loses_latest() {
    let (lost, _) = endgames()[1];
    let mut player = player();
    // Alpha-beta alone: its lengths are exact.
    player.manner.proof_stacks = 0;
    let mut ask = |position: &Position| {
        player.forget();
        let choice = choose(&mut player, position, 20_000_000, 0).expect("a turn");
        match choice.report.verdict {
            Verdict::Proof(Proof::Loss(Turns(turns)) | Proof::Win(Turns(turns))) => {
                (choice.turn, turns)
            }
            Verdict::Score(score) => panic!("{score} in {position}"),
        }
    };
    let (turn, latest) = ask(&lost);
    assert_eq!(ask(&play(&lost, &turn)).1, latest);
    for (_, after) in tzaar::distinct_turns(&lost) {
        assert!(after.winner().is_some() || ask(&after).1 <= latest, "{after}");
    }
}
