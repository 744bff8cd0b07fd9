use arimaa::{Bitboard, Board, Direction, GOLD, Kind, Square, Step};

/// The attacker's view of a board: turned so that the rabbits of the side to move go north, with the sets
/// of squares that every detector needs.
#[derive(Clone, Copy)]
pub(crate) struct AttackerView {
    pub(crate) board: Board,
    pub(crate) own: Bitboard,
    pub(crate) enemy: Bitboard,
    pub(crate) empty: Bitboard,
    pub(crate) rabbits: Bitboard,
    /// The enemies that can freeze a rabbit: all but their rabbits.
    pub(crate) guards: Bitboard,
    /// The own pieces that are not frozen.
    pub(crate) free: Bitboard,
}

impl AttackerView {
    #[inline(always)]
    pub(crate) fn new(board: &Board) -> AttackerView {
        AttackerView { free: board.free(GOLD), ..AttackerView::rough(board) }
    }

    /// The view as if nothing were frozen.
    #[inline(always)]
    pub(crate) fn rough(board: &Board) -> AttackerView {
        let (own, occupied) = (board.of(GOLD), board.occupied());
        AttackerView {
            board: *board,
            own,
            enemy: occupied & !own,
            empty: !occupied,
            rabbits: board.rabbits(GOLD),
            guards: board.above(Kind::Rabbit) & !own,
            free: own,
        }
    }

    /// The board after a step.
    #[inline(always)]
    pub(crate) fn after(&self, step: Step) -> Board {
        self.board.after(step)
    }

    /// The own pieces on traps.
    #[inline(always)]
    pub(crate) fn held(&self) -> Bitboard {
        self.own & Bitboard::TRAPS
    }

    /// The pieces that can go to an empty square on that side.
    #[inline(always)]
    pub(crate) fn singles(&self, direction: Direction) -> Bitboard {
        let movers = match direction {
            Direction::South => self.free & !self.rabbits,
            _ => self.free,
        };
        movers & self.empty.shift(direction.opposite())
    }

    /// Calls `visit` with the single steps of `movers` that pass the filter.
    #[inline(always)]
    pub(crate) fn for_each_single(
        &self,
        movers: Bitboard,
        filter: &StepFilter,
        mut visit: impl FnMut(Step),
    ) {
        // Not a loop, which would choose the shift by a jump.
        let [north, east, south, west] =
            Direction::ALL.map(|direction| self.singles(direction) & movers & filter.of(direction));
        visit_all(north, Direction::North, &mut visit);
        visit_all(east, Direction::East, &mut visit);
        visit_all(south, Direction::South, &mut visit);
        visit_all(west, Direction::West, &mut visit);
    }

    /// The enemies with a stronger one of `attackers` beside them.
    #[inline(always)]
    pub(crate) fn weaker_beside(&self, attackers: Bitboard) -> Bitboard {
        self.enemy & self.board.weaker_beside(attackers)
    }

    /// Calls `visit` with the pushes and pulls that pass the filter.
    #[inline(always)]
    pub(crate) fn for_each_push_and_pull(&self, filter: &StepFilter, mut visit: impl FnMut(Step)) {
        let StepFilter { to, from, hit } = *filter;
        let about = hit | from.neighbours() | to | to.neighbours().neighbours();
        for victim in self.weaker_beside(self.free) & about {
            for attacker in self.attackers(victim) {
                let any = hit.has(victim) || from.has(attacker);
                let push_to = if any || to.has(victim) { self.empty } else { Bitboard::EMPTY };
                let pull_to = if any { self.empty } else { self.empty & to };
                displace(attacker, victim, push_to, pull_to, |step, _| visit(step));
            }
        }
    }

    /// The own pieces that can push or pull that enemy, if there is room.
    #[inline(always)]
    pub(crate) fn attackers(&self, victim: Square) -> Bitboard {
        self.free & self.board.stronger_than(victim) & victim.neighbours()
    }
}

/// Calls `visit` with the single steps of these pieces in a direction.
#[inline(always)]
fn visit_all(movers: Bitboard, direction: Direction, visit: &mut impl FnMut(Step)) {
    for from in movers {
        visit(Step::single(from, direction));
    }
}

/// Calls `visit` with the pushes and pulls of an enemy by a piece beside it, and with where they put
/// it: the pushes to squares of `push_to`, the pulls by going to squares of `pull_to`.
#[inline(always)]
pub(crate) fn displace(
    attacker: Square,
    victim: Square,
    push_to: Bitboard,
    pull_to: Bitboard,
    mut visit: impl FnMut(Step, Square),
) {
    let towards = attacker.direction_to_neighbour(victim);
    for to in victim.neighbours() & push_to {
        visit(Step::push(attacker, towards, victim.direction_to_neighbour(to)), to);
    }
    for to in attacker.neighbours() & pull_to {
        visit(Step::pull(attacker, towards, attacker.direction_to_neighbour(to)), attacker);
    }
}

/// A filter for the steps that may help: those that bring an own piece to a square of `to`, take one away
/// from a square of `from`, or take an enemy away from a square of `hit`.
#[derive(Clone, Copy)]
pub(crate) struct StepFilter {
    pub(crate) to: Bitboard,
    pub(crate) from: Bitboard,
    pub(crate) hit: Bitboard,
}

impl StepFilter {
    pub(crate) const NONE: StepFilter =
        StepFilter { to: Bitboard::EMPTY, from: Bitboard::EMPTY, hit: Bitboard::EMPTY };

    /// The squares whose pieces should go that way.
    #[inline(always)]
    pub(crate) fn of(&self, direction: Direction) -> Bitboard {
        self.from | self.to.shift(direction.opposite())
    }

    /// The same, where no push or pull can follow.
    #[inline(always)]
    pub(crate) fn without_hits(self) -> StepFilter {
        StepFilter { hit: Bitboard::EMPTY, ..self }
    }

    /// Besides these steps, those that may make one of them possible.
    ///
    /// A step is made possible by a friend beside a piece that is frozen, by an enemy that freezes
    /// it going away, by a clear target, by the piece coming nearer, or by a friend that holds it
    /// on a trap.
    #[inline(always)]
    pub(crate) fn widened(&self, view: &AttackerView) -> StepFilter {
        let StepFilter { to, from, hit } = *self;
        let attack = hit.neighbours();
        let actors = to.neighbours() | from | attack;
        let stuck = view.own & actors & (!view.free | Bitboard::TRAPS);
        // Where pieces want to go: to these squares, away from those, pushed and pulling.
        let targets = to | from.neighbours() | attack | (view.own & attack).neighbours();
        let to = to | to.neighbours() | stuck.neighbours() | attack;
        let from = from | targets | (targets & view.held()).neighbours();
        let hit = hit | (view.enemy & (targets | stuck.neighbours()));
        StepFilter { to, from, hit: with_supporters(hit, view) }
    }
}

/// The enemies on these squares, and those that hold one of them on a trap.
#[inline(always)]
pub(crate) fn with_supporters(hit: Bitboard, view: &AttackerView) -> Bitboard {
    hit | (view.enemy & (hit & Bitboard::TRAPS).neighbours())
}
