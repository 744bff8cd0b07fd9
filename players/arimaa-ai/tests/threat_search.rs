//! A win by force is one against every turn of the enemy, and repeats no position.

use search::ForcedWinLimits;
use std::sync::atomic::{AtomicU64, Ordering};

use arimaa::{Board, Position, Reached, Side, Turn, TurnGenerator, WHOLE_TURN};
use arimaa_ai::{Breadth, ForcedWin, ThreatGenerator, ThreatSearch, ThreatTable, win};
use game::{Key, Turns};
use test_support::{Rows, for_each_number, long, random_board, rng, trap_fight};

/// Looks for a win as long as some boards take.
fn attack(
    generator: &mut ThreatGenerator,
    position: &Position,
    most: u16,
    is_allowed: &(dyn Fn(Key) -> bool + Sync),
) -> Option<ForcedWin> {
    let limits = ForcedWinLimits { is_allowed, must_stop: &|| false, nodes: 200_000 };
    let table = ThreatTable::new(1);
    ThreatSearch::new(position.side(), generator, &table, limits, Breadth::THREATS)
        .search(position.board(), Turns(most))
}

/// The position after a legal turn.
fn played(position: &Position, turn: Turn) -> Position {
    let mut after = *position;
    after.try_play_turn(turn).unwrap_or_else(|error| panic!("{position}: {turn:?}: {error}"));
    after
}

fn has_won(position: &Position, side: Side) -> bool {
    let board = position.board();
    board.has_goal(side) || board.rabbits(!side).is_empty()
}

/// Plays a win out against every turn of the enemy; the attack is asked anew for each answer. Returns
/// how many turns of the enemy were tried.
fn play_out(generator: &mut ThreatGenerator, position: &Position, win: ForcedWin) -> u64 {
    let after = played(position, win.turn);
    if win.turns == Turns(1) {
        assert!(has_won(&after, position.side()), "{position}: {:?} does not win", win.turn);
        return 0;
    }
    let turns: Vec<Reached> = TurnGenerator::new().distinct(after.board(), after.side()).to_vec();
    let mut tried = turns.len() as u64;
    for reached in turns {
        let defended = played(&after, reached.turn);
        assert!(!has_won(&defended, after.side()), "{position}: the enemy wins");
        if has_won(&defended, position.side()) {
            continue;
        }
        let most = win.turns.0 - 1;
        let answer = attack(generator, &defended, most, &|_| true);
        let answer = answer
            .unwrap_or_else(|| panic!("{position}: {:?} holds against {win:?}", reached.turn));
        // Most turns of the enemy do nothing about the threat.
        if answer.turns > Turns(1) {
            tried += play_out(generator, &defended, answer);
        }
    }
    tried
}

/// Whether a turn that threatens to win leaves the enemy no turn after which it does not.
fn has_win_in_two(position: &Position) -> bool {
    let side = position.side();
    let wins = |board: &Board, side| win(board, side, WHOLE_TURN).is_some();
    let turns = |position: &Position| {
        TurnGenerator::new().distinct(position.board(), position.side()).to_vec()
    };
    turns(position).iter().any(|reached| {
        let after = played(position, reached.turn);
        let is_over = Side::ALL.iter().any(|&side| has_won(&after, side));
        !is_over
            && wins(after.board(), side)
            && !wins(after.board(), !side)
            && turns(&after).iter().all(|reached| wins(played(&after, reached.turn).board(), side))
    })
}

#[test]
fn a_win_by_force_is_one_against_every_turn() {
    let (won, tried) = (AtomicU64::new(0), AtomicU64::new(0));
    let count = if long() { 20_000 } else { 160 };
    let work = |generator: &mut ThreatGenerator, number: u64| {
        let mut rng = rng(number);
        let board =
            if number.is_multiple_of(2) { trap_fight(&mut rng) } else { random_board(&mut rng) };
        let position = Position::new(board, Side::ALL[(number / 2 % 2) as usize]);
        if let Some(win) = attack(generator, &position, 3, &|_| true)
            && !win.turn.is_empty()
        {
            won.fetch_add(u64::from(win.turns.0 > 1), Ordering::Relaxed);
            tried.fetch_add(play_out(generator, &position, win), Ordering::Relaxed);
            let forbidden = played(&position, win.turn).repetition_key();
            let other = attack(generator, &position, 2, &|key| key != forbidden);
            let repeats = |other: ForcedWin| {
                other.turns > Turns(1)
                    && played(&position, other.turn).repetition_key() == forbidden
            };
            assert!(!other.is_some_and(repeats), "{position}: a third repetition");
        }
    };
    for_each_number(count, work, || println!("so far: {won:?} wins, {tried:?} turns"));
    println!("{won:?} wins by force, {tried:?} turns of the enemy tried");
    assert!(won.into_inner() > 0);
}

#[test]
fn every_win_in_two_by_a_threat_is_found() {
    let (won, others) = (AtomicU64::new(0), AtomicU64::new(0));
    let count = if long() { 20_000 } else { 1_000 };
    let work = |generator: &mut ThreatGenerator, number: u64| {
        let board = trap_fight(&mut rng(1_000_000 + number));
        let position = Position::new(board, Side::ALL[(number % 2) as usize]);
        if Side::ALL.iter().any(|&side| has_won(&position, side))
            || win(&board, position.side(), WHOLE_TURN).is_some()
        {
            return;
        }
        let found = attack(generator, &position, 2, &|_| true);
        assert_eq!(found.is_some(), has_win_in_two(&position), "{position}");
        if found.is_some() { &won } else { &others }.fetch_add(1, Ordering::Relaxed);
    };
    for_each_number(count, work, || println!("so far: {won:?} won, {others:?} not"));
    println!("{won:?} won, {others:?} not");
    assert!(won.into_inner() > 0 && others.into_inner() > 0);
}

/// Plays out the wins that a search finds in a table, one row in `stride`; returns how many it finds.
fn play_out_wins(table: &Rows, stride: usize) -> usize {
    let mut generator = ThreatGenerator::new();
    let mut found = 0;
    for (position, _) in table.positions().step_by(stride) {
        if let Some(win) = attack(&mut generator, &position, 3, &|_| true) {
            play_out(&mut generator, &position, win);
            found += 1;
        }
    }
    found
}

#[test]
fn the_wins_of_the_puzzles_hold() {
    for name in ["puzzles/win-in-2.tsv", "puzzles/win-in-3.tsv"] {
        let stride = if long() { 1 } else { 5 };
        assert!(play_out_wins(&Rows::own(name), stride) > 0, "{name}");
    }
}

mod shared_data {
    use super::*;

    #[test]
    #[ignore = "needs TUSK_DATA"]
    fn the_wins_of_the_tables_hold() {
        let stride = if long() { 1 } else { 40 };
        for name in ["win2_puzzles", "win2_engine", "win3_engine"] {
            let table = Rows::shared(&format!("arimaa/{name}.tsv"));
            assert!(play_out_wins(&table, stride) > 0, "{name}");
        }
    }
}
