//! Positions and games of Tzaar as people and WALTZ write them.

use tzaar::{Game, Picture, Position, Step, TextError};

use super::Tzaar;
use crate::reading::{Content, Reading, TableColumns, is_kept, is_record_line, uncommented};
use crate::{Army, GameRecord};

impl Reading for Tzaar {
    fn read_whole(text: &str, _: Army) -> Option<Result<Content<Tzaar>, (usize, String)>> {
        read_whole(text)
    }

    fn read_line(line: &str) -> Result<Content<Tzaar>, String> {
        read_line(line)
    }

    /// A game in one cell: its lines with `\n` or `|` between them, of which the first may be a position.
    fn read_movelist(moves: &str, _: Army) -> Result<Content<Tzaar>, String> {
        let game = GameRecord::parse(&record_of(moves), Army::Full);
        game.map(Content::new).map_err(|(_, fault)| fault)
    }

    fn is_origin(line: &str) -> bool {
        is_position(line)
    }
}

/// How many numbers there are in one position, and in one that is still being filled, where a word comes first.
const NUMBERS: usize = 163;
const NUMBERS_OF_PLACING: usize = 83;

/// Whether a text is of Tzaar, by its first line that says something.
pub fn is_tzaar(text: &str) -> bool {
    let mut lines = text.lines().filter(|line| is_told(line));
    let Some(first) = lines.next() else { return false };
    if let Some(table) = TableColumns::of_header(first) {
        let cells = lines.filter_map(|row| table.cell(row));
        return cells.take(1).any(|cell| is_tzaar(&record_of(cell)));
    }
    is_position(first) || is_heading(first) || is_turn(first)
}

/// Whether a line says something: the files of WALTZ have comments of their own.
fn is_told(line: &str) -> bool {
    is_kept(line) && !line.trim_start().starts_with('%')
}

fn words(line: &str) -> Vec<&str> {
    let line = uncommented(line);
    line.split('%').next().unwrap_or(line).split_whitespace().collect()
}

fn is_number(word: &str) -> bool {
    word.parse::<i32>().is_ok()
}

/// Whether the numbers of a position begin here.
fn is_position(line: &str) -> bool {
    words(line).first().is_some_and(|word| *word == "placing" || is_number(word))
}

/// Whether all numbers of a position stand in this line.
fn is_whole_position(line: &str) -> bool {
    let words = words(line);
    let placing = words.first() == Some(&"placing");
    words.len() == if placing { NUMBERS_OF_PLACING } else { NUMBERS }
}

/// Whether a picture begins here.
fn is_heading(line: &str) -> bool {
    let words = words(line);
    let is = |index: usize, known: &[&str]| {
        words
            .get(index)
            .is_some_and(|word| known.iter().any(|known| word.eq_ignore_ascii_case(known)))
    };
    words.len() == 3 && is(0, &["White", "Black"]) && is(1, &["to"]) && is(2, &["move", "place"])
}

/// Whether a line of a record begins with a move, after its label or without one.
fn is_turn(line: &str) -> bool {
    let words = words(line);
    let first = words.iter().find(|word| !is_record_line(word));
    first.is_some_and(|word| *word != "-" && word.parse::<Step>().is_ok())
}

/// A position may fill many lines, or have the turns of a game below it.
fn read_whole(text: &str) -> Option<Result<Content<Tzaar>, (usize, String)>> {
    let mut lines = text.lines().filter(|line| is_told(line));
    let first = lines.next()?;
    if is_heading(first) {
        return Some(read_picture(text));
    }
    let is_played = |line: &str| is_turn(line) || is_record_line(line);
    if is_played(first) || is_position(first) && lines.clone().any(is_played) {
        return Some(GameRecord::parse(text, Army::Full).map(Content::new));
    }
    (is_position(first) && !is_whole_position(first)).then(|| read_file(text))
}

fn placed(error: &TextError) -> (usize, String) {
    (error.line, format!("column {}: {}", error.column, error.fault))
}

fn read_picture(text: &str) -> Result<Content<Tzaar>, (usize, String)> {
    let Picture(position) = text.parse().map_err(|error| placed(&error))?;
    Ok(Content::new(Game::new(position)))
}

fn read_file(text: &str) -> Result<Content<Tzaar>, (usize, String)> {
    // Our own comments are blanked, so that lines keep their numbers.
    let lines: Vec<&str> = text.lines().map(uncommented).collect();
    let position: Position = lines.join("\n").parse().map_err(|error| placed(&error))?;
    Ok(Content::new(Game::new(position)))
}

pub(super) fn read_line(line: &str) -> Result<Content<Tzaar>, String> {
    if line.contains('[') {
        return Err(
            "this is a position of Arimaa, among positions of Tzaar: put it into a file of \
                    its own"
                .to_string(),
        );
    }
    if !is_position(line) {
        return Err(
            "column 1: this is no position: expected WALTZ's 163 numbers (the player, 1 or \
                    -1, then 81 cells and 81 heights), a drawn board, a game record, or a table \
                    with a column `position`"
                .to_string(),
        );
    }
    let position: Position = uncommented(line)
        .parse()
        .map_err(|TextError { column, fault, .. }| format!("column {column}: {fault}"))?;
    Ok(Content::new(Game::new(position)))
}

fn record_of(moves: &str) -> String {
    moves.replace("\\n", "\n").replace('|', "\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: &str = "1w E4xF3\n1b A1xB1 A2+A3\n";

    #[test]
    fn a_text_of_tzaar_is_told_by_its_first_line() {
        let start = Position::fixed_start();
        let texts = [
            start.to_string(),
            format!("# from somewhere\n% a comment of WALTZ\n{start:#}"),
            Position::tournament_start().to_string(),
            Picture(start).to_string(),
            START.to_string(),
            "Z@E4".to_string(),
            format!("name\tposition\nfirst\t{start}"),
            "movelist\nE4xF3|A1xB1 A2+A3".to_string(),
        ];
        for text in &texts {
            assert!(is_tzaar(text), "{text}");
        }
        let others = [
            "",
            "g [                                                                ]",
            "1g Ra1 Rb1 Rc1",
            "1w Ra1 Rb1 Rc1",
            "1w",
            "2g Rc3x",
            " +-----------------+\n8| r r r d d r r r |",
            "position\ng [r]",
            "movelist\n1w Ra1\\n1b ra8",
            "White is to move",
            "hello",
        ];
        for text in others {
            assert!(!is_tzaar(text), "{text}");
        }
    }

    #[test]
    fn every_form_of_a_position_is_read_as_the_same() {
        let mut game = Game::new(Position::fixed_start());
        for turn in ["E4xF3", "A1xB1 A2+A3"] {
            game.play_text(turn).unwrap();
        }
        let position = *game.position();
        let wholes = [
            format!("{position:#}"),
            format!("% by hand\n{position:#}").replacen('\n', "  % White\n", 2),
            Picture(position).to_string(),
            START.to_string(),
            format!("{}\n{START}", Position::fixed_start()),
            format!("{:#}\n{START}", Position::fixed_start()),
        ];
        for text in &wholes {
            let read = read_whole(text).expect("a whole text");
            let read = read.unwrap_or_else(|(line, fault)| panic!("{text}\nline {line}: {fault}"));
            assert_eq!(*read.game.position(), position, "{text}");
        }
        let line = position.to_string();
        assert!(read_whole(&format!("{line}\n{line}\n")).is_none(), "a position a line");
        assert!(read_line(&line).is_ok_and(|read| *read.game.position() == position));
        let cell = Tzaar::read_movelist("1w E4xF3\\n1b A1xB1 A2+A3", Army::Full);
        assert!(cell.is_ok_and(|read| *read.game.position() == position));
    }
}
