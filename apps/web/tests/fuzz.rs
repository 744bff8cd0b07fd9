//! Requests that make no sense: each is refused with a status from 400 to 499, and the server goes on.

mod common;

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use common::{Running, arimaa, start, start_with};
use rand::seq::IndexedRandom as _;
use rand::{RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;
use serde_json::{Value, json};

const VERBS: [&str; 15] = [
    "position",
    "explain",
    "threats",
    "insight",
    "start",
    "read",
    "write",
    "about",
    "searches",
    "forget_search",
    "reports",
    "report",
    "analyse",
    "tree",
    "nonsense",
];

/// Values that no field expects.
fn odd(rng: &mut ChaCha8Rng) -> Value {
    let values = [
        json!(null),
        json!(-1),
        json!(1e300),
        json!(true),
        json!([]),
        json!({}),
        json!("\u{0}\u{1F418}"),
        json!("x".repeat(2000)),
        json!([[[[[[1]]]]]]),
        json!({ "name": "chess" }),
        json!({ "name": "arimaa", "start": "g [" }),
        json!({ "name": "arimaa", "turns": ["Ee2n"] }),
        json!({ "name": "tzaar", "start": "1 2 3" }),
        json!({ "name": "arimaa", "turns": 5 }),
        json!({ "name": "tzaar", "start": "../../etc/passwd" }),
    ];
    values.choose(rng).cloned().unwrap_or(Value::Null)
}

/// Parameters with something wrong in them.
fn malformed(rng: &mut ChaCha8Rng) -> Value {
    let field = ["game", "steps", "text", "from", "engine", "unknown"].choose(rng).copied();
    let mut parameters = json!({ "unknown_field": 1 });
    parameters[field.unwrap_or("game")] = odd(rng);
    if rng.random_bool(0.3) {
        parameters["game"] = arimaa();
    }
    parameters
}

/// A sensible request with some of its bytes changed, so that it is no JSON.
fn damaged(rng: &mut ChaCha8Rng) -> String {
    let text = json!({ "game": arimaa(), "steps": "Ee2n" }).to_string();
    let cut = rng.random_range(1..text.len());
    format!("{}\u{7}{}", &text[..cut], &text[cut..text.len() - 1])
}

/// Sends a request that makes no sense; returns the status of the answer, and what was sent.
fn send_malformed(server: &Running, rng: &mut ChaCha8Rng) -> (u16, String) {
    let verb = VERBS.choose(rng).copied().unwrap_or("position");
    let path = format!("/api/v1/{verb}");
    match rng.random_range(0..6) {
        0 => {
            let body = damaged(rng);
            (server.request("POST", &path, "", &body).0, body)
        }
        1 => {
            let method = ["GET", "PUT", "DELETE", "PATCH", "OPTIONS", "HEAD"].choose(rng);
            let method = method.copied().unwrap_or("GET");
            (server.request(method, &path, "", "").0, format!("{method} {path}"))
        }
        2 => {
            let path =
                format!("/{}", odd(rng).to_string().replace([' ', '"', '{', '}', '\\'], "%"));
            let is_text = path.is_ascii();
            let status = if is_text { server.request("POST", &path, "", "{}").0 } else { 400 };
            (status, path)
        }
        3 => {
            let junk: Vec<u8> = (0..rng.random_range(1..200)).map(|_| rng.random()).collect();
            let mut bytes =
                b"POST /api/v1/position HTTP/1.1\r\nHost: localhost\r\nContent-Length: ".to_vec();
            bytes.extend(format!("{}\r\nConnection: close\r\n\r\n", junk.len()).bytes());
            bytes.extend(&junk);
            (server.raw(&bytes).0, "junk".to_string())
        }
        _ => {
            let parameters = malformed(rng);
            (server.ask(verb, &parameters).0, format!("{verb} {parameters}"))
        }
    }
}

/// Whether the tests run at full length.
fn is_long() -> bool {
    std::env::var_os("TUSK_LONG").is_some()
}

#[test]
fn malformed_requests_are_refused_and_nothing_breaks() {
    let server = start();
    let mut rng = ChaCha8Rng::seed_from_u64(21);
    let count = if is_long() { 10_000 } else { 1500 };
    for _ in 0..count {
        let (status, what) = send_malformed(&server, &mut rng);
        assert!((400..500).contains(&status), "{status} for {what}");
    }
    assert_eq!(server.ask("position", &json!({ "game": arimaa() })).0, 200);
}

/// What an honest client does: it loads the page, asks a question, and opens a WebSocket. Returns how long the slowest of
/// these has taken.
fn visit(server: &Running) -> Duration {
    let mut slowest = Duration::ZERO;
    let mut measure = |visit: &dyn Fn()| {
        let begin = Instant::now();
        visit();
        slowest = slowest.max(begin.elapsed());
    };
    measure(&|| assert_eq!(server.request("GET", "/", "", "").0, 200));
    measure(&|| drop(server.answer("position", &json!({ "game": arimaa() }))));
    measure(&|| {
        let mut socket = server.socket();
        let params = json!({ "game": arimaa() });
        socket.send(&json!({ "id": "h", "verb": "position", "params": params }));
        assert_eq!(socket.last("h").0["result"]["side"], "g");
    });
    slowest
}

/// Keeps that many connections open that say nothing, until it is done.
fn keep_silent_connections(server: &Running, count: usize, is_done: &AtomicBool) {
    let connect = || {
        let stream = TcpStream::connect(server.address).expect("a connection");
        stream.set_nonblocking(true).expect("no waiting");
        stream
    };
    let mut silent: Vec<TcpStream> = (0..count).map(|_| connect()).collect();
    while !is_done.load(Ordering::Relaxed) {
        for stream in &mut silent {
            let is_open = stream
                .peek(&mut [0])
                .is_err_and(|error| error.kind() == std::io::ErrorKind::WouldBlock);
            if !is_open {
                *stream = connect();
            }
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// All at once, and all from the address of the honest client. `./check --long` holds the server to its deadline.
#[test]
fn an_honest_client_is_answered_while_others_flood_the_server() {
    let (silent, clients, malformed) = if is_long() { (500, 50, 10_000) } else { (300, 6, 400) };
    let server = start_with(|options| options.requests_per_second = 200);
    let is_done = AtomicBool::new(false);
    let (mut slowest, mut visits) = (Duration::ZERO, 0);
    std::thread::scope(|scope| {
        scope.spawn(|| keep_silent_connections(&server, silent, &is_done));
        let clients: Vec<_> = (0..clients)
            .map(|seed| {
                let mut socket = server.socket();
                let params = json!({ "game": arimaa(), "time": 600.0, "seed": seed });
                socket.send(&json!({ "id": "a", "verb": "analyse", "params": params }));
                socket
            })
            .collect();
        let senders: Vec<_> = (0..4)
            .map(|seed| {
                let server = &server;
                scope.spawn(move || {
                    let mut rng = ChaCha8Rng::seed_from_u64(seed);
                    for _ in 0..malformed / 4 {
                        let (status, what) = send_malformed(server, &mut rng);
                        assert!((400..500).contains(&status), "{status} for {what}");
                    }
                })
            })
            .collect();
        while !senders.iter().all(|sender| sender.is_finished()) {
            slowest = slowest.max(visit(&server));
            visits += 1;
        }
        is_done.store(true, Ordering::Relaxed);
        drop(clients);
    });
    println!("{visits} visits; the slowest answer took {slowest:?}");
    assert!(visits > 0);
    // The deadline of the server, at the load that it is stated for.
    assert!(!is_long() || slowest < Duration::from_secs(2), "{slowest:?}");
    server.wait_for_counts((0, 0));
}

/// More connections than the server serves at a time, which say nothing: each new one takes the place of the oldest.
#[test]
fn silent_connections_give_way_to_a_client_that_asks() {
    let server = start_with(|options| options.patience.head = LONG_WAIT);
    let connect = || TcpStream::connect(server.address).expect("a connection");
    let mut silent: Vec<TcpStream> = (0..1100).map(|_| connect()).collect();
    visit(&server);
    // The first ones were closed.
    assert_eq!(silent[0].read(&mut [0]).unwrap_or(0), 0);
    let asked = format!("GET / HTTP/1.1\r\nHost: {}\r\n\r\n", server.address);
    let last = silent.last_mut().unwrap();
    last.write_all(asked.as_bytes()).unwrap();
    assert_eq!(last.read(&mut [0]).unwrap(), 1);
}

/// Longer than a test takes, and no longer than it has to wait.
const LONG_WAIT: Duration = Duration::from_secs(600);
const SHORT_WAIT: Duration = Duration::from_millis(50);

#[test]
fn a_client_that_sends_no_whole_head_is_left() {
    let server = start_with(|options| options.patience.head = SHORT_WAIT);
    assert_eq!(server.raw(b""), (0, String::new()));
    assert_eq!(server.raw(b"GET / HTTP/1.1\r\nHost: local"), (0, String::new()));
    // Nor is a second request waited for. (On a busy machine, the first one may come too late.)
    let asked = format!("GET / HTTP/1.1\r\nHost: {}\r\n\r\n", server.address);
    while server.raw(asked.as_bytes()).0 != 200 {}
}

#[test]
fn a_body_that_comes_too_slowly_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let server = start_with(|options| {
        options.patience.body = SHORT_WAIT;
        options.data = Some(folder.path().to_path_buf());
    });
    for (method, path) in [("POST", "position"), ("PUT", "searches/slow")] {
        let (status, body) = server.raw(&begun_request(&server, method, path, "{"));
        assert_eq!(status, 408, "{body}");
        assert!(body.contains(r#"{"error":"the body comes too slowly"}"#), "{body}");
    }
}

/// The head of a request, and the begin of a body of 1000 bytes.
fn begun_request(server: &Running, method: &str, path: &str, begin: &str) -> Vec<u8> {
    let host = server.address;
    format!(
        "{method} /api/v1/{path} HTTP/1.1\r\nHost: {host}\r\nContent-Length: 1000\r\n\r\n{begin}"
    )
    .into_bytes()
}

#[test]
fn a_slow_upload_leaves_room_for_others() {
    let folder = tempfile::tempdir().unwrap();
    let server = start_with(|options| {
        options.patience.body = LONG_WAIT;
        options.data = Some(folder.path().to_path_buf());
    });
    let begin_upload = || {
        let head = format!(
            "PUT /api/v1/searches/slow HTTP/1.1\r\nHost: {}\r\nContent-Length: 1000\r\nExpect: 100-continue\r\n\r\n",
            server.address
        );
        let mut stream = TcpStream::connect(server.address).expect("a connection");
        stream.write_all(head.as_bytes()).expect("it is sent");
        let mut answer = [0; 12];
        stream.read_exact(&mut answer).expect("an answer");
        (String::from_utf8_lossy(&answer).into_owned(), stream)
    };
    let (answer, slow) = begin_upload();
    assert_eq!(answer, "HTTP/1.1 100");
    let upload = || server.request("PUT", "/api/v1/searches/other", "", "hello");
    assert_eq!(upload().0, 400);
    // Of one address, four come at a time.
    let others: Vec<_> = (0..3).map(|_| begin_upload()).collect();
    assert!(others.iter().all(|(answer, _)| answer == "HTTP/1.1 100"));
    assert_eq!(
        upload(),
        (503, json!({ "error": "too many files are being sent: wait a little" }).to_string())
    );
    drop((slow, others));
}

#[test]
fn who_has_asked_too_often_still_sees_the_page() {
    let server = start_with(|options| options.requests_per_second = 1);
    while server.ask("about", &json!({})).0 != 429 {}
    assert_eq!(server.request("GET", "/", "", "").0, 200);
    let mut socket = server.socket();
    socket.send(&json!({ "id": "x", "verb": "about" }));
    assert_eq!(socket.last("x").0["result"]["api"], 1);
}

#[test]
fn faults_of_a_client_leave_room_for_the_questions_of_its_address() {
    let server = start_with(|options| options.requests_per_second = 1);
    let mut asked = 0;
    // On a busy machine the tokens may come back faster than they are spent.
    while asked < 100 && server.request("POST", "/api/v1/position", "", "no JSON").0 != 429 {
        asked += 1;
    }
    let other = start_with(|options| options.requests_per_second = 1);
    let mut answered = 0;
    while other.ask("about", &json!({})).0 != 429 {
        answered += 1;
    }
    assert!(asked > 5 * answered, "{asked} faults, {answered} questions");
}

#[test]
fn malformed_messages_are_answered_with_an_error() {
    let server = start();
    let mut rng = ChaCha8Rng::seed_from_u64(22);
    for _ in 0..10 {
        let mut socket = server.socket();
        for _ in 0..15 {
            let text = match rng.random_range(0..4) {
                0 => damaged(&mut rng),
                1 => odd(&mut rng).to_string(),
                2 => json!({ "id": odd(&mut rng), "verb": "analyse", "params": {} }).to_string(),
                _ => {
                    let verb = VERBS.choose(&mut rng).copied().unwrap_or("position");
                    json!({ "id": "x", "verb": verb, "params": malformed(&mut rng) }).to_string()
                }
            };
            socket.send_text(&text);
            let answer = socket.next();
            assert_eq!(answer["done"], true, "{text}: {answer}");
            let status = answer["status"].as_u64().unwrap_or(0);
            assert!((400..500).contains(&status), "{text}: {answer}");
        }
    }
    let mut socket = server.socket();
    socket.send(&json!({ "id": "x", "verb": "about" }));
    assert_eq!(socket.last("x").0["result"]["api"], 1);
}

#[test]
fn a_connection_that_asks_too_often_is_told_so() {
    let server = start();
    let mut socket = server.socket();
    for index in 0..400 {
        socket.send(
            &json!({ "id": format!("{index}"), "verb": "cancel", "params": { "search": "x" } }),
        );
    }
    let mut statuses: Vec<u64> =
        (0..300).map(|_| socket.next()["status"].as_u64().unwrap_or(200)).collect();
    statuses.dedup();
    assert!(statuses.contains(&429), "{statuses:?}");
}
