//! Many boards compared on all processors.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// A number given by the environment.
pub fn number(name: &str, default: u64) -> u64 {
    std::env::var(name).map_or(default, |text| text.parse().unwrap())
}

/// Stops all threads when one has found a difference.
struct StopAll<'a>(&'a AtomicU64);

impl Drop for StopAll<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.store(u64::MAX / 2, Ordering::Relaxed);
        }
    }
}

/// Calls `work` with the numbers below `count`, on all processors, each with a helper of its own;
/// `progress` goes to the output now and then.
pub fn for_each_number<T: Default>(
    count: u64,
    work: impl Fn(&mut T, u64) + Sync,
    progress: impl Fn() + Sync,
) {
    const CHUNK: u64 = 16;
    const PAUSE: Duration = Duration::from_secs(30);
    let (next, last_progress) = (AtomicU64::new(0), Mutex::new(Instant::now()));
    let run = || {
        let _stop = StopAll(&next);
        let mut helper = T::default();
        loop {
            let begin = next.fetch_add(CHUNK, Ordering::Relaxed);
            if begin >= count {
                break;
            }
            (begin..count.min(begin + CHUNK)).for_each(|number| work(&mut helper, number));
            if let Ok(mut last) = last_progress.try_lock()
                && last.elapsed() > PAUSE
            {
                progress();
                *last = Instant::now();
            }
        }
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(run);
        }
    });
}
