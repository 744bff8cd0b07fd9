use std::ops::RangeInclusive;
use std::time::Duration;

use game::{History, PackedStep, Position, Proof, Steps};

use crate::node::Window;
use crate::patience::Patience;
use crate::table::{Table, Worth};
use crate::under_way::UnderWay;
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
    table: Table<Step>,
    under_way: UnderWay,
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

impl<Step: PackedStep + Send + Sync> AlphaBeta<Step> {
    /// A search with a table of that many MiB.
    pub fn new(parameters: Parameters, mebibytes: usize) -> AlphaBeta<Step> {
        let table = Table::new(mebibytes);
        AlphaBeta { parameters, threads: 1, table, under_way: UnderWay::new() }
    }

    /// Forgets what earlier searches have found.
    pub fn clear(&mut self) {
        self.table.clear();
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
        self.table.grow_older();
        self.table.worth =
            if self.parameters.two_big != 0 { Worth::Biggest } else { Worth::Deepest };
        if let Some(report) = won_at_once(task) {
            tell(&report);
            return Some(report);
        }
        let helpers_stop = Stop::new();
        let this = &*self;
        std::thread::scope(|scope| {
            for thread in 1..this.threads {
                let stop = &helpers_stop;
                scope.spawn(move || this.help(task, stop, thread));
            }
            let report = this.deepen(task, &mut tell);
            helpers_stop.request();
            report
        })
    }

    fn worker<'a, P, K>(&'a self, task: &'a Task<P, K>, stop: &'a Stop) -> Worker<'a, P, K>
    where
        P: Position<Step = Step>,
        K: Knowledge<P>,
    {
        let Task { knowledge, past, limits, .. } = *task;
        let mut worker = Worker::new(knowledge, &self.parameters, &self.table, past, limits, stop);
        worker.others = (self.threads > 1).then_some(&self.under_way);
        worker
    }

    /// The depths of the iterations.
    fn depths(&self, limits: &Limits) -> RangeInclusive<u8> {
        match limits.depth {
            Some(depth) if self.parameters.deepening == 0 => depth.0..=depth.0,
            Some(depth) => 1..=depth.0,
            None => 1..=u8::MAX,
        }
    }

    /// Searches deeper and deeper.
    fn deepen<P, K>(
        &self,
        task: &Task<P, K>,
        tell: &mut impl FnMut(&Report<Step>),
    ) -> Option<Report<Step>>
    where
        P: Position<Step = Step>,
        K: Knowledge<P>,
    {
        let mut worker = self.worker(task, task.stop);
        let mut last: Option<Report<Step>> = None;
        let mut guess = None;
        let mut patience = Patience::new();
        for depth in self.depths(&task.limits) {
            let Some((value, line)) = self.iterate(&mut worker, task.position, depth, guess) else {
                break;
            };
            guess = Some(value);
            let report = Report {
                depth: Steps(depth),
                verdict: value.verdict(),
                line,
                nodes: worker.nodes,
                time: worker.begin.elapsed(),
            };
            tell(&report);
            let soft = task.limits.soft.map(|soft| patience.time(&report, soft));
            let enough = soft.is_some_and(|soft| report.time >= soft)
                || self.is_settled(&report, K::WHOLE_TURN);
            last = Some(report);
            if enough {
                break;
            }
        }
        last.map(|report| Report { nodes: worker.nodes, time: worker.begin.elapsed(), ..report })
    }

    /// One iteration: first with a narrow window around what the last one has found, wider where the
    /// value lies outside.
    fn iterate<P, K>(
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
            let (value, line) = worker.root(position, i32::from(depth), window)?;
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

    /// A thread that fills the table, each with a depth of its own.
    fn help<P, K>(&self, task: &Task<P, K>, stop: &Stop, thread: usize)
    where
        P: Position<Step = Step>,
        K: Knowledge<P>,
    {
        let mut worker = self.worker(task, stop);
        worker.limits = Limits::default();
        let mut guess = None;
        for depth in 1..=u8::MAX {
            // Half of the threads are a step ahead of the others.
            let depth = depth.saturating_add((thread % 2) as u8);
            match self.iterate(&mut worker, task.position, depth, guess) {
                Some((value, _)) => guess = Some(value),
                None => return,
            }
        }
    }
}

/// The report of a position whose win needs no search.
fn won_at_once<P: Position, K: Knowledge<P>>(task: &Task<P, K>) -> Option<Report<P::Step>> {
    Some(Report {
        depth: Steps(0),
        verdict: Value::win(0).verdict(),
        line: task.knowledge.winning_steps(task.position)?,
        nodes: 0,
        time: Duration::ZERO,
    })
}
