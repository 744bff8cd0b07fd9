/// What an engine's line says to its controller.
///
/// Engines are not held to more than is needed of them: any line is something.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Heard<'a> {
    /// The version of the protocol that it speaks.
    ProtocolVersion(u32),
    /// Who it is: `name`, `author` or `version`, and the value.
    Id(&'a str, &'a str),
    /// The session is open.
    AeiOk,
    /// All before is done.
    ReadyOk,
    /// What it plays, or nothing.
    BestMove(&'a str),
    /// Something about the search: its type, and the value.
    Info(&'a str, &'a str),
    /// A line for people, or an empty one.
    Log,
    /// Nothing that the protocol knows.
    Garbage,
}

impl Heard<'_> {
    pub(super) fn of(line: &str) -> Heard<'_> {
        let (word, rest) = split_word(line);
        match word.to_ascii_lowercase().as_str() {
            "protocol-version" => Heard::ProtocolVersion(rest.parse().unwrap_or(1)),
            "id" => {
                let (kind, value) = split_word(rest);
                Heard::Id(kind, value)
            }
            "aeiok" => Heard::AeiOk,
            "readyok" => Heard::ReadyOk,
            "bestmove" => Heard::BestMove(rest),
            "info" => {
                let (kind, value) = split_word(rest);
                Heard::Info(kind, value)
            }
            "log" | "" => Heard::Log,
            _ => Heard::Garbage,
        }
    }
}

/// The first word, and the rest.
fn split_word(text: &str) -> (&str, &str) {
    let text = text.trim();
    let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    (word, rest.trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_says_something() {
        let table = [
            ("protocol-version 1", Heard::ProtocolVersion(1)),
            ("protocol-version one", Heard::ProtocolVersion(1)),
            ("id name  Sample Engine ", Heard::Id("name", "Sample Engine")),
            ("id", Heard::Id("", "")),
            ("AEIOK", Heard::AeiOk),
            ("bestmove Ee2n Ee3n", Heard::BestMove("Ee2n Ee3n")),
            ("bestmove ", Heard::BestMove("")),
            ("info score -12", Heard::Info("score", "-12")),
            ("info", Heard::Info("", "")),
            ("log Error: received an illegal move", Heard::Log),
            ("", Heard::Log),
            ("bestmoveEe2n", Heard::Garbage),
            ("\u{FFFD}", Heard::Garbage),
        ];
        for (line, heard) in table {
            assert_eq!(Heard::of(line), heard, "{line:?}");
        }
    }
}
