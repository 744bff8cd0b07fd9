//! Positions and games of Arimaa as people write them.

use arimaa::{Army, Game, Picture, Position, TextError};

use super::Arimaa;
use crate::GameRecord;
use crate::reading::{Content, Reading, is_kept, is_record_line, record_of, uncommented};
use crate::tzaar::is_tzaar;

impl Reading for Arimaa {
    fn read_whole(text: &str, army: Army) -> Option<Result<Content<Arimaa>, (usize, String)>> {
        read_whole(text, army)
    }

    fn read_line(line: &str) -> Result<Content<Arimaa>, String> {
        read_line(line)
    }

    /// A game in one cell.
    fn read_movelist(moves: &str, army: Army) -> Result<Content<Arimaa>, String> {
        read_record(&record_of(moves), army).map_err(|(_, fault)| fault)
    }

    fn is_origin(_: &str) -> bool {
        false
    }
}

/// A picture has bars, a record begins with the label of a turn.
fn read_whole(text: &str, army: Army) -> Option<Result<Content<Arimaa>, (usize, String)>> {
    let mut lines = text.lines().filter(|line| is_kept(line)).map(uncommented);
    let first = lines.clone().next()?;
    if lines.any(|line| line.contains('|')) {
        Some(read_picture(text))
    } else {
        is_record_line(first).then(|| read_record(text, army))
    }
}

fn read_record(text: &str, army: Army) -> Result<Content<Arimaa>, (usize, String)> {
    let game: Game = GameRecord::parse(text, army)?;
    match game.setting_up() {
        None => Ok(Content::new(game)),
        Some(side) => {
            let name = arimaa::side::name(side);
            let fault =
                format!("the record ends before {name} has set up: add the line of 1g or 1s");
            Err((text.lines().count().max(1), fault))
        }
    }
}

fn read_picture(text: &str) -> Result<Content<Arimaa>, (usize, String)> {
    let picture: Picture = text
        .parse()
        .map_err(|e: TextError| (e.line, format!("column {}: {}", e.column, e.fault)))?;
    let label = picture.side.map(|side| {
        let number = picture.number.map_or(String::new(), |number| number.to_string());
        format!("{number}{}", arimaa::side::letter(side))
    });
    Ok(Content { label, ..Content::new(Game::from_position(picture.position())) })
}

fn read_line(line: &str) -> Result<Content<Arimaa>, String> {
    if is_tzaar(line) {
        return Err(
            "this is a position of Tzaar, among positions of Arimaa: put it into a file of \
                    its own, or settle the game by --game tzaar"
                .to_string(),
        );
    }
    if !line.contains('[') {
        return Err("column 1: this is no position: expected a line such as g [64 characters], \
                    a board picture, a game record, or a table with a column `position`"
            .to_string());
    }
    let position: Position =
        line.parse().map_err(|e: TextError| format!("column {}: {}", e.column, e.fault))?;
    Ok(Content::new(Game::from_position(position)))
}
