//! How often an SPRT may be wrong.

/// How often a test may be wrong, and so how much evidence it takes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Risks {
    alpha: f64,
    beta: f64,
}

/// Risks that no test can have.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum RisksError {
    /// A risk is no probability.
    #[error("{name} is {value}: it must be above 0 and below 1, such as 0.05")]
    Range {
        /// `alpha` or `beta`.
        name: &'static str,
        /// What was given for it.
        value: f64,
    },
    /// A coin is as good a test.
    #[error("alpha and beta add up to {0}: their sum must be below 1")]
    Sum(f64),
}

impl Risks {
    /// `alpha`: how often H1 may be accepted where H0 holds; `beta`: how often H0 where H1 holds.
    pub fn new(alpha: f64, beta: f64) -> Result<Risks, RisksError> {
        for (name, value) in [("alpha", alpha), ("beta", beta)] {
            // Normal numbers have a finite inverse, so that the bounds are finite.
            if !(value.is_normal() && value > 0.0 && value < 1.0) {
                return Err(RisksError::Range { name, value });
            }
        }
        let sum = alpha + beta;
        if sum < 1.0 { Ok(Risks { alpha, beta }) } else { Err(RisksError::Sum(sum)) }
    }

    /// How often H1 may be accepted where H0 holds.
    pub fn alpha(&self) -> f64 {
        self.alpha
    }

    /// How often H0 may be accepted where H1 holds.
    pub fn beta(&self) -> f64 {
        self.beta
    }

    /// The log-likelihood ratio at which H0 is accepted (Wald 1945).
    pub fn lower(&self) -> f64 {
        (self.beta / (1.0 - self.alpha)).ln()
    }

    /// The log-likelihood ratio at which H1 is accepted (Wald 1945).
    pub fn upper(&self) -> f64 {
        ((1.0 - self.beta) / self.alpha).ln()
    }
}
