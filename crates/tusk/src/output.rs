//! Where what was asked for is written.

use std::fs::{self, File, Permissions};
use std::io::{self, BufWriter, StdoutLock, Write};
use std::path::{Path, PathBuf};

use anyhow::Context;
use process::Listed;
use tempfile::NamedTempFile;

/// How the name of a draft begins.
const DRAFT: &str = ".tusk-draft-";

/// Standard output, or a file that is there whole or not at all.
pub enum Output {
    Standard(BufWriter<StdoutLock<'static>>),
    /// What is no plain file, such as a pipe, cannot be put in place of another.
    Stream(BufWriter<File>),
    File {
        /// Beside the file, so that it can take its place.
        draft: BufWriter<NamedTempFile>,
        /// What a signal removes.
        listed: Listed,
        path: PathBuf,
    },
}

impl Output {
    /// Standard output, if no file is named.
    pub fn open(path: Option<&Path>) -> anyhow::Result<Output> {
        match path {
            None => Ok(Output::Standard(BufWriter::new(io::stdout().lock()))),
            Some(path) => Output::open_file(path).with_context(|| path.display().to_string()),
        }
    }

    fn open_file(path: &Path) -> io::Result<Output> {
        // What a link leads to is written, and the link stays.
        let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
        if fs::metadata(&path).is_ok_and(|file| !file.is_file()) {
            let stream = File::options().write(true).open(&path)?;
            return Ok(Output::Stream(BufWriter::new(stream)));
        }
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        let folder = folder.unwrap_or(Path::new("."));
        // A folder that is missing is told without the name of the draft.
        fs::metadata(folder)?;
        process::remove_leftovers(folder, DRAFT);
        let mut draft = tempfile::Builder::new();
        let prefix = process::temporary_prefix(DRAFT);
        draft.prefix(&prefix);
        if let Some(permissions) = usual_permissions() {
            draft.permissions(permissions);
        }
        let draft = draft.tempfile_in(folder)?;
        // It says that we are alive, should we be on another machine. Not every file system has locks.
        let _ = draft.as_file().try_lock();
        let listed = Listed::new(draft.path());
        Ok(Output::File { draft: BufWriter::new(draft), listed, path })
    }

    /// Sees to it that all is written; a file takes its place only now.
    pub fn finish(self) -> anyhow::Result<()> {
        match self {
            Output::Standard(mut out) => Ok(out.flush()?),
            Output::Stream(mut out) => Ok(out.flush()?),
            Output::File { draft, path, listed } => {
                let put = put_in_place(draft, &path);
                drop(listed);
                put.with_context(|| path.display().to_string())
            }
        }
    }
}

fn put_in_place(draft: BufWriter<NamedTempFile>, path: &Path) -> io::Result<()> {
    let draft = draft.into_inner()?;
    draft.as_file().sync_all()?;
    draft.persist(path)?;
    Ok(())
}

/// Those of any new file: a draft is not more secret than what it becomes.
fn usual_permissions() -> Option<Permissions> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        Some(Permissions::from_mode(0o666))
    }
    #[cfg(not(unix))]
    None
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Output::Standard(out) => out.write(bytes),
            Output::Stream(out) => out.write(bytes),
            Output::File { draft, .. } => draft.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Output::Standard(out) => out.flush(),
            Output::Stream(out) => out.flush(),
            Output::File { draft, .. } => draft.flush(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_there_whole_or_not_at_all() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.txt");
        let names = || fs::read_dir(folder.path()).unwrap().count();
        let mut given_up = Output::open(Some(&path)).unwrap();
        given_up.write_all(b"half").unwrap();
        drop(given_up);
        assert_eq!(names(), 0);
        for text in ["one", "another"] {
            let mut output = Output::open(Some(&path)).unwrap();
            output.write_all(text.as_bytes()).unwrap();
            output.finish().unwrap();
            assert_eq!(fs::read_to_string(&path).unwrap(), text);
        }
        assert_eq!(names(), 1);
    }

    #[test]
    fn what_is_no_file_stays_what_it_is() {
        let mut output = Output::open(Some(Path::new("/dev/null"))).unwrap();
        output.write_all(b"nothing").unwrap();
        output.finish().unwrap();
        assert!(!fs::metadata("/dev/null").unwrap().is_file());
        assert!(Output::open(Some(Path::new("/"))).is_err());
    }
}
