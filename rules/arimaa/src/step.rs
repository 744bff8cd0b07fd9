use std::fmt;
use std::num::NonZeroU16;

use game::{PackedStep, Steps};

use crate::{Bitboard, Direction, Square};

/// The atom of a turn: a single step, a push, a pull, or a pass.
///
/// It fits 16 bits: the square of the moving piece, two directions and the form.
///
/// ```
/// # use arimaa::{Direction, Form, Square, Step};
/// // The piece on d4 pushes the one on d5 to e5.
/// let push = Step::push(Square::D4, Direction::North, Direction::East);
/// assert_eq!((push.form(), push.victim(), push.to()), (Form::Push, Square::D5, Square::E5));
/// assert_eq!(push.cost().0, 2);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Step(NonZeroU16);

const _: () = assert!(size_of::<Option<Step>>() == 2);

/// What kind of step it is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum Form {
    /// The steps left are given up.
    Pass,
    /// A piece goes to an empty square beside it.
    Single,
    /// A weaker enemy piece goes to an empty square, and the pusher takes its place.
    Push,
    /// The puller goes to an empty square, and a weaker enemy piece takes its place.
    Pull,
}

// Bits 0–5: from; 6–7: to; 8–9: towards the victim; 10–12: the form.
const TO: u32 = 6;
const VICTIM: u32 = 8;
const FORM: u32 = 10;
// A pass is no zero, so that an optional step costs no space.
const PASS: u16 = 4;

impl Step {
    /// The steps left are given up.
    pub const PASS: Step = Step::pack(PASS, 0, 0, 0);

    #[inline]
    const fn pack(form: u16, from: u16, to: u16, victim: u16) -> Step {
        let bits = form << FORM | victim << VICTIM | to << TO | from;
        Step(NonZeroU16::new(bits).expect("no form is 0"))
    }

    /// The piece on `from` goes one square.
    #[inline]
    pub const fn single(from: Square, to: Direction) -> Step {
        Step::pack(Form::Single as u16, from.index() as u16, to as u16, 0)
    }

    /// The piece on `from` pushes its neighbour `victim`, which goes `to` that side.
    #[inline]
    pub const fn push(from: Square, victim: Direction, to: Direction) -> Step {
        Step::pack(Form::Push as u16, from.index() as u16, to as u16, victim as u16)
    }

    /// The piece on `from` goes `to` that side and pulls what was its neighbour `victim`.
    #[inline]
    pub const fn pull(from: Square, victim: Direction, to: Direction) -> Step {
        Step::pack(Form::Pull as u16, from.index() as u16, to as u16, victim as u16)
    }

    /// What kind of step it is.
    #[inline]
    pub const fn form(self) -> Form {
        match self.0.get() >> FORM {
            1 => Form::Single,
            2 => Form::Push,
            3 => Form::Pull,
            _ => Form::Pass,
        }
    }

    /// The square of the side's own piece; nothing of meaning for a pass.
    #[inline]
    pub const fn from(self) -> Square {
        Square::from_bits(self.0.get())
    }

    /// The square that must be empty: where the single or the puller goes, or the pushed piece.
    #[inline]
    pub const fn to(self) -> Square {
        let direction = Direction::from_bits((self.0.get() >> TO) as u8);
        match self.form() {
            Form::Push => self.victim().towards(direction),
            Form::Single | Form::Pull => self.from().towards(direction),
            Form::Pass => self.from(),
        }
    }

    /// The square of the enemy piece that is pushed or pulled; the own piece's for other steps.
    #[inline]
    pub const fn victim(self) -> Square {
        match self.form() {
            Form::Push | Form::Pull => {
                self.from().towards(Direction::from_bits((self.0.get() >> VICTIM) as u8))
            }
            Form::Single | Form::Pass => self.from(),
        }
    }

    /// [`Step::to`] and [`Step::victim`], if the board goes on there.
    #[inline]
    pub(crate) const fn checked_squares(self) -> Option<(Square, Square)> {
        let to = Direction::from_bits((self.0.get() >> TO) as u8);
        let from = self.from();
        let (start, victim) = match self.form() {
            Form::Pass => return None,
            Form::Single => (from, Some(from)),
            Form::Pull => (from, from.step(self.victim_direction())),
            Form::Push => match from.step(self.victim_direction()) {
                Some(victim) => (victim, Some(victim)),
                None => return None,
            },
        };
        match (start.step(to), victim) {
            (Some(to), Some(victim)) => Some((to, victim)),
            _ => None,
        }
    }

    const fn victim_direction(self) -> Direction {
        Direction::from_bits((self.0.get() >> VICTIM) as u8)
    }

    /// How many of the turn's four steps it uses; a pass, which gives up what is left, counts none here:
    /// [`crate::Position::cost`] knows what that is.
    #[inline]
    pub const fn cost(self) -> Steps {
        Steps(match self.form() {
            Form::Pass => 0,
            Form::Single => 1,
            Form::Push | Form::Pull => 2,
        })
    }

    /// The moves of single pieces that it consists of, in their order: where from, where to.
    #[inline]
    pub fn moves(self) -> impl Iterator<Item = (Square, Square)> {
        let (from, to, victim) = (self.from(), self.to(), self.victim());
        let (first, second) = match self.form() {
            Form::Pass => (None, None),
            Form::Single => (Some((from, to)), None),
            Form::Push => (Some((victim, to)), Some((from, victim))),
            Form::Pull => (Some((from, to)), Some((victim, from))),
        };
        first.into_iter().chain(second)
    }

    /// The same step on the board as the other side sees it, [`crate::Board::mirrored`].
    #[inline]
    pub const fn mirrored(self) -> Step {
        let bits = self.0.get();
        let from = self.from().mirrored();
        let to = Direction::from_bits((bits >> TO) as u8).mirrored();
        let victim = Direction::from_bits((bits >> VICTIM) as u8).mirrored();
        match self.form() {
            Form::Pass => Step::PASS,
            Form::Single => Step::single(from, to),
            Form::Push => Step::push(from, victim, to),
            Form::Pull => Step::pull(from, victim, to),
        }
    }

    /// [`Step::mirrored`] for the bits of four steps at once, none of them a pass; zeros stay zeros.
    #[inline]
    pub(crate) const fn mirrored_lanes(lanes: u64) -> u64 {
        const ONES: u64 = 0x0001_0001_0001_0001;
        let pairs = lanes >> (FORM + 1) & ONES;
        let steps = pairs | lanes >> FORM & ONES;
        // The second bit tells north from south, where the first does not say east or west.
        let upright = !(lanes >> TO) & steps;
        let upright_victim = !(lanes >> VICTIM) & pairs;
        lanes ^ (steps * 0o70) ^ upright << (TO + 1) ^ upright_victim << (VICTIM + 1)
    }

    /// The squares of the step with those bits: none for no step, and for a pass.
    #[inline]
    pub(crate) fn squares_of_bits(bits: u16) -> Bitboard {
        SQUARES[bits as usize % SQUARES.len()]
    }

    /// Its 16 bits.
    #[inline]
    pub(crate) const fn bits(self) -> u16 {
        self.0.get()
    }

    /// The step with those 16 bits, which must be one's.
    #[inline]
    pub(crate) const fn from_bits(bits: u16) -> Option<Step> {
        match NonZeroU16::new(bits) {
            Some(bits) => Some(Step(bits)),
            None => None,
        }
    }
}

/// For the bits of each step: the squares that it begins and ends on, and its victim's.
static SQUARES: [Bitboard; 1 << 12] = {
    let mut squares = [Bitboard::EMPTY; 1 << 12];
    let mut bits = 1 << FORM;
    while bits < squares.len() {
        let step = Step::from_bits(bits as u16).expect("not zero");
        if let Some((to, victim)) = step.checked_squares() {
            squares[bits] = Bitboard(step.from().bit().0 | to.bit().0 | victim.bit().0);
        }
        bits += 1;
    }
    squares
};

// A pass touches nothing: its bits come to zero in the table.
const _: () = assert!((PASS as usize) << FORM == SQUARES.len());

impl PackedStep for Step {
    #[inline]
    fn pack(self) -> u16 {
        self.bits()
    }

    #[inline]
    fn unpack(bits: u16) -> Option<Step> {
        Step::from_bits(bits)
    }
}

impl fmt::Debug for Step {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let (form, from) = (self.form(), self.from());
        let Some((to, victim)) = self.checked_squares() else {
            let pass = form == Form::Pass;
            return if pass {
                write!(f, "pass")
            } else {
                write!(f, "{form:?} off the board, {from}")
            };
        };
        match form {
            Form::Push => write!(f, "{from} pushes {victim} to {to}"),
            Form::Pull => write!(f, "{from} pulls {victim}, going to {to}"),
            Form::Single | Form::Pass => write!(f, "{from} to {to}"),
        }
    }
}
