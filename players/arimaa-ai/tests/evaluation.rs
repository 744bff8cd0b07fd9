//! Tusk's own evaluation: its terms add up, both sides and both halves of the board are judged alike,
//! and each pattern is what a look at the squares one by one finds.

use std::collections::HashSet;
use std::sync::Arc;

use arimaa::{
    Bitboard, Board, Direction, GOLD, Kind, Piece, Position, SILVER, Side, Square, TurnGenerator,
};
use arimaa_ai::Evaluation;
use arimaa_ai::evaluation::{
    EvaluationContext, FEATURES, Model, dominated, framed, goal_distance, guards_ahead, hostages,
    open_columns, reached, shut_in,
};
use game::{Score, Steps};
use linear::{Feature, Unit, Weights, fnv1a};
use rand::RngExt;
use test_support::{long, random_board, rng};

/// Random positions of many sources, at the start of a turn and inside.
fn positions() -> impl Iterator<Item = Position> {
    let count = if long() { 200_000 } else { 10_000 };
    (0..count).map(|seed| {
        let mut rng = rng(seed);
        let side = if rng.random() { GOLD } else { SILVER };
        let mut position = Position::new(random_board(&mut rng), side);
        for _ in 0..rng.random_range(0..3) {
            let steps = position.steps();
            if position.steps_left() > Steps(1) && !steps.is_empty() {
                position.play_unchecked(steps[rng.random_range(0..steps.len())]);
            }
        }
        position
    })
}

/// The board with left and right exchanged.
fn flipped(board: &Board) -> Board {
    let mut flipped = Board::EMPTY;
    for (square, piece) in board.pieces() {
        flipped.put(piece, Square::at(7 - square.column(), square.row()));
    }
    flipped
}

#[test]
fn the_sum_the_trace_and_the_dot_product_of_the_features_are_the_same() {
    let evaluation = Evaluation::default();
    let weights = evaluation.model().weights();
    let mut seen = vec![0; FEATURES.groups.len()];
    for position in positions() {
        let (score, trace) = (evaluation.evaluate(&position), evaluation.trace(&position));
        assert_eq!(score, trace.score, "{position}");
        let totals = trace.totals();
        assert_eq!(totals[GOLD] - totals[SILVER], trace.balance, "{position}");
        // The dot product by hand: only material and captures have weights in hundredths.
        let features = Evaluation::features(&position);
        let mut of = |side: Side| {
            let (mut points, mut hundredths) = (0, [0; 2]);
            for Feature { number, value } in features[side].iter() {
                let (group, _) = FEATURES.group_of(number);
                match (group.unit, group.term) {
                    (Unit::Point, _) => points += weights[number] * value,
                    (_, "material") => hundredths[0] += weights[number] * value,
                    _ => hundredths[1] += weights[number] * value,
                }
                let group = FEATURES.groups.iter().position(|other| other == group);
                seen[group.expect("a group of the list")] += 1;
            }
            points + hundredths[0] / 100 + hundredths[1] / 100
        };
        let side = position.side();
        assert_eq!(of(side) - of(!side), score.0, "{position}");
    }
    assert!(seen.iter().all(|&count| count > 0), "a group that is never emitted: {seen:?}");
}

#[test]
fn no_two_groups_or_terms_share_a_name() {
    let distinct = |names: &mut dyn Iterator<Item = &'static str>| {
        let names: Vec<&str> = names.collect();
        names.len() == names.iter().collect::<HashSet<_>>().len()
    };
    assert!(distinct(&mut FEATURES.groups.iter().map(|group| group.name)));
    assert!(distinct(&mut FEATURES.terms()));
}

#[test]
fn the_shipped_file_is_what_its_weights_are_written_as() {
    let file = include_str!("../../../models/arimaa-evaluation.model");
    let weights = Weights::parse(&FEATURES, file.as_bytes()).expect("a model");
    assert_eq!(weights.to_string(), file);
    assert_eq!(Model::from(&weights), **Evaluation::default().model());
}

#[test]
fn every_group_is_in_the_reference() {
    let reference = include_str!("../../../docs/evaluation.md");
    for group in FEATURES.groups {
        let shape: Vec<String> = group.shape.iter().map(usize::to_string).collect();
        let row = format!("| `{}` | {} | {}", group.name, shape.join(" × "), group.about);
        assert!(reference.contains(&row), "docs/evaluation.md has no row {row}");
    }
}

#[test]
fn another_model_gives_other_scores_and_the_same_features() {
    let zero = Weights::new(&FEATURES, vec![0; FEATURES.count()]).to_string();
    let model = Model::parse(zero.as_bytes()).expect("what was written");
    let evaluation = Evaluation::with_model(Arc::new(model));
    for position in positions().take(100) {
        assert_eq!(evaluation.evaluate(&position), Score(0));
    }
}

#[test]
fn both_sides_and_both_wings_are_judged_alike() {
    let evaluation = Evaluation::default();
    for position in positions().filter(Position::turn_starts) {
        let (board, side) = (position.board(), position.side());
        let score = evaluation.evaluate(&position);
        let mirrored = Position::new(board.mirrored(), !side);
        assert_eq!(evaluation.evaluate(&mirrored), score, "{position}");
        let flipped = Position::new(flipped(board), side);
        assert_eq!(evaluation.evaluate(&flipped), score, "{position}");
    }
}

#[test]
fn a_rabbit_more_is_better() {
    let evaluation = Evaluation::default();
    let score = |text: &str| evaluation.evaluate(&text.parse().expect("a position"));
    let equal = score("g [rrrrrrrrhdcemcdh                                HDCMECDHRRRRRRRR]");
    let more = score("g [rrrrrrr hdcemcdh                                HDCMECDHRRRRRRRR]");
    assert!(equal > Score(0), "to be to move is worth something");
    assert!(more > equal);
}

/// A board that is looked at square by square.
struct Look<'a>(&'a Board);

impl Look<'_> {
    fn at(&self, square: Square) -> Option<Piece> {
        self.0.piece_at(square)
    }

    fn is_of(&self, square: Square, side: Side) -> bool {
        self.at(square).is_some_and(|piece| piece.side == side)
    }

    fn around(square: Square) -> impl Iterator<Item = Square> {
        Direction::ALL.into_iter().filter_map(move |direction| square.step(direction))
    }

    fn has_beside(&self, square: Square, test: impl Fn(Square) -> bool) -> bool {
        Look::around(square).any(test)
    }

    fn has_friend(&self, square: Square, side: Side) -> bool {
        self.has_beside(square, |beside| self.is_of(beside, side))
    }

    /// Whether a stronger enemy of `piece` stands there.
    fn is_stronger(&self, square: Square, piece: Piece) -> bool {
        self.at(square).is_some_and(|other| other.side != piece.side && other.kind > piece.kind)
    }

    fn is_frozen(&self, square: Square) -> bool {
        let Some(piece) = self.at(square) else { return false };
        !self.has_friend(square, piece.side)
            && self.has_beside(square, |beside| self.is_stronger(beside, piece))
    }

    fn is_empty(&self, square: Square) -> bool {
        self.at(square).is_none()
    }

    /// Whether a piece could push what stands beside it.
    fn can_push(&self, piece: Piece, beside: Square) -> bool {
        let weaker = |other: Piece| other.side != piece.side && other.kind < piece.kind;
        self.at(beside).is_some_and(weaker) && self.has_beside(beside, |to| self.is_empty(to))
    }

    fn dominates(&self, square: Square, piece: Piece) -> bool {
        let comes_from = |from| self.is_stronger(from, piece) && !self.is_frozen(from);
        piece.kind != Kind::Rabbit
            && !self.is_frozen(square)
            && !self.has_friend(square, piece.side)
            && self.has_beside(square, |beside| {
                self.is_empty(beside) && self.has_beside(beside, comes_from)
            })
    }

    fn is_framed(&self, square: Square, piece: Piece) -> bool {
        let friends = Look::around(square).filter(|&beside| self.is_of(beside, piece.side));
        Square::TRAPS.contains(&square)
            && piece.kind != Kind::Elephant
            && friends.count() == 1
            && !self
                .has_beside(square, |beside| self.is_empty(beside) || self.can_push(piece, beside))
    }

    fn is_shut_in(&self, square: Square, piece: Piece) -> bool {
        matches!(piece.kind, Kind::Camel | Kind::Horse)
            && !self.is_frozen(square)
            && !self.has_beside(square, |beside| {
                self.is_empty(beside)
                    || self.is_of(beside, piece.side)
                    || self.can_push(piece, beside)
            })
    }

    fn is_hostage(&self, square: Square, piece: Piece) -> bool {
        let distance = |trap: Square| {
            trap.row().abs_diff(square.row()) + trap.column().abs_diff(square.column())
        };
        let beside = |trap: Square, side| {
            Look::around(trap).filter(|&at| at != square && self.is_of(at, side)).count()
        };
        self.is_frozen(square)
            && Square::TRAPS.into_iter().any(|trap| {
                let guards = beside(trap, piece.side);
                let kept = guards == 0 || guards == 1 && beside(trap, !piece.side) > 0;
                let is_enemys = advance(piece.side, trap) >= 4;
                matches!(distance(trap), 1 | 2) && is_enemys && kept
            })
    }

    /// Where a piece comes to with three steps, by all ways that it can take.
    fn walks(&self, from: Square, piece: Piece) -> Bitboard {
        let has_friend = |at| self.has_beside(at, |at| at != from && self.is_of(at, piece.side));
        let mut front = vec![from];
        let mut reached = Bitboard::EMPTY;
        for _ in 0..3 {
            let goes_on = |at: &Square| {
                *at == from
                    || has_friend(*at)
                    || !self.has_beside(*at, |beside| self.is_stronger(beside, piece))
            };
            let ways = front.into_iter().filter(goes_on).flat_map(Look::around);
            let is_safe = |at: &Square| !Square::TRAPS.contains(at) || has_friend(*at);
            front = ways.filter(|&at| self.is_empty(at)).filter(is_safe).collect();
            reached |= front.iter().copied().collect();
        }
        reached
    }

    fn all(&self, side: Side, test: impl Fn(Square, Piece) -> bool) -> Bitboard {
        let of_side = self.0.pieces().filter(|(_, piece)| piece.side == side);
        of_side.filter(|&(square, piece)| test(square, piece)).map(|(square, _)| square).collect()
    }
}

#[test]
fn patterns_are_what_a_look_at_each_square_finds() {
    let mut found = [0; 4];
    for position in positions() {
        let board = position.board();
        let (context, look) = (EvaluationContext::of(&position), Look(board));
        for side in Side::ALL {
            let held: Bitboard = hostages(&context, side).map(|hostage| hostage.square).collect();
            let pairs = [
                (dominated(&context, side), look.all(side, |at, piece| look.dominates(at, piece))),
                (framed(&context, side), look.all(side, |at, piece| look.is_framed(at, piece))),
                (shut_in(&context, side), look.all(side, |at, piece| look.is_shut_in(at, piece))),
                (held, look.all(!side, |at, piece| look.is_hostage(at, piece))),
            ];
            for ((fast, slow), count) in pairs.into_iter().zip(&mut found) {
                assert_eq!(fast, slow, "{position}");
                *count += fast.len();
            }
        }
    }
    assert!(found.iter().all(|&count| count > 0), "a pattern that is never there: {found:?}");
}

#[test]
fn the_weakest_piece_that_freezes_a_hostage_holds_it() {
    for position in positions() {
        let (context, look) = (EvaluationContext::of(&position), Look(position.board()));
        for side in Side::ALL {
            for hostage in hostages(&context, side) {
                let piece = look.at(hostage.square).expect("a hostage");
                let holders =
                    Look::around(hostage.square).filter(|&at| look.is_stronger(at, piece));
                let kind = |square: Square| look.at(square).map(|piece| piece.kind);
                let weakest = holders.filter_map(kind).min();
                assert_eq!(kind(hostage.holder), weakest, "{position}");
            }
        }
    }
}

#[test]
fn a_piece_reaches_what_a_walk_does() {
    for position in positions() {
        let (context, look) = (EvaluationContext::of(&position), Look(position.board()));
        for (square, piece) in position.board().pieces() {
            if piece.kind > Kind::Dog && !look.is_frozen(square) {
                let reached = reached(&context, piece.side, piece.kind, square);
                assert_eq!(reached, look.walks(square, piece), "{square}: {position}");
            }
        }
    }
}

/// The rows that a piece of a side on that square has behind it.
fn advance(side: Side, square: Square) -> usize {
    if side == GOLD { square.row() } else { 7 - square.row() }
}

#[test]
fn rabbits_are_guarded_and_columns_open_as_each_square_tells() {
    for position in positions() {
        let (context, look) = (EvaluationContext::of(&position), Look(position.board()));
        for side in Side::ALL {
            let rabbits = position.board().rabbits(side);
            let at_home = |column: usize| {
                let squares = rabbits.into_iter().filter(|square| square.column() == column);
                squares.into_iter().any(|square| advance(side, square) < 3)
            };
            let open = (0..8).filter(|&column| !at_home(column)).count();
            assert_eq!(open_columns(&context, side) as usize, open, "{position}");
            for rabbit in rabbits {
                let in_way = |square: Square, _| {
                    square.column().abs_diff(rabbit.column()) <= 1
                        && advance(side, square) > advance(side, rabbit)
                };
                let guards = look.all(!side, in_way);
                assert_eq!(guards_ahead(&context, side, rabbit), guards, "{position}");
            }
        }
    }
}

/// [`goal_distance`] by a list of squares for each number of steps.
fn walked(board: &Board, side: Side) -> Option<Steps> {
    let look = Look(board);
    let goes = |at: &Square| !look.is_frozen(*at) && advance(side, *at) >= 3;
    let rabbits: Vec<Square> = board.rabbits(side).into_iter().filter(goes).collect();
    let has_friend = |square: Square| {
        look.has_beside(square, |beside| look.is_of(beside, side) && !rabbits.contains(&beside))
    };
    let may_leave = |square: Square| {
        let rabbit = Piece { side, kind: Kind::Rabbit };
        rabbits.contains(&square)
            || has_friend(square)
            || !look.has_beside(square, |beside| look.is_stronger(beside, rabbit))
    };
    let may_enter = |square: Square| {
        look.is_empty(square) && (!Square::TRAPS.contains(&square) || has_friend(square))
    };
    let mut reached = rabbits.clone();
    for steps in 1..=8 {
        for from in reached.clone().into_iter().filter(|&from| may_leave(from)) {
            let ahead = |to: &Square| advance(side, *to) >= advance(side, from) && may_enter(*to);
            reached.extend(Look::around(from).filter(ahead));
        }
        reached.sort_unstable();
        reached.dedup();
        if reached.iter().any(|&square| advance(side, square) == 7) {
            return Some(Steps(steps));
        }
    }
    None
}

#[test]
fn the_goal_is_as_far_as_a_walk_from_square_to_square() {
    let mut found = [0; 9];
    for position in positions() {
        for side in Side::ALL {
            if position.board().has_goal(side) {
                continue;
            }
            let distance = goal_distance(&EvaluationContext::of(&position), side);
            assert_eq!(distance, walked(position.board(), side), "{position}");
            found[distance.map_or(0, |steps| usize::from(steps.0))] += 1;
        }
    }
    assert!(found.iter().all(|&count| count > 0), "{found:?}");
}

/// Boards of games by chance, some turns after those of `tusk bench`.
fn bench_positions() -> Vec<Position> {
    let text = include_str!("../../../positions/bench.txt");
    let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    let mut generator = TurnGenerator::new();
    let mut positions = Vec::new();
    for line in lines {
        let position: Position = line.parse().expect("a position");
        let turns = generator.distinct(position.board(), position.side());
        positions.extend(turns.iter().step_by(101).map(|reached| {
            let mut after = position;
            after.play_turn_unchecked(reached.turn);
            after
        }));
        positions.push(position);
    }
    positions
}

/// A hash of numbers (FNV-1a), the same on every machine.
fn hash(numbers: impl Iterator<Item = i32>) -> u64 {
    fnv1a(&numbers.flat_map(i32::to_le_bytes).collect::<Vec<u8>>())
}

#[test]
fn scores_and_terms_are_those_of_the_shipped_weights() {
    let evaluation = Evaluation::default();
    let scores = |positions: &[Position]| {
        hash(positions.iter().map(|position| evaluation.evaluate(position).0))
    };
    let terms = |positions: &[Position]| {
        hash(positions.iter().flat_map(|position| {
            let terms = evaluation.trace(position).terms.into_iter();
            terms.flat_map(|(_, values)| [values.first, values.second])
        }))
    };
    let random: Vec<Position> = positions().take(10_000).collect();
    let bench = bench_positions();
    let found = [scores(&random), terms(&random), scores(&bench), terms(&bench)];
    assert_eq!(
        found.map(|hash| format!("{hash:016x}")),
        ["e4fe945b6cfb4ff1", "ee3194c01c22c28d", "9c03ed7e1bb3484d", "1f612420e6e7944c"]
    );
}
