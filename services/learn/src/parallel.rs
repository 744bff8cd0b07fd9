//! Work on several threads.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use guard::share_work;

/// Does some work on several threads, each with a tool of its own, and returns what came of it in its order.
///
/// Who takes the next piece is left to chance: what comes of it must not depend on the tool's past.
pub fn in_parallel<Tool, Out: Send>(
    count: usize,
    threads: usize,
    tool: impl Fn() -> Tool + Sync,
    work: impl Fn(&mut Tool, usize) -> Out + Sync,
) -> Vec<Out> {
    let (next, done) = (AtomicUsize::new(0), Mutex::new(Vec::with_capacity(count)));
    share_work("work", threads.min(count), || {
        let mut tool = tool();
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= count {
                break;
            }
            let out = work(&mut tool, number);
            done.lock().expect("no thread has panicked").push((number, out));
        }
    });
    let mut done = done.into_inner().expect("no thread has panicked");
    done.sort_by_key(|&(number, _)| number);
    done.into_iter().map(|(_, out)| out).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_comes_of_the_work_is_in_its_order() {
        for (count, threads) in [(0, 4), (1, 4), (100, 1), (100, 3)] {
            let squares = in_parallel(count, threads, || (), |(), number| number * number);
            assert_eq!(squares, (0..count).map(|number| number * number).collect::<Vec<_>>());
        }
    }

    #[test]
    fn each_thread_has_one_tool() {
        let tools = AtomicUsize::new(0);
        let tool = || tools.fetch_add(1, Ordering::Relaxed);
        in_parallel(20, 4, tool, |_, number| number);
        assert!(tools.into_inner() <= 4);
    }
}
