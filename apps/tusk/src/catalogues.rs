//! The engines of this program, those of the players, then those of the theses, and the presets of its solver.

#[cfg(test)]
mod tests;

use engine::Catalogue;
use workbench::{Catalogues, SolverPresets};

/// All engines, for each game the default one first, and all presets.
pub fn all() -> Catalogues {
    Catalogues {
        arimaa: Catalogue::new(&[
            arimaa_ai::engines::ENGINES,
            zhong_2005::ENGINES,
            kozelek_2009::ENGINES,
            hrebejk_2013::ENGINES,
        ]),
        tzaar: Catalogue::new(&[tzaar_ai::engines::ENGINES, vesely_2013::ENGINES]),
        solver_presets: SolverPresets::new(&[majerech_2012::SOLVER_PRESETS]),
    }
}
