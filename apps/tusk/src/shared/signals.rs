//! Signals that ask Tusk to end: INT (Ctrl-C), TERM and HUP.
//!
//! Whatever it does, Tusk then ends the programs that it has started, removes its temporary files and exits with 128
//! and the number of the signal. Verbs that have something to keep ask for a [`graceful_stop`]: they finish by themselves
//! at the first signal, and the second one ends them at once.

use std::process::ExitCode;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use engine::Stop;

/// The first signal that came; 0 before.
static RECEIVED: AtomicI32 = AtomicI32::new(0);

/// Whether the verb ends by itself when it is asked to.
static IS_GRACEFUL: AtomicBool = AtomicBool::new(false);

/// What the verb looks at.
static STOP: OnceLock<Stop> = OnceLock::new();

fn stop() -> &'static Stop {
    STOP.get_or_init(Stop::new)
}

/// What is asked for when a signal comes. From now on the first one no longer ends Tusk.
pub fn graceful_stop() -> Stop {
    IS_GRACEFUL.store(true, Ordering::Relaxed);
    stop().clone()
}

/// The signal that came, if one did.
pub fn received() -> Option<i32> {
    Some(RECEIVED.load(Ordering::Relaxed)).filter(|&signal| signal != 0)
}

/// The status of a program that a signal has ended, as shells have it.
pub fn status(signal: i32) -> ExitCode {
    ExitCode::from(128 + signal as u8)
}

/// Sleeps, unless a signal comes.
pub fn sleep(time: Duration) {
    let until = Instant::now() + time;
    while received().is_none() && Instant::now() < until {
        thread::sleep(Duration::from_millis(20));
    }
}

/// What is done when a signal comes.
fn receive(signal: i32) {
    let is_first = received().is_none();
    if is_first {
        RECEIVED.store(signal, Ordering::Relaxed);
    }
    stop().request();
    // Whoever waits for a program's answer waits no longer.
    process::end_all();
    if !is_first || !IS_GRACEFUL.load(Ordering::Relaxed) {
        process::remove_temporary();
        std::process::exit(128 + signal);
    }
}

#[cfg(unix)]
pub use self::unix::watch;

#[cfg(unix)]
mod unix {
    use std::sync::mpsc;
    use std::{fs, thread};

    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;

    /// Waits for signals, in a thread of its own. Those that whoever started us wants to be ignored stay so, as `nohup`
    /// does with HUP.
    pub fn watch() {
        let ignored = ignored();
        let wanted = [SIGHUP, SIGINT, SIGTERM]
            .into_iter()
            .filter(move |signal| ignored >> (signal - 1) & 1 == 0);
        let (registered, is_registered) = mpsc::channel();
        // Where the system refuses a thread or a handler, a signal ends Tusk as it ends any program. So there is no
        // handler before there is a thread that waits for it.
        let started = thread::Builder::new().name("signals".to_string()).spawn(move || {
            let Ok(mut signals) = Signals::new(wanted) else { return };
            let _ = registered.send(());
            signals.forever().for_each(super::receive);
        });
        if started.is_ok() {
            let _ = is_registered.recv();
        }
    }

    /// The signals that are ignored, a bit each. Only Linux tells.
    fn ignored() -> u64 {
        let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
        let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
        mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0)
    }
}

#[cfg(not(unix))]
pub fn watch() {}
