use std::fs::File;
use std::io::{self, BufReader, Read, Write};
use std::path::Path;

use anyhow::Context;
use workbench::SearchHeader;

use crate::shared::output::Output;

/// Where a search is kept.
pub struct Saved<'a> {
    pub header: SearchHeader,
    pub path: &'a Path,
}

impl Saved<'_> {
    /// Puts the state of the search in the place of what is there, whole or not at all.
    pub fn save(&self, save: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> anyhow::Result<()> {
        let file = self.header.save(Output::create(self.path)?, save);
        file.with_context(|| self.path.display().to_string())?.finish()
    }
}

/// The header of a file, all of which is there.
pub fn read(path: &Path) -> anyhow::Result<SearchHeader> {
    let file = File::open(path).map(BufReader::new).map_err(anyhow::Error::new);
    file.and_then(SearchHeader::read_whole).with_context(|| path.display().to_string())
}

/// Reads the state of the search of a header from a file.
pub fn load(
    header: &SearchHeader,
    path: &Path,
    load: impl FnOnce(&mut dyn Read) -> io::Result<()>,
) -> anyhow::Result<()> {
    let file = File::open(path).map(BufReader::new).map_err(anyhow::Error::new);
    file.and_then(|file| header.load(file, load)).with_context(|| path.display().to_string())
}
