use std::cmp::Reverse;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use game::{Key, PackedStep, Position, Proof, Score, Steps, Turns};
use rand::Rng;
use rand::seq::SliceRandom;

use crate::alphabeta::after_turns;
use crate::heuristics::{AlphaBetaHeuristics, Evaluator};
use crate::{AlphaBeta, Info, Limits, Task, Verdict};

/// Chooses a whole turn, by one search or several within the same limits; at random among good ones where there
/// is a margin (randomized alpha-beta, Veselý 2013, 2.1.3).
pub struct TurnChooser<'a, P: Position, H: Evaluator<P>> {
    search: &'a mut AlphaBeta<P::Step>,
    task: Task<'a, P, H>,
    begin: Instant,
    /// How many positions were entered so far.
    nodes: u64,
    cache: H::Cache,
}

impl<'a, P, H> TurnChooser<'a, P, H>
where
    P: Position + Sync,
    P::Step: PackedStep + Send + Sync,
    H: AlphaBetaHeuristics<P>,
{
    /// It begins now, with a task whose position is the start of a turn or inside one.
    pub fn new(search: &'a mut AlphaBeta<P::Step>, task: Task<'a, P, H>) -> TurnChooser<'a, P, H> {
        TurnChooser { search, task, begin: Instant::now(), nodes: 0, cache: H::Cache::default() }
    }

    /// Counts positions that were entered by another search.
    pub fn add_nodes(&mut self, nodes: u64) {
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
    pub fn limits_left(&self) -> Limits {
        self.left_of(self.task.limits)
    }

    fn left_of(&self, limits: Limits) -> Limits {
        limits.less(self.nodes, self.elapsed())
    }

    /// Chooses a turn; its steps are the beginning of the info's line. Nothing, if it was stopped
    /// before one was found; only a part of it, if it was stopped inside. Chance has a say only where there is
    /// a margin.
    pub fn choose(
        &mut self,
        margin: i32,
        rng: &mut impl Rng,
        tell: impl FnMut(&Info<P::Step>),
    ) -> Option<Info<P::Step>> {
        let first_limits = first_limits(self.limits_left(), margin);
        let found = self.ask(self.task.position, first_limits, tell)?;
        Some(self.choose_from(found, margin, rng))
    }

    /// Chooses a turn given what a search has found, as deep as that went.
    pub fn choose_from(
        &mut self,
        found: Info<P::Step>,
        margin: i32,
        rng: &mut impl Rng,
    ) -> Info<P::Step> {
        let mut info = match Candidate::of(&found) {
            Some(best) if !matches!(best.verdict, Verdict::Proof(Proof::Win(_))) => {
                self.whole_turn(best, margin, rng).info()
            }
            _ => found,
        };
        (info.nodes, info.time) = (self.nodes, self.elapsed());
        info
    }

    /// Adds lines to what was found until there are `count`, or no other turns: each begins with the best turn that
    /// leads to none of the boards of the lines before it, searched as deep as the first. The best one comes first
    /// in the end. All searches together keep to `limits`, as counted from the beginning.
    pub fn add_lines(
        &mut self,
        mut info: Info<P::Step>,
        count: usize,
        limits: Limits,
        rng: &mut impl Rng,
    ) -> Info<P::Step> {
        let depth = match info.verdict() {
            Some(Verdict::Score(_)) => info.depth,
            // It may have been found without a search.
            _ => info.depth.max(Steps(2 * H::WHOLE_TURN.0)),
        };
        let depth = limits.depth.into_iter().chain([depth]).min();
        let is_won = matches!(info.verdict(), Some(Verdict::Proof(Proof::Win(_))));
        let first = self
            .board_after(info.pv())
            .or_else(|| is_won.then(|| self.board_after_win(info.pv())).flatten());
        let mut boards: Vec<Key> = first.into_iter().collect();
        while !boards.is_empty() && info.lines.len() < count && self.has_other_turn(&boards) {
            let missing = (count - info.lines.len()) as u32;
            let share = self.left_of(limits).share(100 / missing);
            let task = Task { limits: Limits { depth, ..share }, ..self.task };
            let Some(found) = self.search.search_others(&task, &boards, |_| ()) else { break };
            self.nodes += found.nodes;
            let found = self.choose_from(found, 0, rng);
            let board = self.board_after(found.pv()).filter(|board| !boards.contains(board));
            let Some(board) = board else { break };
            boards.push(board);
            info.lines.extend(found.lines);
        }
        info.lines.sort_by_key(|line| Reverse(line.verdict.map(Verdict::as_score)));
        (info.nodes, info.time) = (self.nodes, self.elapsed());
        info
    }

    /// The repetition key of the board after the turn that a line begins with, if it has the whole of it.
    fn board_after(&self, line: &[P::Step]) -> Option<Key> {
        after_turns(self.task.position, line).next().map(|after| after.repetition_key())
    }

    /// The same of a line that wins: it may end inside the turn, the rest of which is given up.
    fn board_after_win(&self, line: &[P::Step]) -> Option<Key> {
        let mut after = self.task.position.clone();
        line.iter().for_each(|&step| after.play(step));
        self.task.heuristics.null_move(&after).map(|after| after.repetition_key())
    }

    /// Whether some legal turn leads to none of these boards.
    fn has_other_turn(&self, boards: &[Key]) -> bool {
        let is_other = |key: Key| !boards.contains(&key) && self.task.past.count(key) < 2;
        leads_to(self.task.position, &is_other)
    }

    /// Searches deeper and deeper within these limits, as long as `tell` finds it worth its while.
    pub fn search_while(
        &mut self,
        limits: Limits,
        tell: impl FnMut(&Info<P::Step>) -> ControlFlow<()>,
    ) -> Option<Info<P::Step>> {
        let info = self.search.search_while(&Task { limits, ..self.task }, tell)?;
        self.nodes += info.nodes;
        Some(info)
    }

    /// Searches a position, at the start of the turn or inside.
    fn ask(
        &mut self,
        position: &P,
        limits: Limits,
        tell: impl FnMut(&Info<P::Step>),
    ) -> Option<Info<P::Step>> {
        let info = self.search.search(&Task { position, limits, ..self.task }, tell)?;
        self.nodes += info.nodes;
        Some(info)
    }

    /// Goes on from what was found to the end of the turn: by other steps that are good enough,
    /// where there is a margin, and by another search where the line ends before the turn does.
    fn whole_turn(
        &mut self,
        found: Candidate<P::Step>,
        mut margin: i32,
        rng: &mut impl Rng,
    ) -> Candidate<P::Step> {
        let (position, depth, before) = (self.task.position, found.depth, found.verdict);
        let mut played = Vec::new();
        let mut inside = position.clone();
        // What is best in the position inside the turn, as far as one knows.
        let mut best = found;
        while inside.side() == position.side() {
            if best.pv.is_empty() {
                let limits = self.rest(self.task.limits.depth);
                let info = self.ask(&inside, limits, |_| ());
                match info.as_ref().and_then(Candidate::of) {
                    Some(found) if !found.pv.is_empty() => best = found,
                    _ => break,
                }
            }
            if let Some(other) = self.good_enough(&inside, &best, margin, rng) {
                margin -= (score(best.verdict) - score(other.verdict)).max(0);
                best = other;
            }
            let step = best.pv.remove(0);
            best.depth.0 = best.depth.0.saturating_sub(inside.cost(step).0);
            inside.play(step);
            played.push(step);
        }
        played.append(&mut best.pv);
        // A loss that is seen inside the turn is one of the steps that were played, not of the position: other
        // steps may have saved it.
        let verdict = match best.verdict {
            Verdict::Proof(Proof::Loss(_)) => before,
            found => found,
        };
        Candidate { verdict, pv: played, depth }
    }

    /// Randomized alpha-beta (Veselý 2013, 2.1.3), step by step: of all steps whose value is within the
    /// margin of the best one's, each is as likely. Steps are looked at in random order until one
    /// is good enough, so that the others need no value; nothing, if that is the best one.
    fn good_enough(
        &mut self,
        position: &P,
        best: &Candidate<P::Step>,
        margin: i32,
        rng: &mut impl Rng,
    ) -> Option<Candidate<P::Step>> {
        if margin == 0 || matches!(best.verdict, Verdict::Proof(_)) {
            return None;
        }
        let mut steps = Vec::new();
        let _ = position.for_each_step(|step| {
            steps.push(step);
            ControlFlow::Continue(())
        });
        steps.shuffle(rng);
        for step in steps.into_iter().take_while(|step| Some(step) != best.pv.first()) {
            if self.is_over() {
                break;
            }
            let most = score(best.verdict);
            match self.after_step(position, step, best.depth, [most - margin, most]) {
                Some(other) if score(other.verdict) >= most - margin => return Some(other),
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
    ) -> Option<Candidate<P::Step>> {
        let mut after = position.clone();
        after.play(step);
        let inside = after.side() == position.side();
        if inside && after.is_idle() || !inside && self.task.past.count(after.repetition_key()) >= 2
        {
            return None;
        }
        let rest = Steps(depth.0.saturating_sub(position.cost(step).0));
        let is_over = after.turn_starts() && after.winner().is_some();
        let mut found = match rest {
            Steps(0) => self.look(&after),
            _ if is_over => self.look(&after),
            _ => {
                let task = Task { position: &after, limits: self.rest(Some(rest)), ..self.task };
                let [low, high] = if inside { [least, most] } else { [-most, -least] };
                let info = self.search.search_between(&task, Score(low), Score(high))?;
                self.nodes += info.nodes;
                Candidate::of(&info)?
            }
        };
        if !inside {
            found.verdict = -found.verdict;
        }
        let complete = found.depth >= rest || matches!(found.verdict, Verdict::Proof(_));
        found.pv.insert(0, step);
        complete.then_some(Candidate { depth, ..found })
    }

    /// What is seen of a position without a search.
    fn look(&mut self, position: &P) -> Candidate<P::Step> {
        let heuristics = self.task.heuristics;
        let starts = position.turn_starts();
        let winner = if starts { position.winner() } else { None };
        let verdict = match winner {
            Some(winner) if winner == position.side() => Verdict::Proof(Proof::Win(Turns(0))),
            Some(_) => Verdict::Proof(Proof::Loss(Turns(0))),
            None if starts && heuristics.wins(position) => Verdict::Proof(Proof::Win(Turns(1))),
            None => {
                let state = heuristics.state(position);
                Verdict::Score(heuristics.evaluate(position, &state, &mut self.cache))
            }
        };
        Candidate { depth: Steps(0), verdict, pv: Vec::new() }
    }

    /// What is left of the limits for a search of that depth.
    fn rest(&self, depth: Option<Steps>) -> Limits {
        Limits { depth, soft: None, ..self.limits_left() }
    }

    fn is_over(&self) -> bool {
        let Limits { nodes, hard, .. } = self.rest(None);
        nodes == Some(0) || hard == Some(Duration::ZERO) || self.task.stop.is_requested()
    }
}

/// Whether some turn from a position, at its start or inside, ends with such a board.
fn leads_to<P: Position>(position: &P, is_wanted: &impl Fn(Key) -> bool) -> bool {
    position
        .for_each_step(|step| {
            let mut after = position.clone();
            after.play(step);
            let found = match after.turn_starts() {
                true => is_wanted(after.repetition_key()),
                false => leads_to(&after, is_wanted),
            };
            if found { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })
        .is_break()
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

/// A turn, or the beginning of one, that may be played, and what it is worth.
struct Candidate<Step> {
    /// How deep it was searched.
    depth: Steps,
    verdict: Verdict,
    pv: Vec<Step>,
}

impl<Step: Clone> Candidate<Step> {
    /// The best line that a search has found.
    fn of(info: &Info<Step>) -> Option<Candidate<Step>> {
        let (depth, verdict) = (info.depth, info.verdict()?);
        Some(Candidate { depth, verdict, pv: info.pv().to_vec() })
    }

    fn info(self) -> Info<Step> {
        let Candidate { depth, verdict, pv } = self;
        Info { depth, ..Info::without_search(Some(verdict), pv) }
    }
}

/// A verdict as a number to compare; a proof is beyond all estimates.
fn score(verdict: Verdict) -> i32 {
    match verdict {
        Verdict::Score(score) => score.0,
        Verdict::Proof(Proof::Win(_)) => i32::MAX / 4,
        Verdict::Proof(Proof::Loss(_)) => i32::MIN / 4,
    }
}
