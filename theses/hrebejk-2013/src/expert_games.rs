//! Which games are good enough to learn from (5.3 of Hřebejk's thesis).

/// What is known of a game and its players; what is not known does not count against it.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct GameFacts {
    /// The ratings of both players.
    pub ratings: Option<[f64; 2]>,
    /// How many of them are bots.
    pub bots: usize,
    /// Whether it counted for their ratings.
    pub is_rated: Option<bool>,
    /// Whether the rules ended it: a goal, or no rabbits or no turns left.
    pub is_natural: bool,
    /// The turns after the setups.
    pub turns: usize,
    /// How long it took, in seconds.
    pub seconds: Option<f64>,
    /// In which year, with its fraction.
    pub year: Option<f64>,
    /// Whether a piece was captured in the first two turns.
    pub begins_with_capture: bool,
}

/// Fewer turns are no game.
const FEWEST_TURNS: usize = 10;
const MOST_TURNS: usize = 400;
const LEAST_SECONDS: f64 = 300.0;
const MOST_MINUTES: f64 = 30.0;
const POINTS_OF_A_BOT: f64 = 30.0;
const POINTS_OF_A_YEAR: f64 = 20.0;

impl GameFacts {
    /// Why the game does not look normal, if it does not.
    pub fn fault(&self) -> Option<&'static str> {
        let faults = [
            (!self.is_natural, "not finished by the rules"),
            (self.is_rated == Some(false), "not rated"),
            (self.turns < FEWEST_TURNS, "fewer than 10 turns"),
            (self.turns > MOST_TURNS, "more than 400 turns"),
            (self.seconds.is_some_and(|seconds| seconds < LEAST_SECONDS), "shorter than 5 minutes"),
            (self.begins_with_capture, "a capture in the first two turns"),
        ];
        faults.into_iter().find(|(is_so, _)| *is_so).map(|(_, fault)| fault)
    }

    /// How good the game is, if the ratings of its players are known: 0.8 times the lower and 0.2 times the higher one, 100 times the
    /// logarithm of the minutes for a turn, 30 less for each bot and 20 less for each year before `now`.
    pub fn rating(&self, now: f64) -> Option<f64> {
        let [one, other] = self.ratings?;
        let minutes = self.seconds.map(|seconds| seconds / 60.0 / self.turns.max(1) as f64);
        let thought = minutes.map_or(0.0, |minutes| 100.0 * minutes.clamp(1e-3, MOST_MINUTES).ln());
        let years = self.year.map_or(0.0, |year| (now - year).max(0.0).floor());
        Some(
            0.8 * one.min(other) + 0.2 * one.max(other) + thought
                - POINTS_OF_A_BOT * self.bots as f64
                - POINTS_OF_A_YEAR * years,
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn usual() -> GameFacts {
        GameFacts {
            ratings: Some([2000.0, 2500.0]),
            is_rated: Some(true),
            is_natural: true,
            turns: 80,
            seconds: Some(4800.0),
            year: Some(2013.2),
            ..GameFacts::default()
        }
    }

    #[test]
    fn the_rating_is_that_of_the_thesis() {
        let rating = |facts: GameFacts| facts.rating(2013.5).unwrap();
        assert_eq!(rating(usual()), 2100.0);
        assert_eq!(rating(GameFacts { bots: 2, ..usual() }), 2040.0);
        assert_eq!(rating(GameFacts { year: Some(2010.9), ..usual() }), 2060.0);
        // Twice the time brings about 70 points, and a postal game about 340.
        assert_eq!(rating(GameFacts { seconds: Some(9600.0), ..usual() }).round(), 2169.0);
        assert_eq!(rating(GameFacts { seconds: Some(1e9), ..usual() }).round(), 2440.0);
        assert_eq!(GameFacts::default().rating(2013.0), None);
    }

    #[test]
    fn games_that_do_not_look_normal_are_told_by_their_fault() {
        assert_eq!(usual().fault(), None);
        assert_eq!(GameFacts { seconds: None, is_rated: None, ..usual() }.fault(), None);
        let faults = [
            GameFacts { is_natural: false, ..usual() },
            GameFacts { is_rated: Some(false), ..usual() },
            GameFacts { turns: 3, ..usual() },
            GameFacts { turns: 401, ..usual() },
            GameFacts { seconds: Some(200.0), ..usual() },
            GameFacts { begins_with_capture: true, ..usual() },
        ];
        let mut told: Vec<_> = faults.iter().map(|facts| facts.fault().unwrap()).collect();
        told.dedup();
        assert_eq!(told.len(), 6);
    }
}
