//! Bots of the older interface: a process for each turn.

mod files;

use std::fs;
use std::sync::Arc;
use std::time::Instant;

use aei::{Failure, Fault, Patience, Process, Program};
use tempfile::TempDir;

use self::files::Scene;
use crate::errand::{Errand, Watched, folder, unwritten};
use crate::{Answer, Budget, Player, Rules, Start, Thought};

/// A player behind the older interface of Arimaa bots.
///
/// For each turn the program is run with the names of three files, and prints the turn on its last
/// line (Kozelek 2009, A.5): the position is a picture; the record has a turn a line; the state has
/// lines of `key=value`, among them the clocks. Such a bot cannot be told a depth or a number of
/// nodes. The time of a turn is that of the whole process.
pub struct GetmovePlayer {
    program: Program,
    patience: Patience,
    /// Where the files are; gone when this is dropped.
    folder: TempDir,
    game: Watched,
}

impl GetmovePlayer {
    /// A bot that plays by these rules; of the patience, it needs `grace`, `untimed` and `farewell`.
    pub fn new(
        program: Program,
        rules: Arc<dyn Rules>,
        patience: Patience,
    ) -> Result<GetmovePlayer, Failure> {
        let (folder, game) = (folder("tusk-getmove-")?, Watched::new(rules));
        Ok(GetmovePlayer { program, patience, folder, game })
    }

    /// Runs the bot with the files that tell of this moment.
    fn run(&self, budget: &Budget) -> Result<Process, Failure> {
        let (start, referee) = self.game.now()?;
        let scene = Scene { start, referee, budget };
        let names = ["position", "record", "state"].map(|name| self.folder.path().join(name));
        let texts = [scene.picture(), scene.record(), scene.state()];
        for (name, text) in names.iter().zip(texts) {
            fs::write(name, text).map_err(|error| unwritten(name, &error))?;
        }
        let mut process = Process::start(&self.program, &[&names[0], &names[1], &names[2]])?;
        process.close_input();
        Ok(process)
    }
}

impl Player for GetmovePlayer {
    /// Its command line: such a bot does not say what it is called.
    fn identity(&self) -> String {
        self.program.command.clone()
    }

    fn begin(&mut self, start: &Start) -> Result<(), Failure> {
        self.game.begin(start)
    }

    fn played(&mut self, turn: &str) -> Result<(), Failure> {
        self.game.played(turn)
    }

    fn think(&mut self, budget: &Budget) -> Result<Thought, Failure> {
        let began = Instant::now();
        let errand = Errand { process: self.run(budget)?, began, patience: self.patience };
        let done = errand.done(budget)?;
        if done.last_line.is_empty() {
            return Err(done.process.failure(Fault::Protocol, "it printed no turn"));
        }
        let (answer, time) = (Answer::of(&done.last_line), done.time);
        Ok(Thought { answer, time, score: None, depth: None, nodes: None })
    }
}
