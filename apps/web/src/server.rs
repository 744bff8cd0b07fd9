//! The server: what is asked of it by HTTP.

use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::body::{Body, to_bytes};
use axum::extract::{Path, Request, State, WebSocketUpgrade};
use axum::http::{HeaderName, HeaderValue, Method, StatusCode, Uri, header};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Extension, Router};
use engine::Stop;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::{Service as _, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use serde_json::{Value, json};
use thiserror::Error;
use tokio::net::{TcpListener, TcpStream};
use tokio::runtime::{Builder, Runtime};
use tokio::task::spawn_blocking;
use workbench::Catalogues;

use crate::api::{self, Answer, Places, Refusal};
use crate::arriving::{ArrivingBody, Patience};
use crate::assets;
use crate::connections::{Connections, OpenConnection, Room, Share, Use};
use crate::guard::{Buckets, Hosts, Rate};
use crate::kept::KeptSearches;
use crate::results::Results;
use crate::searches::{Most, Searches};
use crate::socket;
use crate::transfer::{receive_search, send_search};

/// How the server is to work.
#[derive(Clone)]
pub struct Options {
    /// The engines that play and analyse.
    pub catalogues: Catalogues,
    /// Where it listens.
    pub address: SocketAddr,
    /// Under which names it may be asked, besides this machine's own.
    pub hosts: Vec<String>,
    /// How many searches run at a time.
    pub searches: usize,
    /// The memory of all searches that run at a time, in MiB.
    pub mebibytes: usize,
    /// How many requests an address may make in a second.
    pub requests_per_second: u32,
    /// How long the server waits for a client.
    pub patience: Patience,
    /// Where games of matches are kept, to be looked at.
    pub store: Option<String>,
    /// The folder for what engines have found, for searches that are kept and for reports of learning; without one, what is
    /// found lasts as long as the server.
    pub data: Option<PathBuf>,
}

impl Options {
    /// The default options for an address and these engines.
    pub fn new(address: SocketAddr, catalogues: Catalogues) -> Options {
        Options {
            catalogues,
            address,
            hosts: Vec::new(),
            searches: 64,
            mebibytes: usual_mebibytes(),
            requests_per_second: 200,
            patience: Patience::default(),
            store: None,
            data: None,
        }
    }
}

/// The default memory of all searches, in MiB: half of the memory of the machine or its container.
fn usual_mebibytes() -> usize {
    engine::total_mebibytes().map_or(UNKNOWN_TOTAL, |total| total / 2)
}

/// The default memory of all searches where the system does not state its memory, in MiB.
const UNKNOWN_TOTAL: usize = 4096;

/// What all requests share.
pub struct App {
    /// The engines.
    pub catalogues: Catalogues,
    pub searches: Searches,
    connections: Connections,
    pub patience: Patience,
    /// What engines have found.
    pub results: Results,
    /// Searches for proofs that are kept.
    pub kept: KeptSearches,
    hosts: Hosts,
    /// How often each address may ask a question, and load the page: who has asked too much still sees the page.
    questions: Buckets,
    pages: Buckets,
    store: Option<String>,
    data: Option<PathBuf>,
}

/// No request is longer.
pub const LONGEST_REQUEST: usize = 256 << 10;

/// The most connections at a time.
const ROOM: Room = Room {
    connections: Share { all: 768, of_address: 512 },
    uploads: Share { all: 8, of_address: 4 },
    sockets: Share { all: 256, of_address: 192 },
};

/// Open files besides connections: stores, kept searches, results.
const OTHER_FILES: usize = 128;

/// Of one connection: searches that run, and searches that wait.
const RUNNING_OF_CLIENT: usize = 2;
const WAITING_OF_CLIENT: usize = 16;

/// A server that listens.
pub struct Server {
    listener: TcpListener,
    runtime: Runtime,
    app: Arc<App>,
    warning: Option<String>,
}

/// Why a server cannot begin.
#[derive(Debug, Error)]
pub enum BindError {
    /// The address is in use, or is another machine's.
    #[error("{address}: {error}")]
    Address {
        /// Where it was to listen.
        address: SocketAddr,
        /// What the system says.
        error: io::Error,
    },
    /// The data folder cannot be used.
    #[error("the data folder cannot be used: {0:#}")]
    Data(anyhow::Error),
    /// The system has no room for the runtime.
    #[error("the server cannot begin: {0}")]
    Runtime(io::Error),
}

impl Server {
    /// Begins to listen.
    pub fn bind(options: &Options) -> Result<Server, BindError> {
        let address = options.address;
        let refused = |error| BindError::Address { address, error };
        // Requests are short and searches have threads of their own: one thread for the connections is enough.
        let runtime = Builder::new_current_thread().enable_all().max_blocking_threads(8).build();
        let runtime = runtime.map_err(BindError::Runtime)?;
        let listener = runtime.block_on(TcpListener::bind(address)).map_err(refused)?;
        let (results, warning) = Results::open(options.data.as_deref()).map_err(BindError::Data)?;
        let rate = f64::from(options.requests_per_second);
        let rate = Rate { burst: 5.0 * rate, per_second: rate };
        let app = App {
            catalogues: options.catalogues.clone(),
            searches: Searches::new(Most {
                running: options.searches,
                mebibytes: options.mebibytes,
                of_client: RUNNING_OF_CLIENT,
                waiting: WAITING_OF_CLIENT,
            }),
            connections: Connections::new(room()),
            patience: options.patience,
            results,
            kept: KeptSearches::new(options.data.as_deref()),
            hosts: Hosts::new(&options.hosts),
            questions: Buckets::new(rate),
            pages: Buckets::new(rate),
            store: options.store.clone(),
            data: options.data.clone(),
        };
        Ok(Server { listener, runtime, app: Arc::new(app), warning })
    }

    /// What a person should know about the data folder, if anything is wrong with it.
    pub fn warning(&self) -> Option<&str> {
        self.warning.as_deref()
    }

    /// Where it listens.
    pub fn address(&self) -> anyhow::Result<SocketAddr> {
        Ok(self.listener.local_addr()?)
    }

    /// How many searches run, and how many wait: for those who watch over the server.
    pub fn search_counts(&self) -> impl Fn() -> (usize, usize) + Send + Sync + use<> {
        let app = Arc::clone(&self.app);
        move || app.searches.counts()
    }

    /// Serves until it is asked to stop.
    pub fn run(self, stop: &Stop) -> anyhow::Result<()> {
        let Server { listener, runtime, app, .. } = self;
        runtime.block_on(async {
            tokio::select! {
                () = accept(&listener, &app) => (),
                () = requested(stop) => (),
            }
        });
        app.searches.end_all();
        runtime.shutdown_timeout(Duration::from_millis(500));
        Ok(())
    }
}

/// The most connections, as far as the system lets this process open files.
fn room() -> Room {
    let files = rustix::process::getrlimit(rustix::process::Resource::Nofile).current;
    let files = files.map_or(usize::MAX, |files| usize::try_from(files).unwrap_or(usize::MAX));
    let all = ROOM.connections.all.min(files.saturating_sub(OTHER_FILES)).max(1);
    // A third is left to others.
    let of_address = ROOM.connections.of_address.min(all.div_ceil(3) * 2);
    Room { connections: Share { all, of_address }, ..ROOM }
}

/// Accepts connections and serves each in a task of its own.
async fn accept(listener: &TcpListener, app: &Arc<App>) {
    let router = router(Arc::clone(app));
    loop {
        match listener.accept().await {
            Ok((stream, peer)) => match app.connections.admit(peer.ip()) {
                Some(connection) => {
                    let served =
                        serve(stream, router.clone(), Arc::clone(&connection), app.patience);
                    connection.served_by(tokio::spawn(served).abort_handle());
                }
                // The client reads it, if it has not gone: the connection is new, and nothing else waits to be sent.
                None => drop(stream.try_write(no_room().as_bytes())),
            },
            // The client has gone already.
            Err(error) if error.kind() == io::ErrorKind::ConnectionAborted => (),
            // No file can be opened. One connection less makes room for the next.
            Err(_) => {
                app.connections.make_room();
                tokio::time::sleep(ACCEPT_PAUSE).await;
            }
        }
    }
}

/// The pause after an error, before connections are accepted again.
const ACCEPT_PAUSE: Duration = Duration::from_millis(20);

/// What a connection hears for which there is no room.
fn no_room() -> String {
    let body = json!({ "error": "too many connections are open: wait a little" }).to_string();
    let length = body.len();
    format!(
        "HTTP/1.1 503 Service Unavailable\r\nContent-Type: {JSON}\r\nContent-Length: {length}\r\n\
         Connection: close\r\n\r\n{body}"
    )
}

/// Serves the requests of a connection, one after the other.
async fn serve(
    stream: TcpStream,
    router: Router,
    connection: Arc<OpenConnection>,
    patience: Patience,
) {
    let service = service_fn(move |mut request: hyper::Request<Incoming>| {
        request.extensions_mut().insert(Arc::clone(&connection));
        TowerToHyperService::new(router.clone()).call(request)
    });
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(patience.head);
    // A connection that fails is closed, without a message.
    let _ = http.serve_connection(TokioIo::new(stream), service).with_upgrades().await;
}

async fn requested(stop: &Stop) {
    while !stop.is_requested() {
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

/// Where WebSockets are opened.
const SOCKET: &str = "/api/v1/socket";

fn router(app: Arc<App>) -> Router {
    Router::new()
        .route(SOCKET, get(open_socket))
        .route("/api/v1/{verb}", post(question))
        .route("/api/v1/searches/{name}", get(send_search).put(receive_search))
        .fallback(asset)
        .method_not_allowed_fallback(|| async {
            refusal(405, "this path is not asked in that way; docs/api.md lists what is")
        })
        .layer(from_fn_with_state(Arc::clone(&app), guarded))
        .with_state(app)
}

/// What a browser may do with the page: nothing but what the page itself does.
const HEADERS: [(HeaderName, &str); 4] = [
    (
        header::CONTENT_SECURITY_POLICY,
        "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; \
         connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    ),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "no-referrer"),
    (header::X_FRAME_OPTIONS, "DENY"),
];

/// Lets through who may be served.
async fn guarded(
    State(app): State<Arc<App>>,
    Extension(connection): Extension<Arc<OpenConnection>>,
    request: Request,
    next: Next,
) -> Response {
    let path = request.uri().path();
    let is_page = path == SOCKET || assets::is_asset(path);
    let buckets = if is_page { &app.pages } else { &app.questions };
    let mut response = if let Err(fault) = app.hosts.check(request.headers()) {
        refusal(403, &fault)
    } else if !buckets.take(connection.address, Instant::now()) {
        refusal(429, "too many requests in a second: wait a little")
    } else {
        let response = error_as_json(next.run(request).await).await;
        if response.status().is_client_error() {
            buckets.refused(connection.address);
        }
        response
    };
    for (name, value) in HEADERS {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    connection.finish_request();
    response
}

/// An answer; an error that a library has put in plain words is put into JSON, as the API promises.
async fn error_as_json(response: Response) -> Response {
    let status = response.status();
    let is_error = status.is_client_error() || status.is_server_error();
    let kind = response.headers().get(header::CONTENT_TYPE);
    if !is_error || kind.is_some_and(|kind| kind == JSON) {
        return response;
    }
    let text = to_bytes(response.into_body(), 1 << 10).await.unwrap_or_default();
    refusal(status.as_u16(), String::from_utf8_lossy(&text).trim())
}

async fn asset(method: Method, uri: Uri, request: Request) -> Response {
    let is_read = method == Method::GET || method == Method::HEAD;
    let found = is_read.then(|| assets::file(uri.path(), request.headers())).flatten();
    found.unwrap_or_else(|| refusal(404, "there is nothing of that name"))
}

/// A question: its verb is in the path, its parameters are the body.
async fn question(
    State(app): State<Arc<App>>,
    Extension(connection): Extension<Arc<OpenConnection>>,
    Path(verb): Path<String>,
    body: Body,
) -> Response {
    let body = ArrivingBody::new(body, app.patience, &connection).whole(LONGEST_REQUEST).await;
    let body = match body {
        Ok(body) => body,
        Err(Refusal { status, message }) => return refusal(status, &message),
    };
    let parameters = match serde_json::from_slice(&body) {
        Ok(parameters) => parameters,
        Err(_) if body.is_empty() => json!({}),
        Err(error) => return refusal(400, &format!("the body is no JSON: {error}")),
    };
    connection.work();
    match ask(&app, verb, parameters).await {
        Ok(answer) => json_response(StatusCode::OK, &answer),
        Err(Refusal { status, message }) => refusal(status, &message),
    }
}

/// Answers a quick question beside the connections.
pub async fn ask(app: &Arc<App>, verb: String, parameters: Value) -> Answer {
    let unknown = format!("there is no verb {verb:?}; docs/api.md lists them");
    let app = Arc::clone(app);
    let answered = spawn_blocking(move || {
        let places = Places {
            catalogues: &app.catalogues,
            store: app.store.as_deref(),
            kept: &app.kept,
            data: app.data.as_deref(),
        };
        api::answer(&verb, parameters, places)
    })
    .await;
    match answered {
        Ok(Some(answer)) => answer,
        Ok(None) => Err(Refusal { status: 404, message: unknown }),
        Err(_) => Err(Refusal { status: 500, message: "the answer has failed".to_string() }),
    }
}

async fn open_socket(
    State(app): State<Arc<App>>,
    Extension(connection): Extension<Arc<OpenConnection>>,
    upgrade: WebSocketUpgrade,
) -> Response {
    if let Err(Refusal { status, message }) = connection.use_for(Use::Socket) {
        return refusal(status, &message);
    }
    upgrade
        .max_message_size(LONGEST_REQUEST)
        .max_frame_size(LONGEST_REQUEST)
        .on_upgrade(move |socket| socket::serve(socket, app, connection))
}

pub fn refusal(status: u16, message: &str) -> Response {
    let status = StatusCode::from_u16(status).unwrap_or(StatusCode::BAD_REQUEST);
    json_response(status, &json!({ "error": message }))
}

pub fn json_response(status: StatusCode, value: &Value) -> Response {
    (status, [(header::CONTENT_TYPE, JSON)], value.to_string()).into_response()
}

/// The type of what the API answers.
const JSON: &str = "application/json";
