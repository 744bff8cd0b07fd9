//! Steps are listed and played without a single allocation.

use std::ops::ControlFlow;

use arimaa::{Position, Step};
use test_support::CountingAllocator;

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator::new();

/// Visits all steps to a depth; returns how many there are.
fn visit(position: &Position, depth: usize) -> usize {
    if depth == 0 {
        return 1;
    }
    let mut count = 0;
    let _ = position.for_each_step(|step: Step| {
        let mut after = *position;
        after.play_unchecked(step);
        count += visit(&after, depth - 1);
        ControlFlow::Continue(())
    });
    count
}

// One test in the file: another one beside it would allocate in its own thread.
#[test]
fn listing_and_playing_steps_allocates_nothing() {
    let position: Position =
        "s [d hc  d       rrmrr      Rrr   cC D  R  eR   RR R   R  H CHD  M ]".parse().unwrap();
    // The counter counts at all.
    let before = ALLOCATOR.count();
    drop(std::hint::black_box(vec![1u8; 100]));
    assert_eq!(ALLOCATOR.count(), before + 1);

    let before = ALLOCATOR.count();
    let count = visit(&position, 3);
    let allocations = ALLOCATOR.count() - before;
    assert!(count > 10_000, "{count} paths");
    assert_eq!(allocations, 0);
}
