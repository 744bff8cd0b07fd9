//! Drafts: files that are written beside the place that they are for, and are there whole or not at all.

use std::fs::{self, File};
use std::io;
use std::path::Path;

use tempfile::NamedTempFile;

/// How the names of drafts begin.
const PREFIX: &str = ".draft";

/// A new draft in a folder. It goes when it is dropped, or at the next start, if the program is killed before.
pub fn draft_in(folder: &Path) -> io::Result<NamedTempFile> {
    let draft = tempfile::Builder::new().prefix(PREFIX).tempfile_in(folder)?;
    // The lock shows another server with the same folder that the draft is being written. Where a file system has no locks,
    // the draft is written all the same.
    let _ = draft.as_file().try_lock();
    Ok(draft)
}

/// Removes the drafts of programs that were killed. Drafts that are still being written stay.
pub fn remove_abandoned(folder: &Path) {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let drafts =
        entries.filter(|entry| entry.file_name().as_encoded_bytes().starts_with(PREFIX.as_bytes()));
    for draft in drafts {
        let is_abandoned = File::open(draft.path()).is_ok_and(|file| file.try_lock().is_ok());
        if is_abandoned {
            // A draft that cannot be removed does no harm.
            let _ = fs::remove_file(draft.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_drafts_of_killed_programs_go_and_those_that_are_written_stay() {
        let folder = tempfile::tempdir().unwrap();
        let abandoned = folder.path().join(".draftAbC123");
        let other = folder.path().join("draft");
        fs::write(&abandoned, "half").unwrap();
        fs::write(&other, "whole").unwrap();
        let written = draft_in(folder.path()).unwrap();
        remove_abandoned(folder.path());
        assert!(!abandoned.exists());
        assert!(other.exists() && written.path().exists());
        remove_abandoned(&folder.path().join("missing"));
    }
}
