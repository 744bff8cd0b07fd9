//! When a player has thought enough.

use std::time::Duration;

use arena::TimeSettings;
use clap::builder::TypedValueParser;
use clock::TimeControl;
use engine::{Limits, MOST_LINES};
use game::Steps;
use workbench::units;

use crate::shared::settings;

/// A number of lines.
pub fn lines() -> impl TypedValueParser<Value = u16> {
    clap::value_parser!(u16).range(1..=MOST_LINES as i64)
}

/// When a player has thought enough.
#[derive(clap::Args)]
pub struct Thinking {
    /// The time for each turn: 300ms, 5s, 2m [default: that of `tusk config`, mostly 1s, if nothing
    /// else is a limit]
    #[arg(long, value_name = "T", value_parser = units::time)]
    time: Option<Duration>,

    /// The depth to search to, in steps
    #[arg(long, value_name = "STEPS", value_parser = clap::value_parser!(u8).range(1..=200))]
    depth: Option<u8>,

    /// How many positions to search
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
}

impl Thinking {
    pub fn limits(&self) -> Limits {
        let Thinking { depth, nodes, .. } = *self;
        Limits { depth: depth.map(Steps), nodes, soft: None, hard: self.time() }
    }

    /// The same for a player.
    pub fn time_settings(&self) -> TimeSettings {
        let Thinking { depth, nodes, .. } = *self;
        let control = self.time().map(TimeControl::per_turn);
        TimeSettings { control, depth, nodes, ..TimeSettings::default() }
    }

    fn time(&self) -> Option<Duration> {
        let unlimited = self.depth.is_none() && self.nodes.is_none();
        self.time.or_else(|| unlimited.then(|| settings::in_force().time()))
    }
}
