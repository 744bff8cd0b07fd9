//! `tusk selfplay` as people run it: processes that are killed, many of them on one database.

mod common;

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use common::{Folder, Postgres, TUSK, json_lines, until};
use serde_json::Value;

/// The engine that plays by chance is fast enough to be killed between many blocks.
const GAMES: &str = "3000";

fn start(out: &Path, more: &[&str]) -> Child {
    Command::new(TUSK)
        .args([
            "selfplay", "--engine", "random", "--seed", "9", "--games", GAMES, "--json", "--out",
        ])
        .arg(out)
        .args(more)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("tusk starts")
}

/// The number of files in a folder, and the sum of their lengths.
fn files(folder: &Path) -> (usize, u64) {
    let lengths = fs::read_dir(folder).into_iter().flatten().flatten();
    let lengths = lengths.filter_map(|file| Some(file.metadata().ok()?.len()));
    lengths.fold((0, 0), |(count, sum), length| (count + 1, sum + length))
}

fn inspected(path: &Path) -> Value {
    let output = Command::new(TUSK).args(["selfplay", "--json", "--inspect"]).arg(path).output();
    let output = output.expect("tusk starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    json_lines(&output.stdout).remove(0)
}

#[test]
fn a_run_that_is_killed_again_and_again_goes_on_and_has_each_game_once() {
    let folder = Folder::new("selfplay-killed");
    let out = folder.path("data");
    for _ in 0..8 {
        let mut killed = start(&out, &["--threads", "2"]);
        let (_, before) = files(&out);
        until("a block is written", || files(&out).1 > before);
        killed.kill().expect("it is ours");
        killed.wait().expect("it ends");
    }
    let last = start(&out, &["--threads", "2"]).wait_with_output().expect("it ends");
    assert!(last.status.success(), "{}", String::from_utf8_lossy(&last.stderr));
    let found = inspected(&out);
    assert_eq!((&found["games"], &found["games_again"]), (&3000.into(), &0.into()));
    let again = start(&out, &[]).wait_with_output().expect("it ends");
    assert_eq!(json_lines(&again.stdout)[0]["games"], 0);
}

#[test]
#[ignore = "needs PostgreSQL"]
fn postgres_processes_share_a_run_by_a_store_and_play_what_a_dead_one_has_leased() {
    let postgres = Postgres::start();
    let folder = Folder::new("selfplay-shared");
    let (out, store) = (folder.path("data"), postgres.url());
    let more = ["--store", &store, "--lease", "1s", "--threads", "1"];
    let mut processes: Vec<Child> = (0..3).map(|_| start(&out, &more)).collect();
    until("all of them play", || files(&out).0 >= 3);
    let mut killed = processes.remove(0);
    killed.kill().expect("it is ours");
    killed.wait().expect("it ends");
    for process in processes {
        let ended = process.wait_with_output().expect("it ends");
        assert!(ended.status.success(), "{}", String::from_utf8_lossy(&ended.stderr));
    }
    // Whoever comes last repairs the shard of the dead one, and has nothing to play.
    let last = start(&out, &more).wait_with_output().expect("it ends");
    assert_eq!(json_lines(&last.stdout)[0]["games"], 0);
    assert_eq!(inspected(&out)["games"], 3000);
}

#[test]
fn a_shard_that_is_cut_off_is_refused_by_its_place() {
    let folder = Folder::new("selfplay-cut");
    let out = folder.path("data");
    let run = Command::new(TUSK)
        .args(["selfplay", "--engine", "random", "--seed", "1", "--games", "3", "--out"])
        .arg(&out)
        .status();
    assert!(run.expect("tusk starts").success());
    let shard = out.join("arimaa-g0-s1-1.shard");
    let bytes = fs::read(&shard).expect("a shard");
    fs::write(&shard, &bytes[..bytes.len() - 1]).expect("it is ours");
    let output = Command::new(TUSK).args(["selfplay", "--inspect"]).arg(&out).output();
    let output = output.expect("tusk starts");
    assert_eq!(output.status.code(), Some(1));
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(told.contains("arimaa-g0-s1-1.shard: byte 70: the file is cut off here"), "{told}");
}
