//! `tusk serve`: the workbench's page.

use std::io::Write as _;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::process::{Command, Stdio};

use web::{BindError, Options, Server};
use workbench::{Catalogues, units};

use crate::contest::StoreArgument;
use crate::output::{say, standard};
use crate::{Exit, config, signals};

/// Serves the page: a board to play, analyse and learn on, in your browser.
///
/// It listens on this machine alone, and refuses pages of other sites. With --host it listens elsewhere as well: whoever
/// reaches it there can let its engines think, but can neither run a command nor read a file. Ctrl-C ends it.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  tusk serve\n  tusk serve --port 8080 --no-open\n  tusk serve --host 0.0.0.0 --allow-host board.local"
)]
pub struct Arguments {
    /// The port; 0 means any that is free
    #[arg(long, value_name = "N", default_value_t = PORT)]
    port: u16,

    /// The address to listen on
    #[arg(long, value_name = "IP", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    host: IpAddr,

    /// A name by which browsers may ask, besides localhost; may be repeated
    #[arg(long, value_name = "NAME")]
    allow_host: Vec<String>,

    /// How many searches run at a time; the others wait
    #[arg(long, value_name = "N", default_value_t = 64, value_parser = clap::value_parser!(u16).range(1..=1024))]
    searches: u16,

    /// The memory of all searches that run at a time: half of what the machine or its container has, unless `tusk config` says otherwise
    #[arg(long, value_name = "M", value_parser = units::mebibytes)]
    memory: Option<usize>,

    #[command(flatten)]
    place: StoreArgument,

    /// The folder for what engines have found, searches that are kept and reports of learning [default: $XDG_DATA_HOME/tusk or ~/.local/share/tusk]
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,

    /// Do not open a browser
    #[arg(long)]
    no_open: bool,
}

/// Where the page is found if nobody says anything.
const PORT: u16 = 7333;

impl Default for Arguments {
    fn default() -> Arguments {
        Arguments {
            port: PORT,
            host: IpAddr::V4(Ipv4Addr::LOCALHOST),
            allow_host: Vec::new(),
            searches: 64,
            memory: None,
            place: StoreArgument::default(),
            data: None,
            no_open: false,
        }
    }
}

pub fn run(arguments: &Arguments, catalogues: &Catalogues) -> anyhow::Result<Exit> {
    let mut hosts = arguments.allow_host.clone();
    if !arguments.host.is_unspecified() {
        hosts.push(match arguments.host {
            IpAddr::V4(host) => host.to_string(),
            IpAddr::V6(host) => format!("[{host}]"),
        });
    }
    let address = SocketAddr::new(arguments.host, arguments.port);
    let mut options = Options {
        hosts,
        searches: arguments.searches.into(),
        store: Some(arguments.place.store()),
        data: arguments.data.clone().or_else(usual_data),
        ..Options::new(address, catalogues.clone())
    };
    if let Some(memory) = arguments.memory.or(config::settings().serve_memory()) {
        options.mebibytes = memory;
    }
    let server = Server::bind(&options).map_err(|error| {
        let remedy = match error {
            BindError::Address { .. } => "; --port N chooses another port",
            BindError::Data(_) => "; --data DIR chooses another folder",
            BindError::Runtime(_) => "",
        };
        anyhow::Error::new(error).context(format!("the page cannot be served{remedy}"))
    })?;
    if let Some(warning) = server.warning() {
        say!("warning: {warning}");
    }
    let page = url(server.address()?);
    writeln!(standard(), "The workbench is at {page} (Ctrl-C ends it)")?;
    if !arguments.no_open {
        open_browser(&page);
    }
    server.run(&signals::graceful_stop())?;
    Ok(Exit::Done)
}

/// Where data are kept if nobody says anything, as the XDG base directory specification has it; nowhere, if that folder
/// cannot be made.
fn usual_data() -> Option<PathBuf> {
    let folder =
        |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let folder = folder("XDG_DATA_HOME").or_else(|| Some(folder("HOME")?.join(".local/share")));
    let folder = folder?.join("tusk");
    std::fs::create_dir_all(&folder).ok()?;
    Some(folder)
}

/// The address for a browser on this machine.
fn url(address: SocketAddr) -> String {
    match address.ip().is_unspecified() {
        true => format!("http://localhost:{}/", address.port()),
        false => format!("http://{address}/"),
    }
}

/// Opens the page where there is a screen; where that fails, the address was told.
fn open_browser(page: &str) {
    let has_screen = cfg!(target_os = "macos")
        || ["DISPLAY", "WAYLAND_DISPLAY"].iter().any(|name| std::env::var_os(name).is_some());
    if !has_screen {
        return;
    }
    let program = if cfg!(target_os = "macos") { "open" } else { "xdg-open" };
    let mut command = Command::new(program);
    command.arg(page).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    // It is waited for by nobody: a browser may run as long as Tusk does.
    let _ = command.spawn();
}
