//! Searches for proofs that are kept in the data folder: those that the page has saved, and files of `tusk solve --save`
//! that were brought there by the page. Nothing outside that folder is read or written.

use std::fs::{self, File};
use std::io::{self, BufRead as _, BufReader, Read, Write};
use std::path::{Path, PathBuf};

use game::Game as _;
use serde_json::{Value, json};
use tempfile::NamedTempFile;
use workbench::{GameName, GameSpec, SearchHeader, in_game};

use crate::api::{Answer, Refusal};
use crate::drafts::{draft_in, remove_abandoned};

/// The longest file that is taken, in bytes, and the most that all of them take.
const LONGEST: u64 = 512 << 20;
const MOST_BYTES: u64 = 4 << 30;
const MOST_FILES: usize = 200;

/// The most that a file may hold once it is unpacked: beyond that, it is no search of ours.
const MOST_UNPACKED: u64 = 4 << 30;

/// The folder of the searches, below the data folder.
const FOLDER: &str = "searches";

/// The longest name.
const LONGEST_NAME: usize = 64;

/// Where searches are kept.
pub struct KeptSearches {
    folder: Option<PathBuf>,
}

impl KeptSearches {
    /// In that data folder; without one, nothing is kept.
    pub fn new(data: Option<&Path>) -> KeptSearches {
        let folder = data.map(|data| data.join(FOLDER));
        folder.as_deref().into_iter().for_each(remove_abandoned);
        KeptSearches { folder }
    }

    /// Where a search of that name is, or would be.
    pub fn path(&self, name: &str) -> Result<PathBuf, Refusal> {
        let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "-_.".contains(letter);
        let is_name = (1..=LONGEST_NAME).contains(&name.len())
            && name.chars().all(is_plain)
            && !name.starts_with('.');
        if !is_name {
            return Err(Refusal::new(format!(
                "{name:?} is no name for a search: expected 1 to {LONGEST_NAME} letters, digits, - and _"
            )));
        }
        let nowhere = || Refusal::new("the server has no data folder: tusk serve --data DIR");
        Ok(self.folder.as_ref().ok_or_else(nowhere)?.join(name))
    }

    /// The file of that name.
    pub fn open(&self, name: &str) -> Result<File, Refusal> {
        let missing = |_| Refusal { status: 404, message: format!("no search {name:?} is kept") };
        File::open(self.path(name)?).map_err(missing)
    }

    /// The header of the search of that name.
    pub fn header(&self, name: &str) -> Result<SearchHeader, Refusal> {
        let read = SearchHeader::read(BufReader::new(self.open(name)?));
        let (header, _) = read.map_err(|error| Refusal::new(format!("{error:#}")))?;
        Ok(header)
    }

    /// Those that are kept, by their names.
    pub fn list(&self) -> Answer {
        let folder = self.folder.as_ref().and_then(|folder| fs::read_dir(folder).ok());
        let names = folder.into_iter().flatten().flatten();
        let mut names: Vec<String> =
            names.filter_map(|entry| entry.file_name().into_string().ok()).collect();
        names.sort();
        let rows: Vec<Value> = names.iter().filter_map(|name| self.row(name)).collect();
        Ok(json!({ "searches": rows }))
    }

    fn row(&self, name: &str) -> Option<Value> {
        let bytes = self.open(name).ok()?.metadata().ok()?.len();
        let header = self.header(name).ok()?;
        Some(json!({
            "name": name,
            "bytes": bytes,
            "game": GameName::of_text(&header.position).word(),
            "position": header.position,
            "target": header.target,
            "algorithm": header.method,
        }))
    }

    /// Takes one away.
    pub fn remove(&self, name: &str) -> Answer {
        drop(self.open(name)?);
        fs::remove_file(self.path(name)?).map_err(Refusal::from_io)?;
        Ok(json!({}))
    }

    /// A file that is to become the search of that name.
    pub fn draft(&self, name: &str) -> Result<Draft, Refusal> {
        let path = self.path(name)?;
        let folder = path.parent().unwrap_or(Path::new("."));
        fs::create_dir_all(folder).map_err(Refusal::from_io)?;
        let (mut count, mut bytes) = (0, 0);
        for entry in fs::read_dir(folder).map_err(Refusal::from_io)?.flatten() {
            count += 1;
            bytes += entry.metadata().map_or(0, |data| data.len());
        }
        if count >= MOST_FILES || bytes >= MOST_BYTES {
            let full = "the folder of searches is full: take some away";
            return Err(Refusal { status: 507, message: full.to_string() });
        }
        let file = draft_in(folder).map_err(Refusal::from_io)?;
        Ok(Draft { path, file, length: 0 })
    }
}

/// A file that is written, and is there whole or not at all.
pub struct Draft {
    path: PathBuf,
    file: NamedTempFile,
    length: u64,
}

impl Write for Draft {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.length += bytes.len() as u64;
        if self.length > LONGEST {
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Draft {
    /// Puts the file in its place.
    pub fn finish(self) -> Result<(), Refusal> {
        let persisted = self.file.persist(&self.path);
        persisted.map_err(|error| Refusal::from_io(error.error))?;
        Ok(())
    }

    /// The same for a file of somebody else's: only a whole search is kept.
    pub fn finish_checked(self) -> Result<(), Refusal> {
        let refused = |error: String| Refusal::new(error);
        let file = self.file.reopen().map_err(Refusal::from_io)?;
        let mut file = BufReader::new(file);
        let (header, rest) =
            SearchHeader::read(&mut file).map_err(|error| refused(format!("{error:#}")))?;
        // The end of the packed part has a checksum.
        let unpacked = io::copy(&mut rest.take(MOST_UNPACKED), &mut io::sink());
        let is_whole = unpacked.is_ok_and(|length| length < MOST_UNPACKED)
            && file.fill_buf().is_ok_and(<[u8]>::is_empty)
            && is_position(&header.position);
        match is_whole {
            true => self.finish(),
            false => {
                Err(refused("the file is no search that was kept, or is cut off or altered".into()))
            }
        }
    }
}

/// Whether this is a position of one of the games.
fn is_position(text: &str) -> bool {
    in_game!(GameName::of_text(text), S => <S as GameSpec>::Game::begin(text).is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_name_leads_out_of_the_folder() {
        let kept = KeptSearches::new(Some(Path::new("/data")));
        for name in ["", ".", "..", "../x", "a/b", "a\\b", ".hidden", "a b", "a\0", "é"] {
            assert!(kept.path(name).is_err(), "{name:?}");
        }
        assert!(kept.path(&"a".repeat(65)).is_err());
        assert_eq!(kept.path("hard-1.search").unwrap(), Path::new("/data/searches/hard-1.search"));
        assert!(KeptSearches::new(None).path("a").is_err());
    }
}
