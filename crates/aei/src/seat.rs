use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::Sender;
use std::thread;
use std::time::Instant;

use arimaa::{Game, Step};
use search::{Limits, Report, Stop};

use crate::{Choice, Mode, Thinker};

/// What a session waits for.
pub enum Event {
    /// A line of the controller.
    Line(String),
    /// The controller will send nothing more.
    End,
    /// What a search knows so far.
    Report(Report<Step>),
    /// A thinker has decided.
    Back(Box<dyn Thinker>, Choice),
    /// A thinker has panicked and is gone.
    Lost,
}

/// Where the thinker is: at rest, or away on its own thread.
pub enum Seat {
    /// At rest: it can be asked.
    Here(Box<dyn Thinker>),
    /// Thinking; it comes back by [`Event::Back`].
    Away,
}

/// A search that was asked for, until it is answered or given up.
pub struct Search {
    pub mode: Mode,
    pub stop: Stop,
    pub began: Instant,
    /// When the session stops it, should the thinker not do so by itself.
    pub deadline: Option<Instant>,
    /// What was found, if the answer has to wait for `stop`.
    pub found: Option<Choice>,
}

/// Room for deep recursion: only what is touched takes memory.
const STACK: usize = 64 << 20;

impl Seat {
    /// Lets the thinker think; its reports, and in the end itself, come as events. Nothing happens if
    /// it is away.
    pub fn think(
        &mut self,
        game: Game,
        limits: Limits,
        mode: Mode,
        events: Sender<Event>,
    ) -> Option<Search> {
        let Seat::Here(mut thinker) = std::mem::replace(self, Seat::Away) else { return None };
        let stop = Stop::new();
        let began = Instant::now();
        let search = Search {
            mode,
            stop: stop.clone(),
            began,
            deadline: limits.hard.map(|hard| began + hard),
            found: None,
        };
        let work = move || {
            // Where nobody listens any more, the session has ended.
            let mut report = |report: &Report<Step>| {
                let _ = events.send(Event::Report(report.clone()));
            };
            let choice = catch_unwind(AssertUnwindSafe(|| {
                thinker.think(&game, &limits, &stop, &mut report)
            }));
            let _ = events.send(match choice {
                Ok(choice) => Event::Back(thinker, choice),
                Err(_) => Event::Lost,
            });
        };
        let thread = thread::Builder::new().name("thinker".to_string()).stack_size(STACK);
        thread.spawn(work).expect("the system has room for a thread");
        Some(search)
    }
}
