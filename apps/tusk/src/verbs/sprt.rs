//! `tusk sprt`: what the counts of a match say about strength.

use std::io::{BufWriter, Write};

use arena::{EloEstimate, Hypotheses, Measured, Pairs, Risks, Sample, Scale, Sprt, Tally};
use serde_json::json;

use crate::shared::output::standard;
use crate::{Exit, WrongUse};

/// Says what the counts of a match tell about strength, and whether a test is decided.
///
/// A sequential probability ratio test (SPRT) compares how likely the results are if A is stronger by
/// elo0 (H0) and by elo1 (H1). The match is over once the logarithm of the ratio, the LLR, leaves its
/// bounds, which alpha and beta set: how often H1 may be accepted where H0 holds, and H0 where H1 holds.
///
/// Games that nobody won count half to each. If the games were played in pairs, with the sides exchanged,
/// the counts of pairs tell more than those of games.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  tusk sprt --wins 136 --losses 96 --unfinished 11\n  \
                  tusk sprt --pairs 34,54,63,64,75 --elo0 0 --elo1 10 --json")]
pub struct Arguments {
    #[command(flatten)]
    counts: Counts,

    #[command(flatten)]
    test: Test,

    /// Print one JSON object a line
    #[arg(long)]
    json: bool,
}

#[derive(clap::Args)]
struct Counts {
    /// Games that A won
    #[arg(
        long, value_name = "W", required_unless_present = "pairs", value_parser = count,
        allow_negative_numbers = true
    )]
    wins: Option<u64>,

    /// Games that A lost
    #[arg(
        long, value_name = "L", required_unless_present = "pairs", value_parser = count,
        allow_negative_numbers = true
    )]
    losses: Option<u64>,

    /// Games that nobody won [default: 0]
    #[arg(long, value_name = "U", value_parser = count, allow_negative_numbers = true)]
    unfinished: Option<u64>,

    /// Instead of games: pairs of games that gave A 0, ½, 1, 1½ and 2 points
    #[arg(
        long, value_name = "A,B,C,D,E", value_parser = pairs,
        conflicts_with_all = ["wins", "losses", "unfinished"]
    )]
    pairs: Option<Pairs>,
}

#[derive(clap::Args)]
struct Test {
    /// H0: A is stronger by this at most
    #[arg(long, value_name = "ELO", default_value_t = 0.0, allow_negative_numbers = true)]
    elo0: f64,

    /// H1: A is stronger by this at least
    #[arg(long, value_name = "ELO", default_value_t = 5.0, allow_negative_numbers = true)]
    elo1: f64,

    /// How often H1 may be accepted where H0 holds
    #[arg(long, value_name = "P", default_value_t = 0.05, allow_negative_numbers = true)]
    alpha: f64,

    /// How often H0 may be accepted where H1 holds
    #[arg(long, value_name = "P", default_value_t = 0.05, allow_negative_numbers = true)]
    beta: f64,

    /// elo0 and elo1 are in normalized Elo
    #[arg(long)]
    normalized: bool,
}

/// More games than anybody plays, and few enough for their sums.
const MOST_GAMES: u64 = 1_000_000_000_000;

fn count(text: &str) -> Result<u64, String> {
    let count = text.trim().parse().ok().filter(|count| (0..=MOST_GAMES).contains(count));
    count.ok_or_else(|| format!("write a whole number from 0 to {MOST_GAMES}"))
}

fn pairs(text: &str) -> Result<Pairs, String> {
    let counts = text.split(',').map(count).collect::<Result<Vec<u64>, String>>()?;
    let found = counts.len();
    let five = counts.try_into().map_err(|_| format!("write five counts, not {found}"))?;
    Ok(Pairs(five))
}

pub fn run(arguments: &Arguments) -> anyhow::Result<Exit> {
    let sprt = arguments.test.sprt()?;
    let report = Report::of(sprt, &arguments.counts);
    let mut out = BufWriter::new(standard());
    if arguments.json {
        report.row(&mut out)?;
    } else {
        report.print(&mut out)?;
    }
    out.flush()?;
    Ok(Exit::Done)
}

impl Test {
    fn sprt(&self) -> Result<Sprt, WrongUse> {
        let scale = if self.normalized { Scale::Normalized } else { Scale::Logistic };
        let hypotheses = Hypotheses::new(self.elo0, self.elo1, scale);
        Ok(Sprt {
            hypotheses: hypotheses.map_err(|error| WrongUse(error.to_string()))?,
            risks: Risks::new(self.alpha, self.beta)
                .map_err(|error| WrongUse(error.to_string()))?,
        })
    }
}

/// What is to be said of a match.
struct Report {
    sprt: Sprt,
    /// What pairs do not tell.
    tally: Option<Tally>,
    games: u64,
    sample: Sample,
    estimate: Option<EloEstimate>,
    llr: f64,
}

impl Report {
    fn of(sprt: Sprt, counts: &Counts) -> Report {
        let or_none = Option::unwrap_or_default;
        let tally = Tally {
            wins: or_none(counts.wins),
            losses: or_none(counts.losses),
            unfinished: or_none(counts.unfinished),
        };
        let (tally, games, sample) = match counts.pairs {
            Some(pairs) => (None, pairs.games(), pairs.sample()),
            None => (Some(tally), tally.games(), tally.sample()),
        };
        let (estimate, llr) = (EloEstimate::of(&sample), sprt.llr(&sample));
        Report { sprt, tally, games, sample, estimate, llr }
    }

    fn row(&self, out: &mut impl Write) -> anyhow::Result<()> {
        let value = |measured: Option<Measured>| measured.map(|measured| measured.value);
        let error = |measured: Option<Measured>| measured.and_then(|measured| measured.error);
        let elo = self.estimate.and_then(|estimate| estimate.elo);
        let nelo = self.estimate.and_then(|estimate| estimate.nelo);
        let expected = self.sprt.expected_games(&self.sample);
        let row = json!({
            "games": self.games,
            "wins": self.tally.map(|tally| tally.wins),
            "losses": self.tally.map(|tally| tally.losses),
            "unfinished": self.tally.map(|tally| tally.unfinished),
            "score": self.estimate.map(|estimate| estimate.score),
            "elo": value(elo),
            "elo_error": error(elo),
            "nelo": value(nelo),
            "nelo_error": error(nelo),
            "los": self.estimate.map(|estimate| estimate.los),
            "llr": self.llr,
            "lower": self.sprt.risks.lower(),
            "upper": self.sprt.risks.upper(),
            "verdict": self.sprt.decision(self.llr).to_string(),
            "expected_games_h0": expected.under_h0.round() as u64,
            "expected_games_h1": expected.under_h1.round() as u64,
        });
        writeln!(out, "{row}")?;
        Ok(())
    }

    fn print(&self, out: &mut impl Write) -> anyhow::Result<()> {
        match self.tally {
            Some(Tally { wins, losses, unfinished }) => {
                writeln!(
                    out,
                    "games    {}: {wins} won, {losses} lost, {unfinished} unfinished",
                    self.games
                )?;
            }
            None => writeln!(out, "games    {}: {} pairs", self.games, self.games / 2)?,
        }
        if let Some(estimate) = self.estimate {
            let EloEstimate { score, elo, nelo, los } = estimate;
            writeln!(out, "score    {} %", decimals(100.0 * score, 2))?;
            writeln!(out, "elo      {}", measured(elo, "one side has all points"))?;
            writeln!(out, "nelo     {}", measured(nelo, "all results are alike"))?;
            writeln!(out, "los      {} %", decimals(100.0 * los, 2))?;
        }
        let (lower, upper) = (self.sprt.risks.lower(), self.sprt.risks.upper());
        let (h0, h1) = (self.sprt.h0(), self.sprt.h1());
        let llr = decimals(self.llr, 2);
        writeln!(out, "llr      {llr}, H0 ({h0}) at {lower:.2}, H1 ({h1}) at {upper:.2}")?;
        writeln!(out, "verdict  {}", self.sprt.sentence(self.llr))?;
        let expected = self.sprt.expected_games(&self.sample);
        writeln!(
            out,
            "length   on average {:.0} games at elo0, {:.0} halfway, {:.0} at elo1",
            expected.under_h0, expected.halfway, expected.under_h1
        )?;
        Ok(())
    }
}

/// A number and its error, or why there is none.
fn measured(measured: Option<Measured>, why_none: &str) -> String {
    match measured {
        None => format!("none: {why_none}"),
        Some(Measured { value, error: Some(error) }) => {
            format!("{} ± {} (95 %)", decimals(value, 2), decimals(error, 2))
        }
        Some(Measured { value, error: None }) => {
            format!("{}, error unknown: too few games, too one-sided or alike", decimals(value, 2))
        }
    }
}

/// A number with so many decimals, and no minus before a zero.
fn decimals(value: f64, digits: usize) -> String {
    let text = format!("{value:.digits$}");
    let is_zero = !text.contains(|c: char| ('1'..='9').contains(&c));
    if is_zero { text.trim_start_matches('-').to_owned() } else { text }
}
