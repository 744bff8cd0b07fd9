//! The tree of a search that counts visits, watched while it grows and looked at a node at a time.

use std::sync::mpsc::Receiver;
use std::time::Duration;

use engine::{Configured, Engine as _, Limits, StepOf, Stop, TreeNode, TreeView};
use game::{Game as _, Position as _, Side};
use serde_json::{Value, json};
use workbench::Catalogues;
use workbench::verdicts::proof_json;

use crate::analysis::{SearchParameters, for_first, report};
use crate::api::{Answer, Refusal};
use crate::board::{pieces, trail};
use crate::games::{Served, letter};
use crate::session::{Command, Explored, Session, Tell};

/// How long the tree grows if nobody says anything, in seconds.
const USUAL_TIME: f64 = 10.0;

/// An engine that keeps its tree, and what it has found.
struct Growing<'a, S: Served> {
    engine: Configured<S::Game>,
    name: String,
    game: &'a S::Game,
    nodes: u64,
    searched: Duration,
    report: Value,
}

impl<S: Served> Explored for Growing<'_, S> {
    // Each time the engine goes on, it copies its tree: rather a little later.
    const SLICE: Duration = Duration::from_millis(800);

    fn search(&mut self, time: Duration, stop: &Stop) -> Result<bool, Refusal> {
        let limits = Limits { hard: Some(time), ..Limits::default() };
        let Some(info) = self.engine.analyse(self.game, &limits, stop, &mut |_| ()) else {
            return Ok(true);
        };
        self.searched += info.time;
        self.report = report::<S>(self.game, &self.name, &info, self.nodes, self.searched);
        self.nodes += info.nodes;
        // An engine that needs less than its time is done.
        Ok(info.time < time / 2 && !stop.is_requested())
    }

    fn state(&self) -> Value {
        let mut state = self.report.clone();
        let root = self.engine.look(&[], 0, 0);
        state["root"] = json!(root.map(|view| node_json::<S>(view.mover, view.mover, &view.node)));
        state
    }

    fn look(&self, path: &[String], from: usize, count: usize) -> Answer {
        let mut position = *self.game.position();
        let mut moves: Vec<Vec<StepOf<S::Game>>> = Vec::with_capacity(path.len());
        for text in path {
            let view = self.engine.look(&moves, 0, usize::MAX).ok_or_else(missing)?;
            let mut steps = view.children.into_iter().map(|(steps, _)| steps);
            let steps = steps.find(|steps| move_text::<S>(position, steps) == *text);
            let steps = steps.ok_or_else(missing)?;
            steps.iter().for_each(|&step| position.play(step));
            moves.push(steps);
        }
        let TreeView { mover, node, children } =
            self.engine.look(&moves, from, count).ok_or_else(missing)?;
        let children = children.iter().enumerate().map(|(index, (steps, node))| {
            let mut after = position;
            steps.iter().for_each(|&step| after.play(step));
            let mut row = node_json::<S>(mover, after.side(), node);
            row["text"] = json!(move_text::<S>(position, steps));
            row["best"] = json!(from + index == 0);
            row
        });
        Ok(json!({
            "position": position.to_string(),
            "pieces": pieces::<S>(&position),
            "trail": trail::<S>(self.game.position(), &path.join(" ")),
            "vertex": node_json::<S>(mover, mover, &node),
            "children": children.collect::<Vec<Value>>(),
            "from": from,
        }))
    }
}

fn missing() -> Refusal {
    Refusal::new(
        "that is not in the tree: the engine answers without one here, or it has not grown so far",
    )
}

/// The steps of a move as they are written.
fn move_text<S: Served>(mut position: S::Position, steps: &[StepOf<S::Game>]) -> String {
    let texts = steps.iter().map(|&step| {
        let text = S::step_text(&position, step);
        position.play(step);
        text
    });
    texts.collect::<Vec<String>>().join(" ")
}

/// A node as an object, in a view whose values are for one side.
fn node_json<S: Served>(of: Side, mover: Side, node: &TreeNode) -> Value {
    json!({
        "mover": letter::<S>(mover),
        "visits": node.visits,
        "value": node.value,
        "chance": for_first(of, f64::from(node.value + 1.0) / 2.0),
        "prior": node.prior,
        "proof": proof_json(node.proof),
        "children": node.children,
    })
}

/// Lets an engine grow its tree and serves it. What it has found in the end is returned.
pub fn grow<S: Served>(
    catalogues: &Catalogues,
    parameters: &SearchParameters,
    commands: &Receiver<Command>,
    stop: &Stop,
    id: &str,
    tell: &Tell,
) -> Answer {
    let game = parameters.position::<S>()?;
    if game.setting_up().is_some() {
        return Err(Refusal::new("both sides must have set up"));
    }
    let (name, engine) = parameters.tree_engine::<S>(catalogues)?;
    let report =
        json!({ "engine": name, "side": letter::<S>(game.position().side()), "lines": [] });
    let searched = Duration::ZERO;
    let growing = Growing::<S> { engine, name, game: &game, nodes: 0, searched, report };
    let mut session = Session::new(growing, parameters.time.unwrap_or(USUAL_TIME))?;
    session.serve(commands, stop, id, tell)
}
