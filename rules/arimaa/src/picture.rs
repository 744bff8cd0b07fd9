//! Boards as text: the drawn picture and the compact 64 characters in brackets.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::side::{self, Side};
use crate::{Board, BoardError, Piece, Position, Square};

/// A drawn board with the heading above it, as files hold it.
///
/// ```
/// # use arimaa::{Picture, SILVER};
/// let picture: Picture = "
/// 12s
///  +-----------------+
/// 8| r   r     r   r |
/// 7|                 |
/// 6|     x   E x     |
/// 5|         e       |
/// 4|                 |
/// 3|     x     x     |
/// 2|                 |
/// 1| R   R     R   R |
///  +-----------------+
///    a b c d e f g h
/// ".parse().unwrap();
/// assert_eq!((picture.number, picture.side), (Some(12), Some(SILVER)));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Picture {
    /// The number of the turn to be played, where the heading gives one.
    pub number: Option<u32>,
    /// The side to move, where there is a heading.
    pub side: Option<Side>,
    /// The board.
    pub board: Board,
}

impl Picture {
    /// The position, with Gold to move where no heading says otherwise.
    pub fn position(&self) -> Position {
        Position::new(self.board, self.side.unwrap_or(side::GOLD))
    }
}

/// Why a text is not a board, and where.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("line {line}, column {column}: {fault}")]
pub struct TextError {
    /// The line, from 1.
    pub line: usize,
    /// The column, from 1.
    pub column: usize,
    /// What is wrong there.
    pub fault: TextFault,
}

/// What can be wrong with the text of a board.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum TextFault {
    /// Nothing but white space and comments.
    #[error("there is no position here: expected a board picture or g [64 characters]")]
    Empty,
    /// A line that is no part of a picture.
    #[error("expected a heading such as 12g, a border, or a rank such as 8| r r r r r r r r |")]
    NotAPicture,
    /// The ranks do not go from 8 down to 1.
    #[error("expected rank {expected} here: the ranks go from 8 at the top to 1 at the bottom")]
    WrongRank {
        /// The rank that should stand here.
        expected: usize,
    },
    /// A rank without its closing bar.
    #[error("rank {rank} has no closing bar: end it with |")]
    OpenRank {
        /// Which rank.
        rank: usize,
    },
    /// A rank that is too long or too short.
    #[error("rank {rank} has {found} squares, expected 8, each a space and a letter")]
    RankLength {
        /// Which rank.
        rank: usize,
        /// How many squares it has.
        found: usize,
    },
    /// Something between the squares of a rank.
    #[error("expected a space before each square, found {found:?}")]
    NoGap {
        /// What stands there.
        found: char,
    },
    /// Fewer than eight ranks.
    #[error("the picture ends after {found} ranks, expected 8")]
    MissingRanks {
        /// How many there are.
        found: usize,
    },
    /// Text after the board.
    #[error("expected nothing more after the board")]
    Trailing,
    /// An unknown letter.
    #[error(
        "unknown letter {found:?}: a square holds one of E M H D C R e m h d c r, \
         a space or a dot, or x on a trap"
    )]
    Letter {
        /// What stands there.
        found: char,
    },
    /// No side to move before the brackets.
    #[error("expected g, s, w or b, a space and [: such as g [64 characters]")]
    NoSide,
    /// Not 64 characters in brackets.
    #[error("found {found} characters in the brackets, expected 64 (a8 to h8, then a7 to h1)")]
    CompactLength {
        /// How many there are.
        found: usize,
    },
    /// No closing bracket.
    #[error("the brackets are not closed: expected ] after 64 characters")]
    OpenBracket,
    /// The board is not one of a game.
    #[error("{0}")]
    Board(BoardError),
}

fn fault(line: usize, column: usize, fault: TextFault) -> TextError {
    TextError { line, column, fault }
}

/// The piece that a character stands for on a square, or the fault.
fn read_square(letter: char, square: Square) -> Result<Option<Piece>, TextFault> {
    match letter {
        ' ' | '.' => Ok(None),
        'x' | 'X' if Square::TRAPS.contains(&square) => Ok(None),
        _ => Piece::from_letter(letter).map(Some).ok_or(TextFault::Letter { found: letter }),
    }
}

impl FromStr for Picture {
    type Err = TextError;

    /// Reads a picture with or without a heading, borders, dots, trap marks and the line of
    /// column letters. What follows a `#` is a comment.
    fn from_str(text: &str) -> Result<Picture, TextError> {
        let mut picture = Picture { number: None, side: None, board: Board::EMPTY };
        let mut ranks = 0;
        let mut last = 1;
        // The line of each rank, and the column of its first square.
        let mut places = [(1, 1); 8];
        for (index, line) in text.lines().enumerate() {
            let line = line.split('#').next().unwrap_or(line).trim_end();
            let shown = line.trim_start();
            let (number, column) = (index + 1, line.chars().count() - shown.chars().count() + 1);
            if shown.is_empty() || is_frame(shown) {
                continue;
            }
            last = number;
            if ranks == 0 && picture.side.is_none() && !shown.contains('|') {
                let heading = read_heading(shown);
                let (turn, side) = heading.ok_or(fault(number, column, TextFault::NotAPicture))?;
                (picture.number, picture.side) = (turn, Some(side));
            } else if ranks == 8 {
                return Err(fault(number, column, TextFault::Trailing));
            } else {
                ranks += 1;
                let bar = shown.chars().position(|mark| mark == '|').unwrap_or(0);
                places[8 - ranks] = (number, column + bar + 2);
                read_rank(shown, 8 - ranks, &mut picture.board)
                    .map_err(|(at, what)| fault(number, column + at, what))?;
            }
        }
        match ranks {
            0 if picture.side.is_none() => Err(fault(1, 1, TextFault::Empty)),
            8 => picture.board.validate().map(|()| picture).map_err(|error| {
                let square = square_of(&picture.board, error);
                let (line, column) = places[square.row()];
                fault(line, column + 2 * square.column(), TextFault::Board(error))
            }),
            found => Err(fault(last, 1, TextFault::MissingRanks { found })),
        }
    }
}

/// A border or the line of column letters.
fn is_frame(line: &str) -> bool {
    let border = line.starts_with('+') && line.chars().all(|mark| matches!(mark, '+' | '-'));
    border || line.split_whitespace().eq(["a", "b", "c", "d", "e", "f", "g", "h"])
}

/// `12g`: the number of the turn and the side to move; the number may be missing.
fn read_heading(line: &str) -> Option<(Option<u32>, Side)> {
    let side = side::from_letter(line.chars().next_back()?)?;
    match &line[..line.len() - 1] {
        "" => Some((None, side)),
        number if number.bytes().all(|digit| digit.is_ascii_digit()) => {
            Some((Some(number.parse().ok()?), side))
        }
        _ => None,
    }
}

/// Reads `8| r r r r r r r r |` into the board; a fault comes with how many characters stand before.
fn read_rank(line: &str, row: usize, board: &mut Board) -> Result<(), (usize, TextFault)> {
    let rank = row + 1;
    let (label, rest) = line.split_once('|').ok_or((0, TextFault::NotAPicture))?;
    if !(label.is_empty() || label.trim() == rank.to_string()) {
        return Err((0, TextFault::WrongRank { expected: rank }));
    }
    let before = label.chars().count() + 1;
    let (squares, after) = rest.split_once('|').ok_or((before, TextFault::OpenRank { rank }))?;
    if !after.is_empty() {
        let column = before + squares.chars().count() + 1;
        return Err((column, TextFault::Trailing));
    }
    let squares: Vec<char> = squares.chars().collect();
    // Each square is a space and a letter; one more space before the bar is usual.
    if !matches!(squares.len(), 16 | 17) {
        return Err((before, TextFault::RankLength { rank, found: squares.len() / 2 }));
    }
    for (at, &letter) in squares.iter().enumerate() {
        if at % 2 == 0 {
            if letter != ' ' {
                return Err((before + at, TextFault::NoGap { found: letter }));
            }
        } else {
            let square = Square::at(at / 2, row);
            if let Some(piece) = read_square(letter, square).map_err(|what| (before + at, what))? {
                board.put(piece, square);
            }
        }
    }
    Ok(())
}

/// The square that a fault of a board is about: the lowest of the pieces that are too many.
fn square_of(board: &Board, error: BoardError) -> Square {
    match error {
        BoardError::TooMany { piece, .. } => board.piece(piece).first().unwrap_or(Square::A1),
        BoardError::Unsupported { square, .. } => square,
    }
}

impl FromStr for Board {
    type Err = TextError;

    /// Reads a picture, or 64 characters in brackets.
    fn from_str(text: &str) -> Result<Board, TextError> {
        match the_line(text) {
            Some((number, line)) if line.trim_start().starts_with('[') => {
                read_compact(number, line)
            }
            _ => Ok(text.parse::<Picture>()?.board),
        }
    }
}

impl FromStr for Position {
    type Err = TextError;

    /// Reads `g [64 characters]`, or a picture; Gold is to move where nothing says otherwise.
    fn from_str(text: &str) -> Result<Position, TextError> {
        let Some((number, line)) = the_line(text).filter(|(_, line)| line.contains('[')) else {
            return Ok(text.parse::<Picture>()?.position());
        };
        let mut before = line.split('[').next().unwrap_or("").trim().chars();
        let side = before.next().and_then(side::from_letter).filter(|_| before.next().is_none());
        let side = side.ok_or(fault(number, 1, TextFault::NoSide))?;
        Ok(Position::new(read_compact(number, line)?, side))
    }
}

/// The only line with something on it but a comment, and its number; none if there are several.
fn the_line(text: &str) -> Option<(usize, &str)> {
    let mut lines = text
        .lines()
        .enumerate()
        .map(|(index, line)| (index + 1, line.split('#').next().unwrap_or(line)))
        .filter(|(_, line)| !line.trim().is_empty());
    lines.next().filter(|_| lines.next().is_none())
}

/// Reads the brackets of a line.
fn read_compact(number: usize, line: &str) -> Result<Board, TextError> {
    let (before, inside) = line.split_once('[').unwrap_or((line, ""));
    let start = before.chars().count() + 2;
    let (inside, after) =
        inside.split_once(']').ok_or(fault(number, start, TextFault::OpenBracket))?;
    if !after.trim().is_empty() {
        let column = start + inside.chars().count() + 1;
        return Err(fault(number, column, TextFault::Trailing));
    }
    let found = inside.chars().count();
    if found != 64 {
        return Err(fault(number, start, TextFault::CompactLength { found }));
    }
    let mut board = Board::EMPTY;
    for (at, (letter, square)) in inside.chars().zip(Square::drawn()).enumerate() {
        let piece = read_square(letter, square).map_err(|what| fault(number, start + at, what))?;
        if let Some(piece) = piece {
            board.put(piece, square);
        }
    }
    board.validate().map(|()| board).map_err(|error| {
        let square = square_of(&board, error);
        let at = 8 * (7 - square.row()) + square.column();
        fault(number, start + at, TextFault::Board(error))
    })
}

impl fmt::Display for Board {
    /// The 64 characters in brackets, a8 first.
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "[")?;
        for square in Square::drawn() {
            write!(f, "{}", self.piece_at(square).map_or(' ', Piece::letter))?;
        }
        write!(f, "]")
    }
}

impl fmt::Debug for Board {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Display for Picture {
    /// The usual drawing, with dots and with `x` on the traps.
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        if let Some(side) = self.side {
            if let Some(number) = self.number {
                write!(f, "{number}")?;
            }
            writeln!(f, "{}", side::letter(side))?;
        }
        writeln!(f, " +-----------------+")?;
        for row in (0..8).rev() {
            write!(f, "{}|", row + 1)?;
            for column in 0..8 {
                let square = Square::at(column, row);
                let empty = if Square::TRAPS.contains(&square) { 'x' } else { '.' };
                write!(f, " {}", self.board.piece_at(square).map_or(empty, Piece::letter))?;
            }
            writeln!(f, " |")?;
        }
        writeln!(f, " +-----------------+")?;
        write!(f, "   a b c d e f g h")
    }
}
