//! The engines of this program: those of the players, then those of the theses.

#[cfg(test)]
mod tests;

use workbench::Catalogues;

/// All engines, for each game the default one first.
pub fn all() -> Catalogues {
    Catalogues::of_players()
}
