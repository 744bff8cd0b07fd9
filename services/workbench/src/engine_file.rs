//! An engine of one's own: a file in TOML that names an engine and what is set differently.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;

use anyhow::{Context, anyhow};
use engine::{Catalogue, Configuration, MOST_THREADS};
use guard::read_text_within;
use serde::Deserialize;
use toml::{Spanned, Value};

use crate::playing::{Playing, listed};
use crate::request::{EngineRequest, RequestError};
use crate::units;

/// The file as it is written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Text {
    base: Spanned<String>,
    name: Option<String>,
    threads: Option<Spanned<i64>>,
    memory: Option<Spanned<String>>,
    #[serde(default)]
    set: BTreeMap<Spanned<String>, Spanned<Value>>,
}

/// What is wrong, and where in the text.
struct Fault {
    span: Option<Range<usize>>,
    what: String,
}

/// The longest file of an engine, in bytes; a parameter is a line.
const LONGEST: u64 = 1 << 20;

/// Reads a file; an error names the line.
pub fn read_engine_file<S: Playing>(
    catalogue: &Catalogue<S::Game>,
    path: &Path,
) -> anyhow::Result<Configuration<S::Game>> {
    let text = read_text_within(path, LONGEST).with_context(|| path.display().to_string())?;
    parse_engine_file::<S>(catalogue, &text, path)
}

/// Reads the text of a file with that name; an error names the line.
pub fn parse_engine_file<S: Playing>(
    catalogue: &Catalogue<S::Game>,
    text: &str,
    path: &Path,
) -> anyhow::Result<Configuration<S::Game>> {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    parse::<S>(catalogue, text, &stem).map_err(|Fault { span, what }| {
        let path = path.display();
        match span {
            Some(span) => anyhow!("{path}, line {}: {what}", line(text, span.start)),
            None => anyhow!("{path}: {what}"),
        }
    })
}

/// The line of that byte, the first one counted as 1.
pub fn line(text: &str, byte: usize) -> usize {
    text.bytes().take(byte).filter(|&byte| byte == b'\n').count() + 1
}

fn parse<S: Playing>(
    catalogue: &Catalogue<S::Game>,
    text: &str,
    stem: &str,
) -> Result<Configuration<S::Game>, Fault> {
    let read: Text = toml::from_str(text).map_err(|error| Fault {
        span: error.span(),
        // The library tells some things on lines of their own.
        what: error.message().trim().replace('\n', ", "),
    })?;
    let at = |span: Range<usize>| move |what: String| Fault { span: Some(span), what };
    let entry = catalogue.named(read.base.get_ref()).ok_or_else(|| {
        let engines = listed(catalogue.names());
        let what = format!("there is no engine {:?}; there are: {engines}", read.base.get_ref());
        at(read.base.span())(what)
    })?;
    let mut configuration = entry.configure();
    let mut request = EngineRequest::default();
    if let Some(threads) = &read.threads {
        let number = usize::try_from(*threads.get_ref()).ok();
        let number = number.filter(|number| (1..=MOST_THREADS).contains(number));
        let range = || format!("threads is a whole number from 1 to {MOST_THREADS}");
        request.threads = Some(number.ok_or_else(range).map_err(at(threads.span()))?);
    }
    if let Some(memory) = &read.memory {
        let size = units::mebibytes(memory.get_ref()).map_err(at(memory.span()))?;
        request.memory = Some(size);
    }
    let text = |value: &Spanned<Value>| {
        // A text in quotes is meant without them.
        let value = value.get_ref();
        value.as_str().map_or_else(|| value.to_string(), str::to_string)
    };
    let settings = read.set.iter();
    request.settings =
        settings.map(|(name, value)| (name.get_ref().clone(), text(value))).collect();
    request.apply(&mut configuration).map_err(|error| {
        let span = match &error {
            RequestError::Unavailable { option: "threads", .. } => {
                read.threads.as_ref().map(Spanned::span)
            }
            RequestError::Unavailable { .. } => read.memory.as_ref().map(Spanned::span),
            RequestError::Setting { name, .. } => {
                read.set.keys().find(|known| known.get_ref() == name).map(Spanned::span)
            }
            RequestError::Engine(_) | RequestError::Preset { .. } => None,
        };
        let what = match error {
            RequestError::Setting { name, fault, is_known: false, .. } => {
                format!("{name}: {fault}")
            }
            RequestError::Setting { fault, .. } => fault,
            error => error.to_string(),
        };
        Fault { span, what }
    })?;
    configuration.name = read.name.unwrap_or_else(|| stem.to_string());
    Ok(configuration)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Arimaa, Catalogues};

    fn fault(text: &str) -> String {
        match parse::<Arimaa>(&Catalogues::of_players().arimaa, text, "mine") {
            Ok(_) => "none".to_string(),
            Err(Fault { span, what }) => {
                format!("{:?}: {what}", span.map(|span| line(text, span.start)))
            }
        }
    }

    #[test]
    fn a_file_sets_what_it_names() {
        let text = "base = 'beginner'\nthreads = 2\nmemory = '128MiB'\n[set]\nrandom_margin = 50\n";
        let file = parse::<Arimaa>(&Catalogues::of_players().arimaa, text, "mine")
            .unwrap_or_else(|fault| panic!("{}", fault.what));
        let configuration = file;
        assert_eq!((configuration.name.as_str(), configuration.entry().name), ("mine", "beginner"));
        assert_eq!((configuration.threads, configuration.memory), (2, 128));
        let [margin, depth] = ["random_margin", "max_depth"].map(|name| configuration.number(name));
        assert_eq!((margin, depth), (Some(50), Some(2)));
    }

    #[test]
    fn a_fault_is_told_with_its_line() {
        assert!(
            fault("base = 'tusk'\nthread = 1\n").starts_with("Some(2): unknown field `thread`")
        );
        assert!(fault("base = 'deep'\n").starts_with("Some(1): there is no engine \"deep\"; "));
        assert!(
            fault("base = 'tusk'\n[set]\n\nmargi = 1\n").starts_with("Some(4): margi: tusk has")
        );
        assert_eq!(
            fault("base = 'tusk'\n[set]\nrandom_margin = 'much'\n"),
            "Some(3): random_margin is a whole number from 0 to 2000"
        );
        assert_eq!(
            fault("base = 'tusk'\nthreads = 0\n"),
            "Some(2): threads is a whole number from 1 to 256"
        );
        assert_eq!(
            fault("base = 'random'\n[set]\nrandom_margin = 3\n"),
            "Some(3): random_margin: random has no parameters"
        );
    }
}
