//! Playouts are played without a single allocation.

use arimaa::Position;
use kozelek_2009::AkimotPlayouts;
use search::{PlayoutRequest, Playouts, StepHistory};
use test_support::CountingAllocator;

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator::new();

/// How many steps some playouts have.
fn play(playouts: &AkimotPlayouts, position: &Position, history: &StepHistory) -> usize {
    let (mut random, mut scratch) = (fastrand::Rng::with_seed(0), Default::default());
    let mut steps = 0;
    for _ in 0..100 {
        let request = PlayoutRequest { position, previous: None, history };
        playouts.playout(request, &mut random, &mut scratch, |_, _| steps += 1);
    }
    steps
}

// One test in the file: another one beside it would allocate in its own thread.
#[test]
fn playouts_allocate_nothing() {
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

    let (playouts, history) = (AkimotPlayouts::default(), StepHistory::default());
    let before = ALLOCATOR.count();
    let steps = positions.each_ref().map(|position| play(&playouts, position, &history));
    let allocations = ALLOCATOR.count() - before;
    assert!(steps.iter().all(|&steps| steps > 100), "{steps:?}");
    assert_eq!(allocations, 0);
}
