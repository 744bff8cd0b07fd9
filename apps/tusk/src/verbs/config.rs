//! `tusk config`, and the defaults that it tells: built in, from a file, from the environment, from the command line.

use std::io::Write;

use comfy_table::CellAlignment;
use serde_json::json;
use workbench::{Catalogues, GameName, WrongUse};

use crate::Exit;
use crate::shared::settings::{self, Key, Origin, engine_key};
use crate::shared::standings;

/// Tells the defaults in force, and where each comes from.
///
/// They are read from the file that --config or TUSK_CONFIG names, else from $XDG_CONFIG_HOME/tusk/config.toml (or
/// ~/.config/tusk/config.toml), if it is there. A variable such as TUSK_STORE overrides the file, an option of the command
/// line overrides both. An empty TUSK_CONFIG reads no file. The file is TOML, with a line for each key:
///
///     store = "games.sqlite"
///     time = "2s"
///     threads = 2
///
/// threads and memory are for the engines of `move`, `suite`, `aei` and `getmove`, where these can be set; matches and
/// self-play take theirs from the engine alone, so that they are the same everywhere.
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
#[command(
    after_help = "Examples:\n  tusk config\n  TUSK_TIME=5s tusk config --config mine.toml --json"
)]
pub struct Arguments {
    /// Where games are kept
    #[arg(long, value_name = "STORE")]
    store: Option<String>,

    /// The engine, of Arimaa unless --game says otherwise
    #[arg(long, value_name = "E")]
    engine: Option<String>,

    /// The time for each turn
    #[arg(long, value_name = "T")]
    time: Option<String>,

    /// How many threads think
    #[arg(long, value_name = "N")]
    threads: Option<String>,

    /// The memory of the table
    #[arg(long, value_name = "M")]
    memory: Option<String>,

    /// How many games are played at a time
    #[arg(long, value_name = "N")]
    concurrency: Option<String>,

    /// The memory of all searches of `tusk serve` together
    #[arg(long, value_name = "M")]
    serve_memory: Option<String>,

    /// Print one JSON object a line
    #[arg(long)]
    json: bool,
}

pub fn run(
    arguments: &Arguments,
    game: Option<GameName>,
    catalogues: &Catalogues,
) -> anyhow::Result<Exit> {
    let settings = settings::in_force();
    let given = arguments.given(game.unwrap_or_default(), catalogues)?;
    let mut out = crate::shared::output::standard();
    let header = ["key", "value", "from"].map(str::to_string);
    let mut table = standings::bare_table(header.to_vec());
    for column in table.column_iter_mut() {
        column.set_cell_alignment(CellAlignment::Left);
    }
    for key in Key::ALL {
        let given = given.iter().find(|(given, _)| *given == key);
        let (value, origin) = match (given, settings.find(key)) {
            (Some((_, value)), _) => (Some(value.as_str()), &Origin::CommandLine),
            (None, Some((value, origin))) => (Some(value), origin),
            (None, None) => (key.usual(), &Origin::Default),
        };
        // A password is nobody's business.
        let value = value.map(|value| if key == Key::Store { hidden(value) } else { value.into() });
        if arguments.json {
            let (file, line) = match origin {
                Origin::File { path, line } => (Some(path), Some(line)),
                _ => (None, None),
            };
            let mut row = json!({ "key": key.name(), "value": value, "from": origin.kind() });
            if file.is_some() {
                (row["file"], row["line"]) = (json!(file), json!(line));
            }
            writeln!(out, "{row}")?;
        } else {
            let value = value.unwrap_or_else(|| format!("({})", key.usual_in_words()));
            table.add_row([key.name().to_string(), value, origin.to_string()]);
        }
    }
    if !arguments.json {
        writeln!(out, "{}", table.trim_fmt())?;
        match &settings.file {
            Some(path) => writeln!(out, "\nfile: {}", path.display())?,
            None => writeln!(out, "\nno file was read")?,
        }
    }
    Ok(Exit::Done)
}

/// The address of a store without its password.
fn hidden(store: &str) -> String {
    let parts = store.split_once("://").and_then(|(kind, rest)| {
        let (user, host) = rest.rsplit_once('@')?;
        let (user, _) = user.split_once(':')?;
        Some(format!("{kind}://{user}:…@{host}"))
    });
    parts.unwrap_or_else(|| store.to_string())
}

impl Arguments {
    /// What the command line says.
    fn given(
        &self,
        game: GameName,
        catalogues: &Catalogues,
    ) -> Result<Vec<(Key, String)>, WrongUse> {
        let given = [
            (Key::Store, &self.store),
            (engine_key(game), &self.engine),
            (Key::Time, &self.time),
            (Key::Threads, &self.threads),
            (Key::Memory, &self.memory),
            (Key::Concurrency, &self.concurrency),
            (Key::ServeMemory, &self.serve_memory),
        ];
        let given = given.into_iter().filter_map(|(key, value)| Some((key, value.clone()?)));
        let check = |(key, value): (Key, String)| match key.check(&value, catalogues) {
            Ok(()) => Ok((key, value)),
            Err(fault) => Err(WrongUse(format!("{} {value:?}: {fault}", key.name()))),
        };
        given.map(check).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_password_is_not_told() {
        assert_eq!(hidden("postgres://me:secret@host/games"), "postgres://me:…@host/games");
        assert_eq!(hidden("games.sqlite"), "games.sqlite");
    }
}
