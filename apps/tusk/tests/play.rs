//! `tusk play` as people play: whole games by a pipe, steps that are taken back, records that are taken up, and a real
//! terminal where tmux is there. Besides, the page of `tusk analyse`.

mod common;

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use common::{Folder, TUSK};
use game::Game as _;
use serde_json::Value;
use workbench::Army;

const GOLD: &str = "Ra1 Rb1 Rc1 Dd1 De1 Rf1 Rg1 Rh1 Ra2 Hb2 Cc2 Ed2 Me2 Cf2 Hg2 Rh2";

/// Plays with these lines typed, and the record in that file.
fn play(arguments: &[&str], record: &Path, lines: &str) -> Output {
    let mut child = Command::new(TUSK)
        .arg("play")
        .args(["--engine", "random", "--seed", "1", "--nodes", "2000"])
        .args(arguments)
        .arg("--record")
        .arg(record)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("tusk starts");
    // Once the game is over, nobody reads on.
    let _ = child.stdin.take().expect("a pipe").write_all(lines.as_bytes());
    child.wait_with_output().expect("it ends")
}

fn text(output: &Output) -> String {
    let fault = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{fault}");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// Hints win against the random engine.
#[test]
fn whole_games_of_both_are_played_by_a_pipe() {
    let folder = Folder::new("play-whole");
    for (game, side, winner) in [("arimaa", "g", "Gold"), ("tzaar", "b", "Black")] {
        let record = folder.path(game);
        // What is typed too much is refused, and nothing happens.
        let lines = "hint\nplay\ndone\n".repeat(200);
        let told = text(&play(&["--game", game, "--side", side], &record, &lines));
        assert!(told.contains("The game is over"), "{told}");
        assert!(told.contains(&format!("You play {winner} against random")), "{told}");
        let record = fs::read_to_string(record).expect("a record");
        let ended = match game {
            "arimaa" => arimaa::Game::parse(&record, Army::Full).expect("a record").ended(),
            _ => record.parse::<tzaar::Game>().expect("a record").ended(),
        };
        let is_first = ended.expect("it is over").winner == game::Side::First;
        assert_eq!(is_first, side == "g", "{record}");
    }
}

#[test]
fn steps_and_turns_are_taken_back_and_the_record_is_taken_up() {
    let folder = Folder::new("play-back");
    let record = folder.path("game.txt");
    let lines = format!(
        "swap a1 b1\n{GOLD}\nswap d2 e2\ndone\nEe2n\nEe3n\nEe3n\nundo\nsteps Ee3\nhello\nclocks\nthreats\nquit\n"
    );
    let told = text(&play(&[], &record, &lines));
    assert!(told.contains("there is no setup to change"), "{told}");
    assert!(told.contains("2g Gold plays Ee2n …"), "{told}");
    assert!(told.contains("2g Gold plays Ee2n Ee3n …"), "{told}");
    assert!(told.contains("2g> Ee3e  Ee3n  Ee3s  Ee3w") || told.contains("Ee3e  Ee3n"), "{told}");
    assert!(told.contains("hello: "), "{told}");
    let saved = fs::read_to_string(&record).expect("a record");
    let gold = GOLD.replace("Ed2 Me2", "Md2 Ee2");
    assert!(saved.starts_with(&format!("1g {gold}\n1s ")), "{saved}");
    assert_eq!(saved.lines().count(), 2, "a turn that is not done is not kept");

    // The game goes on where it was, and a turn is taken back with the answer to it.
    let told = text(&play(&[], &record, "Ee2n Ee3n done\nback\nMd2n done\nquit\n"));
    assert!(told.contains("2g Gold to move") && told.contains("3g Gold to move"), "{told}");
    let saved = fs::read_to_string(&record).expect("a record");
    assert_eq!(saved.lines().nth(2), Some("2g Md2n"), "{saved}");
    assert_eq!(saved.lines().count(), 4);

    // Whoever gives up has lost, and a game that is over is not taken up.
    let told = text(&play(&[], &record, "resign\n"));
    assert!(told.contains("The game is over"), "{told}");
    let again = play(&[], &record, "");
    assert_eq!(again.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&again.stderr).contains("the game is over"));
}

#[test]
fn a_game_of_tzaar_is_taken_up_at_its_own_start() {
    let folder = Folder::new("play-tzaar");
    let record = folder.path("game.txt");
    let told = text(&play(&["--game", "tzaar"], &record, "hint\nplay\nquit\n"));
    assert!(told.contains("1w White to move") && told.contains("2w White to move"), "{told}");
    let saved = fs::read_to_string(&record).expect("a record");
    assert_eq!(saved.lines().count(), 3, "the start, and two turns: {saved}");
    // The record says which game it is of.
    let told = text(&play(&[], &record, "undo\nquit\n"));
    assert!(told.contains("2w White to move") && told.contains("no step is entered"), "{told}");
}

#[test]
fn a_wrong_side_or_opening_is_a_wrong_command_line() {
    let folder = Folder::new("play-wrong");
    let wrong: [&[&str]; 3] = [&["--side", "x"], &["--opening", "fixed"], &["--level", "nobody"]];
    for arguments in wrong {
        let output = play(arguments, &folder.path("game.txt"), "");
        assert!(!output.status.success(), "{arguments:?}");
        assert!(!output.stderr.is_empty(), "{arguments:?}");
    }
}

/// A terminal that tmux keeps, gone when the test ends.
struct Terminal(String);

impl Terminal {
    fn start(name: &str, command: &str) -> Terminal {
        let name = format!("tusk-{name}-{}", std::process::id());
        let status = Command::new("tmux")
            .args([
                "-L",
                &name,
                "-f",
                "/dev/null",
                "new-session",
                "-d",
                "-x",
                "100",
                "-y",
                "30",
                command,
            ])
            .status();
        assert!(status.is_ok_and(|status| status.success()), "tmux starts");
        Terminal(name)
    }

    fn tmux(&self, arguments: &[&str]) -> Output {
        let output = Command::new("tmux").args(["-L", &self.0]).args(arguments).output();
        output.expect("tmux is there")
    }

    fn keys(&self, keys: &[&str]) {
        let mut arguments = vec!["send-keys"];
        arguments.extend(keys);
        self.tmux(&arguments);
    }

    /// Waits until the screen shows the text, and returns all of it.
    fn shows(&self, wanted: &str) -> String {
        let begin = Instant::now();
        loop {
            let output = self.tmux(&["capture-pane", "-p"]);
            let screen = String::from_utf8_lossy(&output.stdout).into_owned();
            if screen.contains(wanted) {
                return screen;
            }
            assert!(begin.elapsed() < Duration::from_secs(60), "no {wanted:?} in:\n{screen}");
            std::thread::sleep(Duration::from_millis(100));
        }
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        self.tmux(&["kill-server"]);
    }
}

#[test]
#[ignore = "needs tmux"]
fn tmux_is_a_terminal_that_is_played_on_by_keys() {
    let folder = Folder::new("play-terminal");
    let record = folder.path("game.txt");
    let command = format!(
        "{TUSK} play --engine random --seed 1 --nodes 2000 --record {}; sleep 60",
        record.display()
    );
    let terminal = Terminal::start("arimaa", &command);
    terminal.shows("1g Gold sets up");
    terminal.keys(&["Enter"]);
    terminal.shows("2g Gold to move");
    // The cursor stands in a corner: the rabbit in front of it goes north by keys.
    terminal.keys(&["Up", "Space", "Up", "Space"]);
    terminal.shows("2g Gold plays");
    terminal.keys(&["BSpace"]);
    terminal.shows("2g Gold to move");
    terminal.keys(&["F2"]);
    terminal.shows("Hint: ");
    terminal.keys(&["play", "Enter"]);
    terminal.shows("3g Gold to move");
    terminal.keys(&["F6"]);
    terminal.shows("2g Gold to move");
    terminal.keys(&["quit", "Enter"]);
    terminal.shows("The record is kept in");
    let saved = fs::read_to_string(&record).expect("a record");
    assert_eq!(saved.lines().count(), 2, "{saved}");
}

#[test]
fn the_page_of_an_analysis_has_every_board_and_needs_nothing_else() {
    let folder = Folder::new("analyse-page");
    let games = [("../../positions/sample-game.txt", 4), ("../../positions/tzaar/game.txt", 20)];
    for (game, turns) in games {
        let path = folder.path("game.html");
        let output = Command::new(TUSK)
            .args(["analyse", game, "--nodes", "1000", "--seed", "1", "--html"])
            .arg(&path)
            .output()
            .expect("tusk starts");
        text(&output);
        let page = fs::read_to_string(&path).expect("a page");
        assert_eq!(page.matches("<section").count(), turns + 1, "one for the end");
        assert_eq!(page.matches("<svg").count(), turns + 2, "one is the graph");
        assert_eq!(page.matches("<svg").count(), page.matches("</svg>").count());
        for outside in ["http:", "https:", "src=", "<link", "@import", "url("] {
            assert!(!page.contains(outside), "{outside}");
        }
        // Of Arimaa, the pieces of each board can be clicked.
        let pieces = page.lines().find_map(|line| {
            let json = line.strip_prefix("<script type=\"application/json\" id=\"pieces\">")?;
            serde_json::from_str::<Value>(json.strip_suffix("</script>")?).ok()
        });
        assert_eq!(pieces.is_some(), game.contains("sample"), "{game}");
        if let Some(pieces) = pieces {
            assert_eq!(pieces["positions"].as_array().map(Vec::len), Some(turns + 1));
            let elephant = &pieces["positions"][0]["d2"];
            assert_eq!(elephant["distances"].as_str().map(str::len), Some(64), "{elephant}");
            let [kind, values] = [0, 1].map(|place| &elephant["features"][0][place]);
            let parameters = &pieces["legend"][kind.as_u64().unwrap() as usize][1];
            assert_eq!(values.as_array().map(Vec::len), parameters.as_array().map(Vec::len));
            assert!(page.len() < 20_000 * (turns + 1), "{} bytes", page.len());
        }
    }
}
