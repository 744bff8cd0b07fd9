use std::ops::Index;

use arimaa::Side;
use game::{BySide, Score};

use crate::Win;

/// A part of the evaluation that is a number, in the order of seed 001, chapter 3.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Term {
    /// What the pieces are worth (3.1).
    Material,
    /// What their squares are worth (3.2).
    Positions,
    /// What it is worth to be frozen there: nothing or less (3.2).
    Frozen,
    /// What it is worth that the own elephant is shut in: nothing or less (3.3).
    Blockade,
    /// The best capture within the steps left; only the side to move has one (3.4).
    Trap,
    /// The most valuable enemy that the own elephant forks (3.5).
    Fork,
    /// What it is worth that a framed piece pins the own elephant: nothing or less (3.6).
    Pin,
    /// The most valuable enemy that the own elephant holds hostage (3.7).
    Hostage,
}

impl Term {
    /// All of them, in that order.
    pub const ALL: [Term; 8] = [
        Term::Material,
        Term::Positions,
        Term::Frozen,
        Term::Blockade,
        Term::Trap,
        Term::Fork,
        Term::Pin,
        Term::Hostage,
    ];

    /// `material`, `positions` …
    pub const fn name(self) -> &'static str {
        match self {
            Term::Material => "material",
            Term::Positions => "positions",
            Term::Frozen => "frozen",
            Term::Blockade => "blockade",
            Term::Trap => "trap",
            Term::Fork => "fork",
            Term::Pin => "pin",
            Term::Hostage => "hostage",
        }
    }
}

/// Every term for both sides, each as what it adds to its own side's total.
///
/// The ninth term, a goal within the steps left, is a win and no number: it stands beside the
/// others.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Terms {
    pub(super) side: Side,
    pub(super) values: [BySide<i32>; Term::ALL.len()],
    pub(super) goal: Option<Win>,
}

impl Index<Term> for Terms {
    type Output = BySide<i32>;

    fn index(&self, term: Term) -> &BySide<i32> {
        &self.values[term as usize]
    }
}

impl Terms {
    /// The side to move.
    pub fn side(&self) -> Side {
        self.side
    }

    /// How the side to move reaches its goal within the steps left, if it can.
    pub fn goal(&self) -> Option<Win> {
        self.goal
    }

    /// The sum of all terms of a side.
    pub fn total(&self, side: Side) -> i32 {
        self.values.iter().map(|value| value[side]).sum()
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
