//! Where what was asked for is written.

use std::fmt;
use std::fs::{self, File, Permissions, TryLockError};
use std::io::{self, BufWriter, ErrorKind, Stdout, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use guard::harmless;
use process::Listed;
use tempfile::NamedTempFile;

/// How the name of a draft begins.
const DRAFT: &str = ".tusk-draft-";

/// Standard output, for people and for programs.
pub fn standard() -> Standard {
    Standard(io::stdout())
}

/// Standard output, which takes everything even when nobody reads it any more: whoever reads may have seen
/// enough, as `head` does. The work is done all the same, and the exit status says how it ended.
///
/// What others have written, such as the name of an engine, can do the terminal no harm: see [`harmless`].
pub struct Standard(Stdout);

impl Write for Standard {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut shown = Vec::with_capacity(bytes.len());
        for chunk in bytes.utf8_chunks() {
            shown.extend_from_slice(harmless(chunk.valid()).as_bytes());
            shown.extend_from_slice(chunk.invalid());
        }
        unless_closed(self.0.write_all(&shown))?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        unless_closed(self.0.flush())
    }
}

/// A closed pipe is no fault.
pub fn unless_closed(written: io::Result<()>) -> io::Result<()> {
    written.or_else(|error| match error.kind() {
        ErrorKind::BrokenPipe => Ok(()),
        _ => Err(error),
    })
}

/// Says something on standard error, if anybody listens; see [`harmless`].
pub fn say_words(words: fmt::Arguments) {
    let _ = writeln!(io::stderr(), "{}", harmless(&words.to_string()));
}

/// Says something on standard error, as `eprintln!` does, but never fails: see [`say_words`].
macro_rules! say {
    ($($words:tt)*) => { $crate::output::say_words(format_args!($($words)*)) };
}

pub(crate) use say;

/// Tells an error as clap tells its own: with colour on a terminal, unless NO_COLOR is set; see [`harmless`].
pub fn tell_error(text: &str) {
    let style = clap::builder::Styles::styled();
    let error = style.get_error();
    let _ = writeln!(anstream::stderr(), "{error}error:{error:#} {}", harmless(text));
}

/// Whether a path means standard output.
pub fn is_standard(path: &Path) -> bool {
    path == Path::new("-")
}

/// Standard output, or a file that is there whole or not at all.
pub enum Output {
    Standard(BufWriter<Standard>),
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
    /// A file for text; standard output, if none is named or `-`.
    pub fn open(path: Option<&Path>) -> anyhow::Result<Output> {
        match path.filter(|path| !is_standard(path)) {
            None => Ok(Output::Standard(BufWriter::new(standard()))),
            Some(path) => Output::create(path),
        }
    }

    /// A file, which keeps its permissions if it is there already.
    pub fn create(path: &Path) -> anyhow::Result<Output> {
        Output::open_file(path).with_context(|| path.display().to_string())
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

/// Puts something in the place of a file, whole or not at all.
pub fn write_file(path: &Path, bytes: impl AsRef<[u8]>) -> anyhow::Result<()> {
    let mut output = Output::create(path)?;
    output.write_all(bytes.as_ref()).with_context(|| path.display().to_string())?;
    output.finish()
}

/// The right to make a file: a lock beside it, which another process that wants to make the same file does not get. The
/// system gives it back when the process ends, however that happens.
pub struct Claim {
    lock: PathBuf,
    _file: File,
    _listed: Listed,
}

impl Claim {
    /// Claims a file, before hours of work on it. A device or a pipe cannot be claimed, and need not be.
    pub fn on(out: &Path) -> anyhow::Result<Option<Claim>> {
        if fs::metadata(out).is_ok_and(|file| !file.is_file()) {
            return Ok(None);
        }
        let name = || out.display().to_string();
        let folder = out.parent().filter(|folder| !folder.as_os_str().is_empty());
        let folder = fs::canonicalize(folder.unwrap_or(Path::new("."))).with_context(name)?;
        // A link and the file that it leads to are one.
        let path = fs::canonicalize(out)
            .unwrap_or_else(|_| folder.join(out.file_name().unwrap_or_default()));
        let mut lock = path.into_os_string();
        lock.push(".lock");
        let lock = PathBuf::from(lock);
        loop {
            let mut options = File::options();
            let file = options.write(true).create(true).truncate(false).open(&lock);
            let file = file.with_context(name)?;
            match file.try_lock() {
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => bail!(
                    "{}: another tusk makes this file: wait for it, or choose another --out",
                    name()
                ),
                Err(TryLockError::Error(error)) => return Err(error).with_context(name),
            }
            // Who had the lock before may have removed it in between.
            if is_at(&file, &lock) {
                let listed = Listed::new(&lock);
                return Ok(Some(Claim { lock, _file: file, _listed: listed }));
            }
        }
    }
}

impl Drop for Claim {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.lock);
    }
}

/// Whether that is the file of that name.
#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    let place = |metadata: fs::Metadata| (metadata.dev(), metadata.ino());
    let (own, named) = (file.metadata().map(place), fs::metadata(path).map(place));
    own.ok().zip(named.ok()).is_some_and(|(own, named)| own == named)
}

#[cfg(not(unix))]
fn is_at(_: &File, _: &Path) -> bool {
    true
}

fn put_in_place(draft: BufWriter<NamedTempFile>, path: &Path) -> io::Result<()> {
    let draft = draft.into_inner()?;
    if let Ok(old) = fs::metadata(path) {
        draft.as_file().set_permissions(old.permissions())?;
    }
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

    #[cfg(unix)]
    #[test]
    fn a_file_that_is_replaced_keeps_its_permissions() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.txt");
        fs::write(&path, "old").unwrap();
        fs::set_permissions(&path, Permissions::from_mode(0o640)).unwrap();
        let mut output = Output::create(&path).unwrap();
        output.write_all(b"new").unwrap();
        output.finish().unwrap();
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o640);
    }

    #[test]
    fn a_dash_is_standard_output() {
        assert!(matches!(Output::open(Some(Path::new("-"))), Ok(Output::Standard(_))));
        assert!(matches!(Output::open(None), Ok(Output::Standard(_))));
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
