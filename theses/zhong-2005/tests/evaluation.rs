//! The preset `zhong`: the figures of Zhong 2005, and detectors that are what a look at each square
//! finds.

use arimaa::{
    Bitboard, Board, Direction, GOLD, Kind, Piece, Position, SILVER, Side, Square, Step, WHOLE_TURN,
};
use arimaa_ai::blockade::blockade;
use arimaa_ai::{Heuristics, captures};
use engine::EvaluationTrace;
use game::{BySide, Score, Steps};
use rand::RngExt;
use search::Evaluator;
use test_support::{Twin, long, random_board, random_start, rng};
use zhong_2005::{Tally, Zhong, forked, hostages, pinned};

fn drawn(rows: &str) -> Board {
    rows.parse().unwrap_or_else(|error| panic!("{error}\n{rows}"))
}

fn trace(board: &Board, side: Side) -> EvaluationTrace {
    Zhong::default().trace(board, side, WHOLE_TURN)
}

fn values(gold: i32, silver: i32) -> BySide<i32> {
    BySide { first: gold, second: silver }
}

/// Random boards of many sources, with their seeds.
fn boards() -> impl Iterator<Item = (u64, Board)> {
    let count = if long() { 2_000_000 } else { 40_000 };
    (0..count).map(|seed| (seed, random_board(&mut rng(seed))))
}

/// Zhong 2005, Figure 3.8.
fn worked_example() -> Board {
    drawn(
        " +-----------------+
         8| . . . . . . . . |
         7| . . R m . H . . |
         6| . . x . r x . . |
         5| . . . . E . . . |
         4| . . . r D e . . |
         3| . . x . . x . . |
         2| . . . . . . . . |
         1| . . . . . . . . |
          +-----------------+
            a b c d e f g h",
    )
}

#[test]
fn the_worked_example_has_the_figures_of_the_thesis() {
    let board = worked_example();
    let (gold, silver) = (trace(&board, GOLD), trace(&board, SILVER));
    for trace in [&gold, &silver] {
        // The thesis adds these four up to 3700, hence a balance of -900; they make 3900, and -700.
        assert_eq!(trace["material"], values(1800 + 600 + 300 + 1200, 1800 + 1100 + 1200 + 500));
        // The thesis prints 10 for the silver elephant on f4; by its table, reversed, it is 12.
        assert_eq!(trace["positions"], values(12 + 1 - 6 + 25, 12 + 3 + 2 + 14));
        assert_eq!(trace["frozen"], values(-1, -1));
        for none in ["blockade", "fork", "pin", "hostage"] {
            assert_eq!(trace[none], values(0, 0), "{none}");
        }
    }

    assert_eq!(gold["trap"], values(500, 0));
    assert_eq!(gold.goals, Some(BySide { first: Some(4), second: None }));
    assert_eq!(gold.score, Score(-700 + 1 + 500));

    assert_eq!(silver["trap"], values(0, 1200));
    assert_eq!(silver.goals, Some(BySide::default()));
    // The thesis has -900 + 3 - 1200.
    assert_eq!(silver.balance, -700 + 1 - 1200);
    assert_eq!(silver.score, Score(1899));
}

#[test]
fn the_worked_example_has_the_captures_of_the_thesis() {
    let (board, tally) = (worked_example(), Tally::of(&worked_example()));
    let captured = |side| {
        let mut found: Vec<_> = captures(&board, side, WHOLE_TURN)
            .iter()
            .map(|capture| (capture.piece.letter(), tally.worth(capture.piece)))
            .collect();
        found.sort_unstable();
        found.dedup();
        found
    };
    assert_eq!(captured(GOLD), [('r', 500)]);
    assert_eq!(captured(SILVER), [('D', 300), ('H', 600), ('R', 1200)]);
}

#[test]
fn a_whole_army_is_worth_what_the_thesis_says() {
    let position: Position =
        "g [rrrrrrrrhdcemcdh                                HDCMECDHRRRRRRRR]".parse().unwrap();
    let army = 100 + 150 + 200 + 250 + 300 + 400 + 500 + 1200 + 2 * (250 + 300 + 600) + 1100 + 1800;
    assert_eq!(trace(position.board(), GOLD)["material"], values(army, army));
}

#[test]
fn rabbits_go_ahead_when_the_enemy_has_three_officers_left() {
    let mut board = drawn(
        " +-----------------+
         8| . . . e m h d . |
         7| . . . . . . . . |
         6| . . x . . x . . |
         5| R . . . . . . . |
         4| . . . . . . . . |
         3| . . x . . x . . |
         2| . . . . . . . . |
         1| E . . . . . . r |
          +-----------------+
            a b c d e f g h",
    );
    assert_eq!(trace(&board, GOLD)["positions"].first, -8);
    board.take(Square::G8);
    assert_eq!(trace(&board, GOLD)["positions"].first, 16);
    let never = Zhong { guards: 0, ..Zhong::default() };
    assert_eq!(never.trace(&board, GOLD, WHOLE_TURN)["positions"].first, -8);
}

#[test]
fn a_capture_counts_less_what_it_costs() {
    // To push the dog onto f6, the horse leaves the cat on f3 alone.
    let mut board = drawn(
        " +-----------------+
         8| . . . . . . . r |
         7| . . . . . . . . |
         6| . . x . . x . . |
         5| . . . . . d . . |
         4| . . . . . H . . |
         3| . . x . . C . . |
         2| . . . . . . . . |
         1| R . . . . . . . |
          +-----------------+
            a b c d e f g h",
    );
    assert_eq!(trace(&board, GOLD)["trap"], values(300 - 250, 0));
    board.put(Piece { side: GOLD, kind: Kind::Dog }, Square::F3);
    assert_eq!(trace(&board, GOLD)["trap"], values(0, 0));
    board.put(Piece { side: GOLD, kind: Kind::Rabbit }, Square::F2);
    assert_eq!(trace(&board, GOLD)["trap"], values(300, 0));
}

#[test]
fn steps_left_limit_what_can_be_captured() {
    let board = worked_example();
    let trap = |steps| Zhong::default().trace(&board, SILVER, Steps(steps))["trap"].second;
    assert_eq!([1, 2, 3, 4].map(trap), [0, 1200, 1200, 1200]);
}

/// The level of the gold elephant's blockade.
fn gold_blockade(rows: &str) -> u8 {
    blockade(&drawn(rows), GOLD)
}

#[test]
fn a_blockade_is_full_without_a_step_and_a_push() {
    let full = gold_blockade(
        " +-----------------+
         8| r r c . . . . . |
         7| r E d m . . . . |
         6| r e h . . x . . |
         5| . . . . . . . . |
         4| . . . . . . . . |
         3| . . x . . x . . |
         2| . . . . . . . . |
         1| . . . . . . . . |
          +-----------------+
            a b c d e f g h",
    );
    assert_eq!(full, 5);
    // The rabbit of a7 can be pushed to a6: towards the edge.
    let towards_the_edge = gold_blockade(
        " +-----------------+
         8| r r c . . . . . |
         7| r E d m . . . . |
         6| . e h . . x . . |
         5| . . . . . . . . |
         4| . . . . . . . . |
         3| . . x . . x . . |
         2| . . . . . . . . |
         1| . . . . . . . . |
          +-----------------+
            a b c d e f g h",
    );
    assert_eq!(towards_the_edge, 4);
    // The dog of c7 can be pushed to d7: towards the centre.
    let towards_the_centre = gold_blockade(
        " +-----------------+
         8| r r c . . . . . |
         7| r E d . . . . . |
         6| r e h . . x . . |
         5| . . . . . . . . |
         4| . . . . . . . . |
         3| . . x . . x . . |
         2| . . . . . . . . |
         1| . . . . . . . . |
          +-----------------+
            a b c d e f g h",
    );
    assert_eq!(towards_the_centre, 3);
}

#[test]
fn a_blockade_costs_by_its_level_and_an_open_way_to_the_centre_is_nearly_free() {
    let board = drawn(
        " +-----------------+
         8| r r c . . . . . |
         7| r E d m . . . . |
         6| r . h . . x . . |
         5| . . . . . . . . |
         4| . . . e . . . . |
         3| . . x . . x . . |
         2| . . . . . . . . |
         1| R . . . . . . . |
          +-----------------+
            a b c d e f g h",
    );
    // South is open, the rabbit of a7 and the dog of c7 are shut in.
    assert_eq!(blockade(&board, GOLD), 1);
    assert_eq!(trace(&board, GOLD)["blockade"], values(-5, 0));
    let mut shut = board;
    shut.put(Piece { side: SILVER, kind: Kind::Horse }, Square::B6);
    shut.put(Piece { side: SILVER, kind: Kind::Dog }, Square::B5);
    assert_eq!(trace(&shut, GOLD)["blockade"], values(-80, 0));
}

/// Zhong 2005, Figure 3.5: the silver dog on d3 can be captured on c3 and on f3.
fn fork() -> Board {
    drawn(
        " +-----------------+
         8| r r r . . r r r |
         7| . c . . . . c . |
         6| . h x m . x h . |
         5| . . . . e . . . |
         4| . . . E . . . . |
         3| . H x d . x . . |
         2| . D C . . C D . |
         1| R R R R R R R R |
          +-----------------+
            a b c d e f g h",
    )
}

#[test]
fn a_fork_threatens_a_piece_in_two_traps() {
    let board = fork();
    assert_eq!(forked(&board, GOLD), Square::D3.bit());
    assert_eq!(trace(&board, GOLD)["fork"], values(30, 0));
    assert_eq!(trace(&board, SILVER)["fork"], values(30, 0));
    for (piece, value) in [('m', 50), ('h', 40), ('c', 25), ('r', 15)] {
        let mut other = board;
        other.put(Piece::from_letter(piece).unwrap(), Square::D3);
        assert_eq!(trace(&other, GOLD)["fork"], values(value, 0), "{piece}");
    }
}

#[test]
fn a_fork_is_none_with_a_friend_at_a_trap_or_something_in_the_way() {
    let horse = Piece { side: SILVER, kind: Kind::Horse };
    let gold_cat = Piece { side: GOLD, kind: Kind::Cat };
    for (piece, square) in [(horse, Square::G3), (horse, Square::C4), (gold_cat, Square::E3)] {
        let mut board = fork();
        board.put(piece, square);
        assert_eq!(forked(&board, GOLD), Bitboard::EMPTY, "{piece} on {square}");
    }
    // A friend elsewhere does not help.
    let mut board = fork();
    board.put(horse, Square::H4);
    assert_eq!(forked(&board, GOLD), Square::D3.bit());
    // The elephant can be in the way itself, if it can step back.
    let elephant = board.take(Square::D4).unwrap();
    board.put(elephant, Square::E3);
    assert_eq!(forked(&board, GOLD), Square::D3.bit());
    board.put(gold_cat, Square::E2);
    board.put(gold_cat, Square::E4);
    assert_eq!(forked(&board, GOLD), Bitboard::EMPTY);
}

#[test]
fn a_fork_is_none_between_the_traps_of_the_other_half() {
    let board = drawn(
        " +-----------------+
         8| r r r . . r r r |
         7| . . . . . . . . |
         6| . . x d . x . . |
         5| . . . E . . . . |
         4| . . . . . . . . |
         3| . . x . . x . . |
         2| . . . . . . . . |
         1| R R R R R R R R |
          +-----------------+
            a b c d e f g h",
    );
    assert_eq!(forked(&board, GOLD), Bitboard::EMPTY);
}

/// Zhong 2005, Figure 3.6: the gold elephant cannot leave d6 without losing the horse on c6.
fn pin() -> Board {
    drawn(
        " +-----------------+
         8| r r . r . r r r |
         7| . r h d . . . . |
         6| . m H E . x . . |
         5| h . e . . . . . |
         4| . . . . . . . . |
         3| . . x . . x . . |
         2| . D C . . C D . |
         1| R R R R R R R R |
          +-----------------+
            a b c d e f g h",
    )
}

#[test]
fn a_pin_is_a_framed_piece_that_the_elephant_alone_holds() {
    let board = pin();
    assert_eq!(pinned(&board, GOLD), Square::C6.bit());
    assert_eq!(trace(&board, GOLD)["pin"], values(-25, 0));
    for (piece, value) in [('M', 0), ('D', -20), ('C', -10), ('R', -15)] {
        let mut other = board;
        other.put(Piece::from_letter(piece).unwrap(), Square::C6);
        // Stronger than all around but the elephant, a camel must not be able to push.
        other.put(Piece { side: SILVER, kind: Kind::Rabbit }, Square::C8);
        assert_eq!(trace(&other, GOLD)["pin"], values(value, 0), "{piece}");
    }
}

#[test]
fn no_piece_pins_that_can_push_or_step_out_or_has_another_friend() {
    let silver = |kind| Piece { side: SILVER, kind };
    let changes = [
        // The dog can be pushed to b5 or a6; the cat on b6 is a friend; b6 is empty.
        Some(silver(Kind::Dog)),
        Some(Piece { side: GOLD, kind: Kind::Cat }),
        None,
    ];
    for change in changes {
        let mut board = pin();
        board.take(Square::B6);
        change.into_iter().for_each(|piece| board.put(piece, Square::B6));
        assert_eq!(pinned(&board, GOLD), Bitboard::EMPTY, "{change:?}");
    }
    // With nowhere to go, the dog frames the horse as well as the camel does.
    let mut board = pin();
    board.put(silver(Kind::Dog), Square::B6);
    board.put(silver(Kind::Rabbit), Square::A6);
    board.put(silver(Kind::Rabbit), Square::B5);
    assert_eq!(pinned(&board, GOLD), Square::C6.bit());
    // A horse that something else than the elephant holds pins nothing.
    let mut board = pin();
    board.put(Piece { side: GOLD, kind: Kind::Camel }, Square::D6);
    assert_eq!(pinned(&board, GOLD), Bitboard::EMPTY);
}

/// Zhong 2005, Figure 3.7, with the gold elephant on b3 (see `hostages`).
fn hostage() -> Board {
    drawn(
        " +-----------------+
         8| r r r r r r r r |
         7| . c d . . d c . |
         6| . h x . . x h . |
         5| . . . . . . . . |
         4| . . e . . . . . |
         3| m E x . . M . . |
         2| . D C . . C D . |
         1| R R R R R R R R |
          +-----------------+
            a b c d e f g h",
    )
}

#[test]
fn a_hostage_binds_the_elephant_of_its_side_to_a_trap() {
    let board = hostage();
    assert_eq!(hostages(&board, GOLD), Square::A3.bit());
    assert_eq!(trace(&board, GOLD)["hostage"], values(80, 0));
    for (piece, value) in [('h', 0), ('d', 30), ('c', 20), ('r', 10)] {
        let mut other = board;
        other.put(Piece::from_letter(piece).unwrap(), Square::A3);
        assert_eq!(trace(&other, GOLD)["hostage"], values(value, 0), "{piece}");
    }
}

#[test]
fn no_piece_is_a_hostage_that_is_free_or_guarded_otherwise() {
    let horse = Piece { side: SILVER, kind: Kind::Horse };
    // A friend frees the camel; another guard would let the elephant go.
    for square in [Square::A4, Square::D3] {
        let mut board = hostage();
        board.put(horse, square);
        assert_eq!(hostages(&board, GOLD), Bitboard::EMPTY, "{square}");
    }
    // Without a guard, the camel is not a hostage, but captured.
    let mut board = hostage();
    board.take(Square::C4);
    assert_eq!(hostages(&board, GOLD), Bitboard::EMPTY);
    assert_eq!(trace(&board, GOLD)["trap"], values(1100, 0));
    // The camel does not hold it.
    let mut board = hostage();
    board.put(Piece { side: GOLD, kind: Kind::Camel }, Square::B3);
    assert_eq!(hostages(&board, GOLD), Bitboard::EMPTY);
}

/// The preset's detectors once more, by what each square holds.
struct Slow(Twin);

impl Slow {
    fn is(&self, square: Square, side: Side, kind: Kind) -> bool {
        self.0.at(square) == Some(Piece { side, kind })
    }

    fn side_at(&self, square: Square) -> Option<Side> {
        self.0.at(square).map(|piece| piece.side)
    }

    fn elephant(&self, side: Side) -> Option<Square> {
        Square::all().find(|&square| self.is(square, side, Kind::Elephant))
    }

    fn has_empty_beside(&self, square: Square) -> bool {
        beside(square).any(|near| self.0.at(near).is_none())
    }

    fn blockade(&self, side: Side) -> u8 {
        let Some(square) = self.elephant(side) else { return 0 };
        let mut freedom = 0;
        for direction in Direction::ALL {
            let Some(next) = square.step(direction) else { continue };
            let inward = match direction {
                Direction::North => square.row() < 4,
                Direction::South => square.row() >= 4,
                Direction::East => square.column() < 4,
                Direction::West => square.column() >= 4,
            };
            let worth = match self.0.at(next) {
                None => 2,
                Some(Piece { side: other, kind: Kind::Elephant }) if other != side => 0,
                Some(_) => u8::from(self.has_empty_beside(next)),
            };
            freedom += if inward { 2 * worth } else { worth };
        }
        5 - freedom.min(5)
    }

    /// Whether there is no piece of that side beside a square, but on `except`.
    fn unguarded(&self, trap: Square, side: Side, except: Square) -> bool {
        beside(trap).all(|near| near == except || self.side_at(near) != Some(side))
    }

    fn forked(&self, side: Side) -> Bitboard {
        use Square as At;
        let lines = match side {
            GOLD => [[At::C3, At::D3, At::E3, At::F3], [At::F3, At::E3, At::D3, At::C3]],
            _ => [[At::C6, At::D6, At::E6, At::F6], [At::F6, At::E6, At::D6, At::C6]],
        };
        let empty = |square| self.0.at(square).is_none();
        let is_elephant = |square| self.is(square, side, Kind::Elephant);
        let is_forked = |[near, victim, gap, far]: &[Square; 4]| {
            let takes = |trap| empty(trap) && self.unguarded(trap, !side, *victim);
            let up_and_down = [Direction::North, Direction::South];
            let steps_back = || up_and_down.iter().any(|&way| gap.step(way).is_some_and(empty));
            self.side_at(*victim) == Some(!side)
                && !self.is(*victim, !side, Kind::Elephant)
                && beside(*victim).any(is_elephant)
                && takes(*near)
                && takes(*far)
                && (empty(*gap) || is_elephant(*gap) && steps_back())
        };
        lines.iter().filter(|line| is_forked(line)).map(|line| line[1]).collect()
    }

    fn pinned(&self, side: Side) -> Bitboard {
        let is_pinned = |&trap: &Square| {
            let Some(piece) = self.0.at(trap) else { return false };
            let held = |near| self.is(near, side, Kind::Elephant);
            let framed = |near| {
                self.0.at(near).is_some_and(|other| {
                    other.side != side && (other.kind >= piece.kind || !self.has_empty_beside(near))
                })
            };
            piece.side == side
                && piece.kind != Kind::Elephant
                && beside(trap).any(held)
                && beside(trap).all(|near| held(near) || framed(near))
        };
        Square::TRAPS.into_iter().filter(is_pinned).collect()
    }

    fn hostages(&self, side: Side) -> Bitboard {
        let home = |trap: &Square| (trap.row() < 4) == (side == GOLD);
        let is_hostage = |&square: &Square| {
            let near = |trap: &Square| {
                let rows = trap.row().abs_diff(square.row());
                rows + trap.column().abs_diff(square.column()) <= 2
            };
            let bound = |trap: Square| {
                let Some(guard) = self.elephant(!side) else { return false };
                beside(trap).any(|beside| beside == guard)
                    && beside(trap).all(|near| {
                        near == guard || near == square || self.side_at(near) != Some(!side)
                    })
            };
            self.side_at(square) == Some(!side)
                && self.0.frozen(square)
                && beside(square).any(|near| self.is(near, side, Kind::Elephant))
                && Square::TRAPS.into_iter().filter(home).filter(near).any(bound)
        };
        Square::all().filter(is_hostage).collect()
    }
}

fn beside(square: Square) -> impl Iterator<Item = Square> {
    Direction::ALL.into_iter().filter_map(move |direction| square.step(direction))
}

#[test]
fn the_detectors_find_what_a_look_at_each_square_finds() {
    let (mut levels, mut found) = ([0; 6], [0; 3]);
    for (seed, board) in boards() {
        let slow = Slow(Twin::of(&board));
        for side in Side::ALL {
            let place = || format!("seed {seed}, {side:?}\n{board}");
            let level = blockade(&board, side);
            assert_eq!(level, slow.blockade(side), "blockade: {}", place());
            assert_eq!(forked(&board, side), slow.forked(side), "fork: {}", place());
            assert_eq!(pinned(&board, side), slow.pinned(side), "pin: {}", place());
            assert_eq!(hostages(&board, side), slow.hostages(side), "hostage: {}", place());
            levels[usize::from(level)] += 1;
            found[0] += forked(&board, side).len();
            found[1] += pinned(&board, side).len();
            found[2] += hostages(&board, side).len();
        }
    }
    println!("blockades by level: {levels:?}; forks, pins, hostages: {found:?}");
    assert!(levels.iter().chain(&found.map(|found| found as i32)).all(|&count| count > 0));
}

/// The steps of the side whose piece stands on that square, by that piece.
fn steps_from(board: &Board, side: Side, square: Square) -> Vec<Step> {
    let steps = Position::new(*board, side).steps().into_iter();
    steps.filter(|step| step.from() == square).collect()
}

#[test]
fn a_full_blockade_and_a_frame_leave_no_step() {
    for (seed, board) in boards() {
        for side in Side::ALL {
            if blockade(&board, side) == 5 {
                let elephant = board.piece(Piece { side, kind: Kind::Elephant }).first().unwrap();
                assert_eq!(steps_from(&board, side, elephant), [], "seed {seed}\n{board}");
            }
            for square in pinned(&board, side) {
                assert_eq!(steps_from(&board, side, square), [], "seed {seed}\n{board}");
            }
        }
    }
}

#[test]
fn a_forked_piece_can_be_captured_in_two_traps() {
    for (seed, board) in boards() {
        for side in Side::ALL {
            for square in forked(&board, side) {
                let captures = captures(&board, side, WHOLE_TURN);
                let of_it = captures.iter().filter(|capture| capture.square == square);
                let mut steps: Vec<_> = of_it.map(|capture| capture.steps.0).collect();
                steps.sort_unstable();
                assert!(steps.len() >= 2 && steps[0] == 2, "seed {seed}, {square}\n{board}");
            }
        }
    }
}

#[test]
fn mirrored_boards_have_mirrored_terms() {
    for (seed, board) in boards() {
        for side in Side::ALL {
            let steps = Steps(rng(seed).random_range(1..=4));
            let (seen, mirrored) = (
                Zhong::default().trace(&board, side, steps),
                Zhong::default().trace(&board.mirrored(), !side, steps),
            );
            for &(term, value) in &seen.terms {
                let BySide { first, second } = mirrored[term];
                assert_eq!(value, values(second, first), "seed {seed}, {term}\n{board}");
            }
            assert_eq!(seen.score, mirrored.score);
            let distance = |trace: &EvaluationTrace, side| trace.goals.map(|goals| goals[side]);
            assert_eq!(distance(&seen, side), distance(&mirrored, !side));
        }
    }
}

#[test]
fn the_score_is_the_sum_of_the_terms() {
    let zhong = Zhong::default();
    for (seed, board) in boards() {
        for side in Side::ALL {
            let tally = Tally::of(&board);
            let trace = zhong.trace(&board, side, WHOLE_TURN);
            let score = zhong.score(&board, &tally, side, WHOLE_TURN);
            assert_eq!(score, trace.score, "seed {seed}\n{board}");
            let standing = zhong.standing(&board, &tally, side);
            assert_eq!(standing.0 + trace["trap"][side], score.0, "seed {seed}\n{board}");
        }
    }
}

#[test]
fn the_tally_follows_the_board_step_by_step() {
    let games = if long() { 2_000 } else { 60 };
    let mut captured = 0;
    for seed in 0..games {
        let mut rng = rng(seed);
        let mut position = *random_start(&mut rng).position();
        let mut board = *position.board();
        let mut tally = Tally::of(&board);
        for _ in 0..400 {
            let steps = position.steps();
            if steps.is_empty() || position.outcome().is_some() {
                break;
            }
            let step = steps[rng.random_range(0..steps.len())];
            let before = board.occupied().len();
            position.play_unchecked(step);
            board.play(step, &mut tally);
            captured += before - board.occupied().len();
            assert_eq!(board, *position.board());
            assert_eq!(tally, Tally::of(&board), "seed {seed}\n{board}");
        }
    }
    assert!(captured > 0);
}

#[test]
fn the_state_that_a_search_carries_is_the_state_from_scratch() {
    let heuristics = Heuristics::new(Zhong::default());
    let steps_played = if long() { 4_000_000 } else { 60_000 };
    let (mut played, mut captured, mut seed) = (0, 0, 0);
    while played < steps_played {
        seed += 1;
        let mut rng = rng(seed);
        let mut position = *random_start(&mut rng).position();
        let mut state = Evaluator::<Position>::state(&heuristics, &position);
        for _ in 0..400 {
            let steps = position.steps();
            if steps.is_empty() || position.outcome().is_some() {
                break;
            }
            let step = steps[rng.random_range(0..steps.len())];
            let before = position.board().occupied().len();
            let mut twin = position;
            twin.play_unchecked(step);
            heuristics.play(&mut position, &mut state, step);
            assert_eq!(position, twin);
            assert_eq!(state, Evaluator::<Position>::state(&heuristics, &twin), "{position}");
            captured += before - position.board().occupied().len();
            played += 1;
        }
    }
    assert!(captured > 0);
}
