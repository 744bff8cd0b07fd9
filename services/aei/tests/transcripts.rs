//! Whole sessions as text: `>` goes to the engine, `<` comes from it, `=` is how it ends;
//! `> ^D` is the end of the input.
//!
//! `TRANSCRIPTS=overwrite cargo test -p aei` writes what comes now; read it before you keep it.

mod common;

use std::fs;
use std::path::Path;
use std::time::Duration;

use common::{Controller, Patient};

#[test]
fn sessions_go_as_the_transcripts_say() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/transcripts");
    let mut files: Vec<_> = fs::read_dir(folder)
        .expect("a folder")
        .map(|entry| entry.expect("a file").path())
        .collect();
    files.sort();
    assert!(!files.is_empty());
    for file in files {
        let name = file.display().to_string();
        let text = fs::read_to_string(&file).expect("a transcript");
        if std::env::var_os("TRANSCRIPTS").is_some_and(|what| what == "overwrite") {
            fs::write(&file, replay(&text, &file, When::Quiet))
                .expect("a file that can be written");
            continue;
        }
        assert_eq!(replay(&text, &file, When::Complete), text, "{name}");
    }
}

/// When more is sent to the engine.
#[derive(Clone, Copy, PartialEq, Eq)]
enum When {
    /// It has sent as many lines as the transcript has.
    Complete,
    /// It has been quiet for a while.
    Quiet,
}

/// Sends what the transcript sends, and returns the transcript with what really came.
fn replay(text: &str, file: &Path, when: When) -> String {
    let folder = file.parent().and_then(Path::parent).expect("the folder of the tests");
    let mut controller = Controller::new(Patient::engine());
    let mut found = String::new();
    for line in text.lines() {
        if let Some(message) = line.strip_prefix("> ") {
            match message {
                "^D" => controller.hang_up(),
                _ => controller.send(&message.replace("TESTS", &folder.display().to_string())),
            }
            found += &format!("{line}\n");
            while when == When::Quiet
                && let Some(line) = controller.line_within(Duration::from_millis(200))
            {
                found += &format!("< {}\n", timeless(&line));
            }
        } else if line.starts_with("< ") && when == When::Complete {
            found += &format!("< {}\n", timeless(&controller.line()));
        } else if !line.starts_with(['<', '=']) {
            found += &format!("{line}\n");
        }
    }
    let (ending, rest) = controller.finish();
    for line in rest {
        found += &format!("< {}\n", timeless(&line));
    }
    match ending {
        Ok(ending) => found += &format!("= {ending:?}\n"),
        Err(error) => found += &format!("= {error}\n"),
    }
    found.replace(&folder.display().to_string(), "TESTS")
}

fn timeless(line: &str) -> String {
    if line.starts_with("info time ") { "info time T".to_string() } else { line.to_string() }
}
