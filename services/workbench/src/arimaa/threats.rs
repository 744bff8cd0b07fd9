//! What each side could win or capture within a turn, for people and for programs.

use arimaa::{Board, Observer, Piece, Position, Side, Square, Turn, WHOLE_TURN};
use arimaa_ai::{Capture, Captures, Win, captures, elimination, goal};
use game::{BySide, Steps};
use serde_json::{Value, json};

/// What is looked for, if not all.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Only {
    /// Goals, and the capture of all rabbits.
    Wins,
    /// The captures of single pieces.
    Captures,
}

/// What one side could do, as far as it was asked for.
pub struct SideThreats {
    /// How it reaches its goal.
    pub goal: Option<Win>,
    /// How it captures all rabbits.
    pub elimination: Option<Win>,
    /// What it can capture.
    pub captures: Captures,
}

impl SideThreats {
    /// Everything that a side could do.
    pub fn of(board: &Board, side: Side) -> SideThreats {
        SideThreats {
            goal: goal(board, side, WHOLE_TURN),
            elimination: elimination(board, side, WHOLE_TURN),
            captures: captures(board, side, WHOLE_TURN),
        }
    }

    /// The lines that tell it.
    pub fn lines(&self, board: &Board) -> Vec<String> {
        let win = |what: &str, win: Option<Win>| {
            let win = win?;
            Some(match win.steps {
                Steps(0) => format!("{what}: done already"),
                steps => format!("{what} in {steps}: {}", win.turn.notation(board)),
            })
        };
        let wins = [win("goal", self.goal), win("all rabbits captured", self.elimination)];
        let captures = self.captures.iter().map(|capture| {
            let Capture { piece, square, trap, steps, turn, .. } = capture;
            let losses = losses(board, capture).join(" and ");
            let price = if losses.is_empty() { losses } else { format!(", losing {losses}") };
            let name = format!("{}{square}", piece.letter());
            format!("{name} captured on {trap} in {steps}{price}: {}", turn.notation(board))
        });
        wins.into_iter().flatten().chain(captures).collect()
    }
}

/// The fields of a row that tell what the sides could do.
pub fn fields(
    position: &Position,
    tactics: &BySide<SideThreats>,
    only: Option<Only>,
) -> Vec<(String, Value)> {
    let board = position.board();
    let sides = [("", position.side()), ("opponent_", !position.side())];
    let steps = |win: Option<Win>| json!(win.map(|win| win.steps.0));
    let mut fields = Vec::new();
    if only != Some(Only::Captures) {
        for (prefix, side) in sides {
            fields.push((format!("{prefix}goal"), steps(tactics[side].goal)));
        }
        for (prefix, side) in sides {
            fields.push((format!("{prefix}elimination"), steps(tactics[side].elimination)));
        }
    }
    if only != Some(Only::Wins) {
        for (prefix, side) in sides {
            let captures = tactics[side].captures.iter().map(|capture| {
                json!({
                    "piece": format!("{}{}", capture.piece.letter(), capture.square),
                    "trap": capture.trap.to_string(),
                    "steps": capture.steps.0,
                    "turn": capture.turn.notation(board),
                    "loses": losses(board, capture),
                })
            });
            fields.push((format!("{prefix}captures"), captures.collect()));
        }
    }
    fields
}

/// The own pieces that a capture costs, with the squares on which they stand before it.
fn losses(board: &Board, capture: &Capture) -> Vec<String> {
    let lost = Traced::new(board).play(capture.turn).lost;
    let own = lost.iter().filter(|(piece, _)| piece.side != capture.piece.side);
    own.map(|(piece, origin)| format!("{}{origin}", piece.letter())).collect()
}

/// A board whose pieces are followed from their first square.
struct Traced {
    board: Board,
    origins: [Square; 64],
    /// What was taken from the board and not put back: in the end, it is lost.
    taken: Option<(Piece, Square)>,
    lost: Vec<(Piece, Square)>,
}

impl Traced {
    fn new(board: &Board) -> Traced {
        let mut origins = [Square::A1; 64];
        Square::all().for_each(|square| origins[square.index()] = square);
        Traced { board: *board, origins, taken: None, lost: Vec::new() }
    }

    fn play(mut self, turn: Turn) -> Traced {
        let mut board = self.board;
        for step in turn.steps() {
            board.play(step, &mut self);
        }
        self.lost.extend(self.taken.take());
        self.board = board;
        self
    }
}

impl Observer for Traced {
    fn put(&mut self, _: Piece, square: Square) {
        if let Some((_, origin)) = self.taken.take() {
            self.origins[square.index()] = origin;
        }
    }

    fn take(&mut self, piece: Piece, square: Square) {
        self.lost.extend(self.taken.replace((piece, self.origins[square.index()])));
    }
}
