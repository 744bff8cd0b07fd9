//! The first layer: where each piece can go within a turn, where the opponent can move it, and whether it can be
//! captured; for both sides, exactly.
//!
//! A turn of four steps is cut in two. Its first two steps are played in every distinct way, some hundred boards;
//! what its last two steps can do is known without a search, for all pieces of eight boards at once
//! (`last_steps.rs`). Only a push or a pull in the middle, with a single step before and after it, is cut
//! after three steps.

use std::cell::Cell;

use arimaa::{Bitboard, Board, Direction, GOLD, SILVER, Square};
use game::Steps;

use super::last_steps::{
    Enemies, FAR, LastSteps, destinations, neighbours, one_step, play, play_single,
};
use super::words::{Words, beside};

/// What each piece of a board can do and suffer within a turn, whoever is to move.
///
/// A piece is told by its square. Where it stands already is not among the squares that it can reach.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TurnMobility {
    reach: [[Bitboard; 64]; 4],
    displaced: [[Bitboard; 64]; 3],
    captured: [Bitboard; 3],
}

impl TurnMobility {
    /// Looks at a board.
    pub fn new(board: &Board) -> TurnMobility {
        #[cfg(target_arch = "x86_64")]
        if super::words::wide::is_available() {
            // SAFETY: the processor has the instructions.
            return with_scratch(|scratch| unsafe { with_eight(board, scratch) });
        }
        TurnMobility::plain(board)
    }

    /// The same as [`TurnMobility::new`], one board at a time on any processor.
    #[doc(hidden)]
    pub fn plain(board: &Board) -> TurnMobility {
        with_scratch(|scratch| both_sides::<u64>(board, scratch))
    }

    /// The squares where a turn of its own side can leave the piece on that square alive: by at most so many steps,
    /// 1 to 4.
    #[inline]
    pub fn reach(&self, square: Square, steps: Steps) -> Bitboard {
        self.reach[usize::from(steps.0.clamp(1, 4)) - 1][square.index()]
    }

    /// The squares to which the other side can push or pull the piece on that square by at most so many steps, 2 to 4;
    /// on a trap it may fall.
    #[inline]
    pub fn displaced(&self, square: Square, steps: Steps) -> Bitboard {
        self.displaced[usize::from(steps.0.clamp(2, 4)) - 2][square.index()]
    }

    /// The pieces that the other side can capture by at most so many steps, 2 to 4.
    #[inline]
    pub fn captured(&self, steps: Steps) -> Bitboard {
        self.captured[usize::from(steps.0.clamp(2, 4)) - 2]
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
fn with_eight(board: &Board, scratch: &mut Scratch) -> TurnMobility {
    both_sides::<super::words::wide::Eight>(board, scratch)
}

/// Buffers that are too large to be cleared for each board.
struct Scratch {
    batch: Batch,
    children: Children,
    seconds: Seconds,
}

thread_local! {
    static SCRATCH: Cell<Option<Box<Scratch>>> = const { Cell::new(None) };
}

#[inline]
fn with_scratch(look: impl FnOnce(&mut Scratch) -> TurnMobility) -> TurnMobility {
    let new = || {
        let (batch, children, seconds) = (Batch::new(), Children::new(), Seconds::new());
        Box::new(Scratch { batch, children, seconds })
    };
    let mut scratch = SCRATCH.take().unwrap_or_else(new);
    let mobility = look(&mut scratch);
    SCRATCH.set(Some(scratch));
    mobility
}

#[inline(always)]
fn both_sides<W: Words>(board: &Board, scratch: &mut Scratch) -> TurnMobility {
    let mut mobility = TurnMobility {
        reach: [[Bitboard::EMPTY; 64]; 4],
        displaced: [[Bitboard::EMPTY; 64]; 3],
        captured: [Bitboard::EMPTY; 3],
    };
    // One copy of the code for both sides: Silver sees the board mirrored.
    for (side, board) in [(GOLD, *board), (SILVER, board.mirrored())] {
        let mut turn = Turn { reach: [[0; 64]; 4], displaced: [[0; 64]; 3], captured: [0; 3] };
        turn.look::<W>(board.planes(), scratch);
        let (own, enemy) = (board.of(GOLD), board.of(SILVER));
        let square = |index: usize| if side == GOLD { index } else { index ^ 56 };
        let set = |set: u64| Bitboard(if side == GOLD { set } else { set.swap_bytes() });
        for origin in own {
            for steps in 0..4 {
                let reached = turn.reach[steps][origin.index()] & !origin.bit().0;
                mobility.reach[steps][square(origin.index())] = set(reached);
            }
        }
        for origin in enemy {
            for steps in 0..3 {
                let displaced = turn.displaced[steps][origin.index()] & !origin.bit().0;
                mobility.displaced[steps][square(origin.index())] = set(displaced);
            }
        }
        for steps in 0..3 {
            mobility.captured[steps] |= set(turn.captured[steps]);
        }
    }
    mobility
}

/// What Gold can do within a turn: by the steps and the square where a piece stands before it.
struct Turn {
    reach: [[u64; 64]; 4],
    displaced: [[u64; 64]; 3],
    captured: [u64; 3],
}

/// What two last steps can do for pieces that stand where they stood at the start, over many boards.
#[derive(Clone, Copy)]
struct Sums<W> {
    near: [W; 4],
    far: [W; FAR],
    displaced: [W; 4],
    captured: W,
}

impl<W: Words> Sums<W> {
    #[inline(always)]
    fn none() -> Sums<W> {
        let none = W::splat(0);
        Sums { near: [none; 4], far: [none; FAR], displaced: [none; 4], captured: none }
    }

    #[inline(always)]
    fn add(&mut self, last: &LastSteps<W>, untouched: W) {
        for (sum, set) in self.near.iter_mut().zip(last.near) {
            *sum = *sum | (set & untouched);
        }
        for (sum, set) in self.far.iter_mut().zip(last.far) {
            *sum = *sum | (set & untouched);
        }
        for (sum, set) in self.displaced.iter_mut().zip(last.displaced) {
            *sum = *sum | (set & untouched);
        }
        self.captured = self.captured | (last.captured & untouched);
    }

    #[inline(always)]
    fn add_near(&mut self, near: [W; 4], untouched: W) {
        for (sum, set) in self.near.iter_mut().zip(near) {
            *sum = *sum | (set & untouched);
        }
    }
}

/// The most boards that are collected before they are looked at: once there are [`ENOUGH`], with what the pieces of a
/// board can do at once in the worst case, 16 of them six pushes and pulls each.
const ROOM: usize = ENOUGH + 96;
const ENOUGH: usize = 64;

/// The most single steps of 16 pieces.
const MOST_SINGLES: usize = 64;

/// Boards that are to be made by a push, a pull or a single step, and looked at. The fields are arrays, so that some boards at once can be read.
struct Batch {
    planes: [[u64; ROOM]; 4],
    /// The step, as [`play`] takes it.
    first: [u64; ROOM],
    to: [u64; ROOM],
    second: [u64; ROOM],
    /// The squares that were touched before the step.
    touched: [u64; ROOM],
    /// Two pieces that have moved: where they stood before the turn, and where they stand after the step.
    origin: [[u8; ROOM]; 2],
    at: [[u64; ROOM]; 2],
    /// Where the first of the two can get to.
    reached: [u64; ROOM],
    count: usize,
}

/// A step that is to be played, and what becomes of the pieces that it moves.
#[derive(Clone, Copy)]
struct Move {
    first: u64,
    to: u64,
    second: u64,
}

impl Move {
    #[inline(always)]
    fn touched(self) -> u64 {
        self.first | self.to | self.second
    }
}

impl Batch {
    fn new() -> Batch {
        let none = [0; ROOM];
        Batch {
            planes: [none; 4],
            first: none,
            to: none,
            second: none,
            touched: none,
            origin: [[0; ROOM]; 2],
            at: [none; 2],
            reached: none,
            count: 0,
        }
    }

    /// Adds a board; `pieces` are those that have moved: where they stood before the turn and where they are.
    #[inline(always)]
    fn push(&mut self, planes: [u64; 4], step: Move, touched: u64, pieces: [(u64, u64); 2]) {
        let lane = self.count;
        assert!(lane < ROOM);
        for (plane, value) in self.planes.iter_mut().zip(planes) {
            plane[lane] = value;
        }
        self.first[lane] = step.first;
        self.to[lane] = step.to;
        self.second[lane] = step.second;
        self.touched[lane] = touched;
        for (index, (origin, at)) in pieces.into_iter().enumerate() {
            self.origin[index][lane] = (origin.trailing_zeros() & 63) as u8;
            self.at[index][lane] = at;
        }
        self.count += 1;
    }

    #[inline(always)]
    fn has_enough(&self) -> bool {
        self.count >= ENOUGH
    }

    /// Fills the batch with empty boards up to a multiple of what the words hold.
    #[inline(always)]
    fn fill_up<W: Words>(&mut self) {
        for lane in self.count..self.count.next_multiple_of(W::COUNT) {
            self.planes.iter_mut().for_each(|plane| plane[lane] = 0);
            self.at.iter_mut().for_each(|at| at[lane] = 0);
        }
    }

    /// The boards from `lane` on, after their steps: some may be pushes and pulls, or none is.
    #[inline(always)]
    fn boards<W: Words, const PAIRS: bool>(&self, lane: usize) -> [W; 4] {
        let planes = [
            W::load(&self.planes[0][lane..]),
            W::load(&self.planes[1][lane..]),
            W::load(&self.planes[2][lane..]),
            W::load(&self.planes[3][lane..]),
        ];
        let (first, to) = (W::load(&self.first[lane..]), W::load(&self.to[lane..]));
        match PAIRS {
            true => play(planes, first, to, W::load(&self.second[lane..])),
            false => play_single(planes, first, to),
        }
    }

    /// The squares that are as they were at the start.
    #[inline(always)]
    fn untouched<W: Words, const PAIRS: bool>(&self, lane: usize) -> W {
        let before = W::load(&self.touched[lane..]);
        let touched = before | W::load(&self.first[lane..]) | W::load(&self.to[lane..]);
        !if PAIRS { touched | W::load(&self.second[lane..]) } else { touched }
    }

    /// Where one of the pieces that have moved stands.
    #[inline(always)]
    fn at<W: Words>(&self, piece: usize, lane: usize) -> W {
        W::load(&self.at[piece][lane..])
    }

    /// Notes for one of the pieces that have moved where it can get to.
    #[inline(always)]
    fn record<W: Words>(&self, table: &mut [u64; 64], piece: usize, lane: usize, reached: W) {
        let mut sets = [0; 8];
        reached.store(&mut sets);
        for (index, set) in sets.into_iter().enumerate().take(W::COUNT) {
            table[usize::from(self.origin[piece][lane + index] & 63)] |= set;
        }
    }

    /// Notes where the first of the pieces that have moved can get to. It is mostly the same for many boards on end.
    #[inline(always)]
    fn record_reached(&self, table: &mut [u64; 64]) {
        let mut last = self.origin[0][0];
        let mut sum = 0;
        for (&origin, &reached) in self.origin[0].iter().zip(&self.reached).take(self.count) {
            if origin != last {
                table[usize::from(last & 63)] |= sum;
                (last, sum) = (origin, 0);
            }
            sum |= reached;
        }
        table[usize::from(last & 63)] |= sum;
    }
}

/// The boards after one single step.
struct Children {
    steps: [Move; MOST_SINGLES],
    direction: [u8; MOST_SINGLES],
    planes: [[u64; MOST_SINGLES]; 4],
    singles: [[u64; MOST_SINGLES]; 4],
    attacks: [[u64; MOST_SINGLES]; 4],
    /// What each step touches, what it is linked with ([`LINKED`], [`NEAR`]), and where it leads to if the piece may push
    /// or pull from there.
    touched: [u64; MOST_SINGLES],
    linked: [u64; MOST_SINGLES],
    near: [u64; MOST_SINGLES],
    striking: [u64; MOST_SINGLES],
    count: usize,
}

impl Children {
    fn new() -> Children {
        let none = [0; MOST_SINGLES];
        Children {
            steps: [Move { first: 0, to: 0, second: 0 }; MOST_SINGLES],
            direction: [0; MOST_SINGLES],
            planes: [none; 4],
            singles: [none; 4],
            attacks: [none; 4],
            touched: none,
            linked: none,
            near: none,
            striking: none,
            count: 0,
        }
    }

    #[inline(always)]
    fn add(&mut self, step: Move, direction: usize, strikes: bool) {
        let (child, from) = (self.count, step.first.trailing_zeros() as usize & 63);
        assert!(child < MOST_SINGLES);
        self.steps[child] = step;
        self.direction[child] = direction as u8;
        self.touched[child] = step.touched();
        self.linked[child] = LINKED[from][direction];
        self.near[child] = NEAR[from];
        self.striking[child] = if strikes { step.to } else { 0 };
        self.count += 1;
    }

    /// For each direction, the second steps that are not worth a look after a child, because a third step is linked
    /// with one of the two at most. What such a turn does, it can do without one of them, or in another order: a linked step
    /// comes right after its child there.
    #[inline(always)]
    fn unrelated<W: Words>(&self, child: usize, start: &Start) -> [u64; 4] {
        let step = W::splat(start.own & self.linked[child] | self.touched[child]);
        let pair = W::splat(start.strikers & self.near[child] | self.striking[child]);
        let (linked, near) = (W::splat(self.linked[child]), W::splat(self.near[child]));
        let mut related = 0;
        for other in (0..self.count).step_by(W::COUNT) {
            let load = |sets: &[u64; MOST_SINGLES]| W::load(&sets[other..]);
            let singles = (load(&self.linked) & step) | (load(&self.touched) & linked);
            let pairs = (load(&self.near) & pair) | (load(&self.striking) & near);
            related |= (singles | pairs).any_of_each() << other;
        }
        let mut first = 0;
        start.singles.map(|movers| {
            let unrelated = W::chosen(movers, !related.unbounded_shr(first));
            first += movers.count_ones();
            unrelated
        })
    }

    #[inline(always)]
    fn planes_of(&self, child: usize) -> [u64; 4] {
        let [one, two, four, gold] = &self.planes;
        [one[child], two[child], four[child], gold[child]]
    }

    /// For each direction, the second steps that need not be looked at after a child: an earlier child begins with them and
    /// comes to the same board.
    #[inline(always)]
    fn asleep<W: Words>(&self, child: usize, start: &Start) -> [u64; 4] {
        let (own, at_start) = (start.own, start.singles);
        let step = self.steps[child];
        let own_direction = usize::from(self.direction[child] & 3);
        let independent = &INDEPENDENT[step.first.trailing_zeros() as usize & 63][own_direction];
        let mut asleep = self.unrelated::<W>(child, start);
        for direction in 0..=own_direction {
            let is_earlier = if direction == own_direction { step.first - 1 } else { !0 };
            let earlier = at_start[direction] & is_earlier & !asleep[direction];
            asleep[direction] |= earlier & independent[direction];
            if self.falls(child, own) {
                continue;
            }
            // The others one by one: whether this step can follow there.
            let near = earlier & !independent[direction] & self.singles[direction][child];
            for other in bits(near) {
                let earlier = self.child_of(at_start, direction, other);
                let same = self.singles[own_direction][earlier] & step.first != 0;
                if same && !self.falls(earlier, own) {
                    asleep[direction] |= other;
                }
            }
            // The same piece may go around the other way.
            if direction != own_direction && at_start[direction] & step.first != 0 {
                let earlier = self.child_of(at_start, direction, step.first);
                let same = self.singles[own_direction][earlier] & self.steps[earlier].to != 0;
                if same && !self.falls(earlier, own) {
                    asleep[direction] |= step.to;
                }
            }
        }
        asleep
    }

    /// Whether a child's step costs a piece.
    #[inline(always)]
    fn falls(&self, child: usize, own: u64) -> bool {
        self.planes[3][child] ^ self.steps[child].touched() != own
    }

    /// The child that begins with the step of a piece in a direction.
    #[inline(always)]
    fn child_of(&self, at_start: [u64; 4], direction: usize, piece: u64) -> usize {
        let before: u32 = at_start[..direction].iter().map(|movers| movers.count_ones()).sum();
        (before + (at_start[direction] & (piece - 1)).count_ones()) as usize % MOST_SINGLES
    }
}

/// What is known of the board at the start.
struct Start {
    own: u64,
    /// The own pieces that are no rabbits.
    strong: u64,
    /// The squares beside an enemy.
    exposed: u64,
    /// The own pieces that may push or pull from where they stand.
    strikers: u64,
    /// For each direction, the own pieces that can go there.
    singles: [u64; 4],
}

impl Start {
    #[inline(always)]
    fn new([one, two, four, own]: [u64; 4], singles: [u64; 4]) -> Start {
        let strong = own & (two | four);
        let exposed = beside((one | two | four) & !own);
        Start { own, strong, exposed, strikers: strong & exposed, singles }
    }
}

/// For each single step, by its square and direction, the squares from which a later single step may not change places with
/// it. A later step needs what this one does if it goes to where this one left, if it is unfrozen by it, or if
/// it is held on a trap by it; or it spoils what this one needed. All of that is beside one of the two squares, or around a trap
/// beside them: who leaves a trap's side may let a piece fall that a later step would have held from
/// outside.
static LINKED: [[u64; 4]; 64] = {
    let mut table = [[0; 4]; 64];
    let mut index = 0;
    while index < 64 * 4 {
        let (from, to) = (1u64 << (index / 4), onward(index / 4, index % 4));
        let beside = Bitboard(from | to).neighbours();
        let mut linked = from | to | beside.0;
        let mut trap = 0;
        while trap < 4 {
            let trap_square = Square::TRAPS[trap].bit();
            let sides = trap_square.neighbours();
            if (from | to) & sides.0 != 0 {
                linked |= trap_square.0 | sides.0;
            }
            if from & sides.0 | to & trap_square.0 != 0 {
                linked |= trap_square.0 | sides.0 | sides.neighbours().0;
            }
            trap += 1;
        }
        table[index / 4][index % 4] = linked;
        index += 1;
    }
    table
};

/// For each single step, by its square and direction, and each direction: the squares from which a step that way neither
/// needs nor changes anything that this step changes or needs.
static INDEPENDENT: [[[u64; 4]; 4]; 64] = {
    let mut table = [[[0; 4]; 4]; 64];
    let mut index = 0;
    while index < 64 * 16 {
        let (from, way, other_way) = (index / 16, index / 4 % 4, index % 4);
        let touched = 1u64 << from | onward(from, way);
        let mut other = 0;
        while other < 64 {
            let other_touched = 1u64 << other | onward(other, other_way);
            if touched & READ[other] == 0 && other_touched & READ[from] == 0 {
                table[from][way][other_way] |= 1 << other;
            }
            other += 1;
        }
        index += 1;
    }
    table
};

/// The square beside a square in a direction, if there is one.
const fn onward(from: usize, direction: usize) -> u64 {
    const DIRECTIONS: [Direction; 4] = Direction::ALL;
    Bitboard(1 << from).shift(DIRECTIONS[direction]).0
}

/// The boards after two single steps: what differs between them, each as a number of a square.
struct Seconds {
    from: [u8; SECONDS_ROOM],
    to: [u8; SECONDS_ROOM],
    /// Where the piece stood before the turn.
    origin: [u8; SECONDS_ROOM],
    /// From which board on which child has been played, with its end at the end.
    runs: [(usize, usize); MOST_SINGLES + 1],
    run_count: usize,
    count: usize,
}

/// So many that the boards of most positions are looked at in one go.
const ENOUGH_SECONDS: usize = 448;

/// Room for what a child can do, and for the numbers without meaning behind a list.
const SECONDS_ROOM: usize = ENOUGH_SECONDS + 2 * MOST_SINGLES;

impl Seconds {
    fn new() -> Seconds {
        let none = [0; SECONDS_ROOM];
        Seconds {
            from: none,
            to: none,
            origin: none,
            runs: [(0, 0); MOST_SINGLES + 1],
            run_count: 0,
            count: 0,
        }
    }

    /// Adds the steps of these pieces in a direction. A piece that has just moved came from another square.
    #[inline(always)]
    fn add<W: Words>(&mut self, movers: u64, direction: usize, before: Move) {
        let begin = self.count;
        let mut numbers = [0; 64];
        W::list(movers, &mut numbers);
        let (moved, origin) =
            (before.to.trailing_zeros() as u8, before.first.trailing_zeros() as u8);
        let onward = [8, 1, 8u8.wrapping_neg(), 1u8.wrapping_neg()][direction];
        // There are no more than 16 pieces.
        let from = &mut self.from[begin..begin + 16];
        let to = &mut self.to[begin..begin + 16];
        let origins = &mut self.origin[begin..begin + 16];
        for index in 0..16 {
            let number = numbers[index];
            from[index] = number;
            to[index] = number.wrapping_add(onward) & 63;
            origins[index] = if number == moved { origin } else { number };
        }
        self.count += movers.count_ones() as usize;
    }

    /// Begins with the steps after another child.
    #[inline(always)]
    fn begin(&mut self, child: usize) {
        self.runs[self.run_count] = (self.count, child);
        self.run_count += 1;
    }
}

impl Turn {
    #[inline(always)]
    fn look<W: Words>(&mut self, planes: [u64; 4], scratch: &mut Scratch) {
        let Scratch { batch, children, seconds } = scratch;
        batch.count = 0;
        let last = u64::last_steps(&planes, &u64::enemies(&planes));
        let mut two = Sums::none();
        two.add(&last, !0);
        let (mut three, mut four) = (Sums::none(), Sums::none());
        let enemies = W::enemies(&splatted(&planes));
        let start = Start::new(planes, last.singles);
        self.after_singles(planes, &start, &enemies, batch, children, &mut three);
        self.after_two_singles(&start, &enemies, children, seconds, &mut four);
        self.after_pairs(planes, &last, batch, &mut three, &mut four);
        self.after_single_and_pair(children, batch, &mut four);
        self.collect(planes, &last, two, three, four);
    }

    /// Looks at the boards after one single step, and keeps them.
    #[inline(always)]
    fn after_singles<W: Words>(
        &mut self,
        planes: [u64; 4],
        start: &Start,
        enemies: &Enemies<W>,
        batch: &mut Batch,
        children: &mut Children,
        three: &mut Sums<W>,
    ) {
        children.count = 0;
        for (direction, movers) in start.singles.into_iter().enumerate() {
            for first in bits(movers) {
                let step = Move { first, to: towards(first, direction), second: 0 };
                batch.push(planes, step, 0, [(first, step.to), (0, 0)]);
                let strikes = first & start.strong != 0 && step.to & start.exposed != 0;
                children.add(step, direction, strikes);
            }
        }
        batch.fill_up::<W>();
        for lane in (0..batch.count).step_by(W::COUNT) {
            let planes: [W; 4] = batch.boards::<W, false>(lane);
            let last = W::last_steps(&planes, enemies);
            three.add(&last, batch.untouched::<W, false>(lane));
            let reached = destinations(&last.near, &last.far, batch.at(0, lane));
            reached.store(&mut batch.reached[lane..]);
            store(&planes, &mut children.planes, lane);
            store(&last.singles, &mut children.singles, lane);
            store(&last.attacks, &mut children.attacks, lane);
        }
        batch.record_reached(&mut self.reach[2]);
        batch.count = 0;
    }

    /// Looks at the boards after two single steps.
    #[inline(always)]
    fn after_two_singles<W: Words>(
        &mut self,
        start: &Start,
        enemies: &Enemies<W>,
        children: &Children,
        seconds: &mut Seconds,
        four: &mut Sums<W>,
    ) {
        (seconds.count, seconds.run_count) = (0, 0);
        for child in 0..children.count {
            let before = children.steps[child];
            // To go back leads to the start, if nothing fell.
            let falls = children.falls(child, start.own);
            let asleep = children.asleep::<W>(child, start);
            let back = usize::from(children.direction[child]) ^ 2;
            seconds.begin(child);
            for (direction, asleep) in asleep.into_iter().enumerate() {
                let movers = children.singles[direction][child] & !asleep;
                let returns = if direction == back && !falls { before.to } else { 0 };
                seconds.add::<W>(movers & !returns, direction, before);
            }
            if seconds.count >= ENOUGH_SECONDS || child + 1 == children.count {
                self.look_at_seconds(seconds, enemies, children, four);
                (seconds.count, seconds.run_count) = (0, 0);
            }
        }
    }

    #[inline(always)]
    fn look_at_seconds<W: Words>(
        &mut self,
        seconds: &Seconds,
        enemies: &Enemies<W>,
        children: &Children,
        four: &mut Sums<W>,
    ) {
        let none = W::splat(0);
        let mut run = 0;
        let (mut planes, mut from, mut to) = ([none; 4], none, none);
        for lane in (0..seconds.count).step_by(W::COUNT) {
            let first_run = run;
            // The children of this group of boards. The last one of a group may go on in the next.
            while run < seconds.run_count && seconds.runs[run].0 < lane + W::COUNT {
                let (begin, child) = seconds.runs[run];
                let board = begin.saturating_sub(lane);
                let step = children.steps[child];
                let [one, two, four, gold] = children.planes_of(child);
                planes = [
                    planes[0].with_rest(board, one),
                    planes[1].with_rest(board, two),
                    planes[2].with_rest(board, four),
                    planes[3].with_rest(board, gold),
                ];
                (from, to) = (from.with_rest(board, step.first), to.with_rest(board, step.to));
                run += 1;
            }
            let boards = planes;
            let numbers = (&seconds.from[lane..], &seconds.to[lane..]);
            let (second_from, second_to) = (W::squares(numbers.0), W::squares(numbers.1));
            // What comes after the last board is of no meaning: it is made empty.
            let boards = match seconds.count - lane < W::COUNT {
                true => {
                    let left = seconds.count - lane;
                    [
                        boards[0].with_rest(left, 0),
                        boards[1].with_rest(left, 0),
                        boards[2].with_rest(left, 0),
                        boards[3].with_rest(left, 0),
                    ]
                }
                false => boards,
            };
            // This is where the time goes: not a call.
            let last = LastSteps::new(play_single(boards, second_from, second_to), enemies);
            four.add(&last, !(from | to | second_from | second_to));
            let mut reached = [0; 8];
            destinations(&last.near, &last.far, second_to).store(&mut reached);
            for (reached, origin) in reached.into_iter().zip(&seconds.origin[lane..]).take(W::COUNT)
            {
                self.reach[3][usize::from(origin & 63)] |= reached;
            }
            // The piece of the first step, where it is not the one of the second.
            let mut reached = [0; 8];
            destinations(&last.near, &last.far, to & !second_from).store(&mut reached);
            self.reach_of_runs(seconds, children, first_run.saturating_sub(1)..run, lane, &reached);
            // The next group begins with the child that this one ends with.
            if let Some((_, child)) = seconds.runs[..run].last() {
                let step = children.steps[*child];
                let [one, two, four, gold] = children.planes_of(*child);
                planes = [W::splat(one), W::splat(two), W::splat(four), W::splat(gold)];
                (from, to) = (W::splat(step.first), W::splat(step.to));
            }
        }
    }

    /// Notes where the pieces of the first steps can get to, for one group of boards: those of a child are on end.
    #[inline(always)]
    fn reach_of_runs(
        &mut self,
        seconds: &Seconds,
        children: &Children,
        runs: std::ops::Range<usize>,
        lane: usize,
        reached: &[u64; 8],
    ) {
        for run in runs {
            let (begin, child) = seconds.runs[run];
            let end = match run + 1 < seconds.run_count {
                true => seconds.runs[run + 1].0,
                false => seconds.count,
            };
            let boards = begin.saturating_sub(lane).min(8)..end.saturating_sub(lane).min(8);
            let sum = reached[boards].iter().fold(0, |sum, reached| sum | reached);
            let origin = children.steps[child].first.trailing_zeros();
            self.reach[3][origin as usize & 63] |= sum;
        }
    }

    /// Looks at the boards after a push or a pull. The second piece of a batch is the enemy that was moved.
    #[inline(always)]
    fn after_pairs<W: Words>(
        &mut self,
        planes: [u64; 4],
        start: &LastSteps<u64>,
        batch: &mut Batch,
        three: &mut Sums<W>,
        four: &mut Sums<W>,
    ) {
        for (direction, attackers) in start.attacks.into_iter().enumerate() {
            for_each_pair(planes, attackers, direction, |step, own, enemy| {
                batch.push(planes, step, 0, [own, enemy]);
            });
            if !batch.has_enough() && direction < 3 {
                continue;
            }
            batch.fill_up::<W>();
            for lane in (0..batch.count).step_by(W::COUNT) {
                let planes: [W; 4] = batch.boards::<W, true>(lane);
                let last = W::last_steps(&planes, &W::enemies(&planes));
                let untouched = batch.untouched::<W, true>(lane);
                three.add_near(last.one_step, untouched);
                four.add(&last, untouched);
                let (own, enemy) = (batch.at(0, lane), batch.at(1, lane));
                let next = neighbours(&last.one_step, own);
                batch.record(&mut self.reach[2], 0, lane, next);
                let reached = destinations(&last.near, &last.far, own);
                batch.record(&mut self.reach[3], 0, lane, reached);
                let displaced = neighbours(&last.displaced, enemy);
                batch.record(&mut self.displaced[2], 1, lane, displaced);
                let mut taken = [0; 8];
                (last.captured & enemy).store(&mut taken);
                for (index, taken) in taken.into_iter().enumerate().take(W::COUNT) {
                    self.captured[2] |= u64::from(taken != 0) << batch.origin[1][lane + index];
                }
            }
            batch.count = 0;
        }
    }

    /// Looks at the boards after a single step and a push or a pull that depends on it, with one step left.
    #[inline(always)]
    fn after_single_and_pair<W: Words>(
        &mut self,
        children: &Children,
        batch: &mut Batch,
        four: &mut Sums<W>,
    ) {
        for index in 0..4 * children.count {
            let (child, direction) = (index / 4, index % 4);
            let is_last = index + 1 == 4 * children.count;
            let before = children.steps[child];
            let from = before.first.trailing_zeros() as usize & 63;
            let attackers = children.attacks[direction][child] & NEAR[from];
            if attackers != 0 {
                let board = children.planes_of(child);
                for_each_pair(board, attackers, direction, |step, own, _| {
                    // Where neither changes what the other needs, they can change places: then the single step is among
                    // the last two.
                    let needed = READ[own.0.trailing_zeros() as usize & 63];
                    if step.touched() & READ[from] == 0 && before.touched() & needed == 0 {
                        return;
                    }
                    let pieces = match own.0 == before.to {
                        true => [(before.first, own.1), (0, 0)],
                        false => [(before.first, before.to), own],
                    };
                    batch.push(board, step, before.touched(), pieces);
                });
            }
            if !batch.has_enough() && !is_last {
                continue;
            }
            batch.fill_up::<W>();
            for lane in (0..batch.count).step_by(W::COUNT) {
                let planes: [W; 4] = batch.boards::<W, true>(lane);
                let one_step = one_step(planes, &W::enemies(&planes));
                four.add_near(one_step, batch.untouched::<W, true>(lane));
                let next = neighbours(&one_step, batch.at(0, lane));
                next.store(&mut batch.reached[lane..]);
                let next = neighbours(&one_step, batch.at(1, lane));
                batch.record(&mut self.reach[3], 1, lane, next);
            }
            batch.record_reached(&mut self.reach[3]);
            batch.count = 0;
        }
    }

    /// Puts together what is known of pieces that stand where they stood and of those that moved.
    #[inline(always)]
    fn collect<W: Words>(
        &mut self,
        planes: [u64; 4],
        last: &LastSteps<u64>,
        two: Sums<u64>,
        three: Sums<W>,
        four: Sums<W>,
    ) {
        let own = planes[3];
        let enemy = (planes[0] | planes[1] | planes[2]) & !own;
        let (three, four) = (three.united(), four.united());
        let wide = [two.splatted::<W>(), three.splatted(), four.splatted()];
        let one_step = splatted(&last.one_step);
        let mut numbers = [0; 64];
        W::list(own, &mut numbers);
        let pieces = own.count_ones() as usize;
        for index in (0..pieces).step_by(W::COUNT) {
            let at = W::squares(&numbers[index..]);
            let mut sets = [[0; 8]; 4];
            neighbours(&one_step, at).store(&mut sets[0]);
            for (sums, set) in wide.iter().zip(&mut sets[1..]) {
                destinations(&sums.near, &sums.far, at).store(set);
            }
            for lane in 0..W::COUNT.min(pieces - index) {
                let square = usize::from(numbers[index + lane] & 63);
                let mut reached = 0;
                for (reach, set) in self.reach.iter_mut().zip(&sets) {
                    reached |= reach[square] | set[lane];
                    reach[square] = reached;
                }
            }
        }
        W::list(enemy, &mut numbers);
        let pieces = enemy.count_ones() as usize;
        for index in (0..pieces).step_by(W::COUNT) {
            let at = W::squares(&numbers[index..]);
            let mut sets = [[0; 8]; 3];
            for (sums, set) in wide.iter().zip(&mut sets) {
                neighbours(&sums.displaced, at).store(set);
            }
            for lane in 0..W::COUNT.min(pieces - index) {
                let square = usize::from(numbers[index + lane] & 63);
                let mut moved = 0;
                for (displaced, set) in self.displaced.iter_mut().zip(&sets) {
                    moved |= displaced[square] | set[lane];
                    displaced[square] = moved;
                }
            }
        }
        let mut captured = 0;
        for (steps, sums) in [&two, &three, &four].into_iter().enumerate() {
            captured |= sums.captured | self.captured[steps];
            self.captured[steps] = captured;
        }
    }
}

/// Writes sets of some boards into four arrays.
#[inline(always)]
fn store<W: Words>(sets: &[W; 4], arrays: &mut [[u64; MOST_SINGLES]; 4], lane: usize) {
    for (set, array) in sets.iter().zip(arrays) {
        set.store(&mut array[lane..]);
    }
}

/// The same sets for each board.
#[inline(always)]
fn splatted<W: Words>(sets: &[u64; 4]) -> [W; 4] {
    [W::splat(sets[0]), W::splat(sets[1]), W::splat(sets[2]), W::splat(sets[3])]
}

impl Sums<u64> {
    /// The same for each of some boards.
    #[inline(always)]
    fn splatted<W: Words>(&self) -> Sums<W> {
        let mut sums = Sums::none();
        sums.near = splatted(&self.near);
        for (sum, set) in sums.far.iter_mut().zip(self.far) {
            *sum = W::splat(set);
        }
        sums.displaced = splatted(&self.displaced);
        sums.captured = W::splat(self.captured);
        sums
    }
}

impl<W: Words> Sums<W> {
    #[inline(always)]
    fn united(self) -> Sums<u64> {
        let mut sums = Sums::<u64>::none();
        for (sum, sets) in sums.near.iter_mut().zip(self.near) {
            *sum = sets.union();
        }
        for (sum, sets) in sums.far.iter_mut().zip(self.far) {
            *sum = sets.union();
        }
        for (sum, sets) in sums.displaced.iter_mut().zip(self.displaced) {
            *sum = sets.union();
        }
        sums.captured = self.captured.union();
        sums
    }
}

/// Calls `visit` with each push and each pull by attackers of the enemies on one side, with the own piece and the enemy:
/// where each stood and where it goes.
#[inline(always)]
fn for_each_pair(
    planes: [u64; 4],
    attackers: u64,
    direction: usize,
    mut visit: impl FnMut(Move, (u64, u64), (u64, u64)),
) {
    let empty = !(planes[0] | planes[1] | planes[2]);
    for own in bits(attackers) {
        let enemy = towards(own, direction);
        for to in bits(beside(enemy) & empty) {
            visit(Move { first: enemy, to, second: own }, (own, enemy), (enemy, to));
        }
        for to in bits(beside(own) & empty) {
            visit(Move { first: own, to, second: enemy }, (own, to), (enemy, own));
        }
    }
}

/// For each square, what decides whether the piece there can move, and what falls if it does: the square and its neighbours,
/// and the neighbours of a trap beside it.
static READ: [u64; 64] = {
    let mut read = [0; 64];
    let mut square = 0;
    while square < 64 {
        let beside = Bitboard(1 << square).neighbours();
        let traps = Bitboard(beside.0 & Bitboard::TRAPS.0);
        read[square] = 1 << square | beside.0 | traps.neighbours().0;
        square += 1;
    }
    read
};

/// For each square, those from which a push or a pull may touch what a single step from the square needs.
static NEAR: [u64; 64] = {
    let mut near = [0; 64];
    let mut square = 0;
    while square < 64 {
        let once = Bitboard(READ[square] | Bitboard(READ[square]).neighbours().0);
        near[square] = once.0 | once.neighbours().0;
        square += 1;
    }
    near
};

/// The square beside a square in a direction in which there is one.
#[inline(always)]
fn towards(square: u64, direction: usize) -> u64 {
    square.rotate_left([8, 1, 56, 63][direction])
}

/// The squares of a set, one by one, as sets.
#[inline(always)]
fn bits(mut set: u64) -> impl Iterator<Item = u64> {
    std::iter::from_fn(move || {
        let lowest = set & set.wrapping_neg();
        set ^= lowest;
        (lowest != 0).then_some(lowest)
    })
}
