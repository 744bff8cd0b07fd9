//! How positions of Arimaa are solved.

use std::io::{self, Read, Write};

use anyhow::anyhow;
use arimaa::{Game, Hunt, Position, Step, Target};
use arimaa_ai::{Heuristics, HuntHeuristics, LambdaPosition, Solver, SolverResult, SolverTask};
use game::Turns;
use search::{Limits, ProofNumberSearch, ProofParameters, Stop};

use super::Arimaa;
use crate::error::WrongUse;
use crate::solving::{
    Algorithm, ByNumbers, Found, Method, ProofSearch, SolveOptions, Solving, algorithm_of, document,
};

impl Solving for Arimaa {
    fn method(options: &SolveOptions) -> anyhow::Result<Box<dyn Method<Arimaa>>> {
        new(options)
    }
}

/// How positions are solved.
enum ArimaaMethod {
    /// By the portfolio of threat-space searches and proof numbers.
    Auto(Box<Solver>),
    /// By proof numbers alone; steps are given up one by one, or not.
    ProofNumbers { search: Box<ProofNumberSearch<Step>>, by_lambda: bool },
    /// By proof numbers, until a piece is captured.
    Hunt { search: Box<ProofNumberSearch<Step>>, target: Target },
}

/// The way that was asked for.
fn new(options: &SolveOptions) -> anyhow::Result<Box<dyn Method<Arimaa>>> {
    let parameters = options.parameters(ProofParameters::default())?;
    let threads = options.threads;
    let search = || Box::new(ProofNumberSearch::new(parameters, threads));
    let target = &options.target;
    if let Some(piece) = target.strip_prefix("capture:") {
        let wrong = |error| WrongUse(format!("--target {target}: {error}"));
        let target = piece.parse().map_err(wrong)?;
        return Ok(Box::new(ArimaaMethod::Hunt { search: search(), target }));
    }
    if target != "win" {
        let advice = format!("--target {target}: expected win, or a piece such as capture:mh5");
        return Err(WrongUse(advice).into());
    }
    if options.algorithm == Algorithm::Auto && options.preset.is_none() {
        let solver = Box::new(Solver::new(options.memory, threads));
        return Ok(Box::new(ArimaaMethod::Auto(solver)));
    }
    Ok(Box::new(ArimaaMethod::ProofNumbers { search: search(), by_lambda: parameters.lambda != 0 }))
}

impl Method<Arimaa> for ArimaaMethod {
    fn name(&self) -> &'static str {
        match self {
            ArimaaMethod::Auto(_) => "auto",
            ArimaaMethod::ProofNumbers { search, .. } | ArimaaMethod::Hunt { search, .. } => {
                algorithm_of(search)
            }
        }
    }

    fn begin<'a>(
        &'a mut self,
        game: &'a Game,
        most: Turns,
    ) -> anyhow::Result<Box<dyn ProofSearch + 'a>> {
        let position = *game.position();
        Ok(match self {
            ArimaaMethod::Auto(solver) => {
                solver.forget();
                Box::new(Portfolio { solver, game, most, found: None })
            }
            ArimaaMethod::ProofNumbers { search, by_lambda: false } => {
                let adapt = |position: &Position| *position;
                Box::new(ByNumbers::new(search, game, position, Heuristics::default(), adapt))
            }
            ArimaaMethod::ProofNumbers { search, by_lambda: true } => {
                let adapt = |position: &Position| LambdaPosition::new(*position);
                let mut search =
                    ByNumbers::new(search, game, position, Heuristics::default(), adapt);
                search.turn = LambdaPosition::turn;
                Box::new(search)
            }
            ArimaaMethod::Hunt { search, target } => {
                let hunt = Hunt::new(position, *target)?;
                Box::new(ByNumbers::new(search, game, hunt, HuntHeuristics, |hunt| *hunt))
            }
        })
    }
}

/// By the portfolio of threat-space searches and proof numbers.
struct Portfolio<'a> {
    solver: &'a mut Solver,
    game: &'a Game,
    most: Turns,
    found: Option<SolverResult>,
}

impl<'a> Portfolio<'a> {
    fn task<'b>(&self, limits: Limits, stop: &'b Stop) -> SolverTask<'b>
    where
        'a: 'b,
    {
        let (position, past) = (self.game.position(), self.game.history());
        SolverTask { position, past, limits, turns: self.most, stop }
    }
}

impl ProofSearch for Portfolio<'_> {
    fn search(&mut self, limits: Limits, stop: &Stop, tell: &dyn Fn(String)) -> Found {
        let before = self.solver.progress().nodes;
        let nodes = limits.nodes.map(|nodes| nodes.saturating_add(before));
        let task = self.task(Limits { nodes, ..limits }, stop);
        let result = self.solver.solve(&task, &mut |progress| tell(progress.to_string()));
        self.found = Some(result);
        let board = self.game.position().board();
        let turn = result.turn.map(|turn| turn.notation(board));
        let nodes = result.nodes.saturating_sub(before).max(1);
        Found { proof: result.proof, turn, nodes }
    }

    fn document(&mut self) -> anyhow::Result<String> {
        let stop = Stop::new();
        let task = self.task(Limits::default(), &stop);
        let Some((result, proof)) = self.found.and_then(|found| Some((found, found.proof?))) else {
            return Err(anyhow!("there is nothing to prove"));
        };
        let position = *self.game.position();
        let proved = self.solver.prove(&task, &result);
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
