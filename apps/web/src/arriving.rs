//! The body of a request while it arrives.

use std::time::Duration;

use axum::body::{Body, BodyDataStream, Bytes};
use futures_util::StreamExt as _;
use tokio::time::{Instant, timeout_at};

use crate::api::Refusal;
use crate::connections::OpenConnection;

/// How long the server waits for a client.
#[derive(Clone, Copy, Debug)]
pub struct Patience {
    /// For the head of a request, also for that of the next one.
    pub head: Duration,
    /// For the body of a request, besides the time that its bytes have at the slowest rate.
    pub body: Duration,
    /// The slowest rate of a body, in bytes a second.
    pub slowest: u32,
}

impl Default for Patience {
    fn default() -> Patience {
        let wait = Duration::from_secs(10);
        Patience { head: wait, body: wait, slowest: 64 << 10 }
    }
}

/// A body that arrives piece by piece. One that comes too slowly is refused.
pub struct ArrivingBody<'a> {
    pieces: BodyDataStream,
    begin: Instant,
    received: u64,
    patience: Patience,
    connection: &'a OpenConnection,
}

impl ArrivingBody<'_> {
    /// The body of a request, from its first byte.
    pub fn new(body: Body, patience: Patience, connection: &OpenConnection) -> ArrivingBody<'_> {
        let (pieces, begin) = (body.into_data_stream(), Instant::now());
        ArrivingBody { pieces, begin, received: 0, patience, connection }
    }

    /// The next piece; none at the end.
    pub async fn next(&mut self) -> Result<Option<Bytes>, Refusal> {
        let earned = self.received as f64 / f64::from(self.patience.slowest);
        let deadline = self.begin + self.patience.body + Duration::from_secs_f64(earned);
        match timeout_at(deadline, self.pieces.next()).await {
            Ok(None) => Ok(None),
            Ok(Some(Ok(piece))) => {
                self.received += piece.len() as u64;
                self.connection.wait();
                Ok(Some(piece))
            }
            Ok(Some(Err(_))) => Err(Refusal::new("the body is cut off or damaged")),
            Err(_) => {
                let message = "the body comes too slowly".to_string();
                Err(Refusal { status: 408, message })
            }
        }
    }

    /// All of it, if it is no longer than `longest` bytes.
    pub async fn whole(mut self, longest: usize) -> Result<Vec<u8>, Refusal> {
        let mut body = Vec::new();
        while let Some(piece) = self.next().await? {
            if body.len() + piece.len() > longest {
                let message = format!("the body is longer than {} KiB", longest >> 10);
                return Err(Refusal { status: 413, message });
            }
            body.extend_from_slice(&piece);
        }
        Ok(body)
    }
}
