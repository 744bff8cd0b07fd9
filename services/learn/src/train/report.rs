use std::fmt::Write as _;

use network::Network;

use super::trainer::for_each_score;
use super::{Losses, SampleSet, Trainer, sigmoid};
use plot::{Plot, Series};

/// What came of a training, as a page with plots.
#[derive(Clone, Debug)]
pub struct Report {
    html: String,
}

/// How well a net agrees with the scores of somebody else.
#[derive(Clone, PartialEq, Debug)]
pub struct Agreement {
    /// Where the scores come from.
    pub judge: String,
    /// How many positions there are.
    pub positions: usize,
    /// How its scores and theirs go together.
    pub net: Correlation,
}

/// How two lists of scores go together, from -1 to 1.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Correlation {
    /// Pearson's, of the probabilities to win that the scores mean.
    pub pearson: f64,
    /// Spearman's, of the order alone.
    pub spearman: f64,
}

impl Agreement {
    /// Compares with a judge's scores, which are those of the samples.
    pub fn with<const H: usize>(
        judge: &str,
        samples: &SampleSet,
        network: &Network<H>,
    ) -> Agreement {
        let scored: Vec<u32> = (0..samples.len() as u32)
            .filter(|&sample| samples.labels()[sample as usize].score.is_some())
            .collect();
        let (mut theirs, mut net) = (Vec::new(), Vec::new());
        for_each_score(network, samples, &scored, |label, _, score| {
            theirs.push(label.score.map_or(0.0, f64::from));
            net.push(f64::from(score));
        });
        let scale = f64::from(network.head().scale);
        let correlation = |own: &[f64]| Correlation {
            pearson: pearson(&chances(own, scale), &chances(&theirs, scale)),
            spearman: pearson(&ranks(own), &ranks(&theirs)),
        };
        Agreement { judge: judge.to_string(), positions: scored.len(), net: correlation(&net) }
    }
}

fn chances(scores: &[f64], scale: f64) -> Vec<f64> {
    scores.iter().map(|score| sigmoid((score / scale) as f32).into()).collect()
}

/// The place of each value among all, equal ones sharing theirs.
fn ranks(values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|&one, &other| values[one].total_cmp(&values[other]));
    let mut ranks = vec![0.0; values.len()];
    let mut first = 0;
    for equal in order.chunk_by(|&one, &other| values[one] == values[other]) {
        let rank = first as f64 + (equal.len() - 1) as f64 / 2.0;
        equal.iter().for_each(|&index| ranks[index] = rank);
        first += equal.len();
    }
    ranks
}

/// 0 where one of the lists says nothing.
fn pearson(one: &[f64], other: &[f64]) -> f64 {
    let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len().max(1) as f64;
    let (mean_one, mean_other) = (mean(one), mean(other));
    let (mut both, mut ones, mut others) = (0.0, 0.0, 0.0);
    for (one, other) in one.iter().zip(other) {
        let (one, other) = (one - mean_one, other - mean_other);
        both += one * other;
        ones += one * one;
        others += other * other;
    }
    if ones * others > 0.0 { both / (ones * others).sqrt() } else { 0.0 }
}

/// Positions of the validation: active features, predicted chance to win, result.
type Predictions = Vec<(usize, f64, f64)>;

impl Report {
    /// The page of a training that is done.
    pub fn new<const H: usize>(
        trainer: &Trainer<H>,
        network: &Network<H>,
        losses: &Losses,
        agreements: &[Agreement],
    ) -> Report {
        let mut html = String::from(
            "<!doctype html>\n<html lang=\"en\"><meta charset=\"utf-8\"><title>Training</title>\n\
             <style>body{font-family:sans-serif;max-width:70em;margin:2em auto}\
             td,th{padding:.2em .8em;text-align:right}td:first-child,th:first-child{text-align:left}\
             </style>\n",
        );
        let head = network.head();
        let _ = writeln!(html, "<h1>Training of a net for {}</h1>", head.shape.model);
        let (training, validation) = trainer.counts();
        let settings = trainer.settings();
        html += &table(
            ["what", "value"],
            [
                ("samples that train", training.to_string()),
                ("samples that validate", validation.to_string()),
                ("inputs", format!("{} {}", head.shape.name, head.shape.version)),
                ("hidden units", format!("2 × {H}")),
                ("epochs", trainer.history().len().to_string()),
                ("batch", settings.batch.to_string()),
                ("learning rate", settings.learning_rate.to_string()),
                ("lambda", settings.lambda.to_string()),
                ("scale", settings.scale.to_string()),
                ("seed", settings.seed.to_string()),
                ("validation loss of the net", format!("{:.6}", losses.float)),
                ("of the net in whole numbers", format!("{:.6}", losses.quantised)),
                ("of even chances always", format!("{:.6}", losses.even)),
            ],
        );
        html += "<h2>Loss</h2>\n";
        html += &loss_plot(trainer, losses);
        html += "<h2>Calibration</h2>\n<p>The chance to win that the net predicts, and what became of \
                 it: samples that validate, by how many pieces are left.</p>\n";
        html += &calibration_plot(trainer, network);
        if !agreements.is_empty() {
            html += "<h2>Agreement with others</h2>\n";
            html += &agreement_table(agreements);
        }
        Report { html }
    }

    /// The page.
    pub fn html(&self) -> &str {
        &self.html
    }
}

fn table<const N: usize>(header: [&str; 2], rows: [(&str, String); N]) -> String {
    let [first, second] = header;
    let rows = rows.map(|(name, value)| format!("<tr><td>{name}<td>{value}\n"));
    format!("<table><tr><th>{first}<th>{second}\n{}</table>\n", rows.concat())
}

fn loss_plot<const H: usize>(trainer: &Trainer<H>, losses: &Losses) -> String {
    let history = trainer.history();
    let series = |name: &str, is_dashed, loss: &dyn Fn(&super::EpochRow) -> f64| Series {
        name: name.to_string(),
        points: history.iter().map(|row| (row.epoch as f64, loss(row))).collect(),
        is_dashed,
    };
    let plot = Plot {
        title: "Loss by epoch",
        axes: ["epoch", "mean squared error"],
        series: vec![
            series("training", false, &|row| row.loss),
            series("validation", false, &|row| row.validation),
            series("even chances always", true, &|_| losses.even),
        ],
        ..Plot::default()
    };
    plot.svg()
}

fn calibration_plot<const H: usize>(trainer: &Trainer<H>, network: &Network<H>) -> String {
    let mut predictions = Predictions::new();
    let scale = network.head().scale as f32;
    trainer.for_each_validation(network, |label, active, score| {
        if let Some(result) = label.expected_result() {
            predictions.push((active, sigmoid(score as f32 / scale).into(), result.into()));
        }
    });
    predictions.sort_by_key(|&(active, ..)| std::cmp::Reverse(active));
    let mut series: Vec<Series> = predictions
        .chunks(predictions.len().div_ceil(PHASES).max(1))
        .filter_map(|phase| {
            let ((most, ..), (least, ..)) = (phase.first()?, phase.last()?);
            let name = format!("{most} to {least} pieces");
            Some(Series { name, points: calibration(phase), is_dashed: false })
        })
        .collect();
    let exact = vec![(0.0, 0.0), (1.0, 1.0)];
    series.push(Series { name: "exact".into(), points: exact, is_dashed: true });
    let axes = ["predicted chance to win", "games won"];
    let range = Some([0.0, 1.0]);
    Plot { title: "Calibration", axes, series, range, ..Plot::default() }.svg()
}

/// As many parts of a game, each with as many samples.
const PHASES: usize = 3;

/// The mean of predictions and results, for each tenth of the predicted chances that has enough samples.
fn calibration(phase: &[(usize, f64, f64)]) -> Vec<(f64, f64)> {
    const TENTHS: usize = 10;
    const ENOUGH: f64 = 20.0;
    let mut sums = [(0.0, 0.0, 0.0); TENTHS];
    for &(_, predicted, result) in phase {
        let (count, chances, results) =
            &mut sums[((predicted * TENTHS as f64) as usize).min(TENTHS - 1)];
        *count += 1.0;
        *chances += predicted;
        *results += result;
    }
    let enough = sums.into_iter().filter(|&(count, ..)| count >= ENOUGH);
    enough.map(|(count, chances, results)| (chances / count, results / count)).collect()
}

fn agreement_table(agreements: &[Agreement]) -> String {
    let mut html = String::from(
        "<p>Correlation with the scores of a judge: of the chances to win that the scores mean \
         (Pearson), and of their order (Spearman).</p>\n<table><tr><th>judge<th>positions<th>Pearson<th>\
         Spearman\n",
    );
    for Agreement { judge, positions, net } in agreements {
        let judge = judge.replace('&', "&amp;").replace('<', "&lt;");
        let _ = writeln!(
            html,
            "<tr><td>{judge}<td>{positions}<td>{:.4}<td>{:.4}",
            net.pearson, net.spearman
        );
    }
    html + "</table>\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn order_and_lines_are_told_apart() {
        let (line, curve) = ([1.0, 2.0, 3.0, 4.0], [1.0, 10.0, 100.0, 1000.0]);
        assert!((pearson(&line, &line) - 1.0).abs() < 1e-12);
        assert!(pearson(&line, &curve) < 0.9);
        assert!((pearson(&ranks(&line), &ranks(&curve)) - 1.0).abs() < 1e-12);
        assert_eq!(ranks(&[5.0, 1.0, 5.0]), [1.5, 0.0, 1.5]);
        assert_eq!(pearson(&line, &[7.0; 4]), 0.0);
    }
}
