//! The memory that a game takes grows with its length, not with the square of it.

#![cfg(target_os = "linux")]

mod common;
#[path = "../../../services/workbench/tests/long_game/mod.rs"]
mod long_game;

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::process::{Command, Output};
use std::thread;

use common::{Folder, TUSK};
use engine::Stop;
use long_game::long_game;
use serde_json::{Value, json};
use web::{Options, Server};

/// Runs Tusk with a limited address space, in MiB: an allocation beyond it fails.
fn within(mebibytes: u32, arguments: &[&str]) -> Output {
    let limited = format!("ulimit -v {} && exec \"$0\" \"$@\"", mebibytes << 10);
    Command::new("sh").args(["-c", &limited, TUSK]).args(arguments).output().expect("sh runs")
}

fn text(path: &Path) -> &str {
    path.to_str().expect("a path of plain letters")
}

fn succeeded(output: &Output) -> String {
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{}: {errors}", output.status);
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn a_turn_of_a_game_of_20_000_turns_is_found_in_linear_memory() {
    let folder = Folder::new("long-game");
    let file = folder.write("game.txt", &long_game(20_000));
    let file = text(&file);
    let shown = succeeded(&within(500, &["show", file, "--turn", "9999s", "--json"]));
    assert!(shown.contains("\"side\":\"s\""), "{shown}");
    let analysed = ["analyse", file, "--turn", "9999s", "--engine", "random", "--json"];
    let analysed = succeeded(&within(500, &analysed));
    assert!(analysed.contains("\"turn\":\"9999s\""), "{analysed}");
    assert!(analysed.contains("\"turns\":1"), "{analysed}");
}

#[test]
fn a_game_is_analysed_turn_by_turn_in_linear_memory() {
    let folder = Folder::new("long-analysis");
    let file = folder.write("game.txt", &long_game(3000));
    let file = text(&file);
    let analysed = succeeded(&within(500, &["analyse", file, "--engine", "random", "--json"]));
    assert_eq!(analysed.lines().count(), 2998 + 1);
    assert!(analysed.contains("\"turns\":2998"));
}

#[test]
fn a_game_of_20_000_turns_is_imported_and_exported_in_linear_memory() {
    let folder = Folder::new("long-import");
    let record = long_game(20_000);
    let (file, store) = (folder.write("game.txt", &record), folder.path("games.sqlite"));
    let games = |more: &[&str]| {
        succeeded(&within(500, &[&["games", "--store", text(&store)][..], more].concat()))
    };
    games(&["--import", text(&file)]);
    let json = folder.write("game.json", &games(&["1", "--as", "json"]));
    let converted = ["games", "--convert", text(&json), "--as", "records"];
    let turns =
        |record: &str| record.lines().filter(|line| line.starts_with(char::is_numeric)).count();
    assert_eq!(turns(&succeeded(&within(500, &converted))), turns(&record));
}

#[test]
fn the_page_refuses_a_long_game_and_names_the_limit() {
    let folder = Folder::new("long-page");
    let (longest, too_long) = (long_game(1000), long_game(1001));
    let (file, store) = (folder.write("game.txt", &too_long), folder.path("games.sqlite"));
    succeeded(&within(500, &["games", "--store", text(&store), "--import", text(&file)]));
    let mut options =
        Options::new(SocketAddr::from(([127, 0, 0, 1], 0)), workbench::Catalogues::of_players());
    options.store = Some(text(&store).to_string());
    let server = Server::bind(&options).expect("a free port");
    let address = server.address().expect("an address");
    let stop = Stop::new();
    thread::scope(|scope| {
        scope.spawn(|| server.run(&stop).expect("it serves"));
        let game = |start: &str, turns: &[&str]| json!({ "game": { "name": "arimaa", "start": start, "turns": turns } });
        let accepted = [
            ask(address, "read", &json!({ "text": longest })),
            ask(address, "position", &game(&longest, &[])),
        ];
        let refused = [
            ask(address, "read", &json!({ "text": too_long })),
            ask(address, "position", &game(&too_long, &[])),
            ask(address, "position", &game(&longest, &["Ee2n"])),
            ask(address, "event_game", &json!({ "id": 1, "number": 1 })),
        ];
        stop.request();
        for (status, answer) in accepted {
            assert_eq!(status, 200, "{answer}");
        }
        for (status, answer) in refused {
            assert_eq!(status, 400, "{answer}");
            assert!(answer.contains("1001 turns") && answer.contains("at most 1000"), "{answer}");
        }
    });
}

/// The status and the body of a server's answer.
fn ask(address: SocketAddr, verb: &str, parameters: &Value) -> (u16, String) {
    let body = parameters.to_string();
    let mut stream = TcpStream::connect(address).expect("a connection");
    let head = format!(
        "POST /api/v1/{verb} HTTP/1.1\r\nHost: {address}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
        body.len()
    );
    stream.write_all((head + &body).as_bytes()).expect("it reads");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("it answers");
    let status = answer.split(' ').nth(1).and_then(|status| status.parse().ok());
    let body = answer.split_once("\r\n\r\n").map_or("", |(_, body)| body);
    (status.unwrap_or(0), body.to_string())
}
