//! Writes games in a format, one after the other.

use std::io::{self, Write};

use workbench::{GameName, Reading, in_game};

use crate::{Record, archive, json, plain};

/// How games are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// arimaa.com's tab-separated lines, with a header
    Archive,
    /// Records such as `1g Ra1 …`, a blank line between games
    Records,
    /// One JSON object a line, with all that is known
    Json,
}

/// Whether a game could be written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Written {
    /// All of it was.
    Whole,
    /// It began at a position, for which the format has no room.
    LeftOut,
}

/// Why a game could not be written.
#[derive(thiserror::Error, Debug)]
pub enum WriteError {
    /// The text of its opening makes no sense.
    #[error("the opening: {0}")]
    Opening(String),
    /// Where it was to be written cannot be written to.
    #[error(transparent)]
    Output(#[from] io::Error),
}

/// Writes games in a format, one after the other.
pub struct Writer(Form);

enum Form {
    Archive(archive::Writer),
    Records(plain::Writer),
    Json,
}

impl Writer {
    /// Nothing is written yet.
    pub fn new(format: Format) -> Writer {
        Writer(match format {
            Format::Archive => Form::Archive(archive::Writer::default()),
            Format::Records => Form::Records(plain::Writer::default()),
            Format::Json => Form::Json,
        })
    }

    /// What stands before the games.
    pub fn begin(&self, out: &mut impl Write) -> io::Result<()> {
        match self.0 {
            Form::Archive(_) => archive::Writer::begin(out),
            Form::Records(_) | Form::Json => Ok(()),
        }
    }

    /// A game.
    pub fn write(&mut self, record: &Record, out: &mut impl Write) -> Result<Written, WriteError> {
        if let Form::Json = self.0 {
            json::write(record, out)?;
            return Ok(Written::Whole);
        }
        in_game!(record.game, S => self.write_turns::<S>(record, out))
    }

    fn write_turns<S: Reading>(
        &mut self,
        record: &Record,
        out: &mut impl Write,
    ) -> Result<Written, WriteError> {
        let whole = record.whole::<S>().map_err(WriteError::Opening)?;
        let Some(whole) = whole else { return Ok(Written::LeftOut) };
        match &mut self.0 {
            Form::Archive(_) if S::NAME != GameName::Arimaa => return Ok(Written::LeftOut),
            Form::Archive(writer) => writer.write(record, &whole.turns, whole.opening, out)?,
            Form::Records(writer) => writer.write::<S>(record, &whole, out)?,
            Form::Json => (),
        }
        Ok(Written::Whole)
    }
}
