use std::time::Duration;

use crate::{Info, Verdict};

/// Time management: how long a search goes on. An easy turn, on which iteration after iteration agrees, is
/// played before the soft limit, a hard one after it.
pub(super) struct TimeManagement<Step> {
    /// How the last principal variation began.
    beginning: Vec<Step>,
    /// How many iterations in a row have begun so.
    steady: u32,
    score: Option<i32>,
}

/// So many first steps of the principal variation are compared.
const COMPARED: usize = 2;

/// So many iterations that agree make a turn easy.
const EASY: u32 = 4;

/// A score that falls by so much within an iteration, in centi-rabbits, makes it hard.
const FALL: i32 = 40;

impl<Step: Copy + PartialEq> TimeManagement<Step> {
    pub(super) fn new() -> TimeManagement<Step> {
        TimeManagement { beginning: Vec::new(), steady: 0, score: None }
    }

    /// Hears of an iteration, and says how long the search may take.
    pub(super) fn time(&mut self, info: &Info<Step>, soft: Duration) -> Duration {
        let score = info.verdict().and_then(Verdict::score).map(|score| score.0);
        let beginning = &info.pv()[..info.pv().len().min(COMPARED)];
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
    use game::Score;

    use super::*;

    fn time(management: &mut TimeManagement<char>, line: &str, score: i32) -> u128 {
        let verdict = Verdict::Score(Score(score));
        let info = Info::without_search(Some(verdict), line.chars().collect());
        management.time(&info, Duration::from_millis(100)).as_millis()
    }

    #[test]
    fn easy_turns_are_played_sooner_and_hard_ones_later() {
        let mut management = TimeManagement::new();
        let times: Vec<u128> =
            ["ab", "abc", "abd", "abcd", "abc"].map(|line| time(&mut management, line, 10)).into();
        assert_eq!(times, [130, 100, 100, 100, 60]);
        assert_eq!(time(&mut management, "ab", -100), 160);
        assert_eq!(time(&mut management, "ba", -100), 130);
    }
}
