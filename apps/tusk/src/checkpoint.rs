//! Where learning and training keep what they need to go on.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use anyhow::Context;
use guard::read_file;
use serde::de::DeserializeOwned;

/// The checkpoint of a file that is to be made.
pub fn checkpoint_of(out: &Path) -> PathBuf {
    let mut name = OsString::from(out);
    name.push(".checkpoint");
    name.into()
}

/// What a checkpoint keeps.
pub fn read_checkpoint<T: DeserializeOwned>(path: &Path) -> anyhow::Result<T> {
    let name = || path.display().to_string();
    let bytes = read_file(path).with_context(name)?;
    serde_json::from_slice(&bytes).with_context(|| format!("{}: this is no checkpoint", name()))
}
