//! The search of a position: principal variation search over steps, and quiescence search below it.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Instant;

use game::{History, Key, Position, Side, Steps};

use super::Task;
use super::ordering::{MoveNumbers, OrderingTables, SearchMoves};
use super::pruning::Reductions;
use super::refutations::Refutations;
use super::threads::{ABDADA_DEPTH, Abdada, Completed, Shared};
use super::verification::Verification;
use crate::hash_table::SubtreeSize;
use crate::heuristics::{AlphaBetaHeuristics, OrderedStep, PlayedMove};
use crate::transposition_table::TranspositionEntry;
use crate::value::Value;
use crate::{Info, Limits, Parameters, Razoring, Stop};

/// The values that matter: one that is not above `alpha` is not good enough for the side to move, one
/// that is not below `beta` is too good to be allowed by the other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Window {
    pub(super) alpha: Value,
    pub(super) beta: Value,
}

impl Window {
    pub(super) const ALL: Window = Window { alpha: Value::MIN, beta: Value::MAX };

    /// Whether it is a null window, which asks no more than if a value is above alpha.
    pub(super) fn is_null(self) -> bool {
        self.alpha.successor() == self.beta
    }

    /// The null window above alpha.
    pub(super) fn null_window(self) -> Window {
        Window { beta: self.alpha.successor(), ..self }
    }

    /// In the eyes of the other side.
    #[inline]
    pub(super) fn turned(self) -> Window {
        Window { alpha: -self.beta, beta: -self.alpha }
    }

    /// As asked of something that is worth less by so much.
    #[inline]
    pub(super) fn raised(self, by: i32) -> Window {
        Window { alpha: self.alpha.plus(by), beta: self.beta.plus(by) }
    }
}

/// How deep in the tree a node is, and how much depth it has left.
#[derive(Clone, Copy, Debug)]
pub(super) struct TreeDepth {
    /// Steps from the root.
    pub(super) ply: usize,
    /// Turns that have ended since the root.
    pub(super) turns: u16,
    /// What the steps of the turn have cost so far.
    pub(super) used: i32,
    /// The steps to be searched from here.
    pub(super) depth: i32,
    /// Turns that quiescence search has played on the way here.
    pub(super) quiescence: u8,
    /// There was a null move on the way here, and there is to be no second one.
    pub(super) after_null_move: bool,
}

impl TreeDepth {
    pub(super) fn root(depth: i32) -> TreeDepth {
        TreeDepth { ply: 0, turns: 0, used: 0, depth, quiescence: 0, after_null_move: false }
    }

    /// After a step of that cost, inside the turn.
    pub(super) fn after(self, cost: i32) -> TreeDepth {
        let (ply, used, depth) = (self.ply + 1, self.used + cost, self.depth - cost);
        TreeDepth { ply, used, depth, ..self }
    }

    /// The same at the start of the next turn.
    pub(super) fn next_turn(self) -> TreeDepth {
        TreeDepth { turns: self.turns + 1, used: 0, ..self }
    }
}

/// A position in the tree, and what is asked of it.
pub(super) struct Node<'a, P: Position> {
    pub(super) position: &'a P,
    pub(super) at: TreeDepth,
    pub(super) window: Window,
    /// Inside a turn: how it began.
    pub(super) begun: Option<BegunTurn<'a, P>>,
    /// The static evaluation of the position, once somebody has asked for it.
    pub(super) evaluation: Option<Value>,
    /// At the start of a turn: what the enemy's position was evaluated at before its last turn, if anybody
    /// asked.
    pub(super) enemy_before: Option<Value>,
}

/// A turn of which steps have been played.
pub(super) struct BegunTurn<'a, P: Position> {
    /// The position at its start.
    pub(super) start: &'a P,
    /// The evaluation of it, if somebody has asked.
    pub(super) evaluation: Option<Value>,
    /// The position before its last step.
    pub(super) before: &'a P,
    /// Its last step.
    pub(super) last: P::Step,
}

impl<'a, P: Position> Node<'a, P> {
    pub(super) fn new(position: &'a P, at: TreeDepth, window: Window) -> Node<'a, P> {
        Node { position, at, window, begun: None, evaluation: None, enemy_before: None }
    }

    /// The evaluation at the start of the turn, if somebody has asked for it.
    fn evaluation_at_start(&self) -> Option<Value> {
        self.begun.as_ref().map_or(self.evaluation, |begun| begun.evaluation)
    }

    /// The last step of the turn, if it has begun.
    #[inline]
    pub(super) fn step_before(&self) -> Option<P::Step> {
        self.begun.as_ref().map(|begun| begun.last)
    }

    /// What is known of the turn once another step is played here.
    fn begun_by(&'a self, step: P::Step) -> BegunTurn<'a, P> {
        let start = self.begun.as_ref().map_or(self.position, |begun| begun.start);
        let evaluation = self.evaluation_at_start();
        BegunTurn { start, evaluation, before: self.position, last: step }
    }
}

/// The moves of a node, as far as they have been searched.
pub(super) struct MoveLoop<Step> {
    nodes_before: u64,
    /// Only what goes on with the last step is searched.
    only_combos: bool,
    /// Steps were left out that may be better than all others.
    is_incomplete: bool,
    /// Futility pruning leaves quiet steps out, which are worth no more than this.
    futile: Option<Value>,
    /// The window, as the best so far leaves it.
    pub(super) window: Window,
    best: Value,
    best_step: Option<Step>,
    /// The first of those that were not good enough.
    tried: [Option<Step>; 8],
    pub(super) count: usize,
    /// How many of them were moves of several steps.
    long_moves: usize,
    /// How much less likely than the likeliest step the move is that is looked at.
    pub(super) unlikelihood: i32,
}

impl<Step> MoveLoop<Step> {
    /// How many single steps were searched.
    #[inline]
    pub(super) fn steps(&self) -> i32 {
        (self.count - self.long_moves) as i32
    }
}

/// A position that was entered by playing a move.
struct Child<P> {
    position: P,
    at: TreeDepth,
}

/// One thread of an alpha-beta search.
pub(super) struct SearchThread<'a, P: Position, H: AlphaBetaHeuristics<P>> {
    pub(super) heuristics: &'a H,
    pub(super) parameters: &'a Parameters,
    pub(super) shared: &'a Shared<P::Step>,
    pub(super) root: &'a P,
    pub(super) past: &'a History,
    pub(super) limits: Limits,
    pub(super) stop: &'a Stop,
    /// Boards that the first turn must not lead to.
    excluded: &'a [Key],
    /// Inside the first turn, the table knows positions by other keys if boards are excluded: their values are others.
    pub(super) salt: u64,
    /// What other threads are at, if there are any.
    pub(super) abdada: Option<&'a Abdada>,
    /// The depth of the iteration.
    pub(super) iteration: u8,
    pub(super) begin: Instant,
    pub(super) nodes: u64,
    /// After how many of them the limits are looked at again.
    next_look: u64,
    /// The search pauses for the best turn to be verified, when a look may take so many positions.
    pub(super) pause: Option<u64>,
    /// It has come to its pause.
    pub(super) is_paused: bool,
    /// With Lazy SMP, how many first turns were refuted when the iteration began: it pauses for another one.
    pub(super) known_refutations: usize,
    /// The looks for forced wins; none, in a helper that does not verify.
    pub(super) verification: Option<Verification<P::Step>>,
    pub(super) refutations: Refutations<P::Step>,
    /// A better turn than the first one, found in the iteration that is under way.
    pub(super) better_turn: Option<Completed<P::Step>>,
    /// How many turns of the root this search of it has come to the end of.
    root_turns: u64,
    /// The steps of the first turn on the way from the root.
    pub(super) first_turn: Vec<P::Step>,
    /// How many of them the other threads know of.
    told_nodes: u64,
    /// The search has been told to stop, a limit was reached, or another thread has completed the
    /// iteration: what it returns means nothing.
    pub(super) is_stopped: bool,
    cache: H::Cache,
    pub(super) scratch: H::Scratch,
    pub(super) ordering: OrderingTables<P::Step>,
    pub(super) reductions: Reductions,
    /// Whether anything depends on how likely steps are.
    pub(super) uses_likelihood: bool,
    /// For each ply, the principal variation from there.
    lines: Vec<Vec<P::Step>>,
    /// For each ply, a buffer for its steps.
    pub(super) buffers: Vec<Vec<OrderedStep<P::Step>>>,
    /// For each ply of the way from the root, the evaluator's state of the position there.
    states: Vec<H::State>,
    /// The repetition keys at the starts of turns on the way from the root.
    path: Vec<Key>,
}

/// More steps than any search goes deep.
const MOST_PLIES: usize = 256;

/// How often the limits are looked at, in nodes.
const NODES_A_LOOK: u64 = 1024;

impl<'a, P: Position, H: AlphaBetaHeuristics<P>> SearchThread<'a, P, H> {
    pub(super) fn new(
        task: &Task<'a, P, H>,
        parameters: &'a Parameters,
        shared: &'a Shared<P::Step>,
        stop: &'a Stop,
    ) -> SearchThread<'a, P, H> {
        SearchThread {
            heuristics: task.heuristics,
            parameters,
            shared,
            root: task.position,
            past: task.past,
            limits: task.limits,
            stop,
            excluded: &[],
            salt: 0,
            abdada: None,
            iteration: 0,
            begin: Instant::now(),
            nodes: 0,
            next_look: NODES_A_LOOK,
            pause: None,
            is_paused: false,
            known_refutations: 0,
            verification: None,
            refutations: Refutations::new(),
            better_turn: None,
            root_turns: 0,
            first_turn: Vec::new(),
            told_nodes: 0,
            is_stopped: false,
            cache: H::Cache::default(),
            scratch: H::Scratch::default(),
            ordering: OrderingTables::new(parameters),
            reductions: Reductions::new(parameters),
            uses_likelihood: parameters.learned_ordering != 0 || parameters.learned_pruning != 0,
            lines: vec![Vec::new(); MOST_PLIES + 1],
            buffers: vec![Vec::new(); MOST_PLIES],
            states: Vec::new(),
            path: Vec::new(),
        }
    }

    /// Forbids the first turn to lead to these boards.
    pub(super) fn exclude(&mut self, boards: &'a [Key]) {
        self.excluded = boards;
        // Of the boards in this order, so that the searches of one number of lines do not meet those of another.
        self.salt = boards.iter().fold(0, |salt, board| {
            (salt ^ board.0).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29)
        });
    }

    /// The value of the root and the principal variation, or nothing if the search was stopped.
    pub(super) fn search_root(&mut self, depth: u8, window: Window) -> Option<(Value, &[P::Step])> {
        let position = self.root;
        self.iteration = depth;
        self.is_stopped = false;
        self.path.clear();
        self.first_turn.clear();
        self.root_turns = 0;
        self.states.clear();
        self.states.push(self.heuristics.state(position));
        let mut node = Node::new(position, TreeDepth::root(i32::from(depth)), window);
        // Where boards are excluded, the best step of all is still a good one to begin with.
        let entry = self.probe(self.table_key(position, 0)).or_else(|| self.probe(position.key()));
        if self.parameters.razoring != Razoring::Off {
            self.evaluation(&mut node);
        }
        // Where nothing helps, any turn will do: all of them are searched.
        let forced = self.is_threatened(&node).then(|| self.few_defences(&node)).flatten();
        // Where boards are excluded, all defences may be among them.
        let moves = forced.filter(|moves| !moves.is_empty() && self.excluded.is_empty());
        let value = self.search_moves(&mut node, entry, moves);
        (!self.is_stopped).then(|| (value, self.lines[0].as_slice()))
    }

    /// What there is to tell of an iteration that was completed by now.
    pub(super) fn info(&mut self, completed: &Completed<P::Step>) -> Info<P::Step> {
        Info {
            depth: Steps(completed.depth),
            nodes: self.all_nodes(),
            time: self.begin.elapsed(),
            hash_full: (self.parameters.transposition_table).then(|| self.shared.table.fill()),
            ..Info::without_search(Some(completed.value.verdict()), completed.line.clone())
        }
    }

    /// The value of a position inside the tree.
    pub(super) fn search(&mut self, mut node: Node<P>) -> Value {
        let Node { position, at, window, .. } = node;
        self.lines[at.ply].clear();
        if self.must_stop() || at.ply >= MOST_PLIES {
            return window.alpha;
        }
        let entry = self.probe(self.table_key(position, at.turns));
        if let Some(entry) = entry {
            match self.hash_cutoff(entry, at, window) {
                ControlFlow::Break(value) => return value,
                ControlFlow::Continue(window) => node.window = window,
            }
        }
        let window = node.window;
        if position.turn_starts() {
            if let Some(value) = self.result(position, at, window) {
                return value;
            }
            if self.is_threatened(&node) {
                return self.search_threatened(&mut node, entry);
            }
            if let Some(value) = self.razoring(&mut node) {
                return value;
            }
        }
        if let Some(value) = self.null_move(&mut node) {
            return value;
        }
        if at.depth <= 0 {
            let value = self.quiescence(&mut node);
            self.store_leaf(&node, value);
            return value;
        }
        if let Some(value) = self.reverse_futility(&mut node) {
            return value;
        }
        if entry.is_none_or(|entry| entry.step.is_none()) {
            node.at.depth -= self.internal_iterative_reduction(at);
        }
        self.search_moves(&mut node, entry, None)
    }

    /// How the game has ended at the start of a turn, or ends with it for all to see; or a bound that
    /// is enough.
    fn result(&self, position: &P, at: TreeDepth, window: Window) -> Option<Value> {
        // No win can be sooner than with this turn, no loss sooner than with the next.
        let (win, loss) = (Value::win(at.turns), Value::loss(at.turns + 1));
        match position.winner() {
            Some(winner) if winner == position.side() => {
                // The other side has ended the game with its own turn: sooner than it had to.
                let sooner = u16::from(self.parameters.own_defeats);
                Some(Value::win(at.turns.saturating_sub(sooner)))
            }
            Some(_) => Some(Value::loss(at.turns.saturating_sub(1))),
            None if win <= window.alpha => Some(win),
            None if loss >= window.beta => Some(loss),
            None if !self.parameters.wins => None,
            None => self.heuristics.wins(position).then_some(win),
        }
    }

    fn is_threatened(&self, node: &Node<P>) -> bool {
        let starts = node.position.turn_starts();
        starts && self.parameters.defences != 0 && self.heuristics.is_threatened(node.position)
    }

    /// The value of a position in which the other side threatens to win: without a defence it is lost,
    /// and a turn that is forced costs less depth.
    fn search_threatened(
        &mut self,
        node: &mut Node<P>,
        entry: Option<TranspositionEntry<P::Step>>,
    ) -> Value {
        // This takes longer than other nodes do.
        self.look_at_limits();
        if self.is_stopped {
            return node.window.alpha;
        }
        let lost = Value::loss(node.at.turns + 1);
        if node.at.depth >= self.parameters.defences {
            let moves = self.few_defences(node);
            if moves.is_some() {
                node.at.depth += self.parameters.threat_extension;
            }
            return match moves {
                Some(moves) if moves.is_empty() => lost,
                moves => self.search_moves(node, entry, moves),
            };
        }
        let (position, scratch) = (node.position, &mut self.scratch);
        let find = || self.heuristics.has_defence(position, scratch);
        let has_defence = self.shared.defences.verdict(position.key(), find);
        if has_defence && node.at.depth > 0 {
            return self.search_moves(node, entry, None);
        }
        let value = if has_defence { self.quiescence(node) } else { lost };
        self.store_leaf(node, value);
        value
    }

    fn few_defences(&mut self, node: &Node<P>) -> Option<SearchMoves<P::Step>> {
        let (position, scratch) = (node.position, &mut self.scratch);
        let find = || self.heuristics.few_defences(position, scratch);
        self.shared.defences.list(position.key(), find).map(SearchMoves::Turns)
    }

    /// The static evaluation of a position, made once.
    pub(super) fn evaluation(&mut self, node: &mut Node<P>) -> Value {
        let (position, state, cache) = (node.position, &self.states[node.at.ply], &mut self.cache);
        let evaluate = || Value::from(self.heuristics.evaluate(position, state, cache));
        *node.evaluation.get_or_insert_with(evaluate)
    }

    /// Enters the next ply by a move: makes its state.
    fn advance(&mut self, ply: usize, played: PlayedMove<P>) {
        // The table's entry and the cached evaluation come while the state is made.
        self.shared.table.prefetch(played.after.key());
        self.heuristics.prefetch(played.after, &self.cache);
        let heuristics = self.heuristics;
        let (state, next) = self.states_from(ply);
        heuristics.advance(played, state, next);
        self.nodes += 1;
    }

    /// Enters the next ply by a null move: the board is the same, and so is the state.
    pub(super) fn advance_by_null_move(&mut self, ply: usize) {
        let (state, next) = self.states_from(ply);
        next.clone_from(state);
        self.nodes += 1;
    }

    /// The state of a ply, and the place for that of the next one.
    fn states_from(&mut self, ply: usize) -> (&H::State, &mut H::State) {
        if self.states.len() == ply + 1 {
            self.states.push(self.states[ply].clone());
        }
        let (here, next) = self.states.split_at_mut(ply + 1);
        (&here[ply], &mut next[0])
    }

    /// The value of a position with depth left: that of the best move, by default of its steps.
    fn search_moves(
        &mut self,
        node: &mut Node<P>,
        entry: Option<TranspositionEntry<P::Step>>,
        moves: Option<SearchMoves<P::Step>>,
    ) -> Value {
        let by_turns = moves.is_some();
        let futile = if by_turns { None } else { self.futility(node) };
        let mut so_far = MoveLoop {
            nodes_before: self.nodes,
            only_combos: !by_turns && self.is_razored_combo(node),
            is_incomplete: false,
            futile,
            window: node.window,
            best: futile.unwrap_or(Value::MIN),
            best_step: None,
            tried: [None; 8],
            count: 0,
            long_moves: 0,
            unlikelihood: 0,
        };
        let hash_step = self.hash_step(entry).filter(|_| !by_turns);
        if let Some(step) = hash_step {
            self.move_loop(node, &mut SearchMoves::HashStep(step), &mut so_far);
        }
        if !by_turns && node.position.turn_starts() {
            self.search_long_moves(node, &mut so_far);
        }
        // Most nodes have their cutoff by now, and need no other steps.
        if !self.is_cut_off(node, &so_far) {
            let mut moves = moves.unwrap_or_else(|| self.ordered_steps(node, hash_step));
            self.move_loop(node, &mut moves, &mut so_far);
            if let SearchMoves::Steps { steps, .. } = moves {
                self.buffers[node.at.ply] = steps;
            }
        }
        if self.is_stopped {
            return node.window.alpha;
        }
        if so_far.is_incomplete && so_far.best.is_loss() {
            // What was left out is taken to be no better than alpha, but nobody knows that it loses: no loss is
            // claimed. Alpha is a score, or nothing would have been left out.
            so_far.best = node.window.alpha;
        }
        if so_far.best == Value::MIN {
            // Whatever is played repeats a position for the third time. Inside a turn, another one
            // must be played; at its start, the game is lost.
            let stuck = Value::loss(node.at.turns.saturating_sub(1));
            return if node.position.turn_starts() { stuck } else { Value::MIN };
        }
        let size = SubtreeSize::of(self.nodes - so_far.nodes_before);
        self.store(node, so_far.best, so_far.best_step, size);
        so_far.best
    }

    /// Searches the moves of several steps: known refutations, then captures.
    fn search_long_moves(&mut self, node: &mut Node<P>, so_far: &mut MoveLoop<P::Step>) {
        let before = so_far.count;
        if !self.is_cut_off(node, so_far) {
            let refutations = self.refutation_moves(node);
            if !refutations.is_empty() {
                self.move_loop(node, &mut SearchMoves::Turns(Arc::new(refutations)), so_far);
            }
        }
        if self.parameters.capture_moves && !self.is_cut_off(node, so_far) {
            let captures = self.heuristics.capture_moves(node.position, &mut self.scratch);
            self.move_loop(node, &mut SearchMoves::Turns(Arc::new(captures)), so_far);
        }
        so_far.long_moves = so_far.count - before;
    }

    /// Whether no other moves are to be searched.
    fn is_cut_off(&self, node: &Node<P>, so_far: &MoveLoop<P::Step>) -> bool {
        self.is_stopped || so_far.best >= node.window.beta
    }

    /// Searches the moves one after the other, until one causes a beta cutoff.
    fn move_loop(
        &mut self,
        node: &mut Node<P>,
        moves: &mut SearchMoves<P::Step>,
        so_far: &mut MoveLoop<P::Step>,
    ) {
        let mut numbers = MoveNumbers::new(moves.len());
        while let Some((steps, unlikelihood)) = numbers.next().and_then(|number| moves.get(number))
        {
            so_far.unlikelihood = unlikelihood;
            let Some(child) = self.enter(node, steps, so_far) else { continue };
            let shared = self.abdada.filter(|_| so_far.count > 0 && child.at.depth >= ABDADA_DEPTH);
            let (key, depth) = (child.position.key(), child.at.depth);
            if shared.is_some_and(|abdada| abdada.is_searched(key, depth)) && numbers.put_off() {
                continue;
            }
            shared.inspect(|abdada| abdada.enter(key, depth));
            let value = self.move_value(node, &child, steps, so_far);
            shared.inspect(|abdada| abdada.leave(key, depth));
            if self.is_stopped {
                return;
            }
            if value > so_far.best {
                so_far.best = value;
                if value > so_far.window.alpha {
                    so_far.window.alpha = value;
                    so_far.best_step = Some(steps[0]);
                    self.update_pv(node.at.ply, steps);
                    self.note_better_turn(node, value);
                }
                if value >= node.window.beta {
                    let others = so_far.tried.into_iter().flatten();
                    let (side, before) = (node.position.side(), node.step_before());
                    self.ordering.record_cutoff(side, node.at, before, steps[0], others);
                    return;
                }
            }
            if let Some(slot) = so_far.tried.get_mut(so_far.count) {
                *slot = Some(steps[0]);
            }
            so_far.count += 1;
        }
    }

    /// The position after a move and its depth in the tree; nothing, if the move is pruned.
    fn enter(
        &mut self,
        node: &Node<P>,
        steps: &[P::Step],
        so_far: &mut MoveLoop<P::Step>,
    ) -> Option<Child<P>> {
        let is_quiet = || steps.len() == 1 && self.heuristics.is_quiet(node.position, steps[0]);
        if so_far.futile.is_some() && so_far.count > 0 && is_quiet() {
            return None;
        }
        if self.is_late(node, so_far) && is_quiet() {
            so_far.is_incomplete = true;
            return None;
        }
        if self.is_undone(node, steps[0]) {
            return None;
        }
        if self.is_no_combo(node, steps[0], so_far.only_combos) {
            so_far.is_incomplete = true;
            return None;
        }
        let mut position = node.position.clone();
        let mut cost = 0;
        for &step in steps {
            cost += i32::from(position.cost(step).0);
            position.play(step);
        }
        if position.is_idle() || node.position.restores(&position) || self.is_forbidden(&position) {
            return None;
        }
        self.advance(node.at.ply, PlayedMove { before: node.position, steps, after: &position });
        Some(Child { position, at: node.at.after(cost) })
    }

    /// The value of a move by principal variation search. All but the first are searched with a null window,
    /// reduced where they are late in the order, and with the open window only if they are better.
    fn move_value(
        &mut self,
        node: &Node<P>,
        child: &Child<P>,
        steps: &[P::Step],
        so_far: &MoveLoop<P::Step>,
    ) -> Value {
        let toll = self.reversible_toll(node, steps, &child.position);
        let window = so_far.window.raised(toll);
        let null_window = window.null_window();
        if so_far.count > 0 {
            let reduction = self.late_move_reduction(node, child.at, steps, so_far);
            if reduction > 0 {
                let reduced = TreeDepth { depth: child.at.depth - reduction, ..child.at };
                let value = self.child_value(node, child, steps, reduced, null_window);
                if value <= null_window.alpha || self.is_stopped {
                    return value.plus(-toll);
                }
            }
            if self.parameters.pvs && !window.is_null() {
                let value = self.child_value(node, child, steps, child.at, null_window);
                if value <= window.alpha || value >= window.beta || self.is_stopped {
                    return value.plus(-toll);
                }
            }
        }
        self.child_value(node, child, steps, child.at, window).plus(-toll)
    }

    /// The value of the position after a move, in the eyes of who has played it.
    fn child_value(
        &mut self,
        node: &Node<P>,
        Child { position, .. }: &Child<P>,
        steps: &[P::Step],
        at: TreeDepth,
        window: Window,
    ) -> Value {
        let side = node.position.side();
        let child = Node::new(position, at, window);
        let steps_before = self.first_turn.len();
        if at.turns == 0 {
            self.first_turn.extend_from_slice(steps);
        }
        let value = if position.side() != side || position.turn_starts() {
            self.root_turns += u64::from(at.turns == 0);
            self.search_next_turn(side, child, node.evaluation_at_start())
        } else {
            let begun = match steps {
                &[step] => Some(node.begun_by(step)),
                _ => None,
            };
            self.search(Node { begun, ..child })
        };
        self.first_turn.truncate(steps_before);
        value
    }

    /// Keeps the principal variation of a node, if it is that of the root as far as the iteration has come, and
    /// other turns were searched before. Nothing was better in the last iteration than what is searched first.
    fn note_better_turn(&mut self, node: &Node<P>, value: Value) {
        if node.at.turns > 0 || node.window.is_null() || self.root_turns < 2 {
            return;
        }
        let mut line = self.first_turn.clone();
        line.extend_from_slice(&self.lines[node.at.ply]);
        let better = Completed { depth: self.iteration, value, line };
        if self.better_turn.as_ref() == Some(&better) {
            return;
        }
        self.better_turn = Some(better);
    }

    /// The value of a position with which `side` has ended a turn, in its eyes; `before` is what it
    /// was evaluated at before the turn.
    pub(super) fn search_next_turn(
        &mut self,
        side: Side,
        node: Node<P>,
        before: Option<Value>,
    ) -> Value {
        let (position, at) = (node.position, node.at.next_turn());
        self.path.push(position.repetition_key());
        let value = match position.side() == side {
            true => self.search(Node { at, ..node }),
            false => {
                let window = node.window.turned();
                let value = self.search(Node { at, window, enemy_before: before, ..node });
                let seems_good = at.turns == 1 && value < window.beta && !self.is_stopped;
                -if seems_good { self.verified_value(position, value, window) } else { value }
            }
        };
        self.path.pop();
        value
    }

    /// Quiescence search: the value of a position without depth left, which is the evaluation or what a
    /// capture makes of it. At the start of each turn, wins, threats and defences are looked at as
    /// everywhere.
    fn quiescence(&mut self, node: &mut Node<P>) -> Value {
        let evaluation = self.evaluation(node);
        let Node { at, mut window, .. } = *node;
        if i32::from(at.quiescence) >= self.parameters.quiescence || evaluation >= window.beta {
            return evaluation;
        }
        let turns = self.heuristics.quiescence_turns(node.position, &mut self.scratch);
        let mut best = evaluation;
        window.alpha = window.alpha.max(best);
        for turn in (0..turns.len()).filter_map(|index| turns.get(index)) {
            let mut position = node.position.clone();
            turn.iter().for_each(|&step| position.play(step));
            if self.is_forbidden(&position) {
                continue;
            }
            let played = PlayedMove { before: node.position, steps: turn, after: &position };
            self.advance(at.ply, played);
            let below = TreeDepth { quiescence: at.quiescence + 1, depth: 0, ..at.after(0) };
            let child = Node::new(&position, below, window);
            let value = self.search_next_turn(node.position.side(), child, None);
            if self.is_stopped {
                return window.alpha;
            }
            if value > best {
                best = value;
                window.alpha = window.alpha.max(best);
                self.update_pv(at.ply, turn);
            }
            if best >= window.beta {
                break;
            }
        }
        best
    }

    /// Whether the turn that has ended brings about the same position for the third time, or is the first one and
    /// leads to a board that is excluded.
    pub(super) fn is_forbidden(&self, after: &P) -> bool {
        if !after.turn_starts() {
            return false;
        }
        let key = after.repetition_key();
        if self.path.is_empty() && self.excluded.contains(&key) {
            return true;
        }
        let on_path = self.path.iter().filter(|&&other| other == key).count() as u32;
        on_path + self.past.count(key) >= 2
    }

    /// Puts steps before the principal variation of the next ply.
    fn update_pv(&mut self, ply: usize, steps: &[P::Step]) {
        let (upper, lower) = self.lines.split_at_mut(ply + 1);
        upper[ply].clear();
        upper[ply].extend_from_slice(steps);
        upper[ply].extend_from_slice(&lower[0]);
    }

    /// How many nodes all threads have entered, as far as they have told.
    pub(super) fn all_nodes(&mut self) -> u64 {
        let new = self.nodes - self.told_nodes;
        self.told_nodes = self.nodes;
        self.shared.progress.add_nodes(new)
    }

    #[inline]
    fn must_stop(&mut self) -> bool {
        if !self.is_stopped && self.nodes >= self.next_look {
            self.next_look = (self.nodes / NODES_A_LOOK + 1) * NODES_A_LOOK;
            self.look_at_limits();
        }
        self.is_stopped
    }

    pub(super) fn look_at_limits(&mut self) {
        let late = self.limits.hard.is_some_and(|time| self.begin.elapsed() >= time);
        let all_nodes = self.all_nodes();
        let spent = self.limits.nodes.is_some_and(|nodes| all_nodes >= nodes);
        let Shared { progress, lazy_smp, .. } = self.shared;
        let is_over = progress.has(self.iteration) || lazy_smp.is_won();
        self.is_stopped = late || spent || is_over || self.stop.is_requested();
        let is_due = self.pause.is_some_and(|at| self.look_nodes() >= at);
        let is_refuted = lazy_smp.refutations() > self.known_refutations;
        self.is_paused = !self.is_stopped && (is_due || is_refuted);
        self.is_stopped |= self.is_paused;
    }
}
