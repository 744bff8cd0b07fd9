use std::fmt::Write;
use std::time::Duration;

use game::Side;

use crate::{Budget, Referee, Start};

/// What a bot of the older interface is told of, in three files.
///
/// The names in the state are those of arimaa.com's server, and some that bots read in their place:
/// Sharp wants `s` and `tcwreserve`, Clueless exits when `rated` or any number of the time control is missing.
pub(super) struct Scene<'a> {
    /// How the game began.
    pub(super) start: &'a Start,
    /// The game now.
    pub(super) referee: &'a dyn Referee,
    /// The clocks.
    pub(super) budget: &'a Budget,
}

/// How a side is called there, in every game.
fn letter(side: Side) -> char {
    match side {
        Side::First => 'w',
        Side::Second => 'b',
    }
}

/// `12b` for the label `12s`.
fn older_label(label: &str, side: Side) -> String {
    let number = label.trim_end_matches(char::is_alphabetic);
    format!("{number}{}", letter(side))
}

impl Scene<'_> {
    /// The board below its heading, which is the label of the turn to be played.
    pub(super) fn picture(&self) -> String {
        let label = self.referee.label();
        let heading = older_label(&label, self.referee.side());
        let picture = self.referee.picture();
        let board = match picture.split_once('\n') {
            Some((first, rest)) if !first.is_empty() && label.ends_with(first) => rest,
            _ => &picture,
        };
        format!("{heading}\n{}\n", board.trim_end())
    }

    /// A turn a line, and the label of the one to be played. Of a game that began at a position there is
    /// none: turns can be replayed only from the very start.
    pub(super) fn record(&self) -> String {
        if self.start.origin.is_some() {
            return String::new();
        }
        let mut record = String::new();
        let turns = self.referee.turns();
        for (index, turn) in turns.iter().map(String::as_str).chain([""]).enumerate() {
            let line = format!("{}{} {turn}", index / 2 + 1, letter(Side::ALL[index % 2]));
            record += line.trim_end();
            record += "\n";
        }
        record
    }

    /// Lines of `key=value`.
    pub(super) fn state(&self) -> String {
        let mut state = String::new();
        let pairs = self.pairs().into_iter().chain(self.clocks());
        for (key, value) in pairs {
            // Writing to a string cannot fail.
            let _ = writeln!(state, "{key}={}", escaped(&value));
        }
        state
    }

    fn pairs(&self) -> Vec<(&'static str, String)> {
        let side = self.referee.side();
        let player = |of: Side| {
            let name = if of == self.start.side { "me" } else { &self.start.opponent };
            // The server puts a mark before a name, and bots cut two letters off.
            format!("* {name}")
        };
        vec![
            ("turn", letter(side).to_string()),
            ("s", letter(side).to_string()),
            ("wplayer", player(Side::First)),
            ("bplayer", player(Side::Second)),
            ("rated", "0".to_string()),
            ("plycount", self.referee.turns().len().to_string()),
            ("position", self.picture()),
            ("moves", self.record()),
        ]
    }

    /// Nothing but the clock is in split seconds, and that only where the time control is.
    fn clocks(&self) -> Vec<(&'static str, String)> {
        let Budget { pace, clocks, .. } = self.budget;
        let Some(control) = pace.control else { return Vec::new() };
        let exact = |time: Duration| time.as_secs_f64().to_string();
        let limit = |time: Option<Duration>| exact(time.unwrap_or_default());
        let whole = |time: Duration| time.as_secs().to_string();
        let reserve = |side: Side| whole(clocks.reserves[side]);
        // The mover's is of the turn that begins now.
        let used =
            |side| if side == clocks.side { "0".to_string() } else { whole(clocks.used[side]) };
        vec![
            ("tcmove", exact(control.per_move)),
            ("tcreserve", exact(control.reserve)),
            ("tcpercent", control.percent.to_string()),
            ("tcmax", limit(control.max_reserve)),
            ("tctotal", limit(control.total)),
            ("tcturns", control.turns.unwrap_or_default().to_string()),
            ("tcturntime", limit(control.turn_time)),
            ("tcgame", whole(clocks.game)),
            ("wreserve", reserve(Side::First)),
            ("breserve", reserve(Side::Second)),
            ("tcwreserve", reserve(Side::First)),
            ("tcbreserve", reserve(Side::Second)),
            ("wused", used(Side::First)),
            ("bused", used(Side::Second)),
            ("lastmoveused", whole(clocks.used[!clocks.side])),
        ]
    }
}

/// `%` is written `%25`, the end of a line `%13`.
fn escaped(value: &str) -> String {
    value.replace('%', "%25").replace('\n', "%13")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_fit_on_a_line() {
        assert_eq!(escaped("100%\n1w\n"), "100%25%131w%13");
    }

    #[test]
    fn sides_have_their_older_letters() {
        assert_eq!(older_label("12s", Side::Second), "12b");
        assert_eq!(older_label("1g", Side::First), "1w");
    }
}
