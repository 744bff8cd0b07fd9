//! The engines of this program: those of the players, then those of the theses.

#[cfg(test)]
mod tests;

use engine::Catalogue;
use workbench::Catalogues;

/// All engines, for each game the default one first.
pub fn all() -> Catalogues {
    Catalogues {
        arimaa: Catalogue::new(&[
            arimaa_ai::engines::ENGINES,
            zhong_2005::ENGINES,
            hrebejk_2013::ENGINES,
        ]),
        tzaar: Catalogue::new(&[tzaar_ai::engines::ENGINES]),
    }
}
