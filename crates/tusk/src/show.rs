//! `tusk show`: draws positions and says who moves, what they can do and what is threatened.

use std::io::{BufWriter, Write};

use serde_json::json;

use crate::choice::no_such_engine;
use crate::engine::Engine;
use crate::input::{self, Entries, Entry, Place};
use crate::sport::{GameName, Sport, in_game};
use crate::{Verdict, WrongUse};

/// Draws positions and says who moves, what they can do and what is threatened.
///
/// What a side of Arimaa can win or capture is what it could do if it were its turn with four steps. A defence is a
/// turn after which the other side can no longer win within its next turn. In Tzaar, the zone of a type is how many of
/// its stacks the other side could capture with one move. Of a game's record, the last position is shown.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  tusk show \"g [rrrrrrrrhdcemcdh                                HDCMECDHRRRRRRRR]\"\n  tusk show positions/tzaar/game.txt --eval"
)]
pub struct Arguments {
    #[command(flatten)]
    pub input: input::Input,

    /// Print every term of the evaluation for both sides
    #[arg(long)]
    pub eval: bool,

    /// The engine whose evaluation that is, a name of `tusk engines`
    #[arg(long, value_name = "E", default_value = "tusk", requires = "eval")]
    pub engine: String,
}

pub fn run(arguments: &Arguments, game: Option<GameName>) -> anyhow::Result<Verdict> {
    let texts = arguments.input.read(game)?;
    in_game!(texts.game, S => show::<S>(arguments, &texts.entries()))
}

fn show<S: Sport>(arguments: &Arguments, entries: &Entries<S>) -> anyhow::Result<Verdict> {
    let estimate = arguments.eval.then(|| arguments.estimate::<S>()).transpose()?;
    let mut out = BufWriter::new(std::io::stdout().lock());
    let mut verdict = Verdict::Done;
    let mut tools = S::Tools::default();
    for (index, entry) in entries.iter().enumerate() {
        match &entry.content {
            Ok(content) => {
                let facts = S::facts(content, &mut tools, estimate.as_ref());
                if arguments.input.json {
                    writeln!(out, "{}", facts.json())?;
                } else {
                    let gap = if index == 0 { "" } else { "\n" };
                    write!(out, "{gap}{}", facts.text())?;
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

impl Arguments {
    fn estimate<S: Sport>(&self) -> Result<S::Estimate, WrongUse> {
        let wrong = |fault: &str| WrongUse::value("--engine <E>", &self.engine, fault);
        let engine = Engine::<S>::named(&self.engine);
        let engine = engine.ok_or_else(|| wrong(&no_such_engine::<S>()))?;
        let settings = engine.settings().ok_or_else(|| wrong("it has no evaluation"))?;
        Ok(settings.estimate)
    }
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
