//! How long players may think, and what their clocks say.

use std::time::Duration;

use clock::{Clock, TimeControl};
use game::{BySide, Side};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// How long the players of a game may think; each limit that is set holds.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TimeSettings {
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

impl TimeSettings {
    /// The time of every turn, if the clock knows nothing else.
    pub fn fixed_time(&self) -> Option<Duration> {
        let control = self.control?;
        (control == TimeControl::per_turn(control.per_move)).then_some(control.per_move)
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

/// What the clocks of a game say before a turn.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Clocks {
    /// Whose turn it is.
    pub side: Side,
    /// The number of the turn, the first one of each side being 1.
    pub turn: u32,
    /// What each side has in reserve.
    pub reserves: BySide<Duration>,
    /// How long the last turn of each side took.
    pub used: BySide<Duration>,
    /// How long the game has lasted.
    pub game: Duration,
}

impl Clocks {
    /// The clocks of a game that begins with a turn of this side.
    pub fn new(side: Side, turn: u32, control: Option<TimeControl>) -> Clocks {
        let reserve = control.map_or(Duration::ZERO, |control| control.reserve);
        Clocks {
            side,
            turn,
            reserves: BySide { first: reserve, second: reserve },
            used: BySide::default(),
            game: Duration::ZERO,
        }
    }

    /// The clock of the side to move.
    pub fn clock(&self, control: TimeControl) -> Clock {
        Clock {
            control,
            reserve: self.reserves[self.side],
            used: Duration::ZERO,
            turn: self.turn,
            game_used: self.game,
        }
    }

    /// The side to move has taken so long; it is the other one's turn now.
    pub fn press(&mut self, spent: Duration, control: Option<TimeControl>) {
        if let Some(control) = control {
            self.reserves[self.side] = self.clock(control).reserve_after(spent);
        }
        self.used[self.side] = spent;
        self.game += spent;
        self.turn += u32::from(self.side == Side::Second);
        self.side = !self.side;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_saved_goes_to_the_reserve_and_what_is_overdrawn_comes_from_it() {
        let control: TimeControl = "10s/30s/50/35s".parse().unwrap();
        let mut clocks = Clocks::new(Side::Second, 4, Some(control));
        let seconds = Duration::from_secs;
        clocks.press(seconds(4), Some(control));
        assert_eq!((clocks.side, clocks.turn), (Side::First, 5));
        assert_eq!(clocks.reserves.second, seconds(33));
        clocks.press(seconds(25), Some(control));
        assert_eq!((clocks.side, clocks.turn), (Side::Second, 5));
        assert_eq!(clocks.reserves.first, seconds(15));
        clocks.press(seconds(0), Some(control));
        assert_eq!(clocks.reserves.second, seconds(35));
        assert_eq!(clocks.game, seconds(29));
        assert_eq!(clocks.used, BySide { first: seconds(25), second: seconds(0) });
    }
}
