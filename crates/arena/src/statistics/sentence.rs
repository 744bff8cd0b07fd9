//! An SPRT in plain words.

use super::{Scale, Sprt, Verdict};

impl Sprt {
    /// What the test says at this log-likelihood ratio, as a sentence.
    pub fn sentence(&self, llr: f64) -> String {
        let (h0, h1) = (self.h0(), self.h1());
        match self.verdict(llr) {
            Verdict::AcceptsH1 => {
                let claim = self.above(self.hypotheses.elo0());
                let risk = percent(self.risks.alpha());
                format!(
                    "{claim}: H1 ({h1}) accepted; if {h0}, at most {risk} of tests would say so"
                )
            }
            Verdict::AcceptsH0 => {
                let claim = self.below(self.hypotheses.elo1());
                let risk = percent(self.risks.beta());
                format!(
                    "{claim}: H0 ({h0}) accepted; if {h1}, at most {risk} of tests would say so"
                )
            }
            Verdict::GoesOn => self.progress(llr),
        }
    }

    /// H0 in signs, such as `elo ≤ 0`.
    pub fn h0(&self) -> String {
        format!("{} ≤ {}", self.unit(), self.hypotheses.elo0())
    }

    /// H1 in signs, such as `elo ≥ 5`.
    pub fn h1(&self) -> String {
        format!("{} ≥ {}", self.unit(), self.hypotheses.elo1())
    }

    fn progress(&self, llr: f64) -> String {
        let (bound, name, hypothesis) = if llr < 0.0 {
            (self.risks.lower(), "H0", self.h0())
        } else {
            (self.risks.upper(), "H1", self.h1())
        };
        let way = percent((100.0 * llr / bound).round() / 100.0);
        format!("Not decided, play on: {way} of the way to {name} ({hypothesis})")
    }

    /// What it means that the difference is above this.
    fn above(&self, elo: f64) -> String {
        let unit = self.unit();
        if elo == 0.0 {
            "A is stronger than B".to_owned()
        } else if elo > 0.0 {
            format!("A is stronger than B by more than {elo} {unit}")
        } else {
            format!("A is not weaker than B by {} {unit} or more", -elo)
        }
    }

    /// What it means that the difference is below this.
    fn below(&self, elo: f64) -> String {
        let unit = self.unit();
        if elo == 0.0 {
            "A is weaker than B".to_owned()
        } else if elo > 0.0 {
            format!("A is not stronger than B by {elo} {unit} or more")
        } else {
            format!("A is weaker than B by more than {} {unit}", -elo)
        }
    }

    fn unit(&self) -> &'static str {
        match self.hypotheses.scale() {
            Scale::Logistic => "elo",
            Scale::Normalized => "nelo",
        }
    }
}

/// A share in percent, without digits that say nothing.
fn percent(share: f64) -> String {
    format!("{} %", (share * 1e6).round() / 1e4)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Hypotheses, Risks};

    fn sprt(elo0: f64, elo1: f64) -> Sprt {
        Sprt {
            hypotheses: Hypotheses::new(elo0, elo1, Scale::Logistic).expect("in order"),
            risks: Risks::new(0.05, 0.1).expect("risks"),
        }
    }

    #[test]
    fn a_verdict_says_who_is_stronger_and_how_sure_it_is() {
        assert_eq!(
            sprt(0.0, 5.0).sentence(2.9),
            "A is stronger than B: H1 (elo ≥ 5) accepted; if elo ≤ 0, at most 5 % of tests would say so"
        );
        assert_eq!(
            sprt(-5.0, 0.0).sentence(-2.3),
            "A is weaker than B: H0 (elo ≤ -5) accepted; if elo ≥ 0, at most 10 % of tests would say so"
        );
        let begins =
            |sentence: String, claim: &str| assert!(sentence.starts_with(claim), "{sentence}");
        begins(
            sprt(2.5, 5.0).sentence(9.0),
            "A is stronger than B by more than 2.5 elo: H1 (elo ≥ 5)",
        );
        begins(
            sprt(-3.0, 1.0).sentence(9.0),
            "A is not weaker than B by 3 elo or more: H1 (elo ≥ 1)",
        );
        begins(
            sprt(0.0, 5.0).sentence(-9.0),
            "A is not stronger than B by 5 elo or more: H0 (elo ≤ 0)",
        );
        begins(
            sprt(-9.0, -3.0).sentence(-9.0),
            "A is weaker than B by more than 3 elo: H0 (elo ≤ -9)",
        );
    }

    #[test]
    fn an_open_test_says_how_far_it_is() {
        let open = sprt(0.0, 5.0);
        let text = open.sentence(open.risks.upper() / 4.0);
        assert_eq!(text, "Not decided, play on: 25 % of the way to H1 (elo ≥ 5)");
        let text = open.sentence(open.risks.lower() / 2.0);
        assert_eq!(text, "Not decided, play on: 50 % of the way to H0 (elo ≤ 0)");
    }
}
