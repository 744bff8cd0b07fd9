//! Files of games, as `tusk games` reads and writes them.

use records::{Format, Record, Writer, read};
use workbench::Army;

/// What is read is written in every format, and what is written as JSON is read again as the same.
pub fn check(text: &str) {
    for army in [Army::Handicap, Army::Full] {
        for entry in read(text.as_bytes(), "games", army) {
            let Ok(record) = entry.record else { continue };
            for format in [Format::Archive, Format::Records] {
                let _ = Writer::new(format).write(&record, &mut Vec::new());
            }
            let json = written(&record);
            let mut again = read(json.as_bytes(), "again", army);
            assert_eq!(again.len(), 1, "{json}");
            let again = again.remove(0).record.expect("what was written is read");
            assert_eq!(written(&again), json);
        }
    }
}

fn written(record: &Record) -> String {
    let mut out = Vec::new();
    Writer::new(Format::Json).write(record, &mut out).expect("memory");
    String::from_utf8(out).expect("JSON is text")
}
