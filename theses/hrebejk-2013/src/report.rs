//! What came of learning an evaluation, for people (Markdown and plots) and for programs (JSON).

use std::fmt::Write as _;

use plot::{Plot, Series};
use serde::Serialize;
use serde_json::Value;

use crate::FEATURES;
use crate::functions::{Basis, Polynomial};
use crate::judge::Ranks;
use crate::model::{combinations, quantities};

/// The version of the JSON.
const VERSION: u32 = 1;

/// What came of learning.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct LearnReport {
    /// The version of this form.
    pub version: u32,
    /// The name of the model.
    pub name: String,
    /// How it was learned: `lp`, `qp`, `advanced-lp`, `advanced-qp`, `logistic`.
    pub method: String,
    /// What it was learned from.
    pub data: Vec<String>,
    /// The seed of all choices by chance.
    pub seed: u64,
    /// All options by their names.
    pub options: Value,
    /// How many games, turns or positions there were, and how long it took.
    pub figures: Value,
    /// The loss on the way.
    pub loss: Vec<LossPoint>,
    /// How often Gold won games that validate, by the evaluation.
    pub calibration: Vec<CalibrationPoint>,
    /// How the turns that were played in them rank.
    pub ranks: Option<Ranks>,
    /// The greatest weights.
    pub weights: Vec<NamedWeight>,
}

/// The loss after a step of the learner.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct LossPoint {
    /// The step, from 0.
    pub step: usize,
    /// What is made least.
    pub loss: f64,
    /// The same for what validates, if the learner knows it.
    pub validation: Option<f64>,
}

/// Positions with about the same evaluation.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct CalibrationPoint {
    /// The mean evaluation, for Gold.
    pub evaluation: f64,
    /// How often Gold should win by it.
    pub predicted: f64,
    /// How often Gold won.
    pub won: f64,
    /// How many positions.
    pub positions: usize,
}

/// A weight and what it is multiplied with.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct NamedWeight {
    /// The feature and the combination of its qualities.
    pub function: String,
    /// The term of its parameters.
    pub term: String,
    /// The weight.
    pub weight: f32,
}

/// Positions are told in so many groups.
const GROUPS: usize = 12;
/// As many weights are told.
const WEIGHTS: usize = 30;

/// Groups positions by their evaluations, given with what Gold got: 1 for a win, 0 for a loss.
pub fn calibration(mut pairs: Vec<(f64, f64)>) -> Vec<CalibrationPoint> {
    pairs.sort_by(|one, other| one.0.total_cmp(&other.0));
    let scale = fitted_scale(&pairs);
    let size = pairs.len().div_ceil(GROUPS).max(1);
    let point = |group: &[(f64, f64)]| {
        let count = group.len() as f64;
        let mean = |of: &dyn Fn(&(f64, f64)) -> f64| group.iter().map(of).sum::<f64>() / count;
        CalibrationPoint {
            evaluation: mean(&|pair| pair.0),
            predicted: mean(&|pair| chance(pair.0 / scale)),
            won: mean(&|pair| pair.1),
            positions: group.len(),
        }
    };
    pairs.chunks(size).map(point).collect()
}

fn chance(odds: f64) -> f64 {
    1.0 / (1.0 + (-odds).exp())
}

/// The scale with which evaluations foretell results best.
pub fn fitted_scale(pairs: &[(f64, f64)]) -> f64 {
    let error = |scale: f64| -> f64 {
        pairs.iter().map(|(value, won)| (chance(value / scale) - won).powi(2)).sum()
    };
    let tried = (0..120).map(|power| 1.1f64.powi(power));
    tried.min_by(|one, other| error(*one).total_cmp(&error(*other))).unwrap_or(1.0)
}

/// What each weight of a model of polynomials is multiplied with: the function and the term.
pub fn names_of_terms(degree: usize) -> Vec<(String, String)> {
    let mut names = Vec::new();
    for kind in &FEATURES {
        let Ok(polynomial) = Polynomial::new(quantities(kind), degree) else { continue };
        let basis = Basis::Polynomial(polynomial);
        let parameters: Vec<&str> = kind
            .parameters
            .iter()
            .filter(|parameter| parameter.is_quantitative)
            .map(|parameter| parameter.name)
            .collect();
        let mut terms = vec![String::new(); basis.count()];
        for (index, name) in parameters.iter().enumerate() {
            // Where this one is 2 and all others are 1, the value of a term tells its power.
            let mut values = vec![1.0; parameters.len()];
            values[index] = 2.0;
            basis.for_each_term(&values, |term, value| {
                let times = if terms[term].is_empty() { "" } else { " × " };
                match value.log2().round() as u32 {
                    0 => (),
                    1 => terms[term] += &format!("{times}{name}"),
                    power => terms[term] += &format!("{times}{name}^{power}"),
                }
            });
        }
        for combination in 0..combinations(kind) {
            for term in &terms {
                let term = if term.is_empty() { "1" } else { term };
                names.push((format!("{} {combination}", kind.name), term.to_string()));
            }
        }
    }
    names
}

/// The greatest weights with their names.
pub fn greatest_weights(weights: &[f32], degree: usize) -> Vec<NamedWeight> {
    let names = names_of_terms(degree).into_iter();
    let named = names.zip(weights).map(|((function, term), weight)| NamedWeight {
        function,
        term,
        weight: *weight,
    });
    let mut named: Vec<NamedWeight> = named.collect();
    named.sort_by(|one, other| other.weight.abs().total_cmp(&one.weight.abs()));
    named.truncate(WEIGHTS);
    named
}

impl LearnReport {
    /// The version of the form that is written.
    pub const fn version() -> u32 {
        VERSION
    }

    /// The plots, each with how its file's name ends.
    pub fn plots(&self, weights: &[f32]) -> Vec<(&'static str, String)> {
        let line = |name: &str, points: Vec<(f64, f64)>, is_dashed| Series {
            name: name.to_string(),
            points,
            is_dashed,
        };
        let training = self.loss.iter().map(|point| (point.step as f64, point.loss)).collect();
        let validating = self.loss.iter();
        let validating: Vec<(f64, f64)> =
            validating.filter_map(|point| Some((point.step as f64, point.validation?))).collect();
        let mut losses = vec![line("training", training, false)];
        if !validating.is_empty() {
            losses.push(line("validation", validating, true));
        }
        let axes = ["step", "loss"];
        let loss = Plot { title: "Loss", axes, series: losses, ..Plot::default() };
        let mut sorted = weights.to_vec();
        sorted.sort_by(f32::total_cmp);
        let sorted =
            sorted.iter().enumerate().map(|(index, weight)| (index as f64, f64::from(*weight)));
        let weights = Plot {
            title: "Weights in order",
            axes: ["weight", "value"],
            series: vec![line("", sorted.collect(), false)],
            ..Plot::default()
        };
        let won = self.calibration.iter().map(|point| (point.predicted, point.won)).collect();
        let calibration = Plot {
            title: "How often Gold won",
            axes: ["predicted", "won"],
            series: vec![
                line("games that validate", won, false),
                line("as predicted", vec![(0.0, 0.0), (1.0, 1.0)], true),
            ],
            range: Some([0.0, 1.0]),
            ..Plot::default()
        };
        vec![
            ("loss.svg", loss.svg()),
            ("weights.svg", weights.svg()),
            ("calibration.svg", calibration.svg()),
        ]
    }

    /// The report as Markdown; the plots are files beside it.
    pub fn markdown(&self) -> String {
        let name = &self.name;
        let mut text =
            format!("# {name}\n\nLearned by `{}` with seed {}, from", self.method, self.seed);
        let _ = writeln!(text, " {}.\n", self.data.join(", "));
        for (title, table) in [("Figures", &self.figures), ("Options", &self.options)] {
            let _ = writeln!(text, "## {title}\n\n| name | value |\n| --- | --- |");
            for (key, value) in table.as_object().into_iter().flatten() {
                let _ = writeln!(text, "| {key} | {value} |");
            }
            text.push('\n');
        }
        if let Some(ranks) = &self.ranks {
            let percent = |share: f64| format!("{:.1} %", 100.0 * share);
            let _ = writeln!(
                text,
                "## Turns of other games\n\nOf {} turns, the played one is better than {} of the others on average. It is among the \
                 best 1 % in {}, among the best 5 % in {}, among the best 20 % in {}.\n",
                ranks.turns,
                percent(ranks.better_than),
                percent(ranks.among_1),
                percent(ranks.among_5),
                percent(ranks.among_20)
            );
        }
        let _ = writeln!(text, "## Loss\n\n![loss]({name}.loss.svg)\n");
        if !self.calibration.is_empty() {
            let _ = writeln!(
                text,
                "## Calibration\n\n![calibration]({name}.calibration.svg)\n\n\
                 | evaluation | predicted | won | positions |\n| ---: | ---: | ---: | ---: |"
            );
            for point in &self.calibration {
                let CalibrationPoint { evaluation, predicted, won, positions } = point;
                let _ =
                    writeln!(text, "| {evaluation:.0} | {predicted:.3} | {won:.3} | {positions} |");
            }
            text.push('\n');
        }
        let _ = writeln!(text, "## Weights\n\n![weights]({name}.weights.svg)\n");
        let _ = writeln!(text, "| function | term | weight |\n| --- | --- | ---: |");
        for NamedWeight { function, term, weight } in &self.weights {
            let _ = writeln!(text, "| {function} | {term} | {weight:.1} |");
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use crate::FunctionModel;

    use super::*;

    #[test]
    fn each_weight_has_a_name_of_its_own() {
        for degree in 1..=4 {
            let mut names = names_of_terms(degree);
            let count = FunctionModel::polynomials(degree, || 0.0).weights().count();
            assert_eq!(names.len(), count);
            names.sort();
            names.dedup();
            assert_eq!(names.len(), count);
        }
        let names = names_of_terms(2);
        assert_eq!(names[0], ("piece 0".to_string(), "1".to_string()));
        assert!(
            names.contains(&("trap 0".to_string(), "protection × enemy protection".to_string()))
        );
        assert!(names.contains(&("blockade 0".to_string(), "reach^2".to_string())));
    }

    #[test]
    fn evaluations_that_foretell_results_are_calibrated() {
        let pairs = (-60..60).flat_map(|value| {
            let wins = (100.0 * chance(f64::from(value) / 20.0)).round() as i32;
            (0..100).map(move |game| (f64::from(value), f64::from(u8::from(game < wins))))
        });
        let points = calibration(pairs.collect());
        assert_eq!(points.iter().map(|point| point.positions).sum::<usize>(), 12_000);
        assert!(
            points.iter().all(|point| (point.predicted - point.won).abs() < 0.03),
            "{points:?}"
        );
        assert_eq!(calibration(Vec::new()), []);
    }
}
