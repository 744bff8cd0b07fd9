//! Programs that write their turn over the file of the position: the interface of WALTZ.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use arena::{Budget, Player, Reply, Start, Thought};
use game::Game;
use guard::read_file_within;
use process::{Failure, Fault, Process, Program, TemporaryFolder, Timeouts};

use super::one_turn::{OneTurn, folder, refused, unwritten};

/// A player behind the interface of WALTZ (Veselý 2013, A.2).
///
/// For each turn the program is run as `COMMAND --bestmove FILE --timelimit SECONDS`: the file has the
/// position, and the program writes what it plays in its place. Without a clock it is not told a time.
/// Seconds are whole, at least one; such a program cannot be told a depth or a number of nodes. The time of
/// a turn is that of the whole process.
pub struct WaltzPlayer {
    program: Program,
    timeouts: Timeouts,
    /// Where the file is; gone when this is dropped.
    folder: TemporaryFolder,
}

/// The longest answer, in bytes; a turn has some twenty.
const LONGEST_ANSWER: u64 = 1 << 20;
/// How the name of its folder begins.
pub(super) const FOLDER: &str = "tusk-position-";

/// The shortest time that such a program can be told.
const SECOND: Duration = Duration::from_secs(1);

impl WaltzPlayer {
    /// A program that is run by this command; of the timeouts, it needs `grace`, `untimed` and `farewell`.
    pub fn new(program: Program, timeouts: Timeouts) -> Result<WaltzPlayer, Failure> {
        let folder = folder(FOLDER)?;
        Ok(WaltzPlayer { program, timeouts, folder })
    }

    /// Runs the program with a file that has this text.
    fn run(&self, file: &Path, text: &str, budget: &Budget) -> Result<Process, Failure> {
        fs::write(file, text).map_err(|error| unwritten(file, &error))?;
        let mut words = vec![Path::new("--bestmove"), file];
        let seconds = time_for(budget).map(|time| time.as_secs().max(1).to_string());
        if let Some(seconds) = &seconds {
            words.extend([Path::new("--timelimit"), Path::new(seconds)]);
        }
        let mut process = Process::start(&self.program, &words)?;
        process.close_input();
        Ok(process)
    }
}

/// How long the program should think.
fn time_for(budget: &Budget) -> Option<Duration> {
    let limits = || Some(budget.clocks.clock(budget.time.control?).limits(None));
    budget.time.fixed_time().or_else(|| limits()?.soft)
}

impl<G: Game> Player<G> for WaltzPlayer {
    /// Its command line: such a program does not say what it is called.
    fn identity(&self) -> String {
        self.program.command.clone()
    }

    fn begin(&mut self, start: &Start<G>) -> Result<(), Failure> {
        if start.time.fixed_time().is_some_and(|time| time < SECOND) {
            let detail = "it is told whole seconds: give each turn a second at least";
            return Err(refused(detail.to_string()));
        }
        Ok(())
    }

    fn think(&mut self, game: &G, budget: &Budget) -> Result<Thought<G::Action>, Failure> {
        let (file, text) = (self.folder.path().join("position"), format!("{}\n", game.position()));
        let began = Instant::now();
        let process = self.run(&file, &text, budget)?;
        let done = OneTurn { process, began, timeouts: self.timeouts }.done(budget)?;
        let wrong = |detail: String| done.process.failure(Fault::Protocol, detail);
        let answer = read_file_within(&file, LONGEST_ANSWER);
        let answer = answer.map_err(|error| wrong(format!("its file cannot be read: {error}")))?;
        let answer = String::from_utf8_lossy(&answer);
        if answer == text {
            return Err(wrong("it wrote no turn into its file".to_string()));
        }
        let turn = game.action_in_file(&answer);
        let turn = turn.map_err(|fault| wrong(format!("what it wrote into its file: {fault}")))?;
        let (reply, time) = (Reply::read(game, &turn), done.time);
        Ok(Thought { reply, time, score: None, depth: None, nodes: None })
    }
}
