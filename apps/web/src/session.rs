//! A search that stays: it pauses and goes on, and whoever has begun it looks at its tree meanwhile.

use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use engine::Stop;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::api::{Answer, Refusal};

/// Something that is said to a search.
pub struct Command {
    /// By which the answer is known.
    pub id: String,
    pub wish: Wish,
}

/// What can be wished for.
#[derive(Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Wish {
    /// The search goes on for so many seconds.
    Continue(f64),
    /// It pauses.
    Pause {},
    /// A vertex of the tree, and some of its children.
    Look {
        /// What leads there from the root: the texts of children.
        #[serde(default)]
        path: Vec<String>,
        #[serde(default)]
        from: usize,
        count: Option<usize>,
    },
    /// The proof, after these turns of the loser.
    Walk {
        #[serde(default)]
        turns: Vec<String>,
    },
    /// The search is kept under that name in the data folder.
    Save(String),
}

/// A search with a tree.
pub trait Explored {
    /// For how long it searches before it listens.
    const SLICE: Duration;

    /// Searches for at most that long; returns whether there is nothing left to find. An error ends the session.
    fn search(&mut self, time: Duration, stop: &Stop) -> Result<bool, Refusal>;

    /// What is known so far, as an object.
    fn state(&self) -> Value;

    /// The vertex that a path leads to, with some of its children, the most promising first.
    fn look(&self, path: &[String], from: usize, count: usize) -> Answer;

    /// Where these turns of the loser lead to by the proof.
    fn walk(&self, _turns: &[String]) -> Answer {
        Err(Refusal::new("this search proves nothing"))
    }

    /// Keeps the search under that name.
    fn save(&self, _name: &str) -> Answer {
        Err(Refusal::new("this search cannot be saved"))
    }
}

/// Tells an answer to the message with that id, and whether it is the last one.
pub type Tell<'a> = dyn Fn(&str, bool, Answer) + 'a;

/// The most seconds that a search goes on.
const LONGEST: f64 = 600.0;

/// After so long a pause, the memory is given back.
const LONGEST_PAUSE: Duration = Duration::from_secs(600);

/// How often a search that pauses looks whether it is to end.
const PATIENCE: Duration = Duration::from_millis(100);

/// The most children that are shown at once.
const MOST_CHILDREN: usize = 200;

/// A search that stays, and how long it goes on.
pub struct Session<E> {
    pub explored: E,
    /// How long it has searched.
    searched: Duration,
    /// Until when it searches; nothing, while it pauses.
    until: Option<Instant>,
    is_over: bool,
}

/// When a search of so many seconds from now on ends.
fn end_of(seconds: f64) -> Result<Instant, Refusal> {
    let wrong = || Refusal::new("time: expected a number of seconds from 0 to 600");
    let time = Duration::try_from_secs_f64(seconds.min(LONGEST)).map_err(|_| wrong())?;
    Ok(Instant::now() + time)
}

impl<E: Explored> Session<E> {
    /// One that begins to search for so many seconds.
    pub fn new(explored: E, seconds: f64) -> Result<Session<E>, Refusal> {
        let until = Some(end_of(seconds)?);
        Ok(Session { explored, searched: Duration::ZERO, until, is_over: false })
    }

    /// Searches and obeys commands until it is stopped, or until no command has come for long. Returns the last state.
    pub fn serve(
        &mut self,
        commands: &Receiver<Command>,
        stop: &Stop,
        id: &str,
        tell: &Tell,
    ) -> Answer {
        let mut heard = Instant::now();
        while !stop.is_requested() && heard.elapsed() < LONGEST_PAUSE {
            if let Some(until) = self.until {
                self.search(until, stop)?;
                tell(id, false, Ok(self.state()));
                heard = Instant::now();
            }
            let patience = if self.until.is_some() { Duration::ZERO } else { PATIENCE };
            match commands.recv_timeout(patience) {
                Ok(Command { id: own, wish }) => {
                    heard = Instant::now();
                    let is_look = matches!(wish, Wish::Look { .. });
                    tell(&own, true, self.obey(wish));
                    if !is_look {
                        tell(id, false, Ok(self.state()));
                    }
                }
                Err(RecvTimeoutError::Timeout) => (),
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
        Ok(self.state())
    }

    fn search(&mut self, until: Instant, stop: &Stop) -> Result<(), Refusal> {
        let begin = Instant::now();
        let left = until.saturating_duration_since(begin);
        self.is_over = self.explored.search(E::SLICE.min(left), stop)?;
        self.searched += begin.elapsed();
        if self.is_over || left <= E::SLICE {
            self.until = None;
        }
        Ok(())
    }

    /// What is known, and whether it searches.
    pub fn state(&self) -> Value {
        let mut state = self.explored.state();
        state["running"] = json!(self.until.is_some());
        state["over"] = json!(self.is_over);
        state["seconds"] = json!(self.searched.as_secs_f64());
        state
    }

    fn obey(&mut self, wish: Wish) -> Answer {
        match wish {
            Wish::Continue(_) if self.is_over => Err(Refusal::new("there is nothing left to find")),
            Wish::Continue(seconds) => {
                self.until = Some(end_of(seconds)?);
                Ok(json!({}))
            }
            Wish::Pause {} => {
                self.until = None;
                Ok(json!({}))
            }
            Wish::Look { path, from, count } => {
                self.explored.look(&path, from, count.unwrap_or(MOST_CHILDREN).min(MOST_CHILDREN))
            }
            Wish::Walk { turns } => self.explored.walk(&turns),
            Wish::Save(name) => self.explored.save(&name),
        }
    }
}
