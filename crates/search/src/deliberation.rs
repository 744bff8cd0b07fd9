use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use game::{PackedStep, Position, Proof, Score, Steps, Turns};
use rand::Rng;
use rand::seq::SliceRandom;

use crate::{AlphaBeta, Knowledge, Limits, Report, Task, Verdict};

/// The choice of a whole turn on its way, by one search or several within the same limits.
#[derive(Debug)]
pub struct Deliberation<'a, P: Position, K> {
    search: &'a mut AlphaBeta<P::Step>,
    task: Task<'a, P, K>,
    begin: Instant,
    /// How many positions were entered so far.
    nodes: u64,
}

impl<'a, P, K> Deliberation<'a, P, K>
where
    P: Position + Sync,
    P::Step: PackedStep + Send + Sync,
    K: Knowledge<P>,
{
    /// It begins now, with a task whose position is the start of a turn or inside one.
    pub fn new(search: &'a mut AlphaBeta<P::Step>, task: Task<'a, P, K>) -> Deliberation<'a, P, K> {
        Deliberation { search, task, begin: Instant::now(), nodes: 0 }
    }

    /// Counts positions that were entered by another search.
    pub fn spend(&mut self, nodes: u64) {
        self.nodes += nodes;
    }

    /// How many positions were entered so far.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Since it began.
    pub fn elapsed(&self) -> Duration {
        self.begin.elapsed()
    }

    /// What is left of the limits.
    pub fn left(&self) -> Limits {
        let Limits { depth, nodes, soft, hard } = self.task.limits;
        let elapsed = self.elapsed();
        Limits {
            depth,
            nodes: nodes.map(|nodes| nodes.saturating_sub(self.nodes)),
            soft: soft.map(|time| time.saturating_sub(elapsed)),
            hard: hard.map(|time| time.saturating_sub(elapsed)),
        }
    }

    /// Chooses a turn; its steps are the beginning of the report's line. Nothing, if it was stopped
    /// before one was found; only a part of it, if it was stopped inside. Chance has a say only where there is
    /// a margin.
    pub fn choose(
        &mut self,
        margin: i32,
        rng: &mut impl Rng,
        tell: impl FnMut(&Report<P::Step>),
    ) -> Option<Report<P::Step>> {
        let first_limits = first_limits(self.left(), margin);
        let found = self.ask(self.task.position, first_limits, tell)?;
        Some(self.choose_from(found, margin, rng))
    }

    /// Chooses a turn given what a search has found, as deep as that went.
    pub fn choose_from(
        &mut self,
        found: Report<P::Step>,
        margin: i32,
        rng: &mut impl Rng,
    ) -> Report<P::Step> {
        let mut report = match found.verdict {
            Verdict::Proof(Proof::Win(_)) => found,
            _ => self.whole_turn(found, margin, rng),
        };
        (report.nodes, report.time) = (self.nodes, self.elapsed());
        report
    }

    /// Searches deeper and deeper within these limits, as long as `tell` finds it worth its while.
    pub fn deepen(
        &mut self,
        limits: Limits,
        tell: impl FnMut(&Report<P::Step>) -> ControlFlow<()>,
    ) -> Option<Report<P::Step>> {
        let report = self.search.search_while(&Task { limits, ..self.task }, tell)?;
        self.nodes += report.nodes;
        Some(report)
    }

    /// Searches a position, at the start of the turn or inside.
    fn ask(
        &mut self,
        position: &P,
        limits: Limits,
        tell: impl FnMut(&Report<P::Step>),
    ) -> Option<Report<P::Step>> {
        let report = self.search.search(&Task { position, limits, ..self.task }, tell)?;
        self.nodes += report.nodes;
        Some(report)
    }

    /// Goes on from what was found to the end of the turn: by other steps that are good enough,
    /// where there is a margin, and by another search where the line ends before the turn does.
    fn whole_turn(
        &mut self,
        found: Report<P::Step>,
        mut margin: i32,
        rng: &mut impl Rng,
    ) -> Report<P::Step> {
        let (position, depth) = (self.task.position, found.depth);
        let mut played = Vec::new();
        let mut inside = position.clone();
        // What is best in the position inside the turn, as far as one knows.
        let mut best = found;
        while inside.side() == position.side() {
            if best.line.is_empty() {
                let limits = self.rest(self.task.limits.depth);
                match self.ask(&inside, limits, |_| ()) {
                    Some(report) if !report.line.is_empty() => best = report,
                    _ => break,
                }
            }
            if let Some(other) = self.good_enough(&inside, &best, margin, rng) {
                margin -= (score(best.verdict) - score(other.verdict)).max(0);
                best = other;
            }
            let step = best.line.remove(0);
            best.depth.0 = best.depth.0.saturating_sub(inside.cost(step).0);
            inside.play(step);
            played.push(step);
        }
        played.append(&mut best.line);
        Report { line: played, depth, ..best }
    }

    /// Randomized alpha-beta (Veselý 2013, 2.1.3), step by step: of all steps whose value is within the
    /// margin of the best one's, each is as likely. Steps are looked at in random order until one
    /// is good enough, so that the others need no value; nothing, if that is the best one.
    fn good_enough(
        &mut self,
        position: &P,
        best: &Report<P::Step>,
        margin: i32,
        rng: &mut impl Rng,
    ) -> Option<Report<P::Step>> {
        if margin == 0 || matches!(best.verdict, Verdict::Proof(_)) {
            return None;
        }
        let mut steps = Vec::new();
        let _ = position.for_each_step(|step| {
            steps.push(step);
            ControlFlow::Continue(())
        });
        steps.shuffle(rng);
        for step in steps.into_iter().take_while(|step| Some(step) != best.line.first()) {
            if self.is_over() {
                break;
            }
            let most = score(best.verdict);
            match self.after_step(position, step, best.depth, [most - margin, most]) {
                Some(report) if score(report.verdict) >= most - margin => return Some(report),
                _ => continue,
            }
        }
        None
    }

    /// What a position is worth if this step is played, as deep as the others; nothing if it may not
    /// be played or there is no time to tell. What is beyond the `least` and the `most` needs no exact value.
    fn after_step(
        &mut self,
        position: &P,
        step: P::Step,
        depth: Steps,
        [least, most]: [i32; 2],
    ) -> Option<Report<P::Step>> {
        let mut after = position.clone();
        after.play(step);
        let inside = after.side() == position.side();
        if inside && after.is_idle() || !inside && self.task.past.count(after.key()) >= 2 {
            return None;
        }
        let rest = Steps(depth.0.saturating_sub(position.cost(step).0));
        let is_over = after.turn_starts() && after.winner().is_some();
        let mut report = match rest {
            Steps(0) => self.look(&after),
            _ if is_over => self.look(&after),
            _ => {
                let task = Task { position: &after, limits: self.rest(Some(rest)), ..self.task };
                let [low, high] = if inside { [least, most] } else { [-most, -least] };
                let report = self.search.search_between(&task, Score(low), Score(high))?;
                self.nodes += report.nodes;
                report
            }
        };
        if !inside {
            report.verdict = turned(report.verdict);
        }
        let complete = report.depth >= rest || matches!(report.verdict, Verdict::Proof(_));
        report.line.insert(0, step);
        complete.then_some(Report { depth, ..report })
    }

    /// What is seen of a position without a search.
    fn look(&self, position: &P) -> Report<P::Step> {
        let knowledge = self.task.knowledge;
        let starts = position.turn_starts();
        let winner = if starts { position.winner() } else { None };
        at_sight(match winner {
            Some(winner) if winner == position.side() => Verdict::Proof(Proof::Win(Turns(0))),
            Some(_) => Verdict::Proof(Proof::Loss(Turns(0))),
            None if starts && knowledge.wins(position) => Verdict::Proof(Proof::Win(Turns(1))),
            None => Verdict::Score(knowledge.evaluate(position, &mut K::Scratch::default())),
        })
    }

    /// What is left of the limits for a search of that depth.
    fn rest(&self, depth: Option<Steps>) -> Limits {
        Limits { depth, soft: None, ..self.left() }
    }

    fn is_over(&self) -> bool {
        let Limits { nodes, hard, .. } = self.rest(None);
        nodes == Some(0) || hard == Some(Duration::ZERO) || self.task.stop.is_requested()
    }
}

/// The steps of a line that belong to the turn of the position.
pub fn turn_of<'a, P: Position>(position: &P, line: &'a [P::Step]) -> &'a [P::Step] {
    let mut after = position.clone();
    for (index, &step) in line.iter().enumerate() {
        after.play(step);
        if after.side() != position.side() || after.turn_starts() {
            return &line[..=index];
        }
    }
    line
}

/// The limits of the search that comes first: it leaves time for a choice by chance.
fn first_limits(limits: Limits, margin: i32) -> Limits {
    if margin == 0 {
        return limits;
    }
    Limits {
        nodes: limits.nodes.map(|nodes| nodes.div_ceil(2)),
        soft: limits.soft.map(|time| time / 2),
        hard: limits.hard.map(|time| time / 2),
        ..limits
    }
}

/// The report of a position that was not searched.
fn at_sight<Step>(verdict: Verdict) -> Report<Step> {
    Report { depth: Steps(0), verdict, line: Vec::new(), nodes: 0, time: Duration::ZERO }
}

/// A verdict as a number to compare; a proof is beyond all estimates.
fn score(verdict: Verdict) -> i32 {
    match verdict {
        Verdict::Score(score) => score.0,
        Verdict::Proof(Proof::Win(_)) => i32::MAX / 4,
        Verdict::Proof(Proof::Loss(_)) => i32::MIN / 4,
    }
}

/// The verdict in the eyes of the other side.
fn turned(verdict: Verdict) -> Verdict {
    match verdict {
        Verdict::Score(score) => Verdict::Score(-score),
        Verdict::Proof(proof) => Verdict::Proof(-proof),
    }
}
