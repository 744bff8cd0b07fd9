//! How positions of Arimaa are solved.

use std::io::{self, Read, Write};

use anyhow::anyhow;
use arimaa::{Game, Hunt, Position, Step, Target};
use arimaa_ai::{Heuristics, HuntHeuristics, Solver, SolverResult, SolverTask};
use game::Turns;
use search::{Limits, ProofNumberSearch, ProofParameters, Stop};

use super::Arimaa;
use crate::error::WrongUse;
use crate::solving::{
    ByNumbers, Found, Method, ProofSearch, Proved, SearchPlan, SolveOptions, Solving, Writing,
};

impl Solving for Arimaa {
    fn method(options: &SolveOptions) -> anyhow::Result<Box<dyn Method<Arimaa>>> {
        new(options)
    }
}

/// How positions are solved.
struct ArimaaMethod {
    plan: SearchPlan,
    kind: MethodKind,
}

enum MethodKind {
    /// By the portfolio of threat-space searches and proof numbers.
    Auto(Box<Solver>),
    /// By proof numbers alone.
    ProofNumbers(Box<ProofNumberSearch<Step>>),
    /// By proof numbers, until a piece is captured.
    Hunt { search: Box<ProofNumberSearch<Step>>, target: Target },
}

/// The way that was asked for.
fn new(options: &SolveOptions) -> anyhow::Result<Box<dyn Method<Arimaa>>> {
    let target = options.target()?;
    let piece = target.strip_prefix("capture:");
    if target != "win" && piece.is_none() {
        let advice = format!("--target {target}: expected win, or a piece such as capture:mh5");
        return Err(WrongUse(advice).into());
    }
    let plan = options.plan(ProofParameters::default(), piece.is_none())?;
    let threads = options.threads.max(1);
    let Some(parameters) = plan.parameters else {
        let kind = MethodKind::Auto(Box::new(Solver::new(plan.memory, threads)));
        return Ok(Box::new(ArimaaMethod { plan, kind }));
    };
    if plan.turns.is_some() {
        let advice =
            "--turns is for --algorithm auto: proof-number search finds proofs of any length";
        return Err(WrongUse(advice.to_string()).into());
    }
    let target = piece.map(|piece| {
        piece.parse().map_err(|error| WrongUse(format!("--target {}: {error}", plan.target)))
    });
    let target = target.transpose()?;
    if target.is_none() {
        if let Some(method) = options.presets.arimaa(&plan, threads) {
            return Ok(method);
        }
        if parameters.lambda != 0 {
            let advice = "lambda=1: there is no search that gives up steps one by one";
            return Err(WrongUse(advice.to_string()).into());
        }
    }
    let search = Box::new(ProofNumberSearch::new(parameters, threads));
    let kind = match target {
        Some(target) => MethodKind::Hunt { search, target },
        None => MethodKind::ProofNumbers(search),
    };
    Ok(Box::new(ArimaaMethod { plan, kind }))
}

impl Method<Arimaa> for ArimaaMethod {
    fn plan(&self) -> &SearchPlan {
        &self.plan
    }

    fn begin<'a>(
        &'a mut self,
        game: &'a Game,
        most: Turns,
    ) -> anyhow::Result<Box<dyn ProofSearch + 'a>> {
        let position = *game.position();
        Ok(match &mut self.kind {
            MethodKind::Auto(solver) => {
                solver.forget();
                Box::new(Portfolio { solver, game, most, found: None, is_loaded: false })
            }
            MethodKind::ProofNumbers(search) => {
                let adapt = |position: &Position| *position;
                Box::new(ByNumbers::new(search, game, position, Heuristics::default(), adapt))
            }
            MethodKind::Hunt { search, target } => {
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
    is_loaded: bool,
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
        // A short search makes no reports of its own.
        tell(self.solver.progress().to_string());
        let board = self.game.position().board();
        let turn = result.turn.map(|turn| turn.notation(board));
        let nodes = result.nodes.saturating_sub(before).max(1);
        Found { proof: result.proof, turn, nodes, tree_is_full: false }
    }

    fn document(&mut self, limits: Limits, stop: &Stop) -> anyhow::Result<Proved> {
        let task = self.task(limits, stop);
        let Some((result, proof)) = self.found.and_then(|found| Some((found, found.proof?))) else {
            return Err(anyhow!("there is nothing to prove"));
        };
        let writing = Writing::new(limits, stop, self.is_loaded);
        let position = *self.game.position();
        let winner = proof.winner(position.side());
        let proved = self.solver.prove(&task, &result);
        let proved = proved.map_err(|gap| writing.fault(&gap.text(&position)))?;
        writing.document(position, self.game.repeatable_past(), winner, proved)
    }

    fn save(&self, mut out: &mut dyn Write) -> io::Result<()> {
        self.solver.save(&mut out)
    }

    fn load(&mut self, mut input: &mut dyn Read) -> io::Result<()> {
        self.is_loaded = true;
        self.solver.load(&mut input)
    }
}
