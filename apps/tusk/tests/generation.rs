//! `tusk generation` as people run it: a line that learns, is killed, is spread over machines and made again.

mod common;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

use arimaa::{GOLD, SILVER, Setup};
use common::{Folder, TUSK, json_lines, until};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use serde_json::Value;

/// A line so small that it is done in seconds.
const SMALL: &str = "--generations 2 --games 140 --nodes 8 --branches 1 --hidden 64 \
     --epochs 3 --batch 256 --gate-nodes 8 --gate-games 12 --seed 3";

fn generation(folder: &Path, more: &str) -> Command {
    let mut command = Command::new(TUSK);
    command.arg("generation").arg(folder).args(more.split_whitespace());
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn run(folder: &Path, more: &str) -> Vec<Value> {
    let output = generation(folder, more).arg("--json").output().expect("tusk starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    json_lines(&output.stdout)
}

/// The error of a command that is refused, and its exit status.
fn refused(folder: &Path, more: &str) -> (String, Option<i32>) {
    let Output { status, stderr, .. } = generation(folder, more).output().expect("tusk starts");
    (String::from_utf8_lossy(&stderr).into_owned(), status.code())
}

/// The files below a folder with their bytes, by their names in it.
fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(next).expect("a folder").flatten() {
            match entry.path() {
                path if path.is_dir() => folders.push(path),
                path => {
                    let name = path.strip_prefix(folder).expect("below it").to_path_buf();
                    found.insert(name, fs::read(&path).expect("a file"));
                }
            }
        }
    }
    found
}

fn copy(from: &Path, to: &Path) {
    for (name, bytes) in files(from) {
        let path = to.join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, bytes).expect("a file");
    }
}

/// What a line has come to: all files but those with times in them, and the rows without times.
fn outcome(folder: &Path, rows: &[Value]) -> (BTreeMap<PathBuf, Vec<u8>>, Vec<Value>) {
    let mut kept = files(folder);
    kept.retain(|name, _| {
        let name = name.to_string_lossy();
        name.ends_with(".network") || name.ends_with(".setups") || name.ends_with(".shard")
    });
    let mut rows = rows.to_vec();
    for row in rows.iter_mut().filter_map(Value::as_object_mut) {
        row.retain(|name, _| !name.ends_with("seconds") && name != "threads");
    }
    (kept, rows)
}

#[test]
fn two_generations_after_nothing_win_against_nothing() {
    let folder = Folder::new("generation-miniature");
    let line = folder.path("line");
    let sizes = "--generations 2 --games 240 --nodes 40 --branches 0 --hidden 64 --buckets 4 --per-game 20 \
                 --lambda 0.3 --decay 0 --epochs 8 --batch 512 --learning-rate 0.003 --gate-nodes 60 \
                 --gate-games 40 --seed 1";
    let rows = run(&line, sizes);
    assert_eq!(rows.last().expect("a summary")["generations"], 2);
    // Openings that both sides play: random setups.
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let openings: String = (0..50).map(|_| opening(&mut rng) + "\n").collect();
    let openings = folder.write("openings.txt", &openings);
    let engine = |generation: u16| {
        let net = line.join(format!("nets/g{generation}.network"));
        format!("tusk threat_search=0 verification=0 network={}", net.display())
    };
    let output = Command::new(TUSK)
        .args(["match", &engine(2), &engine(0), "--games", "100", "--nodes", "60", "--seed", "1"])
        .args(["--turns", "75", "--json", "--openings"])
        .arg(openings)
        .arg("--store")
        .arg(folder.path("games.sqlite"))
        .output()
        .expect("tusk starts");
    let games = json_lines(&output.stdout);
    let summary = games.last().expect("a summary");
    assert_eq!(summary["games"], 100, "{}", String::from_utf8_lossy(&output.stderr));
    assert!(summary["score"].as_f64().expect("a score") >= 0.6, "{summary}");
}

/// A position with random setups of both sides.
fn opening(rng: &mut ChaCha8Rng) -> String {
    let mut game = arimaa::Game::new();
    for side in [GOLD, SILVER] {
        game.set_up(Setup::random(side, rng)).expect("the setup of that side is awaited");
    }
    game.position().to_string()
}

/// Lets a line go on until something has happened, and kills it then. It may be done before.
fn kill_when(what: &str, mut child: Child, mut happened: impl FnMut() -> bool) {
    until(what, || happened() || child.try_wait().expect("it is ours").is_some());
    let _ = child.kill();
    child.wait().expect("it ends");
}

#[test]
fn a_line_that_is_killed_again_and_again_comes_to_the_same_nets() {
    let folder = Folder::new("generation-killed");
    let (whole, killed) = (folder.path("whole"), folder.path("killed"));
    let rows = run(&whole, &format!("{SMALL} --threads 1"));
    let start = |more: &str| generation(&killed, more).spawn().expect("tusk starts");
    let journal = || fs::read_to_string(killed.join("journal.jsonl")).unwrap_or_default();
    let length = |name: &str| fs::metadata(killed.join(name)).map_or(0, |file| file.len());
    kill_when("the net of generation 0", start(SMALL), || length("nets/g0.network") > 0);
    // The settings are in the folder by now.
    let shard = "shards/g1/arimaa-g1-s3-1.shard";
    kill_when("a block of games", start(""), || length(shard) > 1000);
    let before = length(shard);
    kill_when("another block of games", start(""), || length(shard) > before);
    let checkpoint = "nets/g1.network.checkpoint";
    kill_when("an epoch", start(""), || length(checkpoint) > 0);
    kill_when("a game of the gate", start(""), || journal().contains("\"row\":\"game\""));
    // A line that was cut off is what a killed process leaves at worst.
    let text = journal();
    fs::write(killed.join("journal.jsonl"), &text[..text.len() - 7]).expect("it is ours");
    kill_when("generation 2", start(""), || journal().contains("\"generation\":2"));
    let shard = "shards/g2/arimaa-g2-s3-1.shard";
    kill_when("a block of generation 2", start(""), || length(shard) > 1000);
    let resumed = run(&killed, "--threads 2");
    assert_eq!(outcome(&killed, &resumed), outcome(&whole, &rows));
    assert!(!killed.join(checkpoint).exists());
    // Nothing is left to be done, and nothing is done again.
    let before = files(&killed);
    assert_eq!(outcome(&killed, &run(&killed, "")), outcome(&whole, &rows));
    assert_eq!(files(&killed), before);
}

#[test]
fn parts_of_several_machines_make_the_same_generation_and_its_shards_can_be_made_again() {
    let folder = Folder::new("generation-parts");
    let [whole, first, second] = ["whole", "first", "second"].map(|name| folder.path(name));
    // More than one file of shards.
    let sizes = "--generations 1 --games 262 --nodes 1 --hidden 64 --epochs 2 --per-game 4 --batch 256 \
                 --gate-nodes 1 --gate-games 4 --seed 5";
    let rows = run(&whole, sizes);
    let shards = files(&whole.join("shards/g1"));
    assert_eq!(shards.len(), 2);
    run(&first, &format!("{sizes} --step selfplay --part 1/2"));
    let (fault, status) = refused(&first, "--step train");
    assert_eq!(status, Some(1));
    assert!(
        fault.contains("arimaa-g1-s5-2.shard: this shard is missing or not complete"),
        "{fault}"
    );
    run(&second, &format!("{sizes} --step selfplay --part 2/2"));
    copy(&second.join("shards"), &first.join("shards"));
    run(&first, "--step train");
    let again = run(&first, "--step gate");
    assert_eq!(outcome(&first, &again), outcome(&whole, &rows));

    // The journal and the net that played are enough to make the shards again, and the shards to make the net again.
    fs::remove_dir_all(whole.join("shards")).expect("a folder");
    let net = fs::read(whole.join("nets/g1.network")).expect("a net");
    fs::remove_file(whole.join("nets/g1.network")).expect("a net");
    run(&whole, "--step selfplay --generation 1");
    assert_eq!(files(&whole.join("shards/g1")), shards);
    run(&whole, "--step train --generation 1");
    assert_eq!(fs::read(whole.join("nets/g1.network")).expect("a net"), net);
}

#[test]
fn a_line_goes_on_from_its_journal_and_its_best_net_alone() {
    let folder = Folder::new("generation-kept");
    let [line, kept] = ["line", "kept"].map(|name| folder.path(name));
    run(&line, SMALL);
    fs::create_dir_all(&kept).expect("a folder");
    for name in ["settings.toml", "journal.jsonl", "best.network"] {
        fs::copy(line.join(name), kept.join(name)).expect("a file");
    }
    let journal = fs::read(kept.join("journal.jsonl")).expect("a journal");
    let (fault, status) = refused(&kept, "--generations 3");
    assert_eq!(status, Some(1), "{fault}");
    assert!(fault.contains("shards/g1: the shards of generation 1 are missing"), "{fault}");
    assert!(fault.contains("--since 3"), "{fault}");
    assert_eq!(fs::read(kept.join("journal.jsonl")).expect("a journal"), journal);
    let rows = run(&kept, "--generations 4 --since 3 --from-best");
    assert_eq!(rows.last().expect("a summary")["generations"], 4);
    // The weights that a training begins with make another net of the same games.
    let trained = fs::read(kept.join("nets/g3.network")).expect("a net");
    let random = folder.path("random");
    fs::create_dir_all(&random).expect("a folder");
    for name in ["settings.toml", "journal.jsonl", "best.network"] {
        fs::copy(line.join(name), random.join(name)).expect("a file");
    }
    run(&random, "--generations 3 --since 3");
    assert_eq!(files(&random.join("shards/g3")), files(&kept.join("shards/g3")));
    assert_ne!(fs::read(random.join("nets/g3.network")).expect("a net"), trained);
}

#[test]
fn tzaar_learns_by_the_same_command() {
    let folder = Folder::new("generation-tzaar");
    let line = folder.path("line");
    let sizes = "--game tzaar --generations 2 --games 60 --nodes 10 --epochs 3 --batch 256 \
                 --gate-nodes 10 --gate-games 10";
    let rows = run(&line, sizes);
    let [one, two, summary] = &rows[..] else { panic!("{rows:?}") };
    assert_eq!((&one["generation"], &two["generation"]), (&1.into(), &2.into()));
    assert_eq!(summary["generations"], 2);
    let ledger = fs::read_to_string(line.join("ledger.md")).expect("a ledger");
    assert_eq!(ledger.lines().filter(|row| row.starts_with("| ")).count(), 4, "{ledger}");
    assert!(fs::read_to_string(line.join("ledger.svg")).expect("a plot").starts_with("<svg"));
    let (fault, status) = refused(&line, "--game arimaa");
    assert_eq!(status, Some(2));
    assert!(fault.contains("--game arimaa: this folder has a line of tzaar"), "{fault}");
}

#[test]
fn a_change_of_settings_holds_from_the_next_generation_on() {
    let folder = Folder::new("generation-settings");
    let line = folder.path("line");
    run(&line, &format!("{SMALL} --step selfplay"));
    let rows = run(&line, "--games 80 --gate-games 6");
    let [one, two, _] = &rows[..] else { panic!("{rows:?}") };
    assert_eq!((&one["games"], &two["games"]), (&140.into(), &80.into()));
    assert_eq!(two["gate_games"], 6);
    for (option, value, fault) in [
        ("--seed", "4", "--seed 4: the seed of this folder is 3: choose another folder"),
        (
            "--set",
            "model=mine.model",
            "--set model=mine.model: the weights of an evaluation by hand",
        ),
        (
            "--set",
            "learned_pruning=9",
            "--set learned_pruning=9: what was learned from games of others",
        ),
        ("--hidden", "65", "--hidden 65: expected 64 or 128 or 256"),
        ("--part", "2/8", "--step"),
        ("--gate-sprt", "30,0", "elo0 must be below elo1"),
    ] {
        let (told, status) = refused(&line, &format!("{option} {value}"));
        assert_eq!(status, Some(2), "{told}");
        assert!(told.contains(fault), "{told}");
    }
    let (told, status) = refused(&line, "--step gate --generation 9");
    assert_eq!(status, Some(1), "{told}");
    assert!(told.contains("generation 9: generation 3 comes next"), "{told}");
}

#[test]
fn a_folder_with_a_wrong_net_or_wrong_settings_is_refused_by_its_place() {
    let folder = Folder::new("generation-wrong");
    let line = folder.path("line");
    run(&line, &format!("{SMALL} --step selfplay"));
    let (told, status) = refused(&line, "--step gate");
    assert_eq!(status, Some(1), "{told}");
    assert!(told.contains("generation 1 has no net yet: train it by --step train"), "{told}");
    run(&line, "--step train");
    fs::copy(line.join("nets/g0.network"), line.join("nets/g1.network")).expect("a net");
    let (told, status) = refused(&line, "--step gate");
    assert_eq!(status, Some(1), "{told}");
    assert!(told.contains("nets/g1.network: the checksum of this net is"), "{told}");
    fs::write(line.join("settings.toml"), "game = \"arimaa\"\nseed = \"one\"\n").expect("a file");
    let (told, status) = refused(&line, "");
    assert_eq!(status, Some(1), "{told}");
    assert!(told.contains("settings.toml, line 2: invalid type: string \"one\""), "{told}");
}
