//! `tusk engines`: the engines there are, and what can be set.

use std::io::{BufWriter, Write};

use engine::{EngineEntry, Kind, Parameter, Preset};
use serde_json::json;
use workbench::{Catalogues, GameName, Playing, in_game, parameter_json};

use crate::Exit;
use crate::output::standard;

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

pub fn run(
    arguments: &Arguments,
    game: Option<GameName>,
    catalogues: &Catalogues,
) -> anyhow::Result<Exit> {
    in_game!(game.unwrap_or_default(), S => list::<S>(arguments, catalogues))
}

fn list<S: Playing>(arguments: &Arguments, catalogues: &Catalogues) -> anyhow::Result<Exit> {
    let mut out = BufWriter::new(standard());
    if arguments.json {
        catalogues.get::<S>().iter().try_for_each(|entry| row::<S>(entry, &mut out))?;
    } else {
        table::<S>(catalogues, &mut out)?;
    }
    out.flush()?;
    Ok(Exit::Done)
}

fn row<S: Playing>(entry: &EngineEntry<S::Game>, out: &mut impl Write) -> std::io::Result<()> {
    let parameters = entry.parameters().map(|parameter| parameter_json(&parameter));
    let row = json!({
        "name": entry.name,
        "game": S::NAME.word(),
        "about": entry.about,
        "parameters": parameters.collect::<Vec<_>>(),
    });
    writeln!(out, "{row}")
}

fn table<S: Playing>(catalogues: &Catalogues, out: &mut impl Write) -> std::io::Result<()> {
    let catalogue = catalogues.get::<S>();
    let mut declared: Vec<Parameter> = catalogue.default_engine().parameters().collect();
    let of_first = declared.len();
    // What each engine has that none before it has, under its name.
    let mut others: Vec<(&str, Vec<Parameter>)> = Vec::new();
    writeln!(out, "Engines of {}:", S::NAME)?;
    for entry in catalogue.iter() {
        writeln!(out, "  {:<12}  {}", entry.name, entry.about)?;
        let is_new = |own: &Parameter| declared.iter().all(|known| known.name != own.name);
        let new: Vec<Parameter> = entry.parameters().filter(is_new).collect();
        let own = differences(entry, &declared);
        if !own.is_empty() {
            writeln!(out, "  {:<12}  {own}", "")?;
        }
        if !new.is_empty() {
            declared.extend(&new);
            others.push((entry.name, new));
        }
    }
    writeln!(out, "\nParameters (--set name=value):")?;
    list_parameters(&declared[..of_first], out)?;
    for (name, parameters) in others {
        writeln!(out, "\nThe parameters of {name}:")?;
        list_parameters(&parameters, out)?;
    }
    writeln!(out, "\nPresets (--preset NAME):")?;
    for preset in catalogue.default_engine().presets {
        writeln!(out, "  {:<12}  {}", preset.name, preset.about)?;
    }
    for entry in catalogue.iter().skip(1) {
        let is_own = |preset: &&Preset| catalogue.default_engine().preset(preset.name).is_none();
        for preset in entry.presets.iter().filter(is_own) {
            writeln!(out, "  {:<12}  {} ({} only)", preset.name, preset.about, entry.name)?;
        }
    }
    Ok(())
}

fn list_parameters(declared: &[Parameter], out: &mut impl Write) -> std::io::Result<()> {
    let range = |declared: &Parameter| match declared.kind {
        Kind::Switch { .. } => "true, false".to_string(),
        Kind::Choice { names, .. } => names.join(", "),
        Kind::Number { least, most, unit: "", .. } => format!("{least}..{most}"),
        Kind::Number { least, most, unit, .. } => format!("{least}..{most} {unit}"),
        Kind::File => "FILE".to_string(),
    };
    let default = |declared: &Parameter| {
        declared.default_number().map_or("-".to_string(), |default| declared.value_text(default))
    };
    let names = declared.iter().map(|declared| declared.name.len()).max().unwrap_or(0).max(16);
    let widest = declared.iter().map(|declared| range(declared).len()).max().unwrap_or(0);
    writeln!(out, "  {:<names$}  {:>7}  {:>widest$}  about", "name", "default", "range")?;
    for parameter in declared {
        let Parameter { name, about, .. } = parameter;
        let (default, range) = (default(parameter), range(parameter));
        writeln!(out, "  {name:<names$}  {default:>7}  {range:>widest$}  {about}")?;
    }
    Ok(())
}

/// Where the engine's defaults are not those of the first one that has the parameter.
fn differences<G: game::Game>(entry: &EngineEntry<G>, declared: &[Parameter]) -> String {
    let differs = |own: &Parameter| {
        let known = declared.iter().find(|known| known.name == own.name);
        known.is_some_and(|known| known.default_number() != own.default_number())
    };
    let told =
        |own: Parameter| Some(format!("{}={}", own.name, own.value_text(own.default_number()?)));
    entry.parameters().filter(differs).filter_map(told).collect::<Vec<_>>().join(" ")
}
