//! Tells the program which commit it is built from, and how.

use std::path::Path;
use std::process::Command;

fn main() {
    // Without a line like this, cargo would look at every file of the package; a path that is not there would have it
    // built again each time.
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=commit");
    println!("cargo::rustc-env=TUSK_COMMIT={}", commit().unwrap_or("unknown".to_string()));
    println!("cargo::rustc-env=TUSK_BUILD={}", build());
}

/// The commit with its date: of the repository, or as `git archive` has written it into the file `commit`.
fn commit() -> Option<String> {
    // A folder without .git may still lie within somebody else's repository.
    if Path::new("../../.git").exists() {
        // Every movement of HEAD is logged.
        let log = output("git", &["rev-parse", "--git-path", "logs/HEAD"])?;
        if Path::new(&log).exists() {
            println!("cargo::rerun-if-changed={log}");
        }
        return output("git", &["log", "-1", "--format=%h, %cs"]);
    }
    let archived = std::fs::read_to_string("commit").ok()?;
    let archived = archived.trim();
    (!archived.is_empty() && !archived.contains('$')).then(|| archived.to_string())
}

/// The profile, the target and the compiler.
fn build() -> String {
    let variable = |name: &str| std::env::var(name).unwrap_or_default();
    let compiler = output(&variable("RUSTC"), &["--version"]).unwrap_or_default();
    let compiler = compiler.split(" (").next().unwrap_or_default();
    format!("{}, {}, {compiler}", variable("PROFILE"), variable("TARGET"))
}

fn output(program: &str, arguments: &[&str]) -> Option<String> {
    let output = Command::new(program).args(arguments).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?.trim().to_string();
    (output.status.success() && !text.is_empty()).then_some(text)
}
