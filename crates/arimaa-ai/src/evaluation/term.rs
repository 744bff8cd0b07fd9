use arimaa::Side;

use super::{
    Sight, advance, blockade, capture, domination, frame, hostage, material, placement, prospects,
    rabbits, trap,
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
    /// Pieces that cannot move: nothing or less.
    Frozen, "frozen", placement::frozen;
    /// Pieces that a stronger enemy can come beside, with no friend beside them: nothing or less.
    Dominated, "dominated", domination::domination;
    /// The camel and the horses that have gone ahead, by whether a stronger enemy is near.
    Advance, "advance", advance::advance;
    /// Who stands beside the traps.
    Traps, "traps", trap::traps;
    /// Enemies that are held beside a trap, less what holding them costs.
    Hostages, "hostages", hostage::hostage_value;
    /// Pieces that are kept on a trap, and those that must stay to keep them alive: nothing or less.
    Frames, "frames", frame::frames;
    /// Strong pieces without room: nothing or less.
    Blockade, "blockade", blockade::blockades;
    /// Rabbits that have come far, and columns without one at home.
    Rabbits, "rabbits", rabbits::rabbits;
    /// How near the rabbits are to the goal.
    Prospects, "prospects", prospects::prospects;
    /// The best capture within the steps left, or of a whole turn for the side that waits.
    Captures, "captures", capture::best_captures;
}
