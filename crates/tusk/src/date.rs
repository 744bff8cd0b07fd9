//! Days and times of the calendar, in UTC.

use std::fmt;

/// A moment of the Gregorian calendar, in UTC.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Date {
    year: i64,
    month: i64,
    day: i64,
    /// Days since a Sunday.
    weekday: i64,
    /// Seconds since midnight.
    second: i64,
}

const WEEKDAYS: [&str; 7] = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];
const MONTHS: [&str; 12] =
    ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

const DAY: i64 = 86400;

impl Date {
    /// So many seconds after 1970 began.
    pub fn of(seconds: i64) -> Date {
        let days = seconds.div_euclid(DAY);
        // Hinnant's way: years begin in March, so that the day that comes and goes is their last.
        let since = days + 719_468;
        let (era, day_of_era) = (since.div_euclid(146_097), since.rem_euclid(146_097));
        let leap_days = day_of_era / 1460 - day_of_era / 36_524 + day_of_era / 146_096;
        let year_of_era = (day_of_era - leap_days) / 365;
        let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        let month_since_march = (5 * day_of_year + 2) / 153;
        let month = (month_since_march + 2) % 12 + 1;
        Date {
            year: 400 * era + year_of_era + i64::from(month <= 2),
            month,
            day: day_of_year - (153 * month_since_march + 2) / 5 + 1,
            weekday: (days + 4).rem_euclid(7),
            second: seconds.rem_euclid(DAY),
        }
    }

    fn time(&self) -> String {
        let (hour, minute, second) = (self.second / 3600, self.second / 60 % 60, self.second % 60);
        format!("{hour:02}:{minute:02}:{second:02}")
    }

    /// As C's `ctime` writes it: `Tue Nov  1 03:46:17 2011`.
    pub fn ctime(&self) -> String {
        let (weekday, month) = (WEEKDAYS[self.weekday as usize], MONTHS[self.month as usize - 1]);
        format!("{weekday} {month} {:>2} {} {}", self.day, self.time(), self.year)
    }
}

impl fmt::Display for Date {
    /// `2011-11-01 03:46:17`
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{:04}-{:02}-{:02} {}", self.year, self.month, self.day, self.time())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_those_of_arimaa_com_and_of_the_calendar() {
        let table = [
            (1_320_119_177, "Tue Nov  1 03:46:17 2011", "2011-11-01 03:46:17"),
            (1_769_941_026, "Sun Feb  1 10:17:06 2026", "2026-02-01 10:17:06"),
            (0, "Thu Jan  1 00:00:00 1970", "1970-01-01 00:00:00"),
            (951_782_400, "Tue Feb 29 00:00:00 2000", "2000-02-29 00:00:00"),
            (-1, "Wed Dec 31 23:59:59 1969", "1969-12-31 23:59:59"),
        ];
        for (seconds, ctime, text) in table {
            let date = Date::of(seconds);
            assert_eq!((date.ctime().as_str(), date.to_string().as_str()), (ctime, text));
        }
    }
}
