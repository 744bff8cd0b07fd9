//! The search for a proof on the page: what is marked follows the numbers, and a kept search is believed when its proof
//! was checked.

mod common;

use std::fs::{self, File};
use std::path::Path;

use common::{Running, Socket, start, start_with};
use game::Game as _;
use search::{Limits, Stop};
use serde_json::{Value, json};
use workbench::{Arimaa, GameSpec, SearchHeader, SolveOptions, SolverPresets, Solving};

/// Gold wins in two.
const WIN_IN_2: &str = "g [         H                  cr       m           R              ]";

/// Gold loses in two.
const LOSS_IN_2: &str = "g [             mH         c      r                     R          ]";

/// Silver to move, which is not solved soon without tests for wins.
const SILVER: &str = "s [    r  rrh C   H    M     Er m    e RH     rR   R  D RdRR     R ]";

/// Neither side wins soon.
const START: &str = "g [rrrrrrrrhdcemcdh                                HDCMECDHRRRRRRRR]";

fn game(start: &str) -> Value {
    let name = if start.contains('[') { "arimaa" } else { "tzaar" };
    json!({ "name": name, "start": start, "turns": [] })
}

fn solve(socket: &mut Socket, id: &str, params: &Value) {
    socket.send(&json!({ "id": id, "verb": "solve", "params": params }));
}

/// Speaks to a search, and returns the answer.
fn speak(socket: &mut Socket, wish: &Value) -> Value {
    socket.send(&json!({ "id": "w", "verb": "solver", "params": { "search": "s", "wish": wish } }));
    socket.last("w").0["result"].clone()
}

/// The state of the search once it no longer runs.
fn pause_of(socket: &mut Socket) -> Value {
    loop {
        let report = socket.next();
        if report["id"] == "s" && report["result"]["running"] == false {
            return report["result"].clone();
        }
        assert_eq!(report["done"], false, "{report}");
    }
}

fn cancel(socket: &mut Socket) {
    socket.send(&json!({ "id": "c", "verb": "cancel", "params": { "search": "s" } }));
}

/// All rows of a vertex, page by page, and what is said about it.
fn look(socket: &mut Socket, path: &[Value]) -> (Value, Vec<Value>) {
    let mut rows: Vec<Value> = Vec::new();
    loop {
        let wish = json!({ "look": { "path": path, "from": rows.len(), "count": 7 } });
        let mut answer = speak(socket, &wish);
        let page = answer["children"].as_array().expect("children").clone();
        let is_last = page.len() < 7;
        rows.extend(page);
        if is_last {
            return (answer.take(), rows);
        }
    }
}

/// How many positions a side has to prove below a row before it wins; a side that cannot win never does.
fn number(row: &Value, side: &Value) -> u64 {
    let side = side.as_str().expect("a letter");
    row["numbers"][side].as_u64().unwrap_or(u64::MAX)
}

/// Follows the marks from the root down: at each vertex, exactly one row is marked, and it has the least number of the side
/// that chooses. Returns how many vertices there were, and how many of them each side chose at.
fn follow(socket: &mut Socket) -> (usize, Vec<String>) {
    let (mut path, mut movers) = (Vec::new(), Vec::new());
    loop {
        let (answer, rows) = look(socket, &path);
        let mover = &answer["vertex"]["mover"];
        let letter = mover.as_str().expect("a letter");
        let position = answer["position"].as_str().expect("a position");
        assert!(!position.contains('[') || position.starts_with(letter), "{answer}");
        let marked: Vec<&Value> = rows.iter().filter(|row| row["best"] == true).collect();
        if rows.is_empty() {
            return (path.len(), movers);
        }
        assert_eq!(marked.len(), 1, "{path:?}");
        let best = marked[0];
        let numbers: Vec<u64> = rows.iter().map(|row| number(row, mover)).collect();
        assert_eq!(Some(&number(best, mover)), numbers.iter().min(), "{path:?}: {best}");
        assert!(numbers.is_sorted(), "{path:?}: {numbers:?}");
        let lost = |row: &Value| !row["winner"].is_null() && row["winner"] != *mover;
        assert!(!lost(best) || rows.iter().all(lost), "{path:?}: {best}");
        // Among proofs, the shortest win is best, and the longest loss; turns that follow here are all of one turn.
        let turns = |row: &Value| row["turns"].as_u64();
        let alike = rows.iter().filter(|row| {
            !row["winner"].is_null()
                && row["winner"] == best["winner"]
                && row["mover"] == best["mover"]
        });
        let shortest_or_longest =
            if lost(best) { alike.filter_map(turns).max() } else { alike.filter_map(turns).min() };
        assert_eq!(shortest_or_longest, turns(best), "{path:?}: {best}");
        movers.push(letter.to_string());
        path.push(best["text"].clone());
    }
}

/// The white and the black endgames, one a line.
const ENDGAMES: &str = include_str!("../../../positions/tzaar/endgames.txt");

#[test]
fn the_marked_rows_are_those_with_the_least_number_of_the_mover() {
    let server = start();
    let endgames = ENDGAMES.lines().filter(|line| !line.starts_with('#')).take(2);
    let slow = json!({ "wins": 0, "defences": 0 });
    let quick = json!({});
    let arimaa = [(WIN_IN_2, &quick), (LOSS_IN_2, &slow), (SILVER, &slow), (START, &quick)];
    let positions = arimaa.into_iter().chain(endgames.map(|line| (line, &quick)));
    let (mut solved, mut unsolved, mut all_movers) = (0, 0, Vec::new());
    for (start, set) in positions {
        let mut socket = server.socket();
        let params = json!({ "game": game(start), "algorithm": "pns", "time": 1, "set": set });
        solve(&mut socket, "s", &params);
        let state = pause_of(&mut socket);
        if state["result"].is_null() {
            unsolved += 1
        } else {
            solved += 1
        }
        if state["root"]["children"] != 0 {
            let (_, movers) = follow(&mut socket);
            all_movers.extend(movers);
        }
    }
    assert!(solved > 0 && unsolved > 0, "{solved} and {unsolved}");
    for letter in ["g", "s"] {
        assert!(all_movers.iter().any(|mover| mover == letter), "{letter}");
    }
}

#[test]
fn reports_say_how_far_a_search_has_come() {
    let server = start();
    for algorithm in ["pns", "dfpns", "auto"] {
        let mut socket = server.socket();
        let params = json!({ "game": game(START), "algorithm": algorithm, "time": 0.2 });
        solve(&mut socket, "s", &params);
        let state = pause_of(&mut socket);
        let progress = state["progress"].as_str().expect("words");
        assert!(progress.contains("million"), "{algorithm}: {progress:?}");
    }
}

/// Searches a position for some boards and saves the search, with its state altered.
fn keep(
    data: &Path,
    name: &str,
    start: &str,
    options: &SolveOptions,
    alter: impl FnOnce(&mut [u8]),
) {
    let (game, _) = <Arimaa as GameSpec>::Game::begin(start).expect("a position");
    let mut method = Arimaa::method(options).expect("a method");
    let header = SearchHeader::new(&game, method.plan());
    let most = method.plan().most_turns();
    let mut search = method.begin(&game, most).expect("a search");
    let limits = Limits { nodes: Some(2000), ..Limits::default() };
    search.search(limits, &Stop::new(), &|_| ());
    let mut state = Vec::new();
    search.save(&mut state).expect("memory");
    alter(&mut state);
    let folder = data.join("searches");
    fs::create_dir_all(&folder).expect("a folder");
    let file = File::create(folder.join(name)).expect("a file");
    header.save(file, |out| out.write_all(&state)).expect("a file");
}

fn with_tree(set: &[(&str, &str)]) -> SolveOptions {
    let settings = set.iter().map(|(name, value)| (name.to_string(), value.to_string()));
    SolveOptions {
        algorithm: Some(workbench::Algorithm::Pns),
        memory: Some(32),
        settings: settings.collect(),
        ..SolveOptions::default()
    }
}

/// Makes the root of a tree won in three, by the first side or by the second.
fn forge_root(state: &mut [u8], first_wins: bool) {
    let number =
        |at: usize| u64::from_le_bytes(state[at..at + 8].try_into().expect("eight bytes")) as usize;
    let proofs = 1 + 8 + 16 * number(1);
    let root = proofs + 8 + 16 * number(proofs) + 1 + 16 + 8;
    let infinite = (1u64 << 24) - 1;
    let numbers = if first_wins { infinite << 24 } else { infinite };
    state[root + 8..root + 16].copy_from_slice(&numbers.to_le_bytes());
    state[root + 24..root + 26].copy_from_slice(&3u16.to_le_bytes());
}

fn server_with(data: &Path) -> Running {
    let data = data.to_path_buf();
    start_with(|options| {
        options.data = Some(data);
        options.catalogues.solver_presets = presets();
    })
}

fn presets() -> SolverPresets {
    SolverPresets::new(&[majerech_2012::SOLVER_PRESETS])
}

#[test]
fn steps_that_are_given_up_do_not_change_the_mover() {
    let folder = tempfile::tempdir().expect("a folder");
    let apns = SolveOptions {
        preset: Some(majerech_2012::apns()),
        memory: Some(64),
        presets: presets(),
        ..SolveOptions::default()
    };
    keep(folder.path(), "apns", SILVER, &apns, |_| ());
    let server = server_with(folder.path());
    let mut socket = server.socket();
    solve(&mut socket, "s", &json!({ "game": game(SILVER), "time": 0, "saved": "apns" }));
    pause_of(&mut socket);
    follow(&mut socket);
    // After a step, one is given up, and Silver goes on.
    let (_, rows) = look(&mut socket, &[]);
    let expanded = rows.iter().find(|row| row["children"].as_u64() > Some(0)).expect("a vertex");
    let path = [expanded["text"].clone(), json!("pass")];
    let (answer, _) = look(&mut socket, &path);
    assert_eq!(answer["vertex"]["mover"], "s", "{answer}");
    assert!(answer["position"].as_str().expect("a position").starts_with('s'), "{answer}");
}

#[test]
fn parameters_that_a_kept_tree_does_not_fit_are_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    keep(folder.path(), "kept", START, &with_tree(&[("sum", "0")]), |_| ());
    let server = server_with(folder.path());
    let mut socket = server.socket();
    let params = json!({ "game": game(START), "time": 0, "saved": "kept", "set": { "merge": 0 } });
    solve(&mut socket, "s", &params);
    let refused = socket.last("s").0;
    assert!(refused["error"].as_str().expect("an error").contains("merge=0"), "{refused}");
    // More memory than a search on the page may have is not taken by the back door.
    let params = json!({ "game": game(START), "algorithm": "dfpns", "time": 0, "set": { "table_bits": 30 } });
    solve(&mut socket, "s", &params);
    assert_eq!(socket.last("s").0["status"], 400);
}

#[test]
fn a_damaged_search_is_refused_and_none_of_them_holds_its_place() {
    let folder = tempfile::tempdir().expect("a folder");
    let slow = with_tree(&[("wins", "0"), ("defences", "0")]);
    keep(folder.path(), "endless", START, &slow, |state| forge_root(state, false));
    let server = server_with(folder.path());
    let params = json!({ "game": game(START), "time": 0, "saved": "endless" });
    // The proof that Silver wins has no end: two of a connection are all that it may have.
    let mut socket = server.socket();
    for id in ["s", "t"] {
        solve(&mut socket, id, &params);
    }
    server.wait_for_counts((2, 0));
    cancel(&mut socket);
    let ended = socket.last("s").0;
    let state = &ended["result"];
    assert!(state["result"].is_null() && state["root"]["winner"].is_null(), "{ended}");
    server.wait_for_counts((1, 0));
    drop(socket);
    server.wait_for_counts((0, 0));
}

#[test]
fn a_result_that_the_rules_refute_is_never_reported() {
    let folder = tempfile::tempdir().expect("a folder");
    keep(folder.path(), "lost", LOSS_IN_2, &with_tree(&[]), |state| forge_root(state, true));
    let server = server_with(folder.path());
    let mut socket = server.socket();
    solve(&mut socket, "s", &json!({ "game": game(LOSS_IN_2), "time": 0, "saved": "lost" }));
    let (refused, reports) = socket.last("s");
    assert_eq!(reports, 0);
    assert!(refused["error"].as_str().expect("an error").contains("damaged"), "{refused}");
}
