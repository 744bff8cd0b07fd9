//! Threads that search or learn. The system may refuse a thread: then fewer do the work, and a warning says so.

use std::io::{self, Write as _};
use std::sync::{Mutex, OnceLock};
use std::thread::{self, Builder, Scope};

use thiserror::Error;

/// The stack of a thread that searches: room for deep recursion. Only the part that is touched takes memory.
pub const SEARCH_STACK: usize = 64 << 20;

/// The warning about the first thread that the system has refused.
static WARNING: OnceLock<String> = OnceLock::new();

/// A thread that cannot be done without was refused.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error(
    "the system refuses a thread that is needed: end other programs, or raise the limits of \
     `ulimit -u` and `ulimit -v`"
)]
pub struct NoThread;

/// A thread with the stack of a search.
pub fn search_thread(name: &str) -> Builder {
    Builder::new().name(name.to_string()).stack_size(SEARCH_STACK)
}

/// Starts up to `count` threads and returns how many run. `work` makes the work of a thread from its index. The first
/// thread that the system refuses is the last that is asked for; a warning goes to standard error, once in a process.
pub fn spawn_helpers<'scope, Work: FnOnce() + Send + 'scope>(
    scope: &'scope Scope<'scope, '_>,
    name: &str,
    count: usize,
    mut work: impl FnMut(usize) -> Work,
) -> usize {
    for index in 0..count {
        let thread = search_thread(&format!("{name} {index}"));
        if let Err(error) = thread.spawn_scoped(scope, work(index)) {
            warn(&error, name, index, count);
            return index;
        }
    }
    count
}

/// Does the same work on up to `threads` threads, of which the calling one is the first. The work must take its pieces
/// from something that the threads share.
pub fn share_work(name: &str, threads: usize, work: impl Fn() + Sync) {
    thread::scope(|scope| {
        spawn_helpers(scope, name, threads.saturating_sub(1), |_| &work);
        work();
    });
}

/// Does pieces of work on several threads, and returns what came of them in their order. Each thread has a tool of its own.
///
/// Which thread takes the next piece is left to chance: what comes of it must not depend on the tool's past.
pub fn in_order<Piece, Tool, Out: Send>(
    name: &str,
    threads: usize,
    pieces: impl IntoIterator<Item = Piece, IntoIter: ExactSizeIterator + Send>,
    tool: impl Fn() -> Tool + Sync,
    work: impl Fn(&mut Tool, Piece) -> Out + Sync,
) -> Vec<Out> {
    let pieces = pieces.into_iter();
    let (count, done) = (pieces.len(), Mutex::new(Vec::with_capacity(pieces.len())));
    let pieces = Mutex::new(pieces.enumerate());
    share_work(name, threads.min(count), || {
        let mut tool = tool();
        let next = || pieces.lock().expect("no thread has panicked").next();
        while let Some((number, piece)) = next() {
            let out = work(&mut tool, piece);
            done.lock().expect("no thread has panicked").push((number, out));
        }
    });
    let mut done = done.into_inner().expect("no thread has panicked");
    done.sort_by_key(|&(number, _)| number);
    done.into_iter().map(|(_, out)| out).collect()
}

/// The same for pieces that are numbers from 0 on.
pub fn in_parallel<Tool, Out: Send>(
    count: usize,
    threads: usize,
    tool: impl Fn() -> Tool + Sync,
    work: impl Fn(&mut Tool, usize) -> Out + Sync,
) -> Vec<Out> {
    in_order("work", threads, 0..count, tool, work)
}

/// The warning about threads that the system has refused, if it has refused one.
pub fn thread_warning() -> Option<&'static str> {
    WARNING.get().map(String::as_str)
}

fn warn(error: &io::Error, name: &str, started: usize, wanted: usize) {
    let text = format!(
        "the system started {started} of {wanted} more threads ({name}): {error}; fewer threads do the work; \
         the limits of `ulimit -u` and `ulimit -v` may be too low"
    );
    if WARNING.set(text).is_ok()
        && let Some(text) = thread_warning()
    {
        // Standard error may be closed.
        let _ = writeln!(io::stderr(), "warning: {text}");
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[test]
    fn the_calling_thread_shares_the_work_of_its_helpers() {
        for threads in [0, 1, 3] {
            let (calls, own) = (AtomicUsize::new(0), AtomicUsize::new(0));
            let caller = thread::current().id();
            share_work("test", threads, || {
                calls.fetch_add(1, Ordering::Relaxed);
                if thread::current().id() == caller {
                    own.fetch_add(1, Ordering::Relaxed);
                }
            });
            assert_eq!((calls.into_inner(), own.into_inner()), (threads.max(1), 1));
        }
    }

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
