//! Who wins, for certain: see [`Solver`].

mod portfolio;

use std::io::{self, Read, Write};
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use arimaa::{Board, Position, Side, Step, Turn, WHOLE_TURN};
use game::{BySide, History, Key, Proof, Turns};
use proof::{Gap, Repetition, Strategy, prove};
use search::{DfPn, ForcedWinLimits, Limits, ProofParameters, Stop, Task};

use self::portfolio::Portfolio;
pub(crate) use self::portfolio::STAGES;
pub use self::portfolio::SolverProgress;
use crate::{Breadth, Heuristics, ThreatGenerator, ThreatSearch, ThreatTable, win};

/// Proves who wins, by a portfolio of searches: threat-space searches of both sides, ever longer and ever
/// broader, and a proof-number search over all turns.
///
/// # Method
///
/// Nobody knows beforehand whether a win takes three turns of which one is quiet, or five threats. So the
/// searches are interleaved. Each gets a number of boards to look at, goes on to longer wins as long as
/// these last, and gets four times as many in the next round. The threat-space searches have four
/// [`Breadth`]s; the proof-number search leaves nothing out.
pub struct Solver {
    table: ThreatTable,
    generators: Vec<BySide<ThreatGenerator>>,
    numbers: DfPn<Step>,
    heuristics: Heuristics,
    progress: SolverProgress,
}

/// What a solver is asked.
pub struct SolverTask<'a> {
    /// The start of a turn.
    pub position: &'a Position,
    /// How often positions have come about before, this one included.
    pub past: &'a History,
    /// How long it may take, and how many boards may be looked at.
    pub limits: Limits,
    /// The most turns that a win or a loss may take.
    pub turns: Turns,
    /// Ends the search from another thread.
    pub stop: &'a Stop,
}

/// What a solver has found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SolverResult {
    /// The result, if it is certain.
    pub proof: Option<Proof>,
    /// A turn that wins, if the side to move does and the game is not over.
    pub turn: Option<Turn>,
    /// How many boards were looked at.
    pub nodes: u64,
    found_by: FoundBy,
}

/// How a result was found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum FoundBy {
    /// By a static test; or nothing was found.
    StaticTest,
    /// By a threat-space search of that breadth.
    ThreatSearch(Breadth),
    /// By proof-number search; perhaps with a proof that relies on repetition.
    ProofNumbers { by_repetition: bool },
}

impl Solver {
    /// A solver with tables of that many MiB in all, and so many threads.
    pub fn new(mebibytes: usize, threads: usize) -> Solver {
        let quarter = (mebibytes / 4) as i32;
        let parameters = ProofParameters {
            number_table: quarter,
            proof_table: quarter,
            ..ProofParameters::default()
        };
        let mut numbers = DfPn::new(parameters);
        numbers.threads = threads;
        Solver {
            table: ThreatTable::new((mebibytes / 2).max(1)),
            generators: (0..threads.max(1)).map(|_| BySide::default()).collect(),
            numbers,
            heuristics: Heuristics::default(),
            progress: SolverProgress::default(),
        }
    }

    /// Forgets what it knows of other positions.
    pub fn forget(&mut self) {
        self.table.clear();
        // Clear tables need not be cleared.
        if self.progress.has_counted {
            self.numbers.clear();
        }
        self.progress = SolverProgress::default();
    }

    /// How far it has come.
    pub fn progress(&self) -> &SolverProgress {
        &self.progress
    }

    /// Looks for a proof until there is one or a limit is reached. Asked again, it goes on. `tell` is called
    /// now and then with the progress.
    pub fn solve(
        &mut self,
        task: &SolverTask,
        tell: &mut dyn FnMut(&SolverProgress),
    ) -> SolverResult {
        let position = task.position;
        let seen = |proof, turn| SolverResult {
            proof: Some(proof),
            turn,
            nodes: 1,
            found_by: FoundBy::StaticTest,
        };
        if let Some(outcome) = position.outcome() {
            let over = if outcome.winner == position.side() { Proof::Win } else { Proof::Loss };
            return seen(over(Turns(0)), None);
        }
        if let Some(win) = win(position.board(), position.side(), WHOLE_TURN) {
            return seen(Proof::Win(Turns(1)), Some(win.turn));
        }
        let begin = Instant::now();
        let is_allowed = |key: Key| task.past.count(key) < 2;
        let must_stop = || {
            task.stop.is_requested() || task.limits.hard.is_some_and(|time| begin.elapsed() >= time)
        };
        let limits =
            ForcedWinLimits { is_allowed: &is_allowed, must_stop: &must_stop, nodes: u64::MAX };
        let halt = AtomicBool::new(false);
        let (mut own, mut others) = (Vec::new(), Vec::new());
        let several = self.generators.len() > 1;
        for generators in &mut self.generators {
            let BySide { first, second } = generators;
            for (generator, side) in [(first, Side::First), (second, Side::Second)] {
                let workers = if side == position.side() { &mut own } else { &mut others };
                let mut worker =
                    ThreatSearch::new(side, generator, &self.table, limits, Breadth::THREATS);
                worker.halt = several.then_some(&halt);
                workers.push(worker);
            }
        }
        let proof_task = Task {
            position,
            past: task.past,
            heuristics: &self.heuristics,
            limits: task.limits,
            stop: task.stop,
        };
        Portfolio {
            begin,
            most: task.turns,
            task: proof_task,
            own,
            others,
            numbers: &mut self.numbers,
            progress: &mut self.progress,
        }
        .decide(tell)
    }

    /// The proof of what was found: an answer to every turn of the loser. The task's stop and its time limit end the
    /// work.
    ///
    /// # Errors
    ///
    /// Says where no answer is known. That is so where it had to stop, and where loaded tables are damaged.
    pub fn prove(
        &mut self,
        task: &SolverTask,
        result: &SolverResult,
    ) -> Result<(Strategy<Step>, Repetition), Gap<Step>> {
        let position = task.position;
        let winner = result.proof.map_or(position.side(), |proof| proof.winner(position.side()));
        let (past, stop, begin) = (task.past, task.stop, Instant::now());
        let left = || task.limits.hard.map(|time| time.saturating_sub(begin.elapsed()));
        let must_stop = || stop.is_requested() || left().is_some_and(|left| left.is_zero());
        match result.found_by {
            FoundBy::ProofNumbers { by_repetition } => {
                let repetition = Repetition::relied_on(by_repetition);
                let (numbers, heuristics) = (&mut self.numbers, &self.heuristics);
                let mut source = |position: &Position, path: &History| {
                    let limits = Limits { hard: left(), ..Limits::default() };
                    let task = Task { position, past: path, heuristics, limits, stop };
                    if must_stop() { None } else { numbers.winning_turn(&task) }
                };
                Ok((prove(position, winner, past, repetition, &mut source)?, repetition))
            }
            FoundBy::ThreatSearch(_) | FoundBy::StaticTest => {
                let breadth = if let FoundBy::ThreatSearch(breadth) = result.found_by {
                    breadth
                } else {
                    STAGES[0].breadth
                };
                let limits = ForcedWinLimits {
                    is_allowed: &|key| past.count(key) < 2,
                    must_stop: &must_stop,
                    nodes: u64::MAX,
                };
                let mut generator = ThreatGenerator::new();
                let mut search =
                    ThreatSearch::new(winner, &mut generator, &self.table, limits, breadth);
                let mut source = |asked: &Position, _: &History| {
                    if must_stop() {
                        return None;
                    }
                    let turn = match result.turn {
                        Some(turn) if asked == position => turn,
                        _ => search.shortest_win(asked.board())?,
                    };
                    Some(turn.whole())
                };
                let strategy = prove(position, winner, past, Repetition::Independent, &mut source)?;
                Ok((strategy, Repetition::Independent))
            }
        }
    }

    /// Writes out what is known, to go on with later.
    pub fn save(&self, out: &mut impl Write) -> io::Result<()> {
        self.progress.save(out)?;
        self.table.save(out)?;
        self.numbers.save(out)
    }

    /// Reads what [`Solver::save`] has written, in the place of what was known. The size of the tables may
    /// be another one.
    pub fn load(&mut self, input: &mut impl Read) -> io::Result<()> {
        self.forget();
        let loaded = self.load_parts(input);
        if loaded.is_err() {
            self.forget();
        }
        loaded
    }

    fn load_parts(&mut self, input: &mut impl Read) -> io::Result<()> {
        self.progress = SolverProgress::load(input)?;
        self.table.load(input)?;
        self.progress.has_counted = true;
        self.numbers.load(input)
    }
}

impl ThreatSearch<'_> {
    /// The turn that wins soonest, on a board where one does.
    fn shortest_win(&mut self, board: &Board) -> Option<Turn> {
        (1..ThreatSearch::MOST_TURNS).find_map(|turns| self.wins(board, turns))
    }
}
