use arimaa::Side;

use super::{
    Sight, blockade, capture, contact, domination, frame, hostage, material, mobility, nearness,
    placement, prospects, rabbits, support, tempo, trap,
};
use crate::terms::Named;

/// Declares the terms once: their names, what they are, and the functions that value them. What sums
/// them and what tells them one by one are made of the same list.
macro_rules! declare {
    ($($(#[$about:meta])* $term:ident, $name:literal, $function:path;)*) => {
        /// A part of the evaluation, as what it adds to its own side's total.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub enum Term {
            $($(#[$about])* $term,)*
        }

        impl Named for Term {
            const ALL: &'static [Term] = &[$(Term::$term),*];

            fn name(self) -> &'static str {
                match self { $(Term::$term => $name),* }
            }
        }

        /// What a term is worth to a side.
        pub(super) fn value(term: Term, sight: &Sight, side: Side) -> i32 {
            match term { $(Term::$term => $function(sight, side)),* }
        }

        /// What all terms are worth to a side.
        #[inline(always)]
        pub(super) fn total(sight: &Sight, side: Side) -> i32 {
            0 $(+ $function(sight, side))*
        }
    };
}

declare! {
    /// What the pieces are worth beside those that are left.
    Material, "material", material::material;
    /// What the squares are worth on which they stand.
    Placement, "placement", placement::placement;
    /// The friends beside each piece.
    Support, "support", support::support;
    /// Pieces that cannot move.
    Frozen, "frozen", placement::frozen;
    /// Pieces that a stronger enemy can come beside, with no friend beside them.
    Dominated, "dominated", domination::domination;
    /// How far the nearest stronger enemy is from each piece.
    Nearness, "nearness", nearness::nearness;
    /// Pieces beside a weaker enemy.
    Contact, "contact", contact::contacts;
    /// How far the strong pieces come.
    Mobility, "mobility", mobility::mobility;
    /// Who stands beside the traps at home.
    Traps, "traps", trap::traps;
    /// Enemies that are held beside a trap.
    Hostages, "hostages", hostage::hostage_value;
    /// Pieces that are kept on a trap, and those that must stay to keep them alive.
    Frames, "frames", frame::frames;
    /// Strong pieces without room.
    Blockade, "blockade", blockade::blockades;
    /// Rabbits on their way, and columns without one at home.
    Rabbits, "rabbits", rabbits::rabbits;
    /// How near the rabbits are to the goal.
    Prospects, "prospects", prospects::prospects;
    /// The best capture within the steps left, or of a whole turn for the side that waits.
    Captures, "captures", capture::best_captures;
    /// To be to move, with the steps that are left.
    Tempo, "tempo", tempo::tempo;
}
