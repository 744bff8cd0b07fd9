//! A real server, asked by real TCP connections.
#![allow(dead_code)]

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use engine::Stop;
use serde_json::{Value, json};
use tungstenite::{Message, WebSocket};
use web::{Options, Server};
use workbench::Catalogues;

/// A server that ends with its test.
pub struct Running {
    pub address: SocketAddr,
    counts: Box<dyn Fn() -> (usize, usize) + Send + Sync>,
    stop: Stop,
    thread: Option<JoinHandle<()>>,
}

pub fn start() -> Running {
    start_with(|_| ())
}

pub fn start_with(change: impl FnOnce(&mut Options)) -> Running {
    let mut options = Options::new(SocketAddr::from(([127, 0, 0, 1], 0)), Catalogues::of_players());
    options.requests_per_second = 100_000;
    change(&mut options);
    let server = Server::bind(&options).expect("a free port");
    let address = server.address().expect("an address");
    let counts = Box::new(server.search_counts());
    let stop = Stop::new();
    let stopped = stop.clone();
    let thread = thread::spawn(move || server.run(&stopped).expect("it serves"));
    Running { address, counts, stop, thread: Some(thread) }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.stop.request();
        let ended = self.thread.take().map(JoinHandle::join);
        if !thread::panicking() {
            assert!(matches!(ended, Some(Ok(()))), "the server has panicked");
        }
    }
}

impl Running {
    /// How many searches run, and how many wait.
    pub fn counts(&self) -> (usize, usize) {
        (self.counts)()
    }

    pub fn wait_for_counts(&self, counts: (usize, usize)) {
        let begin = Instant::now();
        while self.counts() != counts {
            assert!(begin.elapsed() < Duration::from_secs(30), "{:?}", self.counts());
            thread::sleep(Duration::from_millis(5));
        }
    }

    /// Sends these bytes, and returns the whole answer.
    pub fn whole(&self, bytes: &[u8]) -> String {
        let mut stream = TcpStream::connect(self.address).expect("a connection");
        stream.set_read_timeout(Some(Duration::from_secs(30))).expect("a time limit");
        // A server may refuse before it has read everything.
        let _ = stream.write_all(bytes);
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        String::from_utf8_lossy(&answer).into_owned()
    }

    /// The same: the status and the body of the answer.
    pub fn raw(&self, bytes: &[u8]) -> (u16, String) {
        let answer = self.whole(bytes);
        let status = answer.split(' ').nth(1).and_then(|status| status.parse().ok());
        let body = answer.split_once("\r\n\r\n").map_or("", |(_, body)| body);
        (status.unwrap_or(0), body.to_string())
    }

    pub fn request(&self, method: &str, path: &str, headers: &str, body: &str) -> (u16, String) {
        let host = match headers.to_ascii_lowercase().contains("host:") {
            true => String::new(),
            false => format!("Host: {}\r\n", self.address),
        };
        let length = body.len();
        self.raw(
            format!(
                "{method} {path} HTTP/1.1\r\n{host}{headers}Content-Length: {length}\r\nConnection: close\r\n\r\n{body}"
            )
            .as_bytes(),
        )
    }

    /// Asks a quick question.
    pub fn ask(&self, verb: &str, parameters: &Value) -> (u16, Value) {
        let (status, body) =
            self.request("POST", &format!("/api/v1/{verb}"), "", &parameters.to_string());
        (status, serde_json::from_str(&body).unwrap_or_else(|_| panic!("no JSON: {body}")))
    }

    /// The answer to a question that makes sense.
    pub fn answer(&self, verb: &str, parameters: &Value) -> Value {
        let (status, answer) = self.ask(verb, parameters);
        assert_eq!(status, 200, "{verb} {parameters}: {answer}");
        answer
    }

    pub fn socket(&self) -> Socket {
        let stream = TcpStream::connect(self.address).expect("a connection");
        stream.set_read_timeout(Some(Duration::from_secs(60))).expect("a time limit");
        let url = format!("ws://{}/api/v1/socket", self.address);
        let (socket, _) = tungstenite::client(url, stream).expect("a WebSocket");
        Socket(socket)
    }
}

/// A page's connection.
pub struct Socket(pub WebSocket<TcpStream>);

impl Socket {
    pub fn send(&mut self, message: &Value) {
        self.send_text(&message.to_string());
    }

    pub fn send_text(&mut self, text: &str) {
        self.0.send(Message::text(text)).expect("it is sent");
    }

    pub fn next(&mut self) -> Value {
        loop {
            match self.0.read().expect("an answer") {
                Message::Text(text) => return serde_json::from_str(&text).expect("JSON"),
                Message::Ping(_) | Message::Pong(_) => (),
                other => panic!("{other:?}"),
            }
        }
    }

    /// Ends a search.
    pub fn cancel(&mut self, search: &str) {
        self.send(&json!({ "id": "cancel", "verb": "cancel", "params": { "search": search } }));
    }

    /// The last answer to a message, and how many reports came before.
    pub fn last(&mut self, id: &str) -> (Value, usize) {
        let mut reports = 0;
        loop {
            let answer = self.next();
            if answer["id"] == *id && answer["done"] == true {
                return (answer, reports);
            }
            reports += usize::from(answer["id"] == *id);
        }
    }
}

/// The start of a game of Arimaa, with setups.
pub fn arimaa() -> Value {
    json!({
        "name": "arimaa",
        "start": "g [rrrrrrrrhdcemcdh                                HDCMECDHRRRRRRRR]",
        "turns": [],
    })
}
