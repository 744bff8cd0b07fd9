//! Solving: the search for the proof of one position, whatever its game.

use std::io::{self, Read, Write};

use anyhow::anyhow;
use engine::{ParameterError, check_memory};
use game::{History, PackedStep, Proof, Turns};
use proof::{Document, Notation, Past, Repetition, Strategy, prove};
use search::{
    ChildView, Limits, ProofInfo, ProofNumberHeuristics, ProofNumberSearch, ProofParameters, Stop,
    Task, VertexView,
};

use crate::error::WrongUse;
use crate::{GameRecord, GameSpec, listed};

/// How positions of a game are solved.
pub trait Solving: GameSpec {
    /// The way to solve that was asked for.
    fn method(options: &SolveOptions) -> anyhow::Result<Box<dyn Method<Self>>>;
}

/// What can be asked of a solver.
#[derive(Clone, Debug)]
pub struct SolveOptions {
    /// How to search.
    pub algorithm: Algorithm,
    /// What is to be proved: `win`, or `capture:mh5` in Arimaa.
    pub target: String,
    /// The most turns of the winner that a proof may take.
    pub turns: Option<u16>,
    /// For what is known, in MiB.
    pub memory: usize,
    /// How many threads search.
    pub threads: usize,
    /// A named set of parameters of proof-number search.
    pub preset: Option<ProofParameters>,
    /// Parameters of proof-number search and what they are set to.
    pub settings: Vec<(String, String)>,
}

/// The searches there are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Algorithm {
    /// All that Tusk knows of the game, then proof numbers.
    Auto,
    /// Proof-number search, best first.
    Pns,
    /// Proof-number search, depth first.
    Dfpns,
}

impl SolveOptions {
    /// How proof-number search works: as the preset and the settings say, within the memory;
    /// else as is usual in the game.
    pub fn parameters(&self, usual: ProofParameters) -> Result<ProofParameters, WrongUse> {
        let share = |parts: usize| (self.memory * parts / 8) as i32;
        let depth_first = i32::from(self.algorithm != Algorithm::Pns);
        let usual = ProofParameters { depth_first, ..usual };
        let (number_table, proof_table, tree) = match self.with_settings(usual)?.keeps_tree() {
            true => (share(2), share(2), share(4)),
            false => (share(6), share(2), 0),
        };
        let sized = ProofParameters { number_table, proof_table, tree, ..usual };
        let parameters = self.with_settings(self.preset.unwrap_or(sized))?;
        let ProofParameters { number_table, proof_table, tree, .. } = parameters;
        let sum = [number_table, proof_table, tree].iter().map(|&size| size as usize).sum();
        check_memory(sum).map_err(|error| WrongUse(error.to_string()))?;
        Ok(parameters)
    }

    /// These parameters with what was set by name.
    fn with_settings(&self, mut parameters: ProofParameters) -> Result<ProofParameters, WrongUse> {
        for (name, value) in &self.settings {
            parameters.set(name, value).map_err(|error| {
                let advice = match error {
                    ParameterError::Unknown => {
                        let names = ProofParameters::DECLARED.iter().map(|declared| declared.name);
                        format!("; there are: {}", listed(names))
                    }
                    _ => String::new(),
                };
                WrongUse(format!("--set {name}={value}: {error}{advice}"))
            })?;
        }
        Ok(parameters)
    }
}

/// A way to solve positions of a game.
pub trait Method<S: GameSpec> {
    /// Its name in files that keep a search: the word that --algorithm takes.
    fn name(&self) -> &'static str;

    /// Begins with a position, of which nothing is known; a win may take so many turns at most.
    fn begin<'a>(
        &'a mut self,
        game: &'a S::Game,
        most: Turns,
    ) -> anyhow::Result<Box<dyn ProofSearch + 'a>>;
}

/// The name of a search by proof numbers: the word that --algorithm takes. A depth-first search with a tree is saved
/// like a best-first one, and either goes on with what the other has saved.
pub fn algorithm_of<Step>(search: &ProofNumberSearch<Step>) -> &'static str {
    match search {
        ProofNumberSearch::WithTree(_) => "pns",
        ProofNumberSearch::TablesOnly(_) => "dfpns",
    }
}

/// The search for the proof of one position.
pub trait ProofSearch {
    /// Searches until a proof or a limit, or until it is asked to stop; asked again, it goes on.
    fn search(&mut self, limits: Limits, stop: &Stop, tell: &dyn Fn(String)) -> Found;
    /// The proof of what was found last, as text.
    fn document(&mut self) -> anyhow::Result<String>;
    /// Writes out what it knows.
    fn save(&self, out: &mut dyn Write) -> io::Result<()>;
    /// Goes on with what was written out.
    fn load(&mut self, input: &mut dyn Read) -> io::Result<()>;
    /// The vertex that packed steps lead to from the root, and some of its children, the most promising first; nothing,
    /// where there is no tree, or not that vertex.
    fn look(
        &self,
        _path: &[u16],
        _from: usize,
        _count: usize,
    ) -> Option<(VertexView, Vec<ChildView>)> {
        None
    }
}

/// What a search has found, and how many boards it has looked at since it was asked.
pub struct Found {
    /// Who wins, if that is proved.
    pub proof: Option<Proof>,
    /// The winning turn.
    pub turn: Option<String>,
    /// How many boards it has looked at.
    pub nodes: u64,
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
pub struct ByNumbers<'a, P: Notation, S, K> {
    search: &'a mut ProofNumberSearch<P::Step>,
    past: &'a History,
    proof_past: Vec<Past>,
    position: P,
    heuristics: K,
    adapt: fn(&P) -> S,
    /// A turn of what is searched as one of the game.
    pub turn: fn(&[P::Step]) -> Vec<P::Step>,
    found: Option<ProofInfo<P::Step>>,
}

impl<'a, P: Notation, S, K> ByNumbers<'a, P, S, K> {
    /// Begins in a game that has come to that position.
    pub fn new(
        search: &'a mut ProofNumberSearch<P::Step>,
        game: &'a impl GameRecord,
        position: P,
        heuristics: K,
        adapt: fn(&P) -> S,
    ) -> ByNumbers<'a, P, S, K>
    where
        P::Step: Send + Sync,
    {
        search.clear();
        let (past, proof_past) = (game.history(), game.proof_past());
        let turn = <[P::Step]>::to_vec;
        ByNumbers { search, past, proof_past, position, heuristics, adapt, turn, found: None }
    }
}

impl<P, S, K> ProofSearch for ByNumbers<'_, P, S, K>
where
    P: Notation,
    P::Step: Send + Sync,
    S: game::Position<Step = P::Step> + Sync,
    K: ProofNumberHeuristics<S>,
{
    fn search(&mut self, limits: Limits, stop: &Stop, tell: &dyn Fn(String)) -> Found {
        let position = (self.adapt)(&self.position);
        let (past, heuristics) = (self.past, &self.heuristics);
        let task = Task { position: &position, past, heuristics, limits, stop };
        let found = self.search.solve(&task, |found| tell(progress(found)));
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
        let (adapt, turn, heuristics, search) =
            (self.adapt, self.turn, &self.heuristics, &mut *self.search);
        let stop = Stop::new();
        let mut source = |position: &P, past: &History| {
            let position = adapt(position);
            let limits = Limits::default();
            let task = Task { position: &position, past, heuristics, limits, stop: &stop };
            Some(turn(&search.winning_turn(&task)?))
        };
        let winner = proof.winner(self.position.side());
        let proved = prove(&self.position, winner, self.past, repetition, &mut source);
        let strategy = proved.map_err(|gap| anyhow!(gap.text(&self.position)))?;
        document(self.position.clone(), self.proof_past.clone(), proof, repetition, strategy)
    }

    fn save(&self, mut out: &mut dyn Write) -> io::Result<()> {
        self.search.save(&mut out)
    }

    fn load(&mut self, mut input: &mut dyn Read) -> io::Result<()> {
        self.search.load(&mut input)
    }

    fn look(
        &self,
        path: &[u16],
        from: usize,
        count: usize,
    ) -> Option<(VertexView, Vec<ChildView>)> {
        self.search.look(path, from, count)
    }
}

/// How far a search by proof numbers has come.
fn progress<S: PackedStep>(found: &ProofInfo<S>) -> String {
    let ProofInfo { proof_number, disproof_number, nodes, .. } = found;
    format!(
        "proof number {proof_number}, disproof number {disproof_number}, {:.1} million positions",
        *nodes as f64 / 1e6
    )
}
