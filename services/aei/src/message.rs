use std::str::FromStr;

use arimaa::Position;
use thiserror::Error;

/// What a controller sends.
///
/// Those from [`Message::BoardDump`] on, and [`Message::GoNoThread`], [`Message::SetPositionFile`]
/// and [`Message::MakeMoveRec`], are not of the protocol: they are for people and scripts, as
/// Akimot has them (Kozelek 2009, A.6).
///
/// ```
/// # use aei::{Message, Mode};
/// assert_eq!("go ponder".parse(), Ok(Message::Go(Mode::Ponder)));
/// assert!("castle".parse::<Message>().unwrap_err().is_unknown());
/// ```
#[derive(Clone, PartialEq, Debug)]
pub enum Message {
    /// Opens the session.
    Aei,
    /// Asks whether all before is done.
    IsReady,
    /// An empty board, Gold sets up.
    NewGame,
    /// The game begins at this position.
    SetPosition(Position),
    /// The game begins at the position that a file holds.
    SetPositionFile(String),
    /// Sets an option.
    SetOption {
        /// Its name.
        name: String,
        /// Its value, where there is one.
        value: Option<String>,
    },
    /// Plays these steps, or this setup.
    MakeMove(String),
    /// Plays what the last search found.
    MakeMoveRec,
    /// Starts a search.
    Go(Mode),
    /// Starts a search and reads no message before it is done.
    GoNoThread,
    /// Ends the search with its answer.
    Stop,
    /// Ends the session.
    Quit,
    /// Draws the board.
    BoardDump,
    /// Shows the tree of the last search.
    TreeDump,
    /// Shows the evaluation of the position.
    Eval,
    /// Says whether a side could reach its goal.
    GoalCheck,
    /// Says which pieces could be captured.
    TrapCheck,
}

impl Message {
    /// The word that it begins with.
    pub fn word(&self) -> &'static str {
        match self {
            Message::Aei => "aei",
            Message::IsReady => "isready",
            Message::NewGame => "newgame",
            Message::SetPosition(_) => "setposition",
            Message::SetPositionFile(_) => "setpositionfile",
            Message::SetOption { .. } => "setoption",
            Message::MakeMove(_) => "makemove",
            Message::MakeMoveRec => "makemoverec",
            Message::Go(_) => "go",
            Message::GoNoThread => "gonothread",
            Message::Stop => "stop",
            Message::Quit => "quit",
            Message::BoardDump => "boarddump",
            Message::TreeDump => "treedump",
            Message::Eval => "eval",
            Message::GoalCheck => "goalcheck",
            Message::TrapCheck => "trapcheck",
        }
    }
}

/// What a search is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    /// The turn is wanted in the time that the clock allows.
    Answer,
    /// It is the opponent's turn: nothing is answered until `stop`.
    Ponder,
    /// Nothing is answered until `stop`.
    Infinite,
}

/// Why a line is no message.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum MessageError {
    /// No message begins so; by the protocol, that ends the session.
    #[error("unknown message {0:?}")]
    Unknown(String),
    /// The message is known, but not what follows.
    #[error("{message}: {fault}")]
    Malformed {
        /// The first word.
        message: String,
        /// What is wrong with the rest.
        fault: String,
    },
}

impl MessageError {
    /// Whether no message begins so.
    pub fn is_unknown(&self) -> bool {
        matches!(self, MessageError::Unknown(_))
    }
}

impl FromStr for Message {
    type Err = MessageError;

    /// Reads a line, which must not be blank.
    fn from_str(line: &str) -> Result<Message, MessageError> {
        let line = line.trim();
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        let bare = |message: Message| match rest {
            "" => Ok(message),
            _ => Err(format!("expected nothing after it, found {rest:?}")),
        };
        let message = match word {
            "aei" => bare(Message::Aei),
            "isready" => bare(Message::IsReady),
            "newgame" => bare(Message::NewGame),
            "setposition" => set_position(rest),
            "setpositionfile" => {
                filled(rest, "the name of a file").map(|name| Message::SetPositionFile(name.into()))
            }
            "setoption" => set_option(rest),
            "makemove" => filled(rest, "steps such as Ee2n, or a setup such as Ra1")
                .map(|steps| Message::MakeMove(steps.into())),
            "makemoverec" => bare(Message::MakeMoveRec),
            "go" => go(rest),
            "gonothread" => bare(Message::GoNoThread),
            "stop" => bare(Message::Stop),
            "quit" => bare(Message::Quit),
            "boarddump" => bare(Message::BoardDump),
            "treedump" => bare(Message::TreeDump),
            "eval" => bare(Message::Eval),
            "goalcheck" => bare(Message::GoalCheck),
            "trapcheck" => bare(Message::TrapCheck),
            _ => return Err(MessageError::Unknown(word.to_string())),
        };
        message.map_err(|fault| MessageError::Malformed { message: word.to_string(), fault })
    }
}

fn filled<'a>(rest: &'a str, what: &str) -> Result<&'a str, String> {
    if rest.is_empty() { Err(format!("expected {what} after it")) } else { Ok(rest) }
}

fn set_position(rest: &str) -> Result<Message, String> {
    let text = filled(rest, "a position such as g [64 characters]")?;
    let position = text.parse().map_err(|error: arimaa::TextError| {
        format!("character {} of the position: {}", error.column, error.fault)
    })?;
    Ok(Message::SetPosition(position))
}

/// `name X`, then perhaps `value Y`; a name, and even more so a value, may have several words.
fn set_option(rest: &str) -> Result<Message, String> {
    let fault = || format!("expected name X, then perhaps value Y, found {rest:?}");
    let (_, named) =
        split_at_word(rest, "name").filter(|(before, _)| before.is_empty()).ok_or_else(fault)?;
    let (name, value) = match split_at_word(named, "value") {
        Some((name, value)) => (name, Some(value.to_string())),
        None => (named, None),
    };
    if name.is_empty() {
        return Err(fault());
    }
    Ok(Message::SetOption { name: name.to_string(), value })
}

/// What stands before and behind the first such word.
fn split_at_word<'a>(text: &'a str, word: &str) -> Option<(&'a str, &'a str)> {
    text.match_indices(word).find_map(|(at, _)| {
        let (before, behind) = (&text[..at], &text[at + word.len()..]);
        let apart = (before.is_empty() || before.ends_with(char::is_whitespace))
            && (behind.is_empty() || behind.starts_with(char::is_whitespace));
        apart.then(|| (before.trim(), behind.trim()))
    })
}

fn go(rest: &str) -> Result<Message, String> {
    let mode = match rest {
        "" => Mode::Answer,
        "ponder" => Mode::Ponder,
        "infinite" => Mode::Infinite,
        _ => return Err(format!("expected nothing, ponder or infinite after it, found {rest:?}")),
    };
    Ok(Message::Go(mode))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn option(name: &str, value: Option<&str>) -> Result<Message, MessageError> {
        Ok(Message::SetOption { name: name.to_string(), value: value.map(str::to_string) })
    }

    #[test]
    fn options_have_names_and_values_of_many_words() {
        assert_eq!("setoption name tcmove value 0.2".parse(), option("tcmove", Some("0.2")));
        assert_eq!("setoption name rated".parse(), option("rated", None));
        assert_eq!("setoption name event value ".parse(), option("event", Some("")));
        assert_eq!(
            " setoption  name  opponent  value  Mr.  value X \r\n".parse(),
            option("opponent", Some("Mr.  value X"))
        );
        assert_eq!("setoption name a b value c d".parse(), option("a b", Some("c d")));
    }

    #[test]
    fn what_is_wrong_with_a_message_is_told() {
        let table = [
            ("castle", "unknown message \"castle\""),
            ("AEI", "unknown message \"AEI\""),
            ("isready now", "isready: expected nothing after it, found \"now\""),
            ("go fast", "go: expected nothing, ponder or infinite after it, found \"fast\""),
            ("makemove", "makemove: expected steps such as Ee2n, or a setup such as Ra1 after it"),
            ("setoption", "setoption: expected name X, then perhaps value Y, found \"\""),
            (
                "setoption tcmove 3",
                "setoption: expected name X, then perhaps value Y, found \"tcmove 3\"",
            ),
            (
                "setoption name value 3",
                "setoption: expected name X, then perhaps value Y, found \"name value 3\"",
            ),
            ("setposition", "setposition: expected a position such as g [64 characters] after it"),
            (
                "setposition g [r]",
                "setposition: character 4 of the position: found 1 characters in the brackets, \
                 expected 64 (a8 to h8, then a7 to h1)",
            ),
        ];
        for (line, error) in table {
            assert_eq!(line.parse::<Message>().unwrap_err().to_string(), error);
        }
    }
}
