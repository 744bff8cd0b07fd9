//! Arimaa for people who play and look.

use std::fmt::Write as _;

use arimaa::{Position, Side, Square, Step, Turn};

use super::Arimaa;
use crate::interactive::{Cell, CellLook, Interactive};

impl Interactive for Arimaa {
    // The scale that the net was trained with (models/arimaa-network.md).
    const CHANCE_SCALE: f64 = 466.0;
    const USUAL_OPENING: &'static str = "empty";
    const PASS: Step = Step::PASS;

    fn cells(position: &Position) -> Vec<Cell> {
        let edge = |row, column, text: String| Cell {
            name: None,
            row,
            column,
            text,
            side: None,
            look: CellLook::Edge,
        };
        let ranks = (1..=8).map(|rank: usize| edge(8 - rank, 0, rank.to_string()));
        let files = ('a'..='h').zip(0..).map(|(file, index)| edge(8, 3 + 3 * index, file.into()));
        Square::drawn().map(|square| cell(position, square)).chain(ranks).chain(files).collect()
    }

    fn svg(position: &Position) -> String {
        svg(position)
    }

    fn step_text(position: &Position, step: Step) -> String {
        match step == Step::PASS {
            true => "pass".to_string(),
            false => Turn::EMPTY.then(step).notation(position.board()),
        }
    }

    fn moves(step: Step) -> Vec<(Option<String>, String)> {
        if step == Step::PASS {
            return Vec::new();
        }
        step.moves().map(|(from, to)| (Some(from.to_string()), to.to_string())).collect()
    }

    fn parse_steps(start: &Position, text: &str) -> Result<Vec<Step>, String> {
        let turn = Turn::parse(text, start).map_err(|error| error.to_string())?;
        let mut after = *start;
        for step in turn.steps() {
            after.try_play(step).map_err(|error| error.to_string())?;
        }
        Ok(turn.steps().collect())
    }
}

fn cell(position: &Position, square: Square) -> Cell {
    let piece = position.board().piece_at(square);
    let is_trap = Square::TRAPS.contains(&square);
    let empty = if is_trap { 'x' } else { '.' };
    Cell {
        name: Some(square.to_string()),
        row: 7 - square.row(),
        column: 3 + 3 * square.column(),
        text: piece.map_or(empty, |piece| piece.letter()).to_string(),
        side: piece.map(|piece| piece.side),
        look: if is_trap { CellLook::Marked } else { CellLook::Plain },
    }
}

/// The width of a square in the picture.
const WIDTH: usize = 50;

fn svg(position: &Position) -> String {
    let size = 8 * WIDTH + 30;
    let mut svg = format!(
        "<svg viewBox=\"0 0 {size} {size}\" role=\"img\" aria-label=\"{position}\" \
         font-family=\"sans-serif\" text-anchor=\"middle\">"
    );
    for square in Square::drawn() {
        let (x, y) = (25 + WIDTH * square.column(), 5 + WIDTH * (7 - square.row()));
        let is_light = (square.row() + square.column()) % 2 == 1;
        let fill = match (Square::TRAPS.contains(&square), is_light) {
            (true, _) => "#c97b6b",
            (false, true) => "#f3ecdd",
            (false, false) => "#e2d8c3",
        };
        let _ = write!(
            svg,
            "<rect x=\"{x}\" y=\"{y}\" width=\"{WIDTH}\" height=\"{WIDTH}\" fill=\"{fill}\"/>"
        );
        let Some(piece) = position.board().piece_at(square) else { continue };
        let (fill, ink) = match piece.side {
            Side::First => ("#d9a521", "#3a2a00"),
            Side::Second => ("#8b95a5", "#10151d"),
        };
        let (x, y) = (x + WIDTH / 2, y + WIDTH / 2);
        let letter = piece.letter().to_ascii_uppercase();
        let _ = write!(
            svg,
            "<circle cx=\"{x}\" cy=\"{y}\" r=\"20\" fill=\"{fill}\"/><text x=\"{x}\" y=\"{}\" \
             font-size=\"22\" font-weight=\"bold\" fill=\"{ink}\">{letter}</text>",
            y + 8
        );
    }
    for (index, file) in (0..).zip('a'..='h') {
        let (x, y) = (50 + WIDTH * index, 8 * WIDTH + 24);
        let _ = write!(svg, "<text x=\"{x}\" y=\"{y}\" font-size=\"15\">{file}</text>");
        let (rank, y) = (8 - index, 36 + WIDTH * index);
        let _ = write!(svg, "<text x=\"12\" y=\"{y}\" font-size=\"15\">{rank}</text>");
    }
    svg + "</svg>"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_push_moves_two_pieces_and_is_read_back() {
        let position: Position =
            "g [                            r       E                           ]".parse().unwrap();
        let push = Arimaa::parse_steps(&position, "re5n Ee4n").unwrap();
        assert_eq!(push.len(), 1);
        assert_eq!(Arimaa::step_text(&position, push[0]), "re5n Ee4n");
        let moved = |from: &str, to: &str| (Some(from.to_string()), to.to_string());
        assert_eq!(Arimaa::moves(push[0]), [moved("e5", "e6"), moved("e4", "e5")]);
        assert!(Arimaa::parse_steps(&position, "Ee4w Ee4w").is_err());
        assert!(Arimaa::moves(Step::PASS).is_empty());
    }

    #[test]
    fn every_square_is_a_cell_of_its_own() {
        let position: Position =
            "g [                            r       E                           ]".parse().unwrap();
        let cells = Arimaa::cells(&position);
        assert_eq!(cells.iter().filter(|cell| cell.name.is_some()).count(), 64);
        let e4 = cells.iter().find(|cell| cell.name.as_deref() == Some("e4")).unwrap();
        assert_eq!((e4.row, e4.column, e4.text.as_str()), (4, 15, "E"));
        assert_eq!(Arimaa::svg(&position).matches("<circle").count(), 2);
    }
}
