use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::Sender;
use std::time::Instant;

use arimaa::{Action, Game};
use engine::{Configured, Engine, Info, Limits, Stop};
use guard::{NoThread, search_thread};

use crate::Mode;

/// What a session waits for.
pub enum Event {
    /// A line of the controller.
    Line(String),
    /// A line of the controller that is too long to be read, and what to say to it.
    LongLine(String),
    /// The controller will send nothing more.
    End,
    /// What a search knows so far.
    Info(Info<Action>),
    /// A search has ended: the engine, and what it plays.
    Done(Box<Configured<Game>>, Choice),
    /// The engine has panicked and is gone.
    Crashed,
}

/// What an engine plays; none, if it resigns.
pub type Choice = Option<Action>;

/// Where the engine is: idle in the session, or searching on a thread of its own.
pub enum EngineState {
    /// It can be asked.
    Idle(Box<Configured<Game>>),
    /// It comes back by [`Event::Done`].
    Searching,
}

/// A search that was asked for, until it is answered or given up.
pub struct RunningSearch {
    pub mode: Mode,
    pub stop: Stop,
    pub began: Instant,
    /// When the session stops it, should the engine not do so by itself.
    pub deadline: Option<Instant>,
    /// What was found, if the answer has to wait for `stop`.
    pub found: Option<Choice>,
}

impl EngineState {
    /// Starts a search on a thread of its own; what it knows, and in the end the engine, come as
    /// events. Nothing happens if the engine is searching. If there is no thread for it, the engine is lost.
    pub fn search(
        &mut self,
        game: Game,
        limits: Limits,
        mode: Mode,
        events: Sender<Event>,
    ) -> Result<Option<RunningSearch>, NoThread> {
        let EngineState::Idle(mut engine) = std::mem::replace(self, EngineState::Searching) else {
            return Ok(None);
        };
        let stop = Stop::new();
        let began = Instant::now();
        let search = RunningSearch {
            mode,
            stop: stop.clone(),
            began,
            deadline: limits.hard.map(|hard| began + hard),
            found: None,
        };
        let work = move || {
            // Where nobody listens any more, the session has ended.
            let mut sink = |info: &Info<Action>| {
                let _ = events.send(Event::Info(info.clone()));
            };
            let found =
                catch_unwind(AssertUnwindSafe(|| engine.analyse(&game, &limits, &stop, &mut sink)));
            let _ = events.send(match found {
                Ok(info) => Event::Done(engine, info.and_then(|info| info.best().copied())),
                Err(_) => Event::Crashed,
            });
        };
        search_thread("engine").spawn(work).map_err(|_| NoThread)?;
        Ok(Some(search))
    }
}
