//! How a game ended for one of its players.

use serde::{Deserialize, Serialize};

/// How a game ended, from A's view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GameScore {
    /// A lost.
    Loss,
    /// Nobody won before the limit of turns: half a point to each.
    Unfinished,
    /// A won.
    Win,
}

/// What a game counts that nobody won. Neither Arimaa nor Tzaar knows draws; a limit of turns makes
/// something like one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Unfinished {
    /// Half a point to each.
    #[default]
    Half,
    /// A loss for both, where a study holds that an engine must get somewhere.
    LossForBoth,
}

impl GameScore {
    /// The same game from B's view.
    pub fn swapped(self) -> GameScore {
        match self {
            GameScore::Loss => GameScore::Win,
            GameScore::Unfinished => GameScore::Unfinished,
            GameScore::Win => GameScore::Loss,
        }
    }

    /// 0, 1 or 2: twice the points.
    pub(super) fn half_points(self) -> usize {
        match self {
            GameScore::Loss => 0,
            GameScore::Unfinished => 1,
            GameScore::Win => 2,
        }
    }
}
