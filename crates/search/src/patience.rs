use std::time::Duration;

use crate::{Report, Verdict};

/// How long a search goes on: an easy turn, of which iteration after iteration says the same, is played
/// sooner than the soft limit says, a hard one later.
pub(crate) struct Patience<Step> {
    /// How the last line began.
    beginning: Vec<Step>,
    /// How many iterations in a row have said so.
    steady: u32,
    score: Option<i32>,
}

/// So many steps of a line are compared: the turn that is played, or most of it.
const COMPARED: usize = 2;

/// So many iterations that agree make a turn easy.
const EASY: u32 = 4;

/// A score that falls by so much within an iteration, in centi-rabbits, makes it hard.
const FALL: i32 = 40;

impl<Step: Copy + PartialEq> Patience<Step> {
    pub(crate) fn new() -> Patience<Step> {
        Patience { beginning: Vec::new(), steady: 0, score: None }
    }

    /// Hears of an iteration, and says how long the search may take.
    pub(crate) fn time(&mut self, report: &Report<Step>, soft: Duration) -> Duration {
        let score = match report.verdict {
            Verdict::Score(score) => Some(score.0),
            Verdict::Proof(_) => None,
        };
        let beginning = &report.line[..report.line.len().min(COMPARED)];
        self.steady = if beginning == self.beginning { self.steady + 1 } else { 0 };
        let falls = self.score.zip(score).is_some_and(|(before, now)| now < before - FALL);
        (self.beginning, self.score) = (beginning.to_vec(), score);
        let percent = match self.steady {
            _ if falls => 160,
            0 => 130,
            EASY.. => 60,
            _ => 100,
        };
        soft / 100 * percent
    }
}

#[cfg(test)]
mod tests {
    use game::{Score, Steps};

    use super::*;

    fn time(patience: &mut Patience<char>, line: &str, score: i32) -> u128 {
        let report = Report {
            depth: Steps(1),
            verdict: Verdict::Score(Score(score)),
            line: line.chars().collect(),
            nodes: 0,
            time: Duration::ZERO,
        };
        patience.time(&report, Duration::from_millis(100)).as_millis()
    }

    #[test]
    fn easy_turns_are_played_sooner_and_hard_ones_later() {
        let mut patience = Patience::new();
        let times: Vec<u128> =
            ["ab", "abc", "abd", "abcd", "abc"].map(|line| time(&mut patience, line, 10)).into();
        assert_eq!(times, [130, 100, 100, 100, 60]);
        assert_eq!(time(&mut patience, "ab", -100), 160);
        assert_eq!(time(&mut patience, "ba", -100), 130);
    }
}
