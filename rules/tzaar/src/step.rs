use game::PackedStep;

use crate::{Field, Kind};

/// The atom of play.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Step {
    /// A stack goes along a line to one of the enemy that is not higher, which leaves the board.
    Capture {
        /// Where it comes from.
        from: Field,
        /// Whom it captures.
        to: Field,
    },
    /// A stack goes along a line on top of another of its own side.
    Stacking {
        /// Where it comes from.
        from: Field,
        /// What it covers.
        to: Field,
    },
    /// The second move of a turn is given up.
    Pass,
    /// A piece is put on an empty field, before the game begins.
    Place {
        /// What is put there.
        kind: Kind,
        /// Where.
        field: Field,
    },
}

// Two bits say which form it is; then come six for each field.
const CAPTURE: u16 = 1;
const STACKING: u16 = 2;
const PLACE: u16 = 3;
const PASS: u16 = 4;

impl PackedStep for Step {
    #[inline]
    fn pack(self) -> u16 {
        let bits =
            |form, first: usize, second: usize| form << 12 | (first as u16) << 6 | second as u16;
        match self {
            Step::Capture { from, to } => bits(CAPTURE, from.bit(), to.bit()),
            Step::Stacking { from, to } => bits(STACKING, from.bit(), to.bit()),
            Step::Place { kind, field } => bits(PLACE, kind as usize, field.bit()),
            Step::Pass => bits(PASS, 0, 0),
        }
    }

    #[inline]
    fn unpack(bits: u16) -> Option<Step> {
        let field = |bits: u16| Field::new(usize::from(bits & 63).wrapping_sub(1));
        let (first, second) = (bits >> 6, bits);
        Some(match bits >> 12 {
            CAPTURE => Step::Capture { from: field(first)?, to: field(second)? },
            STACKING => Step::Stacking { from: field(first)?, to: field(second)? },
            PLACE => {
                let kind = *Kind::ALL.get(usize::from(first & 63))?;
                Step::Place { kind, field: field(second)? }
            }
            PASS => Step::Pass,
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_step_is_unpacked_as_it_was_packed() {
        let mut steps = vec![Step::Pass];
        for from in Field::all() {
            for to in Field::all() {
                steps.extend([Step::Capture { from, to }, Step::Stacking { from, to }]);
            }
            steps.extend(Kind::ALL.map(|kind| Step::Place { kind, field: from }));
        }
        for step in steps {
            assert_ne!(step.pack(), 0);
            assert_eq!(Step::unpack(step.pack()), Some(step));
        }
        assert_eq!(Step::unpack(0), None);
    }
}
