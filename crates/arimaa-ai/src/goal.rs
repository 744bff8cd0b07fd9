use arimaa::{Bitboard, Board, Direction, GOLD, Kind, Side, Square, Step, Turn};
use game::Steps;

use crate::Win;
use crate::scene::{Interest, Scene, with_supporters};

/// The least steps after which a rabbit of the side stands on its goal row: none if one stands there
/// already.
pub fn goal(board: &Board, side: Side, steps: Steps) -> Option<Win> {
    match side {
        GOLD => northwards(board, steps),
        _ => northwards(&board.mirrored(), steps)
            .map(|win| Win { turn: win.turn.mirrored(), ..win }),
    }
}

/// [`goal`] for Gold, whose rabbits go north.
#[inline(always)]
fn northwards(board: &Board, steps: Steps) -> Option<Win> {
    let rabbits = board.rabbits(GOLD);
    if rabbits.meets(GOAL) {
        return Some(Win { steps: Steps(0), turn: Turn::EMPTY });
    }
    if !rabbits.meets(within(steps.0)) {
        return None;
    }
    let mut search = Search { most: steps.0, best: None };
    search.all(board, rabbits);
    Some(Win { steps: Steps(search.most + 1), turn: search.best? })
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
    AHEAD.into_iter().fold(Bitboard::EMPTY, |all, direction| all | squares.shift(direction))
}

/// The squares that rabbits can step from to these.
#[inline(always)]
fn before(squares: Bitboard) -> Bitboard {
    AHEAD.into_iter().fold(Bitboard::EMPTY, |all, direction| {
        all | squares.shift(direction.opposite())
    })
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
}

/// A search for the shortest goal, by the steps of the rabbit and those of its helpers.
struct Search {
    /// The most steps of a turn that would be an improvement.
    most: u8,
    /// The shortest turn so far.
    best: Option<Turn>,
}

/// What was played since the position of the search.
#[derive(Clone, Copy)]
struct Played {
    turn: Turn,
    steps: u8,
}

impl Played {
    const NOTHING: Played = Played { turn: Turn::EMPTY, steps: 0 };

    #[inline(always)]
    fn then(self, step: Step) -> Played {
        Played { turn: self.turn.then(step), steps: self.steps + step.cost().0 }
    }
}

impl Search {
    /// Looks at all rabbits: alone, then with one helper step, two and three. Only rabbits that pass
    /// a gate are looked at one by one.
    #[inline(always)]
    fn all(&mut self, board: &Board, rabbits: Bitboard) {
        let own = board.of(GOLD);
        let danger = (board.above(Kind::Rabbit) & !own).neighbours();
        let open = !board.occupied() | (own & Bitboard::TRAPS);
        let alone = Way { open, free: own.neighbours() | !danger };
        for rabbit in rabbits & alone.floods(self.most)[self.most as usize] {
            self.alone(board, rabbit, Played::NOTHING);
        }
        if self.most < 2 || !rabbits.meets(within(self.most - 1)) {
            return;
        }
        let scene = Scene::new(board);
        for helpers in 1..=3 {
            if self.most <= helpers {
                return;
            }
            let most = self.most - helpers;
            let rabbits = rabbits & within(most);
            if rabbits.is_empty() {
                return;
            }
            let way = helped(&scene, helpers, most, rabbits, Bitboard::EMPTY);
            for rabbit in rabbits & way.floods(most)[most as usize] {
                self.helped(&scene, rabbit, helpers, Played::NOTHING);
            }
        }
    }

    /// Looks for the shortest run of the rabbit alone.
    ///
    /// Its first step may cost a friend on a trap that it alone holds; after that, nothing changes
    /// on its way but itself.
    #[inline(always)]
    fn alone(&mut self, board: &Board, rabbit: Square, played: Played) {
        let own = board.of(GOLD);
        let danger = (board.above(Kind::Rabbit) & !own).neighbours();
        if self.most <= played.steps || danger.has(rabbit) && !own.meets(rabbit.neighbours()) {
            return;
        }
        let friends = own & !rabbit.bit();
        let fallen = friends & Bitboard::TRAPS & !friends.neighbours();
        let beside = (friends & !fallen).neighbours();
        let empty = !board.occupied() | fallen;
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
    fn helped(&mut self, scene: &Scene, rabbit: Square, helpers: u8, played: Played) {
        if self.most <= played.steps + helpers {
            return;
        }
        let most = self.most - played.steps - helpers;
        let me = rabbit.bit();
        let way = helped(scene, helpers, most, me, me);
        let floods = way.floods(most);
        if !floods[most as usize].has(rabbit) {
            return;
        }
        let mut path = me;
        let mut reached = me;
        for left in (0..most as usize).rev() {
            reached = ahead(reached) & way.open & (floods[left] | floods[0]);
            path |= reached;
        }
        let mut interest = on_path(path, scene);
        let direct = interest;
        for _ in 1..helpers {
            // A push or pull is out of reach for what comes after, unless two steps are left.
            let hit = if helpers == 3 { interest.hit } else { Bitboard::EMPTY };
            interest = Interest { hit, ..interest }.widened(scene);
        }
        interest.from &= !me;
        scene.for_each_single(&interest, |step| {
            if step.from() != rabbit {
                self.after(scene, rabbit, step, helpers - 1, played);
            }
        });
        if helpers >= 2 {
            let interest = if helpers == 2 { direct } else { Interest { hit: Bitboard::EMPTY, ..direct }.widened(scene) };
            let interest = Interest {hit: interest.hit | direct.hit, ..interest};
            scene.for_each_push_and_pull(&interest, |step| {
                self.after(scene, rabbit, step, helpers - 2, played);
            });
        }
        if most >= 2 {
            for direction in AHEAD {
                let to = me.shift(direction) & floods[most as usize - 1];
                if scene.singles(direction).has(rabbit)
                    && let Some(to) = to.first()
                {
                    let step = Step::single(rabbit, direction);
                    let board = scene.after(step);
                    if board.rabbits(GOLD).has(to) {
                        self.helped(&Scene::new(&board), to, helpers, played.then(step));
                    }
                }
            }
        }
    }

    /// Goes on after a helper's step, with so many helper steps left.
    #[inline(always)]
    fn after(&mut self, scene: &Scene, rabbit: Square, step: Step, helpers: u8, played: Played) {
        let board = scene.after(step);
        if !board.rabbits(GOLD).has(rabbit) {
            return;
        }
        match helpers {
            0 => self.alone(&board, rabbit, played.then(step)),
            _ => self.helped(&Scene::new(&board), rabbit, helpers, played.then(step)),
        }
    }
}

/// The steps that change something for a rabbit on that path: who stands on it, and whether it is
/// frozen or lost there.
#[inline(always)]
fn on_path(path: Bitboard, scene: &Scene) -> Interest {
    let risky = path & (scene.guards.neighbours() | Bitboard::TRAPS);
    Interest {
        to: risky.neighbours(),
        from: (path & scene.own) | (path & scene.held()).neighbours(),
        hit: with_supporters((path & scene.enemy) | (path.neighbours() & scene.guards), scene),
    }
}

/// What the `rabbits`, which take at most so many steps, meet on their way after so many steps of
/// helpers, if all that each of these steps could do were done at once.
///
/// `me` is the rabbit if it is one alone: it is no help to itself.
#[inline(always)]
fn helped(scene: &Scene, helpers: u8, most: u8, rabbits: Bitboard, me: Bitboard) -> Way {
    let Scene { own, enemy, empty, guards, .. } = *scene;
    let beside = (own & !me).neighbours();
    // A rabbit on its way can free friends that it comes beside.
    let walked = match most {
        1 => Bitboard::EMPTY,
        2 => ahead(rabbits),
        _ => ahead(rabbits) | ahead(ahead(rabbits)),
    };
    let movers = (scene.free | (own & walked.neighbours())) & !me;
    let one = (movers & !scene.rabbits).neighbours() | ahead(movers & scene.rabbits);
    let one = one & (empty | rabbits | scene.held());
    if helpers == 1 {
        let open = empty | movers | scene.held();
        return Way { open, free: !guards.neighbours() | beside | one.neighbours() };
    }
    let hit = scene.weaker_than(movers);
    let hit = hit | (enemy & Bitboard::TRAPS & hit.neighbours());
    let two = one | hit | ((one | (own & one.neighbours())).neighbours() & !enemy);
    if helpers == 2 {
        let free = !(guards & !hit).neighbours() | beside | two.neighbours();
        return Way { open: !enemy | hit, free };
    }
    let three = two | (two | (own & two.neighbours())).neighbours();
    let hit = hit | (enemy & ((own & !me) | one).neighbours());
    let hit = hit | (enemy & Bitboard::TRAPS & hit.neighbours());
    let free = !(guards & !hit).neighbours() | beside | three.neighbours();
    Way { open: !enemy | hit, free }
}
