//! What others send, and what becomes of our output, does no harm: closed pipes, escape codes, memory and
//! files without end.

mod common;

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use common::{Folder, TUSK};

/// A win in two.
const WIN_IN_2: &str = "g [         H                  cr       m           R              ]";

const PROOF: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../positions/proofs/goal.txt");

fn tusk(arguments: &[&str]) -> Output {
    Command::new(TUSK).args(arguments).output().expect("tusk runs")
}

fn words(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn text(path: &Path) -> &str {
    path.to_str().expect("a path of plain letters")
}

/// The exit status of a command whose output nobody reads.
fn unread(arguments: &[&str]) -> Option<i32> {
    let (reader, writer) = std::io::pipe().expect("a pipe");
    drop(reader);
    let errors = writer.try_clone().expect("a pipe");
    let mut command = Command::new(TUSK);
    command.args(arguments).stdin(Stdio::null()).stdout(writer).stderr(errors);
    command.status().expect("tusk runs").code()
}

/// What AEI answers to these lines.
fn aei(lines: &[u8]) -> Output {
    let mut command = Command::new(TUSK);
    command.args(["aei", "--engine", "beginner"]);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("tusk runs");
    child.stdin.take().expect("a pipe").write_all(lines).expect("it reads");
    child.wait_with_output().expect("it ends")
}

#[test]
fn the_exit_status_is_that_of_the_answer_even_if_nobody_reads_it() {
    let folder = Folder::new("unread");
    let bad = folder.write("bad.txt", &fs::read_to_string(PROOF).unwrap().replace("Rb5n", "Rb5s"));
    assert_eq!(unread(&["check-proof", text(&bad)]), Some(1));
    assert_eq!(unread(&["check-proof", PROOF]), Some(0));
    assert_eq!(unread(&["show", WIN_IN_2]), Some(0));
    assert_eq!(unread(&["show", "no-such-file"]), Some(1));
    assert_eq!(unread(&["move", WIN_IN_2, "--engine", "nobody"]), Some(2));
    let table = folder.write("table.tsv", &format!("position\tbest\n{WIN_IN_2}\tHb7e\n"));
    let expected = ["suite", text(&table), "--engine", "beginner", "--expect", "1000"];
    assert_eq!(unread(&expected), Some(1));
    let store = folder.path("games.sqlite");
    let contest = ["match", "random", "random", "--games", "3", "--turns", "2", "--depth", "1"];
    assert_eq!(unread(&[&contest[..], &["--store", text(&store)]].concat()), Some(0));
    let events = tusk(&["games", "--store", text(&store)]);
    assert!(words(&events.stdout).contains("3 of 3"), "{}", words(&events.stdout));
}

#[test]
fn memory_that_cannot_be_had_is_refused_everywhere() {
    let refused = "1024000 MiB of memory cannot be had here";
    let folder = Folder::new("memory");
    let file = folder.write("mine.toml", "base = 'tusk'\nmemory = '1000GiB'\n");
    for arguments in [
        &["move", WIN_IN_2, "--memory", "1000GiB"][..],
        &["move", WIN_IN_2, "--engine", text(&file)],
        &["solve", WIN_IN_2, "--memory", "1000GiB"],
        &["solve", WIN_IN_2, "--algorithm", "dfpns", "--set", "number_table=1024000"],
        &["selfplay", "--out", text(&folder.path("shards")), "--set", "memory=1000GiB"],
        &["match", "tusk memory=1000GiB", "random", "--games", "1"],
    ] {
        let output = tusk(arguments);
        let found = words(&output.stderr);
        assert!(found.contains(" MiB of memory cannot be had here"), "{arguments:?}: {found}");
        assert!(matches!(output.status.code(), Some(1 | 2)), "{arguments:?}");
    }
    let output = aei(b"aei\nsetoption name hash value 1024000\nisready\nquit\n");
    let found = words(&output.stdout);
    assert!(found.contains(&format!("log Error: setoption name hash: {refused}")), "{found}");
    assert!(found.contains("readyok") && output.status.success(), "{found}");
}

#[test]
fn inputs_without_an_end_are_refused() {
    let mut lines = b"aei\nsetpositionfile /dev/zero\nsetoption name ".to_vec();
    lines.extend(vec![b'x'; 2 << 20]);
    lines.extend(b"\nisready\nquit\n");
    let output = aei(&lines);
    let found = words(&output.stdout);
    for fault in [
        "log Error: setpositionfile: /dev/zero: it has more than 1 MiB, and no more are read\n",
        "log Error: the line has more than 1 MiB, and no more are read\n",
        "readyok\n",
    ] {
        assert!(found.contains(fault), "{fault}: {found}");
    }
    let folder = Folder::new("endless");
    let model = folder.path("mine.model");
    for arguments in [
        &["config", "--config", "/dev/zero"][..],
        &["play", "--record", "/dev/zero"],
        &["learn", "lp", "/dev/zero", "--out", text(&model)],
        &["learn", "steps", "/dev/zero", "--out", text(&model)],
        &["games", "--convert", "/dev/zero", "--as", "json"],
        &["train", "/dev/zero", "--out", text(&model)],
    ] {
        let output = tusk(arguments);
        let found = words(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{arguments:?}: {found}");
        assert!(found.contains("MiB, and no more are read"), "{arguments:?}: {found}");
    }
}

/// A named pipe, and a program that waits for its input there.
fn waiting_at(pipe: &Path, arguments: &[&str]) -> (std::process::Child, fs::File) {
    let mut command = Command::new(TUSK);
    command.args(arguments).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let child = command.spawn().expect("tusk runs");
    // This waits until the program has opened its end.
    let writer = fs::File::options().write(true).open(pipe).expect("a pipe");
    (child, writer)
}

#[test]
fn two_learners_do_not_make_the_same_file() {
    let folder = Folder::new("claims");
    let (pipe, out) = (folder.path("pipe"), folder.path("mine.model"));
    assert!(Command::new("mkfifo").arg(&pipe).status().expect("mkfifo runs").success());
    let file = folder.write("nothing.txt", "");
    for method in [&["train"][..], &["learn", "lp"], &["learn", "steps"], &["learn", "logistic"]] {
        let with = |data: &Path| {
            let data = data.to_str().expect("a path of plain letters").to_string();
            [method, &[&data, "--out", text(&out)]]
                .concat()
                .iter()
                .map(|word| word.to_string())
                .collect::<Vec<String>>()
        };
        let second = || {
            let arguments = with(&file);
            let output = Command::new(TUSK).args(arguments).output().expect("tusk runs");
            assert_eq!(output.status.code(), Some(1), "{method:?}");
            words(&output.stderr)
        };
        let first = with(&pipe);
        let first: Vec<&str> = first.iter().map(String::as_str).collect();
        let (mut child, writer) = waiting_at(&pipe, &first);
        let refused = second();
        assert!(refused.contains("another tusk makes this file"), "{method:?}: {refused}");
        // The first one is killed, and leaves nothing behind that would refuse others.
        child.kill().expect("it is ours");
        child.wait().expect("it ends");
        drop(writer);
        let refused = second();
        assert!(!refused.contains("another tusk"), "{method:?}: {refused}");
        assert!(!folder.path("mine.model.lock").exists());
    }
}

#[test]
fn a_parameter_is_tuned_once() {
    let twice = ["--parameter", "futility_margin=0..200", "--parameter", "futility_margin=0..100"];
    let output =
        tusk(&[&["tune", "tusk"][..], &twice, &["--games", "2", "--nodes", "10"]].concat());
    let found = words(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{found}");
    assert!(found.contains("--parameter futility_margin: it is named twice"), "{found}");
}

#[test]
fn a_worker_reads_no_file_of_a_plan_that_it_may_not_read() {
    let folder = Folder::new("unread-network");
    let network = folder.path("mine.network");
    let shipped = concat!(env!("CARGO_MANIFEST_DIR"), "/../../models/arimaa.network");
    fs::copy(shipped, &network).expect("a copy");
    let plan = format!(
        "games = 2\ndepth = 1\nturns = 3\n[[engine]]\nengine = \"random\"\n\
         [[engine]]\nname = \"mine\"\nengine = \"tusk network={}\"\n",
        network.display()
    );
    let (plan, store) = (folder.write("plan.toml", &plan), folder.path("games.sqlite"));
    let scheduled = tusk(&["tournament", text(&plan), "--store", text(&store), "--schedule-only"]);
    assert!(scheduled.status.success(), "{}", words(&scheduled.stderr));
    // A program that reads the pipe waits for ever.
    fs::remove_file(&network).expect("it is ours");
    assert!(Command::new("mkfifo").arg(&network).status().expect("mkfifo runs").success());
    let worker = tusk(&["worker", "--store", text(&store)]);
    let found = words(&worker.stderr);
    assert!(found.contains("may not run here"), "{found}");
    fs::remove_file(&network).expect("it is ours");
    fs::copy(shipped, &network).expect("a copy");
    let worker = tusk(&["worker", "--store", text(&store), "--json", "--allow", text(&network)]);
    assert!(words(&worker.stdout).contains("\"games\":2"), "{}", words(&worker.stderr));
}

#[test]
fn a_state_that_is_none_is_refused() {
    let folder = Folder::new("no-state");
    let game = concat!(env!("CARGO_MANIFEST_DIR"), "/../../positions/sample-game.txt");
    let state = folder.path("state");
    fs::write(&state, b"\x7fELF\x02\x01=\x00").expect("a file");
    let output = tusk(&["getmove", game, game, text(&state), "--engine", "random"]);
    let found = words(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{found}");
    assert!(found.contains("state, line 1: this is no state of a game"), "{found}");
}

#[test]
fn escape_codes_of_others_are_shown_not_sent() {
    let escape = "\u{1b}]0;owned\u{7}";
    let name = format!("no-such-{escape}-file");
    let output = tusk(&["show", &name]);
    let found = words(&output.stderr);
    assert!(found.contains("no-such-\\u001b]0;owned\\u0007-file"), "{found}");
    let output = aei(format!("aei\nsetoption name {escape} value 1\nquit\n").as_bytes());
    assert!(!output.stdout.contains(&0x1b), "{}", words(&output.stdout));
    let folder = Folder::new("escapes");
    let store = folder.path("games.sqlite");
    let plan = "name = \"evil \\u001b[2J\"\ngames = 1\nturns = 1\ndepth = 1\n\
                [[engine]]\nname = \"a\\u001b[31m\"\nengine = \"random\"\n\
                [[engine]]\nname = \"b\"\nengine = \"random\"\n";
    let plan = folder.write("plan.toml", plan);
    let output = tusk(&["tournament", text(&plan), "--store", text(&store)]);
    let listed = tusk(&["games", "--store", text(&store)]);
    for output in [&output, &listed] {
        let all = [&output.stdout[..], &output.stderr[..]].concat();
        assert!(!all.contains(&0x1b), "{}", words(&all));
    }
}

#[test]
fn a_dash_is_standard_output_and_a_link_beside_a_file_is_left_alone() {
    let folder = Folder::new("outputs");
    let run = |arguments: &[&str]| {
        let mut command = Command::new(TUSK);
        command.args(arguments).current_dir(folder.path("."));
        command.output().expect("tusk runs")
    };
    let proof = run(&["solve", WIN_IN_2, "--proof", "-"]);
    assert!(proof.stdout.starts_with(b"tusk proof 1\n"), "{}", words(&proof.stdout));
    assert!(words(&proof.stderr).contains("win in 2"), "{}", words(&proof.stderr));
    let game = concat!(env!("CARGO_MANIFEST_DIR"), "/../../positions/sample-game.txt");
    let mined = run(&["suite", "--mine", game, "--output", "-"]);
    assert!(mined.stdout.starts_with(b"position\tgoal\t"), "{}", words(&mined.stdout));
    assert!(!folder.path("-").exists());
    #[cfg(unix)]
    {
        let victim = folder.write("victim", "precious");
        std::os::unix::fs::symlink(&victim, folder.path("x.part")).unwrap();
        let mined = run(&["suite", "--mine", game, "--output", "x"]);
        assert!(mined.status.success(), "{}", words(&mined.stderr));
        assert_eq!(fs::read_to_string(&victim).unwrap(), "precious");
        assert!(fs::read_to_string(folder.path("x")).unwrap().starts_with("position\t"));
    }
}

#[test]
fn a_search_goes_on_with_its_own_algorithm_alone() {
    let folder = Folder::new("algorithms");
    let start = "g [rrrrrrrrhdcemcdh                                HDCMECDHRRRRRRRR]";
    let solve = |algorithm: &str, option: &str, file: &Path| {
        let limits = ["--nodes", "2000", "--memory", "16MiB"];
        let own = ["solve", start, "--algorithm", algorithm, option, text(file)];
        tusk(&[&own[..], &limits].concat())
    };
    for (algorithm, other) in [("dfpns", "pns"), ("pns", "dfpns")] {
        let file = folder.path(algorithm);
        assert!(solve(algorithm, "--save", &file).status.success());
        assert!(solve(algorithm, "--continue", &file).status.success());
        let refused = solve(other, "--continue", &file);
        let found = words(&refused.stderr);
        let fault =
            format!("--algorithm {other}: the search that was kept has --algorithm {algorithm},");
        assert!(found.contains(&fault), "{found}");
        assert_eq!(refused.status.code(), Some(2));
    }
}

#[test]
fn few_nodes_are_few_boards() {
    let start = "g [rrrrrrrrhdcemcdh                                HDCMECDHRRRRRRRR]";
    let output = tusk(&["solve", start, "--nodes", "10", "--json"]);
    let row = &common::json_lines(&output.stdout)[0];
    assert!(row["nodes"].as_u64().expect("a number") < 1000, "{row}");
}
