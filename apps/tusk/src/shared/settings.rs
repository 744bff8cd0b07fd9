//! The defaults that hold: built in, from a file, from the environment.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::Duration;

use anyhow::{Context, anyhow};
use guard::read_text_within;
use toml::de::{DeTable, DeValue};
use workbench::{
    Arimaa, Catalogues, EngineRequest, GameName, Playing, Tzaar, WrongUse, is_file, units,
};

/// What can be set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Key {
    Store,
    ArimaaEngine,
    TzaarEngine,
    Time,
    Threads,
    Memory,
    Concurrency,
    ServeMemory,
}

impl Key {
    /// All of them.
    pub const ALL: [Key; 8] = [
        Key::Store,
        Key::ArimaaEngine,
        Key::TzaarEngine,
        Key::Time,
        Key::Threads,
        Key::Memory,
        Key::Concurrency,
        Key::ServeMemory,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Key::Store => "store",
            Key::ArimaaEngine => "arimaa_engine",
            Key::TzaarEngine => "tzaar_engine",
            Key::Time => "time",
            Key::Threads => "threads",
            Key::Memory => "memory",
            Key::Concurrency => "concurrency",
            Key::ServeMemory => "serve_memory",
        }
    }

    fn variable(self) -> String {
        format!("TUSK_{}", self.name().to_uppercase())
    }

    /// What holds if nothing is set; none if it depends.
    pub fn usual(self) -> Option<&'static str> {
        match self {
            Key::Store => Some("tusk.sqlite"),
            Key::ArimaaEngine | Key::TzaarEngine => Some("tusk"),
            Key::Time => Some("1s"),
            Key::Threads | Key::Memory | Key::Concurrency | Key::ServeMemory => None,
        }
    }

    /// What it depends on.
    pub fn usual_in_words(self) -> &'static str {
        match self {
            Key::Concurrency => "as many as leave a core to each engine that thinks",
            Key::ServeMemory => "half of what the machine or its container has",
            _ => "the engine's own",
        }
    }

    /// Refuses a value that makes no sense.
    pub fn check(self, value: &str, catalogues: &Catalogues) -> Result<(), String> {
        match self {
            Key::Store if value.is_empty() => Err("expected a file or postgres://…".to_string()),
            Key::Store => Ok(()),
            Key::ArimaaEngine => check_engine::<Arimaa>(catalogues, value),
            Key::TzaarEngine => check_engine::<Tzaar>(catalogues, value),
            Key::Time => units::time(value).map(drop),
            Key::Threads => count(value, 256).map(drop),
            Key::Memory | Key::ServeMemory => units::mebibytes(value).map(drop),
            Key::Concurrency => count(value, 1024).map(drop),
        }
    }
}

/// An engine by its name; a file is read when it is needed.
fn check_engine<S: Playing>(catalogues: &Catalogues, name: &str) -> Result<(), String> {
    if is_file(name) {
        Ok(())
    } else {
        EngineRequest::new(name)
            .resolve::<S>(catalogues.get::<S>())
            .map(drop)
            .map_err(|error| error.to_string())
    }
}

fn count(text: &str, most: u16) -> Result<u16, String> {
    let count = text.parse().ok().filter(|count| (1..=most).contains(count));
    count.ok_or_else(|| format!("expected a number from 1 to {most}"))
}

/// Where a value comes from.
#[derive(Clone, PartialEq, Debug)]
pub enum Origin {
    Default,
    File { path: String, line: usize },
    Environment(String),
    CommandLine,
}

impl Origin {
    pub fn kind(&self) -> &'static str {
        match self {
            Origin::Default => "default",
            Origin::File { .. } => "file",
            Origin::Environment(_) => "environment",
            Origin::CommandLine => "command line",
        }
    }
}

impl std::fmt::Display for Origin {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        match self {
            Origin::File { path, line } => write!(f, "{path}, line {line}"),
            Origin::Environment(variable) => write!(f, "environment, {variable}"),
            Origin::Default | Origin::CommandLine => f.write_str(self.kind()),
        }
    }
}

/// The defaults in force.
#[derive(Default)]
pub struct Settings {
    /// Those that are set, the last one of a key counts.
    set: Vec<(Key, String, Origin)>,
    /// The file that was read.
    pub file: Option<PathBuf>,
}

static SETTINGS: OnceLock<Settings> = OnceLock::new();

/// The defaults in force, once [`load`] has read them.
pub fn in_force() -> &'static Settings {
    SETTINGS.get_or_init(Settings::default)
}

/// Reads the defaults, for the rest of the run: from the file that is named, or the usual one.
pub fn load(named: Option<&Path>, is_wanted: bool, catalogues: &Catalogues) -> anyhow::Result<()> {
    if !is_wanted {
        return Ok(());
    }
    let settings = Settings::read(named, |variable| std::env::var(variable).ok(), catalogues)?;
    SETTINGS.get_or_init(|| settings);
    Ok(())
}

/// The longest configuration file, in bytes.
const LONGEST: u64 = 1 << 20;

impl Settings {
    fn read(
        named: Option<&Path>,
        variable: impl Fn(&str) -> Option<String>,
        catalogues: &Catalogues,
    ) -> anyhow::Result<Settings> {
        let variable = |name: &str| variable(name).filter(|value| !value.is_empty());
        let mut settings = Settings::default();
        let file = match named {
            Some(path) => (!path.as_os_str().is_empty()).then(|| path.to_path_buf()),
            // What nobody has named may be missing.
            None => usual_file(&variable).filter(|path| path.exists()),
        };
        if let Some(path) = file {
            settings.read_file(&path, catalogues)?;
            settings.file = Some(path);
        }
        for key in Key::ALL {
            let name = key.variable();
            if let Some(value) = variable(&name) {
                let fault = |fault| WrongUse(format!("{name}={value} in the environment: {fault}"));
                key.check(&value, catalogues).map_err(fault)?;
                settings.set.push((key, value, Origin::Environment(name)));
            }
        }
        Ok(settings)
    }

    fn read_file(&mut self, path: &Path, catalogues: &Catalogues) -> anyhow::Result<()> {
        let name = path.display().to_string();
        let text = read_text_within(path, LONGEST).with_context(|| name.clone())?;
        let at = |byte: usize, what: String| {
            anyhow!("{name}, line {}: {what}", workbench::line(&text, byte))
        };
        let table = DeTable::parse(&text).map_err(|error| {
            let byte = error.span().map_or(0, |span| span.start);
            at(byte, error.message().trim().replace('\n', ", "))
        })?;
        for (word, value) in table.get_ref() {
            let (byte, word) = (word.span().start, word.get_ref());
            let line = workbench::line(&text, byte);
            let (key, value) =
                entry(word, value.get_ref(), catalogues).map_err(|what| at(byte, what))?;
            self.set.push((key, value, Origin::File { path: name.clone(), line }));
        }
        Ok(())
    }

    pub fn find(&self, key: Key) -> Option<(&str, &Origin)> {
        let found = self.set.iter().rfind(|(set, ..)| *set == key);
        found.map(|(_, value, origin)| (value.as_str(), origin))
    }

    fn text(&self, key: Key) -> Option<&str> {
        self.find(key).map(|(value, _)| value).or(key.usual())
    }

    /// Where games are kept.
    pub fn store(&self) -> String {
        self.text(Key::Store).unwrap_or_default().to_string()
    }

    /// The engine of a game.
    pub fn engine(&self, game: GameName) -> String {
        self.text(engine_key(game)).unwrap_or_default().to_string()
    }

    /// How long an engine thinks about a turn that nothing else limits.
    pub fn time(&self) -> Duration {
        let time = self.text(Key::Time).and_then(|text| units::time(text).ok());
        time.unwrap_or(Duration::from_secs(1))
    }

    /// How many threads think, if that is set.
    pub fn threads(&self) -> Option<u16> {
        self.text(Key::Threads).and_then(|text| count(text, 256).ok())
    }

    /// The memory of the table in MiB, if that is set.
    pub fn memory(&self) -> Option<usize> {
        self.text(Key::Memory).and_then(|text| units::mebibytes(text).ok())
    }

    /// The memory of all searches of the page in MiB, if that is set.
    pub fn serve_memory(&self) -> Option<usize> {
        self.text(Key::ServeMemory).and_then(|text| units::mebibytes(text).ok())
    }

    /// How many games are played at a time, if that is set.
    pub fn concurrency(&self) -> Option<u16> {
        self.text(Key::Concurrency).and_then(|text| count(text, 1024).ok())
    }
}

/// A line of the file.
fn entry(word: &str, value: &DeValue, catalogues: &Catalogues) -> Result<(Key, String), String> {
    let key = Key::ALL.into_iter().find(|key| key.name() == word).ok_or_else(|| {
        let known = Key::ALL.map(Key::name).join(", ");
        format!("there is no key {word}; there are: {known}")
    })?;
    let value = match value {
        DeValue::String(text) => text.to_string(),
        DeValue::Integer(number) => number.to_string(),
        other => {
            let kind = other.type_str();
            return Err(format!(
                "{word}: expected a text or a number, found a value of type {kind}"
            ));
        }
    };
    key.check(&value, catalogues).map_err(|fault| format!("{word} = {value:?}: {fault}"))?;
    Ok((key, value))
}

pub fn engine_key(game: GameName) -> Key {
    match game {
        GameName::Arimaa => Key::ArimaaEngine,
        GameName::Tzaar => Key::TzaarEngine,
    }
}

/// Where the file is looked for that nobody has named.
fn usual_file(variable: &impl Fn(&str) -> Option<String>) -> Option<PathBuf> {
    // A path that is not absolute is to be ignored, says the XDG base directory specification.
    let folder = variable("XDG_CONFIG_HOME").map(PathBuf::from).filter(|path| path.is_absolute());
    let folder = folder.or_else(|| Some(PathBuf::from(variable("HOME")?).join(".config")));
    Some(folder?.join("tusk").join("config.toml"))
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::*;

    fn file(text: &str) -> tempfile::NamedTempFile {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(text.as_bytes()).unwrap();
        file
    }

    fn read(text: &str, variables: &[(&str, &str)]) -> anyhow::Result<Settings> {
        let find = |name: &str| {
            let found = variables.iter().find(|(known, _)| *known == name);
            found.map(|(_, value)| value.to_string())
        };
        Settings::read(Some(file(text).path()), find, &crate::catalogues::all())
    }

    #[test]
    fn the_environment_overrides_the_file_and_the_file_what_is_built_in() {
        let text = "# mine\nstore = \"a.sqlite\"\ntime = \"2s\"\nthreads = 3\nmemory = \"128MiB\"\n\
                    tzaar_engine = \"waltz\"\nconcurrency = 2\n";
        let settings = read(text, &[("TUSK_TIME", "300ms"), ("TUSK_STORE", "")]).unwrap();
        assert_eq!(settings.store(), "a.sqlite");
        assert_eq!(settings.time(), Duration::from_millis(300));
        assert_eq!((settings.threads(), settings.memory()), (Some(3), Some(128)));
        assert_eq!(settings.engine(GameName::Tzaar), "waltz");
        assert_eq!(settings.engine(GameName::Arimaa), "tusk");
        assert_eq!(settings.concurrency(), Some(2));
        let (_, origin) = settings.find(Key::Threads).unwrap();
        assert!(matches!(origin, Origin::File { line: 4, .. }), "{origin:?}");
        let (_, origin) = settings.find(Key::Time).unwrap();
        assert_eq!(*origin, Origin::Environment("TUSK_TIME".to_string()));
        let usual = Settings::default();
        assert_eq!((usual.store().as_str(), usual.threads()), ("tusk.sqlite", None));
        assert_eq!(usual.time(), Duration::from_secs(1));
    }

    #[test]
    fn what_is_wrong_is_told_with_file_and_line() {
        let table = [
            ("\nthread = 3", ", line 2: there is no key thread; there are: store, "),
            (
                "time = \"1s\"\nthreads = 0",
                ", line 2: threads = \"0\": expected a number from 1 to 256",
            ),
            ("time = \"long\"", ", line 1: time = \"long\": "),
            (
                "memory = [1]",
                ", line 1: memory: expected a text or a number, found a value of type array",
            ),
            ("arimaa_engine = \"nobody\"", ", line 1: arimaa_engine = \"nobody\": "),
            ("store = \"a\"\nstore", ", line 2: "),
        ];
        for (text, expected) in table {
            let fault = read(text, &[]).err().expect(text).to_string();
            assert!(fault.contains(expected), "{fault}");
        }
        let fault = read("", &[("TUSK_THREADS", "many")]).err().unwrap().to_string();
        assert!(fault.starts_with("TUSK_THREADS=many in the environment: "), "{fault}");
        assert!(
            Settings::read(Some(Path::new("nowhere.toml")), |_| None, &crate::catalogues::all())
                .is_err()
        );
    }
}
