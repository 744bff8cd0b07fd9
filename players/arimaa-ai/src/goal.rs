use arimaa::{Bitboard, Board, Direction, GOLD, Kind, Side, Square, Step, Turn};
use game::Steps;

use crate::Win;
use crate::attacker_view::{AttackerView, StepFilter, with_supporters};
use crate::played::Played;

/// The least steps after which a rabbit of the side stands on its goal row: none if one stands there
/// already.
pub fn goal(board: &Board, side: Side, steps: Steps) -> Option<Win> {
    if side == GOLD {
        return northwards(board, steps);
    }
    let win = northwards(&board.mirrored(), steps)?;
    Some(Win { turn: win.turn.mirrored(), ..win })
}

/// [`goal`] for Gold, whose rabbits go north. One copy of it serves both sides: the less code, the sooner
/// the processor knows its ways.
#[inline(never)]
fn northwards(board: &Board, steps: Steps) -> Option<Win> {
    let rabbits = board.rabbits(GOLD);
    if rabbits.meets(GOAL) {
        return Some(Win::NOW);
    }
    // The number of steps is a constant for the compiler: the floods become straight lines.
    match steps.0 {
        0 => None,
        1 => Search::all::<1>(board, rabbits),
        2 => Search::all::<2>(board, rabbits),
        3 => Search::all::<3>(board, rabbits),
        _ => Search::all::<4>(board, rabbits),
    }
}

const GOAL: Bitboard = Bitboard::row(7);

/// The squares with the goal so many rows away or nearer, but not on it.
#[inline(always)]
const fn within(rows: u8) -> Bitboard {
    Bitboard((!0 << (8 * (7 - rows))) & !GOAL.0)
}

#[inline(always)]
fn south(squares: Bitboard) -> Bitboard {
    squares.shift(Direction::South)
}

/// Where rabbits can go.
const AHEAD: [Direction; 3] = [Direction::North, Direction::East, Direction::West];

/// The squares that rabbits can step to from these.
#[inline(always)]
fn ahead(squares: Bitboard) -> Bitboard {
    squares.neighbours_but(Direction::South)
}

/// The squares that rabbits can step from to these.
#[inline(always)]
fn before(squares: Bitboard) -> Bitboard {
    squares.neighbours_but(Direction::North)
}

/// What a rabbit meets on its way north.
#[derive(Clone, Copy)]
struct Way {
    /// The squares that it can enter.
    open: Bitboard,
    /// The squares that it can leave: it is not frozen there.
    free: Bitboard,
}

impl Way {
    /// The squares with a goal within so many steps.
    #[inline(always)]
    fn flood(&self, steps: u8) -> Bitboard {
        let mut flood = south(GOAL & self.open) & self.free;
        for _ in 1..steps {
            flood |= before(flood & self.open) & self.free;
        }
        flood
    }

    /// For each number of steps up to `most`: the squares with a goal within so many steps; first,
    /// the goals themselves.
    #[inline(always)]
    fn floods(&self, most: u8) -> [Bitboard; 5] {
        let mut floods = [GOAL & self.open; 5];
        floods[1] = south(floods[0]) & self.free;
        for steps in 2..=most as usize {
            let nearer = floods[steps - 1];
            floods[steps] = nearer | (before(nearer & self.open) & self.free);
        }
        floods
    }

    /// The squares on the ways from a square that the floods lead along.
    #[inline(always)]
    fn path(&self, from: Bitboard, floods: &[Bitboard]) -> Bitboard {
        let (mut path, mut reached) = (from, from);
        for flood in floods.iter().rev() {
            reached = ahead(reached) & self.open & (*flood | floods[0]);
            path |= reached;
        }
        path
    }
}

/// A search for the shortest goal, by the steps of the rabbit and those of its helpers.
struct Search {
    /// The most steps of a turn that would be an improvement.
    most: u8,
    /// The shortest turn so far.
    best: Option<Turn>,
}

/// What a rabbit alone has to know of a board.
#[derive(Clone, Copy)]
struct Field {
    own: Bitboard,
    occupied: Bitboard,
    /// The squares beside an enemy that can freeze a rabbit.
    danger: Bitboard,
}

impl Field {
    #[inline(always)]
    fn of(board: &Board) -> Field {
        let own = board.of(GOLD);
        let danger = (board.above(Kind::Rabbit) & !own).neighbours();
        Field { own, occupied: board.occupied(), danger }
    }

    /// After a single step, which may cost friends on traps.
    #[inline(always)]
    fn after(self, step: Step) -> Field {
        let moved = step.from().bit() | step.to().bit();
        let own = self.own ^ moved;
        let fallen = own & Bitboard::TRAPS & !own.neighbours();
        let occupied = (self.occupied ^ moved) & !fallen;
        Field { own: own & !fallen, occupied, danger: self.danger }
    }
}

impl Search {
    /// Looks at all rabbits: alone, then with one helper step, two and three. Only rabbits that pass
    /// a gate are looked at one by one.
    #[inline(always)]
    fn all<const MOST: u8>(board: &Board, rabbits: Bitboard) -> Option<Win> {
        if !rabbits.meets(within(MOST)) {
            return None;
        }
        let mut search = Search { most: MOST, best: None };
        let field = Field::of(board);
        let open = !field.occupied | (field.own & Bitboard::TRAPS);
        let way = Way { open, free: field.own.neighbours() | !field.danger };
        for rabbit in rabbits & way.flood(MOST) {
            search.alone(field, rabbit, Played::NOTHING);
        }
        if MOST >= 2 && rabbits.meets(within(MOST - 1)) {
            search.with_helpers::<MOST>(board, rabbits);
        }
        Some(Win { steps: Steps(search.most + 1), turn: search.best? })
    }

    /// Looks at the rabbits that may make it with helpers.
    #[inline(always)]
    fn with_helpers<const MOST: u8>(&mut self, board: &Board, rabbits: Bitboard) {
        // First as if nothing were frozen and every piece could push every other: no harder look is
        // needed for most boards.
        let rough = AttackerView::rough(board);
        let near = rabbits & within(MOST - 1);
        // Of several rabbits, each may help the others; one alone is no help to itself.
        let me = if near.is_single() { near } else { Bitboard::EMPTY };
        let help = Help::new(&rough, rough.own & !me, rabbits, me);
        let weaker = rough.enemy & (rough.own & !rabbits).neighbours();
        let hopeful = |helpers: u8| {
            let most = MOST.saturating_sub(helpers);
            let near = rabbits & within(most);
            match near.is_empty() {
                true => near,
                false => near & help.way(helpers, weaker).flood(most),
            }
        };
        // With three helper steps, hardly any rabbit before its goal would be refused.
        let hopeful = [hopeful(1), hopeful(2), rabbits & within(MOST.saturating_sub(3))];
        if hopeful == [Bitboard::EMPTY; 3] {
            return;
        }
        let view = AttackerView::new(board);
        for (helpers, rabbits) in (1..).zip(hopeful) {
            for rabbit in rabbits {
                self.helped(&view, rabbit, helpers, Played::NOTHING);
            }
        }
    }

    /// Looks for the shortest run of the rabbit alone.
    ///
    /// Its first step may cost a friend on a trap that it alone holds; after that, nothing changes
    /// on its way but itself.
    #[inline(always)]
    fn alone(&mut self, field: Field, rabbit: Square, played: Played) {
        let Field { own, occupied, danger } = field;
        if self.most <= played.steps || danger.has(rabbit) && !own.meets(rabbit.neighbours()) {
            return;
        }
        let friends = own & !rabbit.bit();
        let fallen = friends & Bitboard::TRAPS & !friends.neighbours();
        let beside = (friends & !fallen).neighbours();
        let empty = !occupied | fallen;
        let lives = (!danger | beside) & (!Bitboard::TRAPS | beside);
        let mut floods = [GOAL & empty; 5];
        floods[1] = south(floods[0]);
        let mut steps = 1;
        while !floods[steps].has(rabbit) {
            if steps == (self.most - played.steps) as usize {
                return;
            }
            floods[steps] = floods[steps] & empty & lives;
            floods[steps + 1] = before(floods[steps]);
            steps += 1;
        }
        let mut turn = played.turn;
        let mut from = rabbit;
        for left in (0..steps).rev() {
            // Towards the goal, only north: its row is not walked along.
            let ways = if left == 0 { &AHEAD[..1] } else { &AHEAD };
            let open = |way: &&Direction| from.bit().shift(**way).meets(floods[left]);
            let way = *ways.iter().find(open).unwrap_or(&Direction::North);
            turn = turn.then(Step::single(from, way));
            from = from.step(way).unwrap_or(from);
        }
        self.best = Some(turn);
        self.most = played.steps + steps as u8 - 1;
    }

    /// Looks for the shortest goal of the rabbit with exactly so many helper steps, which may come
    /// before and between its own.
    fn helped(&mut self, view: &AttackerView, rabbit: Square, helpers: u8, played: Played) {
        if self.most <= played.steps + helpers {
            return;
        }
        let most = self.most - played.steps - helpers;
        let me = rabbit.bit();
        let movers = movers(view, me, most);
        let help = Help::new(view, movers, me, me);
        let weaker = if helpers == 1 { Bitboard::EMPTY } else { view.weaker_beside(movers) };
        let way = help.way(helpers, weaker);
        let floods = way.floods(most);
        if !floods[most as usize].has(rabbit) {
            return;
        }
        let path = way.path(me, &floods[..most as usize]);
        match helpers {
            1 => self.last_helper(view, rabbit, path, played),
            _ => self.next_helper(view, rabbit, helpers, path, played),
        }
        if view.free.has(rabbit) {
            for to in ahead(me) & view.empty & floods[most as usize - 1] & !GOAL {
                let step = Step::single(rabbit, rabbit.direction_to_neighbour(to));
                self.after(view, step, to, helpers, played);
            }
        }
    }

    /// Plays a step and goes on with so many helper steps, unless it has cost the rabbit.
    #[inline(always)]
    fn after(
        &mut self,
        view: &AttackerView,
        step: Step,
        rabbit: Square,
        helpers: u8,
        played: Played,
    ) {
        let board = view.after(step);
        if !board.rabbits(GOLD).has(rabbit) {
            return;
        }
        match helpers {
            0 => self.alone(Field::of(&board), rabbit, played.then(step)),
            _ => self.helped(&AttackerView::new(&board), rabbit, helpers, played.then(step)),
        }
    }

    /// Tries the single steps after which the rabbit may make it alone.
    #[inline(always)]
    fn last_helper(&mut self, view: &AttackerView, rabbit: Square, path: Bitboard, played: Played) {
        let me = rabbit.bit();
        // Nobody has time to leave a square beside the path: what is held there needs no more.
        let held = (view.own & !me & !Bitboard::TRAPS).neighbours();
        let filter = on_path(path, held, view);
        let field = Field::of(&view.board);
        view.for_each_single(view.own & !me, &filter, |step| {
            let after = field.after(step);
            if after.own.has(rabbit) {
                self.alone(after, rabbit, played.then(step));
            }
        });
    }

    /// Tries the steps after which fewer helper steps may be enough.
    #[inline(always)]
    fn next_helper(
        &mut self,
        view: &AttackerView,
        rabbit: Square,
        helpers: u8,
        path: Bitboard,
        played: Played,
    ) {
        let direct = on_path(path, Bitboard::EMPTY, view);
        // After a single step, one more step is left, or two: then it may also prepare a push.
        // After a push of three helper steps, only a single step is left.
        let (singles, pushes) = match helpers {
            2 => (direct.without_hits().widened(view), direct),
            _ => {
                let prepared = direct.without_hits().widened(view);
                let pushes = StepFilter { hit: prepared.hit | direct.hit, ..prepared };
                (direct.widened(view).widened(view), pushes)
            }
        };
        view.for_each_single(view.own & !rabbit.bit(), &singles, |step| {
            self.after(view, step, rabbit, helpers - 1, played);
        });
        view.for_each_push_and_pull(&pushes, |step| {
            self.after(view, step, rabbit, helpers - 2, played);
        });
    }
}

/// The steps that change something for a rabbit on that path: who stands on it, and whether it is
/// frozen or lost there. On squares of `held`, a friend is beside it already.
#[inline(always)]
fn on_path(path: Bitboard, held: Bitboard, view: &AttackerView) -> StepFilter {
    let risky = path & !held & (view.guards.neighbours() | Bitboard::TRAPS);
    StepFilter {
        to: risky.neighbours(),
        from: (path & view.own) | (path & view.held()).neighbours(),
        hit: with_supporters((path & view.enemy) | (path.neighbours() & view.guards), view),
    }
}

/// The helpers that can move, now or when the rabbit comes beside them and frees them: `most` is how
/// many steps it may take.
#[inline(always)]
fn movers(view: &AttackerView, rabbit: Bitboard, most: u8) -> Bitboard {
    let walked = match most {
        1 => Bitboard::EMPTY,
        2 => ahead(rabbit),
        _ => ahead(rabbit) | ahead(ahead(rabbit)),
    };
    (view.free | (view.own & walked.neighbours())) & !rabbit
}

/// What helpers can do for rabbits, at best: as if all that each of their steps could do were done at
/// once.
struct Help<'a> {
    view: &'a AttackerView,
    movers: Bitboard,
    /// Where friends can be after a step.
    one: Bitboard,
    /// The squares with a friend beside them.
    beside: Bitboard,
    /// The friends: all own pieces but the rabbit itself, if it is one alone.
    friends: Bitboard,
}

impl Help<'_> {
    /// The help of `movers` for `rabbits`. `me` is the rabbit if it is one alone: it is no help to
    /// itself.
    #[inline(always)]
    fn new(view: &AttackerView, movers: Bitboard, rabbits: Bitboard, me: Bitboard) -> Help<'_> {
        let reached = (movers & !view.rabbits).neighbours() | ahead(movers & view.rabbits);
        let friends = view.own & !me;
        Help {
            view,
            movers,
            one: reached & (view.empty | rabbits | view.held()),
            beside: friends.neighbours(),
            friends,
        }
    }

    /// What a rabbit meets after so many steps of helpers; `weaker` are the enemies that a push
    /// or a pull can move.
    #[inline(always)]
    fn way(&self, helpers: u8, weaker: Bitboard) -> Way {
        let AttackerView { own, enemy, empty, guards, .. } = *self.view;
        if helpers == 1 {
            let open = empty | self.movers | self.view.held();
            let free = !guards.neighbours() | self.beside | self.one.neighbours();
            return Way { open, free };
        }
        // An enemy on a trap goes when the one that holds it is moved.
        let hit = weaker | (enemy & Bitboard::TRAPS & weaker.neighbours());
        let nearer = (self.one | (own & self.one.neighbours())).neighbours();
        let two = self.one | hit | (nearer & !enemy);
        let (hit, friends) = match helpers {
            2 => (hit, two),
            _ => {
                let hit = hit | (enemy & (self.friends | self.one).neighbours());
                let hit = hit | (enemy & Bitboard::TRAPS & hit.neighbours());
                (hit, two | (two | (own & two.neighbours())).neighbours())
            }
        };
        let free = !(guards & !hit).neighbours() | self.beside | friends.neighbours();
        Way { open: !enemy | hit, free }
    }
}
