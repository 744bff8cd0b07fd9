//! What alpha-beta makes of Arimaa: exact lengths of losses, the same work twice, and the relations of steps
//! that it is told of, each beside a slow twin.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use arimaa::{Board, GOLD, Position, Replay, SILVER, Side, Step, TurnGenerator, WHOLE_TURN};
use arimaa_ai::engines::ENGINES;
use arimaa_ai::{
    Breadth, Heuristics, TacticsScratch, ThreatGenerator, ThreatSearch, ThreatTable, combo,
    reversal, win,
};
use game::{History, Proof, Steps, Turns};
use rand::RngExt;
use search::{
    AlphaBeta, ForcedWinLimits, ForcedWinLook, Info, Limits, Parameters, Stop, Tactics, Task,
    Verdict,
};
use test_support::{long, random_board, rng, trap_fight};

fn search(position: &Position, depth: u8) -> Info<Step> {
    let (past, stop, heuristics) = (History::new(), Stop::new(), Heuristics::default());
    let limits = Limits { nodes: Some(100_000), ..Limits::depth(Steps(depth)) };
    let task = Task { position, past: &past, heuristics: &heuristics, limits, stop: &stop };
    AlphaBeta::new(Parameters::default(), 4).search(&task, |_| ()).expect("a report")
}

/// How many nodes the engine `tusk` needs for the positions of `tusk bench` with such learned pruning.
fn nodes_with_learned_pruning(learned_pruning: i32) -> u64 {
    let usual = ENGINES[0].configure();
    let usual = Parameters::from_values(|name| usual.number(name));
    let parameters = Parameters { learned_pruning, ..usual };
    let positions = include_str!("../../../positions/bench.txt").lines();
    let (past, stop, heuristics) = (History::new(), Stop::new(), Heuristics::default());
    let nodes = positions.filter(|line| !line.starts_with('#')).map(|line| {
        let position: Position = line.parse().expect("a position");
        let limits = Limits::depth(Steps(7));
        let task =
            Task { position: &position, past: &past, heuristics: &heuristics, limits, stop: &stop };
        let info = AlphaBeta::new(parameters, 4).search(&task, |_| ());
        info.expect("a report").nodes
    });
    nodes.sum()
}

#[test]
fn learned_pruning_saves_15_percent_of_the_nodes() {
    let [without, with] = [0, 50].map(nodes_with_learned_pruning);
    assert!(with * 100 <= without * 85, "{with} nodes instead of {without}");
}

/// Whether `side` has a turn that leaves the other one without a step.
fn can_immobilise(board: &Board, side: Side) -> bool {
    let mut generator = TurnGenerator::new();
    let mut replay = Replay::new(board);
    generator
        .distinct(board, side)
        .iter()
        .any(|reached| !replay.after(reached.turn).can_move(!side))
}

/// How soon the side to move loses, if within two turns of the other: by trying every turn. A loss
/// in two turns for want of a legal turn is not seen.
fn soon_lost(board: &Board, side: Side, generator: &mut ThreatGenerator) -> Option<u16> {
    let defences = generator.defences(board, side).iter().map(|reached| {
        let mut after = Position::new(*board, side);
        after.play_turn_unchecked(reached.turn);
        *after.board()
    });
    let defences: Vec<Board> = defences.filter(|after| !can_immobilise(after, !side)).collect();
    if defences.is_empty() {
        return Some(1);
    }
    let limits = ForcedWinLimits { is_allowed: &|_| true, must_stop: &|| false, nodes: u64::MAX };
    let table = ThreatTable::new(1);
    let mut search = ThreatSearch::new(!side, generator, &table, limits, Breadth::THREATS);
    let loses = |after: &Board| search.search(after, Turns(2)).is_some();
    defences.iter().all(loses).then_some(2)
}

#[test]
fn the_length_of_a_loss_is_exact() {
    let mut generator = ThreatGenerator::new();
    let mut lengths = [0; 3];
    for seed in 0..if long() { 20_000 } else { 3000 } {
        let mut rng = rng(seed);
        let board = trap_fight(&mut rng);
        let side = if rng.random_range(0..2) == 0 { GOLD } else { SILVER };
        let position = Position::new(board, side);
        let can_win = win(&board, side, WHOLE_TURN).is_some();
        let is_threatened = win(&board, !side, WHOLE_TURN).is_some();
        if position.outcome().is_some() || can_win || !is_threatened {
            continue;
        }
        // A side with few pieces is often lost for want of a legal turn.
        if board.of(side).len() < 4 || generator.defences(&board, side).len() > 20 {
            continue;
        }
        let report = search(&position, 8);
        let Some(Verdict::Proof(Proof::Loss(Turns(length)))) = report.verdict() else { continue };
        // Within its nodes, the search may not have come to look at all shorter ways.
        if length > 1 && report.depth < Steps(8) {
            continue;
        }
        let expected = soon_lost(&board, side, &mut generator);
        let mut end = position;
        report.pv().iter().for_each(|&step| end.play_unchecked(step));
        match length {
            2 if !end.board().can_move(side) => assert_ne!(expected, Some(1), "{position}"),
            1 | 2 => assert_eq!(expected, Some(length), "{position}"),
            _ => assert_eq!(expected, None, "{position}"),
        }
        lengths[usize::from(length.min(3)) - 1] += 1;
    }
    println!("losses in 1, 2 and more turns: {lengths:?}");
    assert!(lengths[0] > 10 && lengths[1] > 2, "{lengths:?}");
}

#[test]
fn the_same_search_enters_the_same_nodes() {
    for seed in 0..5 {
        let position = Position::new(random_board(&mut rng(seed)), SILVER);
        if position.outcome().is_some() {
            continue;
        }
        let [first, second] = [(); 2].map(|()| search(&position, 6));
        assert_eq!((first.nodes, first.verdict()), (second.nodes, second.verdict()), "{position}");
        assert_eq!(first.pv(), second.pv(), "{position}");
    }
}

/// Whether a step could as well come first, by nothing but playing both.
fn is_apart(before: &Position, first: Step, second: Step) -> bool {
    let played = |steps: [Step; 2]| {
        let mut after = *before;
        steps.into_iter().try_for_each(|step| after.try_play(step)).ok().map(|()| *after.board())
    };
    played([second, first]).is_some_and(|board| Some(board) == played([first, second]))
}

#[test]
fn steps_follow_each_other_if_their_order_matters() {
    let [mut following, mut undoing] = [0; 2];
    for seed in 0..60 {
        let mut rng = rng(seed);
        let board = if seed % 2 == 0 { random_board(&mut rng) } else { trap_fight(&mut rng) };
        let before = Position::new(board, GOLD);
        for first in before.steps() {
            let mut inside = before;
            inside.play_unchecked(first);
            let steps = if inside.side() == before.side() { inside.steps() } else { Vec::new() };
            for second in steps.into_iter().filter(|&step| step != Step::PASS) {
                let follows = combo::follows(&before, first, second);
                assert_eq!(
                    follows,
                    !is_apart(&before, first, second),
                    "{before}: {first:?} {second:?}"
                );
                let mut after = inside;
                after.play_unchecked(second);
                // A push and a pull can come to nothing as well, but that is the whole turn.
                if second.cost() == Steps(1) {
                    let undoes = after.board() == before.board();
                    assert_eq!(combo::undoes(&before, first, second), undoes, "{before}");
                    undoing += usize::from(undoes);
                }
                following += usize::from(follows);
            }
        }
    }
    assert!(following > 1000 && undoing > 100, "{following}, {undoing}");
}

/// All boards that a side can leave behind with that many steps.
fn boards_after(board: &Board, side: Side, steps: u8, found: &mut BTreeSet<String>) {
    found.insert(board.to_string());
    let position = Position::new(*board, side);
    let _ = position.for_each_step(|step| {
        if step.cost().0 <= steps {
            let mut after = *board;
            after.play(step, &mut ());
            boards_after(&after, side, steps - step.cost().0, found);
        }
        ControlFlow::Continue(())
    });
}

#[test]
fn a_turn_is_reversible_if_some_reply_brings_the_board_back() {
    let mut generator = TurnGenerator::new();
    let mut reversible = 0;
    for seed in 0..if long() { 60 } else { 12 } {
        let board = trap_fight(&mut rng(seed));
        let turns = generator.distinct(&board, GOLD);
        for (index, reached) in turns.iter().enumerate() {
            let mut position = Position::new(board, GOLD);
            position.play_turn_unchecked(reached.turn);
            let used = reached.turn.cost();
            let found = reversal::is_reversible(&board, position.board(), GOLD, used);
            // Most are not; the twin is slow.
            if !found && index % 200 > 0 {
                continue;
            }
            let mut replies = BTreeSet::new();
            boards_after(position.board(), SILVER, used.0, &mut replies);
            let expected = replies.contains(&board.to_string());
            assert_eq!(found, expected, "{board}: {:?}", reached.turn);
            reversible += usize::from(found);
        }
    }
    assert!(reversible > 10, "{reversible}");
}

#[test]
fn capture_moves_are_legal_and_take_a_piece() {
    let (heuristics, mut scratch, mut rng) =
        (Heuristics::default(), TacticsScratch::default(), rng(17));
    let mut count = 0;
    for _ in 0..if long() { 10_000 } else { 300 } {
        let board = trap_fight(&mut rng);
        for side in [GOLD, SILVER] {
            let position = Position::new(board, side);
            let moves = heuristics.capture_moves(&position, &mut scratch);
            for steps in (0..moves.len()).filter_map(|index| moves.get(index)) {
                let mut after = position;
                steps.iter().for_each(|&step| after.try_play(step).expect("a legal step"));
                assert!(after.board().of(!side).len() < board.of(!side).len(), "{position}");
                count += 1;
            }
        }
    }
    assert!(count > 100, "{count} captures");
}

#[test]
fn forced_wins_of_puzzles_are_seen_within_the_nodes() {
    let puzzles = include_str!("../../../positions/puzzles/win-in-2.tsv");
    let (heuristics, mut scratch) = (Heuristics::default(), TacticsScratch::default());
    let mut find = |position: &Position, nodes| {
        let limits = ForcedWinLimits { is_allowed: &|_| true, must_stop: &|| false, nodes };
        match heuristics.forced_win(position, limits, &mut scratch) {
            ForcedWinLook::Win(win) => Some(win.turns),
            ForcedWinLook::NoWin | ForcedWinLook::CutOff => None,
        }
    };
    let rows =
        puzzles.lines().skip(1).filter_map(|row| row.split('\t').find(|cell| cell.contains('[')));
    let mut count = 0;
    for row in rows {
        let position: Position = row.parse().expect("a position");
        assert_eq!(find(&position, 1_000_000), Some(Turns(2)), "{row}");
        assert_eq!(find(&position, 0), None, "{row}");
        count += 1;
    }
    assert!(count > 0);
}
