use std::fmt;
use std::ops::Neg;

use game::{Proof, Score, Turns};

use crate::Verdict;

/// What alpha-beta compares: all losses below all scores below all wins, a late loss above an early one,
/// and an early win above a late one.
///
/// It is for the side to move and is negated when that changes. The distance of a result is counted
/// in turns of both sides from the root of the search (from the position itself in the table), so
/// that it need not change on its way up.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Value(i32);

/// How many bits of the table's entry it takes: enough for evaluations that count in millions.
pub(crate) const VALUE_BITS: u32 = 24;

/// Results are beyond all scores.
const RESULTS: i32 = 8_000_000;
const MOST_TURNS: i32 = 500;
const MOST_SCORE: i32 = RESULTS - MOST_TURNS - 1;

const _: () = assert!(RESULTS + 1 < 1 << (VALUE_BITS - 1));

impl Value {
    /// Below everything.
    pub(crate) const MIN: Value = Value(-RESULTS - 1);
    /// Above everything.
    pub(crate) const MAX: Value = Value(RESULTS + 1);

    /// The side to move wins with a turn, its own, that so many others precede.
    #[inline]
    pub(crate) fn win(turns_before: u16) -> Value {
        Value(RESULTS - i32::from(turns_before).min(MOST_TURNS))
    }

    /// The side to move has lost by a turn of the other that so many others precede.
    #[inline]
    pub(crate) fn loss(turns_before: u16) -> Value {
        -Value::win(turns_before)
    }

    #[inline]
    pub(crate) fn is_win(self) -> bool {
        self.0 > MOST_SCORE
    }

    #[inline]
    pub(crate) fn is_loss(self) -> bool {
        self.0 < -MOST_SCORE
    }

    /// Whether it is certain.
    #[inline]
    pub(crate) fn is_result(self) -> bool {
        self.is_win() || self.is_loss()
    }

    /// A bit higher or lower, but still a score if it is one.
    #[inline]
    pub(crate) fn plus(self, margin: i32) -> Value {
        if self.is_result() {
            return self;
        }
        Value::from(Score(self.0.saturating_add(margin)))
    }

    /// The next value above.
    #[inline]
    pub(crate) fn successor(self) -> Value {
        Value(self.0 + 1)
    }

    /// The next value below.
    #[inline]
    pub(crate) fn predecessor(self) -> Value {
        Value(self.0 - 1)
    }

    /// As seen from a position that so many turns precede, for the table.
    #[inline]
    pub(crate) fn seen_from(self, turns_before: u16) -> Value {
        self.shifted(i32::from(turns_before))
    }

    /// As seen from the root, [`Value::seen_from`] undone.
    #[inline]
    pub(crate) fn seen_from_root(self, turns_before: u16) -> Value {
        self.shifted(-i32::from(turns_before))
    }

    #[inline]
    fn shifted(self, turns: i32) -> Value {
        match self {
            _ if self.is_win() => Value((self.0 + turns).clamp(MOST_SCORE + 1, RESULTS)),
            _ if self.is_loss() => Value((self.0 - turns).clamp(-RESULTS, -MOST_SCORE - 1)),
            _ => self,
        }
    }

    /// The lowest [`VALUE_BITS`] bits; the others are zero.
    pub(crate) fn bits(self) -> u64 {
        (self.0 as u32 & ((1 << VALUE_BITS) - 1)).into()
    }

    /// The value with those lowest bits, whatever the others are.
    pub(crate) fn from_bits(bits: u64) -> Value {
        // The sign is brought to where shifting back extends it.
        Value((bits as u32).cast_signed() << (32 - VALUE_BITS) >> (32 - VALUE_BITS))
    }

    /// What it says to those who asked.
    pub(crate) fn verdict(self) -> Verdict {
        // The turns before the winning one are of both sides; its own among them are half.
        let turns = |distance: i32| Turns((distance / 2 + 1) as u16);
        if self.is_win() {
            Verdict::Proof(Proof::Win(turns(RESULTS - self.0)))
        } else if self.is_loss() {
            Verdict::Proof(Proof::Loss(turns(RESULTS + self.0)))
        } else {
            Verdict::Score(Score(self.0))
        }
    }
}

impl From<Score> for Value {
    #[inline]
    fn from(score: Score) -> Value {
        Value(score.0.clamp(-MOST_SCORE, MOST_SCORE))
    }
}

impl Neg for Value {
    type Output = Value;

    #[inline]
    fn neg(self) -> Value {
        Value(-self.0)
    }
}

impl fmt::Debug for Value {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{:?}", self.verdict())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_beyond_scores_and_early_wins_are_best() {
        let order = [
            Value::MIN,
            Value::loss(1),
            Value::loss(3),
            Value::from(Score(-9_000_000)),
            Value::from(Score(-5)),
            Value::from(Score(7)),
            Value::from(Score(9_000_000)),
            Value::win(4),
            Value::win(0),
            Value::MAX,
        ];
        assert!(order.is_sorted_by(|a, b| a < b));
    }

    #[test]
    fn every_value_comes_back_from_its_bits() {
        let scores = (-8_000_000..8_000_000).step_by(997).map(|score| Value::from(Score(score)));
        for value in scores.chain([Value::MIN, Value::MAX, Value::win(3), Value::loss(3)]) {
            assert_eq!(Value::from_bits(value.bits() | 0xABC << VALUE_BITS), value);
        }
    }

    #[test]
    fn distances_count_the_winners_own_turns() {
        let proof = |value: Value| match value.verdict() {
            Verdict::Proof(proof) => proof.to_string(),
            Verdict::Score(score) => score.to_string(),
        };
        // Now, and after a turn of one's own and a reply.
        assert_eq!(proof(Value::win(0)), "win in 1");
        assert_eq!(proof(Value::win(2)), "win in 2");
        // The other side wins with its next turn, or with the one after.
        assert_eq!(proof(Value::loss(1)), "loss in 1");
        assert_eq!(proof(Value::loss(3)), "loss in 2");
    }

    #[test]
    fn the_table_keeps_distances_from_the_position_itself() {
        let value = Value::win(6);
        assert_eq!(value.seen_from(4), Value::win(2));
        assert_eq!(value.seen_from(4).seen_from_root(4), value);
        assert_eq!(Value::from(Score(12)).seen_from(4), Value::from(Score(12)));
    }
}
