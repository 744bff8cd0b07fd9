//! A proof with the position it begins at and the result that it claims.

use game::{History, Notation, Past, Position, Proof, Side, Turns};

use crate::check::{TextAt, check_told};
use crate::reader::{FIRST_LINE, read, read_told};
use crate::strategy::Cycle;
use crate::writer::write;
use crate::{CheckError, CheckErrorKind, ReadError, Repetition, Strategy};

/// A strategy, the position it begins at, and what it proves.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Document<P: Position> {
    /// Where it begins; the target is a part of the position.
    pub position: P,
    /// What has come about before, as far as it can come about again.
    pub past: Vec<Past>,
    /// The claim, for the side to move.
    pub result: Proof,
    /// Whether repetition matters.
    pub repetition: Repetition,
    /// The proof.
    pub strategy: Strategy<P::Step>,
}

/// How many turns the winner of a proof needs at most, or why it is no proof.
pub type Checked<S> = Result<Turns, CheckError<S>>;

impl<P: Position> Document<P> {
    /// A document that claims what its strategy comes to.
    pub fn new(
        position: P,
        past: Vec<Past>,
        winner: Side,
        repetition: Repetition,
        strategy: Strategy<P::Step>,
    ) -> Result<Document<P>, Cycle> {
        let length = strategy.length()?;
        let won = position.side() == winner;
        let result = if won { Proof::Win(length) } else { Proof::Loss(length) };
        Ok(Document { position, past, result, repetition, strategy })
    }

    /// Who wins, as it claims.
    pub fn winner(&self) -> Side {
        self.result.winner(self.position.side())
    }

    /// How many turns of its own the winner needs at most, as it claims.
    pub fn turns(&self) -> Turns {
        match self.result {
            Proof::Win(turns) | Proof::Loss(turns) => turns,
        }
    }

    /// The past, counted.
    pub fn history(&self) -> History {
        let mut history = History::new();
        for past in &self.past {
            // More than the rules allow is no more than that.
            (0..past.count.min(3)).for_each(|_| history.push(past.key));
        }
        history
    }

    /// Replays it with the rules alone: every turn of the loser has an answer, every turn of the winner
    /// is legal, and it takes as long as it says.
    pub fn check(&self) -> Result<Turns, CheckError<P::Step>> {
        self.check_until(&|| false)
    }

    /// The same, until `must_stop` says that it is to end: then it is [`CheckErrorKind::Stopped`].
    pub fn check_until(&self, must_stop: &dyn Fn() -> bool) -> Result<Turns, CheckError<P::Step>> {
        let Document { position, repetition, strategy, .. } = self;
        let (winner, past, any_text) = (self.winner(), self.history(), &|_: &P, _: &[_], _| None);
        let found =
            check_told(position, winner, &past, *repetition, strategy, any_text, must_stop)?;
        self.as_claimed(found)
    }

    fn as_claimed(&self, found: Turns) -> Result<Turns, CheckError<P::Step>> {
        let claimed = self.turns();
        if found == claimed {
            return Ok(found);
        }
        let kind = CheckErrorKind::Length { claimed, found };
        Err(CheckError { path: Vec::new(), node: None, kind })
    }
}

impl<P: Notation> Document<P> {
    /// Reads a text, and looks at nothing but its form: [`Document::check`] does the rest.
    pub fn read(text: &str) -> Result<Document<P>, ReadError> {
        read(text)
    }

    /// Reads a text and replays it as [`Document::check`] does. Besides, every turn must be what its text says
    /// where it is played: see [`Notation::tells`].
    pub fn check_text(text: &str) -> Result<(Document<P>, Checked<P::Step>), ReadError> {
        let (document, told) = read_told::<P>(text)?;
        let mistold = |position: &P, turn: &[P::Step], at: TextAt| {
            let texts = told.texts(at);
            let is_told = texts.iter().any(|text| position.tells(turn, text));
            (!is_told).then(|| texts.join(" | "))
        };
        let Document { position, repetition, strategy, .. } = &document;
        let (winner, past) = (document.winner(), document.history());
        let found = check_told(position, winner, &past, *repetition, strategy, &mistold, &|| false);
        let found = found.and_then(|found| document.as_claimed(found));
        Ok((document, found))
    }

    /// Its text, which [`Document::read`] reads as the same.
    ///
    /// A finisher that no turn of the loser ever makes legal is left out: nothing can be said about
    /// its pieces.
    pub fn text(&self) -> String {
        write(self)
    }
}

/// The texts of the documents that a file holds one after another, each with the number of the line
/// before it. What stands before the first is a text of its own, so that it is refused.
pub fn texts(file: &str) -> Vec<(usize, &str)> {
    let mut starts = Vec::new();
    let mut at = 0;
    let mut blank = true;
    for (index, line) in file.split_inclusive('\n').enumerate() {
        let begins = line.trim_end() == FIRST_LINE;
        if begins || blank && starts.is_empty() && !line.trim().is_empty() {
            starts.push((index, at));
        }
        blank &= line.trim().is_empty();
        at += line.len();
    }
    let ends = starts.iter().skip(1).map(|&(_, at)| at).chain([file.len()]);
    starts.iter().zip(ends).map(|(&(index, at), end)| (index, &file[at..end])).collect()
}

/// The position that a path leads to, and the words that say how: nothing for no turn.
pub(crate) fn followed<P: Notation>(root: &P, path: &[Vec<P::Step>]) -> (P, String) {
    let mut position = root.clone();
    let mut turns = Vec::new();
    for turn in path {
        turns.push(position.turn_text(turn));
        turn.iter().for_each(|&step| position.play(step));
    }
    let words = match turns.is_empty() {
        true => String::new(),
        false => format!("after {}: ", turns.join(" / ")),
    };
    (position, words)
}
