//! Where each piece can go within a turn, where the opponent can move it, and whether it can be
//! captured; for both sides, exactly.
//!
//! A turn of four steps is cut in two. Its first two steps are played in every distinct way, some hundred boards;
//! what its last two steps can do is known without a search, for all pieces of eight boards at once
//! (`last_steps.rs`). Only a push or a pull in the middle, with a single step before and after it, is cut
//! after three steps.

mod enumeration;
pub(crate) mod last_steps;
pub(crate) mod words;

use std::cell::Cell;

use arimaa::{Bitboard, Board, Direction, GOLD, SILVER, Square};
use game::Steps;

use self::last_steps::{
    Enemies, FAR, FirstStep, LastSteps, destinations, neighbours, one_step, play, play_single,
};
use self::words::{Words, beside};

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
    const NONE: TurnMobility = TurnMobility {
        reach: [[Bitboard::EMPTY; 64]; 4],
        displaced: [[Bitboard::EMPTY; 64]; 3],
        captured: [Bitboard::EMPTY; 3],
    };

    /// Looks at a board.
    pub fn new(board: &Board) -> TurnMobility {
        let mut mobility = TurnMobility::NONE;
        mobility.look(board);
        mobility
    }

    /// The same as [`TurnMobility::new`], one board at a time on any processor.
    #[doc(hidden)]
    pub fn plain(board: &Board) -> TurnMobility {
        let mut mobility = TurnMobility::NONE;
        with_scratch(|scratch| both_sides::<u64>(board, scratch, &mut mobility));
        mobility
    }

    fn look(&mut self, board: &Board) {
        #[cfg(target_arch = "x86_64")]
        if words::wide::is_available() {
            // SAFETY: the processor has the instructions.
            return with_scratch(|scratch| unsafe { with_eight(board, scratch, self) });
        }
        with_scratch(|scratch| both_sides::<u64>(board, scratch, self));
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
fn with_eight(board: &Board, scratch: &mut Scratch, mobility: &mut TurnMobility) {
    both_sides::<words::wide::Eight>(board, scratch, mobility);
}

/// Buffers that are too large to be cleared for each board.
struct Scratch {
    batch: Batch,
    children: Children,
    seconds: Seconds,
    turn: Turn,
}

thread_local! {
    static SCRATCH: Cell<Option<Box<Scratch>>> = const { Cell::new(None) };
}

#[inline]
fn with_scratch(look: impl FnOnce(&mut Scratch)) {
    let new = || {
        let (batch, children, seconds) = (Batch::new(), Children::new(), Seconds::new());
        Box::new(Scratch { batch, children, seconds, turn: Turn::NONE })
    };
    let mut scratch = SCRATCH.take().unwrap_or_else(new);
    look(&mut scratch);
    SCRATCH.set(Some(scratch));
}

#[inline(always)]
fn both_sides<W: Words>(board: &Board, scratch: &mut Scratch, mobility: &mut TurnMobility) {
    // One copy of the code for both sides: Silver sees the board mirrored.
    for (side, board) in [(GOLD, *board), (SILVER, board.mirrored())] {
        let Scratch { batch, children, seconds, turn } = &mut *scratch;
        *turn = Turn::NONE;
        turn.look::<W>(board.planes(), (batch, children, seconds));
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
    /// What each step is linked with ([`LINKED`], [`NEAR`]), and what other steps may be needed along with it.
    linked: [u64; MOST_SINGLES],
    near: [u64; MOST_SINGLES],
    needs: NeedsOfSteps,
    /// For each step, a bit for each step at the start that can be played after it.
    possible: [u64; MOST_SINGLES],
    /// A bit for each step that costs a piece.
    falling: u64,
    count: usize,
}

/// What says of a single step which others may be needed along with it: [`Start::needs`].
#[derive(Clone, Copy)]
struct Needs<W> {
    from: W,
    to: W,
    /// The own pieces that may spoil the step if they leave first.
    spoilers: W,
    /// The own pieces that go with the step, or that it may allow to go.
    allowed: W,
    /// The own pieces that may need this step and another one before they can go or strike, and go from where they stand.
    waiting: W,
    /// Where another step may come to, so that the piece can go on: to unfreeze it, or to hold a trap.
    supported_from: W,
    /// Where another step may make way for the piece to go on, or to strike.
    cleared_from: W,
}

/// The same for all steps, so that some of them can be read at once.
struct NeedsOfSteps {
    from: [u64; MOST_SINGLES],
    to: [u64; MOST_SINGLES],
    spoilers: [u64; MOST_SINGLES],
    allowed: [u64; MOST_SINGLES],
    waiting: [u64; MOST_SINGLES],
    supported_from: [u64; MOST_SINGLES],
    cleared_from: [u64; MOST_SINGLES],
}

impl NeedsOfSteps {
    fn new() -> NeedsOfSteps {
        let none = [0; MOST_SINGLES];
        NeedsOfSteps {
            from: none,
            to: none,
            spoilers: none,
            allowed: none,
            waiting: none,
            supported_from: none,
            cleared_from: none,
        }
    }

    #[inline(always)]
    fn set(&mut self, child: usize, needs: Needs<u64>) {
        self.from[child] = needs.from;
        self.to[child] = needs.to;
        self.spoilers[child] = needs.spoilers;
        self.allowed[child] = needs.allowed;
        self.waiting[child] = needs.waiting;
        self.supported_from[child] = needs.supported_from;
        self.cleared_from[child] = needs.cleared_from;
    }

    /// Those of a child.
    #[inline(always)]
    fn of<W: Words>(&self, child: usize) -> Needs<W> {
        Needs {
            from: W::splat(self.from[child]),
            to: W::splat(self.to[child]),
            spoilers: W::splat(self.spoilers[child]),
            allowed: W::splat(self.allowed[child]),
            waiting: W::splat(self.waiting[child]),
            supported_from: W::splat(self.supported_from[child]),
            cleared_from: W::splat(self.cleared_from[child]),
        }
    }

    /// A bit for each of some steps that may be needed along with one, the lowest for the first.
    #[inline(always)]
    fn related<W: Words>(&self, one: &Needs<W>, first: usize) -> u64 {
        let load = |sets: &[u64; MOST_SINGLES]| W::load(&sets[first..]);
        let spoilt = (load(&self.spoilers) & one.allowed) | (load(&self.allowed) & one.spoilers);
        let both = load(&self.waiting) & one.waiting;
        let supported =
            (load(&self.supported_from) & one.to) | (load(&self.to) & one.supported_from);
        let cleared = (load(&self.cleared_from) & one.from) | (load(&self.from) & one.cleared_from);
        ((spoilt | both) | (supported | cleared)).any_of_each()
    }
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
            linked: none,
            near: none,
            needs: NeedsOfSteps::new(),
            possible: none,
            falling: 0,
            count: 0,
        }
    }

    #[inline(always)]
    fn add(&mut self, step: Move, direction: usize, start: &Start) {
        let (child, from) = (self.count, step.first.trailing_zeros() as usize & 63);
        assert!(child < MOST_SINGLES);
        self.steps[child] = step;
        self.direction[child] = direction as u8;
        self.linked[child] = LINKED[from][direction];
        self.near[child] = NEAR[from];
        self.needs.set(child, start.needs(step, direction));
        self.count += 1;
    }

    /// Finds out which steps of the start can be played after each child, and which children cost a piece.
    #[inline(always)]
    fn compare_with_start<W: Words>(&mut self, start: &Start) {
        self.falling = 0;
        for child in 0..self.count {
            let [n, e, s, w] = &self.singles;
            self.possible[child] = start.numbered::<W>([n[child], e[child], s[child], w[child]]);
            let falls = self.planes[3][child] ^ self.steps[child].touched() != start.own;
            self.falling |= u64::from(falls) << child;
        }
    }

    #[inline(always)]
    fn planes_of(&self, child: usize) -> [u64; 4] {
        let [one, two, four, gold] = &self.planes;
        [one[child], two[child], four[child], gold[child]]
    }

    /// For each direction, the second steps that are worth a look after a child. The others come to a board that an earlier
    /// child comes to as well, or no later step needs both: [`Start::needs`].
    #[inline(always)]
    fn seconds<W: Words>(&self, child: usize, start: &Start) -> [u64; 4] {
        let step = self.steps[child];
        let falls = self.falling >> child & 1 == 1;
        let (related, swapped) = self.related_and_swapped::<W>(child);
        let mut same = swapped;
        if self.falling != 0 {
            // What is not linked with this step can change places with it, even if a piece falls.
            let alike = if falls { 0 } else { swapped & !self.falling };
            same = alike | !start.numbered::<W>([self.linked[child]; 4]);
        }
        let earlier = (1 << child) - 1;
        let known = self.possible[child] & related & !(same & earlier);
        let mut movers = [0; 4];
        for (direction, movers) in movers.iter_mut().enumerate() {
            let (at_start, first) = (start.singles[direction], start.first[direction]);
            let new = self.singles[direction][child] & !at_start;
            *movers = new | W::chosen(at_start, known.unbounded_shr(first));
        }
        if !falls {
            // To go back leads to the start. The same piece may go around the other way.
            let direction = usize::from(self.direction[child] & 3);
            movers[direction ^ 2] &= !step.to;
            for (other, movers) in movers.iter_mut().enumerate().take(direction) {
                if self.goes_around(child, other, start) {
                    *movers &= !step.to;
                }
            }
        }
        movers
    }

    /// A bit for each step at the start that may be needed along with a child's, and one for each after which the child's can
    /// be played.
    #[inline(always)]
    fn related_and_swapped<W: Words>(&self, child: usize) -> (u64, u64) {
        let itself = W::splat(1 << child);
        let needs = self.needs.of::<W>(child);
        let (mut related, mut swapped) = (0, 0);
        for first in (0..self.count).step_by(W::COUNT) {
            related |= self.needs.related(&needs, first) << first;
            swapped |= (W::load(&self.possible[first..]) & itself).any_of_each() << first;
        }
        (related, swapped)
    }

    /// Whether the piece of a child could as well begin with another direction and then take the child's.
    #[inline(always)]
    fn goes_around(&self, child: usize, other: usize, start: &Start) -> bool {
        let (movers, piece) = (start.singles[other], self.steps[child].first);
        if movers & piece == 0 {
            return false;
        }
        let earlier = start.first[other] + (movers & (piece - 1)).count_ones();
        let earlier = earlier as usize % MOST_SINGLES;
        let then = self.singles[usize::from(self.direction[child] & 3)][earlier];
        then & self.steps[earlier].to != 0 && self.falling >> earlier & 1 == 0
    }

    /// Adds the pushes and pulls in a direction that depend on a child's step.
    #[inline(always)]
    fn add_pairs(&self, child: usize, direction: usize, batch: &mut Batch) {
        let before = self.steps[child];
        let from = before.first.trailing_zeros() as usize & 63;
        let attackers = self.attacks[direction][child] & self.near[child];
        let board = self.planes_of(child);
        for_each_pair(board, attackers, direction, |step, own, _| {
            // Where neither changes what the other needs, they can change places: then the single step is among the last two.
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
}

/// What is known of the board at the start.
struct Start {
    own: u64,
    /// The traps with an own piece on them, and those with an enemy.
    own_traps: u64,
    enemy_traps: u64,
    /// The own pieces that are no rabbits.
    strong: u64,
    /// The squares beside an enemy.
    exposed: u64,
    /// The own pieces beside a stronger enemy. The enemies stay where they are while single steps are played.
    dominated: u64,
    /// For each direction, the own pieces that have a square on that side beside a stronger enemy.
    risky: [u64; 4],
    /// For each direction, the own pieces that can go there, and the number of the first such step among all of them.
    singles: [u64; 4],
    first: [u32; 4],
}

impl Start {
    #[inline(always)]
    fn new([one, two, four, own]: [u64; 4], first: &FirstStep) -> Start {
        let enemy = (one | two | four) & !own;
        let traps = Bitboard::TRAPS.0;
        let singles = first.last.singles;
        let [n, e, s, _] = singles.map(u64::count_ones);
        Start {
            own,
            own_traps: own & traps,
            enemy_traps: enemy & traps,
            strong: own & (two | four),
            exposed: beside(enemy),
            dominated: first.dominated,
            risky: first.risky,
            singles,
            first: [0, n, n + e, n + e + s],
        }
    }

    /// A bit for each step whose piece is in the set of its direction.
    #[inline(always)]
    fn numbered<W: Words>(&self, pieces: [u64; 4]) -> u64 {
        let mut numbered = 0;
        for (direction, pieces) in pieces.into_iter().enumerate() {
            let packed = W::packed(self.singles[direction], pieces);
            numbered |= packed.unbounded_shl(self.first[direction]);
        }
        numbered
    }

    /// What other steps that can be played at the start may be needed along with one: a turn of four steps that none can be
    /// left out of begins with two such steps only if they are needed together. A step may need
    ///
    /// - that its piece has come to where it goes from,
    /// - that a friend has made way where it goes to; a push or a pull, where one of the two pieces goes to,
    /// - that a friend has come to unfreeze the piece, if it is beside a stronger enemy,
    /// - that a friend has come to hold the trap that it enters.
    ///
    /// So two steps are needed together if a third one needs both: it goes on from where one of them leads to
    /// (`supported_from`, `cleared_from`), or it waits for both where it stands (`waiting`). If it needs one of them only, it can
    /// come right after that, and the other one third, unless it spoils it by leaving (`spoilers`, `allowed`): then they
    /// are needed together too. If the last step alone needs three, it goes on from where one of them leads to, and begins with that
    /// one and another. Around a trap with an own piece on it, which may fall or hold others, all steps are needed together.
    #[inline(always)]
    fn needs(&self, step: Move, direction: usize) -> Needs<u64> {
        let (from, to) = (step.first, step.to);
        let (origin, place) =
            (from.trailing_zeros() as usize & 63, to.trailing_zeros() as usize & 63);
        let (beside_from, beside_to) = (WITHIN[origin][1] & !from, WITHIN[place][1] & !to);
        let sides = TRAP_SIDES[place];
        let fallible = (TRAP_AT[origin] | TRAP_AT[place]) & self.own_traps;
        let (beside_fallible, around_fallible) = match fallible {
            0 => (0, 0),
            _ => (fallible | beside(fallible), fallible | beside(fallible | beside(fallible))),
        };
        let when = |condition: bool, set: u64| if condition { set } else { 0 };
        let strikers = self.strong & self.exposed;
        let waiting_for_one =
            beside_from | beside_to | (strikers & WITHIN[origin][2]) | sides | around_fallible;
        let strikes = from & self.strong != 0 && to & self.exposed != 0;
        let is_enemy_beside = TRAP_AT[place] & self.enemy_traps != 0;
        Needs {
            from,
            to,
            spoilers: self.own & (when(from & self.dominated != 0, beside_from) | beside_fallible),
            allowed: self.own
                & (from | beside_from | (self.dominated & beside_to) | sides | beside_fallible),
            waiting: (self.own & self.dominated & waiting_for_one) | fallible,
            supported_from: when(from & self.risky[direction] != 0, beside_to)
                | sides
                | around_fallible,
            cleared_from: beside_to
                | when(strikes, WITHIN[place][2])
                | when(is_enemy_beside, sides),
        }
    }
}

/// For each square and each number of steps up to 2, the squares that are no farther.
static WITHIN: [[u64; 3]; 64] = {
    let mut within = [[0; 3]; 64];
    let mut square = 0;
    while square < 64 {
        let itself = Bitboard(1 << square);
        let once = Bitboard(itself.0 | itself.neighbours().0);
        within[square] = [itself.0, once.0, once.0 | once.neighbours().0];
        square += 1;
    }
    within
};

/// For each square on a trap or beside one, that trap.
static TRAP_AT: [u64; 64] = {
    let mut traps = [0; 64];
    let mut index = 0;
    while index < 64 * 4 {
        let trap = Square::TRAPS[index % 4].bit();
        if (trap.0 | trap.neighbours().0) >> (index / 4) & 1 == 1 {
            traps[index / 4] = trap.0;
        }
        index += 1;
    }
    traps
};

/// For each square on a trap or beside one, the squares beside that trap.
static TRAP_SIDES: [u64; 64] = {
    let mut sides = [0; 64];
    let mut square = 0;
    while square < 64 {
        sides[square] = Bitboard(TRAP_AT[square]).neighbours().0;
        square += 1;
    }
    sides
};

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
    const NONE: Turn = Turn { reach: [[0; 64]; 4], displaced: [[0; 64]; 3], captured: [0; 3] };

    #[inline(always)]
    fn look<W: Words>(
        &mut self,
        planes: [u64; 4],
        (batch, children, seconds): (&mut Batch, &mut Children, &mut Seconds),
    ) {
        batch.count = 0;
        let first = FirstStep::new(&planes);
        let start = Start::new(planes, &first);
        let last = &first.last;
        let mut two = Sums::none();
        two.add(last, !0);
        let (mut three, mut four) = (Sums::none(), Sums::none());
        let enemies = W::enemies(&splatted(&planes));
        self.after_singles(planes, &start, &enemies, batch, children, &mut three);
        self.after_two_singles(&start, &enemies, children, seconds, &mut four);
        self.after_pairs(planes, last, batch, &mut three, &mut four);
        self.after_single_and_pair(children, batch, &mut four);
        self.collect(planes, last, two, three, four);
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
                children.add(step, direction, start);
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
        children.compare_with_start::<W>(start);
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
            seconds.begin(child);
            for (direction, movers) in children.seconds::<W>(child, start).into_iter().enumerate() {
                seconds.add::<W>(movers, direction, before);
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
        let mut attacking = [0u64; 4];
        for (attacking, attacks) in attacking.iter_mut().zip(&children.attacks) {
            for first in (0..children.count).step_by(W::COUNT) {
                let near = W::load(&attacks[first..]) & W::load(&children.near[first..]);
                *attacking |= near.any_of_each() << first;
            }
            *attacking &= u64::MAX.unbounded_shr((MOST_SINGLES - children.count) as u32);
        }
        for direction in 0..4 {
            let mut left = attacking[direction];
            let is_last = attacking[direction + 1..].iter().all(|&attacking| attacking == 0);
            while left != 0 {
                let child = left.trailing_zeros() as usize;
                left &= left - 1;
                children.add_pairs(child, direction, batch);
                let ends = is_last && left == 0;
                if !batch.has_enough() && !ends {
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
