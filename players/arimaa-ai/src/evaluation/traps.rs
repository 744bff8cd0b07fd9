//! The traps: who stands beside them, hostages near them, and framed pieces on them.

use arimaa::{Bitboard, Kind, Side, Square};
use linear::FeatureSink;

use super::EvaluationContext;
use super::context::{around, is_home};
use super::model::{FRAMED, HOSTAGES, PINNED, TRAPS};
use crate::win::CAPTURABLE;

/// Emits who holds the traps at a side's home: how many stand beside them, who is the strongest, and
/// whether elephants are among them.
#[inline(always)]
pub(super) fn traps(context: &EvaluationContext, side: Side, sink: &mut impl FeatureSink) {
    let elephants = context.board.kind(Kind::Elephant);
    for trap in Square::TRAPS {
        if !is_home(side, trap) {
            continue;
        }
        let [own, other] = [side, !side].map(|side| context.of[side] & trap.neighbours());
        let (mine, theirs) = (strongest(context, own), strongest(context, other));
        let stronger = 1 + usize::from(theirs > mine) - usize::from(mine > theirs);
        let elephants = 2 * usize::from(own.meets(elephants)) + usize::from(other.meets(elephants));
        sink.add(TRAPS, [own.len().min(3), other.len().min(3), stronger, elephants], 1);
    }
}

/// The kind of the strongest of some pieces.
#[inline(always)]
fn strongest(context: &EvaluationContext, pieces: Bitboard) -> Option<Kind> {
    pieces
        .into_iter()
        .filter_map(|square| context.board.piece_at(square))
        .map(|piece| piece.kind)
        .max()
}

/// Emits the hostages of a side, by what holds them: an elephant that holds a horse gains little, as
/// Zhong 2005, 3.7, says.
#[inline(always)]
pub(super) fn hostage_values(context: &EvaluationContext, side: Side, sink: &mut impl FeatureSink) {
    // A plain loop: the iterator became a routine of its own, that a profile showed.
    for square in frozen_near_trap(context, !side) {
        let Some(hostage) = held(context, side, square) else { continue };
        let kinds = [hostage.square, hostage.holder].map(|square| context.kind_at(square));
        sink.add(HOSTAGES, kinds, 1);
    }
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
/// # use arimaa_ai::evaluation::{EvaluationContext, Hostage, hostages};
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
/// let context = EvaluationContext::of_board(&board, GOLD);
/// let camel = Hostage { square: Square::A3, holder: Square::B3 };
/// assert!(hostages(&context, GOLD).eq([camel]));
/// ```
#[inline(always)]
pub fn hostages(context: &EvaluationContext, side: Side) -> impl Iterator<Item = Hostage> {
    let near = frozen_near_trap(context, !side);
    near.into_iter().filter_map(move |square| held(context, side, square))
}

#[inline(always)]
fn frozen_near_trap(context: &EvaluationContext, side: Side) -> Bitboard {
    context.of[side] & !context.free[side] & CAPTURABLE
}

#[inline(always)]
fn held(context: &EvaluationContext, side: Side, square: Square) -> Option<Hostage> {
    let (own, enemy) = (context.of[side], context.of[!side]);
    let loses = |trap: Square| {
        let guards = enemy & trap.neighbours() & !square.bit();
        let alone = guards.is_empty() || guards.is_single();
        alone && (own.meets(trap.neighbours()) || guards.is_empty())
    };
    let mut traps = TRAPS_NEAR[square.index()].into_iter();
    if !traps.any(|trap| is_home(side, trap) && loses(trap)) {
        return None;
    }
    let holders = own & square.neighbours() & context.board.stronger_than(square);
    let mut holder = holders.first()?;
    for other in holders {
        if context.board.stronger_than(other).has(holder) {
            holder = other;
        }
    }
    Some(Hostage { square, holder })
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

/// Emits the framed pieces of a side and those that keep them alive.
#[inline(always)]
pub(super) fn frames(context: &EvaluationContext, side: Side, sink: &mut impl FeatureSink) {
    let framed = framed(context, side);
    if framed.is_empty() {
        return;
    }
    for square in framed {
        sink.add(FRAMED, [context.kind_at(square)], 1);
    }
    for square in framed.neighbours() & context.of[side] {
        sink.add(PINNED, [context.kind_at(square)], 1);
    }
}

/// The pieces of a side, other than the elephant, that are framed: each stands on a trap with one friend
/// beside it, cannot leave, and is lost when the friend goes (Zhong 2005, 3.6; Hřebejk 2013, 4.8). It
/// cannot leave if enemies are on its other sides, each at least as strong or with no empty square
/// beside it to be pushed to.
///
/// The dog of f3 keeps the cat in place. On c6 the horse could push the dog of b6 to a6, and would take
/// itself off the trap:
///
/// ```
/// # use arimaa::{Board, GOLD, Square};
/// # use arimaa_ai::evaluation::{EvaluationContext, framed};
/// let board: Board = "
///      +-----------------+
///     8| r r r . . r r r |
///     7| . . h . . . . . |
///     6| . d H E . x . . |
///     5| . . e . . . . . |
///     4| . . . . . h . . |
///     3| . . x . m D d . |
///     2| . . . . . C . . |
///     1| R R R . . R R R |
///      +-----------------+
///        a b c d e f g h
/// ".parse().unwrap();
/// assert_eq!(framed(&EvaluationContext::of_board(&board, GOLD), GOLD), Square::F3.bit());
/// ```
#[inline(always)]
pub fn framed(context: &EvaluationContext, side: Side) -> Bitboard {
    let trapped = context.of[side] & Bitboard::TRAPS & !context.board.kind(Kind::Elephant);
    let mut framed = Bitboard::EMPTY;
    for trap in trapped {
        let around = trap.neighbours();
        let enemies = around & context.of[!side];
        let stuck = !around.meets(context.empty) && (around & context.of[side]).is_single();
        let weaker = enemies & context.board.weaker_beside(trap.bit());
        if stuck && !weaker.meets(context.empty.neighbours()) {
            framed |= trap.bit();
        }
    }
    framed
}
