//! The features of bot_drake's evaluation, which Arimaa alone has.

use hrebejk_2013::feature_report::{self, FeatureReport};
use serde_json::Value;
use workbench::{Arimaa, GameSpec, Tzaar, piece_square};

/// A game whose positions may have such features.
pub trait Featured: GameSpec {
    /// The features of a position, with the distances of the piece on a square if one is named; or why there are none.
    fn features(position: &Self::Position, piece: Option<&str>) -> Result<FeatureReport, String>;

    /// The features of each piece of a position by its square, to be shown when one is clicked.
    fn piece_details(_position: &Self::Position) -> Option<Value> {
        None
    }

    /// The names of what [`Featured::piece_details`] has.
    fn piece_legend() -> Option<Value> {
        None
    }
}

impl Featured for Arimaa {
    fn features(position: &Self::Position, piece: Option<&str>) -> Result<FeatureReport, String> {
        let square = piece.map(|text| piece_square(position.board(), text)).transpose()?;
        Ok(feature_report::report(position, square))
    }

    fn piece_details(position: &Self::Position) -> Option<Value> {
        Some(feature_report::details(position))
    }

    fn piece_legend() -> Option<Value> {
        Some(feature_report::legend())
    }
}

impl Featured for Tzaar {
    fn features(_: &Self::Position, _: Option<&str>) -> Result<FeatureReport, String> {
        Err("the features are those of an evaluation of Arimaa: give a position of Arimaa".into())
    }
}
