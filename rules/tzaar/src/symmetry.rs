use game::{Key, Position as _};

use crate::field::CENTRE;
use crate::{Board, Field, Position};

/// One of the twelve ways in which the board can be turned and mirrored so that lines remain lines.
///
/// ```
/// # use tzaar::{Field, Symmetry};
/// let a1: Field = "A1".parse().unwrap();
/// let corners: Vec<String> =
///     Symmetry::all().take(6).map(|symmetry| symmetry.of(a1).to_string()).collect();
/// assert_eq!(corners, ["A1", "A5", "E8", "I5", "I1", "E1"]);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Symmetry(u8);

/// How many there are.
const COUNT: usize = 12;

/// For each symmetry, where it brings each field.
static FIELDS: [[Field; Field::COUNT]; COUNT] = {
    let mut fields = [[Field::A1; Field::COUNT]; COUNT];
    let mut index = 0;
    while index < COUNT * Field::COUNT {
        let (symmetry, field) = (index / Field::COUNT, index % Field::COUNT);
        if let Some(from) = Field::new(field) {
            fields[symmetry][field] = brought(from, symmetry);
        }
        index += 1;
    }
    fields
};

/// Where a symmetry brings a field: turned by so many sixths, after it was mirrored if it is one of the last six.
const fn brought(field: Field, symmetry: usize) -> Field {
    let mut right = field.column() as isize - CENTRE as isize;
    let mut down = field.row() as isize - CENTRE as isize;
    if symmetry >= COUNT / 2 {
        (right, down) = (down, right);
    }
    let mut sixths = symmetry % (COUNT / 2);
    while sixths > 0 {
        (right, down) = (down, down - right);
        sixths -= 1;
    }
    let (row, column) = (CENTRE.wrapping_add_signed(down), CENTRE.wrapping_add_signed(right));
    match Field::at(row, column) {
        Some(field) => field,
        None => panic!("a symmetry brings fields to fields"),
    }
}

impl Symmetry {
    /// All of them, the six turns first, beginning with the one that leaves everything where it is.
    pub fn all() -> impl Iterator<Item = Symmetry> {
        (0..COUNT as u8).map(Symmetry)
    }

    /// Where it brings a field.
    pub fn of(self, field: Field) -> Field {
        FIELDS[usize::from(self.0)][field.index()]
    }
}

impl Board {
    /// The board, turned and mirrored.
    pub fn seen_by(&self, symmetry: Symmetry) -> Board {
        let mut seen = Board::EMPTY;
        for field in self.occupied() {
            if let Some(stack) = self.stack_at(field) {
                seen.put(symmetry.of(field), stack);
            }
        }
        seen
    }
}

impl Position {
    /// What all positions have in common that are this one, turned and mirrored.
    ///
    /// It takes as long as making twelve boards. Where two such positions are not expected to be met, it is
    /// not worth its while: see docs/experiments/symmetry.md.
    pub fn common_key(&self) -> Key {
        let keys = Symmetry::all().map(|symmetry| self.board().seen_by(symmetry).key());
        let least = keys.min().unwrap_or(self.board().key());
        self.key() ^ self.board().key() ^ least
    }
}
