//! Who plays Tzaar, and from where the games of a match begin.

use std::str::FromStr;

use arena::Interface;
use engine::Catalogue;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use tzaar::{Game, Position};

use super::Tzaar;
use crate::playing::{Catalogues, Openings, Playing, read_openings};

impl Playing for Tzaar {
    const OPENINGS: &'static str = "random";
    const INTERFACES: &'static [Interface] = &[Interface::Waltz];

    fn engines(catalogues: &Catalogues) -> &Catalogue<Game> {
        &catalogues.tzaar
    }

    fn openings(text: &str) -> Result<Box<dyn Openings>, String> {
        Ok(Box::new(text.parse::<TzaarOpenings>()?))
    }
}

/// From where the games of a match begin.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TzaarOpenings {
    /// An empty board: the engines place their pieces.
    Tournament,
    /// The start that the official rules define.
    Fixed,
    /// Boards that chance has filled.
    Random,
    /// Positions or games of a file.
    Read(String),
}

impl FromStr for TzaarOpenings {
    type Err = String;

    fn from_str(text: &str) -> Result<TzaarOpenings, String> {
        match text {
            "tournament" => Ok(TzaarOpenings::Tournament),
            "fixed" => Ok(TzaarOpenings::Fixed),
            "random" => Ok(TzaarOpenings::Random),
            "setups" | "empty" => {
                Err("that is of Arimaa; Tzaar has random, fixed and tournament".to_string())
            }
            _ => Ok(TzaarOpenings::Read(text.to_string())),
        }
    }
}

impl Openings for TzaarOpenings {
    fn make(&self, count: usize, seed: u64, told: &dyn Fn()) -> anyhow::Result<Vec<String>> {
        match self {
            TzaarOpenings::Tournament => Ok(vec![String::new()]),
            TzaarOpenings::Fixed => Ok(vec![Position::fixed_start().to_string()]),
            TzaarOpenings::Random => {
                let mut rng = ChaCha8Rng::seed_from_u64(seed);
                let start = |_| {
                    told();
                    Position::random_start(&mut rng).to_string()
                };
                Ok((0..count).map(start).collect())
            }
            TzaarOpenings::Read(pos) => read_openings::<Tzaar>(pos, count),
        }
    }
}
