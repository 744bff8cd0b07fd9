use std::ops::ControlFlow;

use arimaa::{Bitboard, Board, Direction, GOLD, Kind, Mobility, Step};

/// A board seen by the side that is to move, turned so that its rabbits go north, and what every
/// look at it needs.
#[derive(Clone, Copy)]
pub(crate) struct Scene {
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

impl Scene {
    #[inline(always)]
    pub(crate) fn new(board: &Board) -> Scene {
        let (own, occupied) = (board.of(GOLD), board.occupied());
        Scene {
            board: *board,
            own,
            enemy: occupied & !own,
            empty: !occupied,
            rabbits: board.rabbits(GOLD),
            guards: board.above(Kind::Rabbit) & !own,
            free: board.free(GOLD),
        }
    }

    /// The board after a step.
    #[inline(always)]
    pub(crate) fn after(&self, step: Step) -> Board {
        let mut board = self.board;
        board.play(step, &mut ());
        board
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

    /// The enemies with a stronger one of `attackers` beside them.
    #[inline(always)]
    pub(crate) fn weaker_than(&self, attackers: Bitboard) -> Bitboard {
        let mobility = Mobility::new(&self.board, GOLD);
        Direction::ALL.into_iter().fold(Bitboard::EMPTY, |weaker, direction| {
            weaker | (mobility.stronger[direction as usize] & attackers).shift(direction)
        })
    }

    /// Calls `visit` with the single steps that are of interest.
    #[inline(always)]
    pub(crate) fn for_each_single(&self, interest: &Interest, mut visit: impl FnMut(Step)) {
        for direction in Direction::ALL {
            let useful = interest.from | interest.to.shift(direction.opposite());
            for from in self.singles(direction) & useful {
                visit(Step::single(from, direction));
            }
        }
    }

    /// Calls `visit` with the pushes and pulls that are of interest.
    #[inline(always)]
    pub(crate) fn for_each_push_and_pull(&self, interest: &Interest, mut visit: impl FnMut(Step)) {
        let _ = Mobility::new(&self.board, GOLD).for_each_push_and_pull(&mut |step| {
            if interest.has(step) {
                visit(step);
            }
            ControlFlow::Continue(())
        });
    }
}

/// Which steps may help: those that bring an own piece to a square of `to`, take one away from a square
/// of `from`, or take an enemy away from a square of `hit`.
#[derive(Clone, Copy)]
pub(crate) struct Interest {
    pub(crate) to: Bitboard,
    pub(crate) from: Bitboard,
    pub(crate) hit: Bitboard,
}

impl Interest {
    /// Whether a push or pull is among them.
    #[inline(always)]
    fn has(&self, step: Step) -> bool {
        let arrival = if step.form() == arimaa::Form::Push { step.victim() } else { step.to() };
        self.hit.has(step.victim()) || self.from.has(step.from()) || self.to.has(arrival)
    }

    /// Besides these steps, those that may make one of them possible.
    ///
    /// A step is made possible by a friend beside a piece that is frozen, by an enemy that freezes
    /// it going away, by a clear target, by the piece coming nearer, or by a friend that holds it
    /// on a trap.
    #[inline(always)]
    pub(crate) fn widened(&self, scene: &Scene) -> Interest {
        let Interest { to, from, hit } = *self;
        let attack = hit.neighbours();
        let actors = to.neighbours() | from | attack;
        let stuck = scene.own & actors & (!scene.free | Bitboard::TRAPS);
        // Where pieces want to go: to these squares, away from those, pushed and pulling.
        let targets =
            to | from.neighbours() | attack | (scene.own & attack).neighbours();
        let to = to | to.neighbours() | stuck.neighbours() | attack;
        let from = from | targets | (targets & scene.held()).neighbours();
        let hit = hit | (scene.enemy & (targets | stuck.neighbours()));
        Interest { to, from, hit: with_supporters(hit, scene) }
    }
}

/// The enemies on these squares, and those that hold one of them on a trap.
#[inline(always)]
pub(crate) fn with_supporters(hit: Bitboard, scene: &Scene) -> Bitboard {
    hit | (scene.enemy & (hit & Bitboard::TRAPS).neighbours())
}
