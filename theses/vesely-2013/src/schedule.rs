use std::time::Duration;

use tzaar::Field;

/// How many times as long as the last iteration the next one will take, if its depth is even, by the number of
/// free fields and the depth that is finished (Veselý 2013, 3.4).
pub(crate) const EVEN: [u32; 62] = [
    200, 180, 160, 140, 120, 110, 105, 100, 98, 96, 96, 95, 94, 92, 91, 90, 89, 88, 86, 85, 83, 82,
    81, 80, 78, 76, 74, 72, 70, 68, 66, 64, 62, 60, 55, 50, 45, 40, 33, 25, 18, 13, 11, 10, 9, 8,
    7, 7, 6, 5, 5, 4, 4, 3, 3, 2, 2, 1, 1, 1, 1, 1,
];

/// The same, if it is odd.
pub(crate) const ODD: [u32; 62] = [
    100, 100, 100, 100, 80, 60, 50, 40, 35, 30, 29, 28, 27, 26, 26, 26, 25, 24, 23, 22, 21, 20, 19,
    18, 17, 16, 15, 14, 13, 12, 11, 10, 10, 9, 9, 8, 8, 7, 7, 6, 6, 5, 5, 4, 4, 3, 3, 3, 3, 2, 2,
    2, 2, 2, 2, 2, 1, 1, 1, 1, 1, 1,
];

/// The depth of the first iteration.
pub(crate) const FIRST_DEPTH: u8 = 2;

/// The depth that is always begun.
const LEAST_DEPTH: u8 = 5;

/// Which iterations are worth their while.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Schedule {
    /// How many stacks the position has.
    pub(crate) stacks: usize,
    /// The time that there is, if it is limited.
    pub(crate) limit: Option<Duration>,
}

impl Schedule {
    /// Whether another iteration follows the one of this depth, which took `last` of the time that has
    /// `elapsed`: as long as it is predicted to end within the limit.
    pub(crate) fn goes_on(&self, depth: u8, elapsed: Duration, last: Duration) -> bool {
        let Some(limit) = self.limit.filter(|_| depth >= LEAST_DEPTH) else { return true };
        elapsed.saturating_add(last.saturating_mul(self.multiplier(depth))) < limit
    }

    fn multiplier(&self, depth: u8) -> u32 {
        let by_index = if depth.is_multiple_of(2) { &ODD } else { &EVEN };
        let index = Field::COUNT - self.stacks + usize::from(depth);
        by_index[index.min(by_index.len() - 1)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_iteration_follows_if_it_is_predicted_to_end_in_time() {
        let seconds = Duration::from_secs;
        let schedule = Schedule { stacks: 41, limit: Some(seconds(30)) };
        // 19 fields are free: the even table at 24 says 78, the odd one at 25 says 16.
        assert_eq!((schedule.multiplier(5), schedule.multiplier(6)), (78, 16));
        let milliseconds = Duration::from_millis;
        assert!(schedule.goes_on(5, seconds(1), milliseconds(370)));
        assert!(!schedule.goes_on(5, seconds(1), milliseconds(372)));
        assert!(schedule.goes_on(6, seconds(20), milliseconds(620)));
        assert!(!schedule.goes_on(6, seconds(20), milliseconds(630)));
        // The first iterations are always begun, and without a limit all are.
        assert!(schedule.goes_on(4, seconds(100), seconds(50)));
        assert!(Schedule { limit: None, ..schedule }.goes_on(9, seconds(100), seconds(50)));
        // Beyond the tables, their last number counts.
        assert_eq!(Schedule { stacks: 6, limit: None }.multiplier(99), 1);
    }
}
