use arimaa::{Bitboard, Board, Direction, Form, GOLD, Piece, Side, Square, Step, Turn};
use arrayvec::ArrayVec;
use game::Steps;

use crate::attacker_view::{AttackerView, StepFilter, displace};
use crate::played::Played;

/// An enemy piece that can be captured within a turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Capture {
    /// The piece that is captured.
    pub piece: Piece,
    /// Where it stands before the turn.
    pub square: Square,
    /// The trap that takes it.
    pub trap: Square,
    /// The least steps that do it.
    pub steps: Steps,
    /// Those steps.
    pub turn: Turn,
    /// How many own pieces the turn loses: the fewest, among the turns of that many steps.
    pub lost: u8,
}

impl Capture {
    /// The same on the board as the other side sees it.
    fn mirrored(self) -> Capture {
        let Capture { piece, square, trap, turn, .. } = self;
        Capture {
            piece: Piece { side: !piece.side, ..piece },
            square: square.mirrored(),
            trap: trap.mirrored(),
            turn: turn.mirrored(),
            ..self
        }
    }
}

/// The captures of a turn, one for each piece and trap: at most the eight enemies that stand two
/// steps from a trap, for each of the four.
pub type Captures = ArrayVec<Capture, 32>;

/// What the side can capture if it is to move with that many steps left.
pub fn captures(board: &Board, side: Side, steps: Steps) -> Captures {
    let mut found = Captures::new();
    let start = if side == GOLD { *board } else { board.mirrored() };
    let pieces = start.of(GOLD).len();
    Search { most: steps.0, found: &mut found, start, pieces }.all();
    if side != GOLD {
        found.iter_mut().for_each(|capture| *capture = capture.mirrored());
    }
    found
}

/// A search for the captures of Gold.
struct Search<'a> {
    most: u8,
    found: &'a mut Captures,
    start: Board,
    /// How many pieces Gold has there.
    pieces: usize,
}

/// A capture that is looked for: the only enemy beside a trap is to be moved, which takes either it or
/// the enemy on the trap.
#[derive(Clone, Copy)]
struct Target {
    trap: Square,
    /// The only enemy beside the trap.
    holder: Square,
    /// Where the victim stood before the turn.
    origin: Square,
}

impl Search<'_> {
    #[inline(always)]
    fn all(&mut self) {
        if self.most < 2 {
            return;
        }
        let view = AttackerView::new(&self.start);
        let [none, one, two] = by_neighbours(view.enemy);
        for trap in one {
            self.alone(&view, trap);
        }
        if self.most < 4 {
            return;
        }
        // A push or pull comes first: only of enemies that can be moved at once.
        let movable = view.weaker_beside(view.free);
        let near = two.neighbours() & movable;
        for first in near {
            self.parted(&view, first);
        }
        let far = none.neighbours().neighbours() & !none & movable;
        for origin in far {
            self.drawn_near(&view, none, origin);
        }
    }

    fn record(&mut self, target: Target, played: Played, lost: u8) {
        let Some(piece) = self.start.piece_at(target.origin) else { return };
        let new = Capture {
            piece,
            square: target.origin,
            trap: target.trap,
            steps: Steps(played.steps),
            turn: played.turn,
            lost,
        };
        match self.found.iter_mut().find(|old| target.is_of(old)) {
            None => self.found.push(new),
            Some(old) if (new.steps, new.lost) < (old.steps, old.lost) => *old = new,
            Some(_) => {}
        }
    }

    /// Whether nothing better can be found with that many steps.
    #[inline(always)]
    fn settled(&self, target: Target, steps: u8) -> bool {
        self.found.iter().any(|old| target.is_of(old) && (old.steps.0, old.lost) <= (steps, 0))
    }

    /// One enemy beside the trap: at last it is moved, until then it stays.
    #[inline(always)]
    fn alone(&mut self, view: &AttackerView, trap: Square) {
        let Some(holder) = (view.enemy & trap.neighbours()).first() else { return };
        let origin = if view.enemy.has(trap) { trap } else { holder };
        let target = Target { trap, holder, origin };
        let stronger = view.own & view.board.stronger_than(holder);
        // Where the stronger pieces can be after one step and two, at best.
        let one = stronger | (stronger.neighbours() & !view.enemy);
        let two = one | (one.neighbours() & !view.enemy);
        let attack = holder.neighbours();
        let beside = attack | attack.neighbours();
        if !(two.meets(attack) || stronger.meets(beside)) {
            return;
        }
        if stronger.meets(attack) {
            self.strike(&view.board, target, Played::NOTHING);
        }
        if self.most < 3 || self.settled(target, 2) {
            return;
        }
        if one.meets(attack) {
            self.step_and_strike(view, target, stronger, Played::NOTHING);
        }
        if self.most < 4 || self.settled(target, 3) {
            return;
        }
        let approach = Approach::distant(view, target, stronger);
        approach.for_each_single(view, |step| {
            if self.settled(target, 4) {
                return;
            }
            let board = view.after(step);
            let stronger = board.of(GOLD) & board.stronger_than(holder);
            if stronger.meets(beside) {
                let played = Played::NOTHING.then(step);
                self.step_and_strike(&AttackerView::new(&board), target, stronger, played);
            }
        });
        if stronger.meets(beside) && !self.settled(target, 4) {
            let strike = StepFilter { hit: holder.bit(), ..StepFilter::NONE };
            view.for_each_push_and_pull(&strike.widened(view), |step| {
                if step.victim() != holder {
                    self.strike(&view.after(step), target, Played::NOTHING.then(step));
                }
            });
        }
    }

    #[inline(always)]
    fn step_and_strike(
        &mut self,
        view: &AttackerView,
        target: Target,
        stronger: Bitboard,
        played: Played,
    ) {
        Approach::near(view, target, stronger).for_each_single(view, |step| {
            if self.settled(target, played.steps + 3) {
                return;
            }
            self.strike(&view.after(step), target, played.then(step));
        });
    }

    /// Two enemies beside a trap: the first is moved away or onto the trap, then the other.
    #[inline(always)]
    fn parted(&mut self, view: &AttackerView, first: Square) {
        let board = &view.board;
        let Some(trap) = (first.neighbours() & Bitboard::TRAPS).first() else { return };
        let around = view.enemy & trap.neighbours();
        let Some(holder) = (around & !first.bit()).first() else { return };
        let attack = holder.neighbours();
        let seconds = view.own & board.stronger_than(holder) & attack;
        for attacker in view.attackers(first) {
            // Pushing, a piece does not come beside the other enemy; pulling, it may.
            let (push_to, pull_to) = match (seconds & !attacker.bit()).is_empty() {
                false => (view.empty, view.empty),
                true => (Bitboard::EMPTY, view.empty & attack),
            };
            displace(attacker, first, push_to, pull_to, |step, to| {
                let origin = match view.enemy.has(trap) {
                    true => trap,
                    false if to == trap => first,
                    false => holder,
                };
                let target = Target { trap, holder, origin };
                if self.settled(target, 4) {
                    return;
                }
                self.strike(&view.after(step), target, Played::NOTHING.then(step));
            });
        }
    }

    /// No enemy beside one of these traps: one that is two steps away is brought near.
    #[inline(always)]
    fn drawn_near(&mut self, view: &AttackerView, traps: Bitboard, origin: Square) {
        let near = traps.neighbours();
        for attacker in view.attackers(origin) {
            let pull_to = if near.has(attacker) { view.empty } else { Bitboard::EMPTY };
            displace(attacker, origin, view.empty & near, pull_to, |step, to| {
                if let Some(trap) = (to.neighbours() & traps).first() {
                    let target = Target { trap, holder: to, origin };
                    if self.settled(target, 4) {
                        return;
                    }
                    self.strike(&view.after(step), target, Played::NOTHING.then(step));
                }
            });
        }
    }

    /// Captures by moving the only enemy beside the trap, if that can be done at once.
    #[inline(always)]
    fn strike(&mut self, board: &Board, target: Target, played: Played) {
        let Target { trap, holder, .. } = target;
        let own = board.of(GOLD);
        let enemy = board.occupied() & !own;
        let attackers = own & board.stronger_than(holder) & holder.neighbours();
        if attackers.is_empty() || enemy & trap.neighbours() != holder.bit() {
            return;
        }
        let empty = !board.occupied();
        for attacker in attackers {
            if !own.meets(attacker.neighbours())
                && board.stronger_than(attacker).meets(enemy & attacker.neighbours())
            {
                continue;
            }
            // To be taken itself, the holder must come to the trap.
            let (push_to, pull_to) = match enemy.has(trap) {
                true => (empty, empty),
                false if attacker == trap => (Bitboard::EMPTY, empty),
                false => (empty & trap.bit(), Bitboard::EMPTY),
            };
            displace(attacker, holder, push_to, pull_to, |step, _| {
                if !self.settled(target, played.steps + 2) {
                    let arrived = if step.form() == Form::Push { holder } else { step.to() };
                    let after = (own & !attacker.bit()) | arrived.bit();
                    let fallen = after & Bitboard::TRAPS & !after.neighbours();
                    let lost = self.pieces - (after & !fallen).len();
                    self.record(target, played.then(step), lost as u8);
                }
            });
        }
    }
}

impl Target {
    #[inline(always)]
    fn is_of(&self, capture: &Capture) -> bool {
        capture.square == self.origin && capture.trap == self.trap
    }
}

/// The traps with no piece of the set beside them, with one and with two.
#[inline(always)]
fn by_neighbours(set: Bitboard) -> [Bitboard; 3] {
    let [north, east, south, west] = Direction::ALL.map(|direction| set.shift(direction));
    let (odd, even) = (north ^ south, east ^ west);
    let (both, other) = (north & south, east & west);
    let any = odd | even | both | other;
    let one = (odd ^ even) & !both & !other;
    let two = (odd & even) | ((both ^ other) & !odd & !even);
    [!any, one, two].map(|squares| squares & Bitboard::TRAPS)
}

/// The single steps that may help to move an enemy.
struct Approach {
    /// The pieces that are stronger than the enemy, and where they are of use.
    stronger: Bitboard,
    places: Bitboard,
    /// What helps them.
    help: StepFilter,
}

impl Approach {
    /// The steps after which the enemy may be moved at once.
    #[inline(always)]
    fn near(view: &AttackerView, target: Target, stronger: Bitboard) -> Approach {
        let attack = target.holder.neighbours();
        Approach {
            stronger,
            places: attack,
            help: Approach::in_place(view, target, stronger & attack),
        }
    }

    /// The steps after which one more single step may do.
    #[inline(always)]
    fn distant(view: &AttackerView, target: Target, stronger: Bitboard) -> Approach {
        let attack = target.holder.neighbours();
        let places = attack | attack.neighbours();
        let mut help = Approach::in_place(view, target, stronger & attack).widened(view);
        let coming = stronger & places;
        if !coming.is_empty() {
            let stuck = coming & (!view.free | Bitboard::TRAPS);
            // Where a piece that comes may be frozen or fall, a friend may wait for it.
            let freezers = view.enemy & view.board.stronger_than(target.holder);
            let risky = attack & (freezers.neighbours() | Bitboard::TRAPS);
            help.to |= stuck.neighbours() | risky.neighbours();
            help.from |= attack | (attack & view.held()).neighbours();
        }
        Approach { stronger, places, help }
    }

    /// What helps the pieces that stand beside the enemy.
    #[inline(always)]
    fn in_place(view: &AttackerView, target: Target, attackers: Bitboard) -> StepFilter {
        if attackers.is_empty() {
            return StepFilter::NONE;
        }
        let stuck = attackers & (!view.free | Bitboard::TRAPS);
        let targets = target.holder.neighbours() | attackers.neighbours();
        StepFilter {
            to: stuck.neighbours(),
            from: targets | (targets & view.held()).neighbours(),
            hit: Bitboard::EMPTY,
        }
    }

    #[inline(always)]
    fn for_each_single(&self, view: &AttackerView, mut visit: impl FnMut(Step)) {
        for direction in Direction::ALL {
            let strong = self.stronger & self.places.shift(direction.opposite());
            for from in view.singles(direction) & (self.help.of(direction) | strong) {
                visit(Step::single(from, direction));
            }
        }
    }
}
