use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::Fields;

/// One of the 60 points of the board, A1 to I5.
///
/// The board is a hexagon without its centre. Sloped, it fits an array of nine rows and nine columns, in
/// which a line goes along a row, a column or one of the diagonals (Veselý 2013, 3.1):
///
/// ```text
/// A1 B1 C1 D1 E1  .  .  .  .
/// A2 B2 C2 D2 E2 F1  .  .  .
/// A3 B3 C3 D3 E3 F2 G1  .  .
/// A4 B4 C4 D4 E4 F3 G2 H1  .
/// A5 B5 C5 D5  . F4 G3 H2 I1
///  . B6 C6 D6 E5 F5 G4 H3 I2
///  .  . C7 D7 E6 F6 G5 H4 I3
///  .  .  . D8 E7 F7 G6 H5 I4
///  .  .  .  . E8 F8 G7 H6 I5
/// ```
///
/// ```
/// # use tzaar::Field;
/// let e5: Field = "E5".parse().unwrap();
/// assert_eq!((e5.row(), e5.column()), (5, 4));
/// assert_eq!(Field::at(5, 4), Some(e5));
/// assert_eq!(Field::at(4, 4), None);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Field(u8);

/// The rows and columns of the array.
pub(crate) const WIDTH: usize = 9;

/// The number of the row and column of the missing centre.
pub(crate) const CENTRE: usize = WIDTH / 2;

const fn is_on_board(row: usize, column: usize) -> bool {
    let is_centre = row == CENTRE && column == CENTRE;
    row < WIDTH && column < WIDTH && row.abs_diff(column) <= CENTRE && !is_centre
}

/// The fields by their place in the array; 0 where there is none.
const PLACES: [u8; WIDTH * WIDTH] = {
    let mut places = [0; WIDTH * WIDTH];
    let mut place = 0;
    let mut bit = Field::FIRST;
    while place < places.len() {
        if is_on_board(place / WIDTH, place % WIDTH) {
            places[place] = bit;
            bit += 1;
        }
        place += 1;
    }
    places
};

/// The place in the array of each field.
const FIELDS: [u8; 64] = {
    let mut fields = [0; 64];
    let mut place = 0;
    while place < PLACES.len() {
        if PLACES[place] != 0 {
            fields[PLACES[place] as usize] = place as u8;
        }
        place += 1;
    }
    fields
};

impl Field {
    /// How many there are.
    pub const COUNT: usize = 60;

    /// The first field.
    pub(crate) const A1: Field = Field(Field::FIRST);

    /// The number of the first field. Bits 0 and 63 of a set are no fields: see `lines`.
    const FIRST: u8 = 1;

    /// The field with that number: A1 is 0, I5 is 59, along the rows of the array.
    pub const fn new(index: usize) -> Option<Field> {
        if index < Field::COUNT { Some(Field(index as u8 + Field::FIRST)) } else { None }
    }

    /// The field with that bit in a set; it must be one.
    #[inline]
    pub(crate) const fn from_bit(bit: u32) -> Field {
        debug_assert!(
            bit >= Field::FIRST as u32 && bit < Field::COUNT as u32 + Field::FIRST as u32
        );
        Field(bit as u8)
    }

    /// The field in that row and column of the array, both counted from 0.
    pub const fn at(row: usize, column: usize) -> Option<Field> {
        match is_on_board(row, column) {
            true => Some(Field(PLACES[row * WIDTH + column])),
            false => None,
        }
    }

    /// All fields, A1 first, along the rows of the array.
    pub fn all() -> impl Iterator<Item = Field> {
        (0..Field::COUNT).filter_map(Field::new)
    }

    /// The number of the field, below 60.
    pub const fn index(self) -> usize {
        (self.0 - Field::FIRST) as usize
    }

    /// Its bit in a set, below 64.
    #[inline]
    pub(crate) const fn bit(self) -> usize {
        // The mask tells the compiler what the type promises.
        (self.0 & 63) as usize
    }

    /// The row of the array, from 0.
    pub const fn row(self) -> usize {
        FIELDS[self.bit()] as usize / WIDTH
    }

    /// The column of the array, from 0 for the line of A.
    pub const fn column(self) -> usize {
        FIELDS[self.bit()] as usize % WIDTH
    }

    /// The set of this field alone.
    #[inline]
    pub const fn set(self) -> Fields {
        Fields(1 << self.bit())
    }

    /// How far it is from the margin: 0 for the outermost ring, 3 for the innermost.
    pub const fn ring(self) -> usize {
        let (row, column) = (self.row(), self.column());
        let (down, right) = (row.abs_diff(CENTRE), column.abs_diff(CENTRE));
        let across = row.abs_diff(column);
        let mut distance = if down > right { down } else { right };
        distance = if across > distance { across } else { distance };
        CENTRE - distance
    }

    /// How far it is along its ring from the nearest of the ring's six corners, at most 2.
    pub const fn from_corner(self) -> usize {
        let (row, column) = (self.row(), self.column());
        let (down, right) = (row.abs_diff(CENTRE), column.abs_diff(CENTRE));
        let across = row.abs_diff(column);
        let distance = if down < right { down } else { right };
        if across < distance { across } else { distance }
    }

    /// Whether it is one of the six corners of its ring.
    pub const fn is_corner(self) -> bool {
        self.from_corner() == 0
    }
}

impl fmt::Display for Field {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let (row, column) = (self.row(), self.column());
        let letter = (b'A' + column as u8) as char;
        // Each line is counted from its first field, and the missing centre is not counted.
        let above = column.saturating_sub(CENTRE) + usize::from(column == CENTRE && row > CENTRE);
        write!(f, "{letter}{}", row + 1 - above)
    }
}

impl fmt::Debug for Field {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The text is not a field.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("a field is a letter from A to I and a number that its line has, such as E4")]
pub struct FieldError;

impl FromStr for Field {
    type Err = FieldError;

    fn from_str(text: &str) -> Result<Field, FieldError> {
        let [letter, digit] = *text.as_bytes() else { return Err(FieldError) };
        let column = letter.to_ascii_uppercase().wrapping_sub(b'A') as usize;
        let number = digit.wrapping_sub(b'1') as usize;
        if column >= WIDTH || number >= WIDTH {
            return Err(FieldError);
        }
        let row = number + column.saturating_sub(CENTRE);
        let row = row + usize::from(column == CENTRE && row >= CENTRE);
        Field::at(row, column).ok_or(FieldError)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_names_are_those_of_the_thesis() {
        let rows = [
            "A1 B1 C1 D1 E1",
            "A2 B2 C2 D2 E2 F1",
            "A3 B3 C3 D3 E3 F2 G1",
            "A4 B4 C4 D4 E4 F3 G2 H1",
            "A5 B5 C5 D5 F4 G3 H2 I1",
            "B6 C6 D6 E5 F5 G4 H3 I2",
            "C7 D7 E6 F6 G5 H4 I3",
            "D8 E7 F7 G6 H5 I4",
            "E8 F8 G7 H6 I5",
        ];
        let names: Vec<String> = Field::all().map(|field| field.to_string()).collect();
        assert_eq!(names.join(" "), rows.join(" "));
        for field in Field::all() {
            assert_eq!(field.to_string().parse(), Ok(field));
            assert_eq!(Field::new(field.index()), Some(field));
        }
        for wrong in ["", "A", "A0", "A6", "E9", "F9", "I6", "J1", "E45", "11"] {
            assert_eq!(wrong.parse::<Field>(), Err(FieldError), "{wrong}");
        }
    }

    #[test]
    fn rings_have_24_18_12_and_6_fields_with_six_corners_each() {
        for (ring, size) in [(0, 24), (1, 18), (2, 12), (3, 6)] {
            let fields = || Field::all().filter(|field| field.ring() == ring);
            assert_eq!(fields().count(), size);
            assert_eq!(fields().filter(|field| field.is_corner()).count(), 6);
        }
    }
}
