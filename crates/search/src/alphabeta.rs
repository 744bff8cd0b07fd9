use std::ops::ControlFlow;
use std::time::Duration;

use game::{History, PackedStep, Position, Proof, Score, Steps};

use crate::defences::Defences;
use crate::node::Window;
use crate::patience::Patience;
use crate::progress::{Completed, Progress};
use crate::shared::Shared;
use crate::table::Worth;
use crate::value::Value;
use crate::worker::Worker;
use crate::{Knowledge, Limits, Parameters, Report, Stop, Verdict};

/// Alpha-beta, one step deeper in each iteration, for any game.
///
/// The sign is flipped when the side to move changes, and only then: the steps of a turn are
/// searched as plies of their own.
#[derive(Debug)]
pub struct AlphaBeta<Step> {
    /// How it searches.
    pub parameters: Parameters,
    /// How many threads share the work.
    pub threads: usize,
    shared: Shared<Step>,
}

/// What is searched, and what for.
#[derive(Debug)]
pub struct Task<'a, P, K> {
    /// The position, at the start of a turn or inside.
    pub position: &'a P,
    /// How often positions have come about in the game so far.
    pub past: &'a History,
    /// What is known of the game.
    pub knowledge: &'a K,
    /// When to end.
    pub limits: Limits,
    /// How to end it from elsewhere.
    pub stop: &'a Stop,
}

impl<P, K> Clone for Task<'_, P, K> {
    fn clone(&self) -> Self {
        *self
    }
}

/// Whatever is searched: a task only points at it.
impl<P, K> Copy for Task<'_, P, K> {}

impl<Step: PackedStep + Send + Sync> AlphaBeta<Step> {
    /// A search with a table of that many MiB.
    pub fn new(parameters: Parameters, mebibytes: usize) -> AlphaBeta<Step> {
        AlphaBeta { parameters, threads: 1, shared: Shared::new(mebibytes) }
    }

    /// Forgets what earlier searches have found.
    pub fn clear(&mut self) {
        self.shared.table.clear();
    }

    /// Searches until a limit, a stop or a proof; `tell` hears of each iteration. The report at the
    /// end is that of the last iteration that was completed: none, if not even the first one was.
    pub fn search<P, K>(
        &mut self,
        task: &Task<P, K>,
        mut tell: impl FnMut(&Report<Step>),
    ) -> Option<Report<Step>>
    where
        P: Position<Step = Step> + Sync,
        K: Knowledge<P>,
    {
        self.search_while(task, |report| {
            tell(report);
            ControlFlow::Continue(())
        })
    }

    /// The same, but `tell` says after each iteration whether another one is worth its while.
    pub fn search_while<P, K>(
        &mut self,
        task: &Task<P, K>,
        mut tell: impl FnMut(&Report<Step>) -> ControlFlow<()>,
    ) -> Option<Report<Step>>
    where
        P: Position<Step = Step> + Sync,
        K: Knowledge<P>,
    {
        self.prepare();
        if let Some(report) = self.won_at_once(task) {
            let _ = tell(&report);
            return Some(report);
        }
        let helpers_stop = Stop::new();
        let this = &*self;
        std::thread::scope(|scope| {
            for _ in 1..this.threads {
                let stop = &helpers_stop;
                scope.spawn(move || this.help(task, stop));
            }
            let report = this.deepen(task, &mut tell);
            helpers_stop.request();
            report
        })
    }

    /// Searches to the depth of the limits at once, on one thread, for a value from `least` to `most`. One that
    /// lies beyond is told as some value beyond, and without a line if it is less.
    pub fn search_between<P, K>(
        &mut self,
        task: &Task<P, K>,
        least: Score,
        most: Score,
    ) -> Option<Report<Step>>
    where
        P: Position<Step = Step>,
        K: Knowledge<P>,
    {
        self.prepare();
        if let Some(report) = self.won_at_once(task) {
            return Some(report);
        }
        let depth = task.limits.depth.map_or(1, |depth| depth.0);
        let window =
            Window { alpha: Value::from(least).predecessor(), beta: Value::from(most).successor() };
        let mut worker = self.worker(task, task.stop);
        let (value, line) = worker.root(task.position, depth, window)?;
        let completed = Completed { depth, value, line: line.to_vec() };
        Some(worker.report(&completed))
    }

    /// Makes ready for another search.
    fn prepare(&mut self) {
        self.shared.progress = Progress::new();
        // Repetitions of the game's past may forbid what was a defence before.
        self.shared.defences = Defences::new();
        self.shared.table.grow_older();
        self.shared.table.worth =
            if self.parameters.two_big != 0 { Worth::Biggest } else { Worth::Deepest };
    }

    /// The report of a position whose win needs no search.
    fn won_at_once<P, K>(&self, task: &Task<P, K>) -> Option<Report<Step>>
    where
        P: Position<Step = Step>,
        K: Knowledge<P>,
    {
        let wins = self.parameters.wins != 0;
        Some(Report {
            depth: Steps(0),
            verdict: Value::win(0).verdict(),
            line: wins.then(|| task.knowledge.winning_steps(task.position)).flatten()?,
            nodes: 0,
            time: Duration::ZERO,
        })
    }

    fn worker<'a, P, K>(&'a self, task: &'a Task<P, K>, stop: &'a Stop) -> Worker<'a, P, K>
    where
        P: Position<Step = Step>,
        K: Knowledge<P>,
    {
        let Task { knowledge, past, limits, .. } = *task;
        let mut worker = Worker::new(knowledge, &self.parameters, &self.shared, past, limits, stop);
        worker.others = (self.threads > 1).then_some(&self.shared.under_way);
        worker
    }

    /// The depth of the next iteration, if there is one.
    fn next_depth(&self, limits: &Limits, last: Option<&Completed<Step>>) -> Option<u8> {
        let most = limits.depth.map_or(u8::MAX, |depth| depth.0);
        let next = match last {
            Some(last) => last.depth.checked_add(1)?,
            None if limits.depth.is_some() && self.parameters.deepening == 0 => most,
            None => most.min(self.parameters.deepening_from as u8).max(1),
        };
        (next <= most).then_some(next)
    }

    /// Searches deeper and deeper.
    fn deepen<P, K>(
        &self,
        task: &Task<P, K>,
        tell: &mut impl FnMut(&Report<Step>) -> ControlFlow<()>,
    ) -> Option<Report<Step>>
    where
        P: Position<Step = Step>,
        K: Knowledge<P>,
    {
        let mut worker = self.worker(task, task.stop);
        let mut last = None;
        let mut patience = Patience::new();
        while let Some(completed) = self.iterate(&mut worker, task, last.as_ref()) {
            let report = worker.report(&completed);
            let told = tell(&report);
            let soft = task.limits.soft.map(|soft| patience.time(&report, soft));
            let enough = told.is_break()
                || soft.is_some_and(|soft| report.time >= soft)
                || self.is_settled(&report, K::WHOLE_TURN);
            last = Some(completed);
            if enough {
                break;
            }
        }
        last.map(|completed| worker.report(&completed))
    }

    /// The iteration after the last one, by whichever thread completes it first; nothing, if there is none
    /// or the search was stopped.
    fn iterate<P, K>(
        &self,
        worker: &mut Worker<P, K>,
        task: &Task<P, K>,
        last: Option<&Completed<Step>>,
    ) -> Option<Completed<Step>>
    where
        P: Position<Step = Step>,
        K: Knowledge<P>,
    {
        let depth = self.next_depth(&task.limits, last)?;
        let guess = last.map(|last| last.value);
        let progress = &self.shared.progress;
        if let Some((value, line)) = self.narrow(worker, task.position, depth, guess) {
            progress.complete(Completed { depth, value, line });
        }
        progress.last().filter(|last| last.depth >= depth)
    }

    /// Searches first with a narrow window around what the last iteration has found, wider where the
    /// value lies outside.
    fn narrow<P, K>(
        &self,
        worker: &mut Worker<P, K>,
        position: &P,
        depth: u8,
        guess: Option<Value>,
    ) -> Option<(Value, Vec<Step>)>
    where
        P: Position<Step = Step>,
        K: Knowledge<P>,
    {
        let mut margin = self.parameters.aspiration;
        let mut window = match guess {
            Some(guess) if margin > 0 && !guess.is_result() => {
                Window { alpha: guess.plus(-margin), beta: guess.plus(margin) }
            }
            _ => Window::ALL,
        };
        loop {
            let (value, line) = worker.root(position, depth, window)?;
            let (low, high) = (value <= window.alpha, value >= window.beta);
            if !low && !high || value.is_result() && window == Window::ALL {
                return Some((value, line.to_vec()));
            }
            margin *= 4;
            if low {
                window.alpha = if margin > 1000 { Value::MIN } else { value.plus(-margin) };
            } else {
                window.beta = if margin > 1000 { Value::MAX } else { value.plus(margin) };
            }
            if value.is_result() {
                window = Window::ALL;
            }
        }
    }

    /// Whether another iteration could say nothing new.
    fn is_settled(&self, report: &Report<Step>, whole_turn: Steps) -> bool {
        match report.verdict {
            Verdict::Score(_) => false,
            Verdict::Proof(Proof::Win(_)) => true,
            // The winner may have a shorter way that takes more depth to see: all shorter ones are seen
            // when the turns before them are searched.
            Verdict::Proof(Proof::Loss(turns)) => {
                let turns_before = 2 * (u32::from(turns.0) - 1);
                let is_exact = u32::from(report.depth.0) >= turns_before * u32::from(whole_turn.0);
                self.parameters.resistance == 0 || is_exact
            }
        }
    }

    /// A thread that searches the same iterations.
    fn help<P, K>(&self, task: &Task<P, K>, stop: &Stop)
    where
        P: Position<Step = Step>,
        K: Knowledge<P>,
    {
        let mut worker = self.worker(task, stop);
        // Those of time and nodes are the first thread's business.
        worker.limits = Limits::default();
        let mut last = None;
        while let Some(completed) = self.iterate(&mut worker, task, last.as_ref()) {
            last = Some(completed);
        }
    }
}
