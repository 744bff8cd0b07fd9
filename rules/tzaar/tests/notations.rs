//! What is printed can be read again, and what cannot be read is refused with the place.

mod common;

use common::{Taste, positions, rng, start};
use game::Position as _;
use proptest::prelude::*;
use rand::RngExt;
use tzaar::{BestMove, Game, Picture, Position, Step, Turn, distinct_turns};

/// A random game of so many turns, or to its end.
fn random_game(seed: u64, turns: usize) -> Game {
    let mut rng = rng(seed);
    let begin = start(rng.random_range(0..3), &mut rng);
    let taste = Taste::ALL[rng.random_range(0..4)];
    let mut game = Game::new(begin);
    while game.turns().count() < turns && game.outcome().is_none() {
        let mut position = *game.position();
        let mut steps = Vec::new();
        while steps.is_empty() || !position.turn_starts() {
            let step = taste.choose(&position.steps(), &mut rng);
            steps.push(step);
            position.play(step);
        }
        game.play(Turn::from_steps(&steps).expect("a turn")).expect("a legal turn");
    }
    game
}

proptest! {
    #[test]
    fn a_printed_position_is_read_again(seed: u64) {
        for position in positions(3, seed) {
            prop_assert_eq!(position.to_string().parse(), Ok(position));
            prop_assert_eq!(format!("{position:#}").parse(), Ok(position));
            let tabs = format!("% a comment\n{position:#}  % another").replace(' ', "\t");
            prop_assert_eq!(tabs.parse(), Ok(position));
        }
    }

    #[test]
    fn a_printed_picture_is_read_again(seed: u64) {
        for position in positions(3, seed) {
            let picture = Picture(position).to_string();
            prop_assert_eq!(picture.parse(), Ok(Picture(position)));
            prop_assert_eq!(picture.parse(), Ok(position));
            let narrow = picture.replace("    ", " ").replace('\n', "\n\n");
            prop_assert_eq!(narrow.parse(), Ok(Picture(position)));
        }
    }

    #[test]
    fn a_printed_record_is_read_again(seed: u64, turns in 0usize..90) {
        let mut game = random_game(seed, turns);
        prop_assert_eq!(game.to_string().parse(), Ok(game.clone()));
        // On one line, and without the numbers.
        let line = game.to_string().replace('\n', " ");
        prop_assert_eq!(line.parse(), Ok(game.clone()));
        let words: Vec<String> = game.turns().map(|turn| turn.to_string()).collect();
        let bare = format!("{}\n{}", game.start(), words.join("  # a comment\n"));
        prop_assert_eq!(bare.parse(), Ok(game.clone()));
        if game.outcome().is_none() {
            game.resign(game.position().side()).expect("not over");
            prop_assert_eq!(game.to_string().parse(), Ok(game));
        }
    }

    #[test]
    fn no_text_makes_a_parser_panic(text in "\\PC{0,90}") {
        let _ = text.parse::<Picture>();
        let _ = text.parse::<Position>();
        let _ = text.parse::<Turn>();
        let _ = text.parse::<Step>();
        let _ = text.parse::<Game>();
        let _ = text.parse::<BestMove>();
        let _ = Turn::parse(&text, &Position::fixed_start());
    }

    #[test]
    fn no_altered_text_makes_a_parser_panic(seed in 0u64..8, at: usize, letter in any::<char>()) {
        let game = random_game(seed, 30);
        let position = game.position();
        let texts = [game.to_string(), position.to_string(), Picture(*position).to_string()];
        for text in texts {
            let mut letters: Vec<char> = text.chars().collect();
            let at = at % letters.len();
            let cut: String = letters[..at].iter().collect();
            letters[at] = letter;
            for text in [letters.into_iter().collect(), cut] {
                let _ = text.parse::<Game>();
                let _ = text.parse::<Position>();
                let _ = text.parse::<Picture>();
            }
        }
    }

    #[test]
    fn a_best_move_is_read_again(seed: u64, millis in 0u32..100_000, value: i64) {
        let mut rng = rng(seed);
        let position = positions(1, seed)[0];
        let turns = distinct_turns(&position);
        let (turn, _) = turns[rng.random_range(0..turns.len())];
        if turn.steps().all(|step| !matches!(step, Step::Place { .. })) {
            let best = BestMove { turn, seconds: f64::from(millis) / 1000.0, value };
            prop_assert_eq!(best.to_string().parse(), Ok(best));
        }
    }
}

#[test]
fn a_printed_turn_is_read_again_with_and_without_a_board() {
    for position in positions(30, 4) {
        for (turn, end) in distinct_turns(&position) {
            let text = turn.to_string();
            assert_eq!(text.parse(), Ok(turn));
            assert_eq!(Turn::parse(&text, &position), Ok(turn));
            assert_eq!(text.to_lowercase().parse(), Ok(turn));
            assert_eq!(text.replace('-', "pass").parse(), Ok(turn));
            assert_eq!(position.play_turn(turn), Ok(end));
        }
    }
}

#[test]
fn the_files_of_the_thesis_are_read() {
    // A.2.1: an input file with comments.
    let text = "
        1 % White is to move

        % types
        1 -1 -1 -1 -1 100 100 100 100
        1 2 -2 -2 2 3 100 100 100
        1 0 -3 0 -3 0 1 100 100
        0 0 0 0 0 0 2 1 100
        0 -3 0 0 100 0 3 0 1
        100 -1 0 -3 0 -1 -3 2 -1
        100 100 -2 0 0 1 -3 -2 -1
        100 100 100 0 2 2 2 -2 -1
        100 100 100 100 1 1 1 1 -1

        % heights
        1 1 1 1 1 0 0 0 0
        1 1 1 1 1 3 0 0 0
        1 0 1 0 1 0 1 0 0
        0 0 0 0 0 0 1 1 0
        0 3 0 0 0 0 1 0 1
        0 1 0 1 0 1 1 1 1
        0 0 3 0 0 2 1 1 1
        0 0 0 0 1 1 1 1 1
        0 0 0 0 1 1 1 1 1";
    let position: Position = text.parse().unwrap();
    assert_eq!(position.board().stacks(), 41);
    assert_eq!(position.board().height("F1".parse().unwrap()), 3);
    // A.2.2: output files.
    for (text, turn) in [
        ("G4 C6\n0 F2 F1\n33.303 33319\n", "G4xC6 F2+F1"),
        ("H2 D1\n-1\n2.742 2000000000\n", "H2xD1 -"),
        ("H2 D1\n-2\n2.742 -7\n", "H2xD1"),
        ("H2 D1\n1 D1 D2\n0.000 0\n", "H2xD1 D1xD2"),
    ] {
        let best: BestMove = text.parse().unwrap();
        assert_eq!(best.turn.to_string(), turn);
        assert_eq!(best.to_string(), text);
    }
}

#[test]
fn takebacks_resignations_comments_and_the_tournament_start_are_read() {
    let record =
        "# a game\n1w E4xF3 # at once\n1b A1xB1 A2+A3\n2w takeback\n1b A1xB1 -\n2w resigns\n";
    let game: Game = record.parse().unwrap();
    assert_eq!(game.to_string(), "1w E4xF3\n1b A1xB1 -\n2w resigns\n");
    let game: Game = "Z@E4 z@e3\n2w".parse().unwrap();
    assert_eq!(game.start(), &Position::tournament_start());
    assert_eq!(game.to_string(), "1w Z@E4\n1b Z@E3\n");
    let game: Game = "1w".parse().unwrap();
    assert_eq!(game, Game::new(Position::fixed_start()));
}

#[test]
fn what_is_wrong_with_a_turn_is_told_with_its_column() {
    let start = Position::fixed_start();
    for (text, said) in [
        ("G4xJ6", "column 1 (G4xJ6): expected a capture such as G4xC6"),
        ("E4xF3  F2*F1", "column 8 (F2*F1): expected a capture such as G4xC6"),
        ("", "column 1 (nothing): expected a capture"),
        ("E4xF3 - -", "column 9 (-): a turn has at most two moves"),
        ("TT@E4", "column 1 (TT@E4): expected a capture"),
    ] {
        let error = text.parse::<Turn>().unwrap_err().to_string();
        assert!(error.starts_with(said), "{text}: {error}");
    }
    for (text, said) in [
        ("A5xE8", "column 1 (A5xE8): the stack on B6 is in the way"),
        (" E4xF3 -", "column 8 (-): White's first turn is a single capture: leave this move out"),
        ("A1xB1", "column 1 (A1xB1): the stack on A1 is Black's, but White is to move"),
        ("", "column 1 (nothing): the first move of a turn must be a capture, such as G4xC6"),
        ("-", "column 1 (-): the first move of a turn must be a capture, such as G4xC6"),
    ] {
        let error = Turn::parse(text, &start).unwrap_err().to_string();
        assert!(error.starts_with(said), "{text}: {error}");
    }
}

#[test]
fn what_is_wrong_with_a_record_is_told_with_its_line() {
    for (text, said) in [
        ("", "line 1, column 1: there is no turn here"),
        ("# nothing\n", "line 1, column 1: there is no turn here"),
        ("1w E4xF3\n2w A1xB1 -", "line 2, column 1: expected turn 1b, found \"2w\""),
        (
            "1w E4xF3\n1b A1xB1\n2w E4xF3 -",
            "line 2, column 4: turn 1b (A1xB1): the second move of the turn is missing",
        ),
        (
            "1w E4xF3 1b A1xB1 2w",
            "line 1, column 13: turn 1b (A1xB1): the second move of the turn is missing",
        ),
        ("1w\n1w E4xF3", "line 1, column 1: turn 1w has no moves, but the record goes on"),
        ("takeback", "line 1, column 1: there is no turn to take back"),
        ("E4xF3\n\nA1xB1 A1+B1", "line 3, column 7: turn 1b (A1+B1): A1 is empty"),
        ("1w resigns\nE4xF3", "line 2, column 1: the game is over: Black has won: White resigned"),
        ("1w E4:F3", "line 1, column 4: turn 1w (E4:F3): expected a capture"),
        ("1 0 0", "line 1, column 5: expected number 4 of 163, but the text ends"),
    ] {
        let error = text.parse::<Game>().unwrap_err().to_string();
        assert!(error.starts_with(said), "{text}: {error}");
    }
}

#[test]
fn what_is_wrong_with_a_position_is_told_with_its_place() {
    let start = format!("{:#}", Position::fixed_start());
    let wrong = |old: &str, new: &str| start.replacen(old, new, 1);
    for (text, said) in [
        (
            wrong("1\n", "2\n"),
            "line 1, column 1: number 1: the player is 2, expected 1 (White) or -1 (Black)",
        ),
        (
            wrong("-1 1 1 1 1 100", "-1 1 7 1 1 100"),
            "line 2, column 6: number 4: C1: 7 is no stack",
        ),
        (
            wrong("1 1 100 100", "1 1 0 100"),
            "line 2, column 12: number 7: 0 outside the board, expected 100",
        ),
        (
            wrong("\n1 1 1 1 1 0", "\n1 1 1 1 40 0"),
            "line 11, column 9: number 87: E1: a height of 40, expected 1 to 30",
        ),
        (
            wrong("\n1 1 1 1 1 0", "\n1 1 1 1 1 1"),
            "line 11, column 11: number 88: a height of 1 outside the board, expected 0",
        ),
        (
            wrong("-1 1 1 1 1 100", "-1 1 0 1 1 100"),
            "line 11, column 5: number 85: C1: a height of 1 on an empty field, expected 0",
        ),
        (
            wrong("-1 1 1 1 1 100", "-1 1 x 1 1 100"),
            "line 2, column 6: expected number 4 of 163, found \"x\"",
        ),
        (
            wrong("-1 1 1 1 1 100", "-1 1 3 1 1 100"),
            "line 1, column 1: White has 7 Tzaar in sight, expected at most 6",
        ),
        (
            format!("{start} 0"),
            "line 19, column 19: \"0\" follows the position, expected nothing more",
        ),
        ("1 2 3".to_string(), "line 1, column 5: expected number 4 of 163, but the text ends"),
        ("placing 1".to_string(), "line 1, column 9: expected number 2 of 82, but the text ends"),
        (
            String::new(),
            "line 1, column 1: there is nothing here: a picture begins with White to move",
        ),
        ("hello".to_string(), "line 1, column 1: a picture begins with White to move"),
    ] {
        let error = text.parse::<Position>().unwrap_err().to_string();
        assert!(error.starts_with(said), "{text}: {error}");
    }
}

#[test]
fn what_is_wrong_with_a_picture_is_told_with_its_place() {
    let start = Picture(Position::fixed_start()).to_string();
    for (old, new, said) in [
        (
            "White to move",
            "white TO Move to",
            "line 1, column 1: a picture begins with White to move",
        ),
        ("D1", "D2", "line 3, column 13: \"D2\", expected the name D1"),
        ("C1      T", "C1      X", "line 4, column 17: E1: \"X\" is no stack, expected T, A or Z"),
        ("C1      T", "C1      T0", "line 4, column 17: E1: \"T0\" is no stack"),
        ("C1      T", "C1      T31", "line 4, column 17: E1: \"T31\" is no stack"),
        (
            "C1      T",
            "C1      T T",
            "line 4, column 27: 4 fields and names in row 3 of the picture, expected 3",
        ),
        (
            "C1      T",
            "C1",
            "line 4, column 18: 2 fields and names in row 3 of the picture, expected 3",
        ),
        (
            "                E8\n",
            "",
            "line 21, column 21: the picture has 20 lines after this header, expected 21",
        ),
        ("E8\n", "E8\nE9\n", "line 23, column 1: the picture ends above, after 21 lines"),
        ("White to move", "Black to move", "line 1, column 1: all 60 fields are occupied"),
    ] {
        let text = start.replacen(old, new, 1);
        assert_ne!(text, start);
        let error = text.parse::<Picture>().unwrap_err().to_string();
        assert!(error.starts_with(said), "{text}: {error}");
    }
}

#[test]
fn what_is_wrong_with_a_best_move_is_told_with_its_place() {
    for (text, said) in [
        ("", "line 1, column 1: the text ends here, expected a field such as G4"),
        ("G4 C9\n", "line 1, column 4: \"C9\" is no field"),
        ("G4 C6\n3 F2 F1\n", "line 2, column 1: the second move is \"3\", expected 0 (a stacking)"),
        ("G4 C6\n0 F2\n33.3 7", "line 3, column 1: \"33.3\" is no field"),
        ("G4 C6\n-1\n", "line 2, column 1: the text ends here, expected the seconds"),
        ("G4 C6\n-1\nlong 7", "line 3, column 1: \"long\" is no number of seconds"),
        ("G4 C6\n-1\n1.0 nan", "line 3, column 5: \"nan\" is no value"),
        ("G4 C6\n-1\n1.0 7 7", "line 3, column 7: \"7\" follows, expected nothing more"),
    ] {
        let error = text.parse::<BestMove>().unwrap_err().to_string();
        assert!(error.starts_with(said), "{text}: {error}");
    }
}

#[test]
fn what_the_second_move_of_waltz_is_follows_from_the_board_and_not_from_its_flag() {
    let start = Position::fixed_start();
    let first = start.steps()[0];
    let position = start.play_turn(Turn::new(first, None)).expect("White's first turn is one move");
    let game = Game::new(position);
    let mut met = [0; 2];
    for capture in position.steps() {
        let Step::Capture { from, to } = capture else { continue };
        let after = position.try_step(capture).expect("it is legal");
        for second in after.steps() {
            let (from2, to2, kind) = match second {
                Step::Stacking { from, to } => (from, to, 0),
                Step::Capture { from, to } => (from, to, 1),
                _ => continue,
            };
            met[kind] += usize::from(to2 == to);
            let turn = Turn::new(capture, Some(second)).to_string();
            for flag in [0, 1] {
                let file = format!("{from} {to}\n{flag} {from2} {to2}\n1.000 7\n");
                let read = game::Game::action_in_file(&game, &file);
                assert_eq!(read.as_deref(), Ok(turn.as_str()), "{file}");
            }
        }
    }
    assert!(met[0] > 0 && met[1] == 0, "some stack onto the piece that has captured: {met:?}");
}
