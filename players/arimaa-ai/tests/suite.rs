//! Test positions: how they are read, what is refused, and what each criterion makes of a turn.

use std::fs;

use arimaa::{Army, Game, Position};
use arimaa_ai::suite::{Atom, Chance, Columns, Test, chances};
use test_support::{Rows, shared_file};

/// A rabbit that the dog can free, an enemy rabbit that the elephant can stop, a cat that the dog can
/// push into a trap.
const BOARD: &str = "
    12g
     +-----------------+
    8| r . . . . . . . |
    7| . . . R . . . . |
    6| . D x c . x . . |
    5| . . . . . . . . |
    4| . . . . . . E . |
    3| . . x . . x . r |
    2| . . . . . . . . |
    1| R . . . . . . . |
     +-----------------+
       a b c d e f g h
";

/// A test of that board with these lines of criteria.
fn criteria(lines: &str) -> Result<Test, String> {
    let text = format!("[settings]\nposition = {BOARD}\n[criteria]\n{lines}\n");
    Test::parse(&text).map_err(|error| error.to_string())
}

/// A test of that board with these blocks.
fn blocks(blocks: &str) -> Result<Test, String> {
    criteria(&format!("condition = piece_position\nafter_piece_position = {blocks}"))
}

fn weights<const N: usize>(test: &Test, turns: [&str; N]) -> [f64; N] {
    turns.map(|turn| test.weigh(turn).unwrap_or_else(|error| panic!("{turn}: {error}")))
}

#[test]
fn a_goal_is_scored_by_the_turn_that_wins() {
    let test = criteria("condition = score goal").unwrap();
    assert_eq!(weights(&test, ["Db6n Db7e Rd7n", "Db6n Db7e", "Ra1n"]), [1.0, 0.0, 0.0]);
}

#[test]
fn a_goal_is_prevented_by_stopping_it_or_by_winning_first() {
    let test = criteria("condition = prevent goal").unwrap();
    let turns = ["Eg4e", "Eg4s Eg3s", "Ra1n", "Eg4w", "Db6n Db7e Rd7n"];
    assert_eq!(weights(&test, turns), [1.0, 1.0, 0.0, 0.0, 1.0]);
}

#[test]
fn all_atoms_of_a_block_must_hold_and_the_best_block_counts() {
    let test = blocks("Eg5 Ra2 | Eg5 : 0.5 | Ra2: 0.7").unwrap();
    let turns = ["Eg4n Ra1n", "Eg4n", "Ra1n", "Eg4e"];
    assert_eq!(weights(&test, turns), [1.0, 0.5, 0.7, 0.0]);
}

#[test]
fn the_highest_weight_need_not_be_one() {
    assert_eq!(blocks("Eg5 : 0.5 | Ra2 : 0.7").unwrap().highest(), 0.7);
    assert_eq!(blocks("Eg5 | Ra2 : 0.7").unwrap().highest(), 1.0);
}

#[test]
fn what_must_not_stand_there_may_stand_elsewhere_or_be_another_piece() {
    let test = blocks("!rh3 !Ea1").unwrap();
    assert_eq!(weights(&test, ["Eg4s rh3s Eg3e", "Ra1n"]), [1.0, 0.0]);
}

#[test]
fn a_capture_counts_where_and_when_it_happens() {
    // The dog goes into the trap alone.
    let lost = blocks("Dc6x").unwrap();
    assert_eq!(weights(&lost, ["Db6e", "Db6e Ra1n", "Db6n", "Ra1n"]), [1.0, 1.0, 0.0, 0.0]);
    // To be gone is not to be captured.
    let gone = blocks("!Db6").unwrap();
    assert_eq!(weights(&gone, ["Db6e", "Db6n", "Ra1n"]), [1.0, 1.0, 0.0]);
}

#[test]
fn a_turn_that_is_not_legal_is_refused() {
    let test = criteria("condition = score goal").unwrap();
    let error = test.weigh("Rd7n").unwrap_err().to_string();
    assert!(error.starts_with("step 1 (Rd7n): the gold rabbit on d7 is frozen"), "{error}");
    assert!(test.weigh("").is_err());
}

#[test]
fn atoms_are_a_piece_a_square_and_a_sign() {
    for right in ["Eb3", "!ce2", "Hf6x", "rc3X"] {
        assert!(Atom::parse(right).is_some(), "{right}");
    }
    for wrong in ["", "E", "Eb9", "Xb3", "Eb3n", "!", "Hf5x", "!Hf6x", "Eb33", "eé3"] {
        assert_eq!(Atom::parse(wrong), None, "{wrong}");
    }
}

#[test]
fn spelling_makes_no_difference_where_the_meaning_is_clear() {
    let plain = blocks("Eg5 Ra2 : 0.8 | Eg6").unwrap();
    let forms = [
        "Condition =  Piece Position \nAFTER_PIECE_POSITION=Eg5 Ra2:0.8|Eg6:1.0",
        "; a remark\ncondition = piece_position\nafter_piece_position = Eg5 Ra2 : 0.8 |\n    Eg6",
        "after_piece_position =\n  Eg5\n  Ra2 : 0.8\n  | Eg6\n\ncondition = piece_position",
    ];
    for form in forms {
        assert_eq!(criteria(form).unwrap(), plain, "{form}");
    }
    let compact = format!("[setup]\nposition = {}\n[criteria]\ncondition = score goal", compact());
    assert_eq!(Test::parse(&compact).unwrap(), criteria("condition = score goal").unwrap());
}

#[test]
fn a_piece_between_two_squares_stands_on_the_right_one() {
    let careless = BOARD.replace("4| . . . . . . E . |", "4| . . . . . .E  . |");
    assert_ne!(careless, BOARD);
    let read = |board: &str| {
        Test::parse(&format!("[setup]\nposition = {board}\n[criteria]\ncondition = score goal"))
    };
    assert_eq!(read(&careless), read(BOARD));
}

#[test]
fn what_is_wrong_is_told_with_its_line() {
    let wrong = [
        (
            "condition = win",
            "line 17: unknown condition \"win\": there are score goal, prevent goal, piece_position",
        ),
        (
            "condition = piece_position",
            "line 17: the test has no after_piece_position: add a line after_piece_position = …",
        ),
        ("", "line 17: the test has no condition: add a line condition = …"),
        (
            "condition = score goal\nbefore = Eg4",
            "line 18: unknown key \"before\": there are comment, tags, position, condition, after_piece_position",
        ),
        (
            "condition = piece_position\nafter_piece_position = Eg5 |\n  Eg9",
            "line 19: \"Eg9\" is no fact about a piece: expected Eb3 (stands there), !ce2 (does not) or Hf6x (is captured on that trap)",
        ),
        (
            "condition = piece_position\nafter_piece_position = Eg5 | : 1",
            "line 18: a block is empty: expected such as Eb3 !ce2 Hf6x : 0.8",
        ),
        (
            "condition = piece_position\nafter_piece_position = Eg5 : high",
            "line 18: \"high\" is no weight: expected a number that is not below 0, such as 0.8, then | or the end",
        ),
        (
            "condition = piece_position\nafter_piece_position = Eg5 : 0.8 Ra2",
            "line 18: \"Ra2\" is no weight: expected a number that is not below 0, such as 0.8, then | or the end",
        ),
    ];
    for (lines, message) in wrong {
        assert_eq!(criteria(lines).unwrap_err(), message);
    }
    let error = |text: &str| Test::parse(text).unwrap_err().to_string();
    assert_eq!(
        error("[settings]\nhello\n"),
        "line 2: expected a section such as [settings] or [criteria], or a line such as key = value"
    );
    let nine = BOARD.replace("5| . . . . . . . . |", "5| . . . . . . . . . |");
    assert_eq!(
        error(&format!("[settings]\nposition = {nine}[criteria]\ncondition = score goal\n")),
        "line 8: rank 5 has 9 squares, expected 8, each a space and a letter"
    );
    let over = BOARD.replace("8| r .", "8| r R");
    assert_eq!(
        error(&format!("[settings]\nposition = {over}[criteria]\ncondition = score goal\n")),
        "line 2: the game is over in this position: no turn can be judged"
    );
}

/// The same board in one line.
fn compact() -> String {
    BOARD.parse::<Position>().unwrap().to_string()
}

fn row(header: &str, cells: &str) -> Result<Option<Test>, String> {
    let columns = Columns::of_header(header).expect("a table of tests");
    columns.read(&format!("{}\t{cells}", compact())).map_err(|fault| fault.to_string())
}

#[test]
fn turns_of_a_table_are_compared_as_boards() {
    let test = row("position\tbest\tavoid", "Ra1n Eg4n | Ra1n\t").unwrap().unwrap();
    assert_eq!(weights(&test, ["Eg4n Ra1n", "Ra1n", "Eg4n"]), [1.0, 1.0, 0.0]);
    let test = row("position\tbest\tavoid", "-\tRa1n Eg4n").unwrap().unwrap();
    assert_eq!(weights(&test, ["Eg4n Ra1n", "Ra1n"]), [0.0, 1.0]);
    let test = row("position\tavoid\tbest", "Ra1n\tRa1n|Eg4n").unwrap().unwrap();
    assert_eq!(weights(&test, ["Ra1n", "Eg4n"]), [0.0, 1.0]);
}

#[test]
fn a_goal_of_a_table_must_be_scored_in_whatever_way() {
    for header in ["position\tgoal", "position\tsteps_to_goal"] {
        let test = row(header, "3").unwrap().unwrap();
        assert_eq!(
            weights(&test, ["Db6n Db7e Rd7n", "Ra1n Db6n Db7e Rd7n", "Ra1n"]),
            [1.0, 1.0, 0.0]
        );
        assert_eq!(row(header, "-"), Ok(None));
    }
}

#[test]
fn a_wrong_row_says_which_column_is_wrong() {
    let wrong = [
        ("position\tbest", "Ra1s", "column best: step 1 (Ra1s): "),
        (
            "position\tavoid",
            "Ra1n|Rd7n",
            "column avoid: step 1 (Rd7n): the gold rabbit on d7 is frozen",
        ),
        ("position\tgoal", "2", "column goal: found \"2\", expected 3"),
        ("position\tgoal", "soon", "column goal: found \"soon\", expected 3"),
    ];
    for (header, cells, message) in wrong {
        let error = row(header, cells).unwrap_err();
        assert!(error.starts_with(message), "{error}");
    }
    let columns = Columns::of_header("position\tgoal").unwrap();
    let error = |row: &str| columns.read(row).unwrap_err().to_string();
    assert!(error("g [r]\t1").starts_with("column position: found 1 characters"));
    let none = format!("{}\t1", compact().replace("R     D", "      D"));
    assert_eq!(
        error(&none),
        "column goal: found \"1\", expected -, since there is none within a turn"
    );
    assert_eq!(Columns::of_header("position\tunique_turns"), None);
    assert_eq!(Columns::of_header("best\tavoid"), None);
}

#[test]
fn chances_are_the_goals_of_a_game_taken_or_not() {
    // Gold's rabbit walks through an open file, hesitates before the goal, and scores.
    let record = "1g Ra1 Rb1 Rc1 Rd1 Re1 Rf1 Rg1 Rh2 Ha2 Db2 Cc2 Md2 Ee2 Cf2 Dg2 Hh1\n\
                  1s ra8 rb8 rc8 rd8 re8 rf8 rg8 rg7 ha7 db7 cc7 ed7 me7 cf7\n\
                  2g Rh2n Rh3n Rh4n\n\
                  2s ha7s\n\
                  3g Rh5n Rh6n\n\
                  3s ha6s\n\
                  4g Ee2n\n\
                  4s ha5s\n\
                  5g Rh7n\n";
    let game = Game::parse(record, Army::Handicap).unwrap_or_else(|error| panic!("{error}"));
    let found: Vec<(String, u8, bool)> = chances(&game)
        .map(|Chance { label, steps, scored, .. }| (label, steps.0, scored))
        .collect();
    let chance = |label: &str, steps, scored| (label.to_string(), steps, scored);
    assert_eq!(found, [chance("3g", 3, false), chance("4g", 1, false), chance("5g", 1, true)]);
}

mod shared_data {
    use super::*;

    /// The tests of the shared data.
    fn tests() -> Vec<(String, Test)> {
        let mut files: Vec<_> = fs::read_dir(shared_file("arimaa/ats"))
            .unwrap()
            .map(|file| file.unwrap().path())
            .collect();
        files.sort();
        let read = |path: &std::path::PathBuf| {
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            let test = Test::parse(&fs::read_to_string(path).unwrap());
            (name.clone(), test.unwrap_or_else(|error| panic!("{name}, {error}")))
        };
        files.iter().map(read).collect()
    }

    #[test]
    #[ignore = "needs TUSK_DATA"]
    fn the_tests_are_judged_as_a_person_judges_them() {
        let tests = tests();
        assert_eq!(tests.len(), 31);
        assert!(tests.iter().all(|(_, test)| test.highest() == 1.0));
        let judged: [(&str, &str, f64); 24] = [
            ("01", "Re5n Re6n Re7e Rf7n", 1.0),
            ("01", "Re5n Re6n Re7e", 0.0),
            ("03", "Eg6w Re6n Ef6x Re7e Rf7n", 1.0),
            ("05", "Re7e Rf7e Rg7e Rh7n", 1.0),
            ("06", "Rg1n Rg2w", 0.0),
            ("07", "rb3e Hb2n", 1.0),
            ("08", "mg4s Eg5s mg3e Eg4s", 1.0),
            ("08", "Eg5e", 0.0),
            ("10", "Ef5n mg5w Ef6n mf5n mf6x", 1.0),
            ("10", "Ef5n", 0.0),
            ("11", "Ed2n Ed3n Ed4n Ed5w", 1.0),
            ("11", "Db3e Dc3n Dc4n", 0.7),
            ("11", "Cc2n Cc3n Cc4n", 0.6),
            ("21", "Cc2n Cc3n Cc4n", 0.15),
            ("15", "Ec4e Ed4n Ed5e Hf5e", 1.0),
            ("17", "md7s md6e cc7e rd8e", 1.0),
            ("17", "cc7s cc6e cd6e rd8e", 0.8),
            ("17", "ed3n", 0.0),
            ("20", "Ee6s re7s Ee5s re6s", 0.6),
            ("29", "Re3n", 0.8),
            ("29", "Rc3w", 1.0),
            ("30", "Ef2n Ef3s rf4s rf3x", 1.0),
            ("31", "Ed3w Ec3e rc4s rc3x", 1.0),
            ("31", "Db3n rc4s rc3x Db4e", 0.3),
        ];
        for (name, turn, weight) in judged {
            let (_, test) = tests.iter().find(|(file, _)| *file == format!("{name}.ats")).unwrap();
            assert_eq!(test.weigh(turn), Ok(weight), "{name}: {turn}");
        }
    }

    #[test]
    #[ignore = "needs TUSK_DATA"]
    fn the_goals_of_the_table_are_tests() {
        goals_are_tests(&Rows::shared("arimaa/goal_in_one.tsv"));
    }
}

/// Each row with a number of steps to a goal is a test, and no other row is.
fn goals_are_tests(table: &Rows) {
    let columns = Columns::of_header("position\tsteps_to_goal").unwrap();
    for row in &table.rows {
        let steps = table.cell(row, "steps_to_goal");
        let line = format!("{}\t{steps}", table.cell(row, "position"));
        let test = columns.read(&line).unwrap_or_else(|fault| panic!("{fault}"));
        assert_eq!(test.is_some(), steps != "-");
    }
}

#[test]
fn the_goals_of_the_table_are_tests() {
    goals_are_tests(&Rows::own("arimaa/turns.tsv"));
}
