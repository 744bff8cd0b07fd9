//! Every fast routine meets its slow twin, on random positions and on those of real games.

use std::collections::HashSet;
use std::ops::ControlFlow;

use arimaa::{
    Army, Bitboard, Board, Direction, Game, Kind, Mobility, Piece, Position, Reached, Replay, Side,
    Square, Step, StepError, Turn, TurnGenerator,
};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use test_support::{Rows, Twin, long, own_file, random_game, rng, scattered};

/// Positions of random games and scattered pieces, both sides to move.
fn positions(games: u64, boards: u64) -> Vec<Position> {
    let mut positions = Vec::new();
    for seed in 0..games {
        random_game(seed, &mut |game| positions.push(*game.position()));
    }
    let mut rng = rng(99);
    for _ in 0..boards {
        let board = scattered(&mut rng);
        positions.extend(Side::ALL.map(|side| Position::new(board, side)));
    }
    positions
}

/// The moves of a step and the board after it, of all single steps, pushes and pulls.
type Listed = HashSet<(Vec<(Square, Square)>, Twin)>;

fn listed(position: &Position) -> Listed {
    let moves = |step: Step| {
        let mut board = *position.board();
        board.play(step, &mut ());
        (step.moves().collect(), Twin::of(&board))
    };
    let steps = position.steps();
    let listed: Listed =
        steps.iter().copied().filter(|&step| step != Step::PASS).map(moves).collect();
    let passes = steps.iter().filter(|&&step| step == Step::PASS).count();
    assert_eq!(listed.len() + passes, steps.len(), "{position}: a step is listed twice");
    listed
}

#[test]
fn the_listed_steps_are_the_twins() {
    let positions = positions(if long() { 400 } else { 40 }, if long() { 200_000 } else { 10_000 });
    for position in &positions {
        let (singles, doubles) = Twin::of(position.board()).steps(position.side());
        let expected: Listed = singles.into_iter().chain(doubles).collect();
        assert_eq!(listed(position), expected, "{position}");
    }
    println!("{} positions", positions.len());
}

#[test]
fn the_frozen_pieces_are_the_twins() {
    for position in positions(10, 5_000) {
        let board = position.board();
        let twin = Twin::of(board);
        for side in Side::ALL {
            let free = board.of(side).into_iter().filter(|&square| !twin.frozen(square)).collect();
            assert_eq!(Mobility::new(board, side).free, free, "{position} {side:?}");
            assert_eq!(board.free(side), free, "{position} {side:?}");
        }
    }
}

/// One to three pieces of a side, and enemies on most squares around them.
fn hemmed_in(rng: &mut ChaCha8Rng, side: Side) -> Board {
    let mut board = Board::EMPTY;
    let any_kind = |rng: &mut ChaCha8Rng| Kind::ALL[rng.random_range(0..6)];
    let walls = rng.random_range(8..=16);
    for _ in 0..rng.random_range(1..=3) {
        let square = Square::new(rng.random_range(0..64)).unwrap();
        board.put(Piece { side, kind: any_kind(rng) }, square);
    }
    let near = board.occupied().neighbours();
    for square in (near | near.neighbours()) & !board.occupied() {
        if rng.random_range(0..16) < walls {
            board.put(Piece { side: !side, kind: any_kind(rng) }, square);
        }
    }
    for square in board.unsupported() {
        board.take(square);
    }
    board
}

#[test]
fn a_side_can_move_if_the_twin_has_a_step() {
    let mut rng = rng(7);
    let mut positions = positions(10, 5_000);
    for _ in 0..if long() { 1_000_000 } else { 50_000 } {
        let side = Side::ALL[rng.random_range(0..2)];
        positions.push(Position::new(hemmed_in(&mut rng, side), side));
    }
    let (mut walking, mut pushing, mut stuck) = (0, 0, 0);
    for position in &positions {
        let side = position.side();
        let (singles, doubles) = Twin::of(position.board()).steps(side);
        let count = match (singles.is_empty(), doubles.is_empty()) {
            (false, _) => &mut walking,
            (true, false) => &mut pushing,
            (true, true) => &mut stuck,
        };
        *count += 1;
        let can_move = !singles.is_empty() || !doubles.is_empty();
        assert_eq!(position.board().can_move(side), can_move, "{position}");
        assert_eq!(position.can_move(), can_move, "{position}");
    }
    println!("{walking} with a single step, {pushing} with a push only, {stuck} with nothing");
    assert!(walking > 0 && pushing > 0 && stuck > 0);
}

/// Some squares, many or few.
fn any_squares(rng: &mut ChaCha8Rng) -> Bitboard {
    let chance = rng.random_range(0..=16);
    Square::all().filter(|_| rng.random_range(0..16) < chance).collect()
}

#[test]
fn pieces_are_compared_as_one_by_one() {
    let mut rng = rng(9);
    for position in positions(4, 3_000) {
        let board = position.board();
        let kind_at = |square| board.piece_at(square).map(|piece| piece.kind);
        for kind in Kind::ALL {
            let above = Square::all().filter(|&square| kind_at(square) > Some(kind)).collect();
            assert_eq!(board.above(kind), above, "{position} {kind:?}");
        }
        for square in Square::all() {
            let stronger = |&other: &Square| kind_at(other) > kind_at(square);
            let stronger = Square::all().filter(stronger).collect();
            assert_eq!(board.stronger_than(square), stronger, "{position} {square}");
        }
        let attackers = any_squares(&mut rng);
        let has_stronger = |square: &Square| {
            let mut beside = square.neighbours().into_iter().filter(|&near| attackers.has(near));
            kind_at(*square).is_some() && beside.any(|near| kind_at(near) > kind_at(*square))
        };
        let weaker = Square::all().filter(has_stronger).collect();
        assert_eq!(board.weaker_beside(attackers), weaker, "{position} {attackers}");
    }
}

#[test]
fn boards_agree_where_every_piece_is_the_same() {
    let mut rng = rng(10);
    let (mut agreeing, mut differing) = (0, 0);
    for position in positions(4, 3_000) {
        let board = position.board();
        let mut other = *board;
        for _ in 0..rng.random_range(0..4) {
            let square = Square::new(rng.random_range(0..64)).unwrap();
            let (side, kind) = (Side::ALL[rng.random_range(0..2)], rng.random_range(0..7));
            match Kind::ALL.get(kind) {
                Some(&kind) => other.put(Piece { side, kind }, square),
                None => drop(other.take(square)),
            }
        }
        let squares = any_squares(&mut rng);
        let agrees = squares.into_iter().all(|at| board.piece_at(at) == other.piece_at(at));
        assert_eq!(board.agrees_on(&other, squares), agrees, "{position} {other} {squares}");
        *if agrees { &mut agreeing } else { &mut differing } += 1;
    }
    println!("{agreeing} agree, {differing} differ");
    assert!(agreeing > 0 && differing > 0);
}

#[test]
fn directions_to_neighbours_lead_there() {
    for square in Square::all() {
        for neighbour in square.neighbours() {
            let direction = square.direction_to_neighbour(neighbour);
            assert_eq!(Some(direction), square.direction_to(neighbour), "{square} {neighbour}");
        }
    }
}

#[test]
fn the_neighbours_but_those_of_a_direction_lie_in_the_others() {
    let mut rng = rng(11);
    let sets = (0..1_000).map(|_| any_squares(&mut rng));
    for squares in sets.chain(Square::all().map(Square::bit)) {
        for but in Direction::ALL {
            let others = || Direction::ALL.into_iter().filter(|&direction| direction != but);
            let beside =
                squares.into_iter().flat_map(|square| others().filter_map(move |d| square.step(d)));
            assert_eq!(squares.neighbours_but(but), beside.collect(), "{squares} {but:?}");
        }
    }
}

#[test]
fn the_board_after_a_step_is_the_one_that_playing_it_leaves() {
    for position in positions(4, 3_000) {
        for step in position.steps().into_iter().filter(|step| *step != Step::PASS) {
            let mut played = *position.board();
            played.play(step, &mut ());
            assert_eq!(position.board().after(step), played, "{position} {step:?}");
        }
    }
}

#[test]
fn the_mirrored_board_is_the_same_for_the_other_side() {
    for position in positions(4, 3_000) {
        let (board, mirrored) = (position.board(), position.board().mirrored());
        assert_eq!(mirrored.mirrored(), *board, "{position}");
        for square in Square::all() {
            let other = |piece: Piece| Piece { side: !piece.side, ..piece };
            let piece = board.piece_at(square).map(other);
            assert_eq!(mirrored.piece_at(square.mirrored()), piece, "{position} {square}");
        }
        let other = Position::new(mirrored, !position.side());
        let steps: HashSet<Step> = position.steps().into_iter().map(Step::mirrored).collect();
        assert_eq!(other.steps().into_iter().collect::<HashSet<_>>(), steps, "{position}");
        for step in position.steps() {
            let (mut after, mut other) = (*board, mirrored);
            after.play(step, &mut ());
            other.play(step.mirrored(), &mut ());
            assert_eq!(after.mirrored(), other, "{position} {step:?}");
        }
    }
}

#[test]
fn mirrored_squares_directions_and_steps_fit_together() {
    for square in Square::all() {
        let mirrored = square.mirrored();
        assert_eq!((mirrored.column(), mirrored.row()), (square.column(), 7 - square.row()));
        assert_eq!(mirrored.mirrored(), square);
        for direction in Direction::ALL {
            let beyond = square.step(direction).map(Square::mirrored);
            assert_eq!(mirrored.step(direction.mirrored()), beyond, "{square} {direction:?}");
        }
    }
    for step in conceivable_steps() {
        assert_eq!(step.mirrored().mirrored(), step);
        assert_eq!(step.mirrored().form(), step.form());
    }
    for step in steps_on_board() {
        let mirrored = step.moves().map(|(from, to)| (from.mirrored(), to.mirrored()));
        assert!(step.mirrored().moves().eq(mirrored), "{step:?}");
    }
}

/// Every step that the constructors can make of a square and directions, on the board or off it.
fn conceivable_steps() -> Vec<Step> {
    let mut steps = vec![Step::PASS];
    for from in Square::all() {
        for to in Direction::ALL {
            steps.push(Step::single(from, to));
            for victim in Direction::ALL {
                steps.push(Step::push(from, victim, to));
                steps.push(Step::pull(from, victim, to));
            }
        }
    }
    steps
}

/// The conceivable steps that stay on the board.
fn steps_on_board() -> Vec<Step> {
    let (mut steps, ways) = (vec![Step::PASS], || Direction::ALL.into_iter());
    for from in Square::all() {
        for to in ways().filter(|&to| from.step(to).is_some()) {
            steps.push(Step::single(from, to));
            let victims = ways().filter(|&victim| from.step(victim).is_some());
            steps.extend(victims.map(|victim| Step::pull(from, victim, to)));
        }
        for victim in ways() {
            let Some(pushed) = from.step(victim) else { continue };
            let pushes = ways().filter(|&to| pushed.step(to).is_some());
            steps.extend(pushes.map(|to| Step::push(from, victim, to)));
        }
    }
    steps
}

#[test]
fn a_listed_step_is_played_and_any_other_refused() {
    let conceivable = conceivable_steps();
    let mut rng = rng(5);
    for position in positions(3, 150) {
        // Inside the turn as well, until it is over.
        let mut position = position;
        let side = position.side();
        while position.side() == side {
            let steps = position.steps();
            for &step in &conceivable {
                let mut after = position;
                let played = after.try_play(step);
                assert_eq!(played.is_ok(), steps.contains(&step), "{position} {step:?} {played:?}");
                if played.is_err() {
                    assert_eq!(after, position, "a refused step changes nothing");
                }
            }
            let Some(&step) = steps.get(rng.random_range(0..steps.len().max(1))) else { break };
            position.play_unchecked(step);
        }
    }
}

#[test]
fn keys_kept_step_by_step_are_those_computed_anew() {
    let mut rng = rng(6);
    for position in positions(20, 2_000) {
        let mut position = position;
        let (side, start) = (position.side(), *position.board());
        while position.side() == side {
            assert_eq!(position.key(), position.recomputed_key(&start), "{position}");
            let steps = position.steps();
            let Some(&step) = steps.get(rng.random_range(0..steps.len().max(1))) else { break };
            let expected = position.board().key_after(step, position.repetition_key());
            position.play_unchecked(step);
            let fresh = Position::new(*position.board(), side);
            assert_eq!(expected, fresh.repetition_key(), "{position} {step:?}");
        }
        let fresh = Position::new(*position.board(), position.side());
        if position.side() != side {
            assert_eq!(position.key(), fresh.key(), "{position}");
        }
    }
}

#[test]
fn the_key_tells_the_steps_left_and_the_board_the_turn_began_with() {
    let start: Position =
        "g [rrrrrrrrhdcemcdh                                HDCMECDHRRRRRRRR]".parse().unwrap();
    let play = |steps: &[Step]| {
        let mut position = start;
        steps.iter().for_each(|&step| position.try_play(step).unwrap());
        position
    };
    let (north, south) = (Direction::North, Direction::South);
    let (up, down) = (Step::single(Square::E2, north), Step::single(Square::E3, south));
    let (one, three) = (play(&[up]), play(&[up, down, up]));
    assert_eq!(one.board(), three.board());
    assert_ne!(one.key(), three.key());
    assert_eq!(one.repetition_key(), three.repetition_key());

    // The same board after one step, in a turn that began elsewhere.
    let mut other = Position::new(*play(&[Step::single(Square::D2, north)]).board(), start.side());
    other.try_play(Step::single(Square::D3, south)).unwrap();
    other.try_play(up).unwrap();
    let mut same = start;
    same.try_play(Step::single(Square::D2, north)).unwrap();
    same.try_play(Step::single(Square::D3, south)).unwrap();
    assert_eq!((same.board(), same.key()), (start.board(), same.key()));
    same.try_play(up).unwrap();
    assert_eq!(other.board(), same.board());
    assert_ne!(other.key(), same.key());
}

/// The boards that the generator reaches, each checked to be reached by its steps and its key.
fn reached(generator: &mut TurnGenerator, board: &Board, side: Side) -> HashSet<Twin> {
    let start = Position::new(*board, side);
    let mut boards = HashSet::new();
    let mut cost = 0;
    for reached in generator.distinct(board, side) {
        let mut after = start;
        after.try_play_turn(reached.turn).unwrap_or_else(|e| panic!("{start} {reached:?}: {e}"));
        assert_eq!(after.repetition_key(), reached.key, "{start} {reached:?}");
        assert!(boards.insert(Twin::of(after.board())), "{start} {reached:?}: twice");
        let steps = reached.turn.steps().map(|step| step.cost().0).sum();
        assert!(steps >= cost, "{start}: the shorter turns come first");
        cost = steps;
    }
    boards
}

#[test]
fn the_distinct_turns_are_the_twins() {
    let mut generator = TurnGenerator::new();
    let stride = if long() { 40 } else { 400 };
    let mut compared = 0;
    for position in positions(30, 4_000).iter().step_by(stride) {
        let expected = Twin::of(position.board()).turns(position.side());
        let found = reached(&mut generator, position.board(), position.side());
        assert_eq!(found, expected, "{position}");
        compared += found.len();
    }
    assert!(compared > 0);
    println!("{compared} turns");
}

#[test]
fn each_distinct_turn_is_one_of_the_fewest_steps() {
    let mut generator = TurnGenerator::new();
    for position in positions(4, 200).iter().step_by(60) {
        let layers = Twin::of(position.board()).layers(position.side(), 3);
        for reached in generator.distinct(position.board(), position.side()) {
            let mut after = *position;
            after.play_turn_unchecked(reached.turn);
            let least = layers.iter().position(|layer| layer.contains(&Twin::of(after.board())));
            let cost: usize = reached.turn.steps().map(|step| step.cost().0 as usize).sum();
            assert_eq!(cost, least.unwrap_or(4), "{position} {reached:?}");
        }
    }
}

#[test]
fn a_turn_has_the_squares_the_cost_and_the_mirror_of_its_steps() {
    let check = |turn: Turn| {
        let moves: Vec<(Square, Square)> = turn.steps().flat_map(Step::moves).collect();
        let squares = moves.iter().flat_map(|&(from, to)| [from, to]).collect();
        assert_eq!(turn.squares(), squares, "{turn:?}");
        assert_eq!(usize::from(turn.cost().0), moves.len(), "{turn:?}");
        assert!(turn.mirrored().steps().eq(turn.steps().map(Step::mirrored)), "{turn:?}");
    };
    check(Turn::EMPTY);
    steps_on_board().into_iter().for_each(|step| check(Turn::EMPTY.then(step)));
    let mut generator = TurnGenerator::new();
    for position in positions(10, 500).iter().step_by(60) {
        let turns = generator.distinct(position.board(), position.side());
        turns.iter().for_each(|reached| check(reached.turn));
    }
}

#[test]
fn a_replayed_turn_leaves_what_it_leaves_from_the_start() {
    let mut generator = TurnGenerator::new();
    let mut rng = rng(12);
    let mut replayed = 0;
    for position in positions(10, 500).iter().step_by(if long() { 5 } else { 60 }) {
        let mut turns = generator.distinct(position.board(), position.side()).to_vec();
        let mut replay = Replay::new(position.board());
        let mut check = |&Reached { turn, .. }: &Reached| {
            let mut board = *position.board();
            turn.steps().for_each(|step| board.play(step, &mut ()));
            assert_eq!(*replay.after(turn), board, "{position} {turn:?}");
            replayed += 1;
        };
        turns.iter().for_each(&mut check);
        for last in (1..turns.len()).rev() {
            turns.swap(last, rng.random_range(0..=last));
        }
        turns.iter().for_each(&mut check);
        assert_eq!(replay.after(Turn::EMPTY), position.board());
    }
    println!("{replayed} turns");
}

/// Compares the number of distinct turns in each position of a table.
fn compare_counts(table: &Rows) {
    let mut generator = TurnGenerator::new();
    for (position, row) in table.positions() {
        let count = generator.distinct(position.board(), position.side()).len();
        assert_eq!(count.to_string(), table.cell(row, "unique_turns"), "{position}");
    }
}

/// Replays each turn of a table's positions, of one row in `stride`, step by step.
fn replay_turns(table: &Rows, stride: usize) {
    let mut generator = TurnGenerator::new();
    for (position, row) in table.positions().step_by(stride) {
        let found = reached(&mut generator, position.board(), position.side());
        assert_eq!(found.len().to_string(), table.cell(row, "unique_turns"), "{position}");
    }
}

#[test]
fn the_counts_of_distinct_turns_are_those_of_the_table() {
    compare_counts(&Rows::own("arimaa/turns.tsv"));
}

#[test]
fn every_turn_of_the_tables_positions_is_reached_by_its_steps() {
    replay_turns(&Rows::own("arimaa/turns.tsv"), if long() { 1 } else { 5 });
}

/// A position with the number of distinct turns and the least steps to a goal of the mover and of the opponent.
fn row_by_twin(position: &Position) -> String {
    let (twin, side) = (Twin::of(position.board()), position.side());
    let goal = |side: Side| {
        let reached = |layer: &HashSet<Twin>| {
            layer.iter().any(|board| {
                Square::all().any(|square| {
                    arimaa::side::goal(side).has(square)
                        && board.at(square) == Some(Piece { side, kind: Kind::Rabbit })
                })
            })
        };
        let steps = twin.layers(side, 4).iter().position(reached);
        steps.map_or("-".to_string(), |steps| steps.to_string())
    };
    format!("{position}\t{}\t{}\t{}", twin.turns(side).len(), goal(side), goal(!side))
}

#[test]
fn the_table_is_what_the_slow_twin_counts() {
    let table = Rows::own("arimaa/turns.tsv");
    for (position, row) in table.positions().step_by(if long() { 1 } else { 10 }) {
        assert_eq!(row_by_twin(&position), row.join("\t"));
    }
}

/// Makes the table again: `cargo test -p arimaa --test twin -- --ignored write_the_table`.
#[test]
#[ignore = "writes positions/arimaa/turns.tsv"]
fn write_the_table() {
    // Most goals are near at the end of a game: two positions there, and one in 23 before.
    let (mut positions, mut before_the_end) = (Vec::new(), Vec::new());
    for record in Rows::own("arimaa/games.txt").archived_records() {
        let game = Game::parse(&record, Army::Full).expect("a record");
        before_the_end.extend(game.played_turns().map(|(position, _)| *position));
        positions.extend(before_the_end.split_off(before_the_end.len() - 2));
    }
    positions.extend(before_the_end.iter().step_by(23));
    let mut table = "position\tunique_turns\tsteps_to_goal\topponent_steps_to_goal\n".to_string();
    for position in &positions {
        table += &(row_by_twin(position) + "\n");
    }
    std::fs::write(own_file("arimaa/turns.tsv"), table).expect("a file");
}

mod shared_data {
    use super::*;

    #[test]
    #[ignore = "needs TUSK_DATA"]
    fn the_counts_of_distinct_turns_are_those_of_the_table() {
        compare_counts(&Rows::shared("arimaa/turns.tsv"));
    }

    #[test]
    #[ignore = "needs TUSK_DATA"]
    fn every_turn_of_the_tables_positions_is_reached_by_its_steps() {
        replay_turns(&Rows::shared("arimaa/turns.tsv"), if long() { 1 } else { 20 });
    }
}

#[test]
fn steps_stop_when_the_visitor_asks() {
    let position: Position =
        "g [rrrrrrrrhdcemcdh                                HDCMECDHRRRRRRRR]".parse().unwrap();
    let mut seen = 0;
    let flow = position.for_each_step(|_| {
        seen += 1;
        if seen == 3 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    assert!(flow.is_break());
    assert_eq!(seen, 3);
}

#[test]
fn random_turns_are_legal() {
    let mut rng = rng(8);
    for position in positions(2, 500) {
        let mut after = position;
        if let Some(turn) = after.play_random_turn(&mut rng) {
            let mut checked = position;
            checked.try_play_turn(turn).unwrap();
            assert_eq!(checked, after);
        } else {
            assert!(!position.can_move());
        }
    }
}

#[test]
fn a_turn_of_more_than_four_steps_is_refused() {
    let start: Position =
        "g [rrrrrrrrhdcemcdh                                HDCMECDHRRRRRRRR]".parse().unwrap();
    let mut position = start;
    for square in [Square::E2, Square::E3, Square::E4] {
        position.try_play(Step::single(square, Direction::North)).unwrap();
    }
    let push = Step::push(Square::E5, Direction::North, Direction::West);
    assert_eq!(position.try_play(push), Err(StepError::Empty { square: Square::E6 }));
    position.try_play(Step::single(Square::E5, Direction::North)).unwrap();
    assert_ne!(position.side(), start.side());
}

#[test]
fn a_turn_of_another_position_is_played_where_it_is_legal() {
    let positions = positions(10, 2_000);
    let mut generator = TurnGenerator::new();
    let (mut played, mut refused) = (0, 0);
    let mut rng = rng(7);
    for pair in positions.windows(3) {
        let [from, _, position] = pair else { unreachable!() };
        let turns = generator.distinct(from.board(), from.side());
        for _ in 0..turns.len().min(100) {
            let turn = turns[rng.random_range(0..turns.len())].turn;
            let mut expected = *position;
            let legal = expected.try_play_turn(turn).is_ok();
            let found = position.board().try_play_turn(position.side(), turn);
            assert_eq!(found, legal.then_some(*expected.board()), "{position}: {turn:?}");
            *if legal { &mut played } else { &mut refused } += 1;
        }
    }
    println!("{played} played, {refused} refused");
    assert!(played > 0 && refused > 0);
}
