//! Test positions: what a turn must achieve in them, and what a turn is worth.
//!
//! A [`Test`] is read from a file in the format of Akimot's *Arimaa Test Suite* ([`Test::parse`];
//! Kozelek's thesis of 2009, appendix A.7) or from a row of a table ([`Columns`]). [`chances`] finds such
//! rows in the games that were played.

mod ats;
mod chance;
mod criterion;
mod table;

use arimaa::{Position, StepError, Turn, TurnError};

pub use crate::suite::ats::{AtsError, AtsFault};
pub use crate::suite::chance::{Chance, chances};
pub use crate::suite::criterion::{Answer, Atom, Block, Criterion};
pub use crate::suite::table::{Columns, RowFault};

/// A position, and all that a turn must achieve in it.
#[derive(Clone, PartialEq, Debug)]
pub struct Test {
    /// Where the turn begins; the game is not over there.
    pub position: Position,
    /// What it must achieve: of several criteria, the one that it meets worst counts.
    pub criteria: Vec<Criterion>,
}

impl Test {
    /// What the best turns are worth.
    pub fn highest(&self) -> f64 {
        least(self.criteria.iter().map(Criterion::highest))
    }

    /// What a turn is worth, as text; an error tells why it is no legal turn.
    pub fn weigh(&self, turn: &str) -> Result<f64, TurnError> {
        let turn = Turn::parse(turn, &self.position)?;
        Ok(self.weigh_legal(turn))
    }

    /// What a turn is worth; an error tells why it is not legal.
    pub fn weigh_turn(&self, turn: Turn) -> Result<f64, StepError> {
        let mut after = self.position;
        after.try_play_turn(turn)?;
        Ok(self.weigh_legal(turn))
    }

    fn weigh_legal(&self, turn: Turn) -> f64 {
        let answer = Answer::new(&self.position, turn);
        least(self.criteria.iter().map(|criterion| criterion.weigh(&answer)))
    }
}

fn least(weights: impl Iterator<Item = f64>) -> f64 {
    weights.reduce(f64::min).unwrap_or(0.0)
}
