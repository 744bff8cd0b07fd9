//! What every verb over positions takes.

use anyhow::Context;
use guard::{LONGEST_FILE, read_all, read_file};
use workbench::reading::Texts;
use workbench::{Army, GameName, TurnNumber, WrongUse};

/// What every verb over positions takes.
#[derive(clap::Args)]
pub struct Input {
    /// A file, a folder, - or the position itself
    #[arg(required = true)]
    pos: Option<String>,

    /// Print one JSON object a line
    #[arg(long)]
    pub json: bool,

    /// Of a game's record, take the position before this turn: 12g, 12s, 12w, 12b, or 12 for the first of that
    /// number [default: the last position]
    #[arg(long, value_name = "N")]
    turn: Option<TurnNumber>,

    /// Accept setups with fewer than sixteen pieces in game records
    #[arg(long)]
    handicap: bool,
}

impl Input {
    /// What was asked for, and which game it is of, unless that is settled.
    pub fn read(&self, game: Option<GameName>) -> anyhow::Result<Texts> {
        let mut texts = Texts::read(self.pos.as_deref().unwrap_or("-"), game)?;
        if self.handicap && texts.game != GameName::Arimaa {
            let game = texts.game;
            return Err(WrongUse(format!("--handicap is for Arimaa, and this is {game}")).into());
        }
        texts.turn = self.turn;
        texts.army = if self.handicap { Army::Handicap } else { Army::Full };
        Ok(texts)
    }
}

/// A file and what it is called.
pub fn bytes_of(file: &str) -> anyhow::Result<(Vec<u8>, String)> {
    if file == "-" {
        let bytes = read_all(std::io::stdin(), LONGEST_FILE).context("standard input")?;
        return Ok((bytes, "standard input".to_string()));
    }
    let bytes = read_file(file).with_context(|| file.to_string())?;
    Ok((bytes, file.to_string()))
}
