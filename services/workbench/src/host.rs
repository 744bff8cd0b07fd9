//! The host of the arena: the engines of a game, as a match names them.

use std::collections::BTreeMap;

use arena::{
    Contestant, EnginePlayer, EngineSpec, EngineSpecError, Failure, Fault, Host, Interface, Player,
};
use engine::{Catalogue, Configuration};
use process::{Program, Timeouts};

use crate::players::{AeiEngine, AeiPlayer, Feed, GetmovePlayer, WaltzPlayer};
use crate::playing::Playing;
use crate::request::{EngineRequest, RequestError};

/// The engines of a game, for the arena.
pub struct EngineHost<'a, S: Playing>(pub &'a Catalogue<S::Game>);

impl<S: Playing> Host<S::Game> for EngineHost<'_, S> {
    fn player(&self, contestant: &Contestant) -> Result<Box<dyn Player<S::Game>>, Failure> {
        player::<S>(self.0, &contestant.engine, &contestant.options)
    }
}

/// That an engine did not get ready.
pub fn no_start(detail: String) -> Failure {
    Failure::new(Fault::Start, detail)
}

/// Whether this is the command of a program, not the name of an engine.
pub fn is_program(text: &str) -> bool {
    text.contains(':')
}

/// Reads which engine is meant, and checks that the game has it.
pub fn read_spec<S: Playing>(
    catalogue: &Catalogue<S::Game>,
    text: &str,
) -> Result<EngineSpec, String> {
    let spec: EngineSpec = text.parse().map_err(|error: EngineSpecError| match &error {
        EngineSpecError::Interface(kind) => no_such_kind::<S>(text, kind),
        EngineSpecError::NoCommand => format!("{text}: {error}"),
        EngineSpecError::NoName | EngineSpecError::Setting { .. } => error.to_string(),
    })?;
    match &spec {
        EngineSpec::BuiltIn { name, settings } => {
            configured::<S>(catalogue, name, settings).map(drop)?
        }
        EngineSpec::Process { name, settings } if has_processes::<S>() => {
            configured::<S>(catalogue, name, settings).map(drop)?;
        }
        EngineSpec::Process { .. } => return Err(no_such_kind::<S>(text, "process")),
        EngineSpec::Program { interface, command } if S::INTERFACES.contains(interface) => {
            let checked = Program::new(command.clone()).check();
            checked.map_err(|failure| format!("{text}: {}", failure.detail))?;
        }
        EngineSpec::Program { interface, .. } => {
            return Err(no_such_kind::<S>(text, interface.word()));
        }
    }
    Ok(spec)
}

/// An engine that takes part, with options. An engine of this program has them set, as if they stood after its name; a
/// program of the Arimaa Engine Interface is told them before each game; any other has no options.
pub fn contestant<S: Playing>(
    catalogue: &Catalogue<S::Game>,
    name: String,
    text: &str,
    mut options: BTreeMap<String, String>,
) -> Result<Contestant, String> {
    let mut engine = read_spec::<S>(catalogue, text)?;
    match &mut engine {
        EngineSpec::BuiltIn { name, settings } | EngineSpec::Process { name, settings } => {
            settings.extend(std::mem::take(&mut options));
            configured::<S>(catalogue, name, settings)?;
        }
        EngineSpec::Program { interface: Interface::Aei | Interface::AeiMoves, .. } => (),
        EngineSpec::Program { interface, .. } => {
            if let Some((option, value)) = options.first_key_value() {
                let word = interface.word();
                return Err(format!(
                    "{option}={value}: a program behind {word}: has no options; write them into \
                     its command"
                ));
            }
        }
    }
    Ok(Contestant { name, engine, options })
}

/// Whether the engines of this program can play in processes of their own: they speak the Arimaa Engine
/// Interface there.
fn has_processes<S: Playing>() -> bool {
    S::INTERFACES.contains(&Interface::Aei)
}

fn no_such_kind<S: Playing>(text: &str, kind: &str) -> String {
    let programs = S::INTERFACES.iter().map(|known| format!("{}:COMMAND", known.word()));
    let processes = has_processes::<S>().then(|| "process:NAME".to_string());
    let forms: Vec<String> = programs.chain(processes).collect();
    format!(
        "{text}: there is no kind of engine {kind:?}; there are: {}, and names of `tusk engines`",
        forms.join(", ")
    )
}

/// The engine, ready to play; a program is told these options before each game.
pub fn player<S: Playing>(
    catalogue: &Catalogue<S::Game>,
    spec: &EngineSpec,
    options: &BTreeMap<String, String>,
) -> Result<Box<dyn Player<S::Game>>, Failure> {
    let options = options.iter().map(|(name, value)| (name.clone(), value.clone())).collect();
    let (interface, command) = match spec {
        EngineSpec::BuiltIn { name, settings } => {
            let chosen = configured::<S>(catalogue, name, settings).map_err(no_start)?;
            // Each game sets the seed.
            let engine = chosen.build().map_err(|error| no_start(error.to_string()))?;
            let identity = format!("Tusk {spec} {}", env!("CARGO_PKG_VERSION"));
            return Ok(Box::new(EnginePlayer::new(identity, Box::new(engine))));
        }
        EngineSpec::Process { name, settings } => {
            let program = own_program(name, settings).map_err(no_start)?;
            let engine = AeiEngine { seeded: true, options, ..AeiEngine::new(program) };
            return Ok(Box::new(AeiPlayer::start(engine)?));
        }
        EngineSpec::Program { interface, command } => (*interface, command),
    };
    let (program, timeouts) = (Program::new(command.clone()), Timeouts::default());
    if matches!(interface, Interface::Getmove | Interface::Waltz) {
        // It runs for the first time when it is its turn; that it is there is seen before.
        program.find()?;
    }
    Ok(match interface {
        Interface::Aei | Interface::AeiMoves => {
            let feed = if interface == Interface::AeiMoves { Feed::Moves } else { Feed::Auto };
            Box::new(AeiPlayer::start(AeiEngine { feed, options, ..AeiEngine::new(program) })?)
        }
        Interface::Getmove => Box::new(GetmovePlayer::new(program, timeouts)?),
        Interface::Waltz => Box::new(WaltzPlayer::new(program, timeouts)?),
    })
}

/// How many cores it needs when it thinks; of other programs it is not known.
pub fn threads<S: Playing>(catalogue: &Catalogue<S::Game>, spec: &EngineSpec) -> usize {
    match spec {
        EngineSpec::BuiltIn { name, settings } | EngineSpec::Process { name, settings } => {
            let chosen = configured::<S>(catalogue, name, settings);
            chosen.map_or(1, |chosen| chosen.threads)
        }
        EngineSpec::Program { .. } => 1,
    }
}

/// The command that runs this program as an AEI engine with these settings.
fn own_program(name: &str, settings: &[(String, String)]) -> Result<Program, String> {
    let program = std::env::current_exe().map_err(|error| error.to_string())?;
    let program = program.to_str().ok_or("the path of this program is no text")?;
    let words: Vec<[String; 2]> =
        settings.iter().map(|(name, value)| option(name, value)).collect();
    // What a match plays does not depend on anybody's defaults.
    let mut line = vec![program, "--no-config", "aei", "--engine", name];
    line.extend(words.iter().flatten().map(String::as_str));
    Ok(Program::of_words(&line))
}

/// A setting as an option of the command line.
fn option(name: &str, value: &str) -> [String; 2] {
    match name {
        "threads" | "memory" | "preset" => [format!("--{name}"), value.to_string()],
        _ => ["--set".to_string(), format!("{name}={value}")],
    }
}

/// An engine by its name or its file, with what is set differently.
fn configured<S: Playing>(
    catalogue: &Catalogue<S::Game>,
    name: &str,
    settings: &[(String, String)],
) -> Result<Configuration<S::Game>, String> {
    let request = EngineRequest::from_words(name, settings).map_err(|error| error.to_string())?;
    request.resolve::<S>(catalogue).map_err(|error| match error {
        RequestError::Engine(fault) if !crate::is_file(name) => format!("{name}: {fault}"),
        error => error.to_string(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Arimaa, Catalogues};

    fn with(text: &str, name: &str, value: &str) -> Result<Contestant, String> {
        let options = BTreeMap::from([(name.to_string(), value.to_string())]);
        contestant::<Arimaa>(&Catalogues::of_players().arimaa, "it".to_string(), text, options)
    }

    #[test]
    fn an_option_is_set_told_or_refused_and_never_ignored() {
        for text in ["tusk", "process:tusk"] {
            let set = with(text, "max_depth", "9").unwrap();
            assert_eq!(set.engine.to_string(), format!("{text} max_depth=9"));
            assert!(set.options.is_empty());
            assert!(with(text, "hash", "500").is_err());
        }
        let told = with("aei:./bot", "hash", "500").unwrap();
        assert_eq!(told.options["hash"], "500");
        let refused = with("getmove:./bot", "hash", "500").unwrap_err();
        assert!(refused.contains("has no options"), "{refused}");
        assert!(
            contestant::<Arimaa>(
                &Catalogues::of_players().arimaa,
                "it".to_string(),
                "getmove:./bot",
                BTreeMap::new()
            )
            .is_ok()
        );
    }
}
