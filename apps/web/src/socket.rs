//! Long questions by WebSocket: a JSON object a message, with an id by which its answers are known.

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, mpsc};
use std::time::{Duration, Instant};

use axum::extract::ws::{Message, WebSocket};
use engine::Stop;
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::sync::mpsc::{Receiver, Sender, channel};
use tokio::time::{MissedTickBehavior, interval, timeout};
use workbench::in_game;

use crate::analysis::{SearchParameters, move_json, search, search_once};
use crate::api::{Answer, Refusal, read_parameters};
use crate::connections::OpenConnection;
use crate::games::Served;
use crate::guard::{Bucket, Rate};
use crate::review::review;
use crate::search_tree::grow;
use crate::searches::{Client, Search, Work};
use crate::server::{App, ask};
use crate::session::{Command, Tell, Wish};
use crate::solver::{SolveParameters, solve};

/// A message of a client.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Question {
    id: String,
    verb: String,
    #[serde(default)]
    priority: i32,
    #[serde(default)]
    params: Option<Value>,
}

/// An answer as it is sent: the text of a JSON object. A search writes it on its own thread. If the server's thread got an
/// object with all its parts, it would free them one by one in memory that the search may have locked; and a search that has given way
/// keeps its locks for long.
type Answered = String;

/// The longest id.
const LONGEST_ID: usize = 64;

/// How often one connection may ask.
const RATE: Rate = Rate { burst: 200.0, per_second: 50.0 };

/// So many answers wait for a client that does not read; more reports of searches are left out.
const BACKLOG: usize = 64;

/// A client that takes longer to take an answer is gone.
const PATIENCE: Duration = Duration::from_secs(10);

/// A client that shows no sign of life for so long is gone.
const SILENCE: Duration = Duration::from_secs(60);

/// Serves a connection until it is closed; its searches end with it.
pub async fn serve(socket: WebSocket, app: Arc<App>, open: Arc<OpenConnection>) {
    open.work();
    let client = app.searches.new_client();
    let (sender, receiver) = channel(BACKLOG);
    let solvers = Mutex::default();
    let connection = Connection { app: Arc::clone(&app), client, sender, solvers };
    connection.serve(socket, receiver).await;
    app.searches.leave(client);
}

struct Connection {
    app: Arc<App>,
    client: Client,
    sender: Sender<Answered>,
    /// Searches that stay and can be spoken to, by their ids.
    solvers: Mutex<HashMap<String, mpsc::Sender<Command>>>,
}

impl Connection {
    async fn serve(&self, mut socket: WebSocket, mut receiver: Receiver<Answered>) {
        let mut bucket = Bucket::full(RATE, Instant::now());
        let mut heard = Instant::now();
        let mut beat = interval(SILENCE / 3);
        beat.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            let next = tokio::select! {
                Some(answer) = receiver.recv() => Some(Message::text(answer)),
                message = socket.recv() => {
                    heard = Instant::now();
                    match self.hear(message, &mut bucket) {
                        ControlFlow::Continue(answer) => answer.map(Message::text),
                        ControlFlow::Break(()) => return,
                    }
                }
                _ = beat.tick() => {
                    if heard.elapsed() > SILENCE {
                        return;
                    }
                    Some(Message::Ping(Vec::new().into()))
                }
            };
            if let Some(message) = next
                && !matches!(timeout(PATIENCE, socket.send(message)).await, Ok(Ok(())))
            {
                return;
            }
        }
    }

    /// Hears a message; what can be said at once is returned.
    fn hear(
        &self,
        message: Option<Result<Message, axum::Error>>,
        bucket: &mut Bucket,
    ) -> ControlFlow<(), Option<Answered>> {
        let text = match message {
            Some(Ok(Message::Text(text))) => text,
            Some(Ok(Message::Ping(_) | Message::Pong(_))) => return ControlFlow::Continue(None),
            Some(Ok(Message::Binary(_))) => {
                let fault = Refusal::new("a message is text: a JSON object");
                return ControlFlow::Continue(Some(done(None, Err(fault))));
            }
            Some(Ok(Message::Close(_)) | Err(_)) | None => return ControlFlow::Break(()),
        };
        let message = serde_json::from_str(&text).map_err(|error| Refusal::new(error.to_string()));
        let id = message.as_ref().ok().map(|message: &Question| message.id.clone());
        let heard = match bucket.take(RATE, Instant::now()) {
            true => message.and_then(|message| self.obey(message)),
            false => Err(Refusal::busy("too many messages in a second: wait a little")),
        };
        ControlFlow::Continue(
            heard.map_or_else(|fault| Some(done(id.as_deref(), Err(fault))), |()| None),
        )
    }

    /// Begins what a message asks for; the answers come by the channel.
    fn obey(&self, message: Question) -> Result<(), Refusal> {
        let Question { id, verb, priority, params } = message;
        if id.is_empty() || id.len() > LONGEST_ID {
            return Err(Refusal::new(format!("id: expected 1 to {LONGEST_ID} bytes")));
        }
        let params = params.unwrap_or_else(|| json!({}));
        match verb.as_str() {
            "analyse" => self.search(id, priority, params, Reports::All),
            "move" => self.search(id, priority, params, Reports::Move),
            "review" => self.search(id, priority, params, Reports::Review),
            "solve" => self.solve(id, priority, params),
            "tree" => self.grow_tree(id, priority, params),
            "solver" => self.speak_to_solver(id, params),
            "cancel" => {
                let Cancel { search } = read_parameters(params)?;
                let was_there = self.app.searches.cancel(self.client, &search);
                self.reply(done(Some(&id), Ok(json!({ "cancelled": was_there }))));
                Ok(())
            }
            _ => {
                let (sender, app) = (self.sender.clone(), Arc::clone(&self.app));
                tokio::spawn(async move {
                    let answer = ask(&app, verb, params).await;
                    let _ = sender.send(done(Some(&id), answer)).await;
                });
                Ok(())
            }
        }
    }

    /// A reply that is there at once; whoever does not read his answers does without.
    fn reply(&self, answer: Answered) {
        let _ = self.sender.try_send(answer);
    }

    fn search(
        &self,
        id: String,
        priority: i32,
        params: Value,
        reports: Reports,
    ) -> Result<(), Refusal> {
        let parameters: SearchParameters = read_parameters(params)?;
        let game = parameters.game.game_name()?;
        let mebibytes = in_game!(game, S => parameters.mebibytes::<S>(&self.app.catalogues)?);
        // Before there is anything that would have a last word.
        self.app.searches.check(self.client, &id, mebibytes)?;
        let work = in_game!(game, S => {
            work::<S>(id.clone(), parameters, Arc::clone(&self.app), self.sender.clone(), reports)
        });
        self.begin(id, priority, mebibytes, work)
    }

    /// Begins a search, or lets it wait.
    fn begin(
        &self,
        id: String,
        priority: i32,
        mebibytes: usize,
        work: Work,
    ) -> Result<(), Refusal> {
        let (sender, name) = (self.sender.clone(), id.clone());
        let tell_waiting = Box::new(move |reason: &str| {
            let _ = sender
                .try_send(json!({ "id": name, "done": false, "waiting": reason }).to_string());
        });
        let search = Search { id, priority, mebibytes, work, tell_waiting };
        self.app.searches.begin(self.client, search)
    }
}

impl Connection {
    fn solvers(&self) -> MutexGuard<'_, HashMap<String, mpsc::Sender<Command>>> {
        self.solvers.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Begins a search for a proof, which stays until it is cancelled.
    fn solve(&self, id: String, priority: i32, params: Value) -> Result<(), Refusal> {
        let parameters: SolveParameters = read_parameters(params)?;
        let (game, app) = (parameters.game.game_name()?, Arc::clone(&self.app));
        let mebibytes = parameters.mebibytes(&self.app.kept)?;
        self.stay(id, priority, mebibytes, move |commands, stop, id, tell| {
            in_game!(game, S => solve::<S>(&parameters, &app.kept, commands, stop, id, tell))
        })
    }

    /// Begins a search whose tree is looked at, which stays until it is cancelled.
    fn grow_tree(&self, id: String, priority: i32, params: Value) -> Result<(), Refusal> {
        let parameters: SearchParameters = read_parameters(params)?;
        let (game, mebibytes) = (parameters.game.game_name()?, parameters.tree_mebibytes());
        let app = Arc::clone(&self.app);
        self.stay(id, priority, mebibytes, move |commands, stop, id, tell| {
            in_game!(game, S => grow::<S>(&app.catalogues, &parameters, commands, stop, id, tell))
        })
    }

    /// Begins a search that stays and can be spoken to.
    fn stay(
        &self,
        id: String,
        priority: i32,
        mebibytes: usize,
        search: impl FnOnce(&mpsc::Receiver<Command>, &Stop, &str, &Tell) -> Answer + Send + 'static,
    ) -> Result<(), Refusal> {
        self.app.searches.check(self.client, &id, mebibytes)?;
        let (commands, receiver) = mpsc::channel();
        let last_word = LastWord::new(&id, &self.sender);
        let (sender, name) = (self.sender.clone(), id.clone());
        let work: Work = Box::new(move |stop: &Stop| {
            let tell = |id: &str, is_done: bool, answer: Answer| {
                let told = if is_done { done(Some(id), answer) } else { report(id, answer) };
                let _ = sender.blocking_send(told);
            };
            last_word.say(search(&receiver, stop, &name, &tell));
        });
        self.begin(id.clone(), priority, mebibytes, work)?;
        self.solvers().insert(id, commands);
        Ok(())
    }

    fn speak_to_solver(&self, id: String, params: Value) -> Result<(), Refusal> {
        let Speech { search, wish } = read_parameters(params)?;
        let mut solvers = self.solvers();
        let sent =
            solvers.get(&search).is_some_and(|solver| solver.send(Command { id, wish }).is_ok());
        if sent {
            return Ok(());
        }
        solvers.remove(&search);
        Err(Refusal::new(format!("there is no search that stays with the id {search:?}")))
    }
}

/// What is said to a search that stays.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Speech {
    search: String,
    wish: Wish,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Cancel {
    /// The id of the search.
    search: String,
}

/// What is wanted of an engine.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reports {
    /// All of them, as they come.
    All,
    /// What to play, in the end.
    Move,
    /// A row for each turn of the game.
    Review,
}

/// A search that tells a client what it finds.
fn work<S: Served>(
    id: String,
    parameters: SearchParameters,
    app: Arc<App>,
    sender: Sender<Answered>,
    reports: Reports,
) -> Work {
    let last_word = LastWord::new(&id, &sender);
    Box::new(move |stop: &Stop| {
        let mut tell = |found: Value| {
            let _ = sender.try_send(report(&id, Ok(found)));
        };
        let catalogues = &app.catalogues;
        let answer = match reports {
            Reports::All => {
                search_once::<S>(catalogues, &parameters, &app.results, stop, &mut tell)
            }
            Reports::Move => {
                let found = search::<S>(catalogues, &parameters, stop, &mut |_| ());
                found.map(|found| move_json(&found))
            }
            // None of the rows may be missing.
            Reports::Review => {
                review::<S>(catalogues, &parameters, &app.results, stop, &mut |row| {
                    let _ = sender.blocking_send(report(&id, Ok(row)));
                })
            }
        };
        last_word.say(answer);
    })
}

/// The last answer to a question about a search. It comes in any case: also of a search that was cancelled before it
/// began, or that has panicked.
struct LastWord {
    id: String,
    sender: Sender<Answered>,
    is_said: bool,
}

impl LastWord {
    fn new(id: &str, sender: &Sender<Answered>) -> LastWord {
        LastWord { id: id.to_string(), sender: sender.clone(), is_said: false }
    }

    fn say(mut self, answer: Answer) {
        self.is_said = true;
        let _ = self.sender.blocking_send(done(Some(&self.id), answer));
    }
}

impl Drop for LastWord {
    fn drop(&mut self) {
        if !self.is_said {
            let ended = Refusal::new("the search has ended before it found anything");
            let _ = self.sender.try_send(done(Some(&self.id), Err(ended)));
        }
    }
}

/// An answer to a message that is not the last one.
fn report(id: &str, answer: Answer) -> Answered {
    json!({ "id": id, "done": false, "result": answer.unwrap_or(Value::Null) }).to_string()
}

/// The last answer to a message.
fn done(id: Option<&str>, answer: Answer) -> Answered {
    let answer = match answer {
        Ok(result) => json!({ "id": id, "done": true, "result": result }),
        Err(Refusal { status, message }) => {
            json!({ "id": id, "done": true, "error": message, "status": status })
        }
    };
    answer.to_string()
}
