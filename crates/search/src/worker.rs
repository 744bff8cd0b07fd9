use std::ops::ControlFlow;
use std::time::Instant;

use game::{History, Key, Position, Side};

use crate::order::{Memory, Picker};
use crate::table::{Bound, Entry, Table};
use crate::value::Value;
use crate::{Knowledge, Limits, Parameters, Stop};

/// One thread of an alpha-beta search.
pub(crate) struct Worker<'a, P: Position, K: Knowledge<P>> {
    pub(crate) knowledge: &'a K,
    pub(crate) parameters: &'a Parameters,
    pub(crate) table: &'a Table<P::Step>,
    pub(crate) past: &'a History,
    pub(crate) limits: Limits,
    pub(crate) stop: &'a Stop,
    pub(crate) begin: Instant,
    pub(crate) nodes: u64,
    /// The search has been told to stop, or a limit was reached: what it returns means nothing.
    pub(crate) is_stopped: bool,
    memory: Memory<P::Step>,
    /// For each ply, the best line from there.
    lines: Vec<Vec<P::Step>>,
    buffers: Vec<Vec<(i32, P::Step)>>,
    scratch: K::Scratch,
    /// The positions at the starts of turns on the way from the root.
    path: Vec<Key>,
}

/// More steps than any search goes deep.
pub(crate) const MOST_PLIES: usize = 256;

/// How often the clock is looked at, in nodes.
const NODES_A_LOOK: u64 = 1024;

/// The values that matter: one that is not above `alpha` is not good enough for the side to move, one
/// that is not below `beta` is too good to be allowed by the other.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Window {
    pub(crate) alpha: Value,
    pub(crate) beta: Value,
}

impl Window {
    pub(crate) const ALL: Window = Window { alpha: Value::MIN, beta: Value::MAX };

    /// Whether it asks no more than if a value is above alpha.
    fn is_null(self) -> bool {
        self.alpha.successor() == self.beta
    }

    /// The question whether a value is above alpha.
    fn above_alpha(self) -> Window {
        Window { beta: self.alpha.successor(), ..self }
    }

    /// In the eyes of the other side.
    fn turned(self) -> Window {
        Window { alpha: -self.beta, beta: -self.alpha }
    }
}

/// Where in the tree a position is.
#[derive(Clone, Copy)]
struct Place {
    /// Steps from the root.
    ply: usize,
    /// Turns that have ended since the root.
    turns: u16,
    /// The steps to be searched from here.
    depth: i32,
    /// A turn was given up on the way here, not to be done twice.
    after_null: bool,
}

impl<'a, P: Position, K: Knowledge<P>> Worker<'a, P, K> {
    pub(crate) fn new(
        knowledge: &'a K,
        parameters: &'a Parameters,
        table: &'a Table<P::Step>,
        past: &'a History,
        limits: Limits,
        stop: &'a Stop,
    ) -> Worker<'a, P, K> {
        Worker {
            knowledge,
            parameters,
            table,
            past,
            limits,
            stop,
            begin: Instant::now(),
            nodes: 0,
            is_stopped: false,
            memory: Memory::new(MOST_PLIES),
            lines: vec![Vec::new(); MOST_PLIES + 1],
            buffers: vec![Vec::new(); MOST_PLIES],
            scratch: K::Scratch::default(),
            path: Vec::new(),
        }
    }

    /// The value of the root and the line that leads to it, or nothing if the search was stopped.
    pub(crate) fn root(
        &mut self,
        position: &P,
        depth: i32,
        window: Window,
    ) -> Option<(Value, &[P::Step])> {
        self.path.clear();
        let place = Place { ply: 0, turns: 0, depth, after_null: false };
        let value = self.steps(position, place, window);
        (!self.is_stopped).then(|| (value, self.lines[0].as_slice()))
    }

    /// The value of a position inside the tree.
    fn search(&mut self, position: &P, place: Place, window: Window) -> Value {
        self.lines[place.ply].clear();
        if self.must_stop() || place.ply >= MOST_PLIES {
            return window.alpha;
        }
        if position.turn_starts() {
            if let Some(result) = self.result(position, place.turns) {
                return result;
            }
            // No win can be sooner than with this turn, no loss sooner than with the next.
            let (best, worst) = (Value::win(place.turns), Value::loss(place.turns + 1));
            if best <= window.alpha {
                return best;
            }
            if worst >= window.beta {
                return worst;
            }
            if self.parameters.defences != 0 && self.knowledge.is_threatened(position) {
                return self.threatened(position, place, window);
            }
            if self.may_give_up_turn(position, place, window)
                && let Some(value) = self.without_turn(position, place, window)
            {
                return value;
            }
        }
        if place.depth <= 0 {
            return self.estimate(position);
        }
        self.steps(position, place, window)
    }

    /// The value of a position in which the other side threatens to win: without a defence it is lost,
    /// and a turn that is forced costs no depth.
    fn threatened(&mut self, position: &P, place: Place, window: Window) -> Value {
        // This takes longer than other nodes do.
        self.look_at_limits();
        if self.is_stopped {
            return window.alpha;
        }
        if let Some(value) = self.known(position.key(), place, window) {
            return value;
        }
        if !self.knowledge.has_defence(position, &mut self.scratch) {
            return Value::loss(place.turns + 1);
        }
        if place.depth <= 0 {
            return self.estimate(position);
        }
        match self.knowledge.few_defences(position, &mut self.scratch) {
            Some(turns) => self.turns(position, place, window, &turns),
            None => self.steps(position, place, window),
        }
    }

    /// Searches whole turns, the only ones that count.
    fn turns(
        &mut self,
        position: &P,
        place: Place,
        window: Window,
        turns: &[Vec<P::Step>],
    ) -> Value {
        let key = position.key();
        let depth = place.depth + self.parameters.threat_extension;
        let place = Place { depth, ..place };
        if let Some(value) = self.known(key, place, window) {
            return value;
        }
        let mut best = Value::MIN;
        let mut asked = window;
        for (count, turn) in turns.iter().enumerate() {
            let mut after = position.clone();
            turn.iter().for_each(|&step| after.play(step));
            if self.is_forbidden(&after) {
                continue;
            }
            self.nodes += 1;
            let below = Place { ply: place.ply + 1, depth: place.depth - 4, ..place };
            let mut value = Value::MAX;
            if count > 0 {
                value = self.child(position.side(), &after, below, asked.above_alpha());
            }
            if value > asked.alpha && !self.is_stopped {
                value = self.child(position.side(), &after, below, asked);
            }
            if self.is_stopped {
                return window.alpha;
            }
            if value > best {
                best = value;
                if value > asked.alpha {
                    asked.alpha = value;
                    self.extend_line(place.ply, turn);
                }
                if value >= window.beta {
                    break;
                }
            }
        }
        if best == Value::MIN {
            return Value::loss(place.turns.saturating_sub(1));
        }
        self.remember(key, place, window, best, None);
        best
    }

    /// What the table knows of a position, if it settles the question.
    fn known(&self, key: Key, place: Place, window: Window) -> Option<Value> {
        if self.parameters.table == 0 || !window.is_null() {
            return None;
        }
        usable(self.table.get(key)?, place, window)
    }

    fn estimate(&mut self, position: &P) -> Value {
        Value::from(self.knowledge.evaluate(position, &mut self.scratch))
    }

    /// How the game has ended at the start of a turn, or ends with it for all to see.
    fn result(&self, position: &P, turns: u16) -> Option<Value> {
        match position.winner() {
            Some(winner) if winner == position.side() => Some(Value::win(turns)),
            Some(_) => Some(Value::loss(turns.saturating_sub(1))),
            None => self.knowledge.wins(position).then(|| Value::win(turns)),
        }
    }

    /// Searches the steps of a position with depth left.
    fn steps(&mut self, position: &P, place: Place, window: Window) -> Value {
        let key = position.key();
        let entry = if self.parameters.table != 0 { self.table.get(key) } else { None };
        if let Some(entry) = entry
            && window.is_null()
            && let Some(value) = usable(entry, place, window)
        {
            return value;
        }
        let futile = self.futility(position, place, window);
        let first = entry.and_then(|entry| entry.step);
        let mut best = futile.unwrap_or(Value::MIN);
        let mut best_step = None;
        let mut asked = window;
        let mut picker = self.ordered_steps(position, place.ply, first);
        let mut tried: [Option<P::Step>; 8] = [None; 8];
        let mut count = 0;
        for step in picker.by_ref() {
            if futile.is_some() && count > 0 && self.knowledge.promise(position, step) <= 0 {
                continue;
            }
            let mut after = position.clone();
            after.play(step);
            if after.is_idle() || self.is_forbidden(&after) {
                continue;
            }
            self.table.prefetch(after.key());
            self.nodes += 1;
            let cost = i32::from(position.cost(step).0);
            let below = Place { ply: place.ply + 1, depth: place.depth - cost, ..place };
            let value = match count {
                0 => self.child(position.side(), &after, below, asked),
                _ => self.later_child(position, &after, step, below, asked, count),
            };
            if self.is_stopped {
                break;
            }
            if value > best {
                best = value;
                if value > asked.alpha {
                    asked.alpha = value;
                    best_step = Some(step);
                    self.extend_line(place.ply, &[step]);
                }
                if value >= window.beta {
                    let others = tried.into_iter().flatten();
                    self.memory.reward(position.side(), place.ply, step, others, place.depth);
                    break;
                }
            }
            if let Some(slot) = tried.get_mut(count) {
                *slot = Some(step);
            }
            count += 1;
        }
        self.buffers[place.ply] = picker.into_buffer();
        if self.is_stopped {
            return window.alpha;
        }
        if best == Value::MIN {
            // Whatever is played repeats a position for the third time. Inside a turn, another one
            // must be played; at its start, the game is lost.
            let stuck = Value::loss(place.turns.saturating_sub(1));
            return if position.turn_starts() { stuck } else { Value::MIN };
        }
        self.remember(key, place, window, best, best_step);
        best
    }

    fn remember(
        &self,
        key: Key,
        place: Place,
        window: Window,
        value: Value,
        step: Option<P::Step>,
    ) {
        let bound = match value {
            _ if value >= window.beta => Bound::Lower,
            _ if value > window.alpha => Bound::Exact,
            _ => Bound::Upper,
        };
        let value = value.seen_from(place.turns);
        let depth = place.depth.clamp(0, 255) as u8;
        if self.parameters.table != 0 {
            self.table.put(key, Entry { value, bound, depth, step });
        }
    }

    /// The value of a position that `side` has brought about, in its eyes.
    fn child(&mut self, side: Side, after: &P, below: Place, window: Window) -> Value {
        if after.side() == side && !after.turn_starts() {
            return self.search(after, below, window);
        }
        let below = Place { turns: below.turns + 1, ..below };
        self.path.push(after.key());
        let value = match after.side() == side {
            true => self.search(after, below, window),
            false => -self.search(after, below, window.turned()),
        };
        self.path.pop();
        value
    }

    /// The value of a step after the first: it is asked whether it is better at all, with less depth if it
    /// is late in the order, and only then how good it is.
    fn later_child(
        &mut self,
        position: &P,
        after: &P,
        step: P::Step,
        below: Place,
        window: Window,
        count: usize,
    ) -> Value {
        let side = position.side();
        let reduction = self.reduction(position, step, below, count);
        if reduction > 0 {
            let shallow = Place { depth: below.depth - reduction, ..below };
            let value = self.child(side, after, shallow, window.above_alpha());
            if value <= window.alpha || self.is_stopped {
                return value;
            }
        }
        let value = self.child(side, after, below, window.above_alpha());
        if value <= window.alpha || value >= window.beta || self.is_stopped || window.is_null() {
            return value;
        }
        self.child(side, after, below, window)
    }

    /// By how much less a step is searched at first.
    fn reduction(&self, position: &P, step: P::Step, below: Place, count: usize) -> i32 {
        let late = count as i32 - self.parameters.late_from;
        if self.parameters.late_steps == 0 || late < 0 || below.depth < 2 {
            return 0;
        }
        if self.knowledge.promise(position, step) > 0 {
            return 0;
        }
        1 + i32::from(late > 8) + i32::from(late > 16 && below.depth > 6)
    }

    /// Where the estimate is so far below alpha that a quiet step will not reach it: what the others are
    /// worth at most.
    fn futility(&mut self, position: &P, place: Place, window: Window) -> Option<Value> {
        let near_leaf = self.parameters.futility != 0 && place.depth <= 2 && place.ply > 0;
        if !near_leaf || !window.is_null() || window.alpha.is_result() {
            return None;
        }
        let margin = self.parameters.futility_margin * place.depth;
        let hoped = self.estimate(position).plus(margin);
        (hoped <= window.alpha).then_some(hoped)
    }

    fn may_give_up_turn(&mut self, position: &P, place: Place, window: Window) -> bool {
        self.parameters.null_move != 0
            && place.ply > 0
            && !place.after_null
            && place.depth > 4
            && window.is_null()
            && !window.beta.is_result()
            && self.estimate(position) >= window.beta
    }

    /// Whether the position is too good even if the side to move gives up its turn.
    fn without_turn(&mut self, position: &P, place: Place, window: Window) -> Option<Value> {
        let after = self.knowledge.without_turn(position)?;
        let depth = place.depth - 4 - self.parameters.null_reduction;
        let below = Place { ply: place.ply + 1, turns: place.turns, depth, after_null: true };
        self.nodes += 1;
        let value = self.child(position.side(), &after, below, window);
        // What was won by doing nothing is not proved: the turn was not legal.
        (!self.is_stopped && value >= window.beta).then_some(window.beta)
    }

    /// Whether the turn that has ended brings about the same position for the third time.
    fn is_forbidden(&self, after: &P) -> bool {
        if !after.turn_starts() {
            return false;
        }
        let key = after.key();
        let on_path = self.path.iter().filter(|&&other| other == key).count() as u32;
        on_path + self.past.count(key) >= 2
    }

    /// The steps of a position, the most promising first.
    fn ordered_steps(
        &mut self,
        position: &P,
        ply: usize,
        first: Option<P::Step>,
    ) -> Picker<P::Step> {
        let mut steps = std::mem::take(&mut self.buffers[ply]);
        steps.clear();
        let killers = match self.parameters.killers {
            0 => [None; 2],
            _ => self.memory.killers(ply),
        };
        let side = position.side();
        let _ = position.for_each_step(|step| {
            let promise = match Some(step) {
                step if step == first => 1 << 30,
                step if step == killers[0] => 1 << 21,
                step if step == killers[1] => 1 << 20,
                _ if self.parameters.history == 0 => self.knowledge.promise(position, step),
                _ => self.knowledge.promise(position, step) + self.memory.history(side, step),
            };
            steps.push((promise, step));
            ControlFlow::Continue(())
        });
        Picker::new(steps)
    }

    /// Puts steps before the line of the next ply.
    fn extend_line(&mut self, ply: usize, steps: &[P::Step]) {
        let (upper, lower) = self.lines.split_at_mut(ply + 1);
        upper[ply].clear();
        upper[ply].extend_from_slice(steps);
        upper[ply].extend_from_slice(&lower[0]);
    }

    #[inline]
    fn must_stop(&mut self) -> bool {
        if !self.is_stopped && self.nodes.is_multiple_of(NODES_A_LOOK) {
            self.look_at_limits();
        }
        self.is_stopped
    }

    fn look_at_limits(&mut self) {
        let late = self.limits.hard.is_some_and(|time| self.begin.elapsed() >= time);
        let spent = self.limits.nodes.is_some_and(|nodes| self.nodes >= nodes);
        self.is_stopped = late || spent || self.stop.is_requested();
    }
}

/// The value of an entry, if it settles the question.
fn usable<Step>(entry: Entry<Step>, place: Place, window: Window) -> Option<Value> {
    let value = entry.value.seen_from_root(place.turns);
    let deep = i32::from(entry.depth) >= place.depth;
    let settles = match entry.bound {
        Bound::Exact => true,
        Bound::Lower => value >= window.beta,
        Bound::Upper => value <= window.alpha,
    };
    (deep && settles).then_some(value)
}
