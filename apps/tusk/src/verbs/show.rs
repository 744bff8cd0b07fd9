//! `tusk show`: draws positions and says who moves, what they can do and what is threatened.

use std::io::{BufWriter, Write};

use engine::{Configured, Engine};
use game::Game as _;
use hrebejk_2013::feature_report::FeatureReport;
use workbench::reading::{Content, Entries};
use workbench::{
    Catalogues, EngineRequest, GameName, Playing, Reading, Showing, WrongUse, in_game,
};

use crate::Exit;
use crate::shared::features::Featured;
use crate::shared::input;
use crate::shared::output::standard;
use crate::shared::refusal::refuse;

/// Draws positions and says who moves, what they can do and what is threatened.
///
/// What a side of Arimaa can win or capture is what it could do if it were its turn with four steps. A defence is a
/// turn after which the other side can no longer win within its next turn. In Tzaar, the zone of a type is how many of
/// its stacks the other side could capture with one move. Of a game's record, the last position is shown, or the one
/// before --turn.
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

    /// The engine whose evaluation is printed: a name of `tusk engines`, or a file such as mine.toml
    #[arg(long, value_name = "E", default_value = "tusk", requires = "eval")]
    pub engine: String,

    /// Print the features of bot_drake's evaluation, what their parameters mean and what distances count for (Arimaa)
    #[arg(long)]
    pub features: bool,

    /// Print the distances of the piece on this square, such as g4, below its features
    #[arg(long, value_name = "SQUARE", requires = "features")]
    pub piece: Option<String>,
}

pub fn run(
    arguments: &Arguments,
    game: Option<GameName>,
    catalogues: &Catalogues,
) -> anyhow::Result<Exit> {
    let texts = arguments.input.read(game)?;
    in_game!(texts.game, S => show::<S>(catalogues, arguments, &texts.entries()))
}

fn show<S: Reading + Showing + Playing + Featured>(
    catalogues: &Catalogues,
    arguments: &Arguments,
    entries: &Entries<S>,
) -> anyhow::Result<Exit> {
    let engine = arguments.eval.then(|| arguments.evaluator::<S>(catalogues)).transpose()?;
    let mut out = BufWriter::new(standard());
    let mut exit = Exit::Done;
    let mut tools = S::Tools::default();
    for (index, entry) in entries.iter().enumerate() {
        match &entry.content {
            Ok(content) => {
                let trace = engine.as_ref().and_then(|engine| engine.trace(&content.game));
                if trace.is_none() && arguments.eval && content.game.ended().is_none() {
                    return Err(arguments.wrong_engine("it has no evaluation").into());
                }
                let features = arguments.features.then(|| arguments.features_of::<S>(content));
                let features = features.transpose()?;
                let facts = S::facts(content, &mut tools, trace);
                if arguments.input.json {
                    let mut row = facts.json();
                    if let Some(report) = features {
                        row["features"] = report.json;
                    }
                    writeln!(out, "{row}")?;
                } else {
                    let gap = if index == 0 { "" } else { "\n" };
                    write!(out, "{gap}{}", facts.text())?;
                    if let Some(report) = features {
                        write!(out, "\n{}", report.text)?;
                    }
                }
            }
            Err(error) => {
                exit = Exit::Refused;
                refuse(entry, error, arguments.input.json, &mut out)?;
            }
        }
    }
    out.flush()?;
    Ok(exit)
}

impl Arguments {
    /// The engine whose evaluation is shown.
    fn evaluator<S: Playing>(
        &self,
        catalogues: &Catalogues,
    ) -> Result<Configured<S::Game>, WrongUse> {
        let resolved = EngineRequest::new(&self.engine).resolve::<S>(catalogues.get::<S>());
        let mut configuration = resolved.map_err(|error| self.wrong_engine(&error.to_string()))?;
        // Nothing is searched.
        (configuration.memory, configuration.threads) = (configuration.memory.min(1), 1);
        configuration.build().map_err(|error| WrongUse(error.to_string()))
    }

    /// The features that were asked for.
    fn features_of<S: Featured>(&self, content: &Content<S>) -> Result<FeatureReport, WrongUse> {
        let piece = self.piece.as_deref();
        S::features(content.game.position(), piece).map_err(|fault| match piece {
            Some(piece) => WrongUse::value("--piece <SQUARE>", piece, &fault),
            None => WrongUse(format!("--features: {fault}")),
        })
    }

    fn wrong_engine(&self, fault: &str) -> WrongUse {
        WrongUse::value("--engine <E>", &self.engine, fault)
    }
}
