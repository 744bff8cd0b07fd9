//! An engine that looks ahead by whole turns, as bot_drake does (Hřebejk 2013, 5.6 and B.2): every distinct turn is played, and
//! what it leads to is evaluated, or answered by every distinct turn in its turn.
//!
//! It compares evaluations: they see the same turns, and only how positions are valued differs.

use std::cmp::Ordering;
use std::fmt::Debug;
use std::sync::Arc;
use std::time::{Duration, Instant};

use arimaa::{Action, Game, Position, Reached, Turn, TurnGenerator, WHOLE_TURN};
use arimaa_ai::{Evaluation, allows, choose_setup, win};
use engine::{
    Engine, EvaluationTrace, Info, Limits, Line, MOST_LINES, Sink, Stop, Traced, Verdict,
};
use game::{History, Proof, Score, Steps, Turns};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use search::Evaluator;

use crate::FunctionModel;

/// How an engine that looks ahead by whole turns values a position.
pub trait TurnEvaluation: Debug + Send {
    /// How the side to move stands, as its turn begins.
    fn value(&self, position: &Position) -> f32;

    /// What the value is made of.
    fn trace(&self, position: &Position) -> EvaluationTrace;
}

/// By the three layers of bot_drake.
impl TurnEvaluation for Arc<FunctionModel> {
    fn value(&self, position: &Position) -> f32 {
        self.evaluate(position)
    }

    fn trace(&self, position: &Position) -> EvaluationTrace {
        FunctionModel::trace(self, position)
    }
}

/// Values positions by an evaluation of a search by steps, such as Tusk's own or that of another thesis.
#[derive(Clone, Debug)]
pub struct ByEvaluator<E>(pub E);

impl<E: Evaluator<Position> + Traced<Position> + Debug + Send> TurnEvaluation for ByEvaluator<E> {
    fn value(&self, position: &Position) -> f32 {
        let state = self.0.state(position);
        self.0.evaluate(position, &state, &mut E::Cache::default()).0 as f32
    }

    fn trace(&self, position: &Position) -> EvaluationTrace {
        self.0.trace(position)
    }
}

/// The engine.
#[derive(Debug)]
pub struct TurnEngine {
    evaluation: Box<dyn TurnEvaluation>,
    order: Evaluation,
    /// How many whole turns it looks ahead.
    depth: usize,
    /// How many lines it finds.
    lines: usize,
    rng: ChaCha8Rng,
    generator: TurnGenerator,
}

impl TurnEngine {
    /// An engine that looks so many whole turns ahead.
    pub fn new(evaluation: Box<dyn TurnEvaluation>, depth: usize) -> TurnEngine {
        TurnEngine {
            evaluation,
            order: Evaluation::default(),
            depth: depth.max(1),
            lines: 1,
            rng: ChaCha8Rng::seed_from_u64(0),
            generator: TurnGenerator::new(),
        }
    }

    /// What is found within the limits, iteration by iteration; nothing, if there was no time for a single turn.
    fn find(
        &mut self,
        game: &Game,
        limits: &Limits,
        stop: &Stop,
        sink: &mut Sink<Game>,
    ) -> Option<Info<Action>> {
        let position = game.position();
        if let Some(win) = win(position.board(), position.side(), position.steps_left()) {
            let proof = Verdict::Proof(Proof::Win(Turns(1)));
            let info = Info::without_search(Some(proof), vec![Action::Turn(win.turn)]);
            sink(&info);
            return Some(info);
        }
        let whole_turns = limits.depth.map_or(usize::MAX, |depth| usize::from(depth.0.div_ceil(4)));
        let depth = self.depth.min(whole_turns.max(1));
        let mut candidates = candidates(game, &self.order, &mut self.generator);
        let mut search = Search {
            evaluation: &*self.evaluation,
            order: &self.order,
            generator: &mut self.generator,
            past: game.history(),
            budget: Budget::new(limits, stop),
            refutations: vec![Refutations::default(); depth + 1],
        };
        let mut found: Option<Info<Action>> = None;
        for turns in 1..=depth {
            let (best, completed) = search.iterate(position, &mut candidates, turns, self.lines);
            if !best.is_empty() {
                let depth = if completed { turns } else { turns - 1 };
                let info = search.info(&best, depth);
                sink(&info);
                let is_proved = matches!(info.verdict(), Some(Verdict::Proof(_)));
                found = Some(info);
                if is_proved && self.lines == 1 {
                    break;
                }
            }
            if !completed || search.budget.is_late() {
                break;
            }
        }
        found
    }
}

impl Engine<Game> for TurnEngine {
    fn analyse(
        &mut self,
        game: &Game,
        limits: &Limits,
        stop: &Stop,
        sink: &mut Sink<Game>,
    ) -> Option<Info<Action>> {
        if let Some(side) = game.setting_up() {
            let setup = choose_setup(side, game.position().board(), &mut self.rng);
            return Some(Info::without_search(None, vec![Action::Setup(setup)]));
        }
        self.find(game, limits, stop, sink).or_else(|| {
            let turn = game.random_turn(&mut self.rng)?;
            Some(Info::without_search(None, vec![Action::Turn(turn)]))
        })
    }

    fn set_seed(&mut self, seed: u64) {
        self.rng = ChaCha8Rng::seed_from_u64(seed);
    }

    fn set_lines(&mut self, lines: usize) {
        self.lines = lines.clamp(1, MOST_LINES);
    }

    fn trace(&self, game: &Game) -> Option<EvaluationTrace> {
        let goes_on = game.setting_up().is_none() && game.outcome().is_none();
        goes_on.then(|| self.evaluation.trace(game.position()))
    }
}

/// A turn of the side to move, and what the last iteration has found of it: for a turn that is refuted, at most that.
#[derive(Clone, Copy)]
struct Candidate {
    turn: Turn,
    value: f32,
}

/// The turns that may be played, valued by an evaluation that is quickly found: where there is no time for all of them, the
/// likelier ones are to come first. Inside a turn, those are the ways to end it.
fn candidates(game: &Game, order: &Evaluation, generator: &mut TurnGenerator) -> Vec<Candidate> {
    let position = game.position();
    let turns = generator.distinct(position.board(), position.side()).iter();
    let turns = turns.map(|reached| reached.turn).filter(|turn| {
        let fits = turn.cost() <= position.steps_left();
        fits && allows(game, *turn)
    });
    let nothing = Some(Turn::EMPTY).filter(|&turn| position.can_pass() && allows(game, turn));
    let valued = |turn| Candidate { turn, value: quick_value(order, position, turn) };
    turns.chain(nothing).map(valued).collect()
}

/// How the side to move stands after a turn, by Tusk's own evaluation.
fn quick_value(order: &Evaluation, position: &Position, turn: Turn) -> f32 {
    let mut after = *position;
    after.play_turn_unchecked(turn);
    -order.evaluate(&after).0 as f32
}

/// What a win at once is worth. A later one is worth less by the turns that it takes.
const WON: f32 = 1e6;

/// Beyond this, a value is a proof.
const PROVED: f32 = WON - 1000.0;

/// The greatest score of an estimate, so that no model looks like a proof.
const MOST_POINTS: f32 = 30_000.0;

/// A line of a search, and what it is worth.
struct Found {
    value: f32,
    pv: Vec<Turn>,
}

impl Found {
    /// A value beyond all estimates tells by how much less than [`WON`] it is which turn decides the game, counted from 0. Each
    /// side plays every other turn.
    fn verdict(&self) -> Verdict {
        let turns = Turns((WON - self.value.abs()) as u16 / 2 + 1);
        match self.value {
            value if value > PROVED => Verdict::Proof(Proof::Win(turns)),
            value if value < -PROVED => Verdict::Proof(Proof::Loss(turns)),
            value => Verdict::Score(Score(value.round() as i32)),
        }
    }
}

/// What may still be spent.
struct Budget<'a> {
    begin: Instant,
    limits: Limits,
    stop: &'a Stop,
    nodes: u64,
    is_over: bool,
}

impl<'a> Budget<'a> {
    fn new(limits: &Limits, stop: &'a Stop) -> Budget<'a> {
        Budget { begin: Instant::now(), limits: *limits, stop, nodes: 0, is_over: false }
    }

    /// Counts a position; nothing, if there is none left. The clock is looked at now and then.
    fn enter(&mut self) -> Option<()> {
        const NOW_AND_THEN: u64 = 32;
        let is_out_of_nodes = self.limits.nodes.is_some_and(|most| self.nodes >= most);
        if self.nodes.is_multiple_of(NOW_AND_THEN) && self.is_stopped() || is_out_of_nodes {
            self.is_over = true;
        }
        self.nodes += 1;
        (!self.is_over).then_some(())
    }

    fn is_stopped(&self) -> bool {
        self.stop.is_requested() || self.is_beyond(self.limits.hard)
    }

    /// Whether no further iteration is to begin.
    fn is_late(&self) -> bool {
        self.is_over || self.is_stopped() || self.is_beyond(self.limits.soft)
    }

    fn is_beyond(&self, limit: Option<Duration>) -> bool {
        limit.is_some_and(|limit| self.begin.elapsed() >= limit)
    }
}

/// The turns that refuted others of the same ply, the most useful ones first.
#[derive(Clone, Default)]
struct Refutations(Vec<(Turn, u32)>);

impl Refutations {
    const MOST: usize = 24;

    fn add(&mut self, turn: Turn) {
        match self.0.iter().position(|&(known, _)| known == turn) {
            Some(index) => {
                self.0[index].1 += 1;
                let count = self.0[index].1;
                let place = self.0.partition_point(|&(_, other)| other >= count);
                self.0[place.min(index)..=index].rotate_right(1);
            }
            None => {
                self.0.truncate(Refutations::MOST - 1);
                self.0.push((turn, 1));
            }
        }
    }
}

/// Alpha-beta over whole turns. Where the budget is over, there is no value.
struct Search<'a> {
    evaluation: &'a dyn TurnEvaluation,
    order: &'a Evaluation,
    generator: &'a mut TurnGenerator,
    past: &'a History,
    budget: Budget<'a>,
    /// By the ply.
    refutations: Vec<Refutations>,
}

impl Search<'_> {
    /// Looks so many turns ahead, at the candidates in the order of their values. The best lines, and whether there was time for
    /// all candidates.
    fn iterate(
        &mut self,
        position: &Position,
        candidates: &mut [Candidate],
        turns: usize,
        lines: usize,
    ) -> (Vec<Found>, bool) {
        candidates.sort_by(|one, other| descending(one.value, other.value));
        let mut best: Vec<Found> = Vec::new();
        let mut pv = Vec::new();
        for candidate in candidates.iter_mut() {
            let alpha = best.get(lines - 1).map_or(f32::NEG_INFINITY, |found| found.value);
            let mut after = *position;
            after.play_turn_unchecked(candidate.turn);
            let window = (f32::NEG_INFINITY, -alpha);
            let Some(value) = self.after_turn(&after, turns - 1, window, 1, &mut pv) else {
                return (best, false);
            };
            candidate.value = -value;
            if -value > alpha {
                let place = best.partition_point(|found| found.value >= -value);
                let line = std::iter::once(candidate.turn).chain(pv.iter().copied());
                best.insert(place, Found { value: -value, pv: line.collect() });
                best.truncate(lines);
            }
        }
        (best, true)
    }

    /// The value for the side to move after a turn, with so many whole turns to look ahead.
    fn after_turn(
        &mut self,
        position: &Position,
        turns: usize,
        window: (f32, f32),
        ply: usize,
        pv: &mut Vec<Turn>,
    ) -> Option<f32> {
        pv.clear();
        self.budget.enter()?;
        if let Some(outcome) = position.outcome() {
            let decided = WON - (ply - 1) as f32;
            return Some(if outcome.winner == position.side() { decided } else { -decided });
        }
        if let Some(win) = win(position.board(), position.side(), WHOLE_TURN) {
            pv.push(win.turn);
            return Some(WON - ply as f32);
        }
        match turns {
            0 => Some(self.evaluation.value(position).clamp(-MOST_POINTS, MOST_POINTS)),
            _ => self.best_reply(position, turns, window, ply, pv),
        }
    }

    /// The value of the best turn: first those that refuted others, then all.
    fn best_reply(
        &mut self,
        position: &Position,
        turns: usize,
        (alpha, beta): (f32, f32),
        ply: usize,
        pv: &mut Vec<Turn>,
    ) -> Option<f32> {
        let mut node = Node { turns, ply, best: -(WON - ply as f32), alpha, beta };
        let known = self.refutations[ply].0.clone();
        for &(turn, _) in &known {
            let mut after = *position;
            let is_legal = after.try_play_turn(turn).is_ok();
            if is_legal && self.past.count(after.repetition_key()) < 2 {
                self.try_reply(&mut node, turn, &after, pv)?;
                if node.best >= beta {
                    return Some(node.best);
                }
            }
        }
        for turn in self.ordered_turns(position) {
            let mut after = *position;
            after.play_turn_unchecked(turn);
            if known.iter().any(|&(known, _)| known == turn) {
                continue;
            }
            self.try_reply(&mut node, turn, &after, pv)?;
            if node.best >= beta {
                break;
            }
        }
        Some(node.best)
    }

    fn try_reply(
        &mut self,
        node: &mut Node,
        turn: Turn,
        after: &Position,
        pv: &mut Vec<Turn>,
    ) -> Option<()> {
        let mut line = Vec::new();
        let window = (-node.beta, -node.alpha.max(node.best));
        let value = -self.after_turn(after, node.turns - 1, window, node.ply + 1, &mut line)?;
        if value > node.best {
            node.best = value;
            pv.clear();
            pv.push(turn);
            pv.append(&mut line);
        }
        if value >= node.beta {
            self.refutations[node.ply].add(turn);
        }
        Some(())
    }

    /// The distinct turns that may be played, those first after which an evaluation that is quickly found is best.
    fn ordered_turns(&mut self, position: &Position) -> Vec<Turn> {
        let (order, past) = (self.order, self.past);
        let quick = |reached: &Reached| (quick_value(order, position, reached.turn), reached.turn);
        let turns = self.generator.distinct(position.board(), position.side()).iter();
        let allowed = turns.filter(|reached| past.count(reached.key) < 2);
        let mut turns: Vec<(f32, Turn)> = allowed.map(quick).collect();
        turns.sort_by(|one, other| descending(one.0, other.0));
        turns.into_iter().map(|(_, turn)| turn).collect()
    }

    /// What was found, told as an info.
    fn info(&self, best: &[Found], turns: usize) -> Info<Action> {
        let line = |found: &Found| Line {
            verdict: Some(found.verdict()),
            visits: None,
            win_ratio: None,
            pv: found.pv.iter().map(|&turn| Action::Turn(turn)).collect(),
        };
        Info {
            lines: best.iter().map(line).collect(),
            depth: Steps((turns * usize::from(WHOLE_TURN.0)) as u8),
            nodes: self.budget.nodes,
            time: self.budget.begin.elapsed(),
            ..Info::without_search(None, Vec::new())
        }
    }
}

/// A position whose turns are tried.
struct Node {
    turns: usize,
    ply: usize,
    best: f32,
    alpha: f32,
    beta: f32,
}

fn descending(one: f32, other: f32) -> Ordering {
    other.total_cmp(&one)
}
