//! A search for a proof: its tree is looked at, its proof is walked through, and it is kept in a file to go on later.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::io::BufReader;
use std::sync::mpsc::Receiver;
use std::time::Duration;

use engine::{Limits, Parameter, Stop};
use game::{Game as _, PackedStep as _, Position as _, Proof, Side};
use search::{ChildView, ProofParameters, VertexView};
use serde::Deserialize;
use serde_json::{Value, json};
use workbench::{
    Algorithm, GameSpec, ProofSearch, SearchHeader, SolveOptions, SolverPresets, Step,
};

use crate::api::{Answer, Refusal};
use crate::board::{pieces, step_json};
use crate::games::{GameText, Served, letter};
use crate::kept::KeptSearches;
use crate::session::{Command, Explored, Session, Tell};
use crate::walk::walk;

/// What is asked of a solver.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SolveParameters {
    pub game: GameText,
    /// `auto`, `pns` or `dfpns`.
    algorithm: Option<String>,
    /// In seconds.
    time: Option<f64>,
    /// In MiB. The default is the memory of the kept search, or [`USUAL_MEMORY`].
    memory: Option<usize>,
    /// Parameters of proof-number search.
    #[serde(default)]
    set: BTreeMap<String, i64>,
    /// The name of a search that was kept, to go on with.
    saved: Option<String>,
}

/// How long the writing of a proof may take.
const PROOF_TIME: Duration = Duration::from_secs(60);

/// How long a solver searches if nobody says anything, in seconds.
const USUAL_TIME: f64 = 10.0;

/// In MiB.
const USUAL_MEMORY: usize = 128;
const MOST_MEMORY: usize = 512;

/// Parameters that the memory decides, or that the tree could not be looked at with.
const FIXED: [&str; 6] =
    ["depth_first", "lambda", "number_table", "proof_table", "table_bits", "tree"];

/// What can be set of proof-number search.
pub fn solver_parameters() -> impl Iterator<Item = Parameter> {
    let declared = ProofParameters::DECLARED.iter().copied();
    declared.filter(|parameter| !FIXED.contains(&parameter.name))
}

/// A search for a proof, and what it has found.
struct Proving<'a, S: GameSpec> {
    search: Box<dyn ProofSearch + 'a>,
    /// How a step of the search is played.
    play: fn(&mut S::Position, Step<S>),
    /// Whether the search goes on with a file: its result counts when its proof is checked.
    is_loaded: bool,
    tree_is_full: bool,
    game: &'a S::Game,
    header: SearchHeader,
    kept: &'a KeptSearches,
    nodes: u64,
    result: Option<Proof>,
    turn: Option<String>,
    proof: Option<String>,
    progress: RefCell<String>,
}

impl SolveParameters {
    /// The memory of the search, in MiB: as requested, or as the kept search has it.
    pub fn mebibytes(&self, kept: &KeptSearches) -> Result<usize, Refusal> {
        let header = match (self.memory, &self.saved) {
            (None, Some(name)) => Some(kept.header(name)?),
            _ => None,
        };
        Ok(self.memory_beside(header.as_ref()))
    }

    fn memory_beside(&self, kept: Option<&SearchHeader>) -> usize {
        let kept = kept.map(|kept| kept.memory.clamp(8, MOST_MEMORY));
        self.memory.or(kept).unwrap_or(USUAL_MEMORY)
    }

    fn options(
        &self,
        kept: Option<SearchHeader>,
        presets: &SolverPresets,
    ) -> Result<SolveOptions, Refusal> {
        let algorithm = match self.algorithm.as_deref() {
            None => None,
            Some("auto") => Some(Algorithm::Auto),
            Some("pns") => Some(Algorithm::Pns),
            Some("dfpns") => Some(Algorithm::Dfpns),
            Some(other) => {
                let fault = format!("algorithm {other:?}: expected auto, pns or dfpns");
                return Err(Refusal::new(fault));
            }
        };
        if self.memory.is_some_and(|memory| !(8..=MOST_MEMORY).contains(&memory)) {
            let fault = format!("memory: expected a number from 8 to {MOST_MEMORY}");
            return Err(Refusal::new(fault));
        }
        let memory = self.memory_beside(kept.as_ref());
        if let Some(name) = FIXED.iter().find(|name| self.set.contains_key(**name)) {
            return Err(Refusal::new(format!("set {name}: this one cannot be set here")));
        }
        let settings = self.set.iter().map(|(name, value)| (name.clone(), value.to_string()));
        Ok(SolveOptions {
            algorithm,
            target: Some("win".to_string()),
            memory: Some(memory),
            settings: settings.collect(),
            kept,
            presets: presets.clone(),
            ..SolveOptions::default()
        })
    }
}

impl<S: Served> Explored for Proving<'_, S> {
    const SLICE: Duration = Duration::from_millis(400);

    fn search(&mut self, time: Duration, stop: &Stop) -> Result<bool, Refusal> {
        let limits = Limits { hard: Some(time), ..Limits::default() };
        let progress = &self.progress;
        let found = self.search.search(limits, stop, &|text| *progress.borrow_mut() = text);
        self.nodes += found.nodes;
        self.tree_is_full = found.tree_is_full;
        let Some(proof) = found.proof else { return Ok(found.tree_is_full) };
        let limits = Limits { hard: Some(PROOF_TIME), ..Limits::default() };
        match self.search.document(limits, stop) {
            Ok(proved) => {
                (self.result, self.turn) = (Some(proved.result), proved.turn);
                self.proof = Some(proved.text);
            }
            Err(error) if self.is_loaded => return Err(refused(error)),
            Err(_) => (self.result, self.turn) = (Some(proof), found.turn),
        }
        Ok(true)
    }

    fn state(&self) -> Value {
        let (result, turns) = match self.result {
            None => (None, None),
            Some(Proof::Win(turns)) => (Some("win"), Some(turns.0)),
            Some(Proof::Loss(turns)) => (Some("loss"), Some(turns.0)),
        };
        // A file's word about the root counts when its proof is checked.
        let root = self.search.look(&[], 0, 0);
        let root = root.filter(|(vertex, _)| !self.is_unchecked(vertex));
        json!({
            "side": letter::<S>(self.game.position().side()),
            "nodes": self.nodes,
            "progress": *self.progress.borrow(),
            "reason": self.tree_is_full.then_some("the tree is full: give more memory"),
            "result": result,
            "turns": turns,
            "turn": self.turn,
            "root": root.map(|(vertex, _)| self.vertex_json(&vertex)),
            "proof": self.proof.as_ref().map(|proof| proof.lines().count()),
        })
    }

    fn walk(&self, turns: &[String]) -> Answer {
        match &self.proof {
            Some(proof) => walk::<S>(proof, turns),
            None => Err(Refusal::new("there is no proof to walk through yet")),
        }
    }

    fn save(&self, name: &str) -> Answer {
        let draft = self.header.save(self.kept.draft(name)?, |out| self.search.save(out));
        draft.map_err(Refusal::from_io)?.finish()?;
        Ok(json!({ "saved": name }))
    }

    /// A vertex with the board there, and its children.
    fn look(&self, path: &[String], from: usize, count: usize) -> Answer {
        let mut position = *self.game.position();
        let (mut packed, mut trail) = (Vec::with_capacity(path.len()), Vec::new());
        for text in path {
            let step = S::steps(&position)
                .into_iter()
                .find(|&step| S::step_text(&position, step) == *text);
            let step =
                step.ok_or_else(|| Refusal::new(format!("{text}: there is no such step here")))?;
            packed.push(step.pack());
            trail.push(step_json::<S>(&position, step));
            (self.play)(&mut position, step);
        }
        let found = self.search.look(&packed, from, count);
        let (vertex, children) = found.ok_or_else(|| {
            Refusal::new("that is not in the tree: only pns has one, and grown as far as it is")
        })?;
        let child = |(index, child): (usize, &ChildView)| {
            let step = Step::<S>::unpack(child.step);
            let text = step.map(|step| S::step_text(&position, step));
            let mut row = self.vertex_json(&child.vertex);
            row["text"] = json!(text);
            row["best"] = json!(from + index == 0);
            row
        };
        Ok(json!({
            "position": position.to_string(),
            "pieces": pieces::<S>(&position),
            "trail": trail,
            "vertex": self.vertex_json(&vertex),
            "children": children.iter().enumerate().map(child).collect::<Vec<Value>>(),
            "from": from,
        }))
    }
}

impl<S: GameSpec> Proving<'_, S> {
    /// A vertex as an object; numbers are for both sides, null where that side cannot win.
    fn vertex_json(&self, vertex: &VertexView) -> Value {
        let [first, second] = vertex.to_win;
        json!({
            "mover": letter::<S>(vertex.mover),
            "numbers": { &letter::<S>(Side::First): first, &letter::<S>(Side::Second): second },
            "winner": vertex.won.map(|(winner, _)| letter::<S>(winner)),
            "turns": vertex.won.map(|(_, turns)| turns),
            "unchecked": self.is_unchecked(vertex),
            "visits": vertex.visits,
            "children": vertex.children,
        })
    }

    /// Whether a vertex is decided by a loaded file, and no checked proof confirms it.
    fn is_unchecked(&self, vertex: &VertexView) -> bool {
        self.is_loaded && vertex.won.is_some() && self.result.is_none()
    }
}

/// Makes the search of a game and serves it. What it has found in the end is returned.
pub fn solve<S: Served>(
    presets: &SolverPresets,
    parameters: &SolveParameters,
    kept: &KeptSearches,
    commands: &Receiver<Command>,
    stop: &Stop,
    id: &str,
    tell: &Tell,
) -> Answer {
    let game = parameters.game.open::<S>()?.game;
    if game.setting_up().is_some() {
        return Err(Refusal::new("both sides must have set up"));
    }
    if let Some(ended) = game.ended() {
        return Err(Refusal::new(format!("the game is over: {}", ended.sentence)));
    }
    let saved = parameters.saved.as_deref();
    let open = |name: &str| kept.open(name).map(BufReader::new);
    let kept_header = match saved {
        Some(name) => Some(SearchHeader::read_whole(open(name)?).map_err(refused)?),
        None => None,
    };
    let options = parameters.options(kept_header, presets)?;
    let mut method = S::method(&options).map_err(refused)?;
    let header = SearchHeader::new(&game, method.plan());
    let (play, most) = (method.play_step(), method.plan().most_turns());
    let mut search = method.begin(&game, most).map_err(refused)?;
    if let Some(name) = saved {
        header.load(open(name)?, |input| search.load(input)).map_err(refused)?;
    }
    let proving = Proving::<S> {
        search,
        play,
        is_loaded: saved.is_some(),
        tree_is_full: false,
        game: &game,
        header,
        kept,
        nodes: 0,
        result: None,
        turn: None,
        proof: None,
        progress: RefCell::default(),
    };
    let mut session = Session::new(proving, parameters.time.unwrap_or(USUAL_TIME))?;
    session.serve(commands, stop, id, tell)
}

fn refused(error: anyhow::Error) -> Refusal {
    Refusal::new(format!("{error:#}"))
}
