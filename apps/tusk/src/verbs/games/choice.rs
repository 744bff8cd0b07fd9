//! The options by which games are chosen, and the formats in which they are written.

use records::{Filter, Format, Numbers, Outcome};

/// How games are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub enum FormatName {
    /// arimaa.com's tab-separated lines, with a header
    Archive,
    /// Records such as `1g Ra1 …`, a blank line between games
    Records,
    /// One JSON object a line, with all that is known
    Json,
}

impl From<FormatName> for Format {
    fn from(name: FormatName) -> Format {
        match name {
            FormatName::Archive => Format::Archive,
            FormatName::Records => Format::Records,
            FormatName::Json => Format::Json,
        }
    }
}

/// Chooses among games; what is not set does not matter. Names are compared without regard to capitals.
#[derive(clap::Args, Default)]
#[command(next_help_heading = "Which games")]
pub struct FilterArguments {
    /// Only games of these numbers, such as 3 or 1,4-9
    #[arg(long, value_name = "N")]
    number: Option<Numbers>,

    /// Only games in which this player takes part; may be repeated: then all of them do
    #[arg(long, value_name = "NAME")]
    player: Vec<String>,

    /// Only games in which this player begins
    #[arg(long, value_name = "NAME")]
    first: Option<String>,

    /// Only games in which this player is second
    #[arg(long, value_name = "NAME")]
    second: Option<String>,

    /// Only games that this player has won
    #[arg(long, value_name = "NAME")]
    winner: Option<String>,

    /// Only games that ended so
    #[arg(long, value_enum)]
    result: Option<OutcomeName>,

    /// Only games that ended by this: goal, resignation, late, …
    #[arg(long, value_name = "WORD")]
    reason: Option<String>,

    /// Only games with so many turns at least
    #[arg(long, value_name = "N")]
    min_turns: Option<usize>,

    /// Only games with so many turns at most
    #[arg(long, value_name = "N")]
    max_turns: Option<usize>,

    /// Only games of events whose name has this in it
    #[arg(long, value_name = "TEXT")]
    event_name: Option<String>,
}

/// Who has won.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum OutcomeName {
    /// Gold or White
    First,
    /// Silver or Black
    Second,
    /// The game has no winner
    Nobody,
}

impl From<OutcomeName> for Outcome {
    fn from(name: OutcomeName) -> Outcome {
        match name {
            OutcomeName::First => Outcome::First,
            OutcomeName::Second => Outcome::Second,
            OutcomeName::Nobody => Outcome::Nobody,
        }
    }
}

impl FilterArguments {
    /// The filter that these options ask for.
    pub fn filter(&self) -> Filter {
        Filter {
            number: self.number.clone(),
            player: self.player.clone(),
            first: self.first.clone(),
            second: self.second.clone(),
            winner: self.winner.clone(),
            result: self.result.map(Outcome::from),
            reason: self.reason.clone(),
            min_turns: self.min_turns,
            max_turns: self.max_turns,
            event_name: self.event_name.clone(),
        }
    }
}
