//! The rules, one by one.

mod common;

use common::{FIXED, positions, rng};
use game::Position as _;
use tzaar::{
    BLACK, Board, Field, Game, Kind, Outcome, Phase, Position, PositionError, Reason, Side, Stack,
    Step, Turn, TurnFault, WHITE, distinct_turns,
};

/// A position with stacks such as `Z3@E4`, White's in upper case.
fn position(side: Side, stacks: &str) -> Position {
    let stacks = stacks.split_whitespace().map(|word| {
        let (stack, field) = word.split_once('@').expect("a stack and its field");
        let letter = stack.chars().next().expect("a letter");
        let side = if letter.is_ascii_uppercase() { WHITE } else { BLACK };
        let kind = Kind::from_letter(letter).expect("a type");
        let height = if stack.len() > 1 { stack[1..].parse().expect("a height") } else { 1 };
        (field.parse::<Field>().expect("a field"), Stack { side, kind, height })
    });
    Position::new(Board::new(stacks).expect("a board"), side).expect("a position")
}

fn moves(position: &Position) -> Vec<String> {
    let mut moves: Vec<String> = position.steps().iter().map(Step::to_string).collect();
    moves.sort_unstable();
    moves
}

fn after(position: &Position, turn: &str) -> Position {
    let turn: Turn = turn.parse().expect("a turn");
    position.play_turn(turn).unwrap_or_else(|error| panic!("{turn}: {error}"))
}

fn refusal(position: &Position, turn: &str) -> TurnFault {
    let turn: Turn = turn.parse().expect("a turn");
    position.play_turn(turn).expect_err("an illegal turn").fault
}

fn field(name: &str) -> Field {
    name.parse().expect("a field")
}

/// White can capture on B1, Black on A1; each shows all types, and nothing else is on a line with anything else.
const QUIET: &str = "T@A1 A@F1 Z@H3 t@B1 a@C4 z@E8";

#[test]
fn a_stack_captures_the_nearest_enemy_on_a_line_that_is_not_higher() {
    let start = position(WHITE, "T2@A3 t2@C3 t@E3 A@A1 Z@I5 t3@A5 a@G6 z@F1");
    // C3 is as high, A5 is higher, E3 is behind C3, and the own stack on A1 is no enemy.
    let own: Vec<String> =
        moves(&start).into_iter().filter(|text| text.starts_with("A3")).collect();
    assert_eq!(own, ["A3xC3"]);
    assert_eq!(
        refusal(&start, "A3xA5 -"),
        TurnFault::TooHigh { field: field("A5"), height: 2, enemy: 3 }
    );
    assert_eq!(refusal(&start, "A3xE3 -"), TurnFault::Blocked { field: field("C3") });
    assert_eq!(
        refusal(&start, "A3xA1 -"),
        TurnFault::OwnTarget { field: field("A1"), side: WHITE }
    );
    assert_eq!(refusal(&start, "A3xB3 -"), TurnFault::EmptyTarget { field: field("B3") });
    assert_eq!(
        refusal(&start, "C3xA3 -"),
        TurnFault::OtherSide { field: field("C3"), side: WHITE }
    );
    assert_eq!(refusal(&start, "D3xE3 -"), TurnFault::NoStack { field: field("D3") });
    assert_eq!(
        refusal(&start, "A3xG6 -"),
        TurnFault::NoLine { from: field("A3"), to: field("G6") }
    );
    let end = after(&start, "A3xC3 -");
    let stack = Stack { side: WHITE, kind: Kind::Tott, height: 2 };
    assert_eq!(end.board().stack_at(field("C3")), Some(stack));
    assert_eq!(end.board().stack_at(field("A3")), None);
    assert_eq!(end.board().stacks(), start.board().stacks() - 1);
}

#[test]
fn no_move_crosses_the_centre() {
    let start = position(WHITE, "T@D5 t@F4 A@A1 Z@I5 t@B1 a@G7 z@F1");
    let crossing = TurnFault::Centre { from: field("D5"), to: field("F4") };
    assert_eq!(refusal(&start, "D5xF4 -"), crossing);
    assert!(!moves(&start).contains(&"D5xF4".to_string()));
    let start = position(WHITE, "T@E4 t@E5 A@A1 Z@I5 t@B1 a@G7 z@F1");
    let crossing = TurnFault::Centre { from: field("E4"), to: field("E5") };
    assert_eq!(refusal(&start, "E4xE5 -"), crossing);
}

#[test]
fn a_stacking_adds_the_heights_and_shows_the_type_that_jumped() {
    let start = position(WHITE, "Z@A3 T8@C3 T@A1 A@F1 t@B1 t@H4 a@H6 z@E8");
    let end = after(&start, "A1xB1 A3+C3");
    let stack = Stack { side: WHITE, kind: Kind::Tzaar, height: 9 };
    assert_eq!(end.board().stack_at(field("C3")), Some(stack));
    assert_eq!(
        refusal(&start, "A1xB1 A3+B1"),
        TurnFault::NoLine { from: field("A3"), to: field("B1") }
    );
}

#[test]
fn the_first_move_is_a_capture_and_the_second_anything() {
    let start = position(WHITE, "Z@A3 T@C3 T@A1 A@F1 t@B1 t@D1 a@H6 z@E8");
    assert!(moves(&start).iter().all(|text| text.contains('x')), "{:?}", moves(&start));
    assert_eq!(refusal(&start, "- A1xB1"), TurnFault::CaptureFirst);
    assert_eq!(refusal(&start, "A3+C3 -"), TurnFault::CaptureFirst);
    assert_eq!(refusal(&start, "A1xB1"), TurnFault::Incomplete);
    assert_eq!(refusal(&start, "Z@E4"), TurnFault::NothingToPlace);
    for turn in ["A1xB1 -", "A1xB1 A3+C3", "A1xB1 B1xD1"] {
        let end = after(&start, turn);
        assert_eq!((end.side(), end.phase()), (BLACK, Phase::First), "{turn}");
    }
    let too_many = Turn::parse("A1xB1 A3+C3 -", &start).expect_err("three moves");
    assert_eq!((too_many.column, too_many.fault), (13, TurnFault::TooMany));
}

#[test]
fn whites_first_turn_is_a_single_capture() {
    for start in [Position::fixed_start(), Position::random_start(&mut rng(1))] {
        assert_eq!((start.side(), start.phase()), (WHITE, Phase::Opening));
        let first = start.steps()[0];
        assert!(start.steps().iter().all(|step| matches!(step, Step::Capture { .. })));
        let end = start.play_turn(Turn::new(first, None)).expect("a whole turn");
        assert_eq!((end.side(), end.phase(), end.board().stacks()), (BLACK, Phase::First, 59));
        for second in [Step::Pass, end.steps()[0]] {
            let error = start.play_turn(Turn::new(first, Some(second))).expect_err("too much");
            assert_eq!(error.fault, TurnFault::Opening);
        }
        // Black has two moves.
        let capture = end.steps()[0];
        let error = end.play_turn(Turn::new(capture, None)).expect_err("not enough");
        assert_eq!(error.fault, TurnFault::Incomplete);
    }
}

#[test]
fn sixty_stacks_in_a_file_are_whites_first_turn() {
    let heights = Position::fixed_start().to_string();
    let heights: Vec<&str> = heights.split(' ').skip(82).collect();
    let text = |player: i32| format!("{player} {FIXED} {}", heights.join(" "));
    let start: Position = text(1).parse().expect("a start");
    assert_eq!(start, Position::fixed_start());
    let error = text(-1).parse::<Position>().expect_err("Black does not begin");
    assert!(error.to_string().contains("White's first turn"), "{error}");
    let board = *start.board();
    assert_eq!(Position::new(board, BLACK), Err(PositionError::BlackBegins));
}

#[test]
fn who_loses_the_last_of_a_type_has_lost_at_once() {
    // The Tzaar on B1 is Black's last; there is something else to capture, too.
    let start = position(WHITE, "T@A1 A@F1 Z@H3 z@B1 t@D8 a@C7 t@A3");
    let won = Outcome { winner: WHITE, reason: Reason::Missing(Kind::Tzaar) };
    let end = after(&start, "A1xB1");
    assert_eq!((end.outcome(), end.winner()), (Some(won), Some(WHITE)));
    assert!(end.turn_starts() && end.steps().is_empty() && distinct_turns(&end).is_empty());
    assert_eq!(refusal(&start, "A1xB1 -"), TurnFault::AfterWin);
    assert_eq!(refusal(&end, "D8xC7 -"), TurnFault::Over(won));
    // The same with the second move.
    let start = position(WHITE, "T@A1 A@F1 Z@H3 z@A5 t@D8 a@C7 t@A3");
    assert_eq!(after(&start, "A1xA3 A3xA5").outcome(), Some(won));
}

#[test]
fn pieces_inside_a_stack_do_not_count() {
    // Black covers its last Tzaar: legal, and the end of it.
    let start = position(BLACK, "T@B1 A@F1 Z@H3 t@A1 a@C7 z@A5 t@A3 T@I5 t@I3");
    let suicide = after(&start, "A1xB1 A3+A5");
    let lost = Outcome { winner: WHITE, reason: Reason::Missing(Kind::Tzaar) };
    assert_eq!(suicide.outcome(), Some(lost));
    assert_eq!((suicide.side(), suicide.turn_starts()), (WHITE, true));
    // The other way round it shows.
    assert_eq!(after(&start, "A1xB1 A5+A3").outcome(), None);
    let turns = distinct_turns(&start);
    assert!(turns.iter().any(|(turn, _)| turn.to_string() == "A1xB1 A3+A5"));
}

#[test]
fn who_cannot_capture_at_the_start_of_a_turn_has_lost() {
    let start = position(WHITE, QUIET);
    assert_eq!(moves(&start), ["A1xB1"]);
    // Captures the only enemy that can be reached: then Black has nothing to capture, but shows no Tott either.
    let end = after(&position(WHITE, &format!("{QUIET} t@G7")), "A1xB1 -");
    let stuck = Outcome { winner: WHITE, reason: Reason::NoCapture };
    assert_eq!(end.outcome(), Some(stuck));
    assert!(end.steps().is_empty());
    // Inside a turn it does not matter: the last capture is followed by a pass or a stacking.
    let mut inside = position(WHITE, &format!("{QUIET} t@G7"));
    inside.play(inside.steps()[0]);
    assert_eq!((inside.phase(), inside.winner()), (Phase::Second, None));
    assert_eq!(moves(&inside), ["-"]);
    // A position may be given in which somebody has just lost.
    let stuck = position(BLACK, "T@A1 A@F1 Z@H3 t@G7 a@C4 z@E8");
    assert_eq!(stuck.winner(), Some(WHITE));
}

#[test]
fn a_board_on_which_both_have_lost_is_refused() {
    let stack = Stack { side: WHITE, kind: Kind::Tott, height: 1 };
    let board = Board::new([(field("A1"), stack)]).expect("a board");
    assert_eq!(Position::new(board, WHITE), Err(PositionError::BothLost));
}

#[test]
fn tournament_games_begin_with_an_empty_board_that_is_filled_in_turn() {
    let mut position = Position::tournament_start();
    assert_eq!(position.steps().len(), 180);
    let mut rng = rng(5);
    for placed in 0..60 {
        assert_eq!((position.phase(), position.board().stacks()), (Phase::Placing, placed));
        assert_eq!(position.side(), Side::ALL[placed % 2]);
        assert_eq!(position.winner(), None);
        let left: usize =
            Kind::ALL.iter().map(|&kind| position.in_hand(position.side(), kind)).sum();
        assert_eq!(left, 30 - placed / 2);
        let step = common::Taste::Any.choose(&position.steps(), &mut rng);
        position = position.play_turn(Turn::new(step, None)).expect("a whole turn");
    }
    assert_eq!((position.phase(), position.side()), (Phase::Opening, WHITE));
    let counts = Kind::ALL.map(|kind| position.board().count(BLACK, kind));
    assert_eq!(counts, [15, 9, 6]);
}

#[test]
fn what_cannot_be_placed_is_refused() {
    let start = Position::tournament_start();
    assert_eq!(refusal(&start, "E4xF3"), TurnFault::PlaceFirst);
    assert_eq!(refusal(&start, "Z@E4 Z@E3"), TurnFault::OnePiece);
    let mut position = after(&start, "Z@E4");
    assert_eq!(refusal(&position, "T@E4"), TurnFault::Occupied { field: field("E4") });
    let names: Vec<String> = Field::all().map(|field| field.to_string()).collect();
    for name in names.iter().filter(|&name| name != "E4").take(11) {
        position = after(&position, &format!("Z@{name}"));
    }
    assert_eq!(refusal(&position, "Z@I5"), TurnFault::NoneLeft { side: WHITE, kind: Kind::Tzaar });
    assert!(position.steps().iter().all(|step| !step.to_string().starts_with('Z')));
    let wrong = Position::placing(*position.board(), BLACK);
    assert_eq!(wrong, Err(PositionError::WrongPlacer { white: 6, black: 6, side: BLACK }));
}

#[test]
fn a_move_is_legal_if_and_only_if_it_is_listed() {
    let mut all = vec![Step::Pass];
    for from in Field::all() {
        for to in Field::all() {
            all.extend([Step::Capture { from, to }, Step::Stacking { from, to }]);
        }
        all.extend(Kind::ALL.map(|kind| Step::Place { kind, field: from }));
    }
    for start in positions(40, 6) {
        let mut inside = start;
        inside.play(start.steps()[0]);
        for position in [start, inside] {
            let listed = position.steps();
            for &step in &all {
                let played = position.try_step(step);
                assert_eq!(played.is_ok(), listed.contains(&step), "{step} in {position}");
                if let Ok(end) = played {
                    let mut expected = position;
                    expected.play(step);
                    assert_eq!(end, expected);
                }
            }
        }
    }
}

#[test]
fn a_game_knows_its_past_and_its_end() {
    let mut game = Game::new(position(BLACK, "T@A1 A@F1 Z@H3 z@B1 t@D8 a@C7 t@A3 T@D1"));
    assert_eq!(game.label(), "1b");
    game.play_text("B1xD1 -").expect("a turn");
    assert_eq!(game.label(), "2w");
    let before = game.clone();
    assert!(game.play_text("A1xD1 -").is_err());
    assert!(game.play_text("A1xC3").is_err());
    assert_eq!(game, before);
    game.resign(WHITE).expect("not over yet");
    let resigned = Outcome { winner: BLACK, reason: Reason::Resignation };
    assert_eq!(game.outcome(), Some(resigned));
    assert!(game.play_text("A1xA3 -").is_err() && game.resign(BLACK).is_err());
    assert!(game.take_back() && game.outcome().is_none());
    assert!(game.take_back() && game.position() == game.start() && !game.take_back());
    let mut game = Game::new(Position::fixed_start());
    let mut rng = rng(8);
    while let Some(turn) = game.random_turn(&mut rng) {
        game.play(turn).expect("a legal turn");
    }
    assert!(game.outcome().is_some());
}
