use crate::terms::{self, Named};

/// Every term for both sides.
pub type Terms = terms::Terms<Term>;

/// A part of the evaluation that is a number, in the order of Zhong 2005, chapter 3.
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

impl Named for Term {
    const ALL: &'static [Term] = &[
        Term::Material,
        Term::Positions,
        Term::Frozen,
        Term::Blockade,
        Term::Trap,
        Term::Fork,
        Term::Pin,
        Term::Hostage,
    ];

    fn name(self) -> &'static str {
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
