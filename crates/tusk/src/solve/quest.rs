//! The search for the proof of one position, whatever its game.

use std::io::{self, Read, Write};
use std::time::{Duration, Instant};

use anyhow::anyhow;
use game::{History, PackedStep, Proof, Turns};
use proof::{Document, Notation, Past, Repetition, Strategy, prove};
use search::{Findings, Knowledge, Limits, Prover, Stop, Task};

use super::Arguments;
use super::saved::{Header, Saved};
use crate::sport::{Course, Sport};

/// What was found out about a position.
pub struct Solved {
    pub position: String,
    pub proof: Option<Proof>,
    /// The turn that wins, as text.
    pub turn: Option<String>,
    pub nodes: u64,
    /// How long the search took; to write the proof takes its own time.
    pub time: Duration,
    /// The proof as text, if it was asked for and there is one.
    pub document: Option<String>,
}

/// How positions of a game are solved.
pub trait Method<S: Sport> {
    /// Its name in files that keep a search.
    fn name(&self) -> &'static str;

    /// Begins with a position, of which nothing is known; a win may take so many turns at most.
    fn begin<'a>(
        &'a mut self,
        game: &'a S::Game,
        most: Turns,
    ) -> anyhow::Result<Box<dyn Quest + 'a>>;
}

/// The search for the proof of one position.
pub trait Quest {
    /// Searches until a proof or a limit; asked again, it goes on.
    fn search(&mut self, limits: Limits, tell: &dyn Fn(String)) -> Found;
    /// The proof of what was found last, as text.
    fn document(&mut self) -> anyhow::Result<String>;
    fn save(&self, out: &mut dyn Write) -> io::Result<()>;
    fn load(&mut self, input: &mut dyn Read) -> io::Result<()>;
}

/// What a search has found, and how many boards it has looked at since it was asked.
pub struct Found {
    pub proof: Option<Proof>,
    pub turn: Option<String>,
    pub nodes: u64,
}

/// How often a search is kept that is to be kept.
const SAVE_EVERY: Duration = Duration::from_secs(60);

/// Solves a position, from nothing or from what a file has kept.
pub fn solve<S: Sport>(
    method: &mut dyn Method<S>,
    game: &S::Game,
    arguments: &Arguments,
    tell: &dyn Fn(String),
) -> anyhow::Result<Solved> {
    let header = Header::new(game, &arguments.target, method.name());
    let mut quest = method.begin(game, arguments.most_turns())?;
    if let Some(path) = &arguments.resume {
        header.load(path, |input| quest.load(input))?;
    }
    let saved = arguments.save.as_deref().map(|path| Saved { header, path });
    let begin = Instant::now();
    let whole = arguments.limits();
    let mut nodes = 0;
    let found = loop {
        let elapsed = begin.elapsed();
        let left = whole.hard.map(|time| time.saturating_sub(elapsed));
        let slice = saved.as_ref().map(|_| SAVE_EVERY);
        let limits = Limits {
            nodes: whole.nodes.map(|most| most.saturating_sub(nodes)),
            hard: left.into_iter().chain(slice).min(),
            ..Limits::default()
        };
        let found = quest.search(limits, tell);
        nodes += found.nodes;
        let goes_on = found.proof.is_none()
            && limits.hard == slice
            && slice.is_some_and(|slice| begin.elapsed() - elapsed >= slice)
            && whole.nodes.is_none_or(|most| nodes < most);
        if let Some(saved) = &saved {
            saved.save(|out| quest.save(out))?;
        }
        if !goes_on {
            break found;
        }
    };
    let time = begin.elapsed();
    let document = match found.proof {
        Some(_) if arguments.proof.is_some() => {
            tell("writing the proof".to_string());
            Some(quest.document()?)
        }
        _ => None,
    };
    let Found { proof, turn, .. } = found;
    Ok(Solved { position: game.position().to_string(), proof, turn, nodes, time, document })
}

/// The text of a proof about a position that has this past.
pub fn document<P: Notation>(
    position: P,
    past: Vec<Past>,
    proof: Proof,
    repetition: Repetition,
    strategy: Strategy<P::Step>,
) -> anyhow::Result<String> {
    let winner = proof.winner(position.side());
    let document = Document::new(position, past, winner, repetition, strategy);
    Ok(document.map_err(|_| anyhow!("the proof leads back to where it began"))?.text())
}

/// By proof numbers, for positions `P` that are searched as `S`.
pub struct Count<'a, P: Notation, S, K> {
    prover: &'a mut Prover<P::Step>,
    past: &'a History,
    proof_past: Vec<Past>,
    position: P,
    knowledge: K,
    adapt: fn(&P) -> S,
    /// A turn of what is searched as one of the game.
    pub turn: fn(&[P::Step]) -> Vec<P::Step>,
    found: Option<Findings<P::Step>>,
}

impl<'a, P: Notation, S, K> Count<'a, P, S, K> {
    /// Begins in a game that has come to that position.
    pub fn new(
        prover: &'a mut Prover<P::Step>,
        game: &'a impl Course,
        position: P,
        knowledge: K,
        adapt: fn(&P) -> S,
    ) -> Count<'a, P, S, K>
    where
        P::Step: Send + Sync,
    {
        prover.clear();
        let (past, proof_past) = (game.history(), game.proof_past());
        let turn = <[P::Step]>::to_vec;
        Count { prover, past, proof_past, position, knowledge, adapt, turn, found: None }
    }
}

impl<P, S, K> Quest for Count<'_, P, S, K>
where
    P: Notation,
    P::Step: Send + Sync,
    S: game::Position<Step = P::Step> + Sync,
    K: Knowledge<S>,
{
    fn search(&mut self, limits: Limits, tell: &dyn Fn(String)) -> Found {
        let (position, stop) = ((self.adapt)(&self.position), Stop::new());
        let (past, knowledge) = (self.past, &self.knowledge);
        let task = Task { position: &position, past, knowledge, limits, stop: &stop };
        let found = self.prover.solve(&task, |found| tell(progress(found)));
        let turn =
            (!found.turn.is_empty()).then(|| self.position.turn_text(&(self.turn)(&found.turn)));
        let (proof, nodes) = (found.proof, found.nodes);
        self.found = Some(found);
        Found { proof, turn, nodes }
    }

    fn document(&mut self) -> anyhow::Result<String> {
        let Some((found, proof)) =
            self.found.as_ref().and_then(|found| Some((found, found.proof?)))
        else {
            return Err(anyhow!("there is nothing to prove"));
        };
        let repetition = Repetition::relied_on(found.by_repetition);
        let (adapt, turn, knowledge, prover) =
            (self.adapt, self.turn, &self.knowledge, &mut *self.prover);
        let stop = Stop::new();
        let mut prover = |position: &P, past: &History| {
            let position = adapt(position);
            let limits = Limits::default();
            let task = Task { position: &position, past, knowledge, limits, stop: &stop };
            Some(turn(&prover.winning_turn(&task)?))
        };
        let winner = proof.winner(self.position.side());
        let proved = prove(&self.position, winner, self.past, repetition, &mut prover);
        let strategy = proved.map_err(|gap| anyhow!(gap.text(&self.position)))?;
        document(self.position.clone(), self.proof_past.clone(), proof, repetition, strategy)
    }

    fn save(&self, mut out: &mut dyn Write) -> io::Result<()> {
        self.prover.save(&mut out)
    }

    fn load(&mut self, mut input: &mut dyn Read) -> io::Result<()> {
        self.prover.load(&mut input)
    }
}

/// How far a search by proof numbers has come.
fn progress<S: PackedStep>(found: &Findings<S>) -> String {
    let Findings { proof_number, disproof_number, nodes, .. } = found;
    format!(
        "proof number {proof_number}, disproof number {disproof_number}, {:.1} million positions",
        *nodes as f64 / 1e6
    )
}
