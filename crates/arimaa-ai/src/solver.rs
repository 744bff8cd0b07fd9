//! Who wins, for certain: see [`Solver`].

mod struggle;

use std::io::{self, Read, Write};
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use arimaa::{Board, Position, Side, Step, Turn, WHOLE_TURN};
use game::{BySide, History, Key, Proof, Turns};
use proof::{Gap, Repetition, Strategy, prove};
use search::{DfPn, Limits, ProofParameters, Stop, Task};

pub(crate) use self::struggle::PLANS;
pub use self::struggle::Progress;
use self::struggle::Struggle;
use crate::{Attack, Conditions, Effort, Memory, Sense, Tactician, win};

/// Proves who wins: by the attacks of both sides, ever longer ones and with ever more effort, and where
/// these do not decide, by proof-number search over all turns.
///
/// # Method
///
/// Nobody knows beforehand whether a win takes three turns of which one is quiet, or five threats. Each
/// side therefore attacks with several [`Effort`]s in turn, and a proof-number search, which leaves nothing
/// out, is one more way. Each way gets a number of boards to look at, goes on to longer wins as long as
/// these last, and gets four times as many in the next round.
pub struct Solver {
    memory: Memory,
    tacticians: Vec<BySide<Tactician>>,
    numbers: DfPn<Step>,
    sense: Sense,
    progress: Progress,
}

/// What is to be proved.
pub struct Question<'a> {
    /// The start of a turn.
    pub position: &'a Position,
    /// How often positions have come about before, this one included.
    pub past: &'a History,
    /// How long it may take, and how many boards may be looked at.
    pub limits: Limits,
    /// The most turns that a win or a loss may take.
    pub turns: Turns,
    /// Ends it from elsewhere.
    pub stop: &'a Stop,
}

/// What was found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Finding {
    /// The result, if it is certain.
    pub proof: Option<Proof>,
    /// A turn that wins, if the side to move does and the game is not over.
    pub turn: Option<Turn>,
    /// How many boards were looked at.
    pub nodes: u64,
    way: Way,
}

/// How a result was found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Way {
    /// It was seen, or nothing was found.
    Look,
    /// By attacks with that effort.
    Attack(Effort),
    /// By proof numbers; perhaps because the loser may not repeat a position.
    Numbers { by_repetition: bool },
}

impl Solver {
    /// A solver that remembers so many MiB and thinks with so many threads.
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
            memory: Memory::new((mebibytes / 2).max(1)),
            tacticians: (0..threads.max(1)).map(|_| BySide::default()).collect(),
            numbers,
            sense: Sense::default(),
            progress: Progress::default(),
        }
    }

    /// Forgets what other positions have taught.
    pub fn forget(&mut self) {
        self.memory.forget();
        // Its tables are cleared word by word, which takes a while.
        if self.progress.has_counted {
            self.numbers.clear();
        }
        self.progress = Progress::default();
    }

    /// How far it has come.
    pub fn progress(&self) -> &Progress {
        &self.progress
    }

    /// Looks for a proof until there is one or a limit is reached; asked again, it goes on. `tell` hears
    /// now and then how far it has come.
    pub fn solve(&mut self, question: &Question, tell: &mut dyn FnMut(&Progress)) -> Finding {
        let position = question.position;
        let seen = |proof, turn| Finding { proof: Some(proof), turn, nodes: 1, way: Way::Look };
        if let Some(outcome) = position.outcome() {
            let over = if outcome.winner == position.side() { Proof::Win } else { Proof::Loss };
            return seen(over(Turns(0)), None);
        }
        if let Some(win) = win(position.board(), position.side(), WHOLE_TURN) {
            return seen(Proof::Win(Turns(1)), Some(win.turn));
        }
        let begin = Instant::now();
        let is_allowed = |key: Key| question.past.count(key) < 2;
        let must_stop = || {
            question.stop.is_requested()
                || question.limits.hard.is_some_and(|time| begin.elapsed() >= time)
        };
        let conditions =
            Conditions { is_allowed: &is_allowed, must_stop: &must_stop, nodes: u64::MAX };
        let halt = AtomicBool::new(false);
        let (mut own, mut others) = (Vec::new(), Vec::new());
        let several = self.tacticians.len() > 1;
        for tacticians in &mut self.tacticians {
            let BySide { first, second } = tacticians;
            for (tactician, side) in [(first, Side::First), (second, Side::Second)] {
                let crew = if side == position.side() { &mut own } else { &mut others };
                let mut attack =
                    Attack::new(side, tactician, &self.memory, conditions, Effort::THREATS);
                attack.halt = several.then_some(&halt);
                crew.push(attack);
            }
        }
        let task = Task {
            position,
            past: question.past,
            knowledge: &self.sense,
            limits: question.limits,
            stop: question.stop,
        };
        Struggle {
            begin,
            most: question.turns,
            task,
            own,
            others,
            numbers: &mut self.numbers,
            progress: &mut self.progress,
        }
        .decide(tell)
    }

    /// The proof of what was found: an answer to every turn of the loser.
    ///
    /// # Errors
    ///
    /// Says where no answer is known, which happens if it was told to stop.
    pub fn prove(
        &mut self,
        question: &Question,
        finding: &Finding,
    ) -> Result<(Strategy<Step>, Repetition), Gap<Step>> {
        let position = question.position;
        let winner = finding.proof.map_or(position.side(), |proof| proof.winner(position.side()));
        let (past, stop) = (question.past, question.stop);
        match finding.way {
            Way::Numbers { by_repetition } => {
                let repetition = Repetition::relied_on(by_repetition);
                let (numbers, knowledge) = (&mut self.numbers, &self.sense);
                let mut prover = |position: &Position, path: &History| {
                    let limits = Limits::default();
                    let task = Task { position, past: path, knowledge, limits, stop };
                    numbers.winning_turn(&task)
                };
                Ok((prove(position, winner, past, repetition, &mut prover)?, repetition))
            }
            Way::Attack(_) | Way::Look => {
                let effort =
                    if let Way::Attack(effort) = finding.way { effort } else { PLANS[0].effort };
                let conditions = Conditions {
                    is_allowed: &|key| past.count(key) < 2,
                    must_stop: &|| stop.is_requested(),
                    nodes: u64::MAX,
                };
                let mut tactician = Tactician::new();
                let mut attack =
                    Attack::new(winner, &mut tactician, &self.memory, conditions, effort);
                let mut prover = |asked: &Position, _: &History| {
                    let turn = match finding.turn {
                        Some(turn) if asked == position => turn,
                        _ => attack.shortest_win(asked.board())?,
                    };
                    Some(turn.whole())
                };
                let strategy = prove(position, winner, past, Repetition::Independent, &mut prover)?;
                Ok((strategy, Repetition::Independent))
            }
        }
    }

    /// Writes out what is known, to go on with later.
    pub fn save(&self, out: &mut impl Write) -> io::Result<()> {
        self.progress.save(out)?;
        self.memory.save(out)?;
        self.numbers.save(out)
    }

    /// Reads what [`Solver::save`] has written, in the place of what was known; the size of the memory may
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
        self.progress = Progress::load(input)?;
        self.memory.load(input)?;
        self.progress.has_counted = true;
        self.numbers.load(input)
    }
}

impl Attack<'_> {
    /// The turn that wins soonest, on a board where one does.
    fn shortest_win(&mut self, board: &Board) -> Option<Turn> {
        (1..Attack::MOST_TURNS).find_map(|turns| self.wins(board, turns))
    }
}
