//! The files of kept searches: one that a client takes along, and one that it brings.

use std::fs::File;
use std::io::{self, Read as _, Write as _};
use std::sync::Arc;

use axum::Extension;
use axum::body::Body;
use axum::extract::{Path, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use futures_util::{Stream, stream};
use serde_json::json;
use tokio::task::spawn_blocking;

use crate::api::Refusal;
use crate::arriving::ArrivingBody;
use crate::connections::{OpenConnection, Use};
use crate::server::{App, json_response, refusal};

/// A search for a proof that is kept, as a file.
pub async fn send_search(
    State(app): State<Arc<App>>,
    Extension(connection): Extension<Arc<OpenConnection>>,
    Path(name): Path<String>,
) -> Response {
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
    (head, Body::from_stream(chunks_of(file, connection))).into_response()
}

/// A file in pieces, read as they are sent.
fn chunks_of(
    file: File,
    connection: Arc<OpenConnection>,
) -> impl Stream<Item = io::Result<Vec<u8>>> {
    stream::unfold(Some(file), move |file| {
        let connection = Arc::clone(&connection);
        async move {
            let mut file = file?;
            // The client has taken what was read before.
            connection.wait();
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
        }
    })
}

/// Bytes of a file that are read at a time.
const CHUNK: usize = 256 << 10;

/// Keeps a file that `tusk solve --save` has written.
pub async fn receive_search(
    State(app): State<Arc<App>>,
    Extension(connection): Extension<Arc<OpenConnection>>,
    Path(name): Path<String>,
    body: Body,
) -> Response {
    match receive(&app, &connection, &name, body).await {
        Ok(()) => json_response(StatusCode::OK, &json!({})),
        Err(Refusal { status, message }) => refusal(status, &message),
    }
}

async fn receive(
    app: &App,
    connection: &OpenConnection,
    name: &str,
    body: Body,
) -> Result<(), Refusal> {
    connection.use_for(Use::Upload)?;
    let mut draft = app.kept.draft(name)?;
    let mut pieces = ArrivingBody::new(body, app.patience, connection);
    while let Some(piece) = pieces.next().await? {
        draft.write_all(&piece).map_err(Refusal::from_io)?;
    }
    connection.work();
    let checked = spawn_blocking(move || draft.finish_checked()).await;
    checked.unwrap_or_else(|_| Err(Refusal::new("the file cannot be read")))
}
