//! What studies of WALTZ need: the parameters of its searches by number, and the curves that the thesis draws.

use search::Parameters;
use tzaar_ai::MoveOrdering;

use crate::algorithm::Algorithm;
use crate::{WaltzParameters, evaluation, schedule};

impl Algorithm {
    /// How it searches by alpha-beta, in the middle game.
    pub fn search_parameters(self) -> Parameters {
        self.plan(0, &WaltzParameters::default()).parameters
    }
}

/// A curve of the thesis: from 0 on.
pub type Curve = &'static [i32];

/// What a stack is worth by its height (Veselý 2013, Figure 3.2).
pub const HEIGHT_VALUE: Curve = &evaluation::HEIGHT;

/// What it is worth by how many of its side show its type (Figure 3.3).
pub const COUNT_VALUE: Curve = &evaluation::COUNT;

/// What it is worth to capture a stack in the ordering of moves, by its height (Figure 3.4).
pub const CAPTURE_VALUE: Curve = &MoveOrdering::CAPTURED;

/// How many times as long as the last one the next iteration is expected to take, by the number of free fields and the depth
/// that is finished (Figure 3.1): if its depth is even, and if it is odd.
pub const TIME_MULTIPLIERS: [&[u32]; 2] = [&schedule::EVEN, &schedule::ODD];
