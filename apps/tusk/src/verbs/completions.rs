//! `tusk completions`: what a shell needs to complete command lines.

use std::io::Write;

use clap_complete::Shell;

use crate::Exit;

/// Writes the completions for a shell.
///
/// They go to standard output; the manual of the shell tells where it looks for them.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  tusk completions bash > ~/.local/share/bash-completion/completions/tusk\n  tusk completions zsh > ~/.zfunc/_tusk\n  tusk completions fish > ~/.config/fish/completions/tusk.fish"
)]
pub struct Arguments {
    /// The shell
    shell: Shell,
}

pub fn run(arguments: &Arguments, mut command: clap::Command) -> anyhow::Result<Exit> {
    // The library cannot say that a pipe is closed: it writes into memory first.
    let mut text = Vec::new();
    clap_complete::generate(arguments.shell, &mut command, "tusk", &mut text);
    crate::shared::output::standard().write_all(&text)?;
    Ok(Exit::Done)
}
