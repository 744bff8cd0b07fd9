//! `tusk man`: pages for the manual of the system.

use std::fs;
use std::io::Write;
use std::path::PathBuf;

use anyhow::Context;

use crate::Exit;

/// Writes the pages of the manual: one for tusk, and one for each verb.
#[derive(clap::Args)]
#[command(after_help = "Example:\n  tusk man ~/.local/share/man/man1 && man tusk-match")]
pub struct Arguments {
    /// The folder, which is made if it is not there
    dir: PathBuf,
}

pub fn run(arguments: &Arguments, command: clap::Command) -> anyhow::Result<Exit> {
    let dir = &arguments.dir;
    let name = || dir.display().to_string();
    fs::create_dir_all(dir).with_context(name)?;
    // Each verb has a page; there is none for `help`, which tells what the pages do.
    let command = command.disable_help_subcommand(true);
    clap_mangen::generate_to(command.clone(), dir).with_context(name)?;
    writeln!(
        crate::shared::output::standard(),
        "{} pages written to {}",
        pages(&command),
        dir.display()
    )?;
    Ok(Exit::Done)
}

/// How many pages there are: some verbs have verbs of their own.
fn pages(command: &clap::Command) -> usize {
    1 + command.get_subcommands().map(pages).sum::<usize>()
}
