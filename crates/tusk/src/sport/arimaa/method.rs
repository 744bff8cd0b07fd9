//! How positions of Arimaa are solved.

use std::io::{self, Read, Write};

use anyhow::anyhow;
use arimaa::{Game, Hunt, Position, Step, Target};
use arimaa_ai::{Chase, Finding, OneByOne, Question, Sense, Solver};
use game::Turns;
use search::{Limits, Prover, Stop};

use super::Arimaa;
use crate::WrongUse;
use crate::solve::{Algorithm, Arguments, Count, Found, Method, Quest, document};

/// How positions are solved.
enum ArimaaMethod {
    /// By attacks and proof numbers.
    Auto(Box<Solver>),
    /// By proof numbers alone; steps are given up one by one, or not.
    Numbers { prover: Box<Prover<Step>>, one_by_one: bool },
    /// By proof numbers, until a piece is captured.
    Hunt { prover: Box<Prover<Step>>, target: Target },
}

/// The way that was asked for.
pub fn new(arguments: &Arguments) -> anyhow::Result<Box<dyn Method<Arimaa>>> {
    let parameters = arguments.parameters()?;
    let threads = usize::from(arguments.threads);
    let prover = || Box::new(Prover::new(parameters, threads));
    let target = &arguments.target;
    if let Some(piece) = target.strip_prefix("capture:") {
        let wrong = |error| WrongUse(format!("--target {target}: {error}"));
        let target = piece.parse().map_err(wrong)?;
        return Ok(Box::new(ArimaaMethod::Hunt { prover: prover(), target }));
    }
    if target != "win" {
        let advice = format!("--target {target}: expected win, or a piece such as capture:mh5");
        return Err(WrongUse(advice).into());
    }
    if arguments.algorithm == Algorithm::Auto && arguments.preset.is_none() {
        let solver = Box::new(Solver::new(arguments.memory, threads));
        return Ok(Box::new(ArimaaMethod::Auto(solver)));
    }
    Ok(Box::new(ArimaaMethod::Numbers { prover: prover(), one_by_one: parameters.lambda != 0 }))
}

impl Method<Arimaa> for ArimaaMethod {
    fn name(&self) -> &'static str {
        match self {
            ArimaaMethod::Auto(_) => "auto",
            ArimaaMethod::Numbers { .. } | ArimaaMethod::Hunt { .. } => "numbers",
        }
    }

    fn begin<'a>(&'a mut self, game: &'a Game, most: Turns) -> anyhow::Result<Box<dyn Quest + 'a>> {
        let position = *game.position();
        Ok(match self {
            ArimaaMethod::Auto(solver) => {
                solver.forget();
                Box::new(Struggle { solver, game, most, found: None })
            }
            ArimaaMethod::Numbers { prover, one_by_one: false } => {
                let adapt = |position: &Position| *position;
                Box::new(Count::new(prover, game, position, Sense::default(), adapt))
            }
            ArimaaMethod::Numbers { prover, one_by_one: true } => {
                let adapt = |position: &Position| OneByOne::new(*position);
                let mut quest = Count::new(prover, game, position, Sense::default(), adapt);
                quest.turn = OneByOne::turn;
                Box::new(quest)
            }
            ArimaaMethod::Hunt { prover, target } => {
                let hunt = Hunt::new(position, *target)?;
                Box::new(Count::new(prover, game, hunt, Chase, |hunt| *hunt))
            }
        })
    }
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
        document(position, self.game.proof_past(), proof, repetition, strategy)
    }

    fn save(&self, mut out: &mut dyn Write) -> io::Result<()> {
        self.solver.save(&mut out)
    }

    fn load(&mut self, mut input: &mut dyn Read) -> io::Result<()> {
        self.solver.load(&mut input)
    }
}
