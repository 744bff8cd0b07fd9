//! What a player makes of its search: whole and legal turns however little it looks at, and chance within
//! a margin.

use arimaa::{Action, Game, Picture, Turn};
use arimaa_ai::{AlphaBetaEngine, Evaluation, PlayerOptions, choose_setup};
use engine::{Engine, Info, Limits, Stop, Verdict};
use game::{Score, Steps};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use search::Parameters;

fn player(parameters: Parameters) -> AlphaBetaEngine {
    AlphaBetaEngine::new(Evaluation::default(), parameters, 1, 1)
}

fn analyse(player: &mut AlphaBetaEngine, game: &Game, limits: &Limits) -> Info<Action> {
    player.analyse(game, limits, &Stop::new(), &mut |_| ()).expect("a turn")
}

fn choose(player: &mut AlphaBetaEngine, game: &Game, seed: u64) -> Info<Action> {
    player.set_seed(seed);
    analyse(player, game, &Limits::default())
}

/// The turn that it plays.
fn turn(info: &Info<Action>) -> Turn {
    match info.best() {
        Some(Action::Turn(turn)) => *turn,
        other => panic!("{other:?}"),
    }
}

/// A board on which nobody wins soon.
fn quiet() -> Game {
    let picture: Picture = "
         2g
         +-----------------+
        8| r . . r . . . r |
        7| . . . . . . d . |
        6| . . x . . x . . |
        5| . . . e . . . . |
        4| . . . . E . . . |
        3| . . x . . x . . |
        2| . C . . . . . . |
        1| R . . R . . . R |
         +-----------------+
           a b c d e f g h
    "
    .parse()
    .expect("a picture");
    Game::from_position(picture.position())
}

#[test]
fn players_that_hardly_look_play_legal_games() {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let mut player = player(Parameters::default());
    for _ in 0..20 {
        let mut game = Game::new();
        while let Some(side) = game.setting_up() {
            let setup = choose_setup(side, game.position().board(), &mut rng);
            game.set_up(setup).expect("a legal setup");
        }
        for _ in 0..60 {
            player.options.max_depth = rng.random_range(1..=4);
            player.options.random_margin = rng.random_range(0..=1) * 300;
            player.options.threat_search = rng.random_range(0..=4);
            let limits = Limits { nodes: Some(rng.random_range(1..=5000)), ..Limits::default() };
            let turn = turn(&analyse(&mut player, &game, &limits));
            game.try_play(turn).expect("a legal one");
            if game.outcome().is_some() {
                break;
            }
        }
    }
}

#[test]
fn a_short_look_still_makes_a_whole_turn() {
    let mut player = player(Parameters::default());
    player.options.max_depth = 1;
    let game = quiet();
    let info = choose(&mut player, &game, 0);
    assert_eq!(info.depth, Steps(1));
    // Four steps, or fewer where a pass was found better than another step.
    let mut position = *game.position();
    position.try_play_turn(turn(&info)).expect("a legal turn");
    assert_ne!(position.side(), game.position().side());
}

#[test]
fn a_turn_by_chance_is_within_the_margin_of_the_best() {
    const MARGIN: i32 = 40;
    // Without what may be wrong, values are the same however they are found.
    let exact = Parameters {
        transposition_table: false,
        null_move: search::NullMove::Off,
        lmr: false,
        futility: false,
        defences: 0,
        ..Parameters::default()
    };
    let mut player = player(exact);
    let game = quiet();
    let mut turns = Vec::<Turn>::new();
    for seed in 0..8 {
        let best = found(&mut player, &game, Steps(5));
        player.options.random_margin = MARGIN;
        player.options.max_depth = 5;
        player.options.threat_search = 0;
        let info = choose(&mut player, &game, seed);
        let chosen = turn(&info);
        assert_eq!(chosen, turn(&choose(&mut player, &game, seed)), "seed {seed}, twice");
        let mut after = game.clone();
        after.try_play(chosen).expect("a legal turn");
        let value = -found(&mut player, &after, Steps(1));
        assert_eq!(score(info.verdict().expect("a verdict")), value, "seed {seed}");
        assert!(value >= best - MARGIN, "seed {seed}: {value}, best {best}");
        turns.push(chosen);
    }
    turns.dedup();
    assert!(turns.len() > 2, "{turns:?}");
}

/// What a search of that depth finds, before anything is made of it.
fn found(player: &mut AlphaBetaEngine, game: &Game, depth: Steps) -> i32 {
    player.options = PlayerOptions { threat_search: 0, ..PlayerOptions::default() };
    let mut last = None;
    player.set_seed(0);
    player.analyse(game, &Limits::depth(depth), &Stop::new(), &mut |info| last = info.verdict());
    score(last.expect("a verdict"))
}

fn score(verdict: Verdict) -> i32 {
    match verdict {
        Verdict::Score(Score(score)) => score,
        Verdict::Proof(proof) => panic!("{proof}"),
    }
}

#[test]
fn lines_begin_with_legal_turns_that_lead_to_different_boards() {
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    let mut player = player(Parameters::default());
    player.set_lines(4);
    let (mut positions, mut lines) = (0, 0);
    for _ in 0..4 {
        let mut game = quiet();
        while game.outcome().is_none() && game.actions().count() < 20 {
            let nodes = rng.random_range(200..20_000);
            let limits = Limits { nodes: Some(nodes), ..Limits::default() };
            let info = analyse(&mut player, &game, &limits);
            let boards = info.lines.iter().map(|line| match line.pv.first() {
                Some(&Action::Turn(turn)) => {
                    let mut after = game.clone();
                    after.try_play(turn).expect("a legal turn");
                    after.position().repetition_key().0
                }
                other => panic!("{other:?}"),
            });
            let mut boards: Vec<u64> = boards.collect();
            boards.sort();
            boards.dedup();
            assert_eq!(boards.len(), info.lines.len(), "{}", game.position());
            (positions, lines) = (positions + 1, lines + boards.len());
            let turn = game.random_turn(&mut rng).expect("a turn");
            game.try_play(turn).expect("a legal turn");
        }
    }
    // With few nodes, not all lines are found.
    assert!(lines > 2 * positions, "{lines} lines in {positions} positions");
}
