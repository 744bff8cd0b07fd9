//! The rules, one fact a test, on drawn boards.

use arimaa::{
    Army, GOLD, Game, GameError, Mobility, Position, Reason, SILVER, Setup, Square, Turn,
};
use test_support::{random_game, random_start, rng};

/// A position from its eight ranks.
fn position(side: char, ranks: [&str; 8]) -> Position {
    let board: String = ranks.concat();
    format!("{side} [{}]", board.replace('.', " ")).parse().unwrap()
}

fn play(position: &Position, turn: &str) -> Position {
    let mut after = *position;
    after.try_play_turn(Turn::parse(turn, position).unwrap()).unwrap();
    after
}

fn refusal(position: &Position, turn: &str) -> String {
    Turn::parse(turn, position).unwrap_err().to_string()
}

#[rustfmt::skip]
fn middle() -> Position {
    position('g', [
        "r..r...r",
        "........",
        "..x..x..",
        "...e....",
        "...D.h..",
        "..x.Mx..",
        "........",
        "R..R...R",
    ])
}

#[test]
fn a_piece_beside_a_stronger_enemy_and_no_friend_is_frozen() {
    let frozen = Mobility::new(middle().board(), GOLD);
    assert!(!frozen.free.has(Square::D4));
    assert!(refusal(&middle(), "Dd4w").contains("frozen"));
    // A friend beside it sets it free.
    play(&middle(), "Me3w Dd4w");
}

#[test]
fn a_rabbit_never_goes_backwards() {
    let start = position(
        's',
        [
            "r......r", "........", "........", "...r....", "........", "........", "........",
            "R......R",
        ],
    );
    assert!(refusal(&start, "rd5n").contains("cannot go backwards"));
    play(&start, "rd5s rd4w");
}

#[test]
fn a_stronger_piece_pushes_and_pulls() {
    let pushed = play(&middle(), "Me3n hf4n Me4e");
    assert_eq!(pushed.board().piece_at(Square::F5).unwrap().letter(), 'h');
    let pulled = play(&middle(), "Me3n Me4n hf4w");
    assert_eq!(pulled.board().piece_at(Square::E4).unwrap().letter(), 'h');
}

#[test]
fn a_push_is_finished_in_the_same_turn() {
    assert!(refusal(&middle(), "Me3n hf4n").contains("half done"));
    assert!(refusal(&middle(), "Me3n hf4n Ra1n").contains("half done"));
    assert!(refusal(&middle(), "Ra1n Rd1n Me3n hf4n").contains("half done"));
    assert!(refusal(&middle(), "Ra1n Rd1n Me3n hf4n Me4e").contains("at most four steps"));
}

#[test]
fn the_weaker_and_the_equal_are_not_moved_by_force() {
    let refused = refusal(&middle(), "Me3n ed5n Dd4n");
    assert!(refused.contains("not stronger"), "{refused}");
}

#[test]
fn an_unsupported_piece_on_a_trap_is_captured_at_once() {
    let start = position(
        'g',
        [
            "r......r", "........", "........", "........", "........", "........", "..D.....",
            "R......R",
        ],
    );
    let after = play(&start, "Dc2n");
    assert!(after.board().piece_at(Square::C3).is_none());
    // It does not come back for the next step.
    assert!(refusal(&start, "Dc2n Dc3n").contains("there is no gold dog on c3"));
}

#[test]
fn a_piece_is_lost_when_its_last_friend_leaves_the_trap() {
    let start = position(
        'g',
        [
            "r......r", "........", "........", "........", "........", "..DC....", "........",
            "R......R",
        ],
    );
    let turn = Turn::parse("Cd3e", &start).unwrap();
    assert_eq!(turn.notation(start.board()), "Cd3e Dc3x");
    assert!(play(&start, "Cd3e").board().piece_at(Square::C3).is_none());
}

#[test]
fn a_pusher_or_puller_may_itself_be_captured() {
    let push = position(
        'g',
        [
            "r......r", "........", "........", "........", "..D.....", "..cr....", "..c.....",
            "R......R",
        ],
    );
    let turn = Turn::parse("cc3w Dc4s", &push).unwrap();
    assert_eq!(turn.notation(push.board()), "cc3w Dc4s Dc3x");
    let pull = position(
        'g',
        [
            "r......r", "........", "........", "........", "........", "...D....", "...c....",
            "R......R",
        ],
    );
    let turn = Turn::parse("Dd3w cd2n", &pull).unwrap();
    assert_eq!(turn.notation(pull.board()), "Dd3w Dc3x cd2n");
}

#[test]
fn a_pushed_piece_is_captured_before_the_pusher_moves() {
    let start = position(
        'g',
        [
            "r......r", "........", "........", "........", "........", ".r......", ".D......",
            "R......R",
        ],
    );
    let turn = Turn::parse("rb3e Db2n", &start).unwrap();
    assert_eq!(turn.notation(start.board()), "rb3e rc3x Db2n");
}

#[test]
fn a_turn_must_change_the_board() {
    assert!(refusal(&middle(), "Me3n Me4s").contains("leaves the board as it was"));
    assert!(refusal(&middle(), "Me3n Me4s Me3s Me2n").contains("leaves the board as it was"));
    assert!(Turn::parse("", &middle()).is_err());
    assert!(Turn::parse("pass", &middle()).is_err());
}

#[test]
fn a_pass_gives_up_the_rest_and_ends_the_turn() {
    assert_eq!(play(&middle(), "Ra1n pass").side(), SILVER);
    assert!(refusal(&middle(), "Ra1n pass Ra2n").contains("nothing may follow"));
}

#[test]
fn a_step_that_can_be_read_as_a_pull_or_a_push_is_read_as_what_is_legal() {
    let start = position(
        'g',
        [
            "r......r", "........", "........", "........", "..MrE...", "........", "........",
            "R......R",
        ],
    );
    // The elephant pulls the rabbit and the camel follows, or the camel pushes it there.
    let turn = Turn::parse("Ee4e rd4e Mc4e", &start).unwrap();
    let cost: u8 = turn.steps().map(|step| step.cost().0).sum();
    assert_eq!(cost, 3);
}

// The end of the game.

fn outcome(position: &Position) -> Option<(char, Reason)> {
    position.outcome().map(|outcome| (arimaa::side::letter(outcome.winner), outcome.reason))
}

#[test]
fn a_rabbit_on_its_goal_row_wins() {
    let start = position(
        'g',
        [
            "........", "R.......", "........", "........", "....r...", "........", "........",
            "........",
        ],
    );
    assert_eq!(outcome(&play(&start, "Ra7n")), Some(('g', Reason::Goal)));
}

#[test]
fn a_rabbit_that_only_passes_over_its_goal_row_has_not_won() {
    let start = position(
        's',
        [
            "........", "Re.....r", "........", "........", "........", "........", "......R.",
            "........",
        ],
    );
    // Pushed onto the row, it has won, whoever pushed it …
    assert_eq!(outcome(&play(&start, "Ra7n eb7w")), Some(('g', Reason::Goal)));
    // … but not if it is pulled down again within the turn.
    assert_eq!(outcome(&play(&start, "Ra7n eb7w ea7s Ra8s")), None);
}

#[test]
fn the_movers_goal_comes_before_the_others() {
    let both = position(
        's',
        [
            "R.......", "........", "........", "........", "........", "........", "........",
            "r.......",
        ],
    );
    // Silver is to move, so Gold has moved.
    assert_eq!(outcome(&both), Some(('g', Reason::Goal)));
    assert_eq!(outcome(&Position::new(*both.board(), GOLD)), Some(('s', Reason::Goal)));
}

#[test]
fn a_goal_comes_before_an_elimination() {
    let start = position(
        's',
        [
            "R.......", "........", "........", "........", "........", "........", "........",
            "........",
        ],
    );
    assert_eq!(outcome(&start), Some(('g', Reason::Goal)));
}

#[test]
fn the_others_rabbits_gone_come_before_the_movers_own() {
    let start = position(
        's',
        [
            "........", "E.......", "........", "........", "........", "........", "........",
            "e.......",
        ],
    );
    assert_eq!(outcome(&start), Some(('g', Reason::Elimination)));
    assert_eq!(outcome(&Position::new(*start.board(), GOLD)), Some(('s', Reason::Elimination)));
}

#[test]
fn the_last_rabbit_captured_loses() {
    let start = position(
        'g',
        [
            "........", "........", "........", "........", "........", ".r......", ".D......",
            "R.......",
        ],
    );
    assert_eq!(outcome(&play(&start, "rb3e Db2n")), Some(('g', Reason::Elimination)));
    // One's own last rabbit may be lost as well.
    let own = position(
        'g',
        [
            "........", "........", ".......r", "........", "........", ".R......", "........",
            "........",
        ],
    );
    assert_eq!(outcome(&play(&own, "Rb3e")), Some(('s', Reason::Elimination)));
}

#[test]
fn a_side_that_cannot_move_has_lost() {
    let stuck = position(
        's',
        [
            "........", "........", ".......r", ".......M", "........", "r.......", "E.......",
            "...R....",
        ],
    );
    assert!(!stuck.can_move());
    assert_eq!(outcome(&stuck), Some(('g', Reason::Immobilisation)));
}

// Repetition.

#[test]
fn a_turn_that_brings_about_a_position_for_the_third_time_is_refused() {
    let start = position(
        'g',
        [
            "r......r", "....e...", "........", "........", "........", "........", "....E...",
            "R......R",
        ],
    );
    let mut game = Game::from_position(start);
    let cycle = |game: &mut Game, last: bool| {
        for (index, turn) in ["Ee2n", "ee7s", "Ee3s", "ee6n"].into_iter().enumerate() {
            let turn = Turn::parse(turn, game.position()).unwrap();
            let played = game.try_play(turn);
            if last && index == 3 {
                assert_eq!(played, Err(GameError::Repetition));
            } else {
                played.unwrap();
            }
        }
    };
    cycle(&mut game, false);
    // The start has come about twice; the cycle's end would be the third time.
    cycle(&mut game, true);
    assert_eq!(game.outcome(), None);
}

#[test]
fn a_side_all_of_whose_turns_repeat_has_lost() {
    // All that Silver can do is to move its rabbit from a5 to b5 and back.
    let start = position(
        'g',
        [
            "........", "........", "........", "r.R.....", "RR......", "........", "........",
            ".......E",
        ],
    );
    let mut game = Game::from_position(start);
    let turns = ["Eh1n", "ra5e", "Eh2s", "rb5w", "Eh1n", "ra5e", "Eh2s"];
    for turn in turns {
        assert_eq!(game.outcome(), None);
        game.try_play(Turn::parse(turn, game.position()).unwrap()).unwrap();
    }
    let outcome = game.outcome().unwrap();
    assert_eq!((outcome.winner, outcome.reason), (GOLD, Reason::Repetition));
    assert!(game.random_turn(&mut rng(1)).is_none());
    let over = game.try_play(Turn::EMPTY);
    assert_eq!(over, Err(GameError::Over { outcome }));
}

#[test]
fn a_takeback_restores_the_count_of_repetitions() {
    let start = position(
        'g',
        [
            "r......r", "....e...", "........", "........", "........", "........", "....E...",
            "R......R",
        ],
    );
    let mut game = Game::from_position(start);
    let play = |game: &mut Game, turn| game.try_play(Turn::parse(turn, game.position()).unwrap());
    for turn in ["Ee2n", "ee7s", "Ee3s", "ee6n", "Ee2n", "ee7s", "Ee3s"] {
        play(&mut game, turn).unwrap();
    }
    assert_eq!(play(&mut game, "ee6n"), Err(GameError::Repetition));
    for _ in 0..4 {
        assert!(game.take_back());
    }
    play(&mut game, "ee6n").unwrap();
}

// Setups.

#[test]
fn a_setup_has_all_pieces_on_the_home_rows() {
    let full = "Ra1 Rb1 Rc1 Rd1 Re1 Rf1 Rg1 Rh1 Ha2 Db2 Cc2 Md2 Ee2 Cf2 Dg2 Hh2";
    assert!(Setup::parse(full, GOLD, Army::Full).is_ok());
    let refused = |text: &str| Setup::parse(text, GOLD, Army::Full).unwrap_err().to_string();
    assert!(refused(&full.replace("Hh2", "Hh3")).contains("rows 1 and 2"));
    assert!(refused(&full.replace("Hh2", "hh2")).contains("not one of Gold's"));
    assert!(refused(&full.replace("Hh2", "Hg2")).contains("was put on g2 before"));
    assert!(refused(&full.replace("Hh2", "Eh2")).contains("at most 1 elephant"));
    assert!(refused(&full.replace(" Hh2", "")).contains("1 more gold horse expected"));
    assert!(refused(&full.replace("Hh2", "Hh")).contains("expected a piece and a square"));
    assert!(Setup::parse(&full.replace(" Hh2", ""), GOLD, Army::Handicap).is_ok());
    assert!(Setup::parse("Ee2", GOLD, Army::Handicap).unwrap_err().to_string().contains("rabbit"));
}

#[test]
fn random_games_end_and_are_replayed_from_their_records() {
    for seed in 0..10 {
        let mut last = None;
        random_game(seed, &mut |game| last = Some(game.clone()));
        let game = last.unwrap();
        assert!(game.outcome().is_some());
        let replayed = Game::parse(&game.to_string(), Army::Full).unwrap();
        assert_eq!(replayed.position(), game.position());
        assert_eq!(replayed.outcome(), game.outcome());
        assert_eq!(replayed.to_string(), game.to_string());
    }
}

#[test]
fn everything_can_be_taken_back_to_the_empty_board() {
    let mut rng = rng(3);
    let mut game = random_start(&mut rng);
    let start = game.clone();
    for _ in 0..20 {
        if let Some(turn) = game.random_turn(&mut rng) {
            game.try_play(turn).unwrap();
        }
    }
    for _ in 0..20 {
        assert!(game.take_back());
    }
    assert_eq!(game.to_string(), start.to_string());
    assert!(game.take_back() && game.take_back() && !game.take_back());
    assert_eq!(game.position(), Game::new().position());
    assert_eq!(game.setting_up(), Some(GOLD));
}
