use std::ops::ControlFlow;
use std::time::Instant;

use game::{History, Key, Position, Side, Steps};

use crate::node::{Node, Place, Window};
use crate::order::{Credit, Memory, Numbers, Options, Places};
use crate::progress::Completed;
use crate::pruning::Reductions;
use crate::shared::Shared;
use crate::table::{Effort, Entry};
use crate::under_way::{LEAST_DEPTH, UnderWay};
use crate::value::Value;
use crate::{Knowledge, Limits, Parameters, Report, Stop};

/// One thread of an alpha-beta search.
pub(crate) struct Worker<'a, P: Position, K: Knowledge<P>> {
    pub(crate) knowledge: &'a K,
    pub(crate) parameters: &'a Parameters,
    pub(crate) shared: &'a Shared<P::Step>,
    pub(crate) past: &'a History,
    pub(crate) limits: Limits,
    pub(crate) stop: &'a Stop,
    /// What other threads are at, if there are any.
    pub(crate) others: Option<&'a UnderWay>,
    /// The depth of the iteration.
    iteration: u8,
    pub(crate) begin: Instant,
    pub(crate) nodes: u64,
    /// The search has been told to stop, a limit was reached, or another thread has completed the
    /// iteration: what it returns means nothing.
    pub(crate) is_stopped: bool,
    pub(crate) scratch: K::Scratch,
    memory: Memory<P::Step>,
    pub(crate) reductions: Reductions,
    /// For each ply, the best line from there.
    lines: Vec<Vec<P::Step>>,
    buffers: Vec<Vec<(i32, P::Step)>>,
    /// The positions at the starts of turns on the way from the root.
    path: Vec<Key>,
}

/// More steps than any search goes deep.
pub(crate) const MOST_PLIES: usize = 256;

/// What the past makes of a step stays below the step that the table knows.
const MOST_PROMISE: i32 = 1 << 29;

/// How often the clock is looked at, in nodes.
const NODES_A_LOOK: u64 = 1024;

impl<'a, P: Position, K: Knowledge<P>> Worker<'a, P, K> {
    pub(crate) fn new(
        knowledge: &'a K,
        parameters: &'a Parameters,
        shared: &'a Shared<P::Step>,
        past: &'a History,
        limits: Limits,
        stop: &'a Stop,
    ) -> Worker<'a, P, K> {
        let places = if parameters.killers > 1 { Places::InsideTurn } else { Places::Ply };
        let credit = if parameters.history > 1 { Credit::Doubling } else { Credit::Square };
        Worker {
            knowledge,
            parameters,
            shared,
            past,
            limits,
            stop,
            others: None,
            iteration: 0,
            begin: Instant::now(),
            nodes: 0,
            is_stopped: false,
            scratch: K::Scratch::default(),
            memory: Memory::new(places, credit),
            reductions: Reductions::new(parameters),
            lines: vec![Vec::new(); MOST_PLIES + 1],
            buffers: vec![Vec::new(); MOST_PLIES],
            path: Vec::new(),
        }
    }

    /// The value of the root and the line that leads to it, or nothing if the search was stopped.
    pub(crate) fn root(
        &mut self,
        position: &P,
        depth: u8,
        window: Window,
    ) -> Option<(Value, &[P::Step])> {
        self.iteration = depth;
        self.is_stopped = false;
        self.path.clear();
        let mut node = Node::new(position, Place::root(i32::from(depth)), window);
        let entry = self.entry(position.key());
        if self.parameters.razoring != 0 {
            self.estimate(&mut node);
        }
        // Where nothing helps, any turn will do: all of them are searched.
        let forced = self.is_threatened(&node).then(|| self.few_defences(&node)).flatten();
        let options = forced.filter(|options| !options.is_empty());
        let value = self.best(&mut node, entry, options);
        (!self.is_stopped).then(|| (value, self.lines[0].as_slice()))
    }

    /// What there is to tell of an iteration that was completed by now.
    pub(crate) fn report(&self, completed: &Completed<P::Step>) -> Report<P::Step> {
        Report {
            depth: Steps(completed.depth),
            verdict: completed.value.verdict(),
            line: completed.line.clone(),
            nodes: self.nodes,
            time: self.begin.elapsed(),
        }
    }

    /// The value of a position inside the tree.
    pub(crate) fn search(&mut self, mut node: Node<P>) -> Value {
        let Node { position, place, window, .. } = node;
        self.lines[place.ply].clear();
        if self.must_stop() || place.ply >= MOST_PLIES {
            return window.alpha;
        }
        let entry = self.entry(position.key());
        if let Some(entry) = entry {
            match self.consult(entry, place, window) {
                ControlFlow::Break(value) => return value,
                ControlFlow::Continue(window) => node.window = window,
            }
        }
        let window = node.window;
        if position.turn_starts() {
            if let Some(value) = self.result(position, place, window) {
                return value;
            }
            if self.is_threatened(&node) {
                return self.threatened(&mut node, entry);
            }
            if let Some(value) = self.razored(&mut node).or_else(|| self.without_turn(&mut node)) {
                return value;
            }
        }
        if place.depth <= 0 {
            let value = self.leaf(&mut node);
            self.remember_leaf(&node, value);
            return value;
        }
        self.best(&mut node, entry, None)
    }

    /// How the game has ended at the start of a turn, or ends with it for all to see; or a bound that
    /// is enough.
    fn result(&self, position: &P, place: Place, window: Window) -> Option<Value> {
        // No win can be sooner than with this turn, no loss sooner than with the next.
        let (win, loss) = (Value::win(place.turns), Value::loss(place.turns + 1));
        match position.winner() {
            Some(winner) if winner == position.side() => {
                // The other side has ended the game with its own turn: sooner than it had to.
                let sooner = u16::from(self.parameters.own_defeats != 0);
                Some(Value::win(place.turns.saturating_sub(sooner)))
            }
            Some(_) => Some(Value::loss(place.turns.saturating_sub(1))),
            None if win <= window.alpha => Some(win),
            None if loss >= window.beta => Some(loss),
            None if self.parameters.wins == 0 => None,
            None => self.knowledge.wins(position).then_some(win),
        }
    }

    fn is_threatened(&self, node: &Node<P>) -> bool {
        let starts = node.position.turn_starts();
        starts && self.parameters.defences != 0 && self.knowledge.is_threatened(node.position)
    }

    /// The value of a position in which the other side threatens to win: without a defence it is lost,
    /// and a turn that is forced costs less depth.
    fn threatened(&mut self, node: &mut Node<P>, entry: Option<Entry<P::Step>>) -> Value {
        // This takes longer than other nodes do.
        self.look_at_limits();
        if self.is_stopped {
            return node.window.alpha;
        }
        let lost = Value::loss(node.place.turns + 1);
        if node.place.depth >= self.parameters.defences {
            let options = self.few_defences(node);
            if options.is_some() {
                node.place.depth += self.parameters.threat_extension;
            }
            return match options {
                Some(options) if options.is_empty() => lost,
                options => self.best(node, entry, options),
            };
        }
        let (position, scratch) = (node.position, &mut self.scratch);
        let find = || self.knowledge.has_defence(position, scratch);
        let has_defence = self.shared.defences.verdict(position.key(), find);
        if has_defence && node.place.depth > 0 {
            return self.best(node, entry, None);
        }
        let value = if has_defence { self.leaf(node) } else { lost };
        self.remember_leaf(node, value);
        value
    }

    fn few_defences(&mut self, node: &Node<P>) -> Option<Options<P::Step>> {
        let (position, scratch) = (node.position, &mut self.scratch);
        let find = || self.knowledge.few_defences(position, scratch);
        self.shared.defences.list(position.key(), find).map(Options::Turns)
    }

    /// The estimate of a position, made once.
    pub(crate) fn estimate(&mut self, node: &mut Node<P>) -> Value {
        let (position, scratch) = (node.position, &mut self.scratch);
        let evaluate = || Value::from(self.knowledge.evaluate(position, scratch));
        *node.estimate.get_or_insert_with(evaluate)
    }

    /// The value of a position with depth left: that of the best option, by default of its steps.
    fn best(
        &mut self,
        node: &mut Node<P>,
        entry: Option<Entry<P::Step>>,
        options: Option<Options<P::Step>>,
    ) -> Value {
        let by_turns = options.is_some();
        let futile = if by_turns { None } else { self.futility(node) };
        let mut options = options.unwrap_or_else(|| self.ordered_steps(node, entry));
        let mut trial = Trial {
            nodes_before: self.nodes,
            unfinished: !by_turns && self.is_unfinished(node),
            futile,
            asked: node.window,
            best: futile.unwrap_or(Value::MIN),
            best_step: None,
            tried: [None; 8],
            count: 0,
        };
        self.try_options(node, &mut options, &mut trial);
        if let Options::Steps { steps, .. } = options {
            self.buffers[node.place.ply] = steps;
        }
        if self.is_stopped {
            return node.window.alpha;
        }
        if trial.best == Value::MIN {
            // Whatever is played repeats a position for the third time. Inside a turn, another one
            // must be played; at its start, the game is lost.
            let stuck = Value::loss(node.place.turns.saturating_sub(1));
            return if node.position.turn_starts() { stuck } else { Value::MIN };
        }
        let effort = Effort::of(self.nodes - trial.nodes_before);
        self.remember(node, trial.best, trial.best_step, effort);
        trial.best
    }

    /// Searches the options one after the other, until one is too good.
    fn try_options(
        &mut self,
        node: &mut Node<P>,
        options: &mut Options<P::Step>,
        trial: &mut Trial<P::Step>,
    ) {
        let mut numbers = Numbers::new(options.len());
        while let Some(steps) = numbers.next().and_then(|number| options.get(number)) {
            let Some((after, below)) = self.enter(node, steps, trial) else { continue };
            let shared = self.others.filter(|_| trial.count > 0 && below.depth >= LEAST_DEPTH);
            let (key, depth) = (after.key(), below.depth);
            if shared.is_some_and(|others| others.has(key, depth)) && numbers.put_off() {
                continue;
            }
            shared.inspect(|others| others.begin(key, depth));
            let value = self.option_value(node, &after, steps, below, trial);
            shared.inspect(|others| others.end(key, depth));
            if self.is_stopped {
                return;
            }
            if value > trial.best {
                trial.best = value;
                if value > trial.asked.alpha {
                    trial.asked.alpha = value;
                    trial.best_step = Some(steps[0]);
                    self.extend_line(node.place.ply, steps);
                }
                if value >= node.window.beta {
                    let others = trial.tried.into_iter().flatten();
                    self.memory.reward(node.position.side(), node.place, steps[0], others);
                    return;
                }
            }
            if let Some(slot) = trial.tried.get_mut(trial.count) {
                *slot = Some(steps[0]);
            }
            trial.count += 1;
        }
    }

    /// The position after an option and its place in the tree; nothing, if the option is left out.
    fn enter(
        &mut self,
        node: &Node<P>,
        steps: &[P::Step],
        trial: &Trial<P::Step>,
    ) -> Option<(P, Place)> {
        let is_quiet = |step| self.knowledge.is_quiet(node.position, step);
        if trial.futile.is_some() && trial.count > 0 && is_quiet(steps[0])
            || self.is_out_of_place(node, steps[0], trial.unfinished)
        {
            return None;
        }
        let mut after = node.position.clone();
        let mut cost = 0;
        for &step in steps {
            cost += i32::from(after.cost(step).0);
            after.play(step);
        }
        if after.is_idle() || self.is_forbidden(&after) {
            return None;
        }
        self.shared.table.prefetch(after.key());
        self.nodes += 1;
        Some((after, node.place.after(cost)))
    }

    /// The value of an option. Of all but the first, it is asked whether it is better at all, with
    /// less depth if it is late in the order, and only then how good it is.
    fn option_value(
        &mut self,
        node: &Node<P>,
        after: &P,
        steps: &[P::Step],
        below: Place,
        trial: &Trial<P::Step>,
    ) -> Value {
        let toll = self.reversibility(node, steps, after);
        let asked = trial.asked.raised(toll);
        let scout = asked.above_alpha();
        if trial.count > 0 {
            let reduction = self.reduction(node, below, steps[0], trial);
            if reduction > 0 {
                let shallow = Place { depth: below.depth - reduction, ..below };
                let value = self.child(node, after, steps, shallow, scout);
                if value <= scout.alpha || self.is_stopped {
                    return value.plus(-toll);
                }
            }
            if self.parameters.scout != 0 && !asked.is_null() {
                let value = self.child(node, after, steps, below, scout);
                if value <= asked.alpha || value >= asked.beta || self.is_stopped {
                    return value.plus(-toll);
                }
            }
        }
        self.child(node, after, steps, below, asked).plus(-toll)
    }

    /// The value of the position after an option, in the eyes of who has played it.
    fn child(
        &mut self,
        node: &Node<P>,
        after: &P,
        steps: &[P::Step],
        below: Place,
        window: Window,
    ) -> Value {
        let side = node.position.side();
        if after.side() != side || after.turn_starts() {
            let before = node.estimate_at_start();
            return self.next_turn(side, after, below, window, before);
        }
        let begun = steps.last().map(|&last| node.begun_by(last));
        self.search(Node { begun, ..Node::new(after, below, window) })
    }

    /// The value of a position with which `side` has ended a turn, in its eyes; `before` is what it
    /// was estimated at before the turn.
    pub(crate) fn next_turn(
        &mut self,
        side: Side,
        after: &P,
        below: Place,
        window: Window,
        before: Option<Value>,
    ) -> Value {
        let below = below.next_turn();
        self.path.push(after.key());
        let value = match after.side() == side {
            true => self.search(Node::new(after, below, window)),
            false => {
                let node = Node::new(after, below, window.turned());
                -self.search(Node { enemy_before: before, ..node })
            }
        };
        self.path.pop();
        value
    }

    /// Whether the turn that has ended brings about the same position for the third time.
    pub(crate) fn is_forbidden(&self, after: &P) -> bool {
        if !after.turn_starts() {
            return false;
        }
        let key = after.key();
        let on_path = self.path.iter().filter(|&&other| other == key).count() as u32;
        on_path + self.past.count(key) >= 2
    }

    /// The steps of a position, the most promising first.
    fn ordered_steps(&mut self, node: &Node<P>, entry: Option<Entry<P::Step>>) -> Options<P::Step> {
        let Node { position, place, .. } = *node;
        let mut steps = std::mem::take(&mut self.buffers[place.ply]);
        steps.clear();
        let first = entry.and_then(|entry| entry.step).filter(|_| self.parameters.table_step != 0);
        let killers = match self.parameters.killers {
            0 => [None; 2],
            _ => self.memory.killers(place),
        };
        let _ = position.for_each_step(|step| {
            if self.knowledge.has_twin(position, step) {
                return ControlFlow::Continue(());
            }
            let promise = match Some(step) {
                step if step == first => 1 << 30,
                step if step == killers[0] => 1 << 21,
                step if step == killers[1] => 1 << 20,
                _ => self.promise(node, step) + self.history(node, step),
            };
            steps.push((promise, step));
            ControlFlow::Continue(())
        });
        Options::steps(steps)
    }

    /// How much more promising a step is by what it was elsewhere.
    #[inline]
    fn history(&self, node: &Node<P>, step: P::Step) -> i32 {
        let history = || self.memory.history(node.position.side(), step);
        match self.parameters.history {
            0 => 0,
            1 => history(),
            _ if node.place.used > 0 => 0,
            _ => history().saturating_mul(self.parameters.history_weight).min(MOST_PROMISE),
        }
    }

    /// How promising a step looks, for itself and after the one before it.
    fn promise(&self, node: &Node<P>, step: P::Step) -> i32 {
        if self.parameters.ordering == 0 {
            return 0;
        }
        let promise = self.knowledge.promise(node.position, step);
        match &node.begun {
            Some(begun)
                if self.parameters.combo_order != 0
                    && self.knowledge.follows(begun.before, begun.last, step) =>
            {
                promise + self.parameters.combo_order
            }
            _ => promise,
        }
    }

    /// Puts steps before the line of the next ply.
    pub(crate) fn extend_line(&mut self, ply: usize, steps: &[P::Step]) {
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
        let is_over = self.shared.progress.has(self.iteration);
        self.is_stopped = late || spent || is_over || self.stop.is_requested();
    }
}

/// The options of a position, as far as they have been tried.
pub(crate) struct Trial<Step> {
    nodes_before: u64,
    /// Only what goes on with the last step is tried.
    unfinished: bool,
    /// Quiet steps are left out, and worth no more than this.
    futile: Option<Value>,
    /// The window, as the best so far leaves it.
    pub(crate) asked: Window,
    best: Value,
    best_step: Option<Step>,
    /// The first of those that were not good enough.
    tried: [Option<Step>; 8],
    pub(crate) count: usize,
}
