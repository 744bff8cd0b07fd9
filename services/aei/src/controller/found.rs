use std::time::Duration;

/// What an engine found, and what it last said about it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Found {
    /// What it plays: steps, a setup, or `resign`.
    pub turn: String,
    /// From `go` to the arrival of the answer.
    pub time: Duration,
    /// How the mover stands, in centi-rabbits.
    pub score: Option<i32>,
    /// How deep it looked, in steps.
    pub depth: Option<u32>,
    /// How many positions it looked at.
    pub nodes: Option<u64>,
    /// What it expects both sides to play.
    pub pv: Option<String>,
    /// The forced win or loss it has found, as our own engines say it: `win in 3`.
    pub proof: Option<String>,
}

impl Found {
    /// Takes in an `info` line; what cannot be read changes nothing.
    pub(super) fn note(&mut self, kind: &str, value: &str) {
        match kind {
            "score" => self.score = number(value).map(|score| score as i32).or(self.score),
            "depth" => self.depth = number(value).map(|depth| depth as u32).or(self.depth),
            "nodes" => self.nodes = number(value).map(|nodes| nodes as u64).or(self.nodes),
            "pv" => self.pv = Some(value.to_string()),
            "proof" => self.proof = Some(value.to_string()),
            _ => {}
        }
    }
}

/// The number that a value begins with: a depth may be `8+`, a score `12.5 lowerbound`.
fn number(value: &str) -> Option<f64> {
    let word = value.split_whitespace().next()?.trim_end_matches('+');
    word.parse().ok().filter(|number: &f64| number.is_finite())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_of_each_kind_is_kept_and_nonsense_changes_nothing() {
        let mut found = Found::default();
        let infos = [
            ("depth", "4"),
            ("depth", "8+"),
            ("depth", "deep"),
            ("score", "-12.7"),
            ("score", "nan"),
            ("nodes", "123456789012"),
            ("nodes", ""),
            ("time", "3"),
            ("pv", "Ee2n s ed7s"),
            ("proof", "win in 3"),
        ];
        infos.iter().for_each(|(kind, value)| found.note(kind, value));
        let expected = Found {
            score: Some(-12),
            depth: Some(8),
            nodes: Some(123_456_789_012),
            pv: Some("Ee2n s ed7s".to_string()),
            proof: Some("win in 3".to_string()),
            ..Found::default()
        };
        assert_eq!(found, expected);
    }
}
