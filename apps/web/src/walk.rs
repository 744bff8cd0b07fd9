//! A proof walked through: a person plays the loser's turns, and the proof answers.

use game::{Game as _, Position as _, Side};
use proof::{Document, NodeId, Strategy, StrategyNode};
use serde_json::json;
use workbench::{Army, GameRecord as _, Step};

use crate::api::{Answer, Refusal};
use crate::games::{GameText, Served, letter};

/// The most turns of the loser that are listed.
const MOST_LISTED: usize = 100;

/// Where these turns of the loser lead to by a proof.
pub fn walk<S: Served>(text: &str, turns: &[String]) -> Answer {
    let document: Document<S::Position> = Document::read(text)
        .map_err(|error| Refusal::new(format!("the proof cannot be read: {error}")))?;
    let winner = document.winner();
    let mut way = Way::<S> {
        game: S::Game::begin(&document.position.to_string()).map_err(Refusal::new)?.0,
        strategy: &document.strategy,
        node: document.strategy.root,
        winner,
    };
    way.attack()?;
    for turn in turns {
        way.defend(turn)?;
        way.attack()?;
    }
    Ok(json!({
        "game": GameText::from_game::<S>(&way.game)?,
        "winner": letter::<S>(winner),
        "result_turns": document.turns().0,
        "over": way.game.ended().is_some(),
        "listed": way.listed(),
        "finishers": way.finishers(),
    }))
}

/// A game that follows a proof.
struct Way<'a, S: Served> {
    game: S::Game,
    strategy: &'a Strategy<Step<S>>,
    node: Option<NodeId>,
    winner: Side,
}

impl<S: Served> Way<'_, S> {
    fn node(&self) -> Option<&StrategyNode<Step<S>>> {
        self.strategy.node(self.node?)
    }

    /// Plays what the winner plays, if it is its turn.
    fn attack(&mut self) -> Result<(), Refusal> {
        let Some(StrategyNode::Attack { turn, next }) = self.node() else { return Ok(()) };
        let (turn, next) = (turn.clone(), *next);
        self.play(&turn)?;
        self.node = next;
        Ok(())
    }

    fn play(&mut self, steps: &[Step<S>]) -> Result<(), Refusal> {
        let action =
            S::Game::turn(steps).ok_or_else(|| Refusal::new("the proof has no turn here"))?;
        self.game.play(action).map_err(Refusal::new)
    }

    /// Plays a turn of the loser; where the proof does not list it, the winner finishes the game.
    fn defend(&mut self, turn: &str) -> Result<(), Refusal> {
        if self.game.ended().is_some() {
            return Err(Refusal::new("the game is over"));
        }
        let Some(StrategyNode::Defence { finishers, answers }) = self.node() else {
            return Err(Refusal::new("the proof ends before this turn"));
        };
        let before = *self.game.position();
        let (finishers, mut game) = (finishers.clone(), self.game.clone());
        game.play_text(turn, Army::Handicap).map_err(Refusal::new)?;
        let key = game.position().repetition_key();
        let answer = answers.iter().find(|answer| {
            before.after_turn(&answer.turn).is_some_and(|after| after.repetition_key() == key)
        });
        let next = answer.map(|answer| answer.next);
        self.game = game;
        self.node = next;
        if next.is_none() && self.game.ended().is_none() {
            let position = *self.game.position();
            let wins = |turn: &&Vec<Step<S>>| {
                position.after_turn(turn).is_some_and(|after| after.winner() == Some(self.winner))
            };
            let finisher = finishers.iter().find(wins).cloned();
            let gap = || Refusal::new("the proof has no answer to this turn");
            self.play(&finisher.ok_or_else(gap)?)?;
        }
        Ok(())
    }

    /// The loser's turns that the proof lists.
    fn listed(&self) -> Vec<String> {
        let Some(StrategyNode::Defence { answers, .. }) = self.node() else { return Vec::new() };
        let turns = answers.iter().take(MOST_LISTED);
        turns
            .filter_map(|answer| S::Game::turn(&answer.turn))
            .map(|action| self.game.notation(action))
            .collect()
    }

    /// How many turns of the winner finish the game after any other turn.
    fn finishers(&self) -> usize {
        match self.node() {
            Some(StrategyNode::Defence { finishers, .. }) => finishers.len(),
            _ => 0,
        }
    }
}
