//! What tests of the binary share: folders of their own, Python, a look at the processes, PostgreSQL.

// Each test program uses its own part.
#![allow(dead_code)]

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use std::{env, fs, thread};

use serde_json::Value;
use tempfile::TempDir;

pub const TUSK: &str = env!("CARGO_BIN_EXE_tusk");

/// Whether tests run at full length.
pub fn is_long() -> bool {
    env::var_os("TUSK_LONG").is_some()
}

/// A Python with pyrimaa. Only tests that are ignored unless `./check` asks for them call this.
pub fn python() -> PathBuf {
    env::var_os("TUSK_PYTHON").expect("TUSK_PYTHON names a Python with pyrimaa").into()
}

/// A Python for the mock engine.
pub fn plain_python() -> PathBuf {
    env::var_os("TUSK_PYTHON").map_or_else(|| PathBuf::from("python3"), PathBuf::from)
}

/// Longer than anything takes, even on a busy machine.
pub const PATIENCE: Duration = Duration::from_secs(120);

/// Waits until a condition holds.
pub fn until(what: &str, mut holds: impl FnMut() -> bool) {
    let deadline = Instant::now() + PATIENCE;
    while !holds() {
        assert!(Instant::now() < deadline, "never: {what}");
        thread::sleep(Duration::from_millis(5));
    }
}

/// One object a line.
pub fn json_lines(output: &[u8]) -> Vec<Value> {
    let text = String::from_utf8_lossy(output);
    text.lines().map(|line| serde_json::from_str(line).expect("a JSON object a line")).collect()
}

/// The command lines of processes that have this text in theirs.
pub fn processes_with(mark: &str) -> Vec<String> {
    let processes = fs::read_dir("/proc").expect("Linux lists its processes").flatten();
    let command = |process: fs::DirEntry| fs::read(process.path().join("cmdline")).ok();
    let commands = processes.filter_map(command);
    let texts = commands.map(|command| String::from_utf8_lossy(&command).replace('\0', " "));
    texts.filter(|text| text.contains(mark)).collect()
}

/// A folder of its own for a test, gone when it ends.
pub struct Folder {
    path: PathBuf,
}

impl Folder {
    pub fn new(name: &str) -> Folder {
        let path =
            Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}-{}", std::process::id()));
        fs::create_dir_all(&path).expect("a folder");
        Folder { path }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    pub fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.path.join(name);
        fs::write(&path, text).expect("a file");
        path
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.path);
    }
}

/// A database server of its own for a test, gone when it ends. It listens at a socket in its own folder and at no port: another
/// program could have taken any port by the time that the server starts.
pub struct Postgres {
    programs: PathBuf,
    folder: TempDir,
}

impl Postgres {
    /// Starts one. Only tests that are ignored unless `./check` asks for them call this.
    pub fn start() -> Postgres {
        let programs = postgres_programs().expect("PostgreSQL; ./check installs Debian's");
        // Tests of one process have servers of their own.
        let folder = tempfile::Builder::new().prefix("tusk-postgres-").tempdir().expect("a folder");
        if is_root() {
            // The server does not run as root: Debian's package brings a user for it.
            run(Command::new("chown").arg("postgres").arg(folder.path()));
        }
        let server = Postgres { programs, folder };
        let data = server.data();
        run(server.program("initdb").args(["--auth=trust", "--username=tusk", "-D"]).arg(&data));
        let options = format!("-k {} -c listen_addresses=", server.folder.path().display());
        let log = server.folder.path().join("log");
        run(server
            .program("pg_ctl")
            .args(["start", "--wait", "-o", &options, "-l"])
            .arg(log)
            .arg("-D")
            .arg(&data));
        server
    }

    pub fn url(&self) -> String {
        format!("postgres://tusk@localhost/postgres?host={}", self.folder.path().display())
    }

    /// Stops the server at once and starts it again, as after a loss of power.
    pub fn restart(&self) {
        let data = self.data();
        let arguments = ["restart", "--wait", "--mode=immediate", "-D"];
        run(self.program("pg_ctl").args(arguments).arg(data));
    }

    /// Stops the server, for good or until it is dropped.
    pub fn stop(&self) {
        let data = self.data();
        run(self.program("pg_ctl").args(["stop", "--wait", "--mode=immediate", "-D"]).arg(data));
    }

    fn data(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    /// One of the server's programs, run by a user that it accepts.
    fn program(&self, name: &str) -> Command {
        let program = self.programs.join(name);
        let mut command = if is_root() {
            let mut command = Command::new("runuser");
            command.args(["-u", "postgres", "--"]).arg(program);
            command
        } else {
            Command::new(program)
        };
        command.current_dir(self.folder.path());
        command
    }
}

impl Drop for Postgres {
    fn drop(&mut self) {
        // A test may have stopped it.
        if self.data().join("postmaster.pid").exists() {
            self.stop();
        }
    }
}

fn run(command: &mut Command) {
    let status = command.stdin(Stdio::null()).stdout(Stdio::null()).status();
    assert!(status.is_ok_and(|status| status.success()), "{command:?}");
}

pub fn is_root() -> bool {
    let uid = Command::new("id").arg("-u").output();
    uid.is_ok_and(|uid| uid.stdout.trim_ascii() == b"0")
}

/// Where the server's programs are: Debian keeps them out of the path.
fn postgres_programs() -> Option<PathBuf> {
    let versions = fs::read_dir("/usr/lib/postgresql").ok()?.flatten();
    let folders = versions.map(|version| version.path().join("bin"));
    folders.filter(|folder| folder.join("initdb").exists()).max()
}
