//! Arimaa for people who play and look.

use std::cmp::Ordering;
use std::fmt::Write as _;

use arimaa::{Board, Form, Mobility, Piece, Position, Side, Square, Step, StepError, Turn};
use arimaa_ai::{Distances, FARTHEST, TurnMobility, Win, setup_library};
use game::Steps;

use super::Arimaa;
use super::threats::SideThreats;
use crate::interactive::{Cell, CellLook, Insight, Interactive, PieceInsight, Threat, TrapGuards};

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
        let turn = match Turn::parse(text, start) {
            Ok(turn) => turn,
            // A turn that has come back to where it began is no turn, but it can go on.
            Err(error) => return walk(start, text).ok_or_else(|| error.to_string()),
        };
        let mut after = *start;
        for step in turn.steps() {
            after.try_play(step).map_err(|error| error.to_string())?;
        }
        Ok(turn.steps().collect())
    }

    fn kind(step: Step) -> &'static str {
        match step.form() {
            Form::Pass => "pass",
            Form::Single => "step",
            Form::Push => "push",
            Form::Pull => "pull",
        }
    }

    fn steps_left(position: &Position) -> u8 {
        position.steps_left().0
    }

    fn explain(position: &Position, from: &str, to: &str) -> String {
        match (from.parse(), to.parse()) {
            (Ok(from), Ok(to)) => explain(position, from, to),
            (Err(_), _) => format!("{from} is no square: expected a1 to h8"),
            (_, Err(_)) => format!("{to} is no square: expected a1 to h8"),
        }
    }

    fn passed(position: &Position) -> Option<Position> {
        Some(Position::new(*position.board(), !position.side()))
    }

    fn frozen(position: &Position) -> Vec<String> {
        let frozen = Side::ALL.into_iter().flat_map(|side| {
            let mobility = Mobility::new(position.board(), side);
            mobility.own & !mobility.free
        });
        frozen.map(|square| square.to_string()).collect()
    }

    fn insight(position: &Position, place: Option<&str>) -> Result<Insight, String> {
        let board = position.board();
        let square = place.map(|text| piece_square(board, text)).transpose()?;
        Ok(Insight {
            traps: Square::TRAPS.map(|trap| trap_guards(board, trap)).to_vec(),
            threats: Side::ALL.into_iter().flat_map(|side| threats_of(board, side)).collect(),
            piece: square.map(|square| piece_insight(board, square)),
        })
    }

    fn setups(side: Side) -> Vec<String> {
        setup_library(side).iter().map(ToString::to_string).collect()
    }
}

/// The square of a piece that is named by it.
pub fn piece_square(board: &Board, text: &str) -> Result<Square, String> {
    let square: Square = text.parse().map_err(|error| format!("{error}"))?;
    match board.piece_at(square) {
        Some(_) => Ok(square),
        None => Err(format!("there is no piece on {square}: name the square of a piece")),
    }
}

fn trap_guards(board: &Board, trap: Square) -> TrapGuards {
    let beside: Vec<Piece> =
        trap.neighbours().into_iter().filter_map(|square| board.piece_at(square)).collect();
    let of = |side: Side| beside.iter().filter(move |piece| piece.side == side);
    let [first, second] = Side::ALL.map(|side| of(side).map(|piece| piece.kind).max());
    let strongest = match first.cmp(&second) {
        Ordering::Greater => Some(Side::First),
        Ordering::Less => Some(Side::Second),
        Ordering::Equal => None,
    };
    let guards = Side::ALL.map(|side| of(side).count());
    TrapGuards { place: trap.to_string(), guards, strongest }
}

/// What a side could do if it were its turn.
fn threats_of(board: &Board, side: Side) -> Vec<Threat> {
    let SideThreats { goal, elimination, captures } = SideThreats::of(board, side);
    let win = |kind: &'static str, win: Win| {
        let (from, to) = last_way(win.turn.steps())?;
        let turn = win.turn.notation(board);
        Some(Threat { side, kind, from: Some(from), to, steps: win.steps.0, turn })
    };
    let wins = [
        goal.and_then(|goal| win("goal", goal)),
        elimination.and_then(|elimination| win("elimination", elimination)),
    ];
    let captures = captures.iter().map(|capture| Threat {
        side,
        kind: "capture",
        from: Some(capture.square.to_string()),
        to: capture.trap.to_string(),
        steps: capture.steps.0,
        turn: capture.turn.notation(board),
    });
    wins.into_iter().flatten().chain(captures).collect()
}

/// From where to where the piece goes that the last step of a turn moves first.
fn last_way(steps: impl Iterator<Item = Step>) -> Option<(String, String)> {
    let ways: Vec<(Square, Square)> = steps.flat_map(Step::moves).collect();
    let &(from, to) = ways.last()?;
    // Back along the way of the same piece.
    let first =
        ways.iter().rev().skip(1).fold(from, |at, &(from, to)| if to == at { from } else { at });
    Some((first.to_string(), to.to_string()))
}

fn piece_insight(board: &Board, square: Square) -> PieceInsight {
    let mobility = TurnMobility::new(board);
    let distances = Distances::new(board, &mobility);
    let matrix = distances.at(square).matrix;
    let near = Square::all()
        .map(|to| (to, matrix.0[to.index()]))
        .filter(|&(to, steps)| to != square && steps < FARTHEST);
    let displaced = Square::all().filter_map(|to| {
        let steps = (2..=4).find(|&steps| mobility.displaced(square, Steps(steps)).has(to))?;
        Some((to.to_string(), steps))
    });
    PieceInsight {
        place: square.to_string(),
        distances: near.map(|(to, steps)| (to.to_string(), steps)).collect(),
        displaced: displaced.collect(),
    }
}

/// The legal steps of a text, one after the other; none, if there is something else in it.
fn walk(start: &Position, text: &str) -> Option<Vec<Step>> {
    let without_captures = |text: &str| -> Vec<String> {
        let words = text.split_whitespace().filter(|word| !word.ends_with('x'));
        words.map(str::to_string).collect()
    };
    let words = without_captures(text);
    let (mut rest, mut position, mut steps) = (&words[..], *start, Vec::new());
    while !rest.is_empty() {
        let told = |step: &Step| without_captures(&Arimaa::step_text(&position, *step));
        let legal = position.steps().into_iter().filter(|step| rest.starts_with(&told(step)));
        let step = legal
            .max_by_key(|step| told(step).len())
            .filter(|_| position.side() == start.side())?;
        rest = &rest[told(&step).len()..];
        position.play_unchecked(step);
        steps.push(step);
    }
    Some(steps)
}

/// Why no step, push or pull brings what stands on `from` to `to`.
fn explain(position: &Position, from: Square, to: Square) -> String {
    let board = position.board();
    let Some(piece) = board.piece_at(from) else {
        return StepError::Empty { square: from }.to_string();
    };
    if piece.side != position.side() {
        return explain_victim(position, from, to);
    }
    if !Mobility::new(board, piece.side).free.has(from) {
        return match freezer(position, from) {
            Some((enemy, square)) => format!(
                "the {piece} on {from} is frozen by the {enemy} on {square}: bring a friend beside it first"
            ),
            None => StepError::Frozen { piece, square: from }.to_string(),
        };
    }
    let Some(direction) = from.direction_to(to) else {
        let left = position.steps_left();
        return format!("no way of {left} steps leads the {piece} from {from} to {to}");
    };
    if let Some(enemy) = board.piece_at(to).filter(|enemy| enemy.side != piece.side) {
        let (mover, square) = (piece, to);
        return if enemy.kind >= piece.kind {
            StepError::TooWeak { mover, from, piece: enemy, square }.to_string()
        } else if position.steps_left() < Steps(2) {
            "a push takes two steps, and one is left".to_string()
        } else {
            format!("there is no empty square to push the {enemy} on {to} to")
        };
    }
    let mut after = *position;
    match after.try_play(Step::single(from, direction)) {
        Err(error) => error.to_string(),
        Ok(()) => format!("the {piece} can go from {from} to {to}"),
    }
}

/// Why an enemy piece is not pushed or pulled there.
fn explain_victim(position: &Position, from: Square, to: Square) -> String {
    let board = position.board();
    let Some(victim) = board.piece_at(from) else {
        return StepError::Empty { square: from }.to_string();
    };
    let own = Mobility::new(board, position.side());
    let stronger = |&square: &Square| {
        board
            .piece_at(square)
            .is_some_and(|piece| piece.side == position.side() && piece.kind > victim.kind)
    };
    let beside: Vec<Square> = from.neighbours().into_iter().filter(stronger).collect();
    let Some(&first) = beside.first() else {
        return format!(
            "the {victim} on {from} is not yours: it moves only by a push or a pull, and no stronger piece of \
             yours is beside it"
        );
    };
    if let Some(free) = beside.iter().copied().find(|&square| own.free.has(square)) {
        let pusher = board.piece_at(free).map_or(String::new(), |piece| piece.to_string());
        return if position.steps_left() < Steps(2) {
            "a push or a pull takes two steps, and one is left".to_string()
        } else if from.direction_to(to).is_none() {
            format!(
                "a push or a pull moves the {victim} on {from} by one square, and {to} is farther"
            )
        } else if let Some(piece) = board.piece_at(to).filter(|_| !beside.contains(&to)) {
            StepError::Occupied { piece, square: to }.to_string()
        } else {
            format!(
                "the {pusher} on {free} has no empty square to go to, so it cannot pull the {victim} on {from}"
            )
        };
    }
    explain(position, first, from)
}

/// The strongest enemy beside a piece, which freezes it.
fn freezer(position: &Position, square: Square) -> Option<(Piece, Square)> {
    let board = position.board();
    let piece = board.piece_at(square)?;
    let enemies = square
        .neighbours()
        .into_iter()
        .filter_map(|beside| board.piece_at(beside).map(|enemy| (enemy, beside)));
    enemies
        .filter(|(enemy, _)| enemy.side != piece.side && enemy.kind > piece.kind)
        .max_by_key(|(enemy, _)| enemy.kind)
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
    fn a_turn_that_is_back_where_it_began_goes_on() {
        let start: Position =
            "g [rrrrrrrrhdcemcdh                                HDCMECDHRRRRRRRR]".parse().unwrap();
        assert_eq!(Arimaa::parse_steps(&start, "Ee2n Ee3s").map(|steps| steps.len()), Ok(2));
        assert_eq!(Arimaa::parse_steps(&start, "Ee2n Ee3s Ha2n").map(|steps| steps.len()), Ok(3));
        assert!(Arimaa::parse_steps(&start, "Ee2n Ee3s Ee2n Ee3s").is_err());
        assert!(Arimaa::parse_steps(&start, "Ee2n Ee3s hello").is_err());
    }

    #[test]
    fn what_is_not_possible_is_explained() {
        // A gold cat beside a silver camel, a gold elephant away from both, a silver rabbit beside the elephant.
        let position: Position =
            "g [                           Cm                         Er R      ]".parse().unwrap();
        let why = |from, to| Arimaa::explain(&position, from, to);
        assert_eq!(
            why("d5", "d6"),
            "the gold cat on d5 is frozen by the silver camel on e5: bring a friend beside it first"
        );
        assert!(why("a1", "a2").starts_with("there is no piece on a1"), "{}", why("a1", "a2"));
        assert!(why("e5", "e6").contains("no stronger piece of yours is beside it"));
        assert!(why("a1x", "a2").starts_with("a1x is no square"));
        assert!(why("g2", "a8").starts_with("no way of 4 steps"), "{}", why("g2", "a8"));
        assert!(why("h2", "h4").contains("by one square"), "{}", why("h2", "h4"));
        assert!(why("b1", "b1").starts_with("no way"), "{}", why("b1", "b1"));
        assert_eq!(Arimaa::frozen(&position), ["d5", "h2"]);
        assert_eq!(Arimaa::passed(&position).map(|passed| passed.side()), Some(Side::Second));
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
