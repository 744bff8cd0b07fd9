//! Times and sizes as people write them.

use std::time::Duration;

use guard::check_memory;
use jiff::Timestamp;

/// A time such as `300ms`, `5s`, `1.5s` or `2m`.
pub fn time(text: &str) -> Result<Duration, String> {
    let wrong = || format!("{text:?} is no time: write 300ms, 5s or 2m");
    let split = text.find(|c: char| c.is_ascii_alphabetic()).ok_or_else(wrong)?;
    let (number, unit) = text.split_at(split);
    let number: f64 = number.parse().map_err(|_| wrong())?;
    let seconds = match unit {
        "ms" => number / 1000.0,
        "s" => number,
        "m" => number * 60.0,
        "h" => number * 3600.0,
        _ => return Err(wrong()),
    };
    Duration::try_from_secs_f64(seconds).map_err(|_| wrong())
}

/// So many seconds after 1970 began, in UTC; at most the end of the year 9999, and as far back.
pub fn timestamp(seconds: i64) -> Timestamp {
    let (least, most) = (Timestamp::MIN, Timestamp::MAX);
    let moment = Timestamp::from_second(seconds.clamp(least.as_second(), most.as_second()));
    moment.unwrap_or(most)
}

/// A size such as `512MiB` or `2GiB`, in MiB.
pub fn mebibytes(text: &str) -> Result<usize, String> {
    let wrong = || format!("{text:?} is no size: write 64MiB or 2GiB");
    let (number, factor) = match (text.strip_suffix("MiB"), text.strip_suffix("GiB")) {
        (Some(number), _) => (number, 1),
        (_, Some(number)) => (number, 1024),
        _ => return Err(wrong()),
    };
    let number: usize = number.parse().map_err(|_| wrong())?;
    let size = number.checked_mul(factor).filter(|&size| (1..1 << 20).contains(&size));
    let size = size.ok_or_else(wrong)?;
    check_memory(size).map_err(|error| error.to_string())?;
    Ok(size)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_a_unit() {
        assert_eq!(time("300ms"), Ok(Duration::from_millis(300)));
        assert_eq!(time("1.5s"), Ok(Duration::from_millis(1500)));
        assert_eq!(time("2m"), Ok(Duration::from_secs(120)));
        for wrong in ["", "5", "s", "-1s", "1 s", "1y", "nans", "1e300s"] {
            assert!(time(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn sizes_have_a_unit() {
        assert_eq!(mebibytes("512MiB"), Ok(512));
        assert_eq!(mebibytes("2GiB"), Ok(2048));
        for wrong in ["", "5", "0MiB", "MiB", "-1MiB", "1.5GiB", "99999999999999GiB"] {
            assert!(mebibytes(wrong).is_err(), "{wrong}");
        }
        let much = mebibytes("1000GiB").unwrap_err();
        assert!(much.starts_with("1024000 MiB of memory cannot be had here"), "{much}");
    }
}
