//! A search for a proof that a file keeps: `tusk solve --save` writes it, and the page does.

use std::collections::BTreeMap;
use std::io::{self, BufRead, BufReader, BufWriter, Read, Write};

use anyhow::{Context, bail};
use flate2::Compression;
use flate2::bufread::GzDecoder;
use flate2::write::GzEncoder;
use game::Game;
use search::ProofParameters;
use serde::{Deserialize, Serialize};

use crate::solving::SearchPlan;

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
    /// What the state consists of: `auto`, `pns` (tables and a tree) or `dfpns` (tables).
    pub method: String,
    /// The most turns of the winner that a proof may take.
    #[serde(default)]
    pub turns: Option<u16>,
    /// The memory of the search, in MiB.
    #[serde(default)]
    pub memory: usize,
    /// All parameters of proof-number search, by name; none with `auto`.
    #[serde(default)]
    parameters: BTreeMap<String, i32>,
}

const VERSION: u32 = 2;

const DAMAGED: &str = "the file is no search that was kept, or is cut off or altered";

impl SearchHeader {
    /// The header of a search in a game.
    pub fn new<G: Game>(game: &G, plan: &SearchPlan) -> SearchHeader {
        // A sum does not depend on the order.
        let counted = game.history().iter().map(|(key, count)| key.0.wrapping_mul(count.into()));
        let parameters = plan.parameters.iter().flat_map(ProofParameters::values);
        SearchHeader {
            tusk_search: VERSION,
            program: env!("CARGO_PKG_VERSION").to_string(),
            position: game.position().to_string(),
            past: counted.fold(0, u64::wrapping_add),
            target: plan.target.clone(),
            method: plan.method().to_string(),
            turns: plan.turns,
            memory: plan.memory,
            parameters: parameters.map(|(name, value)| (name.to_string(), value)).collect(),
        }
    }

    /// The header of a file, with the rest of it to be read.
    pub fn read<R: BufRead>(file: R) -> anyhow::Result<(SearchHeader, impl Read)> {
        let mut input = BufReader::new(GzDecoder::new(file));
        let mut line = String::new();
        input.by_ref().take(1 << 16).read_line(&mut line).context(DAMAGED)?;
        Ok((serde_json::from_str(&line).context(DAMAGED)?, input))
    }

    /// The header of a whole file: all of it is seen to be sound, and of this version of the format.
    pub fn read_whole<R: BufRead>(file: R) -> anyhow::Result<SearchHeader> {
        let (header, mut rest) = SearchHeader::read(file)?;
        io::copy(&mut rest, &mut io::sink()).context(DAMAGED)?;
        if header.tusk_search != VERSION {
            let kept = header.tusk_search;
            bail!(
                "the file has format {kept}, and this version of Tusk reads format {VERSION}: begin anew"
            );
        }
        Ok(header)
    }

    /// The parameters of proof-number search; nothing with `auto`.
    pub fn parameters(&self) -> anyhow::Result<Option<ProofParameters>> {
        if self.parameters.is_empty() {
            return Ok(None);
        }
        let mut parameters = ProofParameters::default();
        for (name, value) in &self.parameters {
            parameters.set(name, &value.to_string()).context(DAMAGED)?;
        }
        Ok(Some(parameters))
    }

    /// Reads the state of the same search from a file. [`SearchHeader::read_whole`] has seen that it is sound.
    pub fn load<R: BufRead>(
        &self,
        file: R,
        load: impl FnOnce(&mut dyn Read) -> io::Result<()>,
    ) -> anyhow::Result<()> {
        let (header, mut input) = SearchHeader::read(file)?;
        if let Some(difference) = self.difference(&header) {
            bail!("{difference}");
        }
        load(&mut input).map_err(|error| match error.kind() {
            // The memory is too small; the file is sound.
            io::ErrorKind::OutOfMemory => anyhow::Error::new(error),
            _ => anyhow::Error::new(error).context(DAMAGED),
        })
    }

    /// Writes a whole file.
    pub fn save<W: Write>(
        &self,
        out: W,
        save: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> io::Result<W> {
        // The state comes in pieces of a few bytes, each of which would be a call of the compressor.
        let mut file = BufWriter::with_capacity(1 << 16, GzEncoder::new(out, Compression::fast()));
        writeln!(file, "{}", serde_json::to_string(self)?)?;
        save(&mut file)?;
        file.into_inner().map_err(|error| error.into_error())?.finish()
    }

    /// The difference to another header that makes its state useless for this search.
    fn difference(&self, other: &SearchHeader) -> Option<String> {
        let is = |what: &str, other: &str, own: &str| {
            Some(format!("the search that was kept is {what} {other}, and asked for is {own}"))
        };
        if other.program != self.program {
            is("one of version", &other.program, &self.program)
        } else if other.position != self.position {
            is("one of", &other.position, &self.position)
        } else if other.past != self.past {
            let fault = "the search that was kept is one of the same position after another game";
            Some(fault.to_string())
        } else if other.target != self.target {
            is("for --target", &other.target, &self.target)
        } else if other.method != self.method {
            is("one by --algorithm", &other.method, &self.method)
        } else {
            None
        }
    }
}
