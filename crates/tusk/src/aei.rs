//! `tusk aei`: an engine that speaks the Arimaa Engine Interface.

use std::io::{BufRead, BufReader, IsTerminal, Read, Write, stdin, stdout};
use std::net::TcpStream;
use std::path::PathBuf;

use aei::{Choice, Identity, Session, SessionError, Thinker};
use anyhow::Context;
use arimaa::{Army, Game, Step};
use search::{Limits, Report, Stop};

use crate::engine::Mind;
use crate::sport::{Arimaa, GameName};
use crate::{Verdict, choice};

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
    engine: choice::Choice,

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

pub fn run(arguments: &Arguments, game: Option<GameName>) -> anyhow::Result<Verdict> {
    GameName::only_arimaa("aei", game)?;
    let script = match &arguments.script {
        Some(path) => {
            let text = std::fs::read_to_string(path);
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
            converse(arguments, script.chain(input), stream)
        }
        None => {
            if stdin().is_terminal() {
                eprintln!("The Arimaa Engine Interface: type aei to begin, quit to end.");
            }
            converse(arguments, script.chain(BufReader::new(stdin())), stdout())
        }
    }
}

/// The lines of a script without what is not for the engine.
fn uncommented(script: &str) -> String {
    let lines = script.lines().map(|line| line.split('#').next().unwrap_or(line));
    lines.map(|line| format!("{line}\n")).collect()
}

fn converse(
    arguments: &Arguments,
    input: impl BufRead + Send + 'static,
    output: impl Write,
) -> anyhow::Result<Verdict> {
    let (name, mind) = arguments.engine.start()?;
    let identity = Identity {
        name: format!("Tusk {name}"),
        author: "the Tusk authors".to_string(),
        version: env!("CARGO_PKG_VERSION").to_string(),
    };
    let army = if arguments.handicap { Army::Handicap } else { Army::Full };
    let session = Session::new(Box::new(Seated(mind)), identity, army, output);
    match session.run(input) {
        Ok(_) => Ok(Verdict::Done),
        // Kept as it is: whoever read the output has seen enough.
        Err(SessionError::Output(error)) => Err(error.into()),
        Err(error) => Err(error.into()),
    }
}

/// An engine, as a session asks it.
struct Seated(Box<dyn Mind<Arimaa>>);

impl Thinker for Seated {
    fn set_option(&mut self, name: &str, value: &str) -> Result<bool, String> {
        self.0.set_option(name, value)
    }

    fn new_game(&mut self) {
        self.0.new_game();
    }

    fn think(
        &mut self,
        game: &Game,
        limits: &Limits,
        stop: &Stop,
        report: &mut dyn FnMut(&Report<Step>),
    ) -> Choice {
        self.0.think(game, limits, stop, report).map_or(Choice::Resign, Choice::Play)
    }

    fn evaluation(&mut self, game: &Game) -> Option<Vec<String>> {
        self.0.evaluation(game)
    }

    fn tree(&mut self) -> Option<Vec<String>> {
        self.0.tree()
    }
}
