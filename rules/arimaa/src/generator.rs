use std::ops::{ControlFlow, Range};

use game::Key;

use crate::keyset::KeySet;
use crate::lanes::Lanes;
use crate::side::{GOLD, Side};
#[cfg(target_arch = "x86_64")]
use crate::wide;
use crate::{Bitboard, Board, Direction, Form, Mobility, Square, Step, Turn, keys, mobility};

/// A board that a turn can leave behind: how, and what it is known by.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[repr(C)]
pub struct Reached {
    /// The fewest steps that lead there.
    pub turn: Turn,
    /// The repetition key of the position then, with the other side to move.
    pub key: Key,
}

/// Lists the distinct turns of a position: each board that the side to move can leave behind, once,
/// with a shortest sequence of steps that reaches it. Repetition is not looked at.
///
/// The buffers are kept from one position to the next.
///
/// # Method
///
/// Boards are found in layers, by the number of steps used: single steps lead on from the layer
/// before, pushes and pulls from the one before that. Boards of the first three layers are kept,
/// each once; those of the last are known by their key alone and never made.
///
/// Most turns are steps far apart, which can be played in any order. To meet their board once
/// instead of 24 times, a board keeps, of its single steps, which are *awake*: the others *sleep*,
/// because the same boards come about by a smaller path. Steps have a fixed order (by direction,
/// then square; pushes and pulls after all singles), and so have paths, as words of a dictionary
/// do. When step `a` leads from a parent to a child, a step `b` of the parent sleeps in the child if
/// playing `b` before `a` comes to the same, and if `b` is smaller than `a` or slept in the
/// parent already. The step that takes `a` back sleeps as well. Where several paths lead to a board,
/// only what sleeps on all of them sleeps.
///
/// No board is lost: take a board, and of the shortest paths to it the smallest. If a step `b` of it
/// slept, then `b` could be moved to the left past every step back to the one it is smaller than,
/// giving a path that is as short and smaller still, or to the one it takes back, giving a shorter
/// one.
#[derive(Debug)]
pub struct TurnGenerator {
    nodes: Vec<Node>,
    /// The keys of the nodes, and which node is in which slot.
    known: KeySet,
    ids: Vec<u32>,
    /// The keys of all that was reached.
    seen: KeySet,
    /// Boards of the last layer that are still to be compared with those seen.
    batch: Vec<Reached>,
    batched: usize,
    reached: Vec<Reached>,
    count: usize,
    pushes_and_pulls: Vec<Step>,
    mover: Mover,
    /// The nodes of each layer.
    layers: [Range<usize>; 4],
}

/// A board inside the turn, with steps left.
#[derive(Clone, Copy, Debug)]
struct Node {
    board: Board,
    /// For each direction, the pieces that can go there.
    singles: Lanes,
    /// The same without those whose step would only lead where another path leads too.
    awake: Lanes,
    /// The own pieces beside a stronger enemy.
    dominated: u64,
    key: Key,
    turn: Turn,
}

/// Whose turn it is, and where its rabbits may go: everything but one direction.
#[derive(Clone, Copy, Debug)]
struct Mover {
    side: Side,
    rabbits: Lanes,
}

impl Mover {
    fn new(side: Side) -> Mover {
        Mover { side, rabbits: mobility::rabbit_directions(side) }
    }
}

/// A part of the work.
#[derive(Clone, Copy)]
enum Stage<'a> {
    All(&'a Board, Side),
    ThreeSteps(&'a Board, Side),
    FourSteps(&'a [Bitboard]),
}

/// Which squares the last steps of turns must touch.
trait Relevant: Copy {
    /// How many slots of the set a board of the third layer needs, at least.
    fn slots_of_a_board(self) -> usize;

    /// The relevant squares of a node: a last step must touch one of them.
    fn squares(self, id: usize) -> Bitboard;

    /// Single steps of a node that touch its relevant squares; nothing, if no step does.
    fn steps(self, id: usize, steps: Lanes) -> Option<Lanes>;
}

/// All last steps will do.
#[derive(Clone, Copy)]
struct Everything;

impl Relevant for Everything {
    /// A board of the third layer leads to some seven new ones; four slots for each were fastest, a tenth faster than two and
    /// no slower than eight (measured 2026-11 over 1056 positions).
    fn slots_of_a_board(self) -> usize {
        28
    }

    #[inline(always)]
    fn squares(self, _: usize) -> Bitboard {
        Bitboard::ALL
    }

    #[inline(always)]
    fn steps(self, _: usize, steps: Lanes) -> Option<Lanes> {
        Some(steps)
    }
}

/// Sets of squares by nodes.
impl Relevant for &[Bitboard] {
    fn slots_of_a_board(self) -> usize {
        4
    }

    #[inline(always)]
    fn squares(self, id: usize) -> Bitboard {
        self.get(id).copied().unwrap_or(Bitboard::EMPTY)
    }

    #[inline(always)]
    fn steps(self, id: usize, steps: Lanes) -> Option<Lanes> {
        let Bitboard(squares) = self.squares(id);
        let steps = steps & (Lanes::splat(squares) | Lanes::looking_at(squares));
        (steps.union() != 0).then_some(steps)
    }
}

/// How many boards of the last layer are compared in one go.
const BATCH: usize = 512;

/// Sixteen pieces with four ways to go have no more single steps.
const MOST_SINGLES: usize = 64;

/// Eight pieces that can push and pull, with four neighbours and six ways for each, have no more.
const MOST_PUSHES_AND_PULLS: usize = 192;

/// The most steps of one board.
const MOST_STEPS: usize = MOST_SINGLES + MOST_PUSHES_AND_PULLS;

impl Default for TurnGenerator {
    fn default() -> TurnGenerator {
        TurnGenerator::new()
    }
}

impl TurnGenerator {
    /// A generator with empty buffers.
    pub fn new() -> TurnGenerator {
        TurnGenerator {
            nodes: Vec::new(),
            known: KeySet::default(),
            ids: Vec::new(),
            seen: KeySet::default(),
            batch: vec![Reached::default(); BATCH + MOST_STEPS],
            batched: 0,
            reached: vec![Reached::default(); BATCH],
            count: 0,
            pushes_and_pulls: Vec::with_capacity(MOST_PUSHES_AND_PULLS),
            mover: Mover::new(GOLD),
            layers: [const { 0..0 }; 4],
        }
    }

    /// The distinct turns of `side` on the board, the shorter ones first.
    ///
    /// # Panics
    ///
    /// If the side has more than sixteen pieces, or more than eight that are no rabbits: a board
    /// that [`Board::validate`] refuses.
    pub fn distinct(&mut self, board: &Board, side: Side) -> &[Reached] {
        self.run_fastest(Stage::All(board, side));
        &self.reached[..self.count]
    }

    /// The distinct turns of at most three steps, the shorter ones first: a part of [`TurnGenerator::distinct`].
    /// [`TurnGenerator::four_steps`] lists the others.
    ///
    /// # Panics
    ///
    /// As [`TurnGenerator::distinct`] does.
    pub fn three_steps(&mut self, board: &Board, side: Side) -> &[Reached] {
        self.run_fastest(Stage::ThreeSteps(board, side));
        &self.reached[..self.count]
    }

    /// The distinct turns of four steps on the board of the last [`TurnGenerator::three_steps`], as far as their last step, push
    /// or pull touches a relevant square. What is relevant depends on the steps before: the first set is for none of
    /// them, and the others are for the turns of the last list, in its order. Missing sets are empty.
    ///
    /// A turn that can be played in several orders is listed if one of them that the generator comes to is. So a set may leave out
    /// only turns that are unwanted whatever their order.
    pub fn four_steps(&mut self, relevant: &[Bitboard]) -> &[Reached] {
        let begin = self.count;
        self.run_fastest(Stage::FourSteps(relevant));
        &self.reached[begin..self.count]
    }

    /// Runs the code for the newest processor that this one is.
    fn run_fastest(&mut self, stage: Stage) {
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("lzcnt")
            && is_x86_feature_detected!("popcnt")
        {
            if wide::is_available() {
                // SAFETY: the processor has the instructions.
                unsafe { self.run_with_avx512(stage) };
            } else {
                // SAFETY: the processor has the instructions.
                unsafe { self.run_with_avx2(stage) };
            }
            return;
        }
        self.run::<false>(stage);
    }

    /// The same code for a newer processor: a tenth faster (measured 2026-11).
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn run_with_avx2(&mut self, stage: Stage) {
        self.run::<false>(stage);
    }

    /// The same with the last layer's single steps by AVX-512.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt,avx512f,avx512bw,avx512vbmi2")]
    fn run_with_avx512(&mut self, stage: Stage) {
        self.run::<true>(stage);
    }

    #[inline(always)]
    fn run<const WIDE: bool>(&mut self, stage: Stage) {
        match stage {
            Stage::All(board, side) => {
                self.first_layers(board, side);
                self.last_layer::<WIDE>(Everything);
            }
            Stage::ThreeSteps(board, side) => self.first_layers(board, side),
            Stage::FourSteps(relevant) => self.last_layer::<WIDE>(relevant),
        }
    }

    /// Finds the boards of the first three layers.
    #[inline(always)]
    fn first_layers(&mut self, board: &Board, side: Side) {
        let (pieces, rabbits) = (board.of(side).len(), board.rabbits(side).len());
        assert!(pieces <= 16 && pieces - rabbits <= 8, "a side has at most sixteen pieces");
        let mover = Mover::new(side);
        self.start(board, mover);
        self.layers = [0..1, 0..0, 0..0, 0..0];
        for cost in 1..4 {
            let begin = self.nodes.len();
            self.expand_singles(self.layers[cost - 1].clone(), mover, begin);
            if cost >= 2 {
                self.expand_pushes_and_pulls(self.layers[cost - 2].clone(), mover, begin);
            }
            self.layers[cost] = begin..self.nodes.len();
        }
    }

    /// Finds the boards of the last layer that a relevant step leads to.
    #[inline(always)]
    fn last_layer<const WIDE: bool>(&mut self, relevant: impl Relevant) {
        let [_, _, second, third] = self.layers.clone();
        self.seen.reset(self.nodes.len() + relevant.slots_of_a_board() * third.len());
        for node in &self.nodes {
            self.seen.enter(node.key);
        }
        self.finish_by_pushes_and_pulls(second, self.mover, relevant);
        self.finish_by_singles::<WIDE>(third, self.mover, relevant);
        self.compare_batch();
    }

    #[inline(always)]
    fn start(&mut self, board: &Board, mover: Mover) {
        self.nodes.clear();
        self.batched = 0;
        self.count = 0;
        self.mover = mover;
        let key = board.key() ^ keys::side(!mover.side);
        let node = Node::new(*board, mover, key, Turn::EMPTY);
        self.nodes.push(Node { awake: node.singles, ..node });
        self.know_nodes(1 << 14);
    }

    /// Plays the awake single steps of a layer.
    #[inline(always)]
    fn expand_singles(&mut self, parents: Range<usize>, mover: Mover, layer: usize) {
        for parent in parents {
            let parent = self.nodes[parent];
            self.make_room();
            for direction in Direction::ALL {
                for from in Bitboard(parent.awake.0[direction as usize]) {
                    let to = from.towards(direction);
                    let strength = parent.board.strength_at(from);
                    let mut board = parent.board;
                    let mut key = parent.key ^ keys::single(mover.side, direction, strength, from);
                    board.shift(from, to);
                    let lost = board.unsupported_of(mover.side);
                    if let Some(trap) = lost.first() {
                        key ^= keys::strength(mover.side, board.strength_at(trap), trap);
                        board.clear(lost);
                    }
                    let arrival = Arrival {
                        step: Step::single(from, direction),
                        goes_to: to,
                        lost: lost.0,
                        smaller: Lanes::before(direction)
                            | Lanes::only(direction, from.bit().0 - 1),
                        back: Lanes::only(
                            direction.opposite(),
                            if lost.is_empty() { to.bit().0 } else { 0 },
                        ),
                    };
                    self.arrive(&parent, board, key, arrival, mover, layer);
                }
            }
        }
    }

    /// Plays the pushes and pulls of a layer.
    #[inline(always)]
    fn expand_pushes_and_pulls(&mut self, parents: Range<usize>, mover: Mover, layer: usize) {
        for parent in parents {
            let parent = self.nodes[parent];
            self.make_room();
            self.list_pushes_and_pulls(&parent.board, mover.side);
            for index in 0..self.pushes_and_pulls.len() {
                let step = self.pushes_and_pulls[index];
                let (mut board, mut key) = (parent.board, parent.key);
                board.play(step, &mut key);
                let goes_to = if step.form() == Form::Push { step.victim() } else { step.to() };
                let moved = parent.board.of(mover.side) & !step.from().bit() | goes_to.bit();
                let arrival = Arrival {
                    step,
                    goes_to,
                    lost: (moved & !board.of(mover.side)).0,
                    smaller: Lanes::splat(!0),
                    back: Lanes::NONE,
                };
                self.arrive(&parent, board, key, arrival, mover, layer);
            }
        }
    }

    #[inline(always)]
    fn list_pushes_and_pulls(&mut self, board: &Board, side: Side) {
        self.pushes_and_pulls.clear();
        let _ = Mobility::new(board, side).for_each_push_and_pull(&mut |step| {
            self.pushes_and_pulls.push(step);
            ControlFlow::Continue(())
        });
    }

    /// A step of `parent` has led to a board, which may be known already.
    #[inline(always)]
    fn arrive(
        &mut self,
        parent: &Node,
        board: Board,
        key: Key,
        arrival: Arrival,
        mover: Mover,
        layer: usize,
    ) {
        let asleep = arrival.asleep(parent, mover.side);
        let (slot, new) = self.known.enter(key);
        if new {
            let turn = parent.turn.then(arrival.step);
            let node = Node::new(board, mover, key, turn);
            self.ids[slot] = self.nodes.len() as u32;
            self.nodes.push(Node { awake: node.singles & !asleep, ..node });
            self.reached[self.count] = Reached { turn, key };
            self.count += 1;
            return;
        }
        let id = self.ids[slot] as usize;
        // A board of an earlier layer has been expanded already.
        if id >= layer {
            let child = &mut self.nodes[id];
            child.awake = child.awake | (child.singles & !asleep);
        }
    }

    /// Makes sure that all steps of one more board find room.
    #[inline(always)]
    fn make_room(&mut self) {
        if 2 * (self.nodes.len() + MOST_STEPS) > self.known.capacity() {
            self.know_nodes(4 * self.known.capacity());
        }
        if self.count + MOST_STEPS > self.reached.len() {
            self.reached.resize(2 * self.reached.len(), Reached::default());
        }
    }

    /// Enters all nodes into an empty set.
    fn know_nodes(&mut self, capacity: usize) {
        self.known.reset(capacity);
        self.ids.resize(self.known.capacity(), 0);
        for (id, node) in self.nodes.iter().enumerate() {
            let (slot, _) = self.known.enter(node.key);
            self.ids[slot] = id as u32;
        }
    }

    /// The boards of the last layer that a push or a pull leads to.
    #[inline(always)]
    fn finish_by_pushes_and_pulls(
        &mut self,
        parents: Range<usize>,
        mover: Mover,
        relevant: impl Relevant,
    ) {
        for id in parents {
            let squares = relevant.squares(id);
            let room = &mut self.batch[self.batched..];
            self.batched += self.nodes[id].push_and_pull(mover.side, squares, room);
            if self.batched >= BATCH {
                self.compare_batch();
            }
        }
    }

    /// The boards of the last layer that a single step leads to.
    #[inline(always)]
    fn finish_by_singles<const WIDE: bool>(
        &mut self,
        parents: Range<usize>,
        mover: Mover,
        relevant: impl Relevant,
    ) {
        for id in parents {
            let parent = &self.nodes[id];
            let Some(awake) = relevant.steps(id, parent.awake) else { continue };
            let (costly, safe) = parent.by_cost(awake, mover.side);
            let mut room = Room::new(&mut self.batch[self.batched..]);
            parent.play_safe::<WIDE>(safe, mover.side, &mut room);
            if costly.union() != 0 {
                parent.play_costly(costly, mover.side, &mut room);
            }
            self.batched += room.count;
            if self.batched >= BATCH {
                self.compare_batch();
            }
        }
    }

    /// Keeps those boards of the batch that were not seen before.
    #[inline(always)]
    fn compare_batch(&mut self) {
        let total = self.count + self.batched;
        if total > self.reached.len() {
            self.reached.resize(2 * total, Reached::default());
        }
        if 2 * total > self.seen.capacity() {
            self.seen.reset(4 * total);
            self.seen.enter(self.nodes[0].key);
            for reached in &self.reached[..self.count] {
                self.seen.enter(reached.key);
            }
        }
        let batch = &self.batch[..self.batched];
        self.count += self.seen.enter_all(batch, &mut self.reached[self.count..total]);
        self.batched = 0;
    }
}

/// How a step led from a parent to a child.
struct Arrival {
    step: Step,
    /// Where the own piece went.
    goes_to: Square,
    /// The own pieces that it cost.
    lost: u64,
    /// For each direction, the squares whose single steps are smaller.
    smaller: Lanes,
    /// The single step that would take it back, if there is one.
    back: Lanes,
}

impl Arrival {
    /// The single steps of the parent that sleep in the child, as far as this path goes: those that
    /// are smaller or slept before, and come to the same when they are played before this step.
    ///
    /// Both orders are legal and lead to the same board unless, with a single step from `b`,
    /// 1. it goes to the square that this step needs empty;
    /// 2. it is the last friend beside the piece that moves here, which is then frozen or captured;
    /// 3. it would have saved a piece that is lost here, by coming to its trap or beside it;
    /// 4. it loses a piece that this step saves by coming beside the trap: as the last guard of a
    ///    piece on the trap that leaves it, or that goes there itself.
    ///
    /// (That it is not legal in the child needs no look: it is then not among the child's steps.)
    #[inline(always)]
    fn asleep(&self, parent: &Node, side: Side) -> Lanes {
        const TRAPS: u64 = Bitboard::TRAPS.0;
        let own = parent.board.of(side).0;
        let from = self.step.from();
        let mut origins = 0;
        let mut targets = self.step.to().bit().0;
        let friends = from.neighbours().0 & own;
        if (parent.dominated | TRAPS) & from.bit().0 != 0 && at_most_one(friends) {
            origins |= friends;
        }
        if self.lost != 0 {
            targets |= self.lost | Lanes::looking_at(self.lost).union();
        }
        let trap = self.goes_to.neighbours().0 & TRAPS;
        if trap != 0 {
            let guards = Lanes::looking_at(trap).union() & own;
            if at_most_one(guards) {
                if trap & own != 0 { origins |= guards } else { targets |= trap }
            }
        }
        let commuting = !(Lanes::splat(origins) | Lanes::looking_at(targets));
        (parent.singles & (self.smaller | !parent.awake) & commuting) | self.back
    }
}

#[inline(always)]
fn at_most_one(set: u64) -> bool {
    set & set.wrapping_sub(1) == 0
}

impl Node {
    /// A node none of whose steps is awake yet.
    #[inline(always)]
    fn new(board: Board, mover: Mover, key: Key, turn: Turn) -> Node {
        let own = board.of(mover.side);
        let dominated = mobility::dominated(&board, own);
        let free = mobility::free(own, dominated);
        let singles = mobility::singles(&board, free, !board.occupied(), mover.rabbits);
        let dominated = dominated.0;
        Node { board, singles, awake: Lanes::NONE, dominated, key, turn }
    }

    /// Splits single steps into those that cost a piece and the others.
    ///
    /// A single step costs a piece if the last guard of a trap makes it: any step of it, if it
    /// guards a friend there, and the one into the trap, if that is empty.
    #[inline(always)]
    fn by_cost(&self, steps: Lanes, side: Side) -> (Lanes, Lanes) {
        let own = self.board.of(side).0;
        let [south, west, north, east] = Lanes::looking_at(own).0;
        let several = (south & west) | (north & east) | ((south | west) & (north | east));
        let lone = (south | west | north | east) & !several & Bitboard::TRAPS.0;
        let held = Lanes::looking_at(lone & own).union();
        let entering = Lanes::looking_at(lone & !self.board.occupied().0);
        let costly = steps & (Lanes::splat(held) | entering);
        (costly, steps & !costly)
    }

    /// Writes where pushes and pulls that touch relevant squares lead; returns how many they are.
    #[inline(always)]
    fn push_and_pull(&self, side: Side, relevant: Bitboard, room: &mut [Reached]) -> usize {
        let board = &self.board;
        let mobility = Mobility::new(board, side);
        let then = self.turn.extension();
        // Elsewhere nothing can be captured.
        let risky = Bitboard::TRAPS | (board.occupied() & Bitboard::TRAPS).neighbours();
        let mut count = 0;
        let mut push = |step: Step, touched: Bitboard, key: Key| {
            if !touched.meets(relevant) {
                return;
            }
            let safe = !touched.meets(risky);
            let key = if safe { key } else { board.key_after(step, self.key) };
            room[count] = Reached { turn: then(step), key };
            count += 1;
        };
        for victim in Direction::ALL {
            for from in mobility.stronger[victim as usize] & mobility.free {
                let pushed = from.towards(victim);
                let pair = from.bit() | pushed.bit();
                let (own, other) = (board.strength_at(from), board.strength_at(pushed));
                let follow = self.key ^ keys::single(side, victim, own, from);
                let drag = self.key ^ keys::single(!side, victim.opposite(), other, pushed);
                for to in Direction::ALL {
                    let beyond = pushed.bit().shift(to) & mobility.empty;
                    if !beyond.is_empty() {
                        let key = follow ^ keys::single(!side, to, other, pushed);
                        push(Step::push(from, victim, to), pair | beyond, key);
                    }
                    let beside = from.bit().shift(to) & mobility.empty;
                    if !beside.is_empty() {
                        let key = drag ^ keys::single(side, to, own, from);
                        push(Step::pull(from, victim, to), pair | beside, key);
                    }
                }
            }
        }
        count
    }

    /// Writes where the steps lead that cost a piece.
    #[inline(always)]
    fn play_costly(&self, steps: Lanes, side: Side, room: &mut Room) {
        for direction in Direction::ALL {
            for from in Bitboard(steps.0[direction as usize]) {
                let strength = self.board.strength_at(from);
                let change = keys::single(side, direction, strength, from);
                let trap = (from.neighbours() & Bitboard::TRAPS).0.trailing_zeros();
                let trap = Square::from_bits(trap as u16);
                // What stands on the trap, or else the guard that enters it.
                let lost = match self.board.strength_at(trap) {
                    0 => strength,
                    held => held,
                };
                let key = self.key ^ change ^ keys::strength(side, lost, trap);
                room.push(Reached { turn: self.turn.then(Step::single(from, direction)), key });
            }
        }
    }

    /// Writes where the steps lead that cost nothing.
    #[inline(always)]
    fn play_safe<const WIDE: bool>(&self, steps: Lanes, side: Side, room: &mut Room) {
        #[cfg(target_arch = "x86_64")]
        if WIDE {
            let Node { board, turn, key, .. } = self;
            // SAFETY: `WIDE` says that the processor has the instructions.
            return unsafe { wide::play_safe(board, *turn, *key, steps, side, room) };
        }
        let then = self.turn.extension();
        for direction in Direction::ALL {
            for from in Bitboard(steps.0[direction as usize]) {
                let change = keys::single(side, direction, self.board.strength_at(from), from);
                let turn = then(Step::single(from, direction));
                room.push(Reached { turn, key: self.key ^ change });
            }
        }
    }
}

/// Where the single steps of one board are written; there are never too many of them.
pub(crate) struct Room<'a> {
    /// Eight more than needed, for those who write eight at a time.
    places: &'a mut [Reached; MOST_SINGLES + 8],
    count: usize,
}

impl Room<'_> {
    #[inline(always)]
    fn new(batch: &mut [Reached]) -> Room<'_> {
        let (places, _) = batch.split_first_chunk_mut().expect("the batch is longer by that");
        Room { places, count: 0 }
    }

    #[inline(always)]
    fn push(&mut self, reached: Reached) {
        debug_assert!(self.count < MOST_SINGLES);
        // The remainder tells the compiler that the place is there.
        self.places[self.count % MOST_SINGLES] = reached;
        self.count += 1;
    }

    /// Writes the first ones of eight, at most eight of them.
    #[inline(always)]
    pub(crate) fn extend(&mut self, eight: &[Reached; 8], count: usize) {
        debug_assert!(self.count + count.min(8) <= MOST_SINGLES);
        let begin = self.count.min(MOST_SINGLES);
        self.places[begin..begin + 8].copy_from_slice(eight);
        self.count += count.min(8);
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::{Position, SILVER};

    /// Positions of `tusk bench`.
    const POSITIONS: &str = include_str!("../../../positions/bench.txt");

    fn positions() -> impl Iterator<Item = Position> {
        POSITIONS.lines().filter(|line| !line.starts_with('#')).map(|line| line.parse().unwrap())
    }

    #[test]
    fn the_code_for_any_processor_finds_what_the_code_for_newer_ones_finds() {
        let (mut plain, mut fast) = (TurnGenerator::new(), TurnGenerator::new());
        for position in positions() {
            plain.run::<false>(Stage::All(position.board(), position.side()));
            let found = fast.distinct(position.board(), position.side());
            assert_eq!(plain.reached[..plain.count], *found, "{position}");
        }
    }

    #[test]
    fn a_list_in_two_parts_is_the_whole_list() {
        let mut generator = TurnGenerator::new();
        for position in positions() {
            let (board, side) = (position.board(), position.side());
            let whole: HashSet<Key> = keys(generator.distinct(board, side));
            let mut parts = keys(generator.three_steps(board, side));
            let relevant = vec![Bitboard::ALL; parts.len() + 1];
            parts.extend(keys(generator.four_steps(&relevant)));
            assert_eq!(parts, whole, "{position}");
        }
    }

    /// A turn is left out only if each of its orders ends with a step that touches no relevant square.
    #[test]
    fn last_steps_touch_relevant_squares() {
        let relevant = Bitboard::TRAPS | Bitboard::row(4);
        let mut generator = TurnGenerator::new();
        for position in positions() {
            let (board, side) = (position.board(), position.side());
            let whole = generator.distinct(board, side).to_vec();
            let count = generator.three_steps(board, side).len();
            let sets = vec![relevant; count + 1];
            let listed = generator.four_steps(&sets).to_vec();
            let last =
                |turn: Turn| Turn::EMPTY.then(turn.steps().last().expect("a step")).squares();
            assert!(listed.iter().all(|reached| last(reached.turn).meets(relevant)), "{position}");
            let kept = keys(&listed);
            let mut others = whole[count..].iter().filter(|reached| !kept.contains(&reached.key));
            assert!(others.all(|reached| !last(reached.turn).meets(relevant)), "{position}");
        }
    }

    fn keys(list: &[Reached]) -> HashSet<Key> {
        list.iter().map(|reached| reached.key).collect()
    }

    #[test]
    fn a_used_generator_finds_what_a_new_one_finds() {
        let mut used = TurnGenerator::new();
        for position in positions() {
            for side in [GOLD, SILVER] {
                let mut new = TurnGenerator::new();
                let expected = new.distinct(position.board(), side);
                assert_eq!(used.distinct(position.board(), side), expected, "{position}");
            }
        }
    }
}
