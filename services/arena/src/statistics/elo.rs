//! How games ended, counted one by one or by pairs, and what that says of the Elo difference.

use std::f64::consts::{LN_10, SQRT_2};

use libm::erfc;
use serde::{Deserialize, Serialize};

use super::sprt::Distribution;

/// How a game ended, from A's view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GameScore {
    /// A lost.
    Loss,
    /// Nobody won before the limit of turns: half a point to each.
    Unfinished,
    /// A won.
    Win,
}

/// What a game counts that nobody won. Neither Arimaa nor Tzaar knows draws; a limit of turns makes
/// something like one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Unfinished {
    /// Half a point to each.
    #[default]
    Half,
    /// A loss for both, where a study holds that an engine must get somewhere.
    LossForBoth,
}

impl GameScore {
    /// The same game from B's view.
    pub fn swapped(self) -> GameScore {
        match self {
            GameScore::Loss => GameScore::Win,
            GameScore::Unfinished => GameScore::Unfinished,
            GameScore::Win => GameScore::Loss,
        }
    }

    /// 0, 1 or 2: twice the points.
    pub(super) fn half_points(self) -> usize {
        match self {
            GameScore::Loss => 0,
            GameScore::Unfinished => 1,
            GameScore::Win => 2,
        }
    }
}

/// How many games ended how, from A's view.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Games that A won.
    pub wins: u64,
    /// Games that A lost.
    pub losses: u64,
    /// Games that nobody won.
    pub unfinished: u64,
}

impl Tally {
    /// Counts one more game.
    pub fn add(&mut self, score: GameScore) {
        match score {
            GameScore::Win => self.wins += 1,
            GameScore::Loss => self.losses += 1,
            GameScore::Unfinished => self.unfinished += 1,
        }
    }

    /// Counts the games of another tally as well.
    pub fn add_all(&mut self, other: Tally) {
        self.wins += other.wins;
        self.losses += other.losses;
        self.unfinished += other.unfinished;
    }

    /// The same games from B's view.
    pub fn swapped(self) -> Tally {
        Tally { wins: self.losses, losses: self.wins, unfinished: self.unfinished }
    }

    /// How many games there were.
    pub fn games(self) -> u64 {
        self.wins + self.losses + self.unfinished
    }

    /// A's points: one for a win, half for an unfinished game.
    pub fn points(self) -> f64 {
        self.wins as f64 + self.unfinished as f64 / 2.0
    }

    /// A's points under this rule about unfinished games. What both lose, nobody wins: such points are
    /// for a table, and say nothing of who is stronger.
    pub fn points_under(self, rule: Unfinished) -> f64 {
        match rule {
            Unfinished::Half => self.points(),
            Unfinished::LossForBoth => self.wins as f64,
        }
    }

    /// The games as a sample with three possible scores (the trinomial model).
    pub fn sample(self) -> Sample {
        Sample::new(&[self.losses, self.unfinished, self.wins])
    }

    /// What the games say of A's strength; nothing without games.
    pub fn estimate(self) -> Option<EloEstimate> {
        EloEstimate::of(&self.sample())
    }
}

/// How many pairs of games scored 0, ½, 1, 1½ and 2 points for A.
///
/// The two games of a pair begin alike with the sides exchanged. An opening that favours a side then
/// costs each player a game, and pairs scatter less than independent games would: the same number of
/// games decides more (observed by Kai Laskos, worked out by Michel Van den Bergh).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pairs(pub [u64; 5]);

impl Pairs {
    /// Counts one more pair of games, both from A's view.
    pub fn add(&mut self, first: GameScore, second: GameScore) {
        self.0[first.half_points() + second.half_points()] += 1;
    }

    /// The same pairs from B's view.
    pub fn swapped(self) -> Pairs {
        let Pairs([a, b, c, d, e]) = self;
        Pairs([e, d, c, b, a])
    }

    /// How many games there were, two in each pair.
    pub fn games(self) -> u64 {
        2 * self.0.iter().sum::<u64>()
    }

    /// The pairs as a sample with five possible scores (the pentanomial model).
    pub fn sample(self) -> Sample {
        Sample::new(&self.0)
    }

    /// What the pairs say of A's strength; nothing without games.
    pub fn estimate(self) -> Option<EloEstimate> {
        EloEstimate::of(&self.sample())
    }
}

/// A count for a score that was never seen, so that no score is held impossible: fishtest's and
/// fastchess's value.
const INSTEAD_OF_NONE: f64 = 1e-3;

/// Scores that were observed: of games (three possible scores) or of pairs of games (five).
#[derive(Clone, Debug, PartialEq)]
pub struct Sample {
    /// How often, from no point to all points, in steps of half a point.
    counts: Vec<f64>,
}

impl Sample {
    pub(super) fn new(counts: &[u64]) -> Sample {
        Sample { counts: counts.iter().map(|&count| count as f64).collect() }
    }

    /// How many games were played.
    pub fn games(&self) -> f64 {
        self.observations() * self.games_each()
    }

    /// How many scores were observed: games or pairs of games.
    pub(super) fn observations(&self) -> f64 {
        self.counts.iter().sum()
    }

    /// Games in an observation, 1 or 2: each has two steps of half a point.
    pub(super) fn games_each(&self) -> f64 {
        (self.counts.len() - 1) as f64 / 2.0
    }

    /// The shares of the scores; none without games.
    pub(super) fn distribution(&self) -> Option<Distribution> {
        let observations = self.observations();
        (observations > 0.0)
            .then(|| Distribution::new(self.counts.iter().map(|count| count / observations)))
    }

    /// The sample with each score seen at least a little; none without games.
    pub(super) fn regular(&self) -> Option<Sample> {
        let at_least = |&count: &f64| if count > 0.0 { count } else { INSTEAD_OF_NONE };
        let counts = self.counts.iter().map(at_least).collect();
        (self.observations() > 0.0).then_some(Sample { counts })
    }
}

/// An estimate of A's strength compared with B's.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EloEstimate {
    /// A's points as a fraction of all points.
    pub score: f64,
    /// The Elo difference whose expected score this is; none where one side has all points.
    pub elo: Option<Measured>,
    /// The normalized Elo difference: by how many standard deviations of a game's score the mean is
    /// above ½, times 800 / ln 10. None where all observations are alike.
    pub nelo: Option<Measured>,
    /// The likelihood of superiority: how likely A is stronger, given the games and no other opinion.
    pub los: f64,
}

/// A number and how far off it may be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Measured {
    /// The estimate.
    pub value: f64,
    /// The truth is within this distance in 95 % of cases; none where the interval has no bounds, or
    /// all observations are alike.
    pub error: Option<f64>,
}

impl EloEstimate {
    /// The estimate from a sample; none without games.
    ///
    /// The formulas are fastchess's (`elo_wdl.cpp`, `elo_pentanomial.cpp`), and cutechess's for games
    /// one by one: the error is half the width of the interval in Elo that
    /// corresponds to the normal 95 % interval of the mean score.
    pub fn of(sample: &Sample) -> Option<EloEstimate> {
        let observed = sample.distribution()?;
        let score = observed.mean();
        let of_mean = (observed.variance() / sample.observations()).sqrt();
        let of_game = (observed.variance() * sample.games_each()).sqrt();
        Some(EloEstimate {
            score,
            elo: logistic(score, of_mean),
            nelo: normalized(score, of_game, sample.games()),
            los: superiority(score, of_mean, observed.square_about(0.5) / sample.observations()),
        })
    }
}

fn logistic(score: f64, deviation: f64) -> Option<Measured> {
    let value = of_score(score)?;
    let most = of_score(score + WITHIN_95 * deviation);
    let least = of_score(score - WITHIN_95 * deviation);
    let error = most.zip(least).map(|(most, least)| (most - least) / 2.0);
    Some(Measured { value, error: error.filter(|_| deviation > 0.0) })
}

fn normalized(score: f64, deviation: f64, games: f64) -> Option<Measured> {
    let value = (score - 0.5) / deviation * NORMALIZED_PER_DEVIATION;
    let error = WITHIN_95 * NORMALIZED_PER_DEVIATION / games.sqrt();
    (deviation > 0.0).then_some(Measured { value, error: Some(error) })
}

/// Where all observations are alike, their scatter about ½ serves, which is what cutechess takes
/// always: a single win then makes 84 %, not certainty.
fn superiority(score: f64, deviation: f64, square_about_half: f64) -> f64 {
    if score == 0.5 {
        return 0.5;
    }
    let deviation = if deviation > 0.0 { deviation } else { square_about_half.sqrt() };
    below((score - 0.5) / deviation)
}

/// An Elo difference of 400 is odds of ten to one: so many Elo are odds of e to one.
pub const PER_NAT: f64 = 400.0 / LN_10;

/// Normalized Elo for each standard deviation that the mean score of a game is above ½; for small
/// differences and no unfinished games it then equals Elo (Van den Bergh, "Comments on normalized Elo").
pub const NORMALIZED_PER_DEVIATION: f64 = 800.0 / LN_10;

/// The Elo difference whose expected score is this; none for 0 and 1.
pub fn of_score(score: f64) -> Option<f64> {
    (score > 0.0 && score < 1.0).then(|| PER_NAT * (score / (1.0 - score)).ln())
}

/// The expected score of who is stronger by this Elo difference.
pub fn score_of(elo: f64) -> f64 {
    1.0 / (1.0 + (-elo / PER_NAT).exp())
}

/// 95 % of a normal distribution lie within so many standard deviations.
pub const WITHIN_95: f64 = 1.959_963_984_540_054;

/// How likely a standard normal variable is below `x`.
pub fn below(x: f64) -> f64 {
    erfc(-x / SQRT_2) / 2.0
}
