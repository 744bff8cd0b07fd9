//! What learning leaves behind: the model, a report beside it, and lines about them.

use std::io::Write;
use std::path::Path;

use arimaa::Game;
use hrebejk_2013::FunctionModel;
use hrebejk_2013::judge::{OTHERS, RANKED, judge};
use hrebejk_2013::programs::ExpertTurn;
use hrebejk_2013::report::{LearnReport, LossPoint, calibration, greatest_weights};
use serde_json::{Value, json};

use super::data::Gathered;
use crate::Exit;
use crate::shared::output::{standard, write_file};

/// A model that was learned, and how.
pub struct Learned<'a> {
    pub method: &'a str,
    pub data: &'a [String],
    pub degree: usize,
    pub seed: u64,
    pub options: Value,
    pub figures: Value,
    pub loss: Vec<LossPoint>,
    pub model: FunctionModel,
}

impl Learned<'_> {
    /// Writes everything about a model that was learned from games.
    pub fn finish(mut self, out: &Path, json: bool, gathered: &Gathered) -> anyhow::Result<Exit> {
        let weights: Vec<f32> = self.model.weights().collect();
        let turns = || gathered.validation.iter().flat_map(|(_, terms)| terms.turns());
        let count = turns().count();
        let better = turns().filter(|turn| turn.gain(&weights) > 0.0).count();
        let share = (count > 0).then(|| better as f64 / count as f64);
        let value = |turn: &ExpertTurn| -> f64 {
            turn.before.iter().zip(&weights).map(|(term, weight)| f64::from(term * weight)).sum()
        };
        let pairs = turns().filter(|turn| turn.winner.is_some());
        let pairs =
            pairs.map(|turn| (value(&turn), f64::from(turn.result() + 1.0) / 2.0)).collect();
        let games: Vec<Game> = gathered.validation.iter().map(|(game, _)| game.clone()).collect();
        let mut figures = gathered.figures();
        if let (Some(all), Value::Object(own)) = (figures.as_object_mut(), self.figures) {
            all.insert("better_than_average".to_string(), json!(share));
            all.insert("weights".to_string(), json!(weights.len()));
            all.extend(own);
        }
        self.figures = figures;
        let report = self.write(out, pairs, &games)?;
        let exit = if gathered.refused == 0 { Exit::Done } else { Exit::Refused };
        let mut words = standard();
        if json {
            writeln!(words, "{}", summary(&report))?;
            return Ok(exit);
        }
        let Gathered { games, refused, turns, repeated, .. } = gathered;
        let unit = if *games == 1 { "game" } else { "games" };
        writeln!(words, "{games} {unit}, {turns} turns to learn from, {refused} games refused")?;
        if *repeated > 0 {
            writeln!(words, "{repeated} games are there more than once")?;
        }
        for (reason, count) in &gathered.left_out {
            writeln!(words, "{count} left out: {reason}")?;
        }
        tell(&report, &mut words)?;
        if let Some(share) = share {
            let percent = 100.0 * share;
            writeln!(
                words,
                "the played turn is better than the average in {percent:.1} % of {count} turns of other games"
            )?;
        }
        if let Some(ranks) = report.ranks {
            let percent = 100.0 * ranks.better_than;
            writeln!(words, "it is better than {percent:.1} % of all turns on average")?;
        }
        Ok(exit)
    }

    /// Writes everything about a model that was learned from positions; `pairs` are evaluations and what Gold got.
    pub fn finish_positions(
        mut self,
        out: &Path,
        json: bool,
        pairs: Vec<(f64, f64)>,
    ) -> anyhow::Result<Exit> {
        if let Some(figures) = self.figures.as_object_mut() {
            figures.insert("weights".to_string(), json!(self.model.weights().count()));
        }
        let report = self.write(out, pairs, &[])?;
        let mut words = standard();
        if json {
            writeln!(words, "{}", summary(&report))?;
            return Ok(Exit::Done);
        }
        let figure = |name: &str| &report.figures[name];
        writeln!(
            words,
            "{} positions to learn from, {} to validate",
            figure("positions"),
            figure("validation_positions")
        )?;
        tell(&report, &mut words)?;
        Ok(Exit::Done)
    }

    /// Writes the model and the files of its report.
    fn write(
        self,
        out: &Path,
        pairs: Vec<(f64, f64)>,
        games: &[Game],
    ) -> anyhow::Result<LearnReport> {
        write_file(out, self.model.to_text())?;
        let weights: Vec<f32> = self.model.weights().collect();
        let name = out.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let ranks =
            (!games.is_empty()).then(|| judge(&self.model, games, RANKED, OTHERS, self.seed));
        let report = LearnReport {
            version: LearnReport::version(),
            name: name.clone(),
            method: self.method.to_string(),
            data: self.data.to_vec(),
            seed: self.seed,
            options: self.options,
            figures: self.figures,
            loss: self.loss,
            calibration: calibration(pairs),
            ranks,
            weights: greatest_weights(&weights, self.degree),
        };
        let beside = |end: &str| out.with_file_name(format!("{name}.{end}"));
        write_file(&beside("report.json"), serde_json::to_vec_pretty(&report)?)?;
        write_file(&beside("report.md"), report.markdown())?;
        for (end, svg) in report.plots(&weights) {
            write_file(&beside(end), svg)?;
        }
        Ok(report)
    }
}

fn tell(report: &LearnReport, words: &mut impl Write) -> anyhow::Result<()> {
    let figure = |name: &str| report.figures[name].as_f64().unwrap_or_default();
    let (weights, iterations) = (figure("weights"), figure("iterations"));
    let objective = figure("objective");
    writeln!(words, "{weights} weights, objective {objective:.6e} after {iterations} iterations")?;
    let (features, solver) = (figure("features_seconds"), figure("solver_seconds"));
    writeln!(words, "{features:.1} s for features, {solver:.1} s for the solver")?;
    Ok(())
}

/// The last line for programs.
fn summary(report: &LearnReport) -> Value {
    let mut summary = report.figures.clone();
    if let Some(summary) = summary.as_object_mut() {
        summary.insert("ranks".to_string(), json!(report.ranks));
        summary.insert("summary".to_string(), json!(true));
    }
    summary
}

/// The options of two kinds together.
pub fn joined(mut one: Value, other: Value) -> Value {
    if let (Some(one), Value::Object(other)) = (one.as_object_mut(), other) {
        one.extend(other);
    }
    one
}
