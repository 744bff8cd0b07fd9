//! What a person asks for who plays or looks at a game: boards to be drawn, and turns that are entered step by step.

use game::{Game as _, Position as _, Side};

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

    /// What a board can be covered with, and what the piece on a place can do, if one is named.
    fn insight(position: &Self::Position, place: Option<&str>) -> Result<Insight, String> {
        if place.is_some() {
            return Err("no more is known of a piece of this game than its steps".to_string());
        }
        let sides = [Some(*position), Self::passed(position)];
        let threats = sides.iter().flatten().flat_map(capture_steps::<Self>).collect();
        Ok(Insight { threats, ..Insight::default() })
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

/// The captures that are one step away.
fn capture_steps<S: Interactive>(position: &S::Position) -> Vec<Threat> {
    let captures = S::steps(position).into_iter().filter(|&step| S::kind(step) == "capture");
    let told = captures.filter_map(|step| {
        let (from, to) = S::moves(step).into_iter().next()?;
        let turn = S::step_text(position, step);
        Some(Threat { side: position.side(), kind: "capture", from, to, steps: 1, turn })
    });
    told.collect()
}

/// What a board can be covered with, for people who want to see more than its pieces.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Insight {
    /// The traps, and who stands beside them.
    pub traps: Vec<TrapGuards>,
    /// What each side could do if it were its turn.
    pub threats: Vec<Threat>,
    /// What the piece that was named can do.
    pub piece: Option<PieceInsight>,
}

/// Who stands beside a trap.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TrapGuards {
    /// Where it is.
    pub place: String,
    /// How many pieces of each side stand beside it.
    pub guards: [usize; 2],
    /// Who has the strongest piece beside it.
    pub strongest: Option<Side>,
}

/// Something that a side could do within a turn.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Threat {
    /// Who could.
    pub side: Side,
    /// `goal`, `elimination` or `capture`.
    pub kind: &'static str,
    /// Where the piece that it is about stands: a rabbit that reaches its goal, or what is captured in Arimaa; what captures
    /// in Tzaar.
    pub from: Option<String>,
    /// Where that ends.
    pub to: String,
    /// By how many steps.
    pub steps: u8,
    /// The turn that does it.
    pub turn: String,
}

/// What a piece can do.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PieceInsight {
    /// Where it stands.
    pub place: String,
    /// How many steps of its side take it to each place, as far as that is possible: exact up to four, a guess beyond.
    pub distances: Vec<(String, u8)>,
    /// Where the other side can push or pull it within a turn, and by how many steps.
    pub displaced: Vec<(String, u8)>,
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
