//! Turns as text: `Ee2n rd5s Ed4n cf3x`.

use std::fmt;

use thiserror::Error;

use crate::{Board, Direction, Piece, Position, Side, Square, Step, StepError, Turn};

impl Turn {
    /// Reads a turn that begins in that position: steps such as `Ee2n`, with or without captures
    /// such as `rc3x`, and a `pass` at the end, if there is one.
    ///
    /// The enemy's steps are joined with those of the pieces that push or pull them. Where a piece
    /// could have been pulled as well as pushed, what is legal is taken.
    pub fn parse(text: &str, position: &Position) -> Result<Turn, TurnError> {
        let words: Vec<&str> = text.split_whitespace().collect();
        let tokens = words
            .iter()
            .enumerate()
            .map(|(index, word)| {
                Token::parse(word).ok_or_else(|| error(index, word, TurnFault::NotAStep))
            })
            .collect::<Result<Vec<Token>, TurnError>>()?;
        let reader = Reader { words: &words, tokens: &tokens, side: position.side() };
        reader.read(0, Sofar { position: *position, turn: Turn::EMPTY })
    }

    /// The turn as text, with the captures, given the board that it begins on.
    ///
    /// ```
    /// # use arimaa::{Position, Turn};
    /// let position: Position = "
    ///     +-----------------+
    ///    8|   r             |
    ///    7|                 |
    ///    6|     x     x     |
    ///    5|                 |
    ///    4|                 |
    ///    3|   r x     x     |
    ///    2|   D             |
    ///    1| R               |
    ///     +-----------------+
    /// ".parse().unwrap();
    /// let turn = Turn::parse("rb3e Db2n Ra1n", &position).unwrap();
    /// assert_eq!(turn.notation(position.board()), "rb3e rc3x Db2n Ra1n");
    /// ```
    pub fn notation(self, board: &Board) -> String {
        let mut board = *board;
        let mut words = Vec::new();
        for step in self.steps() {
            let mut after = board;
            after.play(step, &mut ());
            for (from, to) in step.moves() {
                let Some(piece) = board.piece_at(from) else { continue };
                words.push(Token::step(piece, from, to).to_string());
                // Each half moves one side's piece, and loses only pieces of that side.
                let lost = captures(&board, &after, step);
                words.extend(
                    lost.filter(|(lost, _)| lost.side == piece.side)
                        .map(|(piece, square)| Token::Capture { piece, square }.to_string()),
                );
            }
            board = after;
        }
        words.join(" ")
    }
}

/// The pieces that a step loses, with the traps they are lost on.
pub(crate) fn captures(
    before: &Board,
    after: &Board,
    step: Step,
) -> impl Iterator<Item = (Piece, Square)> {
    let (before, after) = (*before, *after);
    Square::TRAPS.into_iter().filter_map(move |trap| {
        // What stood on the trap, or what went there.
        let went = step.moves().find(|&(_, to)| to == trap).map(|(from, _)| from);
        let left = step.moves().any(|(from, _)| from == trap);
        let piece = match went {
            Some(from) => before.piece_at(from),
            None if left => None,
            None => before.piece_at(trap),
        };
        piece.filter(|_| after.piece_at(trap).is_none()).map(|piece| (piece, trap))
    })
}

/// One word of a turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Token {
    Step { piece: Piece, from: Square, direction: Direction },
    Capture { piece: Piece, square: Square },
    Pass,
}

impl Token {
    pub(crate) fn step(piece: Piece, from: Square, to: Square) -> Token {
        let direction = from.direction_to(to).expect("a step goes to a neighbour");
        Token::Step { piece, from, direction }
    }

    pub(crate) fn parse(word: &str) -> Option<Token> {
        if word.eq_ignore_ascii_case("pass") {
            return Some(Token::Pass);
        }
        if !word.is_ascii() || word.len() != 4 {
            return None;
        }
        let letters: Vec<char> = word.chars().collect();
        let piece = Piece::from_letter(letters[0])?;
        let square = word[1..3].parse().ok()?;
        match letters[3] {
            'x' => Some(Token::Capture { piece, square }),
            letter => {
                let direction = Direction::from_letter(letter)?;
                Some(Token::Step { piece, from: square, direction })
            }
        }
    }
}

impl fmt::Display for Token {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Token::Step { piece, from, direction } => {
                write!(f, "{}{from}{}", piece.letter(), direction.letter())
            }
            Token::Capture { piece, square } => write!(f, "{}{square}x", piece.letter()),
            Token::Pass => write!(f, "pass"),
        }
    }
}

/// Why a text is not a legal turn, and at which word.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("step {number} ({word}): {fault}")]
pub struct TurnError {
    /// Which word of the turn, from 1.
    pub number: usize,
    /// The word.
    pub word: String,
    /// What is wrong with it.
    pub fault: TurnFault,
}

/// What can be wrong with a word of a turn.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum TurnFault {
    /// The word is no step.
    #[error(
        "expected a piece, a square and a direction such as Ee2n, a capture such as rc3x, or pass"
    )]
    NotAStep,
    /// Another piece stands there, or none.
    #[error("there is no {expected} on {square}, but {found}", found = describe(*found))]
    OtherPiece {
        /// The piece named.
        expected: Piece,
        /// Where it should stand.
        square: Square,
        /// What stands there.
        found: Option<Piece>,
    },
    /// An enemy piece is moved and no own piece takes its place.
    #[error(
        "the push of the {piece} is left half done: the next step must bring a stronger piece \
         onto {square}"
    )]
    HalfPush {
        /// The piece that is moved.
        piece: Piece,
        /// The square that it leaves.
        square: Square,
    },
    /// A capture that does not happen.
    #[error("no {piece} is captured on {square} here: leave the word out")]
    NoCapture {
        /// The piece named.
        piece: Piece,
        /// The square named.
        square: Square,
    },
    /// Steps after a pass.
    #[error("a pass ends the turn: nothing may follow it")]
    AfterPass,
    /// The step breaks a rule.
    #[error("{0}")]
    Illegal(StepError),
}

fn describe(piece: Option<Piece>) -> String {
    piece.map_or("nothing".to_string(), |piece| format!("a {piece}"))
}

fn error(index: usize, word: &str, fault: TurnFault) -> TurnError {
    TurnError { number: index + 1, word: word.to_string(), fault }
}

/// Reads the words of a turn, going back where a word can be taken in two ways.
struct Reader<'a> {
    words: &'a [&'a str],
    tokens: &'a [Token],
    /// Whose turn it is.
    side: Side,
}

/// Where the words so far have led.
#[derive(Clone, Copy)]
struct Sofar {
    position: Position,
    turn: Turn,
}

impl Reader<'_> {
    fn error(&self, index: usize, fault: TurnFault) -> TurnError {
        // A fault of the turn as a whole is told at its last word.
        let index = index.min(self.words.len().saturating_sub(1));
        error(index, self.words.get(index).unwrap_or(&"nothing"), fault)
    }

    fn illegal(&self, index: usize, fault: StepError) -> TurnError {
        self.error(index, TurnFault::Illegal(fault))
    }

    /// Reads on from a word.
    fn read(&self, index: usize, sofar: Sofar) -> Result<Turn, TurnError> {
        let over = sofar.position.side() != self.side;
        match self.tokens.get(index) {
            None | Some(Token::Pass) => {
                if !over {
                    let mut position = sofar.position;
                    position.try_play(Step::PASS).map_err(|fault| self.illegal(index, fault))?;
                }
                match self.tokens.get(index + 1) {
                    Some(_) => Err(self.error(index + 1, TurnFault::AfterPass)),
                    None => Ok(sofar.turn),
                }
            }
            Some(&Token::Capture { piece, square }) => {
                Err(self.error(index, TurnFault::NoCapture { piece, square }))
            }
            Some(Token::Step { .. }) if over => Err(self.illegal(index, StepError::TooManySteps)),
            Some(&Token::Step { piece, from, direction }) => {
                let found = sofar.position.board().piece_at(from);
                if found != Some(piece) {
                    let other = TurnFault::OtherPiece { expected: piece, square: from, found };
                    return Err(self.error(index, other));
                }
                if from.step(direction).is_none() {
                    return Err(self.illegal(index, StepError::OffBoard { from }));
                }
                if piece.side == self.side {
                    self.read_own(index, from, direction, sofar)
                } else {
                    self.read_push(index, piece, from, direction, sofar)
                }
            }
        }
    }

    /// An own piece moves: alone, or pulling the enemy that the next step moves after it.
    fn read_own(
        &self,
        index: usize,
        from: Square,
        direction: Direction,
        sofar: Sofar,
    ) -> Result<Turn, TurnError> {
        let alone = self.play(index, index, Step::single(from, direction), sofar);
        let next = self.step_into(index, from).filter(|_| alone.is_err());
        let follower = next.filter(|&(_, victim)| !self.owns(from.towards(victim), sofar));
        let Some((last, victim)) = follower else { return alone };
        let pulled = self.play(index, last, Step::pull(from, victim, direction), sofar);
        // The reading that gets further tells what is wrong.
        match (alone, pulled) {
            (Err(alone), Err(pulled)) if alone.number > pulled.number => Err(alone),
            (_, pulled) => pulled,
        }
    }

    /// An enemy piece moves: pushed by the own piece that takes its place.
    fn read_push(
        &self,
        index: usize,
        piece: Piece,
        from: Square,
        direction: Direction,
        sofar: Sofar,
    ) -> Result<Turn, TurnError> {
        let next = self.step_into(index, from);
        let pusher = next.filter(|&(_, side)| self.owns(from.towards(side), sofar));
        let half = TurnFault::HalfPush { piece, square: from };
        let (last, side) = pusher.ok_or_else(|| self.error(index, half))?;
        self.play(index, last, Step::push(from.towards(side), side.opposite(), direction), sofar)
    }

    /// The next step after a word, if it leads to that square: which word it is, and from which side
    /// it comes.
    fn step_into(&self, index: usize, square: Square) -> Option<(usize, Direction)> {
        let mut steps = (self.tokens.iter().enumerate().skip(index + 1))
            .filter(|(_, token)| !matches!(token, Token::Capture { .. }));
        match steps.next()? {
            (at, &Token::Step { from, direction, .. }) if from.step(direction) == Some(square) => {
                Some((at, direction.opposite()))
            }
            _ => None,
        }
    }

    fn owns(&self, square: Square, sofar: Sofar) -> bool {
        sofar.position.board().of(self.side).has(square)
    }

    /// Plays a step that consists of the words from `first` to `last`, and reads on.
    fn play(&self, first: usize, last: usize, step: Step, sofar: Sofar) -> Result<Turn, TurnError> {
        let before = sofar.position;
        let mut after = before;
        after.try_play(step).map_err(|fault| self.illegal(first, fault))?;
        let mut lost: Vec<(Piece, Square)> =
            captures(before.board(), after.board(), step).collect();
        let mut next = first + 1;
        while let Some(&token) = self.tokens.get(next) {
            match token {
                Token::Capture { piece, square } => {
                    let named = lost.iter().position(|&capture| capture == (piece, square));
                    let none = TurnFault::NoCapture { piece, square };
                    lost.remove(named.ok_or_else(|| self.error(next, none))?);
                }
                _ if next > last => break,
                _ => {}
            }
            next += 1;
        }
        self.read(next, Sofar { position: after, turn: sofar.turn.then(step) })
    }
}
