//! Positions and targets as text, and turns that are read without a board.

use game::{Key, Notation, Past, Side};

use crate::notation::{Token, captures};
use crate::{Game, Hunt, Kind, Piece, Position, Square, Step, StepError, Turn, WHOLE_TURN};

/// The target that is the game itself.
const WIN: &str = "win";

/// The target of a hunt begins with this.
const CAPTURE: &str = "capture:";

impl Notation for Position {
    const GAME: &'static str = "arimaa";

    fn read(position: &str, target: &str) -> Result<Position, String> {
        match target {
            WIN => read_position(position),
            _ => Err(format!("the target is {target:?}, expected {WIN}")),
        }
    }

    fn position_text(&self) -> String {
        self.to_string()
    }

    fn target_text(&self) -> String {
        WIN.to_string()
    }

    fn past_key(text: &str) -> Result<Key, String> {
        Ok(read_position(text)?.repetition_key())
    }

    fn read_turn(text: &str, side: Side) -> Result<Vec<Step>, String> {
        read_turn(text, side)
    }

    fn tells(&self, turn: &[Step], text: &str) -> bool {
        tells(self, turn, text)
    }

    fn turn_text(&self, turn: &[Step]) -> String {
        turn_text(self, turn, Captures::Told)
    }

    fn finisher_text(&self, turn: &[Step]) -> String {
        turn_text(self, turn, Captures::LeftOut)
    }
}

impl Notation for Hunt {
    const GAME: &'static str = Position::GAME;

    fn read(position: &str, target: &str) -> Result<Hunt, String> {
        let Some(target) = target.strip_prefix(CAPTURE) else {
            return Err(format!("the target is {target:?}, expected one such as {CAPTURE}mh5"));
        };
        let target = target.parse().map_err(|error| format!("target {target:?}: {error}"))?;
        Hunt::new(read_position(position)?, target).map_err(|error| error.to_string())
    }

    fn position_text(&self) -> String {
        self.position().to_string()
    }

    fn target_text(&self) -> String {
        format!("{CAPTURE}{}", self.target())
    }

    fn past_key(text: &str) -> Result<Key, String> {
        Position::past_key(text)
    }

    fn read_turn(text: &str, side: Side) -> Result<Vec<Step>, String> {
        read_turn(text, side)
    }

    fn tells(&self, turn: &[Step], text: &str) -> bool {
        tells(self.position(), turn, text)
    }

    fn turn_text(&self, turn: &[Step]) -> String {
        self.position().turn_text(turn)
    }

    fn finisher_text(&self, turn: &[Step]) -> String {
        self.position().finisher_text(turn)
    }
}

fn read_position(text: &str) -> Result<Position, String> {
    text.parse()
        .map_err(|error: crate::TextError| format!("column {}: {}", error.column, error.fault))
}

impl Game {
    /// What has come about in the game and can come about again: the
    /// positions with the pieces of the one now. That one is left out if it came about but once.
    pub fn repeatable_past(&self) -> Vec<Past> {
        let positions = self.played_turns().map(|(before, _)| *before).chain([*self.position()]);
        let now = self.position();
        let mut past: Vec<Past> = Vec::new();
        for position in positions.filter(|position| has_same_pieces(position, now)) {
            let key = position.repetition_key();
            match past.iter_mut().find(|past| past.key == key) {
                Some(past) => past.count += 1,
                None => past.push(Past { count: 1, position: position.to_string(), key }),
            }
        }
        past.retain(|past| past.count > 1 || past.key != now.repetition_key());
        past
    }
}

fn has_same_pieces(one: &Position, other: &Position) -> bool {
    Side::ALL.into_iter().all(|side| {
        Kind::ALL.into_iter().all(|kind| {
            let piece = Piece { side, kind };
            one.board().piece(piece).len() == other.board().piece(piece).len()
        })
    })
}

impl Turn {
    /// Its steps, and the pass that gives up what they leave of the turn.
    pub fn whole(self) -> Vec<Step> {
        let pass = (self.cost() < WHOLE_TURN).then_some(Step::PASS);
        self.steps().chain(pass).collect()
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Captures {
    Told,
    LeftOut,
}

/// A turn as text that [`read_turn`] reads as the same steps.
///
/// Where that would take a push for a pull and a step, the halves of each are joined by a plus.
fn turn_text(position: &Position, turn: &[Step], captures: Captures) -> String {
    let text = words(position, turn, captures, " ");
    match read_turn(&text, position.side()) {
        Ok(steps) if steps != turn => words(position, turn, captures, "+"),
        _ => text,
    }
}

/// The words of a turn; what is not legal is told as far as can be.
fn words(start: &Position, turn: &[Step], captures: Captures, joint: &str) -> String {
    let mut position = *start;
    let mut words = Vec::new();
    for &step in turn.iter().filter(|&&step| step != Step::PASS) {
        let mut after = position;
        if position.side() != start.side() || after.try_play(step).is_err() {
            words.push(format!("({step:?})"));
            break;
        }
        let halves = step.moves().filter_map(|(from, to)| {
            Some(Token::step(position.board().piece_at(from)?, from, to).to_string())
        });
        let halves: Vec<String> = halves.collect();
        let told = Turn::EMPTY.then(step).notation(position.board());
        words.push(match (joint, captures) {
            (" ", Captures::Told) => told,
            (" ", Captures::LeftOut) => halves.join(" "),
            _ => halves.join(joint),
        });
        position = after;
    }
    words.join(" ")
}

/// A word of a turn that is no capture, and whether it belongs to the one before or after it.
#[derive(Clone, Copy)]
struct Half {
    piece: Piece,
    from: Square,
    direction: crate::Direction,
    to: Square,
    /// The halves of one step have the same number.
    joined: Option<usize>,
}

/// Reads a turn without the board that it begins on: captures are passed over, and an enemy's step
/// belongs to the step before, if a stronger piece has made room for it, else to the one after it.
///
/// A piece that could be pulled as well as pushed is pulled: the board is the same then, and
/// whatever follows is legal if it is after a push.
fn read_turn(text: &str, side: Side) -> Result<Vec<Step>, String> {
    let halves = read_halves(text)?;
    let mut steps = Vec::new();
    let mut rest = halves.as_slice();
    while let Some((&first, after)) = rest.split_first() {
        let second = after.first().copied();
        let (step, count) = read_step(first, second, side)?;
        steps.push(step);
        rest = &rest[count..];
    }
    let cost: usize = steps.iter().map(|step| step.cost().0 as usize).sum();
    match cost {
        0 => return Err(StepError::NoStep.to_string()),
        1..4 => steps.push(Step::PASS),
        4 => (),
        _ => return Err(StepError::TooManySteps.to_string()),
    }
    Ok(steps)
}

/// Whether a text that was read as this turn names the pieces that move, and no captures but those that
/// happen, each after the step that brings it about. Captures may be left out.
fn tells(start: &Position, turn: &[Step], text: &str) -> bool {
    let words = text.split_whitespace().flat_map(|word| word.split('+'));
    let mut tokens = words.map(Token::parse).peekable();
    let mut board = *start.board();
    for &step in turn.iter().filter(|&&step| step != Step::PASS) {
        let mut after = board;
        after.play(step, &mut ());
        for (from, to) in step.moves() {
            let Some(piece) = board.piece_at(from) else { return false };
            if tokens.next() != Some(Some(Token::step(piece, from, to))) {
                return false;
            }
            // Each half loses only pieces of the side that it moves, as [`Turn::notation`] tells them.
            let lost = captures(&board, &after, step).filter(|(lost, _)| lost.side == piece.side);
            let mut lost: Vec<(Piece, Square)> = lost.collect();
            while let Some(&Some(Token::Capture { piece, square })) = tokens.peek() {
                let Some(index) = lost.iter().position(|&lost| lost == (piece, square)) else {
                    return false;
                };
                lost.swap_remove(index);
                tokens.next();
            }
        }
        board = after;
    }
    tokens.all(|token| token == Some(Token::Pass))
}

fn read_step(first: Half, second: Option<Half>, side: Side) -> Result<(Step, usize), String> {
    let belongs = |second: Half| match (first.joined, second.joined) {
        (None, None) => true,
        (one, other) => one == other,
    };
    let second = second.filter(|&second| belongs(second));
    if first.piece.side == side {
        let pulled = second.filter(|second| {
            second.piece.side != side
                && second.to == first.from
                && (first.joined.is_some() || first.piece.kind > second.piece.kind)
        });
        let towards = pulled.and_then(|pulled| first.from.direction_to(pulled.from));
        return match towards {
            Some(victim) => Ok((Step::pull(first.from, victim, first.direction), 2)),
            None if first.joined.is_some() && second.is_some() => {
                Err("only the two halves of a push or a pull are joined by a plus".to_string())
            }
            None => Ok((Step::single(first.from, first.direction), 1)),
        };
    }
    match second.filter(|second| second.piece.side == side && second.to == first.from) {
        Some(pusher) => Ok((Step::push(pusher.from, pusher.direction, first.direction), 2)),
        None => Err(format!(
            "the push of the {} is left half done: the next step must bring a stronger piece onto {}",
            first.piece, first.from
        )),
    }
}

fn read_halves(text: &str) -> Result<Vec<Half>, String> {
    let mut halves: Vec<Half> = Vec::new();
    let mut passed = false;
    for (index, word) in text.split_whitespace().enumerate() {
        let parts = word.split('+').count();
        if parts > 2 || halves.len() > 8 {
            return Err(format!("step {} ({word}): {}", index + 1, StepError::TooManySteps));
        }
        for part in word.split('+') {
            let fault = |fault: String| format!("step {} ({part}): {fault}", index + 1);
            match Token::parse(part) {
                _ if passed => {
                    return Err(fault("a pass ends the turn: nothing may follow it".to_string()));
                }
                Some(Token::Pass) => passed = true,
                Some(Token::Capture { .. }) => (),
                Some(Token::Step { piece, from, direction }) => {
                    let off_board = || fault(StepError::OffBoard { from }.to_string());
                    let to = from.step(direction).ok_or_else(off_board)?;
                    let joined = (parts == 2).then_some(index);
                    halves.push(Half { piece, from, direction, to, joined });
                }
                None => {
                    return Err(fault(
                        "expected a piece, a square and a direction such as Ee2n, a capture such as \
                         rc3x, or pass"
                            .to_string(),
                    ));
                }
            }
        }
    }
    Ok(halves)
}
