//! A search for a proof: its tree is looked at, its proof is walked through, and it is kept in a file to go on later.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::BufReader;
use std::sync::mpsc::Receiver;
use std::time::Duration;

use engine::{Limits, Parameter, Stop};
use game::{Game as _, PackedStep as _, Position as _, Proof, Side, Turns};
use search::{ChildView, ProofParameters, VertexView};
use serde::Deserialize;
use serde_json::{Value, json};
use workbench::{Algorithm, GameSpec, ProofSearch, SearchHeader, SolveOptions, Step};

use crate::api::{Answer, Refusal};
use crate::board::{pieces, trail};
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
    /// In MiB.
    memory: Option<usize>,
    /// Parameters of proof-number search.
    #[serde(default)]
    set: BTreeMap<String, i64>,
    /// The name of a search that was kept, to go on with.
    saved: Option<String>,
}

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
    /// The memory of the search, in MiB.
    pub fn mebibytes(&self) -> usize {
        self.memory.unwrap_or(USUAL_MEMORY)
    }

    fn options(&self) -> Result<SolveOptions, Refusal> {
        let algorithm = match self.algorithm.as_deref() {
            None | Some("auto") => Algorithm::Auto,
            Some("pns") => Algorithm::Pns,
            Some("dfpns") => Algorithm::Dfpns,
            Some(other) => {
                let fault = format!("algorithm {other:?}: expected auto, pns or dfpns");
                return Err(Refusal::new(fault));
            }
        };
        let memory = self.mebibytes();
        if !(8..=MOST_MEMORY).contains(&memory) {
            let fault = format!("memory: expected a number from 8 to {MOST_MEMORY}");
            return Err(Refusal::new(fault));
        }
        if let Some(name) = FIXED.iter().find(|name| self.set.contains_key(**name)) {
            return Err(Refusal::new(format!("set {name}: this one cannot be set here")));
        }
        let settings = self.set.iter().map(|(name, value)| (name.clone(), value.to_string()));
        Ok(SolveOptions {
            algorithm,
            target: "win".to_string(),
            turns: None,
            memory,
            threads: 1,
            preset: None,
            settings: settings.collect(),
        })
    }
}

impl<S: Served> Explored for Proving<'_, S> {
    const SLICE: Duration = Duration::from_millis(400);

    fn search(&mut self, time: Duration, stop: &Stop) -> bool {
        let limits = Limits { hard: Some(time), ..Limits::default() };
        let progress = &self.progress;
        let found = self.search.search(limits, stop, &|text| *progress.borrow_mut() = text);
        self.nodes += found.nodes;
        if let Some(proof) = found.proof {
            self.result = Some(proof);
            self.turn = found.turn;
            self.proof = self.search.document().ok();
        }
        self.result.is_some()
    }

    fn state(&self) -> Value {
        let (result, turns) = match self.result {
            None => (None, None),
            Some(Proof::Win(turns)) => (Some("win"), Some(turns.0)),
            Some(Proof::Loss(turns)) => (Some("loss"), Some(turns.0)),
        };
        let root = self.search.look(&[], 0, 0);
        json!({
            "side": letter::<S>(self.game.position().side()),
            "nodes": self.nodes,
            "progress": *self.progress.borrow(),
            "result": result,
            "turns": turns,
            "turn": self.turn,
            "root": root.map(|(vertex, _)| vertex_json::<S>(&vertex)),
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
        let mut packed = Vec::with_capacity(path.len());
        for text in path {
            let step = S::steps(&position)
                .into_iter()
                .find(|&step| S::step_text(&position, step) == *text);
            let step =
                step.ok_or_else(|| Refusal::new(format!("{text}: there is no such step here")))?;
            packed.push(step.pack());
            position.play(step);
        }
        let found = self.search.look(&packed, from, count);
        let (vertex, children) = found.ok_or_else(|| {
            Refusal::new("that is not in the tree: only pns has one, and grown as far as it is")
        })?;
        let child = |(index, child): (usize, &ChildView)| {
            let step = Step::<S>::unpack(child.step);
            let text = step.map(|step| S::step_text(&position, step));
            let mut row = vertex_json::<S>(&child.vertex);
            row["text"] = json!(text);
            row["best"] = json!(from + index == 0);
            row
        };
        Ok(json!({
            "position": position.to_string(),
            "pieces": pieces::<S>(&position),
            "trail": trail::<S>(self.game.position(), &path.join(" ")),
            "vertex": vertex_json::<S>(&vertex),
            "children": children.iter().enumerate().map(child).collect::<Vec<Value>>(),
            "from": from,
        }))
    }
}

/// A vertex as an object; numbers are for both sides, null where that side cannot win.
fn vertex_json<S: GameSpec>(vertex: &VertexView) -> Value {
    let [first, second] = vertex.to_win;
    json!({
        "mover": letter::<S>(vertex.mover),
        "numbers": { &letter::<S>(Side::First): first, &letter::<S>(Side::Second): second },
        "winner": vertex.won.map(|(winner, _)| letter::<S>(winner)),
        "turns": vertex.won.map(|(_, turns)| turns),
        "visits": vertex.visits,
        "children": vertex.children,
    })
}

/// Makes the search of a game and serves it. What it has found in the end is returned.
pub fn solve<S: Served>(
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
    let refused = |error: anyhow::Error| Refusal::new(format!("{error:#}"));
    let options = parameters.options()?;
    let mut method = S::method(&options).map_err(refused)?;
    let header = SearchHeader::new(&game, &options.target, method.name());
    let mut search = method.begin(&game, Turns(u16::MAX)).map_err(refused)?;
    if let Some(name) = &parameters.saved {
        kept.open(name)?;
        let path = kept.path(name)?;
        let open = || File::open(&path).map(BufReader::new);
        header.load(open, |input| search.load(input)).map_err(refused)?;
    }
    let proving = Proving::<S> {
        search,
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
    session.serve(commands, stop, id, tell);
    Ok(session.state())
}
