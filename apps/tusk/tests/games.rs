//! `tusk games`: games leave a store as files and come back, whoever played them.
//!
//! `TUSK_PYTHON` names an interpreter that has pyrimaa; without it, its rules are not asked.

mod common;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use common::{TUSK, is_long, python};
use serde_json::Value;
use tempfile::TempDir;

const FORMATS: [&str; 3] = ["archive", "records", "json"];

/// A folder with stores, gone when the test ends.
struct Stores {
    folder: TempDir,
}

impl Stores {
    fn new() -> Stores {
        Stores { folder: tempfile::tempdir().expect("a folder") }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn tusk(&self, arguments: &[&str]) -> Output {
        let mut tusk = Command::new(TUSK);
        tusk.current_dir(self.folder.path()).env_remove("TUSK_STORE").args(arguments);
        tusk.output().expect("tusk starts")
    }

    /// What a command prints that does its work.
    fn told(&self, arguments: &[&str]) -> String {
        let output = self.tusk(arguments);
        assert!(output.status.success(), "{arguments:?}: {}", text(&output.stderr));
        text(&output.stdout)
    }

    /// The first event of a store in a format.
    fn exported(&self, store: &str, format: &str) -> String {
        self.told(&["games", "1", "--as", format, "--store", store])
    }

    /// Reads a file into a store of its own; returns how many games there were.
    fn import(&self, file: &str, store: &str) -> u64 {
        let told = self.told(&["games", "--json", "--store", store, "--import", file]);
        let summary: Value = serde_json::from_str(&told).expect("nothing but a summary");
        summary["games"].as_u64().expect("a count")
    }

    /// Exports the first event in each format, imports it and exports it again: nothing has changed.
    fn go_round(&self, store: &str, games: u64) {
        for format in FORMATS {
            let first = self.exported(store, format);
            let (file, copy) = (format!("{format}.txt"), format!("{format}-{store}"));
            fs::write(self.path(&file), &first).expect("a file");
            assert_eq!(self.import(&file, &copy), games, "{format}");
            assert!(self.exported(&copy, format) == first, "{store}: {format} has changed");
        }
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Six games by random engines, in a store.
fn match_in(store: &str) -> Stores {
    let stores = Stores::new();
    stores.told(&[
        "match", "random", "random", "--depth", "1", "--games", "6", "--seed", "1", "--store",
        store,
    ]);
    stores
}

#[test]
fn games_of_a_match_leave_the_store_and_come_back_the_same() {
    let stores = match_in("match.sqlite");
    stores.go_round("match.sqlite", 6);
    let summary = |store: &str| stores.told(&["games", "1", "--json", "--store", store]);
    assert_eq!(summary("match.sqlite"), summary("json-match.sqlite"));
}

#[test]
fn one_game_is_written_alone_and_a_file_as_a_whole() {
    let stores = match_in("match.sqlite");
    let all = stores.exported("match.sqlite", "json");
    let third = ["games", "1", "--as", "json", "--number", "3", "--store", "match.sqlite"];
    assert_eq!(stores.told(&third), format!("{}\n", all.lines().nth(2).expect("six games")));
    fs::write(stores.path("games.json"), "old").expect("a file");
    let to_file =
        ["games", "1", "--as", "json", "--output", "games.json", "--store", "match.sqlite"];
    assert_eq!(stores.told(&to_file), "6 games written to games.json\n");
    assert_eq!(fs::read_to_string(stores.path("games.json")).expect("the file"), all);
}

#[test]
fn games_from_positions_have_no_record_and_the_others_are_written() {
    let stores = Stores::new();
    let position = "g [rrrrrrrrhdcemcdh                                HDCMECDHRRRRRRRR]";
    let of = |number: u64, opening: &str| {
        format!(
            "{{\"game\":{number},\"first\":\"a\",\"second\":\"b\",\"winner\":\"a\",\
             \"reason\":\"crash\",\"opening\":{opening:?},\"plies\":[]}}\n"
        )
    };
    let lines = of(1, position) + &of(2, "") + &of(3, position);
    fs::write(stores.path("games.json"), lines).expect("a file");
    assert_eq!(stores.import("games.json", "games.sqlite"), 3);
    for (format, lines) in [("archive", 2), ("records", 6)] {
        let output = stores.tusk(&["games", "1", "--as", format, "--store", "games.sqlite"]);
        assert_eq!(output.status.code(), Some(1));
        assert_eq!(text(&output.stdout).lines().count(), lines, "{}", text(&output.stdout));
        let told = text(&output.stderr);
        assert!(told.starts_with("error: 2 games left out (1, 3): "), "{told}");
    }
    assert_eq!(stores.exported("games.sqlite", "json").lines().count(), 3);
}

#[test]
fn a_game_that_is_refused_is_told_and_the_others_are_kept() {
    let stores = match_in("match.sqlite");
    let mut lines: Vec<String> =
        stores.exported("match.sqlite", "json").lines().map(str::to_string).collect();
    lines[1] = lines[1].replacen("\"turn\":\"", "\"turn\":\"x", 1);
    lines[4].truncate(100);
    fs::write(stores.path("damaged.json"), lines.join("\n")).expect("a file");
    let output =
        stores.tusk(&["games", "--json", "--store", "new.sqlite", "--import", "damaged.json"]);
    assert_eq!(output.status.code(), Some(1));
    let out = text(&output.stdout);
    let rows: Vec<Value> =
        out.lines().map(|line| serde_json::from_str(line).expect("an object")).collect();
    let places: Vec<&Value> = rows[..2].iter().map(|row| &row["line"]).collect();
    assert_eq!(places, [2, 5]);
    assert!(rows[..2].iter().all(|row| row["file"] == "damaged.json" && row["error"].is_string()));
    assert_eq!((&rows[2]["games"], &rows[2]["refused"]), (&Value::from(4), &Value::from(2)));
    assert_eq!(stores.exported("new.sqlite", "json").lines().count(), 4);
}

#[test]
fn a_store_can_be_read_while_a_match_has_it() {
    let stores = match_in("match.sqlite");
    let held = fs::File::open(stores.path("match.sqlite")).expect("the store");
    held.try_lock().expect("nobody plays");
    assert_eq!(stores.exported("match.sqlite", "json").lines().count(), 6);
}

/// Imports an archive with this number of games, and exports the same text.
fn comes_whole(file: &Path, games: u64) {
    let stores = Stores::new();
    let name = file.display().to_string();
    assert_eq!(stores.import(&name, "archive.sqlite"), games, "{name}");
    let original = text(&fs::read(file).expect("the archive"));
    let exported = stores.exported("archive.sqlite", "archive");
    assert!(exported == original, "{name}: the export differs from the import");
    stores.go_round("archive.sqlite", games);
}

#[test]
fn an_archive_comes_whole() {
    let positions = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../positions"));
    comes_whole(&positions.join("arimaa/games.txt"), 48);
}

mod shared_data {
    use super::*;

    /// The folder of arimaa.com's archives.
    fn archives() -> PathBuf {
        let data = std::env::var_os("TUSK_DATA").expect("TUSK_DATA names the shared data");
        Path::new(&data).join("arimaa/archive")
    }

    #[test]
    #[ignore = "needs TUSK_DATA"]
    fn the_archives_of_arimaa_com_come_whole() {
        comes_whole(&archives().join("allgames201111_sample.txt"), 12);
        comes_whole(&archives().join("allgames202602.txt"), 147);
    }

    #[test]
    #[ignore = "needs TUSK_DATA"]
    fn the_records_of_arimaa_com_are_legal_by_pyrimaas_rules() {
        let stores = Stores::new();
        let file = archives().join("allgames201111_sample.txt");
        stores.import(&file.display().to_string(), "archive.sqlite");
        assert_eq!(replayed(&stores, "archive.sqlite"), "12\n");
    }
}

/// How many games of a store pyrimaa has replayed.
fn replayed(stores: &Stores, store: &str) -> String {
    replay(&python(), &stores.exported(store, "records"), &stores.path("records.txt"))
}

#[test]
#[ignore = "needs pyrimaa"]
fn the_records_are_legal_by_pyrimaas_rules() {
    assert_eq!(replayed(&match_in("match.sqlite"), "match.sqlite"), "6\n");
}

#[test]
#[ignore = "needs pyrimaa"]
fn a_match_with_pyrimaas_engine_is_legal_by_pyrimaas_rules() {
    let python = python();
    // Without a clock nobody is late, however busy the machine is.
    let (games, nodes) = if is_long() { ("20", "50000") } else { ("2", "2000") };
    let stores = Stores::new();
    let engine = format!("aei:'{}' -m pyrimaa.simple_engine", python.display());
    let told = stores.told(&[
        "match",
        &engine,
        "tusk",
        "--games",
        games,
        "--nodes",
        nodes,
        "--seed",
        "1",
        "--json",
        "--store",
        "match.sqlite",
    ]);
    let summary = told.lines().last().map(serde_json::from_str::<Value>);
    let summary = summary.expect("a summary").expect("JSON");
    assert_eq!(summary["losses"].to_string(), games, "{told}");
    let records = stores.exported("match.sqlite", "records");
    assert_eq!(replay(&python, &records, &stores.path("records.txt")), format!("{games}\n"));
}

/// How many games pyrimaa replays of these records.
fn replay(python: &Path, records: &str, file: &Path) -> String {
    fs::write(file, records).expect("a file");
    let output = Command::new(python)
        .arg(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/pyrimaa_records.py"))
        .arg(file)
        .output()
        .expect("TUSK_PYTHON starts");
    assert!(output.status.success(), "{}", text(&output.stderr));
    text(&output.stdout)
}
