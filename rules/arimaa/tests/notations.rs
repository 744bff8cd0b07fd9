//! What is printed can be read again, and what cannot be read is refused with the place.

use arimaa::{
    Army, Board, GOLD, Game, Picture, Position, SILVER, Setup, Side, Square, Turn, TurnGenerator,
};
use proptest::prelude::*;
use rand::RngExt;
use test_support::{random_game, rng, scattered};

fn side() -> impl Strategy<Value = Side> {
    prop_oneof![Just(GOLD), Just(SILVER)]
}

proptest! {
    #[test]
    fn a_printed_picture_is_read_again(seed: u64, side in side(), number in 1u32..200) {
        let board = scattered(&mut rng(seed));
        let picture = Picture { number: Some(number), side: Some(side), board };
        prop_assert_eq!(picture.to_string().parse::<Picture>().unwrap(), picture);
        let bare = Picture { number: None, side: None, board };
        prop_assert_eq!(bare.to_string().parse::<Picture>().unwrap(), bare);
    }

    #[test]
    fn a_picture_is_read_without_its_ornaments(seed: u64) {
        let board = scattered(&mut rng(seed));
        let picture = Picture { number: Some(7), side: Some(SILVER), board }.to_string();
        let plain = picture.replace(['.', 'x'], " ").replace("7s", "7b");
        prop_assert_eq!(plain.parse::<Picture>().unwrap().board, board);
        let capitals = picture.replace('x', "X");
        prop_assert_eq!(capitals.parse::<Picture>().unwrap().board, board);
        let ranks: Vec<&str> = picture.lines().filter(|line| line.contains('|')).collect();
        let ranks = ranks.join("  # a comment\n\n");
        prop_assert_eq!(ranks.parse::<Picture>().unwrap().board, board);
    }

    #[test]
    fn a_compact_position_is_read_again(seed: u64, side in side()) {
        let position = Position::new(scattered(&mut rng(seed)), side);
        let text = position.to_string();
        prop_assert_eq!(text.parse::<Position>().unwrap(), position);
        let older = format!("{}{}", if side == GOLD { 'w' } else { 'b' }, &text[1..]);
        prop_assert_eq!(older.parse::<Position>().unwrap(), position);
        prop_assert_eq!(position.board().to_string().parse::<Board>().unwrap(), *position.board());
    }

    #[test]
    fn a_printed_setup_is_read_again(seed: u64, side in side()) {
        let setup = Setup::random(side, &mut rng(seed));
        prop_assert_eq!(Setup::parse(&setup.to_string(), side, Army::Full).unwrap(), setup);
    }

    #[test]
    fn no_text_makes_a_parser_panic(text in "\\PC{0,90}") {
        let _ = text.parse::<Picture>();
        let _ = text.parse::<Position>();
        let _ = text.parse::<Board>();
        let _ = Game::parse(&text, Army::Handicap);
        let _ = Setup::parse(&text, GOLD, Army::Handicap);
    }

    #[test]
    fn no_altered_record_makes_the_parser_panic(seed in 0u64..4, at: usize, letter in any::<char>()) {
        let record: Vec<char> = sample_record(seed).chars().collect();
        let mut altered = record.clone();
        altered[at % record.len()] = letter;
        let _ = Game::parse(&altered.iter().collect::<String>(), Army::Full);
        let cut: String = record[..at % record.len()].iter().collect();
        let _ = Game::parse(&cut, Army::Full);
    }
}

fn sample_record(seed: u64) -> String {
    let mut record = String::new();
    random_game(seed, &mut |game| {
        if game.actions().count() <= 30 {
            record = game.to_string();
        }
    });
    record
}

#[test]
fn a_printed_turn_is_read_again_with_and_without_captures() {
    let mut generator = TurnGenerator::new();
    let mut rng = rng(4);
    let mut captures = 0;
    for _ in 0..2_000 {
        let board = scattered(&mut rng);
        let side = if rng.random() { GOLD } else { SILVER };
        let start = Position::new(board, side);
        let turns = generator.distinct(&board, side);
        if turns.is_empty() {
            continue;
        }
        let turn = turns[rng.random_range(0..turns.len())].turn;
        let mut expected = start;
        expected.try_play_turn(turn).unwrap();
        let full = turn.notation(&board);
        let bare: Vec<&str> = full.split(' ').filter(|word| !word.ends_with('x')).collect();
        captures += usize::from(bare.len() < full.split(' ').count());
        for text in [full.clone(), bare.join(" "), format!("{full} pass")] {
            let read = Turn::parse(&text, &start).unwrap_or_else(|e| panic!("{start} {text}: {e}"));
            let mut after = start;
            after.try_play_turn(read).unwrap();
            assert_eq!(after.board(), expected.board(), "{start} {text}");
        }
    }
    assert!(captures > 100, "{captures} turns with captures");
}

#[test]
fn takebacks_resignations_comments_and_older_letters_are_read() {
    let gold = "Ra1 Rb1 Rc1 Rd1 Re1 Rf1 Rg1 Rh1 Ha2 Db2 Cc2 Md2 Ee2 Cf2 Dg2 Hh2";
    let silver = "ra8 rb8 rc8 rd8 re8 rf8 rg8 rh8 ha7 db7 cc7 md7 ee7 cf7 dg7 hh7";
    let record = format!(
        "# a game\n1w {gold}\n1b {silver} # as usual\n\n2w Ee2n Ee3n\n2b takeback\n2w Ee2n\n\
         2b ee7s\n3w takeback\n2b ee7s ee6s\n3w resigns\n"
    );
    let game = Game::parse(&record, Army::Full).unwrap();
    let plain = format!("1g {gold}\n1s {silver}\n2g Ee2n\n2s ee7s ee6s\n3g resigns\n");
    let expected = Game::parse(&plain, Army::Full).unwrap();
    assert_eq!(game.position(), expected.position());
    assert_eq!(game.outcome(), expected.outcome());
    assert_eq!(game.outcome().unwrap().winner, SILVER);
    assert_eq!(Game::parse(&game.to_string(), Army::Full).unwrap().to_string(), game.to_string());
}

/// A picture with one line replaced.
fn broken(from: &str, to: &str) -> String {
    let picture = "12g\n +-----------------+\n8| r r r r . r r r |\n7| h d c m . c d h |\n\
                   6| . . x . . x . . |\n5| . . . e . . . . |\n4| . . . . E . . . |\n\
                   3| . . x . . x . . |\n2| H D C M . C D H |\n1| R R R R R R R R |\n\
                   \x20+-----------------+\n   a b c d e f g h\n";
    assert!(picture.contains(from), "{from}");
    let text = picture.replace(from, to);
    text.parse::<Picture>().map_or_else(|error| error.to_string(), |_| "accepted".to_string())
}

#[test]
fn a_bad_picture_is_refused_with_line_and_column() {
    assert_eq!(broken("12g", "12g"), "accepted");
    let cases = [
        (
            "8| r r r r . r r r |",
            "8| r r r r . r r r r |",
            "line 3, column 3: rank 8 has 9 squares",
        ),
        ("8| r r r r . r r r |", "8| r r r r . r r |", "line 3, column 3: rank 8 has 7 squares"),
        (". e .", ". E .", "line 7, column 12: there are 2 gold elephants (E), at most 1"),
        ("5| . . . e", "5| . . q e", "line 6, column 8: unknown letter 'q'"),
        ("3| . . x", "3| . . R", "line 10, column 4: there are 9 gold rabbits"),
        ("8| r", "8| .", "accepted"),
        ("6| . . x . . x", "6| . . x . . c", "line 5, column 14: there are 3 silver cats"),
        ("5| . . . e . . .", "5| . . . e . . x", "line 6, column 16: unknown letter 'x'"),
        ("6| . . x", "6| . . x . . |\n7| .", "line 5, column 3: rank 6 has 5 squares"),
        ("4| .", "5| .", "line 7, column 1: expected rank 4 here"),
        ("5| . . . e", "5| .x. . e", "line 6, column 5: expected a space"),
        ("12g", "12q", "line 1, column 1: expected a heading"),
        ("1| R R R R R R R R |\n", "", "the picture ends after 7 ranks"),
        ("   a b c d e f g h\n", "   a b c d e f g h\nmore", "line 13, column 1: expected nothing"),
        ("2| H D C M . C D H |", "2| H D C M . C D H", "rank 2 has no closing bar"),
    ];
    for (from, to, expected) in cases {
        let error = broken(from, to);
        assert!(error.contains(expected), "{from} → {to}: {error}");
    }
}

#[test]
fn a_piece_that_a_trap_would_take_is_refused_with_its_place() {
    let mut cells = [' '; 64];
    cells[8 * (8 - 3) + 2] = 'r';
    let text = format!("s [{}]", cells.iter().collect::<String>());
    let error = text.parse::<Position>().unwrap_err();
    assert_eq!((error.line, error.column), (1, 4 + 42));
    assert!(error.to_string().contains("the silver rabbit on the trap c3 has no friend beside it"));
    // With a friend beside it, it may stand there.
    cells[8 * (8 - 3) + 1] = 'r';
    let text = format!("s [{}]", cells.iter().collect::<String>());
    assert!(text.parse::<Position>().is_ok());
}

#[test]
fn a_bad_compact_position_is_refused_with_its_column() {
    let good = format!("g [{}]", " ".repeat(64));
    assert!(good.parse::<Position>().is_ok());
    let refused = |text: &str| text.parse::<Position>().unwrap_err().to_string();
    assert!(refused(&good.replace(" ]", "]")).contains("found 63 characters in the brackets"));
    assert!(refused(&good.replace(']', "")).contains("the brackets are not closed"));
    assert!(refused(&good.replace('g', "q")).contains("expected g, s, w or b"));
    assert!(refused(&good.replace(']', "] and more")).contains("column 69: expected nothing more"));
    assert!(refused(&good.replacen("  ", " 7", 1)).contains("unknown letter '7'"));
    assert!(refused("").contains("there is no position here"));
}

#[test]
fn a_bad_record_is_refused_with_line_turn_and_step() {
    let gold = "1g Ra1 Rb1 Rc1 Rd1 Re1 Rf1 Rg1 Rh1 Ha2 Db2 Cc2 Md2 Ee2 Cf2 Dg2 Hh2\n";
    let silver = "1s ra8 rb8 rc8 rd8 re8 rf8 rg8 rh8 ha7 db7 cc7 md7 ee7 cf7 dg7 hh7\n";
    let refused = |turns: &str| {
        let record = format!("{gold}{silver}{turns}");
        Game::parse(&record, Army::Full).map_or_else(|e| e.to_string(), |_| "accepted".into())
    };
    assert_eq!(refused("2g Ee2n\n2s"), "accepted");
    let cases = [
        (
            "2g Ee2n Ee3",
            "line 3: turn 2g, step 2 (Ee3): expected a piece, a square and a direction",
        ),
        ("2g Ee2s", "line 3: turn 2g, step 1 (Ee2s): e1 is occupied by a gold rabbit"),
        ("2g Ef2n", "there is no gold elephant on f2, but a gold cat"),
        ("2g Ra1w", "the step from a1 leads off the board"),
        ("2s ee7s", "line 3: expected the line of turn 2g, found \"2s\""),
        ("2g Ee2n rc3x", "step 2 (rc3x): no silver rabbit is captured on c3 here"),
        ("2g\n2s ee7s", "line 4: turn 2g has no steps, but the record goes on"),
        ("2g Ee2n Ee3n Ee4n Ee5n Ee6n", "step 5 (Ee6n): a turn has at most four steps"),
        ("2g ee7s", "step 1 (ee7s): the push of the silver elephant is left half done"),
        ("2g Ee2n\n2s resigns\n3g Ee3n", "the game is over: Gold has won: Silver resigned"),
    ];
    for (turns, expected) in cases {
        let error = refused(turns);
        assert!(error.contains(expected), "{turns}: {error}");
    }
    assert!(Game::parse("", Army::Full).unwrap_err().to_string().contains("there is no turn here"));
    let first = Game::parse("1g takeback", Army::Full).unwrap_err().to_string();
    assert!(first.contains("no turn to take back"), "{first}");
}

#[test]
fn squares_are_named_a1_to_h8() {
    for square in Square::all() {
        assert_eq!(square.to_string().parse::<Square>().unwrap(), square);
    }
    for text in ["", "a", "a9", "i1", "A1", "a1 ", "é1"] {
        assert!(text.parse::<Square>().is_err(), "{text}");
    }
}
