//! The server as a client meets it.

mod common;

use std::io::{Read as _, Write as _};

use serde_json::{Value, json};

use common::{arimaa, start, start_with};

#[test]
fn the_page_is_served_to_this_machine_and_to_no_page_of_another_site() {
    let server = start();
    let get = |path: &str, headers: &str| server.request("GET", path, headers, "").0;
    assert_eq!(get("/", ""), 200);
    assert_eq!(get("/", "Host: localhost:7333\r\n"), 200);
    assert_eq!(get("/", "Host: evil.example\r\n"), 403);
    assert_eq!(get("/", "Origin: http://evil.example\r\n"), 403);
    assert_eq!(get("/", &format!("Origin: http://{}\r\n", server.address)), 200);
    assert_eq!(get("/nothing", ""), 404);
    assert_eq!(get("/../Cargo.toml", ""), 404);
    assert_eq!(get("/..%2f..%2fetc%2fpasswd", ""), 404);
    assert_eq!(get("/api/v1/position", ""), 405);
    let upgrade = "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n\
                   Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nOrigin: http://evil.example\r\n";
    assert_eq!(get("/api/v1/socket", upgrade), 403);
}

#[test]
fn another_host_is_served_when_it_is_allowed() {
    let server = start_with(|options| options.hosts = vec!["board.example".to_string()]);
    let get = |headers| server.request("GET", "/", headers, "").0;
    assert_eq!(get("Host: board.example\r\nOrigin: http://board.example\r\n"), 200);
    assert_eq!(get("Host: other.example\r\n"), 403);
}

#[test]
fn the_answers_forbid_browsers_to_do_anything_else() {
    let server = start();
    let ask = format!("GET / HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n", server.address);
    let answer = server.whole(ask.as_bytes()).to_ascii_lowercase();
    for header in
        ["content-security-policy: default-src 'none'", "x-content-type-options: nosniff", "etag: "]
    {
        assert!(answer.contains(header), "{header}: {answer}");
    }
}

#[test]
fn every_error_is_json() {
    let server = start();
    let long = format!("{{\"text\":\"{}\"}}", "x".repeat(300 << 10));
    let (status, body) = server.request("POST", "/api/v1/read", "", &long);
    assert_eq!((status, body.as_str()), (413, r#"{"error":"the body is longer than 256 KiB"}"#));
    // Bytes that are not UTF-8, in a path and in a body; a WebSocket that is none.
    for (method, path, headers, body, expected) in [
        ("POST", "/api/v1/%ff", "", "{}", 400),
        ("PUT", "/api/v1/searches/%ff", "", "", 400),
        ("POST", "/api/v1/read", "", "{\"text\": \"\u{fffd}", 400),
        ("GET", "/api/v1/socket", "", "", 400),
        ("GET", "/api/v1/socket", "Upgrade: chess\r\nConnection: upgrade\r\n", "", 400),
    ] {
        let (status, body) = server.request(method, path, headers, body);
        assert_eq!(status, expected, "{method} {path}: {body}");
        let answer: Value = serde_json::from_str(&body).unwrap_or_default();
        assert!(answer["error"].as_str().is_some_and(|error| !error.is_empty()), "{path}: {body}");
    }
    let head = "POST /api/v1/read HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\nConnection: close\r\n\r\n";
    let (status, body) = server.raw(&[head.as_bytes(), b"\"\xff"].concat());
    assert_eq!(status, 400);
    assert!(body.starts_with("{\"error\":"), "{body}");
}

#[test]
fn a_server_with_damaged_results_starts_and_warns() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("analyses.jsonl");
    std::fs::write(&path, b"\xff\n").unwrap();
    let mut options =
        web::Options::new(([127, 0, 0, 1], 0).into(), workbench::Catalogues::of_players());
    options.data = Some(folder.path().to_path_buf());
    let server = web::Server::bind(&options).unwrap();
    let warning = format!("{}: 1 damaged line is left out", path.display());
    assert_eq!(server.warning(), Some(warning.as_str()));
}

#[test]
fn a_data_folder_that_cannot_be_used_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    std::fs::write(&file, "no folder").unwrap();
    let mut options =
        web::Options::new(([127, 0, 0, 1], 0).into(), workbench::Catalogues::of_players());
    options.data = Some(file.clone());
    let error = web::Server::bind(&options).err().unwrap();
    assert!(matches!(error, web::BindError::Data(_)), "{error}");
    assert!(error.to_string().contains(&file.display().to_string()), "{error}");
}

#[test]
fn searches_share_one_budget_of_memory() {
    let server = start_with(|options| options.mebibytes = 100);
    let mut socket = server.socket();
    let ask = |socket: &mut common::Socket, id: &str, verb: &str, memory: usize| {
        let params = json!({ "game": arimaa(), "time": 600.0, "memory": memory });
        socket.send(&json!({ "id": id, "verb": verb, "params": params }));
    };
    ask(&mut socket, "a", "move", 60);
    ask(&mut socket, "b", "solve", 64);
    let waits = socket.next();
    let reason = "the search waits for memory: it takes 64 MiB, and 40 of 100 MiB are free";
    assert_eq!(waits, json!({ "id": "b", "done": false, "waiting": reason }));
    assert_eq!(server.counts(), (1, 1));
    // More than there is for all of them together.
    for (id, verb) in [("c", "analyse"), ("d", "solve"), ("e", "tree")] {
        ask(&mut socket, id, verb, 101);
        let refused = socket.last(id).0;
        assert_eq!(refused["status"], 400, "{refused}");
        assert!(
            refused["error"].as_str().unwrap().contains("100 MiB for all searches"),
            "{refused}"
        );
    }
    socket.send(&json!({ "id": "x", "verb": "cancel", "params": { "search": "a" } }));
    // The one that has waited reports.
    while socket.next()["id"] != "b" {}
    assert_eq!(server.counts(), (1, 0));
}

#[test]
fn who_asks_too_often_has_to_wait() {
    let server = start_with(|options| options.requests_per_second = 1);
    let statuses: Vec<u16> = (0..8).map(|_| server.request("GET", "/", "", "").0).collect();
    assert_eq!(statuses[..5], [200; 5]);
    assert_eq!(statuses[7], 429);
}

#[test]
fn about_lists_the_engines_and_no_parameter_that_is_a_file() {
    let server = start();
    let about = server.answer("about", &json!({}));
    assert_eq!(about["api"], 1);
    let games = about["games"].as_array().unwrap();
    assert_eq!(games.len(), 2);
    for game in games {
        let engines = game["engines"].as_array().unwrap();
        for wanted in ["tusk", "beginner", "random"] {
            assert!(engines.iter().any(|engine| engine["name"] == wanted), "{wanted}");
        }
        let parameters = engines.iter().flat_map(|engine| engine["parameters"].as_array().unwrap());
        assert!(parameters.clone().count() > 0);
        assert!(parameters.clone().all(|parameter| parameter["name"] != "model"));
    }
    assert_eq!(games[0]["sides"][0]["setups"].as_array().unwrap().len(), 6);
}

#[test]
fn a_turn_is_entered_step_by_step() {
    let server = start();
    let state = server.answer("position", &json!({ "game": arimaa() }));
    assert_eq!(state["steps_left"], 4);
    assert_eq!(state["pieces"]["e2"], "E");
    assert_eq!((&state["end"], &state["end_fault"]), (&Value::Null, &Value::Null));
    let route = |to: &str| {
        let routes = state["routes"].as_array().unwrap();
        routes.iter().find(|route| route["from"] == "e2" && route["to"] == to).cloned()
    };
    assert_eq!(route("e4").unwrap()["steps"], json!(["Ee2n", "Ee3n"]));
    assert_eq!(route("e3"), None);
    let state = server.answer("position", &json!({ "game": arimaa(), "steps": "Ee2n Ee3n" }));
    assert_eq!((&state["steps_left"], &state["end"]), (&json!(2), &json!("Ee2n Ee3n")));
    assert_eq!(state["pieces"]["e4"], "E");
    let state = server.answer("position", &json!({ "game": arimaa(), "steps": "Ee2n Ee3s" }));
    assert_eq!(state["end"], Value::Null);
    assert!(state["end_fault"].as_str().unwrap().contains("must change"), "{state}");
    let (status, refused) = server.ask("position", &json!({ "game": arimaa(), "steps": "Ee2s" }));
    assert_eq!(status, 400);
    assert!(refused["error"].as_str().unwrap().contains("Ee2s"), "{refused}");
}

#[test]
fn a_played_turn_leaves_a_trail_and_a_record() {
    let server = start();
    let mut game = arimaa();
    game["turns"] = json!(["Ee2n Ee3n Ee4n Ee5n", "ra7s"]);
    let (status, refused) = server.ask("position", &json!({ "game": game }));
    assert_eq!(status, 400, "{refused}");
    assert!(refused["error"].as_str().unwrap().starts_with("turn 2 ("), "{refused}");
    game["turns"] = json!(["Ee2n Ee3n Ee4n Ee5n", "ha7s"]);
    let state = server.answer("position", &json!({ "game": game }));
    assert_eq!(state["side"], "g");
    assert_eq!(state["last"][0]["moves"], json!([["a7", "a6"]]));
    assert_eq!(state["labels"].as_array().unwrap().len(), 2);
    let texts = server.answer("write", &json!({ "game": game }));
    assert!(texts["picture"].as_str().unwrap().contains("+-----------------+"));
    assert_eq!(texts["record"], Value::Null);
}

#[test]
fn illegal_input_explains_itself() {
    let server = start();
    let why = |from: &str, to: &str, steps: &str| {
        let parameters = json!({ "game": arimaa(), "steps": steps, "from": from, "to": to });
        server.answer("explain", &parameters)["why"].as_str().unwrap().to_string()
    };
    assert!(why("a1", "a2", "").contains("occupied"), "{}", why("a1", "a2", ""));
    assert!(why("e7", "e6", "").contains("not yours"));
    assert!(why("e4", "e5", "").contains("no piece"));
    assert!(why("e6", "e5", "Ee2n Ee3n Ee4n Ee5n").contains("turn is complete"));
}

#[test]
fn games_of_both_kinds_begin_and_are_read_back_from_what_was_written() {
    let server = start();
    for (name, opening) in [
        ("arimaa", "empty"),
        ("arimaa", "setups"),
        ("tzaar", "random"),
        ("tzaar", "fixed"),
        ("tzaar", "tournament"),
    ] {
        let begun = server.answer("start", &json!({ "game": name, "opening": opening, "seed": 3 }));
        let game = &begun["game"];
        let texts = server.answer("write", &json!({ "game": game }));
        let state = server.answer("position", &json!({ "game": game }));
        assert_eq!(state["position"], texts["position"]);
        if opening == "empty" {
            assert_eq!(state["setting_up"], "g");
            continue;
        }
        for text in ["record", "position", "picture"] {
            let Some(text) = texts[text].as_str().filter(|text| !text.is_empty()) else { continue };
            let read = server.answer("read", &json!({ "text": text, "game": name }));
            let again = server.answer("position", &json!({ "game": read["games"][0] }));
            assert_eq!(again["position"], state["position"], "{name} {opening}: {text}");
        }
    }
    let refused = server.ask("start", &json!({ "game": "arimaa", "opening": "/etc/passwd" }));
    assert_eq!(refused.0, 400);
}

#[test]
fn text_that_names_a_file_is_read_as_text() {
    let server = start();
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../positions/sample-game.txt");
    assert_eq!(server.ask("read", &json!({ "text": path })).0, 400);
    let record = std::fs::read_to_string(path).unwrap();
    let read = server.answer("read", &json!({ "text": record }));
    assert!(read["games"][0]["turns"].as_array().unwrap().len() > 4);
}

#[test]
fn a_resignation_is_part_of_the_game() {
    let server = start();
    let mut game = arimaa();
    game["turns"] = json!(["Ee2n", "resigns"]);
    let state = server.answer("position", &json!({ "game": game }));
    assert_eq!(state["ended"]["winner"], "g");
    assert_eq!(state["game"]["turns"], json!(["Ee2n", "resigns"]));
    assert_eq!(state["legal"], json!([]));
}

#[test]
fn an_analysis_reports_on_the_way_and_in_the_end() {
    let server = start();
    let mut socket = server.socket();
    let params =
        json!({ "game": arimaa(), "engine": "tusk", "depth": 6, "lines": 2, "time": 30.0 });
    socket.send(&json!({ "id": "a", "verb": "analyse", "params": params }));
    let (answer, reports) = socket.last("a");
    let result = &answer["result"];
    assert!(reports > 0);
    assert_eq!(result["lines"].as_array().unwrap().len(), 2, "{answer}");
    let line = &result["lines"][0];
    assert!(line["score"].is_i64() && !line["trail"].as_array().unwrap().is_empty(), "{line}");
    assert!(line["chance"].as_f64().is_some_and(|chance| (0.0..=1.0).contains(&chance)));
    let params = json!({ "game": arimaa(), "depth": 2, "threat": true });
    socket.send(&json!({ "id": "b", "verb": "analyse", "params": params }));
    assert_eq!(socket.last("b").0["result"]["side"], "s");
}

#[test]
fn several_lines_come_long_before_the_time_is_over() {
    let server = start();
    let mut socket = server.socket();
    let params = json!({ "game": arimaa(), "lines": 3, "time": 600.0 });
    socket.send(&json!({ "id": "a", "verb": "analyse", "params": params }));
    loop {
        let report = socket.next();
        assert_eq!(report["done"], false, "{report}");
        if report["result"]["lines"].as_array().is_some_and(|lines| lines.len() == 3) {
            break;
        }
    }
}

/// An engine shares its time among the lines, and may be done with all of them early: that is no reason to stop.
#[test]
fn several_lines_are_looked_for_as_long_as_there_is_time() {
    let server = start();
    let middle_game = "g [rrrddrrrrhcm c r     e   HE   h               H R C MC RRRRDDRRR]";
    for (id, lines) in [("a", 2), ("b", 3), ("c", 5)] {
        let mut socket = server.socket();
        let game = json!({ "name": "arimaa", "start": middle_game });
        let params = json!({ "game": game, "lines": lines, "time": 600.0 });
        socket.send(&json!({ "id": id, "verb": "analyse", "params": params }));
        // The first slice of the time takes 0.4 s: reports still come long after it.
        loop {
            let report = socket.next();
            assert_eq!(report["done"], false, "{lines} lines: {report}");
            if report["result"]["seconds"].as_f64().is_some_and(|seconds| seconds > 0.7) {
                break;
            }
        }
    }
}

#[test]
fn nothing_is_computed_twice() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().to_path_buf();
    let analyse = |time: f64| {
        let server = start_with(|options| options.data = Some(data.clone()));
        let mut socket = server.socket();
        let params = json!({ "game": arimaa(), "engine": "beginner", "time": time });
        socket.send(&json!({ "id": "a", "verb": "analyse", "params": params }));
        (server, socket)
    };
    let (_first_server, mut socket) = analyse(0.2);
    let first = socket.last("a").0["result"].clone();
    assert_eq!(first["stored"], Value::Null);
    // Another server knows it, and answers the same at once.
    let (_second_server, mut socket) = analyse(0.2);
    let again = socket.next();
    assert_eq!((&again["done"], &again["result"]["stored"]), (&json!(true), &json!(true)));
    assert_eq!(again["result"]["lines"], first["lines"]);
    // A longer search is a new one, which begins with what is known.
    let (_third_server, mut socket) = analyse(600.0);
    let known = socket.next();
    assert_eq!((&known["done"], &known["result"]["stored"]), (&json!(false), &json!(true)));
    socket.cancel("a");
    assert_eq!(socket.last("a").0["result"]["stored"], Value::Null);
}

#[test]
fn a_position_is_known_again_whichever_way_it_came_about() {
    let server = start();
    let mut socket = server.socket();
    let mut asked = 0;
    let mut ask = |verb: &str, params: Value| {
        asked += 1;
        let id = asked.to_string();
        socket.send(&json!({ "id": id, "verb": verb, "params": params }));
        socket.last(&id).0["result"].clone()
    };
    let game = |turns: &[&str]| {
        let mut game = arimaa();
        game["turns"] = json!(turns);
        game
    };
    let analysed = |game: Value, lines: usize, time: f64| json!({ "game": game, "engine": "beginner", "lines": lines, "time": time });
    let one_way = game(&["Ee2n Ee3n", "ed7s ed6s"]);
    let other_way = game(&["Ee2n", "ed7s", "Ee3n", "ed6s"]);
    let first = ask("analyse", analysed(one_way.clone(), 2, 0.2));
    assert_eq!(first["stored"], Value::Null);
    let again = ask("analyse", analysed(other_way.clone(), 2, 0.2));
    assert_eq!((&again["stored"], &again["lines"]), (&json!(true), &first["lines"]));
    // Fewer lines are part of more, and a shorter search is enough if that is said.
    let fewer = ask("analyse", analysed(other_way, 1, 0.2));
    assert_eq!((&fewer["stored"], &fewer["lines"][0]), (&json!(true), &first["lines"][0]));
    assert_eq!(fewer["lines"].as_array().map(Vec::len), Some(1));
    let mut longer = analysed(one_way.clone(), 2, 600.0);
    longer["enough"] = json!(0.1);
    assert_eq!(ask("analyse", longer)["stored"], true);
    assert_eq!(ask("analyse", analysed(one_way.clone(), 3, 0.2))["stored"], Value::Null);
    // What a review has found is known too; a position that may not come about again is another one.
    let review = json!({ "game": one_way, "engine": "beginner", "time": 0.2 });
    ask("review", review);
    assert_eq!(ask("analyse", analysed(game(&["Ee2n Ee3n"]), 1, 0.2))["stored"], true);
    assert_eq!(ask("analyse", analysed(game(&[]), 1, 0.2))["stored"], true);
    let there_and_back = ["Ee2n", "ed7s", "Ee3s", "ed6n", "Ee2n", "ed7s", "Ee3s", "ed6n"];
    assert_eq!(ask("analyse", analysed(game(&there_and_back), 1, 0.2))["stored"], Value::Null);
}

#[test]
fn a_game_is_reviewed_turn_by_turn() {
    let server = start();
    let record = include_str!("../../../positions/sample-game.txt");
    let game = server.answer("read", &json!({ "text": record }))["games"][0].clone();
    let mut socket = server.socket();
    let params = json!({ "game": game, "time": 0.05 });
    socket.send(&json!({ "id": "r", "verb": "review", "params": params }));
    let (summary, rows) = socket.last("r");
    // Setups are no turns.
    assert_eq!(rows, game["turns"].as_array().unwrap().len() - 2);
    assert_eq!(summary["result"]["turns"], rows);
    assert!(summary["result"]["accuracy"]["gold"].as_f64().is_some_and(|accuracy| accuracy > 0.0));
    let setups = json!({ "name": "arimaa", "turns": [game["turns"][0]] });
    socket.send(&json!({ "id": "n", "verb": "review", "params": { "game": setups } }));
    assert_eq!(socket.last("n").0["status"], 400);
}

#[test]
fn a_puzzle_tells_its_answer_only_if_asked() {
    let server = start();
    let puzzle = server.answer("puzzle", &json!({ "number": 1 }));
    assert_eq!((&puzzle["answer"], &puzzle["hint"]), (&Value::Null, &Value::Null));
    let answer = server.answer("puzzle", &json!({ "number": 1, "answer": true }))["answer"].clone();
    let tried = server.answer("puzzle", &json!({ "number": 1, "turn": answer }));
    assert_eq!(tried["right"], true);
    assert_eq!(server.ask("puzzle", &json!({ "number": 0 })).0, 400);
    assert_eq!(server.ask("puzzle", &json!({ "number": 1, "turn": "Ra1s" })).0, 400);
}

#[test]
fn every_engine_plays_a_turn_that_the_game_takes() {
    let server = start();
    let mut socket = server.socket();
    let about = server.answer("about", &json!({}));
    let start =
        server.answer("start", &json!({ "game": "tzaar", "opening": "fixed" }))["game"].clone();
    for (game, engines) in [(arimaa(), &about["games"][0]), (start, &about["games"][1])] {
        for engine in engines["engines"].as_array().unwrap() {
            let name = engine["name"].as_str().unwrap();
            let params = json!({ "game": game, "engine": name, "time": 0.2 });
            socket.send(&json!({ "id": name, "verb": "move", "params": params }));
            let answer = socket.last(name).0;
            let turn = answer["result"]["turn"].as_str().unwrap_or_else(|| panic!("{answer}"));
            let mut game = game.clone();
            game["turns"] = json!([turn]);
            server.answer("position", &json!({ "game": game }));
        }
    }
}

#[test]
fn an_engine_sets_up() {
    let server = start();
    let mut socket = server.socket();
    let game = json!({ "name": "arimaa" });
    socket.send(
        &json!({ "id": "s", "verb": "move", "params": { "game": game, "engine": "beginner" } }),
    );
    let answer = socket.last("s").0;
    let setup = answer["result"]["turn"].as_str().unwrap();
    let game = json!({ "name": "arimaa", "turns": [setup] });
    assert_eq!(server.answer("position", &json!({ "game": game }))["setting_up"], "s");
}

#[test]
fn a_search_is_cancelled_and_answers_with_what_it_has() {
    let server = start();
    let mut socket = server.socket();
    let params = json!({ "game": arimaa(), "time": 600.0 });
    socket.send(&json!({ "id": "long", "verb": "analyse", "params": params }));
    let first = socket.next();
    assert_eq!((&first["id"], &first["done"]), (&json!("long"), &json!(false)));
    socket.send(&json!({ "id": "c", "verb": "cancel", "params": { "search": "long" } }));
    let (answer, _) = socket.last("long");
    assert!(!answer["result"]["lines"].as_array().unwrap().is_empty());
    server.wait_for_counts((0, 0));
}

#[test]
fn a_search_that_waits_is_told_when_it_is_cancelled() {
    let server = start_with(|options| options.searches = 1);
    let mut socket = server.socket();
    for id in ["one", "two"] {
        let params = json!({ "game": arimaa(), "time": 600.0 });
        socket.send(&json!({ "id": id, "verb": "move", "params": params }));
    }
    server.wait_for_counts((1, 1));
    socket.send(&json!({ "id": "c", "verb": "cancel", "params": { "search": "two" } }));
    assert!(socket.last("two").0["error"].is_string());
    assert_eq!(server.counts(), (1, 0));
}

#[test]
fn an_id_that_is_used_twice_is_refused_once_and_the_first_search_goes_on() {
    let server = start();
    let mut socket = server.socket();
    let params = json!({ "game": arimaa(), "time": 600.0 });
    for _ in 0..2 {
        socket.send(&json!({ "id": "x", "verb": "analyse", "params": params }));
    }
    assert_eq!(socket.last("x").0["status"], 400);
    socket.send(&json!({ "id": "c", "verb": "cancel", "params": { "search": "x" } }));
    assert!(socket.last("x").0["result"]["lines"].is_array());
}

#[test]
fn a_closed_tab_frees_its_searches() {
    let server = start();
    let mut socket = server.socket();
    for id in ["a", "b", "c"] {
        let params = json!({ "game": arimaa(), "time": 600.0 });
        socket.send(&json!({ "id": id, "verb": "analyse", "params": params }));
    }
    server.wait_for_counts((2, 1));
    drop(socket);
    server.wait_for_counts((0, 0));
}

#[test]
fn a_page_cannot_name_a_file() {
    let server = start();
    let mut socket = server.socket();
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml");
    for params in [
        json!({ "game": arimaa(), "engine": file }),
        json!({ "game": arimaa(), "engine": "mine.toml" }),
        json!({ "game": arimaa(), "set": { "model": 1 } }),
        json!({ "game": arimaa(), "set": { "model": file } }),
        json!({ "game": arimaa(), "openings": file }),
    ] {
        socket.send(&json!({ "id": "f", "verb": "analyse", "params": params }));
        let answer = socket.last("f").0;
        assert_eq!(answer["status"], 400, "{params}: {answer}");
    }
}

/// Fifty pages analyse at once; each hears of its search, and nothing is left when they are gone. `./check --long` has
/// them stay for a minute.
#[test]
fn fifty_clients_analyse_at_once() {
    let server = start();
    let seconds = if std::env::var_os("TUSK_LONG").is_some() { 60.0 } else { 2.0 };
    let clients: Vec<_> = (0..50)
        .map(|index| {
            let mut socket = server.socket();
            let params = json!({ "game": arimaa(), "time": seconds, "seed": index, "threads": 1 });
            socket.send(&json!({ "id": "a", "verb": "analyse", "params": params }));
            std::thread::spawn(move || {
                let (answer, _) = socket.last("a");
                assert!(answer["error"].is_null(), "{answer}");
                let params = json!({ "game": arimaa(), "time": 600.0 });
                socket.send(&json!({ "id": "b", "verb": "analyse", "params": params }));
                // And it closes the page in the middle of it.
                socket.next()
            })
        })
        .collect();
    for client in clients {
        assert_eq!(client.join().expect("a client")["id"], "b");
    }
    server.wait_for_counts((0, 0));
}

/// Speaks to a search for a proof, and returns the answer.
fn speak(socket: &mut common::Socket, search: &str, wish: &Value) -> Value {
    socket.send(
        &json!({ "id": "w", "verb": "solver", "params": { "search": search, "wish": wish } }),
    );
    socket.last("w").0
}

/// The state of a search for a proof once it no longer runs.
fn pause_of(socket: &mut common::Socket, id: &str) -> Value {
    loop {
        let report = socket.next();
        if report["id"] == *id && report["result"]["running"] == false {
            return report["result"].clone();
        }
        assert_eq!(report["done"], false, "{report}");
    }
}

#[test]
fn a_position_is_solved_and_its_proof_answers_every_defence() {
    let server = start();
    let mut socket = server.socket();
    let start = "g [         H                  cr       m           R              ]";
    let game = json!({ "name": "arimaa", "start": start });
    let params = json!({ "game": game, "algorithm": "pns", "time": 30, "memory": 16 });
    socket.send(&json!({ "id": "s", "verb": "solve", "params": params }));
    let state = pause_of(&mut socket, "s");
    assert_eq!((&state["result"], &state["turns"]), (&json!("win"), &json!(2)));
    let walked = speak(&mut socket, "s", &json!({ "walk": { "turns": [] } }))["result"].clone();
    assert_eq!(walked["game"]["turns"].as_array().unwrap().len(), 1);
    // Whatever Silver does, the game is over after Gold's next turn.
    for defence in ["mf4n", "mf4s mf3s", "ce5n", "rf5s pass"] {
        let walked = speak(&mut socket, "s", &json!({ "walk": { "turns": [defence] } }));
        if walked["error"].is_null() {
            assert_eq!(walked["result"]["over"], true, "{defence}: {walked}");
        }
    }
    let walked = speak(&mut socket, "s", &json!({ "walk": { "turns": ["ce5n"] } }));
    assert_eq!(walked["result"]["game"]["turns"].as_array().unwrap().len(), 3, "{walked}");
    let refused = speak(&mut socket, "s", &json!({ "walk": { "turns": ["Ee2n"] } }));
    assert_eq!(refused["status"], 400, "{refused}");
    socket.send(&json!({ "id": "c", "verb": "cancel", "params": { "search": "s" } }));
    assert_eq!(socket.last("s").0["result"]["result"], "win");
    server.wait_for_counts((0, 0));
    assert_eq!(speak(&mut socket, "s", &json!({ "pause": {} }))["status"], 400);
}

#[test]
fn the_tree_of_a_search_is_looked_at_while_it_pauses() {
    let server = start();
    let mut socket = server.socket();
    let params = json!({ "game": arimaa(), "algorithm": "pns", "time": 0.5, "memory": 32 });
    socket.send(&json!({ "id": "s", "verb": "solve", "params": params }));
    let state = pause_of(&mut socket, "s");
    assert_eq!(state["result"], Value::Null);
    let look = |socket: &mut common::Socket, path: &Value, count: usize| {
        speak(socket, "s", &json!({ "look": { "path": path, "count": count } }))["result"].clone()
    };
    let root = look(&mut socket, &json!([]), 5);
    let children = root["children"].as_array().unwrap();
    assert_eq!((children.len(), &children[0]["best"]), (5, &json!(true)));
    assert!(children[0]["numbers"]["g"].is_u64() && children[0]["visits"].is_u64(), "{root}");
    let step = children[0]["text"].clone();
    let below = look(&mut socket, &json!([step]), 3);
    assert_ne!(below["position"], root["position"]);
    let refused = speak(&mut socket, "s", &json!({ "look": { "path": ["Ee9n"] } }));
    assert_eq!(refused["status"], 400, "{refused}");
    let nodes = state["nodes"].as_u64().unwrap();
    assert!(speak(&mut socket, "s", &json!({ "continue": 0.3 }))["error"].is_null());
    let after = pause_of(&mut socket, "s");
    assert!(after["nodes"].as_u64().unwrap() >= nodes);
    let params = json!({ "game": arimaa(), "algorithm": "magic" });
    socket.send(&json!({ "id": "m", "verb": "solve", "params": params }));
    assert_eq!(socket.last("m").0["status"], 400);
}

#[test]
fn a_server_without_a_store_has_no_events() {
    let server = start();
    assert_eq!(server.answer("events", &json!({}))["events"], json!([]));
    assert_eq!(server.ask("event", &json!({ "id": 1 })).0, 400);
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("none.sqlite").display().to_string();
    let server = start_with(|options| options.store = Some(store.clone()));
    assert_eq!(server.answer("events", &json!({}))["events"], json!([]));
    let (status, refused) = server.ask("event", &json!({ "id": 1 }));
    assert_eq!(status, 404);
    // Nothing tells where the store is, and nothing is made there.
    assert!(!refused.to_string().contains("none.sqlite"), "{refused}");
    assert!(!std::path::Path::new(&store).exists());
}

/// The tree of an engine is looked at while it pauses, and grows when it goes on.
#[test]
fn the_tree_of_a_tree_search_is_looked_at() {
    let server = start();
    let mut socket = server.socket();
    for game in [arimaa(), server.answer("start", &json!({ "game": "tzaar" }))["game"].clone()] {
        let params = json!({ "game": game, "engine": "mcts", "time": 1.0, "memory": 32 });
        socket.send(&json!({ "id": "t", "verb": "tree", "params": params }));
        let state = pause_of(&mut socket, "t");
        let root = &state["root"];
        assert!(
            root["visits"].as_u64().unwrap() > 10 && root["children"].as_u64().unwrap() > 1,
            "{state}"
        );
        assert!(!state["lines"][0]["turn"].is_null(), "{state}");
        let look = |socket: &mut common::Socket, path: &Value| {
            speak(socket, "t", &json!({ "look": { "path": path, "count": 5 } }))["result"].clone()
        };
        let top = look(&mut socket, &json!([]));
        assert_eq!(top["children"].as_array().map(Vec::len), Some(5));
        let best = &top["children"][0];
        assert_eq!(best["best"], true);
        assert!(
            (0.0..=1.0).contains(&best["chance"].as_f64().unwrap()) && best["prior"].is_number(),
            "{best}"
        );
        let below = look(&mut socket, &json!([best["text"]]));
        assert_eq!(below["vertex"]["visits"], best["visits"]);
        let chances = [&below["vertex"], best].map(|node| node["chance"].as_f64().unwrap());
        assert!((chances[0] - chances[1]).abs() < 1e-6, "{chances:?}");
        assert_ne!(below["position"], top["position"]);
        speak(&mut socket, "t", &json!({ "continue": 1.0 }));
        let grown = pause_of(&mut socket, "t");
        assert!(grown["root"]["visits"].as_u64() > root["visits"].as_u64(), "{grown}");
        assert_eq!(
            speak(&mut socket, "t", &json!({ "look": { "path": ["hello"] } }))["status"],
            400
        );
        assert_eq!(speak(&mut socket, "t", &json!({ "walk": {} }))["status"], 400);
        socket.send(&json!({ "id": "c", "verb": "cancel", "params": { "search": "t" } }));
        assert_eq!(socket.last("t").0["error"], Value::Null);
        server.wait_for_counts((0, 0));
    }
    let params = json!({ "game": arimaa(), "engine": "tusk" });
    socket.send(&json!({ "id": "t", "verb": "tree", "params": params }));
    let refused = socket.last("t").0;
    assert!(refused["error"].as_str().unwrap().contains("mcts"), "{refused}");
    server.wait_for_counts((0, 0));
}

#[test]
fn a_search_for_a_proof_is_kept_and_gone_on_with() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().to_path_buf();
    let server = start_with(|options| options.data = Some(data.clone()));
    let mut socket = server.socket();
    let solve = |socket: &mut common::Socket, id: &str, more: Value| {
        let mut params =
            json!({ "game": arimaa(), "algorithm": "pns", "memory": 16, "set": { "killers": 3 } });
        params.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        socket.send(&json!({ "id": id, "verb": "solve", "params": params }));
    };
    solve(&mut socket, "a", json!({ "time": 0.5 }));
    let state = pause_of(&mut socket, "a");
    assert_eq!(speak(&mut socket, "a", &json!({ "save": "../a" }))["status"], 400);
    assert_eq!(
        speak(&mut socket, "a", &json!({ "save": "a.search" }))["result"]["saved"],
        "a.search"
    );
    let listed = server.answer("searches", &json!({}));
    let row = &listed["searches"][0];
    assert_eq!(
        (&row["name"], &row["game"], &row["algorithm"]),
        (&json!("a.search"), &json!("arimaa"), &json!("pns"))
    );
    assert_eq!(row["position"], arimaa()["start"]);
    // Another search begins where that one was.
    solve(&mut socket, "b", json!({ "time": 0, "saved": "a.search" }));
    let loaded = pause_of(&mut socket, "b");
    assert_eq!(loaded["root"]["visits"], state["root"]["visits"]);
    // Two of a connection run at a time, also those that pause.
    socket.send(&json!({ "id": "x", "verb": "cancel", "params": { "search": "a" } }));
    socket.last("a");
    solve(&mut socket, "c", json!({ "time": 0, "saved": "b.search" }));
    assert_eq!(socket.last("c").0["status"], 404);
    // As a file it goes away and comes back; what is no search stays out.
    let (status, _) = server.request("GET", "/api/v1/searches/a.search", "", "");
    assert_eq!(status, 200);
    let file = std::fs::read(data.join("searches/a.search")).unwrap();
    assert_eq!(put(&server, "b.search", &file), 200);
    assert_eq!(put(&server, "c.search", b"hello"), 400);
    assert_eq!(put(&server, "d.search", &file[..file.len() / 2]), 400);
    assert_eq!(put(&server, "d.search", &[&file[..], b"more"].concat()), 400);
    let mut altered = file.clone();
    altered[file.len() - 6] ^= 1;
    assert_eq!(put(&server, "d.search", &altered), 400);
    assert_eq!(put(&server, "d.search", &without_position(&file)), 400);
    assert_eq!(put(&server, "..%2fe", &file), 400);
    assert_eq!(server.answer("searches", &json!({}))["searches"].as_array().map(Vec::len), Some(2));
    server.answer("forget_search", &json!({ "name": "a.search" }));
    assert_eq!(server.ask("forget_search", &json!({ "name": "a.search" })).0, 404);
    assert_eq!(server.request("GET", "/api/v1/searches/a.search", "", "").0, 404);
}

/// A kept search whose header names no position.
fn without_position(file: &[u8]) -> Vec<u8> {
    let mut text = Vec::new();
    flate2::read::GzDecoder::new(file).read_to_end(&mut text).unwrap();
    let end = text.iter().position(|&byte| byte == b'\n').unwrap();
    let mut header: Value = serde_json::from_slice(&text[..end]).unwrap();
    header["position"] = json!("g [nothing]");
    let mut forged = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    forged.write_all(header.to_string().as_bytes()).unwrap();
    forged.write_all(&text[end..]).unwrap();
    forged.finish().unwrap()
}

#[test]
fn the_drafts_of_a_killed_server_go_at_the_next_start() {
    let folder = tempfile::tempdir().unwrap();
    let searches = folder.path().join("searches");
    std::fs::create_dir(&searches).unwrap();
    let drafts = [folder.path().join(".draftXyZ"), searches.join(".draftAbC")];
    drafts.iter().for_each(|draft| std::fs::write(draft, "half").unwrap());
    let _server = start_with(|options| options.data = Some(folder.path().to_path_buf()));
    assert!(drafts.iter().all(|draft| !draft.exists()));
}

fn put(server: &common::Running, name: &str, body: &[u8]) -> u16 {
    let head = format!(
        "PUT /api/v1/searches/{name} HTTP/1.1\r\nHost: {}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
        server.address,
        body.len()
    );
    server.raw(&[head.as_bytes(), body].concat()).0
}

#[test]
fn what_a_board_can_be_covered_with_is_told() {
    let server = start();
    // A silver cat above a trap, a gold elephant beside it.
    let start = "g [r         cE                                                   R]";
    let game = json!({ "name": "arimaa", "start": start });
    let seen = server.answer("insight", &json!({ "game": game, "place": "d7" }));
    let traps = seen["traps"].as_array().unwrap();
    let trap = |place: &str| traps.iter().find(|trap| trap["place"] == place).unwrap();
    assert_eq!(trap("c6")["guards"], json!([0, 1]));
    assert_eq!(trap("c6")["strongest"], "s");
    assert_eq!(trap("f3")["strongest"], Value::Null);
    let threat = &seen["threats"][0];
    assert_eq!((&threat["side"], &threat["kind"]), (&json!("g"), &json!("capture")));
    assert_eq!(
        (&threat["from"], &threat["to"], &threat["steps"]),
        (&json!("c7"), &json!("c6"), &json!(2))
    );
    assert_eq!(threat["trail"][0]["kind"], "push");
    let piece = &seen["piece"];
    assert_eq!(piece["place"], "d7");
    assert_eq!((&piece["distances"]["d8"], &piece["distances"]["e6"]), (&json!(1), &json!(2)));
    assert_eq!(piece["displaced"], json!({}));
    assert_eq!(server.ask("insight", &json!({ "game": game, "place": "a1" })).0, 400);
    let tzaar = server.answer("start", &json!({ "game": "tzaar" }))["game"].clone();
    assert!(
        !server.answer("insight", &json!({ "game": tzaar }))["threats"]
            .as_array()
            .unwrap()
            .is_empty()
    );
}
