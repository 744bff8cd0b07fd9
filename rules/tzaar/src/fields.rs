use std::fmt;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not};

use crate::Field;

/// A set of fields, one bit each.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Fields(pub(crate) u64);

impl Fields {
    /// No field.
    pub const EMPTY: Fields = Fields(0);

    /// Every field of the board.
    pub const ALL: Fields = Fields(((1 << Field::COUNT) - 1) << 1);

    /// Whether no field is in the set.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// How many fields are in the set.
    #[inline]
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether the field is in the set.
    #[inline]
    pub const fn has(self, field: Field) -> bool {
        self.0 >> field.bit() & 1 != 0
    }

    /// The first field of the set.
    #[inline]
    pub const fn first(self) -> Option<Field> {
        match self.0 {
            0 => None,
            bits => Some(Field::from_bit(bits.trailing_zeros())),
        }
    }
}

impl Iterator for Fields {
    type Item = Field;

    #[inline]
    fn next(&mut self) -> Option<Field> {
        let first = self.first()?;
        self.0 &= self.0 - 1;
        Some(first)
    }
}

impl FromIterator<Field> for Fields {
    fn from_iter<I: IntoIterator<Item = Field>>(fields: I) -> Fields {
        fields.into_iter().fold(Fields::EMPTY, |set, field| set | field.set())
    }
}

impl Not for Fields {
    type Output = Fields;

    #[inline]
    fn not(self) -> Fields {
        Fields(!self.0 & Fields::ALL.0)
    }
}

macro_rules! operators {
    ($($operator:ident $function:ident $assign:ident $assign_function:ident;)*) => { $(
        impl $operator for Fields {
            type Output = Fields;

            #[inline]
            fn $function(self, other: Fields) -> Fields {
                Fields($operator::$function(self.0, other.0))
            }
        }

        impl $assign for Fields {
            #[inline]
            fn $assign_function(&mut self, other: Fields) {
                $assign::$assign_function(&mut self.0, other.0);
            }
        }
    )* };
}

operators! {
    BitAnd bitand BitAndAssign bitand_assign;
    BitOr bitor BitOrAssign bitor_assign;
    BitXor bitxor BitXorAssign bitxor_assign;
}

impl fmt::Debug for Fields {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.debug_set().entries(*self).finish()
    }
}
