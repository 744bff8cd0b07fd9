use arimaa::{Board, Outcome, Piece, Position, Reason, Side, Square, Turn, WHOLE_TURN};

use crate::goal;

/// Something that a turn must achieve.
#[derive(Clone, PartialEq, Debug)]
pub enum Criterion {
    /// It wins by a goal.
    ScoreGoal,
    /// After it, the enemy has no goal within its turn.
    PreventGoal,
    /// After it, the pieces stand as one of these blocks says; the best one counts.
    Pieces(Vec<Block>),
    /// It leaves one of these boards.
    Best(Vec<Board>),
    /// It leaves none of these boards.
    Avoid(Vec<Board>),
}

impl Criterion {
    /// What a turn is worth at most.
    pub fn highest(&self) -> f64 {
        match self {
            Criterion::Pieces(blocks) => highest(blocks.iter()),
            _ => 1.0,
        }
    }

    /// What a turn is worth.
    pub fn weigh(&self, answer: &Answer) -> f64 {
        let holds = match self {
            Criterion::Pieces(blocks) => {
                return highest(blocks.iter().filter(|block| block.holds(answer)));
            }
            Criterion::ScoreGoal => answer.wins_by_goal(),
            Criterion::PreventGoal => answer.prevents_goal(),
            Criterion::Best(boards) => boards.contains(answer.after.board()),
            Criterion::Avoid(boards) => !boards.contains(answer.after.board()),
        };
        if holds { 1.0 } else { 0.0 }
    }
}

/// The highest weight of some blocks; that of none is 0.
fn highest<'a>(blocks: impl Iterator<Item = &'a Block>) -> f64 {
    blocks.map(|block| block.weight).fold(0.0, f64::max)
}

/// What must hold at once, and what that is worth.
#[derive(Clone, PartialEq, Debug)]
pub struct Block {
    /// All of these must hold.
    pub atoms: Vec<Atom>,
    /// What it is worth if they do.
    pub weight: f64,
}

impl Block {
    fn holds(&self, answer: &Answer) -> bool {
        self.atoms.iter().all(|atom| atom.holds(answer))
    }
}

/// A fact about one piece.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Atom {
    /// `Eb3`: after the turn, such a piece stands there.
    Stands(Piece, Square),
    /// `!ce2`: after the turn, no such piece stands there.
    IsAbsent(Piece, Square),
    /// `Hf6x`: during the turn, such a piece is captured there.
    IsCaptured(Piece, Square),
}

impl Atom {
    /// Reads `Eb3`, `!ce2` or `Hf6x`.
    pub fn parse(word: &str) -> Option<Atom> {
        let (fact, named): (fn(Piece, Square) -> Atom, &str) =
            match (word.strip_prefix('!'), word.strip_suffix(['x', 'X'])) {
                (Some(_), Some(_)) => return None,
                (Some(named), None) => (Atom::IsAbsent, named),
                (None, Some(named)) => (Atom::IsCaptured, named),
                (None, None) => (Atom::Stands, word),
            };
        let mut letters = named.chars();
        let piece = Piece::from_letter(letters.next()?)?;
        let square: Square = letters.as_str().parse().ok()?;
        let atom = fact(piece, square);
        let is_possible = !matches!(atom, Atom::IsCaptured(..)) || Square::TRAPS.contains(&square);
        is_possible.then_some(atom)
    }

    fn holds(self, answer: &Answer) -> bool {
        let board = answer.after.board();
        match self {
            Atom::Stands(piece, square) => board.piece_at(square) == Some(piece),
            Atom::IsAbsent(piece, square) => board.piece_at(square) != Some(piece),
            Atom::IsCaptured(piece, square) => answer.captures(piece, square),
        }
    }
}

/// A turn that is judged, and where it leads.
#[derive(Clone, Debug)]
pub struct Answer {
    mover: Side,
    after: Position,
    /// The turn as text, which names its captures.
    text: String,
}

impl Answer {
    /// A legal turn.
    pub fn new(position: &Position, turn: Turn) -> Answer {
        let mut after = *position;
        after.play_turn_unchecked(turn);
        Answer { mover: position.side(), after, text: turn.notation(position.board()) }
    }

    fn wins_by_goal(&self) -> bool {
        self.after.outcome() == Some(Outcome { winner: self.mover, reason: Reason::Goal })
    }

    fn prevents_goal(&self) -> bool {
        match self.after.outcome() {
            Some(outcome) => outcome.winner == self.mover,
            None => goal(self.after.board(), !self.mover, WHOLE_TURN).is_none(),
        }
    }

    fn captures(&self, piece: Piece, square: Square) -> bool {
        let capture = format!("{}{square}x", piece.letter());
        self.text.split(' ').any(|word| word == capture)
    }
}
