//! `tusk show`: draws positions and says who moves, what they can do and what is threatened.

use std::io::{BufWriter, Write};

use arimaa::{
    Form, GOLD, Kind, Mobility, Outcome, Picture, Piece, Position, SILVER, Side, TurnGenerator,
    side,
};
use arimaa_ai::{Estimate, Tactician};
use game::BySide;
use serde_json::{Value, json};

use crate::Verdict;
use crate::choice::no_such_engine;
use crate::engine::Engine;
use crate::input::{self, Content, Entry, Place};
use crate::sheet::Sheet;
use crate::threats::{self, Tactics};

/// Draws positions and says who moves, what they can do and what is threatened.
///
/// What a side can win or capture is what it could do if it were its turn with four steps. A defence is a
/// turn after which the other side can no longer win within its next turn. Of a game's record, the
/// last position is shown.
#[derive(clap::Args)]
#[command(
    after_help = "Example:\n  tusk show \"g [rrrrrrrrhdcemcdh                                HDCMECDHRRRRRRRR]\""
)]
pub struct Arguments {
    #[command(flatten)]
    pub input: input::Input,

    /// Print every term of the evaluation for both sides
    #[arg(long)]
    pub eval: bool,

    /// The engine whose evaluation that is, a name of `tusk engines`
    #[arg(
        long, value_name = "E", default_value = "tusk", requires = "eval",
        value_parser = estimate_of
    )]
    pub engine: Estimate,
}

fn estimate_of(name: &str) -> Result<Estimate, String> {
    let engine = Engine::named(name).ok_or_else(no_such_engine)?;
    let settings = engine.settings().ok_or("it has no evaluation")?;
    Ok(settings.estimate)
}

pub fn run(arguments: &Arguments) -> anyhow::Result<Verdict> {
    let entries = arguments.input.read()?;
    let mut out = BufWriter::new(std::io::stdout().lock());
    let mut verdict = Verdict::Done;
    let mut tools = Tools::default();
    for (index, entry) in entries.iter().enumerate() {
        match &entry.content {
            Ok(content) => {
                let mut facts = Facts::of(content, &mut tools);
                if arguments.eval {
                    facts.evaluate(&arguments.engine);
                }
                if arguments.input.json {
                    writeln!(out, "{}", facts.json())?;
                } else {
                    let gap = if index == 0 { "" } else { "\n" };
                    write!(out, "{gap}{}", facts.text(content))?;
                }
            }
            Err(error) => {
                verdict = Verdict::Refused;
                refuse(entry, error, arguments.input.json, &mut out)?;
            }
        }
    }
    out.flush()?;
    Ok(verdict)
}

/// Says that an entry was refused: a row among the others in JSON, else a line of its own.
pub fn refuse<T>(
    entry: &Entry<T>,
    error: &str,
    json: bool,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    refuse_at(&entry.place, error, json, out)
}

/// The same of what is no position.
pub fn refuse_at(
    place: &Place,
    error: &str,
    json: bool,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    if json {
        let mut row = json!({ "line": place.line, "error": error });
        if let Some(file) = &place.file {
            row["file"] = json!(file);
        }
        writeln!(out, "{row}")?;
    } else {
        eprintln!("error: {place}: {error}");
    }
    Ok(())
}

/// What a position says at a glance.
struct Facts {
    position: Position,
    outcome: Option<Outcome>,
    singles: usize,
    pushes: usize,
    pulls: usize,
    unique_turns: usize,
    tactics: BySide<Tactics>,
    /// How many turns parry the threat to win, if there is one.
    defences: Option<usize>,
    /// How many turns make such a threat.
    threats: usize,
    /// The evaluation, if it was asked for.
    sheet: Option<Sheet>,
}

/// What is needed for the facts of any position.
#[derive(Default)]
struct Tools {
    generator: TurnGenerator,
    tactician: Tactician,
}

impl Facts {
    fn of(content: &Content, tools: &mut Tools) -> Facts {
        let position = *content.position();
        let (board, side) = (position.board(), position.side());
        let steps = position.steps();
        let count = |form| steps.iter().filter(|step| step.form() == form).count();
        let tactics =
            BySide { first: Tactics::of(board, GOLD), second: Tactics::of(board, SILVER) };
        let threatened = tactics[!side].goal.or(tactics[!side].elimination).is_some();
        Facts {
            position,
            outcome: content.game.outcome(),
            singles: count(Form::Single),
            pushes: count(Form::Push),
            pulls: count(Form::Pull),
            unique_turns: tools.generator.distinct(board, side).len(),
            defences: threatened.then(|| tools.tactician.defences(board, side).len()),
            threats: tools.tactician.threats(board, side).len(),
            tactics,
            sheet: None,
        }
    }

    /// Adds the evaluation; a game that is over has none.
    fn evaluate(&mut self, estimate: &Estimate) {
        self.sheet = self.outcome.is_none().then(|| Sheet::new(estimate, &self.position));
    }

    fn frozen(&self, side: Side) -> Vec<String> {
        let mobility = Mobility::new(self.position.board(), side);
        (mobility.own & !mobility.free)
            .into_iter()
            .filter_map(|square| {
                let piece = self.position.board().piece_at(square)?;
                Some(format!("{}{square}", piece.letter()))
            })
            .collect()
    }

    /// The letters of a side's pieces, the strongest first.
    fn army(&self, side: Side) -> String {
        let pieces = Kind::ALL.into_iter().rev().map(|kind| Piece { side, kind });
        pieces
            .flat_map(|piece| {
                std::iter::repeat_n(piece.letter(), self.position.board().piece(piece).len())
            })
            .collect()
    }

    fn json(&self) -> Value {
        let mut row = json!({
            "position": self.position.to_string(),
            "side": side::letter(self.position.side()).to_string(),
            "winner": self.outcome.map(|outcome| side::letter(outcome.winner).to_string()),
            "reason": self.outcome.map(|outcome| outcome.reason.name()),
            "gold": self.army(GOLD),
            "silver": self.army(SILVER),
            "gold_frozen": self.frozen(GOLD),
            "silver_frozen": self.frozen(SILVER),
            "singles": self.singles,
            "pushes": self.pushes,
            "pulls": self.pulls,
            "unique_turns": self.unique_turns,
            "key": self.position.key().to_string(),
            "defences": self.defences,
            "threats": self.threats,
        });
        for (name, value) in threats::fields(&self.position, &self.tactics, None) {
            row[name] = value;
        }
        if let Some(sheet) = &self.sheet {
            row["eval"] = sheet.json();
        }
        row
    }

    /// What the sides could win or capture, and what can be done about it.
    fn tactics(&self) -> Vec<String> {
        let side = self.position.side();
        let mut lines = Vec::new();
        for (who, when) in [(side, "now"), (!side, "if it were its turn")] {
            let found = self.tactics[who].lines(self.position.board());
            if !found.is_empty() {
                lines.push(format!("{}, {when}:", side::name(who)));
                lines.extend(found.iter().map(|line| format!("        {line}")));
            }
        }
        if let Some(defences) = self.defences {
            lines.push(format!("Turns that prevent a win: {defences} of {}", self.unique_turns));
        }
        if self.threats > 0 {
            lines.push(format!("Turns that threaten to win: {}", self.threats));
        }
        lines
    }

    fn text(&self, content: &Content) -> String {
        let board = *self.position.board();
        let picture = Picture { number: None, side: None, board };
        let mut lines = vec![picture.to_string(), String::new()];
        let name = side::name(self.position.side());
        let label = match &content.label {
            Some(label) => format!(" ({label})"),
            None if content.game.deeds().next().is_some() => format!(" ({})", content.game.label()),
            None => String::new(),
        };
        lines.push(match self.outcome {
            Some(outcome) => format!("The game is over. {outcome}."),
            None => format!("{name} is to move{label}."),
        });
        for side in Side::ALL {
            let frozen = self.frozen(side);
            let frozen = match frozen.is_empty() {
                true => String::new(),
                false => format!(", frozen: {}", frozen.join(" ")),
            };
            lines.push(format!(
                "{:<8}{}{frozen}",
                format!("{}:", side::name(side)),
                self.army(side)
            ));
        }
        if self.outcome.is_none() {
            lines.push(format!(
                "Steps:  {} single, {} pushes, {} pulls; {} distinct turns",
                self.singles, self.pushes, self.pulls, self.unique_turns
            ));
            lines.extend(self.tactics());
        }
        lines.extend(self.sheet.iter().flat_map(Sheet::lines));
        lines.push(format!("Key:    {}", self.position.key()));
        lines.push(self.position.to_string());
        lines.join("\n") + "\n"
    }
}
