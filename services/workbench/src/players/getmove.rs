//! Bots of the older interface: a process for each turn.

use std::fmt::Write;
use std::fs;
use std::time::{Duration, Instant};

use arena::{Budget, Player, Reply, Start, Thought};
use game::{Game, Position, Side};
use process::{Failure, Fault, Process, Program, TemporaryFolder, Timeouts};

use super::one_turn::{OneTurn, folder, not_begun, unwritten};

/// A player behind the older interface of Arimaa bots.
///
/// For each turn the program is run with the names of three files, and prints the turn on its last
/// line (Kozelek 2009, A.5): the position is a picture; the record has a turn a line; the state has
/// lines of `key=value`, among them the clocks. Such a bot cannot be told a depth or a number of
/// nodes. The time of a turn is that of the whole process.
pub struct GetmovePlayer<G: Game> {
    program: Program,
    timeouts: Timeouts,
    /// Where the files are; gone when this is dropped.
    folder: TemporaryFolder,
    /// How the game began; none before the first one.
    start: Option<Start<G>>,
}

/// How the name of its folder begins.
pub(super) const FOLDER: &str = "tusk-getmove-";

impl<G: Game> GetmovePlayer<G> {
    /// A bot that is run by this command; of the timeouts, it needs `grace`, `untimed` and `farewell`.
    pub fn new(program: Program, timeouts: Timeouts) -> Result<GetmovePlayer<G>, Failure> {
        let folder = folder(FOLDER)?;
        Ok(GetmovePlayer { program, timeouts, folder, start: None })
    }

    /// Runs the bot with the files that tell of this moment.
    fn run(&self, game: &G, budget: &Budget) -> Result<Process, Failure> {
        let start = self.start.as_ref().ok_or_else(not_begun)?;
        let files = Files { start, game, budget };
        let names = ["position", "record", "state"].map(|name| self.folder.path().join(name));
        let texts = [files.picture(), files.record(), files.state()];
        for (name, text) in names.iter().zip(texts) {
            fs::write(name, text).map_err(|error| unwritten(name, &error))?;
        }
        let mut process = Process::start(&self.program, &[&names[0], &names[1], &names[2]])?;
        process.close_input();
        Ok(process)
    }
}

impl<G: Game> Player<G> for GetmovePlayer<G> {
    /// Its command line: such a bot does not say what it is called.
    fn identity(&self) -> String {
        self.program.command.clone()
    }

    fn begin(&mut self, start: &Start<G>) -> Result<(), Failure> {
        self.start = Some(start.clone());
        Ok(())
    }

    fn think(&mut self, game: &G, budget: &Budget) -> Result<Thought<G::Action>, Failure> {
        let began = Instant::now();
        let run = OneTurn { process: self.run(game, budget)?, began, timeouts: self.timeouts };
        let done = run.done(budget)?;
        if done.last_line.is_empty() {
            return Err(done.process.failure(Fault::Protocol, "it printed no turn"));
        }
        let (reply, time) = (Reply::read(game, &done.last_line), done.time);
        Ok(Thought { reply, time, score: None, depth: None, nodes: None })
    }
}

/// The three files.
///
/// The names in the state are those of arimaa.com's server, and some that bots read in their place:
/// Sharp wants `s` and `tcwreserve`, Clueless exits when `rated` or any number of the time control is missing.
struct Files<'a, G: Game> {
    /// How the game began.
    start: &'a Start<G>,
    /// The game now.
    game: &'a G,
    /// The clocks.
    budget: &'a Budget,
}

/// How a side is called there, in every game.
fn letter(side: Side) -> char {
    match side {
        Side::First => 'w',
        Side::Second => 'b',
    }
}

/// `12b` for the label `12s`.
fn older_label(label: &str, side: Side) -> String {
    let number = label.trim_end_matches(char::is_alphabetic);
    format!("{number}{}", letter(side))
}

impl<G: Game> Files<'_, G> {
    /// The board below its heading, which is the label of the turn to be played.
    fn picture(&self) -> String {
        let label = self.game.label();
        let heading = older_label(&label, self.game.position().side());
        let picture = self.game.picture();
        let board = match picture.split_once('\n') {
            Some((first, rest)) if !first.is_empty() && label.ends_with(first) => rest,
            _ => &picture,
        };
        format!("{heading}\n{}\n", board.trim_end())
    }

    /// A turn a line, and the label of the one to be played. Of a game that began at a position there is
    /// none: turns can be replayed only from the very start.
    fn record(&self) -> String {
        if self.start.origin.is_some() {
            return String::new();
        }
        let mut record = String::new();
        let turns = self.game.turns();
        for (index, turn) in turns.iter().map(String::as_str).chain([""]).enumerate() {
            let line = format!("{}{} {turn}", index / 2 + 1, letter(Side::ALL[index % 2]));
            record += line.trim_end();
            record += "\n";
        }
        record
    }

    /// Lines of `key=value`.
    fn state(&self) -> String {
        let mut state = String::new();
        let pairs = self.pairs().into_iter().chain(self.clocks());
        for (key, value) in pairs {
            // Writing to a string cannot fail.
            let _ = writeln!(state, "{key}={}", escaped(&value));
        }
        state
    }

    fn pairs(&self) -> Vec<(&'static str, String)> {
        let side = self.game.position().side();
        let player = |of: Side| {
            let name = if of == self.start.side { "me" } else { &self.start.opponent };
            // The server puts a mark before a name, and bots cut two letters off.
            format!("* {name}")
        };
        vec![
            ("turn", letter(side).to_string()),
            ("s", letter(side).to_string()),
            ("wplayer", player(Side::First)),
            ("bplayer", player(Side::Second)),
            ("rated", "0".to_string()),
            ("plycount", self.game.turns().len().to_string()),
            ("position", self.picture()),
            ("moves", self.record()),
        ]
    }

    /// Nothing but the clock is in split seconds, and that only where the time control is.
    fn clocks(&self) -> Vec<(&'static str, String)> {
        let Budget { time, clocks, .. } = self.budget;
        let Some(control) = time.control else { return Vec::new() };
        let exact = |time: Duration| time.as_secs_f64().to_string();
        let limit = |time: Option<Duration>| exact(time.unwrap_or_default());
        let whole = |time: Duration| time.as_secs().to_string();
        let reserve = |side: Side| whole(clocks.reserves[side]);
        // The mover's is of the turn that begins now.
        let used =
            |side| if side == clocks.side { "0".to_string() } else { whole(clocks.used[side]) };
        vec![
            ("tcmove", exact(control.per_move)),
            ("tcreserve", exact(control.reserve)),
            ("tcpercent", control.percent.to_string()),
            ("tcmax", limit(control.max_reserve)),
            ("tctotal", limit(control.total)),
            ("tcturns", control.turns.unwrap_or_default().to_string()),
            ("tcturntime", limit(control.turn_time)),
            ("tcgame", whole(clocks.game)),
            ("wreserve", reserve(Side::First)),
            ("breserve", reserve(Side::Second)),
            ("tcwreserve", reserve(Side::First)),
            ("tcbreserve", reserve(Side::Second)),
            ("wused", used(Side::First)),
            ("bused", used(Side::Second)),
            ("lastmoveused", whole(clocks.used[!clocks.side])),
        ]
    }
}

/// `%` is written `%25`, the end of a line `%13`.
fn escaped(value: &str) -> String {
    value.replace('%', "%25").replace('\n', "%13")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_fit_on_a_line() {
        assert_eq!(escaped("100%\n1w\n"), "100%25%131w%13");
    }

    #[test]
    fn sides_have_their_older_letters() {
        assert_eq!(older_label("12s", Side::Second), "12b");
        assert_eq!(older_label("1g", Side::First), "1w");
    }
}
