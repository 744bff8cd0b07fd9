//! What a person asks for who plays or looks at a game: boards to be drawn, and turns that are entered step by step.

use game::{Game as _, Position as _, Side};
use serde_json::Value;

use crate::reading::Content;
use crate::{Showing, Step};

/// How a game meets people.
pub trait Interactive: Showing {
    /// At a score of so much, the odds to win are `e` to 1.
    const CHANCE_SCALE: f64;

    /// From where a person's game begins, as [`crate::Playing::openings`] reads it, if nobody says anything.
    const USUAL_OPENING: &'static str;

    /// The cells of the board and the names at its edges, in the places of a text.
    fn cells(position: &Self::Position) -> Vec<Cell>;

    /// The board as an SVG picture without its size.
    fn svg(position: &Self::Position) -> String;

    /// What can be told about the pieces of a position, by their squares, to be shown when one is clicked; none, where
    /// there is nothing to tell. [`Interactive::piece_legend`] says what the numbers are.
    fn piece_details(_position: &Self::Position) -> Option<Value> {
        None
    }

    /// The names of what [`Interactive::piece_details`] tells.
    fn piece_legend() -> Option<Value> {
        None
    }

    /// A step as it is written, played in that position.
    fn step_text(position: &Self::Position, step: Step<Self>) -> String;

    /// Which pieces a step moves: from where to where. What is put on the board comes from nowhere.
    fn moves(step: Step<Self>) -> Vec<(Option<String>, String)>;

    /// Reads legal steps that begin a turn, or all of it.
    fn parse_steps(start: &Self::Position, text: &str) -> Result<Vec<Step<Self>>, String>;

    /// The step that gives up the rest of the turn.
    const PASS: Step<Self>;

    /// What kind of step it is, in a word: `push`, `capture`.
    fn kind(step: Step<Self>) -> &'static str;

    /// How many steps the side to move has left in its turn.
    fn steps_left(position: &Self::Position) -> u8;

    /// Why nothing goes from one place to another, to be told to a person who has tried.
    fn explain(position: &Self::Position, from: &str, to: &str) -> String;

    /// The same board with the other side to move, as if the turn was passed; none, where that makes no sense.
    fn passed(position: &Self::Position) -> Option<Self::Position>;

    /// The places of pieces that cannot move because of an enemy beside them.
    fn frozen(_position: &Self::Position) -> Vec<String> {
        Vec::new()
    }

    /// Setups to choose from, in a game that begins with them.
    fn setups(_side: Side) -> Vec<String> {
        Vec::new()
    }

    /// What both sides could win or capture.
    fn tactics(game: &Self::Game) -> Vec<String> {
        if game.ended().is_some() || game.setting_up().is_some() {
            return Vec::new();
        }
        let content = Content::<Self>::new(game.clone());
        Self::facts(&content, &mut Self::Tools::default(), None).tactics()
    }

    /// The legal steps.
    fn steps(position: &Self::Position) -> Vec<Step<Self>> {
        let mut steps = Vec::new();
        let _ = position.for_each_step(|step| {
            steps.push(step);
            std::ops::ControlFlow::Continue(())
        });
        steps
    }
}

/// A place of a drawn board.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Cell {
    /// The name of the square or field; none at the edges.
    pub name: Option<String>,
    /// The row of a text, from the top.
    pub row: usize,
    /// The column of a text.
    pub column: usize,
    /// What stands there.
    pub text: String,
    /// Whose piece stands there.
    pub side: Option<Side>,
    /// How it looks.
    pub look: CellLook,
}

/// How a place looks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CellLook {
    /// A name at the edge.
    Edge,
    /// A place like most others.
    Plain,
    /// A place with a meaning: a trap.
    Marked,
}
