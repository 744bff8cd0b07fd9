//! How engines meet: their time, openings, and when a game is broken off.

use std::time::Duration;

use arena::{Adjudication, ScoreThreshold, TimeSettings, Unfinished};
use workbench::{Playing, WrongUse, units};

use crate::shared::thinking::Thinking;

/// How long engines may think.
#[derive(clap::Args)]
pub struct Timing {
    #[command(flatten)]
    thinking: Thinking,

    /// The time control: move/reserve[/percent/maxreserve/gamelimit or Nt/turntime]
    #[arg(long, value_name = "CONTROL", conflicts_with = "time")]
    tc: Option<clock::TimeControl>,

    /// How much later than its clock allows an answer may come [default: 100ms with --time, else 0ms]
    #[arg(long, value_name = "T", value_parser = units::time)]
    margin: Option<Duration>,
}

/// How a match is played, besides the time.
#[derive(clap::Args)]
pub struct Terms {
    /// From where: setups (of the library), random or random:TURNS (such turns from there, balanced
    /// by a search), empty (engines set up), or positions or games (POS) [default: setups]. In Tzaar: random
    /// (boards filled by chance), fixed (the official start), tournament (engines place their pieces), or POS
    /// [default: random]
    #[arg(long, value_name = "OPENINGS")]
    openings: Option<String>,

    /// The seed of openings and of the engines' random choices [default: another one each time]
    #[arg(long, value_name = "S", value_parser = clap::value_parser!(u64).range(..1 << 62))]
    pub seed: Option<u64>,

    /// End a game as unfinished after so many turns of each side
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    turns: Option<u32>,

    /// End a game as lost for an engine that saw itself SCORE behind in so many TURNS in a row
    #[arg(long, value_name = "SCORE,TURNS", value_parser = score_threshold)]
    resign: Option<ScoreThreshold>,

    /// End a game as won when both engines saw the same one SCORE ahead in so many TURNS in a row
    #[arg(long, value_name = "SCORE,TURNS", value_parser = score_threshold)]
    agree: Option<ScoreThreshold>,

    /// What an unfinished game counts: half a point for each, or a loss for both
    #[arg(long, value_enum, default_value = "half")]
    unfinished: UnfinishedRule,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum UnfinishedRule {
    Half,
    Loss,
}

fn score_threshold(text: &str) -> Result<ScoreThreshold, String> {
    let parts = text.split_once(',').and_then(|(score, turns)| {
        let (score, turns) = (score.trim().parse().ok()?, turns.trim().parse().ok()?);
        ScoreThreshold::new(score, turns)
    });
    parts.ok_or_else(|| format!("{text:?}: write a score and a number of turns, such as 800,3"))
}

impl Timing {
    pub fn time_settings(&self) -> TimeSettings {
        let time = self.thinking.time_settings();
        let usual = if self.tc.is_some() { Duration::ZERO } else { USUAL_MARGIN };
        let margin = self.margin.unwrap_or(usual);
        TimeSettings { control: self.tc.or(time.control), margin, ..time }
    }
}

/// Where there is no reserve, the way to the engine and back is not on its clock.
pub const USUAL_MARGIN: Duration = Duration::from_millis(100);

/// More than anybody waits for.
pub const MOST_GAMES: u32 = 1_000_000;

impl Terms {
    /// So many openings.
    pub fn openings<S: Playing>(&self, count: usize, seed: u64) -> anyhow::Result<Vec<String>> {
        let text = self.openings.as_deref().unwrap_or(S::OPENINGS);
        let openings = S::openings(text);
        let wrong = |fault: String| WrongUse::value("--openings <OPENINGS>", text, &fault);
        openings.map_err(wrong)?.make(count, seed, &|| ())
    }

    pub fn adjudication(&self) -> Adjudication {
        Adjudication { turns: self.turns, resign: self.resign, agree: self.agree }
    }

    pub fn unfinished(&self) -> Unfinished {
        match self.unfinished {
            UnfinishedRule::Half => Unfinished::Half,
            UnfinishedRule::Loss => Unfinished::LossForBoth,
        }
    }
}
