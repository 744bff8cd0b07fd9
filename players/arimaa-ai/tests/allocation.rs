//! What a turn can win is found without a single allocation.

use arimaa::{Position, Side};
use arimaa_ai::{captures, elimination, goal, win};
use game::Steps;
use test_support::CountingAllocator;

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator::new();

/// Looks for everything, for both sides and every number of steps; returns how many goals,
/// eliminations, wins and captures there are.
fn look(position: &Position) -> [usize; 4] {
    let mut found = [0; 4];
    for side in Side::ALL {
        for steps in (1..=4).map(Steps) {
            let board = position.board();
            found[0] += goal(board, side, steps).iter().count();
            found[1] += elimination(board, side, steps).iter().count();
            found[2] += win(board, side, steps).iter().count();
            found[3] += captures(board, side, steps).len();
        }
    }
    found
}

// One test in the file: another one beside it would allocate in its own thread.
#[test]
fn looking_for_wins_and_captures_allocates_nothing() {
    let positions = [
        // A crowded one, a goal of two steps, and the last rabbit beside a trap.
        "s [d hc  d       rrmrr      Rrr   cC D  R  eR   RR R   R  H CHD  M ]",
        "g [   r rrr  rC d  rh eR m     R                           R  EH   ]",
        "g [ e               r  R    E                          R           ]",
    ];
    let positions = positions.map(|text| text.parse::<Position>().unwrap());
    // The counter counts at all.
    let before = ALLOCATOR.count();
    drop(std::hint::black_box(vec![1u8; 100]));
    assert_eq!(ALLOCATOR.count(), before + 1);

    let before = ALLOCATOR.count();
    let found = positions.each_ref().map(look);
    let allocations = ALLOCATOR.count() - before;
    for routine in 0..4 {
        assert!(found.iter().any(|found| found[routine] > 0), "nothing is found: {found:?}");
    }
    assert_eq!(allocations, 0);
}
