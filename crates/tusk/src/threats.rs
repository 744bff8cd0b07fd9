//! `tusk threats`: what each side could win within a turn.

use std::io::{BufWriter, Write};
use std::time::{Duration, Instant};

use arimaa::{Board, Observer, Piece, Position, Side, Square, Turn, side};
use arimaa_ai::{Capture, Captures, Win, captures, elimination, goal};
use clap::ValueEnum;
use game::{BySide, Steps};
use serde_json::{Map, Value, json};

use crate::input::{self, Entry};
use crate::show::refuse;
use crate::{Verdict, bench};

/// Says what each side could win if it were its turn with four steps.
///
/// For both sides: the least steps to a goal, to the capture of all enemy rabbits, and to the capture of
/// each enemy piece in each trap, exactly, with the steps that do it. Repetition is not looked at.
#[derive(clap::Args)]
#[command(after_help = "Example:\n  tusk threats positions/bench.txt --only wins")]
pub struct Arguments {
    #[command(flatten)]
    pub input: input::Input,

    /// Look for goals and eliminations alone, or for captures alone
    #[arg(long, value_enum)]
    pub only: Option<Only>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Only {
    /// Goals, and the capture of all rabbits
    Wins,
    /// The captures of single pieces
    Captures,
}

/// What one side could do, as far as it was asked for.
#[derive(Clone, Default)]
pub struct Tactics {
    pub goal: Option<Win>,
    pub elimination: Option<Win>,
    pub captures: Captures,
}

impl Tactics {
    #[inline]
    fn look(&mut self, board: &Board, side: Side, only: Option<Only>) {
        const WHOLE_TURN: Steps = Steps(4);
        if only != Some(Only::Captures) {
            self.goal = goal(board, side, WHOLE_TURN);
            self.elimination = elimination(board, side, WHOLE_TURN);
        }
        if only != Some(Only::Wins) {
            self.captures = captures(board, side, WHOLE_TURN);
        }
    }

    /// Everything that a side could do.
    pub fn of(board: &Board, side: Side) -> Tactics {
        let mut tactics = Tactics::default();
        tactics.look(board, side, None);
        tactics
    }

    /// The lines that tell it.
    pub fn lines(&self, board: &Board) -> Vec<String> {
        let win = |what: &str, win: Option<Win>| {
            let win = win?;
            Some(match win.steps {
                Steps(0) => format!("{what}: done already"),
                steps => format!("{what} in {steps}: {}", win.turn.notation(board)),
            })
        };
        let wins = [win("goal", self.goal), win("all rabbits captured", self.elimination)];
        let captures = self.captures.iter().map(|capture| {
            let Capture { piece, square, trap, steps, turn, .. } = capture;
            let losses = losses(board, capture).join(" and ");
            let price = if losses.is_empty() { losses } else { format!(", losing {losses}") };
            let name = format!("{}{square}", piece.letter());
            format!("{name} captured on {trap} in {steps}{price}: {}", turn.notation(board))
        });
        wins.into_iter().flatten().chain(captures).collect()
    }
}

/// How many positions are looked at before the clock stops for printing.
const CHUNK: usize = 1024;

pub fn run(arguments: &Arguments) -> anyhow::Result<Verdict> {
    let entries = arguments.input.read()?;
    let mut out = BufWriter::new(std::io::stdout().lock());
    let mut sum = Sum::default();
    let mut found = vec![BySide::<Tactics>::default(); entries.len().min(CHUNK)];
    warm_up(&mut found, arguments.only)?;
    for entries in entries.chunks(CHUNK) {
        let positions = entries.iter().map(|entry| entry.content.as_ref().ok());
        let positions: Vec<_> = positions.map(|content| Some(*content?.position())).collect();
        sum.time += look(&positions, &mut found, arguments.only);
        for ((entry, position), tactics) in entries.iter().zip(positions).zip(&found) {
            sum.print(entry, position, tactics, arguments, &mut out)?;
        }
    }
    sum.finish(arguments.input.json, &mut out)?;
    out.flush()?;
    Ok(if sum.refused == 0 { Verdict::Done } else { Verdict::Refused })
}

/// Looks at the positions; returns how long that took.
fn look(
    positions: &[Option<Position>],
    found: &mut [BySide<Tactics>],
    only: Option<Only>,
) -> Duration {
    let begin = Instant::now();
    for (position, found) in positions.iter().zip(found) {
        if let Some(position) = position {
            for side in Side::ALL {
                found[side].look(position.board(), side, only);
            }
        }
    }
    begin.elapsed()
}

/// Looks at other positions first, so that the time of a short list is not that of loading the
/// program.
fn warm_up(found: &mut [BySide<Tactics>], only: Option<Only>) -> anyhow::Result<()> {
    let positions: Vec<_> = bench::positions()?.into_iter().map(Some).collect();
    for _ in 0..50 {
        look(&positions, found, only);
    }
    found.fill(BySide::default());
    Ok(())
}

#[derive(Default)]
struct Sum {
    positions: u64,
    refused: u64,
    time: Duration,
}

impl Sum {
    fn print(
        &mut self,
        entry: &Entry,
        position: Option<Position>,
        tactics: &BySide<Tactics>,
        arguments: &Arguments,
        out: &mut impl Write,
    ) -> anyhow::Result<()> {
        match (&entry.content, position) {
            (Ok(_), Some(position)) => {
                self.positions += 1;
                if arguments.input.json {
                    writeln!(out, "{}", row(&position, tactics, arguments.only))?;
                } else {
                    write!(out, "{}", text(&position, tactics))?;
                }
            }
            (Err(error), _) => {
                self.refused += 1;
                refuse(entry, error, arguments.input.json, out)?;
            }
            (Ok(_), None) => {}
        }
        Ok(())
    }

    fn finish(&self, json: bool, out: &mut impl Write) -> anyhow::Result<()> {
        let seconds = self.time.as_secs_f64();
        let rate = self.positions as f64 / seconds.max(1e-9);
        if json {
            let summary = json!({
                "summary": true,
                "positions": self.positions,
                "seconds": seconds,
                "positions_per_second": rate,
                "refused": self.refused,
            });
            writeln!(out, "{summary}")?;
            return Ok(());
        }
        let plural = if self.positions == 1 { "" } else { "s" };
        writeln!(
            out,
            "{} position{plural} in {seconds:.6} s, {:.1} million a second",
            self.positions,
            rate / 1e6
        )?;
        if self.refused > 0 {
            writeln!(out, "{} refused", self.refused)?;
        }
        Ok(())
    }
}

fn text(position: &Position, tactics: &BySide<Tactics>) -> String {
    let mut lines = vec![position.to_string()];
    for side in [position.side(), !position.side()] {
        let name = format!("{}:", side::name(side));
        let found = tactics[side].lines(position.board());
        let found = if found.is_empty() { vec!["nothing".to_string()] } else { found };
        lines.extend(found.iter().enumerate().map(|(index, line)| {
            let head = if index == 0 { name.as_str() } else { "" };
            format!("  {head:<8}{line}")
        }));
    }
    lines.join("\n") + "\n"
}

fn row(position: &Position, tactics: &BySide<Tactics>, only: Option<Only>) -> Value {
    let mut row = Map::new();
    row.insert("position".to_string(), json!(position.to_string()));
    row.extend(fields(position, tactics, only));
    Value::Object(row)
}

/// The fields of a row that tell what the sides could do.
pub fn fields(
    position: &Position,
    tactics: &BySide<Tactics>,
    only: Option<Only>,
) -> Vec<(String, Value)> {
    let board = position.board();
    let sides = [("", position.side()), ("opponent_", !position.side())];
    let steps = |win: Option<Win>| json!(win.map(|win| win.steps.0));
    let mut fields = Vec::new();
    if only != Some(Only::Captures) {
        for (prefix, side) in sides {
            fields.push((format!("{prefix}goal"), steps(tactics[side].goal)));
        }
        for (prefix, side) in sides {
            fields.push((format!("{prefix}elimination"), steps(tactics[side].elimination)));
        }
    }
    if only != Some(Only::Wins) {
        for (prefix, side) in sides {
            let captures = tactics[side].captures.iter().map(|capture| {
                json!({
                    "piece": format!("{}{}", capture.piece.letter(), capture.square),
                    "trap": capture.trap.to_string(),
                    "steps": capture.steps.0,
                    "turn": capture.turn.notation(board),
                    "loses": losses(board, capture),
                })
            });
            fields.push((format!("{prefix}captures"), captures.collect()));
        }
    }
    fields
}

/// The own pieces that a capture costs, with the squares on which they stand before it.
fn losses(board: &Board, capture: &Capture) -> Vec<String> {
    let lost = Traced::new(board).play(capture.turn).lost;
    let own = lost.iter().filter(|(piece, _)| piece.side != capture.piece.side);
    own.map(|(piece, origin)| format!("{}{origin}", piece.letter())).collect()
}

/// A board whose pieces are followed from their first square.
struct Traced {
    board: Board,
    origins: [Square; 64],
    /// What was taken from the board and not put back: in the end, it is lost.
    taken: Option<(Piece, Square)>,
    lost: Vec<(Piece, Square)>,
}

impl Traced {
    fn new(board: &Board) -> Traced {
        let mut origins = [Square::A1; 64];
        Square::all().for_each(|square| origins[square.index()] = square);
        Traced { board: *board, origins, taken: None, lost: Vec::new() }
    }

    fn play(mut self, turn: Turn) -> Traced {
        let mut board = self.board;
        for step in turn.steps() {
            board.play(step, &mut self);
        }
        self.lost.extend(self.taken.take());
        self.board = board;
        self
    }
}

impl Observer for Traced {
    fn put(&mut self, _: Piece, square: Square) {
        if let Some((_, origin)) = self.taken.take() {
            self.origins[square.index()] = origin;
        }
    }

    fn take(&mut self, piece: Piece, square: Square) {
        self.lost.extend(self.taken.replace((piece, self.origins[square.index()])));
    }
}
