//! WALTZ as a player: whatever its number, it plays legal turns within its limits, and knows what is won.

mod boards;

use std::time::Duration;

use boards::{careful_game, position, random_game, rng};
use engine::{Engine, Info, Limits, Stop, Verdict};
use game::{Position as _, Proof, Steps};
use tzaar::{BLACK, Game, Phase, Position, Turn, WHITE};
use vesely_2013::{Algorithm, LEVELS, WaltzEngine, value};

fn choose(player: &mut WaltzEngine, position: &Position, limits: Limits, seed: u64) -> Info<Turn> {
    player.set_seed(seed);
    let found = player.analyse(&Game::new(*position), &limits, &Stop::new(), &mut |_| ());
    found.expect("a game that goes on")
}

fn nodes(nodes: u64) -> Limits {
    Limits { nodes: Some(nodes), ..Limits::default() }
}

/// The position after the turn that was found, which must be legal and whole.
fn after(position: &Position, info: &Info<Turn>) -> Position {
    let turn = *info.best().expect("a turn");
    let after = position.play_turn(turn).unwrap_or_else(|error| panic!("{error}: {position}"));
    assert!(after.turn_starts(), "{turn} is not over");
    after
}

/// Starts of turns of all kinds: the fixed start, the turn after it, the middle of a game, its end, and the last
/// turn of one.
fn positions() -> Vec<Position> {
    let mut positions = vec![Position::fixed_start(), position(BLACK, ALMOST_OVER)];
    let game = random_game(&mut rng(7));
    let starts: Vec<Position> =
        game.into_iter().filter(|position| position.turn_starts()).collect();
    for stacks in [59, 41, 23, 12] {
        positions.extend(starts.iter().find(|position| position.board().stacks() <= stacks));
    }
    positions.extend(starts.last());
    positions
}

/// Both sides have one stack of each type left.
const ALMOST_OVER: &str = "A1:T2 E1:A2 A5:Z C3:t D3:a A3:z";

#[test]
fn every_number_plays_a_legal_turn_within_small_limits() {
    for algorithm in Algorithm::ALL {
        let mut player = WaltzEngine::new(algorithm, Some(3));
        for position in &positions() {
            for limits in [nodes(3_000), Limits::depth(Steps(1)), Limits::depth(Steps(3)), nodes(1)]
            {
                after(position, &choose(&mut player, position, limits, 1));
            }
        }
        assert_eq!(player.algorithm(), algorithm);
    }
}

#[test]
fn a_limit_of_time_holds_even_where_the_prediction_is_wrong() {
    // A depth of five moves is begun in any case: the search must leave it at its first look at the clock.
    let limit = Duration::ZERO;
    for algorithm in Algorithm::ALL {
        let mut player = WaltzEngine::new(algorithm, Some(3));
        for position in positions() {
            for limits in [Limits::time(limit), Limits { soft: Some(limit), ..Limits::default() }] {
                let choice = choose(&mut player, &position, limits, 1);
                assert!(choice.nodes < 10_000, "{algorithm:?}: {} nodes", choice.nodes);
                after(&position, &choice);
            }
        }
    }
}

#[test]
fn whoever_is_told_to_stop_still_has_a_turn() {
    let stop = Stop::new();
    stop.request();
    for algorithm in Algorithm::ALL {
        let mut player = WaltzEngine::new(algorithm, Some(3));
        for position in positions() {
            let game = Game::new(position);
            let info = player.analyse(&game, &Limits::default(), &stop, &mut |_| ());
            after(&position, &info.expect("a turn"));
        }
    }
}

#[test]
fn the_same_seed_makes_the_same_choice_and_others_make_others() {
    let start = Position::fixed_start();
    for algorithm in [Algorithm::Randomized, Algorithm::Beginner, Algorithm::Expert] {
        let turns = |seeds: [u64; 8]| {
            seeds.map(|seed| {
                let mut player = WaltzEngine::new(algorithm, Some(3));
                choose(&mut player, &start, nodes(20_000), seed).best().copied()
            })
        };
        let seeds = [1, 2, 3, 4, 5, 6, 7, 8];
        let one = turns(seeds);
        assert_eq!(one, turns(seeds), "{algorithm:?}");
        assert!(one.iter().any(|turn| *turn != one[0]), "{algorithm:?} never varies");
    }
    let expert =
        || choose(&mut WaltzEngine::new(Algorithm::AlphaBeta, None), &start, nodes(5_000), 9);
    assert_eq!(expert().best(), expert().best());
}

#[test]
fn whites_first_turn_is_one_move_and_others_are_two() {
    let start = Position::fixed_start();
    assert_eq!(start.phase(), Phase::Opening);
    let first = choose(&mut WaltzEngine::new(Algorithm::Expert, None), &start, nodes(5_000), 1);
    assert_eq!(first.best().map(|turn| turn.steps().count()), Some(1));
    let next = after(&start, &first);
    let second = choose(&mut WaltzEngine::new(Algorithm::Expert, None), &next, nodes(5_000), 1);
    assert_eq!(second.best().map(|turn| turn.steps().count()), Some(2));
}

#[test]
fn pieces_are_placed_too() {
    let mut position = Position::tournament_start();
    let mut player = WaltzEngine::new(Algorithm::Expert, Some(3));
    while position.phase() == Phase::Placing {
        let choice = choose(&mut player, &position, nodes(10), 1);
        position = after(&position, &choice);
    }
    assert_eq!(position.phase(), Phase::Opening);
}

/// Who wins, by trying everything; the game must be nearly over.
fn wins(position: &Position) -> bool {
    let side = position.side();
    if position.turn_starts()
        && let Some(winner) = position.winner()
    {
        return winner == side;
    }
    position.steps().into_iter().any(|step| {
        let mut after = *position;
        after.play(step);
        if after.side() == side { wins(&after) } else { !wins(&after) }
    })
}

/// Whether the side that begins a turn here has lost.
fn has_lost(position: &Position) -> bool {
    position.winner().map_or_else(|| !wins(position), |winner| winner != position.side())
}

/// Ends of random games with so few stacks that everything can be tried.
fn small_endgames() -> Vec<Position> {
    let ends = (0..200).flat_map(|seed| careful_game(&mut rng(seed)));
    let small = |position: &Position| position.board().stacks() <= 12;
    ends.filter(small).collect()
}

#[test]
fn what_is_proved_of_small_endgames_is_what_trying_everything_finds() {
    let (mut won, mut lost) = (0, 0);
    for position in small_endgames() {
        let wins = wins(&position);
        *if wins { &mut won } else { &mut lost } += 1;
        // Those with every enhancement; the others would need more nodes.
        for number in [7, 8, 9, 20, 21, 22, 23, 24, 25, 42] {
            let algorithm = Algorithm::from_number(number).unwrap();
            let mut player = WaltzEngine::new(algorithm, Some(3));
            let choice = choose(&mut player, &position, nodes(2_000_000), 1);
            let Some(Verdict::Proof(proof)) = choice.verdict() else {
                panic!("{algorithm:?} proves nothing of {position}");
            };
            assert_eq!(matches!(proof, Proof::Win(_)), wins, "{algorithm:?}: {position}");
            assert_eq!(
                value(Verdict::Proof(proof)),
                if wins { 2_000_000_000 } else { -2_000_000_000 }
            );
            let after = after(&position, &choice);
            // A win stays one.
            assert_eq!(has_lost(&after), wins, "{algorithm:?}: {position}");
        }
    }
    assert!(won >= 20 && lost >= 20, "{won} won, {lost} lost");
}

/// In how many turns of the winner a lost position ends at best, by trying everything.
fn lasts(position: &Position) -> u32 {
    if position.winner().is_some() {
        return 0;
    }
    turns(position).iter().map(winner_needs).max().unwrap_or(0)
}

/// The fewest turns with which the side to move wins.
fn winner_needs(position: &Position) -> u32 {
    if position.winner().is_some() {
        return 0;
    }
    let lost = turns(position).into_iter().filter(has_lost);
    lost.map(|after| 1 + lasts(&after)).min().expect("a position that is won")
}

/// The positions after each turn.
fn turns(position: &Position) -> Vec<Position> {
    let mut ends = Vec::new();
    for step in position.steps() {
        let mut inside = *position;
        inside.play(step);
        match inside.turn_starts() {
            true => ends.push(inside),
            false => ends.extend(inside.steps().into_iter().map(|step| {
                let mut after = inside;
                after.play(step);
                after
            })),
        }
    }
    ends
}

#[test]
fn a_lost_side_plays_the_turn_that_loses_latest() {
    let (mut lost, mut long) = (0, 0);
    for position in small_endgames() {
        if wins(&position) {
            continue;
        }
        let longest = lasts(&position);
        for algorithm in [Algorithm::AlphaBeta, Algorithm::Expert, Algorithm::Ordered] {
            let choice =
                choose(&mut WaltzEngine::new(algorithm, Some(3)), &position, nodes(2_000_000), 1);
            let after = after(&position, &choice);
            assert_eq!(winner_needs(&after), longest, "{algorithm:?}: {position}");
        }
        lost += 1;
        long += u32::from(longest > 1);
    }
    assert!(lost >= 20 && long >= 3, "{lost} lost, {long} of them not at once");
}

#[test]
fn estimates_are_written_as_waltz_counts_them() {
    let waltz = vesely_2013::Waltz::default();
    let quiet = position(WHITE, "A1:T2 E1:A A5:Z B3:t D2:a G3:z");
    let verdict = Verdict::Score(waltz.evaluate(&quiet));
    assert_eq!(value(verdict), waltz.value(&quiet));
}

#[test]
fn numbers_and_levels_are_those_of_the_program() {
    let numbers: Vec<u8> = Algorithm::ALL.iter().map(|algorithm| algorithm.number()).collect();
    assert_eq!(numbers, [1, 2, 3, 4, 5, 6, 7, 8, 9, 20, 21, 22, 23, 24, 25, 40, 41, 42]);
    for number in 0..=u8::MAX {
        let algorithm = Algorithm::from_number(number);
        assert_eq!(algorithm.map(Algorithm::number), numbers.contains(&number).then_some(number));
    }
    let levels = LEVELS.map(|level| (level.name, level.algorithm.number(), level.time.as_secs()));
    let expected = [
        ("beginner", 40, 30),
        ("intermediate", 41, 30),
        ("expert", 42, 30),
        ("unbeatable", 42, 300),
    ];
    assert_eq!(levels, expected);
    assert_eq!(Algorithm::default(), Algorithm::Expert);
}
