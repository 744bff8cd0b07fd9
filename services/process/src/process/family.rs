//! All that our programs have started, wherever it has gone.
//!
//! A process group is not enough: a program may leave it (`setsid`) and outlive its parent. So on Linux
//! Tusk is a *subreaper*: who loses its parent becomes our child and not init's. Everything that a program
//! has started is then below us in the tree of processes, which `/proc` shows. A mark in the environment
//! says to which program an orphan belongs, and to which Tusk it belonged that was killed.
//!
//! Elsewhere only the process groups are ended.

use std::collections::BTreeSet;
use std::process::{Child, Command, ExitStatus};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};
use std::{io, process};

/// The variable in a program's environment that has its mark.
const VARIABLE: &str = "TUSK_PROGRAM";

/// Whose a process is: this Tusk's, and which of its programs'.
pub(super) struct Mark(String);

impl Mark {
    pub(super) fn next() -> Mark {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        static OWNER: LazyLock<String> = LazyLock::new(|| system::owner(process::id()));
        Mark(format!("{}-{}", *OWNER, COUNT.fetch_add(1, Ordering::Relaxed)))
    }

    pub(super) fn put_on(&self, command: &mut Command) {
        command.env(VARIABLE, &self.0);
    }
}

/// The programs that run now.
struct Programs {
    running: BTreeSet<u32>,
    /// Whether no more are started, since Tusk is about to end.
    closed: bool,
}

static PROGRAMS: Mutex<Programs> = Mutex::new(Programs { running: BTreeSet::new(), closed: false });

fn programs() -> MutexGuard<'static, Programs> {
    PROGRAMS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Starts a program. Nobody looks at the tree of processes meanwhile: it would be taken for an orphan.
pub(super) fn spawn(command: &mut Command) -> io::Result<Child> {
    let mut programs = programs();
    if programs.closed {
        return Err(io::Error::other("Tusk is about to end"));
    }
    system::become_subreaper();
    let child = command.spawn()?;
    programs.running.insert(child.id());
    Ok(child)
}

/// Waits for a program that was killed or has ended.
pub(super) fn wait(child: &mut Child) -> io::Result<ExitStatus> {
    let id = child.id();
    let status = child.wait();
    programs().running.remove(&id);
    status
}

/// Ends all that a program has started. The program itself was killed, and is not waited for yet.
pub(super) fn end(program: u32, mark: &Mark) {
    system::end(program, mark);
}

/// Ends all programs and what they have started, and starts no more: for a Tusk that is about to end.
pub fn end_all() {
    programs().closed = true;
    system::end_all();
}

/// Ends what the programs of a Tusk have left behind that was killed; returns how many processes that were.
/// There is nothing to be found but on Linux.
pub fn end_leftovers() -> usize {
    system::end_leftovers()
}

/// Whether a process of that number runs, as far as can be known.
pub fn is_running(process: u32) -> bool {
    system::is_running(process)
}

#[cfg(target_os = "linux")]
mod system {
    use std::collections::BTreeSet;
    use std::sync::Once;
    use std::time::Duration;
    use std::{fs, process, thread};

    use rustix::process::{
        Pid, Signal, WaitId, WaitIdOptions, getpgrp, kill_process, set_child_subreaper, waitid,
    };

    use super::{Mark, Programs, VARIABLE, programs};

    /// A process, as `/proc` tells.
    #[derive(Clone, Copy)]
    struct Entry {
        pid: u32,
        parent: u32,
        group: i32,
        is_dead: bool,
        /// When it started, in ticks since the system did: numbers of processes are used again.
        start: u64,
    }

    /// How often it is looked whether all have ended: a process may start another while it is killed.
    const ROUNDS: u32 = 1000;

    pub(super) fn become_subreaper() {
        static ONCE: Once = Once::new();
        // Where the kernel refuses, process groups have to do.
        ONCE.call_once(|| {
            let _ = set_child_subreaper(Pid::from_raw(process::id() as i32));
        });
    }

    pub(super) fn owner(pid: u32) -> String {
        // A process of another container may have the same number.
        let namespace = fs::read_link("/proc/self/ns/pid").unwrap_or_default();
        let namespace =
            namespace.to_string_lossy().replace(|letter: char| !letter.is_ascii_digit(), "");
        format!("{namespace}-{pid}-{}", entry(pid).map_or(0, |entry| entry.start))
    }

    pub(super) fn is_running(pid: u32) -> bool {
        entry(pid).is_some_and(|entry| !entry.is_dead)
    }

    fn entry(pid: u32) -> Option<Entry> {
        let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
        // The name of the program stands in brackets and may hold anything.
        let (_, rest) = stat.rsplit_once(')')?;
        let fields: Vec<&str> = rest.split_whitespace().collect();
        Some(Entry {
            pid,
            parent: fields.get(1)?.parse().ok()?,
            group: fields.get(2)?.parse().ok()?,
            is_dead: matches!(*fields.first()?, "Z" | "X"),
            start: fields.get(19)?.parse().ok()?,
        })
    }

    fn all() -> Vec<Entry> {
        let Ok(entries) = fs::read_dir("/proc") else { return Vec::new() };
        let numbers =
            entries.flatten().filter_map(|entry| entry.file_name().to_str()?.parse().ok());
        numbers.filter_map(entry).collect()
    }

    /// The mark of a process, if it has one and we may see it.
    fn mark_of(pid: u32) -> Option<String> {
        let environment = fs::read(format!("/proc/{pid}/environ")).ok()?;
        let prefix = format!("{VARIABLE}=");
        let values = environment.split(|&byte| byte == 0);
        let mut marks = values.filter_map(|value| value.strip_prefix(prefix.as_bytes()));
        marks.next().map(|mark| String::from_utf8_lossy(mark).into_owned())
    }

    /// Those who have lost their parent and are our children now. Programs lead groups of their own, so that
    /// a child of ours in our own group is somebody else's affair.
    fn orphans(all: &[Entry], programs: &Programs) -> Vec<Entry> {
        let (us, group) = (process::id(), getpgrp().as_raw_nonzero().get());
        let is_orphan = |entry: &&Entry| {
            entry.parent == us && entry.group != group && !programs.running.contains(&entry.pid)
        };
        all.iter().filter(is_orphan).copied().collect()
    }

    /// Those that live of these processes and all below them.
    fn with_all_below(all: &[Entry], roots: impl Iterator<Item = u32>) -> Vec<u32> {
        let mut found: BTreeSet<u32> = roots.collect();
        loop {
            let is_new =
                |entry: &&Entry| found.contains(&entry.parent) && !found.contains(&entry.pid);
            let more: Vec<u32> = all.iter().filter(is_new).map(|entry| entry.pid).collect();
            if more.is_empty() {
                break;
            }
            found.extend(more);
        }
        let lives = |entry: &&Entry| !entry.is_dead && found.contains(&entry.pid);
        all.iter().filter(lives).map(|entry| entry.pid).collect()
    }

    fn kill(pid: u32) {
        if let Some(pid) = Pid::from_raw(pid as i32) {
            // It fails where it has ended, which is as good.
            let _ = kill_process(pid, Signal::KILL);
        }
    }

    fn reap(pid: u32) {
        if let Some(pid) = Pid::from_raw(pid as i32) {
            let _ = waitid(WaitId::Pid(pid), WaitIdOptions::EXITED | WaitIdOptions::NOHANG);
        }
    }

    pub(super) fn end(program: u32, mark: &Mark) {
        for _ in 0..ROUNDS {
            let programs = programs();
            let all = all();
            let is_last = programs.running.len() <= 1;
            let orphans = orphans(&all, &programs);
            orphans.iter().filter(|orphan| orphan.is_dead).for_each(|orphan| reap(orphan.pid));
            // Who has taken off its mark is ended with the last program.
            let is_of_program = |orphan: &&Entry| match mark_of(orphan.pid) {
                Some(found) => found == mark.0 || is_last,
                None => is_last,
            };
            let mut roots: Vec<u32> =
                orphans.iter().filter(is_of_program).map(|orphan| orphan.pid).collect();
            roots.push(program);
            drop(programs);
            let left = with_all_below(&all, roots.into_iter());
            if left.is_empty() {
                return;
            }
            left.into_iter().for_each(kill);
            thread::sleep(Duration::from_millis(1));
        }
    }

    pub(super) fn end_all() {
        for _ in 0..ROUNDS {
            let programs = programs();
            let all = all();
            let orphans = orphans(&all, &programs);
            let roots =
                orphans.iter().map(|orphan| orphan.pid).chain(programs.running.iter().copied());
            let left = with_all_below(&all, roots);
            drop(programs);
            if left.is_empty() {
                return;
            }
            left.into_iter().for_each(kill);
            thread::sleep(Duration::from_millis(1));
        }
    }

    pub(super) fn end_leftovers() -> usize {
        let mut count = 0;
        for _ in 0..ROUNDS {
            let left: Vec<u32> =
                all().iter().map(|entry| entry.pid).filter(|&pid| is_leftover(pid)).collect();
            if left.is_empty() {
                break;
            }
            count = count.max(left.len());
            left.into_iter().for_each(kill);
            thread::sleep(Duration::from_millis(1));
        }
        count
    }

    /// Whether a process was started by the program of a Tusk that is gone. We may be such a process
    /// ourselves, but then somebody wanted us.
    fn is_leftover(pid: u32) -> bool {
        if pid == process::id() || !is_running(pid) {
            return false;
        }
        let Some(mark) = mark_of(pid) else { return false };
        let Some((owner_of_mark, _)) = mark.rsplit_once('-') else { return false };
        let parts: Vec<&str> = owner_of_mark.split('-').collect();
        let Some(owner_pid) = parts.get(1).and_then(|part| part.parse().ok()) else { return false };
        // The namespace of another container, whose processes we cannot judge, makes these differ at once.
        let now = owner(owner_pid);
        let same_namespace = now.split('-').next() == parts.first().copied();
        same_namespace && (now != owner_of_mark || !is_running(owner_pid))
    }
}

#[cfg(all(unix, not(target_os = "linux")))]
mod system {
    use rustix::process::{Pid, Signal, kill_process_group, test_kill_process};

    use super::{Mark, programs};

    pub(super) fn become_subreaper() {}

    pub(super) fn owner(pid: u32) -> String {
        pid.to_string()
    }

    pub(super) fn is_running(pid: u32) -> bool {
        Pid::from_raw(pid as i32).is_some_and(|pid| test_kill_process(pid).is_ok())
    }

    pub(super) fn end(_: u32, _: &Mark) {}

    pub(super) fn end_all() {
        for &pid in &programs().running {
            if let Some(pid) = Pid::from_raw(pid as i32) {
                let _ = kill_process_group(pid, Signal::KILL);
            }
        }
    }

    pub(super) fn end_leftovers() -> usize {
        0
    }
}

#[cfg(not(unix))]
mod system {
    use super::Mark;

    pub(super) fn become_subreaper() {}

    pub(super) fn owner(pid: u32) -> String {
        pid.to_string()
    }

    /// It is not known: what is beside it is left alone.
    pub(super) fn is_running(_: u32) -> bool {
        true
    }

    pub(super) fn end(_: u32, _: &Mark) {}

    pub(super) fn end_all() {}

    pub(super) fn end_leftovers() -> usize {
        0
    }
}
