use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::{
    Adjudication, Decision, EngineSpec, HeadToHead, Hypotheses, Risks, Scale, ScoredGame, Sprt,
    TimeSettings, Unfinished,
};

/// Who plays whom, how often and how: all that must be known to go on with an event.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Plan {
    /// The name of the game.
    pub game: String,
    /// Who takes part.
    pub contestants: Vec<Contestant>,
    /// Who meets whom.
    pub format: Format,
    /// How many games two contestants play when they meet.
    pub games: u32,
    /// From where they are played: each opening twice, with sides changed, then the next.
    pub openings: Vec<String>,
    /// How long they may think.
    #[serde(rename = "pace")]
    pub time: TimeSettings,
    /// When a game ends before the rules end it.
    #[serde(default)]
    pub adjudication: Adjudication,
    /// When a match of two ends before all games are played.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sprt: Option<TestTerms>,
    /// What a game without a winner counts in tables; of strength it says the same of both.
    #[serde(default)]
    pub unfinished: Unfinished,
    /// The seed of all random choices.
    pub seed: u64,
}

/// Somebody who takes part.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Contestant {
    /// What it is called in this event, like no other.
    pub name: String,
    /// What it is.
    pub engine: EngineSpec,
    /// What a program is told by `setoption` before each game.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub options: BTreeMap<String, String>,
}

impl Contestant {
    /// An engine under its own name, as it is.
    pub fn new(name: &str) -> Contestant {
        let (name, engine) = (name.to_string(), EngineSpec::named(name));
        Contestant { name, engine, options: BTreeMap::new() }
    }
}

/// Who meets whom.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Format {
    /// Each meets each.
    #[default]
    RoundRobin,
    /// The first one meets all others.
    Gauntlet,
    /// Who loses is out; those named first are kept apart as long as possible.
    KnockOut,
    /// The only one makes data: each game of the event stands for a block of games that
    /// `tusk selfplay` plays and keeps elsewhere.
    SelfPlay,
}

/// A sequential test, as it is asked for.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TestTerms {
    /// The weaker hypothesis, in Elo.
    pub elo0: f64,
    /// The stronger one.
    pub elo1: f64,
    /// How often the stronger one may be accepted though the weaker one holds.
    #[serde(default = "usual_risk")]
    pub alpha: f64,
    /// How often the weaker one may be accepted though the stronger one holds.
    #[serde(default = "usual_risk")]
    pub beta: f64,
    /// Whether both are in normalized Elo.
    #[serde(default)]
    pub normalized: bool,
    /// Whether games count in which an engine failed. They say how reliable it is, not how strong.
    #[serde(default, skip_serializing_if = "is_not")]
    pub count_failures: bool,
}

fn is_not(value: &bool) -> bool {
    !value
}

fn usual_risk() -> f64 {
    0.05
}

impl TestTerms {
    /// The test, if the terms make sense.
    pub fn test(&self) -> Result<Sprt, String> {
        let scale = if self.normalized { Scale::Normalized } else { Scale::Logistic };
        let hypotheses = Hypotheses::new(self.elo0, self.elo1, scale);
        Ok(Sprt {
            hypotheses: hypotheses.map_err(|error| error.to_string())?,
            risks: Risks::new(self.alpha, self.beta).map_err(|error| error.to_string())?,
        })
    }
}

impl Plan {
    /// Whether what is played next depends on what was played.
    pub fn depends_on_results(&self) -> bool {
        self.format == Format::KnockOut || self.sprt.is_some()
    }

    /// The sequential test of a match, and its log-likelihood ratio so far: pairs of games count, but
    /// none in which an engine failed, unless that was asked for.
    pub fn test(&self, played: &[ScoredGame]) -> Option<(Sprt, f64)> {
        let terms = self.sprt?;
        let test = terms.test().ok()?;
        let counts = |game: &&ScoredGame| terms.count_failures || !game.by_failure;
        let counted: Vec<ScoredGame> = played.iter().filter(counts).copied().collect();
        let games = HeadToHead::of(&counted, (0, 1));
        Some((test, test.llr(&games.pairs.sample())))
    }

    /// Whether a sequential test has come to its end.
    pub fn is_decided(&self, played: &[ScoredGame]) -> bool {
        self.test(played).is_some_and(|(test, llr)| test.decision(llr) != Decision::GoesOn)
    }
}

/// How many openings are made for a longer match; it goes through them more than once.
const MOST_OPENINGS: usize = 2000;

/// Enough of them for so many games, each opening being played twice.
pub fn openings_for(games: u32) -> usize {
    (games.div_ceil(2) as usize).min(MOST_OPENINGS)
}

#[cfg(test)]
mod tests {
    use game::{BySide, Side};

    use super::*;

    /// A plan as stores have it since the first version.
    const KEPT: &str = r#"{"game":"arimaa","contestants":[{"name":"a","engine":"tusk reach=9"},{"name":"b","engine":"aei:./bot --fast","options":{"hash":"500"}}],"format":"round-robin","games":2,"openings":[""],"pace":{"control":"1s/0/0","margin":{"secs":0,"nanos":100000000}},"adjudication":{"resign":{"score":800,"turns":3}},"unfinished":"half","seed":1}"#;

    #[test]
    fn games_that_end_by_a_failure_are_no_evidence_unless_asked_for() {
        let mut plan: Plan = serde_json::from_str(KEPT).unwrap();
        let mut terms = TestTerms {
            elo0: 0.0,
            elo1: 10.0,
            alpha: 0.05,
            beta: 0.05,
            normalized: false,
            count_failures: false,
        };
        plan.sprt = Some(terms);
        // A wins every game, since B never starts.
        let game = |number: i64| {
            let players = if number % 2 == 1 { (0, 1) } else { (1, 0) };
            let players = BySide { first: players.0, second: players.1 };
            let winner = Some(if number % 2 == 1 { Side::First } else { Side::Second });
            ScoredGame { number, pair: (number - 1) / 2, players, winner, by_failure: true }
        };
        let played: Vec<ScoredGame> = (1..=2000).map(game).collect();
        assert!(!plan.is_decided(&played));
        assert_eq!(plan.test(&played).map(|(_, llr)| llr), plan.test(&[]).map(|(_, llr)| llr));
        terms.count_failures = true;
        plan.sprt = Some(terms);
        assert!(plan.is_decided(&played));
    }

    #[test]
    fn plans_of_older_stores_are_read_and_written_the_same() {
        let plan: Plan = serde_json::from_str(KEPT).unwrap();
        assert!(matches!(plan.contestants[1].engine, EngineSpec::Program { .. }));
        assert_eq!(serde_json::to_string(&plan).unwrap(), KEPT);
    }
}
