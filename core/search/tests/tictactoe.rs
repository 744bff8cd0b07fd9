//! The worked example of docs/adding-a-game.md, beside a solver that tries everything, and the document
//! beside the code that it shows.

mod everything;
#[expect(dead_code, reason = "the tests call what its main function calls")]
#[path = "../examples/tictactoe/main.rs"]
mod tictactoe;

use everything::{Everything, positions};
use game::{Notation, PackedStep, Position as _, Proof, Side};
use proof::{Document, StrategyNode};
use tictactoe::rules::{Grid, Mark};
use tictactoe::{best_turn, proved, solved_best_first, solved_depth_first, told};

const DOCUMENT: &str = include_str!("../../../docs/adding-a-game.md");

const SOURCES: [&str; 4] = [
    include_str!("../examples/tictactoe/rules.rs"),
    include_str!("../examples/tictactoe/heuristics.rs"),
    include_str!("../examples/tictactoe/proofs.rs"),
    include_str!("../examples/tictactoe/main.rs"),
];

#[test]
fn who_has_three_in_a_row_has_lost_and_who_finds_no_cell_too() {
    let over = |text: &str| text.parse::<Grid>().expect("a grid").winner();
    assert_eq!(over("x.../.x../..x. o"), Some(Side::Second));
    assert_eq!(over(".o../.o../.o.. x"), Some(Side::First));
    assert_eq!(over("..../..../.ooo x"), Some(Side::First));
    assert_eq!(over("..o./.o../o... x"), Some(Side::First));
    assert_eq!(over("xxoo/ooxx/xxoo x"), Some(Side::Second));
    assert_eq!(over("xx.x/x.../.... o"), None);
    // The end of the turn decides.
    let two: Grid = "xx../..../.... x".parse().expect("a grid");
    assert_eq!(two.after(Mark::Cell(10)).winner(), None);
    assert_eq!(two.after(Mark::Cell(10)).after(Mark::None).winner(), Some(Side::Second));
}

#[test]
fn each_search_decides_as_trying_everything_does() {
    let mut everything = Everything::default();
    let (mut wins, mut losses) = (0, 0);
    for turns in 2..5 {
        for grid in positions(60, turns, 20) {
            let expected = everything.result(&grid).winner(grid.side);
            let searches = [solved_depth_first(&grid), solved_best_first(&grid)];
            for proof in searches.map(|findings| findings.proof.expect("a proof")) {
                assert_eq!(proof.winner(grid.side), expected, "{grid}");
            }
            if expected != grid.side {
                losses += 1;
                continue;
            }
            // From here on, alpha-beta looks to the end.
            wins += 1;
            let turn = best_turn(&grid).expect("a turn");
            let after = turn.iter().fold(grid, |grid, &step| grid.after(step));
            let result = everything.result(&after);
            assert!(turns < 4 || matches!(result, Proof::Loss(_)), "{turn:?} in {grid}");
        }
    }
    assert!(wins > 30 && losses > 30, "{wins} wins, {losses} losses");
}

#[test]
fn the_whole_game_is_lost_for_whoever_begins() {
    let grid = Grid::EMPTY;
    assert!(matches!(Everything::default().result(&grid), Proof::Loss(_)));
    for findings in [solved_depth_first(&grid), solved_best_first(&grid)] {
        assert_eq!(findings.proof.map(|proof| proof.winner(grid.side)), Some(Side::Second));
    }
}

#[test]
fn proofs_are_checked_and_read_back_and_wrong_ones_are_found_out() {
    let mut everything = Everything::default();
    for grid in positions(40, 3, 21) {
        let winner = everything.result(&grid).winner(grid.side);
        let proof = proved(&grid, winner).expect("a proof");
        proof.check().expect("a valid proof");
        let read = Document::<Grid>::read(&proof.text()).expect("the same");
        assert_eq!(read.text(), proof.text());
        assert_eq!((read.position, read.result), (grid, proof.result));
        read.check().expect("a valid proof");
        assert!(proved(&grid, !winner).is_err());
        // Without one of its answers, or its finishers, it is none.
        let mut less = proof.clone();
        let forgetful = less.strategy.nodes.iter_mut().find_map(|node| match node {
            StrategyNode::Defence { finishers, answers } if finishers.len() + answers.len() > 0 => {
                finishers.clear();
                answers.pop();
                Some(())
            }
            _ => None,
        });
        assert!(forgetful.is_none() || less.check().is_err(), "{}", less.text());
    }
}

#[test]
fn texts_are_read_as_they_were_written() {
    for grid in positions(100, 3, 22) {
        assert_eq!(grid.to_string().parse(), Ok(grid));
        for (turn, _) in grid.turns() {
            assert_eq!(Grid::read_turn(&grid.turn_text(&turn), grid.side), Ok(turn.clone()));
            for step in turn {
                assert_eq!(Mark::unpack(step.pack()), Some(step));
            }
        }
    }
    for wrong in ["", "..../.... x", "..../..../.... y", "..../..../..ö. x", "....../.../.... x"] {
        assert!(wrong.parse::<Grid>().is_err(), "{wrong}");
    }
    for wrong in ["", "a4", "a1 b1 c1"] {
        assert!(Grid::read_turn(wrong, Side::First).is_err(), "{wrong}");
    }
}

/// The blocks of the document in that language.
fn blocks(language: &str) -> Vec<String> {
    let fence = format!("```{language}\n");
    let parts = DOCUMENT.split(&fence).skip(1);
    parts.map(|part| part.split("```").next().expect("a part").to_string()).collect()
}

/// Lines without the indentation that they share.
fn outdented(text: &str) -> String {
    let filled = text.lines().filter(|line| !line.trim().is_empty());
    let indent = filled.map(|line| line.len() - line.trim_start().len()).min().unwrap_or(0);
    text.lines().map(|line| line.get(indent..).unwrap_or("")).collect::<Vec<&str>>().join("\n")
}

#[test]
fn the_document_shows_the_code_as_it_is() {
    let blocks = blocks("rust");
    assert!(blocks.len() > 5, "{}", blocks.len());
    for block in blocks {
        let lines = block.lines().count();
        let shown = outdented(&block);
        let is_there = SOURCES.iter().any(|source| {
            let source: Vec<&str> = source.lines().collect();
            source.windows(lines).any(|part| outdented(&part.join("\n")) == shown)
        });
        assert!(is_there, "this is not in the example as docs/adding-a-game.md shows it:\n{block}");
    }
}

#[test]
fn the_document_shows_what_the_example_prints() {
    let mut shown = 0;
    for block in blocks("text") {
        for command in block.split("$ cargo run -p search --example tictactoe").skip(1) {
            let (arguments, output) = command.split_once('\n').expect("a command and its output");
            let position = arguments.trim().trim_start_matches("--").trim().trim_matches('"');
            let grid = if position.is_empty() { Ok(Grid::EMPTY) } else { position.parse() };
            let printed = told(&grid.expect("a grid")).expect("a proof");
            assert_eq!(output.trim_end(), printed.trim_end(), "what {command:?} prints");
            shown += 1;
        }
    }
    assert!(shown > 0, "there is a command in docs/adding-a-game.md");
}
