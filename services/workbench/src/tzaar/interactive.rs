//! Tzaar for people who play and look.

use std::fmt::Write as _;

use tzaar::{Field, Phase, Position, Side, Step, side};

use super::Tzaar;
use crate::interactive::{Cell, CellLook, Interactive};

impl Interactive for Tzaar {
    // As in Arimaa: no better one is known.
    const CHANCE_SCALE: f64 = 466.0;
    const USUAL_OPENING: &'static str = "random";
    const PASS: Step = Step::Pass;

    fn cells(position: &Position) -> Vec<Cell> {
        let stacks = Field::all().map(|field| cell(position, field));
        stacks.chain(edges()).collect()
    }

    fn svg(position: &Position) -> String {
        svg(position)
    }

    fn step_text(_: &Position, step: Step) -> String {
        step.to_string()
    }

    fn moves(step: Step) -> Vec<(Option<String>, String)> {
        match step {
            Step::Capture { from, to } | Step::Stacking { from, to } => {
                vec![(Some(from.to_string()), to.to_string())]
            }
            Step::Place { field, .. } => vec![(None, field.to_string())],
            Step::Pass => Vec::new(),
        }
    }

    fn parse_steps(start: &Position, text: &str) -> Result<Vec<Step>, String> {
        let mut after = *start;
        let mut steps = Vec::new();
        for word in text.split_whitespace() {
            let told = if word.eq_ignore_ascii_case("pass") { "-" } else { word };
            let step: Step = told.parse().map_err(|fault| format!("{word}: {fault}"))?;
            if after.side() != start.side() {
                return Err(format!("{word}: the turn is over before it"));
            }
            after = after.try_step(step).map_err(|fault| format!("{word}: {fault}"))?;
            steps.push(step);
        }
        Ok(steps)
    }

    fn kind(step: Step) -> &'static str {
        match step {
            Step::Capture { .. } => "capture",
            Step::Stacking { .. } => "stacking",
            Step::Place { .. } => "place",
            Step::Pass => "pass",
        }
    }

    fn steps_left(position: &Position) -> u8 {
        match position.phase() {
            Phase::First => 2,
            Phase::Second | Phase::Opening | Phase::Placing => 1,
        }
    }

    fn explain(position: &Position, from: &str, to: &str) -> String {
        match (from.parse(), to.parse()) {
            (Ok(from), Ok(to)) => explain(position, from, to),
            (Err(_), _) => format!("{from} is no field: expected A1 to I5"),
            (_, Err(_)) => format!("{to} is no field: expected A1 to I5"),
        }
    }

    fn passed(position: &Position) -> Option<Position> {
        (position.phase() == Phase::First).then(|| position.with_other_side())
    }
}

/// Why no stack goes from `from` to `to`.
fn explain(position: &Position, from: Field, to: Field) -> String {
    let stack_at = |field| position.board().stack_at(field);
    let Some(stack) = stack_at(from) else {
        return format!("there is no stack on {from}");
    };
    if stack.side != position.side() {
        return format!("the stack on {from} is {}'s", side::name(stack.side));
    }
    let step = match stack_at(to) {
        None => return format!("{to} is empty: a stack goes onto another one"),
        Some(target) if target.side == stack.side => Step::Stacking { from, to },
        Some(_) => Step::Capture { from, to },
    };
    match position.try_step(step) {
        Err(fault) => fault.to_string(),
        Ok(_) => format!("{step} can be played"),
    }
}

/// The half of the board's width.
const HALF: usize = 4;

/// The characters of a column.
const COLUMN: usize = 4;

/// The row of a field in a picture: those of a line are two rows apart, and the names of its ends come before and after.
fn row(field: Field) -> usize {
    2 * (field.row() + 1) + HALF - field.column()
}

fn cell(position: &Position, field: Field) -> Cell {
    let stack = position.board().stack_at(field);
    Cell {
        name: Some(field.to_string()),
        row: row(field),
        column: COLUMN * field.column(),
        text: stack.map_or(".".to_string(), |stack| stack.to_string()),
        side: stack.map(|stack| stack.side),
        look: CellLook::Plain,
    }
}

/// The names of the ends of the lines.
fn edges() -> Vec<Cell> {
    let ends = (0..=2 * HALF).flat_map(|column| {
        let line = || Field::all().filter(move |field| field.column() == column);
        let (first, last) =
            (line().min_by_key(|&field| row(field)), line().max_by_key(|&field| row(field)));
        [first.map(|field| (field, row(field) - 2)), last.map(|field| (field, row(field) + 2))]
    });
    let edge = |(field, row): (Field, usize)| Cell {
        name: None,
        row,
        column: COLUMN * field.column(),
        text: field.to_string(),
        side: None,
        look: CellLook::Edge,
    };
    ends.flatten().map(edge).collect()
}

/// How far the lines from A to I, and the rows, are apart in the picture.
const COLUMN_WIDTH: usize = 52;
const ROW_HEIGHT: usize = 28;

/// Where a row and a line of the board are in the picture.
fn centre(row: usize, line: usize) -> (usize, usize) {
    (42 + COLUMN_WIDTH * line, 20 + ROW_HEIGHT * row)
}

fn svg(position: &Position) -> String {
    let mut svg = format!(
        "<svg viewBox=\"0 0 500 600\" role=\"img\" aria-label=\"{} to move\" \
         font-family=\"sans-serif\" text-anchor=\"middle\">",
        side::name(position.side())
    );
    for field in Field::all() {
        let (x, y) = centre(row(field), field.column());
        let Some(stack) = position.board().stack_at(field) else {
            let _ = write!(svg, "<circle cx=\"{x}\" cy=\"{y}\" r=\"4\" fill=\"#b9ad95\"/>");
            continue;
        };
        let (fill, ink) = match stack.side {
            Side::First => ("#fffdf6", "#222"),
            Side::Second => ("#333", "#fff"),
        };
        let letter = stack.kind.letter().to_ascii_uppercase();
        let _ = write!(
            svg,
            "<circle cx=\"{x}\" cy=\"{y}\" r=\"22\" fill=\"{fill}\" stroke=\"#222\"/><text x=\"{x}\" \
             y=\"{}\" font-size=\"20\" font-weight=\"bold\" fill=\"{ink}\">{letter}",
            y + 7
        );
        if stack.height > 1 {
            let _ = write!(svg, "<tspan font-size=\"14\" dy=\"4\">{}</tspan>", stack.height);
        }
        svg += "</text>";
    }
    for edge in edges() {
        let (x, y) = centre(edge.row, edge.column / COLUMN);
        let _ = write!(
            svg,
            "<text x=\"{x}\" y=\"{}\" font-size=\"14\" fill=\"#777\">{}</text>",
            y + 5,
            edge.text
        );
    }
    svg + "</svg>"
}

#[cfg(test)]
mod tests {
    use tzaar::Picture;

    use super::*;

    #[test]
    fn cells_stand_where_a_picture_has_them() {
        let position = Position::fixed_start();
        let picture = Picture(position).to_string();
        let rows: Vec<&str> = picture.lines().skip(1).collect();
        for cell in Tzaar::cells(&position) {
            let row = rows[cell.row];
            assert!(row[cell.column..].starts_with(&cell.text), "{cell:?} in {row:?}");
        }
    }

    #[test]
    fn what_is_not_possible_is_explained() {
        let start = Position::fixed_start();
        assert!(Tzaar::explain(&start, "A1", "B1").contains("is Black's"));
        assert!(Tzaar::explain(&start, "B1", "C1").contains("must be a capture"));
        let far = Tzaar::explain(&start, "B1", "E8");
        assert!(far.contains("E8"), "{far}");
        assert!(Tzaar::explain(&start, "Z1", "I5").contains("is no field"));
        let after = Tzaar::parse_steps(&start, "E4xF3").map(|steps| start.try_step(steps[0]));
        let after = after.unwrap().unwrap();
        assert!(Tzaar::explain(&after, "A1", "E4").contains("E4 is empty"));
    }

    #[test]
    fn steps_are_read_as_far_as_they_are_legal() {
        let start = Position::fixed_start();
        let steps = Tzaar::parse_steps(&start, "E4xF3").unwrap();
        assert_eq!(Tzaar::step_text(&start, steps[0]), "E4xF3");
        assert!(Tzaar::parse_steps(&start, "E4xF3 A1xB1").unwrap_err().contains("A1xB1"));
        assert!(Tzaar::parse_steps(&start, "hello").is_err());
    }
}
