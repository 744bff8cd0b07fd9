//! `tusk aei`: an engine that speaks the Arimaa Engine Interface.

use std::io::{BufRead, BufReader, IsTerminal, Read, Write, stdin, stdout};
use std::net::TcpStream;
use std::path::PathBuf;

use crate::output::{say, unless_closed};
use crate::{Exit, choice};
use aei::{Identity, Session, SessionError};
use anyhow::Context;
use arimaa::Army;
use engine::read_text_within;
use workbench::{Arimaa, Catalogues, GameName};

/// Plays by the Arimaa Engine Interface, on standard input and output or over a socket.
///
/// Besides the messages of the protocol, for people and scripts: boarddump, eval, treedump, goalcheck,
/// trapcheck, setpositionfile FILE, makemoverec (plays what the last search found) and gonothread
/// (a go that is done before the next message is read). At the end of its input, the engine
/// stops, answers and exits.
#[derive(clap::Args)]
#[command(
    after_help = "Example:\n  printf 'aei\\nnewgame\\ngonothread\\nquit\\n' | tusk aei --engine random"
)]
pub struct Arguments {
    #[command(flatten)]
    engine: choice::EngineArguments,

    /// Connect to a controller at this host instead of standard input and output
    #[arg(long, value_name = "HOST", requires = "port")]
    server: Option<String>,

    /// The controller's port
    #[arg(long, value_name = "N", requires = "server")]
    port: Option<u16>,

    /// Messages that come before the controller's, one a line; what follows a # is a comment
    #[arg(long, value_name = "FILE")]
    script: Option<PathBuf>,

    /// Accept setups with fewer than sixteen pieces
    #[arg(long)]
    handicap: bool,
}

/// The longest script, in bytes.
const LONGEST_SCRIPT: u64 = 16 << 20;

pub fn run(
    arguments: &Arguments,
    game: Option<GameName>,
    catalogues: &Catalogues,
) -> anyhow::Result<Exit> {
    GameName::only_arimaa("aei", game)?;
    let script = match &arguments.script {
        Some(path) => {
            let text = read_text_within(path, LONGEST_SCRIPT);
            uncommented(&text.with_context(|| path.display().to_string())?)
        }
        None => String::new(),
    };
    let script = std::io::Cursor::new(script);
    match arguments.server.as_deref().zip(arguments.port) {
        Some((host, port)) => {
            let at = || format!("--server {host} --port {port}");
            let stream = TcpStream::connect((host, port)).with_context(at)?;
            // Lines are short, and a late one costs time on the clock.
            stream.set_nodelay(true).with_context(at)?;
            let input = BufReader::new(stream.try_clone().with_context(at)?);
            converse(catalogues, arguments, script.chain(input), stream)
        }
        None => {
            if stdin().is_terminal() {
                say!("The Arimaa Engine Interface: type aei to begin, quit to end.");
            }
            converse(catalogues, arguments, script.chain(BufReader::new(stdin())), stdout())
        }
    }
}

/// The lines of a script without what is not for the engine.
fn uncommented(script: &str) -> String {
    let lines = script.lines().map(|line| line.split('#').next().unwrap_or(line));
    lines.map(|line| format!("{line}\n")).collect()
}

fn converse(
    catalogues: &Catalogues,
    arguments: &Arguments,
    input: impl BufRead + Send + 'static,
    output: impl Write,
) -> anyhow::Result<Exit> {
    let (name, engine) = arguments.engine.start::<Arimaa>(catalogues)?;
    let identity = Identity {
        name: format!("Tusk {name}"),
        author: "the Tusk authors".to_string(),
        version: env!("CARGO_PKG_VERSION").to_string(),
    };
    let army = if arguments.handicap { Army::Handicap } else { Army::Full };
    let session = Session::new(engine, identity, army, output);
    match session.run(input) {
        Ok(_) => Ok(Exit::Done),
        // A controller that has gone has ended the session.
        Err(SessionError::Output(error)) => {
            unless_closed(Err(error))?;
            Ok(Exit::Done)
        }
        Err(error) => Err(error.into()),
    }
}
