//! The game as plain lines: for pipes, screen readers and whoever likes them.

use std::io::{BufRead, Write};

use engine::Stop;
use game::{Game as _, Side};
use workbench::{Cell, CellLook, Interactive};

use super::session::{Opponent, Reply, Session};

/// Plays until the game is over, the input ends or the person leaves.
pub fn run<S: Interactive>(
    session: &mut Session<S>,
    mut opponent: Opponent<S>,
    mut input: impl BufRead,
    out: &mut impl Write,
    colour: bool,
) -> anyhow::Result<()> {
    writeln!(
        out,
        "You play {} against {}. `help` lists what can be typed.",
        session.sides().0,
        opponent.name
    )?;
    writeln!(out, "The record is kept in {}.", session.path().display())?;
    show(session, out, colour)?;
    while session.game().ended().is_none() {
        if session.is_engines_turn() {
            answer(session, &mut opponent, out, colour)?;
            continue;
        }
        write!(out, "{}> ", session.game().label())?;
        out.flush()?;
        let mut line = String::new();
        if input.read_line(&mut line)? == 0 {
            writeln!(out)?;
            return Ok(());
        }
        match session.obey(&line) {
            Ok(Reply::Quit) => return Ok(()),
            Ok(Reply::Say(lines)) => lines.iter().try_for_each(|line| writeln!(out, "{line}"))?,
            Ok(Reply::Board) if session.is_engines_turn() => {}
            Ok(Reply::Board) => show(session, out, colour)?,
            Ok(Reply::Hint) => match opponent.advise(session.game(), &Stop::new()) {
                Some(hint) => {
                    writeln!(out, "{}", hint.text)?;
                    session.take_hint(&hint);
                }
                None => writeln!(out, "There is no hint: give up.")?,
            },
            Err(fault) => writeln!(out, "{fault}")?,
        }
    }
    Ok(())
}

/// The engine plays, and the board is drawn.
fn answer<S: Interactive>(
    session: &mut Session<S>,
    opponent: &mut Opponent<S>,
    out: &mut impl Write,
    colour: bool,
) -> anyhow::Result<()> {
    let label = session.game().label();
    let played = match opponent.choose(session.game(), &Stop::new()) {
        Some(action) => {
            let text = session.game().notation(action);
            session.play(action).map(|()| text)
        }
        None => session.finish("resigns").map(|()| "resigns".to_string()),
    };
    let text = played.map_err(anyhow::Error::msg)?;
    writeln!(out, "{label} {text}")?;
    show(session, out, colour)
}

/// Draws the board and says whose turn it is.
fn show<S: Interactive>(
    session: &Session<S>,
    out: &mut impl Write,
    colour: bool,
) -> anyhow::Result<()> {
    write!(out, "\n{}", drawn(&session.cells(), colour))?;
    writeln!(out, "{}\n{}\n", session.heading(), session.clocks())?;
    Ok(())
}

/// The board as text, in colour where there is some.
fn drawn(cells: &[Cell], colour: bool) -> String {
    let mut cells: Vec<&Cell> = cells.iter().collect();
    cells.sort_by_key(|cell| (cell.row, cell.column));
    let mut text = String::new();
    for row in cells.chunk_by(|one, other| one.row == other.row) {
        let mut width = 0;
        for cell in row {
            text += &" ".repeat(cell.column.saturating_sub(width));
            width = cell.column + cell.text.chars().count();
            match paint(cell).filter(|_| colour) {
                Some(code) => text += &format!("\x1b[{code}m{}\x1b[0m", cell.text),
                None => text += &cell.text,
            }
        }
        text.push('\n');
    }
    text
}

/// How a terminal is told the colour of a cell.
fn paint(cell: &Cell) -> Option<&'static str> {
    match (cell.side, cell.look) {
        (Some(Side::First), _) => Some("1;33"),
        (Some(Side::Second), _) => Some("1;36"),
        (None, CellLook::Marked) => Some("31"),
        (None, CellLook::Edge) => Some("2"),
        (None, CellLook::Plain) => None,
    }
}
