//! A search for a proof that stays: it is paused and goes on, its tree is looked at, and its proof is walked through.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use engine::{Limits, Stop};
use game::{Game as _, PackedStep as _, Position as _, Proof, Side, Turns};
use search::{ChildView, VertexView};
use serde::Deserialize;
use serde_json::{Value, json};
use workbench::{Algorithm, GameSpec, ProofSearch, SolveOptions, Step};

use crate::api::{Answer, Refusal};
use crate::board::{pieces, trail};
use crate::games::{GameText, Served, letter};
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
}

/// Something that is said to a search.
pub struct Command {
    /// By which the answer is known.
    pub id: String,
    pub wish: Wish,
}

/// What can be wished for.
#[derive(Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Wish {
    /// The search goes on for so many seconds.
    Continue(f64),
    /// It pauses.
    Pause {},
    /// A vertex of the tree, and some of its children.
    Look {
        /// The steps that lead there from the root.
        #[serde(default)]
        path: Vec<String>,
        #[serde(default)]
        from: usize,
        count: Option<usize>,
    },
    /// The proof, after these turns of the loser.
    Walk {
        #[serde(default)]
        turns: Vec<String>,
    },
}

/// How long a solver searches if nobody says anything, and at most.
const USUAL_TIME: f64 = 10.0;
const LONGEST: f64 = 600.0;

/// In MiB.
const USUAL_MEMORY: usize = 128;
const MOST_MEMORY: usize = 512;

/// After so long a pause, the memory is given back.
const LONGEST_PAUSE: Duration = Duration::from_secs(600);

/// How long it searches before it listens.
const SLICE: Duration = Duration::from_millis(400);

/// The most children that are shown at once.
const MOST_CHILDREN: usize = 200;

/// Tells an answer to the message with that id, and whether it is the last one.
pub type Tell<'a> = dyn Fn(&str, bool, Answer) + 'a;

/// A search that stays.
struct Session<'a, S: GameSpec> {
    search: Box<dyn ProofSearch + 'a>,
    game: &'a S::Game,
    /// How long it has searched.
    searched: Duration,
    /// Until when it searches; nothing, while it pauses.
    until: Option<Instant>,
    nodes: u64,
    result: Option<Proof>,
    turn: Option<String>,
    proof: Option<String>,
    progress: RefCell<String>,
}

impl SolveParameters {
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
        let memory = self.memory.unwrap_or(USUAL_MEMORY);
        if !(8..=MOST_MEMORY).contains(&memory) {
            let fault = format!("memory: expected a number from 8 to {MOST_MEMORY}");
            return Err(Refusal::new(fault));
        }
        let fixed = ["depth_first", "lambda", "number_table", "proof_table", "tree"];
        if let Some(name) = fixed.iter().find(|name| self.set.contains_key(**name)) {
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

/// When a search of so many seconds from now on ends.
fn end_of(seconds: f64) -> Result<Instant, Refusal> {
    let wrong = || Refusal::new("time: expected a number of seconds from 0 to 600");
    let time = Duration::try_from_secs_f64(seconds.min(LONGEST)).map_err(|_| wrong())?;
    Ok(Instant::now() + time)
}

impl<S: Served> Session<'_, S> {
    fn new<'a>(
        game: &'a S::Game,
        search: Box<dyn ProofSearch + 'a>,
        until: Instant,
    ) -> Session<'a, S> {
        Session {
            search,
            game,
            searched: Duration::ZERO,
            until: Some(until),
            nodes: 0,
            result: None,
            turn: None,
            proof: None,
            progress: RefCell::default(),
        }
    }

    /// Searches and listens until it is stopped, or nobody has said anything for long.
    fn serve(&mut self, commands: &Receiver<Command>, stop: &Stop, id: &str, tell: &Tell) {
        let mut heard = Instant::now();
        while !stop.is_requested() && heard.elapsed() < LONGEST_PAUSE {
            if self.until.is_some() {
                self.search(stop);
                tell(id, false, Ok(self.state()));
                heard = Instant::now();
            }
            let patience = if self.until.is_some() { Duration::ZERO } else { SLICE / 4 };
            match commands.recv_timeout(patience) {
                Ok(Command { id: own, wish }) => {
                    heard = Instant::now();
                    tell(&own, true, self.obey(wish));
                    tell(id, false, Ok(self.state()));
                }
                Err(RecvTimeoutError::Timeout) => (),
                Err(RecvTimeoutError::Disconnected) => return,
            }
        }
    }

    fn search(&mut self, stop: &Stop) {
        let left = self.until.map_or(Duration::ZERO, |until| until - Instant::now().min(until));
        let limits = Limits { hard: Some(SLICE.min(left)), ..Limits::default() };
        let (progress, begin) = (&self.progress, Instant::now());
        let found = self.search.search(limits, stop, &|text| *progress.borrow_mut() = text);
        self.searched += begin.elapsed();
        self.nodes += found.nodes;
        if let Some(proof) = found.proof {
            self.until = None;
            self.result = Some(proof);
            self.turn = found.turn;
            self.proof = self.search.document().ok();
        } else if left <= SLICE {
            self.until = None;
        }
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
            "running": self.until.is_some(),
            "seconds": self.searched.as_secs_f64(),
            "nodes": self.nodes,
            "progress": *self.progress.borrow(),
            "result": result,
            "turns": turns,
            "turn": self.turn,
            "root": root.map(|(vertex, _)| vertex_json::<S>(&vertex)),
            "proof": self.proof.as_ref().map(|proof| proof.lines().count()),
        })
    }

    fn obey(&mut self, wish: Wish) -> Answer {
        match wish {
            Wish::Continue(_) if self.result.is_some() => Err(Refusal::new("it is proved already")),
            Wish::Continue(seconds) => {
                self.until = Some(end_of(seconds)?);
                Ok(json!({}))
            }
            Wish::Pause {} => {
                self.until = None;
                Ok(json!({}))
            }
            Wish::Look { path, from, count } => {
                self.look(&path, from, count.unwrap_or(MOST_CHILDREN).min(MOST_CHILDREN))
            }
            Wish::Walk { turns } => match &self.proof {
                Some(proof) => walk::<S>(proof, &turns),
                None => Err(Refusal::new("there is no proof to walk through yet")),
            },
        }
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
    let until = end_of(parameters.time.unwrap_or(USUAL_TIME))?;
    let refused = |error: anyhow::Error| Refusal::new(format!("{error:#}"));
    let mut method = S::method(&parameters.options()?).map_err(refused)?;
    let search = method.begin(&game, Turns(u16::MAX)).map_err(refused)?;
    let mut session = Session::<S>::new(&game, search, until);
    session.serve(commands, stop, id, tell);
    Ok(session.state())
}
