use std::io;
use std::process::{Child, Command, ExitStatus};
use std::sync::mpsc::{self, Sender};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::family::{self, Mark};
use super::start_thread;

/// A child that leads a process group of its own, so that whatever it has started ends with it.
///
/// Nothing of it is left when this is dropped, be it in a panic. What is left when nothing is dropped, because
/// Tusk was aborted or killed: the child itself gets SIGKILL on Linux, and the rest of its group
/// finds its input closed; what lives on all the same is ended by the next Tusk
/// ([`crate::end_leftovers`]).
pub(super) struct Group {
    child: Child,
    mark: Mark,
    end: Option<End>,
}

/// How the child ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// By itself, or by somebody else's signal.
    Own(ExitStatus),
    /// We had to end it.
    Killed,
}

/// How often we look whether the child has ended.
const GLANCE: Duration = Duration::from_millis(2);

impl Group {
    pub(super) fn spawn(mut command: Command) -> io::Result<Group> {
        let mark = Mark::next();
        mark.put_on(&mut command);
        system::prepare(&mut command);
        let child = spawn_from_a_lasting_thread(command)?;
        Ok(Group { child, mark, end: None })
    }

    pub(super) fn child(&mut self) -> &mut Child {
        &mut self.child
    }

    /// Gives the child so much time to end by itself, then ends the whole group and whatever has left it.
    pub(super) fn end(&mut self, wait: Duration) -> End {
        if let Some(end) = self.end {
            return end;
        }
        let deadline = Instant::now() + wait;
        let mut has_ended = system::has_ended(&mut self.child);
        while !has_ended && Instant::now() < deadline {
            thread::sleep(GLANCE);
            has_ended = system::has_ended(&mut self.child);
        }
        // Before the child is waited for: until then, nobody else can get the number of its group.
        system::kill(&mut self.child);
        family::end(self.child.id(), &self.mark);
        let end = match family::wait(&mut self.child) {
            Ok(status) if has_ended => End::Own(status),
            _ => End::Killed,
        };
        self.end = Some(end);
        end
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        self.end(Duration::ZERO);
    }
}

/// Linux ends a child when the *thread* that started it ends, not the process: so one thread, which
/// lasts as long as we do, starts them all.
fn spawn_from_a_lasting_thread(command: Command) -> io::Result<Child> {
    type Wish = (Command, Sender<io::Result<Child>>);
    static SPAWNER: Mutex<Option<Sender<Wish>>> = Mutex::new(None);
    let mut spawner = SPAWNER.lock().unwrap_or_else(PoisonError::into_inner);
    let sender = match &*spawner {
        Some(sender) => sender,
        None => {
            let (sender, wishes) = mpsc::channel::<Wish>();
            start_thread("programs", move || {
                for (mut command, reply) in wishes {
                    let _ = reply.send(family::spawn(&mut command));
                }
            })?;
            spawner.insert(sender)
        }
    };
    let (reply, child) = mpsc::channel();
    let gone = |_| io::Error::other("the thread that starts programs is gone");
    sender.send((command, reply)).map_err(|_| gone(mpsc::RecvError))?;
    drop(spawner);
    child.recv().map_err(gone)?
}

#[cfg(unix)]
mod system {
    use std::os::unix::process::CommandExt;
    use std::process::{Child, Command};

    use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};

    pub(super) fn prepare(command: &mut Command) {
        command.process_group(0);
        end_with_us(command);
    }

    #[cfg(target_os = "linux")]
    fn end_with_us(command: &mut Command) {
        use rustix::process::set_parent_process_death_signal;

        let ask = || Ok(set_parent_process_death_signal(Some(Signal::KILL))?);
        // SAFETY: between fork and exec, only what is safe inside a signal handler may be called: this is
        // one system call, which touches no memory.
        unsafe { command.pre_exec(ask) };
    }

    #[cfg(not(target_os = "linux"))]
    fn end_with_us(_: &mut Command) {}

    /// Whether it has; its number stays taken until it is waited for.
    pub(super) fn has_ended(child: &mut Child) -> bool {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        waitid(WaitId::Pid(Pid::from_child(child)), options).is_ok_and(|status| status.is_some())
    }

    pub(super) fn kill(child: &mut Child) {
        // It fails where all have ended, which is as good.
        let _ = kill_process_group(Pid::from_child(child), Signal::KILL);
    }
}

/// Elsewhere there are no process groups: what the child has started is not ended with it.
#[cfg(not(unix))]
mod system {
    use std::process::{Child, Command};

    pub(super) fn prepare(_: &mut Command) {}

    pub(super) fn has_ended(child: &mut Child) -> bool {
        matches!(child.try_wait(), Ok(Some(_)))
    }

    pub(super) fn kill(child: &mut Child) {
        let _ = child.kill();
    }
}
