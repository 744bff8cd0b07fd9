use std::io::{self, Read, Write};
use std::time::{Duration, Instant};

use anyhow::anyhow;
use arimaa::{Game, Hunt, Position, Step, Target};
use arimaa_ai::{Chase, Finding, OneByOne, Question, Sense, Solver};
use game::{History, PackedStep, Proof, Turns};
use proof::{Document, Notation, Repetition, Strategy, prove};
use search::{Findings, Knowledge, Limits, Prover, Stop, Task};

use super::saved::{Header, Saved};
use super::{Algorithm, Arguments};
use crate::WrongUse;

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

/// How positions are solved.
pub enum Method {
    /// By attacks and proof numbers.
    Auto(Box<Solver>),
    /// By proof numbers alone; steps are given up one by one, or not.
    Numbers { prover: Box<Prover<Step>>, one_by_one: bool },
    /// By proof numbers, until a piece is captured.
    Hunt { prover: Box<Prover<Step>>, target: Target },
}

impl Method {
    pub fn new(arguments: &Arguments) -> anyhow::Result<Method> {
        let parameters = arguments.parameters()?;
        let threads = usize::from(arguments.threads);
        let prover = || Box::new(Prover::new(parameters, threads));
        let target = &arguments.target;
        if let Some(piece) = target.strip_prefix("capture:") {
            let wrong = |error| WrongUse(format!("--target {target}: {error}"));
            return Ok(Method::Hunt { prover: prover(), target: piece.parse().map_err(wrong)? });
        }
        if target != "win" {
            let advice = format!("--target {target}: expected win, or a piece such as capture:mh5");
            return Err(WrongUse(advice).into());
        }
        if arguments.algorithm == Algorithm::Auto && arguments.preset.is_none() {
            return Ok(Method::Auto(Box::new(Solver::new(arguments.memory, threads))));
        }
        Ok(Method::Numbers { prover: prover(), one_by_one: parameters.lambda != 0 })
    }

    /// Its name in files that keep a search.
    fn name(&self) -> &'static str {
        match self {
            Method::Auto(_) => "auto",
            Method::Numbers { .. } | Method::Hunt { .. } => "numbers",
        }
    }

    /// Solves a position, from nothing or from what a file has kept.
    pub fn solve(
        &mut self,
        game: &Game,
        arguments: &Arguments,
        tell: &dyn Fn(String),
    ) -> anyhow::Result<Solved> {
        let header = Header::new(game, &arguments.target, self.name());
        let position = *game.position();
        match self {
            Method::Auto(solver) => {
                solver.forget();
                let most = arguments.most_turns();
                let mut quest = Struggle { solver, game, most, found: None };
                solve(&mut quest, game, header, arguments, tell)
            }
            Method::Numbers { prover, one_by_one: false } => {
                let mut quest =
                    Count::new(prover, game, position, Sense::default(), |position| *position);
                solve(&mut quest, game, header, arguments, tell)
            }
            Method::Numbers { prover, one_by_one: true } => {
                let adapt = |position: &Position| OneByOne::new(*position);
                let mut quest = Count::new(prover, game, position, Sense::default(), adapt);
                quest.turn = OneByOne::turn;
                solve(&mut quest, game, header, arguments, tell)
            }
            Method::Hunt { prover, target } => {
                let hunt = Hunt::new(position, *target)?;
                let mut quest = Count::new(prover, game, hunt, Chase, |hunt| *hunt);
                solve(&mut quest, game, header, arguments, tell)
            }
        }
    }
}

/// The search for the proof of one position.
trait Quest {
    /// Searches until a proof or a limit; asked again, it goes on.
    fn search(&mut self, limits: Limits, tell: &dyn Fn(String)) -> Found;
    /// The proof of what was found last, as text.
    fn document(&mut self) -> anyhow::Result<String>;
    fn save(&self, out: &mut dyn Write) -> io::Result<()>;
    fn load(&mut self, input: &mut dyn Read) -> io::Result<()>;
}

/// What a search has found, and how many boards it has looked at since it was asked.
struct Found {
    proof: Option<Proof>,
    turn: Option<String>,
    nodes: u64,
}

/// How often a search is kept that is to be kept.
const SAVE_EVERY: Duration = Duration::from_secs(60);

fn solve(
    quest: &mut dyn Quest,
    game: &Game,
    header: Header,
    arguments: &Arguments,
    tell: &dyn Fn(String),
) -> anyhow::Result<Solved> {
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

/// The text of a proof.
fn text<P: Notation>(
    position: P,
    game: &Game,
    proof: Proof,
    repetition: Repetition,
    strategy: Strategy<P::Step>,
) -> anyhow::Result<String> {
    let winner = proof.winner(position.side());
    let document = Document::new(position, game.proof_past(), winner, repetition, strategy);
    Ok(document.map_err(|_| anyhow!("the proof leads back to where it began"))?.text())
}

/// By attacks and proof numbers.
struct Struggle<'a> {
    solver: &'a mut Solver,
    game: &'a Game,
    most: Turns,
    found: Option<Finding>,
}

impl<'a> Struggle<'a> {
    fn question<'b>(&self, limits: Limits, stop: &'b Stop) -> Question<'b>
    where
        'a: 'b,
    {
        let (position, past) = (self.game.position(), self.game.history());
        Question { position, past, limits, turns: self.most, stop }
    }
}

impl Quest for Struggle<'_> {
    fn search(&mut self, limits: Limits, tell: &dyn Fn(String)) -> Found {
        let stop = Stop::new();
        let before = self.solver.progress().nodes;
        let nodes = limits.nodes.map(|nodes| nodes.saturating_add(before));
        let question = self.question(Limits { nodes, ..limits }, &stop);
        let finding = self.solver.solve(&question, &mut |progress| tell(progress.to_string()));
        self.found = Some(finding);
        let board = self.game.position().board();
        let turn = finding.turn.map(|turn| turn.notation(board));
        let nodes = finding.nodes.saturating_sub(before).max(1);
        Found { proof: finding.proof, turn, nodes }
    }

    fn document(&mut self) -> anyhow::Result<String> {
        let stop = Stop::new();
        let question = self.question(Limits::default(), &stop);
        let Some((finding, proof)) = self.found.and_then(|found| Some((found, found.proof?)))
        else {
            return Err(anyhow!("there is nothing to prove"));
        };
        let position = *self.game.position();
        let proved = self.solver.prove(&question, &finding);
        let (strategy, repetition) = proved.map_err(|gap| anyhow!(gap.text(&position)))?;
        text(position, self.game, proof, repetition, strategy)
    }

    fn save(&self, mut out: &mut dyn Write) -> io::Result<()> {
        self.solver.save(&mut out)
    }

    fn load(&mut self, mut input: &mut dyn Read) -> io::Result<()> {
        self.solver.load(&mut input)
    }
}

/// By proof numbers, for positions `P` that are searched as `S`.
struct Count<'a, P: Notation, S, K> {
    prover: &'a mut Prover<P::Step>,
    game: &'a Game,
    position: P,
    knowledge: K,
    adapt: fn(&P) -> S,
    /// A turn of what is searched as one of the game.
    turn: fn(&[P::Step]) -> Vec<P::Step>,
    found: Option<Findings<P::Step>>,
}

impl<'a, P: Notation, S, K> Count<'a, P, S, K> {
    fn new(
        prover: &'a mut Prover<P::Step>,
        game: &'a Game,
        position: P,
        knowledge: K,
        adapt: fn(&P) -> S,
    ) -> Count<'a, P, S, K>
    where
        P::Step: Send + Sync,
    {
        prover.clear();
        Count { prover, game, position, knowledge, adapt, turn: <[P::Step]>::to_vec, found: None }
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
        let (past, knowledge) = (self.game.history(), &self.knowledge);
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
        let proved = prove(&self.position, winner, self.game.history(), repetition, &mut prover);
        let strategy = proved.map_err(|gap| anyhow!(gap.text(&self.position)))?;
        text(self.position.clone(), self.game, proof, repetition, strategy)
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
