//! Backup: how the numbers of a position follow from those of its children.
//!
//! The side to move needs one child that wins: its number is the least of theirs. The other side must
//! answer every child: its number is their sum (Allis 1994), or less where children share work (weak
//! proof-number search, Ueda et al. 2008; dynamic widening, Yoshizoe 2008).

use std::cmp::Reverse;

use game::Side;

use super::numbers::{Decided, INFINITE, MAX_FINITE, ProofNumbers};
use super::{ChildSum, ProofParameters};

/// What a position knows about one of its children.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Branch {
    pub(crate) numbers: ProofNumbers,
    /// If it is decided, the turns that the winner still needs there.
    pub(crate) turns: u16,
    /// If it is decided, whether the proof is path-dependent.
    pub(crate) path_dependent: bool,
    /// Whether the step to it ends the turn.
    pub(crate) ends_turn: bool,
}

impl Branch {
    /// If it is decided, what that means for the parent, where `mover` is to move.
    #[inline]
    fn decided(&self, mover: Side) -> Option<Decided> {
        let winner = self.numbers.winner()?;
        let own_turn = u16::from(self.ends_turn && winner == mover);
        let turns = self.turns.saturating_add(own_turn);
        Some(Decided { winner, turns, path_dependent: self.path_dependent })
    }

    /// How promising it is where `mover` chooses.
    pub(crate) fn rank(&self, mover: Side) -> Rank {
        match self.decided(mover) {
            Some(Decided { winner, turns, path_dependent }) if winner == mover => {
                Rank::Won(path_dependent, turns)
            }
            Some(Decided { turns, .. }) => Rank::Lost(Reverse(turns)),
            None => Rank::Open(self.numbers.to_win(mover)),
        }
    }
}

/// How promising a child is for the side that chooses it: the least is where a search goes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Rank {
    /// The child wins. A proof for every path comes first, then the shorter proof, as in [`Decided::beats`].
    Won(bool, u16),
    /// The child is not decided; the number is that of the side that chooses.
    Open(u32),
    /// The child loses: a longer loss is better.
    Lost(Reverse<u16>),
}

/// What follows for a position from its children.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Backup {
    /// It is decided; if the mover wins, by which child.
    Decided(Decided, Option<usize>),
    /// It is not decided.
    Open(OpenNode),
}

/// A position that is not decided, and where to go on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct OpenNode {
    pub(crate) numbers: ProofNumbers,
    /// The most promising child.
    pub(crate) best: usize,
    /// The number of the mover for it, and for the second best.
    pub(crate) first: u32,
    pub(crate) second: u32,
    /// What the children besides the best add to the number of the other side.
    pub(crate) rest: u32,
}

/// How the numbers of children that must all be answered are combined.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum SumRule {
    /// Added: plain proof-number search (Allis 1994).
    Plain,
    /// The greatest number, and so many hundredths for each other child: work that children share is not
    /// counted twice (weak proof-number search, Ueda et al. 2008).
    Weak {
        /// For a mover that stands worse, even, or better.
        hundredths: [u32; 3],
    },
    /// The most promising ones added (dynamic widening, Yoshizoe 2008).
    Widening(usize),
}

impl SumRule {
    pub(crate) fn new(parameters: &ProofParameters) -> SumRule {
        let share = parameters.weak_share as u32;
        match parameters.sum {
            ChildSum::Add => SumRule::Plain,
            ChildSum::Weak => SumRule::Weak { hundredths: [share; 3] },
            ChildSum::WeakByEvaluation => SumRule::Weak { hundredths: [0, share, 2 * share] },
            ChildSum::Widening => SumRule::Widening(parameters.widening as usize),
        }
    }
}

/// Combines the children of a position.
#[derive(Clone, Debug)]
pub(crate) struct BackupRule {
    sum: SumRule,
    /// For dynamic widening: the numbers of the mover and of the other side, for each open child.
    open: Vec<(u32, u32)>,
}

/// How the side to move stands, by its evaluation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub(crate) enum Standing {
    Worse,
    Even,
    Better,
}

impl BackupRule {
    pub(crate) fn new(sum: SumRule) -> BackupRule {
        BackupRule { sum, open: Vec::new() }
    }

    /// The backup of a position with these children, where `mover` is to move. `path_cut` says that the
    /// path forbids another child. `virtual_loss` raises the number of a child for the threads that are
    /// below it.
    #[inline]
    pub(crate) fn backup(
        &mut self,
        mover: Side,
        standing: Standing,
        path_cut: bool,
        branches: impl Iterator<Item = Branch>,
        virtual_loss: impl Fn(usize, u32) -> u32,
    ) -> Backup {
        let mut won: Option<(Decided, usize)> = None;
        let mut lost = Decided { winner: !mover, turns: 0, path_dependent: path_cut };
        let (mut first, mut second, mut best, mut least) =
            (INFINITE, INFINITE, usize::MAX, u32::MAX);
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
                    lost.path_dependent |= decided.path_dependent;
                }
                None => {
                    let (own, other) =
                        (branch.numbers.to_win(mover), branch.numbers.to_win(!mover));
                    let weight = virtual_loss(index, own);
                    if weight < least {
                        second = second.min(first);
                        (first, best, least, of_best) = (own, index, weight, other);
                    } else {
                        second = second.min(own);
                    }
                    count += 1;
                    total += u64::from(other);
                    greatest = greatest.max(other);
                    if let SumRule::Widening(_) = self.sum {
                        self.open.push((own, other));
                    }
                }
            }
        }
        if let Some((decided, index)) = won {
            return Backup::Decided(decided, Some(index));
        }
        if count == 0 {
            return Backup::Decided(lost, None);
        }
        let (all, rest) = match self.sum {
            SumRule::Plain => (total, total - u64::from(of_best)),
            SumRule::Weak { hundredths } => {
                let share = u64::from(hundredths[standing as usize]);
                let rest = share * u64::from(count - 1) / 100;
                (u64::from(greatest) + rest, rest)
            }
            SumRule::Widening(most) => {
                let total = self.sum_of_best(most);
                (total, total.saturating_sub(u64::from(of_best)))
            }
        };
        let bounded = |number: u64| number.clamp(1, u64::from(MAX_FINITE)) as u32;
        let numbers = ProofNumbers::new(mover, first.min(second), bounded(all));
        Backup::Open(OpenNode {
            numbers,
            best,
            first,
            second,
            rest: rest.min(u64::from(MAX_FINITE)) as u32,
        })
    }

    /// The sum of the other side's numbers over the children that are most promising for the mover.
    fn sum_of_best(&mut self, most: usize) -> u64 {
        if most < self.open.len() {
            self.open.select_nth_unstable(most);
            self.open.truncate(most);
        }
        self.open.iter().map(|&(_, other)| u64::from(other)).sum()
    }
}

impl OpenNode {
    /// The thresholds of the best child (Nagai 2002): it is searched until another child is more promising
    /// by `epsilon` percent (the 1 + ε trick, Pawlewicz and Lew 2007), or the position itself comes to
    /// its thresholds.
    #[inline]
    pub(crate) fn child_thresholds(
        &self,
        mover: Side,
        thresholds: ProofNumbers,
        of_best: ProofNumbers,
        epsilon: u32,
    ) -> ProofNumbers {
        let (own, other) = (thresholds.to_win(mover), thresholds.to_win(!mover));
        let next = u64::from(self.second.max(self.first));
        // In a cycle of positions, numbers raise each other without end. The threshold rises by a share
        // of them at least, so that this ends soon.
        let least = next + 1 + next / 32;
        let widened = (next * u64::from(100 + epsilon)).div_ceil(100).max(least);
        let own = if self.second == INFINITE || widened > u64::from(MAX_FINITE) {
            own
        } else {
            own.min(widened as u32)
        };
        let other = match other {
            INFINITE => INFINITE,
            other => other.saturating_sub(self.rest).max(of_best.to_win(!mover) + 1),
        };
        ProofNumbers::new(mover, own.max(self.first + 1), other)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MOVER: Side = Side::First;

    fn branch(own: u32, other: u32) -> Branch {
        let numbers = ProofNumbers::new(MOVER, own, other);
        Branch { numbers, turns: 0, path_dependent: false, ends_turn: true }
    }

    fn won(winner: Side, turns: u16, path_dependent: bool) -> Branch {
        Branch { numbers: ProofNumbers::decided(winner), turns, path_dependent, ends_turn: true }
    }

    #[inline]
    fn backup(sum: SumRule, standing: Standing, branches: &[Branch]) -> Backup {
        let mut backup_rule = BackupRule::new(sum);
        backup_rule.backup(MOVER, standing, false, branches.iter().copied(), |_, own| own)
    }

    fn numbers(sum: SumRule, standing: Standing) -> (u32, u32) {
        let branches = [branch(5, 2), branch(3, 4), branch(9, 8), won(!MOVER, 3, false)];
        let Backup::Open(OpenNode { numbers, best: 1, .. }) = backup(sum, standing, &branches)
        else {
            panic!("the second one is the best of those that are open");
        };
        (numbers.to_win(MOVER), numbers.to_win(!MOVER))
    }

    #[test]
    fn numbers_are_combined_by_the_sum_rule() {
        assert_eq!(numbers(SumRule::Plain, Standing::Better), (3, 14));
        assert_eq!(numbers(SumRule::Weak { hundredths: [100; 3] }, Standing::Worse), (3, 10));
        let by_evaluation = SumRule::Weak { hundredths: [0, 150, 300] };
        assert_eq!(numbers(by_evaluation, Standing::Worse), (3, 8));
        assert_eq!(numbers(by_evaluation, Standing::Even), (3, 11));
        assert_eq!(numbers(by_evaluation, Standing::Better), (3, 14));
        assert_eq!(numbers(SumRule::Widening(2), Standing::Even), (3, 6));
    }

    #[test]
    fn a_win_is_the_shortest_and_a_loss_the_longest_and_only_own_turns_count() {
        let decided = |branches: &[Branch]| match backup(SumRule::Plain, Standing::Even, branches) {
            Backup::Decided(decided, best) => (decided.turns, decided.path_dependent, best),
            Backup::Open(_) => panic!("all of it is decided"),
        };
        let win = |turns, path_dependent| won(MOVER, turns, path_dependent);
        let loss = |turns, path_dependent| won(!MOVER, turns, path_dependent);
        assert_eq!(decided(&[win(1, true), win(4, false), win(2, false)]), (3, false, Some(2)));
        assert_eq!(decided(&[loss(1, true), loss(4, false)]), (4, true, None));
        assert_eq!(decided(&[]), (0, false, None));
        let inside = Branch { ends_turn: false, ..win(2, false) };
        assert_eq!(decided(&[inside]), (2, false, Some(0)));
    }

    #[test]
    fn a_child_is_searched_until_another_is_more_promising_by_epsilon() {
        let branches = [branch(4, 2), branch(10, 4)];
        let Backup::Open(open) = backup(SumRule::Plain, Standing::Even, &branches) else {
            panic!("nothing is decided");
        };
        let thresholds = |own, other, epsilon| {
            let thresholds = open.child_thresholds(
                MOVER,
                ProofNumbers::new(MOVER, own, other),
                branches[0].numbers,
                epsilon,
            );
            (thresholds.to_win(MOVER), thresholds.to_win(!MOVER))
        };
        assert_eq!(thresholds(INFINITE, INFINITE, 90), (19, INFINITE));
        assert_eq!(thresholds(INFINITE, INFINITE, 0), (11, INFINITE));
        assert_eq!(thresholds(12, 20, 90), (12, 16));
    }
}
