//! What a player makes of its search: whole and legal turns however little it looks at, and chance within
//! a margin.

use arimaa::{Game, Picture, Step, Turn};
use arimaa_ai::{Choice, Estimate, Manner, Player, choose_setup};
use game::{Score, Steps};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use search::{Limits, Parameters, Report, Stop, Verdict};

fn player(parameters: Parameters) -> Player {
    Player::new(Estimate::default(), parameters, 1, 1)
}

fn choose(player: &mut Player, game: &Game, seed: u64) -> Choice {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let choice = player.choose(game, Limits::default(), &Stop::new(), &mut rng, |_| ());
    choice.expect("a turn")
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
            player.manner.reach = rng.random_range(1..=4);
            player.manner.margin = rng.random_range(0..=1) * 300;
            player.manner.attack = rng.random_range(0..=4);
            let limits = Limits { nodes: Some(rng.random_range(1..=5000)), ..Limits::default() };
            let choice = player.choose(&game, limits, &Stop::new(), &mut rng, |_| ());
            let turn = choice.map(|choice| choice.turn).or_else(|| game.random_turn(&mut rng));
            game.try_play(turn.expect("a turn")).expect("a legal one");
            if game.outcome().is_some() {
                break;
            }
        }
    }
}

#[test]
fn a_short_look_still_makes_a_whole_turn() {
    let mut player = player(Parameters::default());
    player.manner.reach = 1;
    let game = quiet();
    let choice = choose(&mut player, &game, 0);
    assert_eq!(choice.report.depth, Steps(1));
    // Four steps, or the pass that was found better than another step.
    let line = &choice.report.line;
    let mut position = *game.position();
    line.iter().for_each(|&step| position.try_play(step).expect("a legal step"));
    assert_ne!(position.side(), game.position().side());
}

#[test]
fn a_turn_by_chance_is_within_the_margin_of_the_best() {
    const MARGIN: i32 = 40;
    // Without what may be wrong, values are the same however they are found.
    let exact = Parameters {
        table: 0,
        null_move: 0,
        late_steps: 0,
        futility: 0,
        defences: 0,
        ..Parameters::default()
    };
    let mut player = player(exact);
    let game = quiet();
    let mut turns = Vec::<Turn>::new();
    for seed in 0..8 {
        let best = found(&mut player, &game, Steps(5));
        player.manner.margin = MARGIN;
        player.manner.reach = 5;
        player.manner.attack = 0;
        let choice = choose(&mut player, &game, seed);
        assert_eq!(choice.turn, choose(&mut player, &game, seed).turn, "seed {seed}, twice");
        let mut after = game.clone();
        after.try_play(choice.turn).expect("a legal turn");
        let value = -found(&mut player, &after, Steps(1));
        assert_eq!(score(choice.report.verdict), value, "seed {seed}");
        assert!(value >= best - MARGIN, "seed {seed}: {value}, best {best}");
        turns.push(choice.turn);
    }
    turns.dedup();
    assert!(turns.len() > 2, "{turns:?}");
}

/// What a search of that depth finds, before anything is made of it.
fn found(player: &mut Player, game: &Game, depth: Steps) -> i32 {
    player.manner = Manner { attack: 0, ..Manner::default() };
    let (mut rng, mut last) = (ChaCha8Rng::seed_from_u64(0), None);
    let tell = |report: &Report<Step>| last = Some(report.verdict);
    player.choose(game, Limits::depth(depth), &Stop::new(), &mut rng, tell);
    score(last.expect("a report"))
}

fn score(verdict: Verdict) -> i32 {
    match verdict {
        Verdict::Score(Score(score)) => score,
        Verdict::Proof(proof) => panic!("{proof}"),
    }
}
