//! Requests that make no sense: each is refused with a status from 400 to 499, and the server goes on.

mod common;

use common::{arimaa, start};
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

#[test]
fn malformed_requests_are_refused_and_nothing_breaks() {
    let server = start();
    let mut rng = ChaCha8Rng::seed_from_u64(21);
    let count = if std::env::var_os("TUSK_LONG").is_some() { 10_000 } else { 1500 };
    for _ in 0..count {
        let verb = VERBS.choose(&mut rng).copied().unwrap_or("position");
        let path = format!("/api/v1/{verb}");
        let (status, what) = match rng.random_range(0..6) {
            0 => {
                let body = damaged(&mut rng);
                (server.request("POST", &path, "", &body).0, body)
            }
            1 => {
                let method = ["GET", "PUT", "DELETE", "PATCH", "OPTIONS", "HEAD"].choose(&mut rng);
                let method = method.copied().unwrap_or("GET");
                (server.request(method, &path, "", "").0, format!("{method} {path}"))
            }
            2 => {
                let path = format!(
                    "/{}",
                    odd(&mut rng).to_string().replace([' ', '"', '{', '}', '\\'], "%")
                );
                let is_text = path.is_ascii();
                let status = if is_text { server.request("POST", &path, "", "{}").0 } else { 400 };
                (status, path)
            }
            3 => {
                let junk: Vec<u8> = (0..rng.random_range(1..200)).map(|_| rng.random()).collect();
                let mut bytes =
                    b"POST /api/v1/position HTTP/1.1\r\nHost: localhost\r\nContent-Length: "
                        .to_vec();
                bytes.extend(format!("{}\r\nConnection: close\r\n\r\n", junk.len()).bytes());
                bytes.extend(&junk);
                (server.raw(&bytes).0, "junk".to_string())
            }
            _ => {
                let parameters = malformed(&mut rng);
                (server.ask(verb, &parameters).0, format!("{verb} {parameters}"))
            }
        };
        assert!((400..500).contains(&status), "{status} for {what}");
    }
    assert_eq!(server.ask("position", &json!({ "game": arimaa() })).0, 200);
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
