use arimaa::{Bitboard, Side, Square};

use super::Sight;
use super::trap::is_home;
use super::weights::HOSTAGE;
use crate::win::CAPTURABLE;

/// What the hostages of a side are worth, by what holds them: an elephant that holds a horse gains little, as
/// Zhong 2005, 3.7, says.
#[inline(always)]
pub(super) fn hostage_value(sight: &Sight, side: Side) -> i32 {
    let mut sum = 0;
    // A plain loop: the iterator became a routine of its own, that a profile showed.
    for square in frozen_near_trap(sight, !side) {
        let Some(hostage) = held(sight, side, square) else { continue };
        sum += HOSTAGE[sight.kind_at(hostage.square)][sight.kind_at(hostage.holder)];
    }
    sum
}

/// An enemy that is held.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Hostage {
    /// Where it stands.
    pub square: Square,
    /// Where the weakest piece stands that freezes it.
    pub holder: Square,
}

/// The enemies that a side holds hostage (Zhong 2005, 3.7; Hřebejk 2013, 4.6): each is frozen within two steps
/// of a trap in the side's own half, to be pushed or pulled there in four. None of its friends is beside
/// the trap, or one is, and an enemy of it too. Near its own traps, a frozen enemy is no hostage: friends
/// free it, and a fit found nothing to be had (a camel there was worth 70 less than nothing).
///
/// The elephant holds the camel of a3, and the silver elephant has to stay beside c3. The horse of g6 is
/// frozen as well, and at home:
///
/// ```
/// # use arimaa::{Board, GOLD, Square};
/// # use arimaa_ai::evaluation::{Hostage, Sight, hostages};
/// let board: Board = "
///      +-----------------+
///     8| r r r r r r r r |
///     7| . c d . d . . c |
///     6| . h x . . x h M |
///     5| . . . . . . . . |
///     4| . . e . . . . . |
///     3| m E x . . . . . |
///     2| . D C . . C D . |
///     1| R R R R R R R R |
///      +-----------------+
///        a b c d e f g h
/// ".parse().unwrap();
/// let sight = Sight::of_board(&board, GOLD);
/// let camel = Hostage { square: Square::A3, holder: Square::B3 };
/// assert!(hostages(&sight, GOLD).eq([camel]));
/// ```
#[inline(always)]
pub fn hostages(sight: &Sight, side: Side) -> impl Iterator<Item = Hostage> {
    let near = frozen_near_trap(sight, !side);
    near.into_iter().filter_map(move |square| held(sight, side, square))
}

#[inline(always)]
fn frozen_near_trap(sight: &Sight, side: Side) -> Bitboard {
    sight.of[side] & !sight.free[side] & CAPTURABLE
}

#[inline(always)]
fn held(sight: &Sight, side: Side, square: Square) -> Option<Hostage> {
    let (own, enemy) = (sight.of[side], sight.of[!side]);
    let loses = |trap: Square| {
        let guards = enemy & trap.neighbours() & !square.bit();
        let alone = guards.is_empty() || guards.is_single();
        alone && (own.meets(trap.neighbours()) || guards.is_empty())
    };
    let mut traps = TRAPS_NEAR[square.index()].into_iter();
    if !traps.any(|trap| is_home(side, trap) && loses(trap)) {
        return None;
    }
    let holders = own & square.neighbours() & sight.board.stronger_than(square);
    let mut holder = holders.first()?;
    for other in holders {
        if sight.board.stronger_than(other).has(holder) {
            holder = other;
        }
    }
    Some(Hostage { square, holder })
}

/// The squares within two steps of a square.
pub(super) const fn around(square: Square) -> Bitboard {
    let beside = square.neighbours();
    Bitboard(beside.0 | beside.neighbours().0)
}

/// For each square, the traps within two steps of it.
static TRAPS_NEAR: [Bitboard; 64] = {
    let mut table = [Bitboard::EMPTY; 64];
    let mut index = 0;
    while let Some(square) = Square::new(index) {
        table[index] = Bitboard(around(square).0 & Bitboard::TRAPS.0);
        index += 1;
    }
    table
};
