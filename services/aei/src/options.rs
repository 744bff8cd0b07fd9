use std::time::Duration;

use arimaa::Side;
use clock::{Clock, TimeControl, seconds};
use engine::Limits;
use game::{BySide, Steps};
use thiserror::Error;

/// What `setoption` has said, as far as the protocol knows it.
///
/// ```
/// # use aei::Options;
/// # use std::time::Duration;
/// let mut options = Options::default();
/// options.set("tcmove", Some("0.2")).unwrap();
/// assert_eq!(options.control.per_move, Duration::from_millis(200));
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Options {
    /// The time control of the game.
    pub control: TimeControl,
    /// What each side has in reserve; the time control's where nothing was said.
    pub reserves: BySide<Option<Duration>>,
    /// How long the last turn of each side took.
    pub used: BySide<Duration>,
    /// How long the last turn took.
    pub last_move_used: Duration,
    /// How much of this turn's time has gone.
    pub move_used: Duration,
    /// How deep to search.
    pub depth: Option<Steps>,
    /// How many positions to search: an option of our own, for matches at equal work.
    pub nodes: Option<u64>,
    /// The opponent's name.
    pub opponent: String,
    /// The opponent's rating.
    pub opponent_rating: Option<f64>,
    /// The engine's own rating.
    pub rating: Option<f64>,
    /// Whether the game is rated.
    pub rated: bool,
    /// What the game is a part of.
    pub event: String,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            control: TimeControl::default(),
            reserves: BySide::default(),
            used: BySide::default(),
            last_move_used: Duration::ZERO,
            move_used: Duration::ZERO,
            depth: None,
            nodes: None,
            opponent: String::new(),
            opponent_rating: None,
            rating: None,
            rated: true,
            event: String::new(),
        }
    }
}

/// Whom an option is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Audience {
    /// It was set: the session alone needs it.
    Session,
    /// A standard option that the engine may know.
    Engine,
    /// No standard option; the engine may know it nevertheless.
    Unknown,
}

/// Why an option's value is refused.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("expected {expected}, found {found:?}")]
pub struct OptionError {
    /// What would be right.
    pub expected: &'static str,
    /// What was said.
    pub found: String,
}

impl Options {
    /// Sets an option; a refused one keeps its value.
    ///
    /// A time below zero is taken as zero: a reserve that is overdrawn is an empty one.
    pub fn set(&mut self, name: &str, value: Option<&str>) -> Result<Audience, OptionError> {
        let text = value.unwrap_or("");
        let control = &mut self.control;
        match name {
            "tcmove" => control.per_move = time(text)?,
            "tcreserve" => control.reserve = time(text)?,
            "tcpercent" => control.percent = number(text, "a percentage such as 100")?.max(0.0),
            "tcmax" => control.max_reserve = limit(text)?,
            "tctotal" => control.total = limit(text)?,
            "tcturns" => {
                let turns = number(text, "a number of turns such as 80")?;
                control.turns = Some(turns as u32).filter(|&turns| turns > 0);
            }
            "tcturntime" => control.turn_time = limit(text)?,
            "greserve" => self.reserves.first = Some(time(text)?),
            "sreserve" => self.reserves.second = Some(time(text)?),
            "gused" => self.used.first = time(text)?,
            "sused" => self.used.second = time(text)?,
            "lastmoveused" => self.last_move_used = time(text)?,
            "moveused" => self.move_used = time(text)?,
            "depth" => {
                let depth = number(text, "a number of steps such as 12, or 0 for no limit")?;
                self.depth = Some(Steps(depth as u8)).filter(|&depth| depth > Steps(0));
            }
            "nodes" => {
                let nodes =
                    number(text, "a number of positions such as 100000, or 0 for no limit")?;
                self.nodes = Some(nodes as u64).filter(|&nodes| nodes > 0);
            }
            "opponent" => self.opponent = text.to_string(),
            "opponent_rating" => self.opponent_rating = Some(number(text, "a rating")?),
            "rating" => self.rating = Some(number(text, "a rating")?),
            "rated" => self.rated = number(text, "1 for a rated game, 0 for another")? != 0.0,
            "event" => self.event = text.to_string(),
            "hash" => {
                number(text, "a number of megabytes such as 256")?;
                return Ok(Audience::Engine);
            }
            "multipv" => {
                number(text, "a number of lines such as 3")?;
                return Ok(Audience::Engine);
            }
            "threads" => {
                number(text, "a number of threads such as 1")?;
                return Ok(Audience::Engine);
            }
            _ => return Ok(Audience::Unknown),
        }
        Ok(Audience::Session)
    }

    /// A new game: the time control stays, what was used and what is left does not.
    pub fn new_game(&mut self) {
        self.reserves = BySide::default();
        self.used = BySide::default();
        self.last_move_used = Duration::ZERO;
        self.move_used = Duration::ZERO;
    }

    /// A turn was played: the next one has used nothing yet.
    pub fn next_turn(&mut self) {
        self.move_used = Duration::ZERO;
    }

    /// The clock of a side for a turn, with its number and how long the game has lasted.
    pub fn clock(&self, side: Side, turn: u32, game_used: Duration) -> Clock {
        let reserve = self.reserves[side].unwrap_or(self.control.reserve);
        Clock { control: self.control, reserve, used: self.move_used, turn, game_used }
    }

    /// The limits of that turn.
    pub fn limits(&self, side: Side, turn: u32, game_used: Duration) -> Limits {
        let clock = self.clock(side, turn, game_used);
        let limits = Limits { nodes: self.nodes, ..clock.limits(self.depth) };
        let nodes_decide = self.nodes.is_some() && !clock.is_told();
        if nodes_decide { Limits { hard: None, ..limits } } else { limits }
    }

    /// Keeps account of a side's reserve after a turn that took so long, for a controller that does
    /// not tell it before the next one.
    pub fn charge(&mut self, side: Side, turn: u32, spent: Duration) {
        let clock = self.clock(side, turn, Duration::ZERO);
        self.reserves[side] = Some(clock.reserve_after(spent));
    }
}

fn number(text: &str, expected: &'static str) -> Result<f64, OptionError> {
    let number = text.trim().parse().ok().filter(|number: &f64| number.is_finite());
    number.ok_or(OptionError { expected, found: text.to_string() })
}

fn time(text: &str) -> Result<Duration, OptionError> {
    number(text, "a number of seconds such as 30 or 0.2").map(seconds)
}

/// A time of which zero means that there is no limit.
fn limit(text: &str) -> Result<Option<Duration>, OptionError> {
    Ok(Some(time(text)?).filter(|time| !time.is_zero()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(lines: &[(&str, &str)]) -> Options {
        let mut options = Options::default();
        for (name, value) in lines {
            assert_eq!(options.set(name, Some(value)), Ok(Audience::Session), "{name}");
        }
        options
    }

    #[test]
    fn every_option_of_the_protocol_is_known() {
        let names = "tcmove tcreserve tcpercent tcmax tctotal tcturns tcturntime greserve sreserve \
                     gused sused lastmoveused moveused opponent opponent_rating rating rated event \
                     hash depth nodes threads";
        for name in names.split_whitespace() {
            assert_ne!(Options::default().set(name, Some("1")), Ok(Audience::Unknown), "{name}");
        }
        assert_eq!(Options::default().set("style", Some("wild")), Ok(Audience::Unknown));
    }

    #[test]
    fn zero_means_unlimited_only_where_it_does() {
        let options = set(&[
            ("tcpercent", "0"),
            ("tcmax", "0"),
            ("tctotal", "0"),
            ("tcturns", "0"),
            ("tcturntime", "0"),
            ("greserve", "0"),
            ("depth", "-1"),
            ("rated", "0"),
        ]);
        let control = options.control;
        assert_eq!((control.max_reserve, control.total, control.turns), (None, None, None));
        assert_eq!((control.turn_time, control.percent, options.depth), (None, 0.0, None));
        assert_eq!(options.reserves, BySide { first: Some(Duration::ZERO), second: None });
        assert!(!options.rated && Options::default().rated);
    }

    #[test]
    fn odd_numbers_do_no_harm() {
        for name in ["tcmove", "tcreserve", "tcturns", "depth", "greserve", "tcpercent", "tctotal"]
        {
            for value in ["-1", "1e300", "-1e300", "0.0001", "255", "256", " 7 "] {
                let mut options = Options::default();
                assert_eq!(options.set(name, Some(value)), Ok(Audience::Session), "{name} {value}");
                let _ = options.limits(arimaa::GOLD, 1, Duration::ZERO);
                options.charge(arimaa::GOLD, 1, Duration::from_secs(1));
                let _ = options.limits(arimaa::GOLD, 2, Duration::MAX);
            }
            for value in [None, Some(""), Some("ten"), Some("nan"), Some("inf"), Some("1,5")] {
                let mut options = Options::default();
                assert!(options.set(name, value).is_err(), "{name} {value:?}");
                assert_eq!(options, Options::default());
            }
        }
    }

    #[test]
    fn a_new_game_keeps_the_time_control_and_fills_the_reserves() {
        let mut options = set(&[("tcmove", "15"), ("tcreserve", "60"), ("greserve", "3")]);
        options.new_game();
        let clock = options.clock(arimaa::GOLD, 1, Duration::ZERO);
        assert_eq!((clock.control.per_move, clock.reserve), (seconds(15.0), seconds(60.0)));
    }

    #[test]
    fn a_reserve_that_nobody_tells_is_kept_by_ourselves() {
        let mut options = set(&[("tcmove", "10"), ("tcreserve", "60"), ("tcpercent", "50")]);
        let reserve = |options: &Options| options.clock(arimaa::GOLD, 9, Duration::ZERO).reserve;
        // The setup adds nothing.
        options.charge(arimaa::GOLD, 1, seconds(2.0));
        assert_eq!(reserve(&options), seconds(60.0));
        options.charge(arimaa::GOLD, 2, seconds(6.0));
        assert_eq!(reserve(&options), seconds(62.0));
        options.charge(arimaa::GOLD, 3, seconds(40.0));
        assert_eq!(reserve(&options), seconds(32.0));
    }
}
