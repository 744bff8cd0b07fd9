//! Numbers of a command line that have a range, and what a missing one stands for.

use std::num::NonZero;
use std::str::FromStr;
use std::thread::available_parallelism;

/// A number from 0 to 1.
pub fn share<T: FromStr + PartialOrd + From<u8>>(text: &str) -> Result<T, String> {
    let share = text.parse().ok().filter(|share| (T::from(0)..=T::from(1)).contains(share));
    share.ok_or_else(|| "expected a number from 0 to 1".to_string())
}

/// A number above 0.
pub fn positive<T: FromStr + Copy + PartialOrd + From<u8> + Into<f64>>(
    text: &str,
) -> Result<T, String> {
    let is_positive = |number: &T| (*number).into().is_finite() && *number > T::from(0);
    let number = text.parse().ok().filter(is_positive);
    number.ok_or_else(|| "expected a number above 0".to_string())
}

/// So many threads, or as many as there are cores.
pub fn threads(asked: Option<u16>) -> usize {
    asked.map_or_else(|| available_parallelism().map_or(1, NonZero::get), usize::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_out_of_range_are_refused() {
        assert_eq!(share::<f32>("0.25"), Ok(0.25));
        assert_eq!(share::<f64>("1"), Ok(1.0));
        for text in ["-0.1", "1.1", "NaN", "much", ""] {
            assert!(share::<f64>(text).is_err(), "{text}");
        }
        assert_eq!(positive::<f64>("2.5"), Ok(2.5));
        for text in ["0", "-1", "inf", "NaN", "much"] {
            assert!(positive::<f32>(text).is_err(), "{text}");
        }
    }

    #[test]
    fn threads_that_are_asked_for_are_taken() {
        assert_eq!(threads(Some(3)), 3);
        assert!(threads(None) >= 1);
    }
}
