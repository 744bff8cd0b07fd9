use game::Side;

use super::decided::Decided;
use super::numbers::{MOST, NEVER, Numbers};
use crate::ProofParameters;

/// What a position knows of one of its options.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Branch {
    pub(crate) numbers: Numbers,
    /// If it is decided, the turns that the winner still needs there.
    pub(crate) turns: u16,
    /// If it is decided, whether that holds on this path only.
    pub(crate) by_path: bool,
    /// Whether the option ends the turn.
    pub(crate) ends_turn: bool,
}

impl Branch {
    /// What is decided of it, as seen from before the option of `mover`.
    #[inline]
    fn decided(&self, mover: Side) -> Option<Decided> {
        let winner = self.numbers.winner()?;
        let turn = u16::from(self.ends_turn && winner == mover);
        Some(Decided { winner, turns: self.turns.saturating_add(turn), by_path: self.by_path })
    }
}

/// What is true of a position, given its options.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Summary {
    /// It is decided; if the mover wins, by which option.
    Decided(Decided, Option<usize>),
    /// It is not, and this is where to go on.
    Open(Opening),
}

/// A position that is not decided.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Opening {
    pub(crate) numbers: Numbers,
    /// The most promising option.
    pub(crate) best: usize,
    /// What the mover would have to do for it, and for the next one.
    pub(crate) first: u32,
    pub(crate) second: u32,
    /// What the other side would have to do for the options besides the best.
    pub(crate) rest: u32,
}

/// How numbers of options that must all be answered are put together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Sum {
    /// Added.
    Plain,
    /// The greatest, and so many hundredths for each other: what two options share is not counted
    /// twice (weak proof-number search).
    Weak {
        /// For each side that stands badly, as usual, or well.
        hundredths: [u32; 3],
    },
    /// The most promising ones added (dynamic widening).
    Widening(usize),
}

impl Sum {
    pub(crate) fn new(parameters: &ProofParameters) -> Sum {
        let share = parameters.weak_share as u32;
        match parameters.sum {
            0 => Sum::Plain,
            1 => Sum::Weak { hundredths: [share; 3] },
            2 => Sum::Weak { hundredths: [0, share, 2 * share] },
            _ => Sum::Widening(parameters.widening as usize),
        }
    }
}

/// Puts the options of a position together.
#[derive(Clone, Debug)]
pub(crate) struct Summariser {
    sum: Sum,
    /// For the most promising ones: the numbers of the mover and of the other side.
    open: Vec<(u32, u32)>,
}

/// Of how a side stands: badly, as usual, or well.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub(crate) enum Stand {
    Badly,
    Usual,
    Well,
}

impl Summariser {
    pub(crate) fn new(sum: Sum) -> Summariser {
        Summariser { sum, open: Vec::new() }
    }

    /// What is true of a position in which `mover` has these options and stands like this. `cut` tells
    /// that it had another one, which is forbidden because of the path; `busy`, by how much an
    /// option's number is to be raised since other threads are at it.
    pub(crate) fn summary(
        &mut self,
        mover: Side,
        stand: Stand,
        cut: bool,
        branches: impl Iterator<Item = Branch>,
        busy: impl Fn(usize, u32) -> u32,
    ) -> Summary {
        let mut won: Option<(Decided, usize)> = None;
        let mut lost = Decided { winner: !mover, turns: 0, by_path: cut };
        let (mut first, mut second, mut best, mut least) = (NEVER, NEVER, usize::MAX, u32::MAX);
        let (mut count, mut total, mut greatest, mut of_best) = (0u32, 0u64, 0, 0);
        self.open.clear();
        for (index, branch) in branches.enumerate() {
            match branch.decided(mover) {
                Some(decided) if decided.winner == mover => {
                    if won.is_none_or(|(known, _)| decided.beats(&known)) {
                        won = Some((decided, index));
                    }
                }
                Some(decided) => {
                    lost.turns = lost.turns.max(decided.turns);
                    lost.by_path |= decided.by_path;
                }
                None => {
                    let (own, other) =
                        (branch.numbers.to_win(mover), branch.numbers.to_win(!mover));
                    let weight = busy(index, own);
                    if weight < least {
                        second = second.min(first);
                        (first, best, least, of_best) = (own, index, weight, other);
                    } else {
                        second = second.min(own);
                    }
                    count += 1;
                    total += u64::from(other);
                    greatest = greatest.max(other);
                    if let Sum::Widening(_) = self.sum {
                        self.open.push((own, other));
                    }
                }
            }
        }
        if let Some((decided, index)) = won {
            return Summary::Decided(decided, Some(index));
        }
        if count == 0 {
            return Summary::Decided(lost, None);
        }
        let (all, rest) = match self.sum {
            Sum::Plain => (total, total - u64::from(of_best)),
            Sum::Weak { hundredths } => {
                let share = u64::from(hundredths[stand as usize]);
                let rest = share * u64::from(count - 1) / 100;
                (u64::from(greatest) + rest, rest)
            }
            Sum::Widening(most) => {
                let total = self.sum_of_best(most);
                (total, total.saturating_sub(u64::from(of_best)))
            }
        };
        let bounded = |number: u64| number.clamp(1, u64::from(MOST)) as u32;
        let numbers = Numbers::new(mover, first.min(second), bounded(all));
        Summary::Open(Opening {
            numbers,
            best,
            first,
            second,
            rest: rest.min(u64::from(MOST)) as u32,
        })
    }

    /// The numbers of the other side for the options that are most promising for the mover, added.
    fn sum_of_best(&mut self, most: usize) -> u64 {
        if most < self.open.len() {
            self.open.select_nth_unstable(most);
            self.open.truncate(most);
        }
        self.open.iter().map(|&(_, other)| u64::from(other)).sum()
    }
}

impl Opening {
    /// How far the best option may be searched: until another one is more promising, by `epsilon`
    /// percent (the 1 + ε trick of Pawlewicz and Lew), or the position itself comes to its limits.
    pub(crate) fn limits(
        &self,
        mover: Side,
        limits: Numbers,
        of_best: Numbers,
        epsilon: u32,
    ) -> Numbers {
        let (own, other) = (limits.to_win(mover), limits.to_win(!mover));
        let next = u64::from(self.second.max(self.first));
        // Where positions lead to each other in a circle, their numbers raise each other without end:
        // by a share of them at least, so that it ends soon.
        let least = next + 1 + next / 32;
        let widened = (next * u64::from(100 + epsilon)).div_ceil(100).max(least);
        let own = if self.second == NEVER || widened > u64::from(MOST) {
            own
        } else {
            own.min(widened as u32)
        };
        let other = match other {
            NEVER => NEVER,
            other => other.saturating_sub(self.rest).max(of_best.to_win(!mover) + 1),
        };
        Numbers::new(mover, own.max(self.first + 1), other)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MOVER: Side = Side::First;

    fn branch(own: u32, other: u32) -> Branch {
        let numbers = Numbers::new(MOVER, own, other);
        Branch { numbers, turns: 0, by_path: false, ends_turn: true }
    }

    fn won(winner: Side, turns: u16, by_path: bool) -> Branch {
        Branch { numbers: Numbers::decided(winner), turns, by_path, ends_turn: true }
    }

    fn summary(sum: Sum, stand: Stand, branches: &[Branch]) -> Summary {
        let mut summariser = Summariser::new(sum);
        summariser.summary(MOVER, stand, false, branches.iter().copied(), |_, own| own)
    }

    fn numbers(sum: Sum, stand: Stand) -> (u32, u32) {
        let branches = [branch(5, 2), branch(3, 4), branch(9, 8), won(!MOVER, 3, false)];
        let Summary::Open(Opening { numbers, best: 1, .. }) = summary(sum, stand, &branches) else {
            panic!("the second one is the best of those that are open");
        };
        (numbers.to_win(MOVER), numbers.to_win(!MOVER))
    }

    #[test]
    fn numbers_are_put_together_as_the_scheme_says() {
        assert_eq!(numbers(Sum::Plain, Stand::Well), (3, 14));
        assert_eq!(numbers(Sum::Weak { hundredths: [100; 3] }, Stand::Badly), (3, 10));
        let by_estimate = Sum::Weak { hundredths: [0, 150, 300] };
        assert_eq!(numbers(by_estimate, Stand::Badly), (3, 8));
        assert_eq!(numbers(by_estimate, Stand::Usual), (3, 11));
        assert_eq!(numbers(by_estimate, Stand::Well), (3, 14));
        assert_eq!(numbers(Sum::Widening(2), Stand::Usual), (3, 6));
    }

    #[test]
    fn a_win_is_the_shortest_and_a_loss_the_longest_and_only_own_turns_count() {
        let decided = |branches: &[Branch]| match summary(Sum::Plain, Stand::Usual, branches) {
            Summary::Decided(decided, best) => (decided.turns, decided.by_path, best),
            Summary::Open(_) => panic!("all of it is decided"),
        };
        let win = |turns, by_path| won(MOVER, turns, by_path);
        let loss = |turns, by_path| won(!MOVER, turns, by_path);
        assert_eq!(decided(&[win(1, true), win(4, false), win(2, false)]), (3, false, Some(2)));
        assert_eq!(decided(&[loss(1, true), loss(4, false)]), (4, true, None));
        assert_eq!(decided(&[]), (0, false, None));
        let inside = Branch { ends_turn: false, ..win(2, false) };
        assert_eq!(decided(&[inside]), (2, false, Some(0)));
    }

    #[test]
    fn an_option_is_searched_until_another_is_more_promising_by_far() {
        let branches = [branch(4, 2), branch(10, 4)];
        let Summary::Open(opening) = summary(Sum::Plain, Stand::Usual, &branches) else {
            panic!("nothing is decided");
        };
        let limits = |own, other, epsilon| {
            let limits = opening.limits(
                MOVER,
                Numbers::new(MOVER, own, other),
                branches[0].numbers,
                epsilon,
            );
            (limits.to_win(MOVER), limits.to_win(!MOVER))
        };
        assert_eq!(limits(NEVER, NEVER, 90), (19, NEVER));
        assert_eq!(limits(NEVER, NEVER, 0), (11, NEVER));
        assert_eq!(limits(12, 20, 90), (12, 16));
    }
}
