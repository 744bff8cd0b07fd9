//! An engine of one's own: a file in TOML that names an engine and what is set differently.

use std::collections::BTreeMap;
use std::fs;
use std::ops::Range;
use std::path::Path;

use ::engine::ParameterError;
use anyhow::{Context, anyhow};
use serde::Deserialize;
use toml::{Spanned, Value};

use crate::choice::{listed, refusal};
use crate::engine::{Engine, Settings};
use crate::sport::Sport;
use crate::units;

/// What was made of a file.
pub struct EngineFile<S: Sport> {
    pub name: String,
    /// What it is based on.
    pub engine: &'static Engine<S>,
    /// None, where the engine has nothing to set.
    pub settings: Option<Settings<S>>,
}

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

impl<S: Sport> EngineFile<S> {
    /// An engine as it is, without a file.
    pub fn only(engine: &'static Engine<S>) -> EngineFile<S> {
        EngineFile { name: engine.name.to_string(), engine, settings: engine.settings() }
    }

    /// Reads a file; an error names the line.
    pub fn read(path: &Path) -> anyhow::Result<EngineFile<S>> {
        let text = fs::read_to_string(path).with_context(|| path.display().to_string())?;
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        parse(&text, &stem).map_err(|Fault { span, what }| {
            let path = path.display();
            match span {
                Some(span) => anyhow!("{path}, line {}: {what}", line(&text, span.start)),
                None => anyhow!("{path}: {what}"),
            }
        })
    }
}

/// The line of that byte, the first one counted as 1.
pub fn line(text: &str, byte: usize) -> usize {
    text.bytes().take(byte).filter(|&byte| byte == b'\n').count() + 1
}

fn parse<S: Sport>(text: &str, stem: &str) -> Result<EngineFile<S>, Fault> {
    let read: Text = toml::from_str(text).map_err(|error| Fault {
        span: error.span(),
        // The library tells some things on lines of their own.
        what: error.message().trim().replace('\n', ", "),
    })?;
    let at = |span: Range<usize>| move |what: String| Fault { span: Some(span), what };
    let engine = Engine::<S>::named(read.base.get_ref()).ok_or_else(|| {
        let engines = listed(S::ENGINES.iter().map(|engine| engine.name));
        let what = format!("there is no engine {:?}; there are: {engines}", read.base.get_ref());
        at(read.base.span())(what)
    })?;
    let name = read.name.unwrap_or_else(|| stem.to_string());
    let Some(mut settings) = engine.settings() else {
        let first = read.set.keys().map(Spanned::span);
        let spans =
            first.chain(read.threads.map(|n| n.span())).chain(read.memory.map(|n| n.span()));
        return match spans.min_by_key(|span| span.start) {
            Some(span) => Err(at(span)(format!("{} has nothing to set", engine.name))),
            None => Ok(EngineFile { name, engine, settings: None }),
        };
    };
    if let Some(threads) = read.threads {
        if let Some(fault) = engine.refusal_of("threads") {
            return Err(at(threads.span())(fault));
        }
        let number = usize::try_from(*threads.get_ref()).ok();
        settings.threads = number
            .filter(|number| (1..=256).contains(number))
            .ok_or_else(|| "threads is a whole number from 1 to 256".to_string())
            .map_err(at(threads.span()))?;
    }
    if let Some(memory) = read.memory {
        settings.mebibytes = units::mebibytes(memory.get_ref()).map_err(at(memory.span()))?;
    }
    for (name, value) in &read.set {
        let set = settings.set(name.get_ref(), &value.get_ref().to_string());
        let what = |error| match error {
            ParameterError::Unknown => format!("{}: {}", name.get_ref(), refusal(engine, &error)),
            ParameterError::OutOfRange { .. } | ParameterError::File { .. } => error.to_string(),
        };
        set.map_err(what).map_err(at(name.span()))?;
    }
    Ok(EngineFile { name, engine, settings: Some(settings) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sport::Arimaa;

    fn fault(text: &str) -> String {
        match parse::<Arimaa>(text, "mine") {
            Ok(_) => "none".to_string(),
            Err(Fault { span, what }) => {
                format!("{:?}: {what}", span.map(|span| line(text, span.start)))
            }
        }
    }

    #[test]
    fn a_file_sets_what_it_names() {
        let text = "base = 'beginner'\nthreads = 2\nmemory = '128MiB'\n[set]\nmargin = 50\n";
        let file = parse::<Arimaa>(text, "mine").unwrap_or_else(|fault| panic!("{}", fault.what));
        let settings = file.settings.expect("settings");
        assert_eq!((file.name.as_str(), file.engine.name), ("mine", "beginner"));
        assert_eq!((settings.threads, settings.mebibytes), (2, 128));
        assert_eq!((settings.manner.margin, settings.manner.reach), (50, 2));
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
            fault("base = 'tusk'\n[set]\nmargin = 'much'\n"),
            "Some(3): margin is a whole number from 0 to 2000"
        );
        assert_eq!(
            fault("base = 'tusk'\nthreads = 0\n"),
            "Some(2): threads is a whole number from 1 to 256"
        );
        assert_eq!(
            fault("base = 'random'\n[set]\nmargin = 3\n"),
            "Some(3): random has nothing to set"
        );
    }
}
