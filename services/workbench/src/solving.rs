//! Solving: the search for the proof of one position, whatever its game.

use std::io::{self, Read, Write};
use std::time::Instant;

use anyhow::anyhow;
use engine::ParameterError;
use game::{History, Notation, PackedStep, Past, Position as _, Proof, Side, Turns};
use guard::check_memory;
use proof::{Document, Repetition, Strategy, StrategyNode, prove};
use search::{
    ChildView, Limits, ProofInfo, ProofNumberHeuristics, ProofNumberSearch, ProofParameters, Stop,
    Task, VertexView,
};

use crate::error::WrongUse;
use crate::{GameRecord, GameSpec, SearchHeader, SolverPresets, Step, listed};

/// How positions of a game are solved.
pub trait Solving: GameSpec {
    /// The way to solve that was asked for.
    fn method(options: &SolveOptions) -> anyhow::Result<Box<dyn Method<Self>>>;
}

/// What can be asked of a solver. What is left open is as in the kept search, or as usual.
#[derive(Clone, Debug, Default)]
pub struct SolveOptions {
    /// How to search.
    pub algorithm: Option<Algorithm>,
    /// What is to be proved: `win`, or `capture:mh5` in Arimaa.
    pub target: Option<String>,
    /// The most turns of the winner that a proof may take.
    pub turns: Option<u16>,
    /// For what is known, in MiB.
    pub memory: Option<usize>,
    /// How many threads search; 0 means one.
    pub threads: usize,
    /// A named set of parameters of proof-number search.
    pub preset: Option<ProofParameters>,
    /// Parameters of proof-number search and what they are set to.
    pub settings: Vec<(String, String)>,
    /// The search that is to go on.
    pub kept: Option<SearchHeader>,
    /// The presets there are: what is set of proof-number search may ask for a search of theirs.
    pub presets: SolverPresets,
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

/// A search in which nothing is left open.
#[derive(Clone, Debug)]
pub struct SearchPlan {
    /// The goal of the proof: `win`, or `capture:mh5` in Arimaa.
    pub target: String,
    /// The most turns of the winner that a proof may take.
    pub turns: Option<u16>,
    /// The memory of tables and tree, in MiB.
    pub memory: usize,
    /// How proof-number search works; nothing, if the search is Arimaa's portfolio.
    pub parameters: Option<ProofParameters>,
}

/// The default memory of a search, in MiB.
const USUAL_MEMORY: usize = 256;

/// Parameters that decide what the vertices and edges of a tree are: a kept search goes on with no others.
const SHAPE: [&str; 3] = ["lambda", "merge", "whole_turns"];

impl SearchPlan {
    /// What its state consists of, as files that keep it say: the word that --algorithm takes. A depth-first search
    /// with a tree is saved like a best-first one, and either goes on with what the other has saved.
    pub fn method(&self) -> &'static str {
        match &self.parameters {
            None => "auto",
            Some(parameters) if parameters.keeps_tree() => "pns",
            Some(_) => "dfpns",
        }
    }

    /// The most turns of the winner that a proof may take.
    pub fn most_turns(&self) -> Turns {
        Turns(self.turns.unwrap_or(u16::MAX))
    }
}

impl Algorithm {
    /// The search that parameters make.
    fn from_parameters(parameters: &ProofParameters) -> Algorithm {
        if parameters.depth_first != 0 { Algorithm::Dfpns } else { Algorithm::Pns }
    }

    /// The word that --algorithm takes.
    fn word(self) -> &'static str {
        match self {
            Algorithm::Auto => "auto",
            Algorithm::Pns => "pns",
            Algorithm::Dfpns => "dfpns",
        }
    }
}

impl SolveOptions {
    /// The goal of the proof: the requested one, that of the kept search, or `win`.
    pub fn target(&self) -> Result<&str, WrongUse> {
        let kept = self.kept.as_ref().map(|kept| kept.target.as_str());
        match (self.target.as_deref(), kept) {
            (Some(own), Some(kept)) if own != kept => {
                Err(misfit(&format!("--target {own}"), &format!("--target {kept}")))
            }
            (own, kept) => Ok(own.or(kept).unwrap_or("win")),
        }
    }

    /// The search that is asked for. `usual` is how proof-number search works in the game; `has_portfolio` says that
    /// `auto` is more than proof-number search.
    pub fn plan(&self, usual: ProofParameters, has_portfolio: bool) -> anyhow::Result<SearchPlan> {
        let kept = match &self.kept {
            Some(header) => header.parameters()?,
            None => None,
        };
        let algorithm = self.algorithm(kept.as_ref())?;
        let usual_memory = self.kept.as_ref().map_or(USUAL_MEMORY, |kept| kept.memory);
        let memory = self.memory.unwrap_or(usual_memory);
        let parameters = if algorithm == Algorithm::Auto && has_portfolio {
            if !self.settings.is_empty() {
                let advice = "--set is for proof-number search: add --algorithm pns or dfpns";
                return Err(WrongUse(advice.to_string()).into());
            }
            check_memory(memory).map_err(|error| WrongUse(error.to_string()))?;
            None
        } else {
            Some(self.parameters(usual, algorithm, kept, memory)?)
        };
        let memory = parameters.map_or(memory, |parameters| parameters.mebibytes());
        let turns = self.turns.or(self.kept.as_ref().and_then(|kept| kept.turns));
        let target = self.target()?.to_string();
        let plan = SearchPlan { target, turns, memory, parameters };
        if let Some(header) = &self.kept
            && header.method != plan.method()
        {
            let asked = format!("--algorithm {}", algorithm.word());
            return Err(misfit(&asked, &format!("--algorithm {}", header.method)).into());
        }
        Ok(plan)
    }

    /// How to search: as the options say, which must not contradict each other.
    fn algorithm(&self, kept: Option<&ProofParameters>) -> Result<Algorithm, WrongUse> {
        let of_preset = self.preset.as_ref().map(Algorithm::from_parameters);
        match (self.algorithm, of_preset) {
            (Some(own), Some(preset)) if own != preset => Err(WrongUse(format!(
                "--algorithm {}: the preset searches by {}; leave one of them out",
                own.word(),
                preset.word()
            ))),
            (own, preset) => {
                let kept = kept.map(Algorithm::from_parameters);
                Ok(own.or(preset).or(kept).unwrap_or(Algorithm::Auto))
            }
        }
    }

    /// How proof-number search works: as the preset, the kept search or the game has it, within the memory, and as
    /// the settings say.
    fn parameters(
        &self,
        usual: ProofParameters,
        algorithm: Algorithm,
        kept: Option<ProofParameters>,
        memory: usize,
    ) -> Result<ProofParameters, WrongUse> {
        let depth_first = i32::from(algorithm != Algorithm::Pns);
        let base = match self.preset.or(kept) {
            Some(base) => {
                let base = ProofParameters { depth_first, ..base };
                match self.memory {
                    None => base,
                    Some(memory) if base.mebibytes() == 0 => self.shared(base, memory)?,
                    Some(memory) => base.scaled_to(memory),
                }
            }
            None => self.shared(ProofParameters { depth_first, ..usual }, memory)?,
        };
        let parameters = self.with_settings(base)?;
        if self.algorithm.is_some() && parameters.depth_first != depth_first {
            let (set, word) = (parameters.depth_first, algorithm.word());
            let fault = format!("--set depth_first={set}: it contradicts --algorithm {word}");
            return Err(WrongUse(fault));
        }
        self.check_sizes(&parameters)?;
        if let Some(kept) = kept {
            let values = parameters.values().zip(kept.values());
            for ((name, own), (_, kept)) in values {
                if SHAPE.contains(&name) && own != kept {
                    return Err(misfit(&format!("{name}={own}"), &format!("{name}={kept}")));
                }
            }
        }
        Ok(parameters)
    }

    /// Divides the memory among the tables and the tree.
    fn shared(&self, usual: ProofParameters, memory: usize) -> Result<ProofParameters, WrongUse> {
        let share = |parts: usize| (memory * parts / 8) as i32;
        let (number_table, proof_table, tree) = match self.with_settings(usual)?.keeps_tree() {
            true => (share(2), share(2), share(4)),
            false => (share(6), share(2), 0),
        };
        Ok(ProofParameters { number_table, proof_table, tree, ..usual })
    }

    /// Refuses sizes that do not fit the memory, and marks of garbage collection that do not fit the tree.
    fn check_sizes(&self, parameters: &ProofParameters) -> Result<(), WrongUse> {
        let needed = parameters.mebibytes();
        if let Some(memory) = self.memory
            && needed > memory
        {
            return Err(WrongUse(format!(
                "--memory {memory}MiB: the tables and the tree are set to {needed} MiB; give more memory or smaller sizes"
            )));
        }
        check_memory(needed).map_err(|error| WrongUse(error.to_string()))?;
        let ProofParameters { gc, gc_high, gc_low, tree, .. } = *parameters;
        if !parameters.keeps_tree() || gc == 0 {
            return Ok(());
        }
        let most = parameters.most_vertices();
        if gc_high as usize > most {
            return Err(WrongUse(format!(
                "gc_high={gc_high}: a tree of {tree} MiB has room for {most} vertices; set gc_high lower, or tree higher"
            )));
        }
        let high = if gc_high == 0 { most } else { gc_high as usize };
        if gc_low as usize > high {
            return Err(WrongUse(format!(
                "gc_low={gc_low}: garbage is collected at {high} vertices already; set gc_low lower"
            )));
        }
        Ok(())
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

/// Why a kept search cannot go on as it is asked to.
fn misfit(asked: &str, kept: &str) -> WrongUse {
    WrongUse(format!(
        "{asked}: the search that was kept has {kept}, and does not go on with another; \
         leave it out, or begin a new search"
    ))
}

/// A way to solve positions of a game.
pub trait Method<S: GameSpec> {
    /// The search that it makes.
    fn plan(&self) -> &SearchPlan;

    /// How a step of the search is played on a board.
    fn play_step(&self) -> fn(&mut S::Position, Step<S>) {
        |position, step| position.play(step)
    }

    /// Begins with a position, of which nothing is known; a win may take so many turns at most.
    fn begin<'a>(
        &'a mut self,
        game: &'a S::Game,
        most: Turns,
    ) -> anyhow::Result<Box<dyn ProofSearch + 'a>>;
}

/// The search for the proof of one position.
pub trait ProofSearch {
    /// Searches until a proof or a limit, or until it is asked to stop; asked again, it goes on.
    fn search(&mut self, limits: Limits, stop: &Stop, tell: &dyn Fn(String)) -> Found;
    /// The proof of what was found last, within these limits of time. Of a search that was loaded, it is checked by
    /// the rules: nothing else says that what was loaded is true.
    fn document(&mut self, limits: Limits, stop: &Stop) -> anyhow::Result<Proved>;
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
    /// Whether it has ended because the tree has no room: it would not go on.
    pub tree_is_full: bool,
}

/// A proof that was written down.
pub struct Proved {
    /// The result, for the side to move.
    pub result: Proof,
    /// The winning turn.
    pub turn: Option<String>,
    /// Its text.
    pub text: String,
}

/// How a proof is written down: until when, and whether it rests on what was loaded.
pub struct Writing<'a> {
    begin: Instant,
    limits: Limits,
    stop: &'a Stop,
    is_loaded: bool,
}

impl<'a> Writing<'a> {
    /// The time begins now.
    pub fn new(limits: Limits, stop: &'a Stop, is_loaded: bool) -> Writing<'a> {
        Writing { begin: Instant::now(), limits, stop, is_loaded }
    }

    /// The rest of the time.
    fn left(&self) -> Limits {
        let hard = self.limits.hard.map(|time| time.saturating_sub(self.begin.elapsed()));
        Limits { hard, ..Limits::default() }
    }

    fn must_stop(&self) -> bool {
        self.stop.is_requested() || self.left().hard.is_some_and(|left| left.is_zero())
    }

    /// The text of a strategy for a position that has this past.
    pub fn document<P: Notation>(
        &self,
        position: P,
        past: Vec<Past>,
        winner: Side,
        (strategy, repetition): (Strategy<P::Step>, Repetition),
    ) -> anyhow::Result<Proved> {
        let turn = match strategy.root.and_then(|root| strategy.node(root)) {
            Some(StrategyNode::Attack { turn, .. }) => Some(position.turn_text(turn)),
            _ => None,
        };
        let document = Document::new(position, past, winner, repetition, strategy);
        let document = document.map_err(|_| self.fault("the proof leads back to itself"))?;
        if self.is_loaded {
            let checked = document.check_until(&|| self.must_stop());
            checked.map_err(|error| self.fault(&error.text(&document.position)))?;
        }
        Ok(Proved { result: document.result, turn, text: document.text() })
    }

    /// Why there is no proof.
    pub fn fault(&self, why: &str) -> anyhow::Error {
        if self.stop.is_requested() {
            anyhow!("interrupted before the proof was complete")
        } else if self.must_stop() && self.is_loaded {
            anyhow!(
                "the result of the kept search could not be proved in time: give it more time; if that does not help, the \
                 kept search is damaged"
            )
        } else if self.must_stop() {
            anyhow!("the proof is not complete within its time: give it more time")
        } else if self.is_loaded {
            anyhow!("the kept search is damaged: its result has no proof ({why}); begin anew")
        } else {
            anyhow!("{why}")
        }
    }
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
    is_loaded: bool,
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
        let (found, is_loaded) = (None, false);
        ByNumbers { search, past, proof_past, position, heuristics, adapt, turn, found, is_loaded }
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
        // A short search makes no reports of its own.
        tell(progress(&found));
        let ProofInfo { proof, nodes, tree_is_full, .. } = found;
        self.found = Some(found);
        Found { proof, turn, nodes, tree_is_full }
    }

    fn document(&mut self, limits: Limits, stop: &Stop) -> anyhow::Result<Proved> {
        let Some((found, proof)) =
            self.found.as_ref().and_then(|found| Some((found, found.proof?)))
        else {
            return Err(anyhow!("there is nothing to prove"));
        };
        let writing = Writing::new(limits, stop, self.is_loaded);
        let repetition = Repetition::relied_on(found.by_repetition);
        let (adapt, turn, heuristics, search) =
            (self.adapt, self.turn, &self.heuristics, &mut *self.search);
        let mut source = |position: &P, past: &History| {
            let (position, limits) = (adapt(position), writing.left());
            let task = Task { position: &position, past, heuristics, limits, stop };
            if writing.must_stop() { None } else { Some(turn(&search.winning_turn(&task)?)) }
        };
        let winner = proof.winner(self.position.side());
        let proved = prove(&self.position, winner, self.past, repetition, &mut source);
        let strategy = proved.map_err(|gap| writing.fault(&gap.text(&self.position)))?;
        let (position, past) = (self.position.clone(), self.proof_past.clone());
        writing.document(position, past, winner, (strategy, repetition))
    }

    fn save(&self, mut out: &mut dyn Write) -> io::Result<()> {
        self.search.save(&mut out)
    }

    fn load(&mut self, mut input: &mut dyn Read) -> io::Result<()> {
        self.search.load(&mut input)?;
        self.is_loaded = true;
        if self.search.fits(&(self.adapt)(&self.position)) {
            return Ok(());
        }
        self.search.clear();
        Err(io::Error::new(io::ErrorKind::InvalidData, "the tree does not follow the rules"))
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
