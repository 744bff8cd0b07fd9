use std::time::Duration;

use aei::TimeControl;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::Clocks;

/// How long the players of a game may think; each limit that is set holds.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pace {
    /// By the clock.
    #[serde(default, skip_serializing_if = "Option::is_none", with = "as_text")]
    pub control: Option<TimeControl>,
    /// How much later than its clock allows an answer may come, for the ways of a busy machine.
    #[serde(default)]
    pub margin: Duration,
    /// How deep, in steps.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u8>,
    /// How many positions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
}

impl Pace {
    /// So long for every turn, and nothing is saved.
    pub fn per_turn(time: Duration) -> TimeControl {
        TimeControl { per_move: time, percent: 0.0, ..TimeControl::default() }
    }

    /// The time of every turn, if the clock knows nothing else.
    pub fn fixed_time(&self) -> Option<Duration> {
        let control = self.control?;
        (control == Pace::per_turn(control.per_move)).then_some(control.per_move)
    }

    /// When an answer is late.
    pub fn latest(&self, clocks: &Clocks) -> Option<Duration> {
        Some(clocks.clock(self.control?).latest()? + self.margin)
    }
}

/// A time control as people write it.
mod as_text {
    use super::*;

    pub fn serialize<S: Serializer>(
        control: &Option<TimeControl>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        control.map(|control| control.to_string()).serialize(serializer)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<TimeControl>, D::Error> {
        let text = Option::<String>::deserialize(deserializer)?;
        let control = text.map(|text| text.parse()).transpose();
        control.map_err(serde::de::Error::custom)
    }
}
