//! A search for a proof that a file keeps: `tusk solve --save` writes it, and the page does.

use std::io::{self, BufRead, BufReader, Read, Write};

use anyhow::{Context, bail};
use flate2::Compression;
use flate2::bufread::GzDecoder;
use flate2::write::GzEncoder;
use game::Game;
use serde::{Deserialize, Serialize};

/// What a file that keeps a search says first: which search it is.
///
/// The file is gzipped, which brings a checksum and a length: one line of JSON, then the state of the
/// search.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SearchHeader {
    /// The version of the format.
    tusk_search: u32,
    /// The version of the program: what its tables hold may mean something else to another one.
    program: String,
    /// The position that is solved.
    pub position: String,
    /// What has come about before, since a proof may depend on it.
    past: u64,
    /// What is to be proved.
    pub target: String,
    /// The word that --algorithm takes.
    pub method: String,
}

const VERSION: u32 = 1;

const DAMAGED: &str = "the file is no search that was kept, or is cut off or altered";

impl SearchHeader {
    /// That of a search by a method in a game.
    pub fn new<G: Game>(game: &G, target: &str, method: &str) -> SearchHeader {
        // A sum does not depend on the order.
        let counted = game.history().iter().map(|(key, count)| key.0.wrapping_mul(count.into()));
        SearchHeader {
            tusk_search: VERSION,
            program: env!("CARGO_PKG_VERSION").to_string(),
            position: game.position().to_string(),
            past: counted.fold(0, u64::wrapping_add),
            target: target.to_string(),
            method: method.to_string(),
        }
    }

    /// The header of a file, with the rest of it to be read.
    pub fn read<R: BufRead>(file: R) -> anyhow::Result<(SearchHeader, impl Read)> {
        let mut input = BufReader::new(GzDecoder::new(file));
        let mut line = String::new();
        input.by_ref().take(1 << 16).read_line(&mut line).context(DAMAGED)?;
        Ok((serde_json::from_str(&line).context(DAMAGED)?, input))
    }

    /// Reads the state of the same search from a file that can be opened twice: the first time, all of it is
    /// seen to be sound.
    pub fn load<R: BufRead>(
        &self,
        open: impl Fn() -> io::Result<R>,
        load: impl FnOnce(&mut dyn Read) -> io::Result<()>,
    ) -> anyhow::Result<()> {
        io::copy(&mut GzDecoder::new(open()?), &mut io::sink()).context(DAMAGED)?;
        let (header, mut input) = SearchHeader::read(open()?)?;
        if header != *self {
            bail!("{}", self.difference(&header));
        }
        load(&mut input).context(DAMAGED)
    }

    /// Writes a whole file.
    pub fn save<W: Write>(
        &self,
        out: W,
        save: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> io::Result<W> {
        let mut file = GzEncoder::new(out, Compression::fast());
        writeln!(file, "{}", serde_json::to_string(self)?)?;
        save(&mut file)?;
        file.finish()
    }

    /// What is different about the search of another header.
    fn difference(&self, other: &SearchHeader) -> String {
        let is = |what: &str, other: &str, own: &str| {
            format!("the search that was kept is {what} {other}, and asked for is {own}")
        };
        if other.tusk_search != self.tusk_search || other.program != self.program {
            is("one of version", &other.program, &self.program)
        } else if other.position != self.position {
            is("one of", &other.position, &self.position)
        } else if other.target != self.target {
            is("for --target", &other.target, &self.target)
        } else if other.method != self.method {
            let advice = "searches do not understand each other's tables";
            format!("{} ({advice})", is("one by --algorithm", &other.method, &self.method))
        } else {
            "the search that was kept is one of the same position after another game".to_string()
        }
    }
}
