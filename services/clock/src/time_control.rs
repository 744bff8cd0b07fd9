use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use thiserror::Error;

/// How much time a game allows.
///
/// As text: `move/reserve[/percent/maxreserve/gamelimit/turntime]`, where the limit of the game
/// may be a number of turns, `80t`. Times have units, `1m30s`, `2h`, `0.5s`, or colons, `1:30`;
/// bare numbers are minutes, and hours for the limit of the game.
///
/// ```
/// # use clock::TimeControl;
/// # use std::time::Duration;
/// let control: TimeControl = "30s/5/100/10m/4/6m".parse().unwrap();
/// assert_eq!(control.reserve, Duration::from_secs(300));
/// assert_eq!(control.total, Some(Duration::from_secs(4 * 3600)));
/// assert_eq!(control.to_string(), "30s/5m/100/10m/4h/6m");
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct TimeControl {
    /// For each turn.
    pub per_move: Duration,
    /// At the start, for turns that take longer.
    pub reserve: Duration,
    /// How much of a turn's unused time is added to the reserve.
    pub percent: f64,
    /// What the reserve can hold.
    pub max_reserve: Option<Duration>,
    /// For the whole game, of both sides.
    pub total: Option<Duration>,
    /// The number of the last turn.
    pub turns: Option<u32>,
    /// The longest that a turn may take, whatever the reserve.
    pub turn_time: Option<Duration>,
}

impl Default for TimeControl {
    /// No time is told; unused time would be added to the reserve.
    fn default() -> TimeControl {
        TimeControl {
            per_move: Duration::ZERO,
            reserve: Duration::ZERO,
            percent: 100.0,
            max_reserve: None,
            total: None,
            turns: None,
            turn_time: None,
        }
    }
}

impl TimeControl {
    /// So long for every turn, and nothing is saved.
    pub fn per_turn(time: Duration) -> TimeControl {
        TimeControl { per_move: time, percent: 0.0, ..TimeControl::default() }
    }
}

/// Some thirty years: long enough, and sums stay far from the end of `Duration`.
const LONGEST: f64 = 1e9;

/// Seconds as a time; less than none is none, and there is a longest.
pub fn seconds(number: f64) -> Duration {
    Duration::from_secs_f64(number.clamp(0.0, LONGEST))
}

/// Why a text is no time control.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("the {field} ({text:?}): {fault}")]
pub struct TimeControlError {
    /// Which part.
    pub field: &'static str,
    /// What stands there.
    pub text: String,
    /// What is wrong with it.
    pub fault: TimeFault,
}

/// What can be wrong with a part of a time control.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum TimeFault {
    /// It is missing.
    #[error("expected at least the time of a move and the reserve, such as 30s/5m")]
    Missing,
    /// It is no time.
    #[error("expected a time such as 30s, 1m30s, 2h or 1:30; bare numbers are minutes")]
    NotATime,
    /// It is no number.
    #[error("expected a number such as 100")]
    NotANumber,
    /// There is more than the six parts.
    #[error("expected nothing more: a time control has at most six parts")]
    Trailing,
}

const FIELDS: [&str; 6] = [
    "time of a move",
    "reserve",
    "percentage",
    "largest reserve",
    "limit of the game",
    "time of a turn",
];

impl FromStr for TimeControl {
    type Err = TimeControlError;

    fn from_str(text: &str) -> Result<TimeControl, TimeControlError> {
        let parts: Vec<&str> = text.trim().split('/').map(str::trim).collect();
        let part = |index: usize| parts.get(index).copied().unwrap_or("");
        let refuse = |index: usize, fault| TimeControlError {
            field: FIELDS[index],
            text: part(index).to_string(),
            fault,
        };
        let time = |index: usize, unit: Unit| match part(index) {
            "" => Ok(None),
            text => read_time(text, unit)
                .map(|time| Some(time).filter(|time| !time.is_zero()))
                .ok_or(refuse(index, TimeFault::NotATime)),
        };
        if let Some(missing) = (0..2).find(|&index| part(index).is_empty()) {
            return Err(refuse(missing, TimeFault::Missing));
        }
        if let Some(text) = parts.get(FIELDS.len()) {
            let text = text.to_string();
            return Err(TimeControlError { field: "rest", text, fault: TimeFault::Trailing });
        }
        let share = |number: &f64| number.is_finite() && *number >= 0.0;
        let percent = match part(2) {
            "" => 100.0,
            text => text.parse().ok().filter(share).ok_or(refuse(2, TimeFault::NotANumber))?,
        };
        let turns = match part(4).strip_suffix('t') {
            None => None,
            Some(turns) => {
                let turns = turns.parse().map_err(|_| refuse(4, TimeFault::NotANumber))?;
                Some(turns).filter(|&turns: &u32| turns > 0)
            }
        };
        let total = if part(4).ends_with('t') { None } else { time(4, Unit::Hour)? };
        Ok(TimeControl {
            per_move: time(0, Unit::Minute)?.unwrap_or_default(),
            reserve: time(1, Unit::Minute)?.unwrap_or_default(),
            percent,
            max_reserve: time(3, Unit::Minute)?,
            total,
            turns,
            turn_time: time(5, Unit::Minute)?,
        })
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Unit {
    Second,
    Minute,
    Hour,
    Day,
}

impl Unit {
    /// From the largest to the smallest.
    const ALL: [Unit; 4] = [Unit::Day, Unit::Hour, Unit::Minute, Unit::Second];

    fn seconds(self) -> f64 {
        match self {
            Unit::Second => 1.0,
            Unit::Minute => 60.0,
            Unit::Hour => 3600.0,
            Unit::Day => 86400.0,
        }
    }

    fn letter(self) -> char {
        match self {
            Unit::Second => 's',
            Unit::Minute => 'm',
            Unit::Hour => 'h',
            Unit::Day => 'd',
        }
    }

    fn from_letter(letter: char) -> Option<Unit> {
        Unit::ALL.into_iter().find(|unit| unit.letter() == letter)
    }

    /// The next smaller one, which follows a colon.
    fn smaller(self) -> Option<Unit> {
        match self {
            Unit::Day => Some(Unit::Hour),
            Unit::Hour => Some(Unit::Minute),
            Unit::Minute => Some(Unit::Second),
            Unit::Second => None,
        }
    }
}

/// `1m30s`, or with colons `1:30`, or a number of the unit.
///
/// A bare number behind a unit (`1m30`) is refused: pyrimaa reads 31 minutes there, a person 90
/// seconds.
fn read_time(text: &str, unit: Unit) -> Option<Duration> {
    let number = |digits: &str| -> Option<f64> {
        let plain = digits.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
        if plain { digits.parse().ok() } else { None }
    };
    if text.ends_with(|last: char| last.is_ascii_digit() || last == '.') {
        let mut unit = Some(unit);
        let mut sum = 0.0;
        for (index, part) in text.split(':').enumerate() {
            let part = if index == 0 && part.is_empty() { "0" } else { part };
            sum += number(part)? * unit?.seconds();
            unit = unit?.smaller();
        }
        return Some(seconds(sum));
    }
    let mut sum = 0.0;
    let mut rest = text;
    while let Some(at) = rest.find(|letter: char| Unit::from_letter(letter).is_some()) {
        let unit = Unit::from_letter(rest[at..].chars().next()?)?;
        sum += number(&rest[..at])? * unit.seconds();
        rest = &rest[at + 1..];
    }
    (rest.is_empty() && !text.is_empty()).then(|| seconds(sum))
}

/// `1m30s`, and `0` for nothing.
fn write_time(time: Duration) -> String {
    let mut left = time.as_secs_f64();
    let mut text = String::new();
    for unit in Unit::ALL {
        let count = if unit == Unit::Second { left } else { (left / unit.seconds()).floor() };
        left -= count * unit.seconds();
        if count > 0.0 {
            // Milliseconds are enough, and hide what floating point leaves behind.
            let count = (count * 1000.0).round() / 1000.0;
            text += &format!("{count}{}", unit.letter());
        }
    }
    if text.is_empty() { "0".to_string() } else { text }
}

impl fmt::Display for TimeControl {
    /// The text, without the parts at the end that say nothing.
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let optional = |time: Option<Duration>| write_time(time.unwrap_or_default());
        let limit = match self.turns {
            Some(turns) => format!("{turns}t"),
            None => optional(self.total),
        };
        let parts = [
            (write_time(self.per_move), ""),
            (write_time(self.reserve), ""),
            (self.percent.to_string(), "100"),
            (optional(self.max_reserve), "0"),
            (limit, "0"),
            (optional(self.turn_time), "0"),
        ];
        let last = parts.iter().rposition(|(text, default)| text != default).unwrap_or(1);
        let texts: Vec<&str> = parts[..=last].iter().map(|(text, _)| text.as_str()).collect();
        f.write_str(&texts.join("/"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_units_colons_or_are_minutes() {
        let table = [
            ("30s", 30.0),
            ("2", 120.0),
            ("1:30", 90.0),
            (":30", 30.0),
            ("1m30s", 90.0),
            ("1h", 3600.0),
            ("1d2h3m4s", 93784.0),
            ("0.2s", 0.2),
            ("1.5", 90.0),
            ("0", 0.0),
        ];
        for (text, expected) in table {
            assert_eq!(read_time(text, Unit::Minute), Some(seconds(expected)), "{text}");
        }
        for text in ["", "s", "1m30", "1x", "-3", "1:2:3", "1e3s", "3 s", "ä", "1:", "nan", "inf"]
        {
            assert_eq!(read_time(text, Unit::Minute), None, "{text}");
        }
        assert_eq!(read_time("1:30", Unit::Hour), Some(seconds(5400.0)));
    }

    #[test]
    fn time_controls_are_read_and_written() {
        for text in [
            "2m/2m",
            "30s/5m/75",
            "0/0",
            "15s/1m30s/100/10m",
            "1m/1m/100/0/80t",
            "1m/1m/0/0/4h/6m",
            "200ms/1s",
            "0.2s/1s",
        ] {
            let control = text.parse::<TimeControl>();
            match control {
                Ok(control) => assert_eq!(control.to_string(), text),
                Err(_) => assert_eq!(text, "200ms/1s", "milliseconds are no unit here"),
            }
        }
        let control: TimeControl = "0:30/2/100/5/2:30".parse().unwrap();
        assert_eq!(control.to_string(), "30s/2m/100/5m/2h30m");
    }

    #[test]
    fn the_part_that_is_wrong_is_named() {
        let table = [
            ("", "the time of a move (\"\"): expected at least the time of a move and the reserve"),
            ("30s", "the reserve (\"\"): expected at least"),
            ("30s/5x", "the reserve (\"5x\"): expected a time such as"),
            ("30s/5/all", "the percentage (\"all\"): expected a number"),
            ("1/1/1/1/xt", "the limit of the game (\"xt\"): expected a number"),
            ("1/1/1/1/1/1/1", "the rest (\"1\"): expected nothing more"),
        ];
        for (text, error) in table {
            let found = text.parse::<TimeControl>().unwrap_err().to_string();
            assert!(found.starts_with(error), "{text}: {found}");
        }
    }
}
