//! The server: what is asked of it by HTTP.

use std::fs::File;
use std::io::{self, Read as _, Write as _};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;
use std::time::{Duration, Instant};

use anyhow::Context as _;
use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::{ConnectInfo, DefaultBodyLimit, Path, Request, State, WebSocketUpgrade};
use axum::http::{HeaderName, HeaderValue, Method, StatusCode, Uri, header};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use engine::Stop;
use futures_util::{Stream, StreamExt as _, stream};
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::runtime::{Builder, Runtime};
use tokio::task::spawn_blocking;

use crate::api::{self, Answer, Places, Refusal};
use crate::assets;
use crate::guard::{Buckets, Hosts, Rate};
use crate::kept::KeptSearches;
use crate::results::Results;
use crate::searches::{Most, Searches};
use crate::socket;

/// How the server is to work.
#[derive(Clone, Debug)]
pub struct Options {
    /// Where it listens.
    pub address: SocketAddr,
    /// Under which names it may be asked, besides this machine's own.
    pub hosts: Vec<String>,
    /// How many searches run at a time.
    pub searches: usize,
    /// How many requests an address may make in a second.
    pub requests_per_second: u32,
    /// Where games of matches are kept, to be looked at.
    pub store: Option<String>,
    /// The folder for what engines have found, for searches that are kept and for reports of learning; without one, what is
    /// found lasts as long as the server.
    pub data: Option<PathBuf>,
}

impl Options {
    /// The usual ones, for an address.
    pub fn at(address: SocketAddr) -> Options {
        Options {
            address,
            hosts: Vec::new(),
            searches: 64,
            requests_per_second: 200,
            store: None,
            data: None,
        }
    }
}

/// What all requests share.
pub struct App {
    pub searches: Searches,
    /// How many connections there are that stay.
    pub sockets: AtomicUsize,
    /// What engines have found.
    pub results: Results,
    /// Searches for proofs that are kept.
    pub kept: KeptSearches,
    hosts: Hosts,
    buckets: Buckets,
    store: Option<String>,
    data: Option<PathBuf>,
}

/// No request is longer.
pub const LONGEST_REQUEST: usize = 256 << 10;

/// More connections do not stay at a time.
pub const MOST_SOCKETS: usize = 256;

/// Of one connection: searches that run, and searches that wait.
const RUNNING_OF_CLIENT: usize = 2;
const WAITING_OF_CLIENT: usize = 16;

/// A server that listens.
pub struct Server {
    listener: TcpListener,
    runtime: Runtime,
    app: Arc<App>,
}

impl Server {
    /// Begins to listen.
    pub fn bind(options: &Options) -> anyhow::Result<Server> {
        // Requests are short and searches have threads of their own: one thread for the connections is enough.
        let runtime = Builder::new_current_thread().enable_all().max_blocking_threads(8).build()?;
        let listener = runtime.block_on(TcpListener::bind(options.address));
        let listener = listener.with_context(|| options.address.to_string())?;
        let rate = f64::from(options.requests_per_second);
        let app = App {
            searches: Searches::new(Most {
                running: options.searches,
                of_client: RUNNING_OF_CLIENT,
                waiting: WAITING_OF_CLIENT,
            }),
            sockets: AtomicUsize::new(0),
            results: Results::open(options.data.as_deref())?,
            kept: KeptSearches::new(options.data.as_deref()),
            hosts: Hosts::new(&options.hosts),
            buckets: Buckets::new(Rate { burst: 5.0 * rate, per_second: rate }),
            store: options.store.clone(),
            data: options.data.clone(),
        };
        Ok(Server { listener, runtime, app: Arc::new(app) })
    }

    /// Where it listens.
    pub fn address(&self) -> anyhow::Result<SocketAddr> {
        Ok(self.listener.local_addr()?)
    }

    /// How many searches run, and how many wait: for those who watch over the server.
    pub fn search_counts(&self) -> impl Fn() -> (usize, usize) + Send + use<> {
        let app = Arc::clone(&self.app);
        move || app.searches.counts()
    }

    /// Serves until it is asked to stop.
    pub fn run(self, stop: &Stop) -> anyhow::Result<()> {
        let Server { listener, runtime, app } = self;
        let service = router(Arc::clone(&app)).into_make_service_with_connect_info::<SocketAddr>();
        let served = runtime.block_on(async {
            tokio::select! {
                served = axum::serve(listener, service) => served,
                () = requested(stop) => Ok(()),
            }
        });
        app.searches.end_all();
        runtime.shutdown_timeout(Duration::from_millis(500));
        served.context("the page")
    }
}

async fn requested(stop: &Stop) {
    while !stop.is_requested() {
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

fn router(app: Arc<App>) -> Router {
    Router::new()
        .route("/api/v1/socket", get(open_socket))
        .route("/api/v1/{verb}", post(question))
        .route("/api/v1/searches/{name}", get(kept_search).put(bring_search))
        .fallback(asset)
        .method_not_allowed_fallback(|| async {
            refusal(405, "this path is not asked in that way; docs/api.md lists what is")
        })
        .layer(DefaultBodyLimit::max(LONGEST_REQUEST))
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
    ConnectInfo(peer): ConnectInfo<SocketAddr>,
    request: Request,
    next: Next,
) -> Response {
    let mut response = if let Err(fault) = app.hosts.check(request.headers()) {
        refusal(403, &fault)
    } else if !app.buckets.take(peer.ip(), Instant::now()) {
        refusal(429, "too many requests in a second: wait a little")
    } else {
        next.run(request).await
    };
    for (name, value) in HEADERS {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    response
}

async fn asset(method: Method, uri: Uri, request: Request) -> Response {
    let is_read = method == Method::GET || method == Method::HEAD;
    let found = is_read.then(|| assets::file(uri.path(), request.headers())).flatten();
    found.unwrap_or_else(|| refusal(404, "there is nothing of that name"))
}

/// A question: its verb is in the path, its parameters are the body.
async fn question(State(app): State<Arc<App>>, Path(verb): Path<String>, body: Bytes) -> Response {
    let parameters = match serde_json::from_slice(&body) {
        Ok(parameters) => parameters,
        Err(_) if body.is_empty() => json!({}),
        Err(error) => return refusal(400, &format!("the body is no JSON: {error}")),
    };
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
        let places =
            Places { store: app.store.as_deref(), kept: &app.kept, data: app.data.as_deref() };
        api::answer(&verb, parameters, places)
    })
    .await;
    match answered {
        Ok(Some(answer)) => answer,
        Ok(None) => Err(Refusal { status: 404, message: unknown }),
        Err(_) => Err(Refusal { status: 500, message: "the answer has failed".to_string() }),
    }
}

/// A search for a proof that is kept, as a file.
async fn kept_search(State(app): State<Arc<App>>, Path(name): Path<String>) -> Response {
    let file = match app.kept.open(&name) {
        Ok(file) => file,
        Err(Refusal { status, message }) => return refusal(status, &message),
    };
    let length = file.metadata().map_or(0, |data| data.len());
    let head = [
        (header::CONTENT_TYPE, "application/gzip".to_string()),
        (header::CONTENT_LENGTH, length.to_string()),
        (header::CONTENT_DISPOSITION, format!("attachment; filename=\"{name}\"")),
    ];
    (head, Body::from_stream(chunks_of(file))).into_response()
}

/// A file in pieces, read as they are sent.
fn chunks_of(file: File) -> impl Stream<Item = io::Result<Vec<u8>>> {
    stream::unfold(Some(file), |file| async {
        let mut file = file?;
        let read = spawn_blocking(move || {
            let mut bytes = Vec::with_capacity(CHUNK);
            let read = (&mut file).take(CHUNK as u64).read_to_end(&mut bytes);
            read.map(|_| (bytes, file))
        });
        match read.await.map_err(io::Error::other).and_then(|read| read) {
            Ok((bytes, _)) if bytes.is_empty() => None,
            Ok((bytes, file)) => Some((Ok(bytes), Some(file))),
            Err(error) => Some((Err(error), None)),
        }
    })
}

/// So much of a file is read at a time.
const CHUNK: usize = 256 << 10;

/// Keeps a file that `tusk solve --save` has written.
async fn bring_search(
    State(app): State<Arc<App>>,
    Path(name): Path<String>,
    body: Body,
) -> Response {
    match take_search(app, name, body).await {
        Ok(()) => json_response(StatusCode::OK, &json!({})),
        Err(Refusal { status, message }) => refusal(status, &message),
    }
}

async fn take_search(app: Arc<App>, name: String, body: Body) -> Result<(), Refusal> {
    let Ok(_coming) = app.kept.coming.try_lock() else {
        return Err(Refusal::busy("another file is coming: wait a little"));
    };
    let mut draft = app.kept.draft(&name)?;
    let mut pieces = body.into_data_stream();
    while let Some(piece) = pieces.next().await {
        let piece = piece.map_err(|error| Refusal::new(error.to_string()))?;
        let written = draft.write_all(&piece);
        written.map_err(|error| Refusal { status: 413, message: error.to_string() })?;
    }
    let checked = spawn_blocking(move || draft.finish_checked()).await;
    checked.unwrap_or_else(|_| Err(Refusal::new("the file cannot be read")))
}

async fn open_socket(State(app): State<Arc<App>>, upgrade: WebSocketUpgrade) -> Response {
    if !socket::enter(&app) {
        return refusal(503, "too many pages are open");
    }
    let failed = Arc::clone(&app);
    upgrade
        .max_message_size(LONGEST_REQUEST)
        .max_frame_size(LONGEST_REQUEST)
        .on_failed_upgrade(move |_| socket::exit(&failed))
        .on_upgrade(move |socket| socket::serve(socket, app))
}

fn refusal(status: u16, message: &str) -> Response {
    let status = StatusCode::from_u16(status).unwrap_or(StatusCode::BAD_REQUEST);
    json_response(status, &json!({ "error": message }))
}

fn json_response(status: StatusCode, value: &Value) -> Response {
    (status, [(header::CONTENT_TYPE, "application/json")], value.to_string()).into_response()
}
