//! `tusk engines`: the engines there are, and what can be set.

use std::io::{BufWriter, Write};

use ::engine::{Kind, Parameter};
use serde_json::json;

use crate::Verdict;
use crate::engine::{Engine, PRESETS};
use crate::sport::{GameName, Sport, in_game};

/// Lists the engines of a game (Arimaa, unless --game says otherwise), their parameters and the presets.
///
/// `--set name=value` and `--preset NAME` of the verbs that play, and the files of one's own engines,
/// take what is listed here.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  tusk engines --json\n  tusk engines --game tzaar")]
pub struct Arguments {
    /// Print one JSON object a line
    #[arg(long)]
    pub json: bool,
}

pub fn run(arguments: &Arguments, game: Option<GameName>) -> anyhow::Result<Verdict> {
    in_game!(game.unwrap_or_default(), S => list::<S>(arguments))
}

fn list<S: Sport>(arguments: &Arguments) -> anyhow::Result<Verdict> {
    let mut out = BufWriter::new(std::io::stdout().lock());
    if arguments.json {
        S::ENGINES.iter().try_for_each(|engine| row(engine, &mut out))?;
    } else {
        table::<S>(&mut out)?;
    }
    out.flush()?;
    Ok(Verdict::Done)
}

fn row<S: Sport>(engine: &Engine<S>, out: &mut impl Write) -> std::io::Result<()> {
    let parameters = engine.parameters().into_iter().map(|parameter| {
        let Parameter { name, kind, about } = parameter;
        let Kind::Number { default, least, most } = kind else { return json!({"name": name}) };
        json!({"name": name, "default": default, "least": least, "most": most, "about": about})
    });
    let row = json!({
        "name": engine.name,
        "game": S::NAME.word(),
        "about": engine.about,
        "parameters": parameters.collect::<Vec<_>>(),
    });
    writeln!(out, "{row}")
}

fn table<S: Sport>(out: &mut impl Write) -> std::io::Result<()> {
    let declared = S::ENGINES[0].parameters();
    writeln!(out, "Engines of {}:", S::NAME)?;
    for engine in S::ENGINES {
        writeln!(out, "  {:<12}  {}", engine.name, engine.about)?;
        let own = differences(engine, &declared);
        if !own.is_empty() {
            writeln!(out, "  {:<12}  {own}", "")?;
        }
    }
    writeln!(out, "\nParameters (--set name=value):")?;
    list_parameters(&declared, out)?;
    for engine in S::ENGINES {
        let is_new = |own: &Parameter| declared.iter().all(|known| known.name != own.name);
        let own: Vec<Parameter> = engine.parameters().into_iter().filter(is_new).collect();
        if !own.is_empty() {
            writeln!(out, "\nThe parameters of {}:", engine.name)?;
            list_parameters(&own, out)?;
        }
    }
    writeln!(out, "\nPresets (--preset NAME):")?;
    for preset in PRESETS {
        writeln!(out, "  {:<12}  {}", preset.name, preset.about)?;
    }
    Ok(())
}

fn list_parameters(declared: &[Parameter], out: &mut impl Write) -> std::io::Result<()> {
    let range = |declared: &Parameter| match declared.kind {
        Kind::Number { least, most, .. } => format!("{least}..{most}"),
        Kind::File => "FILE".to_string(),
    };
    let widest = declared.iter().map(|declared| range(declared).len()).max().unwrap_or(0);
    writeln!(out, "  {:<16}  {:>7}  {:>widest$}  about", "name", "default", "range")?;
    for parameter in declared {
        let Parameter { name, about, .. } = parameter;
        let default = parameter.default_number().unwrap_or_default();
        writeln!(out, "  {name:<16}  {default:>7}  {:>widest$}  {about}", range(parameter))?;
    }
    Ok(())
}

/// Where the engine's defaults are not those of the first one.
fn differences<S: Sport>(engine: &Engine<S>, declared: &[Parameter]) -> String {
    let differs = |own: &Parameter| {
        declared
            .iter()
            .any(|known| known.name == own.name && known.default_number() != own.default_number())
    };
    let own = engine.parameters().into_iter().filter(differs);
    own.map(|own| format!("{}={}", own.name, own.default_number().unwrap_or_default()))
        .collect::<Vec<_>>()
        .join(" ")
}
