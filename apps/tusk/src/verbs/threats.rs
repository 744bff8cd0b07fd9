//! `tusk threats`: what each side could win within a turn.

use std::io::{BufWriter, Write};
use std::time::{Duration, Instant};

use arimaa::{Board, Position, Side, WHOLE_TURN, side};
use arimaa_ai::{Capture, Win, captures, elimination, goal};
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use game::BySide;
use serde_json::{Map, Value, json};
use workbench::threats::{Only, SideThreats, fields};
use workbench::{Arimaa, GameName};

use crate::Exit;
use crate::shared::input;
use crate::shared::output::standard;
use crate::shared::refusal::refuse;

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
    #[arg(long, value_parser = only())]
    pub only: Option<Only>,
}

/// What can stand after --only.
fn only() -> impl TypedValueParser<Value = Only> {
    let wins = PossibleValue::new("wins").help("Goals, and the capture of all rabbits");
    let captures = PossibleValue::new("captures").help("The captures of single pieces");
    PossibleValuesParser::new([wins, captures])
        .map(|word| if word == "wins" { Only::Wins } else { Only::Captures })
}

/// How many positions are looked at before the clock stops for printing.
const CHUNK: usize = 1 << 13;

pub fn run(arguments: &Arguments, game: Option<GameName>) -> anyhow::Result<Exit> {
    let texts = arguments.input.read(game)?;
    GameName::only_arimaa("threats", Some(texts.game))?;
    let entries = texts.entries::<Arimaa>();
    let mut out = BufWriter::new(standard());
    let mut sum = Sum::default();
    let mut found = Found::default();
    if entries.len() > MANY {
        found.look(&benchmark::many_positions(&benchmark::positions()?), arguments.only);
    }
    for entries in entries.chunks(CHUNK) {
        let contents = entries.iter().filter_map(|entry| entry.content.as_ref().ok());
        let positions: Vec<Position> = contents.map(|content| *content.game.position()).collect();
        sum.time += found.look(&positions, arguments.only);
        let mut looked_at = positions.iter().zip(found.tactics());
        for entry in entries {
            match &entry.content {
                Ok(_) => {
                    if let Some((position, tactics)) = looked_at.next() {
                        sum.print(position, &tactics, arguments, &mut out)?;
                    }
                }
                Err(error) => {
                    sum.refused += 1;
                    refuse(entry, error, arguments.input.json, &mut out)?;
                }
            }
        }
    }
    sum.finish(arguments.input.json, &mut out)?;
    out.flush()?;
    Ok(if sum.refused == 0 { Exit::Done } else { Exit::Refused })
}

/// Of more positions than these, the speed is of interest: others are looked at before, so that it is not
/// that of loading the program.
const MANY: usize = 100;

/// What was found for some positions and both sides, packed: what is written down is a part of the
/// time.
#[derive(Default)]
struct Found {
    wins: Vec<[Option<Win>; 2]>,
    /// How many captures each position and side has.
    counts: Vec<u8>,
    captures: Vec<Capture>,
}

impl Found {
    /// Looks at positions, and forgets those before; returns how long that took.
    fn look(&mut self, positions: &[Position], only: Option<Only>) -> Duration {
        self.wins.clear();
        self.counts.clear();
        self.captures.clear();
        let begin = Instant::now();
        for position in positions {
            for side in Side::ALL {
                if only != Some(Only::Captures) {
                    self.look_for_wins(position.board(), side);
                }
                if only != Some(Only::Wins) {
                    self.look_for_captures(position.board(), side);
                }
            }
        }
        begin.elapsed()
    }

    fn look_for_wins(&mut self, board: &Board, side: Side) {
        let goal = goal(board, side, WHOLE_TURN);
        self.wins.push([goal, elimination(board, side, WHOLE_TURN)]);
    }

    fn look_for_captures(&mut self, board: &Board, side: Side) {
        let captures = captures(board, side, WHOLE_TURN);
        self.counts.push(captures.len() as u8);
        self.captures.extend_from_slice(&captures);
    }

    /// What was found, position by position.
    fn tactics(&self) -> impl Iterator<Item = BySide<SideThreats>> + '_ {
        let mut wins = self.wins.iter();
        let mut counts = self.counts.iter();
        let mut captures = self.captures.iter();
        let mut next = move || {
            let [goal, elimination] = wins.next().copied().unwrap_or_default();
            let count = counts.next().copied().unwrap_or_default();
            let captures = captures.by_ref().take(count.into()).copied().collect();
            SideThreats { goal, elimination, captures }
        };
        std::iter::repeat_with(move || BySide { first: next(), second: next() })
    }
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
        position: &Position,
        tactics: &BySide<SideThreats>,
        arguments: &Arguments,
        out: &mut impl Write,
    ) -> anyhow::Result<()> {
        self.positions += 1;
        if arguments.input.json {
            writeln!(out, "{}", row(position, tactics, arguments.only))?;
        } else {
            write!(out, "{}", text(position, tactics))?;
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

fn text(position: &Position, tactics: &BySide<SideThreats>) -> String {
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

fn row(position: &Position, tactics: &BySide<SideThreats>, only: Option<Only>) -> Value {
    let mut row = Map::new();
    row.insert("position".to_string(), json!(position.to_string()));
    row.extend(fields(position, tactics, only));
    Value::Object(row)
}
