//! What the last one or two steps of a turn can do: for all pieces of some boards at once, without a search.
//!
//! The side to move is Gold, whose rabbits go north. A piece is told by the square where it stands; what it can
//! do in a direction is a set of such squares. Squares that touch differ in colour, as on a chessboard, and no two
//! traps touch or share a neighbour: most of what one step could spoil for the next is ruled out by that, and
//! the comments below say "by colour" for it.

use arimaa::Bitboard;

use super::words::{
    EAST, NORTH, SOUTH, WEST, Words, any, around, beside, both, but, each, each_side, east, either,
    moved, north, opposite, south, west,
};

/// The ways to a square two steps away: first straight ahead, then across.
pub(crate) const FAR: usize = 8;

/// What the enemies mean for the own pieces. Single steps do not change it.
pub(crate) struct Enemies<W> {
    enemy: W,
    /// For each direction, the digits of the strength of the enemy on that side, zero where there is none.
    beside: [[W; 3]; 4],
    /// For each kind from the rabbit to the camel and each direction, the squares that have a square on that side beside
    /// a stronger enemy.
    danger: [[W; 4]; 5],
    /// For each direction, the traps with no enemy on another side.
    alone: [W; 4],
}

/// What the pieces of some boards can do next.
struct View<'a, W> {
    enemies: &'a Enemies<W>,
    own: W,
    empty: W,
    digits: [W; 3],
    /// The own rabbits.
    rabbits: W,
    /// The own pieces beside a stronger enemy.
    dominated: W,
    /// For each direction, the squares with an own piece on that side.
    friends: [W; 4],
    /// For each direction, the squares with an own piece on another side.
    others: [W; 4],
    /// The squares with two own pieces beside them or more.
    two_friends: W,
    /// The own pieces that are not frozen.
    free: W,
    singles: [W; 4],
    one_step: [W; 4],
}

/// What one step and two steps can do.
pub(crate) struct LastSteps<W> {
    /// For each direction, the own pieces that can go there: they may fall on a trap.
    pub(crate) singles: [W; 4],
    /// For each direction, the own pieces that can go there and live.
    pub(crate) one_step: [W; 4],
    /// For each direction, the own pieces that can get to the square on that side.
    pub(crate) near: [W; 4],
    /// For each way of two steps, the own pieces that can get there: [`far`].
    pub(crate) far: [W; FAR],
    /// For each direction, the free own pieces with a weaker enemy on that side.
    pub(crate) attacks: [W; 4],
    /// For each direction, the enemy pieces that can be moved there.
    pub(crate) displaced: [W; 4],
    /// The enemy pieces that can be captured.
    pub(crate) captured: W,
}

/// The squares that have a square of the set two steps away: north twice, and so on clockwise, then north-east,
/// south-east, south-west, north-west.
#[inline(always)]
fn far<W: Words>(set: W) -> [W; FAR] {
    let (upper, lower) = (north(set), south(set));
    [
        north(upper),
        east(east(set)),
        south(lower),
        west(west(set)),
        east(upper),
        east(lower),
        west(lower),
        west(upper),
    ]
}

/// Where the pieces of `at` that can do these things come to.
#[inline(always)]
pub(crate) fn destinations<W: Words>(near: &[W; 4], far: &[W; FAR], at: W) -> W {
    let [nn, ee, ss, ww, ne, se, sw, nw] = *far;
    // One step of each way; the other comes below.
    let northern = south(nn & at) | east(nw & at) | west(ne & at) | (near[NORTH] & at);
    let southern = north(ss & at) | east(sw & at) | west(se & at) | (near[SOUTH] & at);
    let eastern = west(ee & at) | (near[EAST] & at);
    let western = east(ww & at) | (near[WEST] & at);
    (south(northern) | north(southern)) | (west(eastern) | east(western))
}

/// Where the pieces of `at` that can do one of these steps come to.
#[inline(always)]
pub(crate) fn neighbours<W: Words>(near: &[W; 4], at: W) -> W {
    any(moved(each(*near, |set| set & at)))
}

/// The boards after the pieces on `first` have gone to the empty squares `to`, those on `second` to
/// where the first were, and the traps have taken what nobody holds.
#[inline(always)]
pub(crate) fn play<W: Words>(planes: [W; 4], first: W, to: W, second: W) -> [W; 4] {
    let planes = shift(shift(planes, first, to), second, first);
    let [one, two, four, gold] = planes;
    let silver = (one | two | four) & !gold;
    let held = (gold & beside(gold)) | (silver & beside(silver));
    let stays = held | !traps::<W>();
    each(planes, |plane| plane & stays)
}

/// The boards after the pieces on `from` have gone to the empty squares `to`, and the traps have taken what Gold no
/// longer holds.
#[inline(always)]
pub(crate) fn play_single<W: Words>(planes: [W; 4], from: W, to: W) -> [W; 4] {
    let planes = shift(planes, from, to);
    let gold = planes[3];
    let falls = gold & traps::<W>() & !beside(gold);
    each(planes, |plane| plane & !falls)
}

#[inline(always)]
fn shift<W: Words>(planes: [W; 4], from: W, to: W) -> [W; 4] {
    each(planes, |plane| plane ^ (from | to).where_any(plane & from))
}

#[inline(always)]
fn traps<W: Words>() -> W {
    W::splat(Bitboard::TRAPS.0)
}

/// Where the first of two numbers is above the second, given their binary digits, the lowest first.
#[inline(always)]
fn above<W: Words>(a: [W; 3], b: [W; 3]) -> W {
    (a[2] & !b[2]) | (!(a[2] ^ b[2]) & ((a[1] & !b[1]) | (!(a[1] ^ b[1]) & (a[0] & !b[0]))))
}

/// What is stronger than a rabbit, a cat, a dog, a horse and a camel.
#[inline(always)]
fn stronger_kinds<W: Words>([one, two, four]: [W; 3]) -> [W; 5] {
    [two | four, (one & two) | four, four, (one | two) & four, two & four]
}

impl<W: Words> Enemies<W> {
    /// The enemies of boards that are told by [`arimaa::Board::planes`].
    #[inline(always)]
    pub(crate) fn new([one, two, four, own]: [W; 4]) -> Enemies<W> {
        let enemy = (one | two | four) & !own;
        let digits = [around(one & enemy), around(two & enemy), around(four & enemy)];
        let [r, c, d, h, m] = stronger_kinds([one, two, four]);
        Enemies {
            enemy,
            beside: [
                [digits[0][NORTH], digits[1][NORTH], digits[2][NORTH]],
                [digits[0][EAST], digits[1][EAST], digits[2][EAST]],
                [digits[0][SOUTH], digits[1][SOUTH], digits[2][SOUTH]],
                [digits[0][WEST], digits[1][WEST], digits[2][WEST]],
            ],
            danger: [
                around(beside(r & enemy)),
                around(beside(c & enemy)),
                around(beside(d & enemy)),
                around(beside(h & enemy)),
                around(beside(m & enemy)),
            ],
            alone: each(but(around(enemy)), |others| !others & traps::<W>()),
        }
    }
}

impl<W: Words> LastSteps<W> {
    /// What can be done on boards that are told by [`arimaa::Board::planes`].
    #[inline(always)]
    pub(crate) fn new(planes: [W; 4], enemies: &Enemies<W>) -> LastSteps<W> {
        View::new(planes, enemies).last_steps()
    }
}

/// What can be done at the start of a turn, and what stronger enemies mean for it.
pub(crate) struct FirstStep {
    pub(crate) last: LastSteps<u64>,
    /// The own pieces beside a stronger enemy.
    pub(crate) dominated: u64,
    /// For each direction, the own pieces that have a square on that side beside a stronger enemy.
    pub(crate) risky: [u64; 4],
}

impl FirstStep {
    /// Of a board that is told by [`arimaa::Board::planes`].
    #[inline(never)]
    pub(crate) fn new(planes: &[u64; 4]) -> FirstStep {
        let enemies = Enemies::new(*planes);
        let view = View::new(*planes, &enemies);
        FirstStep { last: view.last_steps(), dominated: view.dominated, risky: view.risky() }
    }
}

/// What a single step can do: for each direction, the own pieces that can go there and live.
#[inline(always)]
pub(crate) fn one_step<W: Words>(planes: [W; 4], enemies: &Enemies<W>) -> [W; 4] {
    View::new(planes, enemies).one_step
}

impl<'a, W: Words> View<'a, W> {
    #[inline(always)]
    fn new(planes: [W; 4], enemies: &'a Enemies<W>) -> View<'a, W> {
        let [one, two, four, own] = planes;
        let empty = !(one | two | four);
        let digits = [one, two, four];
        let beside = &enemies.beside;
        let stronger = [
            above(beside[NORTH], digits),
            above(beside[EAST], digits),
            above(beside[SOUTH], digits),
            above(beside[WEST], digits),
        ];
        let dominated = own & any(stronger);
        let rabbits = own & one & !(two | four);
        let friends = around(own);
        let others = but(friends);
        let two_friends = (friends[NORTH] & friends[SOUTH])
            | (friends[EAST] & friends[WEST])
            | ((friends[NORTH] | friends[SOUTH]) & (friends[EAST] | friends[WEST]));
        let free = own & (!dominated | any(friends));
        let [n, e, s, w] = around(empty);
        let singles = [n & free, e & free, s & free & !rabbits, w & free];
        // A trap is safe for who comes from one side if there is a friend on another.
        let safe = each(others, |others| others | !traps::<W>());
        let one_step = both(singles, each_side(opposite(safe)));
        View {
            enemies,
            own,
            empty,
            digits,
            rabbits,
            dominated,
            friends,
            others,
            two_friends,
            free,
            singles,
            one_step,
        }
    }

    /// What two steps can do.
    #[inline(always)]
    fn last_steps(&self) -> LastSteps<W> {
        let attacks = self.attacks();
        let arrivals = moved(self.singles);
        let near = either(self.one_step, self.left_by_a_friend());
        let mut near = either(near, self.helped_into_trap(arrivals));
        let frozen = self.frozen();
        if frozen.is_any() {
            near = either(near, self.unfrozen(frozen, arrivals));
        }
        let none = W::splat(0);
        let (mut displaced, mut captured) = ([none; 4], none);
        if any(attacks).is_any() {
            near = either(near, self.pushing(attacks));
            displaced = self.displaced(attacks);
            captured = self.captured(displaced);
        }
        let (singles, one_step, far) = (self.singles, self.one_step, self.two_singles());
        LastSteps { singles, one_step, near, far, attacks, displaced, captured }
    }

    /// Forbids rabbits to go back.
    #[inline(always)]
    fn not_backwards(&self, sets: [W; 4]) -> [W; 4] {
        [sets[NORTH], sets[EAST], sets[SOUTH] & !self.rabbits, sets[WEST]]
    }

    /// For each direction, the free own pieces with a weaker enemy on that side.
    #[inline(always)]
    fn attacks(&self) -> [W; 4] {
        let [n, e, s, w] = &self.enemies.beside;
        [self.weaker(n), self.weaker(e), self.weaker(s), self.weaker(w)]
    }

    /// The free pieces that are stronger than an enemy that is told by its digits.
    #[inline(always)]
    fn weaker(&self, there: &[W; 3]) -> W {
        above(self.digits, *there) & (there[0] | there[1] | there[2]) & self.free
    }

    /// The pieces that go two single steps, by the way. By colour, a friend that falls when a piece leaves is neither
    /// beside the first square that it comes to, nor on the second or beside it.
    #[inline(always)]
    fn two_singles(&self) -> [W; FAR] {
        let supported = each_side(opposite(self.others));
        let risky = self.risky();
        let [n, e, s, w] = both(self.one_step, either(supported, each(risky, |set| !set)));
        let [nn, ee, ss, ww, ne, se, sw, nw] =
            far(self.empty & (any(self.friends) | !traps::<W>()));
        let back = !self.rabbits;
        [
            n & nn,
            e & ee,
            s & ss,
            w & ww,
            (n | e) & ne,
            (s | (e & back)) & se,
            (s | (w & back)) & sw,
            (n | w) & nw,
        ]
    }

    /// For each direction, the own pieces that have a square on that side beside a stronger enemy.
    #[inline(always)]
    fn risky(&self) -> [W; 4] {
        let mut risky = [W::splat(0); 4];
        let mut not_below = self.own;
        for (stronger, danger) in stronger_kinds(self.digits).iter().zip(&self.enemies.danger) {
            let kind = not_below & !*stronger;
            risky = either(risky, each(*danger, |danger| danger & kind));
            not_below = self.own & *stronger;
        }
        risky
    }

    /// For each direction, the pieces that a friend on that side makes way for. It must not be what kept the piece
    /// from being frozen or from falling. If its square is a trap, it holds the trap from where it went.
    #[inline(always)]
    fn left_by_a_friend(&self) -> [W; 4] {
        let leaves = around(any(self.singles));
        let stays = self.own & !(self.dominated | traps::<W>());
        let stays = each(self.others, |others| stays | (self.own & others));
        self.not_backwards(both(leaves, stays))
    }

    /// For each direction, the frozen pieces that can go there, where there is no trap, when a friend has come to
    /// another side. It lives even on a trap, which the frozen piece holds.
    #[inline(always)]
    fn unfrozen(&self, frozen: W, arrivals: [W; 4]) -> [W; 4] {
        let arrived = but(around(any(arrivals)));
        let open = around(self.empty & !traps::<W>());
        self.not_backwards(each(both(arrived, open), |set| set & frozen))
    }

    #[inline(always)]
    fn frozen(&self) -> W {
        self.own & self.dominated & !any(self.friends)
    }

    /// For each direction, the pieces that can enter an empty trap there when a friend has come to hold it, or to
    /// unfreeze the piece.
    #[inline(always)]
    fn helped_into_trap(&self, arrivals: [W; 4]) -> [W; 4] {
        let trap = self.empty & traps::<W>();
        let delicate = self.own & self.dominated & !self.two_friends & beside(trap);
        if delicate.is_any() {
            return self.delicately_helped(arrivals);
        }
        // No piece beside an empty trap needs a friend to be free: whoever comes to hold the trap will do.
        let held = but(each(around(any(arrivals)), |set| set & trap));
        self.not_backwards(each(each_side(opposite(held)), |set| set & self.free))
    }

    /// The same where the friend that comes may be the one that a piece needs.
    #[inline(always)]
    fn delicately_helped(&self, arrivals: [W; 4]) -> [W; 4] {
        self.not_backwards([
            self.helped_ahead(arrivals, [NORTH, WEST, EAST], north, south, west, east),
            self.helped_ahead(arrivals, [EAST, NORTH, SOUTH], east, west, north, south),
            self.helped_ahead(arrivals, [SOUTH, EAST, WEST], south, north, east, west),
            self.helped_ahead(arrivals, [WEST, SOUTH, NORTH], west, east, south, north),
        ])
    }

    /// The same for one direction, ahead, with the two sides, and how to look there.
    #[inline(always)]
    fn helped_ahead(
        &self,
        arrivals: [W; 4],
        [direction, left_side, right_side]: [usize; 3],
        ahead: impl Fn(W) -> W,
        behind: impl Fn(W) -> W,
        left: impl Fn(W) -> W,
        right: impl Fn(W) -> W,
    ) -> W {
        let back = (direction + 2) % 4;
        let (others, rest) = (self.others, but(arrivals));
        let trap = self.empty & traps::<W>();
        let arrival = any(arrivals);
        // Who comes to a side of a frozen piece, away from the trap, has left a side of the trap: then it needs one
        // more friend.
        let held =
            ahead(trap & others[back]) & (behind(arrival) | left(rest[back]) | right(rest[back]));
        let guard = self.friends[direction];
        let left_trap = (left(arrivals[back]) & ahead(trap & (guard | self.friends[right_side])))
            | (right(arrivals[back]) & ahead(trap & (guard | self.friends[left_side])));
        let unfrozen = (held | left_trap) & self.frozen();
        // Who comes to a side of the trap along with a piece has left a side of that: it must not freeze.
        let supported = self.free
            & ahead(trap & (ahead(arrival) | left(rest[direction]) | right(rest[direction])));
        let mobile = !self.dominated;
        let left_piece = ((others[left_side] | mobile) & ahead(trap & left(arrivals[direction])))
            | ((others[right_side] | mobile) & ahead(trap & right(arrivals[direction])));
        unfrozen | supported | (left_piece & self.own)
    }

    /// For the pieces that push the enemy on a side: those that come to its square and live.
    #[inline(always)]
    fn pushing(&self, attacks: [W; 4]) -> [W; 4] {
        let room = beside(self.empty);
        let safe = each(opposite(self.others), |others| room & (others | !traps::<W>()));
        both(attacks, each_side(safe))
    }

    /// For each direction, the enemy pieces that can be pushed or pulled there.
    #[inline(always)]
    fn displaced(&self, attacks: [W; 4]) -> [W; 4] {
        let pushed = any(moved(attacks));
        let pushed = each(around(self.empty), |open| open & pushed);
        let room = beside(self.empty);
        let pulled = each_side(each(opposite(attacks), |attack| attack & room));
        either(pushed, pulled)
    }

    /// The enemy pieces that fall: one that is moved onto a trap with no friend beside it, or one on a trap whose only
    /// friend is moved away.
    #[inline(always)]
    fn captured(&self, displaced: [W; 4]) -> W {
        let alone = self.enemies.alone;
        let itself = any(both(displaced, each_side(opposite(alone))));
        let left = any(both(around(any(displaced)), alone));
        itself | (left & self.enemies.enemy)
    }
}
