//! Files and folders that last as long as Tusk does, and no longer.
//!
//! Each has the number of its process in its name and a lock on it. A signal removes them
//! ([`remove_all`]); what a Tusk has left behind that was killed, the next one removes.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use tempfile::{Builder, TempDir};

use crate::is_running;

/// What there is now.
static PATHS: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

fn paths() -> MutexGuard<'static, BTreeSet<PathBuf>> {
    PATHS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What keeps a path in the list of those that a signal removes.
pub struct Listed(PathBuf);

impl Listed {
    /// Lists a file or a folder that is to go with Tusk.
    pub fn new(path: &Path) -> Listed {
        // A relative path stays right wherever we go.
        let path = std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
        paths().insert(path.clone());
        Listed(path)
    }
}

impl Drop for Listed {
    fn drop(&mut self) {
        paths().remove(&self.0);
    }
}

/// How a name begins that has our number in it: `tusk-getmove-123-`.
pub fn prefix(kind: &str) -> String {
    format!("{kind}{}-", std::process::id())
}

/// A folder of its own in the system's folder for temporary files; gone when it is dropped.
pub struct TemporaryFolder {
    // Before the folder, whose file it is.
    _lock: Option<File>,
    _listed: Listed,
    folder: TempDir,
}

/// The file in a folder that is locked while its Tusk lives.
const LOCK: &str = ".lock";

impl TemporaryFolder {
    /// A folder whose name begins with the kind, such as `tusk-getmove-`. What a killed Tusk has left of this
    /// kind is removed.
    pub fn new(kind: &str) -> io::Result<TemporaryFolder> {
        remove_leftovers(&std::env::temp_dir(), kind);
        let folder = Builder::new().prefix(&prefix(kind)).tempdir()?;
        let lock =
            File::create(folder.path().join(LOCK)).ok().filter(|file| file.try_lock().is_ok());
        let listed = Listed::new(folder.path());
        Ok(TemporaryFolder { _lock: lock, _listed: listed, folder })
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        self.folder.path()
    }
}

/// Removes the files and folders there whose names begin with the kind and whose Tusk is gone: its number is
/// free, and nobody has the lock.
pub fn remove_leftovers(place: &Path, kind: &str) {
    let Ok(entries) = fs::read_dir(place) else { return };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let owner = name.to_str().and_then(|name| name.strip_prefix(kind)?.split('-').next());
        let Some(owner) = owner.and_then(|owner| owner.parse().ok()) else { continue };
        let path = entry.path();
        if is_running(owner) || is_locked(&path) {
            continue;
        }
        remove(&path);
    }
}

/// Whether somebody has it: on another machine, or in another container.
fn is_locked(path: &Path) -> bool {
    let file = if path.is_dir() { path.join(LOCK) } else { path.to_path_buf() };
    File::open(file).is_ok_and(|file| file.try_lock().is_err())
}

fn remove(path: &Path) {
    let is_folder = fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_dir());
    // What cannot be removed is another's.
    let _ = if is_folder { fs::remove_dir_all(path) } else { fs::remove_file(path) };
}

/// Removes all that is listed: for a Tusk that ends at once.
pub fn remove_all() {
    paths().iter().for_each(|path| remove(path));
}

#[cfg(test)]
mod tests {
    use super::*;

    /// No system has so many processes.
    const NOBODY: u32 = u32::MAX - 1;

    #[test]
    fn what_a_killed_process_left_is_removed_and_nothing_else() {
        let place = tempfile::tempdir().unwrap();
        let path = |name: &str| place.path().join(name);
        let gone = [format!("kind-{NOBODY}-abc"), format!("kind-{NOBODY}-folder")];
        fs::write(path(&gone[0]), "half").unwrap();
        fs::create_dir(path(&gone[1])).unwrap();
        fs::write(path(&gone[1]).join(LOCK), "").unwrap();
        let stays = [
            format!("kind-{}-abc", std::process::id()),
            "kind-of-letter".to_string(),
            format!("other-{NOBODY}-abc"),
            format!("kind-{NOBODY}-locked"),
        ];
        for name in &stays {
            fs::write(path(name), "whole").unwrap();
        }
        let locked = File::open(path(&stays[3])).unwrap();
        locked.try_lock().unwrap();
        remove_leftovers(place.path(), "kind-");
        assert!(gone.iter().all(|name| !path(name).exists()));
        assert!(stays.iter().all(|name| path(name).exists()));
    }

    #[test]
    fn a_folder_is_there_until_it_is_dropped() {
        let folder = TemporaryFolder::new("tusk-test-").unwrap();
        let path = folder.path().to_path_buf();
        // Another one does not remove it.
        drop(TemporaryFolder::new("tusk-test-").unwrap());
        assert!(path.is_dir());
        drop(folder);
        assert!(!path.exists());
    }
}
