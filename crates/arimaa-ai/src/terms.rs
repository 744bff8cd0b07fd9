use std::ops::Index;

use arimaa::Side;
use game::{BySide, Score};

use crate::Win;

/// A part of an evaluation that is a number: what [`Terms`] lists.
pub trait Named: Copy + Eq + 'static {
    /// All parts, in the order in which they are told.
    const ALL: &'static [Self];

    /// `material`, `traps` …
    fn name(self) -> &'static str;
}

/// Every term of an evaluation for both sides, each as what it adds to its own side's total.
///
/// A goal within the steps left is a win and no number: it stands beside the others.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Terms<Term> {
    side: Side,
    values: Vec<(Term, BySide<i32>)>,
    goal: Option<Win>,
}

impl<Term: Named> Index<Term> for Terms<Term> {
    type Output = BySide<i32>;

    fn index(&self, term: Term) -> &BySide<i32> {
        let found = self.values.iter().find(|(other, _)| *other == term);
        found.map(|(_, value)| value).expect("every term has a value")
    }
}

impl<Term: Named> Terms<Term> {
    /// All terms by what each is worth to a side, if `side` is to move.
    pub(crate) fn new(
        side: Side,
        goal: Option<Win>,
        value: impl Fn(Term, Side) -> i32,
    ) -> Terms<Term> {
        let both = |&term: &Term| {
            let worth = |side| value(term, side);
            (term, BySide { first: worth(Side::First), second: worth(Side::Second) })
        };
        Terms { side, values: Term::ALL.iter().map(both).collect(), goal }
    }

    /// The side to move.
    pub fn side(&self) -> Side {
        self.side
    }

    /// How the side to move reaches its goal within the steps left, if it can.
    pub fn goal(&self) -> Option<Win> {
        self.goal
    }

    /// Each term with its name, for both sides.
    pub fn rows(&self) -> impl Iterator<Item = (&'static str, BySide<i32>)> + '_ {
        self.values.iter().map(|(term, value)| (term.name(), *value))
    }

    /// The sum of all terms of a side.
    pub fn total(&self, side: Side) -> i32 {
        self.values.iter().map(|(_, value)| value[side]).sum()
    }

    /// The difference of the totals in the eyes of a side. A goal is not in it.
    pub fn seen_by(&self, side: Side) -> i32 {
        self.total(side) - self.total(!side)
    }

    /// The same for the side to move.
    pub fn score(&self) -> Score {
        Score(self.seen_by(self.side))
    }
}
