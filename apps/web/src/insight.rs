//! What a board can be covered with: threats, who stands beside the traps, what a piece can do.

use game::{Game as _, Position as _};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use workbench::{Insight, Interactive as _, PieceInsight, Threat, TrapGuards, in_game};

use crate::api::{Answer, Refusal};
use crate::board::trail;
use crate::games::{GameText, Served, letter};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct InsightParameters {
    game: GameText,
    /// Where a piece stands that more is to be told of.
    place: Option<String>,
}

/// What can be seen of the position of a game that goes on.
pub fn insight(InsightParameters { game, place }: InsightParameters) -> Answer {
    in_game!(game.game_name()?, S => {
        let game = game.open::<S>()?.game;
        if game.ended().is_some() || game.setting_up().is_some() {
            return Ok(json!({ "traps": [], "threats": [], "piece": null }));
        }
        let insight = S::insight(game.position(), place.as_deref()).map_err(Refusal::new)?;
        Ok(insight_json::<S>(game.position(), &insight))
    })
}

fn insight_json<S: Served>(position: &S::Position, insight: &Insight) -> Value {
    let trap = |TrapGuards { place, guards, strongest }: &TrapGuards| json!({ "place": place, "guards": guards, "strongest": strongest.map(letter::<S>) });
    let threat = |threat: &Threat| {
        let Threat { side, kind, from, to, steps, turn } = threat;
        let before = if *side == position.side() { Some(*position) } else { S::passed(position) };
        json!({
            "side": letter::<S>(*side),
            "kind": kind,
            "from": from,
            "to": to,
            "steps": steps,
            "turn": turn,
            "trail": before.map(|before| trail::<S>(&before, turn)),
        })
    };
    let piece = |PieceInsight { place, distances, displaced }: &PieceInsight| json!({ "place": place, "distances": by_place(distances), "displaced": by_place(displaced) });
    json!({
        "traps": insight.traps.iter().map(trap).collect::<Vec<Value>>(),
        "threats": insight.threats.iter().map(threat).collect::<Vec<Value>>(),
        "piece": insight.piece.as_ref().map(piece),
    })
}

fn by_place(numbers: &[(String, u8)]) -> Map<String, Value> {
    numbers.iter().map(|(place, number)| (place.clone(), json!(number))).collect()
}
