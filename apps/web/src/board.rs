//! What the page must know of a position: the pieces, what can be played, and why something cannot.

use game::{Game as _, Position as _};
use serde_json::{Value, json};
use workbench::Step;

use crate::api::{Answer, Refusal};
use crate::games::{Opened, Served, letter};

/// A game's position and the turn as far as it is entered.
pub fn state<S: Served>(start: &str, opened: &Opened<S>, steps: &str) -> Answer {
    let Opened { game, turns, labels, before_last } = opened;
    let entered = Entered::<S>::read(game, steps)?;
    let ended = game.ended().map(|ended| {
        json!({
            "winner": letter::<S>(ended.winner),
            "reason": ended.reason,
            "sentence": ended.sentence,
        })
    });
    let legal = entered.legal();
    let last = before_last.zip(turns.last());
    let (end, end_fault) = match entered.end() {
        Some(Ok(turn)) => (Some(turn), None),
        Some(Err(fault)) => (None, Some(fault)),
        None => (None, None),
    };
    Ok(json!({
        "game": { "name": S::NAME.word(), "start": start, "turns": turns },
        "labels": labels,
        "label": game.label(),
        "side": letter::<S>(game.position().side()),
        "setting_up": game.setting_up().map(letter::<S>),
        "ended": ended,
        "position": entered.position.to_string(),
        "pieces": pieces::<S>(&entered.position),
        "frozen": S::frozen(&entered.position),
        "last": last.map_or(Vec::new(), |(before, turn)| trail::<S>(&before, turn)),
        "steps": entered.texts(),
        "trail": entered.trail(),
        "steps_left": entered.steps_left(),
        "legal": legal.iter().map(|&step| step_json::<S>(&entered.position, step)).collect::<Vec<_>>(),
        "routes": routes::<S>(&entered.position, &legal),
        "end": end,
        "end_fault": end_fault,
    }))
}

/// Why nothing goes from one place to another.
pub fn explain<S: Served>(
    game: &S::Game,
    steps: &str,
    from: &str,
    to: &str,
) -> Result<String, Refusal> {
    if let Some(ended) = game.ended() {
        return Ok(format!("the game is over: {}", ended.sentence));
    }
    let entered = Entered::<S>::read(game, steps)?;
    Ok(match entered.is_over() {
        true => "the turn is complete: play it, or take a step back".to_string(),
        false => S::explain(&entered.position, from, to),
    })
}

/// The turn as far as it is entered.
struct Entered<'a, S: Served> {
    game: &'a S::Game,
    steps: Vec<Step<S>>,
    position: S::Position,
}

impl<'a, S: Served> Entered<'a, S> {
    fn read(game: &'a S::Game, text: &str) -> Result<Entered<'a, S>, Refusal> {
        let mut position = *game.position();
        if text.trim().is_empty() {
            return Ok(Entered { game, steps: Vec::new(), position });
        }
        if game.setting_up().is_some() || game.ended().is_some() {
            return Err(Refusal::new("no steps can be played here"));
        }
        let steps = S::parse_steps(&position, text).map_err(Refusal::new)?;
        steps.iter().for_each(|&step| position.play(step));
        Ok(Entered { game, steps, position })
    }

    /// Whether no step can follow.
    fn is_over(&self) -> bool {
        self.position.side() != self.game.position().side()
    }

    fn steps_left(&self) -> u8 {
        let is_over =
            self.is_over() || self.game.ended().is_some() || self.game.setting_up().is_some();
        if is_over { 0 } else { S::steps_left(&self.position) }
    }

    /// The steps that can follow; the end of the turn is no step here.
    fn legal(&self) -> Vec<Step<S>> {
        if self.steps_left() == 0 {
            return Vec::new();
        }
        let mut steps = S::steps(&self.position);
        steps.retain(|&step| step != S::PASS);
        steps
    }

    /// The whole turn, if it can end here; why it cannot, if something is entered.
    fn end(&self) -> Option<Result<String, String>> {
        if self.steps.is_empty() {
            return None;
        }
        let mut steps = self.steps.clone();
        let goes_on = !self.is_over() && self.position.winner().is_none();
        if goes_on && S::steps(&self.position).contains(&S::PASS) {
            steps.push(S::PASS);
        }
        let action = S::Game::turn(&steps)?;
        let played = self.game.clone().play(action);
        Some(played.map(|()| self.game.notation(action)))
    }

    /// The steps so far, each with the position before it.
    fn played(&self) -> impl Iterator<Item = (S::Position, Step<S>)> {
        let mut position = *self.game.position();
        self.steps.iter().map(move |&step| {
            let before = position;
            position.play(step);
            (before, step)
        })
    }

    fn texts(&self) -> Vec<String> {
        self.played().map(|(before, step)| S::step_text(&before, step)).collect()
    }

    fn trail(&self) -> Vec<Value> {
        self.played().map(|(before, step)| step_json::<S>(&before, step)).collect()
    }
}

/// A step: how it is written, which pieces it moves, and what it costs.
pub fn step_json<S: Served>(position: &S::Position, step: Step<S>) -> Value {
    json!({
        "text": S::step_text(position, step),
        "kind": S::kind(step),
        "moves": S::moves(step),
        "cost": position.cost(step).0,
    })
}

/// The steps of a turn that was played, to be drawn; none of a setup.
pub fn trail<S: Served>(before: &S::Position, turn: &str) -> Vec<Value> {
    let Ok(steps) = S::parse_steps(before, turn) else { return Vec::new() };
    let mut position = *before;
    let told = steps.into_iter().map(|step| {
        let told = step_json::<S>(&position, step);
        position.play(step);
        told
    });
    told.collect()
}

/// The pieces by their places.
pub fn pieces<S: Served>(position: &S::Position) -> Value {
    let cells = S::cells(position).into_iter().filter(|cell| cell.side.is_some());
    let pieces = cells.filter_map(|cell| Some((cell.name?, Value::String(cell.text))));
    Value::Object(pieces.collect())
}

/// Where a piece can go alone by more than one step, the shortest way to each place.
fn routes<S: Served>(position: &S::Position, legal: &[Step<S>]) -> Vec<Value> {
    let mut routes = Vec::new();
    let mut origins: Vec<String> = legal.iter().filter_map(|&step| single::<S>(step)?.0).collect();
    origins.sort();
    origins.dedup();
    for origin in origins {
        routes_of::<S>(position, &origin, &mut routes);
    }
    routes
}

/// What a step of one piece alone moves, in a game where several such steps make a way.
fn single<S: Served>(step: Step<S>) -> Option<(Option<String>, String)> {
    (S::kind(step) == "step").then(|| S::moves(step).into_iter().next())?
}

fn routes_of<S: Served>(start: &S::Position, origin: &str, routes: &mut Vec<Value>) {
    let mut seen = vec![origin.to_string()];
    let mut frontier = vec![(*start, origin.to_string(), Vec::<String>::new())];
    while !frontier.is_empty() {
        let mut next = Vec::new();
        for (position, at, texts) in &frontier {
            for step in S::steps(position) {
                let Some((Some(from), to)) = single::<S>(step) else { continue };
                if from != *at || seen.contains(&to) {
                    continue;
                }
                seen.push(to.clone());
                let mut texts = texts.clone();
                texts.push(S::step_text(position, step));
                if texts.len() > 1 {
                    routes.push(json!({ "from": origin, "to": to, "steps": texts }));
                }
                let mut after = *position;
                after.play(step);
                if after.side() == start.side() {
                    next.push((after, to, texts));
                }
            }
        }
        frontier = next;
    }
}
