//! Tusk's own player of Tzaar: whole and legal turns however little it looks at, proofs where there are some, and the
//! longest resistance where all is lost.

use engine::{Engine, Info, Limits, Stop, Verdict};
use game::{Position as _, Proof, Side, Turns};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use search::Parameters;
use tzaar::{Game, Position, Turn};
use tzaar_ai::{AlphaBetaEngine, Evaluation, alpha_beta_engine};

fn player() -> AlphaBetaEngine {
    alpha_beta_engine(Evaluation::default(), Parameters::default(), 4, 1)
}

fn choose(player: &mut AlphaBetaEngine, position: &Position, nodes: u64, seed: u64) -> Info<Turn> {
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    player.set_seed(seed);
    let found = player.analyse(&Game::new(*position), &limits, &Stop::new(), &mut |_| ());
    found.expect("a turn")
}

/// The position after the turn that was found, every move of which must be legal.
fn after(position: &Position, info: &Info<Turn>) -> Position {
    let turn = *info.best().expect("a turn");
    let after = position.play_turn(turn).unwrap_or_else(|error| panic!("{error} in {position}"));
    assert!(after.turn_starts() && after.side() != position.side(), "{turn} in {position}");
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
            player.options.random_margin = rng.random_range(0..2) * 100;
            player.options.max_depth = rng.random_range(0..4);
            let nodes = rng.random_range(1..3000);
            let info = choose(&mut player, &position, nodes, game);
            position = after(&position, &info);
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
        let verdict = choose(&mut player, &start, 2_000_000, 0).verdict();
        let proof = match verdict {
            Some(Verdict::Proof(proof)) => proof,
            other => panic!("{other:?} in {start}"),
        };
        assert_eq!(matches!(proof, Proof::Win(_)), wins, "{start}");
        let winner = proof.winner(start.side());
        for seed in 0..5 {
            assert_eq!(finish(&mut player, start, winner, seed), winner, "{start}");
        }
    }
}

/// Who wins if the winner plays as the player does, and the other side by chance.
fn finish(player: &mut AlphaBetaEngine, start: Position, winner: Side, seed: u64) -> Side {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut position = start;
    loop {
        if let Some(winner) = position.winner() {
            return winner;
        }
        if position.side() == winner {
            let info = choose(player, &position, 2_000_000, seed);
            position = after(&position, &info);
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
    player.options.proof_stacks = 0;
    let mut ask = |position: &Position| {
        player.new_game();
        let info = choose(&mut player, position, 20_000_000, 0);
        match info.verdict() {
            Some(Verdict::Proof(Proof::Loss(Turns(turns)) | Proof::Win(Turns(turns)))) => {
                (info, turns)
            }
            other => panic!("{other:?} in {position}"),
        }
    };
    let (info, latest) = ask(&lost);
    assert_eq!(ask(&after(&lost, &info)).1, latest);
    for (_, after) in tzaar::distinct_turns(&lost) {
        assert!(after.winner().is_some() || ask(&after).1 <= latest, "{after}");
    }
}

#[test]
fn lines_begin_with_legal_turns_that_lead_to_different_boards() {
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    let mut player = player();
    player.set_lines(4);
    let (mut positions, mut lines) = (0, 0);
    let mut game = Game::new(Position::fixed_start());
    while game.outcome().is_none() {
        let nodes = rng.random_range(200..10_000);
        let info = choose(&mut player, game.position(), nodes, 1);
        let boards = info.lines.iter().map(|line| {
            let after = game.position().play_turn(line.pv[0]);
            after.unwrap_or_else(|error| panic!("{error} in {game}")).key().0
        });
        let mut boards: Vec<u64> = boards.collect();
        boards.sort();
        boards.dedup();
        assert_eq!(boards.len(), info.lines.len(), "{game}");
        (positions, lines) = (positions + 1, lines + boards.len());
        let turn = game.random_turn(&mut rng).expect("a turn");
        game.play(turn).expect("a legal turn");
    }
    assert!(lines > 2 * positions, "{lines} lines in {positions} positions");
}
