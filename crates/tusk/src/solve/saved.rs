use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::Path;

use anyhow::{Context, bail};
use flate2::Compression;
use flate2::bufread::GzDecoder;
use flate2::write::GzEncoder;
use serde::{Deserialize, Serialize};

use game::Game;

use crate::output::Output;

/// What a file that keeps a search says first: which search it is.
///
/// The file is gzipped, which brings a checksum and a length: one line of JSON, then the state of the
/// search.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Header {
    /// The version of the format.
    tusk_search: u32,
    /// The version of the program: what its tables hold may mean something else to another one.
    program: String,
    position: String,
    /// What has come about before, since a proof may depend on it.
    past: u64,
    target: String,
    method: String,
}

const VERSION: u32 = 1;

impl Header {
    pub fn new<G: Game>(game: &G, target: &str, method: &str) -> Header {
        // A sum does not depend on the order.
        let counted = game.history().iter().map(|(key, count)| key.0.wrapping_mul(count.into()));
        Header {
            tusk_search: VERSION,
            program: env!("CARGO_PKG_VERSION").to_string(),
            position: game.position().to_string(),
            past: counted.fold(0, u64::wrapping_add),
            target: target.to_string(),
            method: method.to_string(),
        }
    }

    /// Reads the state of the same search from a file, once all of it is known to be sound.
    pub fn load(
        &self,
        path: &Path,
        load: impl FnOnce(&mut dyn Read) -> io::Result<()>,
    ) -> anyhow::Result<()> {
        let name = || path.display().to_string();
        let damaged = "the file is no search that was kept, or is cut off or altered";
        let open = || anyhow::Ok(BufReader::new(File::open(path).with_context(name)?));
        io::copy(&mut GzDecoder::new(open()?), &mut io::sink())
            .context(damaged)
            .with_context(name)?;
        let mut input = BufReader::new(GzDecoder::new(open()?));
        let mut line = String::new();
        input.by_ref().take(1 << 16).read_line(&mut line).context(damaged).with_context(name)?;
        let header: Header = serde_json::from_str(&line).context(damaged).with_context(name)?;
        if header != *self {
            bail!("{}: {}", name(), self.difference(&header));
        }
        load(&mut input).context(damaged).with_context(name)
    }

    /// What is different about the search of another header.
    fn difference(&self, other: &Header) -> String {
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

/// Where a search is kept.
pub struct Saved<'a> {
    pub header: Header,
    pub path: &'a Path,
}

impl Saved<'_> {
    /// Puts the state of the search in the place of what is there, whole or not at all.
    pub fn save(&self, save: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> anyhow::Result<()> {
        let name = || self.path.display().to_string();
        let mut file = GzEncoder::new(Output::create(self.path)?, Compression::fast());
        writeln!(file, "{}", serde_json::to_string(&self.header)?).with_context(name)?;
        save(&mut file).with_context(name)?;
        file.finish().with_context(name)?.finish()
    }
}
