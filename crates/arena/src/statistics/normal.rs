//! The normal distribution.

use libm::erfc;

/// 95 % of a normal distribution lie within so many standard deviations.
pub const WITHIN_95: f64 = 1.959_963_984_540_054;

/// How likely a standard normal variable is below `x`.
pub fn below(x: f64) -> f64 {
    erfc(-x / std::f64::consts::SQRT_2) / 2.0
}
